// Attention descriptors.
#include "attention.h"

using namespace fpsim;

namespace {

bool types_fit(cudnnDataType_t type, cudnnDataType_t precision) {
    switch (type) {
        case CUDNN_DATA_DOUBLE: return precision == CUDNN_DATA_DOUBLE;
        case CUDNN_DATA_HALF: return precision == CUDNN_DATA_FLOAT || precision == CUDNN_DATA_HALF;
        default: return precision == CUDNN_DATA_FLOAT;
    }
}

// Queries and keys are multiplied, so they must be as long as each other: as projected, or as they are.
bool multiply(const AttentionSettings &a) {
    return (a.q_projected > 0 ? a.q_projected : a.q) == (a.k_projected > 0 ? a.k_projected : a.k);
}

cudnnStatus_t check(Call &call, const AttentionSettings &a) {
    FP_REQUIRE(a.mode <= (CUDNN_ATTN_QUERYMAP_ONE_TO_ONE | CUDNN_ATTN_ENABLE_PROJ_BIASES));
    FP_REQUIRE(a.heads >= 1 && !(a.scale < 0));
    FP_REQUIRE(is_floating(a.type));
    FP_REQUIRE(a.precision >= CUDNN_DATA_FLOAT && a.precision <= CUDNN_DATA_HALF);
    FP_REQUIRE(a.math >= CUDNN_DEFAULT_MATH && a.math <= CUDNN_FMA_MATH);
    FP_SUPPORTED(types_fit(a.type, a.precision));
    FP_REQUIRE(a.q > 0 && a.k > 0 && a.v > 0);
    FP_REQUIRE(a.q_projected >= 0 && a.k_projected >= 0 && a.v_projected >= 0 && a.o_projected >= 0);
    FP_REQUIRE(a.q_longest > 0 && a.kv_longest > 0 && a.batch > 0 && a.beam > 0);
    FP_REQUIRE(multiply(a));
    FP_SUPPORTED(a.beam == 1 || !(a.mode & CUDNN_ATTN_QUERYMAP_ONE_TO_ONE));
    return call.ok();
}

template <typename T> void give(T *target, T value) {
    if (target) *target = value;
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateAttnDescriptor(cudnnAttnDescriptor_t *attnDesc) {
    FP_CALL(attnDesc);
    return call.create(attnDesc);
}

extern "C" cudnnStatus_t cudnnDestroyAttnDescriptor(cudnnAttnDescriptor_t attnDesc) {
    FP_CALL(attnDesc);
    return call.destroy(attnDesc);
}

extern "C" cudnnStatus_t cudnnSetAttnDescriptor(
    cudnnAttnDescriptor_t attnDesc, unsigned attnMode, int nHeads, double smScaler, cudnnDataType_t dataType,
    cudnnDataType_t computePrec, cudnnMathType_t mathType, cudnnDropoutDescriptor_t attnDropoutDesc,
    cudnnDropoutDescriptor_t postDropoutDesc, int qSize, int kSize, int vSize, int qProjSize, int kProjSize,
    int vProjSize, int oProjSize, int qoMaxSeqLength, int kvMaxSeqLength, int maxBatchSize, int maxBeamSize) {
    FP_CALL(attnDesc, attnMode, nHeads, smScaler, dataType, computePrec, mathType, attnDropoutDesc, postDropoutDesc,
            qSize, kSize, vSize, qProjSize, kProjSize, vProjSize, oProjSize, qoMaxSeqLength, kvMaxSeqLength,
            maxBatchSize, maxBeamSize);
    FP_ALIVE(attnDesc);
    if (attnDropoutDesc) FP_ALIVE(attnDropoutDesc);
    if (postDropoutDesc) FP_ALIVE(postDropoutDesc);
    AttentionSettings wanted;
    wanted.mode = attnMode, wanted.heads = nHeads, wanted.scale = smScaler;
    wanted.type = dataType, wanted.precision = computePrec, wanted.math = mathType;
    wanted.attention_dropout = attnDropoutDesc, wanted.output_dropout = postDropoutDesc;
    wanted.q = qSize, wanted.k = kSize, wanted.v = vSize;
    wanted.q_projected = qProjSize, wanted.k_projected = kProjSize;
    wanted.v_projected = vProjSize, wanted.o_projected = oProjSize;
    wanted.q_longest = qoMaxSeqLength, wanted.kv_longest = kvMaxSeqLength;
    wanted.batch = maxBatchSize, wanted.beam = maxBeamSize;
    const cudnnStatus_t status = check(call, wanted);
    if (status == CUDNN_STATUS_SUCCESS) attnDesc->settings = wanted;
    return status;
}

extern "C" cudnnStatus_t cudnnGetAttnDescriptor(
    cudnnAttnDescriptor_t attnDesc, unsigned *attnMode, int *nHeads, double *smScaler, cudnnDataType_t *dataType,
    cudnnDataType_t *computePrec, cudnnMathType_t *mathType, cudnnDropoutDescriptor_t *attnDropoutDesc,
    cudnnDropoutDescriptor_t *postDropoutDesc, int *qSize, int *kSize, int *vSize, int *qProjSize, int *kProjSize,
    int *vProjSize, int *oProjSize, int *qoMaxSeqLength, int *kvMaxSeqLength, int *maxBatchSize, int *maxBeamSize) {
    FP_CALL(attnDesc, attnMode, nHeads, smScaler, dataType, computePrec, mathType, attnDropoutDesc, postDropoutDesc,
            qSize, kSize, vSize, qProjSize, kProjSize, vProjSize, oProjSize, qoMaxSeqLength, kvMaxSeqLength,
            maxBatchSize, maxBeamSize);
    FP_ALIVE(attnDesc);
    const AttentionSettings &a = attnDesc->settings;
    give(attnMode, a.mode), give(nHeads, a.heads), give(smScaler, a.scale);
    give(dataType, a.type), give(computePrec, a.precision), give(mathType, a.math);
    give(attnDropoutDesc, a.attention_dropout), give(postDropoutDesc, a.output_dropout);
    give(qSize, a.q), give(kSize, a.k), give(vSize, a.v);
    give(qProjSize, a.q_projected), give(kProjSize, a.k_projected);
    give(vProjSize, a.v_projected), give(oProjSize, a.o_projected);
    give(qoMaxSeqLength, a.q_longest), give(kvMaxSeqLength, a.kv_longest);
    give(maxBatchSize, a.batch), give(maxBeamSize, a.beam);
    return call.ok();
}
