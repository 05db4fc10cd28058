// The one simulated device. Its figures are those of an H200, whose cuDNN the simulator copies; its memory is its own.
#include "runtime.h"

#include <algorithm>
#include <cstring>

namespace fpsim {
namespace {

constexpr int kRuntimeVersion = 12090;  // CUDA 12.9, the runtime that cuDNN 9 for CUDA 12 is built with
constexpr int kDriverVersion = 12090;

struct Attribute {
    cudaDeviceAttr attribute;
    int cudaDeviceProp::*field;  // where cudaGetDeviceProperties shows it too
    int value;
};

constexpr Attribute kAttributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock, 1024},
    {cudaDevAttrMaxSharedMemoryPerBlock, nullptr, 49152},
    {cudaDevAttrTotalConstantMemory, nullptr, 65536},
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize, 32},
    {cudaDevAttrMaxRegistersPerBlock, &cudaDeviceProp::regsPerBlock, 65536},
    {cudaDevAttrClockRate, &cudaDeviceProp::clockRate, 1980000},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount, 132},
    {cudaDevAttrIntegrated, &cudaDeviceProp::integrated, 0},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory, 1},
    {cudaDevAttrComputeMode, &cudaDeviceProp::computeMode, cudaComputeModeDefault},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels, 1},
    {cudaDevAttrEccEnabled, &cudaDeviceProp::ECCEnabled, 1},
    {cudaDevAttrPciBusId, &cudaDeviceProp::pciBusID, 0},
    {cudaDevAttrPciDeviceId, &cudaDeviceProp::pciDeviceID, 0},
    {cudaDevAttrMemoryClockRate, &cudaDeviceProp::memoryClockRate, 3201000},
    {cudaDevAttrGlobalMemoryBusWidth, &cudaDeviceProp::memoryBusWidth, 6144},
    {cudaDevAttrL2CacheSize, &cudaDeviceProp::l2CacheSize, 62914560},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &cudaDeviceProp::maxThreadsPerMultiProcessor, 2048},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount, 3},
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing, 1},
    {cudaDevAttrPciDomainId, &cudaDeviceProp::pciDomainID, 0},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major, 9},
    {cudaDevAttrComputeCapabilityMinor, &cudaDeviceProp::minor, 0},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, nullptr, 233472},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory, 1},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, nullptr, 232448},
    {cudaDevAttrMemoryPoolsSupported, &cudaDeviceProp::memoryPoolsSupported, 1},
};

const Attribute *find(cudaDeviceAttr wanted) {
    for (const Attribute &attribute : kAttributes) {
        if (attribute.attribute == wanted) return &attribute;
    }
    return nullptr;
}

size_t bytes_of(cudaDeviceAttr attribute) { return static_cast<size_t>(find(attribute)->value); }

void fill(cudaDeviceProp &properties, const Arena &arena) {
    properties = {};
    std::strncpy(properties.name, "Simulated GPU (Forward Pass)", sizeof properties.name - 1);
    properties.totalGlobalMem = arena.capacity();
    for (const Attribute &attribute : kAttributes) {
        if (attribute.field) properties.*attribute.field = attribute.value;
    }
    properties.totalConstMem = bytes_of(cudaDevAttrTotalConstantMemory);
    properties.sharedMemPerBlock = bytes_of(cudaDevAttrMaxSharedMemoryPerBlock);
    properties.sharedMemPerMultiprocessor = bytes_of(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    properties.sharedMemPerBlockOptin = bytes_of(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int threads[3] = {1024, 1024, 64};
    const int grid[3] = {2147483647, 65535, 65535};
    std::copy(threads, threads + 3, properties.maxThreadsDim);
    std::copy(grid, grid + 3, properties.maxGridSize);
}

cudaError_t describe(cudaDeviceProp *properties, int device) {
    if (!properties) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const Arena *arena = Arena::get();
    if (!arena) return cudaErrorInitializationError;
    fill(*properties, *arena);
    return cudaSuccess;
}

cudaError_t store(int *target, int value) {
    if (!target) return cudaErrorInvalidValue;
    *target = value;
    return cudaSuccess;
}

cudaError_t store_attribute(int *target, cudaDeviceAttr wanted, int device) {
    if (device != 0) return cudaErrorInvalidDevice;
    const Attribute *attribute = find(wanted);
    return attribute ? store(target, attribute->value) : cudaErrorInvalidValue;
}

}  // namespace
}  // namespace fpsim

using fpsim::finish_without_context;

extern "C" cudaError_t cudaGetDevice(int *device) { return finish_without_context(fpsim::store(device, 0)); }

extern "C" cudaError_t cudaSetDevice(int device) {
    return finish_without_context(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

extern "C" cudaError_t cudaGetDeviceCount(int *count) { return finish_without_context(fpsim::store(count, 1)); }

extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
    return finish_without_context(fpsim::describe(prop, device));
}

extern "C" cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device) {
    return finish_without_context(fpsim::store_attribute(value, attr, device));
}

extern "C" cudaError_t cudaDeviceSynchronize(void) { return fpsim::finish_synchronised(cudaSuccess); }

extern "C" cudaError_t cudaDeviceReset(void) {
    if (fpsim::Arena *arena = fpsim::Arena::existing()) {
        std::unique_lock lock(fpsim::device_lock());
        arena->reset();
    }
    fpsim::clear_errors();
    return cudaSuccess;
}

extern "C" cudaError_t cudaRuntimeGetVersion(int *runtimeVersion) {
    return finish_without_context(fpsim::store(runtimeVersion, fpsim::kRuntimeVersion));
}

extern "C" cudaError_t cudaDriverGetVersion(int *driverVersion) {
    return finish_without_context(fpsim::store(driverVersion, fpsim::kDriverVersion));
}
