// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/presenters/connection_book.h"

#include <QSize>
#include <QTemporaryDir>

namespace trialdeck::app::views {

class Appearance;
class MainWindow;
class Memory;

/// Photographs other hosts in the window: the dialog, pages of connections, their questions. Hosts that ask
/// for a password or change their key cannot be had on every machine, so the heads here only sit for their
/// picture. Owned by the photographer.
class ConnectionPictures {
public:
    /// @param clock, appearance  outlive this
    ConnectionPictures(const base::Clock& clock, Appearance& appearance, QSize size, QString folder);
    ~ConnectionPictures();

    /// In both languages and themes.
    /// @return a sentence about what could not be written; empty when all pictures are there
    [[nodiscard]] QString photograph();

private:
    class PosedHead;
    class PosedWork;
    void openWindow();
    void poseSteps();
    void poseQuestions();
    /// @param dialog  makes what lies above the window, anew for each picture; empty for nothing
    void take(const char* name, const std::function<QWidget*()>& dialog = {});
    void takeDialogs();

    const base::Clock& m_clock;
    Appearance& m_appearance;
    QSize m_size;
    QString m_folder;
    QString m_failure;
    QTemporaryDir m_scratch;
    base::PosixFileSystem m_files;
    std::unique_ptr<Memory> m_memory;
    std::unique_ptr<PosedHead> m_local;
    std::unique_ptr<presenters::WindowPresenter> m_presenter;
    std::unique_ptr<trialdeck::client::SavedConnections> m_saved;
    /// The newest connection's; of the book.
    PosedHead* m_head = nullptr;
    std::unique_ptr<presenters::ConnectionBook> m_book;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace trialdeck::app::views
