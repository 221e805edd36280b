/* What is ordered before what: vector clocks over the host, streams and events; and on the same way
 * the modelled time. Private to the room.
 *
 * All work is done in the order of the calls, which is one of the orders that streams allow. A
 * clock says which of the work before a point is ordered before it in all of them. Work has a
 * stamp: its stream's slot, and how many pieces of work that slot has had. */
#ifndef WARPGRADE_SANDBOX_CARD_ORDER_H
#define WARPGRADE_SANDBOX_CARD_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More streams than slots share them: what they do counts as ordered then, and a race may be
 * missed. */
enum { ORDER_SLOTS = 256, ORDER_MAX_STREAMS = 1 << 16, ORDER_MAX_EVENTS = 1 << 16 };

struct order_clock {
    double ns; /* modelled: when all of this is done */
    uint32_t at[ORDER_SLOTS];
};
struct order_stamp {
    uint32_t slot, tick;
};

enum order_kind {
    ORDER_BLOCKING,     /* waits for the default stream, and that for it */
    ORDER_NON_BLOCKING, /* ... does not; a branch of a graph */
    ORDER_DEFAULT,      /* the default stream itself */
};
struct order_stream {
    bool live;
    enum order_kind kind;
    uint32_t slot;
};
struct order_event {
    bool live, recorded;
    struct order_clock *clock; /* NULL: never recorded */
};

/* What work keeps busy. Copies have an engine for each direction, as on cards. */
enum order_work { WORK_KERNEL, WORK_TO_CARD, WORK_FROM_CARD, WORK_KINDS };
enum { ORDER_RUNNING = 128 };

struct order {
    struct order_clock host; /* what the host has waited for: of all its threads */
    struct order_clock slots[ORDER_SLOTS];
    struct order_clock orphans;       /* of blocking streams that have been destroyed */
    uint32_t slot_users[ORDER_SLOTS]; /* live streams */
    uint32_t slot_count;              /* that have ever been used */
    struct order_stream *streams;     /* by number; 0: the default one */
    size_t stream_count, stream_capacity;
    struct order_event *events;
    size_t event_count, event_capacity, free_event; /* no dead event before this one */
    double engine_ns[WORK_KINDS];                   /* when it is free; not of kernels */
    struct {
        double ends_ns, share;
    } running[ORDER_RUNNING]; /* kernels that may still run, by their end */
    size_t running_count;
    double sum_ns, end_ns; /* of all work; of the last */
};

struct order *order_create(void);
void order_free(struct order *order); /* or NULL */

/* False: there is no such stream, or no room. */
bool order_add_stream(struct order *order, enum order_kind kind, uint64_t *number);
bool order_remove_stream(struct order *order, uint64_t number);
bool order_has_stream(const struct order *order, uint64_t number);
bool order_add_event(struct order *order, uint64_t *number);
bool order_remove_event(struct order *order, uint64_t number);

/* The next piece of work of a live stream begins; what is ordered before it is *order_clock_of().
 */
struct order_stamp order_begin(struct order *order, uint64_t stream);
const struct order_clock *order_clock_of(const struct order *order, uint64_t stream);
static inline bool order_is_before(struct order_stamp stamp, const struct order_clock *clock) {
    return clock->at[stamp.slot] >= stamp.tick;
}
/* How long it takes; `share` of the card's multiprocessors. Returns when it is done. */
double order_spend(struct order *order, uint64_t stream, enum order_work engine, double ns,
                   double share);

/* Of live streams and events; false: there is none of that number. */
bool order_record(struct order *order, uint64_t stream, uint64_t event, double *ns);
bool order_wait(struct order *order, uint64_t stream, uint64_t event);
void order_host_waits_for_all(struct order *order);
bool order_host_waits(struct order *order, uint64_t stream);
bool order_host_waits_for_event(struct order *order, uint64_t event);

/* Can two pieces of work be unordered at all? Not where there is one stream. */
bool order_is_concurrent(const struct order *order);

#endif
