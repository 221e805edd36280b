/* The rules of the CUDA programming guide, "Streams": work of one stream is ordered; work of the
 * default stream comes after all work of blocking streams that was asked for before it, and before
 * all that is asked for after it; a stream that waits for an event comes after what the event's
 * stream had done when it was recorded; and everything comes after what the host had waited for
 * when it asked for it.
 *
 * The host has one clock for all its threads: what orders those the card does not see. */
#include "sandbox/card/order.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void join(const struct order *order, struct order_clock *clock,
                 const struct order_clock *other) {
    for (uint32_t i = 0; i < order->slot_count; i++)
        clock->at[i] = clock->at[i] > other->at[i] ? clock->at[i] : other->at[i];
    clock->ns = clock->ns > other->ns ? clock->ns : other->ns;
}

struct order *order_create(void) {
    struct order *order = mem_zalloc(sizeof *order);
    uint64_t number;
    order_add_stream(order, ORDER_DEFAULT, &number);
    return order;
}

void order_free(struct order *order) {
    for (size_t i = 0; order && i < order->event_count; i++)
        free(order->events[i].clock);
    if (order) {
        free(order->streams);
        free(order->events);
    }
    free(order);
}

/* ---- streams ----------------------------------------------------------------------------------
 */

/* A slot that no stream has: best one of which the host has waited for everything. */
static uint32_t find_slot(struct order *order, uint64_t number) {
    uint32_t found = ORDER_SLOTS;
    if (order->slot_count < ORDER_SLOTS / 2)
        return order->slot_count++;
    for (uint32_t i = 1; i < order->slot_count; i++)
        if (!order->slot_users[i]) {
            found = i;
            if (order->slots[i].at[i] <= order->host.at[i])
                return found;
        }
    if (order->slot_count < ORDER_SLOTS)
        return order->slot_count++;
    return found < ORDER_SLOTS ? found : 1 + (uint32_t)(number % (ORDER_SLOTS - 1));
}

bool order_add_stream(struct order *order, enum order_kind kind, uint64_t *number) {
    size_t at = 0;
    while (at < order->stream_count && order->streams[at].live)
        at++;
    if (at == ORDER_MAX_STREAMS)
        return false;
    if (at == order->stream_count)
        mem_push(&order->streams, &order->stream_count, &order->stream_capacity);
    uint32_t slot = find_slot(order, at);
    order->slot_users[slot]++;
    order->streams[at] = (struct order_stream){true, kind, slot};
    *number = at;
    return true;
}

bool order_has_stream(const struct order *order, uint64_t number) {
    return number < order->stream_count && order->streams[number].live;
}

bool order_remove_stream(struct order *order, uint64_t number) {
    if (!number || !order_has_stream(order, number))
        return false;
    if (order->streams[number].kind == ORDER_BLOCKING)
        join(order, &order->orphans, order_clock_of(order, number));
    order->streams[number].live = false;
    order->slot_users[order->streams[number].slot]--;
    return true;
}

bool order_is_concurrent(const struct order *order) {
    return order->slot_count > 1;
}

/* ---- work -------------------------------------------------------------------------------------
 */

static struct order_clock *slot_of(struct order *order, uint64_t stream) {
    return &order->slots[order->streams[stream].slot];
}

const struct order_clock *order_clock_of(const struct order *order, uint64_t stream) {
    return &order->slots[order->streams[stream].slot];
}

/* What comes next in the stream is ordered after the host, and after the default stream or all that
 * it waits for. */
static struct order_clock *reach(struct order *order, uint64_t stream) {
    struct order_clock *clock = slot_of(order, stream);
    join(order, clock, &order->host);
    if (order->streams[stream].kind == ORDER_BLOCKING)
        join(order, clock, slot_of(order, 0));
    for (size_t i = 1; i < order->stream_count && order->streams[stream].kind == ORDER_DEFAULT; i++)
        if (order->streams[i].live && order->streams[i].kind == ORDER_BLOCKING)
            join(order, clock, slot_of(order, i));
    if (order->streams[stream].kind == ORDER_DEFAULT)
        join(order, clock, &order->orphans);
    return clock;
}

struct order_stamp order_begin(struct order *order, uint64_t stream) {
    uint32_t slot = order->streams[stream].slot;
    struct order_clock *clock = reach(order, stream);
    return (struct order_stamp){slot, ++clock->at[slot]};
}

/* Kernels run side by side as far as there are multiprocessors for them. */
static double start_kernel(struct order *order, double start, double ns, double share) {
    double used = 0;
    size_t kept = 0;
    for (size_t i = 0; i < order->running_count; i++)
        if (order->running[i].ends_ns > start) {
            used += order->running[i].share;
            order->running[kept++] = order->running[i];
        }
    for (size_t i = 0; i < kept && (used + share > 1.0001 || kept - i == ORDER_RUNNING); i++) {
        start = order->running[i].ends_ns;
        used -= order->running[i].share;
    }
    if (kept == ORDER_RUNNING)
        memmove(&order->running[0], &order->running[1], --kept * sizeof order->running[0]);
    size_t at = kept;
    for (; at > 0 && order->running[at - 1].ends_ns > start + ns; at--)
        order->running[at] = order->running[at - 1];
    order->running[at].ends_ns = start + ns;
    order->running[at].share = share;
    order->running_count = kept + 1;
    return start;
}

double order_spend(struct order *order, uint64_t stream, enum order_work engine, double ns,
                   double share) {
    struct order_clock *clock = slot_of(order, stream);
    double start = clock->ns;
    if (engine == WORK_KERNEL) {
        start = start_kernel(order, start, ns, share);
    } else {
        start = order->engine_ns[engine] > start ? order->engine_ns[engine] : start;
        order->engine_ns[engine] = start + ns;
    }
    clock->ns = start + ns;
    order->sum_ns += ns;
    order->end_ns = clock->ns > order->end_ns ? clock->ns : order->end_ns;
    return clock->ns;
}

/* ---- events and waiting -----------------------------------------------------------------------
 */

bool order_add_event(struct order *order, uint64_t *number) {
    size_t at = order->free_event;
    while (at < order->event_count && order->events[at].live)
        at++;
    if (at == ORDER_MAX_EVENTS)
        return false;
    if (at == order->event_count)
        mem_push(&order->events, &order->event_count, &order->event_capacity);
    order->events[at].live = true;
    order->events[at].recorded = false;
    order->free_event = at + 1;
    *number = at;
    return true;
}

static struct order_event *find_event(struct order *order, uint64_t number) {
    struct order_event *event = number < order->event_count ? &order->events[number] : NULL;
    return event && event->live ? event : NULL;
}

bool order_remove_event(struct order *order, uint64_t number) {
    struct order_event *event = find_event(order, number);
    if (!event)
        return false;
    free(event->clock);
    *event = (struct order_event){0};
    order->free_event = number < order->free_event ? number : order->free_event;
    return true;
}

bool order_record(struct order *order, uint64_t stream, uint64_t number, double *ns) {
    struct order_event *event = find_event(order, number);
    if (!event || !order_has_stream(order, stream))
        return false;
    if (!event->clock)
        event->clock = mem_alloc(sizeof *event->clock);
    event->recorded = true;
    *event->clock = *reach(order, stream);
    *ns = event->clock->ns;
    return true;
}

bool order_wait(struct order *order, uint64_t stream, uint64_t number) {
    const struct order_event *event = find_event(order, number);
    if (!event || !order_has_stream(order, stream))
        return false;
    if (event->recorded)
        join(order, reach(order, stream), event->clock);
    return true;
}

void order_host_waits_for_all(struct order *order) {
    for (uint32_t i = 0; i < order->slot_count; i++)
        join(order, &order->host, &order->slots[i]);
}

bool order_host_waits(struct order *order, uint64_t stream) {
    if (!order_has_stream(order, stream))
        return false;
    join(order, &order->host, reach(order, stream));
    return true;
}

bool order_host_waits_for_event(struct order *order, uint64_t number) {
    const struct order_event *event = find_event(order, number);
    if (event && event->recorded)
        join(order, &order->host, event->clock);
    return event != NULL;
}
