// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "trainer/checkpoint/checkpoint.h"
#include "trainer/collective/collective.h"
#include "trainer/data/data_set.h"
#include "trainer/nn/network.h"

#include <atomic>
#include <functional>
#include <optional>

namespace trialdeck::trainer::train_loop {

/// What the command line chooses. Equal on all ranks.
struct Hyperparameters {
    double learningRate = 1e-3;
    double momentum = 0.9;
    /// Samples a step, over all workers together.
    size_t batch = 32;
    /// In all, counting those before a resume.
    uint64_t epochs = 10;
    std::vector<size_t> hidden = {512, 512};
    /// Chance of a hidden unit to be dropped.
    double dropout = 0.25;
    uint64_t seed = 1;
};

/// One epoch's result, the same on every rank.
struct EpochResult {
    /// From 1.
    uint64_t epoch = 0;
    /// Mean cross-entropy over the test images in nats, without dropout.
    double loss = 0;
    /// Share of the test images that are classified rightly.
    double accuracy = 0;
    /// Mean cross-entropy over the training images in nats, with dropout, while the weights moved.
    double trainLoss = 0;
    /// Training and evaluation.
    double seconds = 0;
};

/// Is told on every rank when an epoch has ended. Implemented by whoever reports.
class EpochListener {
public:
    virtual ~EpochListener() = default;
    /// @param state  writes down the training state; costs a copy
    /// @return an error ends the training.
    virtual Expected<void> epochDone(const EpochResult& result,
                                     const std::function<checkpoint::Checkpoint()>& state) = 0;
};

enum class Outcome { done, stopped };

/// Data-parallel training: each rank computes the gradient of its part of every global batch, all-reduce adds
/// them up, and each rank makes the same step. Nothing random depends on the number of ranks, so training
/// with any number gives the same result but for rounding. Lives for one training; one thread.
class TrainLoop {
public:
    /// All references outlive the loop.
    /// @param stop  when it becomes true on any rank, all ranks stop after the same batch
    TrainLoop(Hyperparameters hyperparameters, const data::DataSet& dataSet, const nn::Kernels& kernels,
              collective::Collective& collective, const base::Clock& clock, EpochListener& listener,
              const std::atomic<bool>& stop);

    /// @param start  on rank 0: where to go on; ignored on other ranks, which get rank 0's state
    /// @return checkpoint_unreadable where it is of a network with other layers; the collective's and the
    /// listener's errors.
    Expected<Outcome> run(std::optional<checkpoint::Checkpoint> start);

private:
    Expected<void> takeStart(std::optional<checkpoint::Checkpoint> start);
    Expected<void> shareState();
    Expected<Outcome> trainEpoch();
    /// One batch of the epoch's order, which begins at this position.
    Expected<Outcome> step(std::span<const uint32_t> batch, size_t position);
    /// Sums over all ranks.
    struct Sums {
        double trainLoss = 0;
        double testLoss = 0;
        double correct = 0;
    };
    Expected<Sums> evaluate();
    void gather(const data::Split& split, std::span<const uint32_t> rows);
    [[nodiscard]] checkpoint::Checkpoint state() const;

    Hyperparameters m_hyperparameters;
    const data::DataSet& m_dataSet;
    collective::Collective& m_collective;
    const base::Clock& m_clock;
    EpochListener& m_listener;
    const std::atomic<bool>& m_stop;

    const nn::Kernels& m_kernels;
    nn::Network m_network;
    /// Epochs done.
    uint64_t m_epoch = 0;
    memory::AlignedVector<float> m_parameters;
    memory::AlignedVector<float> m_velocity;
    /// The gradients and, as last element, how many ranks want to stop.
    std::span<float> m_exchanged;
    /// The rank's part of a batch.
    memory::AlignedVector<float> m_inputs;
    std::vector<uint8_t> m_labels;
    /// Sum over this rank's samples since the epoch began, in nats.
    double m_trainLossSum = 0;
};

} // namespace trialdeck::trainer::train_loop
