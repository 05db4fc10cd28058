// Device memory: a reserved range that the host cannot touch, and a second mapping of it for the kernels.
#include "runtime.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace fpsim {
namespace {

constexpr size_t kPage = 4096;
// Between two buffers lies at least this much that belongs to nobody, so that an overrun never lands in a neighbour.
constexpr size_t kGuard = 4096;
constexpr size_t kGuardPattern = 64;
constexpr unsigned char kGuardByte = 0xFD;
constexpr size_t kMebibyte = size_t{1} << 20;
constexpr size_t kDefaultMebibytes = 4096;

std::atomic<Arena *> arena{nullptr};
std::atomic<bool> forked{false};

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

size_t wanted_capacity() {
    const char *text = std::getenv("FP_SIM_MEMORY_MIB");
    const size_t mebibytes = text ? std::strtoull(text, nullptr, 10) : 0;
    return (mebibytes ? mebibytes : kDefaultMebibytes) * kMebibyte;
}

}  // namespace

Arena *Arena::existing() { return arena.load(std::memory_order_acquire); }

Arena *Arena::get() {
    // As on a real device, a context does not survive fork().
    if (forked.load(std::memory_order_relaxed)) return nullptr;
    static Arena *const made = [] {
        auto *candidate = new Arena(wanted_capacity());
        if (!candidate->reserve()) {
            Note("device_memory_unavailable").number("bytes", static_cast<int64_t>(candidate->capacity_)).send();
            delete candidate;
            return static_cast<Arena *>(nullptr);
        }
        arena.store(candidate, std::memory_order_release);
        install_fault_handler();
        pthread_atfork(nullptr, nullptr, [] { forked = true; });
        return candidate;
    }();
    return made;
}

Arena::Arena(size_t capacity) : capacity_(capacity) {}

bool Arena::reserve() {
    memory_ = memfd_create("fp_sim_device_memory", MFD_CLOEXEC);
    if (memory_ < 0 || ftruncate(memory_, static_cast<off_t>(capacity_)) != 0) return false;
    void *range = mmap(nullptr, 2 * capacity_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return false;
    base_ = static_cast<char *>(range);
    void *second = mmap(base_ + capacity_, capacity_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                        memory_, 0);
    alias_ = base_ + capacity_;
    return second != MAP_FAILED;
}

bool Arena::contains(const void *pointer) const {
    const auto *byte = static_cast<const char *>(pointer);
    return byte >= base_ && byte < base_ + capacity_;
}

char *Arena::alias(const void *pointer) const { return alias_ + (static_cast<const char *>(pointer) - base_); }

std::optional<size_t> Arena::place_between(size_t begin, size_t end, size_t footprint) const {
    size_t candidate = begin;
    auto next = live_.lower_bound(begin);
    if (next != live_.begin()) {
        const Buffer &before = std::prev(next)->second;
        candidate = std::max(candidate, round_up(before.offset + before.size, kPage) + kGuard);
    }
    for (; next != live_.end() && next->first < end; ++next) {
        if (candidate + footprint <= next->first) return candidate;
        candidate = round_up(next->second.offset + next->second.size, kPage) + kGuard;
    }
    if (candidate + footprint <= end) return candidate;
    return std::nullopt;
}

// Goes round the range before it uses an address again, so that a stale pointer is seen to be stale for long.
std::optional<size_t> Arena::place(size_t footprint) {
    auto offset = place_between(cursor_, capacity_, footprint);
    if (!offset) offset = place_between(0, capacity_, footprint);
    return offset;
}

void Arena::forget(size_t begin, size_t end) {
    auto it = freed_.lower_bound(begin);
    if (it != freed_.begin() && std::prev(it)->second.offset + std::prev(it)->second.size > begin) --it;
    while (it != freed_.end() && it->first < end) it = freed_.erase(it);
}

void *Arena::allocate(size_t bytes) {
    const size_t footprint = round_up(bytes, kPage) + kGuard;
    std::lock_guard lock(mutex_);
    if (bytes > capacity_ || footprint > capacity_) return nullptr;
    const auto offset = place(footprint);
    if (!offset) return nullptr;
    forget(*offset, *offset + footprint);
    std::memset(alias_ + *offset, kPoison, bytes);
    std::memset(alias_ + *offset + bytes, kGuardByte, kGuardPattern);
    Buffer buffer;
    buffer.id = ++last_id_;
    buffer.offset = *offset;
    buffer.size = bytes;
    live_.emplace(*offset, std::move(buffer));
    used_ += footprint;
    cursor_ = *offset + footprint;
    return base_ + *offset;
}

cudaError_t Arena::release(void *pointer) {
    std::lock_guard lock(mutex_);
    const auto it = live_.find(static_cast<size_t>(static_cast<char *>(pointer) - base_));
    if (it == live_.end()) return cudaErrorInvalidValue;
    Buffer buffer = std::move(it->second);
    live_.erase(it);
    if (!guard_intact(buffer)) {
        Note("guard_overwritten").text("buffer", buffer_name(buffer.id)).number("bytes", buffer.size).send();
    }
    const size_t footprint = round_up(buffer.size, kPage) + kGuard;
    used_ -= footprint;
    fallocate(memory_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(buffer.offset),
              static_cast<off_t>(footprint));
    freed_.insert_or_assign(buffer.offset, std::move(buffer));
    return cudaSuccess;
}

bool Arena::guard_intact(const Buffer &buffer) const {
    const char *guard = alias_ + buffer.offset + buffer.size;
    return std::all_of(guard, guard + kGuardPattern,
                       [](char byte) { return static_cast<unsigned char>(byte) == kGuardByte; });
}

Buffer *Arena::find_locked(const void *pointer) {
    if (!contains(pointer)) return nullptr;
    const auto offset = static_cast<size_t>(static_cast<const char *>(pointer) - base_);
    auto next = live_.upper_bound(offset);
    if (next == live_.begin()) return nullptr;
    Buffer &buffer = std::prev(next)->second;
    return offset < buffer.offset + buffer.size ? &buffer : nullptr;
}

Location Arena::locate_locked(const void *pointer) {
    if (!contains(pointer)) return {};
    const auto offset = static_cast<size_t>(static_cast<const char *>(pointer) - base_);
    if (const Buffer *buffer = find_locked(pointer)) {
        return {Place::live, buffer->id, offset - buffer->offset, buffer->size};
    }
    auto next = freed_.upper_bound(offset);
    if (next != freed_.begin()) {
        const Buffer &buffer = std::prev(next)->second;
        if (offset < buffer.offset + std::max<size_t>(buffer.size, 1)) {
            return {Place::freed, buffer.id, offset - buffer.offset, buffer.size};
        }
    }
    auto after = live_.upper_bound(offset);
    if (after == live_.begin()) return {Place::gap, 0, 0, 0};
    const Buffer &before = std::prev(after)->second;
    return {Place::gap, before.id, offset - before.offset, before.size};
}

Location Arena::locate(const void *pointer) {
    std::lock_guard lock(mutex_);
    return locate_locked(pointer);
}

std::optional<Location> Arena::try_locate(const void *pointer) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return std::nullopt;
    return locate_locked(pointer);
}

void Arena::mark_written(uint64_t id, const void *pointer, size_t bytes) {
    std::lock_guard lock(mutex_);
    Buffer *buffer = find_locked(pointer);
    if (!buffer || buffer->id != id) return;
    const size_t begin = static_cast<size_t>(static_cast<const char *>(pointer) - base_) - buffer->offset;
    buffer->written.add(begin, begin + bytes);
}

size_t Arena::first_unwritten(const void *pointer, size_t bytes) {
    std::lock_guard lock(mutex_);
    const Buffer *buffer = find_locked(pointer);
    if (!buffer) return bytes;
    const size_t begin = static_cast<size_t>(static_cast<const char *>(pointer) - base_) - buffer->offset;
    return buffer->written.first_gap(begin, begin + bytes) - begin;
}

bool Arena::any_written(const void *pointer, size_t bytes) {
    std::lock_guard lock(mutex_);
    const Buffer *buffer = find_locked(pointer);
    if (!buffer) return true;
    const size_t begin = static_cast<size_t>(static_cast<const char *>(pointer) - base_) - buffer->offset;
    return buffer->written.touches(begin, begin + bytes);
}

size_t Arena::used() {
    std::lock_guard lock(mutex_);
    return used_;
}

void Arena::reset() {
    std::lock_guard lock(mutex_);
    for (auto &[offset, buffer] : live_) freed_.insert_or_assign(offset, std::move(buffer));
    live_.clear();
    used_ = 0;
    fallocate(memory_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(capacity_));
}

std::string buffer_name(uint64_t id) { return "buffer#" + std::to_string(id); }

}  // namespace fpsim

extern "C" int fp_sim_device_available(void) { return fpsim::Arena::get() != nullptr ? 1 : 0; }

extern "C" int fp_sim_is_device_memory(const void *pointer) {
    return fpsim::memory_type(pointer) == cudaMemoryTypeDevice ? 1 : 0;
}
