// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <vector>

namespace trialdeck::app::views {

/// A draft to begin with: an example that comes with the program.
struct DraftTemplate {
    /// In English; translated where it is shown (context Templates).
    QString title;
    QString yaml;
    /// Relative paths in it are read from here.
    QString baseDirectory;
};

/// The examples beside the program: share/trialdeck/examples where it is installed, resources/examples in a
/// build tree. Empty where there are none.
/// @param programFolder  the folder that the program lies in
[[nodiscard]] std::vector<DraftTemplate> templatesBeside(const QString& programFolder);
[[nodiscard]] QString translatedTitle(const DraftTemplate& one);

} // namespace trialdeck::app::views
