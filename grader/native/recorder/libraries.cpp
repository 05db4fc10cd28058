#include "libraries.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "json.h"
#include "memory.h"
#include "recorder.h"

namespace fp::libraries {
namespace {

std::atomic<void *> cudnn_library{nullptr};
std::atomic<void *> cudart_library{nullptr};
std::atomic<bool> opened{false};

bool load(const char *path, std::atomic<void *> &library) {
  if (!path || !*path) return true;
  void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!loaded) {
    std::fprintf(stderr, "recorder: cannot load the library to forward to: %s\n", dlerror());
    return false;
  }
  library = loaded;
  return true;
}

// Start of struct cudaPointerAttributes; the room behind it is for what later versions append.
struct PointerAttributes {
  int type;
  int device;
  void *device_pointer;
  void *host_pointer;
  char reserved[128];
};

int query_pointer(const void *pointer) {
  using Function = int (*)(PointerAttributes *, const void *);
  static const auto function = reinterpret_cast<Function>(find(Library::cudart, "cudaPointerGetAttributes"));
  PointerAttributes attributes{};
  if (!function || function(&attributes, pointer) != 0) return -1;
  return attributes.type;
}

void connect_simulator() {
  using SetSink = void (*)(void (*)(const char *));
  for (void *library : {cudart_library.load(), cudnn_library.load()}) {
    if (!library) continue;
    if (void *address = dlsym(library, "fp_sim_set_note_sink")) {
      reinterpret_cast<SetSink>(address)(fp_recorder_note);
      return;
    }
  }
}

void open_from_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (!opened) fp_recorder_open(std::getenv("FP_CUDNN_LIBRARY"), std::getenv("FP_CUDART_LIBRARY"));
  });
}

}  // namespace

void *find(Library library, const char *name) {
  if (!opened.load(std::memory_order_acquire)) open_from_environment();
  void *handle = library == Library::cudnn ? cudnn_library : cudart_library;
  if (!handle) return nullptr;
  if (void *address = dlsym(handle, name)) return address;
  // CUDA 13 exports under the plain name what CUDA 12 called cudaGetDeviceProperties_v2.
  const std::string_view versioned(name);
  if (!versioned.ends_with("_v2")) return nullptr;
  return dlsym(handle, std::string(versioned.substr(0, versioned.size() - 3)).c_str());
}

void report_missing(Library library, const char *name) {
  const char *file = library == Library::cudnn ? "cuDNN" : "CUDA runtime";
  std::fprintf(stderr, "recorder: the %s library has no %s\n", file, name);
  char text[256];
  Json json(text, sizeof text - 1);
  json.open('{').key("note").value("missing_symbol").key("function").value(name).close('}');
  text[json.size()] = '\0';
  fp_recorder_note(text);
}

const char *last_reason() {
  using Function = const char *(*)();
  static const auto function = reinterpret_cast<Function>(find(Library::cudnn, "fp_sim_last_reason"));
  return function ? function() : "";
}

}  // namespace fp::libraries

using namespace fp;
using namespace fp::libraries;

extern "C" int fp_recorder_open(const char *cudnn, const char *cudart) {
  // The runtime first: cuDNN may need it, and finds it loaded then.
  const bool runtime = load(cudart, cudart_library);
  const bool loaded = load(cudnn, cudnn_library);
  opened.store(true, std::memory_order_release);
  memory::set_query(query_pointer);
  connect_simulator();
  return runtime && loaded ? 0 : -1;
}

extern "C" void *fp_recorder_symbol(const char *name) {
  void *address = find(Library::cudnn, name);
  return address ? address : find(Library::cudart, name);
}

extern "C" void fp_recorder_report() {
  if (void *address = fp_recorder_symbol("fp_sim_report")) reinterpret_cast<void (*)()>(address)();
}

extern "C" void fp_recorder_last_error(char *message, size_t size) {
  if (!message || size == 0) return;
  message[0] = '\0';
  using Function = void (*)(char *, size_t);
  if (void *address = find(Library::cudnn, "cudnnGetLastErrorString")) {
    reinterpret_cast<Function>(address)(message, size);
  }
}
