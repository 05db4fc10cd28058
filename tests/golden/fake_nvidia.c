// Stands for the libraries of NVIDIA's that the grader asks of a GPU; each answers what its macro says.
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#ifdef DRIVER
int cuInit(unsigned flags) { return INIT; }
int cuDriverGetVersion(int *version) { return *version = DRIVER, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int length, int device) { return strncpy(name, "Stand-in", length), 0; }
#endif

#ifdef FREE_MIB
struct memory { unsigned long long total, free, used; };
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { return *count = 1, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { return *device = (void *)8, 0; }
int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory) { return memory->free = FREE_MIB * 1048576ull, 0; }
#endif

#ifdef RUNTIME
int cudaRuntimeGetVersion(int *version) { return *version = RUNTIME, 0; }
int cudaMalloc(void **memory, size_t size) { return 2; }
int cudaFree(void *memory) { return 0; }
int cudaMemcpy(void *to, const void *from, size_t size, int kind) { return 0; }
int cudaDeviceSynchronize(void) { return 0; }
const char *cudaGetErrorName(int status) { return "cudaErrorStandIn"; }
#endif

#ifdef CUDNN
size_t cudnnGetVersion(void) { return CUDNN; }
size_t cudnnGetCudartVersion(void) { return BUILT; }
int cudnnCreate(void **handle) { return CREATE; }
int cudnnDestroy(void *handle) { return 0; }
// As the real one does: compares with the part that the loader found first.
int cudnnOpsVersionCheck(void) {
  void *part = dlopen("libcudnn_ops.so.9", RTLD_NOW);
  int (*version)(void) = part ? (int (*)(void))dlsym(part, "fp_part_version") : NULL;
  return version && version() != CUDNN ? 1002 : 0;
}
#endif

#ifdef PART
int fp_part_version(void) { return PART; }
#endif
