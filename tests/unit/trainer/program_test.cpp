// SPDX-License-Identifier: Apache-2.0
// The program as a process, alone and in gangs, as Trialdeck starts it.
#include "tests/support/compare.h"
#include "tests/unit/trainer/support/small_data_set.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <csignal>
#include <memory>

using namespace trialdeck;
using namespace trialdeck::tests;

namespace {

constexpr int kTimeoutMs = 30'000;
const QString kProgram = TRIALDECK_BIN_DIR "/trialdeck-train";

using Process = std::unique_ptr<QProcess>;
using Variables = QMap<QString, QString>;

QString freePort() {
    QTcpServer server;
    server.listen(QHostAddress::LocalHost, 0);
    return QString::number(server.serverPort());
}

Process start(const QStringList& arguments, const Variables& variables) {
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment;
    environment.insert("PATH", qEnvironmentVariable("PATH"));
    environment.insert("OMP_NUM_THREADS", "1");
    for (const QString& name : {QString("ASAN_OPTIONS"), QString("UBSAN_OPTIONS"), QString("TSAN_OPTIONS")}) {
        if (qEnvironmentVariableIsSet(name.toUtf8().constData()))
            environment.insert(name, qEnvironmentVariable(name.toUtf8().constData()));
    }
    for (auto variable = variables.begin(); variable != variables.end(); ++variable)
        environment.insert(variable.key(), variable.value());
    process->setProcessEnvironment(environment);
    process->start(kProgram, arguments);
    return process;
}

/// All ranks of a gang; the variables of rank K's own folder are made from the common folder.
std::vector<Process> startGang(int size, const QStringList& arguments, const QString& folder = {},
                               const Variables& more = {}) {
    std::vector<Process> ranks;
    const QString port = freePort();
    for (int rank = 0; rank < size; ++rank) {
        Variables variables = more;
        variables["RANK"] = variables["LOCAL_RANK"] = QString::number(rank);
        variables["WORLD_SIZE"] = QString::number(size);
        variables["MASTER_ADDR"] = "127.0.0.1";
        variables["MASTER_PORT"] = port;
        if (!folder.isEmpty()) {
            const QString own = folder + "/rank_" + QString::number(rank);
            QDir().mkpath(own);
            variables["TRIALDECK_REPORT"] = own + "/report.jsonl";
            variables["TRIALDECK_CHECKPOINT_DIR"] = own;
        }
        ranks.push_back(start(arguments, variables));
    }
    return ranks;
}

/// -1 when it did not end by itself in time.
int exitCode(QProcess& process) {
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(kTimeoutMs)) {
        process.kill();
        process.waitForFinished();
        return -1;
    }
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
}

std::vector<int> exitCodes(const std::vector<Process>& ranks) {
    std::vector<int> codes;
    for (const Process& rank : ranks)
        codes.push_back(exitCode(*rank));
    return codes;
}

/// The first epoch's line was printed.
bool hasBegun(QProcess& rankZero) {
    QByteArray output;
    while (!output.contains("epoch ")) {
        if (!rankZero.waitForReadyRead(kTimeoutMs))
            return false;
        output += rankZero.readAllStandardOutput();
    }
    return true;
}

QString fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class ProgramTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { writeDataSet(smallDataSet(400, 80), m_data.path().toStdString()); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void byHandItPrintsOneLineAnEpoch() {
        const Process process = start(arguments({"--epochs", "2"}), {});
        QCOMPARE(exitCode(*process), 0);
        const QStringList lines =
            QString::fromUtf8(process->readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QVERIFY(
            lines[0].startsWith("400 training and 80 test images, layers 36-32-16-4, 1 worker (alone), "));
        const QRegularExpression epoch(
            "^epoch ([12])/2  loss \\d\\.\\d{4}  accuracy [01]\\.\\d{4}  train loss "
            "\\d\\.\\d{4}  \\d+\\.\\d s$");
        QVERIFY2(epoch.match(lines[1]).hasMatch(), qPrintable(lines[1]));
        QVERIFY2(epoch.match(lines[2]).hasMatch(), qPrintable(lines[2]));
        QCOMPARE(process->readAllStandardError(), QByteArray());
    }

    void rankZeroReportsMetricsAndCheckpointInOneLine() {
        const auto ranks =
            startGang(2, arguments({"--epochs", "5"}), m_folder->path(),
                      {{"TRIALDECK_CHECKPOINT_FREQUENCY", "2"}, {"TRIALDECK_CHECKPOINT_AT_END", "1"}});
        QCOMPARE(exitCodes(ranks), (std::vector<int>{0, 0}));
        const QStringList lines = fileText(m_folder->filePath("rank_0/report.jsonl")).split('\n');
        QCOMPARE(lines.size(), 6);
        QCOMPARE(lines.last(), QString());
        QStringList checkpoints;
        for (int i = 0; i < 5; ++i) {
            const QJsonObject report = QJsonDocument::fromJson(lines[i].toUtf8()).object();
            QCOMPARE(report["training_iteration"].toInt(), i + 1);
            for (const char* metric : {"loss", "accuracy", "train_loss", "time_this_iter_s"})
                QVERIFY2(report[metric].isDouble(), metric);
            checkpoints += report["checkpoint"].toString("-");
        }
        QCOMPARE(checkpoints, (QStringList{"-", "epoch_000002", "-", "epoch_000004", "epoch_000005"}));
        QCOMPARE(QDir(m_folder->filePath("rank_0"))
                     .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::Hidden),
                 (QStringList{"epoch_000002", "epoch_000004", "epoch_000005", "report.jsonl"}));
        QVERIFY(!QFile::exists(m_folder->filePath("rank_1/report.jsonl")));
    }

    void resumedProcessesEndWithTheSameBytes() {
        QCOMPARE(exitCodes(startGang(2, arguments({"--epochs", "4"}), m_folder->filePath("whole"))),
                 (std::vector<int>{0, 0}));
        QCOMPARE(exitCodes(startGang(2, arguments({"--epochs", "2"}), m_folder->filePath("begin"))),
                 (std::vector<int>{0, 0}));
        QCOMPARE(exitCodes(
                     startGang(2, arguments({"--epochs", "4"}), m_folder->filePath("rest"),
                               {{"TRIALDECK_RESUME_FROM", m_folder->filePath("begin/rank_0/epoch_000002")}})),
                 (std::vector<int>{0, 0}));
        const QString file = "/rank_0/epoch_000004/trialdeck-train.checkpoint";
        const QString whole = m_folder->filePath("whole") + file;
        QVERIFY(QFile(whole).size() > 1000);
        QCOMPARE(readBytes((m_folder->filePath("rest") + file).toStdString()),
                 readBytes(whole.toStdString()));
        QVERIFY(fileText(m_folder->filePath("rest/rank_0/report.jsonl"))
                    .startsWith("{\"training_iteration\":3,"));
    }

    void damagedCheckpointEndsAllRanksWithASentence() {
        const QString checkpoint = m_folder->filePath("broken");
        QDir().mkpath(checkpoint);
        writeBytes((checkpoint + "/trialdeck-train.checkpoint").toStdString(), "TDTRAIN");
        const auto ranks =
            startGang(2, arguments({}), m_folder->path(), {{"TRIALDECK_RESUME_FROM", checkpoint}});
        QCOMPARE(exitCodes(ranks), (std::vector<int>{1, 1}));
        QCOMPARE(QString::fromUtf8(ranks[0]->readAllStandardError()),
                 "trialdeck-train: checkpoint " + checkpoint +
                     "/trialdeck-train.checkpoint is no checkpoint of trialdeck-train\n");
        QCOMPARE(QString::fromUtf8(ranks[1]->readAllStandardError()),
                 QString("trialdeck-train (rank 1): rank 0 was lost: it ended before its work was done\n"));
    }

    void killedRankEndsTheOthersWithASentence_data() {
        QTest::addColumn<QString>("transport");
        QTest::addColumn<int>("killed");
        for (const char* transport : {"auto", "tcp"}) {
            for (int rank = 0; rank < 3; ++rank)
                QTest::addRow("%s, rank %d", transport, rank) << transport << rank;
        }
    }
    void killedRankEndsTheOthersWithASentence() {
        QFETCH(QString, transport);
        QFETCH(int, killed);
        const auto ranks = startGang(3, arguments({"--epochs", "1000000", "--collective", transport}));
        QVERIFY(hasBegun(*ranks[0]));
        ranks[static_cast<size_t>(killed)]->kill();
        for (int rank = 0; rank < 3; ++rank) {
            QProcess& process = *ranks[static_cast<size_t>(rank)];
            QCOMPARE(exitCode(process), rank == killed ? -2 : 1);
            const QString error = QString::fromUtf8(process.readAllStandardError());
            if (rank != killed)
                QVERIFY2(error.count('\n') == 1 && error.contains("lost"), qPrintable(error));
        }
    }

    void terminatedRanksStopTogetherBetweenBatches_data() {
        QTest::addColumn<QList<int>>("terminated");
        QTest::newRow("all") << QList<int>{0, 1};
        QTest::newRow("rank 0 alone") << QList<int>{0};
        QTest::newRow("rank 1 alone") << QList<int>{1};
    }
    void terminatedRanksStopTogetherBetweenBatches() {
        QFETCH(QList<int>, terminated);
        const auto ranks = startGang(2, arguments({"--epochs", "1000000"}));
        QVERIFY(hasBegun(*ranks[0]));
        for (const int rank : terminated)
            ranks[static_cast<size_t>(rank)]->terminate();
        QCOMPARE(exitCodes(ranks), (std::vector<int>{128 + SIGTERM, 128 + SIGTERM}));
        QVERIFY(ranks[0]->readAllStandardOutput().endsWith("stopped by a signal\n"));
        for (const Process& rank : ranks)
            QCOMPARE(rank->readAllStandardError(), QByteArray());
    }

    void everyMistakeIsOneSentence_data() {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("sentence");
        const auto add = [](const char* name, const QStringList& flags, const char* variable, int code,
                            const char* sentence) {
            QTest::newRow(name) << flags << variable << code << sentence;
        };
        add("value", {"--lr", "-"}, "", 2, "--lr is \"-\"; it must be a number above 0 (see --help)");
        add("rank", {}, "RANK=1", 2, "RANK is \"1\", not a whole number from 0 to 0");
        add("batch", {"--batch", "2"}, "WORLD_SIZE=3 RANK=0 MASTER_ADDR=127.0.0.1 MASTER_PORT=1", 2,
            "--batch is 2, but each of the 3 workers needs a sample of every batch");
        add("data", {"--data", "/no/such"}, "", 1,
            "open /no/such/train-images-idx3-ubyte.gz: No such file or directory");
        add("report file", {}, "TRIALDECK_REPORT=/no/such/report.jsonl", 1,
            "open the report file: open for writing /no/such/report.jsonl: No such file or directory");
    }
    void everyMistakeIsOneSentence() {
        QFETCH(QStringList, flags);
        QFETCH(QString, variable);
        QFETCH(int, code);
        QFETCH(QString, sentence);
        Variables variables;
        for (const QString& word : variable.split(' ', Qt::SkipEmptyParts))
            variables[word.section('=', 0, 0)] = word.section('=', 1);
        const Process process = start(arguments(flags), variables);
        QCOMPARE(exitCode(*process), code);
        QCOMPARE(QString::fromUtf8(process->readAllStandardError()), "trialdeck-train: " + sentence + "\n");
    }

private:
    /// A small network on the small data; later flags must not repeat these.
    QStringList arguments(const QStringList& more) const {
        QStringList all{"--hidden", "32,16", "--lr", "0.02"};
        if (more.contains("--lr"))
            all = QStringList{"--hidden", "32,16"};
        if (!more.contains("--data"))
            all << "--data" << m_data.path();
        return all + more;
    }

    QTemporaryDir m_data;
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(ProgramTest)
#include "program_test.moc"
