// SPDX-License-Identifier: Apache-2.0
#include "tests/support/compare.h"
#include "tests/unit/model/spec_texts.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::model;

class SpecUnfilledTest : public QObject {
    Q_OBJECT
private slots:
    void whatATemplateLeftIsAFinding_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("finding");
        const auto row = [](const char* field, const char* finding) {
            QTest::newRow(field) << field << finding;
        };
        row("name: <NAME>", "error name <NAME>");
        row("name: sweep-${USER}", "error name ${USER}");
        row("name: your-experiment", "warning name your-experiment");
        row("name: lr-sweep", "");
        row("name: for-your-eyes", "");
        row("name: colour-your", "");
        row("storage_path: /data/<your bucket>", "error storage_path <your bucket>");
        row("storage_path: $HOME/results", "");
        row("storage_path: /data/your-bucket/x", "warning storage_path your-bucket");
        row("storage_path: /data/a$/b", "");
        row("trial: {command: [sh], cwd: '${WORK}/x'}", "error trial.runtime_env.working_dir ${WORK}");
        row("trial: {command: [git, clone, 'https://<TOKEN>@host/x']}", "warning trial.command[2] <TOKEN>");
        row("trial: {command: [aws, s3, cp, x, 's3://YOUR_BUCKET/y']}",
            "warning trial.command[4] YOUR_BUCKET");
        row("trial: {command: [run, --image, ami-xxxxxxxxxx]}", "warning trial.command[2] xxxxxxxxxx");
        row("trial: {command: [sh, -c, 'train <in >out && echo $HOME $X']}", "");
        row("trial: {command: [grep, '(?P<loss>x)(?<acc>y)', xxx.txt]}", "");
        row("trial: {command: [sh], env: {KEY: CHANGE_ME}}",
            "warning trial.runtime_env.env_vars.KEY CHANGE_ME");
        row("trial: {command: [sh], env: {PATH: '/x:$PATH'}}",
            "warning trial.runtime_env.env_vars.PATH $PATH");
        row("trial: {command: [sh], report: {stdout: 'loss (?<loss>.*)'}}", "");
        row("search: {metric: <metric>, mode: min}", "error search.metric <metric>");
    }
    void whatATemplateLeftIsAFinding() {
        QFETCH(QString, field);
        QFETCH(QString, finding);
        std::string yaml = field.toStdString() + "\n";
        if (!field.startsWith("name"))
            yaml += "name: x\n";
        if (!field.startsWith("trial"))
            yaml += "trial: {command: [sh]}\n";
        const SpecCheck check = checkYaml(yaml);
        QStringList found;
        for (const protocol::Problem& problem : check.result.problems) {
            if (problem.code == ErrorCode::yaml_template)
                found << QString("%1 %2 %3")
                             .arg(nameOf(problem.severity).data(), problem.path.c_str(),
                                  problem.arguments.at("text").c_str());
        }
        QCOMPARE(found.join("; "), finding);
        QCOMPARE(check.spec.has_value(), !finding.startsWith("error"));
    }
};

QTEST_APPLESS_MAIN(SpecUnfilledTest)
#include "spec_unfilled_test.moc"
