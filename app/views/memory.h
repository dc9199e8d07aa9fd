// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSettings>
#include <QVariant>

namespace trialdeck::app::views {

/// What the window remembers over sessions: a file in TRIALDECK_HOME. Owned by main.
class Memory {
public:
    /// @param path  of the file; empty: remembers nothing beyond this session
    explicit Memory(const QString& path) : m_settings(path, QSettings::IniFormat) {}

    [[nodiscard]] QVariant value(const QString& key, const QVariant& otherwise = {}) const {
        return m_settings.value(key, otherwise);
    }
    void set(const QString& key, const QVariant& value) { m_settings.setValue(key, value); }

private:
    QSettings m_settings;
};

} // namespace trialdeck::app::views
