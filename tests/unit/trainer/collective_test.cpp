// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/collective.h"

#include "tests/support/compare.h"
#include "tests/unit/trainer/support/ranks.h"

#include <atomic>
#include <barrier>
#include <mutex>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::trainer::collective;
using Workers = std::unique_ptr<Collective>;

namespace {

void addGangs(int fewest) {
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("overTcp");
    for (int size = fewest; size <= 4; ++size) {
        QTest::addRow("%d ranks, shared memory", size) << size << false;
        QTest::addRow("%d ranks, tcp ring", size) << size << true;
    }
}

Gang gangOf(int size, bool overTcp) {
    return {size, overTcp ? Transport::tcpRing : Transport::automatic};
}

/// Element i of the vector that this rank brings; sums of these are exact.
template<typename T>
T element(int rank, size_t i) {
    return static_cast<T>((rank + 1) * 1000) + static_cast<T>(i % 97);
}

template<typename T>
void fill(std::span<T> values, int rank) {
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = element<T>(rank, i);
}

template<typename T>
bool isSum(std::span<const T> values, int ranks) {
    for (size_t i = 0; i < values.size(); ++i) {
        T sum = 0;
        for (int rank = 0; rank < ranks; ++rank)
            sum += element<T>(rank, i);
        if (values[i] != sum)
            return false;
    }
    return true;
}

base::Unexpected wrong(const std::string& what) {
    return base::fail(ErrorCode::internal, {}, what);
}

std::vector<std::string> allFine(int size) {
    return std::vector<std::string>(static_cast<size_t>(size));
}

/// Sizes around the borders of chunks, slices, blocks and stages.
constexpr size_t kSizes[] = {0, 1, 3, 5, 16, 1023, 70'001, 200'003};

} // namespace

class CollectiveTest : public QObject {
    Q_OBJECT
private slots:
    void implementationIsChosenByPlaceAndWish_data() { addGangs(1); }
    void implementationIsChosenByPlaceAndWish() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        const std::string wanted = size == 1 ? "alone" : overTcp ? "tcp ring" : "shared memory";
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            if (workers->name() != wanted || workers->size() != size)
                return wrong(std::string(workers->name()));
            return workers->barrier();
        });
        QCOMPARE(results, allFine(size));
    }

    void allReduceSumsVectorsOfAnySize_data() { addGangs(1); }
    void allReduceSumsVectorsOfAnySize() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            for (const size_t count : kSizes) {
                std::vector<float> floats(count);
                fill<float>(floats, workers->rank());
                TRIALDECK_TRY(workers->allReduce(std::span<float>(floats)));
                std::vector<double> doubles(count);
                fill<double>(doubles, workers->rank());
                TRIALDECK_TRY(workers->allReduce(std::span<double>(doubles)));
                if (!isSum<float>(floats, size) || !isSum<double>(doubles, size))
                    return wrong(std::to_string(count));
            }
            return {};
        });
        QCOMPARE(results, allFine(size));
    }

    void allocatedVectorsStartAtZeroAndAreSummedInPlace_data() { addGangs(1); }
    void allocatedVectorsStartAtZeroAndAreSummedInPlace() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            for (const size_t count : kSizes) {
                const auto vector = workers->allocate(count);
                if (!vector)
                    return tl::make_unexpected(vector.error());
                for (const float value : *vector) {
                    if (value != 0)
                        return wrong("not zero at first");
                }
                for (int round = 0; round < 3; ++round) {
                    fill<float>(*vector, workers->rank());
                    TRIALDECK_TRY(workers->allReduce(*vector));
                    if (!isSum<float>(*vector, size))
                        return wrong(std::to_string(count));
                }
            }
            return {};
        });
        QCOMPARE(results, allFine(size));
    }

    void everyRankGetsTheSameBits_data() { addGangs(2); }
    void everyRankGetsTheSameBits() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        std::mutex mutex;
        std::vector<std::vector<float>> all;
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            std::vector<float> values(10'007);
            // Thirds and the like: the order of summation shows in the last bit.
            for (size_t i = 0; i < values.size(); ++i)
                values[i] = 1.0F / static_cast<float>(3 + i + 7 * static_cast<size_t>(workers->rank()));
            TRIALDECK_TRY(workers->allReduce(std::span<float>(values)));
            const std::lock_guard lock(mutex);
            all.push_back(values);
            return {};
        });
        QCOMPARE(results, allFine(size));
        for (const auto& values : all)
            QCOMPARE(values, all.front());
    }

    void broadcastCopiesRankZero_data() { addGangs(1); }
    void broadcastCopiesRankZero() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            for (const size_t count : kSizes) {
                std::vector<double> values(count);
                fill<double>(values, workers->rank());
                TRIALDECK_TRY(workers->broadcast(std::as_writable_bytes(std::span(values))));
                std::vector<double> wanted(count);
                fill<double>(wanted, 0);
                if (values != wanted)
                    return wrong(std::to_string(count));
            }
            return {};
        });
        QCOMPARE(results, allFine(size));
    }

    void barrierLetsNobodyPassBeforeTheLastOneComes_data() { addGangs(2); }
    void barrierLetsNobodyPassBeforeTheLastOneComes() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        std::atomic<int> came = 0;
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            for (int round = 1; round <= 200; ++round) {
                ++came;
                TRIALDECK_TRY(workers->barrier());
                if (came < round * size)
                    return wrong("passed too early");
                TRIALDECK_TRY(workers->barrier());
            }
            return {};
        });
        QCOMPARE(results, allFine(size));
    }

    void rankThatEndsMakesAllOthersFailAtOnce_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("overTcp");
        QTest::addColumn<int>("dying");
        for (int size = 2; size <= 4; ++size) {
            for (int dying = 0; dying < size; ++dying) {
                QTest::addRow("rank %d of %d, shared memory", dying, size) << size << false << dying;
                QTest::addRow("rank %d of %d, tcp ring", dying, size) << size << true << dying;
            }
        }
    }
    void rankThatEndsMakesAllOthersFailAtOnce() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        QFETCH(int, dying);
        const auto results = runRanks(gangOf(size, overTcp), [&](Workers& workers) -> Expected<void> {
            TRIALDECK_TRY(workers->barrier());
            if (workers->rank() == dying)
                return {};
            std::vector<float> values(300'000, 1.0F);
            for (;;)
                TRIALDECK_TRY(workers->allReduce(std::span<float>(values)));
        });
        for (int rank = 0; rank < size; ++rank) {
            const QString result = QString::fromStdString(results[static_cast<size_t>(rank)]);
            QCOMPARE(result.startsWith("connection_lost: "), rank != dying);
        }
        // Everybody there sees who it was; in a ring only the neighbours do.
        if (!overTcp) {
            for (int rank = 0; rank < size; ++rank) {
                if (rank != dying)
                    QCOMPARE(results[static_cast<size_t>(rank)],
                             "connection_lost: rank " + std::to_string(dying) +
                                 " was lost: it ended before its work was done");
            }
        }
    }

    void rankThatEndsProperlyDisturbsNobody_data() { addGangs(2); }
    void rankThatEndsProperlyDisturbsNobody() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        for (int round = 0; round < 10; ++round) {
            const auto results = runRanks(gangOf(size, overTcp), [](Workers& workers) -> Expected<void> {
                std::vector<double> values(3, 1.0);
                return workers->allReduce(std::span<double>(values));
            });
            QCOMPARE(results, allFine(size));
        }
    }

    void rankThatLivesButFallsSilentIsGivenUp_data() { addGangs(2); }
    void rankThatLivesButFallsSilentIsGivenUp() {
        QFETCH(int, size);
        QFETCH(bool, overTcp);
        Gang gang = gangOf(size, overTcp);
        gang.patience.silence = std::chrono::milliseconds(300);
        std::barrier others(size);
        const auto results = runRanks(gang, [&](Workers& workers) -> Expected<void> {
            TRIALDECK_TRY(workers->barrier());
            Expected<void> done;
            if (workers->rank() != size - 1) {
                std::vector<float> values(300'000, 1.0F);
                done = workers->allReduce(std::span<float>(values));
            }
            others.arrive_and_wait();
            return done;
        });
        for (int rank = 0; rank < size - 1; ++rank)
            QVERIFY2(results[static_cast<size_t>(rank)].starts_with("timed_out: "),
                     results[static_cast<size_t>(rank)].c_str());
    }
};

QTEST_APPLESS_MAIN(CollectiveTest)
#include "collective_test.moc"
