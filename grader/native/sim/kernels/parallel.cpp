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

namespace {

thread_local bool alone_now = false;

// Runs one piece of a loop; an exception waits for the thread that started the loop.
struct Piece {
    void *context;
    void (*body)(void *, int64_t, int64_t);
    std::exception_ptr failure;

    void run(int64_t begin, int64_t end) noexcept {
        try {
            body(context, begin, end);
        } catch (...) {
            failure = std::current_exception();
        }
    }
};

}  // namespace

void run_alone(bool alone) { alone_now = alone; }

void parallel_for(int64_t count, int64_t grain, void *context, void (*body)(void *, int64_t, int64_t)) {
    if (count <= 0) return;
    const int64_t pieces = alone_now ? 1 : std::clamp<int64_t>(count / std::max<int64_t>(grain, 1), 1, thread_count());
    if (pieces == 1) return body(context, 0, count);
    std::vector<Piece> work(static_cast<size_t>(pieces), Piece{context, body, nullptr});
    std::vector<std::thread> threads;
    threads.reserve(work.size());
    int64_t next = 0;
    for (int64_t piece = 1; piece < pieces; ++piece) {
        const int64_t end = count * piece / pieces;
        try {
            threads.emplace_back(&Piece::run, &work[static_cast<size_t>(piece)], next, end);
        } catch (const std::system_error &) {
            break;  // a process limit: this thread does the rest
        }
        next = end;
    }
    work[0].run(next, count);
    for (std::thread &thread : threads) thread.join();
    for (const Piece &piece : work) {
        if (piece.failure) std::rethrow_exception(piece.failure);
    }
}

}  // namespace fpsim
