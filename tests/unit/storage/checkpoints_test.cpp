// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/storage/checkpoint_files.h"
#include "core/storage/checkpoints.h"
#include "tests/support/compare.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/memory_file_system.h"

using namespace trialdeck;
using namespace trialdeck::storage;
using namespace trialdeck::tests;

namespace {

const base::Path kTrial = "/exp/trial_00000";

base::Path rankFolder(uint32_t rank) {
    return kTrial / "attempt_0" / ("rank_" + std::to_string(rank));
}

CheckpointSource source(uint32_t rank, std::string name = "epoch_1") {
    return {rank, rankFolder(rank), std::move(name)};
}

CheckpointOrder order(std::vector<CheckpointSource> sources, uint32_t index = 0) {
    return {kTrial, CheckpointIndex(index), std::move(sources), {}};
}

/// Two ranks have written a checkpoint each.
struct Fixture {
    MemoryFileSystem disk;
    FaultyFileSystem files{disk};

    Fixture() {
        disk.put(rankFolder(0) / "report.jsonl", "{}\n");
        disk.put(rankFolder(0) / "epoch_1/model.bin", "weights");
        disk.put(rankFolder(0) / "epoch_1/optimizer/state.bin", std::string(3'000'000, 'o'));
        disk.put(rankFolder(1) / "epoch_1/model.bin", "of rank 1");
    }

    /// "path bytes" of the manifest, or the error in words.
    [[nodiscard]] std::vector<std::string> commit(const CheckpointOrder& wanted) {
        const auto entries = commitCheckpoint(files, wanted);
        if (!entries)
            return {base::describe(entries.error())};
        std::vector<std::string> texts;
        for (const auto& entry : *entries)
            texts.push_back(entry.path + " " + std::to_string(entry.bytes));
        return texts;
    }
    [[nodiscard]] std::string damage(const base::Path& folder,
                                     const std::vector<protocol::ManifestEntry>& manifest) {
        std::string text;
        for (const auto& one : verifyCheckpoint(files, folder, manifest))
            text += one.path + " " + std::string(nameOf(one.kind)) + "\n";
        return text;
    }
};

using Texts = std::vector<std::string>;
const Texts kBoth = {"model.bin 7", "optimizer/state.bin 3000000", "rank_1/model.bin 9"};
const Texts kTreeOfBoth = {"attempt_0/",
                           "attempt_0/rank_0/",
                           "attempt_0/rank_0/report.jsonl",
                           "attempt_0/rank_1/",
                           "checkpoint_000000/",
                           "checkpoint_000000.manifest.json",
                           "checkpoint_000000/model.bin",
                           "checkpoint_000000/optimizer/",
                           "checkpoint_000000/optimizer/state.bin",
                           "checkpoint_000000/rank_1/",
                           "checkpoint_000000/rank_1/model.bin"};

Texts sorted(Texts texts) {
    std::sort(texts.begin(), texts.end());
    return texts;
}

} // namespace

class CheckpointsTest : public QObject {
    Q_OBJECT
private slots:
    void makesACheckpointOfWhatTheRanksWrote();
    void writesAManifestBeside();
    void takesANameOfSeveralParts();
    void letsARankJoinLater();
    void leavesLinksAndSocketsAndForeignFilesOut();
    void refuses_data();
    void refuses();
    void keepsWhatLiesAtTheTarget();
    void isDoneOrNotBegunWhenAnyOperationFails_data();
    void isDoneOrNotBegunWhenAnyOperationFails();
    void isWholeAfterAPowerCutAtAnyOperation();
    void isCompletedAfterAnInterruption();
    void canBeCancelled();
    void findsDamage();
    void findsNoDamageInWhatNfsLeaves();
};

void CheckpointsTest::makesACheckpointOfWhatTheRanksWrote() {
    Fixture fixture;
    QCOMPARE(fixture.commit(order({source(0), source(1)})), kBoth);
    QCOMPARE(sorted(fixture.disk.tree(kTrial)), sorted(kTreeOfBoth));
    fixture.disk.powerCut();
    QCOMPARE(sorted(fixture.disk.tree(kTrial)), sorted(kTreeOfBoth));
}

void CheckpointsTest::writesAManifestBeside() {
    Fixture fixture;
    const auto entries = commitCheckpoint(fixture.files, order({source(0), source(1)}));
    QVERIFY(entries);
    QCOMPARE(entries->front().sha256, base::sha256Hex("weights"));
    const auto manifest = readManifest(fixture.files, kTrial / "checkpoint_000000.manifest.json");
    QVERIFY(manifest);
    QVERIFY(manifest->entries == *entries);
    QCOMPARE(manifest->from, std::string("attempt_0/rank_0/epoch_1"));
}

void CheckpointsTest::takesANameOfSeveralParts() {
    Fixture fixture;
    fixture.disk.put(rankFolder(0) / "a/b/x", "1");
    QCOMPARE(fixture.commit(order({source(0, "a/b/")}, 12)), Texts{"x 1"});
    QCOMPARE(*fixture.disk.content(kTrial / "checkpoint_000012/x"), std::string("1"));
}

void CheckpointsTest::letsARankJoinLater() {
    Fixture fixture;
    QCOMPARE(fixture.commit(order({source(0)})), (Texts{"model.bin 7", "optimizer/state.bin 3000000"}));
    QCOMPARE(fixture.commit(order({source(1)})), kBoth);
    QCOMPARE(sorted(fixture.disk.tree(kTrial)), sorted(kTreeOfBoth));
    // Named again with what is there already.
    QCOMPARE(fixture.commit(order({source(0), source(1)})), kBoth);
}

void CheckpointsTest::leavesLinksAndSocketsAndForeignFilesOut() {
    Fixture fixture;
    const base::Path folder = rankFolder(0) / "epoch_1";
    fixture.disk.putOther(folder / "latest", base::FileType::link);
    fixture.disk.putOther(folder / "socket", base::FileType::other);
    fixture.disk.put(folder / ".nfs00000000012d687f00000a3c", "gone");
    fixture.disk.putOther(rankFolder(1) / "epoch_1/link", base::FileType::link);
    CheckpointOrder wanted = order({source(0), source(1)});
    Texts leftOut;
    wanted.leftOut = [&leftOut](const std::string& path) { leftOut.push_back(path); };
    QCOMPARE(fixture.commit(wanted), kBoth);
    QCOMPARE(leftOut, (Texts{"latest", "socket", "rank_1/link"}));
    QVERIFY(base::exists(fixture.disk, kTrial / "checkpoint_000000/latest"));
}

void CheckpointsTest::refuses_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("error");
    const auto add = [](const char* name, const char* error) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(error);
    };
    add("", "checkpoint_bad_name (name=, reason=leads out of the folder)");
    add(".", "checkpoint_bad_name (name=., reason=leads out of the folder)");
    add("..", "checkpoint_bad_name (name=.., reason=leads out of the folder)");
    add("/etc", "checkpoint_bad_name (name=/etc, reason=leads out of the folder)");
    add("epoch_1/../..", "checkpoint_bad_name (name=epoch_1/../.., reason=leads out of the folder)");
    add("report.jsonl", "checkpoint_bad_name (name=report.jsonl, reason=not a folder)");
    add("link", "checkpoint_bad_name (name=link, reason=not a folder)");
    add("link/below", "checkpoint_bad_name (name=link/below, reason=not a folder)");
    add("epoch_7", "checkpoint_missing (name=epoch_7, path=attempt_0/rank_0/epoch_7)");
}

void CheckpointsTest::refuses() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, error);
    Fixture fixture;
    fixture.disk.putOther(rankFolder(0) / "link", base::FileType::link);
    const Texts before = fixture.disk.tree();
    QCOMPARE(fixture.commit(order({source(0, name.toStdString()), source(1)})), Texts{error.toStdString()});
    QCOMPARE(fixture.disk.tree(), before);
}

void CheckpointsTest::keepsWhatLiesAtTheTarget() {
    Fixture fixture;
    QCOMPARE(fixture.commit(order({source(0)})).size(), size_t{2});
    fixture.disk.put(rankFolder(0) / "epoch_2/model.bin", "newer");
    QCOMPARE(fixture.commit(order({source(0, "epoch_2")})), Texts{"model.bin 5"});
    QCOMPARE(*fixture.disk.content(kTrial / "checkpoint_000000/model.bin"), std::string("newer"));
    QCOMPARE(*fixture.disk.content(kTrial / "orphan_checkpoint_000000_0/model.bin"), std::string("weights"));
    // A name that is not there must not be taken for what happens to lie at its target.
    QCOMPARE(fixture.commit(order({source(0, "epoch_3")})),
             Texts{"checkpoint_missing (name=epoch_3, path=attempt_0/rank_0/epoch_3)"});
}

void CheckpointsTest::isDoneOrNotBegunWhenAnyOperationFails_data() {
    QTest::addColumn<int>("error");
    QTest::newRow("disk full") << ENOSPC;
    QTest::newRow("input/output error") << EIO;
    QTest::newRow("stale handle") << ESTALE;
    QTest::newRow("no permission") << EACCES;
}

void CheckpointsTest::isDoneOrNotBegunWhenAnyOperationFails() {
    QFETCH(int, error);
    const size_t operations = [] {
        Fixture fixture;
        (void)fixture.commit(order({source(0), source(1)}));
        return fixture.files.operations();
    }();
    for (size_t n = 0; n < operations; ++n) {
        Fixture fixture;
        fixture.files.inject({Operation::any, "", n, 1, error, 5});
        const Texts first = fixture.commit(order({source(0), source(1)}));
        if (first != kBoth) {
            const base::Path target = kTrial / "checkpoint_000000";
            QVERIFY(!base::exists(fixture.disk, target) || base::exists(fixture.disk, target / "rank_1"));
        }
        fixture.files.heal();
        QCOMPARE(fixture.commit(order({source(0), source(1)})), kBoth);
        Texts tree = sorted(fixture.disk.tree(kTrial));
        std::erase(tree, "checkpoint_000000.manifest.json.tmp");
        QCOMPARE(tree, sorted(kTreeOfBoth));
    }
}

void CheckpointsTest::isWholeAfterAPowerCutAtAnyOperation() {
    const uint64_t seed = printedSeed();
    const size_t operations = [] {
        Fixture fixture;
        (void)fixture.commit(order({source(0), source(1)}));
        return fixture.files.operations();
    }();
    for (size_t n = 0; n <= operations; ++n) {
        base::Rng rng(seed, n, "power cut");
        Fixture fixture;
        fixture.files.inject({Operation::any, "", n, SIZE_MAX, EIO});
        const bool done = fixture.commit(order({source(0), source(1)})) == kBoth;
        fixture.files.heal();
        fixture.disk.powerCut([&rng](size_t unsynced) {
            return static_cast<size_t>(rng.uniformInteger(0, static_cast<int64_t>(unsynced)));
        });
        if (done)
            QVERIFY(base::exists(fixture.disk, kTrial / "checkpoint_000000"));
        QCOMPARE(fixture.commit(order({source(0), source(1)})), kBoth);
        const auto manifest = *readManifest(fixture.files, kTrial / "checkpoint_000000.manifest.json");
        QCOMPARE(fixture.damage(kTrial / "checkpoint_000000", manifest.entries), std::string());
    }
}

void CheckpointsTest::isCompletedAfterAnInterruption() {
    Fixture fixture;
    // Rank 1 has been moved and the daemon died.
    fixture.files.inject({Operation::append, "manifest", 0, 1, EIO});
    QVERIFY(fixture.commit(order({source(0), source(1)})) != kBoth);
    QVERIFY(base::exists(fixture.disk, rankFolder(0) / "epoch_1/rank_1"));
    QCOMPARE(fixture.commit(order({source(0), source(1)})), kBoth);
    // It has been committed and not recorded.
    const size_t before = fixture.files.operations();
    QCOMPARE(fixture.commit(order({source(0), source(1)})), kBoth);
    QVERIFY(fixture.files.operations() - before < 25);
}

void CheckpointsTest::canBeCancelled() {
    Fixture fixture;
    const Texts before = fixture.disk.tree();
    CheckpointOrder wanted = order({source(0), source(1)});
    std::vector<std::pair<uint64_t, uint64_t>> progress;
    wanted.progress = [&progress](uint64_t done, uint64_t total) {
        progress.emplace_back(done, total);
        return progress.size() < 3;
    };
    QCOMPARE(fixture.commit(wanted), Texts{"cancelled"});
    QCOMPARE(progress.size(), size_t{3});
    QVERIFY(progress.front() == std::pair(uint64_t{7}, uint64_t{3'000'016}));
    QCOMPARE(fixture.disk.tree(), before);
}

void CheckpointsTest::findsDamage() {
    Fixture fixture;
    const auto manifest = *commitCheckpoint(fixture.files, order({source(0), source(1)}));
    const base::Path folder = kTrial / "checkpoint_000000";
    QCOMPARE(fixture.damage(folder, manifest), std::string());
    fixture.disk.put(folder / "extra", "ignored");
    fixture.disk.put(folder / "model.bin", "Weights");
    fixture.disk.put(folder / "optimizer/state.bin", "");
    QVERIFY(fixture.disk.remove(folder / "rank_1/model.bin"));
    QCOMPARE(
        fixture.damage(folder, manifest),
        std::string("model.bin other_content\noptimizer/state.bin other_size\nrank_1/model.bin missing\n"));
    fixture.files.inject({Operation::open, "model.bin"});
    QCOMPARE(fixture.damage(folder, {manifest.front()}), std::string("model.bin unreadable\n"));
    QCOMPARE(fixture.damage(kTrial / "checkpoint_000001", {manifest.front()}),
             std::string("model.bin missing\n"));
}

/// The public case C70: what is left of removed files is nobody's data.
void CheckpointsTest::findsNoDamageInWhatNfsLeaves() {
    const base::Path trial = base::Path(TRIALDECK_SOURCE_DIR) / "tests/cases/C70-nfs-oddities/trial";
    base::PosixFileSystem files;
    const auto content = listContent(files, trial / "checkpoint_000002");
    QVERIFY(content);
    QCOMPARE(content->filePaths, Texts{"weights.bin"});
    const auto hashed = *hashFile(files, trial / "checkpoint_000002/weights.bin", SyncFile::no, {});
    QVERIFY(
        verifyCheckpoint(files, trial / "checkpoint_000002", {{"weights.bin", hashed.bytes, hashed.sha256}})
            .empty());
}

QTEST_APPLESS_MAIN(CheckpointsTest)
#include "checkpoints_test.moc"
