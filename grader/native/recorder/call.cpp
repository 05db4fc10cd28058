#include "call.h"

#include <atomic>
#include <cstring>

#include "generated.h"
#include "libraries.h"
#include "recorder.h"
#include "trace.h"

namespace fp {
namespace {

thread_local int depth = 0;
thread_local int64_t current_index = -1;

int64_t nanoseconds(const timespec &from, const timespec &to) {
  return (to.tv_sec - from.tv_sec) * int64_t{1000000000} + (to.tv_nsec - from.tv_nsec);
}

// IEEE half to float, for elements of HALF tensors.
float half_to_float(uint16_t half) {
  const int exponent = half >> 10 & 31;
  const float mantissa = half & 1023;
  const float sign = half >> 15 ? -1.0F : 1.0F;
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24));
}

template <typename T>
T load(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

float load_bfloat16(const void *address) {
  const uint32_t bits = uint32_t{load<uint16_t>(address)} << 16;
  return load<float>(&bits);
}

// cudnnConvolution{Fwd,BwdData,BwdFilter}AlgoPerf_t differ in the enumeration of `algo` only.
struct Performance {
  int algo;
  int status;
  float time;
  size_t memory;
  int determinism;
  int math_type;
  int reserved[3];
};
static_assert(sizeof(Performance) == 48);

// cudnnBackendAttributeType_t, as far as its elements are not plain enumerations.
enum AttributeType { kHandle = 0, kBoolean = 2, kInt64 = 3, kFloat = 4, kDouble = 5, kPointer = 6, kDescriptor = 15 };

size_t attribute_size(int type) {
  switch (type) {
    case kBoolean: return 1;
    case kHandle: case kInt64: case kDouble: case kPointer: case kDescriptor: return 8;
    default: return 4;
  }
}

void describe_stream(Json &json, const void *stream) {
  // Null, and the two addresses 1 and 2 that stand for the legacy and the per-thread default stream.
  if (reinterpret_cast<uintptr_t>(stream) <= 2) {
    json.open('{').key("kind").value("stream").key("id").value("default").close('}');
  } else {
    objects::describe(json, stream, "stream");
  }
}

}  // namespace

bool Call::nested() { return depth > 0; }

Call::Call(const char *name, const void *return_address, const void *frame)
    : name_(name), return_address_(return_address), frame_(frame), recording_(trace::attached()), json_(line_, kMaxLine) {
  ++depth;
  if (!recording_) return;
  index_ = trace::next_index();
  current_index = static_cast<int64_t>(index_);
  json_.open('{').key("i").value(index_).key("f").value(name_).key("a").open('{');
}

void Call::write_places(std::string_view key, const origin::Places &places) {
  if (places[0] == 0) return;
  json_.key(key).open('[');
  for (const uint64_t place : places) {
    if (place != 0) json_.value(place);
  }
  json_.close(']');
}

void Call::write_why() {
  if (const std::string_view why = libraries::last_reason(); !why.empty()) json_.key("why").value(why.substr(0, kMaxWhy));
}

void Call::write_origin() {
  if (const uint64_t offset = origin::module_offset(return_address_)) {
    json_.key("pc").value(offset);
    write_places("pcs", origin::callers(frame_));
  }
  json_.key("line").value(origin::line());
  write_places("via", origin::caller_lines());
  const std::string_view name = origin::case_name();
  json_.key("case").raw(name.empty() ? "\"\"" : name);
  json_.key("t").value(origin::thread());
  json_.key("at").value(static_cast<int64_t>(start_.tv_sec) * 1'000'000 + start_.tv_nsec / 1'000);
}

void Call::begin(void *handle) {
  clock_gettime(CLOCK_MONOTONIC, &start_);
  if (recording_) {
    json_.close('}');
    const size_t size = json_.size();
    write_origin();
    json_.close('}');
    trace::begin_flight(index_, json_.text());
    json_.truncate(size);
    handle_ = handle;
    interval_ = gpu_clock::start(handle);
  }
  clock_gettime(CLOCK_MONOTONIC, &start_);
}

void Call::returned(int64_t status) {
  timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  done_ = true;
  if (!recording_) return;
  gpu_clock::stop(interval_, handle_, index_);
  json_.key("s").value(status);
  if (status != 0 && name_.starts_with("cudnn")) write_why();
  const int64_t tenths = nanoseconds(start_, end) / 100;
  json_.key("us").value(tenths / 10).raw(".");
  const char digit = static_cast<char>('0' + tenths % 10);
  json_.raw({&digit, 1});
  write_origin();
  json_.key("o").open('{');
}

Call::~Call() {
  --depth;
  if (!recording_ || !done_) return;
  json_.close('}').close('}');
  if (json_.overflowed()) {
    trace::drop();
  } else {
    trace::append(json_.text());
  }
  trace::end_flight(index_);
}

void Call::object(std::string_view key, const void *object, std::string_view kind) {
  json_.key(key);
  if (kind == "stream") {
    describe_stream(json_, object);
  } else {
    objects::describe(json_, object, kind);
  }
}

void Call::pointer(std::string_view key, const void *pointer) { memory::describe(json_.key(key), pointer); }

void Call::write_enumerator(const Enumeration &type, int value) {
  const std::string_view name = type.name(value);
  if (name.empty()) {
    json_.value(value);
  } else {
    json_.value(name);
  }
}

void Call::enumerator(std::string_view key, const Enumeration &type, int value) {
  json_.key(key);
  write_enumerator(type, value);
}

void Call::text(std::string_view key, const char *text) {
  json_.key(key);
  if (text) {
    json_.value(std::string_view(text, strnlen(text, 512)));
  } else {
    json_.null();
  }
}

void Call::scalar(std::string_view key, const void *value, const void *descriptor) {
  const bool is_double = objects::is(descriptor, "dtype", "\"DOUBLE\"");
  element(key, value, is_double ? "DOUBLE" : "FLOAT");
}

void Call::element(std::string_view key, const void *value, std::string_view dtype) {
  const size_t size = dtype == "DOUBLE" || dtype == "INT64" ? 8 : dtype == "FLOAT" || dtype == "INT32" ? 4 : 2;
  if (!memory::readable(value, size)) return pointer(key, value);
  json_.key(key);
  if (dtype == "DOUBLE") {
    json_.value(load<double>(value));
  } else if (dtype == "FLOAT") {
    json_.value(load<float>(value));
  } else if (dtype == "HALF") {
    json_.value(half_to_float(load<uint16_t>(value)));
  } else if (dtype == "BFLOAT16") {
    json_.value(load_bfloat16(value));
  } else if (dtype == "INT32") {
    json_.value(load<int32_t>(value));
  } else if (dtype == "INT64") {
    json_.value(load<int64_t>(value));
  } else {
    json_.value(static_cast<int>(load<int8_t>(value)));
  }
}

bool Call::start_array(std::string_view key, const void *values, int64_t count, size_t element) {
  const int64_t shown = std::clamp<int64_t>(count, 0, kMaxElements);
  if (!values || (shown > 0 && !memory::readable(values, static_cast<size_t>(shown) * element))) {
    pointer(key, values);
    return false;
  }
  json_.key(key).open('[');
  return true;
}

void Call::enumerators(std::string_view key, const Enumeration &type, const int *values, int64_t count) {
  if (!start_array(key, values, count, sizeof(int))) return;
  for (int64_t i = 0; i < std::min(count, kMaxElements); ++i) write_enumerator(type, values[i]);
  json_.close(']');
}

void Call::attribute(std::string_view key, int type, int64_t count, const void *elements) {
  const size_t size = attribute_size(type);
  if (!start_array(key, elements, count, size)) return;
  const auto *bytes = static_cast<const char *>(elements);
  for (int64_t i = 0; i < std::min(count, kMaxElements); ++i, bytes += size) {
    switch (type) {
      case kBoolean: json_.value(load<int8_t>(bytes) != 0); break;
      case kInt64: json_.value(load<int64_t>(bytes)); break;
      case kFloat: json_.value(load<float>(bytes)); break;
      case kDouble: json_.value(load<double>(bytes)); break;
      case kHandle: objects::describe(json_, load<void *>(bytes), "handle"); break;
      case kDescriptor: objects::describe(json_, load<void *>(bytes), "backend"); break;
      case kPointer: memory::describe(json_, load<void *>(bytes)); break;
      default: json_.value(load<int32_t>(bytes));
    }
  }
  json_.close(']');
}

void Call::enumerator_out(std::string_view key, const Enumeration &type, const int *value) {
  if (value) enumerator(key, type, *value);
}

void Call::object_out(std::string_view key, void *const *value, std::string_view kind) {
  if (value) object(key, *value, kind);
}

void Call::pointer_out(std::string_view key, void *const *value) {
  if (value) pointer(key, *value);
}

void Call::performances(std::string_view key, const void *results, int64_t count, const Enumeration &algorithms) {
  if (!start_array(key, results, count, sizeof(Performance))) return;
  for (int64_t i = 0; i < std::min(count, kMaxElements); ++i) {
    const auto entry = load<Performance>(static_cast<const Performance *>(results) + i);
    json_.open('{');
    enumerator("algo", algorithms, entry.algo);
    enumerator("status", names::cudnnStatus_t, entry.status);
    number("time", entry.time);
    number("memory", entry.memory);
    enumerator("determinism", names::cudnnDeterminism_t, entry.determinism);
    enumerator("mathType", names::cudnnMathType_t, entry.math_type);
    json_.close('}');
  }
  json_.close(']');
}

std::string_view dtype_of(const void *descriptor) {
  const int dtype = fp_recorder_dtype(descriptor);
  return dtype < 0 ? "FLOAT" : dtype_of(dtype);
}

std::string_view dtype_of(int data_type) { return names::cudnnDataType_t.short_name(data_type); }

}  // namespace fp

extern "C" int fp_recorder_dtype(const void *descriptor) {
  const fp::Enumeration &types = fp::names::cudnnDataType_t;
  for (const fp::Enumerator *type = types.begin; type != types.end; ++type) {
    char quoted[32];
    fp::Json text(quoted, sizeof quoted);
    text.value(types.short_name(type->value));
    if (fp::objects::is(descriptor, "dtype", text.text())) return type->value;
  }
  return -1;
}

namespace {

// Closes a note that has been begun, with its place, and writes it.
void append_note(fp::Json &note) {
  note.key("call").value(fp::current_index).key("line").value(fp::origin::line());
  const std::string_view name = fp::origin::case_name();
  note.key("case").raw(name.empty() ? "\"\"" : name).close('}');
  if (note.overflowed()) {
    fp::trace::drop();
  } else {
    fp::trace::append(note.text());
  }
}

// A loop over copies must not use up the notes that the reader takes.
constexpr int kMaxCopies = 1000;
std::atomic<int> copies{0};

}  // namespace

extern "C" void fp_recorder_note(const char *json) {
  if (!json) return;
  size_t length = strnlen(json, 4096);
  while (length > 0 && (json[length - 1] == '\n' || json[length - 1] == ' ')) --length;
  if (length < 2 || json[0] != '{' || json[length - 1] != '}') return;
  char line[4608];
  fp::Json note(line, sizeof line);
  note.raw({json, length - 1});
  append_note(note);
}

extern "C" void fp_recorder_copied(const void *dst, const void *src, size_t bytes) {
  if (fp::origin::case_name().size() <= 2 || copies.fetch_add(1) >= kMaxCopies) return;
  char line[1024];
  fp::Json note(line, sizeof line);
  note.open('{').key("note").value("copied").key("dst");
  fp::memory::describe(note, dst);
  note.key("src");
  fp::memory::describe(note, src);
  note.key("bytes").value(bytes);
  append_note(note);
}

extern "C" void fp_recorder_buffer(const void *base, size_t bytes, const char *name) {
  fp::memory::allocated(base, bytes, fp::memory::Space::device, name ? std::string_view(name, strnlen(name, 64)) : "");
}

extern "C" void fp_recorder_buffer_end(const void *base) { fp::memory::freed(base); }
