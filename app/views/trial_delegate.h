// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/trial_order.h"

#include <QStyledItemDelegate>

namespace trialdeck::app::views {

/// Paints a cell of the trial table: the curve's colour and the star beside the trial's number, the state's
/// shape, numbers with digits of one width, and the small curve.
class TrialDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit TrialDelegate(const models::TrialOrder& order, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    /// Of a cell with this state's word.
    [[nodiscard]] static int stateWidth(const QFontMetrics& metrics, const QString& word);
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    static void paintDiverged(QPainter& painter, const QRect& box, const QString& text,
                              const QStyleOptionViewItem& option);
    void paintTrial(QPainter& painter, const QRect& box, const QModelIndex& index,
                    const QStyleOptionViewItem& option) const;
    void paintState(QPainter& painter, const QRect& box, const QModelIndex& index,
                    const QStyleOptionViewItem& option) const;
    void paintCurve(QPainter& painter, const QRect& box, const QModelIndex& index,
                    const QStyleOptionViewItem& option) const;

    const models::TrialOrder& m_order;
};

} // namespace trialdeck::app::views
