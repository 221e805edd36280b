/* What threads learn of one another through memory: flags, locks, counters. See race.c.
 *
 * An address that a thread writes by an atomic or volatile access, after a fence, becomes an object
 * with a log of what its writers knew; what only threads of one block can learn there becomes
 * another. Whoever reads the object has learnt the log as long as it
 * was then: a reference and a length, never a copy, so that a lock taken a million times stays
 * cheap. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_KNOWLEDGE_H
#define WARPGRADE_SANDBOX_SIMGPU_KNOWLEDGE_H

#include "sandbox/types.h"

enum { ALL_WARPS = UINT16_MAX };

struct known_lanes { /* accesses of these lanes before the block's time `until` are over */
    uint32_t block;
    uint16_t warp; /* or ALL_WARPS */
    lane_mask lanes;
    uint32_t until;
    lane_mask holders; /* in a warp's knowledge: the lanes that have it */
};

struct sync_object;
struct known_object { /* what stood in the object's logs when they had these lengths */
    struct sync_object *object;
    uint32_t lane_length, object_length;
    lane_mask holders;
};

/* Of a warp's lanes, each entry of some of them; or of a block, where all lanes hold all of it. */
struct knowledge {
    struct known_lanes *lanes; /* first hand */
    size_t lane_count, lane_capacity;
    struct known_object *objects;
    size_t object_count, object_capacity;
};

/* Those of the asked lanes of which `holder` does not know that all their accesses until
 * asked->until are over. Where a log is too long to tell, it is none of them, and *guessed becomes
 * true; without `guessed` the search is short, and where it ends too soon it is all that are left.
 */
lane_mask knowledge_lacks(const struct knowledge *known, unsigned holder,
                          const struct known_lanes *asked, _Atomic bool *guessed);
void knowledge_note(struct knowledge *known, struct known_lanes lanes);
/* All that lanes of `from_holders` hold in `from` is held by `holders` in `to`. */
void knowledge_join(struct knowledge *to, lane_mask holders, const struct knowledge *from,
                    lane_mask from_holders);
/* The same, but each of the lanes takes only what it holds itself. */
void knowledge_join_held(struct knowledge *to, const struct knowledge *from, lane_mask lanes);
void knowledge_share(struct knowledge *known, lane_mask lanes); /* among these lanes */
void knowledge_clear(struct knowledge *known);                  /* keeps the memory */
void knowledge_free(struct knowledge *known);

/* An address, and the block whose threads alone learn what is written there. */
struct sync_key {
    uint64_t address, block;
};
#define SYNC_EVERY_BLOCK UINT64_MAX
/* The object at an address; NULL where there is none. */
struct sync_object *sync_object_find(struct sync_object **objects, struct sync_key key,
                                     bool create);
void sync_object_note(struct sync_object *object, struct known_lanes lanes);
void sync_object_publish(struct sync_object *object, const struct knowledge *known,
                         unsigned holder);
void sync_object_learn(const struct sync_object *object, struct knowledge *known,
                       lane_mask holders);
void sync_objects_free(struct sync_object **objects);

#endif
