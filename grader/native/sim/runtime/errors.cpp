// The last error of a thread, and the error that makes the whole context unusable.
#include "runtime.h"

#include <atomic>

namespace fpsim {
namespace {

std::atomic<int> pending_fault{0};  // left by a kernel, not yet seen by the host
std::atomic<int> context_error{0};  // seen: every later call returns it
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

}  // namespace

void raise_fault(cudaError_t error) {
    int none = 0;
    pending_fault.compare_exchange_strong(none, static_cast<int>(error));
}

cudaError_t finish(cudaError_t error) {
    const int sticky = context_error.load();
    return remember(sticky ? static_cast<cudaError_t>(sticky) : error);
}

cudaError_t finish_without_context(cudaError_t error) { return remember(error); }

cudaError_t finish_synchronised(cudaError_t error) {
    const int pending = pending_fault.load();
    if (pending) context_error = pending;
    return finish(error);
}

void clear_errors() {
    pending_fault = 0;
    context_error = 0;
    last_error = cudaSuccess;
}

}  // namespace fpsim

extern "C" int fp_sim_context_error(void) { return fpsim::context_error.load(); }

extern "C" void fp_sim_raise(int error) { fpsim::raise_fault(static_cast<cudaError_t>(error)); }

extern "C" int fp_sim_synchronise(void) { return static_cast<int>(fpsim::finish_synchronised(cudaSuccess)); }

extern "C" cudaError_t cudaGetLastError(void) {
    const cudaError_t error = fpsim::last_error;
    fpsim::last_error = cudaSuccess;
    return error;
}

extern "C" cudaError_t cudaPeekAtLastError(void) { return fpsim::last_error; }
