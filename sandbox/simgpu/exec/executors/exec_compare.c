/* setp, set, selp, slct (PTX ISA 9.7.6): comparison into predicates or registers, and selection.
 *
 * One executor a type; the comparison is chosen outside the lane loop. Unordered comparisons (equ,
 * ltu ...) are true where an operand is NaN, ordered ones false. */
#include "sandbox/simgpu/exec/executors/executor.h"

#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/warp.h"

#include <math.h>

#define COMPARE_LOOP(expression)                                                                   \
    do {                                                                                           \
        uint32_t bits[WARP_LANES];                                                                 \
        FOR_EACH_LANE(lane) bits[lane] = (uint32_t)((expression) ? 1u : 0u) << lane;               \
        FOR_EACH_LANE(lane) result |= bits[lane];                                                  \
    } while (0)

#define ORDERED_CASES                                                                              \
    case COMPARE_eq:                                                                               \
        COMPARE_LOOP(a[lane] == b[lane]);                                                          \
        break;                                                                                     \
    case COMPARE_ne:                                                                               \
        COMPARE_LOOP(ORDERED(a[lane], b[lane]) && a[lane] != b[lane]);                             \
        break;                                                                                     \
    case COMPARE_lt:                                                                               \
        COMPARE_LOOP(a[lane] < b[lane]);                                                           \
        break;                                                                                     \
    case COMPARE_le:                                                                               \
        COMPARE_LOOP(a[lane] <= b[lane]);                                                          \
        break;                                                                                     \
    case COMPARE_gt:                                                                               \
        COMPARE_LOOP(a[lane] > b[lane]);                                                           \
        break;                                                                                     \
    case COMPARE_ge:                                                                               \
        COMPARE_LOOP(a[lane] >= b[lane]);                                                          \
        break;

#define UNORDERED_CASES                                                                            \
    case COMPARE_equ:                                                                              \
        COMPARE_LOOP(!ORDERED(a[lane], b[lane]) || a[lane] == b[lane]);                            \
        break;                                                                                     \
    case COMPARE_neu:                                                                              \
        COMPARE_LOOP(a[lane] != b[lane]);                                                          \
        break;                                                                                     \
    case COMPARE_ltu:                                                                              \
        COMPARE_LOOP(!(a[lane] >= b[lane]));                                                       \
        break;                                                                                     \
    case COMPARE_leu:                                                                              \
        COMPARE_LOOP(!(a[lane] > b[lane]));                                                        \
        break;                                                                                     \
    case COMPARE_gtu:                                                                              \
        COMPARE_LOOP(!(a[lane] <= b[lane]));                                                       \
        break;                                                                                     \
    case COMPARE_geu:                                                                              \
        COMPARE_LOOP(!(a[lane] < b[lane]));                                                        \
        break;                                                                                     \
    case COMPARE_num:                                                                              \
        COMPARE_LOOP(ORDERED(a[lane], b[lane]));                                                   \
        break;                                                                                     \
    case COMPARE_nan:                                                                              \
        COMPARE_LOOP(!ORDERED(a[lane], b[lane]));                                                  \
        break;

#define INTEGER_COMPARE(name, T)                                                                   \
    static lane_mask SIM_NAME(compare_##name)(const T *a, const T *b, unsigned compare) {          \
        lane_mask result = 0;                                                                      \
        switch (compare) { ORDERED_CASES }                                                         \
        return result;                                                                             \
    }
#define FLOAT_COMPARE(name, T)                                                                     \
    static lane_mask SIM_NAME(compare_##name)(const T *a, const T *b, unsigned compare) {          \
        lane_mask result = 0;                                                                      \
        switch (compare) { ORDERED_CASES UNORDERED_CASES }                                         \
        return result;                                                                             \
    }
#define ORDERED(x, y) true
INTEGER_COMPARE(u16, uint16_t)
INTEGER_COMPARE(s16, int16_t)
INTEGER_COMPARE(u32, uint32_t)
INTEGER_COMPARE(s32, int32_t)
INTEGER_COMPARE(u64, uint64_t)
INTEGER_COMPARE(s64, int64_t)
#undef ORDERED
#define ORDERED(x, y) ((x) == (x) && (y) == (y))
FLOAT_COMPARE(f32, float)
FLOAT_COMPARE(f64, double)

/* setp.CmpOp.BoolOp p|q, a, b, c: p = (a CmpOp b) BoolOp c, q = !(a CmpOp b) BoolOp c. */
static void write_pair(struct warp *warp, const struct insn *insn, lane_mask compared,
                       lane_mask lanes) {
    lane_mask p = combine_predicate(warp, insn, 4, compared),
              q = combine_predicate(warp, insn, 4, ~compared);
    write_predicate(warp, insn->operands[0], p, lanes);
    write_predicate(warp, insn->operands[1], q, lanes);
}

#define SETP(type, T)                                                                              \
    EXECUTOR(setp_##type) {                                                                        \
        const T *a = VECTOR_AT(T, 2), *b = VECTOR_AT(T, 3);                                        \
        write_pair(warp, insn, SIM_NAME(compare_##type)(a, b, insn->compare), lanes);              \
    }
SETP(u16, uint16_t)
SETP(s16, int16_t)
SETP(u32, uint32_t)
SETP(s32, int32_t)
SETP(u64, uint64_t)
SETP(s64, int64_t)
SETP(f32, float)
SETP(f64, double)

EXECUTOR(setp_f32_general) {
    float flushed[2][WARP_LANES];
    for (unsigned i = 0; i < 2; i++) {
        const float *from = VECTOR_AT(float, 2 + i);
        FOR_EACH_LANE(lane)
        flushed[i][lane] = fabsf(from[lane]) < 0x1p-126f ? copysignf(0.0f, from[lane]) : from[lane];
    }
    write_pair(warp, insn, SIM_NAME(compare_f32)(flushed[0], flushed[1], insn->compare), lanes);
}

#define SET(name, D, type, T, true_value)                                                          \
    EXECUTOR(name) {                                                                               \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        D *d = VECTOR_AT(D, 0);                                                                    \
        lane_mask result =                                                                         \
            combine_predicate(warp, insn, 3, SIM_NAME(compare_##type)(a, b, insn->compare));       \
        WRITE_LANES(d, (result >> lane & 1) ? (D)(true_value) : (D)0);                             \
    }
SET(set_b32_s32, uint32_t, s32, int32_t, UINT32_MAX)
SET(set_b32_u32, uint32_t, u32, uint32_t, UINT32_MAX)
SET(set_b32_f32, uint32_t, f32, float, UINT32_MAX)
SET(set_b32_f64, uint32_t, f64, double, UINT32_MAX)
SET(set_f32_s32, float, s32, int32_t, 1.0f)
SET(set_f32_u32, float, u32, uint32_t, 1.0f)
SET(set_f32_f32, float, f32, float, 1.0f)

#define SELECT(name, T)                                                                            \
    EXECUTOR(name) {                                                                               \
        T *d = VECTOR_AT(T, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        lane_mask p = read_predicate(warp, insn->operands[3]);                                     \
        WRITE_LANES(d, (p >> lane & 1) ? a[lane] : b[lane]);                                       \
    }
SELECT(selp_b16, uint16_t)
SELECT(selp_b32, uint32_t)
SELECT(selp_b64, uint64_t)
