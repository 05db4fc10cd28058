#pragma once

#include <cstdint>
#include <string_view>

#include "json.h"
#include "memory.h"
#include "names.h"
#include "objects.h"

namespace fp::content {

// What the shadows of descriptors keep, entered after a setter has succeeded.

void tensor(const void *descriptor, int format, int dtype, int rank, const int *dims);
void tensor4d(const void *descriptor, int format, int dtype, int n, int c, int h, int w);
void tensor_strided(const void *descriptor, int dtype, int rank, const int *dims, const int *strides);
void tensor4d_strided(const void *descriptor, int dtype, int n, int c, int h, int w, int n_stride, int c_stride,
                      int h_stride, int w_stride);
// For functions that fill a tensor descriptor on their own: reads it back through the library.
void tensor_from_library(void *descriptor);

void filter(const void *descriptor, int dtype, int format, int rank, const int *dims);
void filter4d(const void *descriptor, int dtype, int format, int k, int c, int h, int w);

void convolution(const void *descriptor, int rank, const int *pad, const int *stride, const int *dilation, int mode,
                 int dtype);
void convolution2d(const void *descriptor, int pad_h, int pad_w, int u, int v, int dilation_h, int dilation_w, int mode,
                   int dtype);

void pooling(const void *descriptor, int mode, int nan_option, int rank, const int *window, const int *padding,
             const int *stride);
void pooling2d(const void *descriptor, int mode, int nan_option, int window_h, int window_w, int padding_h,
               int padding_w, int stride_h, int stride_w);

// The stream that a handle works on.
void stream_of(const void *handle, const void *stream);

// One member at a time, for all others.
template <typename T>
void number(const void *object, std::string_view kind, std::string_view key, T value) {
  char text[64];
  Json json(text, sizeof text);
  json.value(value);
  objects::set(object, kind, key, json.text());
}
void enumerator(const void *object, std::string_view kind, std::string_view key, const Enumeration &type, int value);
void numbers(const void *object, std::string_view kind, std::string_view key, const int *values, int64_t count);

}  // namespace fp::content
