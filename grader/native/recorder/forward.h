#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "call.h"
#include "content.h"
#include "generated.h"
#include "libraries.h"
#include "objects.h"

#define FP_EXPORT __attribute__((visibility("default")))

namespace fp {

inline constexpr int kCudnnUnavailable = 3009;  // CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE
inline constexpr int kCudartUnavailable = 302;  // cudaErrorSharedObjectSymbolNotFound

// The library's own function, looked up at the first call.
class Target {
 public:
  Target(Library library, const char *name) : library_(library), name_(name) {}

  template <typename Function>
  Function as() {
    void *address = address_.load(std::memory_order_acquire);
    if (!address) {
      address = libraries::find(library_, name_);
      if (!address) {
        if (!reported_.exchange(true)) libraries::report_missing(library_, name_);
        return nullptr;
      }
      address_.store(address, std::memory_order_release);
    }
    return reinterpret_cast<Function>(address);
  }

 private:
  Library library_;
  const char *name_;
  std::atomic<void *> address_{nullptr};
  std::atomic<bool> reported_{false};
};

}  // namespace fp
