// cudaMalloc and its relatives.
#include "runtime.h"

namespace fpsim {
namespace {

cudaError_t allocate(void **pointer, size_t bytes) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    Arena *arena = Arena::get();
    if (!arena) return cudaErrorInitializationError;
    if (bytes == 0) return cudaSuccess;
    *pointer = arena->allocate(bytes);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

void note_bad_free(const void *pointer, const Location &where) {
    Note note(where.place == Place::freed ? "double_free" : "bad_free");
    note.text("function", "cudaFree").number("address", reinterpret_cast<intptr_t>(pointer));
    if (where.id) {
        note.text("buffer", buffer_name(where.id)).number("offset", static_cast<int64_t>(where.offset));
    } else {
        note.null("buffer");
    }
    note.send();
}

cudaError_t release(void *pointer) {
    if (!pointer) return cudaSuccess;
    if (release_managed(pointer)) return cudaSuccess;
    Arena *arena = Arena::existing();
    if (arena && arena->contains(pointer)) {
        std::unique_lock lock(device_lock());
        if (arena->release(pointer) == cudaSuccess) return cudaSuccess;
        lock.unlock();
        note_bad_free(pointer, arena->locate(pointer));
    } else {
        note_bad_free(pointer, {});
    }
    return cudaErrorInvalidValue;
}

}  // namespace
}  // namespace fpsim

using fpsim::finish;

extern "C" cudaError_t cudaMalloc(void **devPtr, size_t size) {
    const cudaError_t before = fpsim::finish_synchronised(cudaSuccess);
    return before != cudaSuccess ? before : finish(fpsim::allocate(devPtr, size));
}

extern "C" cudaError_t cudaFree(void *devPtr) {
    const cudaError_t before = fpsim::finish_synchronised(cudaSuccess);
    return before != cudaSuccess ? before : finish(fpsim::release(devPtr));
}

extern "C" cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    return finish(fpsim::allocate(devPtr, size));
}

extern "C" cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t stream) {
    if (!fp_sim_stream_exists(stream)) return finish(cudaErrorInvalidResourceHandle);
    return finish(fpsim::release(devPtr));
}

extern "C" cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    fpsim::Arena *arena = fpsim::Arena::get();
    if (!arena) return finish(cudaErrorInitializationError);
    if (!free || !total) return finish(cudaErrorInvalidValue);
    *total = arena->capacity();
    *free = arena->capacity() - arena->used();
    return finish(cudaSuccess);
}

extern "C" cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *ptr) {
    if (!attributes) return finish(cudaErrorInvalidValue);
    *attributes = {};
    attributes->type = fpsim::memory_type(ptr);
    attributes->device = attributes->type == cudaMemoryTypeUnregistered ? -2 : 0;
    void *pointer = const_cast<void *>(ptr);
    if (attributes->type != cudaMemoryTypeUnregistered) attributes->devicePointer = pointer;
    if (attributes->type != cudaMemoryTypeDevice) attributes->hostPointer = pointer;
    return fpsim::finish_without_context(cudaSuccess);
}
