// SPDX-License-Identifier: Apache-2.0
// For each prefix of each journal, Searcher and Scheduler make the recorded decision.
#include "core/base/json.h"
#include "core/tuner/replay.h"
#include "tests/unit/tuner/tuner_bench.h"

using namespace trialdeck;
using namespace trialdeck::tests;

namespace {

std::string configurationText(const Object& configuration) {
    return base::toJson(Value(configuration));
}

/// Asks Searcher and Scheduler anew what the record says; the lines that differ.
class Comparison {
public:
    void before(const tuner::Ledger& ledger, const protocol::Record& record) {
        if (const auto* created = std::get_if<protocol::TrialCreated>(&record.body))
            compareProposal(ledger, *created);
        else if (!std::holds_alternative<protocol::Heartbeat>(record.body))
            compareDecision(ledger, record);
    }

    Lines different;
    int proposals = 0;
    int decisions = 0;

private:
    void compareProposal(const tuner::Ledger& ledger, const protocol::TrialCreated& created) {
        ++proposals;
        const auto proposed = ledger.searcher().propose(created.trial.raw(), ledger.history());
        const std::string is = proposed ? configurationText(proposed->nested()) : "nothing";
        if (is != configurationText(created.configuration))
            different.push_back(shortLine(created) + " is proposed as " + is);
        if (created.seed != search::trialSeed(ledger.created().seed, created.trial))
            different.push_back(shortLine(created) + " has another seed");
    }

    void compareDecision(const tuner::Ledger& ledger, const protocol::Record& record) {
        if (!ledger.unjudged() || ledger.unjudged()->schedulerDone)
            return;
        const schedule::Decision decision = ledger.scheduler().decide(ledger.unjudged()->observation);
        const auto* recorded = std::get_if<protocol::DecisionMade>(&record.body);
        const bool byScheduler = recorded && recorded->by == "scheduler";
        const bool mustBeRecorded =
            decision.changesState || decision.action != protocol::DecisionAction::proceed;
        decisions += byScheduler ? 1 : 0;
        if (mustBeRecorded != byScheduler || (byScheduler && recorded->action != decision.action))
            different.push_back(shortLine(record.body) + " is decided as " +
                                std::string(nameOf(decision.action)));
    }
};

Comparison compareEachPrefix(TunerBench& bench) {
    Comparison comparison;
    base::NullLog log;
    const auto replayed =
        tuner::replayJournal(bench.tuner().journal(), bench.tuner().id(), bench.spec, log,
                             [&comparison](const tuner::Ledger& ledger, const protocol::Record& record) {
                                 comparison.before(ledger, record);
                                 return true;
                             });
    if (!replayed)
        comparison.different.push_back(base::describe(replayed.error()));
    return comparison;
}

std::shared_ptr<model::ExperimentSpec> sampled(int64_t samples, uint32_t concurrent, uint64_t seed) {
    auto spec = gridSpec({});
    spec->space.parameters = {{{"x"}, "x", model::RealRange{}, {}}};
    spec->search.algorithm = model::SearchAlgorithm::random;
    spec->search.numSamples = samples;
    spec->search.maxConcurrentTrials = concurrent;
    spec->search.seed = seed;
    return spec;
}

} // namespace

class DeterminismTest : public QObject {
    Q_OBJECT
private slots:
    void theJournalHoldsWhatWouldBeDecidedAgain_data() {
        QTest::addColumn<bool>("asha");
        QTest::addColumn<int>("concurrent");
        QTest::addColumn<int>("deathEach");
        QTest::newRow("fifo") << false << 3 << 0;
        QTest::newRow("asha, one at a time") << true << 1 << 0;
        QTest::newRow("asha, four at a time") << true << 4 << 0;
        QTest::newRow("asha, daemons die") << true << 2 << 31;
    }
    void theJournalHoldsWhatWouldBeDecidedAgain() {
        QFETCH(bool, asha);
        QFETCH(int, concurrent);
        QFETCH(int, deathEach);
        auto spec = sampled(12, static_cast<uint32_t>(concurrent), 5);
        if (asha) {
            spec->scheduler.type = model::SchedulerType::asha;
            spec->scheduler.maxT = 9;
            spec->scheduler.reductionFactor = 3;
        }
        TunerBench bench(spec);
        bench.model = trains(bench.files, {.iterations = 9});
        bench.begin();
        if (deathEach > 0) {
            bench.nextDeath = Death{static_cast<uint64_t>(deathEach), Death::Moment::after};
            bench.journals.setDeath(bench.nextDeath);
        }
        QVERIFY(bench.run());
        const Comparison comparison = compareEachPrefix(bench);
        QCOMPARE(comparison.different, Lines{});
        QCOMPARE(comparison.proposals, 12);
        QVERIFY(comparison.decisions >= (asha ? 14 : 0));
        QVERIFY(deathEach == 0 || bench.deaths > 3);
    }

    void trialNHasItsConfigurationAtAnyConcurrency() {
        Lines expected;
        for (const uint32_t concurrent : {1U, 4U, 24U}) {
            TunerBench bench(sampled(24, concurrent, 7), 24);
            // Trials take turns in ending, so that they overtake each other.
            bench.model = [](const engine::AttemptRequest& request, uint32_t) {
                const int pause = 10 + 90 * static_cast<int>(request.key.trial % 3);
                return Script{{reports(R"({"loss":1})", pause), exits(0, pause)}, OnTerminate::endsAtOnce};
            };
            bench.begin();
            QVERIFY(bench.run());
            const Lines trials = bench.story({"trial"});
            QCOMPARE(trials.size(), size_t{24});
            if (expected.empty())
                expected = trials;
            QCOMPARE(trials, expected);
        }
    }

    void anOmittedSeedIsDrawnAndRecorded() {
        auto spec = sampled(2, 1, 0);
        spec->search.seed.reset();
        TunerBench bench(spec);
        bench.begin();
        QVERIFY(bench.run());
        const Lines first = bench.outcome();
        const auto created = std::get<protocol::ExperimentCreated>(bench.records().front().body);
        spec->search.seed = created.seed;
        TunerBench again(spec);
        again.begin();
        QVERIFY(again.run());
        QCOMPARE(again.outcome(), first);
    }
};

QTEST_APPLESS_MAIN(DeterminismTest)
#include "determinism_test.moc"
