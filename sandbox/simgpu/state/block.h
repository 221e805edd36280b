/* A block while it runs. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_STATE_BLOCK_H
#define WARPGRADE_SANDBOX_SIMGPU_STATE_BLOCK_H

#include "sandbox/simgpu/state/barrier.h"
#include "sandbox/simgpu/state/race_state.h"

struct allocation;
struct cluster;
struct host_thread;
struct launch;
struct tracked_entry;
struct warp;

struct block {
    size_t own_bytes; /* of the memory that begins here and holds all of it; 0: it is another's */
    struct launch *launch;
    struct host_thread *host_thread;
    uint64_t index; /* linear */
    struct dim3 id;
    struct cluster *cluster;           /* of more than one block; NULL: none */
    uint32_t rank;                     /* in it */
    struct allocation *cluster_memory; /* the race detector's cells of its shared memory there */
    struct warp *warps;
    unsigned warp_count, thread_count;
    unsigned char *shared, *shared_shadow;
    struct barrier barriers[MAX_BARRIERS + 1]; /* the last one is the cluster's */
    uint32_t live_threads;
    uint64_t executed;     /* thread instructions ... */
    uint64_t budget;       /* ... of at most this many */
    uint64_t clock_reads;  /* how often its threads have read a clock */
    uint64_t frame_bytes;  /* registers of all calls that are open */
    uint32_t passes;       /* over its warps, so far */
    bool pausable;         /* may give way to other blocks at any barrier ... */
    bool paused;           /* ... and did so: it yields without polling */
    bool roused;           /* its splits poll, whether or not there is news for them */
    uint32_t sm, slot;     /* with caches: of which SM; its number among the resident blocks */
    double weight;         /* with caches: blocks of the grid that it stands for */
    uint32_t capture_mark; /* of a sample: its mark, see capture_recapture.h */
    struct block_races races;
    struct tracked_entry *tracked; /* uninitialised values in its memory: see undef_memory.c */
};

#endif
