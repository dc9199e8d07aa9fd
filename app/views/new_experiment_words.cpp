// SPDX-License-Identifier: Apache-2.0
#include "app/views/new_experiment_page.h"

namespace trialdeck::app::views {

std::map<QString, std::pair<QString, QString>> NewExperimentPage::fieldWords() {
    return {
        {QStringLiteral("name"), {tr("Name"), tr("Also the name of the folder with the results.")}},
        {QStringLiteral("trial.command"),
         {tr("Command"), tr("Program and arguments. {lr} stands for the parameter lr.")}},
        {QStringLiteral("trial.runtime_env.working_dir"),
         {tr("Working directory"), tr("Relative paths are read against the folder of the YAML file.")}},
        {QStringLiteral("trial.runtime_env.python"),
         {tr("Python"), tr("Interpreter whose folder comes first in PATH.")}},
        {QStringLiteral("trial.runtime_env.env_vars"),
         {tr("Environment"), tr("One NAME=value a line, on top of your login environment.")}},
        {QStringLiteral("trial.num_workers"), {tr("Workers"), tr("Processes of one trial.")}},
        {QStringLiteral("trial.resources_per_worker.CPU"), {tr("CPUs a worker"), QString()}},
        {QStringLiteral("trial.resources_per_worker.GPU"), {tr("GPUs a worker"), QString()}},
        {QStringLiteral("trial.resources_per_worker.memory"),
         {tr("Memory a worker"), tr("For example 1GiB or 512MiB.")}},
        {QStringLiteral("search.search_alg"),
         {tr("Search algorithm"), tr("How configurations are proposed.")}},
        {QStringLiteral("search.num_samples"),
         {tr("Samples"), tr("Number of trials; a grid is run this many times. -1: until it is stopped.")}},
        {QStringLiteral("search.max_concurrent_trials"),
         {tr("Max concurrent"), tr("Trials that run side by side; empty: as many as fit.")}},
        {QStringLiteral("search.metric"), {tr("Metric"), tr("What the best trial is chosen by.")}},
        {QStringLiteral("search.mode"),
         {tr("Goal"), tr("max: the larger the better. min: the smaller the better.")}},
        {QStringLiteral("search.seed"),
         {tr("Random seed"), tr("The same seed proposes the same configurations.")}},
        {QStringLiteral("scheduler.type"),
         {tr("Trial scheduler"), tr("asha stops trials that fall behind.")}},
        {QStringLiteral("scheduler.max_t"), {tr("Longest trial"), tr("In training iterations; for asha.")}},
        {QStringLiteral("stop"), {tr("Stop a trial when"), tr("Any one of them is enough.")}},
        {QStringLiteral("checkpoint_config.checkpoint_frequency"),
         {tr("Checkpoint every"), tr("In training iterations; told to the program.")}},
        {QStringLiteral("checkpoint_config.num_to_keep"),
         {tr("Checkpoints kept"), tr("Of each trial; empty: all. The newest is always kept.")}},
        {QStringLiteral("failure_config.max_failures"),
         {tr("Retries"),
          tr("How often a failed trial goes on from its newest checkpoint; -1: without limit. 0 unless "
             "you say so: a program that fails by itself mostly fails again. What is lost with its "
             "machine goes on in any case.")}},
        {QStringLiteral("storage_path"),
         {tr("Storage"), tr("Results go into a folder of the experiment's name there.")}},
    };
}

} // namespace trialdeck::app::views
