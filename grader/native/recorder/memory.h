#pragma once

#include <cstddef>
#include <string_view>

#include "json.h"

namespace fp::memory {

// What the recorder knows of buffers: those allocated through it, and those it was told of.

enum class Space { device, pinned };

// name: empty for the next `buffer#N` (device) or `pinned#N`.
void allocated(const void *base, size_t bytes, Space space, std::string_view name = {});
void freed(const void *base);
void all_freed();

// Asks the CUDA runtime about pointers that are not in the table; set once the libraries are loaded.
// Gives cudaMemoryType (0 unregistered, 1 host, 2 device, 3 managed), or a negative number when it cannot tell.
void set_query(int (*query)(const void *pointer));

// Writes {"kind":"null"}, {"kind":"host"}, {"kind":"device","id":…,"bytes":…,"offset":…} (with "live":false when freed),
// {"kind":"pinned",…}, or {"kind":"unknown"}.
void describe(Json &json, const void *pointer);

// Whether `bytes` at `pointer` can be read by this process.
bool readable(const void *pointer, size_t bytes);

}  // namespace fp::memory
