/* Video instructions (PTX ISA 9.7.17): a byte, half or word of each operand, an operation in wider
 * arithmetic, saturation, and a second step with c: add, min, max, or merging a part into it.
 *
 * The SIMD forms do the same to two halves or four bytes at once; their second step sums the parts
 * up. Which parts, signs and steps stands in insn->video (video.h). */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/program/video.h"
#include "sandbox/simgpu/state/lanes.h"

static int64_t extend_part(uint32_t bits, unsigned width, bool is_signed) {
    if (width < 32)
        bits &= ((uint32_t)1 << width) - 1;
    bool negative = is_signed && bits >> (width - 1);
    return (int64_t)bits - (negative ? (int64_t)1 << width : 0);
}

static unsigned part_width(unsigned part) {
    return part == PART_WORD ? 32 : part <= PART_B3 ? 8 : 16;
}
static unsigned part_shift(unsigned part) {
    return part == PART_WORD ? 0 : part <= PART_B3 ? 8 * (part - PART_B0) : 16 * (part - PART_H0);
}

static __int128 saturate(__int128 value, unsigned width, bool is_signed) {
    __int128 low = is_signed ? -((__int128)1 << (width - 1)) : 0;
    __int128 high = ((__int128)1 << (is_signed ? width - 1 : width)) - 1;
    return value < low ? low : value > high ? high : value;
}

static uint32_t second_step(const struct video *video, uint32_t result, uint32_t c) {
    bool less = video->signs & 1 ? (int32_t)result < (int32_t)c : result < c;
    switch (video->secondary) {
    case VIDEO_ADD:
        return result + c;
    case VIDEO_MIN:
        return less ? result : c;
    case VIDEO_MAX:
        return less ? c : result;
    default:
        break;
    }
    if (video->merge == PART_WORD)
        return result;
    unsigned shift = part_shift(video->merge);
    uint32_t mask = (((uint32_t)1 << part_width(video->merge)) - 1) << shift;
    return (c & ~mask) | (result << shift & mask);
}

/* a and b as __int128 in x and y: no operation on 33-bit numbers overflows it. */
#define VIDEO(name, expression)                                                                    \
    EXECUTOR(name) {                                                                               \
        struct video video = video_unpack(insn->video);                                            \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);                   \
        const uint32_t *c = VECTOR_AT(uint32_t, insn->operands[3] == OPERAND_NONE ? 1 : 3);        \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            __int128 x = extend_part(a[lane] >> part_shift(video.a_parts),                         \
                                     part_width(video.a_parts), video.signs & 2);                  \
            __int128 y = extend_part(b[lane] >> part_shift(video.b_parts),                         \
                                     part_width(video.b_parts), video.signs & 4);                  \
            __int128 value = (expression);                                                         \
            if (insn->rounding & ROUNDING_SAT)                                                     \
                value = saturate(value, part_width(video.merge), video.signs & 1);                 \
            d[lane] = second_step(&video, (uint32_t)value, c[lane]);                               \
        }                                                                                          \
    }
static bool compares(unsigned compare, __int128 x, __int128 y) {
    switch (compare) {
    case COMPARE_eq:
        return x == y;
    case COMPARE_ne:
        return x != y;
    case COMPARE_lt:
        return x < y;
    case COMPARE_le:
        return x <= y;
    case COMPARE_gt:
        return x > y;
    default:
        return x >= y;
    }
}
/* The shift counts modulo 32 or to 32 at most. */
static unsigned shift_count(const struct insn *insn, __int128 y) {
    bool clamp = insn->extra & EXTRA_CLAMP;
    uint32_t count = (uint32_t)y;
    return clamp ? (count > 32 ? 32 : count) : count & 31;
}
VIDEO(vadd, x + y)
VIDEO(vsub, x - y)
VIDEO(vabsdiff, x > y ? x - y : y - x)
VIDEO(vmin, x < y ? x : y)
VIDEO(vmax, x > y ? x : y)
VIDEO(vset, compares(insn->compare, x, y))
VIDEO(vshl, x *((__int128)1 << shift_count(insn, y)))
VIDEO(vshr, x >> shift_count(insn, y))

/* vmad d = a * b + c, shifted right by 7 or 15 bits, with one more (.po), or with the product or c
 * negated. All of it is signed where a or b is, or where something is negated. */
EXECUTOR(vmad) {
    struct video video = video_unpack(insn->video);
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);
    const uint32_t *c = VECTOR_AT(uint32_t, 3);
    bool is_signed = video.signs & 6 || video.negate;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        __int128 x = extend_part(a[lane] >> part_shift(video.a_parts), part_width(video.a_parts),
                                 video.signs & 2);
        __int128 y = extend_part(b[lane] >> part_shift(video.b_parts), part_width(video.b_parts),
                                 video.signs & 4);
        __int128 product = video.negate & NEGATE_PRODUCT ? -(x * y) : x * y;
        __int128 third = extend_part(c[lane], 32, is_signed);
        __int128 value = product + (video.negate & NEGATE_C ? -third : third);
        if (insn->extra & EXTRA_PLUS_ONE)
            value++;
        value >>= video.scale;
        if (insn->rounding & ROUNDING_SAT)
            value = saturate(value, 32, is_signed);
        d[lane] = (uint32_t)value;
    }
}

/* `parts` parts a word: result part i works on parts a_parts[i] and b_parts[i] of b:a. */
#define SIMD_VIDEO(name, parts, expression)                                                        \
    EXECUTOR(name) {                                                                               \
        struct video video = video_unpack(insn->video);                                            \
        const unsigned width = 32 / (parts);                                                       \
        const uint32_t mask = ((uint32_t)1 << width) - 1;                                          \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const uint32_t *a = VECTOR_AT(uint32_t, 1), *b = VECTOR_AT(uint32_t, 2);                   \
        const uint32_t *c = VECTOR_AT(uint32_t, 3);                                                \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            uint64_t both = (uint64_t)b[lane] << 32 | a[lane];                                     \
            uint32_t result = c[lane];                                                             \
            for (unsigned i = 0; i < (parts); i++) {                                               \
                unsigned from_a = width * (video.a_parts >> 4 * i & 7);                            \
                unsigned from_b = width * (video.b_parts >> 4 * i & 7);                            \
                int64_t x = extend_part((uint32_t)(both >> from_a), width, video.signs & 2);       \
                int64_t y = extend_part((uint32_t)(both >> from_b), width, video.signs & 4);       \
                int64_t value = (expression);                                                      \
                if (insn->rounding & ROUNDING_SAT)                                                 \
                    value = (int64_t)saturate(value, width, video.signs & 1);                      \
                if (!(video.merge >> i & 1))                                                       \
                    continue;                                                                      \
                result = video.secondary ? result + (uint32_t)value                                \
                                         : (result & ~(mask << width * i)) |                       \
                                               ((uint32_t)value & mask) << width * i;              \
            }                                                                                      \
            d[lane] = result;                                                                      \
        }                                                                                          \
    }
#define SIMD_VIDEOS(name, expression)                                                              \
    SIMD_VIDEO(name##2, 2, expression)                                                             \
    SIMD_VIDEO(name##4, 4, expression)
SIMD_VIDEOS(vadd, x + y)
SIMD_VIDEOS(vsub, x - y)
SIMD_VIDEOS(vavrg, (x + y + (x + y >= 0)) >> 1)
SIMD_VIDEOS(vabsdiff, x > y ? x - y : y - x)
SIMD_VIDEOS(vmin, x < y ? x : y)
SIMD_VIDEOS(vmax, x > y ? x : y)
SIMD_VIDEOS(vset, compares(insn->compare, x, y))
