// SPDX-License-Identifier: Apache-2.0
// A keychain in memory that answers when it is told to.
#pragma once

#include "app/client/keychain.h"

#include <map>
#include <utility>
#include <vector>

namespace trialdeck::fakes {

class FakeKeychain final : public app::client::Keychain {
public:
    void read(const QString& name, Reader reader) override {
        reads.push_back(name);
        m_waiting.emplace_back(name, std::move(reader));
        if (!isLocked)
            answer();
    }
    void write(const QString& name, const std::string& secret) override { secrets[name] = secret; }
    void remove(const QString& name) override { secrets.erase(name); }

    /// The user unlocks it.
    void answer() {
        for (const auto& [name, reader] : std::exchange(m_waiting, {})) {
            const auto found = secrets.find(name);
            if (!works)
                reader(Answer::unavailable, {});
            else if (found == secrets.end())
                reader(Answer::missing, {});
            else
                reader(Answer::found, found->second);
        }
    }

    bool works = true;
    bool isLocked = false;
    std::map<QString, std::string> secrets;
    std::vector<QString> reads;

private:
    std::vector<std::pair<QString, Reader>> m_waiting;
};

} // namespace trialdeck::fakes
