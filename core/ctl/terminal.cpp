// SPDX-License-Identifier: Apache-2.0
#include "core/ctl/terminal.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace trialdeck::ctl {

namespace {

constexpr size_t kUsualColumns = 80;
constexpr size_t kUsualRows = 24;

class SystemTerminal final : public Terminal {
public:
    bool isLive() const override { return isatty(STDOUT_FILENO) == 1; }
    bool canAsk() const override { return isatty(STDIN_FILENO) == 1; }
    size_t columns() const override {
        const winsize size = measured();
        return size.ws_col > 0 ? size.ws_col : kUsualColumns;
    }
    size_t rows() const override {
        const winsize size = measured();
        return size.ws_row > 0 ? size.ws_row : kUsualRows;
    }
    void print(std::string_view text) override {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
    void printError(std::string_view text) override {
        std::fflush(stdout);
        std::fwrite(text.data(), 1, text.size(), stderr);
    }
    std::optional<std::string> ask(std::string_view question) override {
        printError(question);
        std::string line;
        for (int letter = std::getchar(); letter != '\n'; letter = std::getchar()) {
            if (letter == EOF)
                return std::nullopt;
            line.push_back(static_cast<char>(letter));
        }
        return line;
    }

private:
    static winsize measured() {
        winsize size{};
        (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
        return size;
    }
};

} // namespace

std::unique_ptr<Terminal> makeSystemTerminal() {
    return std::make_unique<SystemTerminal>();
}

} // namespace trialdeck::ctl
