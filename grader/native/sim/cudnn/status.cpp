// Names of the status codes, from the API table.
#include "sim.h"

namespace {

struct StatusText {
    int status;
    const char *text;
};

constexpr StatusText kStatuses[] = {
#define FP_CUDNN_STATUS(enumerator, value, text) {value, text},
#include "cudnn_status.inc"
#undef FP_CUDNN_STATUS
};

}  // namespace

extern "C" const char *cudnnGetErrorString(cudnnStatus_t status) {
    for (const StatusText &known : kStatuses) {
        if (known.status == static_cast<int>(status)) return known.text;
    }
    return "CUDNN_UNKNOWN_STATUS";
}
