#pragma once

#include <string_view>

namespace fp {

// Enumerators of one C type, generated from the API table.
struct Enumerator {
  int value;
  std::string_view name;
};

struct Enumeration {
  const Enumerator *begin;
  const Enumerator *end;
  size_t prefix;  // length of what all names begin with, up to an underscore

  // The full name, "" for a value the type does not have.
  std::string_view name(int value) const {
    for (const Enumerator *entry = begin; entry != end; ++entry) {
      if (entry->value == value) return entry->name;
    }
    return {};
  }
  // The name without the common prefix: FLOAT for CUDNN_DATA_FLOAT.
  std::string_view short_name(int value) const {
    const std::string_view full = name(value);
    return full.size() > prefix ? full.substr(prefix) : full;
  }
};

}  // namespace fp
