// The device side of an operation. Part of sim.h, which includes it.
#pragma once

#include "sim.h"

namespace fpsim {

// ---- cudnn/kernel.cpp: the device side of an operation -------------------------------------------------------------
// Translates the device pointers of one launch and holds the device while the kernel computes. A pointer that the device
// cannot reach makes ready() false: the API call still returns SUCCESS, and the fault surfaces at the next synchronise.
class Kernel {
public:
    explicit Kernel(Call &call) : call_(call) {}
    ~Kernel();
    Kernel(const Kernel &) = delete;
    Kernel &operator=(const Kernel &) = delete;

    const void *read(const char *argument, const void *pointer, const View &view);
    void *write(const char *argument, void *pointer, const View &view, const Scaling &scaling);
    void *write(const char *argument, void *pointer, const View &view);
    void *update(const char *argument, void *pointer, const View &view);  // read and written
    const void *read_bytes(const char *argument, const void *pointer, size_t bytes);
    void *write_bytes(const char *argument, void *pointer, size_t bytes);
    void *update_bytes(const char *argument, void *pointer, size_t bytes);
    // A workspace of `bytes`: overwritten as a real kernel does, so that nothing else may live there.
    void scratch(const char *argument, void *pointer, size_t bytes);
    bool ready() const { return ready_; }

private:
    void *access(const char *argument, const void *pointer, int64_t low, int64_t high, int mode, bool dense);

    // Threads must not meet in the same memory: what is written may overlap itself or another operand.
    void share(const void *memory, int64_t low, int64_t high, bool written);
    void in_one_thread();

    struct Range {
        uintptr_t begin, end;
        bool written;
    };

    Call &call_;
    KernelScope scope_;
    bool ready_ = true;
    bool alone_ = false;
    std::vector<Range> ranges_;
};
// Fails the call with EXECUTION_FAILED_CUDART when an earlier fault has made the context unusable.
#define FP_LAUNCHABLE()                     \
    do {                                    \
        if (fp_sim_context_error() != 0)    \
            return call.fail(CUDNN_STATUS_EXECUTION_FAILED_CUDART, "err != cudaSuccess :: cudaGetLastError()"); \
    } while (false)

}  // namespace fpsim
