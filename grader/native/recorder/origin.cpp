#include <array>
#include <atomic>
#include <cstring>
#include <mutex>

#include "json.h"
#include "recorder.h"
#include "trace.h"

namespace fp::origin {
namespace {

// Two texts in turn: a reader that is writing a line keeps the old one while the new one is made.
struct Text {
  size_t length = 0;
  char bytes[256];
};
std::array<Text, 2> texts;
std::atomic<const Text *> current{&texts[0]};
std::mutex case_mutex;

std::atomic<uintptr_t> module_base{0};
std::atomic<size_t> module_length{0};
std::atomic<int> thread_count{0};

thread_local int current_line = 0;
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

}  // namespace fp::origin

using namespace fp::origin;

extern "C" void fp_recorder_case(const char *name) {
  const std::lock_guard guard(case_mutex);
  Text &next = texts[current.load() == &texts[0] ? 1 : 0];
  fp::Json json(next.bytes, sizeof next.bytes);
  json.value(std::string_view(name ? name : "", name ? strnlen(name, 40) : 0));
  next.length = json.size();
  current.store(&next, std::memory_order_release);
}

extern "C" void fp_recorder_line(int line) { current_line = line; }

extern "C" void fp_recorder_module(const void *base, size_t length) {
  module_base = reinterpret_cast<uintptr_t>(base);
  module_length = length;
}
