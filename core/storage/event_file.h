// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// TensorBoard's event files: records framed as TFRecord (length, masked CRC-32C of it, bytes, masked CRC-32C
/// of them), each one protocol buffer tensorflow.Event, encoded by hand.
/// Source: tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto, framework/summary.proto.
namespace trialdeck::storage {

/// "events.out.tfevents.1796055095.node-a"; characters of the host that do not belong in a name become "_".
[[nodiscard]] std::string eventFileName(int64_t seconds, std::string_view host);

/// The first record of each file. @param wallTime  seconds since 1970
void appendEventVersion(std::string& out, double wallTime);

/// Says that the run starts again at `step`: TensorBoard then drops what it has from there on.
void appendSessionStart(std::string& out, double wallTime, int64_t step);

/// One scalar's bytes in a summary, up to the four of its value: the same for each point of a tag.
[[nodiscard]] std::string scalarPrefix(std::string_view tag);
void appendScalar(std::string& summary, std::string_view prefix, float value);

/// One event with scalars put together by appendScalar.
void appendSummary(std::string& out, double wallTime, int64_t step, std::string_view summary);

} // namespace trialdeck::storage
