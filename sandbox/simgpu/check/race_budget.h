/* The race detector's memory: cells, which say who touched a location last, and records, which say
 * who that was. See race_budget.c for how little of it there is. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_BUDGET_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_BUDGET_H

#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"

/* A cell: the number of a record, how it maps to the word's bytes, who else is meant, a lane. */
enum {
    CELL_LANE = 31,
    CELL_ONE = 0,         /* the lane alone */
    CELL_GROUP = 1 << 5,  /* and other lanes of its warp; in a precise launch: all of the record */
    CELL_WARPS = 2 << 5,  /* and lanes of other warps of its block */
    CELL_BLOCKS = 3 << 5, /* and threads of other blocks */
    CELL_KIND = 3 << 5,
    CELL_WHOLE = 0,       /* all four bytes */
    CELL_HALVES = 1 << 7, /* the lower half by the lane, the upper half by the next lane */
    CELL_BYTES = 2 << 7,  /* byte i by lane + i */
    CELL_SPLIT = 3 << 7,  /* the cells of the single bytes have it */
    CELL_PATTERN = 3 << 7,
    CELL_SHIFT = 9,
    RECORD_BITS = 32 - CELL_SHIFT,
    RECORD_LIMIT = (1 << RECORD_BITS) - 64, /* numbers from here on are not given out */
};
#define CELL_LOCKED UINT32_MAX /* another host thread is changing the word's cells */

/* One warp's access by one instruction between two synchronisation events of its block. */
struct access_record {
    uint32_t block, time;
    uint32_t pc : 22, warp : 5, store : 1, strong : 1;
    uint32_t released : 1;     /* before a fence */
    uint32_t released_far : 1; /* that reaches other blocks */
    uint32_t linked : 1;       /* has a link */
    lane_mask lanes;
};

/* Cells for `bytes` bytes of memory. All of them are zero until they are used, and the system gives
 * no memory for what is not touched. */
void cells_make(struct race_cells *cells, uint64_t length);
void cells_free(struct race_cells *cells);
void cells_forget(struct race_cells *cells); /* all of them are 0 again */
/* No chunk counts as settled any more; to be called while no access is on its way. */
void cells_unsettle(struct race_cells *cells);

/* The cells of a word's four bytes; `word` is the word's own cell. Cells below `old` come out as 0.
 */
void cells_expand(const struct race_cells *cells, uint64_t at, uint32_t word, uint32_t old,
                  uint32_t expanded[4]);
/* The word's cell for four cells; fills the cells of the bytes where there is no pattern. `launch`
 * counts their memory; NULL: shared memory, which is not counted. */
uint32_t cells_pack(struct launch *launch, struct race_cells *cells, uint64_t at,
                    const uint32_t expanded[4]);
uint32_t cells_pattern(const uint32_t expanded[4]); /* CELL_LOCKED where they have none */
void cells_note_previous(struct race_cells *cells, uint64_t at, uint32_t cell);
uint32_t *cells_want_previous(struct race_cells *cells); /* the array, to be stored to atomically */
/* A load has met cells that say of each of its words that several blocks have read it; the words
 * lie in this chunk (state/saved_chunks.h). Counts that, and looks at all of the chunk now and
 * then.
 */
void cells_note_readers(const struct launch *launch, struct race_cells *reads, uint64_t chunk,
                        uint32_t old);
enum { CELLS_FIRST_LOOK = 8, CELLS_SETTLED = (1 << CELL_SHIFT) - 1 };
/* Do the cells say so of all words of the chunk? */
static inline bool cells_are_settled(const struct race_cells *reads, uint64_t chunk, uint32_t old) {
    const uint32_t *settled = __atomic_load_n(&reads->settled, __ATOMIC_ACQUIRE);
    return settled && __atomic_load_n(&settled[chunk], __ATOMIC_RELAXED) == (old | CELLS_SETTLED);
}

/* ---- records of global memory ------------------------------------------------------------------
 */
void race_budget_start(struct launch *launch); /* for a run; forgets everything before */
void race_budget_count_bytes(struct launch *launch,
                             uint64_t bytes); /* more cells of single bytes */
void race_budget_free(struct launch *launch);
static inline bool race_budget_is_plain(const struct launch *launch, uint32_t number) {
    return !launch->records[number].strong && !launch->records[number].linked;
}
struct record_link race_budget_link(const struct launch *launch, uint32_t number);
/* A new record's number; 0: there is no room. */
uint32_t race_budget_new_record(struct host_thread *host_thread, struct access_record record,
                                struct record_link link);
/* From now on no cell written so far means anything: a barrier of the whole grid. */
void race_budget_pass_grid_barrier(struct host_thread *host_thread);
/* Words that the host thread is the first to touch: others look at the sum now and then. */
static inline void race_budget_note_fresh(struct host_thread *host_thread, bool store,
                                          uint64_t words) {
    uint64_t *count = &host_thread->fresh_words[store];
    __atomic_store_n(count, *count + words, __ATOMIC_RELAXED);
}
/* To be called by a host thread that makes records, while it holds no cell: makes room where it is
 * needed. False: the run is given up. */
bool race_budget_make_room(struct host_thread *host_thread);
void race_budget_thread_ends(struct host_thread *host_thread);

/* ---- slices ------------------------------------------------------------------------------------
 * Where the cells of all memory would take too much, a run follows a part of it, and further runs
 * the other parts. */
enum { SLICE_SHIFT = 12, SLICE_BITS = 12, MEMORY_SLICES = 64 /* where memory is all that lacks */ };
static inline bool race_budget_follows(const struct launch *launch, uint32_t allocation,
                                       uint64_t offset) {
    uint32_t page = (uint32_t)(offset >> SLICE_SHIFT) + allocation * 37;
    return (page * 0x9e3779b1u >> (32 - SLICE_BITS) & (launch->slices - 1)) == launch->slice;
}
/* Is there any memory in the slice? */
bool race_budget_slice_is_empty(const struct launch *launch);
/* Not 0: the run was stopped because it took too much, and must be repeated with this many slices.
 */
uint32_t race_budget_needs_slices(const struct launch *launch);

#endif
