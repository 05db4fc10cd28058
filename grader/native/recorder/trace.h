#pragma once

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

}  // namespace origin
}  // namespace fp
