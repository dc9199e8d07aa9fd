// SPDX-License-Identifier: Apache-2.0
#include "trainer/program/threads.h"

#include <algorithm>
#include <charconv>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace trialdeck::trainer::program {

Expected<int> threadCount(const base::Environment& environment) {
    constexpr int kMaxThreads = 1024;
    const auto found = environment.find("OMP_NUM_THREADS");
    if (found == environment.end() || found->second.empty())
        return 1;
    const std::string& text = found->second;
    int count = 0;
    const char* end = text.data() + std::min(text.find(','), text.size());
    const auto result = std::from_chars(text.data(), end, count);
    if (result.ec != std::errc() || result.ptr != end || count < 1 || count > kMaxThreads)
        return base::fail(ErrorCode::value_out_of_range, {{"name", found->first}, {"value", text}},
                          "OMP_NUM_THREADS is \"" + text + "\", not a number of threads from 1 to " +
                              std::to_string(kMaxThreads));
    return count;
}

void flushTinyNumbers() {
#ifdef __x86_64__
    constexpr unsigned kFlushToZero = 0x8000;
    constexpr unsigned kDenormalsAreZero = 0x0040;
    _mm_setcsr(_mm_getcsr() | kFlushToZero | kDenormalsAreZero);
#endif
}

} // namespace trialdeck::trainer::program
