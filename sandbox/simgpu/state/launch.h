/* The state of a launch while it runs. Nothing is shared between host threads but what struct
 * launch says. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_LAUNCH_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_LAUNCH_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/limits.h"

#include <stdatomic.h>

struct access_record;
struct allocation;
struct block;
struct block_reach;
struct block_order;
struct block_dependency;
struct deadline;
struct heap;
struct host_thread;
struct hb_graph;
struct memory_system;
struct sample;
struct race_budget;
struct sass_model;
struct warp_trace;

/* What all host threads see; constant while they run, but for next_block, executed and stopped. */
struct launch {
    const struct engine_launch *request;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    const struct program *program; /* laid_out */
    struct program laid_out; /* the kernel that all launches share, with this one's dynamic shared
                                memory, and its code while spin_deadlock.c watches it */
    struct allocation *allocations; /* by window number */
    uint32_t allocation_count;
    unsigned char *
        *left; /* by window: what the launch before left of a module's variable; or NULL */
    unsigned char *params; /* the kernel's parameter block */
    uint64_t grid_workspace[8];
    struct heap *heap; /* NULL: nothing has called malloc */
    uint64_t budget;
    uint64_t block_count;
    struct dim3 cluster;               /* blocks; all 1: there are no clusters */
    uint32_t cluster_size;             /* all blocks of one */
    struct allocation *cluster_memory; /* cells of the shared memory of blocks that are resident */
    uint32_t cluster_memory_count;
    uint32_t local_bytes; /* a lane */
    bool checks;
    unsigned host_thread_count;
    struct host_thread *host_thread_pool;
    bool precise;                    /* partial barriers, flags: readers by lane and warp */
    struct access_record *records;   /* of global memory, by number */
    struct race_budget *race_budget; /* records of global memory, and how much all of it takes */
    uint32_t slices, slice; /* the part of global memory that this run follows: see race_budget.h */
    const struct sim_limits *limits;
    _Atomic bool incomplete;    /* something could not be remembered: a race may be missed */
    _Atomic bool unfollowed;    /* the same of values that were never written */
    struct hb_graph *hb_graph;  /* only where blocks run on one host thread */
    struct block *known_blocks; /* whose threads may have some of it */
    uint32_t first_global;      /* number of the first global record after the last grid barrier */
    uint64_t grid_arrivals;     /* of blocks at grid barriers */
    bool repeated;              /* this is not the first run: memory must be brought back */
    bool in_turns;              /* on one host thread, where blocks can wait for each other */
    uint64_t clock_leapt; /* ticks that passed while all threads waited, see spin_deadlock.c */
    uint64_t turn_slice;  /* warp instructions until another warp has its turn, where it can */
    uint8_t
        *turn_before; /* by pc, or NULL: other warps have a turn before it, see yield_points.h */
    struct memory_system *caches;        /* with a device profile: see cache.h, residency.c */
    struct sample *sample;               /* not all blocks are simulated */
    enum sampling sampling;              /* ... or why they are */
    struct sass_model *sass;             /* cost model: the machine's code; NULL: no device */
    struct warp_trace *trace;            /* cost model: paths of some blocks; NULL: no device */
    struct block_dependency *dependency; /* ... which blocks wait for which; NULL: none wait */
    _Atomic uint64_t next_block, executed;
    _Atomic bool stopped;
    struct deadline *deadline;     /* see deadline.h; NULL: it may take as long as it does */
    _Atomic bool expired;          /* nothing more is executed */
    struct block_order *order;     /* see block_order.c; NULL: not asked */
    struct block_reach *reaches;   /* one a block: see race_scope.c; NULL: not noted */
    struct reads_past *reads_past; /* see reads_over.c; NULL: nothing */
};

#endif
