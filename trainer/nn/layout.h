// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trialdeck::trainer::nn {

/// Where one fully connected layer's parameters lie in the network's flat vector (in floats).
struct LayerSlot {
    size_t inputs = 0;
    size_t outputs = 0;
    /// weight [outputs, inputs] row-major
    size_t weight = 0;
    /// bias [outputs]
    size_t bias = 0;
};

/// The shape of a multi-layer perceptron. All parameters are one vector, so that all-reduce, update and
/// checkpoint each walk it once.
class Layout {
public:
    /// @param inputs, classes  at least 1
    /// @param hidden           units of each hidden layer, each at least 1; none: a linear classifier
    Layout(size_t inputs, const std::vector<size_t>& hidden, size_t classes);

    [[nodiscard]] const std::vector<LayerSlot>& layers() const { return m_layers; }
    [[nodiscard]] size_t parameterCount() const { return m_parameterCount; }
    [[nodiscard]] size_t inputs() const { return m_layers.front().inputs; }
    [[nodiscard]] size_t classes() const { return m_layers.back().outputs; }
    /// Inputs, hidden layers and classes: {784, 512, 512, 10}.
    [[nodiscard]] std::vector<size_t> widths() const;

private:
    std::vector<LayerSlot> m_layers;
    size_t m_parameterCount = 0;
};

/// Weights and biases uniform in ±1/√inputs of their layer, as PyTorch's nn.Linear starts
/// (kaiming_uniform with a = √5: its gain √(2 / (1 + a²)) times √(3 / inputs)).
/// Depends on (seed, layer) alone.
[[nodiscard]] std::vector<float> initialParameters(const Layout& layout, uint64_t seed);

} // namespace trialdeck::trainer::nn
