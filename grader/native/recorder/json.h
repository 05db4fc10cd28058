#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fp {

// Writes JSON into memory of the caller, allocates nothing. What does not fit sets overflowed() and is left out.
class Json {
 public:
  Json(char *begin, size_t capacity) : begin_(begin), end_(begin), limit_(begin + capacity) {}

  std::string_view text() const { return {begin_, static_cast<size_t>(end_ - begin_)}; }
  size_t size() const { return static_cast<size_t>(end_ - begin_); }
  bool overflowed() const { return overflowed_; }
  void truncate(size_t size) { end_ = begin_ + size; }

  Json &raw(std::string_view text) {
    if (text.size() > static_cast<size_t>(limit_ - end_)) {
      overflowed_ = true;
    } else {
      std::memcpy(end_, text.data(), text.size());
      end_ += text.size();
    }
    return *this;
  }

  Json &open(char bracket) {
    separate();
    return raw({&bracket, 1});
  }
  Json &close(char bracket) { return raw({&bracket, 1}); }

  Json &key(std::string_view name) {
    separate();
    return raw("\"").raw(name).raw("\":");
  }

  Json &value(std::string_view text) {
    separate();
    raw("\"");
    size_t start = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (plain(text[i])) continue;
      raw(text.substr(start, i - start));
      escaped(text[i]);
      start = i + 1;
    }
    return raw(text.substr(start)).raw("\"");
  }
  Json &value(const char *text) { return value(std::string_view(text)); }
  Json &value(bool truth) { return literal(truth ? "true" : "false"); }
  template <std::integral T>
  Json &value(T number) {
    return digits(number);
  }
  template <std::floating_point T>
  Json &value(T number) {
    if (std::isnan(number)) return value("nan");
    if (std::isinf(number)) return value(number > 0 ? "inf" : "-inf");
    return digits(number);
  }
  Json &null() { return literal("null"); }
  Json &literal(std::string_view text) {
    separate();
    return raw(text);
  }

 private:
  // A comma belongs before everything but the first element and the value of a key.
  void separate() {
    if (end_ == begin_) return;
    const char last = end_[-1];
    if (last != '{' && last != '[' && last != ':') raw(",");
  }

  template <typename T>
  Json &digits(T number) {
    char text[40];
    const auto result = std::to_chars(text, text + sizeof text, number);
    return literal({text, static_cast<size_t>(result.ptr - text)});
  }

  // UTF-8 passes through; the reader replaces what is not.
  static bool plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f && c != '"' && c != '\\';
  }

  void escaped(char c) {
    static constexpr char kHex[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      const char pair[] = {'\\', c};
      raw({pair, 2});
    } else {
      const char code[] = {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
      raw({code, 6});
    }
  }

  char *begin_;
  char *end_;
  char *limit_;
  bool overflowed_ = false;
};

}  // namespace fp
