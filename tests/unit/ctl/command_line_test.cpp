// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/command_line.h"

#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::ctl;

namespace {

std::variant<Command, Told> parse(const QString& line) {
    std::vector<std::string> words;
    for (const QString& word : line.split(' ', Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    return parseCommandLine(std::move(words), "0.1.0 (build-1)");
}

Command command(const QString& line) {
    auto parsed = parse(line);
    if (!std::holds_alternative<Command>(parsed))
        qWarning("%s", std::get<Told>(parsed).text.c_str());
    return std::get<Command>(parsed);
}

} // namespace

class CommandLineTest : public QObject {
    Q_OBJECT
private slots:
    void theSshClientCanBeChosen() {
        QVERIFY(!command("--host lab ls").transport);
        QVERIFY(command("--host lab --transport system_ssh ls").transport == client::SshWay::system_ssh);
        QVERIFY(command("--transport libssh2 -v ls").transport == client::SshWay::libssh2);
        QVERIFY(command("ls --transport auto --verbose").verbose);
        QVERIFY(std::holds_alternative<Told>(parse("--transport telnet ls")));
    }

    void everyVerbIsKnown() {
        const std::vector<std::pair<QString, Verb>> lines = {
            {"run a.yaml", Verb::run},
            {"check a.yaml", Verb::check},
            {"ls", Verb::list},
            {"show e", Verb::show},
            {"watch e", Verb::watch},
            {"best e", Verb::best},
            {"export e --csv", Verb::exportTrials},
            {"logs e", Verb::logs},
            {"stop e", Verb::stop},
            {"pause e", Verb::pause},
            {"resume e", Verb::resume},
            {"doctor", Verb::doctor},
            {"shutdown", Verb::shutdown},
            {"--host h sync-up", Verb::syncUp},
            {"--host h sync-down ~/p p", Verb::syncDown},
        };
        for (const auto& [line, verb] : lines) {
            QCOMPARE(command(line).verb, verb);
            QVERIFY(!command(line).json);
            if (verb != Verb::exportTrials)
                QVERIFY(command(line + " --json").json);
        }
    }

    void optionsArriveWhereTheyBelong() {
        const Command run = command("run --detach --try x.yaml");
        QVERIFY(run.detach && run.single);
        QCOMPARE(run.file, std::string("x.yaml"));
        const Command logs = command("logs e --trial 3 --attempt 1 --rank 2 --stderr -f -n 10");
        QCOMPARE(logs.experiment, std::string("e"));
        QCOMPARE(logs.trial.value(), uint32_t{3});
        QCOMPARE(logs.attempt.value(), uint32_t{1});
        QCOMPARE(logs.rank, uint32_t{2});
        QVERIFY(logs.standardError && logs.follow);
        QCOMPARE(logs.lines.value(), uint32_t{10});
        QVERIFY(command("stop e -y").yes);
        QVERIFY(!command("stop e").trial);
        QVERIFY(command("pause e --now --trial 0").now);
        QVERIFY(command("shutdown --stop-trials -y").stopTrials);
        QVERIFY(command("export e --json --reports").reports);
    }

    void patternsAndFoldersStayApart() {
        const Command sync =
            command("--host h sync-up --exclude .git/ --include keep.* src ~/p --exclude *.pt --delete -n");
        QCOMPARE(sync.folders, (std::vector<std::string>{"src", "~/p"}));
        QCOMPARE(sync.include, (std::vector<std::string>{"keep.*"}));
        QCOMPARE(sync.exclude, (std::vector<std::string>{".git/", "*.pt"}));
        QVERIFY(sync.dryRun && sync.removeExtra && !sync.watch);
        QVERIFY(command("--host h sync-up --watch").watch);
    }

    void wrongLinesAreBadInput_data() {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"", "fly", "run", "show", "stop e --trial x", "stop e --trial -1", "ls extra", "export e",
              "export e --csv --json", "logs e --colour", "best e --scope first", "sync-up a b",
              "--host h sync-up a", "--host h sync-up a b c", "--host h sync-up --watch -n",
              "--host h sync-down a b --watch"})
            QTest::newRow(line) << line;
    }
    void wrongLinesAreBadInput() {
        QFETCH(QString, line);
        const auto parsed = parse(line);
        QVERIFY(std::holds_alternative<Told>(parsed));
        QCOMPARE(std::get<Told>(parsed).code, ExitCode::bad_input);
        QVERIFY(std::get<Told>(parsed).text.rfind("error: ", 0) == 0);
    }

    void helpTellsTheExitCodes() {
        const auto parsed = parse("--help");
        QCOMPARE(std::get<Told>(parsed).code, ExitCode::ok);
        QVERIFY(std::get<Told>(parsed).text.find("6 the experiment ended FAILED") != std::string::npos);
        QVERIFY(std::get<Told>(parse("--version")).text.find("0.1.0 (build-1)") != std::string::npos);
        QVERIFY(std::get<Told>(parse("logs --help")).text.find("--stderr") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
