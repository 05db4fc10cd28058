/* CUDA runtime for host code: the C interface, and for C++ the overloads that take typed pointers. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus

template <class T>
static inline cudaError_t cudaMalloc(T **devPtr, size_t size) {
    return ::cudaMalloc(reinterpret_cast<void **>(devPtr), size);
}

template <class T>
static inline cudaError_t cudaMallocAsync(T **devPtr, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync(reinterpret_cast<void **>(devPtr), size, stream);
}

template <class T>
static inline cudaError_t cudaMallocManaged(T **devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged(reinterpret_cast<void **>(devPtr), size, flags);
}

template <class T>
static inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc(reinterpret_cast<void **>(ptr), size, flags);
}

template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size) {
    return ::cudaMallocHost(reinterpret_cast<void **>(ptr), size);
}

/* Flags are those of cudaHostAlloc, which NVIDIA's header calls here too. */
template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc(reinterpret_cast<void **>(ptr), size, flags);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

#endif /* __cplusplus */

#endif /* CUDA_RUNTIME_H */
