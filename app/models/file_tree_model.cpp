// SPDX-License-Identifier: Apache-2.0
#include "app/models/file_tree_model.h"

#include "app/models/cell_column.h"

#include <algorithm>

namespace trialdeck::app::models {

struct FileTreeModel::Node {
    protocol::FileEntry entry;
    std::string path;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;
    bool asked = false;
};

FileTreeModel::FileTreeModel(client::HeadClient& head, ExperimentId experiment, QObject* parent)
    : QAbstractItemModel(parent), m_head(head), m_experiment(std::move(experiment)),
      m_root(std::make_unique<Node>()) {
    m_root->entry.directory = true;
}

FileTreeModel::~FileTreeModel() = default;

FileTreeModel::Node* FileTreeModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : m_root.get();
}

QModelIndex FileTreeModel::indexOf(const Node& node) const {
    if (!node.parent)
        return {};
    const auto& siblings = node.parent->children;
    const auto place =
        std::find_if(siblings.begin(), siblings.end(), [&](const auto& each) { return each.get() == &node; });
    return createIndex(static_cast<int>(place - siblings.begin()), 0, &node);
}

QModelIndex FileTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, nodeAt(parent)->children[static_cast<size_t>(row)].get());
}

QModelIndex FileTreeModel::parent(const QModelIndex& child) const {
    const Node* node = nodeAt(child);
    return node->parent ? indexOf(*node->parent) : QModelIndex();
}

int FileTreeModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeAt(parent)->children.size());
}

int FileTreeModel::columnCount(const QModelIndex&) const {
    return 3;
}

QVariant FileTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Node* node = nodeAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == 0 ? QString::fromStdString(node->entry.name) : QVariant();
    case PathRole:
        return QString::fromStdString(node->path);
    case DirectoryRole:
        return node->entry.directory;
    case BytesRole:
        return static_cast<qulonglong>(node->entry.bytes);
    case ModifiedRole:
        if (node->entry.modified)
            return static_cast<qlonglong>(node->entry.modified->time_since_epoch().count());
        return {};
    default:
        return {};
    }
}

bool FileTreeModel::hasChildren(const QModelIndex& parent) const {
    return parent.column() <= 0 && nodeAt(parent)->entry.directory;
}

bool FileTreeModel::canFetchMore(const QModelIndex& parent) const {
    const Node* node = nodeAt(parent);
    return node->entry.directory && !node->asked &&
           m_head.status().state == client::LinkStatus::State::connected;
}

void FileTreeModel::fetchMore(const QModelIndex& parent) {
    nodeAt(parent)->asked = true;
    ask(nodeAt(parent)->path);
}

FileTreeModel::Node* FileTreeModel::find(const std::string& path) const {
    Node* node = m_root.get();
    while (node && node->path != path) {
        const auto next = std::find_if(node->children.begin(), node->children.end(), [&](const auto& child) {
            return path == child->path || path.starts_with(child->path + "/");
        });
        node = next == node->children.end() ? nullptr : next->get();
    }
    return node;
}

void FileTreeModel::ask(const std::string& path) {
    m_head.ask(this, protocol::FilesListRequest{m_experiment, path},
               [this, path](Expected<protocol::FilesListResult> result) {
                   Node* node = find(path);
                   if (!node)
                       return;
                   if (!result) {
                       node->asked = false;
                       emit failed(result.error());
                       return;
                   }
                   take(*node, result->entries);
                   emit listed();
               });
}

void FileTreeModel::take(Node& node, const std::vector<protocol::FileEntry>& entries) {
    const QModelIndex parent = indexOf(node);
    for (size_t row = node.children.size(); row-- > 0;) {
        const auto& name = node.children[row]->entry.name;
        if (std::any_of(entries.begin(), entries.end(),
                        [&](const auto& entry) { return entry.name == name; }))
            continue;
        beginRemoveRows(parent, static_cast<int>(row), static_cast<int>(row));
        node.children.erase(node.children.begin() + static_cast<ptrdiff_t>(row));
        endRemoveRows();
    }
    std::vector<protocol::FileEntry> sorted = entries;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.directory != b.directory ? a.directory : compareNaturally(a.name, b.name) < 0;
    });
    for (size_t row = 0; row < sorted.size(); ++row) {
        if (row < node.children.size() && node.children[row]->entry.name == sorted[row].name) {
            node.children[row]->entry = sorted[row];
            emit dataChanged(index(static_cast<int>(row), 0, parent),
                             index(static_cast<int>(row), 2, parent));
            continue;
        }
        beginInsertRows(parent, static_cast<int>(row), static_cast<int>(row));
        auto child = std::make_unique<Node>();
        child->entry = sorted[row];
        child->path = node.path.empty() ? sorted[row].name : node.path + "/" + sorted[row].name;
        child->parent = &node;
        node.children.insert(node.children.begin() + static_cast<ptrdiff_t>(row), std::move(child));
        endInsertRows();
    }
}

void FileTreeModel::refresh() {
    if (canFetchMore({})) {
        fetchMore({});
        return;
    }
    std::vector<const Node*> waiting = {m_root.get()};
    while (!waiting.empty()) {
        const Node* node = waiting.back();
        waiting.pop_back();
        if (!node->asked)
            continue;
        ask(node->path);
        for (const auto& child : node->children)
            waiting.push_back(child.get());
    }
}

} // namespace trialdeck::app::models
