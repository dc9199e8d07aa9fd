// SPDX-License-Identifier: Apache-2.0
#include "app/views/about_dialog.h"

#include "app/views/icons.h"
#include "app/views/window_actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace trialdeck::app::views {

namespace {

constexpr int kIconSize = 56;
constexpr int kTextWidth = 420;
constexpr int kRowSpacing = 6;
constexpr int kMostHeight = 560;

QPushButton* closeButton(QDialog& dialog) {
    //: Button that closes a dialog without a question
    auto* close = new QPushButton(AboutDialog::tr("Close"));
    close->setObjectName(QStringLiteral("dialogClose"));
    close->setDefault(true);
    QObject::connect(close, &QPushButton::clicked, &dialog, &QDialog::accept);
    return close;
}

} // namespace

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Trialdeck"));
    auto* picture = new QLabel;
    picture->setPixmap(programIcon().pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    auto* name = new QLabel(QStringLiteral("Trialdeck"));
    name->setProperty("role", QStringLiteral("title"));
    auto* version =
        new QLabel(tr("Version %1 · Qt %2")
                       .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())));
    version->setProperty("role", QStringLiteral("muted"));
    version->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* text = new QLabel(tr(
        "Searches hyper-parameters, runs the trials and shows how they learn.\n\nThe sources are under the "
        "Apache License 2.0. This program is linked with Qt Charts and is therefore distributed under the "
        "GNU General Public License, version 3.\n\nNothing is sent anywhere: the window speaks only with "
        "the heads that you connect."));
    text->setWordWrap(true);
    text->setFixedWidth(kTextWidth);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setHorizontalSpacing(16);
    layout->setVerticalSpacing(8);
    layout->addWidget(picture, 0, 0, 2, 1, Qt::AlignTop);
    layout->addWidget(name, 0, 1);
    layout->addWidget(version, 1, 1);
    layout->addWidget(text, 2, 1);
    layout->addWidget(closeButton(*this), 3, 1, Qt::AlignRight);
    layout->setSizeConstraint(QLayout::SetFixedSize);
}

ShortcutsDialog::ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("shortcutsDialog"));
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* list = new QWidget;
    list->setProperty("role", QStringLiteral("canvas"));
    auto* rows = new QGridLayout(list);
    rows->setContentsMargins(0, 0, 16, 0);
    rows->setHorizontalSpacing(32);
    rows->setVerticalSpacing(kRowSpacing);
    const auto addTitle = [&](const QString& title) {
        auto* label = new QLabel(title);
        label->setProperty("role", QStringLiteral("section"));
        label->setContentsMargins(0, rows->count() > 0 ? 8 : 0, 0, 0);
        rows->addWidget(label, rows->rowCount(), 0, 1, 2);
    };
    const auto add = [&](const QString& text, const QString& keys) {
        const int row = rows->rowCount();
        auto* what = new QLabel(text);
        auto* which = new QLabel(keys);
        which->setProperty("role", QStringLiteral("muted"));
        rows->addWidget(what, row, 0);
        rows->addWidget(which, row, 1);
    };
    addTitle(tr("Everywhere"));
    for (const QAction* action : actions)
        add(WindowActions::fullText(*action), action->shortcut().toString(QKeySequence::NativeText));
    addTitle(tr("In a chart"));
    add(tr("From point to point, from curve to curve"), tr("Arrow keys"));
    add(tr("Select the trial of the curve"), tr("Return"));
    add(tr("Zoom"), tr("+ and −, wheel"));
    add(tr("Move the shown part"), tr("Shift and arrow keys, drag"));
    add(tr("Show everything"), tr("0, double click"));
    addTitle(tr("In the trial table"));
    add(tr("Show the trial's log"), tr("Return"));
    add(tr("Stop the trial (asks first)"), tr("Del"));
    add(tr("Copy the selected rows"), QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));
    add(tr("Let go of the selection"), tr("Esc"));
    auto* scroll = new QScrollArea;
    scroll->setWidget(list);
    scroll->setAccessibleName(windowTitle());
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    const int most = parent ? std::min(kMostHeight, parent->height() - 160) : kMostHeight;
    scroll->setMinimumSize(list->sizeHint().width() + scroll->verticalScrollBar()->sizeHint().width(),
                           std::min(list->sizeHint().height(), most));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 20, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(scroll);
    layout->addWidget(closeButton(*this), 0, Qt::AlignRight);
}

} // namespace trialdeck::app::views
