// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/new_experiment_presenter.h"

#include "app/presenters/ctl_command.h"
#include "app/text/error_sentences.h"

#include <QFileInfo>

#include <algorithm>

namespace trialdeck::app::presenters {

namespace {

/// A pause in typing this long asks the head.
constexpr std::chrono::milliseconds kTypingPause{150};

const char kCommandPath[] = "trial.command";
const char kEnvironmentPath[] = "trial.runtime_env.env_vars";

bool isUnder(const std::string& path, const QString& wanted) {
    const QString text = QString::fromStdString(path);
    if (!text.startsWith(wanted))
        return false;
    const QChar next = text.size() > wanted.size() ? text[wanted.size()] : QChar();
    return next.isNull() || next == QLatin1Char('.') || next == QLatin1Char('[');
}

} // namespace

NewExperimentPresenter::NewExperimentPresenter(client::HeadClient& local, QObject* parent)
    : QObject(parent), m_heads({&local}), m_head(&local) {
    m_checkTimer.setSingleShot(true);
    m_checkTimer.setInterval(kTypingPause);
    connect(&m_checkTimer, &QTimer::timeout, this, &NewExperimentPresenter::check);
    follow(local);
}

void NewExperimentPresenter::follow(client::HeadClient& head) {
    connect(&head, &client::HeadClient::statusChanged, this, [this, told = &head] {
        emit placesChanged();
        if (told != m_head)
            return;
        if (told->status().state == client::LinkStatus::State::connected)
            check();
        emit checked();
    });
}

void NewExperimentPresenter::setHeads(std::vector<client::HeadClient*> heads) {
    if (heads.empty() || heads == m_heads)
        return;
    for (client::HeadClient* head : m_heads)
        head->disconnect(this);
    m_heads = std::move(heads);
    for (client::HeadClient* head : m_heads)
        follow(*head);
    if (std::find(m_heads.begin(), m_heads.end(), m_head) == m_heads.end())
        chooseHead(*m_heads.front());
    else
        emit placesChanged();
}

std::vector<client::HeadClient*> NewExperimentPresenter::places() const {
    std::vector<client::HeadClient*> found;
    std::copy_if(m_heads.begin(), m_heads.end(), std::back_inserter(found), [this](client::HeadClient* head) {
        return head == m_heads.front() || head == m_head ||
               head->status().state == client::LinkStatus::State::connected;
    });
    return found;
}

void NewExperimentPresenter::chooseHead(client::HeadClient& head) {
    if (&head == m_head)
        return;
    m_head = &head;
    // What the other one found or promised may not hold here.
    m_problems.clear();
    m_preview.reset();
    m_checkFailure.reset();
    m_checking = false;
    ++m_draft;
    m_checkTimer.stop();
    check();
    emit placesChanged();
    emit checked();
}

QString NewExperimentPresenter::absence() const {
    if (m_head->status().state == client::LinkStatus::State::connected)
        return {};
    //: Why a draft can be neither checked nor started; %1 is a connection such as "This computer"
    return tr("%1 is not connected.").arg(m_head->name());
}

std::string NewExperimentPresenter::headsDirectory() const {
    return m_head->isRemote() ? std::string() : m_baseDirectory.toStdString();
}

QString NewExperimentPresenter::text(const QString& path) const {
    const Value* value = valueAt(m_form, path);
    return value ? textFromScalar(*value) : QString();
}

QString NewExperimentPresenter::commandText() const {
    QStringList words;
    const Value* command = valueAt(m_form, QLatin1String(kCommandPath));
    if (const Array* list = command ? command->asArray() : nullptr) {
        for (const Value& word : *list)
            words << textFromScalar(word);
    }
    return textFromWords(words);
}

QString NewExperimentPresenter::environmentText() const {
    QStringList lines;
    const Value* variables = valueAt(m_form, QLatin1String(kEnvironmentPath));
    if (const Object* map = variables ? variables->asObject() : nullptr) {
        for (const auto& [name, value] : *map)
            lines << QString::fromStdString(name) + QLatin1Char('=') + textFromScalar(value);
    }
    return lines.join(QLatin1Char('\n'));
}

void NewExperimentPresenter::setText(const QString& path, const QString& text) {
    if (text.trimmed().isEmpty())
        clearValueAt(m_form, path);
    else
        setValueAt(m_form, path, scalarFromText(text));
    draftChanged();
}

void NewExperimentPresenter::setCommandText(const QString& text) {
    Array words;
    for (const QString& word : wordsFromText(text))
        words.emplace_back(word.toStdString());
    if (words.empty())
        clearValueAt(m_form, QLatin1String(kCommandPath));
    else
        setValueAt(m_form, QLatin1String(kCommandPath), std::move(words));
    draftChanged();
}

void NewExperimentPresenter::setEnvironmentText(const QString& text) {
    Object variables;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        const QString name = (equals < 0 ? line : line.left(equals)).trimmed();
        variables.set(name.toStdString(), equals < 0 ? std::string() : line.mid(equals + 1).toStdString());
    }
    if (variables.empty())
        clearValueAt(m_form, QLatin1String(kEnvironmentPath));
    else
        setValueAt(m_form, QLatin1String(kEnvironmentPath), std::move(variables));
    draftChanged();
}

void NewExperimentPresenter::setParameters(std::vector<ParameterRow> rows) {
    m_parameters = std::move(rows);
    // A row without a name is still being typed.
    std::vector<ParameterRow> named;
    std::copy_if(m_parameters.begin(), m_parameters.end(), std::back_inserter(named),
                 [](const ParameterRow& row) { return !row.name.trimmed().isEmpty(); });
    if (named.empty())
        m_form.erase("param_space");
    else
        m_form.set("param_space", spaceFromParameters(named));
    draftChanged();
}

void NewExperimentPresenter::setStopRows(std::vector<StopRow> rows) {
    m_stopRows = std::move(rows);
    std::vector<StopRow> named;
    std::copy_if(m_stopRows.begin(), m_stopRows.end(), std::back_inserter(named),
                 [](const StopRow& row) { return !row.metric.trimmed().isEmpty(); });
    if (named.empty())
        m_form.erase("stop");
    else
        m_form.set("stop", stopFromRows(named));
    draftChanged();
}

void NewExperimentPresenter::setYaml(const QString& yaml) {
    if (yaml == m_yaml)
        return;
    m_yaml = yaml;
    m_yamlLeads = true;
    ++m_draft;
    m_checkTimer.start();
    emit checked();
}

void NewExperimentPresenter::load(const QString& yaml, const QString& baseDirectory) {
    m_baseDirectory = baseDirectory;
    m_yaml = yaml;
    m_yamlLeads = true;
    ++m_draft;
    m_checkTimer.stop();
    emit yamlReplaced();
    check();
}

void NewExperimentPresenter::beginWithScript(const QString& path) {
    const QFileInfo script(path);
    const QString suffix = script.suffix().toLower();
    Array command;
    if (suffix == QLatin1String("py"))
        command.emplace_back("python3");
    else if (suffix == QLatin1String("sh") || !script.isExecutable())
        command.emplace_back("bash");
    // Started without an interpreter, a program is looked for in PATH unless its folder is named.
    command.emplace_back((command.empty() ? QStringLiteral("./") : QString()).toStdString() +
                         script.fileName().toStdString());
    m_form = {};
    setValueAt(m_form, QStringLiteral("name"), Value(script.completeBaseName().toStdString()));
    setValueAt(m_form, QLatin1String(kCommandPath), Value(std::move(command)));
    m_parameters.clear();
    m_stopRows.clear();
    m_baseDirectory = script.absolutePath();
    // It lies here.
    chooseHead(*m_heads.front());
    emit fieldsReplaced();
    draftChanged();
}

void NewExperimentPresenter::draftChanged() {
    m_yamlLeads = false;
    ++m_draft;
    m_checkTimer.start();
    emit checked();
}

void NewExperimentPresenter::check() {
    if (m_head->status().state != client::LinkStatus::State::connected)
        return;
    protocol::SpecCheckRequest request;
    request.baseDirectory = headsDirectory();
    if (m_yamlLeads)
        request.yaml = m_yaml.toStdString();
    else
        request.form = Value(m_form);
    m_checking = true;
    m_head->ask<protocol::SpecCheckRequest>(
        this, std::move(request), [this, draft = m_draft](Expected<protocol::SpecCheckResult> result) {
            if (draft != m_draft)
                return;
            m_checking = false;
            m_checkFailure.reset();
            if (result)
                takeCheck(*result);
            else
                m_checkFailure = std::move(result).error();
            emit checked();
        });
}

void NewExperimentPresenter::takeCheck(const protocol::SpecCheckResult& result) {
    m_problems = result.problems;
    m_preview = result.preview;
    if (m_yamlLeads) {
        // A draft that is no map leaves the form as it was.
        if (result.form.asObject()) {
            readForm(result.form);
            emit fieldsReplaced();
        }
        return;
    }
    m_yaml = QString::fromStdString(result.yaml);
    emit yamlReplaced();
}

void NewExperimentPresenter::readForm(const Value& form) {
    m_form = *form.asObject();
    const Value* space = m_form.find("param_space");
    const Value* stop = m_form.find("stop");
    m_parameters = parametersFromSpace(space && space->asObject() ? *space->asObject() : Object());
    m_stopRows = stopRowsFrom(stop && stop->asObject() ? *stop->asObject() : Object());
}

FieldProblem NewExperimentPresenter::described(const protocol::Problem& problem) const {
    return {problem.severity, text::errorSentence(Error{problem.code, problem.arguments, {}}),
            QString::fromStdString(problem.suggestion), problem.line, problem.column};
}

std::vector<FieldProblem> NewExperimentPresenter::problems(const QString& path) const {
    std::vector<FieldProblem> found;
    for (const protocol::Problem& problem : m_problems) {
        if (isUnder(problem.path, path))
            found.push_back(described(problem));
    }
    return found;
}

std::vector<FieldProblem> NewExperimentPresenter::allProblems() const {
    std::vector<FieldProblem> all;
    for (const protocol::Problem& problem : m_problems)
        all.push_back(described(problem));
    if (m_checkFailure)
        all.push_back({protocol::Severity::error, text::errorSentence(*m_checkFailure), {}, 0, 0});
    return all;
}

int NewExperimentPresenter::errorCount() const {
    const auto count =
        std::count_if(m_problems.begin(), m_problems.end(), [](const protocol::Problem& problem) {
            return problem.severity == protocol::Severity::error;
        });
    return static_cast<int>(count) + (m_checkFailure ? 1 : 0);
}

QString NewExperimentPresenter::previewText() const {
    if (!m_preview)
        return {};
    QStringList parts;
    if (m_preview->trials)
        //: Cost preview: how many trials the experiment will have
        parts << tr("%n trial(s)", nullptr,
                    static_cast<int>(std::min<uint64_t>(*m_preview->trials, INT_MAX)));
    else if (errorCount() == 0)
        //: Cost preview: the number of trials is not bounded
        parts << tr("trials until it is stopped");
    if (m_preview->concurrentTrials)
        //: Cost preview: how many trials run side by side
        parts << tr("%n at a time", nullptr,
                    static_cast<int>(std::min<uint64_t>(*m_preview->concurrentTrials, INT_MAX)));
    if (m_preview->iterationsPerTrial)
        //: Cost preview: largest training_iteration of a trial
        parts << tr("up to %n iteration(s) each", nullptr,
                    static_cast<int>(std::min<int64_t>(*m_preview->iterationsPerTrial, INT_MAX)));
    //: Separates the parts of the cost preview
    return parts.join(tr(", "));
}

QString NewExperimentPresenter::firstCommandText() const {
    QStringList words;
    if (m_preview) {
        for (const std::string& word : m_preview->firstCommand)
            words << QString::fromStdString(word);
    }
    return textFromWords(words);
}

std::vector<double> NewExperimentPresenter::draws(const QString& parameter) const {
    std::vector<double> numbers;
    if (!m_preview)
        return numbers;
    for (const protocol::ParameterPreview& preview : m_preview->parameters) {
        if (QString::fromStdString(preview.parameter) != parameter)
            continue;
        for (const Value& value : preview.values) {
            if (const auto number = value.toDouble())
                numbers.push_back(*number);
        }
    }
    return numbers;
}

bool NewExperimentPresenter::canStart() const {
    return !isChecking() && !m_starting && m_preview && errorCount() == 0 &&
           m_head->status().state == client::LinkStatus::State::connected;
}

bool NewExperimentPresenter::canTryOne() const {
    return canStart() && offersTryOne();
}

bool NewExperimentPresenter::offersTryOne() const {
    return m_head->can("try_one");
}

QString NewExperimentPresenter::asCommand() const {
    const QString name = text(QStringLiteral("name"));
    return ctlCommand(*m_head) + QStringLiteral(" run ") +
           textFromWords({(name.isEmpty() ? QStringLiteral("experiment") : name) + QStringLiteral(".yaml")});
}

void NewExperimentPresenter::start() {
    create(false);
}

void NewExperimentPresenter::tryOne() {
    create(true);
}

void NewExperimentPresenter::create(bool single) {
    if (!canStart())
        return;
    m_starting = true;
    emit checked();
    protocol::ExperimentCreateRequest request;
    request.yaml = m_yaml.toStdString();
    request.baseDirectory = headsDirectory();
    request.single = single;
    m_head->ask<protocol::ExperimentCreateRequest>(
        this, std::move(request), [this, head = m_head](Expected<protocol::ExperimentCreateResult> result) {
            m_starting = false;
            if (!result) {
                emit failed(result.error());
            } else if (result->experiment.raw().empty()) {
                m_problems = std::move(result->problems);
            } else {
                emit started(*head, result->experiment);
            }
            emit checked();
        });
}

void NewExperimentPresenter::retranslate() {
    emit checked();
}

} // namespace trialdeck::app::presenters
