// SPDX-License-Identifier: Apache-2.0
#include "core/base/value.h"
#include "tests/support/compare.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::base;

class ValueTest : public QObject {
    Q_OBJECT
private slots:
    void numbersConvertOnlyWhereNothingIsLost() {
        QCOMPARE(Value(3.0).toInteger().value(), int64_t{3});
        QVERIFY(!Value(3.5).toInteger());
        QVERIFY(!Value(9223372036854775808.0).toInteger());
        QVERIFY(!Value(std::numeric_limits<uint64_t>::max()).toInteger());
        QVERIFY(!Value("3").toInteger());
        QCOMPARE(Value(std::numeric_limits<uint64_t>::max()).toDouble().value(), 18446744073709551616.0);
    }

    void equalityTellsKindsApartAndKnowsNan() {
        QVERIFY(Value(1) != Value(1.0));
        QVERIFY(Value(uint64_t{1}) == Value(int64_t{1}));
        QVERIFY(Value(std::nan("")) == Value(std::nan("")));
        QVERIFY((Value(Object{{"a", 1}}) != Value(Object{{"a", 2}})));
    }

    void objectKeepsItsOrderAndReplacesInPlace() {
        Object object{{"b", 1}, {"a", 2}};
        object.set("b", 3);
        object.set("c", 4);
        object.erase("a");
        std::string keys;
        for (const auto& [key, value] : object)
            keys += key + std::to_string(value.toInteger().value()) + " ";
        QCOMPARE(keys, std::string("b3 c4 "));
        QVERIFY(!object.find("a"));
    }
};

QTEST_APPLESS_MAIN(ValueTest)
#include "value_test.moc"
