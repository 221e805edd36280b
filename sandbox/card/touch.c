/* Each object keeps the ranges of work that later work need not come after: what the host has
 * waited for comes before everything that it asks for from then on, and is dropped. Of two pieces
 * of work of one slot the later one is enough where it touches all that the earlier one did: who is
 * not ordered after the earlier one is not ordered after the later one either.
 *
 * There are limits: what exceeds them is forgotten, and a race may be missed, never invented. */
#include "sandbox/card/touch.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

enum { MAX_KEPT = 128, MAX_RANGES = 1 << 22 };

struct kept {
    struct touch_work work;
    struct engine_range *ranges;
    size_t count;
};
struct touch_object {
    uint64_t number;
    struct kept *kept; /* oldest first */
    size_t count, capacity;
    UT_hash_handle hh;
};

enum { PLAIN_WRITE = ENGINE_TOUCH_WRITE, ATOMIC_WRITE = ENGINE_TOUCH_ATOMIC_WRITE };

/* Atomic accesses race with plain ones only. */
static bool is_conflict(unsigned a, unsigned b) {
    return (a & PLAIN_WRITE && b) || (b & PLAIN_WRITE && a) ||
           (a & ENGINE_TOUCH_READ && b & ATOMIC_WRITE) ||
           (b & ENGINE_TOUCH_READ && a & ATOMIC_WRITE);
}

static bool find_conflict(const struct engine_range *a, size_t a_count,
                          const struct engine_range *b, size_t b_count, size_t *a_at,
                          size_t *b_at) {
    if (!a_count || !b_count || a[a_count - 1].high <= b[0].low || b[b_count - 1].high <= a[0].low)
        return false;
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        bool overlap = a[i].low < b[j].high && b[j].low < a[i].high;
        if (overlap && is_conflict(a[i].how, b[j].how)) {
            *a_at = i;
            *b_at = j;
            return true;
        }
        if (a[i].high < b[j].high)
            i++;
        else
            j++;
    }
    return false;
}

/* Does `a` touch all that `b` does, in as strong a way? */
static bool covers(const struct engine_range *a, size_t a_count, const struct engine_range *b,
                   size_t b_count) {
    size_t i = 0;
    for (size_t j = 0; j < b_count; j++)
        for (uint64_t low = b[j].low; low < b[j].high; low = a[i].high) {
            while (i < a_count && a[i].high <= low)
                i++;
            if (i == a_count || a[i].low > low || b[j].how & ~a[i].how)
                return false;
        }
    return true;
}

static void drop(struct touches *touches, struct touch_object *object, size_t at) {
    touches->range_count -= object->kept[at].count;
    free(object->kept[at].ranges);
    object->count--;
    memmove(&object->kept[at], &object->kept[at + 1], (object->count - at) * sizeof *object->kept);
}

static struct touch_object *find(struct touches *touches, uint64_t number, bool make) {
    struct touch_object *object;
    HASH_FIND(hh, touches->objects, &number, sizeof number, object);
    if (!object && make) {
        object = mem_zalloc(sizeof *object);
        object->number = number;
        HASH_ADD(hh, touches->objects, number, sizeof number, object);
    }
    return object;
}

static void keep(struct touches *touches, struct touch_object *object,
                 const struct touch_work *work, const struct engine_range *ranges, size_t count) {
    for (size_t i = object->count; i-- > 0;)
        if (object->kept[i].work.stamp.slot == work->stamp.slot &&
            covers(ranges, count, object->kept[i].ranges, object->kept[i].count))
            drop(touches, object, i);
    if (touches->range_count + count > MAX_RANGES)
        return;
    if (object->count == MAX_KEPT)
        drop(touches, object, 0);
    touches->range_count += count;
    *mem_push(&object->kept, &object->count, &object->capacity) =
        (struct kept){*work, mem_dup(ranges, count * sizeof *ranges), count};
}

bool touch_add(struct touches *touches, uint64_t number, const struct touch_work *work,
               const struct order_clock *clock, const struct order_clock *host,
               const struct engine_range *ranges, size_t count, struct touch_race *race) {
    static const unsigned writes = PLAIN_WRITE | ATOMIC_WRITE;
    if (!count)
        return false;
    struct touch_object *object = find(touches, number, true);
    bool races = false;
    for (size_t i = object->count; i-- > 0;) {
        const struct kept *other = &object->kept[i];
        size_t own = 0, its = 0;
        if (order_is_before(other->work.stamp, host)) {
            drop(touches, object, i);
            continue;
        }
        if (races || order_is_before(other->work.stamp, clock) ||
            !find_conflict(ranges, count, other->ranges, other->count, &own, &its))
            continue;
        const struct engine_range *a = &other->ranges[its], *b = &ranges[own];
        *race = (struct touch_race){.first = other->work,
                                    .low = a->low > b->low ? a->low : b->low,
                                    .high = a->high < b->high ? a->high : b->high,
                                    .first_writes = a->how & writes,
                                    .second_writes = b->how & writes};
        races = true;
    }
    keep(touches, object, work, ranges, count);
    return races;
}

static void free_object(struct touches *touches, struct touch_object *object) {
    while (object->count)
        drop(touches, object, object->count - 1);
    HASH_DEL(touches->objects, object);
    free(object->kept);
    free(object);
}

void touch_forget(struct touches *touches, uint64_t number) {
    struct touch_object *object = find(touches, number, false);
    if (object)
        free_object(touches, object);
}

void touch_free(struct touches *touches) {
    while (touches->objects)
        free_object(touches, touches->objects);
}
