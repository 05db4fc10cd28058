// Splits a loop over several threads. Threads live for one loop only, so that fork() and exit() need no care.
#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "../cudnn/sim.h"

namespace fpsim {

int thread_count() {
    static const int count = [] {
        const char *wanted = std::getenv("FP_SIM_THREADS");
        const int given = wanted ? std::atoi(wanted) : 0;
        const int cores = static_cast<int>(std::thread::hardware_concurrency());
        return std::clamp(given > 0 ? given : cores, 1, 64);
    }();
    return count;
}

void parallel_for(int64_t count, int64_t grain, void *context, void (*body)(void *, int64_t, int64_t)) {
    if (count <= 0) return;
    const int64_t pieces = std::clamp<int64_t>(count / std::max<int64_t>(grain, 1), 1, thread_count());
    std::vector<std::thread> threads;
    int64_t next = 0;
    for (int64_t piece = 1; piece < pieces; ++piece) {
        const int64_t end = count * piece / pieces;
        try {
            threads.emplace_back(body, context, next, end);
        } catch (const std::system_error &) {
            break;  // a process limit: this thread does the rest
        }
        next = end;
    }
    body(context, next, count);
    for (std::thread &thread : threads) thread.join();
}

}  // namespace fpsim
