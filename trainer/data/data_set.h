// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/data/idx_file.h"

#include <span>

namespace trialdeck::trainer::data {

/// Mean and standard deviation of all pixels of Fashion-MNIST's training images, each divided by 255.
inline constexpr float kPixelMean = 0.28604F;
inline constexpr float kPixelDeviation = 0.32025F;

struct Split {
    Images images;
    /// One class number an image.
    std::vector<uint8_t> labels;

    [[nodiscard]] size_t count() const { return labels.size(); }
};

/// Fashion-MNIST, or another set in the same four files: images stay bytes (47 MB) until a batch is gathered.
/// Immutable after loading; may be read from any thread.
struct DataSet {
    Split train;
    Split test;
    size_t classes = 0;

    [[nodiscard]] size_t inputs() const { return train.images.pixelsPerImage(); }
};

/// Reads train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte
/// from the folder, each with or without .gz.
/// @return what readImages says, or file_io where the four files do not belong together.
[[nodiscard]] Expected<DataSet> loadDataSet(const std::filesystem::path& folder);

/// Copies the chosen images, normalised to (pixel / 255 - mean) / deviation, and their labels.
/// @param rows    indices of images in the split
/// @param inputs  [rows, pixelsPerImage] row-major float32
/// @param labels  [rows]
void gather(const Split& split, std::span<const uint32_t> rows, float* inputs, uint8_t* labels);

} // namespace trialdeck::trainer::data
