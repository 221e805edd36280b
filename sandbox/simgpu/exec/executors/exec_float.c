/* Floating point: the plain forms as vector loops, the others lane by lane.
 *
 * The plain forms round to nearest even and keep subnormals, which is what the host does too, so
 * they are ordinary C. Directed rounding uses the host's rounding mode (this file is compiled so
 * that the compiler respects it), .ftz flushes inputs and results, .sat clamps to [0, 1] and turns
 * NaN into 0 (PTX ISA 9.7.3). min and max return the other operand where one is NaN. The .approx
 * functions are computed to the precision of the host's library, which lies within the errors that
 * the ISA allows (2 ulp for division, 2^-22 relative for ex2 and lg2, 2^-20.5 absolute for sin);
 * how far that is from a card stands in the README of exec. */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/float_format.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/location.h"

#include <fenv.h>
#include <math.h>

static inline double canonical_f64(double value) {
    return value;
}
static inline float flush_f32(float value) {
    return fabsf(value) < 0x1p-126f ? copysignf(0.0f, value) : value;
}
static inline double flush_f64(double value) {
    return value;
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

/* The smallest normal number in magnitude: what a result that was tiny before it was rounded may
 * have become. The hardware flushes by the value before rounding. */
static inline bool is_least_f32(float value) {
    return fabsf(value) == 0x1p-126f;
}
static inline bool is_least_f64(double value) {
    (void)value;
    return false; /* doubles have no .ftz */
}

/* Flushes the inputs, computes in the rounding mode, saturates and flushes the result. The empty
 * asm keeps the compiler from moving the arithmetic across the change of mode. */
#define GENERAL(name, T, format, inputs, expression)                                               \
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
                x = flush_##format(x);                                                             \
                y = flush_##format(y);                                                             \
                z = flush_##format(z);                                                             \
            }                                                                                      \
            (void)z;                                                                               \
            __asm__ volatile("" : "+m"(x), "+m"(y), "+m"(z));                                      \
            T result = (T)(expression);                                                            \
            __asm__ volatile("" : "+m"(result));                                                   \
            if (ftz && is_least_##format(result)) {                                                \
                fesetround(FE_TOWARDZERO);                                                         \
                __asm__ volatile("" : "+m"(x), "+m"(y), "+m"(z));                                  \
                result = (T)(expression);                                                          \
                __asm__ volatile("" : "+m"(result));                                               \
                fesetround(mode);                                                                  \
            }                                                                                      \
            result = canonical_##format(result);                                                   \
            if (sat)                                                                               \
                result = result > (T)0 ? (result < (T)1 ? result : (T)1) : (T)0;                   \
            d[lane] = ftz ? flush_##format(result) : result;                                       \
        }                                                                                          \
        if (mode != FE_TONEAREST)                                                                  \
            fesetround(FE_TONEAREST);                                                              \
    }

/* PTX ISA: every NaN that an f32 or f16 operation makes is the canonical one. */
static inline float min_number_f32(float x, float y) {
    if (x != x || y != y)
        return x != x ? canonical_f32(y) : x;
    return x < y || (x == y && signbit(x)) ? x : y;
}
static inline float max_number_f32(float x, float y) {
    if (x != x || y != y)
        return x != x ? canonical_f32(y) : x;
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
    BINARY(name##_f32, float, float, canonical_f32(a[lane] operator b[lane]))                      \
    BINARY(name##_f64, double, double, a[lane] operator b[lane])                                   \
    GENERAL(name##_f32_general, float, f32, 2, x operator y)                                       \
    GENERAL(name##_f64_general, double, f64, 2, x operator y)
FLOAT_BINARY(add, +)
FLOAT_BINARY(sub, -)
FLOAT_BINARY(mul, *)

GENERAL(fma_f32_general, float, f32, 3, __builtin_fmaf(x, y, z))
GENERAL(fma_f64_general, double, f64, 3, __builtin_fma(x, y, z))

EXECUTOR(div_f32) {
    float *d = VECTOR_AT(float, 0);
    const float *a = VECTOR_AT(float, 1), *b = VECTOR_AT(float, 2);
    observe_division(warp, insn, lanes, a, b);
    WRITE_LANES(d, canonical_f32(a[lane] / b[lane]));
}
BINARY(div_f64, double, double, a[lane] / b[lane])
GENERAL(div_f32_general, float, f32, 2, x / y)
GENERAL(div_f64_general, double, f64, 2, x / y)
/* Signs are additions of -0 on the hardware: a double's NaN keeps its sign, too. */
#define SIGN_F64(x, changed) ((x) == (x) ? (changed) : (x) + (x))
UNARY(abs_f32, float, float, canonical_f32(fabsf(a[lane])))
UNARY(abs_f64, double, double, SIGN_F64(a[lane], fabs(a[lane])))
GENERAL(abs_f32_general, float, f32, 1, fabsf(x))
UNARY(neg_f32, float, float, canonical_f32(-a[lane]))
UNARY(neg_f64, double, double, SIGN_F64(a[lane], -a[lane]))
GENERAL(neg_f32_general, float, f32, 1, -x)
BINARY(min_f32, float, float, min_number_f32(a[lane], b[lane]))
BINARY(max_f32, float, float, max_number_f32(a[lane], b[lane]))
BINARY(min_f64, double, double, min_number_f64(a[lane], b[lane]))
BINARY(max_f64, double, double, max_number_f64(a[lane], b[lane]))
/* copysign d, a, b: the sign of a, the magnitude of b (9.7.3.6). */
BINARY(copysign_f32, float, float, copysignf(b[lane], a[lane]))
BINARY(copysign_f64, double, double, copysign(b[lane], a[lane]))

UNARY(rcp_f32, float, float, canonical_f32(1.0f / a[lane]))
UNARY(rcp_f64, double, double, 1.0 / a[lane])
GENERAL(rcp_f32_general, float, f32, 1, 1.0f / x)
/* rcp and rsqrt.approx.ftz.f64 look at the upper word of their operand and make the upper word of
 * their result, subnormals flushed (9.7.3.13). */
static inline double upper_word(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= (bits & 0x7ff0000000000000u) ? 0xffffffff00000000u : 0x8000000000000000u;
    memcpy(&value, &bits, sizeof bits);
    return value;
}
#define ROUGHLY(function, exact)                                                                   \
    (insn->rounding & ROUNDING_APPROX ? upper_word(function(upper_word(x))) : (exact))
#define RECIPROCAL(x)      (1.0 / (x))
#define RECIPROCAL_ROOT(x) (1.0 / __builtin_sqrt(x))
GENERAL(rcp_f64_general, double, f64, 1, ROUGHLY(RECIPROCAL, 1.0 / x))
UNARY(sqrt_f32, float, float, canonical_f32(__builtin_sqrtf(a[lane])))
UNARY(sqrt_f64, double, double, __builtin_sqrt(a[lane]))
GENERAL(sqrt_f32_general, float, f32, 1, __builtin_sqrtf(x))
GENERAL(sqrt_f64_general, double, f64, 1, __builtin_sqrt(x))
UNARY(rsqrt_f32, float, float, canonical_f32((float)(1.0 / __builtin_sqrt((double)a[lane]))))
UNARY(rsqrt_f64, double, double, 1.0 / __builtin_sqrt(a[lane]))
GENERAL(rsqrt_f64_general, double, f64, 1, ROUGHLY(RECIPROCAL_ROOT, 1.0 / __builtin_sqrt(x)))
GENERAL(rsqrt_f32_general, float, f32, 1, 1.0 / __builtin_sqrt((double)x))
UNARY(sin_f32, float, float, canonical_f32(sinf(a[lane])))
UNARY(cos_f32, float, float, canonical_f32(cosf(a[lane])))
UNARY(lg2_f32, float, float, canonical_f32(log2f(a[lane])))
UNARY(ex2_f32, float, float, canonical_f32(exp2f(a[lane])))
UNARY(tanh_f32, float, float, canonical_f32(tanhf(a[lane])))
GENERAL(sin_f32_general, float, f32, 1, sinf(x))
GENERAL(cos_f32_general, float, f32, 1, cosf(x))
GENERAL(lg2_f32_general, float, f32, 1, log2f(x))
GENERAL(ex2_f32_general, float, f32, 1, exp2f(x))

/* Zero counts as normal (9.7.3.2). */
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
TEST(testp_normal_f32, float, isfinite(a[lane]) && !(fabsf(a[lane]) < 0x1p-126f && a[lane] != 0))
TEST(testp_subnormal_f32, float, fabsf(a[lane]) < 0x1p-126f && a[lane] != 0)
TEST(testp_normal_f64, double, isfinite(a[lane]) && !(fabs(a[lane]) < 0x1p-1022 && a[lane] != 0))
TEST(testp_subnormal_f64, double, fabs(a[lane]) < 0x1p-1022 && a[lane] != 0)
TEST(testp_finite_f64, double, isfinite(a[lane]))
TEST(testp_infinite_f64, double, isinf(a[lane]))
TEST(testp_number_f64, double, !isnan(a[lane]))
TEST(testp_notanumber_f64, double, isnan(a[lane]))
