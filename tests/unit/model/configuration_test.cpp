// SPDX-License-Identifier: Apache-2.0
#include "core/model/configuration.h"

#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

#include <limits>

using namespace trialdeck;
using namespace trialdeck::model;

class ConfigurationTest : public QObject {
    Q_OBJECT
private slots:
    void nestedMapsAreJoinedWithSlashes_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QStringList>("flat");
        QTest::newRow("plain") << R"({"lr": 0.1, "opt": {"name": "sgd", "betas": [0.9, 0.999]}})"
                               << QStringList{"lr = 0.1", "opt/name = \"sgd\"", "opt/betas = [0.9,0.999]"};
        QTest::newRow("empty map vanishes") << R"({"a": {}, "b": {"c": {}}, "d": 1})" << QStringList{"d = 1"};
        QTest::newRow("literal slash alone keeps its name")
            << R"({"ptl/val_acc": 0.7, "a": {"b/c": 1}})" << QStringList{"ptl/val_acc = 0.7", "a/b/c = 1"};
        QTest::newRow("literal beside nested")
            << R"({"eval": {"acc": 1}, "eval/acc": 2})" << QStringList{"eval/acc = 1", "\"eval/acc\" = 2"};
        QTest::newRow("literal before nested")
            << R"({"eval/acc": 2, "eval": {"acc": 1}})" << QStringList{"\"eval/acc\" = 2", "eval/acc = 1"};
        QTest::newRow("four writings of one name")
            << R"({"a": {"b": {"c": 1}, "b/c": 2}, "a/b": {"c": 3}, "a/b/c": 4})"
            << QStringList{"a/b/c = 1", "a/\"b/c\" = 2", "\"a/b\"/c = 3", "\"a/b/c\" = 4"};
        QTest::newRow("a key that spells a quoted one")
            << "{\"eval\": {\"acc\": 1}, \"eval/acc\": 2, \"\\\"eval/acc\\\"\": 3}"
            << QStringList{"eval/acc = 1", "\"eval/acc\" = 2", "\"\\\"eval/acc\\\"\" = 3"};
        QTest::newRow("other scripts")
            << R"({"配置": {"学习率": 0.01}})" << QStringList{"配置/学习率 = 0.01"};
    }
    void nestedMapsAreJoinedWithSlashes() {
        QFETCH(QString, json);
        QFETCH(QStringList, flat);
        const auto nested = base::parseJson(json.toStdString());
        QVERIFY(nested);
        QCOMPARE(linesOf(flatten(*nested->asObject())), flat);
    }

    void nestedAndLiteralParametersAreToldApart() {
        const auto nested = base::parseJson(caseText("C19-nested-slash/trial/params.json"));
        QCOMPARE(linesOf(Configuration(*nested->asObject()).flat()),
                 (QStringList{"opt/lr = 0.01", "opt/betas = [0.9,0.999]", "\"opt/lr\" = \"literal\""}));
    }

    void equalityIsThatOfValues_data() {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::addColumn<bool>("equal");
        QTest::newRow("0.1 written otherwise") << "[0.1]"
                                               << "[1.0e-1]" << true;
        QTest::newRow("0.1 with all digits") << "[0.1]"
                                             << "[0.10000000000000001]" << true;
        QTest::newRow("number and text") << "[0.1]"
                                         << "[\"0.1\"]" << false;
        QTest::newRow("NaN is one value") << "[NaN]"
                                          << "[NaN]" << true;
        QTest::newRow("NaN and null") << "[NaN]"
                                      << "[null]" << false;
        QTest::newRow("whole and real") << "[1]"
                                        << "[1.0]" << false;
        QTest::newRow("both zeros") << "[0.0]"
                                    << "[-0.0]" << true;
        QTest::newRow("order of keys") << R"({"a": 1, "b": {"c": 1, "d": 2}})"
                                       << R"({"b": {"d": 2, "c": 1}, "a": 1})" << true;
        QTest::newRow("order of a list") << "[1, 2]"
                                         << "[2, 1]" << false;
        QTest::newRow("null and missing") << R"({"a": null})"
                                          << "{}" << false;
        QTest::newRow("beyond 2^53") << "[9007199254740993]"
                                     << "[9007199254740992]" << false;
    }
    void equalityIsThatOfValues() {
        QFETCH(QString, left);
        QFETCH(QString, right);
        QFETCH(bool, equal);
        const auto a = base::parseJson(left.toStdString());
        const auto b = base::parseJson(right.toStdString());
        QVERIFY(a && b);
        QCOMPARE(canonicalText(*a) == canonicalText(*b), equal);
    }
};

QTEST_APPLESS_MAIN(ConfigurationTest)
#include "configuration_test.moc"
