// SPDX-License-Identifier: Apache-2.0
// What the trial table makes of values that are odd or missing.
#include "app/models/trial_order.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::app::models;

namespace {

/// Writes a journal by hand, one record after the other.
class Journal {
public:
    void add(const std::string& fields) {
        const std::string line = R"({"n":)" + std::to_string(++m_number) +
                                 R"(,"t":"2026-11-30T14:00:00.000Z","kind":)" + fields + "}";
        auto record = protocol::parseRecordLine(line);
        QVERIFY2(record, line.c_str());
        m_records.push_back(std::move(*record));
    }
    /// A trial that has run and reported these maps, one a report.
    void trial(const std::string& configuration, const QStringList& reports) {
        const std::string id = std::to_string(m_trials++);
        add(R"("trial","trial":)" + id + R"(,"configuration":)" + configuration + R"(,"seed":1,"known":[])");
        add(R"("attempt","trial":)" + id + R"(,"attempt":0,"workers":1,"node":"a","first_iteration":0)");
        int iteration = 0;
        for (const QString& report : reports)
            add(R"("report","trial":)" + id + R"(,"attempt":0,"rank":0,"iteration":)" +
                std::to_string(++iteration) + R"(,"source":"file","end_offset":0,"metrics":)" +
                report.toStdString());
    }
    [[nodiscard]] const std::vector<protocol::Record>& records() const { return m_records; }

private:
    int m_number = 0;
    int m_trials = 0;
    std::vector<protocol::Record> m_records;
};

/// A table of the journal's trials, by smallest loss.
struct Table {
    explicit Table(const Journal& journal) {
        protocol::ExperimentSummary summary;
        summary.metric = "loss";
        summary.mode = "min";
        data.setSummary(summary);
        data.apply(journal.records());
        data.flush();
    }
    /// The trials from top to bottom, sorted by the column of that name.
    QString sorted(const QString& field, Qt::SortOrder direction) {
        for (int section = 0; section < model.columnCount(); ++section) {
            if (model.fieldName(section) == field)
                order.sort(section, direction);
        }
        QStringList trials;
        for (int row = 0; row < order.rowCount(); ++row)
            trials << QString::number(order.sourceRow(row));
        return trials.join(' ');
    }

    base::SystemClock clock;
    ExperimentData data{ExperimentId("e-1")};
    TrialTableModel model{data,
                          clock,
                          {[](const TrialRow&) { return QString(); },
                           [](const TrialRow&) { return QString(); }, [](double) { return QString(); },
                           [](TrialField) { return QString(); }, [](const QString& value) { return value; }}};
    TrialOrder order{model};
};

} // namespace

class TrialOrderTest : public QObject {
    Q_OBJECT
private slots:
    void notANumberAndMissingStandLastInBothDirections() {
        Journal journal;
        journal.trial(R"({"name":"t_10"})", {R"({"loss":0.5})"});
        journal.trial(R"({"name":"t_2"})", {});
        journal.trial(R"({"name":"t_1"})", {R"({"loss":NaN})"});
        journal.trial(R"({"name":"t_2"})", {R"({"loss":-Infinity})"});
        journal.trial(R"({"name":"x"})", {R"({"loss":7})"});
        Table table(journal);
        QCOMPARE(table.sorted("loss", Qt::AscendingOrder), QString("3 0 4 2 1"));
        QCOMPARE(table.sorted("loss", Qt::DescendingOrder), QString("4 0 3 2 1"));
        QCOMPARE(table.sorted("name", Qt::AscendingOrder), QString("2 1 3 0 4"));
        QCOMPARE(table.data.bestTrial().value(), TrialId(3));
    }

    void aValueThatIsMissingOnceLeavesTheNewestOne() {
        Journal journal;
        journal.trial("{}", {R"({"loss":1.5})", R"({"loss":0.9})", R"({"loss":null})", R"({"grad":1})"});
        journal.trial("{}", {R"({"loss":0.95})"});
        Table table(journal);
        const size_t loss = table.data.curves().findMetric("loss").value();
        QCOMPARE(table.data.metricCells(loss).value(0), Value(0.9));
        QCOMPARE(table.data.bestTrial().value(), TrialId(0));
        const Series* series = table.data.curves().find(TrialId(0), loss);
        QCOMPARE(series->size(), size_t{3});
        QVERIFY(isMissing(series->values[2]));
    }

    void aParameterThatIsNullIsNotMissing() {
        Journal journal;
        journal.trial(R"({"drop":null})", {});
        journal.trial(R"({"lr":1})", {});
        Table table(journal);
        QCOMPARE(table.data.parameterCells(0).value(0), Value("null"));
        QCOMPARE(table.data.parameterCells(0).kind(1), CellKind::missing);
    }

    void aNestedParameterAndOneWithItsNameAreTwo() {
        Journal journal;
        journal.trial(R"({"opt":{"lr":0.01},"opt/lr":"literal"})", {});
        Table table(journal);
        QCOMPARE(table.data.parameters(), (std::vector<std::string>{"opt/lr", "\"opt/lr\""}));
        QCOMPARE(table.data.parameterCells(0).value(0), Value(0.01));
        QCOMPARE(table.data.parameterCells(1).value(0), Value("literal"));
    }
};

QTEST_GUILESS_MAIN(TrialOrderTest)
#include "trial_order_test.moc"
