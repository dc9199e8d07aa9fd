// SPDX-License-Identifier: Apache-2.0
#include "app/client/desktop_keychain.h"
#include "app/client/live_head_client.h"
#include "app/command_line.h"
#include "app/presenters/ending.h"
#include "app/presenters/window_presenter.h"
#include "app/text/error_sentences.h"
#include "app/text/languages.h"
#include "app/views/appearance.h"
#include "app/views/main_window.h"
#include "app/views/memory.h"
#include "app/views/photographer.h"
#include "core/base/build_id.h"
#include "core/base/host.h"
#include "core/base/utf8.h"
#include "core/transport/libssh2/ssh_hosts.h"
#include "core/transport/pipe_transport.h"
#include "core/transport/remote/prompt_memory.h"
#include "core/transport/remote/ssh_transport.h"
#include "core/transport/remote/this_computer.h"
#include "core/transport/ssh/ssh_config.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QLibraryInfo>
#include <QSize>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

using namespace trialdeck;
using app::CommandLine;

constexpr int kUsage = 2;
/// trialdeckctl's code for the same.
constexpr int kExperimentFailed = 6;
constexpr const char* kNoDisplay = "trialdeck: there is no display to open a window on: set DISPLAY, connect "
                                   "with ssh -X, or use trialdeckctl "
                                   "in the terminal.\n";

/// Qt aborts with a core file when it finds no display; one sentence and an exit code serve better.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtFatalMsg) {
        std::fputs(kNoDisplay, stderr);
        std::_Exit(kUsage);
    }
    // What comes right before that end, and what is so on every machine without a login session and harms
    // nobody.
    for (const char* known : {"could not connect to display", "Could not load the Qt platform plugin",
                              "XDG_RUNTIME_DIR not set"}) {
        if (text.contains(QLatin1String(known)))
            return;
    }
    if (type != QtDebugMsg && type != QtInfoMsg)
        std::fprintf(stderr, "trialdeck: %s\n", qPrintable(text));
}

bool hasDisplay() {
    const QByteArray platform = qgetenv("QT_QPA_PLATFORM");
    if (platform == "wayland")
        qputenv("QT_QPA_PLATFORM", "wayland;xcb");
    const bool needsNone = platform.startsWith("offscreen") || platform.startsWith("minimal") ||
                           platform.startsWith("vnc") || platform.startsWith("linuxfb");
    return needsNone || !qgetenv("DISPLAY").isEmpty() || !qgetenv("WAYLAND_DISPLAY").isEmpty();
}

void printVersion(bool verbose) {
    std::printf("trialdeck %s (%s)\n", std::string(base::version()).c_str(),
                std::string(base::buildId()).c_str());
    if (!verbose)
        return;
    std::printf(
        "Qt %s, platform %s, input method %s\n", qVersion(), qPrintable(QGuiApplication::platformName()),
        qEnvironmentVariableIsSet("QT_IM_MODULE") ? qgetenv("QT_IM_MODULE").constData() : "by default");
    std::printf("plugins in %s\n", qPrintable(QLibraryInfo::path(QLibraryInfo::PluginsPath)));
}

QString languageOf(const app::views::Memory& memory) {
    app::text::LanguageWishes wishes;
    wishes.chosen = memory.value(QStringLiteral("language")).toString();
    wishes.language = qEnvironmentVariable("LANGUAGE");
    wishes.lcAll = qEnvironmentVariable("LC_ALL");
    wishes.lcMessages = qEnvironmentVariable("LC_MESSAGES");
    wishes.lang = qEnvironmentVariable("LANG");
    const QString language = app::text::windowLanguage(wishes);
    // Without a single Chinese letter the window speaks English, unless Chinese was chosen in it.
    const bool isReadable = app::views::Appearance::hasChineseFont() || wishes.chosen == language;
    return isReadable ? language : QStringLiteral("en");
}

/// Of "1024x700".
std::optional<QSize> sizeFrom(const QString& text) {
    const QSize size(text.section(QLatin1Char('x'), 0, 0).toInt(),
                     text.section(QLatin1Char('x'), 1, 1).toInt());
    return size.isEmpty() ? std::nullopt : std::optional(size);
}

/// What the command line asked for, once the window is there. Ends the application where it says so.
class Errands {
    Q_DECLARE_TR_FUNCTIONS(Errands)
    using WindowPresenter = app::presenters::WindowPresenter;

public:
    Errands(const CommandLine& line, WindowPresenter& presenter, app::views::MainWindow& window,
            app::views::Appearance& appearance, app::views::RareStates::MakeHead makeHead)
        : m_photographer(window, presenter, appearance, std::move(makeHead)) {
        QObject::connect(&m_photographer, &app::views::Photographer::done,
                         [line, &presenter](const QString& failure) {
                             if (!failure.isEmpty())
                                 say(failure);
                             end(failure.isEmpty() ? exitCode(line, presenter) : EXIT_FAILURE);
                         });
        QObject::connect(&presenter, &WindowPresenter::notFound, [line](const QString& wanted) {
            fail(tr("There is no experiment \"%1\".").arg(wanted), line);
        });
        QObject::connect(&presenter, &WindowPresenter::linkChanged, [line, &presenter] {
            if (const auto error = isScripted(line) ? presenter.linkError() : std::nullopt)
                fail(sentenceOf(*error), line);
        });
        if (!line.open.isEmpty())
            presenter.openByText(line.open);
        if (!line.run.isEmpty())
            run(line, presenter);
        if (line.open.isEmpty() && line.run.isEmpty())
            presenter.openNewest();
        if (!line.screenshots.isEmpty()) {
            m_photographer.takeAll(line.screenshots);
        } else if (!line.screenshot.isEmpty() || line.exitWhenFinished) {
            m_photographer.takeOne(line.screenshot, line.exitWhenFinished);
        }
    }

private:
    void run(const CommandLine& line, WindowPresenter& presenter) {
        QFile file(line.run);
        if (!file.open(QIODevice::ReadOnly)) {
            //: %1 is a file, %2 the system's reason
            fail(tr("%1 cannot be read: %2").arg(line.run, file.errorString()), line);
            return;
        }
        const QByteArray bytes = file.readAll();
        if (base::firstInvalidUtf8({bytes.constData(), static_cast<size_t>(bytes.size())})) {
            fail(tr("%1 is not UTF-8 text.").arg(line.run), line);
            return;
        }
        const QString yaml = QString::fromUtf8(bytes);
        const QString folder = QFileInfo(file).absolutePath();
        QObject::connect(&presenter, &WindowPresenter::createFailed,
                         [line](const Error& error) { fail(sentenceOf(error), line); });
        QObject::connect(&presenter, &WindowPresenter::createRefused, [line](const auto& problems) {
            for (const protocol::Problem& problem : problems) {
                if (problem.severity != protocol::Severity::error)
                    continue;
                fail(QStringLiteral("%1:%2:%3: %4")
                         .arg(line.run, QString::number(problem.line), QString::number(problem.column),
                              sentenceOf({problem.code, problem.arguments, {}})),
                     line);
            }
        });
        presenter.whenConnected([&presenter, yaml, folder] { presenter.create(yaml, folder, false); });
    }

    /// Nobody sits before the window: what cannot be done ends it.
    static bool isScripted(const CommandLine& line) {
        return line.exitWhenFinished || !line.screenshot.isEmpty() || !line.screenshots.isEmpty();
    }

    /// Whoever waited for the experiment hears how it ended.
    static int exitCode(const CommandLine& line, const WindowPresenter& presenter) {
        if (!line.exitWhenFinished || !presenter.current())
            return EXIT_SUCCESS;
        const app::presenters::Ending ending = app::presenters::endingOf(*presenter.current());
        for (const QString& sentence : ending.sentences)
            say(sentence);
        return ending.isCompleted ? EXIT_SUCCESS : kExperimentFailed;
    }

    static QString sentenceOf(const Error& error) {
        return QStringLiteral("%1 [%2]").arg(app::text::errorSentence(error),
                                             QString::fromUtf8(base::nameOf(error.code).data()));
    }

    static void say(const QString& sentence) {
        std::fprintf(stderr, "trialdeck: %s\n", sentence.toUtf8().constData());
    }

    static void fail(const QString& sentence, const CommandLine& line) {
        say(sentence);
        if (isScripted(line))
            end(EXIT_FAILURE);
    }

    /// Also before the event loop runs, which would pass over QCoreApplication::exit().
    static void end(int code) {
        QMetaObject::invokeMethod(
            qApp, [code] { QCoreApplication::exit(code); }, Qt::QueuedConnection);
    }

    app::views::Photographer m_photographer;
};

base::Path besideUs(std::string_view program) {
    return base::executablePath().parent_path() / program;
}

/// Makes clients of heads on this computer, whose name follows the window's language.
class LocalHeads {
public:
    LocalHeads(const app::views::Appearance& appearance, const base::Clock& clock, base::Log& log)
        : m_appearance(appearance), m_clock(clock), m_log(log) {}

    [[nodiscard]] std::unique_ptr<app::client::HeadClient> make(base::Environment environment) const {
        return make(std::move(environment), besideUs("trialdeck-head"));
    }

    /// One that has nothing to do with the user's own.
    [[nodiscard]] std::unique_ptr<app::client::HeadClient>
    makeAside(const QString& home, app::views::RareStates::Program program) const {
        base::Environment environment = base::currentEnvironment();
        environment["TRIALDECK_HOME"] = home.toStdString();
        if (program == app::views::RareStates::Program::real)
            return make(std::move(environment));
        return make(std::move(environment), base::Path(home.toStdString()) / "trialdeck-head");
    }

private:
    [[nodiscard]] std::unique_ptr<app::client::HeadClient> make(base::Environment environment,
                                                                base::Path program) const {
        client::ClientOptions options;
        options.name = "trialdeck";
        options.version = base::version();
        options.buildId = base::buildId();
        transport::PipeOptions pipe;
        pipe.program = std::move(program);
        pipe.environment = std::move(environment);
        const auto localName = [] {
            //: Name of the connection to the head on this machine
            return QCoreApplication::translate("Connections", "This computer");
        };
        auto head = std::make_unique<app::client::LiveHeadClient>(
            localName(),
            [pipe](transport::Prompts&) {
                app::client::HostMeans means;
                means.host = std::make_shared<transport::ThisComputer>(pipe.environment);
                return app::client::LiveHeadClient::Way{std::make_unique<transport::PipeTransport>(pipe),
                                                        std::move(means)};
            },
            std::move(options), m_clock, m_log);
        QObject::connect(&m_appearance, &app::views::Appearance::languageChanged, head.get(),
                         [made = head.get(), localName] { made->setName(localName()); });
        return head;
    }

    const app::views::Appearance& m_appearance;
    const base::Clock& m_clock;
    base::Log& m_log;
};

/// A login with what was answered on it, so that a line that comes back asks nobody. Its loop's own.
struct Login {
    Login(const client::SavedConnection& connection, base::FileSystem& files, const base::Clock& clock,
          transport::Prompts& person)
        : prompts(person) {
        transport::SshHostOptions ssh;
        ssh.destination = client::destinationOf(connection);
        ssh.pinned = client::pinnedClient(connection.transport);
        ssh.askpass = besideUs("trialdeck-askpass");
        ssh.environment = base::currentEnvironment();
        host = transport::makeSshHost(std::move(ssh), files, clock, prompts);
    }

    transport::PromptMemory prompts;
    std::unique_ptr<transport::RemoteHost> host;
};

/// Makes clients of heads on other hosts.
class RemoteHeads {
public:
    /// @param files, keychain, clock, log  outlive the clients
    RemoteHeads(base::FileSystem& files, app::client::Keychain& keychain, const base::Clock& clock,
                base::Log& log)
        : m_files(files), m_keychain(keychain), m_clock(clock), m_log(log) {}

    [[nodiscard]] std::unique_ptr<app::client::HeadClient>
    make(const client::SavedConnection& connection) const {
        client::ClientOptions options;
        options.name = "trialdeck";
        options.version = base::version();
        options.buildId = base::buildId();
        options.watchNetwork = true;
        auto head = std::make_unique<app::client::LiveHeadClient>(
            QString::fromStdString(connection.name),
            [&](transport::Prompts& person) { return wayTo(connection, person); }, std::move(options),
            m_clock, m_log);
        head->setKeychain(m_keychain);
        return head;
    }
    /// Which SSH clients a connection can be pinned to.
    [[nodiscard]] static std::vector<client::SshWay> ways() {
        return {client::SshWay::automatic, client::SshWay::libssh2, client::SshWay::system_ssh};
    }

private:
    [[nodiscard]] app::client::LiveHeadClient::Way wayTo(const client::SavedConnection& connection,
                                                         transport::Prompts& person) const {
        auto login = std::make_shared<Login>(connection, m_files, m_clock, person);
        const std::shared_ptr<transport::RemoteHost> host(login, login->host.get());
        transport::SshTransportOptions options;
        options.hostName = connection.host;
        options.remoteHome = connection.remoteHome;
        options.programs = {
            besideUs("trialdeck-head"), {besideUs("trialdeck-train")}, std::string(base::buildId())};
        app::client::HostMeans means;
        means.host = host;
        means.hostName = connection.host;
        means.sync.hostName = connection.host;
        means.sync.programs = options.programs;
        means.sync.askpass = besideUs("trialdeck-askpass");
        means.sync.environment = base::currentEnvironment();
        means.files = &m_files;
        means.clock = &m_clock;
        return {std::make_unique<transport::SshTransport>(host, m_files, m_clock, std::move(options)),
                std::move(means)};
    }

    base::FileSystem& m_files;
    app::client::Keychain& m_keychain;
    const base::Clock& m_clock;
    base::Log& m_log;
};

/// The hosts that ~/.ssh/config names.
QStringList configuredHosts(base::FileSystem& files) {
    transport::SshConfigPlace place;
    place.environment = base::currentEnvironment();
    place.home = base::homeDirectory().value_or(base::Path());
    if (const auto user = place.environment.find("USER"); user != place.environment.end())
        place.localUser = user->second;
    QStringList names;
    for (const std::string& name : transport::listSshHosts(files, place))
        names << QString::fromStdString(name);
    return names;
}

int runWindow(const CommandLine& line) {
    const auto home = base::trialdeckHome();
    const QString memoryFile = home ? QString::fromStdString((*home / "window.ini").native())
                                    : QStringLiteral("trialdeck-window.ini");
    app::views::Memory memory(memoryFile);
    app::views::Appearance appearance;
    if (memory.value(QStringLiteral("theme")).toString() == QLatin1String("dark"))
        appearance.setTheme(app::views::ThemeKind::dark);
    appearance.setLanguage(languageOf(memory));

    const base::SystemClock clock;
    const auto log = base::makeStderrLog(base::LogLevel::error);
    const LocalHeads heads(appearance, clock, *log);
    const auto head = heads.make(base::currentEnvironment());
    app::presenters::WindowPresenter presenter(clock);
    presenter.addHead(*head);
    QObject::connect(&appearance, &app::views::Appearance::languageChanged, &presenter,
                     &app::presenters::WindowPresenter::retranslate);
    base::PosixFileSystem files;
    app::client::DesktopKeychain keychain(*log);
    const RemoteHeads remoteHeads(files, keychain, clock, *log);
    client::SavedConnections saved(
        files, client::savedConnectionsFile(base::currentEnvironment()).value_or(base::Path()));
    app::presenters::ConnectionBook book(
        saved,
        {[&remoteHeads](const client::SavedConnection& connection) { return remoteHeads.make(connection); },
         [&files] { return configuredHosts(files); }, RemoteHeads::ways()},
        presenter);
    app::views::MainWindow window(presenter, appearance, memory, &book);
    if (const auto size = sizeFrom(line.size))
        window.resize(*size);
    const Errands errands(line, presenter, window, appearance, [&heads](const QString& aside, auto program) {
        return heads.makeAside(aside, program);
    });
    window.show();
    head->start();
    // Pictures of the product, not of whoever takes them.
    if (line.screenshots.isEmpty())
        book.open();
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const auto parsed = app::parseCommandLine(arguments);
    if (const auto* mistake = std::get_if<std::string>(&parsed)) {
        std::fprintf(stderr, "trialdeck: %s (see --help)\n", mistake->c_str());
        return kUsage;
    }
    const auto& line = std::get<CommandLine>(parsed);
    if (line.help) {
        std::fputs(app::commandLineHelp().c_str(), stdout);
        return EXIT_SUCCESS;
    }
    if (line.version && !line.verbose) {
        printVersion(false);
        return EXIT_SUCCESS;
    }
    if (!hasDisplay()) {
        std::fputs(kNoDisplay, stderr);
        return kUsage;
    }
    qInstallMessageHandler(endWithoutDisplay);
    QCoreApplication::setApplicationName(QStringLiteral("trialdeck"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(std::string(base::version())));
    QGuiApplication::setDesktopFileName(QStringLiteral("trialdeck"));
    int qtArguments = 1;
    const QApplication application(qtArguments, argv);
    if (line.version) {
        printVersion(true);
        return EXIT_SUCCESS;
    }
    return runWindow(line);
}
