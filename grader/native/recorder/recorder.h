/* Call recorder: exports the taught cuDNN and CUDA runtime functions, forwards them to the libraries it is told,
 * and writes every call as one JSON line into a shared trace buffer.
 *
 * Nothing here reports an error to the learner's program: where recording is impossible (no buffer, buffer full, line
 * too long) the call is forwarded all the same. */
#ifndef FP_RECORDER_H
#define FP_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define FP_TRACE_MAGIC "FPTRACE1"
#define FP_TRACE_HEADER_BYTES 4096
#define FP_TRACE_INFLIGHT_BYTES (FP_TRACE_HEADER_BYTES - 36)

/* Start of the trace buffer; JSON lines follow at FP_TRACE_HEADER_BYTES. */
struct fp_trace_header {
  char magic[8];
  uint64_t written;          /* bytes of JSON lines after the header */
  uint64_t dropped;          /* lines that did not fit */
  uint64_t calls;            /* calls begun, recorded or not; the next call's index */
  uint32_t inflight_length;  /* bytes used of inflight */
  char inflight[FP_TRACE_INFLIGHT_BYTES]; /* a JSON line for each call that has not returned */
};

/* Loads the libraries to forward to. Returns 0; -1 when one cannot be loaded (the reason goes to standard error).
 * An empty or null path leaves that library out. */
int fp_recorder_open(const char *cudnn, const char *cudart);

/* Maps the trace buffer. fd: a memfd of at least FP_TRACE_HEADER_BYTES + 1 bytes, whose size is the capacity. Starts an
 * empty trace, unless the buffer has the magic already (a forked process goes on with it).
 * Returns 0; -1 with errno set. */
int fp_recorder_attach(int fd);

/* Marks the calls that follow, in every thread, as belonging to the named case. "" and null: to none. */
void fp_recorder_case(const char *name);

/* Line of the learner's file that this thread's following calls come from; 0 = unknown. */
void fp_recorder_line(int line);
/* The same, with the lines that the function with that line was called from: four lines of 16 bits, the innermost
 * lowest, 0 for none. They go into the trace as `via`. */
void fp_recorder_lines(uint64_t lines);

/* The learner's library: a call whose return address lies inside gets `pc` = return address - base,
 * and `pcs`, the same for the functions of that library that led to it, where it keeps frame pointers. */
void fp_recorder_module(const void *base, size_t length);

/* Appends a note, a JSON object, and adds to it the index of this thread's call in flight, its case and its line.
 * Safe in a signal handler. */
void fp_recorder_note(const char *json);

/* Notes a copy into device memory that the trace does not have as a call, as CuPy's stand-in makes them; src null: from
 * host memory. Only in a case, and only the first 1,000 of a process. */
void fp_recorder_copied(const void *dst, const void *src, size_t bytes);

/* Makes device memory known that was not allocated through the recorder (CuPy's arrays, arguments of a function).
 * name: shown as the id of the buffer; null gives it the next `buffer#N`. */
void fp_recorder_buffer(const void *base, size_t bytes, const char *name);
/* Ends what fp_recorder_buffer said. */
void fp_recorder_buffer_end(const void *base);

/* cudnnDataType_t of a tensor or filter descriptor, as its last setter left it; -1 when it was never set. */
int fp_recorder_dtype(const void *descriptor);

/* Asks the simulator for its notes at the end of a program (leaks, overruns); nothing on real libraries. */
void fp_recorder_report(void);

/* Makes the real library load what most jobs need, by small calls of its own with this cudnnHandle_t. */
void fp_recorder_warm(void *handle);

/* Writes the GPU times of the calls so far, `{"gpu": index, "us": …}`, where FP_GPU_CLOCK was set when they were made.
 * Call it when the device is idle: a call whose work has not ended gets no time. */
void fp_recorder_gpu_times(void);

/* cudnnGetLastErrorString of the library itself, without a record. */
void fp_recorder_last_error(char *message, size_t size);

/* Address of a function of the loaded libraries, for calls that must not be recorded; null if none has it. */
void *fp_recorder_symbol(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
