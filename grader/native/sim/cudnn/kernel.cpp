// The device side of an operation: its pointers, checked and translated.
#include "sim.h"

namespace fpsim {

void *Kernel::access(const char *argument, const void *pointer, int64_t low, int64_t high, int mode, bool dense) {
    void *memory = fp_sim_access(call_.function(), argument, pointer, low, high, mode, dense);
    ready_ = ready_ && memory != nullptr;
    if (memory) share(memory, low, high, mode != FP_SIM_READ);
    return memory;
}

Kernel::~Kernel() {
    if (alone_) run_alone(false);
}

void Kernel::in_one_thread() {
    alone_ = true;
    run_alone(true);
}

void Kernel::share(const void *memory, int64_t low, int64_t high, bool written) {
    const auto base = reinterpret_cast<uintptr_t>(memory);
    const Range range{base + static_cast<uintptr_t>(low), base + static_cast<uintptr_t>(high), written};
    for (const Range &other : ranges_) {
        const bool meet = range.begin < other.end && other.begin < range.end;
        if (meet && (written || other.written)) in_one_thread();
    }
    ranges_.push_back(range);
}

const void *Kernel::read(const char *argument, const void *pointer, const View &view) {
    return access(argument, pointer, view.low(), view.high(), FP_SIM_READ, view.dense());
}

void *Kernel::write(const char *argument, void *pointer, const View &view, const Scaling &scaling) {
    return scaling.beta != 0 ? update(argument, pointer, view) : write(argument, pointer, view);
}

void *Kernel::write(const char *argument, void *pointer, const View &view) {
    if (view.overlaps()) in_one_thread();
    return access(argument, pointer, view.low(), view.high(), FP_SIM_WRITE, view.dense());
}

void *Kernel::update(const char *argument, void *pointer, const View &view) {
    if (view.overlaps()) in_one_thread();
    return access(argument, pointer, view.low(), view.high(), FP_SIM_UPDATE, view.dense());
}

const void *Kernel::read_bytes(const char *argument, const void *pointer, size_t bytes) {
    return access(argument, pointer, 0, static_cast<int64_t>(bytes), FP_SIM_READ, true);
}

void *Kernel::write_bytes(const char *argument, void *pointer, size_t bytes) {
    return access(argument, pointer, 0, static_cast<int64_t>(bytes), FP_SIM_WRITE, true);
}

void *Kernel::update_bytes(const char *argument, void *pointer, size_t bytes) {
    return access(argument, pointer, 0, static_cast<int64_t>(bytes), FP_SIM_UPDATE, true);
}

void Kernel::scratch(const char *argument, void *pointer, size_t bytes) {
    if (bytes == 0) return;
    void *memory = write_bytes(argument, pointer, bytes);
    if (memory) std::memset(memory, kPoison, bytes);
}

}  // namespace fpsim
