// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/connection_words.h"

#include "app/models/visible_text.h"
#include "app/text/durations.h"

#include <QCoreApplication>

namespace trialdeck::app::presenters {

using transport::ConnectionStep;
using transport::Prompt;

namespace {

struct Connection {
    Q_DECLARE_TR_FUNCTIONS(Connection)
};

/// A text of somebody else that may have several lines.
QString shownLines(const std::string& text) {
    QStringList lines;
    for (const QString& line : QString::fromStdString(text).trimmed().split(QLatin1Char('\n')))
        lines << models::visibleText(line);
    return lines.join(QLatin1Char('\n'));
}

QString whoAt(const Prompt& prompt, const QString& connection) {
    const QString host = prompt.host.empty() ? connection : shown(prompt.host);
    return prompt.user.empty() ? host : shown(prompt.user) + QLatin1Char('@') + host;
}

} // namespace

QString shown(const std::string& text) {
    return models::visibleText(QString::fromStdString(text));
}

QString stepName(ConnectionStep step) {
    switch (step) {
    case ConnectionStep::name:
        //: Step of connecting: the host's name is looked up
        return Connection::tr("Name");
    case ConnectionStep::tcp:
        return QStringLiteral("TCP");
    case ConnectionStep::host_key:
        //: Step of connecting over SSH
        return Connection::tr("Host key");
    case ConnectionStep::login:
        //: Step of connecting over SSH
        return Connection::tr("Login");
    case ConnectionStep::shell:
        //: Step of connecting over SSH: the login shell runs a command
        return Connection::tr("Shell");
    case ConnectionStep::home:
        //: Step of connecting: a folder for the head's program is found
        return Connection::tr("Home");
    case ConnectionStep::head:
        //: Step of connecting: the head's program is put there and started
        return Connection::tr("Head");
    case ConnectionStep::version:
        //: Step of connecting: the head has answered and its version fits
        return Connection::tr("Version");
    }
    return {};
}

QString stepMarkWord(StepRow::Mark mark) {
    switch (mark) {
    case StepRow::Mark::waiting:
        //: State of a step of connecting
        return Connection::tr("not yet");
    case StepRow::Mark::running:
        //: State of a step of connecting
        return Connection::tr("under way");
    case StepRow::Mark::done:
        //: State of a step of connecting
        return Connection::tr("done");
    case StepRow::Mark::failed:
        //: State of a step of connecting
        return Connection::tr("failed");
    case StepRow::Mark::kept:
        //: State of a step of connecting: the login before still holds, so that it was not needed
        return Connection::tr("still holds");
    }
    return {};
}

QString stepTime(std::chrono::milliseconds time) {
    if (time < std::chrono::seconds(1))
        //: A time span in milliseconds
        return Connection::tr("%1 ms").arg(time.count());
    return text::duration(std::chrono::duration<double>(time).count());
}

QString linkStateName(client::LinkStatus::State state) {
    switch (state) {
    case client::LinkStatus::State::connecting:
        return QStringLiteral("connecting");
    case client::LinkStatus::State::connected:
        return QStringLiteral("connected");
    case client::LinkStatus::State::lost:
        return QStringLiteral("lost");
    case client::LinkStatus::State::failed:
        return QStringLiteral("failed");
    case client::LinkStatus::State::ended:
        return QStringLiteral("shut down");
    case client::LinkStatus::State::closed:
        return QStringLiteral("disconnected by the user");
    }
    return {};
}

PromptWords promptWords(const client::AskedPrompt& asked, const QString& connection) {
    const Prompt& prompt = asked.prompt;
    PromptWords words;
    words.number = asked.number;
    words.kind = prompt.kind;
    words.echo = prompt.echo;
    words.canRemember = asked.canRemember;
    //: Button that sends a password or another answer
    words.verb = Connection::tr("Log in");
    if (prompt.again)
        words.refusal = Connection::tr("The last answer was refused.");
    switch (prompt.kind) {
    case Prompt::Kind::host_key:
        words.title = Connection::tr("Is this the host you mean?");
        //: %1 is a host
        words.sentence = Connection::tr("%1 is new to this computer. Compare its fingerprint with what its "
                                        "administrator or provider tells you.")
                             .arg(whoAt({{}, {}, prompt.host, {}, {}, {}, false, false}, connection));
        words.key = shown(prompt.keyType) + QLatin1Char(' ') + shown(prompt.fingerprint);
        //: Button: this host key is the right one
        words.verb = Connection::tr("Trust and connect");
        //: %1 is a connection
        words.notice = Connection::tr("%1 is a new host: is its fingerprint the right one?").arg(connection);
        break;
    case Prompt::Kind::password:
        words.field = Connection::tr("Password");
        //: Title of a question; %1 is such as "ada@gpu-head"
        words.title = Connection::tr("Password of %1").arg(whoAt(prompt, connection));
        //: %1 is a connection
        words.notice = Connection::tr("%1 asks for a password.").arg(connection);
        break;
    case Prompt::Kind::passphrase:
        words.field = Connection::tr("Passphrase");
        //: Title of a question
        words.title = Connection::tr("Passphrase of a key");
        //: %1 is a file
        words.sentence = Connection::tr("The key %1 is locked.").arg(shown(prompt.text));
        //: Button that unlocks a key with its passphrase
        words.verb = Connection::tr("Unlock");
        //: %1 is a connection
        words.notice = Connection::tr("%1 needs a key that is locked.").arg(connection);
        break;
    case Prompt::Kind::interactive:
        words.field = Connection::tr("Answer");
        //: Title of a question; %1 is such as "ada@gpu-head"
        words.title = Connection::tr("%1 asks").arg(whoAt(prompt, connection));
        words.sentence = shownLines(prompt.text);
        //: Button that sends the answer to a question of a host
        words.verb = Connection::tr("Answer");
        //: %1 is a connection
        words.notice = Connection::tr("%1 asks you something before it lets you in.").arg(connection);
        break;
    }
    return words;
}

} // namespace trialdeck::app::presenters
