#include "content.h"

#include <algorithm>
#include <array>

#include "generated.h"
#include "libraries.h"

namespace fp::content {
namespace {

constexpr int kMaxRank = 8;
constexpr int kFormatNchw = 0;
constexpr int kFormatNhwc = 1;

using Strides = std::array<int, kMaxRank>;

// Strides of a packed tensor: the last dimension innermost, or for NHWC the channels.
Strides packed(int format, int rank, const int *dims) {
  Strides strides{};
  int step = 1;
  if (format == kFormatNhwc) {
    strides[1] = 1;
    step = dims[1];
  }
  for (int i = rank - 1; i >= 0; --i) {
    if (i == 1 && format == kFormatNhwc) continue;
    strides[i] = step;
    step *= dims[i];
  }
  return strides;
}

bool plausible(int rank, const int *values) {
  return rank >= 2 && rank <= kMaxRank && memory::readable(values, static_cast<size_t>(rank) * sizeof(int));
}

bool has_strides(int format, int rank, const int *dims, const int *strides) {
  const Strides expected = packed(format, rank, dims);
  return std::equal(strides, strides + rank, expected.begin());
}

void write_tensor(const void *descriptor, int dtype, std::string_view format, int rank, const int *dims,
                  const int *strides) {
  enumerator(descriptor, "tensor", "dtype", names::cudnnDataType_t, dtype);
  char text[32];
  Json json(text, sizeof text);
  json.value(format);
  objects::set(descriptor, "tensor", "format", json.text());
  numbers(descriptor, "tensor", "dims", dims, rank);
  numbers(descriptor, "tensor", "strides", strides, rank);
}

}  // namespace

void enumerator(const void *object, std::string_view kind, std::string_view key, const Enumeration &type, int value) {
  char text[96];
  Json json(text, sizeof text);
  const std::string_view name = type.short_name(value);
  if (name.empty()) {
    json.value(value);
  } else {
    json.value(name);
  }
  objects::set(object, kind, key, json.text());
}

void numbers(const void *object, std::string_view kind, std::string_view key, const int *values, int64_t count) {
  char text[1024];
  Json json(text, sizeof text);
  json.open('[');
  const int64_t shown = std::clamp<int64_t>(count, 0, 64);
  if (shown > 0 && memory::readable(values, static_cast<size_t>(shown) * sizeof *values)) {
    for (int64_t i = 0; i < shown; ++i) json.value(values[i]);
  }
  json.close(']');
  objects::set(object, kind, key, json.text());
}

void tensor(const void *descriptor, int format, int dtype, int rank, const int *dims) {
  if (!plausible(rank, dims)) return;
  if (format != kFormatNchw && format != kFormatNhwc) {
    tensor_from_library(const_cast<void *>(descriptor));
    return enumerator(descriptor, "tensor", "format", names::cudnnTensorFormat_t, format);
  }
  const Strides strides = packed(format, rank, dims);
  write_tensor(descriptor, dtype, names::cudnnTensorFormat_t.short_name(format), rank, dims, strides.data());
}

void tensor4d(const void *descriptor, int format, int dtype, int n, int c, int h, int w) {
  const int dims[] = {n, c, h, w};
  tensor(descriptor, format, dtype, 4, dims);
}

void tensor_strided(const void *descriptor, int dtype, int rank, const int *dims, const int *strides) {
  if (!plausible(rank, dims) || !plausible(rank, strides)) return;
  const bool nchw = has_strides(kFormatNchw, rank, dims, strides);
  const bool nhwc = has_strides(kFormatNhwc, rank, dims, strides);
  write_tensor(descriptor, dtype, nchw ? "NCHW" : nhwc ? "NHWC" : "STRIDED", rank, dims, strides);
}

void tensor4d_strided(const void *descriptor, int dtype, int n, int c, int h, int w, int n_stride, int c_stride,
                      int h_stride, int w_stride) {
  const int dims[] = {n, c, h, w};
  const int strides[] = {n_stride, c_stride, h_stride, w_stride};
  tensor_strided(descriptor, dtype, 4, dims, strides);
}

void tensor_from_library(void *descriptor) {
  using Function = int (*)(void *, int, int *, int *, int *, int *);
  static const auto function =
      reinterpret_cast<Function>(libraries::find(Library::cudnn, "cudnnGetTensorNdDescriptor"));
  int dtype = 0;
  int rank = 0;
  int dims[kMaxRank] = {};
  int strides[kMaxRank] = {};
  if (function && descriptor && function(descriptor, kMaxRank, &dtype, &rank, dims, strides) == 0) {
    tensor_strided(descriptor, dtype, rank, dims, strides);
  }
}

void filter(const void *descriptor, int dtype, int format, int rank, const int *dims) {
  enumerator(descriptor, "filter", "dtype", names::cudnnDataType_t, dtype);
  enumerator(descriptor, "filter", "format", names::cudnnTensorFormat_t, format);
  numbers(descriptor, "filter", "dims", dims, rank);
}

void filter4d(const void *descriptor, int dtype, int format, int k, int c, int h, int w) {
  const int dims[] = {k, c, h, w};
  filter(descriptor, dtype, format, 4, dims);
}

void convolution(const void *descriptor, int rank, const int *pad, const int *stride, const int *dilation, int mode,
                 int dtype) {
  numbers(descriptor, "convolution", "pad", pad, rank);
  numbers(descriptor, "convolution", "stride", stride, rank);
  numbers(descriptor, "convolution", "dilation", dilation, rank);
  enumerator(descriptor, "convolution", "mode", names::cudnnConvolutionMode_t, mode);
  enumerator(descriptor, "convolution", "dtype", names::cudnnDataType_t, dtype);
}

void convolution2d(const void *descriptor, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w, int mode,
                   int dtype) {
  const int pad[] = {pad_h, pad_w};
  const int stride[] = {u, v};
  const int dilation[] = {dilation_h, dilation_w};
  convolution(descriptor, 2, pad, stride, dilation, mode, dtype);
}

void pooling(const void *descriptor, int mode, int nan_option, int rank, const int *window, const int *padding,
             const int *stride) {
  enumerator(descriptor, "pooling", "mode", names::cudnnPoolingMode_t, mode);
  enumerator(descriptor, "pooling", "nan", names::cudnnNanPropagation_t, nan_option);
  numbers(descriptor, "pooling", "window", window, rank);
  numbers(descriptor, "pooling", "pad", padding, rank);
  numbers(descriptor, "pooling", "stride", stride, rank);
}

void pooling2d(const void *descriptor, int mode, int nan_option, int window_h, int window_w, int padding_h,
               int padding_w, int stride_h, int stride_w) {
  const int window[] = {window_h, window_w};
  const int padding[] = {padding_h, padding_w};
  const int stride[] = {stride_h, stride_w};
  pooling(descriptor, mode, nan_option, 2, window, padding, stride);
}

void stream_of(const void *handle, const void *stream) {
  char text[64];
  Json json(text, sizeof text);
  if (reinterpret_cast<uintptr_t>(stream) <= 2) {
    json.value("default");
  } else {
    objects::describe(json, stream, "stream");
  }
  objects::set(handle, "handle", "stream", json.text());
}

}  // namespace fp::content
