// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/new_experiment_presenter.h"
#include "app/views/draft_field.h"
#include "app/views/draft_templates.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>

#include <QVBoxLayout>

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace trialdeck::app::views {

class ParameterTable;
class StopTable;
class YamlHighlighter;

/// "New experiment": four parts and the experiment.yaml that they stand for; each fills the other.
class NewExperimentPage : public QWidget {
    Q_OBJECT

public:
    NewExperimentPage(presenters::NewExperimentPresenter& presenter, std::vector<DraftTemplate> templates,
                      QWidget* parent = nullptr);
    ~NewExperimentPage() override;

    [[nodiscard]] presenters::NewExperimentPresenter& presenter() { return m_presenter; }
    /// Reads the file into the draft; tells where it cannot.
    void openYaml(const QString& fileName);

signals:
    void closeWanted();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A field and how it meets the draft.
    struct Binding {
        DraftField* field;
        std::function<void()> read;
    };

    [[nodiscard]] QWidget* makeHeader();
    [[nodiscard]] QWidget* makeFooter();
    [[nodiscard]] QWidget* makeWhatCard();
    [[nodiscard]] QWidget* makeSpaceCard();
    [[nodiscard]] QWidget* makeSearchCard();
    [[nodiscard]] QWidget* makePlaceCard();
    [[nodiscard]] QWidget* makeYamlCard();
    [[nodiscard]] QFrame* makeCard(QLabel*& title, QVBoxLayout*& layout);
    /// Name and help of each field, by its path.
    [[nodiscard]] static std::map<QString, std::pair<QString, QString>> fieldWords();
    DraftField* addLine(QVBoxLayout& layout, const QString& path, const QString& placeholder);
    DraftField* addChoice(QVBoxLayout& layout, const QString& path, const QStringList& values);
    void readPlaces();
    void readFields();
    void readYaml();
    void showCheck();
    void retranslate();
    void chooseFile();
    void showProblemLines();
    void fitForm();
    void arrange();

    presenters::NewExperimentPresenter& m_presenter;
    std::vector<DraftTemplate> m_templates;
    std::vector<Binding> m_bindings;
    QLabel* m_title;
    QLabel* m_titles[5]{};
    QLabel* m_hint;
    QComboBox* m_template;
    QPushButton* m_open;
    QPlainTextEdit* m_command;
    QPlainTextEdit* m_environment;
    ParameterTable* m_parameters;
    StopTable* m_stop;
    QPlainTextEdit* m_yaml;
    YamlHighlighter* m_highlighter;
    QLabel* m_yamlProblems;
    QScrollArea* m_problemsScroll;
    QScrollArea* m_scroll;
    QComboBox* m_where;
    DraftField* m_whereField;
    QLabel* m_whereNote;
    QLabel* m_preview;
    QLabel* m_firstCommand;
    QLabel* m_errors;
    QPushButton* m_cancel;
    QPushButton* m_copy;
    QPushButton* m_try;
    QPushButton* m_start;
    QWidget* m_columns[2]{};
    QWidget* m_yamlCard = nullptr;
    QVBoxLayout* m_yamlFrame = nullptr;
    QHBoxLayout* m_body = nullptr;
    QGridLayout* m_grid;
};

} // namespace trialdeck::app::views
