// SPDX-License-Identifier: Apache-2.0
#include "trainer/nn/network.h"

#include "core/base/rng.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace trialdeck::trainer::nn {

namespace {

DropoutMask maskOf(const Dropout& dropout, size_t layer) {
    base::Rng rng(dropout.seed, dropout.epoch, "dropout " + std::to_string(layer));
    const uint64_t keys = rng();
    return {dropout.probability,
            {static_cast<uint32_t>(keys), static_cast<uint32_t>(keys >> 32U)},
            dropout.firstPosition};
}

} // namespace

Network::Network(Layout layout, const Kernels& kernels)
    : m_layout(std::move(layout)), m_kernels(kernels), m_outputs(m_layout.layers().size()) {}

void Network::forward(std::span<const float> parameters, const float* inputs, size_t rows,
                      const Dropout& dropout) {
    const auto& layers = m_layout.layers();
    for (size_t i = 0; i < layers.size(); ++i) {
        const LayerSlot& layer = layers[i];
        memory::AlignedVector<float>& output = m_outputs[i];
        if (output.size() < rows * layer.outputs)
            output.resize(rows * layer.outputs);
        m_kernels.linear({rows, layer.inputs, layer.outputs}, inputs, parameters.data() + layer.weight,
                         parameters.data() + layer.bias, output.data());
        if (i + 1 < layers.size())
            m_kernels.reluDropout(output.data(), rows, layer.outputs, maskOf(dropout, i));
        inputs = output.data();
    }
}

LossSum Network::train(std::span<const float> parameters, std::span<const float> inputs,
                       std::span<const uint8_t> labels, const Dropout& dropout, float gradientScale,
                       std::span<float> gradients) {
    assert(parameters.size() == m_layout.parameterCount() && gradients.size() == parameters.size());
    assert(inputs.size() == labels.size() * m_layout.inputs());
    const size_t rows = labels.size();
    if (rows == 0) {
        std::fill(gradients.begin(), gradients.end(), 0.0F);
        return {};
    }
    forward(parameters, inputs.data(), rows, dropout);

    const auto& layers = m_layout.layers();
    m_gradient.resize(rows * m_layout.classes());
    const LossSum sum = m_kernels.crossEntropy(m_outputs.back().data(), labels.data(), rows,
                                               m_layout.classes(), gradientScale, m_gradient.data());
    for (size_t i = layers.size(); i-- > 0;) {
        const LayerSlot& layer = layers[i];
        const LinearShape shape{rows, layer.inputs, layer.outputs};
        const float* layerInput = i == 0 ? inputs.data() : m_outputs[i - 1].data();
        m_kernels.linearGradient(shape, layerInput, m_gradient.data(), gradients.data() + layer.weight,
                                 gradients.data() + layer.bias);
        if (i == 0)
            break;
        m_previousGradient.resize(rows * layer.inputs);
        m_kernels.linearInputGradient(shape, m_gradient.data(), parameters.data() + layer.weight,
                                      m_previousGradient.data());
        m_kernels.reluDropoutGradient(m_previousGradient.data(), layerInput, m_previousGradient.size(),
                                      dropout.probability);
        std::swap(m_gradient, m_previousGradient);
    }
    return sum;
}

LossSum Network::evaluate(std::span<const float> parameters, std::span<const float> inputs,
                          std::span<const uint8_t> labels) {
    assert(parameters.size() == m_layout.parameterCount());
    assert(inputs.size() == labels.size() * m_layout.inputs());
    if (labels.empty())
        return {};
    forward(parameters, inputs.data(), labels.size(), Dropout{});
    return m_kernels.crossEntropy(m_outputs.back().data(), labels.data(), labels.size(), m_layout.classes(),
                                  0, nullptr);
}

} // namespace trialdeck::trainer::nn
