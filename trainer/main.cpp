// SPDX-License-Identifier: Apache-2.0
#include "trainer/program/program.h"

#include <vector>

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return trialdeck::trainer::program::run(arguments);
}
