// SPDX-License-Identifier: Apache-2.0
// Lets QCOMPARE print the strings that core works with.
#pragma once

#include <QtTest>
#include <string>
#include <string_view>

namespace QTest {

template<>
inline char* toString(const std::string& text) {
    return qstrdup(text.c_str());
}

template<>
inline char* toString(const std::string_view& text) {
    return qstrdup(std::string(text).c_str());
}

} // namespace QTest
