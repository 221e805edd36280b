/* The executors' side of the machine: lane vectors, masks and the macros that make an executor.
 *
 * The exec_*.c files are compiled once for each instruction-set level of the host (SIM_VARIANT), so
 * their functions carry the level in their names; exec_table.c gathers them by the rows of isa.def.
 * A lane loop is written so that the compiler turns it into vector code: 32 lanes, no branches, no
 * aliasing but lane by lane. Inactive lanes keep their value. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_H

#include "sandbox/simgpu/machine.h"

#include <string.h>

#define SIM_PASTE(a, b, c)  a##b##_##c
#define SIM_PASTE_(a, b, c) SIM_PASTE(a, b, c)
#define SIM_NAME(name)      SIM_PASTE_(sim_, name, SIM_VARIANT)
#define EXECUTOR(name)                                                                             \
    void SIM_NAME(name)(struct warp * warp, const struct insn *insn, lane_mask lanes)

#define FORM(key, operands, flow, cost, fast, general)                                             \
    sim_executor SIM_NAME(fast), SIM_NAME(general);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#include "sandbox/simgpu/isa.def"
#pragma GCC diagnostic pop

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

/* d = f(a), f(a, b), f(a, b, c): T the type of the sources, D of the destination. */
#define UNARY(name, D, T, expression)                                                              \
    EXECUTOR(name) {                                                                               \
        D *d = VECTOR_AT(D, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1);                                                              \
        WRITE_LANES(d, expression);                                                                \
    }
#define BINARY(name, D, T, expression)                                                             \
    EXECUTOR(name) {                                                                               \
        D *d = VECTOR_AT(D, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        WRITE_LANES(d, expression);                                                                \
    }
#define TERNARY(name, D, T, C, expression)                                                         \
    EXECUTOR(name) {                                                                               \
        D *d = VECTOR_AT(D, 0);                                                                    \
        const T *a = VECTOR_AT(T, 1), *b = VECTOR_AT(T, 2);                                        \
        const C *c = VECTOR_AT(C, 3);                                                              \
        WRITE_LANES(d, expression);                                                                \
    }

#endif
