#include "memory.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace fp::memory {
namespace {

struct Buffer {
  std::string id;
  size_t bytes;
  Space space;
  bool sized = true;  // false: a pointer seen in a call, of which only the address is known
  bool live = true;
};

using Buffers = std::map<uintptr_t, Buffer>;

std::mutex mutex;
std::atomic<int (*)(const void *)> query{nullptr};

void lock() { mutex.lock(); }
void unlock() { mutex.unlock(); }
const int fork_guard = pthread_atfork(lock, unlock, unlock);

Buffers &table() {
  static auto *buffers = new Buffers;
  return *buffers;
}

std::string next_id(Space space) {
  static uint64_t device_count = 0;
  static uint64_t pinned_count = 0;
  return space == Space::device ? "buffer#" + std::to_string(++device_count)
                                : "pinned#" + std::to_string(++pinned_count);
}

// An address range can only be given out again after it was freed, so what lies in a new buffer's range is gone.
void forget_range(uintptr_t base, size_t bytes) {
  auto first = table().lower_bound(base);
  if (first != table().begin()) {
    const auto before = std::prev(first);
    if (!before->second.live && before->first + before->second.bytes > base) first = before;
  }
  table().erase(first, table().lower_bound(base + (bytes ? bytes : 1)));
}

Buffers::iterator find(uintptr_t address) {
  auto next = table().upper_bound(address);
  if (next == table().begin()) return table().end();
  const auto candidate = std::prev(next);
  const uintptr_t offset = address - candidate->first;
  return offset == 0 || offset < candidate->second.bytes ? candidate : table().end();
}

void write(Json &json, const Buffer &buffer, uint64_t offset) {
  json.open('{').key("kind").value(buffer.space == Space::device ? "device" : "pinned").key("id").value(buffer.id);
  if (buffer.sized) json.key("bytes").value(buffer.bytes).key("offset").value(offset);
  if (!buffer.live) json.key("live").value(false);
  json.close('}');
}

bool write_known(Json &json, const void *pointer) {
  const std::lock_guard guard(mutex);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto found = find(address);
  if (found == table().end()) return false;
  write(json, found->second, address - found->first);
  return true;
}

void write_foreign(Json &json, const void *pointer, Space space) {
  const std::lock_guard guard(mutex);
  Buffer buffer{next_id(space), 0, space, false, true};
  write(json, table().insert_or_assign(reinterpret_cast<uintptr_t>(pointer), std::move(buffer)).first->second, 0);
}

void write_unlisted(Json &json, const void *pointer) {
  const auto ask = query.load(std::memory_order_acquire);
  const int type = ask ? ask(pointer) : -1;
  if (type == 1) return write_foreign(json, pointer, Space::pinned);
  if (type == 2 || type == 3) return write_foreign(json, pointer, Space::device);
  // The runtime calls host memory whatever it does not know: also an address behind the end of a device buffer.
  json.open('{').key("kind").value(type == 0 && readable(pointer, 1) ? "host" : "unknown").close('}');
}

bool word_readable(uintptr_t address) {
  // The kernel reads the signal set before it looks at the operation, which is invalid: EFAULT tells that it could not.
  const int saved = errno;
  const long result = syscall(SYS_rt_sigprocmask, ~0, address & ~uintptr_t{7}, nullptr, 8);
  const bool fault = result == -1 && errno == EFAULT;
  errno = saved;
  return !fault;
}

constexpr uintptr_t kPage = 4096;

}  // namespace

void allocated(const void *base, size_t bytes, Space space, std::string_view name) {
  if (!base) return;
  try {
    const std::lock_guard guard(mutex);
    const auto address = reinterpret_cast<uintptr_t>(base);
    forget_range(address, bytes);
    table().insert_or_assign(address, Buffer{name.empty() ? next_id(space) : std::string(name), bytes, space});
  } catch (...) {
  }
}

void freed(const void *base) {
  const std::lock_guard guard(mutex);
  const auto found = table().find(reinterpret_cast<uintptr_t>(base));
  if (found != table().end()) found->second.live = false;
}

void all_freed() {
  const std::lock_guard guard(mutex);
  for (auto &[address, buffer] : table()) buffer.live = false;
}

void set_query(int (*ask)(const void *)) { query.store(ask, std::memory_order_release); }

void describe(Json &json, const void *pointer) {
  if (!pointer) {
    json.open('{').key("kind").value("null").close('}');
    return;
  }
  const size_t start = json.size();
  try {
    if (!write_known(json, pointer)) write_unlisted(json, pointer);
  } catch (...) {
    json.truncate(start);
    json.open('{').key("kind").value("unknown").close('}');
  }
}

bool readable(const void *pointer, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(pointer);
  const uintptr_t last = first + (bytes ? bytes - 1 : 0);
  if (first < kPage || last < first) return false;
  // Scalars lie on the stack, call after call on the same page; asking once is enough for those.
  thread_local uintptr_t known_page = 0;
  if (first / kPage == known_page && last / kPage == known_page) return true;
  for (uintptr_t page = first / kPage; page <= last / kPage; ++page) {
    if (!word_readable(page == first / kPage ? first : page * kPage)) return false;
  }
  known_page = first / kPage;
  return true;
}

}  // namespace fp::memory
