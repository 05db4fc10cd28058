// Dropout descriptors and their random numbers.
#include "operations.h"

namespace fpsim {
namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every output bit depends on every input bit.
uint64_t mix(uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

cudnnStatus_t store(Call &call, cudnnDropoutStruct &dropout, float rate, void *states, unsigned long long seed) {
    dropout.is_set = true;
    dropout.rate = rate;
    dropout.states = states;
    dropout.seed = seed;
    return call.ok();
}

}  // namespace

bool dropout_keeps(const DropoutState &state, int64_t index, float rate) {
    const uint64_t bits = mix(mix(state.seed ^ mix(state.draws)) + static_cast<uint64_t>(index));
    return static_cast<float>(bits >> 40) * 0x1p-24F >= rate;
}

double dropout_scale(float rate) { return rate == 1 ? 0 : 1 / (1 - static_cast<double>(rate)); }

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *dropoutDesc) {
    FP_CALL(dropoutDesc);
    return call.create(dropoutDesc);
}

extern "C" cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc) {
    FP_CALL(dropoutDesc);
    return call.destroy(dropoutDesc);
}

extern "C" cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *sizeInBytes) {
    FP_CALL(handle, sizeInBytes);
    FP_ALIVE(handle);
    FP_REQUIRE(sizeInBytes != nullptr);
    *sizeInBytes = kDropoutStatesSize;
    return call.ok();
}

// One bit an element, in words of 32.
extern "C" cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t xdesc, size_t *sizeInBytes) {
    FP_CALL(xdesc, sizeInBytes);
    FP_ALIVE(xdesc);
    FP_SUPPORTED(xdesc->type != CUDNN_DATA_INT8);
    const View view = view_of(*xdesc);
    const bool refused = xdesc->rank > 0 && view.rank == 0;  // a dimension that was kept is 0, and so is the product
    const int64_t elements = refused ? 0 : std::max<int64_t>(view.elements(), 1);
    FP_SUPPORTED(elements <= std::numeric_limits<int>::max());
    FP_REQUIRE(sizeInBytes != nullptr);
    *sizeInBytes = static_cast<size_t>((elements + 31) / 32 * 4);
    return call.ok();
}

// Null states are accepted, as in the real library; dropout itself then fails. The rate is not checked.
extern "C" cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                                   float dropout, void *states, size_t stateSizeInBytes,
                                                   unsigned long long seed) {
    FP_CALL(dropoutDesc, handle, dropout, states, stateSizeInBytes, seed);
    FP_ALIVE(dropoutDesc, handle);
    FP_REQUIRE(states == nullptr || stateSizeInBytes >= kDropoutStatesSize);
    if (!states) return store(call, *dropoutDesc, dropout, states, seed);
    FP_LAUNCHABLE();
    store(call, *dropoutDesc, dropout, states, seed);
    Kernel kernel(call);
    void *memory = kernel.write_bytes("states", states, kDropoutStatesSize);
    const DropoutState start{seed, 0};
    if (kernel.ready()) std::memcpy(memory, &start, sizeof start);
    return call.ok();
}

// Takes over states as they are in memory.
extern "C" cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                                       float dropout, void *states, size_t stateSizeInBytes,
                                                       unsigned long long seed) {
    FP_CALL(dropoutDesc, handle, dropout, states, stateSizeInBytes, seed);
    FP_ALIVE(dropoutDesc, handle);
    FP_REQUIRE(stateSizeInBytes >= kDropoutStatesSize);
    return store(call, *dropoutDesc, dropout, states, seed);
}

extern "C" cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc, cudnnHandle_t handle,
                                                   float *dropout, void **states, unsigned long long *seed) {
    FP_CALL(dropoutDesc, handle, dropout, states, seed);
    FP_ALIVE(dropoutDesc, handle);
    FP_REQUIRE(dropout != nullptr && states != nullptr && seed != nullptr);
    *dropout = dropoutDesc->rate;
    *states = dropoutDesc->states;
    *seed = dropoutDesc->seed;
    return call.ok();
}
