// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/connection_draft.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace trialdeck::app::presenters {

using trialdeck::client::SavedConnection;

namespace {

struct Draft {
    Q_DECLARE_TR_FUNCTIONS(ConnectionDraft)
};

/// The parts of "[ssh://][user@]host[:port]"; an IPv6 address with a port stands in brackets.
struct TypedHost {
    QString user;
    QString host;
    QString port;
};

TypedHost typedHost(const QString& typed) {
    TypedHost parts;
    QString rest = typed.trimmed();
    const QLatin1String scheme("ssh://");
    if (rest.startsWith(scheme)) {
        rest.remove(0, scheme.size());
        rest = rest.section(QLatin1Char('/'), 0, 0);
    }
    if (const qsizetype at = rest.lastIndexOf(QLatin1Char('@')); at >= 0) {
        parts.user = rest.left(at);
        rest.remove(0, at + 1);
    }
    if (rest.startsWith(QLatin1Char('['))) {
        const qsizetype close = rest.indexOf(QLatin1Char(']'));
        parts.host = rest.mid(1, close - 1);
        parts.port = rest.mid(close + 1).section(QLatin1Char(':'), 1);
    } else if (rest.count(QLatin1Char(':')) == 1) {
        parts.host = rest.section(QLatin1Char(':'), 0, 0);
        parts.port = rest.section(QLatin1Char(':'), 1);
    } else {
        parts.host = rest;
    }
    return parts;
}

/// As an argument of ssh it would be another thing than a name.
bool isNoName(const QString& text) {
    return text.startsWith(QLatin1Char('-')) || std::any_of(text.begin(), text.end(), [](QChar letter) {
               return letter.isSpace() || letter.category() == QChar::Other_Control;
           });
}

bool isPort(const QString& text) {
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    return isNumber && number >= 1 && number <= 65535;
}

QString homeRead(const QString& path) {
    return path.startsWith(QLatin1String("~/")) ? QDir::homePath() + path.mid(1) : path;
}

} // namespace

ConnectionDraft ConnectionDraft::of(const SavedConnection& connection) {
    ConnectionDraft draft;
    draft.base = connection;
    draft.host = QString::fromStdString(connection.host);
    draft.user = QString::fromStdString(connection.user);
    draft.port = connection.port ? QString::number(*connection.port) : QString();
    draft.identityFile = QString::fromStdString(connection.identityFile);
    draft.jump = QString::fromStdString(connection.jump);
    draft.name = connection.name == connection.host ? QString() : QString::fromStdString(connection.name);
    draft.remoteHome = QString::fromStdString(connection.remoteHome);
    draft.transport = connection.transport;
    return draft;
}

SavedConnection ConnectionDraft::connection() const {
    const TypedHost typed = typedHost(host);
    const auto given = [](const QString& field, const QString& fromHost) {
        return (field.trimmed().isEmpty() ? fromHost : field.trimmed()).toStdString();
    };
    SavedConnection connection = base;
    connection.host = typed.host.toStdString();
    connection.user = given(user, typed.user);
    const QString wantedPort = port.trimmed().isEmpty() ? typed.port : port.trimmed();
    connection.port.reset();
    if (isPort(wantedPort))
        connection.port = static_cast<uint16_t>(wantedPort.toInt());
    connection.identityFile = identityFile.trimmed().toStdString();
    connection.jump = jump.trimmed().toStdString();
    connection.name = given(name, typed.host);
    connection.remoteHome = remoteHome.trimmed().toStdString();
    connection.transport = transport;
    return connection;
}

QString ConnectionDraft::problem(Field field, const std::function<bool(const QString&)>& isNameTaken) const {
    const TypedHost typed = typedHost(host);
    switch (field) {
    case Field::host:
        if (isNoName(typed.host) || (typed.host.isEmpty() && !host.trimmed().isEmpty()))
            return Draft::tr("A host's name has no blanks and does not begin with a hyphen.");
        if (!typed.port.isEmpty() && !isPort(typed.port))
            return Draft::tr("A port is a number from 1 to 65535.");
        if (!typed.user.isEmpty() && isNoName(typed.user))
            return Draft::tr("A user's name has no blanks and does not begin with a hyphen.");
        break;
    case Field::user:
        if (isNoName(user.trimmed()))
            return Draft::tr("A user's name has no blanks and does not begin with a hyphen.");
        break;
    case Field::port:
        if (!port.trimmed().isEmpty() && !isPort(port.trimmed()))
            return Draft::tr("A port is a number from 1 to 65535.");
        break;
    case Field::identityFile:
        if (!identityFile.trimmed().isEmpty() && !QFileInfo(homeRead(identityFile.trimmed())).isFile())
            return Draft::tr("There is no such file on this computer.");
        break;
    case Field::jump:
        if (isNoName(jump.trimmed()))
            return Draft::tr("A host's name has no blanks and does not begin with a hyphen.");
        break;
    case Field::name:
        if (isNameTaken(QString::fromStdString(connection().name)))
            return Draft::tr("There is a connection of this name already. Give this one another.");
        break;
    case Field::remoteHome:
        if (!remoteHome.trimmed().isEmpty() && !remoteHome.trimmed().startsWith(QLatin1Char('/')) &&
            !remoteHome.trimmed().startsWith(QLatin1Char('~')))
            return Draft::tr("A folder on the host begins with / or ~.");
        break;
    }
    return {};
}

bool ConnectionDraft::canConnect(const std::function<bool(const QString&)>& isNameTaken) const {
    constexpr Field kAll[] = {Field::host, Field::user, Field::port,      Field::identityFile,
                              Field::jump, Field::name, Field::remoteHome};
    return !typedHost(host).host.isEmpty() && std::all_of(std::begin(kAll), std::end(kAll), [&](Field field) {
        return problem(field, isNameTaken).isEmpty();
    });
}

} // namespace trialdeck::app::presenters
