// cudnnRNNBackwardData_v8 and cudnnRNNBackwardWeights_v8.
#include "rnn.h"

using namespace fpsim;

namespace {

// The spaces of a backward call.
struct Spaces {
    size_t weight_bytes;
    const void *weights;
    size_t work_bytes;
    const void *work;
    size_t reserve_bytes;
    const void *reserve;
};

size_t weight_bytes_of(const cudnnRNNStruct &rnn) {
    return static_cast<size_t>(rnn_weight_elements(rnn)) * element_size(rnn.type);
}

cudnnStatus_t check(Call &call, const cudnnRNNStruct &rnn, const cudnnRNNDataStruct &x, const cudnnRNNDataStruct &y,
                    const Spaces &spaces) {
    if (const char *reason = rnn_mismatch(rnn, x, y)) return call.bad_param(reason);
    const RnnSizes sizes = rnn_sizes(rnn, x, true);
    FP_REQUIRE(spaces.weights != nullptr && spaces.weight_bytes >= weight_bytes_of(rnn));
    FP_REQUIRE(spaces.work != nullptr && spaces.work_bytes >= sizes.work);
    FP_REQUIRE(spaces.reserve != nullptr && spaces.reserve_bytes >= sizes.reserve);
    FP_LAUNCHABLE();
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnRNNBackwardData_v8(
    cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, const int32_t devSeqLengths[], cudnnRNNDataDescriptor_t yDesc,
    const void *y, const void *dy, cudnnRNNDataDescriptor_t xDesc, void *dx, cudnnTensorDescriptor_t hDesc,
    const void *hx, const void *dhy, void *dhx, cudnnTensorDescriptor_t cDesc, const void *cx, const void *dcy,
    void *dcx, size_t weightSpaceSize, const void *weightSpace, size_t workSpaceSize, void *workSpace,
    size_t reserveSpaceSize, void *reserveSpace) {
    FP_CALL(handle, rnnDesc, devSeqLengths, yDesc, y, dy, xDesc, dx, hDesc, hx, dhy, dhx, cDesc, cx, dcy, dcx,
            weightSpaceSize, weightSpace, workSpaceSize, workSpace, reserveSpaceSize, reserveSpace);
    FP_ALIVE(handle, rnnDesc, yDesc, xDesc);
    const cudnnRNNStruct &rnn = *rnnDesc;
    const cudnnStatus_t status = check(call, rnn, *xDesc, *yDesc,
                                       {weightSpaceSize, weightSpace, workSpaceSize, workSpace, reserveSpaceSize, reserveSpace});
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const bool lstm = rnn.cell == CUDNN_LSTM;
    const int batch = xDesc->batch();
    if (hDesc || hx || dhy || dhx) {
        FP_ALIVE(hDesc);
        FP_REQUIRE(rnn_state_fits(*hDesc, rnn.pseudo_layers(), batch, rnn.outputs()));
    }
    if (lstm && (cDesc || cx || dcy || dcx)) {
        FP_ALIVE(cDesc);
        FP_REQUIRE(rnn_state_fits(*cDesc, rnn.pseudo_layers(), batch, rnn.hidden));
    }
    const View states = hDesc ? view_of(*hDesc) : View{}, cells = lstm && cDesc ? view_of(*cDesc) : View{};
    const RnnSizes sizes = rnn_sizes(rnn, *xDesc, true);
    Kernel kernel(call);
    RnnBackward memory{};
    memory.y = kernel.read("y", y, rnn_view(*yDesc));
    memory.dy = kernel.read("dy", dy, rnn_view(*yDesc));
    memory.weights = kernel.read_bytes("weightSpace", weightSpace, weight_bytes_of(rnn));
    memory.dx = kernel.write("dx", dx, rnn_view(*xDesc));
    if (hx) memory.hx = kernel.read("hx", hx, states);
    if (dhy) memory.dhy = kernel.read("dhy", dhy, states);
    if (dhx) memory.dhx = kernel.write("dhx", dhx, states);
    if (lstm && cx) memory.cx = kernel.read("cx", cx, cells);
    if (lstm && dcy) memory.dcy = kernel.read("dcy", dcy, cells);
    if (lstm && dcx) memory.dcx = kernel.write("dcx", dcx, cells);
    memory.reserve = kernel.update_bytes("reserveSpace", reserveSpace, sizes.reserve);
    kernel.scratch("workSpace", workSpace, sizes.work);
    if (kernel.ready()) rnn_backward_data({rnn, *xDesc, *yDesc, rnn_batch(*xDesc)}, memory);
    return call.ok();
}

// Gradients can only be added: CUDNN_WGRAD_MODE_SET is not supported, as in the real library.
extern "C" cudnnStatus_t cudnnRNNBackwardWeights_v8(
    cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, cudnnWgradMode_t addGrad, const int32_t devSeqLengths[],
    cudnnRNNDataDescriptor_t xDesc, const void *x, cudnnTensorDescriptor_t hDesc, const void *hx,
    cudnnRNNDataDescriptor_t yDesc, const void *y, size_t weightSpaceSize, void *dweightSpace, size_t workSpaceSize,
    void *workSpace, size_t reserveSpaceSize, void *reserveSpace) {
    FP_CALL(handle, rnnDesc, addGrad, devSeqLengths, xDesc, x, hDesc, hx, yDesc, y, weightSpaceSize, dweightSpace,
            workSpaceSize, workSpace, reserveSpaceSize, reserveSpace);
    FP_REQUIRE(xDesc != nullptr);
    FP_REQUIRE(addGrad == CUDNN_WGRAD_MODE_ADD || addGrad == CUDNN_WGRAD_MODE_SET);
    FP_SUPPORTED(addGrad == CUDNN_WGRAD_MODE_ADD);
    FP_ALIVE(handle, rnnDesc, xDesc, yDesc);
    const cudnnRNNStruct &rnn = *rnnDesc;
    const cudnnStatus_t status = check(call, rnn, *xDesc, *yDesc,
                                       {weightSpaceSize, dweightSpace, workSpaceSize, workSpace, reserveSpaceSize, reserveSpace});
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(hDesc);
    FP_REQUIRE(rnn_state_fits(*hDesc, rnn.pseudo_layers(), xDesc->batch(), rnn.outputs()));
    const RnnSizes sizes = rnn_sizes(rnn, *xDesc, true);
    Kernel kernel(call);
    RnnGradient memory{};
    memory.x = kernel.read("x", x, rnn_view(*xDesc));
    memory.y = kernel.read("y", y, rnn_view(*yDesc));
    if (hx) memory.hx = kernel.read("hx", hx, view_of(*hDesc));
    memory.dweights = kernel.update_bytes("dweightSpace", dweightSpace, weight_bytes_of(rnn));
    memory.reserve = kernel.read_bytes("reserveSpace", reserveSpace, sizes.reserve);
    kernel.scratch("workSpace", workSpace, sizes.work);
    if (kernel.ready()) rnn_backward_weights({rnn, *xDesc, *yDesc, rnn_batch(*xDesc)}, memory);
    return call.ok();
}
