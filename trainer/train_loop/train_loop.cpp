// SPDX-License-Identifier: Apache-2.0
#include "trainer/train_loop/train_loop.h"

#include "trainer/data/epoch_order.h"

#include <algorithm>
#include <numeric>

namespace trialdeck::trainer::train_loop {

namespace {

/// Test images that go through the network at once: enough to fill the matrix products, small enough for the
/// cache.
constexpr size_t kEvaluationRows = 256;

std::span<std::byte> bytesOf(memory::AlignedVector<float>& values) {
    return std::as_writable_bytes(std::span(values));
}

} // namespace

TrainLoop::TrainLoop(Hyperparameters hyperparameters, const data::DataSet& dataSet,
                     const nn::Kernels& kernels, collective::Collective& collective, const base::Clock& clock,
                     EpochListener& listener, const std::atomic<bool>& stop)
    : m_hyperparameters(std::move(hyperparameters)), m_dataSet(dataSet), m_collective(collective),
      m_clock(clock), m_listener(listener), m_stop(stop), m_kernels(kernels),
      m_network(nn::Layout(dataSet.inputs(), m_hyperparameters.hidden, dataSet.classes), kernels) {}

Expected<Outcome> TrainLoop::run(std::optional<checkpoint::Checkpoint> start) {
    if (m_collective.rank() == 0)
        TRIALDECK_TRY(takeStart(std::move(start)));
    TRIALDECK_TRY(shareState());
    auto exchanged = m_collective.allocate(m_parameters.size() + 1);
    if (!exchanged)
        return tl::make_unexpected(exchanged.error());
    m_exchanged = *exchanged;

    while (m_epoch < m_hyperparameters.epochs) {
        auto outcome = trainEpoch();
        if (!outcome || *outcome == Outcome::stopped)
            return outcome;
    }
    return Outcome::done;
}

Expected<void> TrainLoop::takeStart(std::optional<checkpoint::Checkpoint> start) {
    const nn::Layout& layout = m_network.layout();
    if (!start) {
        const std::vector<float> parameters = nn::initialParameters(layout, m_hyperparameters.seed);
        m_parameters.assign(parameters.begin(), parameters.end());
        m_velocity.assign(m_parameters.size(), 0.0F);
        return {};
    }
    const std::vector<size_t> widths = layout.widths();
    if (!std::equal(widths.begin(), widths.end(), start->widths.begin(), start->widths.end()))
        return base::fail(
            ErrorCode::checkpoint_unreadable, {},
            "the checkpoint is of a network with other layers than --hidden and the data ask for");
    m_parameters.assign(start->parameters.begin(), start->parameters.end());
    m_velocity.assign(start->velocity.begin(), start->velocity.end());
    m_epoch = start->epoch;
    return {};
}

Expected<void> TrainLoop::shareState() {
    const size_t count = m_network.layout().parameterCount();
    m_parameters.resize(count);
    m_velocity.resize(count);
    TRIALDECK_TRY(m_collective.broadcast(std::as_writable_bytes(std::span(&m_epoch, 1))));
    TRIALDECK_TRY(m_collective.broadcast(bytesOf(m_parameters)));
    return m_collective.broadcast(bytesOf(m_velocity));
}

Expected<Outcome> TrainLoop::trainEpoch() {
    const base::SteadyTime began = m_clock.steadyNow();
    const size_t count = m_dataSet.train.count();
    const std::vector<uint32_t> order = data::epochOrder(count, m_hyperparameters.seed, m_epoch);
    m_trainLossSum = 0;
    for (size_t position = 0; position < count; position += m_hyperparameters.batch) {
        const size_t rows = std::min(m_hyperparameters.batch, count - position);
        auto outcome = step(std::span(order).subspan(position, rows), position);
        if (!outcome || *outcome == Outcome::stopped)
            return outcome;
    }
    const auto sums = evaluate();
    if (!sums)
        return tl::make_unexpected(sums.error());
    ++m_epoch;
    const auto tests = static_cast<double>(m_dataSet.test.count());
    const EpochResult result{m_epoch, sums->testLoss / tests, sums->correct / tests,
                             sums->trainLoss / static_cast<double>(count),
                             std::chrono::duration<double>(m_clock.steadyNow() - began).count()};
    TRIALDECK_TRY(m_listener.epochDone(result, [this] { return state(); }));
    return Outcome::done;
}

Expected<Outcome> TrainLoop::step(std::span<const uint32_t> batch, size_t position) {
    const auto [begin, end] = data::sliceOf(batch.size(), static_cast<size_t>(m_collective.rank()),
                                            static_cast<size_t>(m_collective.size()));
    gather(m_dataSet.train, batch.subspan(begin, end - begin));
    const nn::Dropout dropout{static_cast<float>(m_hyperparameters.dropout), m_hyperparameters.seed, m_epoch,
                              position + begin};
    const std::span<float> gradients = m_exchanged.first(m_parameters.size());
    const nn::LossSum sum = m_network.train(m_parameters, m_inputs, m_labels, dropout,
                                            1.0F / static_cast<float>(batch.size()), gradients);
    m_trainLossSum += sum.loss;

    m_exchanged.back() = m_stop ? 1.0F : 0.0F;
    TRIALDECK_TRY(m_collective.allReduce(m_exchanged));
    if (m_exchanged.back() > 0)
        return Outcome::stopped;
    m_kernels.sgdStep(m_parameters.data(), m_velocity.data(), gradients.data(), m_parameters.size(),
                      static_cast<float>(m_hyperparameters.learningRate),
                      static_cast<float>(m_hyperparameters.momentum));
    return Outcome::done;
}

Expected<TrainLoop::Sums> TrainLoop::evaluate() {
    const data::Slice mine = data::sliceOf(m_dataSet.test.count(), static_cast<size_t>(m_collective.rank()),
                                           static_cast<size_t>(m_collective.size()));
    std::vector<uint32_t> rows(mine.size());
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(mine.begin));
    nn::LossSum total;
    for (size_t at = 0; at < rows.size(); at += kEvaluationRows) {
        gather(m_dataSet.test, std::span(rows).subspan(at, std::min(kEvaluationRows, rows.size() - at)));
        const nn::LossSum sum = m_network.evaluate(m_parameters, m_inputs, m_labels);
        total.loss += sum.loss;
        total.correct += sum.correct;
    }
    double sums[] = {m_trainLossSum, total.loss, static_cast<double>(total.correct)};
    TRIALDECK_TRY(m_collective.allReduce(std::span<double>(sums)));
    return Sums{sums[0], sums[1], sums[2]};
}

void TrainLoop::gather(const data::Split& split, std::span<const uint32_t> rows) {
    m_inputs.resize(rows.size() * split.images.pixelsPerImage());
    m_labels.resize(rows.size());
    data::gather(split, rows, m_inputs.data(), m_labels.data());
}

checkpoint::Checkpoint TrainLoop::state() const {
    const std::vector<size_t> widths = m_network.layout().widths();
    return {{widths.begin(), widths.end()},
            m_hyperparameters.seed,
            m_epoch,
            {m_parameters.begin(), m_parameters.end()},
            {m_velocity.begin(), m_velocity.end()}};
}

} // namespace trialdeck::trainer::train_loop
