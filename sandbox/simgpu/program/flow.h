/* The control flow of one function while it is decoded: flow.c makes it, liveness.c looks at it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_FLOW_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_FLOW_H

#include "sandbox/simgpu/program/decoder.h"
#include "sandbox/simgpu/program/program.h"

struct flow_block {
    uint32_t first, last; /* pcs, inclusive */
    uint32_t *successors;
    uint32_t successor_count;
    int32_t order;          /* in the reversed graph's post-order; -1: cannot reach the end */
    int32_t post_dominator; /* block, or the exit's number */
};

struct graph {
    struct flow_block *blocks;
    uint32_t count;     /* the exit is number `count` */
    uint32_t *block_of; /* pc - first_pc -> block */
    uint32_t first_pc, end_pc;
    uint32_t *predecessor_start, *predecessors; /* of the original graph, exit included */
    uint32_t *by_order, ordered;
};

/* liveness.c: which registers of the function may be read before they are written. */
void liveness_find(struct decoder *decoder, const struct graph *graph);

#endif
