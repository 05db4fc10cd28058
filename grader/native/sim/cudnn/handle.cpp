// The handle and its stream.
#include "sim.h"

// Device memory that must be left for a handle: 1,024 of them were seen to take about 300 MB.
static constexpr size_t kHandleBytes = 300 << 10;

extern "C" cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
    FP_CALL(handle);
    FP_REQUIRE(handle != nullptr);
    if (!fp_sim_device_available()) return call.fail(CUDNN_STATUS_NOT_INITIALIZED, "no CUDA context can be made");
    size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess && free < kHandleBytes) {
        return call.fail(CUDNN_STATUS_NOT_INITIALIZED, "no device memory is left for the handle");
    }
    if (fp_sim_synchronise() != 0) return call.fail(CUDNN_STATUS_INTERNAL_ERROR, "cudaStreamCreate() != cudaSuccess");
    return call.create(handle);
}

// Waits for the device, as the real library does.
extern "C" cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
    FP_CALL(handle);
    const cudnnStatus_t status = call.destroy(handle);
    if (!handle || status != CUDNN_STATUS_SUCCESS) return status;
    if (fp_sim_synchronise() != 0) return call.fail(CUDNN_STATUS_INTERNAL_ERROR, "cudaDeviceSynchronize() != cudaSuccess");
    return call.ok();
}

extern "C" cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId) {
    FP_CALL(handle, streamId);
    FP_ALIVE(handle);
    if (!fp_sim_stream_exists(streamId)) {
        fpsim::Note("stream_does_not_exist").text("function", call.function()).send();
        return call.bad_param("the stream was destroyed or never created");
    }
    handle->stream = streamId;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId) {
    FP_CALL(handle, streamId);
    FP_ALIVE(handle);
    FP_REQUIRE(streamId != nullptr);
    *streamId = handle->stream;
    return call.ok();
}
