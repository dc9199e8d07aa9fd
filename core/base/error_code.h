// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace trialdeck::base {

/// Every reason that reaches a person. The name is the code on the wire and in logs; the window has one
/// sentence for each (a test proves it). The list is grouped by where the error arises.
// clang-format off
#define TRIALDECK_ERROR_CODES(X)                                                                                       \
    /* anywhere */                                                                                                     \
    X(internal) X(cancelled) X(timed_out) X(unavailable)                                                               \
    /* files: path, reason */                                                                                          \
    X(file_not_found) X(file_exists) X(file_permission) X(file_io) X(disk_full) X(not_a_directory) X(read_only_storage)\
    X(no_lock_support) X(connections_set_aside)                                                                        \
    /* text and encodings: offset, reason */                                                                           \
    X(bad_json) X(bad_utf8) X(too_deep) X(too_large) X(bad_cbor)                                                       \
    /* processes: command, reason */                                                                                   \
    X(command_not_found) X(command_not_executable) X(spawn_failed) X(working_directory_missing)                        \
    /* protocol and line */                                                                                            \
    X(bad_frame) X(bad_message) X(unknown_method) X(missing_field) X(wrong_type) X(version_mismatch)                   \
    X(connection_lost) X(connection_refused) X(head_did_not_answer) X(head_binary_missing) X(command_unknown_outcome)  \
    X(head_replaced) X(head_shut_down)                                                                                 \
    /* the way over SSH: host, reason */                                                                               \
    X(ssh_missing) X(ssh_configuration) X(host_not_found) X(host_unreachable) X(host_refused) X(not_an_ssh_server)     \
    X(no_common_algorithm) X(host_key_changed) X(host_key_revoked) X(host_key_refused) X(login_refused)                \
    X(too_many_logins) X(key_unusable) X(too_many_sessions) X(shell_blocked) X(account_closed)                         \
    X(unsupported_system) X(no_place_for_head) X(head_does_not_run) X(upload_damaged) X(sync_failed)                   \
    X(daemon_elsewhere) X(ends_at_logout) X(clock_differs)                                                             \
    /* around it: host, port */                                                                                        \
    X(forwarding_refused) X(port_not_listening) X(port_taken) X(tensorboard_missing) X(jupyter_missing)                \
    X(service_did_not_start) X(service_ended)                                                                          \
    /* experiment.yaml */                                                                                              \
    X(yaml_syntax) X(yaml_not_a_map) X(yaml_duplicate_key) X(yaml_alias_conflict) X(yaml_template)                     \
    X(unknown_key) X(missing_key) X(wrong_value_type) X(value_out_of_range) X(unknown_value) X(not_available_yet)      \
    X(no_effect) X(unknown_placeholder) X(unclosed_placeholder) X(unused_parameter) X(empty_command)                   \
    X(bad_name) X(bad_distribution) X(bounds_reversed) X(bounds_not_positive) X(bounds_equal) X(bounds_not_finite)     \
    X(bounds_count) X(not_whole_number) X(step_does_not_fit) X(step_not_positive) X(step_too_wide) X(integer_too_large)\
    X(empty_range) X(empty_choice) X(duplicate_choice) X(grid_needs_finite_space) X(grid_too_large)                    \
    X(number_as_text) X(range_excludes_end) X(step_values) X(yaml_text_number) X(metric_required) X(bad_pattern)       \
    X(stop_on_minimised_metric) X(resources_exceed_node) X(storage_not_writable) X(experiment_name_taken)              \
    X(nothing_stops_trials) X(seed_parameter_wins) X(yaml_unclosed_quote) X(yaml_several_documents)                    \
    X(differs_from_ray)                                                                                                \
    /* experiments and trials */                                                                                       \
    X(experiment_not_found) X(trial_not_found) X(wrong_state) X(experiment_missing) X(experiment_held)                 \
    X(journal_damaged) X(journal_version) X(no_checkpoint) X(bad_configuration)                                        \
    X(search_space_exhausted)                                                                                          \
    /* reports and checkpoints of a trial */                                                                           \
    X(report_not_json) X(report_not_object) X(report_too_large) X(report_too_deep) X(report_bad_utf8)                  \
    X(report_odd_number) X(report_odd_iteration) X(report_repeated_iteration) X(report_metric_missing)                 \
    X(report_non_finite) X(report_superseded)                                                                          \
    X(checkpoint_missing) X(checkpoint_bad_name) X(checkpoint_unreadable) X(checkpoint_damaged)                        \
    X(checkpoint_fruitless) X(no_report) X(no_output_yet) X(wants_more_than_node)                                      \
    /* how a worker ended */                                                                                           \
    X(worker_exit) X(worker_signal) X(worker_out_of_memory) X(worker_lost) X(worker_killed_unknown)
// clang-format on

enum class ErrorCode {
#define TRIALDECK_ENUM(name) name,
    TRIALDECK_ERROR_CODES(TRIALDECK_ENUM)
#undef TRIALDECK_ENUM
};

[[nodiscard]] std::string_view nameOf(ErrorCode code);
[[nodiscard]] std::optional<ErrorCode> errorCodeFromString(std::string_view name);

} // namespace trialdeck::base
