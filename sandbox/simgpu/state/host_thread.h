/* One host thread's own part of a launch: counters, hazards, what was printed. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_HOST_THREAD_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_HOST_THREAD_H

#include "sandbox/base/launch.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/stats.h"

struct access_example;
struct cache_stats;
struct launch;
struct spin_deadlock;

/* How far apart the threads of a race are. */
enum race_span { SPAN_WARP, SPAN_BLOCK, SPAN_GRID };

struct hazard_record {
    struct hazard hazard;
    uint64_t block_index; /* of the first example */
    uint32_t pc, other_pc;
    enum race_span span; /* of a race: the widest of all that were counted */
    bool vague;          /* ... whose other thread could not be named */
    uint64_t moment;     /* of the block, and the lane: orders examples */
};

struct printed_block {
    uint64_t block_index;
    struct text text;
};

/* Two instructions whose race has an example that no later one can better. */
enum { REPORTED_RACES = 256 };
struct reported_race {
    uint32_t pc, other_pc;
    size_t hazard; /* of host->hazards, plus 1; 0: none */
};
static inline unsigned reported_slot(uint32_t pc, uint32_t other_pc) {
    return (pc * 31 + other_pc) % REPORTED_RACES;
}

/* One host thread's own things. */
struct host_thread {
    struct launch *launch;
    struct insn_stats *stats;        /* one an instruction */
    struct memory_stats *memory;     /* MEMORY_CLASS_COUNT an instruction */
    struct cache_stats *cache;       /* one an instruction; only with caches */
    struct access_example *examples; /* one an instruction; only with a device */
    struct access_shape *shapes;     /* one an instruction */
    struct race_site *sites;         /* one an instruction */
    uint64_t free_records; /* numbers that this host thread may give out: free_base + set bits */
    uint32_t free_base;
    uint64_t fresh_words[2]; /* of global memory, that it was the first to read, to write */
    struct hazard_record *hazards;
    size_t hazard_count, hazard_capacity;
    struct reported_race reported[REPORTED_RACES]; /* by hash */
    struct printed_block *printed;
    size_t printed_count, printed_capacity;
    uint32_t reach_from, reach_to; /* the last question of barrier.c and its answer */
    bool reach_answer;
    struct observation *observations; /* of check/message/observed.c; NULL: none yet */
    struct observed_pair {
        uint32_t observing, other; /* the last questions of check/message/observed.c ... */
        bool decides;              /* ... and their answers */
    } observed[8];
    struct spin_deadlock
        *spin_deadlock; /* looks for deadlocks of polling threads; NULL: not on this thread */
    bool stop;          /* trap, budget: this launch ends */
};

#endif
