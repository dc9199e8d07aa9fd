// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trainer/collective/collective.h"
#include "trainer/memory/aligned_vector.h"

#include <deque>

namespace trialdeck::trainer::collective {

/// The world of one worker: there is nobody to wait for.
class Alone final : public Collective {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::string_view name() const override { return "alone"; }
    Expected<std::span<float>> allocate(size_t count) override {
        return std::span<float>(m_vectors.emplace_back(count));
    }
    Expected<void> allReduce(std::span<float>) override { return {}; }
    Expected<void> allReduce(std::span<double>) override { return {}; }
    Expected<void> broadcast(std::span<std::byte>) override { return {}; }
    Expected<void> barrier() override { return {}; }

private:
    std::deque<memory::AlignedVector<float>> m_vectors;
};

} // namespace trialdeck::trainer::collective
