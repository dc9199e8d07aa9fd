// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "tests/support/compare.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::base;

class JsonTest : public QObject {
    Q_OBJECT
private slots:
    void writesBackWhatItReads_data() {
        QTest::addColumn<QByteArray>("text");
        const QList<QByteArray> texts = {
            "null",
            "true",
            "-9223372036854775808",
            "18446744073709551615",
            "9007199254740993",
            "0.1",
            "1e+300",
            "-0.0",
            "NaN",
            "Infinity",
            "-Infinity",
            "\"\\u0001\\n\\\"\\\\\"",
            R"({"b":1,"a":[1,2.0,{"x":null}],"损失":"值"})",
            "[]",
            "{}",
        };
        for (const QByteArray& text : texts)
            QTest::newRow(text.constData()) << text;
    }
    void writesBackWhatItReads() {
        QFETCH(QByteArray, text);
        const auto value = parseJson(text.toStdString());
        QVERIFY(value.has_value());
        QCOMPARE(toJson(*value), text.toStdString());
        QCOMPARE(toJson(parseJson(toPrettyJson(*value)).value()), text.toStdString());
    }

    void readsNumbersExactly_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("value");
        const auto add = [](const char* text, const char* value) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(value);
        };
        add("0e41", "0.0");
        add("[-0e300]", "[-0.0]");
        add("0.00000000000000000000000000e99", "0.0");
        add("1e-400", "0.0");
        add("5e-324", "5e-324");
        add("2.2250738585072011e-308", "2.225073858507201e-308");
        add("1.7976931348623157e308", "1.7976931348623157e+308");
        add("0.1000000000000000055511151231257827021181583404541015625", "0.1");
        add("9007199254740993.0", "9007199254740992.0");
        add("18446744073709551616", "18446744073709551616.0");
        add("123456789012345678901234567890", "1.2345678901234568e+29");
        add("{\"a\":1E2}", "{\"a\":100.0}");
    }
    void readsNumbersExactly() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, value);
        QCOMPARE(toJson(parseJson(text.toStdString()).value()), value.toStdString());
    }

    void halfASurrogatePairIsReplaced_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("value");
        const auto add = [](const char* name, const char* text, const char* value) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(value);
        };
        add("first half", R"("a\ud800b")", "\"a�b\"");
        add("second half", R"("\uDEAa")", "\"�\"");
        add("in a key", R"({"\udce4":1})", "{\"�\":1}");
        add("turned round", R"("\udc00\ud800")", "\"��\"");
        add("first half twice", R"("\ud83d\ud83d\ude00")", "\"�😀\"");
        add("whole pair", R"("\ud83d\ude00")", "\"😀\"");
        add("no escape", R"("\\ud800")", R"("\\ud800")");
        add("half before another escape", R"("\ud800\n")", "\"�\\n\"");
    }
    void halfASurrogatePairIsReplaced() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, value);
        QCOMPARE(toJson(parseJson(text.toStdString()).value()), value.toStdString());
    }

    void refusesByName_data() {

        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("empty") << QByteArray("") << QByteArray("bad_json");
        QTest::newRow("trailing text") << QByteArray("1 2") << QByteArray("bad_json");
        QTest::newRow("zero byte") << QByteArray("1\0", 2) << QByteArray("bad_json");
        QTest::newRow("cut") << QByteArray("{\"a\":") << QByteArray("bad_json");
        QTest::newRow("bad utf-8") << QByteArray("\"\xff\"") << QByteArray("bad_utf8");
        QTest::newRow("half an escape") << QByteArray("\"\\ud8\"") << QByteArray("bad_json");
        QTest::newRow("500,000 brackets") << QByteArray(500000, '[') << QByteArray("too_deep");
        QTest::newRow("too large") << QByteArray(2000000, ' ') << QByteArray("too_large");
    }
    void refusesByName() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        const auto value = parseJson(text.toStdString(), {.maxBytes = 1000000, .maxDepth = 64});
        QVERIFY(!value);
        QCOMPARE(std::string(nameOf(value.error().code)), code.toStdString());
    }

    void keepsTheLastOfTwoEqualKeys() {
        QCOMPARE(toJson(parseJson(R"({"a":1,"a":2})").value()), std::string(R"({"a":2})"));
    }

    void keepsTheLastOfEqualKeysAmongMany() {
        std::string text = "{\"first\":0";
        for (int i = 0; i < 100'000; ++i)
            text += ",\"k" + std::to_string(i) + "\":1";
        text += ",\"first\":2}";
        const auto value = parseJson(text);
        QVERIFY(value.has_value());
        QCOMPARE(value->asObject()->size(), size_t{100'001});
        QCOMPARE(toJson(value->asObject()->begin()->second), std::string("2"));
    }

    void wholeNumbersAndRealsStayApart() {
        QVERIFY(parseJson("1").value().isInteger());
        QVERIFY(!parseJson("1.0").value().isInteger());
        QCOMPARE(toJson(Value(1.0)), std::string("1.0"));
    }

    void writesBadBytesAsReplacementCharacters() {
        QCOMPARE(toJson(Value("a\xff\x82z")), std::string("\"a\xEF\xBF\xBD\xEF\xBF\xBDz\""));
    }
};

QTEST_APPLESS_MAIN(JsonTest)
#include "json_test.moc"
