// cudnnRNNForward.
#include "rnn.h"

using namespace fpsim;

namespace {

// The next mask's state. A dropout descriptor that was never given states draws from its seed.
DropoutState draw(Kernel &kernel, const cudnnRNNStruct &rnn) {
    DropoutState state{rnn.dropout->seed, 0};
    if (!rnn.dropout->states) return state;
    void *memory = kernel.update_bytes("states", rnn.dropout->states, kDropoutStatesSize);
    if (!memory) return state;
    std::memcpy(&state, memory, sizeof state);
    const DropoutState next{state.seed, state.draws + static_cast<uint64_t>(rnn.layers)};
    std::memcpy(memory, &next, sizeof next);
    return state;
}

cudnnStatus_t check_states(Call &call, const cudnnRNNStruct &rnn, int batch, cudnnTensorDescriptor_t hDesc,
                           cudnnTensorDescriptor_t cDesc, bool uses_h, bool uses_c) {
    if (uses_h || hDesc) {
        FP_ALIVE(hDesc);
        FP_REQUIRE(rnn_state_fits(*hDesc, rnn.pseudo_layers(), batch, rnn.outputs()));
    }
    if (rnn.cell == CUDNN_LSTM && (uses_c || cDesc)) {
        FP_ALIVE(cDesc);
        FP_REQUIRE(rnn_state_fits(*cDesc, rnn.pseudo_layers(), batch, rnn.hidden));
    }
    return call.ok();
}

}  // namespace

// The sequence lengths are those of the descriptors; devSeqLengths may be null, as since cuDNN 8.9.1.
extern "C" cudnnStatus_t cudnnRNNForward(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc,
                                         cudnnForwardMode_t fwdMode, const int32_t devSeqLengths[],
                                         cudnnRNNDataDescriptor_t xDesc, const void *x, cudnnRNNDataDescriptor_t yDesc,
                                         void *y, cudnnTensorDescriptor_t hDesc, const void *hx, void *hy,
                                         cudnnTensorDescriptor_t cDesc, const void *cx, void *cy,
                                         size_t weightSpaceSize, const void *weightSpace, size_t workSpaceSize,
                                         void *workSpace, size_t reserveSpaceSize, void *reserveSpace) {
    FP_CALL(handle, rnnDesc, fwdMode, devSeqLengths, xDesc, x, yDesc, y, hDesc, hx, hy, cDesc, cx, cy, weightSpaceSize,
            weightSpace, workSpaceSize, workSpace, reserveSpaceSize, reserveSpace);
    FP_ALIVE(handle, rnnDesc, xDesc, yDesc);
    const cudnnRNNStruct &rnn = *rnnDesc;
    if (const char *reason = rnn_mismatch(rnn, *xDesc, *yDesc)) return call.bad_param(reason);
    const cudnnStatus_t status = check_states(call, rnn, xDesc->batch(), hDesc, cDesc, hx || hy, cx || cy);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const bool training = fwdMode != CUDNN_FWD_MODE_INFERENCE;
    const RnnSizes sizes = rnn_sizes(rnn, *xDesc, training);
    const size_t weight_bytes = static_cast<size_t>(rnn_weight_elements(rnn)) * element_size(rnn.type);
    FP_REQUIRE(weightSpace != nullptr && weightSpaceSize >= weight_bytes);
    FP_REQUIRE(workSpace != nullptr && workSpaceSize >= sizes.work);
    FP_REQUIRE(!training || (reserveSpace != nullptr && reserveSpaceSize >= sizes.reserve));
    FP_LAUNCHABLE();
    const bool lstm = rnn.cell == CUDNN_LSTM;
    Kernel kernel(call);
    const View states = hDesc ? view_of(*hDesc) : View{}, cells = lstm && cDesc ? view_of(*cDesc) : View{};
    RnnForward memory{};
    memory.x = kernel.read("x", x, rnn_view(*xDesc));
    memory.weights = kernel.read_bytes("weightSpace", weightSpace, weight_bytes);
    memory.y = kernel.write("y", y, rnn_view(*yDesc));
    if (devSeqLengths) kernel.read_bytes("devSeqLengths", devSeqLengths, sizeof(int32_t) * xDesc->lengths.size());
    if (hx) memory.hx = kernel.read("hx", hx, states);
    if (hy) memory.hy = kernel.write("hy", hy, states);
    if (lstm && cx) memory.cx = kernel.read("cx", cx, cells);
    if (lstm && cy) memory.cy = kernel.write("cy", cy, cells);
    if (training) memory.reserve = kernel.write_bytes("reserveSpace", reserveSpace, sizes.reserve);
    kernel.scratch("workSpace", workSpace, sizes.work);
    if (training && rnn.dropout) {
        memory.dropout = draw(kernel, rnn);
        memory.dropout_rate = rnn.dropout->rate;
    }
    if (kernel.ready()) rnn_forward({rnn, *xDesc, *yDesc, rnn_batch(*xDesc)}, memory);
    return call.ok();
}
