// SPDX-License-Identifier: Apache-2.0
#include "core/model/spec_check.h"
#include "core/model/yaml_reader.h"
#include "core/model/yaml_writer.h"

#include "tests/support/compare.h"
#include "tests/unit/model/spec_texts.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::model;

namespace {

/// Drafts at random: right, wrong and odd parts together.
class DraftSource {
public:
    explicit DraftSource(uint64_t number) : m_rng(11, number, "draft") {}

    Value draft() {
        Object root;
        maybe(root, "name", text());
        Object trial;
        maybe(trial, "command", list());
        maybe(trial, pick({"num_workers", "workers"}), scalar());
        maybe(trial, pick({"resources", "resources_per_worker"}), map(1));
        maybe(trial, "env", map(0));
        maybe(trial, "cwd", text());
        maybe(trial, "report", Object{{"stdout", text()}});
        maybe(root, "trial", Value(std::move(trial)));
        maybe(root, pick({"param_space", "space"}), space(2));
        Object search;
        maybe(search, "metric", text());
        maybe(search, "mode", pick({"min", "max", "mix"}));
        maybe(search, "num_samples", scalar());
        maybe(search, pick({"search_alg", "algorithm"}), pick({"random", "grid", "tpe"}));
        maybe(search, "points_to_evaluate", list());
        maybe(root, "search", Value(std::move(search)));
        maybe(root, pick({"scheduler", "schedule"}), pick({"asha", "fifo", "odd"}));
        maybe(root, "stop", map(1));
        maybe(root, pick({"verbose", "unknown", "quoted key", "é"}), scalar());
        return root;
    }

    /// Nothing wrong with it, however odd its values.
    Value validDraft() {
        Object space;
        for (int i = below(6); i >= 0; --i) {
            const std::string name = "p" + std::to_string(i);
            switch (below(4)) {
            case 0:
                space.set(name, Object{{"uniform", Array{-1.0 - m_rng.uniform(),
                                                         std::ldexp(m_rng.uniform(), below(900))}}});
                break;
            case 1:
                space.set(name, Object{{pick({"choice", "grid_search"}), Array{scalar(), text(), number()}}});
                break;
            case 2:
                space.set(name, Object{{"a", text()}, {"b/c", number()}});
                break;
            default:
                space.set(name, scalar());
            }
        }
        return Object{{"trial", Object{{"command", Array{"train", "{config}", number()}},
                                       {"env", Object{{"A", text()}}}}},
                      {"name", "valid"},
                      {"stop", Object{{"loss", number()}}},
                      {"space", Value(std::move(space))}};
    }

private:
    int below(int count) { return static_cast<int>(m_rng.uniformInteger(0, count - 1)); }

    const char* pick(std::initializer_list<const char*> words) {
        return *(words.begin() + below(static_cast<int>(words.size())));
    }

    void maybe(Object& object, const std::string& key, Value value) {
        if (below(4) > 0)
            object.set(key, std::move(value));
    }

    Value text() {
        static const std::vector<std::string> kParts = {
            "a",    "lr", "{lr}", "{{",      " ",    ": ",         " #",          "-",
            "--lr", "1",  "1e-5", "0.1",     "yes",  "null",       "~",           "\n",
            "\t",   "\"", "'",    "\\",      "学",   "é",          "\xC2\x85",    "\xEF\xBB\xBF",
            "\x01", "%",  "@",    "*x",      "&y",   "!z",         "[",           "]",
            ",",    "<<", "?",    "|",       ">",    "2024-01-01", "0x1F",        "1_000",
            ".",    "=",  "\r",   "{% x %}", "1:30", "---",        "\xE2\x80\xA8"};
        std::string joined;
        for (int i = below(4); i >= 0; --i)
            joined += kParts[static_cast<size_t>(below(static_cast<int>(kParts.size())))];
        return joined;
    }

    Value number() {
        switch (below(8)) {
        case 0:
            return below(100);
        case 1:
            return std::numeric_limits<int64_t>::min();
        case 2:
            return std::numeric_limits<uint64_t>::max();
        case 3:
            return std::numeric_limits<double>::quiet_NaN();
        case 4:
            return -std::numeric_limits<double>::infinity();
        case 5:
            return std::ldexp(m_rng.uniform(), below(2000) - 1000);
        case 6:
            return -0.0;
        default:
            return m_rng.uniform();
        }
    }

    Value scalar() {
        switch (below(5)) {
        case 0:
            return nullptr;
        case 1:
            return below(2) == 0;
        case 2:
            return text();
        default:
            return number();
        }
    }

    Value list() {
        Array array;
        for (int i = below(9); i > 0; --i)
            array.push_back(below(6) == 0 ? map(1) : scalar());
        return array;
    }

    Value map(int depth) {
        Object object;
        for (int i = below(5); i > 0; --i)
            object.set(*text().asString(), depth > 0 && below(3) == 0 ? map(depth - 1) : scalar());
        return object;
    }

    Value space(int depth) {
        Object object;
        for (int i = below(6); i > 0; --i) {
            const std::string name = *text().asString();
            if (depth > 0 && below(4) == 0)
                object.set(name, space(depth - 1));
            else if (below(3) == 0)
                object.set(name, scalar());
            else
                object.set(
                    name,
                    Object{{pick({"uniform", "loguniform", "choice", "grid_search", "randint", "unifrom"}),
                            below(5) == 0 ? list() : Value(Array{number(), number()})}});
        }
        return object;
    }

    base::Rng m_rng;
};

} // namespace

class YamlWriterTest : public QObject {
    Q_OBJECT
private slots:
    void scalarsAreBareOnlyWhereEveryReaderAgrees_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("written");
        const auto bare = [](const char* text) { QTest::newRow(text) << text << text; };
        const auto inQuotes = [](const char* text) {
            QTest::newRow(text) << text << QString("\"%1\"").arg(text);
        };
        for (const char* text :
             {"a", "train.py", "--lr", "-c", "/usr/share/x", "~/trialdeck", "1GiB", "a b", "a:b", "a#b", ".",
              "学习率", "STRICT_PACK", "it's", "a=b", "x@y", "lr/2", "3rd"})
            bare(text);
        for (const char* text : {"",     "~",   "null",  "Null",  "true",       "yes",  "No", "on",   "Off",
                                 "y",    "N",   "1",     "-1",    "0.1",        "1e-5", ".5", ".inf", ".nan",
                                 "0x1F", "0o7", "1_000", "12:30", "2024-01-01", "=",    "<<", "-",    "- a",
                                 "---",  "...", "a: b",  "a #b",  "a:",         " a",   "a ", "{lr}", "[a]",
                                 "a,b",  "*x",  "&x",    "!x",    "|",          ">",    "%x", "@x",   "`x`",
                                 "'x'",  "?x",  ":x",    "#x",    "1.0e+3",     "+1"})
            inQuotes(text);
        QTest::newRow("backslash") << R"(loss: (?<loss>\S+))"
                                   << R"('loss: (?<loss>\S+)')";
        QTest::newRow("double quotes") << QString("\"a\"") << QString("'\"a\"'");
        QTest::newRow("both quotes") << QString("{\"it's\"}") << QString("'{\"it''s\"}'");
        QTest::newRow("line break") << QString("a\nb") << QString("\"a\\nb\"");
        QTest::newRow("tab and quote") << QString("a\t\"") << QString("\"a\\t\\\"\"");
        QTest::newRow("line separator") << QString(QChar(0x2028)) << QString("\"\\u2028\"");
        QTest::newRow("next line") << QString(QChar(0x85)) << QString("\"\\x85\"");
        QTest::newRow("byte order mark") << QString(QChar(0xFEFF)) << QString("\"\\ufeff\"");
    }
    void scalarsAreBareOnlyWhereEveryReaderAgrees() {
        QFETCH(QString, text);
        QFETCH(QString, written);
        const std::string yaml = flowYaml(Value(text.toStdString()));
        QCOMPARE(QString::fromStdString(yaml), written);
        const YamlText read = readYaml("[" + yaml + "]");
        QVERIFY(read.root);
        // QString takes a byte order mark away when it reads UTF-8.
        QCOMPARE(*read.root->items.at(0).value.asString(), text.toStdString());
    }

    void numbersAreNumbersForEveryReader_data() {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("written");
        const auto row = [](double number, const char* written) {
            QTest::newRow(written) << number << written;
        };
        row(1.0e-5, "1.0e-5");
        row(0.1, "0.1");
        row(1, "1.0");
        row(1.5e300, "1.5e+300");
        row(1.0e22, "1.0e+22");
        row(-2.5e-10, "-2.5e-10");
        row(5.0e-324, "5.0e-324");
        row(-0.0, "-0.0");
        row(std::numeric_limits<double>::infinity(), ".inf");
        row(-std::numeric_limits<double>::infinity(), "-.inf");
        row(std::numeric_limits<double>::quiet_NaN(), ".nan");
    }
    void numbersAreNumbersForEveryReader() {
        QFETCH(double, number);
        QFETCH(QString, written);
        QCOMPARE(QString::fromStdString(yamlNumber(number)), written);
        const ResolvedScalar read = resolvePlain(written.toStdString());
        QVERIFY(read.value == Value(number));
        QCOMPARE(read.writing, NumberWriting::usual);
    }

    void formsAreWrittenInTheStyleOfTheExample() {
        const Value form = Object{
            {"name", "fashion-mnist-lr"},
            {"trial",
             Object{{"command", Array{"trialdeck-train", "--data", "/usr/share/datasets/fashion-mnist",
                                      "--lr", "{lr}", "--momentum", "{momentum}", "--epochs", "10"}},
                    {"resources_per_worker", Object{{"CPU", 1}, {"memory", "1GiB"}}}}},
            {"param_space",
             Object{{"lr", Object{{"loguniform", Array{1.0e-5, 1.0}}}}, {"opt", Object{{"name", "sgd"}}}}},
            {"search", Object{{"num_samples", 8}, {"metric", "loss"}}},
            {"stop", Object{{"loss", Object{{"le", 0.1}}}}},
            {"sync", Object{}},
        };
        QCOMPARE(QString::fromStdString(writeYaml(form)).split('\n'),
                 (QStringList{
                     "name: fashion-mnist-lr",
                     "trial:",
                     "  command: [trialdeck-train, --data, /usr/share/datasets/fashion-mnist, --lr, "
                     "\"{lr}\", --momentum, \"{momentum}\",",
                     "            --epochs, \"10\"]",
                     "  resources_per_worker: {CPU: 1, memory: 1GiB}",
                     "param_space:",
                     "  lr: {loguniform: [1.0e-5, 1.0]}",
                     "  opt: {name: sgd}",
                     "search: {num_samples: 8, metric: loss}",
                     "stop: {loss: {le: 0.1}}",
                     "sync: {}",
                     "",
                 }));
    }

    void longPartsStandOnLinesOfTheirOwn() {
        const std::string script(130, 'x');
        const Value form =
            Object{{"trial", Object{{"command", Array{"python3", script, Object{{"a", script}}}}}}};
        QCOMPARE(
            QString::fromStdString(writeYaml(form)).split('\n'),
            (QStringList{"trial:", "  command:", "    - python3", "    - " + QString::fromStdString(script),
                         "    - a: " + QString::fromStdString(script), ""}));
        QCOMPARE(base::toJson(valueOf(*readYaml(writeYaml(form)).root)), base::toJson(form));
    }

    void draftsAreTheSameAfterGoingThroughYaml() {
        size_t valid = 0;
        for (uint64_t number = 0; number < 800; ++number) {
            DraftSource source(number);
            const Value draft = number % 2 == 0 ? source.draft() : source.validDraft();
            const SpecCheck fromForm = checkForm(draft);
            const SpecCheck fromYaml = checkYaml(fromForm.result.yaml);
            const QByteArray context = QByteArray::number(static_cast<qulonglong>(number)) + "\n" +
                                       QByteArray::fromStdString(fromForm.result.yaml) +
                                       linesOf(fromYaml).join("\n").toUtf8();
            QVERIFY2(fromYaml.result.form == fromForm.result.form, context.constData());
            QVERIFY2(writeYaml(fromYaml.result.form) == fromForm.result.yaml, context.constData());
            QVERIFY2(fromYaml.spec == fromForm.spec, context.constData());
            QVERIFY2(checkForm(fromForm.result.form).result.form == fromForm.result.form,
                     context.constData());
            valid += fromForm.spec ? 1 : 0;
        }
        QVERIFY2(valid > 200, qPrintable(QString::number(static_cast<qulonglong>(valid))));
    }

    void problemsOfAFormCarryTheirPaths() {
        const SpecCheck check =
            checkForm(Object{{"name", "x"},
                             {"trial", Object{{"command", Array{"a", "{rl}"}}}},
                             {"param_space", Object{{"lr", Object{{"loguniform", Array{0, 1}}}}}}});
        QCOMPARE(
            errorsOf(check),
            (QStringList{
                R"(0:0 error bounds_not_positive param_space.lr.loguniform -> {loguniform: [1.0e-8, 1]})",
                R"(0:0 error unknown_placeholder trial.command[1] -> "{lr}")"}));
        QVERIFY(check.positions.empty());
    }

    void deepFormsAreRefused() {
        Value deep = 1;
        for (int i = 0; i < 100; ++i)
            deep = Object{{"a", std::move(deep)}};
        QCOMPARE(errorsOf(checkForm(deep)), QStringList{"0:0 error too_deep "});
    }
};

QTEST_APPLESS_MAIN(YamlWriterTest)
#include "yaml_writer_test.moc"
