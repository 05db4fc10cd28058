// The few CUDA and cuDNN calls that the harness itself makes. They go past the recorder: the trace is the learner's.
#pragma once

#include <recorder.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace fp {

class Device {
 public:
  // Finds the functions and starts the device, so that no learner's first call pays for it.
  void warm() {
    malloc_ = find<int (*)(void **, size_t)>("cudaMalloc");
    free_ = find<int (*)(void *)>("cudaFree");
    copy_ = find<int (*)(void *, const void *, size_t, int)>("cudaMemcpy");
    synchronize_ = find<int (*)()>("cudaDeviceSynchronize");
    error_name_ = find<const char *(*)(int)>("cudaGetErrorName");
    destroy_ = find<int (*)(void *)>("cudnnDestroy");
    check(find<int (*)(void **)>("cudnnCreate")(&handle_), "cudnnCreate");
  }

  void *handle() const { return handle_; }

  void *allocate(size_t bytes, const std::string &name) {
    void *memory = nullptr;
    check(malloc_(&memory, bytes), "cudaMalloc");
    fp_recorder_buffer(memory, bytes, name.c_str());
    return memory;
  }

  void release(void *memory) {
    fp_recorder_buffer_end(memory);
    free_(memory);
  }

  void to_device(void *device, const void *host, size_t bytes) { check(copy_(device, host, bytes, 1), "cudaMemcpy"); }
  void to_host(void *host, const void *device, size_t bytes) { check(copy_(host, device, bytes, 2), "cudaMemcpy"); }

  // Waits for the learner's work. Returns the CUDA error it left, 0 for none.
  int synchronize() { return synchronize_ == nullptr ? 0 : synchronize_(); }
  std::string error_name(int error) { return error_name_(error); }

  void finish() {
    if (handle_ != nullptr) destroy_(handle_);
    handle_ = nullptr;
  }

 private:
  template <class Function>
  static Function find(const char *name) {
    void *address = fp_recorder_symbol(name);
    if (address == nullptr) throw std::runtime_error(std::string("the libraries have no ") + name);
    return reinterpret_cast<Function>(address);
  }

  static void check(int status, const char *what) {
    if (status != 0) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(status));
  }

  void *handle_ = nullptr;
  int (*malloc_)(void **, size_t) = nullptr;
  int (*free_)(void *) = nullptr;
  int (*copy_)(void *, const void *, size_t, int) = nullptr;
  int (*synchronize_)() = nullptr;
  const char *(*error_name_)(int) = nullptr;
  int (*destroy_)(void *) = nullptr;
};

}  // namespace fp
