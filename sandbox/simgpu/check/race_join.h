/* One warp's access while the race detector looks at it, and what a cell says before and after it.
 */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_JOIN_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_RACE_JOIN_H

#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/warp.h"

struct race_walk {
    struct warp *warp;
    const struct insn *insn;
    const struct race_window *window;
    uint32_t number; /* of its record */
    bool store, strong, precise;
    uint32_t mutual; /* a cell of accesses that are all atomic for this one; 0: none is known */
    struct joint {   /* the last record that this access made of several */
        lane_mask lanes;
        struct record_link link;
        uint32_t number; /* 0: none */
    } joint;
};

/* A new record's number; 0: there is no room. */
uint32_t race_new_record(struct warp *warp, bool shared, struct access_record record,
                         struct record_link link);

static inline const struct access_record *race_join_record(const struct race_walk *walk,
                                                           uint32_t cell) {
    return race_record_at(walk->warp, walk->window->shared, cell >> CELL_SHIFT);
}
/* The next cell in its chain; 0: there is none. */
uint32_t race_join_older(const struct race_walk *walk, uint32_t cell);
/* The lanes that stand in the cell and are not ordered before the present access. Where it says
 * only that there were others, it is all of whom one must be another thread than `lane`.
 * `for_certain`: see race_unordered(). */
lane_mask race_join_unordered(const struct race_walk *walk, unsigned lane, uint32_t cell,
                              const struct access_record *record, bool for_certain);
/* The cell of the present access by these lanes alone, and that of it with those in `before`. */
uint32_t race_join_cell(struct race_walk *walk, lane_mask lanes);
uint32_t race_join_merge(struct race_walk *walk, lane_mask lanes, uint32_t before);
/* Where several have used a word, two of them are known by name: who meets them is one at most. */
void race_join_note_previous(const struct race_walk *walk, struct race_cells *cells, uint64_t at,
                             uint32_t mine, uint32_t before, uint32_t now);

/* race_message.c: the access meets another block's write, both strong, outside of shared memory. It
 * waits for it, or arrives with it: the lanes that do. */
void race_message_note(const struct race_walk *walk, lane_mask lanes, uint64_t word,
                       const struct access_record *other);
/* The lanes read what others may write meanwhile, and a later look is to confirm it. */
void race_message_note_confirmed(const struct race_walk *walk, lane_mask lanes,
                                 const struct access_record *other);
/* True where it reads a message that it may have come too early for: what it has waited for is in
 * *flag. */
struct race_flag {
    enum {
        FLAG_EARLY,      /* it can be seen before the data */
        FLAG_WRITER,     /* of a sequence lock: so can new data before it */
        FLAG_READER,     /* it may have been looked at again before the data were read */
        FLAG_UNACQUIRED, /* data may be read before it is */
    } kind;
    uint32_t store_pc, wait_pc; /* who set the flag, and who waited for it */
    bool own_look; /* by a relaxed load of the same thread, and it has passed no barrier since */
};
bool race_message_meet(const struct race_walk *walk, unsigned lane, uint64_t word,
                       const struct access_record *other, struct race_flag *flag);
/* True where the lane's look at what `other` wrote confirms nothing: the look or the write may come
 * in another order (FLAG_READER, FLAG_WRITER) than what is to be confirmed. */
bool race_message_confirms_nothing(const struct race_walk *walk, unsigned lane,
                                   const struct access_record *other, bool unordered,
                                   struct race_flag *flag);

/* observed.c: the lanes have met what stands at their words, by an atomic or another strong access.
 */
void race_observed_note(const struct race_walk *walk, lane_mask lanes, const uint64_t *offsets,
                        unsigned bytes);
/* Is the other's atomic before what the lane does now at the word's bytes in `mask`, because it was
 * observed? */
bool race_observed(const struct race_walk *walk, unsigned lane, uint64_t word, unsigned mask,
                   const struct access_record *other);

/* race_unacquired.c: those of another block's lanes whose write a plain load can miss, although a
 * relaxed load before it told of it. */
lane_mask race_unacquired(const struct race_walk *walk, unsigned lane, uint32_t cell,
                          const struct access_record *other);
/* ... and a strong load that fetches what the flag has announced. */
lane_mask race_unacquired_message(const struct race_walk *walk, unsigned lane, uint32_t cell,
                                  const struct access_record *other, const struct race_flag *flag);

#endif
