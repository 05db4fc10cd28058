#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>

#include "json.h"
#include "memory.h"
#include "recorder.h"
#include "trace.h"

namespace fp::origin {
namespace {

// Texts are never changed nor freed: a thread may be copying one while the next case begins. There is one for each name.
struct Text {
  size_t length = 0;
  char bytes[256];
};
const Text no_case{};
std::atomic<const Text *> current{&no_case};
std::mutex case_mutex;

std::atomic<uintptr_t> module_base{0};
std::atomic<size_t> module_length{0};
std::atomic<int> thread_count{0};

thread_local int current_line = 0;
thread_local Places current_callers{};

// A frame larger than this is taken for a register that holds no frame pointer.
constexpr uintptr_t kMaxFrame = 1 << 20;
constexpr int kLineBits = 16;
thread_local int thread_number = 0;

}  // namespace

std::string_view case_name() {
  const Text *text = current.load(std::memory_order_acquire);
  return {text->bytes, text->length};
}

int line() { return current_line; }

int thread() {
  if (thread_number == 0) thread_number = thread_count.fetch_add(1) + 1;
  return thread_number;
}

uint64_t module_offset(const void *address) {
  const uint64_t offset = reinterpret_cast<uintptr_t>(address) - module_base.load(std::memory_order_relaxed);
  return offset < module_length.load(std::memory_order_relaxed) ? offset : 0;
}

// The learner's library is compiled with frame pointers: each points to the caller's, with the return address above it.
Places callers(const void *frame) {
  Places places{};
  auto at = reinterpret_cast<uintptr_t>(frame);
  for (uint64_t &place : places) {
    const uintptr_t next = *reinterpret_cast<const uintptr_t *>(at);
    if (next <= at || next - at > kMaxFrame || next % sizeof(uintptr_t) != 0) break;
    if (!memory::readable(reinterpret_cast<const void *>(next), 2 * sizeof(uintptr_t))) break;
    at = next;
    place = module_offset(reinterpret_cast<const void *const *>(at)[1]);
    if (place == 0) break;
  }
  return places;
}

Places caller_lines() { return current_callers; }

}  // namespace fp::origin

using namespace fp::origin;

extern "C" void fp_recorder_case(const char *name) {
  Text next;
  fp::Json json(next.bytes, sizeof next.bytes);
  json.value(std::string_view(name ? name : "", name ? strnlen(name, 40) : 0));
  next.length = json.size();
  const std::lock_guard guard(case_mutex);
  static auto *texts = new std::deque<Text>;
  for (const Text &text : *texts) {
    if (std::string_view(text.bytes, text.length) == json.text()) {
      current.store(&text, std::memory_order_release);
      return;
    }
  }
  texts->push_back(next);
  current.store(&texts->back(), std::memory_order_release);
}

extern "C" void fp_recorder_line(int line) {
  current_line = line;
  current_callers = {};
}

extern "C" void fp_recorder_lines(uint64_t lines) {
  constexpr uint64_t mask = (uint64_t{1} << kLineBits) - 1;
  current_line = static_cast<int>(lines & mask);
  for (uint64_t &place : current_callers) place = (lines >>= kLineBits) & mask;
}

extern "C" void fp_recorder_module(const void *base, size_t length) {
  module_base = reinterpret_cast<uintptr_t>(base);
  module_length = length;
}
