// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messages/experiments.h"
#include "core/protocol/messages/files.h"
#include "core/protocol/messages/head.h"
#include "core/protocol/messages/hello.h"
#include "core/protocol/messages/logs.h"
#include "core/protocol/messages/records.h"
#include "core/protocol/messages/spec.h"
#include "core/protocol/messages/state.h"

/// What client and head say to each other, as plain structs. PROTOCOL.md is the text that goes with them; a
/// test proves that it names every one of these and each of their fields.
/// A request names its method, its kind and the type of its result.

// clang-format off
#define TRIALDECK_REQUESTS(X)                                                                                          \
    X(HelloRequest) X(SpecCheckRequest)                                                                                \
    X(ExperimentCreateRequest) X(ExperimentShowRequest) X(WorkAtRiskRequest) X(PauseRequest) X(ResumeRequest)          \
    X(StopRequest)                                                                                                     \
    X(StateSubscribeRequest) X(StateReadRequest) X(RecordsSubscribeRequest) X(RecordsUnsubscribeRequest)               \
    X(LogReadRequest) X(LogSubscribeRequest) X(LogUnsubscribeRequest) X(FilesListRequest)                              \
    X(DoctorRequest) X(ShutdownRequest)

#define TRIALDECK_RESULTS(X)                                                                                           \
    X(EmptyResult) X(HelloResult) X(SpecCheckResult)                                                                   \
    X(ExperimentCreateResult) X(ExperimentShowResult) X(WorkAtRiskResult)                                              \
    X(StateSubscribeResult) X(RecordsSubscribeResult) X(LogReadResult) X(FilesListResult) X(DoctorResult)

#define TRIALDECK_EVENTS(X)                                                                                            \
    X(ExperimentChangedEvent) X(NodeChangedEvent) X(RecordsEvent) X(LogEvent) X(HeadEndedEvent)

/// Structs inside the others.
#define TRIALDECK_MESSAGE_PARTS(X)                                                                                     \
    X(Problem) X(ParameterPreview) X(SpecPreview) X(ExperimentSummary) X(GpuState) X(NodeState) X(LogAddress)          \
    X(FileEntry) X(DoctorCheck)
// clang-format on
