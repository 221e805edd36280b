/* The state of a launch while it runs: grid, blocks, warps, splits, memory, counters.
 *
 * A warp's lanes that share a program counter form a split. A warp starts as one split; a
 * divergent branch makes two, which meet again at a join (the branch's immediate post-dominator).
 * Splits of one warp take turns, so that a lane can wait for another lane of its own warp, as on
 * Volta and later. Nothing here is shared between host threads but what struct launch says. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MACHINE_H
#define WARPGRADE_SANDBOX_SIMGPU_MACHINE_H

#include "grader/base/text.h"
#include "sandbox/profile.h"
#include "sandbox/simgpu/knowledge.h"
#include "sandbox/simgpu/limits.h"
#include "sandbox/simgpu/program.h"

#include <stdatomic.h>

/* Every device address is a handle: the allocation's number above ADDRESS_SHIFT, the offset below.
 * Looking an allocation up is a shift, and running off its end cannot reach the next one. */
enum {
    ADDRESS_SHIFT = 36,
    WINDOW_NULL = 0,
    WINDOW_SHARED = 1, /* generic addresses of .shared: window + offset */
    WINDOW_LOCAL = 2,
    WINDOW_FUNCTION = 3,
    WINDOW_PARAM = 4,
    WINDOW_GRID = 5, /* the workspace of cooperative groups' grid barrier */
    WINDOW_FIRST_VARIABLE = 8,
    WINDOW_LIMIT = 4096,
    MAX_RESIDENT_BLOCKS = 512, /* at most so many blocks run in turns */
    SHARED_START = 1024, /* offset of the first variable, a multiple of the 128-byte bank row */
    /* In front of it is what the system reserves on compute_80 and later; of that, cooperative
     * groups have 288 bytes for tiles of several warps: five words and three more that the system
     * zeroes when a block starts, and 8 bytes a warp. Not at 0, where a null pointer points. */
    GROUPS_START = 512,
    GROUPS_BYTES = 288,
    GROUPS_ZEROED_BYTES = 32,
    SHARED_GAP = 128, /* at least this much nobody's land between variables */
    MAX_WARPS = 32,
    MAX_FUNCTIONS = 2048, /* of a program, copies included */
    MAX_BARRIERS = 16,
    PRINTED_LIMIT = 64 << 10,
    MAX_HOST_BYTES = 1 << 30, /* of the blocks that run at the same time; of a block's frames */
};
#define ADDRESS_OF(window) ((device_address)(window) << ADDRESS_SHIFT)
#define OFFSET_MASK        (ADDRESS_OF(1) - 1)

/* Shadow of one byte of shared or local memory. PENDING: an asynchronous copy is on its way there;
 * TRACKED: some of its bits have no value, see poison_memory.c. */
enum shadow {
    SHADOW_NOBODY = 0,
    SHADOW_UNINITIALIZED = 1,
    SHADOW_INITIALIZED = 3,
    SHADOW_PENDING = 5,
    SHADOW_TRACKED = 9
};

/* Race detection: see race.c. */
struct race_site { /* the last record that an instruction made */
    uint64_t block;
    uint32_t number, time;
    lane_mask lanes;
    uint16_t warp;
    bool shared;
};
struct race_cells {       /* see shadow.h */
    uint32_t *words;      /* a cell for four bytes; NULL: not tracked */
    uint32_t *bytes;      /* a cell a byte, where a word's cell is too coarse; NULL: none yet */
    uint32_t *previous;   /* of a word: another thread than the cell's, where there are several */
    unsigned char *pages; /* of bytes: one a page of the host that has been used */
    uint64_t length;      /* of the memory, in bytes */
};
struct record_link { /* from a record to the earlier accesses that are to be remembered, too */
    uint32_t older;  /* cell; 0: none */
    uint32_t count;
};
/* Who can rely on a fence or a strong access: see race_order.c. */
enum reach { REACH_DEVICE, REACH_BLOCK, REACH_COUNT };
struct fences {                /* of a warp's lanes, that reach so far or farther */
    lane_mask lanes;           /* that have something to publish */
    uint32_t time[WARP_LANES]; /* of each lane's last one */
    lane_mask held;            /* that have fenced, or met one that has, since the block barrier */
    knot_ref refs[WARP_LANES]; /* what each of them may publish */
};
struct block_races {
    struct race_cells writes, reads; /* of shared memory */
    struct access_record *records;   /* of this barrier interval: numbers first..next-1 */
    struct record_link *links;       /* one a record */
    size_t capacity;
    uint32_t first, next;
    uint32_t next_look;           /* with so many of them: see race_recycle.c */
    uint32_t time;                /* synchronisation events so far */
    uint32_t barrier_time;        /* of the last block barrier */
    uint32_t *knows_warp;         /* [warp][other warp], through barriers of some warps */
    bool fenced;                  /* there were fences before the last block barrier ... */
    knot_ref at_fence;            /* ... and what all threads may publish by them */
    knot_ref common;              /* the list of all warps since then */
    struct sync_pages *pages;     /* where threads of the block alone learn of one another */
    struct block *older, **newer; /* the launch's blocks: see race_knots.c */
    uint32_t held_until;          /* the last fence before it that reached the block only ... */
    uint32_t far_until;           /* ... and the last one that reached others: see race_scope.c */
    uint32_t arrive_time[MAX_BARRIERS][MAX_WARPS]; /* of bar.arrive */
};

struct allocation {
    unsigned char *bytes;
    unsigned char *shadow; /* one enum shadow a byte; NULL: all of it is initialised */
    uint64_t length;
    struct race_cells writes, reads; /* of the race detector */
    bool read_only;
    bool is_const;
    bool on_heap;                /* from the device's malloc; bytes are NULL after free */
    uint32_t malloc_pc, free_pc; /* on_heap */
    uint64_t *filled; /* bit a chunk: made already; NULL: all bytes are there. See fill.c */
    const struct engine_argument *argument; /* NULL: a variable of the module */
    const struct placed_variable *variable;
    const struct engine_argument *contents; /* of a .const variable: what the launch puts there */
};

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

/* The shape of an instruction's last access: most accesses have the shape of the one before, moved
 * as a whole, so that bounds, sectors and wavefronts follow from the first lane's address. */
struct access_shape {
    int32_t delta[WARP_LANES]; /* from the first active lane's address */
    lane_mask lanes;
    int32_t lowest, highest;
    uint16_t misaligned; /* or of the deltas' low bits */
    uint8_t first_lane;
    uint8_t contiguous;         /* delta[i] = i * bytes, all lanes active */
    uint8_t uniform;            /* all deltas 0 */
    uint8_t unique_count;       /* distinct deltas ... */
    uint8_t unique[WARP_LANES]; /* ... and a lane of each */
    lane_mask unique_shared;    /* bit i: unique[i] stands for several lanes */
    uint8_t active_count;       /* lanes; more than unique_count where some share a place */
    uint8_t ideal_sectors;
    uint8_t groups; /* of lanes that shared memory serves together; with the wavefronts */
    bool valid;
    /* by the first address modulo their length; 0: not counted yet */
    uint8_t sectors[32], wavefronts[4];
    uint16_t local_sectors[4];
    uint8_t wide_wavefronts[2]; /* of 8 and of 16 bytes a lane; 0: not counted yet */
};

struct frame {
    struct frame *caller;
    const struct program_function *function;
    uint32_t return_pc;
    const struct call_site *call;
    uint32_t local_base, param_base; /* in each lane's local memory */
    unsigned char *registers;
    uint32_t depth;
};

/* Where splits meet: at pc of the same frame, or at the return of that frame (pc == PC_NONE). */
struct join {
    struct join *parent;
    uint32_t pc;
    struct frame *frame;
    lane_mask expected; /* lanes that are still to come or have come */
    lane_mask arrived;
    uint32_t passed;              /* of the split that came last */
    struct join *next, *previous; /* all joins of the warp */
};

enum split_state {
    SPLIT_RUNNABLE,
    SPLIT_AT_BARRIER,
    SPLIT_AT_WARP_SYNC,
};

struct split {
    uint32_t pc;
    lane_mask lanes;
    enum split_state state;
    struct join *join;
    struct frame *frame;
    uint8_t barrier;        /* AT_BARRIER: id */
    uint32_t barrier_count; /* threads it waits for; 0: the whole block */
    lane_mask sync_mask;    /* AT_WARP_SYNC: lanes its masks name */
    uint32_t passed;        /* pc of the last conditional branch or join it came by */
};

struct warp {
    unsigned char *bases[2]; /* registers of the running split's frame; constants */
    struct block *block;
    struct host *host;
    struct frame *frame; /* of the running split */
    lane_mask running;   /* lanes of the running split */
    unsigned index;
    lane_mask existing; /* lanes that are threads of the block */
    lane_mask exited;
    uint32_t exit_pc[WARP_LANES], exit_passed[WARP_LANES]; /* see struct split, passed */
    struct split splits[WARP_LANES];
    unsigned split_count, next_split;
    uint64_t turn;       /* warp instructions since other splits had theirs */
    bool slice_over;     /* the turn goes on when other warps have had a slice of theirs */
    uint32_t line_start; /* ... inside a straight line that began here; or PC_NONE */
    struct poll {        /* atomic or volatile accesses that found the same again and again */
        lane_mask lanes; /* of the split that polls */
        uint32_t pc;
        unsigned count;
        uint64_t address, value;
        struct poll_place { /* others of the same loop */
            uint32_t pc;
            uint64_t address, value;
        } earlier[3];
        unsigned earlier_count;
    } poll;
    struct frame *bottom; /* of the kernel itself; reused by the next block */
    struct join *joins, *free_joins;
    unsigned char *local, *local_shadow;       /* lane-major, launch->local_bytes a lane */
    uint8_t carry[WARP_LANES];                 /* CC.CF: .cc instructions */
    lane_mask cluster_arrived, cluster_passed; /* barrier.cluster: see cluster.c */
    struct async *async; /* copies on their way, see async.h; NULL: none yet */
    /* race detection */
    uint32_t full_time;  /* of the last event that all its lanes took part in */
    uint32_t event_time; /* of its last event of any kind */
    uint32_t *lane_time; /* [lane][other lane]: of the last event both know of */
    bool tracked;        /* has made accesses since its last event */
    knot_ref known;      /* list of what which lanes have learnt, see knowledge.h */
    struct path *path;   /* cost model: where to note the way; NULL: not traced */
    lane_mask absent; /* lanes to which a shuffle gave the value of one that takes no part in it */
    uint8_t absent_sources[WARP_LANES]; /* which one */
    struct poison *poisons;             /* uninitialised values in registers: see poison.c */
    size_t poison_count, poison_capacity;
    uint32_t
        poison_heads[64];   /* of the lists of those with one bit of the filter, where it is set */
    uint64_t poison_filter; /* of the registers that hold them */
    struct fences fences[REACH_COUNT]; /* REACH_BLOCK: only where program->scoped */
};

struct barrier {
    uint32_t arrived;  /* threads, arrive included */
    uint32_t expected; /* 0: nobody waits yet */
    bool whole_block;
    uint32_t reduced_popc;
    bool reduced_and, reduced_or;
    uint32_t arriving_warps; /* that came by bar.arrive and did not wait */
};

struct block {
    struct launch *launch;
    struct host *host;
    uint64_t index; /* linear */
    struct dim3 id;
    struct warp *warps;
    unsigned warp_count, thread_count;
    unsigned char *shared, *shared_shadow;
    struct barrier barriers[MAX_BARRIERS + 1]; /* the last one is the cluster's */
    uint32_t live_threads;
    uint64_t executed;    /* thread instructions ... */
    uint64_t budget;      /* ... of at most so many */
    uint64_t frame_bytes; /* registers of all calls that are open */
    uint32_t passes;      /* over its warps, so far */
    bool pausable;        /* may give way to other blocks at any barrier ... */
    bool paused;          /* ... and did so: it yields without polling */
    uint32_t sm, slot;    /* with caches: of which SM; its number among the resident blocks */
    double weight;        /* with caches: blocks of the grid that it stands for */
    uint32_t capture;     /* of a sample: its mark, see capture.h */
    struct block_races races;
    struct tracked_entry *tracked; /* uninitialised values in its memory: see poison_memory.c */
};

struct hazard_record {
    struct hazard hazard;
    uint64_t block_index; /* of the first example */
    uint32_t pc, other_pc;
    bool vague;      /* a race whose other thread could not be named */
    uint64_t moment; /* of the block, and the lane: orders examples */
};

struct printed_block {
    uint64_t block_index;
    struct text text;
};

/* Two instructions whose race has an example that no later one can better. */
enum { TOLD_RACES = 256 };
struct told_race {
    uint32_t pc, other_pc;
    size_t hazard; /* of host->hazards, plus 1; 0: none */
};
static inline unsigned told_slot(uint32_t pc, uint32_t other_pc) {
    return (pc * 31 + other_pc) % TOLD_RACES;
}

/* One host thread's own things. */
struct host {
    struct launch *launch;
    struct insn_stats *stats;    /* one an instruction */
    struct memory_stats *memory; /* MEMORY_CLASS_COUNT an instruction */
    struct cache_stats *cache;   /* one an instruction; only with caches */
    struct access_shape *shapes; /* one an instruction */
    struct race_site *sites;     /* one an instruction */
    uint64_t free_records;       /* numbers that this host may give away: free_base + set bits */
    uint32_t free_base;
    uint64_t fresh_words[2]; /* of global memory, that it was the first to read, to write */
    struct hazard_record *hazards;
    size_t hazard_count, hazard_capacity;
    struct told_race told[TOLD_RACES]; /* by hash */
    struct printed_block *printed;
    size_t printed_count, printed_capacity;
    uint32_t reach_from, reach_to; /* the last question of barrier.c and its answer */
    bool reach_answer;
    struct stuck *stuck; /* looks for deadlocks of polling threads; NULL: not on this thread */
    bool stop;           /* trap, budget: this launch ends */
};

/* What all host threads see; constant while they run, but for next_block, executed and stopped. */
struct launch {
    const struct engine_launch *request;
    const struct ptx_module *module;
    const struct ptx_function *kernel;
    const struct program *program;
    struct allocation *allocations; /* by window number */
    uint32_t allocation_count;
    unsigned char *params; /* the kernel's parameter block */
    uint64_t grid_workspace[8];
    struct heap *heap; /* NULL: nothing has called malloc */
    uint64_t budget;
    uint64_t block_count;
    uint32_t local_bytes; /* a lane */
    bool checks;
    unsigned host_count;
    struct host *hosts;
    bool precise;                  /* partial barriers, flags: readers by lane and warp */
    struct access_record *records; /* of global memory, by number */
    struct shadow_memory *shadow;  /* records of global memory, and how much all of it takes */
    uint32_t slices, slice; /* the part of global memory that this run follows: see shadow.h */
    const struct sim_limits *limits;
    _Atomic bool incomplete;     /* something could not be remembered: a race may be missed */
    _Atomic bool unfollowed;     /* the same of values that nobody has written */
    struct knowledge *knowledge; /* only where blocks run on one host thread */
    struct block *known_blocks;  /* whose threads may have some of it */
    uint32_t first_global;  /* number of the first global record behind the last grid barrier */
    uint64_t grid_arrivals; /* of blocks at grid barriers */
    bool repeated;          /* this is not the first run: memory must be brought back */
    bool in_turns;          /* on one host thread, where blocks can wait for one another */
    uint64_t clock_leapt;   /* ticks that passed while everybody waited, see stuck.c */
    uint64_t turn_slice;    /* warp instructions until another warp has its turn, where it can */
    uint8_t *turn_before;   /* by pc, or NULL: other warps have a turn before it, see turns.h */
    struct memory_system *caches; /* with a device profile: see cache.h, residency.c */
    struct sample *sample;        /* not all blocks are simulated */
    enum sampling sampling;       /* ... or why they are */
    struct trace *trace;          /* cost model: paths of some blocks; NULL: no device */
    struct chain *chain;          /* ... who waits for whom among blocks; NULL: nobody */
    _Atomic uint64_t next_block, executed;
    _Atomic bool stopped;
    struct deadline *deadline;   /* see deadline.h; NULL: it may take as long as it does */
    _Atomic bool expired;        /* nothing more is executed */
    struct block_reach *reaches; /* one a block: see race_scope.c; NULL: not noted */
};

/* launch.c: how many blocks take turns, where they may wait for one another. */
size_t launch_resident_limit(const struct launch *launch);

/* block.c */
enum block_state {
    BLOCK_ENDED,
    BLOCK_YIELDS,  /* all its warps poll memory: another block may have to move first */
    BLOCK_STOPPED, /* the launch ends */
};
struct block *block_create(struct host *host);
void block_start(struct block *block, uint64_t index, uint64_t budget);
enum block_state block_run(struct block *block);
void block_free(struct block *block);

/* warp.c: splits and joins. */
enum warp_state {
    WARP_WAITS,   /* no split is runnable */
    WARP_YIELDS,  /* its turn is over */
    WARP_STOPPED, /* the launch ends */
};
void warp_start(struct warp *warp, lane_mask existing);
enum warp_state warp_run(struct warp *warp);
/* Lets the lanes that wait at joins go on without the others; false when there are none. */
bool warp_release_join(struct warp *warp);
/* The same for a warp-level operation whose other lanes do not come: a hazard. */
bool warp_release_sync(struct warp *warp);
void warp_reset(struct warp *warp);
void warp_free(struct warp *warp);
struct frame *frame_push(struct warp *warp, const struct program_function *function,
                         struct frame *caller);

/* barrier.c */
void barrier_arrive(struct warp *warp, struct split *split, const struct insn *insn,
                    lane_mask lanes);
/* Threads have exited: a barrier may be complete without them. */
void barrier_recheck(struct block *block);
/* Nothing can go on any more: reports who waits where. */
void barrier_report_deadlock(struct block *block);

/* special.c */
void special_fill(struct warp *warp, const struct program_function *function,
                  unsigned char *registers);
uint64_t special_clock(const struct warp *warp, enum special special);

/* hazard.c: `lane` and `address` of the first offender; `lanes` of all of them. */
struct access {
    enum ptx_space space;
    device_address address;
    unsigned bytes;
    bool store;
    unsigned missing; /* UNINITIALIZED_READ: the first byte of it that has no value */
    unsigned unit;    /* bytes of one of the numbers that are read; 0: all are one */
};
/* The new hazard, or NULL where it was counted as one that is known. */
struct hazard *hazard_access(struct warp *warp, const struct insn *insn, enum hazard_kind kind,
                             unsigned lane, lane_mask lanes, const struct access *access);
__attribute__((format(printf, 7, 8))) struct hazard *
hazard_report(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
              enum hazard_severity severity, lane_mask lanes, const char *format, ...);
/* What to do about it, where the hazard's page says something else. NULL, as a report gives where
 * there is one already, is let pass. */
void hazard_suggest(struct hazard *hazard, enum hazard_fix fix);
/* A data race: one report for two lines, the gravest and the one that names both threads. True, and
 * counted, where there is one as good already: where every access races, making up the words for
 * each would take most of the time. */
bool hazard_repeats_race(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
                         enum hazard_severity severity, unsigned lane, bool vague);
/* The same at a glance, for two instructions that race everywhere. */
static inline bool hazard_is_told(struct warp *warp, uint32_t pc, uint32_t other_pc,
                                  enum hazard_kind kind) {
    struct host *host = warp->host;
    const struct block *block = warp->block;
    const struct told_race *told = &host->told[told_slot(pc, other_pc)];
    if (!told->hazard || told->pc != pc || told->other_pc != other_pc)
        return false;
    struct hazard_record *record = &host->hazards[told->hazard - 1];
    if (record->hazard.kind != kind || block->index < record->block_index ||
        (block->index == record->block_index && block->executed << 5 <= record->moment))
        return false;
    record->hazard.count++;
    return true;
}
/* It takes the place of one that is not as good. NULL where there are too many. */
__attribute__((format(printf, 8, 9))) struct hazard *
hazard_report_race(struct warp *warp, uint32_t pc, uint32_t other_pc, enum hazard_kind kind,
                   enum hazard_severity severity, unsigned lane, bool vague, const char *format,
                   ...);
/* Is it a report of the same two lines, and which is the better example: negative where a is. */
bool hazard_same_place(const struct hazard_record *a, const struct hazard_record *b);
int hazard_compare_examples(const struct hazard_record *a, const struct hazard_record *b);
/* The kernel has used its instruction budget up: names the line where it spent most. */
void hazard_budget(struct warp *warp, uint32_t pc, lane_mask lanes);
struct dim3 thread_of(const struct warp *warp, unsigned lane);
enum { LANES_TEXT = 96 };
/* "lane 5 (mask 0x00000020)", "lanes 0-3, 8, 16-31 (mask 0xffff010f)": at most LANES_TEXT bytes. */
void describe_lanes(lane_mask lanes, char *text, size_t size);
/* "P[17, 3]" and "P[17][5]" for an address: true when it names something. */
bool describe_address(const struct warp *warp, const struct access *access, char *element,
                      size_t element_size, char *whole, size_t whole_size);

/* memory.c: host bytes behind an address, for printf and calls: NULL where they are not readable.
 */
const unsigned char *memory_peek(const struct warp *warp, unsigned lane, device_address address,
                                 uint64_t bytes);
uint64_t memory_string(const struct warp *warp, unsigned lane, device_address address, char *buffer,
                       uint64_t size); /* length without the NUL, cut at size - 1 */

/* setup.c: validates the launch and lays its memory out. False with a message or a hazard. */
bool launch_prepare(struct launch *launch, struct engine_result *result);
uint64_t launch_block_bytes(const struct launch *launch); /* registers, local and shared memory */
void launch_read_back(struct launch *launch);
void launch_release(struct launch *launch);
/* Brings all memory back to what it was before the first instruction. */
void launch_fill_memory(struct launch *launch);

/* result.c: hosts -> engine_result. */
void launch_collect(struct launch *launch, struct engine_result *result);
/* Adds what one instruction did in the whole launch, scaled where it was sampled. */
void launch_tally(const struct launch *launch, uint32_t pc, struct counters *counters);

/* print.c */
void builtin_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
                  lane_mask lanes);

/* The first lane has read `value` by an access that waits for others, perhaps. */
void poll_elsewhere(struct warp *warp, uint32_t pc, uint64_t address, uint64_t value); /* warp.c */
static inline void note_poll(struct warp *warp, uint32_t pc, uint64_t address, uint64_t value) {
    struct poll *poll = &warp->poll;
    if (poll->pc == pc && poll->address == address && poll->value == value)
        poll->count++;
    else
        poll_elsewhere(warp, pc, address, value);
}

static inline uint32_t insn_pc(const struct warp *warp, const struct insn *insn) {
    return (uint32_t)(insn - warp->block->launch->program->code);
}

/* Local memory of a lane, with the frame's areas. */
static inline unsigned char *lane_local(const struct warp *warp, unsigned lane) {
    return warp->local + (size_t)lane * warp->block->launch->local_bytes;
}

#endif
