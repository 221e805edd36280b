/* A warp while it runs. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_WARP_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_WARP_H

#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/split.h"

struct async;
struct host_thread;
struct warp_path;
struct undef_value;

struct warp {
    unsigned char *bases[2]; /* registers of the running split's frame; constants */
    struct block *block;
    struct host_thread *host_thread;
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
        lane_mask lanes; /* of the split that polled last */
        uint32_t pc;
        unsigned count;
        uint64_t address, value;
        struct poll_place earlier[POLL_PLACES - 1]; /* others of the same loop */
        unsigned earlier_count;
        bool wrote;     /* the loop does more than to look */
        unsigned looks; /* of this turn that found another value, or were another split's */
    } poll;
    struct frame *bottom; /* of the kernel itself; reused by the next block */
    struct join *joins, *free_joins;
    unsigned char *local, *local_shadow;       /* lane-major, launch->local_bytes a lane */
    uint8_t carry[WARP_LANES];                 /* CC.CF: .cc instructions */
    lane_mask cluster_arrived, cluster_passed; /* barrier.cluster: see cluster.c */
    uint32_t cluster_shared;                   /* the last phase of it that fences pass on */
    struct async *async; /* copies on their way, see async.h; NULL: none yet */
    /* race detection */
    uint32_t full_time;  /* of the last event in which all its lanes participated */
    uint32_t event_time; /* of its last event of any kind */
    uint32_t *lane_time; /* [lane][other lane]: of the last event both know of */
    bool tracked;        /* has made accesses since its last event */
    struct unacquired {  /* lanes that a relaxed load has told more than ... */
        lane_mask lanes;
        hb_ref known[WARP_LANES]; /* ... they can rely on: a list for each of them */
        uint32_t pc;              /* of the last such load */
    } unacquired;
    hb_ref known;           /* list of what which lanes have learnt, see hb_graph.h */
    struct warp_path *path; /* cost model: where to note the way; NULL: not traced */
    lane_mask absent; /* lanes to which a shuffle gave the value of one that does not participate */
    uint8_t absent_sources[WARP_LANES]; /* which one */
    struct undef_value *undef_values;   /* uninitialised values in registers: see undef.c */
    size_t undef_count, undef_capacity;
    uint32_t
        undef_heads[64];   /* of the lists of those with one bit of the filter, where it is set */
    uint64_t undef_filter; /* of the registers that hold them */
    struct {               /* by hb_look_kind */
        lane_mask lanes;   /* that have an entry */
        struct hb_look at[WARP_LANES];
    } looks[LOOK_KINDS];
    struct fences fences[REACH_COUNT]; /* REACH_BLOCK: only where program->scoped */
};

#endif
