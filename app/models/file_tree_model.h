// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/client/head_client.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace trialdeck::app::models {

/// The files of an experiment's folder, asked for folder by folder as they are opened. Owned by its tab.
class FileTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Role {
        /// Relative to the experiment's folder.
        PathRole = Qt::UserRole,
        DirectoryRole,
        /// Bytes as qulonglong.
        BytesRole,
        /// Milliseconds since 1970; invalid where unknown.
        ModifiedRole,
    };

    FileTreeModel(client::HeadClient& head, ExperimentId experiment, QObject* parent = nullptr);
    ~FileTreeModel() override;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Asks anew for every folder that has been opened. A head that is away is asked nothing.
    void refresh();

signals:
    void failed(const trialdeck::Error& error);
    void listed();

private:
    struct Node;
    [[nodiscard]] Node* nodeAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Node& node) const;
    [[nodiscard]] Node* find(const std::string& path) const;
    void ask(const std::string& path);
    void take(Node& node, const std::vector<protocol::FileEntry>& entries);

    client::HeadClient& m_head;
    ExperimentId m_experiment;
    std::unique_ptr<Node> m_root;
};

} // namespace trialdeck::app::models
