// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/data/data_set.h"

#include <filesystem>
#include <string>

namespace trialdeck::tests {

/// Images of 6 × 6 pixels in 4 classes that a small network learns in a few epochs: a pattern for each class
/// with noise over it. Always the same.
[[nodiscard]] trainer::data::DataSet smallDataSet(size_t trainCount, size_t testCount);

/// The same in four plain idx files.
void writeDataSet(const trainer::data::DataSet& set, const std::filesystem::path& folder);

/// The bytes of an idx file.
[[nodiscard]] std::string idxImages(const trainer::data::Images& images);
[[nodiscard]] std::string idxLabels(const std::vector<uint8_t>& labels);

void writeBytes(const std::filesystem::path& path, const std::string& bytes);
void writeGzip(const std::filesystem::path& path, const std::string& bytes);
[[nodiscard]] std::string readBytes(const std::filesystem::path& path);

} // namespace trialdeck::tests
