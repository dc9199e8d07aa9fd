// SPDX-License-Identifier: Apache-2.0
// PROTOCOL.md names everything that travels.
#include "core/protocol/messages.h"
#include "core/protocol/record_kinds.h"
#include "tests/support/compare.h"

#include <QFile>
#include <QRegularExpression>
#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

/// A visitor that notes the names of fields.
struct FieldNames {
    template<typename T>
    void operator()(std::string_view name, T&) {
        names.emplace_back(name);
    }
    template<typename T>
    void required(std::string_view name, T&) {
        names.emplace_back(name);
    }
    std::vector<std::string> names;
};

template<typename Message>
std::vector<std::string> fieldsOf() {
    Message message;
    FieldNames visitor;
    Message::fields(visitor, message);
    return visitor.names;
}

template<typename Enum>
std::vector<std::string> namesOf(int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i)
        names.emplace_back(nameOf(static_cast<Enum>(i)));
    return names;
}

} // namespace

class ProtocolTextTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QFile file(QStringLiteral(TRIALDECK_SOURCE_DIR "/core/protocol/PROTOCOL.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_text = QString::fromUtf8(file.readAll());
    }

    void namesEveryMethodAndEvent() {
#define TRIALDECK_CHECK(Message)                                                                             \
    QVERIFY2(m_text.contains(                                                                                \
                 QRegularExpression("^### .*" + QRegularExpression::escape(Message::kMethod.data()) + "\\b", \
                                    QRegularExpression::MultilineOption)),                                   \
             Message::kMethod.data());
        TRIALDECK_REQUESTS(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
#define TRIALDECK_CHECK(Message)                                                                             \
    QVERIFY2(m_text.contains(QString("\n| %1 |").arg(Message::kEvent.data())), Message::kEvent.data());
        TRIALDECK_EVENTS(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

    void saysOfEachRequestWhetherItIsACommand() {
#define TRIALDECK_CHECK(Message)                                                                             \
    QCOMPARE(m_text.contains(QString("### %1 (command)").arg(Message::kMethod.data())),                      \
             Message::kKind == RequestKind::command);
        TRIALDECK_REQUESTS(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

    void namesEveryField() {
#define TRIALDECK_CHECK(Message) checkWords(fieldsOf<Message>(), #Message);
        TRIALDECK_REQUESTS(TRIALDECK_CHECK)
        TRIALDECK_RESULTS(TRIALDECK_CHECK)
        TRIALDECK_EVENTS(TRIALDECK_CHECK)
        TRIALDECK_MESSAGE_PARTS(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

    void namesEveryPartOfAMessage() {
#define TRIALDECK_CHECK(Message) checkWords({#Message}, "parts");
        TRIALDECK_MESSAGE_PARTS(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

    void namesEveryKindOfRecord() {
        for (const std::string_view kind : kRecordKinds)
            QVERIFY2(m_text.contains(QString("\n| %1 |").arg(QString::fromStdString(std::string(kind)))),
                     kind.data());
    }

    void namesEveryState() {
        checkWords(namesOf<TrialState>(5), "TrialState");
        checkWords(namesOf<TrialReason>(19), "TrialReason");
        checkWords(namesOf<ExperimentState>(5), "ExperimentState");
        checkWords(namesOf<ExperimentReason>(4), "ExperimentReason");
        checkWords(namesOf<DecisionAction>(3), "DecisionAction");
        checkWords(namesOf<ReportSource>(2), "ReportSource");
        checkWords(namesOf<OutputStream>(2), "OutputStream");
        checkWords(namesOf<Severity>(3), "Severity");
    }

    /// A new code is added to the list at the end of PROTOCOL.md.
    void namesEveryErrorCode() {
#define TRIALDECK_CHECK(code) QVERIFY2(m_text.contains(QString("`%1`").arg(#code)), #code);
        TRIALDECK_ERROR_CODES(TRIALDECK_CHECK)
#undef TRIALDECK_CHECK
    }

private:
    void checkWords(const std::vector<std::string>& words, const char* of) {
        for (const std::string& word : words) {
            const QRegularExpression pattern("(?<!\\w)" + QString::fromStdString(word) + "(?!\\w)");
            QVERIFY2(m_text.contains(pattern), (std::string(of) + ": " + word).c_str());
        }
    }

    QString m_text;
};

QTEST_APPLESS_MAIN(ProtocolTextTest)
#include "protocol_text_test.moc"
