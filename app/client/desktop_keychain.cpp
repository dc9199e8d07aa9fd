// SPDX-License-Identifier: Apache-2.0
#include "app/client/desktop_keychain.h"

#include "core/base/wipe.h"

#include <qt6keychain/keychain.h>

#include <utility>

namespace trialdeck::app::client {

namespace {

QString service() {
    return QStringLiteral("Trialdeck");
}

/// Starts a job, which deletes itself when it is done.
template<typename Done>
void run(QKeychain::Job* job, const QString& name, Done done) {
    job->setKey(name);
    job->setInsecureFallback(false);
    QObject::connect(job, &QKeychain::Job::finished, job, std::move(done));
    job->start();
}

void logFailure(base::Log& log, const char* deed, const QKeychain::Job& job) {
    if (job.error() != QKeychain::NoError && job.error() != QKeychain::EntryNotFound)
        log.info("keychain", std::string(deed) + ": " + job.errorString().toStdString());
}

} // namespace

void DesktopKeychain::read(const QString& name, Reader reader) {
    auto* job = new QKeychain::ReadPasswordJob(service());
    run(job, name, [this, job, reader = std::move(reader)](QKeychain::Job*) {
        logFailure(m_log, "read", *job);
        if (job->error() == QKeychain::EntryNotFound)
            return reader(Answer::missing, {});
        if (job->error() != QKeychain::NoError)
            return reader(Answer::unavailable, {});
        QByteArray secret = job->binaryData();
        reader(Answer::found, secret.toStdString());
        secret.fill('\0');
    });
}

void DesktopKeychain::write(const QString& name, const std::string& secret) {
    auto* job = new QKeychain::WritePasswordJob(service());
    job->setBinaryData(QByteArray::fromStdString(secret));
    run(job, name, [this](QKeychain::Job* done) { logFailure(m_log, "write", *done); });
}

void DesktopKeychain::remove(const QString& name) {
    run(new QKeychain::DeletePasswordJob(service()), name,
        [this](QKeychain::Job* done) { logFailure(m_log, "remove", *done); });
}

} // namespace trialdeck::app::client
