// SPDX-License-Identifier: Apache-2.0
#include "core/storage/experiment_index.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>

using namespace trialdeck;
using storage::ExperimentIndex;

class ExperimentIndexTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theLastEntryOfAnExperimentCounts() {
        {
            ExperimentIndex index = open();
            QVERIFY(index.entries().empty());
            QVERIFY(index.put("a", {{"state", "RUNNING"}}).has_value());
            QVERIFY(index.put("b", {{"state", "RUNNING"}}).has_value());
            QVERIFY(index.put("a", {{"state", "COMPLETED"}}).has_value());
        }
        const ExperimentIndex index = open();
        QCOMPARE(index.entries().size(), size_t{2});
        QCOMPARE(stateOf(index, "a"), std::string("COMPLETED"));
        QCOMPARE(index.unreadableLines(), size_t{0});
    }

    void aTornLineCostsItselfAlone() {
        QVERIFY(open().put("a", {{"state", "RUNNING"}}).has_value());
        auto file = m_files.open(path(), base::OpenMode::append);
        QVERIFY((*file)->append("{\"id\":\"b\",\"exper").has_value());
        QVERIFY(open().put("c", {{"state", "PAUSED"}}).has_value());
        const ExperimentIndex index = open();
        QCOMPARE(index.unreadableLines(), size_t{1});
        QCOMPARE(stateOf(index, "a"), std::string("RUNNING"));
        QCOMPARE(stateOf(index, "c"), std::string("PAUSED"));
    }

    void doesNotGrowForEver() {
        ExperimentIndex index = open();
        for (int i = 0; i < 2000; ++i)
            QVERIFY(index.put("a", {{"i", i}}).has_value());
        QVERIFY(m_files.status(path())->bytes < 20'000);
        QCOMPARE(open().entries().at("a").find("i")->toInteger().value(), int64_t{1999});
    }

private:
    base::Path path() const { return m_folder->filePath("experiments.jsonl").toStdString(); }
    ExperimentIndex open() { return ExperimentIndex::open(m_files, path()).value(); }
    static std::string stateOf(const ExperimentIndex& index, const char* id) {
        return *index.entries().at(id).find("state")->asString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    base::PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(ExperimentIndexTest)
#include "experiment_index_test.moc"
