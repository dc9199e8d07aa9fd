// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/experiment_presenter.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QPlainTextEdit;
class QToolButton;
class QTreeWidget;
QT_END_NAMESPACE

namespace trialdeck::app::views {

class YamlHighlighter;

/// How the experiment was set up: its experiment.yaml as the user wrote it, and the environment it was
/// started in.
class SetupTab : public QWidget {
    Q_OBJECT

public:
    explicit SetupTab(presenters::ExperimentPresenter& experiment, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();
    void addEntry(const QString& key, const Value& value);

    presenters::ExperimentPresenter& m_experiment;
    QLabel* m_yamlTitle;
    QLabel* m_environmentTitle;
    QToolButton* m_copy;
    QPlainTextEdit* m_yaml;
    YamlHighlighter* m_highlighter;
    QTreeWidget* m_environment;
};

} // namespace trialdeck::app::views
