/* What the race detector keeps in blocks, warps and allocations: see check/race.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_RACE_STATE_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_RACE_STATE_H

#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/program.h"

/* What one lane holds of what threads know of each other (check/hb_graph.h): node << HB_REF_SHIFT
 * | lane; of a list, whose lane is the one that asks, the node alone. 0: nothing. */
typedef uint32_t hb_ref;
enum { HB_REF_SHIFT = 5, HB_REF_LANE = 31 };

struct access_record;
struct block;
struct block_clock;
struct hb_pages;
struct race_messages;
enum { MAX_WARPS = 32, MAX_BARRIERS = 16 };

struct race_site { /* the last record that an instruction made */
    uint64_t block;
    uint32_t number, time;
    lane_mask lanes;
    uint16_t warp;
    bool shared;
};
struct race_cells {       /* see race_budget.h */
    uint32_t *words;      /* a cell for four bytes; NULL: not tracked */
    uint32_t *bytes;      /* a cell a byte, where a word's cell is too coarse; NULL: none yet */
    uint32_t *previous;   /* of a word: another thread than the cell's, where there are several */
    unsigned char *pages; /* of bytes: one a page of the host that has been used */
    uint32_t *settled;    /* of reads, by SAVED_CHUNK bytes: see race_cells.c; NULL: none yet */
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
    hb_ref refs[WARP_LANES];   /* what each of them may publish */
};
struct hb_look { /* the last address where a lane has learnt something, see check/hb_clock.h */
    uint64_t address, moment;
};
enum hb_look_kind { LOOK_TAKES, LOOK_READS, LOOK_KINDS }; /* as who takes a lock, or otherwise */
struct block_races {
    struct race_cells writes, reads; /* of shared memory */
    struct access_record *records;   /* of this barrier interval: numbers first..next-1 */
    struct record_link *links;       /* one a record */
    size_t capacity;
    uint32_t first, next;
    uint32_t next_look;             /* at this number of them: see race_gc.c */
    uint32_t time;                  /* synchronisation events so far */
    uint32_t barrier_time;          /* of the last block barrier */
    uint32_t told_at;               /* of the last one before a strong store: see reads_over.c */
    uint32_t *knows_warp;           /* [warp][other warp], through barriers of some warps */
    struct block_clock *clock;      /* through memory, see check/block_clock.h; NULL: nothing */
    bool fenced;                    /* there were fences before the last block barrier ... */
    hb_ref at_fence;                /* ... and what all threads may publish by them */
    hb_ref common;                  /* the list of all warps since then */
    struct hb_pages *pages;         /* where threads of the block alone learn of each other */
    struct race_messages *messages; /* what it has waited for: see race_message.c; NULL: nothing */
    struct block *older, **newer;   /* the launch's blocks: see race_acquire_release.c */
    uint32_t held_until;            /* the last fence before it that reached the block only ... */
    uint32_t far_until;             /* ... and the last one that reached others: see race_scope.c */
    uint32_t arrive_time[MAX_BARRIERS][MAX_WARPS]; /* of bar.arrive */
};

#endif
