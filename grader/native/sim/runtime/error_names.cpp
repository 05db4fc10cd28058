// Names and sentences of the runtime's errors, from the API table.
#include "runtime.h"

namespace {

struct ErrorText {
    int error;
    const char *name;
    const char *sentence;
};

constexpr ErrorText kErrors[] = {
#define FP_CUDA_ERROR(enumerator, value, text) {value, #enumerator, text},
#include "cuda_error.inc"
#undef FP_CUDA_ERROR
};

const ErrorText *find(cudaError_t error) {
    for (const ErrorText &text : kErrors) {
        if (text.error == static_cast<int>(error)) return &text;
    }
    return nullptr;
}

constexpr const char *kUnknown = "unrecognized error code";

}  // namespace

extern "C" const char *cudaGetErrorName(cudaError_t error) {
    const ErrorText *text = find(error);
    return text ? text->name : kUnknown;
}

extern "C" const char *cudaGetErrorString(cudaError_t error) {
    const ErrorText *text = find(error);
    return text ? text->sentence : kUnknown;
}
