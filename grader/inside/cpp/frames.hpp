// The messages between grader and sandbox, as described in ../frames.py.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace fp {

struct Frame {
  std::string kind;
  std::vector<std::vector<std::string>> fields;
  std::vector<unsigned char> body;
};

// Everything from the descriptor, or false where it ended before.
inline bool read_exactly(int descriptor, void *target, size_t size) {
  auto *bytes = static_cast<unsigned char *>(target);
  while (size > 0) {
    const ssize_t got = read(descriptor, bytes, size);
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

inline void write_exactly(int descriptor, const void *source, size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(source);
  while (size > 0) {
    const ssize_t put = write(descriptor, bytes, size);
    if (put <= 0) _exit(125);  // the grader has gone
    bytes += put;
    size -= static_cast<size_t>(put);
  }
}

inline std::vector<std::string> words(const std::string &line) {
  std::istringstream stream(line);
  std::vector<std::string> found;
  for (std::string word; std::getline(stream, word, ' ');) found.push_back(word);
  return found;
}

// The next frame, or false where the grader has closed the feed.
inline bool receive(int descriptor, Frame &frame) {
  char magic[4];
  uint32_t text_length = 0;
  uint64_t body_length = 0;
  if (!read_exactly(descriptor, magic, 4) || !read_exactly(descriptor, &text_length, 4) ||
      !read_exactly(descriptor, &body_length, 8) || std::memcmp(magic, "FPF1", 4) != 0)
    return false;
  std::string text(text_length, '\0');
  frame.body.resize(body_length);
  if (!read_exactly(descriptor, text.data(), text_length) ||
      !read_exactly(descriptor, frame.body.data(), body_length))
    return false;
  std::istringstream lines(text);
  std::getline(lines, frame.kind);
  frame.fields.clear();
  for (std::string line; std::getline(lines, line);) frame.fields.push_back(words(line));
  return true;
}

inline void send(int descriptor, const std::string &text, const std::vector<unsigned char> &body = {}) {
  const auto text_length = static_cast<uint32_t>(text.size());
  const auto body_length = static_cast<uint64_t>(body.size());
  std::vector<unsigned char> data(16 + text.size() + body.size());
  std::memcpy(data.data(), "FPF1", 4);
  std::memcpy(data.data() + 4, &text_length, 4);
  std::memcpy(data.data() + 8, &body_length, 8);
  std::memcpy(data.data() + 16, text.data(), text.size());
  if (!body.empty()) std::memcpy(data.data() + 16 + text.size(), body.data(), body.size());
  write_exactly(descriptor, data.data(), data.size());
}

}  // namespace fp
