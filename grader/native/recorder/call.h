#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "gpu_clock.h"
#include "json.h"
#include "memory.h"
#include "names.h"
#include "objects.h"
#include "trace.h"

namespace fp {

// One recorded call: its line is built here, shown in flight while the library works, and appended on destruction.
// Use: writers for the arguments, begin(), the call itself, returned(), writers for what the call gave.
class Call {
 public:
  // frame: where the wrapper's caller left its frame pointer, from which its own callers are found.
  Call(const char *name, const void *return_address, const void *frame);
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  // Whether this thread is inside a call already: what the library calls on its own behalf is not recorded.
  static bool nested();

  // Whether the line is wanted; without a trace buffer only the shadows are kept.
  bool recording() const { return recording_; }

  // handle: given where the call puts work into its stream, whose time on the GPU is wanted.
  void begin(void *handle = nullptr);
  void returned(int64_t status);

  void object(std::string_view key, const void *object, std::string_view kind);
  void pointer(std::string_view key, const void *pointer);
  void enumerator(std::string_view key, const Enumeration &type, int value);
  // A status given as argument or as result in a list; unknown values appear as numbers.
  template <typename T>
  void number(std::string_view key, T value) {
    json_.key(key).value(value);
  }
  void text(std::string_view key, const char *text);

  // alpha and beta: double if the descriptor's type is DOUBLE, else float.
  void scalar(std::string_view key, const void *value, const void *descriptor);
  // One element of the descriptor's or of the given type.
  void element(std::string_view key, const void *value, std::string_view dtype);
  void attribute(std::string_view key, int type, int64_t count, const void *elements);

  template <typename T>
  void numbers(std::string_view key, const T *values, int64_t count) {
    if (!start_array(key, values, count, sizeof(T))) return;
    for (int64_t i = 0; i < std::min<int64_t>(count, kMaxElements); ++i) json_.value(values[i]);
    json_.close(']');
  }
  void enumerators(std::string_view key, const Enumeration &type, const int *values, int64_t count);

  // What the call wrote through a pointer of the caller; nothing for null.
  template <typename T>
  void number_out(std::string_view key, const T *value) {
    if (value) number(key, *value);
  }
  void enumerator_out(std::string_view key, const Enumeration &type, const int *value);
  void object_out(std::string_view key, void *const *object, std::string_view kind);
  void pointer_out(std::string_view key, void *const *pointer);
  // cudnnConvolution*AlgoPerf_t[count].
  void performances(std::string_view key, const void *results, int64_t count, const Enumeration &algorithms);

  static constexpr int64_t kMaxElements = 64;

 private:
  bool start_array(std::string_view key, const void *values, int64_t count, size_t element);
  void write_enumerator(const Enumeration &type, int value);
  void write_why();
  void write_origin();
  void write_places(std::string_view key, const origin::Places &places);

  static constexpr size_t kMaxLine = 16384;
  static constexpr size_t kMaxWhy = 160;

  const std::string_view name_;
  const void *return_address_;
  const void *frame_;
  bool recording_;
  bool done_ = false;
  uint64_t index_ = 0;
  timespec start_{};
  void *handle_ = nullptr;
  gpu_clock::Interval interval_;
  char line_[kMaxLine];
  Json json_;
};

// The tensor type that a scalar follows, as the shadow of a tensor or filter descriptor knows it.
std::string_view dtype_of(const void *descriptor);
std::string_view dtype_of(int data_type);

}  // namespace fp
