// SPDX-License-Identifier: Apache-2.0
#include "app/text/error_sentences.h"

#include "app/text/finding_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace trialdeck::app::text {

namespace {

struct Sentence {
    ErrorCode code;
    /// {name} stands for the argument of that name.
    const char* text;
};

constexpr auto kSentences = std::to_array<Sentence>({
    {ErrorCode::internal,
     QT_TRANSLATE_NOOP("Errors", "Trialdeck made a mistake. Please report it with the details.")},
    {ErrorCode::cancelled, QT_TRANSLATE_NOOP("Errors", "It was cancelled.")},
    {ErrorCode::timed_out, QT_TRANSLATE_NOOP("Errors", "It took too long and was given up. Try again.")},
    {ErrorCode::unavailable, QT_TRANSLATE_NOOP("Errors", "This is not available now. {reason}")},
    {ErrorCode::file_not_found, QT_TRANSLATE_NOOP("Errors", "{path} does not exist.")},
    {ErrorCode::file_exists, QT_TRANSLATE_NOOP("Errors", "{path} exists already.")},
    {ErrorCode::file_permission,
     QT_TRANSLATE_NOOP("Errors",
                       "You may not read or write {path}. Change its permissions or choose another place.")},
    {ErrorCode::file_io, QT_TRANSLATE_NOOP("Errors", "{path} could not be read or written: {reason}.")},
    {ErrorCode::disk_full,
     QT_TRANSLATE_NOOP("Errors", "The disk of {path} is full. Make room there, then resume.")},
    {ErrorCode::not_a_directory, QT_TRANSLATE_NOOP("Errors", "{path} is not a folder.")},
    {ErrorCode::read_only_storage,
     QT_TRANSLATE_NOOP("Errors", "{path} is on a read-only disk. Choose another storage folder.")},
    {ErrorCode::no_lock_support, QT_TRANSLATE_NOOP("Errors", "The file system of {path} has no locks.")},
    {ErrorCode::connections_set_aside,
     QT_TRANSLATE_NOOP("Errors", "The list of connections in {path} is damaged and was set aside as "
                                 "{kept_at}. The list begins anew.")},
    {ErrorCode::bad_json, QT_TRANSLATE_NOOP("Errors", "This is not valid JSON (byte {offset}).")},
    {ErrorCode::bad_utf8,
     QT_TRANSLATE_NOOP("Errors", "The text is not UTF-8 (byte {offset}). Save it as UTF-8.")},
    {ErrorCode::too_deep,
     QT_TRANSLATE_NOOP("Errors",
                       "Lists and maps are nested too deeply: at most {limit} levels are allowed.")},
    {ErrorCode::too_large, QT_TRANSLATE_NOOP("Errors", "This is too large; the limit is {limit}.")},
    {ErrorCode::bad_cbor, QT_TRANSLATE_NOOP("Errors", "A message could not be read (byte {offset}).")},
    {ErrorCode::command_not_found,
     QT_TRANSLATE_NOOP("Errors",
                       "The program {command} was not found. Check its spelling, or give its full path.")},
    {ErrorCode::command_not_executable,
     QT_TRANSLATE_NOOP("Errors", "{command} is not a program that can be run. Make it executable (chmod +x) "
                                 "or name the interpreter.")},
    {ErrorCode::spawn_failed, QT_TRANSLATE_NOOP("Errors", "{command} could not be started: {reason}.")},
    {ErrorCode::working_directory_missing,
     QT_TRANSLATE_NOOP("Errors", "The working directory {path} does not exist.")},
    {ErrorCode::bad_frame,
     QT_TRANSLATE_NOOP("Errors", "The connection carried something that is not ours. {found}")},
    {ErrorCode::bad_message, QT_TRANSLATE_NOOP("Errors", "A message was not understood.")},
    {ErrorCode::unknown_method,
     QT_TRANSLATE_NOOP("Errors", "The head does not know \"{method}\". It may be an older version.")},
    {ErrorCode::missing_field, QT_TRANSLATE_NOOP("Errors", "A message lacks the field {field}.")},
    {ErrorCode::wrong_type,
     QT_TRANSLATE_NOOP("Errors", "The field {field} of a message has the wrong kind of value.")},
    {ErrorCode::version_mismatch,
     QT_TRANSLATE_NOOP("Errors", "Window and head speak different versions. Update the older one.")},
    {ErrorCode::connection_lost,
     QT_TRANSLATE_NOOP("Errors",
                       "The connection to the head was lost. What is shown is the last known state.")},
    {ErrorCode::connection_refused, QT_TRANSLATE_NOOP("Errors", "The head does not accept connections.")},
    {ErrorCode::head_did_not_answer, QT_TRANSLATE_NOOP("Errors", "The head did not answer. {printed}")},
    {ErrorCode::head_binary_missing,
     QT_TRANSLATE_NOOP("Errors", "The program trialdeck-head was not found beside trialdeck.")},
    {ErrorCode::command_unknown_outcome,
     QT_TRANSLATE_NOOP("Errors", "The line broke before the head answered; whether it was done is not known. "
                                 "Look at the experiment's state.")},
    {ErrorCode::head_replaced, QT_TRANSLATE_NOOP("Errors", "Another build of the head has taken over.")},
    {ErrorCode::head_shut_down,
     QT_TRANSLATE_NOOP("Errors",
                       "The head was shut down. Trials that were running go on unless they were stopped "
                       "with it.")},
    {ErrorCode::ssh_missing,
     QT_TRANSLATE_NOOP("Errors",
                       "The program ssh was not found on this computer. Install the OpenSSH client.")},
    {ErrorCode::ssh_configuration,
     QT_TRANSLATE_NOOP("Errors", "The SSH client does not accept its configuration: {reason}")},
    {ErrorCode::host_not_found,
     QT_TRANSLATE_NOOP(
         "Errors", "There is no host called {host}. Check the name, or whether the network or VPN is up.")},
    {ErrorCode::host_unreachable,
     QT_TRANSLATE_NOOP("Errors", "{host} cannot be reached: {reason}. Check the network, VPN or firewall.")},
    {ErrorCode::host_refused,
     QT_TRANSLATE_NOOP(
         "Errors",
         "{host} refuses connections on this port. Check the port, and whether its SSH server runs.")},
    {ErrorCode::not_an_ssh_server,
     QT_TRANSLATE_NOOP("Errors", "What answers at {host} is not an SSH server. Check host and port.")},
    {ErrorCode::no_common_algorithm,
     QT_TRANSLATE_NOOP(
         "Errors",
         "This computer and {host} have no algorithm in common: {reason}. Update the older of the two.")},
    {ErrorCode::host_key_changed,
     QT_TRANSLATE_NOOP("Errors", "The host key of {host} has changed: it shows {key_type} {fingerprint}; on "
                                 "file is {known}. It may be another machine, or someone in between. If the "
                                 "change is expected, remove line {line} of {path} and connect again.")},
    {ErrorCode::host_key_revoked,
     QT_TRANSLATE_NOOP("Errors", "The host key of {host} is marked as revoked. Do not connect before its "
                                 "administrator has given it a new one.")},
    {ErrorCode::host_key_refused,
     QT_TRANSLATE_NOOP("Errors", "The host key of {host} was not confirmed, so nothing was sent to it.")},
    {ErrorCode::login_refused,
     QT_TRANSLATE_NOOP("Errors", "{host} does not let you in with what was offered. It accepts: {methods}. "
                                 "Check user, key or password.")},
    {ErrorCode::too_many_logins,
     QT_TRANSLATE_NOOP("Errors", "{host} ended the login after too many tries. Name the right key for this "
                                 "host, so that no others are offered.")},
    {ErrorCode::key_unusable, QT_TRANSLATE_NOOP("Errors", "The key {path} cannot be used: {reason}.")},
    {ErrorCode::too_many_sessions,
     QT_TRANSLATE_NOOP(
         "Errors", "{host} allows no further session on this connection (MaxSessions). Close another one.")},
    {ErrorCode::shell_blocked,
     QT_TRANSLATE_NOOP("Errors", "The login script on {host} does not let commands through. {printed}")},
    {ErrorCode::account_closed,
     QT_TRANSLATE_NOOP("Errors", "The account on {host} has no shell that runs commands. {printed}")},
    {ErrorCode::forwarding_refused,
     QT_TRANSLATE_NOOP("Errors",
                       "{host} does not let connections through to its ports. Its administrator can "
                       "allow it (AllowTcpForwarding).")},
    {ErrorCode::port_not_listening,
     QT_TRANSLATE_NOOP("Errors", "Nothing listens at port {port} on {host}. Start the program there first.")},
    {ErrorCode::port_taken,
     QT_TRANSLATE_NOOP("Errors",
                       "Port {port} of this computer is used by another program. Choose another one.")},
    {ErrorCode::tensorboard_missing,
     QT_TRANSLATE_NOOP("Errors",
                       "TensorBoard is not installed on {host}. Install it there with \"pip install "
                       "tensorboard\".")},
    {ErrorCode::jupyter_missing,
     QT_TRANSLATE_NOOP("Errors", "Jupyter is not installed on {host}. Install it there with \"pip install "
                                 "jupyterlab\".")},
    {ErrorCode::service_did_not_start,
     QT_TRANSLATE_NOOP("Errors", "{program} did not start on {host}. {printed}")},
    {ErrorCode::service_ended, QT_TRANSLATE_NOOP("Errors", "{program} on {host} has ended. Start it again.")},
    {ErrorCode::unsupported_system,
     QT_TRANSLATE_NOOP("Errors",
                       "{host} is {system} on {machine}. Trialdeck's head runs on Linux on x86_64.")},
    {ErrorCode::no_place_for_head,
     QT_TRANSLATE_NOOP("Errors", "There is no folder on {host} where the head can be put: {reason}. Free "
                                 "some space, or set the folder in the connection.")},
    {ErrorCode::head_does_not_run,
     QT_TRANSLATE_NOOP("Errors", "The head was put on {host} but does not run there: {reason}")},
    {ErrorCode::upload_damaged,
     QT_TRANSLATE_NOOP(
         "Errors",
         "What arrived on {host} differs from what was sent. Nothing was changed there; connect again.")},
    {ErrorCode::sync_failed, QT_TRANSLATE_NOOP("Errors", "The folders could not be synced: {reason}")},
    {ErrorCode::daemon_elsewhere,
     QT_TRANSLATE_NOOP("Errors",
                       "The head of this home runs on {daemon_host}, which cannot be reached through "
                       "{host}: {reason}. Connect to {daemon_host} itself.")},
    {ErrorCode::ends_at_logout,
     QT_TRANSLATE_NOOP("Errors",
                       "On {host} the trials end when {user} logs out. Run \"loginctl enable-linger\" there, "
                       "then shut the head down and connect again.")},
    {ErrorCode::clock_differs,
     QT_TRANSLATE_NOOP("Errors", "The clock of {host} differs from this computer's by {seconds} s. Set both "
                                 "by a time server.")},
    {ErrorCode::yaml_syntax, QT_TRANSLATE_NOOP("Errors", "This is not valid YAML. {reason}")},
    {ErrorCode::yaml_not_a_map,
     QT_TRANSLATE_NOOP("Errors", "An experiment.yaml begins with keys such as name: and trial:.")},
    {ErrorCode::yaml_duplicate_key,
     QT_TRANSLATE_NOOP("Errors",
                       "The key {key} stands twice, first in line {first_line}. Keep one of them.")},
    {ErrorCode::yaml_alias_conflict,
     QT_TRANSLATE_NOOP("Errors", "{key} and {other_key} mean the same. Keep one of them.")},
    {ErrorCode::yaml_template,
     QT_TRANSLATE_NOOP("Errors",
                       "This looks like a template ({text}). Render it first, then open the result.")},
    {ErrorCode::unknown_key, QT_TRANSLATE_NOOP("Errors", "There is no key {key} here.")},
    {ErrorCode::missing_key, QT_TRANSLATE_NOOP("Errors", "{key} is missing.")},
    {ErrorCode::wrong_value_type, QT_TRANSLATE_NOOP("Errors", "Wanted here: {expected}, not {found}.")},
    {ErrorCode::value_out_of_range, QT_TRANSLATE_NOOP("Errors", "{value} is out of range. {reason}")},
    {ErrorCode::unknown_value,
     QT_TRANSLATE_NOOP("Errors", "\"{value}\" is not known here. Possible: {allowed}.")},
    {ErrorCode::not_available_yet,
     QT_TRANSLATE_NOOP("Errors", "{value} is not available yet. Available: {available}.")},
    {ErrorCode::no_effect, QT_TRANSLATE_NOOP("Errors", "{key} has no effect here. {reason}")},
    {ErrorCode::unknown_placeholder, QT_TRANSLATE_NOOP("Errors", "There is no parameter {placeholder}.")},
    {ErrorCode::unclosed_placeholder,
     QT_TRANSLATE_NOOP("Errors", "A \"{\" is not closed. Write \"{{\" for a brace itself.")},
    {ErrorCode::unused_parameter,
     QT_TRANSLATE_NOOP("Errors", "The parameter {parameter} is not used in the command. Programs can still "
                                 "read it from params.json.")},
    {ErrorCode::empty_command,
     QT_TRANSLATE_NOOP("Errors", "A command is wanted: the program and its arguments.")},
    {ErrorCode::bad_name, QT_TRANSLATE_NOOP("Errors", "\"{name}\" cannot be a name here. {reason}")},
    {ErrorCode::bad_distribution,
     QT_TRANSLATE_NOOP("Errors", "This is not a distribution: {text}. {reason}")},
    {ErrorCode::bounds_reversed,
     QT_TRANSLATE_NOOP("Errors", "The first bound is larger than the second. Swap them.")},
    {ErrorCode::bounds_not_positive,
     QT_TRANSLATE_NOOP("Errors",
                       "A logarithmic range must begin above 0. Bounds are values, not exponents.")},
    {ErrorCode::bounds_equal, QT_TRANSLATE_NOOP("Errors", "Both bounds are {value}: this is a constant.")},
    {ErrorCode::bounds_not_finite, QT_TRANSLATE_NOOP("Errors", "Bounds must be finite numbers.")},
    {ErrorCode::bounds_count,
     QT_TRANSLATE_NOOP("Errors", "{expected} numbers are wanted here, not {found}.")},
    {ErrorCode::not_whole_number, QT_TRANSLATE_NOOP("Errors", "{value} is not a whole number.")},
    {ErrorCode::step_does_not_fit,
     QT_TRANSLATE_NOOP("Errors", "The bounds must be multiples of the step {step}.")},
    {ErrorCode::step_not_positive, QT_TRANSLATE_NOOP("Errors", "The step must be above 0.")},
    {ErrorCode::step_too_wide, QT_TRANSLATE_NOOP("Errors", "The step is wider than the range.")},
    {ErrorCode::integer_too_large, QT_TRANSLATE_NOOP("Errors", "{value} is too large for a whole number.")},
    {ErrorCode::empty_range, QT_TRANSLATE_NOOP("Errors", "There is no value in this range.")},
    {ErrorCode::empty_choice, QT_TRANSLATE_NOOP("Errors", "The list of values is empty.")},
    {ErrorCode::duplicate_choice, QT_TRANSLATE_NOOP("Errors", "{value} stands twice in the list.")},
    {ErrorCode::grid_needs_finite_space,
     QT_TRANSLATE_NOOP(
         "Errors",
         "A grid needs values that can be counted: use grid_search or choice for every parameter.")},
    {ErrorCode::grid_too_large,
     QT_TRANSLATE_NOOP(
         "Errors",
         "The grid has {trials} trials. Set a cap with \"trials\", or choose another search algorithm.")},
    {ErrorCode::number_as_text, QT_TRANSLATE_NOOP("Errors", "\"{text}\" is text; it is taken as a number.")},
    {ErrorCode::range_excludes_end,
     QT_TRANSLATE_NOOP("Errors", "The upper end is not drawn, as in Ray: {values}.")},
    {ErrorCode::step_values, QT_TRANSLATE_NOOP("Errors", "Values that are drawn: {values}.")},
    {ErrorCode::yaml_text_number,
     QT_TRANSLATE_NOOP("Errors",
                       "\"{text}\" is text for some YAML readers. Write it with a point, as in 1.0e-5.")},
    {ErrorCode::metric_required, QT_TRANSLATE_NOOP("Errors", "{key} is wanted here.")},
    {ErrorCode::bad_pattern,
     QT_TRANSLATE_NOOP("Errors", "The pattern \"{pattern}\" cannot be used. {reason}")},
    {ErrorCode::stop_on_minimised_metric,
     QT_TRANSLATE_NOOP("Errors", "The metric is minimised, but this stops a trial when it rises to the "
                                 "value. Write a limit with \"le\".")},
    {ErrorCode::resources_exceed_node,
     QT_TRANSLATE_NOOP("Errors", "A trial asks for more than the node has. It starts alone.")},
    {ErrorCode::storage_not_writable,
     QT_TRANSLATE_NOOP("Errors",
                       "Results cannot be stored in {path}. {reason} Choose another storage folder.")},
    {ErrorCode::experiment_name_taken,
     QT_TRANSLATE_NOOP("Errors", "There is an experiment {name} already at {path}. Choose another name.")},
    {ErrorCode::nothing_stops_trials,
     QT_TRANSLATE_NOOP("Errors", "Nothing bounds the number of trials or their length.")},
    {ErrorCode::seed_parameter_wins,
     QT_TRANSLATE_NOOP("Errors", "The parameter {parameter} hides the trial's own seed.")},
    {ErrorCode::yaml_unclosed_quote, QT_TRANSLATE_NOOP("Errors", "A quote is not closed.")},
    {ErrorCode::yaml_several_documents,
     QT_TRANSLATE_NOOP("Errors", "The file has several documents. Keep one.")},
    {ErrorCode::differs_from_ray,
     QT_TRANSLATE_NOOP("Errors", "Values that are drawn: {values}. Ray draws {ray_values}.")},
    {ErrorCode::experiment_not_found, QT_TRANSLATE_NOOP("Errors", "There is no such experiment.")},
    {ErrorCode::trial_not_found, QT_TRANSLATE_NOOP("Errors", "There is no trial {trial}.")},
    {ErrorCode::wrong_state, QT_TRANSLATE_NOOP("Errors", "This is not possible in the state {state}.")},
    {ErrorCode::experiment_missing,
     QT_TRANSLATE_NOOP("Errors", "The folder {path} is not there. Bring it back, or mount its disk.")},
    {ErrorCode::experiment_held,
     QT_TRANSLATE_NOOP("Errors",
                       "Another program works on this experiment: process {pid} on {host}, since {since}.")},
    {ErrorCode::journal_damaged,
     QT_TRANSLATE_NOOP("Errors", "The experiment's journal is damaged. {reason}")},
    {ErrorCode::journal_version,
     QT_TRANSLATE_NOOP("Errors",
                       "The experiment was written by a newer version of Trialdeck. Update this one.")},
    {ErrorCode::no_checkpoint, QT_TRANSLATE_NOOP("Errors", "There is no checkpoint to go on from.")},
    {ErrorCode::bad_configuration,
     QT_TRANSLATE_NOOP("Errors", "The experiment's set-up cannot be read any more.")},
    {ErrorCode::search_space_exhausted,
     QT_TRANSLATE_NOOP("Errors", "Every configuration of the search space has been tried.")},
    {ErrorCode::report_not_json,
     QT_TRANSLATE_NOOP("Errors", "A report was not valid JSON and was passed over.")},
    {ErrorCode::report_not_object,
     QT_TRANSLATE_NOOP("Errors", "A report was not a map of metrics and was passed over.")},
    {ErrorCode::report_too_large,
     QT_TRANSLATE_NOOP("Errors", "A report was longer than 1 MiB and was passed over.")},
    {ErrorCode::report_too_deep,
     QT_TRANSLATE_NOOP("Errors", "A report was nested too deeply and was passed over.")},
    {ErrorCode::report_bad_utf8, QT_TRANSLATE_NOOP("Errors", "A report was not UTF-8 and was passed over.")},
    {ErrorCode::report_odd_number,
     QT_TRANSLATE_NOOP("Errors", "A report wrote a number as {word}; it was taken as such.")},
    {ErrorCode::report_odd_iteration,
     QT_TRANSLATE_NOOP("Errors", "A report's training_iteration is {value}, which is no whole number.")},
    {ErrorCode::report_repeated_iteration,
     QT_TRANSLATE_NOOP(
         "Errors", "training_iteration {iteration} was reported again. The report is kept and not counted.")},
    {ErrorCode::report_metric_missing,
     QT_TRANSLATE_NOOP("Errors", "The metric {metric} is not in the reports. They have: {found}.")},
    {ErrorCode::report_non_finite, QT_TRANSLATE_NOOP("Errors", "The metric is not a finite number.")},
    {ErrorCode::report_superseded,
     QT_TRANSLATE_NOOP("Errors", "A report of an older attempt came late. It is kept and not counted.")},
    {ErrorCode::checkpoint_missing,
     QT_TRANSLATE_NOOP("Errors", "The checkpoint {name} that was reported is not there.")},
    {ErrorCode::checkpoint_bad_name,
     QT_TRANSLATE_NOOP(
         "Errors", "\"{name}\" cannot be a checkpoint: it must be a folder in TRIALDECK_CHECKPOINT_DIR.")},
    {ErrorCode::checkpoint_unreadable,
     QT_TRANSLATE_NOOP("Errors", "The checkpoint {name} could not be read: {reason}.")},
    {ErrorCode::checkpoint_damaged,
     QT_TRANSLATE_NOOP("Errors", "{checkpoint} is damaged: {path} is not as it was written. "
                                 "The checkpoint before it is taken.")},
    {ErrorCode::checkpoint_fruitless,
     QT_TRANSLATE_NOOP("Errors", "The program ended {times} times before its first report after it went on "
                                 "from {checkpoint}. The checkpoint before it is taken.")},
    {ErrorCode::no_report, QT_TRANSLATE_NOOP("Errors", "The program ended without a report.")},
    {ErrorCode::no_output_yet,
     QT_TRANSLATE_NOOP("Errors", "No output yet; the program may be holding it back. Try stdbuf -oL, -u or "
                                 "flush, or report.terminal: true.")},
    {ErrorCode::wants_more_than_node,
     QT_TRANSLATE_NOOP("Errors", "The trial asks for more than the node has, so it runs alone.")},
    {ErrorCode::worker_exit, QT_TRANSLATE_NOOP("Errors", "The program ended with exit code {exit_code}.")},
    {ErrorCode::worker_signal, QT_TRANSLATE_NOOP("Errors", "The program was ended by signal {signal}.")},
    {ErrorCode::worker_out_of_memory,
     QT_TRANSLATE_NOOP(
         "Errors",
         "The program ran out of memory. Run fewer trials at a time, or ask for more memory a worker.")},
    {ErrorCode::worker_lost, QT_TRANSLATE_NOOP("Errors", "The worker was lost: nobody saw its end.")},
    {ErrorCode::worker_killed_unknown,
     QT_TRANSLATE_NOOP("Errors", "The program was killed by signal {signal}; why is not known. Lack of "
                                 "memory is likely when nobody killed it.")},
});

/// The text with the error's arguments in place of their names; what an error does not carry is left out. One
/// pass, so that braces inside an argument mean nothing.
QString filled(const QString& text, const base::ErrorArguments& arguments) {
    static const QRegularExpression placeholder(QStringLiteral("\\{([a-z_]+)\\}"));
    QString sentence;
    qsizetype done = 0;
    for (auto matches = placeholder.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        sentence += text.mid(done, match.capturedStart() - done);
        if (const auto found = arguments.find(match.captured(1).toStdString()); found != arguments.end())
            sentence += QString::fromStdString(found->second);
        done = match.capturedEnd();
    }
    return (sentence + text.mid(done)).trimmed();
}

/// The arguments in the user's language: words that the head gives for what is wrong and for kinds of values.
base::ErrorArguments spoken(const Error& error) {
    base::ErrorArguments arguments = error.arguments;
    if (const auto reason = arguments.find("reason"); reason != arguments.end()) {
        if (const auto known = protocol::findingReasonFromString(reason->second))
            reason->second = filled(reasonSentence(*known), error.arguments).toStdString();
    } else if (error.code == ErrorCode::value_out_of_range) {
        arguments["reason"] = filled(rangeSentence(arguments), arguments).toStdString();
    }
    for (const char* name : {"expected", "found"}) {
        const auto kind = arguments.find(name);
        const auto known =
            kind == arguments.end() ? std::nullopt : protocol::valueKindFromString(kind->second);
        if (known)
            kind->second = kindPhrase(*known).toStdString();
    }
    return arguments;
}

} // namespace

QString errorSentence(const Error& error) {
    const auto found = std::find_if(kSentences.begin(), kSentences.end(), [&error](const Sentence& sentence) {
        return sentence.code == error.code;
    });
    Q_ASSERT(found != kSentences.end());
    return filled(QCoreApplication::translate("Errors", found->text), spoken(error));
}

QString errorDetails(const Error& error) {
    return QString::fromStdString(base::describe(error));
}

} // namespace trialdeck::app::text
