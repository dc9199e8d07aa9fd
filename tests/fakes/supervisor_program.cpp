// SPDX-License-Identifier: Apache-2.0
// What `trialdeck-head supervise` does, as a program of its own, so that tests of supervise and engine need
// not link the head.
#include "core/supervise/supervise_main.h"

#include <string_view>

int main(int argc, char** argv) {
    if (argc < 2 || std::string_view(argv[1]) != "supervise")
        return 2;
    return trialdeck::supervise::superviseMain(argc - 2, argv + 2, {argv[0], argv[1]});
}
