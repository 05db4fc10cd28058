// Streams. Work runs when it is submitted, so a stream is always idle.
#include "runtime.h"

#include <set>

struct CUstream_st {
    unsigned int flags;
};

namespace fpsim {
namespace {

std::mutex mutex;
std::set<cudaStream_t> &streams() {
    static auto *const set = new std::set<cudaStream_t>;  // outlives static destructors
    return *set;
}

cudaError_t create(cudaStream_t *stream, unsigned int flags) {
    if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = new CUstream_st{flags};
    std::lock_guard lock(mutex);
    streams().insert(*stream);
    return cudaSuccess;
}

cudaError_t destroy(cudaStream_t stream) {
    std::lock_guard lock(mutex);
    if (streams().erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
}

bool is_default(cudaStream_t stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

}  // namespace

int report_live_streams() {
    std::lock_guard lock(mutex);
    for (const cudaStream_t stream : streams()) {
        Note("leak").text("kind", "stream").number("address", reinterpret_cast<intptr_t>(stream)).send();
    }
    return static_cast<int>(streams().size());
}

}  // namespace fpsim

using fpsim::finish;

extern "C" int fp_sim_stream_exists(cudaStream_t stream) {
    if (fpsim::is_default(stream)) return 1;
    std::lock_guard lock(fpsim::mutex);
    return fpsim::streams().contains(stream) ? 1 : 0;
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t *pStream) { return finish(fpsim::create(pStream, 0)); }

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags) {
    return finish(fpsim::create(pStream, flags));
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (fpsim::is_default(stream)) return finish(cudaErrorInvalidResourceHandle);
    return finish(fpsim::destroy(stream));
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    return fpsim::finish_synchronised(cudaSuccess);
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    return fpsim::finish_synchronised(cudaSuccess);
}
