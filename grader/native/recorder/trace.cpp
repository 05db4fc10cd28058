#include "trace.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "recorder.h"

namespace fp::trace {
namespace {

static_assert(sizeof(fp_trace_header) == FP_TRACE_HEADER_BYTES);

std::atomic<fp_trace_header *> header{nullptr};
std::atomic<uint64_t> capacity{0};
std::atomic<uint64_t> unattached_calls{0};

// Lines in flight, in the order they lie in the header. A call that finds no room is not shown in flight.
struct Flight {
  uint64_t index;
  uint32_t length;
};
std::array<Flight, 16> flights;
size_t flight_count = 0;
std::mutex flight_mutex;

void lock_flights() { flight_mutex.lock(); }
void unlock_flights() { flight_mutex.unlock(); }
const int fork_guard = pthread_atfork(lock_flights, unlock_flights, unlock_flights);

std::atomic_ref<uint64_t> shared(uint64_t &counter) { return std::atomic_ref<uint64_t>(counter); }

}  // namespace

bool attached() { return header.load(std::memory_order_acquire) != nullptr; }

uint64_t next_index() {
  auto *area = header.load(std::memory_order_acquire);
  return area ? shared(area->calls).fetch_add(1) : unattached_calls.fetch_add(1);
}

void append(std::string_view line) {
  auto *area = header.load(std::memory_order_acquire);
  if (!area) return;
  auto written = shared(area->written);
  uint64_t start = written.load();
  do {
    if (start > capacity || line.size() + 1 > capacity - start) {
      shared(area->dropped).fetch_add(1);
      return;
    }
  } while (!written.compare_exchange_weak(start, start + line.size() + 1));
  char *target = reinterpret_cast<char *>(area) + FP_TRACE_HEADER_BYTES + start;
  std::memcpy(target, line.data(), line.size());
  target[line.size()] = '\n';
}

void drop() {
  if (auto *area = header.load(std::memory_order_acquire)) shared(area->dropped).fetch_add(1);
}

void begin_flight(uint64_t index, std::string_view line) {
  auto *area = header.load(std::memory_order_acquire);
  if (!area) return;
  const std::lock_guard guard(flight_mutex);
  const uint32_t used = std::min<uint32_t>(area->inflight_length, FP_TRACE_INFLIGHT_BYTES);
  if (flight_count == flights.size() || line.size() + 1 > FP_TRACE_INFLIGHT_BYTES - used) return;
  std::memcpy(area->inflight + used, line.data(), line.size());
  area->inflight[used + line.size()] = '\n';
  const auto length = static_cast<uint32_t>(line.size() + 1);
  flights[flight_count++] = {index, length};
  std::atomic_ref<uint32_t>(area->inflight_length).store(used + length, std::memory_order_release);
}

void end_flight(uint64_t index) {
  auto *area = header.load(std::memory_order_acquire);
  if (!area) return;
  const std::lock_guard guard(flight_mutex);
  uint32_t offset = 0;
  for (size_t i = 0; i < flight_count; ++i) {
    const uint32_t length = flights[i].length;
    if (flights[i].index == index) {
      const uint32_t used = std::min<uint32_t>(area->inflight_length, FP_TRACE_INFLIGHT_BYTES);
      if (offset + length > used) return;
      std::memmove(area->inflight + offset, area->inflight + offset + length, used - offset - length);
      std::atomic_ref<uint32_t>(area->inflight_length).store(used - length, std::memory_order_release);
      std::copy(flights.begin() + i + 1, flights.begin() + flight_count, flights.begin() + i);
      --flight_count;
      return;
    }
    offset += length;
  }
}

}  // namespace fp::trace

extern "C" int fp_recorder_attach(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) return -1;
  if (status.st_size <= FP_TRACE_HEADER_BYTES) {
    errno = EINVAL;
    return -1;
  }
  void *memory = mmap(nullptr, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return -1;
  auto *area = static_cast<fp_trace_header *>(memory);
  if (std::memcmp(area->magic, FP_TRACE_MAGIC, sizeof area->magic) != 0) {
    std::memset(area, 0, sizeof *area);
    std::memcpy(area->magic, FP_TRACE_MAGIC, sizeof area->magic);
  }
  fp::trace::capacity = status.st_size - FP_TRACE_HEADER_BYTES;
  // An earlier buffer stays mapped: another thread may be writing into it.
  fp::trace::header.store(area, std::memory_order_release);
  return 0;
}
