/* The executors' side of the machine: lane vectors, masks and the macros that make an executor.
 *
 * The exec_*.c files are compiled once for each instruction-set level of the host (SIM_VARIANT), so
 * their functions carry the level in their names; exec_table.c gathers them by the rows of isa.def.
 * A lane loop is written so that the compiler turns it into vector code: 32 lanes, no branches, no
 * aliasing but lane by lane. Inactive lanes keep their value. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_EXECUTOR_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_EXECUTOR_H

#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

#define SIM_PASTE(a, b, c)  a##b##_##c
#define SIM_PASTE_(a, b, c) SIM_PASTE(a, b, c)
#define SIM_NAME(name)      SIM_PASTE_(sim_, name, SIM_VARIANT)
#define EXECUTOR(name)                                                                             \
    void SIM_NAME(name)(struct warp * warp, const struct insn *insn, lane_mask lanes)

#define FORM(key, op, operands, flow, cost, fast, general)                                         \
    sim_executor SIM_NAME(fast), SIM_NAME(general);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-decls"
#include "sandbox/simgpu/program/isa.def"
#pragma GCC diagnostic pop

/* The result of setp and set with .and, .or or .xor: `compared` and the predicate in the slot. */
static inline lane_mask combine_predicate(const struct warp *warp, const struct insn *insn,
                                          unsigned slot, lane_mask compared) {
    if (insn->boolean == BOOLEAN_NONE)
        return compared;
    lane_mask other = read_predicate(warp, insn->operands[slot]);
    return insn->boolean == BOOLEAN_AND  ? compared & other
           : insn->boolean == BOOLEAN_OR ? compared | other
                                         : compared ^ other;
}

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

static inline int32_t saturate_s32(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

#endif
