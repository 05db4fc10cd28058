// Runs a learner's compiled library in the sandbox. Started as
//   fp_runner <feed> <results> <trace> <libcudnn> <libcudart>
//
// Order: load the libraries that every job needs, say `ready`, wait for the job, copy the learner's library into memory,
// seal the process, and only then load it, since loading already runs the learner's constructors.
#include <dlfcn.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <recorder.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <typeinfo>

#include "arguments.hpp"
#include "device.hpp"
#include "frames.hpp"

namespace {

using fp::Frame;

struct Library {
  int memory = -1;
  void *handle = nullptr;
};

struct State {
  int feed = -1;
  int results = -1;
  fp::Device device;
  Library library;
  void (*entry)(void **) = nullptr;
};

State state;

void fault(const std::string &fields, const std::string &text) {
  fp::send(state.results, "fault\n" + fields, {text.begin(), text.end()});
}

// Loads the filter for every thread: after this the process can start no other program and open no socket.
bool seal(std::vector<unsigned char> &program) {
  sock_fprog filter{static_cast<unsigned short>(program.size() / sizeof(sock_filter)),
                    reinterpret_cast<sock_filter *>(program.data())};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

// Copies the library into anonymous memory while that is still allowed.
void keep(const std::vector<unsigned char> &bytes) {
  state.library.memory = memfd_create("solution", 0);
  fp::write_exactly(state.library.memory, bytes.data(), bytes.size());
}

int note_module(dl_phdr_info *info, size_t, void *base) {
  if (reinterpret_cast<void *>(info->dlpi_addr) != base) return 0;
  size_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      end = std::max(end, static_cast<size_t>(info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz));
  fp_recorder_module(base, end);
  return 1;
}

// On a GPU the driver takes its time to tear a process down: the grader is told the status before, and need not wait.
void report_at_exit(int status, void *) {
  fp_recorder_case("");
  if (state.device.synchronize() == 0) fp_recorder_gpu_times();
  state.device.finish();
  fp_recorder_report();
  if (std::getenv("FP_GPU") == nullptr) return;
  std::cout.flush();
  std::fflush(nullptr);
  fp::send(state.results, "left " + std::to_string(status & 0xff));
}

// Loads the library; false (and a fault sent) where it cannot be.
bool load(const std::string &symbol, void **address) {
  // The last handler runs first: after the destructors of the learner's library, and before those of CUDA and of what
  // cuDNN has loaded so far, which take their time and need not be waited for; the device must still answer.
  on_exit(report_at_exit, nullptr);
  const std::string path = "/proc/self/fd/" + std::to_string(state.library.memory);
  state.library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (state.library.handle == nullptr) {
    fault("library 1", dlerror());
    return false;
  }
  link_map *map = nullptr;
  if (dlinfo(state.library.handle, RTLD_DI_LINKMAP, &map) == 0)
    dl_iterate_phdr(note_module, reinterpret_cast<void *>(map->l_addr));
  *address = dlsym(state.library.handle, symbol.c_str());
  if (*address == nullptr) fault("missing " + symbol, "the library does not define it");
  return *address != nullptr;
}

// Calls the learner's function, where one is loaded. False where it left an exception or a CUDA error: reported.
bool call(fp::Arguments &arguments, const std::string &name) {
  fp_recorder_case(name.c_str());
  try {
    if (state.entry != nullptr) state.entry(arguments.pointers());
  } catch (const std::exception &error) {
    fault(std::string("exception ") + typeid(error).name(), error.what());
    return false;
  } catch (...) {
    fault("exception unknown", "an exception that is no std::exception");
    return false;
  }
  fp_recorder_case("");
  std::fflush(stdout);
  const int error = state.device.synchronize();
  if (error != 0) fault("cuda " + std::to_string(error), state.device.error_name(error));
  if (error == 0) fp_recorder_gpu_times();
  return error == 0;
}

int run_program(const Frame &frame, const std::string &name) {
  void *address = nullptr;
  if (!load("main", &address)) return 1;
  std::vector<std::string> words{"solution"};
  for (const auto &field : frame.fields) words.push_back(field[1]);
  std::vector<char *> argv;
  for (auto &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  fp::send(state.results, "loaded");
  fp_recorder_case(name.c_str());
  return reinterpret_cast<int (*)(int, char **)>(address)(static_cast<int>(words.size()), argv.data());
}

// One timed call. The grader's clock runs from its `go` to the answer, which holds the outputs.
bool time_case(const Frame &frame, const std::string &name) {
  fp::Arguments arguments(state.device, frame);
  state.device.synchronize();
  fp::send(state.results, "armed");
  Frame go;
  if (!fp::receive(state.feed, go) || !call(arguments, name)) return false;
  arguments.answer(state.results, false);
  return true;
}

int serve() {
  Frame frame;
  while (fp::receive(state.feed, frame)) {
    const auto kind = fp::words(frame.kind);
    if (kind[0] == "seal") {
      if (!seal(frame.body)) return 125;
      fp::send(state.results, "sealed");
    } else if (kind[0] == "health") {
      if (state.device.synchronize() != 0) return 125;
      fp::send(state.results, "healthy");
    } else if (kind[0] == "keep") {
      keep(frame.body);
    } else if (kind[0] == "load") {
      void *address = nullptr;
      if (!load("fp_entry", &address)) return 1;
      state.entry = reinterpret_cast<void (*)(void **)>(address);
      fp::send(state.results, "loaded");
    } else if (kind[0] == "program") {
      return run_program(frame, kind[1]);
    } else if (kind[0] == "case") {
      fp::Arguments arguments(state.device, frame);
      if (!call(arguments, kind[1])) return 1;
      arguments.answer(state.results, true);
    } else if (kind[0] == "time") {
      if (!time_case(frame, kind[1])) return 1;
    } else {
      break;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 6) return 125;
  state.feed = std::atoi(argv[1]);
  state.results = std::atoi(argv[2]);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (fp_recorder_open(argv[4], argv[5]) != 0) return 125;
  fp_recorder_attach(std::atoi(argv[3]));
  try {
    state.device.warm();
    if (std::getenv("FP_WARM_UP") != nullptr) fp_recorder_warm(state.device.handle());
    fp::send(state.results, "ready");
    return serve();
  } catch (const std::exception &error) {
    fault("harness 1", error.what());
    return 125;
  }
}
