// SPDX-License-Identifier: Apache-2.0
// The pictures of rare states, brought about with the real head.
#include "app/client/live_head_client.h"
#include "app/views/appearance.h"
#include "app/views/rare_states.h"
#include "core/base/build_id.h"
#include "core/transport/pipe_transport.h"
#include "tests/support/compare.h"

#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace trialdeck;
using app::views::RareStates;

namespace {

constexpr int kPatience = 120'000;
const char* const kStates[] = {"connecting",      "no-experiments", "loading", "shut-down",
                               "shut-down-empty", "missing",        "refused", "no-head"};

} // namespace

class RareStatesTest : public QObject {
    Q_OBJECT

private slots:
    void photographsEachStateInEachLookAndEndsItsHead() {
        const base::SystemClock clock;
        const auto log = base::makeStderrLog(base::LogLevel::error);
        app::views::Appearance appearance;
        const QTemporaryDir folder;
        QString home;
        RareStates states(
            [&](const QString& where, RareStates::Program program) {
                home = where;
                base::Environment environment = base::currentEnvironment();
                environment["TRIALDECK_HOME"] = where.toStdString();
                client::ClientOptions options;
                options.name = "test";
                options.buildId = base::buildId();
                const base::Path binaries(TRIALDECK_BIN_DIR);
                transport::PipeOptions pipe;
                pipe.program =
                    binaries / (program == RareStates::Program::real ? "trialdeck-head" : "nothing");
                pipe.environment = environment;
                return std::make_unique<app::client::LiveHeadClient>(
                    QStringLiteral("This computer"),
                    [pipe](transport::Prompts&) {
                        return app::client::LiveHeadClient::Way{
                            std::make_unique<transport::PipeTransport>(pipe), {}};
                    },
                    options, clock, *log);
            },
            clock, appearance, {1280, 800}, folder.path());
        QSignalSpy done(&states, &RareStates::done);
        states.photograph();
        QVERIFY(done.wait(kPatience));
        QCOMPARE(done.front().front().toString(), QString());
        std::vector<QImage> english;
        for (const char* state : kStates) {
            for (const char* look : {"light-en", "dark-en", "light-zh", "dark-zh"}) {
                const QString file = QStringLiteral("%1/state-%2-%3.png")
                                         .arg(folder.path(), QLatin1String(state), QLatin1String(look));
                const QImage picture(file);
                QVERIFY2(picture.size() == QSize(1280, 800), qPrintable(file));
                if (QLatin1String(look) == QLatin1String("light-en"))
                    english.push_back(picture);
            }
        }
        // Each state has a face of its own.
        for (size_t i = 0; i < english.size(); ++i)
            QVERIFY2(std::count(english.begin(), english.end(), english[i]) == 1, kStates[i]);
    }
};

QTEST_MAIN(RareStatesTest)
#include "rare_states_test.moc"
