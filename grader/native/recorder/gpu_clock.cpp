#include "gpu_clock.h"

#include <cstdlib>
#include <mutex>
#include <vector>

#include "json.h"
#include "libraries.h"
#include "recorder.h"
#include "trace.h"

namespace fp::gpu_clock {
namespace {

constexpr size_t kMostPending = 4096;

struct Functions {
  int (*get_stream)(void *, void **);
  int (*is_capturing)(void *, int *);
  int (*create)(void **);
  int (*record)(void *, void *);
  int (*elapsed)(float *, void *, void *);

  template <typename Function>
  static void find(Function &function, Library library, const char *name) {
    function = reinterpret_cast<Function>(libraries::find(library, name));
  }

  Functions() {
    find(get_stream, Library::cudnn, "cudnnGetStream");
    find(is_capturing, Library::cudart, "cudaStreamIsCapturing");
    find(create, Library::cudart, "cudaEventCreate");
    find(record, Library::cudart, "cudaEventRecord");
    find(elapsed, Library::cudart, "cudaEventElapsedTime");
  }

  bool complete() const { return get_stream && create && record && elapsed; }
};

struct Pending {
  Interval interval;
  uint64_t call;
};

std::mutex mutex;
std::vector<Interval> spare;
std::vector<Pending> pending;

bool wanted() {
  static const bool set = std::getenv("FP_GPU_CLOCK") != nullptr;
  return set;
}

const Functions &functions() {
  static const Functions found;
  return found;
}

bool stream_of(void *handle, void *&stream) {
  int capturing = 0;
  if (functions().get_stream(handle, &stream) != 0) return false;
  const auto is_capturing = functions().is_capturing;  // the simulated runtime has no capture
  return is_capturing == nullptr || (is_capturing(stream, &capturing) == 0 && capturing == 0);
}

Interval take() {
  const std::lock_guard guard(mutex);
  if (pending.size() >= kMostPending) return {};
  if (!spare.empty()) {
    const Interval interval = spare.back();
    spare.pop_back();
    return interval;
  }
  Interval made;
  if (functions().create(&made.start) != 0 || functions().create(&made.stop) != 0) return {};
  return made;
}

// {"gpu": index of the call, "us": microseconds with three digits}
void write(uint64_t call, float milliseconds) {
  char text[96];
  Json line(text, sizeof text);
  line.open('{').key("gpu").value(call).key("us").value(static_cast<double>(milliseconds) * 1000.0).close('}');
  if (!line.overflowed()) trace::append(line.text());
}

}  // namespace

Interval start(void *handle) {
  void *stream = nullptr;
  if (!wanted() || !handle || !functions().complete() || !stream_of(handle, stream)) return {};
  const Interval interval = take();
  return interval.start && functions().record(interval.start, stream) == 0 ? interval : Interval{};
}

void stop(const Interval &interval, void *handle, uint64_t call) {
  void *stream = nullptr;
  if (!interval.start || !stream_of(handle, stream) || functions().record(interval.stop, stream) != 0) return;
  const std::lock_guard guard(mutex);
  pending.push_back({interval, call});
}

void forget() {
  const std::lock_guard guard(mutex);
  spare.clear();
  pending.clear();
}

}  // namespace fp::gpu_clock

using namespace fp::gpu_clock;

extern "C" void fp_recorder_gpu_times() {
  const std::lock_guard guard(mutex);
  for (const Pending &one : pending) {
    float milliseconds = 0;
    if (functions().elapsed(&milliseconds, one.interval.start, one.interval.stop) != 0) continue;
    write(one.call, milliseconds);
    spare.push_back(one.interval);
  }
  pending.clear();
}
