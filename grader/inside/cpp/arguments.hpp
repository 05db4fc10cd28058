// The arguments of one case: made from a frame, handed to the learner's function, read back afterwards.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "device.hpp"
#include "frames.hpp"

namespace fp {

struct Array {
  std::string name, kind, dtype, sizes;
  std::vector<unsigned char> start;  // what it held before the learner's code
  void *memory = nullptr;            // where the learner sees it
  std::vector<unsigned char> host;   // its memory, for host arrays

  bool on_host() const { return kind == "host_input" || kind == "host_output"; }
  bool written() const { return kind == "inout" || kind == "output" || kind == "host_output"; }
};

class Arguments {
 public:
  Arguments(Device &device, const Frame &frame) : device_(device) {
    const unsigned char *next = frame.body.data();
    for (const auto &field : frame.fields) {
      if (field[0] == "handle") {
        value(device_.handle());
      } else if (field[0] == "scalar") {
        scalar(field[2], field[3]);
      } else {
        next = array(field, next);
      }
    }
  }

  ~Arguments() {
    for (auto &array : arrays_)
      if (!array.on_host()) device_.release(array.memory);
  }

  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;

  void **pointers() { return pointers_.data(); }

  // Answers with every output's bytes; checked: also names the inputs that are not what they were.
  void answer(int descriptor, bool checked) {
    std::string text = "result";
    std::vector<unsigned char> body;
    for (auto &array : arrays_) {
      if (!checked && !array.written()) continue;
      std::vector<unsigned char> now(array.start.size());
      read(array, now);
      if (array.written()) {
        text += "\narray " + array.name + " " + array.dtype + " " + std::to_string(now.size()) + " " + array.sizes;
        body.insert(body.end(), now.begin(), now.end());
      } else if (now != array.start) {
        text += "\nchanged " + array.name;
      }
    }
    send(descriptor, text, body);
  }

 private:
  const unsigned char *array(const std::vector<std::string> &field, const unsigned char *next) {
    const size_t bytes = std::stoull(field[4]);
    arrays_.push_back({field[1], field[2], field[3], field[5], {next, next + bytes}, nullptr, {}});
    Array &made = arrays_.back();
    if (made.on_host()) {
      made.host = made.start;
      made.memory = made.host.data();
    } else {
      made.memory = device_.allocate(bytes, made.name);
      device_.to_device(made.memory, made.start.data(), bytes);
    }
    value(made.memory);
    return next + bytes;
  }

  void read(Array &array, std::vector<unsigned char> &target) {
    if (array.on_host())
      std::memcpy(target.data(), array.memory, target.size());
    else
      device_.to_host(target.data(), array.memory, target.size());
  }

  void scalar(const std::string &type, const std::string &text) {
    if (type == "float")
      value(std::stof(text));
    else if (type == "double")
      value(std::stod(text));
    else if (type == "size_t")
      value(static_cast<size_t>(std::stoull(text)));
    else if (type == "int64_t")
      value(static_cast<int64_t>(std::stoll(text)));
    else if (type == "bool")
      value(text == "1");
    else if (type == "int")
      value(std::stoi(text));
    else
      value(std::stoi(text.substr(text.find('=') + 1)));  // an enum: NAME=number
  }

  template <class T>
  void value(T item) {
    auto stored = std::make_shared<T>(item);
    pointers_.push_back(stored.get());
    values_.push_back(std::move(stored));
  }

  Device &device_;
  std::deque<Array> arrays_;
  std::vector<std::shared_ptr<void>> values_;
  std::vector<void *> pointers_;
};

}  // namespace fp
