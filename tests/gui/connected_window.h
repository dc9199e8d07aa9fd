// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/views/connect_dialog.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/memory_file_system.h"

#include <QAction>
#include <QTreeView>

namespace trialdeck::fakes {

/// A window in which hosts can be connected; their heads are not there.
struct ConnectedWindow : WindowFixture {
    using SavedConnection = client::SavedConnection;

    ConnectedWindow() { book = &connections; }
    ~ConnectedWindow() { window.reset(); }

    FakeHeadClient& connectTo(const char* host) {
        SavedConnection connection;
        connection.host = host;
        connections.keep(connection);
        settle();
        return *made.back();
    }
    app::views::ConnectDialog* openDialog(const char* action) {
        find<QAction>(action)->trigger();
        settle();
        for (auto* dialog : window->findChildren<app::views::ConnectDialog*>()) {
            if (dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }
    [[nodiscard]] QStringList sidebar() const {
        QStringList names;
        const auto* tree = find<QTreeView>("sidebar");
        for (int row = 0; row < tree->model()->rowCount(); ++row)
            names << tree->model()->index(row, 0).data().toString();
        return names;
    }

    tests::MemoryFileSystem files;
    client::SavedConnections saved{files, "/config/connections.json"};
    std::vector<FakeHeadClient*> made;
    app::presenters::ConnectionBook connections{
        saved,
        {[this](const SavedConnection& connection) {
             auto fake = std::make_unique<FakeHeadClient>(QString::fromStdString(connection.name));
             made.push_back(fake.get());
             return fake;
         },
         [] {
             return QStringList({QStringLiteral("gpu-head"), QStringLiteral("login1")});
         },
         {client::SshWay::automatic, client::SshWay::system_ssh}},
        presenter};
};

} // namespace trialdeck::fakes
