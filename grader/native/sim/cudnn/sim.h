// Internal interface of the simulated cuDNN (libcudnn.so.9), grouped by source file. README.md beside this folder shows
// how an operation is written with it.
#pragma once

#include <cudnn.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../runtime/runtime.h"

namespace fpsim {

// ---- cudnn/objects.cpp: what is alive ------------------------------------------------------------------------------
enum class Kind {
    handle, tensor, filter, convolution, pooling, activation, lrn, dropout, op_tensor, reduce_tensor,
    tensor_transform, spatial_transformer, ctc_loss, rnn, rnn_data, seq_data, attention, backend,
};
const char *kind_name(Kind kind);  // as in a note: "tensor"

// Base of the handle and of every descriptor. Destroyed objects stay in memory for long, so that a stale pointer is
// recognised.
struct Object {
    explicit Object(Kind kind) : kind(kind) {}
    virtual ~Object() = default;
    const Kind kind;
    uint64_t id = 0;  // counted per kind from 1 in order of creation: tensor#1
    mutable std::atomic<int> holds{0};
};

// Keeps an object in memory while another one refers to it: a destroyed descriptor still serves what was made of it.
class Hold {
public:
    explicit Hold(const Object *object = nullptr) : object_(object) { add(1); }
    Hold(const Hold &other) : Hold(other.object_) {}
    Hold &operator=(Hold other) {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Hold() { add(-1); }

private:
    void add(int count) const {
        if (object_) object_->holds += count;
    }
    const Object *object_;
};

enum class Life { live, destroyed, unknown };
void enroll(Object *object);
// Ends the life of `object`; what it was before.
Life retire(const void *object, Kind kind);
Life life_of(const void *object, Kind kind);

}  // namespace fpsim

// ---- descriptors: the structs behind the opaque pointers -----------------------------------------------------------
struct cudnnContext : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::handle;
    cudnnContext() : Object(kKind) {}
    std::atomic<cudaStream_t> stream{nullptr};  // threads that share a handle may set it at once: a mistake, but none of ours
};

struct cudnnTensorStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::tensor;
    cudnnTensorStruct() : Object(kKind) {}
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    int rank = 0;  // 0: never set
    std::array<int, CUDNN_DIM_MAX> dim{};
    std::array<int, CUDNN_DIM_MAX> stride{};
    int vector_channels = 1;  // channels in one element of the NCHW_VECT_C format; dim[1] counts elements
    int64_t extent = 0;  // elements from the first to the last, both included
};

struct cudnnFilterStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::filter;
    cudnnFilterStruct() : Object(kKind) {}
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
    int rank = 0;
    std::array<int, CUDNN_DIM_MAX> dim{};  // K, C, spatial
    int vector_channels = 1;
};

struct cudnnConvolutionStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::convolution;
    cudnnConvolutionStruct() : Object(kKind) {}
    int rank = 0;  // spatial dimensions
    std::array<int, CUDNN_DIM_MAX> pad{};
    std::array<int, CUDNN_DIM_MAX> stride{};
    std::array<int, CUDNN_DIM_MAX> dilation{};
    cudnnConvolutionMode_t mode = CUDNN_CONVOLUTION;
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
    cudnnReorderType_t reorder = CUDNN_DEFAULT_REORDER;
    int groups = 1;
};

namespace fpsim {

// ---- cudnn/enum_names.cpp: enumerators by name, from the API table -------------------------------------------------
struct EnumValue {
    int64_t value;
    const char *name;
};
struct EnumInfo {
    const char *type;
    const EnumValue *values;
    size_t count;
};
#define FP_ENUM(type) EnumInfo enum_info(type);
#define FP_ENUMERATOR(type, enumerator, value)
#define FP_ENUM_END(type)
#include "enumerators.inc"
#undef FP_ENUM
#undef FP_ENUMERATOR
#undef FP_ENUM_END
// "CUDNN_DATA_FLOAT (0)"; the number alone for a value that the type does not know.
std::string enum_text(const EnumInfo &info, int64_t value);
template <typename E> std::string enum_text(E value) { return enum_text(enum_info(value), static_cast<int64_t>(value)); }

// ---- cudnn/call.cpp: one API call ----------------------------------------------------------------------------------
// An argument as the API log shows it.
struct Argument {
    enum class Form { integer, real, enumerator, pointer, object } form = Form::integer;
    const char *type = "";
    int64_t integer = 0;
    double real = 0;
    const void *pointer = nullptr;
    EnumInfo (*enumeration)(int64_t) = nullptr;
    Kind kind = Kind::handle;
};

template <typename T> constexpr const char *scalar_type_name() {
    if constexpr (std::is_same_v<T, float>) return "float";
    if constexpr (std::is_same_v<T, double>) return "double";
    if constexpr (std::is_same_v<T, size_t>) return "size_t";
    if constexpr (std::is_same_v<T, unsigned>) return "unsigned";
    return "int";
}

template <typename T> Argument argument_of(const T &value) {
    Argument argument;
    if constexpr (std::is_pointer_v<T>) {
        argument.form = Argument::Form::pointer;
        argument.pointer = reinterpret_cast<const void *>(value);
        if constexpr (requires { std::remove_pointer_t<T>::kKind; }) {
            argument.form = Argument::Form::object;
            argument.kind = std::remove_pointer_t<T>::kKind;
        }
    } else if constexpr (std::is_enum_v<T>) {
        argument.form = Argument::Form::enumerator;
        argument.enumeration = [](int64_t number) { return enum_info(static_cast<T>(number)); };
        argument.integer = static_cast<int64_t>(value);
    } else {
        argument.form = std::is_floating_point_v<T> ? Argument::Form::real : Argument::Form::integer;
        argument.type = scalar_type_name<T>();
        argument.real = static_cast<double>(value);
        argument.integer = static_cast<int64_t>(value);
    }
    return argument;
}

// ---- cudnn/log.cpp, cudnn/log_arguments.cpp: CUDNN_LOGLEVEL_DBG, CUDNN_LOGDEST_DBG, cudnnSetCallback -----------------------------------------
bool log_enabled(cudnnSeverity_t severity);
// The arguments of a call as lines of a record; `names` is their list as written in the source.
std::string argument_lines(const char *names, const Argument *arguments, size_t count);
void log_record(cudnnSeverity_t severity, const char *function, cudnnStatus_t status, const std::string &body);

// Begins every API function (through FP_CALL): names the call in notes, keeps the last error, writes the API log.
class Call {
public:
    template <typename... Arguments> Call(const char *function, const char *names, const Arguments &...arguments)
        : function_(function) {
        begin();
        if (!logging()) return;
        const Argument list[] = {Argument{}, argument_of(arguments)...};
        log_call(names, list + 1, sizeof...(arguments));
    }

    const char *function() const { return function_; }
    cudnnStatus_t ok() const { return CUDNN_STATUS_SUCCESS; }
    // Ends the call with a failure; `reason` becomes the text of cudnnGetLastErrorString.
    cudnnStatus_t fail(cudnnStatus_t status, const char *reason);
    cudnnStatus_t bad_param(const char *reason) { return fail(CUDNN_STATUS_BAD_PARAM, reason); }
    cudnnStatus_t not_supported(const char *reason) { return fail(CUDNN_STATUS_NOT_SUPPORTED, reason); }

    // True when `object` is a live object of its kind; else sends a note and keeps BAD_PARAM in status().
    template <typename T> bool alive(const T *object) { return check(object, T::kKind); }
    // The same for several objects: true when all are alive.
    template <typename... T> bool all_alive(const T *...objects) { return (alive(objects) && ...); }
    cudnnStatus_t status() const { return status_; }

    // Runs the computation of an operation; when the host has no memory left for it, the call fails and says so.
    template <typename Body> cudnnStatus_t compute(Body &&body) {
        try {
            body();
            return ok();
        } catch (const std::bad_alloc &) {
            return fail(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "out of host memory");
        }
    }

    // Creates an object for a cudnnCreate… function.
    template <typename T> cudnnStatus_t create(T **out) {
        if (!out) return bad_param("NULL == output pointer");
        *out = new (std::nothrow) T();
        if (!*out) return fail(CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED, "out of host memory");
        enroll(*out);
        return ok();
    }
    // Ends an object for a cudnnDestroy… function; null is accepted as in the real library.
    template <typename T> cudnnStatus_t destroy(T *object) { return end(object, T::kKind); }

private:
    static void begin();
    static bool logging() { return log_enabled(CUDNN_SEV_INFO); }
    void log_call(const char *names, const Argument *arguments, size_t count) const;
    bool check(const void *object, Kind kind);
    cudnnStatus_t end(const void *object, Kind kind);

    const char *function_;
    cudnnStatus_t status_ = CUDNN_STATUS_SUCCESS;
};

// First line of every API function: FP_CALL(handle, xDesc, x) declares `call`.
#define FP_CALL(...) ::fpsim::Call call(__func__, "" #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)
// Returns BAD_PARAM with the failed condition as its reason, in the wording of the real library.
#define FP_REQUIRE(condition) \
    do {                      \
        if (!(condition)) return call.bad_param("!(" #condition ")"); \
    } while (false)
#define FP_SUPPORTED(condition) \
    do {                        \
        if (!(condition)) return call.not_supported("!(" #condition ")"); \
    } while (false)
// Returns BAD_PARAM (with a note for a stale object) unless every object is alive.
#define FP_ALIVE(...) \
    do {              \
        if (!call.all_alive(__VA_ARGS__)) return call.status(); \
    } while (false)

// ---- cudnn/types.cpp: element types --------------------------------------------------------------------------------
float half_to_float(uint16_t bits);
uint16_t float_to_half(float value);  // rounds to nearest even
float bfloat16_to_float(uint16_t bits);
uint16_t float_to_bfloat16(float value);  // rounds to nearest even

struct half {
    uint16_t bits;
    operator float() const { return half_to_float(bits); }
};
struct bfloat16 {
    uint16_t bits;
    operator float() const { return bfloat16_to_float(bits); }
};

// The type that sums of T are kept in: float for the floating types of 32 bits and less, double for the rest.
template <typename T>
using Compute = std::conditional_t<std::is_same_v<T, double> || std::is_integral_v<T>, double, float>;

// Converts a computed value to an element: rounds to nearest even, and saturates integers.
template <typename T, typename V> T to_element(V value) {
    if constexpr (std::is_same_v<T, half>) {
        return {float_to_half(static_cast<float>(value))};
    } else if constexpr (std::is_same_v<T, bfloat16>) {
        return {float_to_bfloat16(static_cast<float>(value))};
    } else if constexpr (std::is_integral_v<T>) {
        const double wide = std::nearbyint(static_cast<double>(value));
        constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
        constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
        if (std::isnan(wide)) return 0;
        return static_cast<T>(wide < low ? low : wide > high ? high : wide);
    } else {
        return static_cast<T>(value);
    }
}

// Bytes of one element; 0 for a type that the simulator does not know.
size_t element_size(cudnnDataType_t type);
bool is_floating(cudnnDataType_t type);
bool is_data_type(cudnnDataType_t type);

// Calls `visit(T{})` with the element type of `type` (float, double, half, bfloat16, int8_t, uint8_t, int32_t).
// Returns false, without a call, for any other type.
template <typename Visit> bool visit_type(cudnnDataType_t type, Visit &&visit) {
    switch (type) {
        case CUDNN_DATA_FLOAT: visit(float{}); return true;
        case CUDNN_DATA_DOUBLE: visit(double{}); return true;
        case CUDNN_DATA_HALF: visit(half{}); return true;
        case CUDNN_DATA_BFLOAT16: visit(bfloat16{}); return true;
        case CUDNN_DATA_INT8: visit(int8_t{}); return true;
        case CUDNN_DATA_UINT8: visit(uint8_t{}); return true;
        case CUDNN_DATA_INT32: visit(int32_t{}); return true;
        default: return false;
    }
}

// ---- cudnn/view.cpp: tensors as dimensions and strides -------------------------------------------------------------
struct View {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    int rank = 0;
    std::array<int64_t, CUDNN_DIM_MAX> dim{};
    std::array<int64_t, CUDNN_DIM_MAX> stride{};  // in elements

    int64_t elements() const;
    bool empty() const { return elements() == 0; }
    // Bytes touched around the data pointer: [low, high); low is negative where a stride is.
    int64_t low() const;
    int64_t high() const;
    // Every byte of [low, high) belongs to exactly one element.
    bool dense() const;
    // Two elements may share an address.
    bool overlaps() const;
    bool same_dims(const View &other) const;
    bool same_strides(const View &other) const;
    // Offset in elements of the element with this row-major index.
    int64_t offset_of(int64_t index) const;
};
View view_of(const cudnnTensorStruct &tensor);
View view_of(const cudnnFilterStruct &filter);  // K, C, spatial
// A packed view in row-major order of `dim`.
View packed_view(cudnnDataType_t type, int rank, const int64_t *dim);
bool is_nhwc(const View &view);  // strides of the packed channels-last layout
bool is_nchw(const View &view);  // strides of the packed row-major layout

// Calls `visit(a, b, …)` with the offset in elements of every index in each of the views, which have the dims of
// `first`; a dimension of 1 in another view is broadcast.
template <typename Visit, typename... Views> void for_each_offset(Visit visit, const View &first, const Views &...rest) {
    constexpr size_t count = 1 + sizeof...(rest);
    const View *views[count] = {&first, &rest...};
    if (first.empty()) return;
    int64_t index[CUDNN_DIM_MAX] = {};
    int64_t offset[count] = {};
    const auto step = [&](size_t v, int d) -> int64_t { return views[v]->dim[d] == 1 ? 0 : views[v]->stride[d]; };
    const auto call = [&]<size_t... I>(std::index_sequence<I...>) { visit(offset[I]...); };
    for (;;) {
        call(std::make_index_sequence<count>{});
        int d = first.rank - 1;
        for (; d >= 0; --d) {
            if (++index[d] < first.dim[d]) {
                for (size_t v = 0; v < count; ++v) offset[v] += step(v, d);
                break;
            }
            for (size_t v = 0; v < count; ++v) offset[v] -= step(v, d) * (first.dim[d] - 1);
            index[d] = 0;
        }
        if (d < 0) return;
    }
}

// ---- cudnn/scaling.cpp: alpha and beta -----------------------------------------------------------------------------
struct Scaling {
    double alpha = 1;
    double beta = 0;
    // alpha*result + beta*old; `old` is not read when beta is 0.
    template <typename T, typename V> void store(T &target, V result) const {
        using C = Compute<T>;
        C value = static_cast<C>(alpha) * static_cast<C>(result);
        if (beta != 0) value += static_cast<C>(beta) * static_cast<C>(target);
        target = to_element<T>(value);
    }
};
// Reads the two host scalars: double for double tensors, float for all others.
Scaling read_scaling(const void *alpha, const void *beta, cudnnDataType_t type);
double read_scalar(const void *scalar, cudnnDataType_t type);

// ---- kernels/parallel.cpp ------------------------------------------------------------------------------------------
int thread_count();
// Loops of this thread run in it alone until it is taken back.
void run_alone(bool alone);
// Calls `body(begin, end)` over [0, count) from several threads; pieces have at least `grain` items.
void parallel_for(int64_t count, int64_t grain, void *context, void (*body)(void *, int64_t, int64_t));
template <typename Body> void parallel_for(int64_t count, int64_t grain, Body &&body) {
    parallel_for(count, grain, &body, [](void *context, int64_t begin, int64_t end) {
        (*static_cast<std::remove_reference_t<Body> *>(context))(begin, end);
    });
}

}  // namespace fpsim

#include "kernel.h"
