// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <map>

namespace trialdeck::app {

std::variant<CommandLine, std::string> parseCommandLine(const QStringList& arguments) {
    CommandLine line;
    const std::map<QString, bool CommandLine::*> flags = {
        {QStringLiteral("--help"), &CommandLine::help},
        {QStringLiteral("-h"), &CommandLine::help},
        {QStringLiteral("--version"), &CommandLine::version},
        {QStringLiteral("-v"), &CommandLine::verbose},
        {QStringLiteral("--exit-when-finished"), &CommandLine::exitWhenFinished}};
    const std::map<QString, QString CommandLine::*> values = {
        {QStringLiteral("--open"), &CommandLine::open},
        {QStringLiteral("--experiment"), &CommandLine::open},
        {QStringLiteral("--run"), &CommandLine::run},
        {QStringLiteral("--screenshots"), &CommandLine::screenshots},
        {QStringLiteral("--size"), &CommandLine::size},
        {QStringLiteral("--screenshot"), &CommandLine::screenshot}};
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString name = arguments[i].section(QLatin1Char('='), 0, 0);
        if (const auto flag = flags.find(arguments[i]); flag != flags.end()) {
            line.*(flag->second) = true;
        } else if (const auto value = values.find(name); value != values.end()) {
            if (name != arguments[i])
                line.*(value->second) = arguments[i].section(QLatin1Char('='), 1);
            else if (i + 1 < arguments.size())
                line.*(value->second) = arguments[++i];
            else
                return "the option " + name.toStdString() + " wants a value";
        } else if (!arguments[i].startsWith(QLatin1Char('-')) && line.run.isEmpty()) {
            line.run = arguments[i];
        } else {
            return "there is no option " + arguments[i].toStdString();
        }
    }
    return line;
}

std::string commandLineHelp() {
    return R"(Usage: trialdeck [OPTION...] [EXPERIMENT.yaml]

Opens the window. An experiment.yaml is started and shown.

  --open ID_OR_NAME       show this experiment (also --experiment)
  --run FILE              start this experiment.yaml and show it
  --screenshots DIR       photograph every page in both languages and themes, then end
  --screenshot FILE       photograph the window once it shows the experiment (with --exit-when-finished: at
                          its end), then end
  --size WIDTHxHEIGHT     size of the window
  --exit-when-finished    end when the experiment has ended; what went wrong is said on standard error
  --version [-v]          versions; with -v also of Qt and its plugins
  --help                  this text

Exit codes: 0 all went well; 1 something could not be done; 2 wrong command line, or no display; 6 with
--exit-when-finished: the experiment ended FAILED or INTERRUPTED.
)";
}

} // namespace trialdeck::app
