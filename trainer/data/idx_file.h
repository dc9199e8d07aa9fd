// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace trialdeck::trainer::data {

/// Grey images, all of one size: pixels [count, rows, columns] row-major, 0 (black) to 255.
struct Images {
    size_t count = 0;
    size_t rows = 0;
    size_t columns = 0;
    std::vector<uint8_t> pixels;

    [[nodiscard]] size_t pixelsPerImage() const { return rows * columns; }
};

/// Reads a file of images in the idx format, plain or gzip.
/// @return file_not_found, file_permission or file_io (arguments path and reason) where the file cannot be
/// read, is no such file, is cut short, fails gzip's checksum or goes on behind its last image.
/// Source: the format's description by LeCun, Cortes and Burges beside the MNIST database.
[[nodiscard]] Expected<Images> readImages(const std::filesystem::path& path);

/// Reads a file of labels, one byte each, in the idx format; errors as for readImages.
[[nodiscard]] Expected<std::vector<uint8_t>> readLabels(const std::filesystem::path& path);

} // namespace trialdeck::trainer::data
