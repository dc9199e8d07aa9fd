// SPDX-License-Identifier: Apache-2.0
#include "app/models/experiment_data.h"

#include <QtTest>

using namespace trialdeck;
using app::models::ExperimentData;

namespace {

/// Records of one trial, numbered as they come.
struct Journal {
    void add(protocol::RecordBody body) {
        records.push_back({RecordNumber(records.size() + 1), {}, std::move(body)});
    }
    std::vector<protocol::Record> records;
};

} // namespace

class ExperimentDataTest : public QObject {
    Q_OBJECT

private slots:
    void anAttemptThatIsToldAgainWhenItRunsIsOne() {
        Journal journal;
        journal.add(protocol::TrialCreated());
        protocol::AttemptStarted started;
        journal.add(started);
        started.node = "node-a";
        journal.add(started);
        ExperimentData data(ExperimentId("e"));
        data.apply(journal.records);
        const auto& attempts = data.trials().at(0).attempts;
        QCOMPARE(attempts.size(), size_t{1});
        QCOMPARE(QString::fromStdString(attempts.at(0).node), QStringLiteral("node-a"));
    }

    void aCheckpointThatAnotherRankJoinsStaysOne() {
        Journal journal;
        journal.add(protocol::TrialCreated());
        protocol::CheckpointCommitted committed;
        committed.files = {{"weights", 10, {}}};
        journal.add(committed);
        committed.files.push_back({"rank_1/weights", 5, {}});
        journal.add(committed);
        ExperimentData data(ExperimentId("e"));
        data.apply(journal.records);
        const auto& checkpoints = data.trials().at(0).checkpoints;
        QCOMPARE(checkpoints.size(), size_t{1});
        QCOMPARE(checkpoints.at(0).bytes, uint64_t{15});
        QCOMPARE(checkpoints.at(0).files, size_t{2});
    }
};

QTEST_GUILESS_MAIN(ExperimentDataTest)
#include "experiment_data_test.moc"
