// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace trialdeck::trainer::nn {

/// One fully connected layer over a batch.
struct LinearShape {
    size_t rows = 0;
    size_t inputs = 0;
    size_t outputs = 0;
};

/// Which units of a layer are dropped: a pure function of the keys, the sample's position in the epoch and
/// the unit, so that neither the number of workers nor the batch size changes the masks, and none are stored.
struct DropoutMask {
    /// 0 keeps everything; below 1.
    float probability = 0;
    uint32_t keys[2] = {0, 0};
    /// Position in the epoch of the batch's first row.
    uint64_t firstPosition = 0;
};

struct LossSum {
    /// Sum of the rows' losses in nats; divide by the rows for the mean.
    double loss = 0;
    /// Rows whose largest logit is the label's.
    uint64_t correct = 0;
};

/// The arithmetic of the network, compiled once for each level of instruction set. All matrices are float32,
/// row-major and packed; none may overlap except where said. Results are the same bits again when the vectors
/// lie at the same offsets from multiples of memory::kAlignment. Stateless but for the number of threads.
struct Kernels {
    /// The level as GCC and the x86-64 psABI name it.
    const char* name;

    /// Threads that one matrix product may use from now on.
    void (*setThreads)(int count);

    /// output [rows, outputs] = input [rows, inputs] · weightᵀ + bias; weight [outputs, inputs], bias
    /// [outputs].
    void (*linear)(LinearShape shape, const float* input, const float* weight, const float* bias,
                   float* output);

    /// weightGradient [outputs, inputs] = gradientᵀ · input and biasGradient [outputs] = column sums of
    /// gradient [rows, outputs].
    void (*linearGradient)(LinearShape shape, const float* input, const float* gradient,
                           float* weightGradient, float* biasGradient);

    /// inputGradient [rows, inputs] = gradient [rows, outputs] · weight [outputs, inputs].
    void (*linearInputGradient)(LinearShape shape, const float* gradient, const float* weight,
                                float* inputGradient);

    /// In place over [rows, width]: max(0, x), then each unit is dropped with the mask's probability and the
    /// kept ones are divided by 1 - probability. NaN stays NaN. Source: Srivastava et al. 2014.
    void (*reluDropout)(float* values, size_t rows, size_t width, const DropoutMask& mask);

    /// In place over gradient [count]: 0 where the activation (after reluDropout) is 0, else divided by
    /// 1 - probability.
    void (*reluDropoutGradient)(float* gradient, const float* activation, size_t count, float probability);

    /// Softmax cross-entropy of logits [rows, classes] against labels [rows] in 0..classes-1.
    /// gradient [rows, classes] = (softmax - one-hot) * scale; null where only the sums are wanted.
    LossSum (*crossEntropy)(const float* logits, const uint8_t* labels, size_t rows, size_t classes,
                            float scale, float* gradient);

    /// velocity = momentum * velocity + gradient; parameters -= learningRate * velocity; all [count].
    /// PyTorch's rule (torch.optim.SGD without dampening, Nesterov or weight decay): the learning rate is
    /// outside of the velocity, unlike in Sutskever et al. 2013.
    void (*sgdStep)(float* parameters, float* velocity, const float* gradient, size_t count,
                    float learningRate, float momentum);
};

/// The levels that this processor can run, slowest first. The first one runs on every x86-64; on other
/// processors it is the only one.
[[nodiscard]] std::span<const Kernels* const> supportedKernels();

} // namespace trialdeck::trainer::nn
