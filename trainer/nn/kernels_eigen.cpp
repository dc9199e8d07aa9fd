// SPDX-License-Identifier: Apache-2.0
// Compiled once for each instruction set level, with TRIALDECK_KERNELS_NAME as the name of its table and
// Eigen renamed to a namespace of its own (-DEigen=...): else the linker would merge Eigen's templates of all
// levels into one, and the baseline would execute instructions that its processor lacks. For the same reason
// nothing here may instantiate templates of the standard library; a test looks at the object file's symbols.
#include "trainer/nn/kernels.h"

#include <Eigen/Core>

namespace trialdeck::trainer::nn {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;
using Output = Eigen::Map<Matrix>;
using InputRow = Eigen::Map<const Eigen::RowVectorXf>;
using OutputRow = Eigen::Map<Eigen::RowVectorXf>;

Eigen::Index index(size_t value) {
    return static_cast<Eigen::Index>(value);
}

Input input(const float* data, size_t rows, size_t columns) {
    return {data, index(rows), index(columns)};
}

Output output(float* data, size_t rows, size_t columns) {
    return {data, index(rows), index(columns)};
}

void setThreads(int count) {
    Eigen::setNbThreads(count);
}

void linear(LinearShape shape, const float* x, const float* weight, const float* bias, float* y) {
    Output result = output(y, shape.rows, shape.outputs);
    result.noalias() =
        input(x, shape.rows, shape.inputs) * input(weight, shape.outputs, shape.inputs).transpose();
    result.rowwise() += InputRow(bias, index(shape.outputs));
}

void linearGradient(LinearShape shape, const float* x, const float* gradient, float* weightGradient,
                    float* biasGradient) {
    const Input g = input(gradient, shape.rows, shape.outputs);
    output(weightGradient, shape.outputs, shape.inputs).noalias() =
        g.transpose() * input(x, shape.rows, shape.inputs);
    OutputRow(biasGradient, index(shape.outputs)).noalias() = g.colwise().sum();
}

void linearInputGradient(LinearShape shape, const float* gradient, const float* weight,
                         float* inputGradient) {
    output(inputGradient, shape.rows, shape.inputs).noalias() =
        input(gradient, shape.rows, shape.outputs) * input(weight, shape.outputs, shape.inputs);
}

/// A bijective mixer of 32 bits in which each input bit flips each output bit with a chance close to one
/// half. Source: the constants found by Wellons' search ("lowbias32").
uint32_t mix(uint32_t x) {
    x ^= x >> 16U;
    x *= 0x7feb352dU;
    x ^= x >> 15U;
    x *= 0x846ca68bU;
    x ^= x >> 16U;
    return x;
}

void reluDropout(float* values, size_t rows, size_t width, const DropoutMask& mask) {
    if (mask.probability <= 0) {
        const size_t count = rows * width;
        for (size_t i = 0; i < count; ++i)
            values[i] = values[i] < 0 ? 0 : values[i];
        return;
    }
    const auto threshold = static_cast<uint32_t>(static_cast<double>(mask.probability) * 4294967296.0);
    const float scale = 1 / (1 - mask.probability);
    const uint32_t key0 = mask.keys[0];
    const uint32_t key1 = mask.keys[1];
    for (size_t row = 0; row < rows; ++row) {
        const auto first = static_cast<uint32_t>((mask.firstPosition + row) * width);
        float* line = values + row * width;
        const auto units = static_cast<uint32_t>(width);
        for (uint32_t i = 0; i < units; ++i) {
            const uint32_t draw = mix(mix((first + i) ^ key0) + key1);
            const float active = line[i] < 0 ? 0 : line[i];
            const float factor = draw < threshold ? 0 : scale;
            line[i] = active * factor;
        }
    }
}

void reluDropoutGradient(float* gradient, const float* activation, size_t count, float probability) {
    const float scale = 1 / (1 - probability);
    for (size_t i = 0; i < count; ++i)
        gradient[i] = activation[i] <= 0 ? 0 : gradient[i] * scale;
}

LossSum crossEntropy(const float* logits, const uint8_t* labels, size_t rows, size_t classes, float scale,
                     float* gradient) {
    LossSum sum;
    Eigen::RowVectorXf powers(index(classes));
    for (size_t row = 0; row < rows; ++row) {
        const InputRow z(logits + row * classes, index(classes));
        Eigen::Index largest = 0;
        const float peak = z.maxCoeff(&largest);
        powers = (z.array() - peak).exp().matrix();
        const float total = powers.sum();
        const size_t label = labels[row];
        sum.loss += static_cast<double>(Eigen::numext::log(total) - (z[index(label)] - peak));
        sum.correct += static_cast<size_t>(largest) == label ? 1 : 0;
        if (gradient == nullptr)
            continue;
        OutputRow g(gradient + row * classes, index(classes));
        g = powers * (scale / total);
        g[index(label)] -= scale;
    }
    return sum;
}

void sgdStep(float* __restrict parameters, float* __restrict velocity, const float* __restrict gradient,
             size_t count, float learningRate, float momentum) {
    for (size_t i = 0; i < count; ++i) {
        velocity[i] = momentum * velocity[i] + gradient[i];
        parameters[i] -= learningRate * velocity[i];
    }
}

} // namespace

extern const Kernels TRIALDECK_KERNELS_NAME;
const Kernels TRIALDECK_KERNELS_NAME = {
    TRIALDECK_KERNELS_LEVEL, setThreads,   linear,  linearGradient, linearInputGradient, reluDropout,
    reluDropoutGradient,     crossEntropy, sgdStep,
};

} // namespace trialdeck::trainer::nn
