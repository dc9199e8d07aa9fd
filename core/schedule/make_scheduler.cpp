// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/make_scheduler.h"

#include "core/schedule/asha.h"
#include "core/schedule/fifo.h"

namespace trialdeck::schedule {

namespace {

Expected<std::unique_ptr<Scheduler>> makeAsha(const model::ExperimentSpec& spec) {
    if (!spec.search.metric)
        return base::fail(ErrorCode::metric_required, {{"key", "search.metric"}});
    AshaSettings settings;
    settings.timeAttribute = spec.scheduler.timeAttr;
    settings.mode = spec.search.metric->mode;
    settings.maxTime = static_cast<double>(spec.scheduler.maxT);
    settings.gracePeriod = static_cast<double>(spec.scheduler.gracePeriod);
    settings.reductionFactor = spec.scheduler.reductionFactor;
    return std::make_unique<AshaScheduler>(std::move(settings));
}

} // namespace

Expected<std::unique_ptr<Scheduler>> makeScheduler(const model::ExperimentSpec& spec) {
    switch (spec.scheduler.type) {
    case model::SchedulerType::fifo:
        return std::make_unique<FifoScheduler>();
    case model::SchedulerType::asha:
        return makeAsha(spec);
    case model::SchedulerType::hyperband:
    case model::SchedulerType::pbt:
    case model::SchedulerType::median:
        break;
    }
    return base::fail(ErrorCode::not_available_yet,
                      {{"value", std::string(model::nameOf(spec.scheduler.type))}});
}

} // namespace trialdeck::schedule
