// SPDX-License-Identifier: Apache-2.0
#include "trainer/train_loop/train_loop.h"

#include "tests/support/compare.h"
#include "tests/unit/trainer/support/ranks.h"
#include "tests/unit/trainer/support/small_data_set.h"
#include "trainer/collective/alone.h"
#include "trainer/train_loop/common_kernels.h"

#include <cmath>
#include <mutex>

using namespace trialdeck;
using namespace trialdeck::tests;
using namespace trialdeck::trainer;
using namespace trialdeck::trainer::train_loop;
using checkpoint::Checkpoint;

namespace {

/// Keeps everything that it is told, and may ask for a stop.
class Recorder final : public EpochListener {
public:
    Expected<void> epochDone(const EpochResult& result, const std::function<Checkpoint()>& state) override {
        results.push_back(result);
        states.push_back(state());
        stop = result.epoch == stopAfter;
        return {};
    }

    std::vector<EpochResult> results;
    std::vector<Checkpoint> states;
    uint64_t stopAfter = 0;
    std::atomic<bool> stop{false};
};

Hyperparameters small() {
    Hyperparameters hyperparameters;
    hyperparameters.learningRate = 0.02;
    hyperparameters.batch = 16;
    hyperparameters.epochs = 4;
    hyperparameters.hidden = {24, 16};
    return hyperparameters;
}

Expected<Outcome> trainWith(collective::Collective& workers, const Hyperparameters& hyperparameters,
                            const data::DataSet& set, Recorder& recorder,
                            std::optional<Checkpoint> start = std::nullopt) {
    const base::SystemClock clock;
    const auto kernels = commonKernels(workers);
    if (!kernels)
        return tl::make_unexpected(kernels.error());
    TrainLoop loop(hyperparameters, set, **kernels, workers, clock, recorder, recorder.stop);
    return loop.run(std::move(start));
}

/// Trains with so many ranks; @return rank 0's record.
std::unique_ptr<Recorder> trainTogether(const Gang& gang, const Hyperparameters& hyperparameters,
                                        const data::DataSet& set,
                                        const std::optional<Checkpoint>& start = std::nullopt) {
    auto first = std::make_unique<Recorder>();
    const auto results =
        runRanks(gang, [&](std::unique_ptr<collective::Collective>& workers) -> Expected<void> {
            Recorder other;
            Recorder& recorder = workers->rank() == 0 ? *first : other;
            const auto outcome = trainWith(*workers, hyperparameters, set, recorder,
                                           workers->rank() == 0 ? start : std::nullopt);
            return outcome ? Expected<void>() : tl::make_unexpected(outcome.error());
        });
    for (const std::string& result : results) {
        if (!result.empty())
            qWarning("%s", result.c_str());
    }
    return first;
}

double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(double{a[i]} - b[i]));
    return largest;
}

} // namespace

class TrainLoopTest : public QObject {
    Q_OBJECT
private slots:
    void trainingLowersTheLossAndRaisesTheAccuracy() {
        const data::DataSet set = smallDataSet(400, 100);
        collective::Alone alone;
        Recorder recorder;
        Hyperparameters hyperparameters = small();
        hyperparameters.epochs = 8;
        QCOMPARE(*trainWith(alone, hyperparameters, set, recorder), Outcome::done);
        QCOMPARE(recorder.results.size(), size_t{8});
        QVERIFY(recorder.results.back().loss < 0.5 * recorder.results.front().loss);
        QVERIFY(recorder.results.back().trainLoss < recorder.results.front().trainLoss);
        QVERIFY(recorder.results.back().accuracy > 0.9);
    }

    void trainingOnAPartOfTheRealDataLowersTheLoss() {
        auto set = data::loadDataSet("/usr/share/datasets/fashion-mnist");
        QVERIFY(set);
        for (auto [split, count] :
             {std::pair(&set->train, size_t{2000}), std::pair(&set->test, size_t{500})}) {
            split->images.count = count;
            split->labels.resize(count);
        }
        collective::Alone alone;
        Recorder recorder;
        Hyperparameters hyperparameters;
        hyperparameters.learningRate = 0.01;
        hyperparameters.hidden = {64};
        hyperparameters.epochs = 3;
        QCOMPARE(*trainWith(alone, hyperparameters, *set, recorder), Outcome::done);
        QVERIFY(recorder.results[2].loss < recorder.results[0].loss);
        QVERIFY(recorder.results[2].loss < 0.75);
        QVERIFY(recorder.results[2].accuracy > 0.72);
    }

    void resumedRunEndsBitForBitAsTheUninterruptedOne_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("overTcp");
        QTest::newRow("alone") << 1 << false;
        QTest::newRow("2, shared memory") << 2 << false;
        QTest::newRow("3, tcp") << 3 << true;
    }
    void resumedRunEndsBitForBitAsTheUninterruptedOne() {
        QFETCH(int, ranks);
        QFETCH(bool, overTcp);
        const Gang gang{ranks, overTcp ? collective::Transport::tcpRing : collective::Transport::automatic};
        // The last batch of an epoch is smaller than the others and no multiple of the ranks.
        const data::DataSet set = smallDataSet(203, 50);
        const auto whole = trainTogether(gang, small(), set);
        QCOMPARE(whole->states.size(), size_t{4});
        const auto rest = trainTogether(gang, small(), set, whole->states[1]);
        QCOMPARE(rest->states.size(), size_t{2});
        QCOMPARE(rest->results[0].epoch, uint64_t{3});
        QVERIFY(rest->states[0] == whole->states[2]);
        QVERIFY(rest->states[1] == whole->states[3]);
        QCOMPARE(rest->results[1].loss, whole->results[3].loss);
        QCOMPARE(rest->results[1].trainLoss, whole->results[3].trainLoss);
    }

    void moreWorkersGiveTheSameNetworkButForRounding_data() {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("overTcp");
        QTest::addColumn<double>("dropout");
        QTest::newRow("2, shared memory") << 2 << false << 0.0;
        QTest::newRow("2, tcp") << 2 << true << 0.0;
        QTest::newRow("3, tcp, dropout") << 3 << true << 0.25;
        QTest::newRow("4, shared memory, dropout") << 4 << false << 0.25;
    }
    void moreWorkersGiveTheSameNetworkButForRounding() {
        QFETCH(int, ranks);
        QFETCH(bool, overTcp);
        QFETCH(double, dropout);
        const data::DataSet set = smallDataSet(203, 50);
        Hyperparameters hyperparameters = small();
        hyperparameters.dropout = dropout;
        const auto one = trainTogether({1}, hyperparameters, set);
        const auto many = trainTogether(
            {ranks, overTcp ? collective::Transport::tcpRing : collective::Transport::automatic},
            hyperparameters, set);
        QCOMPARE(many->results.size(), size_t{4});
        for (size_t epoch = 0; epoch < 4; ++epoch) {
            QVERIFY(largestDifference(many->states[epoch].parameters, one->states[epoch].parameters) < 1e-4);
            QVERIFY(std::abs(many->results[epoch].loss - one->results[epoch].loss) < 1e-4);
            QVERIFY(std::abs(many->results[epoch].trainLoss - one->results[epoch].trainLoss) < 1e-4);
            QCOMPARE(many->results[epoch].accuracy, one->results[epoch].accuracy);
        }
    }

    void workersWithoutSamplesInTheLastBatchTakePart() {
        // 33 = 2 × 16 + 1: of four ranks only one has a sample of the last batch.
        const data::DataSet set = smallDataSet(33, 3);
        QCOMPARE(trainTogether({4}, small(), set)->results.size(), size_t{4});
    }

    void stopOnOneRankStopsAllAfterTheSameBatch() {
        const data::DataSet set = smallDataSet(64, 8);
        std::mutex mutex;
        std::vector<Outcome> outcomes;
        const auto results =
            runRanks({3}, [&](std::unique_ptr<collective::Collective>& workers) -> Expected<void> {
                Recorder recorder;
                recorder.stopAfter = workers->rank() == 1 ? 2 : 0;
                Hyperparameters hyperparameters = small();
                hyperparameters.epochs = 1000;
                const auto outcome = trainWith(*workers, hyperparameters, set, recorder);
                if (!outcome)
                    return tl::make_unexpected(outcome.error());
                const std::lock_guard lock(mutex);
                outcomes.push_back(*outcome);
                return recorder.results.size() == 2 ? Expected<void>() : base::fail(ErrorCode::internal);
            });
        QCOMPARE(results, std::vector<std::string>(3));
        QVERIFY(outcomes == std::vector<Outcome>(3, Outcome::stopped));
    }

    void checkpointOfOtherLayersIsRefused() {
        const data::DataSet set = smallDataSet(40, 8);
        collective::Alone alone;
        Recorder recorder;
        QVERIFY(trainWith(alone, small(), set, recorder));
        Hyperparameters wider = small();
        wider.hidden = {24, 17};
        const auto outcome = trainWith(alone, wider, set, recorder, recorder.states[0]);
        QCOMPARE(outcome.error().code, ErrorCode::checkpoint_unreadable);
    }

    void resumeBehindTheLastEpochDoesNothing() {
        const data::DataSet set = smallDataSet(40, 8);
        collective::Alone alone;
        Recorder recorder;
        QVERIFY(trainWith(alone, small(), set, recorder));
        Recorder again;
        QCOMPARE(*trainWith(alone, small(), set, again, recorder.states.back()), Outcome::done);
        QVERIFY(again.results.empty());
    }

    void hopelessLearningRateIsReportedAsNan() {
        const data::DataSet set = smallDataSet(64, 8);
        collective::Alone alone;
        Recorder recorder;
        Hyperparameters hyperparameters = small();
        hyperparameters.learningRate = 1e30;
        QVERIFY(trainWith(alone, hyperparameters, set, recorder));
        QVERIFY(std::isnan(recorder.results.back().loss));
    }
};

QTEST_APPLESS_MAIN(TrainLoopTest)
#include "train_loop_test.moc"
