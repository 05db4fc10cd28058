// Host memory that the device may touch: pinned, registered and managed.
#include "runtime.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace fpsim {
namespace {

std::mutex mutex;
std::map<const char *, HostRange> &ranges() {
    static auto *const map = new std::map<const char *, HostRange>;  // outlives static destructors
    return *map;
}

void *allocate_host(size_t bytes, HostKind kind) {
    if (bytes > SIZE_MAX - 4095) return nullptr;  // would round up to nothing
    void *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!memory) return nullptr;
    std::lock_guard lock(mutex);
    ranges().emplace(static_cast<char *>(memory), HostRange{static_cast<char *>(memory), bytes, kind});
    return memory;
}

bool release_host(void *pointer, HostKind kind) {
    std::lock_guard lock(mutex);
    const auto it = ranges().find(static_cast<char *>(pointer));
    if (it == ranges().end() || it->second.kind != kind) return false;
    ranges().erase(it);
    if (kind != HostKind::registered) std::free(pointer);
    return true;
}

cudaError_t allocate_for_caller(void **pointer, size_t bytes, HostKind kind) {
    if (!pointer) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = allocate_host(bytes, kind);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

}  // namespace

std::optional<HostRange> find_host_range(const void *pointer) {
    const auto *byte = static_cast<const char *>(pointer);
    std::lock_guard lock(mutex);
    auto next = ranges().upper_bound(byte);
    if (next == ranges().begin()) return std::nullopt;
    const HostRange &range = std::prev(next)->second;
    if (byte >= range.begin + range.size) return std::nullopt;
    return range;
}

cudaMemoryType memory_type(const void *pointer) {
    Arena *arena = Arena::existing();
    if (arena && arena->contains(pointer)) {
        return arena->locate(pointer).place == Place::live ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    }
    const auto range = find_host_range(pointer);
    if (!range) return cudaMemoryTypeUnregistered;
    return range->kind == HostKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
}

bool release_managed(void *pointer) { return release_host(pointer, HostKind::managed); }

}  // namespace fpsim

using fpsim::finish;
using fpsim::HostKind;

extern "C" cudaError_t cudaMallocHost(void **ptr, size_t size) {
    return finish(fpsim::allocate_for_caller(ptr, size, HostKind::pinned));
}

extern "C" cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags) {
    if (flags & ~0x7U) return finish(cudaErrorInvalidValue);
    return finish(fpsim::allocate_for_caller(pHost, size, HostKind::pinned));
}

extern "C" cudaError_t cudaFreeHost(void *ptr) {
    if (!ptr) return finish(cudaSuccess);
    return finish(fpsim::release_host(ptr, HostKind::pinned) ? cudaSuccess : cudaErrorInvalidValue);
}

extern "C" cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags) {
    if (flags != 1 && flags != 2) return finish(cudaErrorInvalidValue);  // cudaMemAttachGlobal, cudaMemAttachHost
    return finish(fpsim::allocate_for_caller(devPtr, size, HostKind::managed));
}
