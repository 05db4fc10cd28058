#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fp {

// The trace buffer, shared with the grader. Appending takes no lock, so that it works in signal handlers and in
// processes that were forked after fp_recorder_attach.
namespace trace {

bool attached();

// Index of a call that begins now.
uint64_t next_index();

// Appends one line (without its end of line), or counts it as dropped.
void append(std::string_view line);
void drop();

// Puts a call's line among those in flight, and takes it out again.
void begin_flight(uint64_t index, std::string_view line);
void end_flight(uint64_t index);

}  // namespace trace

// What every line says about its origin.
namespace origin {

// Text of the current case, ready for JSON, "" for none.
std::string_view case_name();
int line();
int thread();
// Offset of an address in the learner's library; 0 when it lies elsewhere.
uint64_t module_offset(const void *address);

// Where the function that made a call was called from, innermost first; 0 ends the list.
using Places = std::array<uint64_t, 3>;
// Return addresses in the learner's library as offsets. frame: a frame address of a function that it called.
Places callers(const void *frame);
// Lines, as fp_recorder_lines gave them.
Places caller_lines();

}  // namespace origin
}  // namespace fp
