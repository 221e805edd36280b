/* The state of a replay, shared by replay.c and replay_memory.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_TIME_REPLAY_PRIVATE_H
#define WARPGRADE_SANDBOX_SIMGPU_TIME_REPLAY_PRIVATE_H

#include "sandbox/simgpu/time/replay.h"

enum { PENDING_SLOTS = 4096, MAX_SCHEDULERS = 16, INFLIGHT_TIMES = 16 };

/* What has its turn in a share of an instruction's executions. */
enum phase { PHASE_REQUEST, PHASE_MISS, PHASE_DRAM, PHASE_OTHER, PHASE_COUNT };

/* A fetch on its way to the L1, by the warps' count of the instruction's executions. */
struct inflight_fetch {
    uint64_t time;  /* of the first warp's executions, from 1 on */
    uint64_t block; /* the number of the block; 0: of any */
    double done;
    double users; /* requests that still have to wait for it */
};

struct walker { /* a warp; first what the choice among many looks at, in one cache line */
    const struct operation *operation; /* the next one to issue; NULL: at its end */
    double ready;                      /* when it can */
    uint64_t age; /* the number of its block, then its own: the lower the older */
    unsigned scheduler;
    bool waiting; /* at a barrier */
    bool live;
    const struct warp_path *path;
    size_t segment;
    uint32_t turns_left; /* of the segment */
    const struct operation *operations;
    size_t next, count;
    uint32_t low, high;             /* instructions of the region that this turn executes */
    const struct path_stretch *off; /* of those, the ones whose predicate is false, in order */
    uint32_t off_count;
    uint32_t after;   /* pc after the region in this segment */
    uint32_t culprit; /* pc that made it wait */
    double *values;   /* when each value is there */
    uint32_t *producers;
    float *phases;   /* [accessing instruction][phase]: how much of the next turn has built up */
    uint64_t *times; /* an accessing instruction: executions */
    double *fetched; /* ... when what it fetched last is there */
    double async;    /* when its asynchronous copies are there */
    double sent;     /* when its last store was issued that went to the L2 by itself */
    double drained;  /* when loads that nothing waits for are there: its place is not free before */
    double last_issue;
    double entered;          /* when it came to this piece of code, after the last branch */
    double parameter_clocks; /* from there until parameters are loaded */
    uint64_t budget;         /* instructions before its path is cut */
    unsigned block;          /* slot */
};

struct block_slot {
    unsigned live, arrived;
    double last_arrival;
    double end;        /* of its last warp so far */
    uint64_t work;     /* instructions */
    double event;      /* when it last showed or saw something, or started */
    uint32_t event_pc; /* ... at this instruction, plus 1 */
};

struct pending { /* sectors on their way */
    double done;
    double sectors;
};

struct replay {
    const struct replay_input *input;
    struct replay_result *result;
    struct walker *walkers;
    struct block_slot *slots;
    unsigned slot_count, warps;
    unsigned resident;   /* blocks of which all warps run at once */
    unsigned free_warps; /* that have room beside those that run */
    unsigned schedulers;
    double free_at[MAX_SCHEDULERS];
    struct walker **queues[MAX_SCHEDULERS]; /* a scheduler's live warps, oldest first */
    unsigned queued[MAX_SCHEDULERS];
    float joining; /* phase of stores that may go with others */
    double pipe_free[MAX_SCHEDULERS][PIPE_COUNT];
    double pipe_clocks[PIPE_COUNT];
    double constant_free; /* the unit that loads parameters and reads special registers */
    double barrier_free, memory_free, dram_free, atomic_free;
    double l2_free[L2_SERVERS], l2_busy[L2_SERVERS];
    double turn_free; /* when the words that all blocks' atomics meet on take the next one */
    double l2_rate, dram_rate, atomic_rate; /* sectors, sectors, lanes a clock */
    struct pending *pending;                /* a heap: what is there first is on top */
    float *phases;                          /* as a warp's, but of all warps together */
    double *misses;                  /* that an accessing instruction has left to it, so far */
    struct inflight_fetch *inflight; /* [slot][instruction][time % INFLIGHT_TIMES] */
    size_t pending_count;
    double pending_sectors;
    uint64_t next_block, ended, issued;
    uint64_t target; /* blocks that must end */
    uint64_t warp_budget;
    bool endless;                      /* there are more blocks than that */
    double spread;                     /* 0..1 */
    double now;                        /* of the last issue or end */
    double next_start, start_interval; /* of blocks */
    double first_round, last_end;
    uint64_t ended_work; /* instructions of blocks that have ended */
    double first_work;   /* ... and of all others so far, when the first round had ended */
    double scale;        /* paths are cut: the rest of the work, as a factor */
};

/* Work of `amount` at `rate`, not before `clock`: the time at which it is done. */
static inline double replay_serve(double *free_at, double clock, double amount, double rate,
                                  double *busy) {
    double duration = amount / rate;
    *free_at = (*free_at > clock ? *free_at : clock) + duration;
    *busy += duration;
    return *free_at;
}

/* Whether the operation runs with a predicate that is false in all lanes. */
static inline bool replay_is_off(const struct walker *walker, const struct operation *operation) {
    uint32_t low = 0, high = walker->off_count; /* the first stretch that ends after it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (walker->off[middle].last < operation->pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < walker->off_count && operation->pc >= walker->off[low].first;
}

/* Of a parameter that no piece of code has read yet: it is loaded there. */
#define REPLAY_ELSEWHERE (-1.0)

/* replay_walk.c: the operation's results are there at `ready`, or elsewhere. */
void replay_set_results(struct walker *walker, const struct operation *operation, double ready,
                        uint32_t producer);
/* Goes to the next operation that must be issued, and finds out when it can be. */
void replay_advance(struct replay *replay, struct walker *walker);
/* The same after a branch, which it takes longer to come away from where it is taken. */
void replay_branch(struct replay *replay, struct walker *walker);

/* The warp's block shows something to others, or looks for what they show: issued at `clock`, its
 * result is there at `done`. */
void replay_note_event(struct replay *replay, const struct walker *walker,
                       const struct operation *operation, double clock, double done);
void replay_note_end(struct replay *replay, const struct block_slot *block);

/* Before anything else: the pieces of the paths are put together, and their regions are made, so
 * that the number of values is known. */
void replay_prepare_paths(const struct replay_input *input);

/* How many blocks are worth simulating, and whether their paths must be cut. */
void replay_plan(struct replay *replay);
/* How many blocks may be there at a time: more than all of whose warps have room where most warps
 * end long before the last one of their block. */
unsigned replay_slots(const struct replay *replay);
/* Instructions of the blocks that have ended, and of the others the share that their warps have
 * come through. */
double replay_executed(const struct replay *replay);
/* The clocks of all work, of which so much has been executed. */
double replay_extrapolate(const struct replay *replay, double executed, double all);

/* A load, store or atomic that is issued at `clock`: when its result is there. */
double replay_access(struct replay *replay, struct walker *walker,
                     const struct operation *operation, double clock);

#endif
