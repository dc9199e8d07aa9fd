// SPDX-License-Identifier: Apache-2.0
#include "app/presenters/draft_values.h"
#include "tests/support/compare.h"

#include <QFile>
#include <QtTest>

using namespace trialdeck;
using app::presenters::scalarFromText;

class DraftValuesTest : public QObject {
    Q_OBJECT
private slots:
    void numbersAreReadAsTheirLocaleWritesThem_data() {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("expected");
        QFile file(QStringLiteral(TRIALDECK_SOURCE_DIR "/tests/cases/C48-decimal-comma/typed.tsv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
            const QStringList cells = line.split('\t');
            if (cells.size() == 3 && !line.startsWith('#'))
                QTest::newRow(qPrintable(cells.at(0) + ' ' + cells.at(1)))
                    << cells.at(0) << cells.at(1) << cells.at(2);
        }
    }
    void numbersAreReadAsTheirLocaleWritesThem() {
        QFETCH(QString, locale);
        QFETCH(QString, typed);
        QFETCH(QString, expected);
        const Value value = scalarFromText(typed, QLocale(locale));
        if (expected == QLatin1String("refuse")) {
            // The field keeps the text, and the head refuses it where it wants a number.
            QVERIFY(value.isString());
            QCOMPARE(*value.asString(), typed.trimmed().toStdString());
        } else {
            QCOMPARE(value.toDouble().value_or(-1), expected.toDouble());
        }
    }
};

QTEST_APPLESS_MAIN(DraftValuesTest)
#include "draft_values_test.moc"
