// Element types: half, bfloat16 and the sizes of all.
#include <bit>

#include "sim.h"

namespace fpsim {

float half_to_float(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000U) << 16;
    const uint32_t magnitude = bits & 0x7FFFU;
    if (magnitude >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (magnitude & 0x3FFU) << 13);
    // Scaling by 2^112 rebiases the exponent and makes subnormal halves normal.
    const float value = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(value));
}

uint16_t float_to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = bits >> 16 & 0x8000U;
    const uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) return static_cast<uint16_t>(sign | 0x7E00U);
    if (magnitude >= 0x477FF000U) return static_cast<uint16_t>(sign | 0x7C00U);  // rounds to 65536 and more
    if (magnitude < 0x38800000U) {
        // Adding 0.5 shifts the value to the last bits of the fraction, rounded to nearest even by the addition.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000U));
    }
    const uint32_t rounded = magnitude + 0xFFFU + (magnitude >> 13 & 1U);
    return static_cast<uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
}

float bfloat16_to_float(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

uint16_t float_to_bfloat16(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>(bits >> 16 | 0x40U);
    return static_cast<uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

size_t element_size(cudnnDataType_t type) {
    switch (type) {
        case CUDNN_DATA_DOUBLE: return 8;
        case CUDNN_DATA_FLOAT:
        case CUDNN_DATA_INT32:
        case CUDNN_DATA_INT8x4:
        case CUDNN_DATA_UINT8x4: return 4;
        case CUDNN_DATA_HALF:
        case CUDNN_DATA_BFLOAT16: return 2;
        case CUDNN_DATA_INT8:
        case CUDNN_DATA_UINT8:
        case CUDNN_DATA_FP8_E4M3:
        case CUDNN_DATA_FP8_E5M2: return 1;
        case CUDNN_DATA_INT8x32: return 32;
        default: return 0;
    }
}

bool is_data_type(cudnnDataType_t type) { return type >= CUDNN_DATA_FLOAT && type <= CUDNN_DATA_COMPLEX_FP64; }

bool is_floating(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
           type == CUDNN_DATA_BFLOAT16;
}

}  // namespace fpsim
