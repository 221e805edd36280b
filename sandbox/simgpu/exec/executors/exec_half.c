/* f16, bf16 and their packed pairs (PTX ISA 9.7.4): arithmetic, comparison, elementary functions.
 *
 * Arithmetic widens to float, where sums, differences and products of two halves are exact or
 * rounded so late that rounding again is harmless (24 >= 2p + 2 bits). A fused multiply-add needs
 * more: its sum is rounded to odd (see float_format.h) before it becomes a half. All of it is
 * integer and float operations on whole lane vectors, which the compiler turns into vector code.
 * Pairs are vectors of 64 halves. Every NaN result is the canonical 0x7fff. */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/float_format.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/warp.h"

static inline float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The half's exponent and fraction in a float's place are too small by 2^112, subnormals too. */
static inline float f16_decode(uint16_t half) {
    uint32_t magnitude = (half & 0x7fffu) << 13, sign = (half & 0x8000u) << 16;
    float scaled = float_of(magnitude) * 0x1p112f;
    uint32_t bits = magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : bits_of(scaled);
    return float_of(bits | sign);
}
static inline float bf16_decode(uint16_t half) {
    return float_of((uint32_t)half << 16);
}

/* To nearest even. Adding 0.5 to a value below 2^-14 leaves its half in the lowest bits. */
static inline uint16_t f16_encode(float value) {
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    uint32_t small = bits_of(float_of(bits) + 0.5f) - 0x3f000000u;
    uint32_t normal = (bits - 0x38000000u + 0xfffu + (bits >> 13 & 1)) >> 13;
    uint32_t large = bits > 0x7f800000u ? 0x7fffu : sign | 0x7c00u;
    uint32_t finite = sign | (bits < 0x38800000u ? small : normal);
    return (uint16_t)(bits >= 0x477ff000u ? large : finite);
}
/* Adding half of the last kept place, as carries into the exponent are right. */
static inline uint16_t bf16_encode(float value) {
    uint32_t bits = bits_of(value);
    uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

/* The float next to an inexact one, on the side where the exact value lies, if that one is odd. */
static inline float to_odd(float value, float error) {
    uint32_t bits = bits_of(value);
    bool inexact = error > 0 || error < 0;
    uint32_t step = (error > 0) == !(bits >> 31) ? 1 : UINT32_MAX;
    return float_of(inexact && !(bits & 1) ? bits + step : bits);
}
/* A product of f16 is exact in float. */
static inline float f16_fma(float x, float y, float z) {
    float product = x * y, sum = product + z, part = sum - product;
    float error = (product - (sum - part)) + (z - part);
    return to_odd(sum, error);
}
/* A product of bf16 is exact in double only: its exponent may leave the float's range. */
static inline float bf16_fma(float x, float y, float z) {
    double exact = narrow_add((double)x * (double)y, (double)z);
    float nearest = (float)exact;
    double error = exact - (double)nearest;
    return to_odd(nearest, error > 0 ? 1.0f : error < 0 ? -1.0f : 0.0f);
}

/* What differs between the two formats when results are flushed and saturated. */
enum { f16_NORMAL = 0x0400, f16_ONE = 0x3c00, bf16_NORMAL = 0x0080, bf16_ONE = 0x3f80 };
enum { f16_INFINITY = 0x7c00, bf16_INFINITY = 0x7f80 };

static inline uint16_t flush(uint16_t half, unsigned normal, bool ftz) {
    return ftz && (half & 0x7fffu) < normal ? half & 0x8000u : half;
}
static inline bool is_nan(uint16_t half, unsigned infinity) {
    return (half & 0x7fffu) > infinity;
}
static inline uint16_t settle(uint16_t half, const struct insn *insn, unsigned normal, unsigned one,
                              unsigned infinity) {
    bool nan = is_nan(half, infinity), negative = half >> 15;
    if (insn->rounding & ROUNDING_SAT)
        half = nan || negative ? 0 : half > one ? (uint16_t)one : half;
    if (insn->extra & EXTRA_RELU && negative && !nan)
        half = 0;
    return flush(half, normal, insn->rounding & ROUNDING_FTZ);
}

/* `count` halves a lane; the others keep theirs. */
static inline void write_halves(uint16_t *d, const uint16_t *result, unsigned count,
                                lane_mask lanes) {
    if (lanes == ALL_LANES)
        memcpy(d, result, sizeof *d * WARP_LANES * count);
    else
        for (unsigned i = 0; i < WARP_LANES * count; i++)
            d[i] = lanes >> (i / count) & 1 ? result[i] : d[i];
}

/* result[i] for each half of the lane vectors a, b and c, written where the lane is active. */
#define HALF_LOOP(count, inputs, ...)                                                              \
    const uint16_t *a = VECTOR_AT(uint16_t, 1), *b = VECTOR_AT(uint16_t, (inputs) > 1 ? 2 : 1);    \
    const uint16_t *c = VECTOR_AT(uint16_t, (inputs) > 2 ? 3 : 1);                                 \
    uint16_t result[WARP_LANES * (count)];                                                         \
    for (unsigned i = 0; i < WARP_LANES * (count); i++)                                            \
        __VA_ARGS__;                                                                               \
    (void)b;                                                                                       \
    (void)c;                                                                                       \
    write_halves(VECTOR_AT(uint16_t, 0), result, count, lanes)

/* The plain executor, and the one for .ftz, .sat and .relu. The hardware flushes by the value
 * before it is rounded. */
#define HALF(name, T, count, inputs, expression)                                                   \
    EXECUTOR(name) {                                                                               \
        HALF_LOOP(count, inputs,                                                                   \
                  result[i] = T##_encode(                                                          \
                      expression(T##_decode(a[i]), T##_decode(b[i]), T##_decode(c[i]))));          \
    }
#define HALF_GENERAL(name, T, count, inputs, expression)                                           \
    EXECUTOR(name##_general) {                                                                     \
        bool ftz = insn->rounding & ROUNDING_FTZ;                                                  \
        HALF_LOOP(count, inputs, {                                                                 \
            float exact = expression(T##_decode(flush(a[i], T##_NORMAL, ftz)),                     \
                                     T##_decode(flush(b[i], T##_NORMAL, ftz)),                     \
                                     T##_decode(flush(c[i], T##_NORMAL, ftz)));                    \
            bool tiny = ftz && fabsf(exact) < T##_decode(T##_NORMAL);                              \
            uint16_t half = T##_encode(tiny ? copysignf(0, exact) : exact);                        \
            result[i] = settle(half, insn, T##_NORMAL, T##_ONE, T##_INFINITY);                     \
        });                                                                                        \
    }
#define HALF_ADD(x, y, z) ((x) + (y))
#define HALF_SUB(x, y, z) ((x) - (y))
#define HALF_MUL(x, y, z) ((x) * (y))
#define HALF_BOTH(name, T, count, inputs, expression)                                              \
    HALF(name, T, count, inputs, expression)                                                       \
    HALF_GENERAL(name, T, count, inputs, expression)
#define HALVES(name, inputs, expression)                                                           \
    HALF_BOTH(name##_f16, f16, 1, inputs, expression)                                              \
    HALF_BOTH(name##_f16x2, f16, 2, inputs, expression)                                            \
    HALF_BOTH(name##_bf16, bf16, 1, inputs, expression)                                            \
    HALF_BOTH(name##_bf16x2, bf16, 2, inputs, expression)
HALVES(add, 2, HALF_ADD)
HALVES(sub, 2, HALF_SUB)
HALVES(mul, 2, HALF_MUL)
HALF(fma_f16, f16, 1, 3, f16_fma)
HALF_GENERAL(fma_f16, f16, 1, 3, f16_fma)
HALF(fma_f16x2, f16, 2, 3, f16_fma)
HALF_GENERAL(fma_f16x2, f16, 2, 3, f16_fma)
HALF_GENERAL(fma_bf16, bf16, 1, 3, bf16_fma)
HALF_GENERAL(fma_bf16x2, bf16, 2, 3, bf16_fma)

/* Products that leave the float's range are rare: all go the short way through float, and all again
 * through double where one product was not exact. */
static void bf16_fma_lanes(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                           unsigned count) {
    const uint16_t *a = VECTOR_AT(uint16_t, 1), *b = VECTOR_AT(uint16_t, 2);
    const uint16_t *c = VECTOR_AT(uint16_t, 3);
    uint16_t result[2 * WARP_LANES];
    uint32_t inexact = 0;
    for (unsigned i = 0; i < WARP_LANES * count; i++) {
        float x = bf16_decode(a[i]), y = bf16_decode(b[i]), product = fabsf(x * y);
        uint32_t tiny = (product < 0x1p-110f) & (x != 0) & (y != 0);
        uint32_t huge = (product > 0x1.fffffep127f) & (fabsf(x) <= 0x1.fffffep127f) &
                        (fabsf(y) <= 0x1.fffffep127f);
        inexact |= tiny | huge;
        result[i] = bf16_encode(f16_fma(x, y, bf16_decode(c[i])));
    }
    for (unsigned i = 0; i < WARP_LANES * count && inexact; i++)
        result[i] = bf16_encode(bf16_fma(bf16_decode(a[i]), bf16_decode(b[i]), bf16_decode(c[i])));
    write_halves(VECTOR_AT(uint16_t, 0), result, count, lanes);
}
EXECUTOR(fma_bf16) {
    bf16_fma_lanes(warp, insn, lanes, 1);
}
EXECUTOR(fma_bf16x2) {
    bf16_fma_lanes(warp, insn, lanes, 2);
}

/* abs and neg change the sign bit, and make the canonical NaN of any. bf16 has no .ftz. */
#define SIGN(name, count, expression)                                                              \
    EXECUTOR(name) {                                                                               \
        bool ftz = insn->rounding & ROUNDING_FTZ;                                                  \
        bool wide = insn->type == PTX_bf16 || insn->type == PTX_bf16x2;                            \
        const unsigned infinity = wide ? bf16_INFINITY : f16_INFINITY;                             \
        HALF_LOOP(count, 1,                                                                        \
                  result[i] = is_nan(a[i], infinity)                                               \
                                  ? 0x7fff                                                         \
                                  : flush((uint16_t)(expression), f16_NORMAL, ftz));               \
    }
SIGN(abs_half, 1, a[i] & 0x7fff)
SIGN(neg_half, 1, a[i] ^ 0x8000)
SIGN(abs_halves, 2, a[i] & 0x7fff)
SIGN(neg_halves, 2, a[i] ^ 0x8000)

/* ex2.approx, tanh.approx (9.7.4.9, 9.7.4.10): computed in double and rounded once, which lies
 * within the errors that the ISA allows. ex2.ftz.bf16 flushes as bf16. */
static double elementary(bool is_tanh, double x) {
    return is_tanh ? tanh(x) : exp2(x);
}
static void elementary_halves(struct warp *warp, const struct insn *insn, lane_mask lanes,
                              bool is_tanh) {
    const struct narrow_format *format = narrow_format_of((enum ptx_type)insn->type);
    unsigned count = ptx_type_bits((enum ptx_type)insn->type) / 16;
    unsigned normal = 1u << format->fraction;
    bool ftz = insn->rounding & ROUNDING_FTZ;
    const uint16_t *a = VECTOR_AT(uint16_t, 1);
    uint16_t result[2 * WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES * count; i++) {
        double x = narrow_decode(flush(a[i], normal, ftz), format);
        uint32_t half = narrow_encode(elementary(is_tanh, x), format, ROUND_RN, false);
        result[i] = flush((uint16_t)half, normal, ftz);
    }
    write_halves(VECTOR_AT(uint16_t, 0), result, count, lanes);
}
EXECUTOR(ex2_half) {
    elementary_halves(warp, insn, lanes, false);
}
EXECUTOR(tanh_half) {
    elementary_halves(warp, insn, lanes, true);
}

/* The conversions that half-precision code is full of. f32 from bf16 is a shift, also of a NaN. */
EXECUTOR(cvt_f32_f16) {
    float *d = VECTOR_AT(float, 0);
    const uint16_t *a = VECTOR_AT(uint16_t, 1);
    WRITE_LANES(d, is_nan(a[lane], f16_INFINITY) ? float_of(0x7fffffff) : f16_decode(a[lane]));
}
EXECUTOR(cvt_f32_bf16) {
    float *d = VECTOR_AT(float, 0);
    const uint16_t *a = VECTOR_AT(uint16_t, 1);
    WRITE_LANES(d, bf16_decode(a[lane]));
}
UNARY(cvt_f16_f32, uint16_t, float, f16_encode(a[lane]))
UNARY(cvt_bf16_f32, uint16_t, float, bf16_encode(a[lane]))
#define PAIR_FROM_FLOATS(name, encode)                                                             \
    BINARY(name, uint32_t, float, (uint32_t)encode(a[lane]) << 16 | encode(b[lane]))
PAIR_FROM_FLOATS(cvt_f16x2_f32, f16_encode)
PAIR_FROM_FLOATS(cvt_bf16x2_f32, bf16_encode)
