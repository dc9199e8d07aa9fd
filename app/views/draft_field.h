// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/new_experiment_presenter.h"

#include <QLabel>
#include <QWidget>

namespace trialdeck::app::views {

/// A row of the form: name, editor, the key that it stands for, and under it what is wrong with it.
class DraftField : public QWidget {
    Q_OBJECT

public:
    /// @param path  canonical path of the value in experiment.yaml; empty for what does not stand there
    /// @param editor  any widget; owned by the field
    DraftField(const QString& path, QWidget* editor, QWidget* parent = nullptr);

    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] QWidget* editor() const { return m_editor; }
    /// In the user's language; also the editor's accessible name.
    void setName(const QString& name);
    void setHelp(const QString& help);
    /// The worst one is marked; all are shown.
    void showProblems(const std::vector<presenters::FieldProblem>& problems);

private:
    QString m_path;
    QLabel* m_name;
    QWidget* m_editor;
    QLabel* m_problem;
};

/// Shows findings as lines under an editor and marks it; shared by fields and tables.
void showProblems(QLabel& label, QWidget& editor, const std::vector<presenters::FieldProblem>& problems);

} // namespace trialdeck::app::views
