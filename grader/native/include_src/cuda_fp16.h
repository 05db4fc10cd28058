/* Half precision (1 sign, 5 exponent, 10 mantissa bits) for host code, with the names of CUDA's header. */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H

#include <fp_small_float.h>

#ifdef __cplusplus
FP_SMALL_CLASS(__half, __half_raw, 5, 10)
#define FP_HALF_BITS(h) (h).bits()
#define FP_HALF_FROM(bits) __half::from_bits(bits)
typedef __half half;
#else
typedef struct {
    unsigned short x;
} __half_raw;
typedef struct {
    unsigned short __x;
} __half;
#define FP_HALF_BITS(h) (h).__x
#define FP_HALF_FROM(bits) ((__half){(bits)})
#endif

typedef __half nv_half;

static inline unsigned short __half_as_ushort(const __half h) { return FP_HALF_BITS(h); }
static inline __half __ushort_as_half(const unsigned short bits) { return FP_HALF_FROM(bits); }

static inline __half __double2half(const double v) { return FP_HALF_FROM(fp_small_encode(v, 5, 10)); }
static inline __half __float2half(const float v) { return __double2half((double)v); }
static inline __half __float2half_rn(const float v) { return __double2half((double)v); }
static inline __half __int2half_rn(const int v) { return __double2half((double)v); }
static inline float __half2float(const __half h) { return fp_small_decode(FP_HALF_BITS(h), 5, 10); }

#undef FP_HALF_BITS
#undef FP_HALF_FROM

#endif /* CUDA_FP16_H */
