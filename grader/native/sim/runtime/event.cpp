// Events: moments on the host's steady clock, since work runs when it is submitted.
#include "runtime.h"

#include <chrono>
#include <set>

struct CUevent_st {
    unsigned int flags;
    bool recorded;
    std::chrono::steady_clock::time_point moment;
};

namespace fpsim {
namespace {

std::mutex mutex;
std::set<cudaEvent_t> &events() {
    static auto *const set = new std::set<cudaEvent_t>;  // outlives static destructors
    return *set;
}

cudaError_t create(cudaEvent_t *event, unsigned int flags) {
    constexpr unsigned int kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!event || (flags & ~kKnown)) return cudaErrorInvalidValue;
    // An event for other processes cannot carry a time.
    if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming)) return cudaErrorInvalidValue;
    *event = new CUevent_st{flags, false, {}};
    std::lock_guard lock(mutex);
    events().insert(*event);
    return cudaSuccess;
}

cudaError_t destroy(cudaEvent_t event) {
    std::lock_guard lock(mutex);
    if (events().erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return cudaErrorInvalidResourceHandle;
    std::lock_guard lock(mutex);
    if (!events().contains(event)) return cudaErrorInvalidResourceHandle;
    event->recorded = true;
    event->moment = std::chrono::steady_clock::now();
    return cudaSuccess;
}

bool timed(cudaEvent_t event) {
    return events().contains(event) && event->recorded && !(event->flags & cudaEventDisableTiming);
}

cudaError_t elapsed(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!milliseconds) return cudaErrorInvalidValue;
    std::lock_guard lock(mutex);
    if (!timed(start) || !timed(end)) return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(end->moment - start->moment).count();
    return cudaSuccess;
}

cudaError_t known(cudaEvent_t event) {
    std::lock_guard lock(mutex);
    return events().contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

}  // namespace

int report_live_events() {
    std::lock_guard lock(mutex);
    for (const cudaEvent_t event : events()) {
        Note("leak").text("kind", "event").number("address", reinterpret_cast<intptr_t>(event)).send();
    }
    return static_cast<int>(events().size());
}

}  // namespace fpsim

using fpsim::finish;

extern "C" cudaError_t cudaEventCreate(cudaEvent_t *event) { return finish(fpsim::create(event, 0)); }

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    return finish(fpsim::create(event, flags));
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t event) { return finish(fpsim::destroy(event)); }

extern "C" cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return finish(fpsim::record(event, stream));
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return fpsim::finish_synchronised(fpsim::known(event));
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t event) { return fpsim::finish_synchronised(fpsim::known(event)); }

extern "C" cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    return finish(fpsim::elapsed(ms, start, end));
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    if (flags > 1) return finish(cudaErrorInvalidValue);
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    return finish(fpsim::known(event));
}
