// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/rare_states.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <vector>

namespace trialdeck::app::presenters {
class ExperimentPresenter;
class WindowPresenter;
struct Confirmation;
} // namespace trialdeck::app::presenters

namespace trialdeck::app::views {

class Appearance;
class MainWindow;

/// Photographs the window: once, or every page, dialog and state in both languages and both themes. Waits for
/// what is on its way between two pictures.
class Photographer : public QObject {
    Q_OBJECT

public:
    /// @param makeHead  for states that the window is seldom in
    Photographer(MainWindow& window, presenters::WindowPresenter& presenter, Appearance& appearance,
                 RareStates::MakeHead makeHead, QObject* parent = nullptr);

    /// One picture, as soon as the experiment is shown, or has ended; none where `file` is empty. Then
    /// done().
    void takeOne(const QString& file, bool whenFinished);
    /// All pictures into a folder. Then done().
    void takeAll(const QString& folder);

signals:
    /// @param failure  a sentence; empty when all pictures are there
    void done(const QString& failure);

private:
    struct Picture {
        QString name;
        std::function<void()> prepare;
    };

    void waitForExperiment(bool finished, std::function<void()> then);
    void takeRareStates();
    void plan();
    void addPictures(const QString& suffix);
    void addQuestions(const QString& suffix);
    void addForm(const QString& suffix);
    void openMenu(const char* button);
    void trigger(const char* action);
    void ask(const presenters::Confirmation& question);
    void fillForm(const QString& yaml);
    [[nodiscard]] presenters::ExperimentPresenter& experiment() const;
    void next();
    void save(const QString& name);
    [[nodiscard]] bool isShown(bool finished) const;
    /// The experiment's page says why it has nothing to show.
    [[nodiscard]] bool isRefused() const;

    MainWindow& m_window;
    presenters::WindowPresenter& m_presenter;
    Appearance& m_appearance;
    RareStates::MakeHead m_makeHead;
    ExperimentId m_experiment;
    QString m_folder;
    QString m_failure;
    std::vector<Picture> m_pictures;
    size_t m_at = 0;
    QTimer m_look;
};

} // namespace trialdeck::app::views
