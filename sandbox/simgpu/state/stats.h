/* What one instruction did, by host thread: raw numbers of which memsys/tally.c makes counters. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_STATS_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_STATS_H

#include "sandbox/base/types.h"

/* What one static instruction did, added up over the warps of one host thread. */
struct insn_stats {
    uint64_t warps, threads;
    uint64_t guarded_lanes; /* lanes that its guard switched off */
    uint64_t guarded_warps; /* barrier: warps whose guard switched off all their lanes */
    uint64_t diverged;      /* branch: warps whose lanes went both ways */
    uint64_t operations;    /* matrix product: floating-point operations */
};

/* What it did to memory; generic instructions reach several spaces. */
enum memory_class { MEMORY_GLOBAL, MEMORY_SHARED, MEMORY_LOCAL, MEMORY_CONST, MEMORY_CLASS_COUNT };
struct memory_stats {
    uint64_t requests;  /* warps with at least one active lane */
    uint64_t units;     /* shared: wavefronts; global, local: sectors */
    uint64_t conflicts; /* shared: wavefronts beyond the necessary; constant: replays; atomic: lanes
                           beyond the first on an address */
    uint64_t ideal;     /* global: sectors if the distinct bytes lay side by side */
    uint64_t bytes;     /* global: asked for by lanes */
    uint64_t lanes;     /* atomic */
    uint64_t passes;    /* atomic: most lanes on one address */
    uint64_t unused;    /* one cache line */
};

#endif
