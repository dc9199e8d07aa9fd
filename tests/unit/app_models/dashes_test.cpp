// SPDX-License-Identifier: Apache-2.0
#include "app/models/dashes.h"

#include <QtTest>

using namespace trialdeck::app;

class DashesTest : public QObject {
    Q_OBJECT

private slots:
    void cutsALineIntoPieces_data() {
        QTest::addColumn<int>("style");
        QTest::addColumn<QList<QPointF>>("points");
        QTest::addColumn<QString>("lines");
        const QList<QPointF> straight = {{0, 0}, {20, 0}};
        const QList<QPointF> corner = {{0, 0}, {6, 0}, {6, 6}};
        QTest::newRow("solid") << int(Qt::SolidLine) << corner << "0,0-6,0 6,0-6,6";
        QTest::newRow("dashes") << int(Qt::DashLine) << straight << "0,0-8,0 12,0-20,0";
        QTest::newRow("a dash goes round a corner") << int(Qt::DashLine) << corner << "0,0-6,0 6,0-6,2";
        QTest::newRow("dots") << int(Qt::DotLine) << straight << "0,0-2,0 6,0-8,0 12,0-14,0 18,0-20,0";
        QTest::newRow("dashes and dots") << int(Qt::DashDotLine) << straight << "0,0-8,0 12,0-14,0 18,0-20,0";
        QTest::newRow("a point twice")
            << int(Qt::DashLine) << QList<QPointF>{{0, 0}, {0, 0}, {4, 0}} << "0,0-4,0";
        QTest::newRow("too long for dashes")
            << int(Qt::DashLine) << QList<QPointF>{{0, 0}, {30000, 0}} << "0,0-30000,0";
        QTest::newRow("one point") << int(Qt::SolidLine) << QList<QPointF>{{0, 0}} << "";
    }
    void cutsALineIntoPieces() {
        QFETCH(int, style);
        QFETCH(QList<QPointF>, points);
        QFETCH(QString, lines);
        std::vector<QLineF> made;
        models::appendLines({points.data(), static_cast<size_t>(points.size())},
                            static_cast<Qt::PenStyle>(style), 2, made);
        QStringList text;
        for (const QLineF& line : made)
            text << QStringLiteral("%1,%2-%3,%4").arg(line.x1()).arg(line.y1()).arg(line.x2()).arg(line.y2());
        QCOMPARE(text.join(QLatin1Char(' ')), lines);
    }

    void lengthsThatDoNotAddUpExactlyEndToo() {
        std::vector<QPointF> points;
        for (int i = 0; i <= 1000; ++i)
            points.emplace_back(0.1 * i, 0.3 * (i % 7));
        std::vector<QLineF> made;
        models::appendLines(points, Qt::DashDotLine, 0.1, made);
        double inked = 0;
        double length = 0;
        for (const QLineF& line : made)
            inked += line.length();
        for (size_t i = 1; i < points.size(); ++i)
            length += QLineF(points[i - 1], points[i]).length();
        QVERIFY2(std::abs(inked / length - 5.0 / 9) < 0.01, qPrintable(QString::number(inked / length)));
    }
};

QTEST_GUILESS_MAIN(DashesTest)
#include "dashes_test.moc"
