// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include "tests/support/compare.h"

#include <QtTest>
#include <cerrno>

using namespace trialdeck::base;

class ErrorTest : public QObject {
    Q_OBJECT
private slots:
    void everyCodeIsFoundByItsName() {
#define TRIALDECK_CHECK(name) QCOMPARE(errorCodeFromString(nameOf(ErrorCode::name)).value(), ErrorCode::name);
        TRIALDECK_ERROR_CODES(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
        QVERIFY(!errorCodeFromString("no_such_code"));
    }

    void fullDiskIsToldFromOtherFileErrors() {
        const Error full = fileError(ENOSPC, "/data/journal", "append to");
        QCOMPARE(full.code, ErrorCode::disk_full);
        QCOMPARE(full.arguments.at("path"), std::string("/data/journal"));
        QCOMPARE(fileError(EIO, "/data", "read").code, ErrorCode::file_io);
    }

    void duringPutsTheOuterActionFirst() {
        const Error error =
            Error{ErrorCode::bad_json, {{"offset", "7"}}, "unexpected '}'"}.during("read params.json");
        QCOMPARE(describe(error), std::string("bad_json: read params.json: unexpected '}' (offset=7)"));
    }
};

QTEST_APPLESS_MAIN(ErrorTest)
#include "error_test.moc"
