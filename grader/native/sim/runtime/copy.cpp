// cudaMemcpy, cudaMemcpy2D and cudaMemset.
#include "runtime.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fpsim {
namespace {

bool in_arena(const void *pointer) {
    Arena *arena = Arena::existing();
    return arena && arena->contains(pointer);
}

// With one address space the kinds are advice, but an end that the kind calls the device's must be device memory. As on
// real hardware, host-to-host is not checked.
bool kind_fits(const void *destination, const void *source, cudaMemcpyKind kind) {
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return (!to_device || memory_type(destination) != cudaMemoryTypeUnregistered) &&
           (!from_device || memory_type(source) != cudaMemoryTypeUnregistered);
}

void note_copy(const char *name, const char *function, const void *pointer, const Location &where, size_t bytes) {
    Note note(name);
    note.text("function", function).number("address", reinterpret_cast<intptr_t>(pointer));
    note.number("bytes", static_cast<int64_t>(bytes));
    if (where.id) {
        note.text("buffer", buffer_name(where.id)).number("offset", static_cast<int64_t>(where.offset));
        note.number("buffer_bytes", static_cast<int64_t>(where.size));
    }
    note.send();
}

// Host memory: of plain memory nothing is known, of pinned and managed memory the end.
char *resolve_host(const char *function, const void *pointer, size_t bytes) {
    const auto range = find_host_range(pointer);
    const size_t room = range ? range->size - static_cast<size_t>(static_cast<const char *>(pointer) - range->begin) : bytes;
    if (bytes <= room) return static_cast<char *>(const_cast<void *>(pointer));
    note_copy("copy_out_of_bounds", function, pointer, {}, bytes);
    return nullptr;
}

// One end of a copy as the kernels see it; null when the range is not wholly inside one live buffer.
char *resolve(const char *function, const void *pointer, size_t bytes) {
    if (!in_arena(pointer)) return resolve_host(function, pointer, bytes);
    Arena *arena = Arena::existing();
    const Location where = arena->locate(pointer);
    if (where.place == Place::live && bytes <= where.size - where.offset) return arena->alias(pointer);
    const bool freed = where.place == Place::freed;
    note_copy(freed ? "use_after_free" : "copy_out_of_bounds", function, pointer, where, bytes);
    return nullptr;
}

// Rows of `width` bytes, whose begins lie a pitch apart. A plain copy is one row.
struct Rows {
    size_t width, count, to_pitch, from_pitch;

    // From the first byte to the last, the gaps between the rows included; the largest size where that overflows.
    size_t span(size_t pitch) const {
        size_t bytes = 0;
        const bool over = __builtin_mul_overflow(pitch, count - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes);
        return over ? std::numeric_limits<size_t>::max() : bytes;
    }
};

// Of the first row that holds a byte that was never written.
void note_unwritten(const char *function, const void *source, const Rows &rows) {
    if (!in_arena(source)) return;
    Arena *arena = Arena::existing();
    for (size_t row = 0; row < rows.count; ++row) {
        const char *begin = static_cast<const char *>(source) + row * rows.from_pitch;
        const size_t gap = arena->first_unwritten(begin, rows.width);
        if (gap == rows.width) continue;
        Location where = arena->locate(begin);
        where.offset += gap;
        return note_copy("uninitialised_read", function, begin, where, rows.width);
    }
}

void mark(const void *destination, size_t bytes) {
    if (!in_arena(destination)) return;
    Arena *arena = Arena::existing();
    arena->mark_written(arena->locate(destination).id, destination, bytes);
}

cudaError_t copy(const char *function, void *destination, const void *source, const Rows &rows, cudaMemcpyKind kind) {
    if (rows.width == 0 || rows.count == 0) return cudaSuccess;
    if (rows.width > rows.to_pitch || rows.width > rows.from_pitch) {
        return rows.count == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue;
    }
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (!destination || !source) return cudaErrorInvalidValue;
    const size_t to_span = rows.span(rows.to_pitch), from_span = rows.span(rows.from_pitch);
    if (std::max(to_span, from_span) == std::numeric_limits<size_t>::max()) return cudaErrorInvalidValue;
    KernelScope scope;
    char *to = resolve(function, destination, to_span);
    const char *from = resolve(function, source, from_span);
    if (!to || !from) return cudaErrorInvalidValue;
    if (!kind_fits(destination, source, kind)) return cudaErrorInvalidValue;
    note_unwritten(function, source, rows);
    for (size_t row = 0; row < rows.count; ++row) {
        std::memmove(to + row * rows.to_pitch, from + row * rows.from_pitch, rows.width);
        mark(static_cast<char *>(destination) + row * rows.to_pitch, rows.width);
    }
    return cudaSuccess;
}

Rows one_row(size_t bytes) { return {bytes, 1, bytes, bytes}; }

cudaError_t set(const char *function, void *pointer, int value, size_t bytes) {
    if (bytes == 0) return cudaSuccess;
    if (!pointer || (memory_type(pointer) == cudaMemoryTypeUnregistered && !in_arena(pointer))) return cudaErrorInvalidValue;
    KernelScope scope;
    char *target = resolve(function, pointer, bytes);
    if (!target) return cudaErrorInvalidValue;
    std::memset(target, value, bytes);
    mark(pointer, bytes);
    return cudaSuccess;
}

}  // namespace
}  // namespace fpsim

using fpsim::finish;
using fpsim::finish_synchronised;

extern "C" cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
    const cudaError_t before = finish_synchronised(cudaSuccess);
    if (before != cudaSuccess) return before;
    return finish(fpsim::copy("cudaMemcpy", dst, src, fpsim::one_row(count), kind));
}

extern "C" cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    const cudaError_t before = finish(cudaSuccess);
    if (before != cudaSuccess) return before;
    return finish(fpsim::copy("cudaMemcpyAsync", dst, src, fpsim::one_row(count), kind));
}

extern "C" cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                                    cudaMemcpyKind kind) {
    const cudaError_t before = finish_synchronised(cudaSuccess);
    if (before != cudaSuccess) return before;
    return finish(fpsim::copy("cudaMemcpy2D", dst, src, {width, height, dpitch, spitch}, kind));
}

extern "C" cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                         size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    const cudaError_t before = finish(cudaSuccess);
    if (before != cudaSuccess) return before;
    return finish(fpsim::copy("cudaMemcpy2DAsync", dst, src, {width, height, dpitch, spitch}, kind));
}

extern "C" cudaError_t cudaMemset(void *devPtr, int value, size_t count) {
    const cudaError_t before = finish(cudaSuccess);
    if (before != cudaSuccess) return before;
    return finish(fpsim::set("cudaMemset", devPtr, value, count));
}

extern "C" cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    const cudaError_t before = finish(cudaSuccess);
    if (before != cudaSuccess) return before;
    return finish(fpsim::set("cudaMemsetAsync", devPtr, value, count));
}
