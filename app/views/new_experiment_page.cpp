// SPDX-License-Identifier: Apache-2.0
#include "app/views/new_experiment_page.h"

#include "app/models/visible_text.h"
#include "app/text/error_sentences.h"
#include "app/views/appearance.h"
#include "app/views/elided_label.h"
#include "app/views/parameter_table.h"
#include "app/views/state_mark.h"
#include "app/views/stop_table.h"
#include "app/views/yaml_highlighter.h"
#include "core/base/utf8.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>

namespace trialdeck::app::views {

namespace {

constexpr int kGap = 16;
constexpr int kLeastYaml = 200;
constexpr int kMostProblems = 160;
/// From this width on the form has two columns beside the YAML; from that one the YAML stands beside the
/// form, below it under the form.
constexpr int kThreeColumns = 1240;
constexpr int kTwoColumns = 760;
constexpr qint64 kMaxYamlBytes = qint64{1} << 20;

/// A text field of a few lines in which Tab goes on to the next field.
QPlainTextEdit* makeTextField(int lines, QWidget* parent) {
    auto* edit = new QPlainTextEdit(parent);
    edit->setTabChangesFocus(true);
    edit->setFont(Appearance::fixedFont());
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * lines + 18);
    return edit;
}

/// Sets what a program knows without moving a cursor that stands in the same text.
void setTextQuietly(QLineEdit* edit, const QString& text) {
    if (edit->text() != text)
        edit->setText(text);
}

void setTextQuietly(QPlainTextEdit* edit, const QString& text) {
    if (edit->toPlainText() == text)
        return;
    const QSignalBlocker quiet(edit);
    edit->setPlainText(text);
}

} // namespace

NewExperimentPage::NewExperimentPage(presenters::NewExperimentPresenter& presenter,
                                     std::vector<DraftTemplate> templates, QWidget* parent)
    : QWidget(parent), m_presenter(presenter), m_templates(std::move(templates)) {
    setObjectName(QStringLiteral("newExperimentPage"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(makeHeader());
    m_scroll = new QScrollArea(this);
    QScrollArea* scroll = m_scroll;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(scroll);
    content->setProperty("role", QStringLiteral("canvas"));
    m_grid = new QGridLayout(content);
    m_grid->setContentsMargins(kGap, 0, kGap, kGap);
    m_grid->setSpacing(kGap);
    const auto column = [content](std::initializer_list<QWidget*> cards) {
        auto* widget = new QWidget(content);
        auto* layout = new QVBoxLayout(widget);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(kGap);
        for (QWidget* card : cards)
            layout->addWidget(card);
        layout->addStretch(1);
        return widget;
    };
    m_columns[0] = column({makeWhatCard(), makeSpaceCard()});
    m_columns[1] = column({makeSearchCard(), makePlaceCard()});
    m_yamlCard = makeYamlCard();
    scroll->setWidget(content);
    content->installEventFilter(this);
    m_body = new QHBoxLayout;
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    m_body->addWidget(scroll, 1);
    outer->addLayout(m_body, 1);
    outer->addWidget(makeFooter());

    connect(&m_presenter, &presenters::NewExperimentPresenter::fieldsReplaced, this,
            &NewExperimentPage::readFields);
    connect(&m_presenter, &presenters::NewExperimentPresenter::yamlReplaced, this,
            &NewExperimentPage::readYaml);
    connect(&m_presenter, &presenters::NewExperimentPresenter::checked, this, &NewExperimentPage::showCheck);
    connect(&m_presenter, &presenters::NewExperimentPresenter::placesChanged, this,
            &NewExperimentPage::readPlaces);
    // A file that is dropped on a field is meant for the window.
    for (QLineEdit* edit : findChildren<QLineEdit*>())
        edit->setAcceptDrops(false);
    for (QPlainTextEdit* edit : findChildren<QPlainTextEdit*>())
        edit->setAcceptDrops(false);
    retranslate();
    readFields();
    readYaml();
    showCheck();
    arrange();
}

NewExperimentPage::~NewExperimentPage() = default;

QWidget* NewExperimentPage::makeHeader() {
    auto* header = new QWidget(this);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(kGap, kGap, kGap, kGap);
    m_title = new QLabel(header);
    m_title->setProperty("role", QStringLiteral("title"));
    m_template = new QComboBox(header);
    m_template->setObjectName(QStringLiteral("template"));
    m_open = new QPushButton(header);
    m_open->setObjectName(QStringLiteral("openYaml"));
    m_hint = new ElidedLabel(header);
    m_hint->setProperty("role", QStringLiteral("muted"));
    layout->addWidget(m_title);
    layout->addSpacing(8);
    layout->addWidget(m_template);
    layout->addWidget(m_open);
    layout->addWidget(m_hint, 1);
    connect(m_template, &QComboBox::activated, this, [this](int index) {
        if (index < 1)
            return;
        const DraftTemplate& chosen = m_templates[static_cast<size_t>(index - 1)];
        m_presenter.load(chosen.yaml, chosen.baseDirectory);
    });
    connect(m_open, &QPushButton::clicked, this, &NewExperimentPage::chooseFile);
    return header;
}

QWidget* NewExperimentPage::makeFooter() {
    auto* footer = new QFrame(this);
    footer->setProperty("role", QStringLiteral("footer"));
    auto* layout = new QHBoxLayout(footer);
    layout->setContentsMargins(kGap, 8, kGap, 8);
    m_errors = new QLabel(footer);
    m_errors->setObjectName(QStringLiteral("errorCount"));
    m_errors->setProperty("role", QStringLiteral("bad"));
    m_cancel = new QPushButton(footer);
    m_copy = new QPushButton(footer);
    m_try = new QPushButton(footer);
    m_try->setObjectName(QStringLiteral("tryOne"));
    m_start = new QPushButton(footer);
    m_start->setObjectName(QStringLiteral("start"));
    m_start->setProperty("kind", QStringLiteral("primary"));
    layout->addWidget(m_errors, 1);
    for (QPushButton* button : {m_cancel, m_copy, m_try, m_start})
        layout->addWidget(button);
    connect(m_cancel, &QPushButton::clicked, this, &NewExperimentPage::closeWanted);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_presenter.asCommand()); });
    connect(m_try, &QPushButton::clicked, &m_presenter, &presenters::NewExperimentPresenter::tryOne);
    connect(m_start, &QPushButton::clicked, &m_presenter, &presenters::NewExperimentPresenter::start);
    return footer;
}

QFrame* NewExperimentPage::makeCard(QLabel*& title, QVBoxLayout*& layout) {
    auto* card = new QFrame(this);
    card->setProperty("role", QStringLiteral("panel"));
    layout = new QVBoxLayout(card);
    layout->setContentsMargins(kGap, kGap, kGap, kGap);
    layout->setSpacing(8);
    title = new QLabel(card);
    title->setProperty("role", QStringLiteral("section"));
    layout->addWidget(title);
    return card;
}

DraftField* NewExperimentPage::addLine(QVBoxLayout& layout, const QString& path, const QString& placeholder) {
    auto* edit = new QLineEdit(this);
    edit->setObjectName(path);
    edit->setPlaceholderText(placeholder);
    auto* field = new DraftField(path, edit, this);
    layout.addWidget(field);
    connect(edit, &QLineEdit::textEdited, this,
            [this, path](const QString& text) { m_presenter.setText(path, text); });
    m_bindings.push_back({field, [this, edit, path] { setTextQuietly(edit, m_presenter.text(path)); }});
    return field;
}

DraftField* NewExperimentPage::addChoice(QVBoxLayout& layout, const QString& path,
                                         const QStringList& values) {
    auto* box = new QComboBox(this);
    box->setObjectName(path);
    box->addItems(values);
    auto* field = new DraftField(path, box, this);
    layout.addWidget(field);
    connect(box, &QComboBox::textActivated, this,
            [this, path](const QString& text) { m_presenter.setText(path, text); });
    m_bindings.push_back({field, [this, box, path, values] {
                              const QString text = m_presenter.text(path);
                              const QString shown = text.isEmpty() ? values.first() : text;
                              // A value that the form does not offer is shown all the same.
                              if (box->findText(shown) < 0)
                                  box->addItem(shown);
                              box->setCurrentText(shown);
                          }});
    return field;
}

QWidget* NewExperimentPage::makeWhatCard() {
    QVBoxLayout* layout = nullptr;
    QFrame* card = makeCard(m_titles[0], layout);
    addLine(*layout, QStringLiteral("name"), QStringLiteral("fashion-mnist-lr"));
    m_command = makeTextField(3, card);
    m_command->setObjectName(QStringLiteral("trial.command"));
    auto* command = new DraftField(QStringLiteral("trial.command"), m_command, card);
    layout->addWidget(command);
    connect(m_command, &QPlainTextEdit::textChanged, this,
            [this] { m_presenter.setCommandText(m_command->toPlainText()); });
    m_bindings.push_back({command, [this] {
                              // The words count, not how they are quoted or broken into lines.
                              const QString text = m_presenter.commandText();
                              if (presenters::wordsFromText(m_command->toPlainText()) !=
                                  presenters::wordsFromText(text))
                                  setTextQuietly(m_command, text);
                          }});
    addLine(*layout, QStringLiteral("trial.runtime_env.working_dir"), QStringLiteral("."));
    addLine(*layout, QStringLiteral("trial.runtime_env.python"), QStringLiteral("python3"));
    m_environment = makeTextField(2, card);
    m_environment->setObjectName(QStringLiteral("trial.runtime_env.env_vars"));
    m_environment->setPlaceholderText(QStringLiteral("OMP_NUM_THREADS=1"));
    auto* environment = new DraftField(QStringLiteral("trial.runtime_env.env_vars"), m_environment, card);
    layout->addWidget(environment);
    connect(m_environment, &QPlainTextEdit::textChanged, this,
            [this] { m_presenter.setEnvironmentText(m_environment->toPlainText()); });
    m_bindings.push_back(
        {environment, [this] { setTextQuietly(m_environment, m_presenter.environmentText()); }});
    addLine(*layout, QStringLiteral("trial.num_workers"), QStringLiteral("1"));
    addLine(*layout, QStringLiteral("trial.resources_per_worker.CPU"), QStringLiteral("1"));
    addLine(*layout, QStringLiteral("trial.resources_per_worker.GPU"), QStringLiteral("0"));
    addLine(*layout, QStringLiteral("trial.resources_per_worker.memory"), QStringLiteral("1GiB"));
    return card;
}

QWidget* NewExperimentPage::makeSpaceCard() {
    QVBoxLayout* layout = nullptr;
    QFrame* card = makeCard(m_titles[1], layout);
    m_parameters = new ParameterTable(card);
    m_parameters->setObjectName(QStringLiteral("param_space"));
    layout->addWidget(m_parameters);
    connect(m_parameters, &ParameterTable::edited, this,
            [this] { m_presenter.setParameters(m_parameters->rows()); });
    return card;
}

QWidget* NewExperimentPage::makeSearchCard() {
    QVBoxLayout* layout = nullptr;
    QFrame* card = makeCard(m_titles[2], layout);
    addChoice(*layout, QStringLiteral("search.search_alg"),
              {QStringLiteral("random"), QStringLiteral("grid")});
    addLine(*layout, QStringLiteral("search.num_samples"), QStringLiteral("1"));
    addLine(*layout, QStringLiteral("search.max_concurrent_trials"), QString());
    addLine(*layout, QStringLiteral("search.metric"), QStringLiteral("accuracy"));
    addChoice(*layout, QStringLiteral("search.mode"), {QStringLiteral("max"), QStringLiteral("min")});
    addLine(*layout, QStringLiteral("search.seed"), QString());
    addChoice(*layout, QStringLiteral("scheduler.type"), {QStringLiteral("fifo"), QStringLiteral("asha")});
    addLine(*layout, QStringLiteral("scheduler.max_t"), QStringLiteral("100"));
    m_stop = new StopTable(card);
    auto* stop = new DraftField(QStringLiteral("stop"), m_stop, card);
    layout->addWidget(stop);
    connect(m_stop, &StopTable::edited, this, [this] { m_presenter.setStopRows(m_stop->rows()); });
    m_bindings.push_back({stop, [this] { m_stop->setRows(m_presenter.stopRows()); }});
    addLine(*layout, QStringLiteral("checkpoint_config.checkpoint_frequency"), QStringLiteral("1"));
    addLine(*layout, QStringLiteral("checkpoint_config.num_to_keep"), QString());
    addLine(*layout, QStringLiteral("failure_config.max_failures"), QStringLiteral("0"));
    return card;
}

QWidget* NewExperimentPage::makePlaceCard() {
    QVBoxLayout* layout = nullptr;
    QFrame* card = makeCard(m_titles[3], layout);
    m_where = new QComboBox(card);
    m_where->setObjectName(QStringLiteral("where"));
    m_whereField = new DraftField(QString(), m_where, card);
    m_whereNote = new QLabel(card);
    m_whereNote->setObjectName(QStringLiteral("whereNote"));
    m_whereNote->setWordWrap(true);
    m_whereNote->setTextFormat(Qt::PlainText);
    m_whereNote->setProperty("role", QStringLiteral("muted"));
    layout->addWidget(m_whereField);
    layout->addWidget(m_whereNote);
    connect(m_where, &QComboBox::activated, this, [this](int index) {
        const auto places = m_presenter.places();
        if (index >= 0 && index < static_cast<int>(places.size()))
            m_presenter.chooseHead(*places[static_cast<size_t>(index)]);
    });
    addLine(*layout, QStringLiteral("storage_path"), QStringLiteral("~/trialdeck"));
    m_preview = new QLabel(card);
    m_preview->setObjectName(QStringLiteral("preview"));
    m_preview->setWordWrap(true);
    m_firstCommand = new QLabel(card);
    m_firstCommand->setObjectName(QStringLiteral("firstCommand"));
    m_firstCommand->setWordWrap(true);
    m_firstCommand->setTextFormat(Qt::PlainText);
    m_firstCommand->setProperty("role", QStringLiteral("muted"));
    m_firstCommand->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_preview);
    layout->addWidget(m_firstCommand);
    return card;
}

QWidget* NewExperimentPage::makeYamlCard() {
    QVBoxLayout* layout = nullptr;
    QFrame* card = makeCard(m_titles[4], layout);
    auto* framed = new QWidget(this);
    m_yamlFrame = new QVBoxLayout(framed);
    m_yamlFrame->addWidget(card);
    m_yaml = new QPlainTextEdit(card);
    m_yaml->setObjectName(QStringLiteral("yaml"));
    m_yaml->setTabChangesFocus(true);
    m_yaml->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_yaml->setFont(Appearance::fixedFont());
    m_yaml->setMinimumHeight(120);
    m_highlighter = new YamlHighlighter(m_yaml->document());
    m_highlighter->setTheme(themeOf(*this));
    m_yamlProblems = new QLabel(card);
    m_yamlProblems->setObjectName(QStringLiteral("yamlProblems"));
    m_yamlProblems->setWordWrap(true);
    m_yamlProblems->setTextFormat(Qt::RichText);
    m_yamlProblems->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_yaml, 1);
    m_yamlProblems->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_problemsScroll = new QScrollArea(card);
    m_problemsScroll->setFrameShape(QFrame::NoFrame);
    m_problemsScroll->setWidgetResizable(true);
    m_problemsScroll->setFocusPolicy(Qt::NoFocus);
    m_problemsScroll->setWidget(m_yamlProblems);
    m_problemsScroll->setProperty("role", QStringLiteral("plain"));
    layout->addWidget(m_problemsScroll);
    connect(m_yaml, &QPlainTextEdit::textChanged, this, [this] {
        if (m_yaml->hasFocus())
            m_presenter.setYaml(m_yaml->toPlainText());
    });
    return framed;
}

void NewExperimentPage::readPlaces() {
    QStringList names;
    int chosen = 0;
    for (client::HeadClient* head : m_presenter.places()) {
        if (head == &m_presenter.head())
            chosen = static_cast<int>(names.size());
        names << models::visibleText(head->name());
    }
    QStringList shown;
    for (int i = 0; i < m_where->count(); ++i)
        shown << m_where->itemText(i);
    // An open list stays open while nothing in it changes.
    if (shown != names) {
        m_where->clear();
        m_where->addItems(names);
    }
    m_where->setCurrentIndex(chosen);
    //: In the form of a new experiment; %1 is a host
    m_whereNote->setText(
        tr("Paths are those of %1; relative ones start in the home folder there. The program "
           "must be there already.")
            .arg(names.at(chosen)));
    m_whereNote->setVisible(m_presenter.head().isRemote());
}

void NewExperimentPage::readFields() {
    for (const Binding& binding : m_bindings)
        binding.read();
    m_parameters->setRows(m_presenter.parameters());
}

void NewExperimentPage::readYaml() {
    // Whoever types in the YAML keeps their text: only the form's answer may not overwrite it.
    setTextQuietly(m_yaml, m_presenter.yaml());
}

void NewExperimentPage::showCheck() {
    for (const Binding& binding : m_bindings)
        binding.field->showProblems(m_presenter.problems(binding.field->path()));
    m_parameters->showProblems(m_presenter);
    QStringList lines;
    std::map<int, bool> marked;
    for (const presenters::FieldProblem& problem : m_presenter.allProblems()) {
        const bool isError = problem.severity == protocol::Severity::error;
        if (problem.line > 0)
            marked[problem.line] = marked[problem.line] || isError;
        const QString place = problem.line > 0
                                  //: Place in experiment.yaml: line and column
                                  ? tr("Line %1, column %2: ").arg(problem.line).arg(problem.column)
                                  : QString();
        // A full stop of Chinese brings its own space.
        const QLatin1String space(problem.sentence.endsWith(QChar(u'。')) ? "" : " ");
        const QString suggestion = problem.suggestion.isEmpty()
                                       ? QString()
                                       : space + DraftField::tr("Suggestion: %1").arg(problem.suggestion);
        const Theme& theme = themeOf(*this);
        lines << QStringLiteral("<span style=\"color:%1\">%2</span>")
                     .arg((isError ? theme.bad : theme.warning).name(),
                          (place + problem.sentence + suggestion).toHtmlEscaped());
    }
    m_highlighter->setMarkedLines(std::move(marked));
    m_yamlProblems->setText(lines.join(QStringLiteral("<br>")));
    showProblemLines();
    m_preview->setText(m_presenter.previewText());
    m_firstCommand->setText(m_presenter.firstCommandText());
    m_firstCommand->setVisible(!m_firstCommand->text().isEmpty());
    const int errors = m_presenter.errorCount();
    m_errors->setText(errors > 0                 ? tr("%n place(s) to mend", nullptr, errors)
                      : m_presenter.isChecking() ? tr("Checking…")
                                                 : m_presenter.absence());
    m_where->setEnabled(!m_presenter.isStarting());
    m_start->setEnabled(m_presenter.canStart());
    m_try->setVisible(m_presenter.offersTryOne());
    m_try->setEnabled(m_presenter.canTryOne());
}

void NewExperimentPage::retranslate() {
    m_title->setText(tr("New experiment"));
    m_titles[0]->setText(tr("1  What to run"));
    m_titles[1]->setText(tr("2  Search space"));
    m_titles[2]->setText(tr("3  Search and stopping"));
    m_titles[3]->setText(tr("4  Where and storage"));
    //: Title above the YAML that follows the form
    m_titles[4]->setText(tr("experiment.yaml  live"));
    m_open->setText(tr("Open YAML…"));
    m_hint->setText(tr("You can also drag a script or a YAML file onto the window."));
    const int chosen = std::max(m_template->currentIndex(), 0);
    m_template->clear();
    m_template->addItem(tr("Template…"));
    for (const DraftTemplate& one : m_templates)
        m_template->addItem(translatedTitle(one));
    m_template->setCurrentIndex(chosen);
    m_template->setAccessibleName(tr("Template"));
    m_cancel->setText(tr("Cancel"));
    m_copy->setText(tr("Copy as command"));
    m_try->setText(tr("Try one configuration"));
    m_start->setText(tr("Start"));
    m_yaml->setAccessibleName(QStringLiteral("experiment.yaml"));
    m_parameters->retranslate();
    m_stop->retranslate();
    const std::map<QString, std::pair<QString, QString>> words = fieldWords();
    //: Field: the computer that runs the experiment
    m_whereField->setName(tr("Where"));
    m_whereField->setHelp(tr("This computer, or a host that is connected."));
    readPlaces();
    for (const Binding& binding : m_bindings) {
        const auto& [name, help] = words.at(binding.field->path());
        binding.field->setName(name);
        binding.field->setHelp(help);
    }
}

void NewExperimentPage::chooseFile() {
    auto* dialog = new QFileDialog(this, tr("Open an experiment"), QString(),
                                   tr("YAML files (*.yaml *.yml);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &NewExperimentPage::openYaml);
    dialog->open();
}

void NewExperimentPage::openYaml(const QString& fileName) {
    QFile file(fileName);
    const bool isOpen = file.open(QIODevice::ReadOnly);
    const bool isTooLarge = isOpen && file.size() > kMaxYamlBytes;
    const QByteArray bytes = isOpen && !isTooLarge ? file.readAll() : QByteArray();
    const auto notText = base::firstInvalidUtf8({bytes.constData(), static_cast<size_t>(bytes.size())});
    if (!isOpen || isTooLarge || notText) {
        QString reason = file.errorString();
        if (isTooLarge)
            reason = tr("The file is larger than 1 MiB.");
        else if (notText)
            reason = text::errorSentence({ErrorCode::bad_utf8, {{"offset", std::to_string(*notText)}}, {}});
        m_yamlProblems->setText(
            QStringLiteral("<span style=\"color:%1\">%2</span>")
                .arg(themeOf(*this).bad.name(),
                     tr("%1 could not be read. %2").arg(fileName, reason).toHtmlEscaped()));
        showProblemLines();
        return;
    }
    m_presenter.load(QString::fromUtf8(bytes), QFileInfo(fileName).absolutePath());
}

void NewExperimentPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        m_presenter.retranslate();
    }
    if (event->type() == QEvent::PaletteChange) {
        m_highlighter->setTheme(themeOf(*this));
        showCheck();
    }
    QWidget::changeEvent(event);
}

void NewExperimentPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
    showProblemLines();
}

/// As high as its lines, up to a part of the card; what is more scrolls.
void NewExperimentPage::showProblemLines() {
    const int width = std::max(m_problemsScroll->width(), kLeastYaml) - kGap;
    m_problemsScroll->setVisible(!m_yamlProblems->text().isEmpty());
    m_problemsScroll->setFixedHeight(std::min(m_yamlProblems->heightForWidth(width) + 4, kMostProblems));
}

bool NewExperimentPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        fitForm();
    return QWidget::eventFilter(watched, event);
}

/// Beside the YAML the form is as wide as its fields need; alone it scrolls where it must.
void NewExperimentPage::fitForm() {
    const bool isBeside = m_grid->property("columns").toInt() > 1;
    const int needed =
        m_scroll->widget()->minimumSizeHint().width() + m_scroll->verticalScrollBar()->sizeHint().width();
    m_scroll->setMinimumWidth(isBeside ? needed : 0);
}

void NewExperimentPage::arrange() {
    const int wanted = width() >= kThreeColumns ? 3 : width() >= kTwoColumns ? 2 : 1;
    if (m_grid->property("columns").toInt() == wanted)
        return;
    m_grid->setProperty("columns", wanted);
    for (QWidget* column : m_columns)
        m_grid->removeWidget(column);
    m_grid->removeWidget(m_yamlCard);
    m_body->removeWidget(m_yamlCard);
    const bool isWide = wanted == 3;
    m_grid->addWidget(m_columns[0], 0, 0);
    m_grid->addWidget(m_columns[1], isWide ? 0 : 1, isWide ? 1 : 0);
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, isWide ? 1 : 0);
    // The last row takes what is left over.
    m_grid->setRowStretch(0, isWide ? 1 : 0);
    m_grid->setRowStretch(1, isWide ? 0 : 1);
    if (wanted == 1)
        m_grid->addWidget(m_yamlCard, 2, 0);
    else
        m_body->addWidget(m_yamlCard);
    m_yamlFrame->setContentsMargins(0, 0, wanted == 1 ? 0 : kGap, wanted == 1 ? 0 : kGap);
    m_body->setStretch(0, isWide ? 2 : 5);
    m_body->setStretch(1, isWide ? 1 : 4);
    fitForm();
    updateGeometry();
}

} // namespace trialdeck::app::views
