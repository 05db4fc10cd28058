// Versions, and the consistency checks of the sub-libraries (the simulator is one library, so they always agree).
#include "sim.h"

namespace {

// The release whose behaviour on an H200 the simulator copies.
constexpr int kMajor = 9, kMinor = 19, kPatch = 0;
constexpr size_t kVersion = kMajor * 10000 + kMinor * 100 + kPatch;
constexpr size_t kCudartVersion = 12090;

}  // namespace

extern "C" size_t cudnnGetVersion(void) { return kVersion; }

extern "C" size_t cudnnGetCudartVersion(void) { return kCudartVersion; }

// The newest device that the release knows: compute capability 12.1.
extern "C" size_t cudnnGetMaxDeviceVersion(void) { return 1210; }

extern "C" cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int *value) {
    FP_CALL(type, value);
    FP_REQUIRE(value != nullptr);
    switch (type) {
        case MAJOR_VERSION: *value = kMajor; return call.ok();
        case MINOR_VERSION: *value = kMinor; return call.ok();
        case PATCH_LEVEL: *value = kPatch; return call.ok();
    }
    return call.bad_param("unknown property");
}

extern "C" cudnnStatus_t cudnnGraphVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
extern "C" cudnnStatus_t cudnnOpsVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
extern "C" cudnnStatus_t cudnnCnnVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
extern "C" cudnnStatus_t cudnnAdvVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
