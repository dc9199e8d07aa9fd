// SPDX-License-Identifier: Apache-2.0
#include "trainer/command_line/command_line.h"

#include "tests/support/compare.h"

using namespace trialdeck;
using namespace trialdeck::trainer::command_line;

namespace {

std::variant<Settings, Ending> parseLine(const QString& line, const std::string& defaultSeed = "") {
    std::vector<std::string> arguments;
    for (const QString& word : line.split(' ', Qt::SkipEmptyParts))
        arguments.push_back(word.toStdString());
    return parse(arguments, defaultSeed);
}

} // namespace

class CommandLineTest : public QObject {
    Q_OBJECT
private slots:
    void readsEveryFlag_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("agreement");
        const char* defaults =
            "lr 0.001 momentum 0.9 batch 32 epochs 10 hidden 512,512 dropout 0.25 seed 1 collective auto";
        QTest::newRow("nothing") << "" << defaults;
        QTest::newRow("all")
            << "--lr 0.5 --momentum 0 --batch 64 --epochs 3 --hidden 8 --dropout 0 --seed 9 --collective tcp"
            << "lr 0.5 momentum 0 batch 64 epochs 3 hidden 8 dropout 0 seed 9 collective tcp";
        QTest::newRow("as Python prints")
            << "--lr 1e-05 --batch 16.0 --epochs=2 --hidden 3,4,5 --seed 18446744073709551615"
            << "lr 1e-05 momentum 0.9 batch 16 epochs 2 hidden 3,4,5 dropout 0.25 seed 18446744073709551615 "
               "collective auto";
    }
    void readsEveryFlag() {
        QFETCH(QString, line);
        QFETCH(QString, agreement);
        const auto parsed = parseLine(line);
        QVERIFY(std::holds_alternative<Settings>(parsed));
        QCOMPARE(QString::fromStdString(std::get<Settings>(parsed).agreement()), agreement);
    }

    void badValuesAreOneSentenceAndExitCode2_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("sentence");
        const auto add = [](const char* line, const char* sentence) {
            QTest::newRow(line) << line << sentence;
        };
        add("--lr abc", "--lr is \"abc\"; it must be a number above 0");
        add("--lr 0", "--lr is \"0\"; it must be a number above 0");
        add("--lr nan", "--lr is \"nan\"; it must be a number above 0");
        add("--lr 1e400", "--lr is \"1e400\"; it must be a number above 0");
        add("--lr 0.1x", "--lr is \"0.1x\"; it must be a number above 0");
        add("--momentum 1", "--momentum is \"1\"; it must be a number from 0 to below 1");
        add("--momentum=-0.1", "--momentum is \"-0.1\"; it must be a number from 0 to below 1");
        add("--dropout 1.0", "--dropout is \"1.0\"; it must be a number from 0 to below 0.999");
        add("--dropout 0.9999999999",
            "--dropout is \"0.9999999999\"; it must be a number from 0 to below 0.999");
        add("--batch 0", "--batch is \"0\"; it must be a whole number from 1 to 1000000");
        add("--batch 2.5", "--batch is \"2.5\"; it must be a whole number from 1 to 1000000");
        add("--epochs 0", "--epochs is \"0\"; it must be a whole number from 1 to 1000000");
        add("--hidden 512,", "--hidden is \"512,\"; it must be the units of up to 64 layers, each 1 to "
                             "65536, such as 512,512");
        add("--hidden 0",
            "--hidden is \"0\"; it must be the units of up to 64 layers, each 1 to 65536, such as 512,512");
        add("--seed=-1", "--seed is \"-1\"; it must be a whole number from 0 to 18446744073709551615");
        add("--collective gloo", "--collective is \"gloo\"; it must be auto or tcp");
    }
    void badValuesAreOneSentenceAndExitCode2() {
        QFETCH(QString, line);
        QFETCH(QString, sentence);
        const auto parsed = parseLine(line);
        QVERIFY(std::holds_alternative<Ending>(parsed));
        QCOMPARE(QString::fromStdString(std::get<Ending>(parsed).text),
                 "trialdeck-train: " + sentence + " (see --help)\n");
        QCOMPARE(std::get<Ending>(parsed).exitCode, 2);
    }

    void unknownAndIncompleteFlagsAreRefused_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"--learning-rate 1", "--lr", "stray", "--lr 1 --lr 2", "-x"})
            QTest::newRow(line) << line;
    }
    void unknownAndIncompleteFlagsAreRefused() {
        QFETCH(QString, line);
        const auto parsed = parseLine(line);
        QVERIFY(std::holds_alternative<Ending>(parsed));
        QCOMPARE(std::get<Ending>(parsed).exitCode, 2);
        QCOMPARE(QString::fromStdString(std::get<Ending>(parsed).text).count('\n'), 1);
    }

    void helpNamesEveryFlag() {
        const auto parsed = parseLine("--help");
        QCOMPARE(std::get<Ending>(parsed).exitCode, 0);
        for (const char* flag : {"--data", "--lr", "--momentum", "--batch", "--epochs", "--hidden",
                                 "--dropout", "--seed", "--collective", "--help"})
            QVERIFY2(std::get<Ending>(parsed).text.find(flag) != std::string::npos, flag);
    }

    void seedOfTheTrialIsTheDefault() {
        QCOMPARE(std::get<Settings>(parseLine("", "77")).hyperparameters.seed, uint64_t{77});
        QCOMPARE(std::get<Settings>(parseLine("--seed 5", "77")).hyperparameters.seed, uint64_t{5});
        QCOMPARE(QString::fromStdString(std::get<Ending>(parseLine("", "seven")).text),
                 QString("trialdeck-train: TRIALDECK_SEED is \"seven\"; it must be a whole number from 0 to "
                         "18446744073709551615 (see --help)\n"));
    }
};

QTEST_APPLESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
