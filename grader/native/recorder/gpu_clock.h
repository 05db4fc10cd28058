#pragma once

#include <cstdint>

namespace fp::gpu_clock {

// Two CUDA events around the work that one call puts into its handle's stream. Empty where times are not asked for.
struct Interval {
  void *start = nullptr;
  void *stop = nullptr;
};

// Puts the first event into the stream of `handle`. Empty unless FP_GPU_CLOCK is set; while the stream is captured,
// where an event would become part of the graph; and where too many calls wait for their times.
Interval start(void *handle);

// Puts the second event behind the call's work; the time is written by fp_recorder_gpu_times.
void stop(const Interval &interval, void *handle, uint64_t call);

// The device was reset: every event is gone.
void forget();

}  // namespace fp::gpu_clock
