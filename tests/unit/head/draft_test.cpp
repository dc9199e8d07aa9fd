// SPDX-License-Identifier: Apache-2.0
#include "core/head/environment_record.h"
#include "core/head/machine_facts.h"
#include "tests/support/compare.h"

#include <QTemporaryDir>

using namespace trialdeck;

class DraftTest : public QObject {
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void findsWhatTheMachineCannotDo_data() {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QStringList>("findings");
        QTest::newRow("runs") << QByteArray("name: a\ntrial: {command: [sh, -c, exit]}\n") << QStringList();
        QTest::newRow("no such command") << QByteArray("name: a\ntrial: {command: [no-such-program]}\n")
                                         << QStringList{"trial.command[0] command_not_found"};
        QTest::newRow("beside an interpreter given relative to the file")
            << QByteArray("name: a\ntrial: {command: [tool], runtime_env: {python: venv/bin/python}}\n")
            << QStringList();
        QTest::newRow("not executable") << QByteArray("name: a\ntrial: {command: [/etc/passwd]}\n")
                                        << QStringList{"trial.command[0] command_not_executable"};
        QTest::newRow("no such folder")
            << QByteArray("name: a\ntrial: {command: [sh], runtime_env: {working_dir: nowhere}}\n")
            << QStringList{"trial.runtime_env.working_dir working_directory_missing"};
        QTest::newRow("name taken") << QByteArray("name: taken\ntrial: {command: [sh]}\n")
                                    << QStringList{"name experiment_name_taken"};
        QTest::newRow("storage is a file")
            << QByteArray("name: a\ntrial: {command: [sh]}\nstorage_path: /etc/passwd/x\n")
            << QStringList{"storage_path storage_not_writable not_a_folder"};
        QTest::newRow("storage takes no folders")
            << QByteArray("name: a\ntrial: {command: [sh]}\nstorage_path: /proc/x\n")
            << QStringList{"storage_path storage_not_writable no_permission"};
        QTest::newRow("a name of the storage is too long")
            << "name: a\ntrial: {command: [sh]}\nstorage_path: /tmp/" + QByteArray(256, 'x') + "/y\n"
            << QStringList{"storage_path storage_not_writable too_long"};
        QTest::newRow("the storage's path is too long")
            << "name: a\ntrial: {command: [sh]}\nstorage_path: /tmp/" +
                   QByteArray("123456789/").repeated(400) + "\n"
            << QStringList{"storage_path storage_not_writable too_long"};
        QTest::newRow("storage in the home by its variable")
            << QByteArray("name: taken\ntrial: {command: [sh]}\nstorage_path: $HOME/trialdeck\n")
            << QStringList{"name experiment_name_taken"};
        QTest::newRow("storage of an unknown user")
            << QByteArray("name: a\ntrial: {command: [sh]}\nstorage_path: ~no-such-user/x\n")
            << QStringList{"storage_path unknown_value ~no-such-user"};
        QTest::newRow("storage behind a variable")
            << QByteArray("name: a\ntrial: {command: [sh]}\nstorage_path: $SCRATCH/x\n")
            << QStringList{"storage_path unknown_value $SCRATCH"};
    }
    void findsWhatTheMachineCannotDo() {
        QFETCH(QByteArray, yaml);
        QFETCH(QStringList, findings);
        const std::string folder = m_folder->path().toStdString();
        QVERIFY(m_files.createDirectories(folder + "/trialdeck/taken").has_value());
        QVERIFY(m_files.createDirectories(folder + "/venv/bin").has_value());
        std::filesystem::copy_file("/bin/sh", folder + "/venv/bin/tool");
        auto check = model::checkYaml(yaml.toStdString());
        QVERIFY2(check.spec.has_value(), "the draft itself has no error");
        head::addMachineFacts(check, m_files, {folder, folder, base::currentEnvironment()});
        QStringList found;
        for (const auto& problem : check.result.problems) {
            if (problem.severity != protocol::Severity::error)
                continue;
            std::string text = problem.path + " " + std::string(nameOf(problem.code));
            for (const auto& [code, argument] : {std::pair(ErrorCode::storage_not_writable, "reason"),
                                                 std::pair(ErrorCode::unknown_value, "value")}) {
                if (problem.code == code)
                    text += " " + problem.arguments.at(argument);
            }
            found << QString::fromStdString(text);
        }
        QCOMPARE(found, findings);
        QCOMPARE(check.spec.has_value(), findings.isEmpty());
    }

    void secretsAreKnownByTheirNames_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("secret");
        for (const char* name :
             {"AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "db_password", "SSH_AUTH_SOCK", "WANDB_API_KEY"})
            QTest::newRow(name) << QByteArray(name) << true;
        for (const char* name : {"PATH", "HOME", "OMP_NUM_THREADS", "LANG"})
            QTest::newRow(name) << QByteArray(name) << false;
    }
    void secretsAreKnownByTheirNames() {
        QFETCH(QByteArray, name);
        QFETCH(bool, secret);
        QCOMPARE(head::isSecretName(name.toStdString()), secret);
    }

    void recordsTheCommitAndWhatWasChanged() {
        const std::string folder = m_folder->path().toStdString();
        runGit(folder, "git init -q . && echo one > a && git add a && "
                       "git -c user.name=n -c user.email=n@example.com commit -qm first && echo two > a");
        const auto check = model::checkYaml("name: a\ntrial: {command: [sh, -c, exit]}\n");
        base::Environment environment = base::currentEnvironment();
        environment["MY_TOKEN"] = "not for the record";
        const Value record =
            head::recordEnvironment(check.spec.value(), {folder, folder, environment}, {}, "1.0");
        QCOMPARE(record.find("git")->find("commit")->asString()->size(), size_t{40});
        QVERIFY(record.find("git")->find("diff")->asString()->find("+two") != std::string::npos);
        QVERIFY(record.find("variables")->find("PATH"));
        QVERIFY(!record.find("variables")->find("MY_TOKEN"));
    }

private:
    static void runGit(const std::string& folder, const char* script) {
        const auto output =
            base::runAndCollect({{"sh", "-c", script}, base::currentEnvironment(), folder, {}, false}, 20000);
        QVERIFY(output.has_value());
        QVERIFY(output->exit.code == 0);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    base::PosixFileSystem m_files;
};

QTEST_APPLESS_MAIN(DraftTest)
#include "draft_test.moc"
