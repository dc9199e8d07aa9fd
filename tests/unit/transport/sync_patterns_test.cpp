// SPDX-License-Identifier: Apache-2.0
// Our reading of rsync's patterns, compared with rsync itself on one tree.
#include "core/transport/files/sync_patterns.h"

#include "core/base/words.h"
#include "tests/support/compare.h"
#include "tests/support/tree.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace trialdeck;
using transport::SyncFilter;

namespace fs = std::filesystem;

namespace {

/// One at a time.
// clang-format off
constexpr const char* kPatterns[] = {
    "data", "data/", "/data", "/data/", "data/raw", "raw/deep", "/raw", "*.bin", "data/*",
    "data/**", "data/***", "/data/*.csv", "**/build", "**/build/", "build/**", "**build",
    "src/**/out.o", "src/**out.o", "a/**/d.txt", "a/*/x", "a/**/x", "*", "**", "/*", "/*/", "*/",
    "?", "?.txt", "x?.txt", "x[1].txt", "x\\[1\\].txt", "x\\[1].txt", "[ab]", "[!ab]", "[^ab]",
    "[a-c]*", "[[:upper:]]*", "[[:digit:]]*", "[]a]*", "a[]-]b", "a[-]b", "[a", "[a-", "star\\*",
    "star*", "back\\slash", "back\\\\*", "back\\*", "foo", "/foo", "foo/", "foo/bar", "foo/foo",
    "foo/**", "/foo/*/bar", "**foo", "foo**", "*foo", ".git", ".git/", "/.git/", "**/.git/**",
    "e*", "deep/**/e.txt", "deep/a/**/d", "b/c", "a/b/c/d.txt", "link", "link/", "data/raw/***",
    "/***", "***", "sp ace", "sp*/f", "a/**", "/a/**/c/", "**/c/**", "c/*.txt", "**.txt",
    "**/*.txt", "d?ta", "d[a]ta/r*", "empty/", "within", "no such",
};
// clang-format on

/// Everything that is taken, sorted.
std::vector<std::string> listed(const fs::path& root, const SyncFilter& filter) {
    std::vector<std::string> names;
    for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator();
         ++entry) {
        const std::string name = entry->path().lexically_relative(root).native();
        const bool isFolder = entry->is_directory() && !entry->is_symlink();
        if (filter.takes(name, isFolder))
            names.push_back(name + (isFolder ? "/" : ""));
        else if (isFolder)
            entry.disable_recursion_pending();
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> listedByRsync(const fs::path& root, const std::vector<std::string>& include,
                                       const std::vector<std::string>& exclude) {
    QStringList words = {"-rln", "--8-bit-output", "--out-format=%n"};
    for (const std::string& pattern : include)
        words.append("--filter=+ " + QString::fromStdString(pattern));
    for (const std::string& pattern : exclude)
        words.append("--filter=- " + QString::fromStdString(pattern));
    words << "--" << QString::fromStdString(root.native() + "/")
          << QString::fromStdString(root.native() + ".missing/");
    QProcess rsync;
    rsync.start("rsync", words);
    rsync.waitForFinished();
    std::vector<std::string> names;
    for (const QByteArray& line : rsync.readAllStandardOutput().split('\n')) {
        if (!line.isEmpty() && line != "./" && !line.startsWith("created directory"))
            names.push_back(line.toStdString());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// What only one of them has.
std::pair<std::string, std::string> difference(const std::vector<std::string>& one,
                                               const std::vector<std::string>& other) {
    const auto only = [](const std::vector<std::string>& has, const std::vector<std::string>& lacks) {
        std::vector<std::string> names;
        std::set_difference(has.begin(), has.end(), lacks.begin(), lacks.end(), std::back_inserter(names));
        return base::joined(names, "\n");
    };
    return {only(one, other), only(other, one)};
}

} // namespace

class SyncPatternsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("rsync").isEmpty())
            QSKIP("there is no rsync");
        for (const char* name : {"train.py",
                                 "data/train.csv",
                                 "data/raw/1.bin",
                                 "data/raw/deep/2.bin",
                                 "a/data/x",
                                 "a/b/c/d.txt",
                                 "a/b/x",
                                 "b",
                                 "build/out.o",
                                 "src/build/out.o",
                                 "src/build.py",
                                 "README",
                                 "x[1].txt",
                                 "x1.txt",
                                 "back\\slash",
                                 "star*",
                                 ".git/HEAD",
                                 "sub/.git/HEAD",
                                 "foo/bar",
                                 "foo/foo/bar",
                                 "barfoo",
                                 "a-b",
                                 "a]b",
                                 "Upper",
                                 "9digit",
                                 "sp ace/f",
                                 "deep/a/b/c/d/e.txt",
                                 "model.pt",
                                 "ckpt/model.pt",
                                 "ckpt/keep/model.pt"})
            tests::writeFile(root() / name, name);
        fs::create_directories(root() / "empty/within");
        fs::create_directory_symlink("data", root() / "link");
    }

    void meansWhatItMeansToRsync_data() {
        QTest::addColumn<QStringList>("include");
        QTest::addColumn<QStringList>("exclude");
        const auto add = [](const QStringList& include, const QStringList& exclude) {
            QTest::addRow("+%s -%s", qPrintable(include.join(" +")), qPrintable(exclude.join(" -")))
                << include << exclude;
        };
        for (const char* pattern : kPatterns)
            add({}, {pattern});
        add({"keep.*"}, {"*"});
        add({"*/", "*.py"}, {"*"});
        add({"/ckpt/", "/ckpt/keep/***"}, {"/ckpt/*", "*.pt"});
        add({"model.pt"}, {"ckpt/"});
        add({"data/raw/"}, {"data/*"});
        add({"data/", "data/raw/", "data/raw/**"}, {"*"});
        add({}, {".git/", "build/", "*.bin"});
    }
    void meansWhatItMeansToRsync() {
        QFETCH(QStringList, include);
        QFETCH(QStringList, exclude);
        std::vector<std::string> in;
        std::vector<std::string> out;
        for (const QString& pattern : include)
            in.push_back(pattern.toStdString());
        for (const QString& pattern : exclude)
            out.push_back(pattern.toStdString());
        const auto [ours, theirs] =
            difference(listed(root(), SyncFilter(in, out)), listedByRsync(root(), in, out));
        QCOMPARE(ours, theirs);
    }

    void partsAreNeverSynced() {
        const SyncFilter filter({"*"}, {});
        QVERIFY(!filter.takes("a/.trialdeck-part", true));
        QVERIFY(filter.takes("a/.trialdeck-part", false));
    }

    void manyStarsEndSoon() {
        const transport::SyncPattern pattern("**a*a*a*a**a*a*a*a**a*a*a*ab");
        QVERIFY(!pattern.fits(std::string(4000, 'a'), false));
    }

private:
    fs::path root() const { return fs::path(m_folder.path().toStdString()) / "tree"; }
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(SyncPatternsTest)
#include "sync_patterns_test.moc"
