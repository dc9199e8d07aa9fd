// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"

#include "core/model/metric.h"
#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

#include <ctime>

using namespace trialdeck;
using namespace trialdeck::model;

namespace {

/// "3: loss = 1.5, grad = 0.1 {note, …}" or the error's code.
QString summary(std::string_view line) {
    const auto report = parseReportLine(line);
    if (!report)
        return QString::fromStdString(std::string(nameOf(report.error().code)));
    QString text = report->iteration ? QString::number(*report->iteration) : QString("-");
    text += ": " + linesOf(report->metrics).join(", ");
    if (report->checkpoint)
        text += " @" + QString::fromStdString(*report->checkpoint);
    for (const Error& note : report->notes)
        text += " {" + QString::fromStdString(base::describe(note)) + "}";
    return text;
}

} // namespace

class ReportTest : public QObject {
    Q_OBJECT
private slots:
    void linesAreReadOrRefusedByName_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("expected");
        QTest::newRow("usual") << QByteArray(R"({"training_iteration": 3, "loss": 0.5, "accuracy": 1})")
                               << "3: loss = 0.5, accuracy = 1";
        QTest::newRow("no iteration") << QByteArray(R"({"mse": 4})") << "-: mse = 4";
        QTest::newRow("iteration as text")
            << QByteArray(R"({"loss": 0.7, "training_iteration": "4"})") << "4: loss = 0.7";
        QTest::newRow("iteration as real") << QByteArray(R"({"training_iteration": 4.0})") << "4: ";
        QTest::newRow("iteration that is none")
            << QByteArray(R"({"training_iteration": 1.5})")
            << "-: training_iteration = 1.5 {report_odd_iteration (value=1.5)}";
        QTest::newRow("checkpoint") << QByteArray(R"({"loss": 1.5, "checkpoint": "epoch-3"})")
                                    << "-: loss = 1.5 @epoch-3";
        QTest::newRow("checkpoint that is a metric")
            << QByteArray(R"({"checkpoint": 3})") << "-: checkpoint = 3";
        QTest::newRow("null is missing") << QByteArray(R"({"loss": null})") << "-: loss = null";
        QTest::newRow("exact whole numbers")
            << QByteArray(R"({"a": 9007199254740993, "b": -9223372036854775808, "c": 18446744073709551615})")
            << "-: a = 9007199254740993, b = -9223372036854775808, c = 18446744073709551615";
        QTest::newRow("carriage return") << QByteArray("{\"loss\": 1.0}\r") << "-: loss = 1.0";
        QTest::newRow("words inside texts stay") << QByteArray("{\"nan\": \"nan -NaN \\\" Inf\", \"n\": 1e5}")
                                                 << "-: nan = \"nan -NaN \\\" Inf\", n = 1e+05";
        QTest::newRow("empty map") << QByteArray("{}") << "-: ";
        QTest::newRow("list") << QByteArray("[1, 2]") << "report_not_object";
        QTest::newRow("text") << QByteArray("\"text\"") << "report_not_object";
        QTest::newRow("number") << QByteArray("42") << "report_not_object";
        QTest::newRow("torn") << QByteArray(R"({"loss": 0.)") << "report_not_json";
        QTest::newRow("two on a line") << QByteArray(R"({"a": 1}{"b": 2})") << "report_not_json";
        QTest::newRow("empty line") << QByteArray("") << "report_not_json";
        QTest::newRow("progress bar") << QByteArray("\r 10%|#   | 1/10") << "report_not_json";
        QTest::newRow("not UTF-8") << QByteArray("{\"a\": \"\xff\xfe\"}") << "report_bad_utf8";
        QTest::newRow("zero byte") << QByteArray("{\"a\": 1}\0", 9) << "report_not_json";
        QTest::newRow("500,000 brackets")
            << QByteArray("{\"a\":") + QByteArray(500'000, '[') << "report_too_deep";
        QTest::newRow("500,000 maps") << QByteArray("{\"a\":").repeated(200'000) << "report_too_deep";
        QTest::newRow("above 1 MiB") << "{\"a\": \"" + QByteArray(1 << 20, 'x') + "\"}"
                                     << "report_too_large";
    }
    void linesAreReadOrRefusedByName() {
        QFETCH(QByteArray, line);
        QFETCH(QString, expected);
        QCOMPARE(summary({line.constData(), static_cast<size_t>(line.size())}), expected);
    }

    void aLineOfOneMebibyteIsRead() {
        const std::string line = "{\"a\": \"" + std::string((1 << 20) - 9, 'x') + "\"}";
        QCOMPARE(line.size(), kMaxReportBytes);
        QVERIFY(parseReportLine(line));
    }

    void aHundredThousandMetricsAreReadInTime() {
        std::string line = "{\"m\":0";
        for (int i = 0; line.size() < kMaxReportBytes - 20; ++i)
            line += ",\"m" + std::to_string(i) + "\":1";
        line += '}';
        // Processor time: a machine that does other things, too, proves nothing.
        const std::clock_t begin = std::clock();
        QVERIFY(parseReportLine(line)->metrics.size() > 90'000);
        QVERIFY2(std::clock() - begin < 5 * CLOCKS_PER_SEC,
                 "reading one line must not take time quadratic in its keys");
    }

    void refusalsShowTheBeginningOfTheLine() {
        const auto report = parseReportLine("{\"loss\": oops}" + std::string(1'000, 'x'));
        QVERIFY(!report);
        const std::string shown = report.error().arguments.at("line");
        QVERIFY(shown.starts_with("{\"loss\": oops}"));
        QVERIFY(shown.size() <= 200);
    }

    void nonFiniteNumbersOfPythonAreRead() {
        QStringList losses;
        for (const std::string& line : caseLines("C18-nan-infinity/trial/result.json")) {
            const auto report = parseReportLine(line);
            QVERIFY(report);
            QVERIFY(report->notes.empty());
            const Value* loss = report->metrics.find("loss");
            const auto grad = numericMetric(report->metrics, "grad");
            losses << QString::number(*report->iteration) + ": " +
                          (loss ? textOf(*loss) : QString("missing")) + " " +
                          textOf(grad ? Value(*grad) : Value());
        }
        QCOMPARE(losses, (QStringList{"1: 1.5 0.1", "2: NaN Infinity", "3: 0.9 -Infinity", "4: null NaN",
                                      "5: missing 0.2"}));
    }

    void otherSpellingsAreReadWithANote() {
        QStringList read;
        for (const std::string& line : caseLines("C18-nan-infinity/other-spellings.json"))
            read << summary(line);
        QCOMPARE(read, (QStringList{"1: loss = NaN {report_odd_number (word=-NaN)}",
                                    "2: loss = NaN {report_odd_number (word=nan)}", "3: loss = -Infinity",
                                    "4: loss = Infinity {report_odd_number (word=Inf)}"}));
    }

    void nestedMetricsAreFlatAndLiteralOnesKept() {
        const auto report = parseReportLine(caseLines("C19-nested-slash/trial/result.json").at(1));
        QStringList lines = linesOf(report->metrics);
        lines.erase(lines.begin(), lines.begin() + lines.indexOf("iterations_since_restore = 2") + 1);
        QCOMPARE(lines,
                 (QStringList{"eval/acc = 0.8200000000000001", "eval/per_class/0 = 0.5",
                              "eval/per_class/10 = 0.25", "ptl/val_acc = 0.72", "\"eval/acc\" = 0.1",
                              "a/b/c = 2", "hist = [1,2,3]", "note = \"text\"", "配置/学习率 = 0.01"}));
        QCOMPARE(numericMetric(report->metrics, "ptl/val_acc").value(), 0.72);
    }

    void missingFieldsAreNoMistake() {
        QStringList read;
        for (const char* name : {"no-iteration", "out-of-order", "not-objects", "nothing-but-metric"}) {
            for (const std::string& line :
                 caseLines(std::string("C26-missing-fields/") + name + "/result.json"))
                read << summary(line);
        }
        QCOMPARE(read, (QStringList{
                           "-: loss = 1.0, timestamp = 1772352000", "-: loss = 0.9, timestamp = 1772352010",
                           "-: loss = 0.8, timestamp = 1772352030", "1: loss = 1.0", "3: loss = 0.8",
                           "2: loss = 0.9", "4: loss = 0.7", "report_not_object", "report_not_object",
                           "report_not_object", "1: loss = 0.5", "-: mse = 4", "-: mse = 3"}));
    }

    void checkpointNamesStayInTheirFolder_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("allowed");
        for (const char* name : {"epoch-3", "a/b", "..data", "检查点", "x.y"})
            QTest::newRow(name) << name << true;
        for (const char* name : {"", "/etc", "..", "a/../b", "a/..", "./a", "a//b", "a\nb", "report.jsonl",
                                 "stdout.0.log", "supervisor.json"})
            QTest::newRow(name) << name << false;
    }
    void checkpointNamesStayInTheirFolder() {
        QFETCH(QString, name);
        QFETCH(bool, allowed);
        QCOMPARE(checkCheckpointName(name.toStdString()).has_value(), allowed);
    }
};

QTEST_APPLESS_MAIN(ReportTest)
#include "report_test.moc"
