// SPDX-License-Identifier: Apache-2.0
#include "trainer/contract/reporter.h"

#include "core/base/json.h"

#include <fmt/format.h>

namespace trialdeck::trainer::contract {

Expected<std::unique_ptr<Reporter>> Reporter::open(TrialContract contract, uint64_t lastEpoch,
                                                   base::FileSystem& files, Print print) {
    std::unique_ptr<Reporter> reporter(new Reporter(std::move(contract), lastEpoch, files, std::move(print)));
    if (reporter->m_contract.reportFile) {
        auto file = files.open(*reporter->m_contract.reportFile, base::OpenMode::appendOrCreate);
        if (!file)
            return tl::make_unexpected(std::move(file).error().during("open the report file"));
        reporter->m_reports = *std::move(file);
    }
    return reporter;
}

Expected<void> Reporter::epochDone(const train_loop::EpochResult& result,
                                   const std::function<checkpoint::Checkpoint()>& state) {
    Object report{{"training_iteration", result.epoch},
                  {"loss", result.loss},
                  {"accuracy", result.accuracy},
                  {"train_loss", result.trainLoss},
                  {"time_this_iter_s", result.seconds}};
    std::string note;
    if (m_contract.wantsCheckpoint(result.epoch, m_lastEpoch)) {
        const std::string name = fmt::format("epoch_{:06}", result.epoch);
        const auto saved = checkpoint::save(m_files, *m_contract.checkpointFolder / name, state());
        if (!saved)
            return tl::make_unexpected(Error(saved.error()).during("write checkpoint " + name));
        report.append("checkpoint", name);
        note = "  " + name;
    }
    if (m_reports) {
        // One append, so that a reader sees the line whole or not at all.
        auto appended = m_reports->append(base::toJson(std::move(report)) + "\n");
        if (!appended)
            return tl::make_unexpected(std::move(appended).error().during("report"));
    }
    m_print(fmt::format("epoch {:>{}}/{}  loss {:.4f}  accuracy {:.4f}  train loss {:.4f}  {:.1f} s{}",
                        result.epoch, std::to_string(m_lastEpoch).size(), m_lastEpoch, result.loss,
                        result.accuracy, result.trainLoss, result.seconds, note));
    return {};
}

} // namespace trialdeck::trainer::contract
