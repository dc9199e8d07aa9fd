// SPDX-License-Identifier: Apache-2.0
#include "core/transport/remote/remote_facts.h"

#include <charconv>

namespace trialdeck::transport {

namespace {

template<typename Number>
std::optional<Number> numberFrom(std::string_view text) {
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::string_view cutWord(std::string_view& text) {
    const size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return word;
}

std::optional<RemotePlace> placeFrom(std::string_view text) {
    RemotePlace place;
    const std::string_view condition = cutWord(text);
    if (condition == "good")
        place.condition = RemotePlace::Condition::good;
    else if (condition == "read_only")
        place.condition = RemotePlace::Condition::read_only;
    else if (condition == "no_execution")
        place.condition = RemotePlace::Condition::no_execution;
    else
        return std::nullopt;
    // df counts in KiB here.
    if (const auto kibibytes = numberFrom<uint64_t>(cutWord(text)))
        place.freeBytes = *kibibytes << 10;
    place.folder = text;
    return place;
}

std::string reasonAgainst(const RemoteFacts& facts, uint64_t neededBytes) {
    std::string reason;
    for (const RemotePlace& place : facts.places) {
        reason += reason.empty() ? "" : "; ";
        reason += place.folder;
        switch (place.condition) {
        case RemotePlace::Condition::read_only:
            reason += " cannot be written";
            break;
        case RemotePlace::Condition::no_execution:
            reason += " does not allow programs to run";
            break;
        case RemotePlace::Condition::good:
            reason += " has " + std::to_string(place.freeBytes.value_or(0) >> 20) + " MiB free of " +
                      std::to_string(neededBytes >> 20);
            break;
        }
    }
    return reason;
}

} // namespace

std::string factsScript() {
    // What a login script has printed may end within a line. A folder of /tmp may have been made by someone
    // else: only one that is this user's own counts. Whether programs may run is tried with a program.
    return R"(umask 077;
        u=`id -u`;
        echo;
        echo "td system `uname -s`";
        echo "td machine `uname -m`";
        echo "td home $HOME";
        echo "td shell $SHELL";
        echo "td seconds `date +%s`";
        if command -v gzip >/dev/null 2>&1; then echo "td gzip yes"; fi;
        if command -v sha256sum >/dev/null 2>&1; then echo "td hash sha256sum";
        elif command -v shasum >/dev/null 2>&1; then echo "td hash shasum -a 256"; fi;
        for d in )" +
           std::string(kRemotePlaces) + R"(; do
            c=read_only;
            t="$d/probe.$$";
            if mkdir -p "$d" 2>/dev/null && [ -O "$d" ] && ( echo "#!/bin/sh" >"$t" ) 2>/dev/null; then
                c=no_execution;
                chmod 700 "$t" && "$t" 2>/dev/null && c=good;
            fi;
            rm -f "$t" 2>/dev/null;
            f=`df -Pk "$d" 2>/dev/null | awk "NR == 2 { print \\$4 }"`;
            echo "td place $c ${f:--} $d";
        done)";
}

RemoteFacts parseFacts(std::string_view printed) {
    RemoteFacts facts;
    while (!printed.empty()) {
        const size_t end = printed.find('\n');
        std::string_view line = printed.substr(0, end);
        printed.remove_prefix(end == std::string_view::npos ? printed.size() : end + 1);
        if (cutWord(line) != "td")
            continue;
        const std::string_view key = cutWord(line);
        if (key == "system")
            facts.system = line;
        else if (key == "machine")
            facts.machine = line;
        else if (key == "home")
            facts.home = line;
        else if (key == "shell")
            facts.shell = line;
        else if (key == "seconds")
            facts.seconds = numberFrom<int64_t>(line);
        else if (key == "gzip")
            facts.hasGzip = true;
        else if (key == "hash")
            facts.hashCommand = line;
        else if (key == "place") {
            if (auto place = placeFrom(line))
                facts.places.push_back(std::move(*place));
        }
    }
    return facts;
}

Expected<std::string> choosePlace(const RemoteFacts& facts, uint64_t neededBytes, const std::string& host) {
    const bool runsHere = facts.system == "Linux" && (facts.machine == "x86_64" || facts.machine == "amd64");
    if (!runsHere)
        return base::fail(ErrorCode::unsupported_system,
                          {{"host", host}, {"system", facts.system}, {"machine", facts.machine}});
    for (const RemotePlace& place : facts.places) {
        if (place.condition == RemotePlace::Condition::good &&
            place.freeBytes.value_or(neededBytes) >= neededBytes)
            return place.folder;
    }
    return base::fail(ErrorCode::no_place_for_head,
                      {{"host", host}, {"reason", reasonAgainst(facts, neededBytes)}});
}

} // namespace trialdeck::transport
