// SPDX-License-Identifier: Apache-2.0
#include "app/views/draft_templates.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace trialdeck::app::views {

namespace {

constexpr qint64 kMostBytes = qint64{64} << 10;

/// Examples that have a sentence of their own; others are called by their file.
QString titleOf(const QString& name) {
    if (name == QLatin1String("fashion-mnist"))
        return QStringLiteral(QT_TRANSLATE_NOOP("Templates", "Fashion-MNIST with trialdeck-train"));
    if (name == QLatin1String("plain-python"))
        return QStringLiteral(QT_TRANSLATE_NOOP("Templates", "Python script without any library"));
    if (name == QLatin1String("bash"))
        return QStringLiteral(QT_TRANSLATE_NOOP("Templates", "Shell script, metrics read off its lines"));
    return name;
}

QString folderOfExamples(const QString& programFolder) {
    for (const char* relative : {"/../share/trialdeck/examples", "/../../../resources/examples"}) {
        const QFileInfo folder(programFolder + QLatin1String(relative));
        if (folder.isDir())
            return folder.canonicalFilePath();
    }
    return {};
}

} // namespace

std::vector<DraftTemplate> templatesBeside(const QString& programFolder) {
    std::vector<DraftTemplate> templates;
    const QString folder = folderOfExamples(programFolder);
    if (folder.isEmpty())
        return templates;
    QDirIterator files(folder, {QStringLiteral("*.yaml")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.size() > kMostBytes || !file.open(QIODevice::ReadOnly))
            continue;
        const QFileInfo info(file);
        // experiment.yaml is called by its folder.
        const bool isPlain = info.completeBaseName() == QLatin1String("experiment");
        const QString name = isPlain ? info.dir().dirName() : info.completeBaseName();
        templates.push_back({titleOf(name), QString::fromUtf8(file.readAll()), info.absolutePath()});
    }
    std::sort(templates.begin(), templates.end(),
              [](const DraftTemplate& a, const DraftTemplate& b) { return a.title < b.title; });
    return templates;
}

QString translatedTitle(const DraftTemplate& one) {
    return QCoreApplication::translate("Templates", one.title.toUtf8().constData());
}

} // namespace trialdeck::app::views
