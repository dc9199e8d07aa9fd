// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/codec.h"

#include "tests/support/compare.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::protocol;
using base::Bytes;

namespace {

std::string bytesOf(const QByteArray& hex) {
    return QByteArray::fromHex(hex).toStdString();
}

Value nested(int depth) {
    Value value = Array{};
    for (int i = 1; i < depth; ++i)
        value = Array{std::move(value)};
    return value;
}

} // namespace

class CodecTest : public QObject {
    Q_OBJECT
private slots:
    void valuesComeBackAsTheyWere() {
        const std::string allBytes = [] {
            std::string bytes;
            for (int i = 0; i < 256; ++i)
                bytes.push_back(static_cast<char>(i));
            return bytes;
        }();
        const std::vector<Value> values = {
            nullptr,
            true,
            false,
            0,
            -1,
            23,
            24,
            255,
            256,
            65536,
            std::numeric_limits<int64_t>::max(),
            std::numeric_limits<int64_t>::min(),
            std::numeric_limits<uint64_t>::max(),
            uint64_t{9007199254740993},
            1.5,
            0.1,
            -0.0,
            1e300,
            5e-324,
            std::numeric_limits<double>::infinity(),
            -std::numeric_limits<double>::infinity(),
            std::nan(""),
            "",
            "loss",
            "损失 📉",
            std::string(70000, 'x'),
            Bytes{},
            Bytes{allBytes},
            Bytes{std::string(100'000, '\n')},
            Array{},
            Object{},
            Array{1, "two", Bytes{"three"}, Array{Bytes{"four"}, 5.0}, Bytes{}},
            Object{{"z", 1}, {"a", Object{{"lines", Bytes{"x\ny\n"}}, {"n", 7}}}, {"m", nullptr}},
        };
        for (const Value& value : values) {
            const auto encoded = encodeCbor(value);
            QVERIFY(encoded.has_value());
            const auto decoded = decodeCbor(*encoded);
            QVERIFY(decoded.has_value());
            QVERIFY2(*decoded == value, kindName(value).data());
        }
    }

    void keysKeepTheirOrder() {
        const auto decoded = decodeCbor(encodeCbor(Object{{"b", 1}, {"a", 2}, {"c", 3}}).value());
        std::string keys;
        for (const auto& entry : *decoded->asObject())
            keys += entry.first;
        QCOMPARE(keys, std::string("bac"));
    }

    void textThatIsNotUtf8IsSentClean() {
        const auto decoded = decodeCbor(encodeCbor(Object{{"k\xff", "a\xffz"}}).value());
        QVERIFY(*decoded == Value(Object{{"k\xef\xbf\xbd", "a\xef\xbf\xbdz"}}));
    }

    void refusesBadBytes_data() {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const char* hex, const char* error) {
            QTest::newRow(name) << QByteArray(hex) << QString(error);
        };
        row("nothing", "", "bad_cbor at 0: ends inside an item");
        row("number cut", "19ff", "bad_cbor at 0: ends inside an item");
        row("list cut", "8201", "bad_cbor at 0: a length beyond the end");
        row("map without its value", "a16161", "bad_cbor at 3: ends inside an item");
        row("bytes behind the item", "0101", "bad_cbor at 1: bytes behind the end of the item");
        row("text longer than the input", "7bffffffffffffffff61", "bad_cbor at 0: a length beyond the end");
        row("bytes longer than the input", "5affffffff00", "bad_cbor at 0: a length beyond the end");
        row("list of 2^64 items", "9bffffffffffffffff00", "bad_cbor at 0: a length beyond the end");
        row("map of 2^63 entries", "bb800000000000000000", "bad_cbor at 0: a length beyond the end");
        row("list of endless length", "9f01ff", "bad_cbor at 0: indefinite or reserved length");
        row("text in chunks", "7f6161ff", "bad_cbor at 0: indefinite or reserved length");
        row("reserved length", "1c", "bad_cbor at 0: indefinite or reserved length");
        row("tag", "c100", "bad_cbor at 0: a tag");
        row("undefined", "f7", "bad_cbor at 0: an unknown simple value");
        row("simple value in two bytes", "f8ff", "bad_cbor at 0: an unknown simple value");
        row("number as a key", "a10101", "bad_cbor at 1: a map key that is not text");
        row("below int64", "3bffffffffffffffff", "bad_cbor at 0: a whole number below the range of int64");
        row("text not UTF-8", "626180", "bad_utf8 at 2: text that is not UTF-8");
        row("key not UTF-8", "a161ff01", "bad_utf8 at 2: text that is not UTF-8");
    }
    void refusesBadBytes() {
        QFETCH(QByteArray, hex);
        QFETCH(QString, error);
        const auto decoded = decodeCbor(bytesOf(hex));
        QVERIFY(!decoded);
        const Error& found = decoded.error();
        QCOMPARE(QString::fromStdString(std::string(nameOf(found.code)) + " at " +
                                        found.arguments.at("offset") + ": " + found.arguments.at("reason")),
                 error);
    }

    void refusesWhatIsNestedTooDeep() {
        QVERIFY(decodeCbor(encodeCbor(nested(kMaxDepth)).value()).has_value());
        QCOMPARE(encodeCbor(nested(kMaxDepth + 1)).error().code, ErrorCode::too_deep);
        QCOMPARE(decodeCbor(std::string(kMaxDepth + 1, '\x81') + '\x01').error().code, ErrorCode::too_deep);
        QCOMPARE(decodeCbor(std::string(500'000, '\x81') + '\x01').error().code, ErrorCode::too_deep);
    }

    void readsShortFloatsOfOtherEncoders() {
        QVERIFY(*decodeCbor(bytesOf("f93c00")) == Value(1.0));
        QVERIFY(*decodeCbor(bytesOf("fa7f800000")) == Value(std::numeric_limits<double>::infinity()));
        QVERIFY(*decodeCbor(bytesOf("f97e00")) == Value(std::nan("")));
        QVERIFY(*decodeCbor(bytesOf("1800")) == Value(0));
    }
};

QTEST_APPLESS_MAIN(CodecTest)
#include "codec_test.moc"
