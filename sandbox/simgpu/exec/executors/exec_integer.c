/* Integer arithmetic, logic, shifts and bit fields (PTX ISA 9.7.1, 9.7.2, 9.7.8).
 *
 * Arithmetic is done in unsigned types, where wrapping is defined. Shift counts above the width
 * give 0 (or the sign), as the ISA says and C does not. */
#include "sandbox/simgpu/exec/executors/executor.h"

#include "sandbox/simgpu/state/lanes.h"

#include <limits.h>

BINARY(add_b16, uint16_t, uint16_t, a[lane] + b[lane])
BINARY(add_b32, uint32_t, uint32_t, a[lane] + b[lane])
BINARY(add_b64, uint64_t, uint64_t, a[lane] + b[lane])
BINARY(sub_b16, uint16_t, uint16_t, a[lane] - b[lane])
BINARY(sub_b32, uint32_t, uint32_t, a[lane] - b[lane])
BINARY(sub_b64, uint64_t, uint64_t, a[lane] - b[lane])
BINARY(mul_lo_b16, uint16_t, uint16_t, (uint32_t)a[lane] * b[lane])
BINARY(mul_lo_b32, uint32_t, uint32_t, a[lane] * b[lane])
BINARY(mul_lo_b64, uint64_t, uint64_t, a[lane] * b[lane])
BINARY(mul_hi_s16, uint16_t, int16_t, ((int32_t)a[lane] * b[lane]) >> 16)
BINARY(mul_hi_u16, uint16_t, uint16_t, ((uint32_t)a[lane] * b[lane]) >> 16)
BINARY(mul_hi_s32, uint32_t, int32_t, ((int64_t)a[lane] * b[lane]) >> 32)
BINARY(mul_hi_u32, uint32_t, uint32_t, ((uint64_t)a[lane] * b[lane]) >> 32)
BINARY(mul_hi_s64, uint64_t, int64_t, ((__int128)a[lane] * b[lane]) >> 64)
BINARY(mul_hi_u64, uint64_t, uint64_t, ((unsigned __int128)a[lane] * b[lane]) >> 64)
BINARY(mul_wide_s16, int32_t, int16_t, (int32_t)a[lane] * b[lane])
BINARY(mul_wide_u16, uint32_t, uint16_t, (uint32_t)a[lane] * b[lane])
BINARY(mul_wide_s32, int64_t, int32_t, (int64_t)a[lane] * b[lane])
BINARY(mul_wide_u32, uint64_t, uint32_t, (uint64_t)a[lane] * b[lane])
#define SIGNED_24(x)   ((int32_t)((x) << 8) >> 8)
#define UNSIGNED_24(x) ((x)&0xffffffu)
BINARY(mul24_lo_s32, uint32_t, uint32_t,
       (uint32_t)SIGNED_24(a[lane]) * (uint32_t)SIGNED_24(b[lane]))
BINARY(mul24_lo_u32, uint32_t, uint32_t, UNSIGNED_24(a[lane]) * UNSIGNED_24(b[lane]))

TERNARY(mad_lo_b16, uint16_t, uint16_t, uint16_t, (uint32_t)a[lane] * b[lane] + c[lane])
TERNARY(mad_lo_b32, uint32_t, uint32_t, uint32_t, a[lane] * b[lane] + c[lane])
TERNARY(mad_lo_b64, uint64_t, uint64_t, uint64_t, a[lane] * b[lane] + c[lane])
TERNARY(mad_hi_s32, uint32_t, int32_t, uint32_t,
        (uint32_t)(((int64_t)a[lane] * b[lane]) >> 32) + c[lane])
TERNARY(mad_hi_u32, uint32_t, uint32_t, uint32_t,
        (uint32_t)(((uint64_t)a[lane] * b[lane]) >> 32) + c[lane])
TERNARY(mad_hi_s64, uint64_t, int64_t, uint64_t,
        (uint64_t)(((__int128)a[lane] * b[lane]) >> 64) + c[lane])
TERNARY(mad_hi_u64, uint64_t, uint64_t, uint64_t,
        (uint64_t)(((unsigned __int128)a[lane] * b[lane]) >> 64) + c[lane])
TERNARY(mad_wide_s16, uint32_t, int16_t, uint32_t, (uint32_t)((int32_t)a[lane] * b[lane]) + c[lane])
TERNARY(mad_wide_u16, uint32_t, uint16_t, uint32_t, (uint32_t)a[lane] * b[lane] + c[lane])
TERNARY(mad_wide_s32, uint64_t, int32_t, uint64_t, (uint64_t)((int64_t)a[lane] * b[lane]) + c[lane])
TERNARY(mad_wide_u32, uint64_t, uint32_t, uint64_t, (uint64_t)a[lane] * b[lane] + c[lane])
#define DISTANCE(x, y) ((x) > (y) ? (uint32_t)(x) - (uint32_t)(y) : (uint32_t)(y) - (uint32_t)(x))
TERNARY(sad_s32, uint32_t, int32_t, uint32_t, c[lane] + DISTANCE(a[lane], b[lane]))
TERNARY(sad_u32, uint32_t, uint32_t, uint32_t, c[lane] + DISTANCE(a[lane], b[lane]))

BINARY(add_s32_sat, int32_t, int32_t, saturate_s32((int64_t)a[lane] + b[lane]))
BINARY(sub_s32_sat, int32_t, int32_t, saturate_s32((int64_t)a[lane] - b[lane]))

/* Extended precision: CC.CF is one bit a lane. A subtraction is a sum with the complement, as in
 * the card's adder: its carry is set where there is no borrow, and an addc that follows adds just
 * that (seen on an H100; the division of 128-bit integers depends on it). */
#define CARRY(name, T, W, expression, carry_out)                                                   \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            W in = warp->carry[lane];                                                              \
            W wide = expression;                                                                   \
            (void)in;                                                                              \
            if (carry_out)                                                                         \
                warp->carry[lane] = (uint8_t)(wide >> (sizeof(T) * CHAR_BIT)) & 1;                 \
            d[lane] = (T)wide;                                                                     \
        }                                                                                          \
    }
typedef unsigned __int128 wide128;
CARRY(add_cc_b32, uint32_t, uint64_t, (uint64_t)a[lane] + b[lane], true)
CARRY(add_cc_b64, uint64_t, wide128, (wide128)a[lane] + b[lane], true)
CARRY(addc_b32, uint32_t, uint64_t, (uint64_t)a[lane] + b[lane] + in, false)
CARRY(addc_b64, uint64_t, wide128, (wide128)a[lane] + b[lane] + in, false)
CARRY(addc_cc_b32, uint32_t, uint64_t, (uint64_t)a[lane] + b[lane] + in, true)
CARRY(addc_cc_b64, uint64_t, wide128, (wide128)a[lane] + b[lane] + in, true)
CARRY(sub_cc_b32, uint32_t, uint64_t, (uint64_t)a[lane] + ~b[lane] + 1, true)
CARRY(sub_cc_b64, uint64_t, wide128, (wide128)a[lane] + ~b[lane] + 1, true)
CARRY(subc_b32, uint32_t, uint64_t, (uint64_t)a[lane] + ~b[lane] + in, false)
CARRY(subc_b64, uint64_t, wide128, (wide128)a[lane] + ~b[lane] + in, false)
CARRY(subc_cc_b32, uint32_t, uint64_t, (uint64_t)a[lane] + ~b[lane] + in, true)
CARRY(subc_cc_b64, uint64_t, wide128, (wide128)a[lane] + ~b[lane] + in, true)
#define CARRY_MAD(name, T, W, product, carried, carry_out)                                         \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2), *c = VECTOR_AT(T, 3);                  \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            W wide = (W)(T)(product) + c[lane] + ((carried) ? warp->carry[lane] : 0u);             \
            if (carry_out)                                                                         \
                warp->carry[lane] = (uint8_t)(wide >> (sizeof(T) * CHAR_BIT));                     \
            d[lane] = (T)wide;                                                                     \
        }                                                                                          \
    }
#define HIGH_U32 (((uint64_t)a[lane] * b[lane]) >> 32)
#define HIGH_S32 (((int64_t)(int32_t)a[lane] * (int32_t)b[lane]) >> 32)
#define HIGH_U64 (((wide128)a[lane] * b[lane]) >> 64)
#define HIGH_S64 (((__int128)(int64_t)a[lane] * (int64_t)b[lane]) >> 64)
/* .cc writes the carry, madc reads it. */
#define CARRY_MADS(half, type, T, W, product)                                                      \
    CARRY_MAD(mad_##half##_cc_##type, T, W, product, false, true)                                  \
    CARRY_MAD(madc_##half##_##type, T, W, product, true, false)                                    \
    CARRY_MAD(madc_##half##_cc_##type, T, W, product, true, true)
CARRY_MADS(lo, b32, uint32_t, uint64_t, a[lane] * b[lane])
CARRY_MADS(lo, b64, uint64_t, wide128, a[lane] * b[lane])
CARRY_MADS(hi, u32, uint32_t, uint64_t, HIGH_U32)
CARRY_MADS(hi, s32, uint32_t, uint64_t, HIGH_S32)
CARRY_MADS(hi, u64, uint64_t, wide128, HIGH_U64)
CARRY_MADS(hi, s64, uint64_t, wide128, HIGH_S64)

/* Division by zero gives all ones and leaves the dividend as remainder: what the hardware's code
 * sequence yields. The most negative number by -1 wraps. */
#define DIVIDE(name, T, U, by_zero, expression)                                                    \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            T x = a[lane], y = b[lane];                                                            \
            d[lane] = y == 0 ? (T)(by_zero) : (T)(expression);                                     \
        }                                                                                          \
    }
DIVIDE(div_u16, uint16_t, uint16_t, UINT16_MAX, x / y)
DIVIDE(div_u32, uint32_t, uint32_t, UINT32_MAX, x / y)
DIVIDE(div_u64, uint64_t, uint64_t, UINT64_MAX, x / y)
DIVIDE(div_s16, int16_t, uint16_t, -1, x / y)
DIVIDE(div_s32, int32_t, uint32_t, -1, y == -1 ? (int32_t)(0 - (uint32_t)x) : x / y)
DIVIDE(div_s64, int64_t, uint64_t, -1, y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y)
DIVIDE(rem_u16, uint16_t, uint16_t, x, x % y)
DIVIDE(rem_u32, uint32_t, uint32_t, x, x % y)
DIVIDE(rem_u64, uint64_t, uint64_t, x, x % y)
DIVIDE(rem_s16, int16_t, uint16_t, x, x % y)
DIVIDE(rem_s32, int32_t, uint32_t, x, y == -1 ? 0 : x % y)
DIVIDE(rem_s64, int64_t, uint64_t, x, y == -1 ? 0 : x % y)

#define NEGATED(U, x) (0 - (U)(x))
UNARY(abs_s16, uint16_t, int16_t, a[lane] < 0 ? NEGATED(uint16_t, a[lane]) : (uint16_t)a[lane])
UNARY(abs_s32, uint32_t, int32_t, a[lane] < 0 ? NEGATED(uint32_t, a[lane]) : (uint32_t)a[lane])
UNARY(abs_s64, uint64_t, int64_t, a[lane] < 0 ? NEGATED(uint64_t, a[lane]) : (uint64_t)a[lane])
UNARY(neg_s16, uint16_t, uint16_t, NEGATED(uint16_t, a[lane]))
UNARY(neg_s32, uint32_t, uint32_t, NEGATED(uint32_t, a[lane]))
UNARY(neg_s64, uint64_t, uint64_t, NEGATED(uint64_t, a[lane]))
#define SMALLER(x, y) ((x) < (y) ? (x) : (y))
#define LARGER(x, y)  ((x) > (y) ? (x) : (y))
BINARY(min_s16, int16_t, int16_t, SMALLER(a[lane], b[lane]))
BINARY(min_u16, uint16_t, uint16_t, SMALLER(a[lane], b[lane]))
BINARY(min_s32, int32_t, int32_t, SMALLER(a[lane], b[lane]))
BINARY(min_u32, uint32_t, uint32_t, SMALLER(a[lane], b[lane]))
BINARY(min_s64, int64_t, int64_t, SMALLER(a[lane], b[lane]))
BINARY(min_u64, uint64_t, uint64_t, SMALLER(a[lane], b[lane]))
BINARY(max_s16, int16_t, int16_t, LARGER(a[lane], b[lane]))
BINARY(max_u16, uint16_t, uint16_t, LARGER(a[lane], b[lane]))
BINARY(max_s32, int32_t, int32_t, LARGER(a[lane], b[lane]))
BINARY(max_u32, uint32_t, uint32_t, LARGER(a[lane], b[lane]))
BINARY(max_s64, int64_t, int64_t, LARGER(a[lane], b[lane]))
BINARY(max_u64, uint64_t, uint64_t, LARGER(a[lane], b[lane]))

UNARY(popc_b32, uint32_t, uint32_t, __builtin_popcount(a[lane]))
UNARY(popc_b64, uint32_t, uint64_t, __builtin_popcountll(a[lane]))
UNARY(clz_b32, uint32_t, uint32_t, a[lane] ? __builtin_clz(a[lane]) : 32)
UNARY(clz_b64, uint32_t, uint64_t, a[lane] ? __builtin_clzll(a[lane]) : 64)
/* bfind: the most significant bit that is not a copy of the sign; all ones where there is none. */
#define HIGHEST_32(x)  ((x) ? 31u - (uint32_t)__builtin_clz(x) : UINT32_MAX)
#define HIGHEST_64(x)  ((x) ? 63u - (uint32_t)__builtin_clzll(x) : UINT32_MAX)
#define UNSIGNED_32(x) ((uint32_t)(x) ^ (uint32_t)((int32_t)(x) >> 31))
#define UNSIGNED_64(x) ((uint64_t)(x) ^ (uint64_t)((int64_t)(x) >> 63))
UNARY(bfind_u32, uint32_t, uint32_t, HIGHEST_32(a[lane]))
UNARY(bfind_s32, uint32_t, uint32_t, HIGHEST_32(UNSIGNED_32(a[lane])))
UNARY(bfind_u64, uint32_t, uint64_t, HIGHEST_64(a[lane]))
UNARY(bfind_s64, uint32_t, uint64_t, HIGHEST_64(UNSIGNED_64(a[lane])))
#define SHIFT_AMOUNT(found, top) ((found) == UINT32_MAX ? UINT32_MAX : (top) - (found))
UNARY(bfind_shiftamt_u32, uint32_t, uint32_t, SHIFT_AMOUNT(HIGHEST_32(a[lane]), 31))
UNARY(bfind_shiftamt_s32, uint32_t, uint32_t, SHIFT_AMOUNT(HIGHEST_32(UNSIGNED_32(a[lane])), 31))
UNARY(bfind_shiftamt_u64, uint32_t, uint64_t, SHIFT_AMOUNT(HIGHEST_64(a[lane]), 63))

static inline uint32_t reverse_32(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
UNARY(brev_b32, uint32_t, uint32_t, reverse_32(a[lane]))
UNARY(brev_b64, uint64_t, uint64_t,
      (uint64_t)reverse_32((uint32_t)a[lane]) << 32 | reverse_32((uint32_t)(a[lane] >> 32)))

/* bfe d, a, position, length; bits past the top are copies of the sign for signed types. */
#define EXTRACT(name, T, U, width)                                                                 \
    EXECUTOR(name) {                                                                               \
        U *d = VECTOR_AT(U, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1);                                                              \
        const uint32_t *position = VECTOR_AT(uint32_t, 2), *length = VECTOR_AT(uint32_t, 3);       \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            unsigned from = position[lane] & 255, count = length[lane] & 255;                      \
            bool is_signed = (T)-1 < (T)1;                                                         \
            unsigned top = from + count - 1 < width - 1 ? from + count - 1 : width - 1;            \
            U sign = is_signed && count ? (U)a[lane] >> top & 1 : 0;                               \
            U field = from < width ? (U)a[lane] >> from : 0;                                       \
            unsigned available = from < width ? width - from : 0;                                  \
            unsigned kept = count < available ? count : available;                                 \
            U mask = kept >= width ? (U)-1 : ((U)1 << kept) - 1;                                   \
            d[lane] = (field & mask) | (sign ? ~mask : 0);                                         \
        }                                                                                          \
    }
EXTRACT(bfe_u32, uint32_t, uint32_t, 32)
EXTRACT(bfe_s32, int32_t, uint32_t, 32)
EXTRACT(bfe_u64, uint64_t, uint64_t, 64)
EXTRACT(bfe_s64, int64_t, uint64_t, 64)

/* bfi f, a, b, position, length: a's low bits into b. */
#define INSERT(name, U, width)                                                                     \
    EXECUTOR(name) {                                                                               \
        U *d = VECTOR_AT(U, 0);                                                                    \
        const U *a = VECTOR_AT(U, 1), *b = VECTOR_AT(U, 2);                                        \
        const uint32_t *position = VECTOR_AT(uint32_t, 3), *length = VECTOR_AT(uint32_t, 4);       \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            unsigned at = position[lane] & 255, count = length[lane] & 255;                        \
            U ones = count >= width ? (U)-1 : ((U)1 << count) - 1;                                 \
            U mask = at >= width ? 0 : ones << at;                                                 \
            U field = at >= width ? 0 : a[lane] << at;                                             \
            d[lane] = (b[lane] & ~mask) | (field & mask);                                          \
        }                                                                                          \
    }
INSERT(bfi_b32, uint32_t, 32)
INSERT(bfi_b64, uint64_t, 64)

#define DOT4(name, A, B)                                                                           \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);                   \
        const uint32_t *c = VECTOR_AT(uint32_t, 3);                                                \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            uint32_t sum = c[lane];                                                                \
            for (unsigned i = 0; i < 4; i++)                                                       \
                sum +=                                                                             \
                    (uint32_t)((int32_t)(A)(a[lane] >> 8 * i) * (int32_t)(B)(b[lane] >> 8 * i));   \
            d[lane] = sum;                                                                         \
        }                                                                                          \
    }
DOT4(dp4a_u32_u32, uint8_t, uint8_t)
DOT4(dp4a_s32_s32, int8_t, int8_t)
DOT4(dp4a_s32_u32, int8_t, uint8_t)
DOT4(dp4a_u32_s32, uint8_t, int8_t)

BINARY(and_b16, uint16_t, uint16_t, a[lane] & b[lane])
BINARY(and_b32, uint32_t, uint32_t, a[lane] & b[lane])
BINARY(and_b64, uint64_t, uint64_t, a[lane] & b[lane])
BINARY(or_b16, uint16_t, uint16_t, a[lane] | b[lane])
BINARY(or_b32, uint32_t, uint32_t, a[lane] | b[lane])
BINARY(or_b64, uint64_t, uint64_t, a[lane] | b[lane])
BINARY(xor_b16, uint16_t, uint16_t, a[lane] ^ b[lane])
BINARY(xor_b32, uint32_t, uint32_t, a[lane] ^ b[lane])
BINARY(xor_b64, uint64_t, uint64_t, a[lane] ^ b[lane])
UNARY(not_b16, uint16_t, uint16_t, ~a[lane])
UNARY(not_b32, uint32_t, uint32_t, ~a[lane])
UNARY(not_b64, uint64_t, uint64_t, ~a[lane])
UNARY(cnot_b16, uint16_t, uint16_t, a[lane] == 0)
UNARY(cnot_b32, uint32_t, uint32_t, a[lane] == 0)
UNARY(cnot_b64, uint64_t, uint64_t, a[lane] == 0)

#define PREDICATE(name, expression)                                                                \
    EXECUTOR(name) {                                                                               \
        lane_mask a = read_predicate(warp, insn->operands[1]);                                     \
        lane_mask b =                                                                              \
            insn->operands[2] == OPERAND_NONE ? 0 : read_predicate(warp, insn->operands[2]);       \
        (void)b;                                                                                   \
        write_predicate(warp, insn->operands[0], expression, lanes);                               \
    }
PREDICATE(and_pred, a &b)
PREDICATE(or_pred, a | b)
PREDICATE(xor_pred, a ^ b)
PREDICATE(not_pred, ~a)
PREDICATE(mov_pred, a)

EXECUTOR(lop3_b32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);
    const uint32_t *c = VECTOR_AT(uint32_t, 3), *table = VECTOR_AT(uint32_t, 4);
    uint32_t lut = table[0];
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t x = a[lane], y = b[lane], z = c[lane], result = 0;
        for (unsigned row = 0; row < 8; row++)
            if (lut >> row & 1)
                result |= (row & 4 ? x : ~x) & (row & 2 ? y : ~y) & (row & 1 ? z : ~z);
        d[lane] = result;
    }
}

#define SHIFT(name, T, U, width, beyond, expression)                                               \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1);                                                              \
        const uint32_t *b = VECTOR_AT(uint32_t, 2);                                                \
        WRITE_LANES(d, b[lane] >= width ? (T)(beyond) : (T)(expression));                          \
    }
SHIFT(shl_b16, uint16_t, uint16_t, 16, 0, (uint32_t)a[lane] << (b[lane] & 15))
SHIFT(shl_b32, uint32_t, uint32_t, 32, 0, a[lane] << (b[lane] & 31))
SHIFT(shl_b64, uint64_t, uint64_t, 64, 0, a[lane] << (b[lane] & 63))
SHIFT(shr_u16, uint16_t, uint16_t, 16, 0, a[lane] >> (b[lane] & 15))
SHIFT(shr_u32, uint32_t, uint32_t, 32, 0, a[lane] >> (b[lane] & 31))
SHIFT(shr_u64, uint64_t, uint64_t, 64, 0, a[lane] >> (b[lane] & 63))
SHIFT(shr_s16, int16_t, uint16_t, 16, a[lane] >> 15, a[lane] >> (b[lane] & 15))
SHIFT(shr_s32, int32_t, uint32_t, 32, a[lane] >> 31, a[lane] >> (b[lane] & 31))
SHIFT(shr_s64, int64_t, uint64_t, 64, a[lane] >> 63, a[lane] >> (b[lane] & 63))

/* shf d, a (low), b (high), c: the funnel is b:a. */
#define FUNNEL(name, count, expression)                                                            \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);                   \
        const uint32_t *c = VECTOR_AT(uint32_t, 3);                                                \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            uint64_t funnel = (uint64_t)b[lane] << 32 | a[lane];                                   \
            uint32_t n = count;                                                                    \
            d[lane] = (uint32_t)(expression);                                                      \
        }                                                                                          \
    }
FUNNEL(shf_l_wrap_b32, c[lane] & 31, (funnel << n) >> 32)
FUNNEL(shf_l_clamp_b32, SMALLER(c[lane], 32), n == 32 ? a[lane] : (funnel << n) >> 32)
FUNNEL(shf_r_wrap_b32, c[lane] & 31, funnel >> n)
FUNNEL(shf_r_clamp_b32, SMALLER(c[lane], 32), funnel >> n)

/* prmt: each nibble of c picks a byte of b:a; its high bit replicates that byte's sign. */
EXECUTOR(prmt_b32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);
    const uint32_t *c = VECTOR_AT(uint32_t, 3);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t bytes = (uint64_t)b[lane] << 32 | a[lane];
        uint32_t result = 0;
        for (unsigned i = 0; i < 4; i++) {
            uint32_t selector = c[lane] >> 4 * i & 15;
            uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 255;
            if (selector & 8)
                byte = byte & 128 ? 255 : 0;
            result |= byte << 8 * i;
        }
        d[lane] = result;
    }
}

/* The modes of prmt: byte i of the result by the low two bits k of c. */
#define PERMUTE(name, index)                                                                       \
    EXECUTOR(prmt_##name) {                                                                        \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);                   \
        const uint32_t *c = VECTOR_AT(uint32_t, 3);                                                \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            uint64_t bytes = (uint64_t)b[lane] << 32 | a[lane];                                    \
            uint32_t result = 0, k = c[lane] & 3;                                                  \
            for (unsigned i = 0; i < 4; i++)                                                       \
                result |= (uint32_t)(bytes >> 8 * (index)&255) << 8 * i;                           \
            d[lane] = result;                                                                      \
        }                                                                                          \
    }
PERMUTE(f4e, k + i)
PERMUTE(b4e, (k - i) & 7)
PERMUTE(rc8, k)
PERMUTE(ecl, LARGER(k, i))
PERMUTE(ecr, SMALLER(k, i))
PERMUTE(rc16, (k & 1) * 2 + (i & 1))
