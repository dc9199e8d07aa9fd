// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"

#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

using namespace trialdeck;
using namespace trialdeck::model;

class OutputPatternTest : public QObject {
    Q_OBJECT
private slots:
    void groupsBecomeMetrics_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("metrics");
        QTest::newRow("one") << R"(loss: (?<loss>\S+))"
                             << "epoch 3 loss: 0.25 (best)" << QStringList{"loss = 0.25"};
        QTest::newRow("order written") << R"((?<z>\d+) (?P<a>\d+))"
                                       << "1 2" << QStringList{"z = 1", "a = 2"};
        QTest::newRow("punctuation") << R"(loss: (?<loss>\S+) acc: (?<acc>\S+))"
                                     << "loss: 0.5, acc: .75)" << QStringList{"loss = 0.5", "acc = 0.75"};
        QTest::newRow("nan") << R"(loss=(?<loss>\S+))"
                             << "loss=nan" << QStringList{"loss = NaN"};
        QTest::newRow("exact whole") << R"(n=(?<n>\d+))"
                                     << "n=9007199254740993" << QStringList{"n = 9007199254740993"};
        QTest::newRow("text stays text") << R"(state (?<state>\w+))"
                                         << "state warm" << QStringList{"state = \"warm\""};
        QTest::newRow("group without part") << R"(a(?<x>1)?(?<y>2))"
                                            << "a2" << QStringList{"y = 2"};
        QTest::newRow("other characters kept") << R"([(?<] (?<x>\d) \(?<y)"
                                               << "? 5 (<y" << QStringList{"x = 5"};
        QTest::newRow("no match") << R"(loss: (?<loss>\S+))"
                                  << "accuracy: 1" << QStringList();
    }
    void groupsBecomeMetrics() {
        QFETCH(QString, pattern);
        QFETCH(QString, line);
        QFETCH(QStringList, metrics);
        const auto compiled = OutputPattern::compile(pattern.toStdString());
        QVERIFY2(compiled, compiled ? "" : base::describe(compiled.error()).c_str());
        const auto report = compiled->match(line.toStdString());
        QCOMPARE(report.has_value(), !metrics.isEmpty());
        QCOMPARE(report ? linesOf(report->metrics) : QStringList(), metrics);
    }

    void iterationIsTakenFromItsGroup() {
        const auto compiled = OutputPattern::compile(R"(epoch (?<training_iteration>\d+): (?<loss>\S+))");
        const auto report = compiled->match("epoch 7: 0.5");
        QCOMPARE(report->iteration.value(), int64_t{7});
        QCOMPARE(linesOf(report->metrics), QStringList{"loss = 0.5"});
        QCOMPARE(compiled->names(), (std::vector<std::string>{"training_iteration", "loss"}));
    }

    void badPatternsAreRefusedWithTheReason_data() {
        QTest::addColumn<QString>("pattern");
        QTest::newRow("syntax") << "(?<loss>";
        QTest::newRow("no named group") << "loss: (\\S+)";
        QTest::newRow("look-behind") << "(?<=x)(?<loss>.)";
        QTest::newRow("empty") << "";
        QTest::newRow("one name twice") << "(?<a>.)(?<a>.)";
    }
    void badPatternsAreRefusedWithTheReason() {
        QFETCH(QString, pattern);
        const auto compiled = OutputPattern::compile(pattern.toStdString());
        QVERIFY(!compiled);
        QCOMPARE(compiled.error().code, ErrorCode::bad_pattern);
        QVERIFY(!compiled.error().arguments.at("reason").empty());
    }

    void hostilePatternsAndLinesTakeLinearTime() {
        const auto compiled = OutputPattern::compile("(?<x>(a+)+)$");
        QVERIFY(compiled);
        QVERIFY(!compiled->match(std::string(100'000, 'a') + "b"));
        QVERIFY(!OutputPattern::compile("(?<x>((a{100}){100}){100})"));
    }

    void bytesThatAreNotTextAreCleaned() {
        const auto compiled = OutputPattern::compile(R"(x=(?<x>.*))");
        const auto report = compiled->match("x=a\xff");
        QVERIFY(!report || base::toJson(report->metrics).find('\xff') == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(OutputPatternTest)
#include "output_pattern_test.moc"
