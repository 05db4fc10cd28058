// The weight space of a recurrent network: its size and where its matrices and biases lie.
#include "rnn.h"

namespace fpsim {

std::vector<RnnLayerLayout> rnn_layout(const cudnnRNNStruct &rnn) {
    std::vector<RnnLayerLayout> layout(static_cast<size_t>(rnn.pseudo_layers()));
    const int64_t rows = int64_t{rnn.gates()} * rnn.hidden;
    int64_t next = 0;
    const auto place = [&next](RnnBlock &block, int64_t height, int64_t width, bool exists) {
        if (!exists) return;
        block = {next, height, width};
        next += height * width;
    };
    for (int i = 0; i < rnn.pseudo_layers(); ++i) {
        RnnLayerLayout &layer = layout[static_cast<size_t>(i)];
        const int depth = i / rnn.directions();
        place(layer.input, rows, rnn.width(depth), rnn.has_input_matrix(depth));
        place(layer.recurrent, rows, rnn.outputs(), true);
        place(layer.projection, rnn.projected, rnn.hidden, rnn.projects());
    }
    for (RnnLayerLayout &layer : layout) {
        place(layer.input_bias, rows, 1, rnn.has_input_bias());
        place(layer.recurrent_bias, rows, 1, rnn.has_recurrent_bias());
    }
    return layout;
}

int64_t rnn_weight_elements(const cudnnRNNStruct &rnn) {
    int64_t elements = 0;
    for (const RnnLayerLayout &layer : rnn_layout(rnn)) {
        for (const RnnBlock *block : {&layer.input, &layer.recurrent, &layer.projection, &layer.input_bias, &layer.recurrent_bias}) {
            elements = std::max(elements, block->offset + block->rows * block->columns);
        }
    }
    return elements;
}

namespace {

// Part `gate` of the gates in a block.
RnnBlock gate_of(const RnnBlock &block, int gates, int gate) {
    if (block.rows == 0) return {};
    const int64_t rows = block.rows / gates;
    return {block.offset + gate * rows * block.columns, rows, block.columns};
}

// Gives address and shape (1 x rows x columns) of a block; of one that does not exist, null and an empty shape.
void give_block(const RnnBlock &block, cudnnDataType_t type, const void *weights, cudnnTensorStruct *desc, void **address) {
    const bool exists = block.rows != 0;
    if (address) {
        const auto *bytes = static_cast<const char *>(weights) + block.offset * static_cast<int64_t>(element_size(type));
        *address = exists && weights ? const_cast<char *>(bytes) : nullptr;
    }
    if (!desc) return;
    const int dim[3] = {1, static_cast<int>(block.rows), static_cast<int>(block.columns)};
    const int stride[3] = {dim[1] * dim[2], dim[2], 1};
    desc->type = exists ? type : CUDNN_DATA_FLOAT;
    desc->rank = exists ? 3 : 0;
    desc->dim.fill(0);
    desc->stride.fill(0);
    if (exists) cudnnSetTensorNdDescriptor(desc, type, 3, dim, stride);
}

}  // namespace
}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc,
                                                    size_t *weightSpaceSize) {
    FP_CALL(handle, rnnDesc, weightSpaceSize);
    FP_ALIVE(handle, rnnDesc);
    FP_REQUIRE(weightSpaceSize != nullptr);
    *weightSpaceSize = static_cast<size_t>(rnn_weight_elements(*rnnDesc)) * element_size(rnnDesc->type);
    return call.ok();
}

// linLayerID counts the matrices that read the layer's input, then the recurrent ones, then the projection.
extern "C" cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc,
                                                 int32_t pseudoLayer, size_t weightSpaceSize, const void *weightSpace,
                                                 int32_t linLayerID, cudnnTensorDescriptor_t mDesc, void **mAddr,
                                                 cudnnTensorDescriptor_t bDesc, void **bAddr) {
    FP_CALL(handle, rnnDesc, pseudoLayer, weightSpaceSize, weightSpace, linLayerID, mDesc, mAddr, bDesc, bAddr);
    FP_ALIVE(handle, rnnDesc);
    if (mDesc) FP_ALIVE(mDesc);
    if (bDesc) FP_ALIVE(bDesc);
    const cudnnRNNStruct &rnn = *rnnDesc;
    const int gates = rnn.gates();
    FP_REQUIRE(pseudoLayer >= 0 && pseudoLayer < rnn.pseudo_layers());
    FP_REQUIRE(linLayerID >= 0 && linLayerID <= 2 * gates);
    FP_REQUIRE(weightSpaceSize >= static_cast<size_t>(rnn_weight_elements(rnn)) * element_size(rnn.type));
    const RnnLayerLayout layer = rnn_layout(rnn)[static_cast<size_t>(pseudoLayer)];
    RnnBlock matrix = layer.projection, bias;
    if (linLayerID < gates) {
        matrix = gate_of(layer.input, gates, linLayerID);
        bias = gate_of(layer.input_bias, gates, linLayerID);
    } else if (linLayerID < 2 * gates) {
        matrix = gate_of(layer.recurrent, gates, linLayerID - gates);
        bias = gate_of(layer.recurrent_bias, gates, linLayerID - gates);
    }
    give_block(matrix, rnn.type, weightSpace, mDesc, mAddr);
    give_block(bias, rnn.type, weightSpace, bDesc, bAddr);
    return call.ok();
}
