// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/trainer/support/small_data_set.h"

#include "core/base/rng.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <zlib.h>

namespace trialdeck::tests {

namespace {

using trainer::data::Images;
using trainer::data::Split;

constexpr size_t kSide = 6;
constexpr size_t kClasses = 4;

Split smallSplit(size_t count, const std::vector<int>& patterns, base::Rng& rng) {
    Split split{{count, kSide, kSide, {}}, {}};
    for (size_t i = 0; i < count; ++i) {
        const auto label = static_cast<uint8_t>(i % kClasses);
        split.labels.push_back(label);
        for (size_t pixel = 0; pixel < kSide * kSide; ++pixel) {
            const auto noise = static_cast<int>(rng.uniformInteger(-90, 90));
            const int value = patterns[label * kSide * kSide + pixel] + noise;
            split.images.pixels.push_back(static_cast<uint8_t>(std::clamp(value, 0, 255)));
        }
    }
    return split;
}

void putBigEndian(std::string& out, size_t value) {
    for (const int shift : {24, 16, 8, 0})
        out += static_cast<char>((value >> shift) & 0xFFU);
}

} // namespace

trainer::data::DataSet smallDataSet(size_t trainCount, size_t testCount) {
    base::Rng rng(7, 0, "small data set");
    std::vector<int> patterns;
    for (size_t i = 0; i < kClasses * kSide * kSide; ++i)
        patterns.push_back(static_cast<int>(rng.uniformInteger(0, 200)));
    Split train = smallSplit(trainCount, patterns, rng);
    Split test = smallSplit(testCount, patterns, rng);
    return {std::move(train), std::move(test), kClasses};
}

std::string idxImages(const Images& images) {
    std::string bytes;
    for (const size_t word : {size_t{0x803}, images.count, images.rows, images.columns})
        putBigEndian(bytes, word);
    return bytes.append(images.pixels.begin(), images.pixels.end());
}

std::string idxLabels(const std::vector<uint8_t>& labels) {
    std::string bytes;
    putBigEndian(bytes, 0x801);
    putBigEndian(bytes, labels.size());
    return bytes.append(labels.begin(), labels.end());
}

void writeDataSet(const trainer::data::DataSet& set, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    writeBytes(folder / "train-images-idx3-ubyte", idxImages(set.train.images));
    writeBytes(folder / "train-labels-idx1-ubyte", idxLabels(set.train.labels));
    writeBytes(folder / "t10k-images-idx3-ubyte", idxImages(set.test.images));
    writeBytes(folder / "t10k-labels-idx1-ubyte", idxLabels(set.test.labels));
}

void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

void writeGzip(const std::filesystem::path& path, const std::string& bytes) {
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
}

std::string readBytes(const std::filesystem::path& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

} // namespace trialdeck::tests
