// SPDX-License-Identifier: Apache-2.0
#include "core/model/placeholders.h"

#include "tests/support/compare.h"
#include "tests/unit/model/texts.h"

using namespace trialdeck;
using namespace trialdeck::model;

class PlaceholdersTest : public QObject {
    Q_OBJECT

    static QString filled(const std::string& argument) {
        static const Configuration kConfiguration(
            *base::parseJson("{"
                             "\"lr\": 1.0e-05, \"batch\": 64, \"ratio\": 2.0, \"big\": 9007199254740993, "
                             "\"flag\": true, \"none\": null,"
                             "\"name\": \"it's; rm -rf \\\"x\\\"\", \"opt\": {\"lr\": 0.1, \"betas\": [0.9, "
                             "0.999]}, \"opt/lr\": \"literal\","
                             "\"nan\": NaN}")
                 ->asObject());
        const auto command = fillCommand({argument}, kConfiguration, {77, "/x y/params.json"});
        return command ? QString::fromStdString(command->at(0))
                       : QString::fromStdString(base::describe(command.error()));
    }

private slots:
    void argumentsAreFilled_data() {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << "--lr"
                               << "--lr";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("real") << "--lr={lr}"
                              << "--lr=1e-05";
        QTest::newRow("whole has no .0") << "{batch}"
                                         << "64";
        QTest::newRow("whole real keeps it") << "{ratio}"
                                             << "2.0";
        QTest::newRow("beyond 2^53") << "{big}"
                                     << "9007199254740993";
        QTest::newRow("truth") << "{flag}"
                               << "true";
        QTest::newRow("null") << "{none}"
                              << "null";
        QTest::newRow("NaN") << "{nan}"
                             << "NaN";
        QTest::newRow("text stays one argument") << "{name}"
                                                 << "it's; rm -rf \"x\"";
        QTest::newRow("nested") << "{opt/lr}"
                                << "0.1";
        QTest::newRow("literal slash") << "{\"opt/lr\"}"
                                       << "literal";
        QTest::newRow("list") << "{opt/betas}"
                              << "[0.9,0.999]";
        QTest::newRow("map") << "{opt}"
                             << R"({"lr":0.1,"betas":[0.9,0.999]})";
        QTest::newRow("seed") << "{seed}"
                              << "77";
        QTest::newRow("config") << "{config}"
                                << "/x y/params.json";
        QTest::newRow("several") << "{batch}x{batch}-{seed}"
                                 << "64x64-77";
        QTest::newRow("braces") << "{{{batch}}}"
                                << "{64}";
        QTest::newRow("braces only") << "{{}}"
                                     << "{}";
        QTest::newRow("no second pass") << "{{batch}}"
                                        << "{batch}";
        QTest::newRow("unknown") << "{x}"
                                 << "unknown_placeholder:  (argument={x}, placeholder={x})";
    }
    void argumentsAreFilled() {
        QFETCH(QString, argument);
        QFETCH(QString, text);
        if (text.startsWith("unknown_placeholder"))
            QVERIFY(filled(argument.toStdString()).startsWith("unknown_placeholder"));
        else
            QCOMPARE(filled(argument.toStdString()), text);
    }

    void aParameterCalledSeedWins() {
        const Configuration configuration(Object{{"seed", 3}, {"config", "mine"}});
        QCOMPARE(fillCommand({"{seed}", "{config}"}, configuration, {77, "/p"}).value(),
                 (std::vector<std::string>{"3", "mine"}));
    }

    void loneBracesAreRefusedWithTheirPlace_data() {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("offset");
        QTest::newRow("open") << "a{b"
                              << "1";
        QTest::newRow("open at the end") << "ab{"
                                         << "2";
        QTest::newRow("closed") << "ab}c"
                                << "2";
        QTest::newRow("open twice") << "{a{b}"
                                    << "0";
    }
    void loneBracesAreRefusedWithTheirPlace() {
        QFETCH(QString, argument);
        QFETCH(QString, offset);
        const auto pieces = splitArgument(argument.toStdString());
        QVERIFY(!pieces);
        QCOMPARE(pieces.error().code, ErrorCode::unclosed_placeholder);
        QCOMPARE(pieces.error().arguments.at("offset"), offset.toStdString());
    }

    void piecesKnowWhereTheyStand() {
        const auto pieces = splitArgument("--lr={lr}{{x}}{y}");
        const std::vector<ArgumentPiece> expected = {{ArgumentPiece::Kind::text, "--lr=", 0},
                                                     {ArgumentPiece::Kind::placeholder, "lr", 5},
                                                     {ArgumentPiece::Kind::text, "{x}", 9},
                                                     {ArgumentPiece::Kind::placeholder, "y", 14}};
        QVERIFY(pieces.value() == expected);
    }
};

QTEST_APPLESS_MAIN(PlaceholdersTest)
#include "placeholders_test.moc"
