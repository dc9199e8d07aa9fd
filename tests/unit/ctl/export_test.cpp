// SPDX-License-Identifier: Apache-2.0
// export against a scripted head: nothing that was reported is lost or changed.
#include "core/base/json.h"
#include "tests/support/compare.h"
#include "tests/unit/ctl/scene.h"

#include <QtTest>

using namespace trialdeck;
using tests::Scene;

class ExportTest : public QObject {
    Q_OBJECT
private slots:
    void exportIsExactCsv() {
        Scene scene;
        scene.say(1, 2, "'loss':9007199254740993,'note':'a, b','ok':true,'lr':0.1,'state':null");
        scene.say(1, 3,
                  "'loss':-Infinity,'ok':false,'seen':18446744073709551615,'tiny':5e-324,'shape':[1,2]");
        QCOMPARE(scene.run("export lr-sweep --csv"), 0);
        QCOMPARE(
            scene.terminal.out,
            std::string("trial,state,reason,iteration,seconds,config/opt/lr,loss,lr,seen,tiny,epoch_note,"
                        "ok,shape\r\n"
                        "0,TERMINATED,completed,2,0.0,0.1,0.25,,,,\"é, \"\"x\"\"\",,\r\n"
                        "1,RUNNING,none,3,0.0,0.01,-Infinity,,18446744073709551615,5e-324,,false,"
                        "\"[1,2]\"\r\n"));
        scene.terminal.out.clear();
        QCOMPARE(scene.run("export lr-sweep --csv --reports"), 0);
        const QStringList wanted = {
            "trial,state,reason,iteration,time,config/opt/lr,loss,lr,seen,tiny,epoch_note,note,ok,metric/"
            "state,"
            "shape",
            "0,TERMINATED,completed,1,2026-11-30T14:05:00.000Z,0.1,0.5,,,,\"é, \"\"x\"\"\",,,,",
            "0,TERMINATED,completed,2,2026-11-30T14:05:00.000Z,0.1,0.25,,,,\"é, \"\"x\"\"\",,,,",
            "1,RUNNING,none,1,2026-11-30T14:05:00.000Z,0.01,NaN,,,,\"é, \"\"x\"\"\",,,,",
            "1,RUNNING,none,2,2026-11-30T14:05:00.000Z,0.01,9007199254740993,0.1,,,,\"a, b\",true,null,",
            "1,RUNNING,none,3,2026-11-30T14:05:00.000Z,0.01,-Infinity,,18446744073709551615,5e-324,,,false,,"
            "\"[1,2]\"",
            ""};
        QCOMPARE(QString::fromStdString(scene.terminal.out).split("\r\n"), wanted);
    }

    void reportsOfAResumedTrialAreExactUpToItsCheckpoint() {
        Scene scene;
        scene.say(1, 2, "'loss':9007199254740993,'note':'at the checkpoint'");
        scene.say(1, 3, "'loss':7");
        scene.record(R"("attempt","trial":1,"attempt":1,"workers":1,"node":"a","resume_from":0,)"
                     R"("first_iteration":2)");
        QCOMPARE(scene.run("export lr-sweep --json --reports"), 0);
        const auto exported = base::parseJson(scene.terminal.out);
        const Value& trial = exported.value().find("trials")->asArray()->at(1);
        QCOMPARE(base::toJson(*trial.find("metrics")),
                 std::string("{\"loss\":9007199254740993,\"note\":\"at the checkpoint\"}"));
        QCOMPARE(trial.find("reports")->asArray()->size(), size_t{2});
    }

    void tensOfThousandsOfMetricsAreExportedAndShown() {
        Scene scene;
        std::string fields;
        constexpr int kMetrics = 20000;
        for (int i = 0; i < kMetrics; ++i)
            fields += (i > 0 ? "," : "") + std::string("'m") + std::to_string(i) + "':" + std::to_string(i);
        scene.say(1, 2, fields);
        scene.say(1, 3, fields);
        QCOMPARE(scene.run("export lr-sweep --csv --reports"), 0);
        QVERIFY(QString::fromStdString(scene.terminal.out).endsWith(",19998,19999,\r\n"));
        scene.terminal.out.clear();
        QCOMPARE(scene.run("show lr-sweep"), 0);
        QVERIFY(scene.terminal.out.find("  m19999  iteration") != std::string::npos);
    }

    void whatIsToldTwiceIsCountedOnce() {
        Scene scene;
        // Told when it was planned; here it runs.
        scene.record(R"("attempt","trial":1,"attempt":1,"workers":2,"node":"","first_iteration":0)");
        scene.record(R"("attempt","trial":1,"attempt":1,"workers":2,"node":"node-a","first_iteration":0)");
        for (const char* path : {"weights", "rank_1/weights"})
            scene.record(R"("checkpoint","trial":1,"attempt":1,"index":0,"iteration":1,"files":[{"path":")" +
                         std::string(path) + R"(","bytes":1,"sha256":""}])");
        QCOMPARE(scene.run("export lr-sweep --json"), 0);
        const auto exported = base::parseJson(scene.terminal.out);
        const Value& trial = exported.value().find("trials")->asArray()->at(1);
        QCOMPARE(base::toJson(*trial.find("attempts")), std::string("2"));
        QCOMPARE(base::toJson(*trial.find("checkpoints")), std::string("[0]"));
    }

    void exportIsJsonOfAllTrials() {
        Scene scene;
        QCOMPARE(scene.run("export lr-sweep --json --reports"), 0);
        // Single quotes for the double ones: moc stumbles over raw strings with escapes in them.
        const QStringList wanted = {"'trial':1,'state':'RUNNING'",
                                    "'metrics':{'loss':NaN,'epoch_note':'é, \\'x\\''}",
                                    "{'iteration':1,'time':'2026-11-30T14:05:00.000Z','metrics':{'loss':0.5,'"
                                    "epoch_note':'é, \\'x\\''}}"};
        for (QString text : wanted) {
            text.replace('\'', '"');
            QVERIFY2(QString::fromStdString(scene.terminal.out).contains(text), qPrintable(text));
        }
    }
};

QTEST_APPLESS_MAIN(ExportTest)
#include "export_test.moc"
