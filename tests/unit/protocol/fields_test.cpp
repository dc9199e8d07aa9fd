// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/fields.h"

#include "core/base/json.h"
#include "core/protocol/messages.h"
#include "tests/support/compare.h"

#include <QtTest>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

struct Inner {
    std::string text = "default";
    std::vector<int> numbers;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v.required("text", s.text);
        v("numbers", s.numbers);
    }
};

struct Everything {
    bool flag = false;
    int8_t tiny = 0;
    uint32_t medium = 0;
    int64_t large = 0;
    uint64_t huge = 0;
    double real = 0;
    std::string text;
    ExperimentId experiment;
    TrialId trial;
    TrialState state = TrialState::pending;
    ErrorCode code = ErrorCode::internal;
    base::ErrorArguments arguments;
    Error error;
    base::WallTime time;
    std::optional<double> maybe;
    std::vector<std::string> words;
    Inner inner;
    std::vector<Inner> inners;
    Value value;
    Object object;
    base::Bytes bytes;
    template<typename V, typename S>
    static void fields(V& v, S& s) {
        v("flag", s.flag);
        v("tiny", s.tiny);
        v("medium", s.medium);
        v("large", s.large);
        v("huge", s.huge);
        v("real", s.real);
        v("text", s.text);
        v("experiment", s.experiment);
        v("trial", s.trial);
        v("state", s.state);
        v("code", s.code);
        v("arguments", s.arguments);
        v("error", s.error);
        v("time", s.time);
        v("maybe", s.maybe);
        v("words", s.words);
        v("inner", s.inner);
        v("inners", s.inners);
        v("value", s.value);
        v("object", s.object);
        v("bytes", s.bytes);
    }
};

Everything full() {
    Everything all;
    all.flag = true;
    all.tiny = -128;
    all.medium = std::numeric_limits<uint32_t>::max();
    all.large = std::numeric_limits<int64_t>::min();
    all.huge = std::numeric_limits<uint64_t>::max();
    all.real = 0.1;
    all.text = "损失";
    all.experiment = ExperimentId("e-1");
    all.trial = TrialId(7);
    all.state = TrialState::terminated;
    all.code = ErrorCode::disk_full;
    all.arguments = {{"path", "/data"}};
    all.error = Error{ErrorCode::worker_exit, {{"code", "1"}}, "trial 7"};
    all.time = base::parseIso8601("2026-11-30T14:05:09.123Z").value();
    all.maybe = 2.5;
    all.words = {"a", "b"};
    all.inner = {"inner", {1, 2}};
    all.inners = {{"x", {}}, {"y", {3}}};
    all.value = Array{1, nullptr};
    all.object = {{"lr", 0.1}};
    return all;
}

Value parsed(const QString& json) {
    return base::parseJson(json.toStdString()).value();
}

} // namespace

class FieldsTest : public QObject {
    Q_OBJECT
private slots:
    void structsBecomeMapsWithTheirFieldsInOrder() {
        Object object = encode(full());
        object.erase("bytes");
        QCOMPARE(QString::fromStdString(base::toJson(object)),
                 QString::fromUtf8(
                     R"({"flag":true,"tiny":-128,"medium":4294967295,"large":-9223372036854775808,)"
                     R"("huge":18446744073709551615,"real":0.1,"text":"损失","experiment":"e-1","trial":7,)"
                     R"("state":"TERMINATED","code":"disk_full","arguments":{"path":"/data"},)"
                     R"("error":{"code":"worker_exit","arguments":{"code":"1"},"detail":"trial 7"},)"
                     R"("time":"2026-11-30T14:05:09.123Z","maybe":2.5,"words":["a","b"],)"
                     R"("inner":{"text":"inner","numbers":[1,2]},)"
                     R"("inners":[{"text":"x","numbers":[]},{"text":"y","numbers":[3]}],"value":[1,null],)"
                     R"("object":{"lr":0.1}})"));
    }

    void structsComeBackAsTheyWere() {
        Everything all = full();
        all.bytes.data = std::string("\0\xff", 2);
        const Object object = encode(all);
        const auto decoded = decode<Everything>(object);
        QVERIFY(decoded.has_value());
        QVERIFY(encode(*decoded) == object);
    }

    void anAbsentOptionalIsNotSent() { QVERIFY(encode(Everything{}).find("maybe") == nullptr); }

    void missingAndNullFieldsKeepTheirDefaults() {
        const auto decoded = decode<Inner>(Object{{"text", "x"}, {"numbers", nullptr}});
        QVERIFY(decoded.has_value());
        QVERIFY(decoded->numbers.empty());
    }

    void unknownFieldsArePassedOver() {
        QVERIFY(decode<Inner>(Object{{"of the future", Array{}}, {"text", "x"}}).has_value());
    }

    void aWholeNumberDoesForADouble() { QCOMPARE(decode<Everything>(Object{{"real", 3}})->real, 3.0); }

    void anErrorCodeOfTheFutureIsStillAnError() {
        const auto decoded =
            decode<Everything>(Object{{"error", Object{{"code", "moon_is_full"}, {"detail", "no parking"}}}});
        QCOMPARE(decoded->error.code, ErrorCode::internal);
        QCOMPARE(decoded->error.detail, std::string("moon_is_full: no parking"));
    }

    void wrongFieldsAreNamed_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* json, const char* error) {
            QTest::newRow(json) << QString(json) << QString(error);
        };
        row(R"({"flag":1})", "wrong_type flag: boolean, found integer");
        row(R"({"tiny":128})", "wrong_type tiny: integer from -128 to 127, found 128");
        row(R"({"medium":-1})", "wrong_type medium: integer from 0 to 4294967295, found -1");
        row(R"({"large":18446744073709551615})",
            "wrong_type large: integer from -9223372036854775808 to 9223372036854775807, found "
            "18446744073709551615");
        row(R"({"large":1.0})",
            "wrong_type large: integer from -9223372036854775808 to 9223372036854775807, found number");
        row(R"({"real":"1"})", "wrong_type real: number, found text \"1\"");
        row(R"({"text":[]})", "wrong_type text: text, found list");
        row(R"({"experiment":5})", "wrong_type experiment: text, found integer");
        row(R"({"trial":"5"})", "wrong_type trial: integer from 0 to 4294967295, found text \"5\"");
        row(R"({"state":"DONE"})",
            "wrong_type state: one of the names that PROTOCOL.md lists, found text \"DONE\"");
        row(R"({"time":"yesterday"})",
            "wrong_type time: time such as 2026-11-30T14:05:09.123Z, found text \"yesterday\"");
        row(R"({"arguments":{"path":1}})", "wrong_type arguments.path: text, found integer");
        row(R"({"words":["a",2]})", "wrong_type words[1]: text, found integer");
        row(R"({"words":{}})", "wrong_type words: list, found map");
        row(R"({"inner":[]})", "wrong_type inner: map, found list");
        row(R"({"inner":{}})", "missing_field inner.text: , found ");
        row(R"({"inners":[{"text":"x"},{"text":"y","numbers":[1,null]}]})",
            "wrong_type inners[1].numbers[1]: integer from -2147483648 to 2147483647, found null");
        row(R"({"bytes":"text"})", "wrong_type bytes: bytes, found text \"text\"");
        row(R"({"object":null,"value":null,"inner":{"text":null}})", "missing_field inner.text: , found ");
    }
    void wrongFieldsAreNamed() {
        QFETCH(QString, json);
        QFETCH(QString, error);
        const Value value = parsed(json);
        const auto decoded = decode<Everything>(*value.asObject());
        QVERIFY(!decoded);
        base::ErrorArguments arguments = decoded.error().arguments;
        QCOMPARE(QString::fromStdString(std::string(nameOf(decoded.error().code)) + " " + arguments["field"] +
                                        ": " + arguments["expected"] + ", found " + arguments["found"]),
                 error);
    }

    void everyMessageTakesItsOwnMap() {
#define TRIALDECK_CHECK(Message)                                                                             \
    {                                                                                                        \
        const Object object = encode(Message{});                                                             \
        const auto decoded = decode<Message>(object);                                                        \
        QVERIFY2(decoded.has_value(), #Message);                                                             \
        QVERIFY2(encode(*decoded) == object, #Message);                                                      \
    }
        TRIALDECK_REQUESTS(TRIALDECK_CHECK)
        TRIALDECK_RESULTS(TRIALDECK_CHECK)
        TRIALDECK_EVENTS(TRIALDECK_CHECK)
        TRIALDECK_MESSAGE_PARTS(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }
};

QTEST_APPLESS_MAIN(FieldsTest)
#include "fields_test.moc"
