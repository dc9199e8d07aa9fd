// SPDX-License-Identifier: Apache-2.0
#include "trainer/nn/layout.h"

#include "core/base/rng.h"

#include <cmath>

namespace trialdeck::trainer::nn {

Layout::Layout(size_t inputs, const std::vector<size_t>& hidden, size_t classes) {
    std::vector<size_t> outputs = hidden;
    outputs.push_back(classes);
    for (const size_t width : outputs) {
        const size_t weight = m_parameterCount;
        const size_t bias = weight + width * inputs;
        m_layers.push_back({inputs, width, weight, bias});
        m_parameterCount = bias + width;
        inputs = width;
    }
}

std::vector<size_t> Layout::widths() const {
    std::vector<size_t> all{inputs()};
    for (const LayerSlot& layer : m_layers)
        all.push_back(layer.outputs);
    return all;
}

std::vector<float> initialParameters(const Layout& layout, uint64_t seed) {
    std::vector<float> parameters(layout.parameterCount());
    for (size_t i = 0; i < layout.layers().size(); ++i) {
        const LayerSlot& layer = layout.layers()[i];
        const double bound = 1 / std::sqrt(static_cast<double>(layer.inputs));
        base::Rng rng(seed, i, "linear layer");
        // Weight and bias are neighbours in the vector.
        for (size_t at = layer.weight; at < layer.bias + layer.outputs; ++at)
            parameters[at] = static_cast<float>(rng.uniform(-bound, bound));
    }
    return parameters;
}

} // namespace trialdeck::trainer::nn
