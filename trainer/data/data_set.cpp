// SPDX-License-Identifier: Apache-2.0
#include "trainer/data/data_set.h"

#include <algorithm>

namespace trialdeck::trainer::data {

namespace {

/// The file as it is, else with .gz; the second where neither exists, so that the error names the usual one.
std::filesystem::path fileOf(const std::filesystem::path& folder, const std::string& name) {
    std::error_code ignored;
    std::filesystem::path plain = folder / name;
    if (std::filesystem::exists(plain, ignored))
        return plain;
    return folder / (name + ".gz");
}

Expected<Split> loadSplit(const std::filesystem::path& folder, const std::string& prefix) {
    const auto imagesPath = fileOf(folder, prefix + "-images-idx3-ubyte");
    const auto labelsPath = fileOf(folder, prefix + "-labels-idx1-ubyte");
    auto images = readImages(imagesPath);
    if (!images)
        return tl::make_unexpected(std::move(images).error());
    auto labels = readLabels(labelsPath);
    if (!labels)
        return tl::make_unexpected(std::move(labels).error());
    if (images->count != labels->size()) {
        const std::string reason = "has " + std::to_string(labels->size()) + " labels for the " +
                                   std::to_string(images->count) + " images of " + imagesPath.string();
        return base::fail(ErrorCode::file_io, {{"path", labelsPath.string()}, {"reason", reason}},
                          labelsPath.string() + " " + reason);
    }
    return Split{*std::move(images), *std::move(labels)};
}

} // namespace

Expected<DataSet> loadDataSet(const std::filesystem::path& folder) {
    auto train = loadSplit(folder, "train");
    if (!train)
        return tl::make_unexpected(std::move(train).error());
    auto test = loadSplit(folder, "t10k");
    if (!test)
        return tl::make_unexpected(std::move(test).error());

    DataSet set{*std::move(train), *std::move(test), 0};
    set.classes = size_t{*std::max_element(set.train.labels.begin(), set.train.labels.end())} + 1;
    const auto mismatch = [&folder](const std::string& reason) {
        return base::fail(ErrorCode::file_io, {{"path", folder.string()}, {"reason", reason}},
                          folder.string() + " " + reason);
    };
    if (set.test.images.rows != set.train.images.rows || set.test.images.columns != set.train.images.columns)
        return mismatch("has training and test images of different sizes");
    if (*std::max_element(set.test.labels.begin(), set.test.labels.end()) >= set.classes)
        return mismatch("has test labels of a class that no training image has");
    return set;
}

void gather(const Split& split, std::span<const uint32_t> rows, float* inputs, uint8_t* labels) {
    constexpr float kScale = 1.0F / (255.0F * kPixelDeviation);
    constexpr float kOffset = -kPixelMean / kPixelDeviation;
    const size_t width = split.images.pixelsPerImage();
    for (size_t row = 0; row < rows.size(); ++row) {
        const uint8_t* source = split.images.pixels.data() + size_t{rows[row]} * width;
        float* target = inputs + row * width;
        for (size_t i = 0; i < width; ++i)
            target[i] = static_cast<float>(source[i]) * kScale + kOffset;
        labels[row] = split.labels[rows[row]];
    }
}

} // namespace trialdeck::trainer::data
