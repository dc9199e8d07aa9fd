// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"
#include "app/presenters/draft_values.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace trialdeck::app::presenters {

/// What is wrong with a field, as a sentence.
struct FieldProblem {
    protocol::Severity severity = protocol::Severity::error;
    QString sentence;
    /// What could stand there instead; empty where nothing is near.
    QString suggestion;
    /// In the YAML; 0 where the draft came from the form.
    int line = 0;
    int column = 0;
};

/// The draft of a new experiment. Form and YAML are two views of it: whatever is edited, the head checks it
/// and the other one follows. Knows no rule of experiments. Owned by the page.
class NewExperimentPresenter : public QObject {
    Q_OBJECT

public:
    /// @param local  the head of this computer, which is chosen at first
    explicit NewExperimentPresenter(client::HeadClient& local, QObject* parent = nullptr);

    /// All heads that there are, that of this computer first. Without the chosen one, that of this computer
    /// is chosen. Each outlives its place in the list.
    void setHeads(std::vector<client::HeadClient*> heads);
    /// Where the experiment could run: this computer, hosts that are connected, and what is chosen.
    [[nodiscard]] std::vector<client::HeadClient*> places() const;
    /// The head that checks the draft and will run it.
    [[nodiscard]] client::HeadClient& head() const { return *m_head; }
    void chooseHead(client::HeadClient& head);
    /// Why nothing can be checked or started: the chosen head is away; empty while it is there.
    [[nodiscard]] QString absence() const;

    /// Text of a field by its canonical path; empty where the default stands.
    [[nodiscard]] QString text(const QString& path) const;
    [[nodiscard]] QString commandText() const;
    /// "NAME=value" lines.
    [[nodiscard]] QString environmentText() const;
    [[nodiscard]] const std::vector<ParameterRow>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::vector<StopRow>& stopRows() const { return m_stopRows; }
    [[nodiscard]] const QString& yaml() const { return m_yaml; }
    [[nodiscard]] const QString& baseDirectory() const { return m_baseDirectory; }

    /// Findings of a path and of all below it.
    [[nodiscard]] std::vector<FieldProblem> problems(const QString& path) const;
    [[nodiscard]] std::vector<FieldProblem> allProblems() const;
    [[nodiscard]] int errorCount() const;
    /// "32 trials, 4 at a time, up to 10 iterations each": empty while nothing is known.
    [[nodiscard]] QString previewText() const;
    /// "train.py --lr 0.0032": the first trial's command line.
    [[nodiscard]] QString firstCommandText() const;
    /// 200 draws of a parameter, or all its values; empty where it has none.
    [[nodiscard]] std::vector<double> draws(const QString& parameter) const;

    [[nodiscard]] bool isChecking() const { return m_checking || m_checkTimer.isActive(); }
    /// Checked as it stands, without errors, and the head is there.
    [[nodiscard]] bool canStart() const;
    [[nodiscard]] bool isStarting() const { return m_starting; }
    /// Whether this head can run a single configuration at all.
    [[nodiscard]] bool offersTryOne() const;
    [[nodiscard]] bool canTryOne() const;
    [[nodiscard]] QString asCommand() const;

    void retranslate();

public slots:
    void setText(const QString& path, const QString& text);
    void setCommandText(const QString& text);
    void setEnvironmentText(const QString& text);
    void setParameters(std::vector<trialdeck::app::presenters::ParameterRow> rows);
    void setStopRows(std::vector<trialdeck::app::presenters::StopRow> rows);
    /// The user types in the YAML.
    void setYaml(const QString& yaml);
    /// A file or template: replaces the draft. Relative paths are read against `baseDirectory`.
    void load(const QString& yaml, const QString& baseDirectory);
    /// A draft that runs this script in its own folder: replaces the draft.
    void beginWithScript(const QString& path);
    void start();
    void tryOne();

signals:
    /// Every field may show something else: a file was loaded or the YAML was edited.
    void fieldsReplaced();
    void yamlReplaced();
    /// Problems, preview and what can be pressed.
    void checked();
    /// Another place is chosen, or others can be.
    void placesChanged();
    void started(const trialdeck::app::client::HeadClient& head, const trialdeck::ExperimentId& experiment);
    /// Nothing was started.
    void failed(const trialdeck::Error& error);

private:
    void draftChanged();
    void check();
    void takeCheck(const protocol::SpecCheckResult& result);
    void readForm(const Value& form);
    void create(bool single);
    void follow(client::HeadClient& head);
    /// Relative paths are read against it: a folder of this computer says nothing to another host.
    [[nodiscard]] std::string headsDirectory() const;
    [[nodiscard]] FieldProblem described(const protocol::Problem& problem) const;

    /// Never empty.
    std::vector<client::HeadClient*> m_heads;
    client::HeadClient* m_head;
    base::Object m_form;
    std::vector<ParameterRow> m_parameters;
    std::vector<StopRow> m_stopRows;
    QString m_yaml;
    QString m_baseDirectory;
    /// The draft is what stands in the YAML; else what stands in the form.
    bool m_yamlLeads = false;
    std::vector<protocol::Problem> m_problems;
    std::optional<protocol::SpecPreview> m_preview;
    std::optional<Error> m_checkFailure;
    QTimer m_checkTimer;
    /// Answers to an older draft are passed over.
    quint64 m_draft = 0;
    bool m_checking = false;
    bool m_starting = false;
};

} // namespace trialdeck::app::presenters
