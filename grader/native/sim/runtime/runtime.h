// Internal interface of the simulated CUDA runtime (libcudart.so.12), grouped by source file.
// The simulated cuDNN uses the `fp_sim_*` functions only; everything else stays inside this library.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

extern "C" {

// ---- runtime/notes.cpp ---------------------------------------------------------------------------------------------
// A note is one JSON object on one line: what the simulator saw that a real device cannot tell.
typedef void (*fp_sim_note_sink)(const char *json);
// Every later note goes to `sink`; null restores the default (standard error when FP_SIM_NOTES is set, else nowhere).
void fp_sim_set_note_sink(fp_sim_note_sink sink);
void fp_sim_note(const char *json);

// ---- runtime/access.cpp --------------------------------------------------------------------------------------------
enum fp_sim_mode { FP_SIM_READ = 1, FP_SIM_WRITE = 2, FP_SIM_UPDATE = 3 };
// Checks that a kernel may touch bytes [low, high) around `pointer` and returns `pointer` as the kernels see it.
// Null means that the device would fault: a note says why, and the next synchronising call returns 700.
// `dense` non-zero: every byte in the range is really touched, so a partly written range is reported as uninitialised.
void *fp_sim_access(const char *function, const char *argument, const void *pointer, int64_t low, int64_t high,
                    int mode, int dense);
// Kernels hold the device between begin and end, so that cudaFree on another thread waits for them.
void fp_sim_kernel_begin(void);
void fp_sim_kernel_end(void);

// ---- runtime/arena.cpp ---------------------------------------------------------------------------------------------
// 1 when device memory could be reserved (a first question reserves it).
int fp_sim_device_available(void);
// 1 when `pointer` lies in a live device buffer.
int fp_sim_is_device_memory(const void *pointer);

// ---- runtime/errors.cpp --------------------------------------------------------------------------------------------
// The error that makes the context unusable (700 after a fault has been seen), or 0.
int fp_sim_context_error(void);
// A kernel failed: the next synchronising call returns `error`, a cudaError_t.
void fp_sim_raise(int error);
// Waits for the device as cudaDeviceSynchronize does; returns the context's error.
int fp_sim_synchronise(void);

// ---- runtime/stream.cpp --------------------------------------------------------------------------------------------
// 1 when `stream` exists (the default streams always do).
int fp_sim_stream_exists(cudaStream_t stream);

// ---- runtime/report.cpp --------------------------------------------------------------------------------------------
// Sends a note for every leaked device buffer, stream and event and for every overwritten guard zone; returns how many.
int fp_sim_report(void);
}

namespace fpsim {

// ---- runtime/note_text.cpp -----------------------------------------------------------------------------------------
// Builds a note: Note("double_free").text("function", "cudaFree").number("bytes", 16).send().
class Note {
public:
    explicit Note(const char *name);
    Note &text(const char *key, const std::string &value);
    Note &number(const char *key, int64_t value);
    Note &null(const char *key);
    void send();

private:
    std::string json_;
};

// ---- runtime/written.cpp -------------------------------------------------------------------------------------------
// The bytes of a buffer that were ever written, as disjoint ranges.
class Written {
public:
    void add(size_t begin, size_t end);
    bool covers(size_t begin, size_t end) const;
    bool touches(size_t begin, size_t end) const;
    // First byte in [begin, end) that was never written, or `end`.
    size_t first_gap(size_t begin, size_t end) const;

private:
    std::map<size_t, size_t> ranges_;  // begin -> end
};

// ---- runtime/arena.cpp ---------------------------------------------------------------------------------------------
// Bytes that fresh device memory holds: all ones is a NaN in every floating type and -1 in every integer type.
inline constexpr unsigned char kPoison = 0xFF;

struct Buffer {
    uint64_t id = 0;  // buffer#id, counted from 1 in order of allocation
    size_t offset = 0;
    size_t size = 0;
    Written written;
};

// Where a pointer lies, without touching it.
enum class Place { live, freed, gap, host };
struct Location {
    Place place = Place::host;
    uint64_t id = 0;
    size_t offset = 0;  // from the start of the buffer
    size_t size = 0;    // of the buffer
};

class Arena {
public:
    // The arena of this process; reserved at the first use, null when the memory could not be reserved.
    static Arena *get();
    // The arena if it is already there: for the fault handler and for questions that must not reserve memory.
    static Arena *existing();

    void *allocate(size_t bytes);
    cudaError_t release(void *pointer);
    Location locate(const void *pointer);
    // Same as locate(), but gives up instead of waiting: for a signal handler.
    std::optional<Location> try_locate(const void *pointer);
    bool contains(const void *pointer) const;
    char *alias(const void *pointer) const;
    void mark_written(uint64_t id, const void *pointer, size_t bytes);
    // First byte of the range never written since its allocation, as an offset in the range; `bytes` if there is none.
    size_t first_unwritten(const void *pointer, size_t bytes);
    bool any_written(const void *pointer, size_t bytes);
    size_t capacity() const { return capacity_; }
    size_t used();
    // Calls `visit(buffer, guard_intact)` for every live buffer.
    template <typename Visit> void each(Visit visit) {
        std::lock_guard lock(mutex_);
        for (auto &[offset, buffer] : live_) visit(buffer, guard_intact(buffer));
    }
    void reset();

private:
    explicit Arena(size_t capacity);
    bool reserve();
    std::optional<size_t> place(size_t footprint);
    std::optional<size_t> place_between(size_t begin, size_t end, size_t footprint) const;
    Location locate_locked(const void *pointer);
    Buffer *find_locked(const void *pointer);
    bool guard_intact(const Buffer &buffer) const;
    void forget(size_t begin, size_t end);

    std::mutex mutex_;
    char *base_ = nullptr;   // what the host sees: no access
    char *alias_ = nullptr;  // what the kernels see
    size_t capacity_ = 0;
    size_t cursor_ = 0;
    size_t used_ = 0;
    int memory_ = -1;
    uint64_t last_id_ = 0;
    std::map<size_t, Buffer> live_;
    std::map<size_t, Buffer> freed_;
};

std::string buffer_name(uint64_t id);

// ---- runtime/host_memory.cpp ---------------------------------------------------------------------------------------
// Host memory that the device may touch: pinned (cudaMallocHost, cudaHostAlloc, cudaHostRegister) and managed.
enum class HostKind { pinned, registered, managed };
struct HostRange {
    const char *begin;
    size_t size;
    HostKind kind;
};
std::optional<HostRange> find_host_range(const void *pointer);
// What a kernel or a copy may do with `pointer`: its kind as cudaPointerGetAttributes gives it.
cudaMemoryType memory_type(const void *pointer);
// Frees memory from cudaMallocManaged; false when `pointer` is none.
bool release_managed(void *pointer);

// ---- runtime/fault.cpp ---------------------------------------------------------------------------------------------
// Explains a host access to device memory before the process dies by SIGSEGV as it would on real hardware.
void install_fault_handler();

// ---- runtime/errors.cpp --------------------------------------------------------------------------------------------
// Ends a runtime call: records a failure for cudaGetLastError and lets a sticky error win over `error`.
cudaError_t finish(cudaError_t error);
// Like finish() for a question that needs no context, and so works after a sticky error too.
cudaError_t finish_without_context(cudaError_t error);
// Like finish() for a call that waits for the device: a fault that kernels left behind becomes visible here.
cudaError_t finish_synchronised(cudaError_t error);
// A kernel touched what it must not: the next synchronising call will return `error`, and every call after it.
void raise_fault(cudaError_t error);
// Forgets every error: for cudaDeviceReset.
void clear_errors();

// ---- runtime/access.cpp --------------------------------------------------------------------------------------------
class KernelScope {
public:
    KernelScope() { fp_sim_kernel_begin(); }
    ~KernelScope() { fp_sim_kernel_end(); }
    KernelScope(const KernelScope &) = delete;
    KernelScope &operator=(const KernelScope &) = delete;
};
// Held exclusively while device memory is freed.
std::shared_mutex &device_lock();

// ---- runtime/stream.cpp, runtime/event.cpp -------------------------------------------------------------------------
int report_live_streams();
int report_live_events();

}  // namespace fpsim
