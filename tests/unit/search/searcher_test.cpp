// SPDX-License-Identifier: Apache-2.0
#include "core/search/searcher.h"

#include "core/base/json.h"
#include "tests/support/compare.h"

#include <QtTest>
#include <set>

using namespace trialdeck;
using namespace trialdeck::search;
using model::Choice;
using model::Constant;
using model::Distribution;
using model::GridSearch;
using model::RealRange;
using model::SearchAlgorithm;

namespace {

using Lines = std::vector<std::string>;

std::shared_ptr<model::ExperimentSpec>
makeSpec(SearchAlgorithm algorithm, std::vector<std::pair<std::string, Distribution>> parameters) {
    auto spec = std::make_shared<model::ExperimentSpec>();
    spec->search.algorithm = algorithm;
    for (auto& [name, distribution] : parameters)
        spec->space.parameters.push_back({{name}, name, std::move(distribution), {}});
    return spec;
}

std::unique_ptr<Searcher> searcherFor(const std::shared_ptr<model::ExperimentSpec>& spec, uint64_t seed = 7) {
    return std::move(makeSearcher(spec, seed).value());
}

std::string proposal(const Searcher& searcher, uint64_t number) {
    const auto configuration = searcher.propose(number, {});
    return configuration ? base::toJson(Value(configuration->nested()))
                         : std::string(base::nameOf(configuration.error().code));
}

Lines proposals(const Searcher& searcher, uint64_t count) {
    Lines lines;
    for (uint64_t number = 0; number < count; ++number)
        lines.push_back(proposal(searcher, number));
    return lines;
}

Lines allProposals(const Searcher& searcher) {
    return proposals(searcher, searcher.size().value());
}

GridSearch grid(std::vector<Value> values) {
    return {std::move(values)};
}

Distribution digits() {
    return grid({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

} // namespace

class SearcherTest : public QObject {
    Q_OBJECT
private slots:
    void theGridGoesInTheOrderWrittenLastParameterFastest() {
        const auto spec =
            makeSpec(SearchAlgorithm::grid,
                     {{"lr", grid({0.1, "0.1"})}, {"batch", Choice{{16, 32}}}, {"fixed", Constant{3}}});
        QCOMPARE(allProposals(*searcherFor(spec)), (Lines{
                                                       R"({"lr":0.1,"batch":16,"fixed":3})",
                                                       R"({"lr":0.1,"batch":32,"fixed":3})",
                                                       R"({"lr":"0.1","batch":16,"fixed":3})",
                                                       R"({"lr":"0.1","batch":32,"fixed":3})",
                                                   }));
    }

    void valuesWrittenTwiceAreOneGridValue() {
        const auto spec = makeSpec(SearchAlgorithm::grid, {{"batch", Choice{{16, 32, 32}}}});
        QCOMPARE(allProposals(*searcherFor(spec)), (Lines{R"({"batch":16})", R"({"batch":32})"}));
    }

    void samplesRepeatTheWholeGrid() {
        const auto spec = makeSpec(SearchAlgorithm::grid, {{"x", grid({1, 2})}});
        spec->search.numSamples = 2;
        QCOMPARE(allProposals(*searcherFor(spec)),
                 (Lines{R"({"x":1})", R"({"x":2})", R"({"x":1})", R"({"x":2})"}));
    }

    void afterTheLastGridPointTheSpaceIsExhausted() {
        const auto spec = makeSpec(SearchAlgorithm::grid, {{"x", grid({1, 2})}});
        QCOMPARE(proposal(*searcherFor(spec), 2), std::string("search_space_exhausted"));
        spec->search.maxTrials = 1;
        QCOMPARE(proposal(*searcherFor(spec), 1), std::string("search_space_exhausted"));
    }

    void hugeGridsAreNeverLaidOut() {
        auto spec = makeSpec(SearchAlgorithm::grid, {});
        for (int i = 0; i < 12; ++i)
            spec->space.parameters.push_back(
                {{"p" + std::to_string(i)}, "p" + std::to_string(i), digits(), {}});
        const auto searcher = searcherFor(spec);
        QCOMPARE(searcher->size().value(), uint64_t{1'000'000'000'000});
        QCOMPARE(
            proposal(*searcher, 123'456'789'012),
            std::string(
                R"({"p0":1,"p1":2,"p2":3,"p3":4,"p4":5,"p5":6,"p6":7,"p7":8,"p8":9,"p9":0,"p10":1,"p11":2})"));
    }

    void pointsOnTheGridComeFirstAndOnce() {
        const auto spec = makeSpec(SearchAlgorithm::grid, {{"x", grid({1, 2, 3})}, {"y", grid({1, 2})}});
        spec->search.pointsToEvaluate = {{{"x", 3}, {"y", 1}}, {{"x", 2}}, {{"x", 2}, {"y", 1}}, {{"x", 9}}};
        QCOMPARE(allProposals(*searcherFor(spec)), (Lines{
                                                       R"({"x":3,"y":1})",
                                                       R"({"x":2,"y":1})",
                                                       R"({"x":9,"y":1})",
                                                       R"({"x":1,"y":1})",
                                                       R"({"x":1,"y":2})",
                                                       R"({"x":2,"y":2})",
                                                       R"({"x":3,"y":2})",
                                                   }));
    }

    void randomDrawsRestOnSeedNumberAndNameAlone() {
        const auto both = makeSpec(SearchAlgorithm::random, {{"a", RealRange{}}, {"b", RealRange{}}});
        const auto alone = makeSpec(SearchAlgorithm::random, {{"b", RealRange{}}});
        both->search.numSamples = alone->search.numSamples = 4;
        const auto searcher = searcherFor(both);
        QCOMPARE(proposals(*searcher, 4), proposals(*searcherFor(both), 4));
        QVERIFY(proposals(*searcher, 4) != proposals(*searcherFor(both, 8), 4));
        const Lines lines = proposals(*searcher, 4);
        QCOMPARE(std::set<std::string>(lines.begin(), lines.end()).size(), size_t{4});
        QCOMPARE(searcher->propose(3, {})->nested().find("b")->toDouble(),
                 searcherFor(alone)->propose(3, {})->nested().find("b")->toDouble());
    }

    void gridSearchBesideRandomMultipliesEachSample() {
        const auto spec = makeSpec(SearchAlgorithm::random, {{"x", RealRange{}}, {"g", grid({"a", "b"})}});
        spec->search.numSamples = 2;
        const auto searcher = searcherFor(spec);
        QCOMPARE(searcher->size().value(), uint64_t{4});
        Lines kinds;
        std::set<double> draws;
        for (uint64_t number = 0; number < 4; ++number) {
            const auto configuration = searcher->propose(number, {});
            kinds.push_back(*configuration->nested().find("g")->asString());
            draws.insert(*configuration->nested().find("x")->toDouble());
        }
        QCOMPARE(kinds, (Lines{"a", "b", "a", "b"}));
        QCOMPARE(draws.size(), size_t{4});
    }

    void pointsTakeThePlaceOfSamples() {
        const auto spec = makeSpec(SearchAlgorithm::random, {{"x", Constant{0}}, {"g", grid({"a", "b"})}});
        spec->search.numSamples = 3;
        spec->search.pointsToEvaluate = {{{"x", 5}, {"g", "b"}}, {{"x", 6}}};
        QCOMPARE(allProposals(*searcherFor(spec)), (Lines{
                                                       R"({"x":5,"g":"b"})",
                                                       R"({"x":6,"g":"a"})",
                                                       R"({"x":6,"g":"b"})",
                                                       R"({"x":0,"g":"a"})",
                                                       R"({"x":0,"g":"b"})",
                                                   }));
    }

    void whatAPointLeavesOpenIsDrawn() {
        const auto spec = makeSpec(SearchAlgorithm::random, {{"x", RealRange{}}, {"y", RealRange{}}});
        const std::string free = proposal(*searcherFor(spec), 0);
        const auto y = searcherFor(spec)->propose(0, {})->nested().find("y")->toDouble();
        spec->search.pointsToEvaluate = {{{"x", 0.5}}};
        const auto searcher = searcherFor(spec);
        QCOMPARE(searcher->size().value(), uint64_t{1});
        QCOMPARE(searcher->propose(0, {})->nested().find("x")->toDouble(), std::optional(0.5));
        QCOMPARE(searcher->propose(0, {})->nested().find("y")->toDouble(), y);
        QVERIFY(proposal(*searcher, 0) != free);
    }

    void withoutAnEndProposalsGoOn() {
        const auto spec = makeSpec(SearchAlgorithm::random, {{"x", RealRange{}}});
        spec->search.numSamples = -1;
        const auto searcher = searcherFor(spec);
        QVERIFY(!searcher->size());
        QVERIFY(searcher->propose(1'000'000'000, {}).has_value());
    }

    void everySearcherHasAsManyProposalsAsPlanned() {
        const auto spec = makeSpec(SearchAlgorithm::random, {{"x", RealRange{}}, {"g", grid({1, 2, 3})}});
        spec->search.numSamples = 2;
        spec->search.pointsToEvaluate = {{{"g", 1}}, {{"x", 1.0}}, {{"x", 2.0}, {"g", 2}}};
        QCOMPARE(searcherFor(spec)->size(), std::optional<uint64_t>(5));
        QCOMPARE(searcherFor(spec)->size(), model::plannedTrials(*spec));
        QCOMPARE(allProposals(*searcherFor(spec)).size(), size_t{5});
    }

    void trialSeedsDifferAndFitPrograms() {
        std::set<uint64_t> seeds;
        for (uint32_t trial = 0; trial < 100; ++trial)
            seeds.insert(trialSeed(7, TrialId(trial)));
        QCOMPARE(seeds.size(), size_t{100});
        QVERIFY(*seeds.rbegin() < (uint64_t{1} << 31U));
        QCOMPARE(trialSeed(7, TrialId(3)), trialSeed(7, TrialId(3)));
    }

    void algorithmsThatAreNotBuiltAreRefusedByName() {
        const auto refused = makeSearcher(makeSpec(SearchAlgorithm::tpe, {}), 1);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::not_available_yet);
        QCOMPARE(refused.error().arguments.at("value"), std::string("tpe"));
    }
};

QTEST_APPLESS_MAIN(SearcherTest)
#include "searcher_test.moc"
