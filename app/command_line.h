// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <variant>

namespace trialdeck::app {

/// What the window was started to do.
struct CommandLine {
    bool help = false;
    bool version = false;
    bool verbose = false;
    /// An experiment's id or name to show.
    QString open;
    /// An experiment.yaml to start and show.
    QString run;
    /// A folder for pictures of every page.
    QString screenshots;
    /// A file for one picture of the window.
    QString screenshot;
    /// "1024x700": of the window; empty as it was last.
    QString size;
    bool exitWhenFinished = false;
};

/// @return a sentence about what cannot be understood, in English.
[[nodiscard]] std::variant<CommandLine, std::string> parseCommandLine(const QStringList& arguments);
[[nodiscard]] std::string commandLineHelp();

} // namespace trialdeck::app
