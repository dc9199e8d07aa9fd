// SPDX-License-Identifier: Apache-2.0
// The cheapest worker there is, for benchmarks: reports COUNT times with 5 metrics, each line by a write of
// its own. usage: reporter COUNT [BEGIN_NS RATE] BEGIN_NS: time of CLOCK_MONOTONIC at which it begins; RATE:
// reports a second from then on; without them all at once. The metric written_s is the time of that clock, in
// seconds, just before the write. TRIALDECK_BENCH_HOLD: the number of a trial that does not end by itself.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
/* Reports that fall due within one tick are written one after another. */
static const int64_t tick = 20000000;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

static void sleepUntil(int64_t when) {
    struct timespec time = {when / second, when % second};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

static int report(int fd, int64_t iteration) {
    char line[256];
    const uint32_t noise = (uint32_t)(iteration * 2654435761U);
    const int64_t written = now();
    const int length = snprintf(
        line, sizeof line,
        "{\"training_iteration\": %lld, \"loss\": 0.%08u, \"accuracy\": 0.%06u, \"train_loss\": 0.%08u, "
        "\"lr\": 0.001, \"written_s\": %lld.%09lld}\n",
        (long long)iteration, noise % 100000000, noise % 1000000, (noise >> 4) % 100000000,
        (long long)(written / second), (long long)(written % second));
    return write(fd, line, (size_t)length) == length ? 0 : -1;
}

int main(int argc, char** argv) {
    const int64_t count = argc > 1 ? atoll(argv[1]) : 1;
    const int64_t rate = argc > 3 ? atoll(argv[3]) : 0;
    /* Workers of one experiment do not all write at the same moment. */
    const int64_t begin = rate > 0 ? atoll(argv[2]) + (int64_t)getpid() % 20 * (tick / 20) : 0;
    const char* path = getenv("TRIALDECK_REPORT");
    const int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        return 1;
    int64_t due = rate > 0 ? 0 : count;
    for (int64_t done = 0; done < count;) {
        if (done == due) {
            const int64_t next = begin + (due + 1) * second / rate;
            sleepUntil(next + tick - 1 - (next + tick - 1 - begin) % tick);
            const int64_t passed = now() - begin;
            due = passed > 0 ? passed * rate / second : 0;
            due = due > count ? count : due;
        }
        for (; done < due; ++done) {
            if (report(fd, done + 1) != 0)
                return 1;
        }
    }
    const char* hold = getenv("TRIALDECK_BENCH_HOLD");
    const char* trial = getenv("TRIALDECK_TRIAL_ID");
    if (hold && trial && strcmp(hold, trial) == 0)
        pause();
    return 0;
}
