// cudnnDropoutForward and cudnnDropoutBackward. Bit i of the reserve space says whether element i was kept, as on a real
// device; which elements are kept differs from a real device.
#include "operations.h"

using namespace fpsim;

namespace {

struct Pass {
    View from, to;
    size_t reserve;  // bytes
};

// Packed tensors are walked in the order of memory, whatever their dims: an element keeps its bit.
View flat(const View &view) {
    const int64_t elements = view.elements();
    return view.dense() ? packed_view(view.type, 1, &elements) : view;
}

cudnnStatus_t check(Call &call, const Pass &pass, const void *x, const void *y, const void *space, size_t size) {
    FP_REQUIRE(x != nullptr && y != nullptr && space != nullptr);
    FP_REQUIRE(pass.from.type == pass.to.type && pass.from.elements() == pass.to.elements());
    FP_REQUIRE(size >= pass.reserve);
    FP_SUPPORTED(pass.from.type == CUDNN_DATA_FLOAT || pass.from.type == CUDNN_DATA_DOUBLE ||
                 pass.from.type == CUDNN_DATA_HALF);
    FP_LAUNCHABLE();
    return call.ok();
}

Pass pass_of(const cudnnTensorStruct &x, const cudnnTensorStruct &y) {
    Pass pass{flat(view_of(x)), flat(view_of(y)), 0};
    pass.reserve = static_cast<size_t>((pass.from.elements() + 31) / 32 * 4);
    return pass;
}

bool is_kept(const unsigned char *bits, int64_t index) { return (bits[index / 8] >> (index % 8) & 1) != 0; }

void draw(const DropoutState &state, float rate, int64_t elements, unsigned char *bits, size_t size) {
    parallel_for(static_cast<int64_t>(size), 2048, [&](int64_t begin, int64_t end) {
        for (int64_t byte = begin; byte < end; ++byte) {
            unsigned mask = 0;
            for (int bit = 0; bit < 8; ++bit) {
                const int64_t index = byte * 8 + bit;
                if (index < elements && dropout_keeps(state, index, rate)) mask |= 1U << bit;
            }
            bits[byte] = static_cast<unsigned char>(mask);
        }
    });
}

void apply(const Pass &pass, float rate, const unsigned char *bits, const void *x, void *y) {
    const double scale = dropout_scale(rate);
    visit_type(pass.from.type, [&](auto element) {
        using T = decltype(element);
        using C = Compute<T>;
        int64_t index = 0;
        const auto store = [&](int64_t to, int64_t from) {
            const C value = static_cast<C>(static_cast<const T *>(x)[from]);
            static_cast<T *>(y)[to] = to_element<T>(is_kept(bits, index++) ? value * static_cast<C>(scale) : C{0});
        };
        // Both have as many elements, but not always the same dims.
        if (pass.from.same_dims(pass.to)) return for_each_offset(store, pass.to, pass.from);
        for (int64_t i = 0, count = pass.from.elements(); i < count; ++i) store(pass.to.offset_of(i), pass.from.offset_of(i));
    });
}

}  // namespace

extern "C" cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                             const cudnnTensorDescriptor_t xdesc, const void *x,
                                             const cudnnTensorDescriptor_t ydesc, void *y, void *reserveSpace,
                                             size_t reserveSpaceSizeInBytes) {
    FP_CALL(handle, dropoutDesc, xdesc, x, ydesc, y, reserveSpace, reserveSpaceSizeInBytes);
    FP_ALIVE(handle, dropoutDesc, xdesc, ydesc);
    const Pass pass = pass_of(*xdesc, *ydesc);
    const cudnnStatus_t status = check(call, pass, x, y, reserveSpace, reserveSpaceSizeInBytes);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_REQUIRE(dropoutDesc->states != nullptr);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, pass.from);
    void *target = kernel.write("y", y, pass.to);
    auto *bits = static_cast<unsigned char *>(kernel.write_bytes("reserveSpace", reserveSpace, pass.reserve));
    void *states = kernel.update_bytes("states", dropoutDesc->states, kDropoutStatesSize);
    if (!kernel.ready()) return call.ok();
    DropoutState state;
    std::memcpy(&state, states, sizeof state);
    draw(state, dropoutDesc->rate, pass.from.elements(), bits, pass.reserve);
    apply(pass, dropoutDesc->rate, bits, source, target);
    ++state.draws;
    std::memcpy(states, &state, sizeof state);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t dropoutDesc,
                                              const cudnnTensorDescriptor_t dydesc, const void *dy,
                                              const cudnnTensorDescriptor_t dxdesc, void *dx, void *reserveSpace,
                                              size_t reserveSpaceSizeInBytes) {
    FP_CALL(handle, dropoutDesc, dydesc, dy, dxdesc, dx, reserveSpace, reserveSpaceSizeInBytes);
    FP_ALIVE(handle, dropoutDesc, dydesc, dxdesc);
    const Pass pass = pass_of(*dydesc, *dxdesc);
    const cudnnStatus_t status = check(call, pass, dy, dx, reserveSpace, reserveSpaceSizeInBytes);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    Kernel kernel(call);
    const void *source = kernel.read("dy", dy, pass.from);
    void *target = kernel.write("dx", dx, pass.to);
    const auto *bits = static_cast<const unsigned char *>(kernel.read_bytes("reserveSpace", reserveSpace, pass.reserve));
    if (kernel.ready()) apply(pass, dropoutDesc->rate, bits, source, target);
    return call.ok();
}
