/* Lane vectors and predicates in a warp's registers, and loops over lanes. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_LANES_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_LANES_H

#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/warp.h"

enum { ALL_LANES_COUNT = WARP_LANES };
#define ALL_LANES ((lane_mask)0xffffffffu)

/* The lane vector in slot `slot`: in the registers or in the pool of constants. */
static inline void *lane_vector(const struct warp *warp, uint32_t operand) {
    unsigned char *base = warp->bases[operand & OPERAND_CONSTANT];
    return __builtin_assume_aligned(base + (operand & ~(uint32_t)3), 4);
}
#define VECTOR_AT(type, slot)                                                                      \
    ((type *)__builtin_assume_aligned(lane_vector(warp, insn->operands[slot]), 64))

/* A predicate register is one lane mask. */
static inline lane_mask read_predicate(const struct warp *warp, uint32_t operand) {
    lane_mask mask = *(const lane_mask *)lane_vector(warp, operand);
    return operand & OPERAND_NEGATED ? ~mask : mask;
}
static inline void write_predicate(const struct warp *warp, uint32_t operand, lane_mask value,
                                   lane_mask lanes) {
    lane_mask *mask = lane_vector(warp, operand);
    *mask = (*mask & ~lanes) | (value & lanes);
}

#define FOR_EACH_LANE(lane) for (unsigned lane = 0; lane < WARP_LANES; lane++)
#define LANE_ACTIVE(lane)   ((lanes >> (lane)) & 1)
/* Set lanes only, in order: for work that is not a plain vector operation. */
#define FOR_ACTIVE_LANES(lane)                                                                     \
    for (lane_mask rest_ = lanes; rest_ && ((lane = (unsigned)__builtin_ctz(rest_)), 1);           \
         rest_ &= rest_ - 1)

/* d[lane] = expression for the active lanes; `lane` is in scope. */
#define WRITE_LANES(d, expression)                                                                 \
    do {                                                                                           \
        if (lanes == ALL_LANES) {                                                                  \
            _Pragma("GCC ivdep") FOR_EACH_LANE(lane)(d)[lane] = (__typeof__((d)[0]))(expression);  \
        } else {                                                                                   \
            _Pragma("GCC ivdep") FOR_EACH_LANE(lane)(d)[lane] =                                    \
                LANE_ACTIVE(lane) ? (__typeof__((d)[0]))(expression) : (d)[lane];                  \
        }                                                                                          \
    } while (0)

#endif
