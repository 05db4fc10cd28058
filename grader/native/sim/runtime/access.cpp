// What kernels may touch, and the faults that they leave behind.
#include "runtime.h"

namespace fpsim {
namespace {

struct Request {
    const char *function;
    const char *argument;
    const char *pointer;
    int64_t low;
    int64_t high;
    const char *first() const {
        return reinterpret_cast<const char *>(reinterpret_cast<uintptr_t>(pointer) + static_cast<uintptr_t>(low));
    }
    size_t bytes() const { return static_cast<size_t>(high - low); }
};

Note describe(const char *name, const Request &request) {
    Note note(name);
    note.text("function", request.function).text("argument", request.argument);
    note.number("address", reinterpret_cast<intptr_t>(request.pointer)).number("bytes", request.high - request.low);
    return note;
}

void *fault(Note note) {
    note.send();
    raise_fault(cudaErrorIllegalAddress);
    return nullptr;
}

void *fault_in_buffer(const char *name, const Request &request, const Location &where) {
    Note note = describe(name, request);
    if (where.id) {
        note.text("buffer", buffer_name(where.id)).number("offset", static_cast<int64_t>(where.offset));
        note.number("buffer_bytes", static_cast<int64_t>(where.size));
    }
    return fault(std::move(note));
}

void warn_if_unwritten(Arena &arena, const Request &request, const Location &where, bool dense) {
    const size_t bytes = request.bytes();
    const size_t gap = arena.first_unwritten(request.first(), bytes);
    if (gap == bytes || (!dense && arena.any_written(request.first(), bytes))) return;
    Note note = describe("uninitialised_read", request);
    note.text("buffer", buffer_name(where.id));
    note.number("offset", static_cast<int64_t>(where.offset + gap)).send();
}

void *access_device(Arena &arena, const Request &request, int mode, bool dense) {
    const Location where = arena.locate(request.first());
    if (where.place == Place::freed) return fault_in_buffer("use_after_free", request, where);
    if (where.place != Place::live || request.bytes() > where.size - where.offset) {
        return fault_in_buffer("out_of_bounds", request, where);
    }
    if (mode & FP_SIM_READ) warn_if_unwritten(arena, request, where, dense);
    if (mode & FP_SIM_WRITE) arena.mark_written(where.id, request.first(), request.bytes());
    return arena.alias(request.pointer);
}

void *access_host(const Request &request) {
    const auto range = find_host_range(request.first());
    if (!range) return fault(describe("host_pointer_in_kernel", request));
    const auto offset = static_cast<size_t>(request.first() - range->begin);
    if (request.bytes() > range->size - offset) return fault(describe("out_of_bounds", request));
    return const_cast<char *>(request.pointer);
}

}  // namespace

std::shared_mutex &device_lock() {
    static auto *const lock = new std::shared_mutex;  // outlives static destructors
    return *lock;
}

}  // namespace fpsim

extern "C" void *fp_sim_access(const char *function, const char *argument, const void *pointer, int64_t low,
                               int64_t high, int mode, int dense) {
    using namespace fpsim;
    const Request request{function, argument, static_cast<const char *>(pointer), low, high};
    if (!pointer) return fault(describe("null_pointer_in_kernel", request));
    if (high <= low) return const_cast<void *>(pointer);
    Arena *arena = Arena::existing();
    if (arena && arena->contains(pointer)) return access_device(*arena, request, mode, dense != 0);
    return access_host(request);
}

extern "C" void fp_sim_kernel_begin(void) { fpsim::device_lock().lock_shared(); }

extern "C" void fp_sim_kernel_end(void) { fpsim::device_lock().unlock_shared(); }
