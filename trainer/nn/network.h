// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/memory/aligned_vector.h"
#include "trainer/nn/kernels.h"
#include "trainer/nn/layout.h"

#include <span>
#include <vector>

namespace trialdeck::trainer::nn {

/// Dropout behind every hidden layer.
struct Dropout {
    /// Chance of a unit to be dropped, in [0, 1).
    float probability = 0;
    uint64_t seed = 0;
    uint64_t epoch = 0;
    /// Position in the epoch of the batch's first row.
    uint64_t firstPosition = 0;
};

/// Runs batches through a multi-layer perceptron with ReLU: linear layers, behind each hidden one ReLU and
/// dropout, softmax cross-entropy at the end. Owns the activations only; parameters and gradients are the
/// caller's flat vectors as Layout says. One thread at a time.
class Network {
public:
    Network(Layout layout, const Kernels& kernels);

    /// Forward and backward.
    /// @param inputs         [labels.size(), inputs] row-major float32
    /// @param labels         each in 0..classes-1; may be empty: all gradients are 0 then
    /// @param gradientScale  1 / rows of the global batch makes the workers' sum the gradient of its mean
    /// loss
    /// @param gradients      [parameterCount], overwritten
    LossSum train(std::span<const float> parameters, std::span<const float> inputs,
                  std::span<const uint8_t> labels, const Dropout& dropout, float gradientScale,
                  std::span<float> gradients);

    /// Forward only, without dropout.
    LossSum evaluate(std::span<const float> parameters, std::span<const float> inputs,
                     std::span<const uint8_t> labels);

    [[nodiscard]] const Layout& layout() const { return m_layout; }

private:
    /// Leaves each layer's output in m_outputs.
    void forward(std::span<const float> parameters, const float* inputs, size_t rows, const Dropout& dropout);

    Layout m_layout;
    const Kernels& m_kernels;
    /// For each layer [rows, outputs]: activations, for the last one logits.
    std::vector<memory::AlignedVector<float>> m_outputs;
    /// The gradient by the current layer's output and by the one before.
    memory::AlignedVector<float> m_gradient;
    memory::AlignedVector<float> m_previousGradient;
};

} // namespace trialdeck::trainer::nn
