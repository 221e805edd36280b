/* What to do about a race: which sentence of hazard_fix.def. Looked at only when a race is put into
 * words. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_FIX_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_FIX_H

#include "sandbox/simgpu/check/race_index.h"
#include "sandbox/simgpu/state/host_thread.h"

/* Two accesses that race; at least one of them writes. */
struct race_pair {
    uint32_t pc, other_pc;
    bool store, other_store, strong, other_strong;
    bool shared; /* in shared memory */
    enum race_span span;
    bool named; /* both threads are known */
    struct race_thread thread, other;
};

enum hazard_fix race_fix_choose(const struct program *program, const struct race_pair *pair);
/* The one that also helps pairs of the same two lines that are farther apart. */
enum hazard_fix race_fix_widen(const struct program *program, enum hazard_fix fix,
                               enum race_span span);

#endif
