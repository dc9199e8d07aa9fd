// SPDX-License-Identifier: Apache-2.0
#include "app/text/error_sentences.h"

#include <QCoreApplication>

namespace trialdeck::app::text {

namespace {
struct Errors {
    Q_DECLARE_TR_FUNCTIONS(Errors)
};

QString argument(const Error& error, std::string_view name) {
    const auto found = error.arguments.find(name);
    return found == error.arguments.end() ? QString() : QString::fromStdString(found->second);
}
} // namespace

QString errorSentence(const Error& error) {
    switch (error.code) {
    case ErrorCode::worker_exit:
        return Errors::tr("The program ended with exit code %1.").arg(argument(error, "code"));
    case ErrorCode::worker_signal:
        return Errors::tr("The program was ended by signal %1.").arg(argument(error, "signal"));
    case ErrorCode::worker_out_of_memory:
        return Errors::tr("The program ran out of memory.");
    case ErrorCode::connection_lost:
        return Errors::tr("The connection to the head was lost.");
    case ErrorCode::head_did_not_answer:
        return Errors::tr("The head did not answer.");
    case ErrorCode::head_binary_missing:
        return Errors::tr("The program trialdeck-head was not found beside trialdeck.");
    default:
        break;
    }
    if (!error.detail.empty())
        return QString::fromStdString(error.detail);
    return QString::fromUtf8(nameOf(error.code).data());
}

QString errorDetails(const Error& error) {
    return QString::fromStdString(base::describe(error));
}

} // namespace trialdeck::app::text
