// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/sentences.h"

#include "core/base/utf8.h"
#include "core/ctl/words.h"
#include "core/protocol/finding_words.h"

#include <algorithm>
#include <array>
#include <optional>

namespace trialdeck::ctl {

namespace {

struct Sentence {
    ErrorCode code;
    /// {name} stands for the argument of that name. Of what stands in [ | ] the first is taken whose
    /// arguments are all there and not empty; nothing where there is none. {?name} is only asked for.
    std::string_view text;
    std::string_view advice = {};
};

constexpr auto kSentences = std::to_array<Sentence>({
    {ErrorCode::internal, "Trialdeck made a mistake", "please report it with this line"},
    {ErrorCode::cancelled, "it was cancelled"},
    {ErrorCode::timed_out, "it took too long and was given up", "try again"},
    {ErrorCode::unavailable, "this is not available now[: {reason}]"},

    {ErrorCode::file_not_found, "there is no file[ {path}]"},
    {ErrorCode::file_exists, "[{path}|the file] exists already", "choose another name"},
    {ErrorCode::file_permission, "[{path}|the file] may not be used[: {reason}]",
     "change its permissions or choose another place"},
    {ErrorCode::file_io, "[{path}|a file] could not be read or written[: {reason}]"},
    {ErrorCode::disk_full, "the disk[ of {path}] is full", "make room there, then resume"},
    {ErrorCode::not_a_directory, "[{path}|the path] is not a folder or leads through a file"},
    {ErrorCode::read_only_storage, "[{path}|the folder] is on a read-only disk",
     "choose another storage_path"},
    {ErrorCode::no_lock_support, "the file system[ of {path}] has no file locks",
     "choose another storage_path or TRIALDECK_HOME"},
    {ErrorCode::connections_set_aside,
     "the list of connections[ in {path}] is damaged[ and was set aside as {kept_at}]",
     "mend that file, or connect again"},

    {ErrorCode::bad_json, "[{path}|the text] is not valid JSON[ at byte {offset}]"},
    {ErrorCode::bad_utf8, "[{path}|the text] is not UTF-8 text[ at byte {offset}]", "save it as UTF-8"},
    {ErrorCode::too_deep, "lists and maps are nested too deeply[: at most {limit} levels are allowed]"},
    {ErrorCode::too_large,
     "[{path}|this] is too large[: {bytes} bytes][; at most {limit} {unit} are allowed|; at most {limit} "
     "bytes are allowed]",
     "make it smaller"},
    {ErrorCode::bad_cbor, "a message of the head could not be decoded[ at byte {offset}][: {reason}]",
     "try again"},

    {ErrorCode::command_not_found, "the program[ {command}] was not found",
     "check its spelling, or give its full path"},
    {ErrorCode::command_not_executable, "[{command}|the command] is not a program that can be run",
     "make it executable (chmod +x) or name the interpreter"},
    {ErrorCode::spawn_failed, "[{command}|the program] could not be started[: {reason}]"},
    {ErrorCode::working_directory_missing, "the working directory[ {path}] does not exist",
     "make it, or change trial.runtime_env.working_dir"},

    {ErrorCode::bad_frame, "the connection carried something that is not of the head[: {found}]"},
    {ErrorCode::bad_message, "a message[ {method}] was not understood[: {field}]",
     "use programs of one installation"},
    {ErrorCode::unknown_method, "the head does not know[ {method}]", "it is older than trialdeckctl"},
    {ErrorCode::missing_field, "a message lacks[ the field {field}| a field]",
     "use programs of one installation"},
    {ErrorCode::wrong_type, "[the field {field}|a field] of a message has the wrong kind of value",
     "use programs of one installation"},
    {ErrorCode::version_mismatch, "trialdeckctl and the head speak different versions of the protocol",
     "use programs of one installation"},
    {ErrorCode::connection_lost, "the connection to the head was lost", "try again"},
    {ErrorCode::connection_refused, "the head refused the connection", "try again"},
    {ErrorCode::head_did_not_answer,
     "the head did not answer[; it printed: {printed}][; it printed: {output}][; its log is {log}]",
     "look into head.log in $TRIALDECK_HOME/hosts/HOST (without TRIALDECK_HOME: in ~/.trialdeck/hosts/HOST)"},
    {ErrorCode::head_binary_missing, "there is no trialdeck-head[ at {path}]",
     "install trialdeck-head beside trialdeckctl"},
    {ErrorCode::command_unknown_outcome, "the head went away before it said whether the command was done",
     "look with `trialdeckctl show`, then give it again if it is wanted"},
    {ErrorCode::head_replaced, "another build of the head has taken over", "try again"},
    {ErrorCode::head_shut_down, "the head was shut down", "any command of trialdeckctl starts it again"},

    {ErrorCode::ssh_missing, "the program[ {program}| ssh] was not found", "install the OpenSSH client"},
    {ErrorCode::ssh_configuration, "ssh does not accept its configuration[: {reason}]", "mend ~/.ssh/config"},
    {ErrorCode::host_not_found, "there is no host called[ {host}| that]",
     "check the name, and whether the network or VPN is up"},
    {ErrorCode::host_unreachable, "[{host}|the host] cannot be reached[: {reason}]",
     "check the network, VPN or firewall"},
    {ErrorCode::host_refused, "[{host}|the host] refuses connections on this port",
     "check the port, and whether its SSH server runs"},
    {ErrorCode::not_an_ssh_server, "what answers at[ {host}| the host] is not an SSH server[: {reason}]",
     "check host and port"},
    {ErrorCode::no_common_algorithm,
     "this computer and[ {host}| the host] have no algorithm in common[: {reason}]",
     "update the older of the two"},
    {ErrorCode::host_key_changed,
     "the host key of[ {host}| the host] has changed[: it shows {key_type} {fingerprint}][, and {known} is "
     "on file]; it may be another "
     "machine, or someone in between",
     "if the change is expected, remove [line {line} of {path}|the old key from known_hosts], and try again"},
    {ErrorCode::host_key_revoked, "the host key of[ {host}| the host] is marked as revoked",
     "ask its administrator for a new key"},
    {ErrorCode::host_key_refused, "the host key of[ {host}| the host] was not confirmed",
     "connect again and answer yes where the fingerprint is right"},
    {ErrorCode::login_refused, "[{host}|the host] does not let[ {user}| you] in[; it accepts {methods}]",
     "check user, key or password"},
    {ErrorCode::too_many_logins, "[{host}|the host] ended the login after too many tries",
     "name the right key (IdentityFile and IdentitiesOnly), so that no others are offered"},
    {ErrorCode::key_unusable, "the key[ {path}] cannot be used[: {reason}]",
     "check the file and its passphrase"},
    {ErrorCode::too_many_sessions, "[{host}|the host] allows no further session on this connection",
     "close another one, or have MaxSessions raised"},
    {ErrorCode::shell_blocked,
     "the login script on[ {host}| the host] does not let commands through[; it printed: {printed}]",
     "guard what it starts, so that it happens in interactive shells only"},
    {ErrorCode::account_closed,
     "the account on[ {host}| the host] has no shell that runs commands[; it printed: {printed}]",
     "ask the administrator for a login shell"},
    {ErrorCode::forwarding_refused, "[{host}|the host] does not let connections through to its ports",
     "its administrator can allow it (AllowTcpForwarding)"},
    {ErrorCode::port_not_listening, "nothing listens at port[ {port}] on[ {host}| the host]",
     "start the program there first"},
    {ErrorCode::port_taken, "port[ {port}] of this computer is used by another program", "name another one"},
    {ErrorCode::tensorboard_missing, "TensorBoard is not installed on[ {host}| the host]",
     "install it there with `pip install tensorboard`"},
    {ErrorCode::jupyter_missing, "Jupyter is not installed on[ {host}| the host]",
     "install it there with `pip install jupyterlab`"},
    {ErrorCode::service_did_not_start,
     "[{program}|the program] did not start on[ {host}| the host][; it printed: {printed}]", ""},
    {ErrorCode::service_ended, "[{program}|the program] on[ {host}| the host] has ended", "start it again"},
    {ErrorCode::unsupported_system,
     "[{host}|the host] is[ {system}| another system][ on {machine}]; the head runs on Linux on x86_64",
     "use another host"},
    {ErrorCode::no_place_for_head,
     "there is no folder on[ {host}| the host] where the head can be put[: {reason}]",
     "free some space, or name another folder"},
    {ErrorCode::head_does_not_run,
     "the head was put on[ {host}| the host] but does not run there[: {reason}]", "use another host"},
    {ErrorCode::upload_damaged,
     "what arrived on[ {host}| the host] differs from what was sent; nothing was changed there", "try again"},
    {ErrorCode::sync_failed, "the folders could not be synced[: {reason}]"},
    {ErrorCode::daemon_elsewhere,
     "the head of this home runs on[ {daemon_host}| another host], which cannot be reached[ through "
     "{host}][: {reason}]",
     "connect to that host, or give --here for another head on this one"},
    {ErrorCode::ends_at_logout,
     "systemd[ on {host}|] ends the head and its trials when[ {user} logs out| you log out]",
     "run `loginctl enable-linger` there, then `trialdeckctl shutdown`, and connect again"},
    {ErrorCode::clock_differs,
     "the clock of[ {host}| the host] differs from this computer's[ by {seconds} s]",
     "set both clocks by NTP"},

    {ErrorCode::yaml_syntax, "this is not valid YAML[: {reason}]"},
    {ErrorCode::yaml_not_a_map, "an experiment.yaml begins with keys such as name: and trial:"},
    {ErrorCode::yaml_duplicate_key, "the key[ {key}] stands twice[, first in line {first_line}]; keep one"},
    {ErrorCode::yaml_alias_conflict, "[{key} in line {line} and {other_key} in line {other_line}|{key} and "
                                     "{other_key}|two keys] mean the same; keep one"},
    {ErrorCode::yaml_template, "this looks like a template that was not filled in[: {text}]"},
    {ErrorCode::unknown_key,
     "there is no key[ {key}| of this name] here[; it belongs to {belongs_to}][; possible are {allowed}]"},
    {ErrorCode::missing_key, "[{key}|{option}|a key] is missing[; possible are {allowed}]"},
    {ErrorCode::wrong_value_type,
     "[{expected} is wanted here|another kind of value is wanted here][, not {found}]"},
    {ErrorCode::value_out_of_range, "[{value}|the value] is out of range[: {reason}|: {range}]"},
    {ErrorCode::unknown_value, "[{experiment} may be any of {candidates}|{value} is not known here|the value "
                               "is not known here][; possible are {allowed}]"},
    {ErrorCode::not_available_yet,
     "[{value}|this] is not available yet[{?effect}, so it has no effect][; possible are {available}]"},
    {ErrorCode::no_effect, "[{key}|this key] has no effect here[: {reason}]"},
    {ErrorCode::unknown_placeholder,
     "there is no parameter[ {placeholder}] for this placeholder[; there are {allowed}]"},
    {ErrorCode::unclosed_placeholder, "a { is not closed; write {{ for a brace itself"},
    {ErrorCode::unused_parameter,
     "the command does not use[ {parameter}| a parameter]; programs can still read it from params.json"},
    {ErrorCode::empty_command, "a command is wanted: the program and its arguments"},
    {ErrorCode::bad_name, "[\"{name}\"|this] cannot be a name here[: {reason}]"},
    {ErrorCode::bad_distribution, "[{text}|this] is not a distribution[: {reason}][ ({others})]"},
    {ErrorCode::bounds_reversed, "the first bound[ {low}] is larger than the second[ {high}]; swap them"},
    {ErrorCode::bounds_not_positive, "[{distribution}|a logarithmic range] must begin above 0[, not at "
                                     "{low}]; bounds are values, not exponents"},
    {ErrorCode::bounds_equal, "both bounds are[ {value}| equal]: this is a constant"},
    {ErrorCode::bounds_not_finite, "bounds must be finite numbers[, not {value}]"},
    {ErrorCode::bounds_count, "[{distribution}|this] takes[ {expected}| another count of] numbers[, not "
                              "{found}][; {meant} takes so many]"},
    {ErrorCode::not_whole_number, "[{value}|this] is not a whole number"},
    {ErrorCode::step_does_not_fit, "the bounds must be multiples of the step[ {step}]"},
    {ErrorCode::step_not_positive, "the step must be above 0[, not {step}]"},
    {ErrorCode::step_too_wide, "the step[ {step}] is wider than the range"},
    {ErrorCode::integer_too_large, "[{value}|this] is too large for a whole number of 64 bits"},
    {ErrorCode::empty_range, "there is no value in this range[: from {low} to {high}][ in steps of {step}]"},
    {ErrorCode::empty_choice, "the list of values is empty"},
    {ErrorCode::duplicate_choice,
     "[{value}|a value] stands twice in the list[: as number {first} and {place}]"},
    {ErrorCode::grid_needs_finite_space,
     "a grid needs values that can be counted; use grid_search or choice[ for {parameter}]"},
    {ErrorCode::grid_too_large, "the grid has too many trials[: {trials}][, at most {limit}]; set a cap with "
                                "trials, or choose another search_alg"},
    {ErrorCode::number_as_text, "[\"{text}\"|this] is text; it is taken as a number"},
    {ErrorCode::range_excludes_end, "the upper end[ {end}] is not drawn, as in Ray[; values are {values}]"},
    {ErrorCode::step_values, "with this step values are[ {values}| multiples of it]"},
    {ErrorCode::yaml_text_number,
     "[\"{text}\"|this] is text for some YAML readers; write it with a point, as in 1.0e-5"},
    {ErrorCode::metric_required, "[{by} needs {key}|the experiment names no metric]",
     "give search.metric and search.mode"},
    {ErrorCode::bad_pattern, "the pattern[ {pattern}] cannot be used[: {reason}]"},
    {ErrorCode::stop_on_minimised_metric, "[{metric}|the metric] is minimised, but this stops a trial when "
                                          "it rises[ to {value}]; write a limit with le"},
    {ErrorCode::resources_exceed_node,
     "a trial asks for more than the node has[: {cpu} CPUs, {gpu} GPUs]; it starts alone"},
    {ErrorCode::storage_not_writable, "results cannot be written to[ {path}| the storage folder][: {reason}]",
     "choose another storage_path"},
    {ErrorCode::experiment_name_taken, "there is an experiment[ {name}] already[: {path}]",
     "choose another name"},
    {ErrorCode::nothing_stops_trials, "nothing bounds the number of trials or their length"},
    {ErrorCode::seed_parameter_wins, "the parameter[ {parameter}] hides the trial's own seed"},
    {ErrorCode::yaml_unclosed_quote, "a quote is not closed"},
    {ErrorCode::yaml_several_documents, "the file has several documents; keep one"},
    {ErrorCode::differs_from_ray,
     "values that are drawn are[ {values}| others than Ray's][; Ray draws {ray_values}]"},

    {ErrorCode::experiment_not_found, "there is no experiment[ \"{experiment}\"]",
     "`trialdeckctl ls` lists those there are"},
    {ErrorCode::trial_not_found, "there is no trial[ {trial}]", "`trialdeckctl show` lists those there are"},
    {ErrorCode::wrong_state,
     "[{command}|that] is not possible[ for trial {trial}] in the state[ {state}| it is in]",
     "`trialdeckctl show` tells the state"},
    {ErrorCode::experiment_missing, "the experiment's folder[ {path}] is not there",
     "mount it or bring it back"},
    {ErrorCode::experiment_held,
     "another daemon works on the experiment[: process {pid} on {host}][, since {since}]",
     "use it there, or shut it down"},
    {ErrorCode::journal_damaged,
     "the experiment's journal is damaged[: {path}][, line {line}][, byte {offset}][: {reason}]"},
    {ErrorCode::journal_version,
     "the experiment was written by a newer version of Trialdeck[: {path} has version {version}]",
     "update this one"},
    {ErrorCode::no_checkpoint, "there is no checkpoint yet", "wait for one, or use --now"},
    {ErrorCode::bad_configuration, "the experiment's set-up cannot be read any more[: trial {trial}]",
     "look at its experiment.yaml and journal"},
    {ErrorCode::search_space_exhausted, "every configuration of the search space has been tried[: {trials}]"},

    {ErrorCode::report_not_json, "a report was not valid JSON and was passed over[: {line}]"},
    {ErrorCode::report_not_object, "a report was not a map of metrics and was passed over[: {line}]"},
    {ErrorCode::report_too_large,
     "a report was too long and was passed over[: {bytes} bytes][, at most {limit}]"},
    {ErrorCode::report_too_deep, "a report was nested too deeply and was passed over[: {line}]"},
    {ErrorCode::report_bad_utf8, "a report was not UTF-8 and was passed over[: {line}]"},
    {ErrorCode::report_odd_number, "a report wrote a number as[ {word}| a word]; it was taken as such"},
    {ErrorCode::report_odd_iteration, "a report's training_iteration[ {value}] is no whole number"},
    {ErrorCode::report_repeated_iteration,
     "training_iteration[ {iteration}] was reported again; the report is kept and not counted"},
    {ErrorCode::report_metric_missing, "the metric[ {metric}] is not in the reports[; they have {found}]"},
    {ErrorCode::report_non_finite, "[{metric}|the metric] is not a finite number[: {value}]"},
    {ErrorCode::report_superseded, "a report of an older attempt came late; it is kept and not counted"},
    {ErrorCode::checkpoint_missing,
     "the checkpoint[ {name}][ {checkpoint}] that was reported is not there[: {path}]"},
    {ErrorCode::checkpoint_bad_name,
     "[\"{name}\"|this] cannot be a checkpoint: it must be a folder in TRIALDECK_CHECKPOINT_DIR[: {reason}]"},
    {ErrorCode::checkpoint_unreadable, "the checkpoint[ {name}] could not be read[: {path}][: {reason}]"},
    {ErrorCode::checkpoint_damaged,
     "[{checkpoint}|a checkpoint] is damaged[: {path}][: {damage}]; the one before it is taken"},
    {ErrorCode::checkpoint_fruitless,
     "the program ended[ {times} times] before its first report after it went on from "
     "[{checkpoint}|a checkpoint]; the one before it is taken"},
    {ErrorCode::no_report,
     "[the program reported nothing for {seconds} s|the program ended without a report]",
     "append reports to $TRIALDECK_REPORT, or give trial.report.stdout"},
    {ErrorCode::no_output_yet,
     "there is no output yet[ of trial {trial}]; the program may be holding it back",
     "try stdbuf -oL, -u or flush, or report.terminal: true"},
    {ErrorCode::wants_more_than_node, "the trial asks for more than the node has, so it runs alone"},

    {ErrorCode::worker_exit, "the program ended with[ exit code {exit_code}| an error]",
     "`trialdeckctl logs --stderr` shows what it printed"},
    {ErrorCode::worker_signal, "the program was ended by[ signal {signal}| a signal]",
     "`trialdeckctl logs --stderr` shows what it printed"},
    {ErrorCode::worker_out_of_memory, "the program ran out of memory",
     "run fewer trials at a time, or ask for more memory a worker"},
    {ErrorCode::worker_lost, "the worker was lost: nobody saw its end"},
    {ErrorCode::worker_killed_unknown, "the program was killed[ by signal {signal}]; why is not known, lack "
                                       "of memory is likely when nobody killed it"},
});

/// What is wrong with a journal.
std::string_view journalPhrase(FindingReason reason) {
    switch (reason) {
    case FindingReason::torn_tail:
        return "its last record is incomplete; the head may have died while writing it";
    case FindingReason::ignored_bytes:
        return "one of its files goes on behind its end; what stands there does not count";
    case FindingReason::bad_line:
        return "a line of it is no record";
    case FindingReason::hash_differs:
        return "one of its files was changed after it had been completed";
    case FindingReason::short_segment:
        return "one of its files is shorter than it was";
    case FindingReason::missing_segment:
        return "one of its files is missing; bring it back from a copy";
    case FindingReason::bad_header:
        return "the first line of one of its files cannot be read";
    case FindingReason::unchained_segment:
        return "one of its files does not belong to the others";
    case FindingReason::no_segment:
        return "none of its files can be read; bring the experiment's folder back from a copy";
    default:
        return {};
    }
}

std::string_view phraseOf(FindingReason reason) {
    switch (reason) {
    case FindingReason::empty:
        return "it is empty";
    case FindingReason::too_long:
        return "it is too long";
    case FindingReason::leading_point:
        return "it begins with a point";
    case FindingReason::blank_at_end:
        return "it begins or ends with a blank";
    case FindingReason::slash:
        return "it contains a slash";
    case FindingReason::braces:
        return "it contains braces";
    case FindingReason::control_character:
        return "it contains a control character";
    case FindingReason::not_a_variable:
        return "a variable's name has at least one character and no equals sign";
    case FindingReason::unreadable:
        return "the parser says: {parser}";
    case FindingReason::tag:
        return "tags such as {tag} mean nothing here";
    case FindingReason::self_reference:
        return "an alias stands inside its own anchor";
    case FindingReason::unknown_anchor:
        return "the alias refers to an anchor that is not there";
    case FindingReason::key_not_text:
        return "a key must be text";
    case FindingReason::merge_not_map:
        return "behind << a map or a list of maps is wanted";
    case FindingReason::bare_braces:
        return "write text with braces in quotes";
    case FindingReason::tab_in_indentation:
        return "the line is indented with a tab; use blanks";
    case FindingReason::unfinished_map:
        return "the map that begins further up does not go on like this; check indentation, commas and "
               "braces";
    case FindingReason::unfinished_list:
        return "the list that begins further up does not go on like this; check indentation, commas and "
               "brackets";
    case FindingReason::misplaced_value:
        return "no key, value or list item can stand here; check the indentation";
    case FindingReason::zero_byte:
        return "it contains a zero byte";
    case FindingReason::not_in_space:
        return "the search space does not contain it";
    case FindingReason::written_as_call:
        return "distributions are written as a map here, not as a call";
    case FindingReason::unknown:
        return "there is no distribution of this name";
    case FindingReason::no_metric:
        return "no metric is named";
    case FindingReason::fifo:
        return "the scheduler fifo does not use it";
    case FindingReason::no_named_group:
        return "it has no named group such as (?<loss>...)";
    case FindingReason::group_twice:
        return "two groups have the same name";
    case FindingReason::not_a_folder:
        return "{folder} is not a folder";
    case FindingReason::no_permission:
        return "nothing may be written in {folder}";
    case FindingReason::read_only:
        return "the disk of {folder} is read-only";
    case FindingReason::no_space:
        return "there is no space left on the disk of {folder}";
    default:
        return journalPhrase(reason);
    }
}

std::string_view phraseOf(ValueKind kind) {
    switch (kind) {
    case ValueKind::null:
        return "nothing";
    case ValueKind::boolean:
        return "true or false";
    case ValueKind::integer:
    case ValueKind::whole_number:
        return "a whole number";
    case ValueKind::number:
        return "a number";
    case ValueKind::quantity:
        return "a size such as 1GiB";
    case ValueKind::text:
        return "text";
    case ValueKind::bytes:
        return "bytes";
    case ValueKind::list:
        return "a list";
    case ValueKind::map:
        return "a map";
    }
    return {};
}

/// The next placeholder of the text from `at` on; nothing behind the last one.
struct Placeholder {
    size_t begin = 0;
    size_t end = 0;
    std::string_view name;
    /// {?name}
    bool isCondition = false;
};
std::optional<Placeholder> nextPlaceholder(std::string_view text, size_t at) {
    for (size_t open = text.find('{', at); open != std::string_view::npos; open = text.find('{', open + 1)) {
        const bool isCondition = text.substr(open + 1, 1) == "?";
        const size_t first = open + (isCondition ? 2 : 1);
        const size_t close = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", first);
        if (close != std::string_view::npos && close > first && text[close] == '}')
            return Placeholder{open, close + 1, text.substr(first, close - first), isCondition};
    }
    return std::nullopt;
}

/// The text with its placeholders filled; nothing where an argument is missing or empty.
std::optional<std::string> filled(std::string_view text, const base::ErrorArguments& arguments) {
    std::string result;
    size_t done = 0;
    while (const auto place = nextPlaceholder(text, done)) {
        const auto argument = arguments.find(place->name);
        if (argument == arguments.end() || argument->second.empty())
            return std::nullopt;
        result += text.substr(done, place->begin - done);
        if (!place->isCondition)
            result += argument->second;
        done = place->end;
    }
    return result += text.substr(done);
}

std::string firstThatFills(std::string_view alternatives, const base::ErrorArguments& arguments) {
    for (;;) {
        const size_t bar = std::min(alternatives.find('|'), alternatives.size());
        if (auto text = filled(alternatives.substr(0, bar), arguments))
            return std::move(*text);
        if (bar == alternatives.size())
            return {};
        alternatives.remove_prefix(bar + 1);
    }
}

std::string rangeOf(const base::ErrorArguments& arguments) {
    return firstThatFills("it must be between {min} and {max}|it must be at least {min}|"
                          "it must be at most {max}|it must be above {above}",
                          arguments);
}

/// The arguments as a person reads them: words that the head has for what is wrong and for kinds of values in
/// English, everything else harmless and short.
base::ErrorArguments spoken(const base::ErrorArguments& arguments) {
    constexpr size_t kLongestShown = 200;
    // What a program printed ends with the reason and the path of its log.
    constexpr size_t kLongestPrinted = 2000;
    base::ErrorArguments words;
    for (const auto& [name, value] : arguments) {
        const size_t longest = name == "printed" || name == "output" ? kLongestPrinted : kLongestShown;
        std::string& word = words[name] = visibleText(base::truncateUtf8(value, longest));
        if (value.size() > longest)
            word += "…";
    }
    if (const auto reason = words.find("reason"); reason != words.end()) {
        const auto known = protocol::findingReasonFromString(reason->second);
        if (known)
            reason->second = filled(phraseOf(*known), words).value_or(spacedText(reason->second));
        else if (reason->second.find(' ') == std::string::npos)
            reason->second = spacedText(reason->second);
    }
    for (const char* name : {"expected", "found"}) {
        const auto kind = words.find(name);
        const auto known = kind == words.end() ? std::nullopt : protocol::valueKindFromString(kind->second);
        if (known)
            kind->second = phraseOf(*known);
    }
    words["range"] = rangeOf(words);
    return words;
}

const Sentence& sentenceFor(ErrorCode code) {
    const auto* known = std::find_if(kSentences.begin(), kSentences.end(),
                                     [code](const Sentence& sentence) { return sentence.code == code; });
    // A test proves that each code is there.
    return known == kSentences.end() ? kSentences.front() : *known;
}

std::string withWords(std::string_view rest, const base::ErrorArguments& words) {
    std::string text;
    while (!rest.empty()) {
        const size_t open = std::min(rest.find('['), rest.size());
        text += filled(rest.substr(0, open), words).value_or(std::string());
        if (open == rest.size())
            break;
        const size_t close = rest.find(']', open);
        text += firstThatFills(rest.substr(open + 1, close - open - 1), words);
        rest.remove_prefix(close + 1);
    }
    return text;
}

} // namespace

std::string sentenceOf(ErrorCode code, const base::ErrorArguments& arguments) {
    return withWords(sentenceFor(code).text, spoken(arguments));
}

std::string adviceOn(ErrorCode code, const base::ErrorArguments& arguments) {
    return withWords(sentenceFor(code).advice, spoken(arguments));
}

} // namespace trialdeck::ctl
