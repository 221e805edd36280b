/* Floating point: the plain forms as vector loops, the others lane by lane.
 *
 * The plain forms round to nearest even and keep subnormals, which is what the host does too, so
 * they are ordinary C. Directed rounding uses the host's rounding mode (this file is compiled so
 * that the compiler respects it), .ftz flushes inputs and results, .sat clamps to [0, 1] and turns
 * NaN into 0 (PTX ISA 9.7.3). min and max return the other operand where one is NaN. The .approx
 * functions are computed to the precision of the host's library, which lies within the errors that
 * the ISA allows (2 ulp for division, 2^-22 relative for ex2 and lg2, 2^-20.5 absolute for sin). */
#include "sandbox/simgpu/exec.h"

#include <fenv.h>
#include <math.h>

static inline float flush_f32(float value) {
    return fabsf(value) < 0x1p-126f ? copysignf(0.0f, value) : value;
}
static inline double keep_f64(double value) {
    return value;
}
static inline _Float16 flush_f16(_Float16 value) {
    float wide = (float)value;
    return fabsf(wide) < 0x1p-14f ? (_Float16)copysignf(0.0f, wide) : value;
}

static int host_rounding(const struct insn *insn) {
    switch (insn->rounding & ROUNDING_MODE) {
    case ROUND_RZ:
        return FE_TOWARDZERO;
    case ROUND_RM:
        return FE_DOWNWARD;
    case ROUND_RP:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

/* Flushes the inputs, computes in the rounding mode, saturates and flushes the result. The empty
 * asm keeps the compiler from moving the arithmetic across the change of mode. */
#define GENERAL(name, T, flush, inputs, expression)                                                \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        bool ftz = insn->rounding & ROUNDING_FTZ, sat = insn->rounding & ROUNDING_SAT;             \
        int mode = host_rounding(insn);                                                            \
        if (mode != FE_TONEAREST)                                                                  \
            fesetround(mode);                                                                      \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            T x = VECTOR_AT(T, 1)[lane];                                                           \
            T y = (inputs) > 1 ? VECTOR_AT(T, (inputs) > 1 ? 2 : 1)[lane] : x;                     \
            T z = (inputs) > 2 ? VECTOR_AT(T, (inputs) > 2 ? 3 : 1)[lane] : x;                     \
            if (ftz) {                                                                             \
                x = flush(x);                                                                      \
                y = flush(y);                                                                      \
                z = flush(z);                                                                      \
            }                                                                                      \
            (void)z;                                                                               \
            __asm__ volatile("" : "+m"(x), "+m"(y), "+m"(z));                                      \
            T result = (T)(expression);                                                            \
            __asm__ volatile("" : "+m"(result));                                                   \
            if (sat)                                                                               \
                result = result > (T)0 ? (result < (T)1 ? result : (T)1) : (T)0;                   \
            d[lane] = ftz ? flush(result) : result;                                                \
        }                                                                                          \
        if (mode != FE_TONEAREST)                                                                  \
            fesetround(FE_TONEAREST);                                                              \
    }

/* PTX ISA: every NaN that an f32 or f16 operation makes is the canonical one. */
static inline float min_number_f32(float x, float y) {
    if (x != x || y != y)
        return x != x ? (y != y ? NAN : y) : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
static inline float max_number_f32(float x, float y) {
    if (x != x || y != y)
        return x != x ? (y != y ? NAN : y) : x;
    return x > y || (x == y && !signbit(x)) ? x : y;
}
static inline double min_number_f64(double x, double y) {
    if (x != x || y != y)
        return x != x ? y : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
static inline double max_number_f64(double x, double y) {
    if (x != x || y != y)
        return x != x ? y : x;
    return x > y || (x == y && !signbit(x)) ? x : y;
}

#define FLOAT_BINARY(name, operator)                                                               \
    BINARY(name##_f32, float, float, a[lane] operator b[lane])                                     \
    BINARY(name##_f64, double, double, a[lane] operator b[lane])                                   \
    BINARY(name##_f16, _Float16, _Float16, (float)a[lane] operator(float) b[lane])                 \
    GENERAL(name##_f32_general, float, flush_f32, 2, x operator y)                                 \
    GENERAL(name##_f64_general, double, keep_f64, 2, x operator y)                                 \
    GENERAL(name##_f16_general, _Float16, flush_f16, 2, (float)x operator(float) y)
FLOAT_BINARY(add, +)
FLOAT_BINARY(sub, -)
FLOAT_BINARY(mul, *)

/* An f16 fused multiply-add is exact in double but for one rounding, then rounds to half: the
 * product has 22 bits, so double's 53 leave room. */
TERNARY(fma_f32, float, float, float, __builtin_fmaf(a[lane], b[lane], c[lane]))
TERNARY(fma_f64, double, double, double, __builtin_fma(a[lane], b[lane], c[lane]))
TERNARY(fma_f16, _Float16, _Float16, _Float16, (double)a[lane] * (double)b[lane] + (double)c[lane])
GENERAL(fma_f32_general, float, flush_f32, 3, __builtin_fmaf(x, y, z))
GENERAL(fma_f64_general, double, keep_f64, 3, __builtin_fma(x, y, z))
GENERAL(fma_f16_general, _Float16, flush_f16, 3, (double)x *(double)y + (double)z)

/* Packed pairs are vectors of 64 halves: each lane's word holds its low and its high half. */
#define PAIR(name, inputs, expression)                                                             \
    static void SIM_NAME(name##_lanes)(struct warp * warp, const struct insn *insn,                \
                                       lane_mask lanes) {                                          \
        _Float16 *d = VECTOR_AT(_Float16, 0);                                                      \
        const _Float16 *a = VECTOR_AT(_Float16, 1),                                                \
                       *b = VECTOR_AT(_Float16, (inputs) > 1 ? 2 : 1);                             \
        const _Float16 *c = VECTOR_AT(_Float16, (inputs) > 2 ? 3 : 1);                             \
        bool ftz = insn->rounding & ROUNDING_FTZ, sat = insn->rounding & ROUNDING_SAT;             \
        for (lane_mask rest = lanes; rest; rest &= rest - 1)                                       \
            for (unsigned half = 0; half < 2; half++) {                                            \
                unsigned at = 2 * (unsigned)__builtin_ctz(rest) + half;                            \
                _Float16 p = a[at], q = b[at], r = c[at];                                          \
                if (ftz) {                                                                         \
                    p = flush_f16(p);                                                              \
                    q = flush_f16(q);                                                              \
                    r = flush_f16(r);                                                              \
                }                                                                                  \
                double x = (double)p, y = (double)q, z = (double)r;                                \
                (void)y;                                                                           \
                (void)z;                                                                           \
                _Float16 result = (_Float16)(expression);                                          \
                if (sat)                                                                           \
                    result = result > (_Float16)0 ? (result < (_Float16)1 ? result : (_Float16)1)  \
                                                  : (_Float16)0;                                   \
                d[at] = ftz ? flush_f16(result) : result;                                          \
            }                                                                                      \
    }                                                                                              \
    EXECUTOR(name) {                                                                               \
        SIM_NAME(name##_lanes)(warp, insn, lanes);                                                 \
    }
PAIR(add_f16x2, 2, x + y)
PAIR(sub_f16x2, 2, x - y)
PAIR(mul_f16x2, 2, x *y)
PAIR(fma_f16x2, 3, x *y + z)
PAIR(neg_f16x2, 1, -x)
PAIR(add_f16x2_general, 2, x + y)
PAIR(sub_f16x2_general, 2, x - y)
PAIR(mul_f16x2_general, 2, x *y)
PAIR(fma_f16x2_general, 3, x *y + z)

BINARY(div_f32, float, float, a[lane] / b[lane])
BINARY(div_f64, double, double, a[lane] / b[lane])
GENERAL(div_f32_general, float, flush_f32, 2, x / y)
GENERAL(div_f64_general, double, keep_f64, 2, x / y)
UNARY(abs_f32, float, float, fabsf(a[lane]))
UNARY(abs_f64, double, double, fabs(a[lane]))
UNARY(abs_f16, uint16_t, uint16_t, a[lane] & 0x7fff)
GENERAL(abs_f32_general, float, flush_f32, 1, fabsf(x))
UNARY(neg_f32, float, float, -a[lane])
UNARY(neg_f64, double, double, -a[lane])
UNARY(neg_f16, uint16_t, uint16_t, a[lane] ^ 0x8000)
GENERAL(neg_f32_general, float, flush_f32, 1, -x)
BINARY(min_f32, float, float, min_number_f32(a[lane], b[lane]))
BINARY(max_f32, float, float, max_number_f32(a[lane], b[lane]))
BINARY(min_f64, double, double, min_number_f64(a[lane], b[lane]))
BINARY(max_f64, double, double, max_number_f64(a[lane], b[lane]))
BINARY(min_f16, _Float16, _Float16, min_number_f32((float)a[lane], (float)b[lane]))
BINARY(max_f16, _Float16, _Float16, max_number_f32((float)a[lane], (float)b[lane]))
GENERAL(min_f32_general, float, flush_f32, 2, min_number_f32(x, y))
GENERAL(max_f32_general, float, flush_f32, 2, max_number_f32(x, y))
/* copysign d, a, b: the sign of a, the magnitude of b (9.7.3.6). */
BINARY(copysign_f32, float, float, copysignf(b[lane], a[lane]))
BINARY(copysign_f64, double, double, copysign(b[lane], a[lane]))

UNARY(rcp_f32, float, float, 1.0f / a[lane])
UNARY(rcp_f64, double, double, 1.0 / a[lane])
GENERAL(rcp_f32_general, float, flush_f32, 1, 1.0f / x)
GENERAL(rcp_f64_general, double, keep_f64, 1, 1.0 / x)
UNARY(sqrt_f32, float, float, __builtin_sqrtf(a[lane]))
UNARY(sqrt_f64, double, double, __builtin_sqrt(a[lane]))
GENERAL(sqrt_f32_general, float, flush_f32, 1, __builtin_sqrtf(x))
GENERAL(sqrt_f64_general, double, keep_f64, 1, __builtin_sqrt(x))
UNARY(rsqrt_f32, float, float, 1.0 / __builtin_sqrt((double)a[lane]))
UNARY(rsqrt_f64, double, double, 1.0 / __builtin_sqrt(a[lane]))
GENERAL(rsqrt_f32_general, float, flush_f32, 1, 1.0 / __builtin_sqrt((double)x))
UNARY(sin_f32, float, float, sinf(a[lane]))
UNARY(cos_f32, float, float, cosf(a[lane]))
UNARY(lg2_f32, float, float, log2f(a[lane]))
UNARY(ex2_f32, float, float, exp2f(a[lane]))
UNARY(tanh_f32, float, float, tanhf(a[lane]))
GENERAL(sin_f32_general, float, flush_f32, 1, sinf(x))
GENERAL(cos_f32_general, float, flush_f32, 1, cosf(x))
GENERAL(lg2_f32_general, float, flush_f32, 1, log2f(x))
GENERAL(ex2_f32_general, float, flush_f32, 1, exp2f(x))

#define TEST(name, T, expression)                                                                  \
    EXECUTOR(name) {                                                                               \
        const T *a = VECTOR_AT(T, 2);                                                              \
        lane_mask result = 0;                                                                      \
        FOR_EACH_LANE(lane) result |= (lane_mask)((expression) ? 1u : 0u) << lane;                 \
        write_predicate(warp, insn->operands[0], result, lanes);                                   \
    }
TEST(testp_finite_f32, float, isfinite(a[lane]))
TEST(testp_infinite_f32, float, isinf(a[lane]))
TEST(testp_number_f32, float, !isnan(a[lane]))
TEST(testp_notanumber_f32, float, isnan(a[lane]))
TEST(testp_finite_f64, double, isfinite(a[lane]))
TEST(testp_infinite_f64, double, isinf(a[lane]))
TEST(testp_number_f64, double, !isnan(a[lane]))
TEST(testp_notanumber_f64, double, isnan(a[lane]))
