// SPDX-License-Identifier: Apache-2.0
#include "core/storage/experiment_folder.h"
#include "tests/unit/storage/journal_support.h"

using namespace trialdeck;
using namespace trialdeck::storage;
using namespace trialdeck::tests;

namespace {

struct Fixture {
    MemoryFileSystem disk;
    FaultyFileSystem files{disk};
    base::ManualClock clock;

    Fixture() { disk.put("/results/other/notes.txt", "x"); }

    [[nodiscard]] static NewExperimentFolder fresh(const base::Path& folder = "/results/exp") {
        return {folder,
                "name: exp\n",
                Value(Object{{"host", "node-a"}}),
                {kExperiment, "exp", 1, "/home", folder.native(), 2, "0", false}};
    }
    [[nodiscard]] Expected<std::unique_ptr<JournalWriter>> make(const NewExperimentFolder& experiment) {
        return createExperimentFolder(files, experiment, [this](const base::Path& folder) {
            return JournalWriter::create(files, clock, folder, kExperiment, {}, {.segmentBytes = 600});
        });
    }
    [[nodiscard]] std::string error(const base::Path& folder) {
        const auto made = make(fresh(folder));
        return made ? std::string("none") : base::describe(made.error());
    }
    void copyTree(const base::Path& from, const base::Path& to) {
        for (const std::string& name : disk.tree(from)) {
            if (name.back() != '/')
                disk.put(to / name, *disk.content(from / name));
        }
    }
};

using Texts = std::vector<std::string>;
const Texts kWhole = {"environment.json", "experiment.yaml", "journal/", "journal/000001.jsonl"};

protocol::ExperimentCreated recorded() {
    return Fixture::fresh().created;
}

} // namespace

class ExperimentFolderTest : public QObject {
    Q_OBJECT
private slots:
    void holdsWhatTheUserWroteAndTheFirstRecord();
    void goesOnWhereItWasPlaced();
    void isOnTheDiskOnceItIsThere();
    void refusesANameThatIsTaken();
    void refusesStorageThatCannotBeWritten_data();
    void refusesStorageThatCannotBeWritten();
    void leavesNothingWhenAnyOperationFails();
    void isWholeOrAbsentAfterAPowerCut();
    void tellsACopyFromAMovedFolder();
    void givesACopyAnIdentityOfItsOwn();
};

void ExperimentFolderTest::holdsWhatTheUserWroteAndTheFirstRecord() {
    Fixture fixture;
    QVERIFY(fixture.make(Fixture::fresh()));
    QCOMPARE(fixture.disk.tree("/results/exp"), kWhole);
    QCOMPARE(fixture.disk.tree("/results"),
             (Texts{"exp/", "exp/environment.json", "exp/experiment.yaml", "exp/journal/",
                    "exp/journal/000001.jsonl", "other/", "other/notes.txt"}));
    QCOMPARE(*fixture.disk.content("/results/exp/experiment.yaml"), std::string("name: exp\n"));
    QCOMPARE(contentOf(fixture.files, "/results/exp"), std::string("1:experiment"));
}

void ExperimentFolderTest::goesOnWhereItWasPlaced() {
    Fixture fixture;
    auto writer = *fixture.make(Fixture::fresh());
    for (int i = 0; i < 10; ++i)
        QVERIFY(writer->append(record(i)));
    QVERIFY(writer->flush());
    QVERIFY(fixture.disk.tree("/results/exp/journal").size() > 2);
    QCOMPARE(contentOf(writer->reader()), contentOf(fixture.files, "/results/exp"));
    QVERIFY(contentOf(writer->reader()).starts_with("1:experiment 2:0 3:1"));
    QVERIFY(writer->last().epoch == Epoch(1));
}

void ExperimentFolderTest::isOnTheDiskOnceItIsThere() {
    Fixture fixture;
    QVERIFY(fixture.make(Fixture::fresh()));
    fixture.disk.powerCut();
    QCOMPARE(contentOf(fixture.files, "/results/exp"), std::string("1:experiment"));
}

void ExperimentFolderTest::refusesANameThatIsTaken() {
    Fixture fixture;
    QCOMPARE(fixture.error("/results/other"),
             std::string("experiment_name_taken (name=other, path=/results/other)"));
    QCOMPARE(fixture.disk.tree("/results"), (Texts{"other/", "other/notes.txt"}));
    // Another one is quicker while this one is being built.
    const auto made =
        createExperimentFolder(fixture.files, Fixture::fresh(), [&fixture](const base::Path& folder) {
            fixture.disk.put("/results/exp/notes.txt", "theirs");
            return JournalWriter::create(fixture.files, fixture.clock, folder, kExperiment, {}, {});
        });
    QVERIFY(!made);
    QVERIFY(made.error().code == ErrorCode::experiment_name_taken);
    QCOMPARE(fixture.disk.tree("/results/exp"), Texts{"notes.txt"});
}

void ExperimentFolderTest::refusesStorageThatCannotBeWritten_data() {
    QTest::addColumn<int>("error");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("no permission") << EACCES << QByteArray("storage_not_writable");
    QTest::newRow("read-only") << EROFS << QByteArray("storage_not_writable");
    QTest::newRow("a file in the way") << ENOTDIR << QByteArray("storage_not_writable");
    QTest::newRow("full") << ENOSPC << QByteArray("disk_full");
    QTest::newRow("broken") << EIO << QByteArray("file_io");
}

void ExperimentFolderTest::refusesStorageThatCannotBeWritten() {
    QFETCH(int, error);
    QFETCH(QByteArray, code);
    Fixture fixture;
    fixture.files.inject({Operation::create, "", 0, 1, error});
    QVERIFY(fixture.error("/results/exp").starts_with(code.toStdString()));
    QCOMPARE(fixture.disk.tree("/results"), (Texts{"other/", "other/notes.txt"}));
}

void ExperimentFolderTest::leavesNothingWhenAnyOperationFails() {
    const size_t operations = [] {
        Fixture fixture;
        (void)fixture.make(Fixture::fresh());
        return fixture.files.operations();
    }();
    for (size_t n = 0; n < operations; ++n) {
        Fixture fixture;
        fixture.files.inject({Operation::any, "", n, 1, ENOSPC, 3});
        const bool made = fixture.make(Fixture::fresh()).has_value();
        if (made) {
            QCOMPARE(contentOf(fixture.disk, "/results/exp"), std::string("1:experiment"));
            continue;
        }
        QCOMPARE(fixture.disk.tree("/results"), (Texts{"other/", "other/notes.txt"}));
        QVERIFY(fixture.make(Fixture::fresh()));
    }
}

void ExperimentFolderTest::isWholeOrAbsentAfterAPowerCut() {
    const size_t operations = [] {
        Fixture fixture;
        (void)fixture.make(Fixture::fresh());
        return fixture.files.operations();
    }();
    for (size_t n = 0; n <= operations; ++n) {
        Fixture fixture;
        fixture.files.inject({Operation::any, "", n, SIZE_MAX, EIO});
        (void)fixture.make(Fixture::fresh());
        fixture.files.heal();
        fixture.disk.powerCut();
        if (base::exists(fixture.disk, "/results/exp"))
            QCOMPARE(contentOf(fixture.files, "/results/exp"), std::string("1:experiment"));
        else
            QVERIFY(fixture.make(Fixture::fresh()));
    }
}

/// In the spirit of the public cases C43 and C45.
void ExperimentFolderTest::tellsACopyFromAMovedFolder() {
    Fixture fixture;
    QVERIFY(fixture.make(Fixture::fresh()));
    const auto origin = [&fixture](const base::Path& folder) {
        return originOf(fixture.files, folder, kExperiment, "/results/exp");
    };
    QVERIFY(origin("/results/exp") == FolderOrigin::original);
    QVERIFY(origin("/results/./exp/") == FolderOrigin::original);
    fixture.copyTree("/results/exp", "/elsewhere/exp copy");
    QVERIFY(origin("/elsewhere/exp copy") == FolderOrigin::copied);
    QVERIFY(fixture.disk.rename("/results/exp", "/results/away"));
    QVERIFY(origin("/elsewhere/exp copy") == FolderOrigin::moved);
    // Another experiment of that name was begun in the old place.
    auto other = Fixture::fresh();
    other.created.experiment = ExperimentId("77aa");
    QVERIFY(createExperimentFolder(fixture.files, other, [&fixture](const base::Path& folder) {
        return JournalWriter::create(fixture.files, fixture.clock, folder, ExperimentId("77aa"), {}, {});
    }));
    QVERIFY(origin("/elsewhere/exp copy") == FolderOrigin::moved);
}

void ExperimentFolderTest::givesACopyAnIdentityOfItsOwn() {
    Fixture fixture;
    QVERIFY(fixture.make(Fixture::fresh()));
    const ExperimentId newId("new");
    QVERIFY(!identityAt(fixture.files, "/results/exp", recorded(), newId));
    fixture.copyTree("/results/exp", "/elsewhere/exp copy");
    const auto copied = identityAt(fixture.files, "/elsewhere/exp copy", recorded(), newId);
    QVERIFY(copied);
    QVERIFY(copied->experiment == newId);
    QCOMPARE(copied->name, std::string("exp copy"));
    QCOMPARE(copied->folder, std::string("/elsewhere/exp copy"));
    QCOMPARE(copied->seed, uint64_t{1});

    // The first writer in the copy makes it an experiment of its own.
    const auto reader = *JournalReader::open(fixture.files, "/elsewhere/exp copy");
    auto writer = *JournalWriter::resume(fixture.clock, reader, copied->experiment, {}, {});
    QVERIFY(writer->append(protocol::RecordBody(*copied)));
    QVERIFY(!identityAt(fixture.files, "/elsewhere/exp copy", *copied, newId));
    QVERIFY(JournalReader::open(fixture.files, "/elsewhere/exp copy")->lastHeader().experiment == newId);
    QVERIFY(JournalReader::open(fixture.files, "/results/exp")->lastHeader().experiment == kExperiment);

    QVERIFY(fixture.disk.removeAll("/results/exp"));
    fixture.copyTree("/elsewhere/exp copy", "/results/back");
    QVERIFY(fixture.disk.removeAll("/elsewhere/exp copy"));
    const auto moved = identityAt(fixture.files, "/results/back", *copied, ExperimentId("newer"));
    QVERIFY(moved);
    QVERIFY(moved->experiment == newId);
    QCOMPARE(moved->folder, std::string("/results/back"));
}

QTEST_APPLESS_MAIN(ExperimentFolderTest)
#include "experiment_folder_test.moc"
