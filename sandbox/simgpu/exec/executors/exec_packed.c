/* Packed 16-bit integers (PTX ISA 9.7.1: add, min, max of .s16x2 and .u16x2), .relu of integers,
 * and the rarer scalar forms: 24-bit arithmetic, sums of differences and of products, bit masks. */
#include "sandbox/simgpu/exec/executors/executor.h"

#include "sandbox/simgpu/state/lanes.h"

#define PAIRS(name, T, expression)                                                                 \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0), result[2 * WARP_LANES];                                            \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        bool relu = insn->extra & EXTRA_RELU;                                                      \
        for (unsigned i = 0; i < 2 * WARP_LANES; i++) {                                            \
            T x = a[i], y = b[i], z = (T)(expression);                                             \
            result[i] = relu && z < 1 ? 0 : z;                                                     \
        }                                                                                          \
        for (unsigned i = 0; i < 2 * WARP_LANES; i++)                                              \
            d[i] = LANE_ACTIVE(i / 2) ? result[i] : d[i];                                          \
    }
PAIRS(add_b16x2, uint16_t, x + y)
PAIRS(min_s16x2, int16_t, x < y ? x : y)
PAIRS(min_u16x2, uint16_t, x < y ? x : y)
PAIRS(max_s16x2, int16_t, x > y ? x : y)
PAIRS(max_u16x2, uint16_t, x > y ? x : y)

#define AT_LEAST_0(x) ((x) > 0 ? (x) : 0)
BINARY(min_s32_relu, int32_t, int32_t, AT_LEAST_0(a[lane] < b[lane] ? a[lane] : b[lane]))
BINARY(max_s32_relu, int32_t, int32_t, AT_LEAST_0(a[lane] > b[lane] ? a[lane] : b[lane]))

#define DISTANCE(U, x, y) ((x) > (y) ? (U)(x) - (U)(y) : (U)(y) - (U)(x))
TERNARY(sad_s16, uint16_t, int16_t, uint16_t, c[lane] + DISTANCE(uint16_t, a[lane], b[lane]))
TERNARY(sad_u16, uint16_t, uint16_t, uint16_t, c[lane] + DISTANCE(uint16_t, a[lane], b[lane]))
TERNARY(sad_s64, uint64_t, int64_t, uint64_t, c[lane] + DISTANCE(uint64_t, a[lane], b[lane]))
TERNARY(sad_u64, uint64_t, uint64_t, uint64_t, c[lane] + DISTANCE(uint64_t, a[lane], b[lane]))

TERNARY(mad_hi_s16, uint16_t, int16_t, uint16_t, (((int32_t)a[lane] * b[lane]) >> 16) + c[lane])
TERNARY(mad_hi_u16, uint16_t, uint16_t, uint16_t, (((uint32_t)a[lane] * b[lane]) >> 16) + c[lane])

TERNARY(mad_hi_s32_sat, int32_t, int32_t, int32_t,
        saturate_s32((((int64_t)a[lane] * b[lane]) >> 32) + c[lane]))

/* mul24.hi: bits 16 to 47 of the product of 24-bit numbers. */
#define SIGNED_24(x)   ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define UNSIGNED_24(x) ((uint64_t)((x)&0xffffffu))
#define PRODUCT_S24    (SIGNED_24(a[lane]) * SIGNED_24(b[lane]))
#define PRODUCT_U24    (UNSIGNED_24(a[lane]) * UNSIGNED_24(b[lane]))
BINARY(mul24_hi_s32, uint32_t, uint32_t, PRODUCT_S24 >> 16)
BINARY(mul24_hi_u32, uint32_t, uint32_t, PRODUCT_U24 >> 16)
TERNARY(mad24_lo_s32, uint32_t, uint32_t, uint32_t, (uint32_t)PRODUCT_S24 + c[lane])
TERNARY(mad24_lo_u32, uint32_t, uint32_t, uint32_t, (uint32_t)PRODUCT_U24 + c[lane])
TERNARY(mad24_hi_s32, uint32_t, uint32_t, uint32_t, (uint32_t)(PRODUCT_S24 >> 16) + c[lane])
TERNARY(mad24_hi_u32, uint32_t, uint32_t, uint32_t, (uint32_t)(PRODUCT_U24 >> 16) + c[lane])
TERNARY(mad24_hi_s32_sat, int32_t, uint32_t, int32_t, saturate_s32((PRODUCT_S24 >> 16) + c[lane]))

/* dp2a: two 16-bit parts of a by two bytes of b, the lower or the upper ones. */
#define DOT2(name, A, B, first)                                                                    \
    TERNARY(name, uint32_t, uint32_t, uint32_t,                                                    \
            c[lane] + (uint32_t)((int32_t)(A)a[lane] * (B)(b[lane] >> 8 * (first))) +              \
                (uint32_t)((int32_t)(A)(a[lane] >> 16) * (B)(b[lane] >> 8 * ((first) + 1))))
DOT2(dp2a_lo_u32_u32, uint16_t, uint8_t, 0)
DOT2(dp2a_lo_u32_s32, uint16_t, int8_t, 0)
DOT2(dp2a_lo_s32_u32, int16_t, uint8_t, 0)
DOT2(dp2a_lo_s32_s32, int16_t, int8_t, 0)
DOT2(dp2a_hi_u32_u32, uint16_t, uint8_t, 2)
DOT2(dp2a_hi_u32_s32, uint16_t, int8_t, 2)
DOT2(dp2a_hi_s32_u32, int16_t, uint8_t, 2)
DOT2(dp2a_hi_s32_s32, int16_t, int8_t, 2)

static inline uint32_t shift_amount_s64(int64_t value) {
    uint64_t bits = (uint64_t)value ^ (uint64_t)(value >> 63);
    return bits ? (uint32_t)__builtin_clzll(bits) : UINT32_MAX;
}
UNARY(bfind_shiftamt_s64, uint32_t, int64_t, shift_amount_s64(a[lane]))

/* fns: the offset-th set bit of the mask from base on, downwards where the offset is negative. */
static uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t offset) {
    int64_t step = offset < 0 ? -1 : 1, left = offset < 0 ? -(int64_t)offset : offset;
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    for (int64_t at = base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}
TERNARY(fns_b32, uint32_t, uint32_t, int32_t, find_nth_set(a[lane], b[lane], c[lane]))

/* szext: the low b bits of a, extended; bmsk: b ones from bit a on. */
static inline uint32_t extend_bits(uint32_t value, uint32_t bits, bool clamp, bool is_signed) {
    uint32_t width = bits & 31;
    if (clamp && bits >= 32)
        return value;
    uint32_t above = UINT32_MAX << width;
    bool sign = is_signed && width && value >> (width - 1) & 1;
    return (value & ~above) | (sign ? above : 0);
}
BINARY(szext_clamp_u32, uint32_t, uint32_t, extend_bits(a[lane], b[lane], true, false))
BINARY(szext_clamp_s32, uint32_t, uint32_t, extend_bits(a[lane], b[lane], true, true))
BINARY(szext_wrap_u32, uint32_t, uint32_t, extend_bits(a[lane], b[lane], false, false))
BINARY(szext_wrap_s32, uint32_t, uint32_t, extend_bits(a[lane], b[lane], false, true))

static inline uint32_t mask_bits(uint32_t from, uint32_t count, bool clamp) {
    uint32_t first = from & 31, end = first + (count & 31);
    uint32_t start_mask = clamp && from >= 32 ? 0 : UINT32_MAX << first;
    bool open = end >= 32 || (clamp && (from >= 32 || count >= 32));
    return start_mask & ~(open ? 0 : UINT32_MAX << (end & 31));
}
BINARY(bmsk_clamp_b32, uint32_t, uint32_t, mask_bits(a[lane], b[lane], true))
BINARY(bmsk_wrap_b32, uint32_t, uint32_t, mask_bits(a[lane], b[lane], false))

/* lop3.BoolOp d|p, a, b, c, table, q: p = (d != 0) BoolOp q. Slots d, p, a, b, c, q. */
EXECUTOR(lop3_bool) {
    uint32_t *d = VECTOR_AT(uint32_t, 0), result[WARP_LANES];
    const uint32_t *a = VECTOR_AT(uint32_t, 2), *b = VECTOR_AT(uint32_t, 3);
    const uint32_t *c = VECTOR_AT(uint32_t, 4);
    lane_mask set = 0, q = read_predicate(warp, insn->operands[5]);
    FOR_EACH_LANE(lane) {
        result[lane] = 0;
        for (unsigned row = 0; row < 8; row++)
            if (insn->table >> row & 1)
                result[lane] |= (row & 4 ? a[lane] : ~a[lane]) & (row & 2 ? b[lane] : ~b[lane]) &
                                (row & 1 ? c[lane] : ~c[lane]);
        set |= (lane_mask)(result[lane] != 0) << lane;
    }
    WRITE_LANES(d, result[lane]);
    write_predicate(warp, insn->operands[1], insn->boolean == BOOLEAN_OR ? set | q : set & q,
                    lanes);
}
