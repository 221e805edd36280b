/* What threads learn of one another through memory: flags, locks, counters. See race.c.
 *
 * An address that a thread writes by an atomic or volatile access, after a fence, becomes an object
 * with a log of what its writers knew. Whoever reads the object has learnt the log as long as it
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
    uint32_t older; /* in a log: the entry before of the same block and warp, plus 1 */
};

struct sync_object;
struct known_object { /* what stood in the object's logs when they had these lengths */
    struct sync_object *object;
    uint32_t lane_length, object_length;
};

struct knowledge {
    struct known_lanes *lanes; /* first hand */
    size_t lane_count, lane_capacity;
    struct known_object *objects;
    size_t object_count, object_capacity;
};

/* Is it known that all accesses of these lanes at `time` and before are over? */
bool knowledge_covers(const struct knowledge *known, uint32_t block, unsigned warp, lane_mask lanes,
                      uint32_t time);
void knowledge_note(struct knowledge *known, struct known_lanes lanes);
void knowledge_join(struct knowledge *to, const struct knowledge *from);
void knowledge_clear(struct knowledge *known); /* keeps the memory */
void knowledge_free(struct knowledge *known);

/* The object at an address, by a key that is unique in the launch; NULL where there is none. */
struct sync_object *sync_object_find(struct sync_object **objects, uint64_t key, bool create);
void sync_object_publish(struct sync_object *object, const struct knowledge *known);
void sync_object_learn(const struct sync_object *object, struct knowledge *known);
void sync_objects_free(struct sync_object **objects);

#endif
