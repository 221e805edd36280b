/* Warp-level operations: vote, shuffle, match, redux, activemask (PTX ISA 9.7.9.6, 9.7.13).
 *
 * The scheduler has already brought together the lanes that the masks name (or reported that they
 * do not come); here each lane works within its own mask, because one instruction may carry
 * different masks, as the tiles of cooperative groups do. */
#include "sandbox/simgpu/exec/executors/executor.h"

#include "sandbox/simgpu/state/lanes.h"

EXECUTOR(warp_sync) {
    (void)warp;
    (void)insn;
    (void)lanes;
}

EXECUTOR(activemask_b32) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    WRITE_LANES(d, lanes);
}

/* Calls `body` once for each distinct mask among the lanes; `group` is its lanes that are here. */
#define FOR_EACH_GROUP(group, body)                                                                \
    do {                                                                                           \
        const uint32_t *masks = VECTOR_AT(uint32_t, 5);                                            \
        for (lane_mask todo = lanes; todo;) {                                                      \
            uint32_t mask = masks[__builtin_ctz(todo)];                                            \
            lane_mask same = 0;                                                                    \
            for (lane_mask rest = todo; rest; rest &= rest - 1)                                    \
                if (masks[__builtin_ctz(rest)] == mask)                                            \
                    same |= rest & -rest;                                                          \
            lane_mask group = same;                                                                \
            body;                                                                                  \
            todo &= ~same;                                                                         \
        }                                                                                          \
    } while (0)

#define VOTE(name, expression)                                                                     \
    EXECUTOR(name) {                                                                               \
        lane_mask a = read_predicate(warp, insn->operands[2]);                                     \
        FOR_EACH_GROUP(                                                                            \
            group, write_predicate(warp, insn->operands[0], (expression) ? ALL_LANES : 0, group)); \
    }
VOTE(vote_all, (a & group) == group)
VOTE(vote_any, (a & group) != 0)
VOTE(vote_uni, (a & group) == group || (a & group) == 0)

EXECUTOR(vote_ballot) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    lane_mask a = read_predicate(warp, insn->operands[2]);
    FOR_EACH_GROUP(group, {
        for (lane_mask rest = group; rest; rest &= rest - 1)
            d[__builtin_ctz(rest)] = a & group;
    });
}

/* shfl (9.7.9.6): c packs the clamp (bits 0-4) and the segment mask (bits 8-12). A lane whose
 * source lies outside its segment keeps its own value and gets the predicate false. Reading a lane
 * that does not participate is undefined: one that the mask does not name, or that is not there any
 * more. That lane's last value is what hardware often gives, too; undef.c sees who uses it. */
#define SHUFFLE(name, source_expression, valid_expression)                                         \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0), result[WARP_LANES];                                  \
        uint8_t sources[WARP_LANES];                                                               \
        const uint32_t *a = VECTOR_AT(uint32_t, 2), *b = VECTOR_AT(uint32_t, 3);                   \
        const uint32_t *c = VECTOR_AT(uint32_t, 4);                                                \
        const uint32_t *masks = VECTOR_AT(uint32_t, 5);                                            \
        lane_mask valid_lanes = 0, alive = warp->existing & ~warp->exited, absent = 0;             \
        FOR_EACH_LANE(lane) {                                                                      \
            int segment = (int)(c[lane] >> 8 & 31), clamp = (int)(c[lane] & 31);                   \
            int value = (int)(b[lane] & 31), own = (int)lane;                                      \
            int highest = (own & segment) | (clamp & ~segment);                                    \
            int lowest = own & segment;                                                            \
            int source = source_expression;                                                        \
            bool valid = valid_expression;                                                         \
            (void)lowest;                                                                          \
            (void)highest;                                                                         \
            result[lane] = a[valid ? source & 31 : own];                                           \
            sources[lane] = (uint8_t)(source & 31);                                                \
            absent |= (lane_mask)(valid ? ~(masks[lane] & alive) >> (source & 31) & 1 : 0)         \
                      << lane;                                                                     \
            valid_lanes |= (lane_mask)(valid ? 1u : 0u) << lane;                                   \
        }                                                                                          \
        WRITE_LANES(d, result[lane]);                                                              \
        write_predicate(warp, insn->operands[1], valid_lanes, lanes);                              \
        warp->absent = absent & lanes;                                                             \
        if (warp->absent)                                                                          \
            memcpy(warp->absent_sources, sources, sizeof sources);                                 \
    }
SHUFFLE(shfl_up, own - value, source >= highest)
SHUFFLE(shfl_down, own + value, source <= highest)
SHUFFLE(shfl_bfly, own ^ value, source <= highest)
SHUFFLE(shfl_idx, lowest | (value & ~segment), source <= highest)

/* elect.sync d|p, mask: one lane of the mask, here the lowest. */
EXECUTOR(elect_sync) {
    uint32_t *d = VECTOR_AT(uint32_t, 0);
    FOR_EACH_GROUP(group, {
        for (lane_mask rest = group; rest; rest &= rest - 1)
            d[__builtin_ctz(rest)] = (uint32_t)__builtin_ctz(group);
        write_predicate(warp, insn->operands[1], group & -group, group);
    });
}

/* d may be the register of a: all lanes are compared before one is written. */
#define MATCH_ANY(name, T)                                                                         \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const T *a = VECTOR_AT(T, 2);                                                              \
        lane_mask result[WARP_LANES];                                                              \
        FOR_EACH_GROUP(group, {                                                                    \
            for (lane_mask rest = group; rest; rest &= rest - 1) {                                 \
                unsigned lane = (unsigned)__builtin_ctz(rest);                                     \
                lane_mask equal = 0;                                                               \
                for (lane_mask other = group; other; other &= other - 1)                           \
                    if (a[__builtin_ctz(other)] == a[lane])                                        \
                        equal |= other & -other;                                                   \
                result[lane] = equal;                                                              \
            }                                                                                      \
        });                                                                                        \
        for (lane_mask rest = lanes; rest; rest &= rest - 1)                                       \
            d[__builtin_ctz(rest)] = result[__builtin_ctz(rest)];                                  \
    }
MATCH_ANY(match_any_b32, uint32_t)
MATCH_ANY(match_any_b64, uint64_t)

#define MATCH_ALL(name, T)                                                                         \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const T *a = VECTOR_AT(T, 2);                                                              \
        FOR_EACH_GROUP(group, {                                                                    \
            bool all = true;                                                                       \
            for (lane_mask rest = group; rest; rest &= rest - 1)                                   \
                all &= a[__builtin_ctz(rest)] == a[__builtin_ctz(group)];                          \
            for (lane_mask rest = group; rest; rest &= rest - 1)                                   \
                d[__builtin_ctz(rest)] = all ? group : 0;                                          \
            write_predicate(warp, insn->operands[1], all ? ALL_LANES : 0, group);                  \
        });                                                                                        \
    }
MATCH_ALL(match_all_b32, uint32_t)
MATCH_ALL(match_all_b64, uint64_t)

#define REDUCE(name, T, expression)                                                                \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        const T *a = VECTOR_AT(T, 2);                                                              \
        FOR_EACH_GROUP(group, {                                                                    \
            T x = a[__builtin_ctz(group)];                                                         \
            for (lane_mask rest = group & (group - 1); rest; rest &= rest - 1) {                   \
                T y = a[__builtin_ctz(rest)];                                                      \
                x = (T)(expression);                                                               \
            }                                                                                      \
            for (lane_mask rest = group; rest; rest &= rest - 1)                                   \
                d[__builtin_ctz(rest)] = x;                                                        \
        });                                                                                        \
    }
REDUCE(redux_add, uint32_t, x + y)
REDUCE(redux_min_s32, int32_t, x < y ? x : y)
REDUCE(redux_min_u32, uint32_t, x < y ? x : y)
REDUCE(redux_max_s32, int32_t, x > y ? x : y)
REDUCE(redux_max_u32, uint32_t, x > y ? x : y)
REDUCE(redux_and, uint32_t, x &y)
REDUCE(redux_or, uint32_t, x | y)
REDUCE(redux_xor, uint32_t, x ^ y)

/* redux of f32: `magnitudes` for .abs; a NaN is left out, or with .NaN wins; one that is left over
 * is the canonical one. -0 is smaller than +0. */
static inline uint32_t float_pick(uint32_t x, uint32_t y, bool maximum, bool nan_wins) {
    const uint32_t sign = 0x80000000u, infinity = 0x7f800000u, canonical = 0x7fffffff;
    bool x_is_nan = (x & ~sign) > infinity, y_is_nan = (y & ~sign) > infinity;
    if (x_is_nan || y_is_nan)
        return nan_wins || (x_is_nan && y_is_nan) ? canonical : x_is_nan ? y : x;
    int64_t a = x & sign ? -(int64_t)(x & ~sign) - 1 : (int64_t)x;
    int64_t b = y & sign ? -(int64_t)(y & ~sign) - 1 : (int64_t)y;
    return (a > b) == maximum ? x : y;
}
#define REDUCE_FLOAT(name, maximum, nan_wins, magnitudes)                                          \
    EXECUTOR(name) {                                                                               \
        uint32_t *d = VECTOR_AT(uint32_t, 0);                                                      \
        const uint32_t *a = VECTOR_AT(uint32_t, 2);                                                \
        uint32_t kept = (magnitudes) ? 0x7fffffff : UINT32_MAX;                                    \
        FOR_EACH_GROUP(group, {                                                                    \
            uint32_t x = a[__builtin_ctz(group)] & kept;                                           \
            for (lane_mask rest = group; rest; rest &= rest - 1)                                   \
                x = float_pick(x, a[__builtin_ctz(rest)] & kept, maximum, nan_wins);               \
            for (lane_mask rest = group; rest; rest &= rest - 1)                                   \
                d[__builtin_ctz(rest)] = x;                                                        \
        });                                                                                        \
    }
REDUCE_FLOAT(redux_min_f32, false, false, false)
REDUCE_FLOAT(redux_max_f32, true, false, false)
REDUCE_FLOAT(redux_min_abs_f32, false, false, true)
REDUCE_FLOAT(redux_max_abs_f32, true, false, true)
REDUCE_FLOAT(redux_min_nan_f32, false, true, false)
REDUCE_FLOAT(redux_max_nan_f32, true, true, false)
REDUCE_FLOAT(redux_min_abs_nan_f32, false, true, true)
REDUCE_FLOAT(redux_max_abs_nan_f32, true, true, true)
