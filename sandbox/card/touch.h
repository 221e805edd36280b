/* Who has touched which bytes since the host has last waited for it: stream-race. Private to the
 * room. */
#ifndef WARPGRADE_SANDBOX_CARD_TOUCH_H
#define WARPGRADE_SANDBOX_CARD_TOUCH_H

#include "sandbox/base/launch.h"
#include "sandbox/card/order.h"

struct touch_object;

/* One piece of work, for messages. */
struct touch_work {
    struct order_stamp stamp;
    uint64_t stream;
    char what[96]; /* "the kernel scale", "a copy to the host" */
    uint32_t site; /* where the host has asked for it; 0: not known */
};

struct touch_race {
    struct touch_work first; /* the earlier one of the two */
    uint64_t low, high;      /* the first bytes that both touch */
    bool first_writes, second_writes;
};

struct touches {
    struct touch_object *objects; /* a hash */
    uint64_t range_count;         /* of all of them */
};

/* An object by a number of the caller's: a block of memory, a variable, the host's pinned memory.
 * Work touches `count` ranges of it, ascending and apart; *clock is what comes before it. True
 * where it races with earlier work: *race is the first such range. */
bool touch_add(struct touches *touches, uint64_t object, const struct touch_work *work,
               const struct order_clock *clock, const struct order_clock *host,
               const struct engine_range *ranges, size_t count, struct touch_race *race);
void touch_forget(struct touches *touches, uint64_t object); /* it is no more */
void touch_free(struct touches *touches);

#endif
