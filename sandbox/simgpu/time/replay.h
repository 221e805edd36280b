/* One multiprocessor's time for the paths of some blocks. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_TIME_REPLAY_H
#define WARPGRADE_SANDBOX_SIMGPU_TIME_REPLAY_H

#include "sandbox/simgpu/memsys/block_dependency.h"
#include "sandbox/simgpu/memsys/warp_trace.h"
#include "sandbox/simgpu/sass/sass_model.h"

/* What the L2 does at the same time: it looks lines up, takes what is stored, gives what is loaded,
 * and its partitions send each other what is stored or comes from device memory. */
enum l2_server { L2_LOOKUP, L2_IN, L2_OUT, L2_FABRIC, L2_SERVERS };

/* What an instruction asks of memory, on average: of one execution by a warp, or of one request. */
struct memory_demand {
    double requests;           /* an execution */
    double wavefronts;         /* a request: shared memory, or sectors in fours */
    double wide_wavefronts[2]; /* a request of shared memory made wider, to 8 and to 16 bytes */
    double sectors;            /* a request: L1 */
    double miss_share;         /* requests that leave the SM */
    double l2_sectors;         /* such a request */
    double dram_share;         /* such requests that reach device memory */
    /* ... of the L2's lookups, way in and way out, in sectors of whole lines that are read */
    double l2_work[L2_SERVERS];
    double dram_work;    /* ... of device memory, likewise */
    double written_work; /* a request: of device memory, sooner or later */
    /* stores: the share of requests that go to the L2 with an earlier one of the same run
     * (write_combining.h) where that still waits for its way out; the lines of a request; and the
     * sectors and the work of one that goes by itself */
    double joined, stored_lines, alone_sectors, alone_work[L2_SERVERS];
    double atomic_sectors; /* a request: turns that it takes in the L2 */
    double atomic_passes;  /* a request: most lanes on one address of shared memory */
    double contended;      /* share of them that meet those of other warps of the block there */
    double found;          /* requests that find what the same instruction of other warps fetches */
    double found_other;    /* ... what the instruction `other` fetches */
    uint32_t other;        /* its number */
    bool found_far;        /* those other warps are of any block of the SM */
    bool repeated;         /* a warp executes it often enough to meet both hits and misses */
    double slow_issue, slow_clocks; /* an execution: what the slow path of a quotient takes */
    uint8_t space;
    bool often;      /* a warp executes it so many times that its own turns can be told apart */
    uint32_t number; /* among the instructions that access memory */
};

struct replay_input {
    const struct device_profile *device;
    struct sass_model *code;
    const struct warp_trace *trace;
    const struct memory_demand *demands; /* by pc */
    unsigned demand_count;               /* instructions that access memory */
    unsigned resident_blocks;            /* of an SM */
    unsigned most_blocks;                /* of an SM while most of their warps have ended */
    uint64_t sm_blocks;                  /* that the busiest SM executes */
    double atomic_turn;   /* clocks that an atomic of the SM waits for others' on the same words */
    double share;         /* of the device's L2 and memory bandwidth that the SM gets, 0..1 */
    const uint8_t *roles; /* by pc: enum dependency_role; NULL: blocks wait for no other */
    struct dependency_pace *pace; /* ... how long they take in between */
    bool alone; /* one block, the heaviest: it lasts as long as its longest warp */
};

struct replay_result {
    double clocks;                /* of all the SM's blocks */
    double busy[COST_PART_COUNT]; /* clocks that each part worked, likewise */
    double atomics;               /* requests of global memory, likewise */
    double *blame;                /* by pc: clocks; they sum up to `clocks`. The caller's */
};

void replay_run(const struct replay_input *input, struct replay_result *result);

#endif
