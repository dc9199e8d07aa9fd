// SPDX-License-Identifier: Apache-2.0
#include "core/model/yaml_reader.h"

#include "tests/support/compare.h"
#include "tests/unit/model/spec_texts.h"

#include <QElapsedTimer>

using namespace trialdeck;
using namespace trialdeck::model;

namespace {

/// "2:3 yaml_duplicate_key {first_line=1, …}"
QString textOf(const YamlProblem& problem) {
    QString text = QString("%1:%2 ").arg(problem.position.line).arg(problem.position.column) +
                   QString::fromStdString(std::string(nameOf(problem.code)));
    for (const auto& [name, value] : problem.arguments)
        text += QString::fromStdString(" " + name + "=" + value);
    return text;
}

/// The tree as JSON, or the problems.
QString summary(std::string_view text) {
    const YamlText read = readYaml(text);
    QStringList parts;
    if (read.root)
        parts << model::textOf(valueOf(*read.root));
    for (const YamlProblem& problem : read.problems)
        parts << ::textOf(problem);
    return parts.join(" | ");
}

} // namespace

class YamlReaderTest : public QObject {
    Q_OBJECT
private slots:
    void textsAreReadOrRefusedByName_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& text, const char* expected) {
            QTest::newRow(name) << text << QString(expected);
        };
        row("scalars", "a: 1\nb: 1.5\nc: text\nd: true\ne: ~\nf: '1'\n",
            "{\"a\":1,\"b\":1.5,\"c\":\"text\",\"d\":true,\"e\":null,\"f\":\"1\"}");
        row("numbers",
            "[0x10, 0o17, 1e3, .5, 5., -0.0, .inf, -.INF, .nan, +3, 9007199254740993, 18446744073709551615]",
            "[16,15,1000.0,0.5,5.0,-0.0,Infinity,-Infinity,NaN,3,9007199254740993,18446744073709551615]");
        row("words that are no numbers", "[1_000, 0x, 1e, 1.2.3, 12:30, 2024-01-01, yes, 'null', 1e999]",
            "[\"1_000\",\"0x\",\"1e\",\"1.2.3\",\"12:30\",\"2024-01-01\",\"yes\",\"null\",Infinity]");
        row("empty", "", "null");
        row("comment", "# nothing\n", "null");
        row("byte order mark",
            "\xEF\xBB\xBF"
            "a: 1\n",
            "{\"a\":1}");
        row("carriage returns", "a: 1\r\nb:\r\n  - 2\r\n", "{\"a\":1,\"b\":[2]}");
        row("escapes", R"(["\_\N\L", "\xe9\u4e2d\U0001F600", {"\_": "ein\_Wort"}])",
            "[\"\xC2\xA0\xC2\x85\xE2\x80\xA8\",\"\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\",{\"\xC2\xA0\":"
            "\"ein\xC2\xA0Wort\"}]");
        row("document marks", "---\na: 1\n...\n", "{\"a\":1}");
        row("second document that is empty", "a: 1\n---\n", "{\"a\":1}");
        row("second document", "a: 1\n---\nb: 2\n", "2:1 yaml_several_documents");
        row("keys are texts", "1: a\nnull: b\ntrue: c\n", "{\"1\":\"a\",\"null\":\"b\",\"true\":\"c\"}");
        row("tags of types", "[!!str 1, !!int 2, ! 3]", "[\"1\",2,\"3\"]");
        row("other tags", "a: !env HOME\n", "{\"a\":\"HOME\"} | 1:4 yaml_syntax reason=tag tag=!env");
        row("alias", "a: &x [1]\nb: *x\n", "{\"a\":[1],\"b\":[1]}");
        row("anchor twice", "a: &n {m: 1}\nb: &n {m: 2}\nc: *n\n",
            "{\"a\":{\"m\":1},\"b\":{\"m\":2},\"c\":{\"m\":2}}");
        row("unknown alias", "a: *x\n", "1:4 yaml_syntax reason=unknown_anchor");
        row("alias inside its anchor", "a: &x [*x]\n", "1:8 yaml_syntax reason=self_reference");
        row("merge", "a: &x {p: 1, q: 2}\nb:\n  q: 3\n  <<: *x\n",
            "{\"a\":{\"p\":1,\"q\":2},\"b\":{\"q\":3,\"p\":1}}");
        row("merge first", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n",
            "{\"a\":{\"p\":1,\"q\":2},\"b\":{\"q\":3,\"p\":1}}");
        row("merge of a merge", "a: &x {p: 1}\nb: &y {<<: *x, q: 2}\nc: {<<: *y, q: 3}\n",
            "{\"a\":{\"p\":1},\"b\":{\"q\":2,\"p\":1},\"c\":{\"q\":3,\"p\":1}}");
        row("merge of a text", "a: {<<: x}\n", "1:9 yaml_syntax reason=merge_not_map");
        row("merge key in quotes", "a: {'<<': {b: 1}}\n", "{\"a\":{\"<<\":{\"b\":1}}}");
        row("duplicate key", "a: 1\nb: 2\na: 3\n",
            "{\"a\":1,\"b\":2} | 3:1 yaml_duplicate_key first_line=1 key=a line=3");
        row("duplicate key inside", "x: {a: 1, a: 2}\n",
            "{\"x\":{\"a\":1}} | 1:11 yaml_duplicate_key first_line=1 key=a line=1");
        row("unclosed quote", "a: \"b\nc: d\n", "1:4 yaml_unclosed_quote");
        row("unclosed single quote", "a: 1\nb: 'it''s\n", "2:4 yaml_unclosed_quote");
        row("unclosed before another", "a: \"b\nc: [\"d\"]\n", "1:4 yaml_unclosed_quote");
        row("unclosed in a list", "a: [b, 'c, d]\ne: f\n", "1:8 yaml_unclosed_quote");
        row("unclosed behind an anchor", "a: &x \"b\n", "1:7 yaml_unclosed_quote");
        row("text over two lines", "a: \"b\n  c\"\n", "{\"a\":\"b c\"}");
        row("apostrophe", "a: it's\nb: don't\n", "{\"a\":\"it's\",\"b\":\"don't\"}");
        row("block text", "a: |\n  x: \"y\n  z\n", "{\"a\":\"x: \\\"y\\nz\\n\"}");
        row("escapes", "a: \"\\x41\\u4e2d\\t\\\"\\\\\"", "{\"a\":\"A\xE4\xB8\xAD\\t\\\"\\\\\"}");
        row("not UTF-8", "a: b\nc: \xff\n", "2:4 bad_utf8 offset=8");
        row("latin-1", "\xe9: 1\n", "1:1 bad_utf8 offset=0");
        row("byte 4", QByteArray("a: 1\n\x04 b: 2\n"), "2:1 yaml_syntax reason=control_character");
        row("zero byte", QByteArray("a: 1\n\0b: 2\n", 11), "2:1 yaml_syntax reason=control_character");
        row("tab", "a:\n\tb: 1\n", "2:3 yaml_syntax reason=tab_in_indentation");
        row("list in a map", "a: 1\n- b\n", "2:1 yaml_syntax reason=unfinished_map");
        row("template line", "a: 1\n{% if x %}\nb: 2\n", "2:1 yaml_template text={%");
        row("template value", "a: 1\nb: {{ x }}\n", "2:4 yaml_template text={{");
        row("template in a text", "a: {{ x }}/y\n", "1:4 yaml_template text={{");
        row("template helm", "{{- define \"x\" }}\na: 1\n", "1:1 yaml_template text={{");
        row("braces in quotes", "a: '{{x}}'\nb: \"{{\"\n", "{\"a\":\"{{x}}\",\"b\":\"{{\"}");
        row("map as key", "{a: 1}: 2\n", "1:1 yaml_syntax reason=key_not_text");
        row("list as key", "? [a]\n: 2\n", "1:3 yaml_syntax reason=key_not_text");
        row("columns count characters", "配置: [\xE5\xAD\xA6, *x]\n",
            "1:9 yaml_syntax reason=unknown_anchor");
    }
    void textsAreReadOrRefusedByName() {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        QCOMPARE(summary({text.constData(), static_cast<size_t>(text.size())}), expected);
    }

    void publicTemplatesAreNamedAsSuch() {
        QCOMPARE(summary(caseText("C05-unfilled-template/cluster-jinja.yaml")),
                 QString("1:15 yaml_template text={{"));
        QCOMPARE(summary(caseText("C05-unfilled-template/rayjob-helm.yaml")),
                 QString("1:1 yaml_template text={{"));
    }

    void publicMergesAreApplied() {
        QCOMPARE(summary(caseText("C02-anchors-merge/two-merges.yaml")),
                 QString("{\"base_a\":{\"InstanceType\":\"m5.large\",\"ImageId\":\"ami-00000000000000001\"},"
                         "\"base_b\":{\"ImageId\":\"ami-00000000000000002\",\"KeyName\":\"lab\"},"
                         "\"node_config\":{\"EbsOptimized\":true,\"InstanceType\":\"m5.large\","
                         "\"ImageId\":\"ami-00000000000000001\",\"KeyName\":\"lab\"}}"));
        const YamlText cluster = readYaml(caseText("C02-anchors-merge/cluster.yaml"));
        const Value types = valueOf(cluster.root->find("available_node_types")->node);
        QCOMPARE(model::textOf(*types.find("cpu")->find("max_workers")), QString("4"));
        QCOMPARE(model::textOf(*types.find("gpu")->find("node_config")->find("ImageId")),
                 QString("\"ami-00000000000000000\""));
    }

    void numbersThatYaml11TakesForTextAreMarked() {
        const YamlText read = readYaml("[1e-5, 1.0e5, 1.0e-5, 1.0e+5, 10, 99999999999999999999]");
        QString marks;
        for (const SpecNode& item : read.root->items)
            marks += item.writing == NumberWriting::usual      ? '.'
                     : item.writing == NumberWriting::tooLarge ? 'L'
                                                               : 'T';
        QCOMPARE(marks, QString("TT...L"));
    }

    void deepAndExplodingTextsAreRefused() {
        QVERIFY(summary(std::string(100, '[') + std::string(100, ']')).contains("too_deep limit=32"));
        QVERIFY(summary(std::string(500'000, '[')).contains("too_deep"));
        std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
        for (int i = 1; i < 12; ++i) {
            const std::string before = "*a" + std::to_string(i - 1);
            laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
            for (int k = 0; k < 10; ++k)
                laughs += (k > 0 ? ", " : "") + before;
            laughs += "]\n";
        }
        QVERIFY(summary(laughs).contains("too_large"));
        QVERIFY(summary(std::string(2'000'000, 'a')).contains("too_large"));
    }

    void largeTextsAreReadInTime() {
        std::string many = "param_space:\n";
        for (int i = 0; i < 20'000; ++i)
            many += "  p" + std::to_string(i) + ": {uniform: [0, 1]}\n";
        QElapsedTimer timer;
        timer.start();
        const SpecCheck check = checkYaml("name: x\ntrial: {command: [a, \"{config}\"]}\n" + many);
        QVERIFY2(check.spec || check.result.problems.at(0).code == ErrorCode::too_large, "20,000 parameters");
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
    }
};

QTEST_APPLESS_MAIN(YamlReaderTest)
#include "yaml_reader_test.moc"
