// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/models/log_text.h"
#include "app/presenters/experiment_presenter.h"

#include <optional>
#include <set>
#include <vector>

namespace trialdeck::app::presenters {

/// The log of the selected trial: which attempt, rank and stream, its text, and searching in it.
class LogPresenter : public QObject {
    Q_OBJECT

public:
    explicit LogPresenter(ExperimentPresenter& experiment, QObject* parent = nullptr);
    ~LogPresenter() override;

    [[nodiscard]] const models::LogText& text() const { return m_text; }
    [[nodiscard]] const std::optional<protocol::LogAddress>& address() const { return m_address; }
    /// Nothing follows: the worker has ended.
    [[nodiscard]] bool isComplete() const { return m_complete; }
    [[nodiscard]] std::optional<TrialId> trial() const;
    /// "Attempt 0", … of the trial; empty while it has not started.
    [[nodiscard]] size_t attempts() const;
    [[nodiscard]] uint32_t ranks() const;

    /// UTF-8, or what the user chose for this log.
    [[nodiscard]] models::LogEncoding encoding() const { return m_text.encoding(); }
    /// What the bytes look like; the view offers it by name and reads nothing so by itself.
    [[nodiscard]] models::LogEncoding guessedEncoding() const { return m_guess.guess(); }

    [[nodiscard]] const std::vector<size_t>& hits() const { return m_hits; }
    [[nodiscard]] const QString& needle() const { return m_needle; }
    [[nodiscard]] bool isSearching() const { return m_searchFrom.has_value(); }

public slots:
    /// Only while shown does a log use the line.
    void setShown(bool shown);
    void setAttempt(int attempt);
    void setRank(int rank);
    void setStream(trialdeck::protocol::OutputStream stream);
    /// Reads this log again.
    void setEncoding(trialdeck::app::models::LogEncoding encoding);
    void search(const QString& needle);
    /// The view looks at a line whose text is not there.
    void fetch(size_t line);

signals:
    /// Another log, or none.
    void addressChanged();
    void textChanged(size_t firstChangedLine);
    void hitsChanged();
    void failed(const trialdeck::Error& error);

private:
    void choose();
    void setAddress(const std::optional<protocol::LogAddress>& address);
    void onLog(const protocol::LogEvent& event);
    void searchOn();
    void fetchPart(size_t block, uint64_t offset, uint64_t end, std::string bytes);

    ExperimentPresenter& m_experiment;
    models::LogText m_text;
    models::EncodingGuess m_guess;
    std::optional<protocol::LogAddress> m_address;
    std::optional<TrialId> m_trial;
    std::optional<uint32_t> m_attempt;
    uint32_t m_rank = 0;
    protocol::OutputStream m_stream = protocol::OutputStream::standardOutput;
    bool m_shown = false;
    bool m_complete = false;
    std::set<size_t> m_fetching;
    QString m_needle;
    std::vector<size_t> m_hits;
    std::optional<size_t> m_searchFrom;
    QTimer m_searchTimer;
    QTimer m_changeTimer;
    std::optional<size_t> m_firstChanged;
};

} // namespace trialdeck::app::presenters
