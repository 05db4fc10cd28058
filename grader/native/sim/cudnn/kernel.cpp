// The device side of an operation: its pointers, checked and translated.
#include "sim.h"

namespace fpsim {

void *Kernel::access(const char *argument, const void *pointer, int64_t low, int64_t high, int mode, bool dense) {
    void *memory = fp_sim_access(call_.function(), argument, pointer, low, high, mode, dense);
    ready_ = ready_ && memory != nullptr;
    return memory;
}

const void *Kernel::read(const char *argument, const void *pointer, const View &view) {
    return access(argument, pointer, view.low(), view.high(), FP_SIM_READ, view.dense());
}

void *Kernel::write(const char *argument, void *pointer, const View &view, const Scaling &scaling) {
    return scaling.beta != 0 ? update(argument, pointer, view) : write(argument, pointer, view);
}

void *Kernel::write(const char *argument, void *pointer, const View &view) {
    return access(argument, pointer, view.low(), view.high(), FP_SIM_WRITE, view.dense());
}

void *Kernel::update(const char *argument, void *pointer, const View &view) {
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
