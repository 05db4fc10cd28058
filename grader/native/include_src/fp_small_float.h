/* Sixteen-bit floats on the host: correct rounding to nearest even, shared by cuda_fp16.h and cuda_bf16.h. */
#ifndef FP_SMALL_FLOAT_H
#define FP_SMALL_FLOAT_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Encodes v in 1 sign bit, exponent_bits and mantissa_bits (16 in all). Rounds once, so it suits double as well as
   float; overflow becomes infinity, NaN becomes the positive NaN with all bits set, as CUDA's conversions do. */
static inline unsigned short fp_small_encode(double v, int exponent_bits, int mantissa_bits) {
    const uint64_t one = 1;
    const int top = (1 << exponent_bits) - 1;
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    const unsigned sign = (unsigned)(bits >> 63) << 15;
    const int stored = (int)((bits >> 52) & 0x7ff);
    const uint64_t fraction = bits & ((one << 52) - 1);
    if (stored == 0x7ff && fraction) return 0x7fff;
    const int exponent = stored - 1023 + (top >> 1);
    if (exponent >= top) return (unsigned short)(sign | (unsigned)top << mantissa_bits);
    const int shift = 52 - mantissa_bits + (exponent < 1 ? 1 - exponent : 0);
    if (stored == 0 || shift > 53) return (unsigned short)sign;
    const uint64_t significand = fraction | one << 52;
    const uint64_t rest = significand & ((one << shift) - 1), half = one << (shift - 1);
    uint64_t kept = significand >> shift;
    kept += rest > half || (rest == half && (kept & 1));
    /* A carry out of the mantissa runs into the exponent, which is what rounding up to the next power of two means. */
    const unsigned base = exponent < 1 ? 0 : (unsigned)(exponent - 1) << mantissa_bits;
    return (unsigned short)(sign | (base + (unsigned)kept));
}

/* The exact value of a sixteen-bit float. */
static inline float fp_small_decode(unsigned short bits, int exponent_bits, int mantissa_bits) {
    const unsigned top = (1u << exponent_bits) - 1;
    const unsigned exponent = (unsigned)bits >> mantissa_bits & top;
    const unsigned mantissa = (unsigned)bits & ((1u << mantissa_bits) - 1);
    const unsigned rebias = 127 - (top >> 1);
    uint32_t out = (uint32_t)mantissa << (23 - mantissa_bits);
    if (exponent == top) out |= 0x7f800000u;
    else if (exponent) out |= (uint32_t)(exponent + rebias) << 23;
    else if (mantissa && rebias) { /* subnormal here, normal as float: mantissa x 2^(1 - bias - mantissa_bits) */
        const uint32_t unit = (uint32_t)(rebias + 1 - (unsigned)mantissa_bits) << 23;
        float step;
        memcpy(&step, &unit, sizeof step);
        const float value = (float)mantissa * step;
        memcpy(&out, &value, sizeof out);
    }
    out |= (uint32_t)(bits & 0x8000u) << 16;
    float result;
    memcpy(&result, &out, sizeof result);
    return result;
}

#ifdef __cplusplus
} /* extern "C" */

/* Arithmetic and comparison of a type that converts to and from float. float has more than twice its digits, so
   computing in float and rounding gives the correctly rounded result of + - * /. */
#define FP_SMALL_OPERATOR(T, op, name)                                                                         \
    static inline T operator op(const T &a, const T &b) { return T(float(a) op float(b)); }                    \
    static inline T &operator op##=(T &a, const T &b) { return a = a op b; }                                   \
    static inline T name(const T a, const T b) { return a op b; }
#define FP_SMALL_COMPARISON(T, op, name)                                                                       \
    static inline bool operator op(const T &a, const T &b) { return float(a) op float(b); }                    \
    static inline bool name(const T a, const T b) { return a op b; }
#define FP_SMALL_ARITHMETIC(T)                                                                                 \
    FP_SMALL_OPERATOR(T, +, __hadd)                                                                            \
    FP_SMALL_OPERATOR(T, -, __hsub)                                                                            \
    FP_SMALL_OPERATOR(T, *, __hmul)                                                                            \
    FP_SMALL_OPERATOR(T, /, __hdiv)                                                                            \
    FP_SMALL_COMPARISON(T, ==, __heq)                                                                          \
    FP_SMALL_COMPARISON(T, !=, __hne)                                                                          \
    FP_SMALL_COMPARISON(T, <, __hlt)                                                                           \
    FP_SMALL_COMPARISON(T, <=, __hle)                                                                          \
    FP_SMALL_COMPARISON(T, >, __hgt)                                                                           \
    FP_SMALL_COMPARISON(T, >=, __hge)                                                                          \
    static inline T operator+(const T &a) { return a; }                                                        \
    static inline T operator-(const T &a) { return T::from_bits(static_cast<unsigned short>(a.bits() ^ 0x8000)); } \
    static inline T __hneg(const T a) { return -a; }                                                           \
    static inline T __habs(const T a) { return T::from_bits(static_cast<unsigned short>(a.bits() & 0x7fff)); } \
    static inline bool __hisnan(const T a) { return float(a) != float(a); }

/* A class named T with the raw form R. Conversions from and to float and the built-in numbers are implicit where
   CUDA's are. */
#define FP_SMALL_CLASS(T, R, exponent_bits, mantissa_bits)                                                     \
    struct R {                                                                                                 \
        unsigned short x;                                                                                      \
    };                                                                                                         \
    struct T {                                                                                                 \
        T() = default;                                                                                         \
        T(const R &raw) : __x(raw.x) {}                                                                        \
        T(float v) : __x(fp_small_encode(static_cast<double>(v), exponent_bits, mantissa_bits)) {}             \
        T(double v) : __x(fp_small_encode(v, exponent_bits, mantissa_bits)) {}                                 \
        T(int v) : T(static_cast<double>(v)) {}                                                                \
        T(unsigned v) : T(static_cast<double>(v)) {}                                                           \
        operator R() const { return R{__x}; }                                                                  \
        operator float() const { return fp_small_decode(__x, exponent_bits, mantissa_bits); }                  \
        unsigned short bits() const { return __x; }                                                            \
        static T from_bits(unsigned short bits) { return T(R{bits}); }                                         \
                                                                                                               \
      private:                                                                                                 \
        unsigned short __x;                                                                                    \
    };                                                                                                         \
    FP_SMALL_ARITHMETIC(T)
#endif /* __cplusplus */

#endif /* FP_SMALL_FLOAT_H */
