/* bfloat16 (1 sign, 8 exponent, 7 mantissa bits) for host code, with the names of CUDA's header. */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H

#include <fp_small_float.h>

#ifdef __cplusplus
FP_SMALL_CLASS(__nv_bfloat16, __nv_bfloat16_raw, 8, 7)
#define FP_BFLOAT_BITS(h) (h).bits()
#define FP_BFLOAT_FROM(bits) __nv_bfloat16::from_bits(bits)
#else
typedef struct {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct {
    unsigned short __x;
} __nv_bfloat16;
#define FP_BFLOAT_BITS(h) (h).__x
#define FP_BFLOAT_FROM(bits) ((__nv_bfloat16){(bits)})
#endif

typedef __nv_bfloat16 nv_bfloat16;

static inline unsigned short __bfloat16_as_ushort(const __nv_bfloat16 h) { return FP_BFLOAT_BITS(h); }
static inline __nv_bfloat16 __ushort_as_bfloat16(const unsigned short bits) { return FP_BFLOAT_FROM(bits); }

static inline __nv_bfloat16 __double2bfloat16(const double v) { return FP_BFLOAT_FROM(fp_small_encode(v, 8, 7)); }
static inline __nv_bfloat16 __float2bfloat16(const float v) { return __double2bfloat16((double)v); }
static inline __nv_bfloat16 __float2bfloat16_rn(const float v) { return __double2bfloat16((double)v); }
static inline __nv_bfloat16 __int2bfloat16_rn(const int v) { return __double2bfloat16((double)v); }
static inline float __bfloat162float(const __nv_bfloat16 h) { return fp_small_decode(FP_BFLOAT_BITS(h), 8, 7); }

#undef FP_BFLOAT_BITS
#undef FP_BFLOAT_FROM

#endif /* CUDA_BF16_H */
