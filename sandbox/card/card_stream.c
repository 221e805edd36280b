/* Streams and events, what is ordered by them, and whom work of other streams meets in memory.
 *
 * Every request that is work names its stream. A stream's number is not believed, and whoever sends
 * wrong ones deceives the findings about their own program, and nothing else. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order *card_order(struct card *card) {
    if (!card->order)
        card->order = order_create();
    return card->order;
}

void card_clear_streams(struct card *card) {
    order_free(card->order);
    touch_free(&card->touches);
    free(card->guards);
    free(card->modelled);
}

/* ---- work -------------------------------------------------------------------------------------
 */

bool card_begin(struct card *card, const struct card_request *request, const char *what,
                struct touch_work *work) {
    struct order *order = card_order(card);
    uint64_t stream = request->head.stream;
    if (!order_has_stream(order, stream))
        return false;
    *work = (struct touch_work){
        .stamp = order_begin(order, stream), .stream = stream, .site = card->site};
    snprintf(work->what, sizeof work->what, "%s", what);
    return true;
}

void card_spend(struct card *card, const struct touch_work *work, enum order_work kind, double ns,
                double share) {
    order_spend(card_order(card), work->stream, kind, ns, share);
    card->clock_ns = card->order->end_ns;
}

static const char *stream_name(uint64_t stream, char name[static 32]) {
    if (stream)
        snprintf(name, 32, "stream %" PRIu64, stream);
    else
        snprintf(name, 32, "the default stream");
    return name;
}

static void report_race(struct card *card, const char *object, const struct touch_work *second,
                        const struct touch_race *race) {
    char first_stream[32], second_stream[32];
    struct hazard hazard = {
        .kind = HAZARD_STREAM_RACE, .site = second->site, .other_site = race->first.site};
    snprintf(hazard.variable, sizeof hazard.variable, "%s", object);
    findings_add_host(card, hazard,
                      "%s in %s %s bytes %" PRIu64 " to %" PRIu64
                      " of %s, which %s in %s %s; nothing orders the two",
                      second->what, stream_name(second->stream, second_stream),
                      race->second_writes ? "writes" : "reads", race->low, race->high - 1, object,
                      race->first.what, stream_name(race->first.stream, first_stream),
                      race->first_writes ? "writes" : "reads");
}

void card_touch(struct card *card, const struct touch_work *work, uint64_t object, const char *name,
                const struct engine_range *ranges, size_t count) {
    struct order *order = card_order(card);
    struct touch_race race;
    if (!order_is_concurrent(order) || card->common->no_checks)
        return;
    if (touch_add(&card->touches, object, work, order_clock_of(order, work->stream), &order->host,
                  ranges, count, &race))
        report_race(card, name, work, &race);
}

void card_touch_block(struct card *card, const struct touch_work *work,
                      const struct engine_block *block, uint64_t offset, uint64_t bytes,
                      enum engine_touch how) {
    const struct engine_range range = {offset, offset + bytes, how};
    card_touch(card, work, (uint64_t)(block - card->blocks), block->about.name, &range, bytes != 0);
}

/* ---- the host ---------------------------------------------------------------------------------
 */

enum { HOST_OBJECT = 1, MAX_GUARDS = 1 << 16 };

enum card_error card_do_PINNED(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    uint64_t address = request->head.argument[0], bytes = request->head.argument[1];
    bool writes = request->head.argument[2];
    struct touch_work work;
    if (!bytes || bytes > UINT64_MAX - address ||
        !card_begin(card, request, writes ? "a copy to the host" : "a copy from the host", &work))
        return CARD_INVALID_VALUE;
    const struct engine_range range = {address, address + bytes,
                                       writes ? ENGINE_TOUCH_WRITE : ENGINE_TOUCH_READ};
    card_touch(card, &work, (uint64_t)HOST_OBJECT << 32, "the host's pinned memory", &range, 1);
    size_t at = 0;
    while (at < card->guard_count && card->guards[at].live)
        at++;
    if (at == MAX_GUARDS || card->common->no_checks)
        return CARD_OK;
    if (at == card->guard_count)
        mem_push(&card->guards, &card->guard_count, &card->guard_capacity);
    card->guards[at] = (struct card_guard){true, writes, work};
    reply->head.value[0] = at + 1;
    return CARD_OK;
}

enum card_error card_do_HOST_ACCESS(struct card *card, const struct card_request *request,
                                    struct card_reply *reply) {
    (void)reply;
    uint64_t number = request->head.argument[0];
    bool writes = request->head.argument[1];
    char stream[32];
    if (!number || number > card->guard_count || !card->guards[number - 1].live)
        return CARD_INVALID_VALUE;
    const struct card_guard *guard = &card->guards[number - 1];
    const struct hazard hazard = {
        .kind = HAZARD_HOST_RACE, .site = card->site, .other_site = guard->work.site};
    findings_add_host(
        card, hazard, "the host %s memory that %s in %s %s; it has not waited for that",
        writes ? "writes" : "reads", guard->work.what, stream_name(guard->work.stream, stream),
        guard->writes ? "may still be writing" : "may still be reading");
    return CARD_OK;
}

/* Guards whose work the host has waited for. */
static uint64_t end_guards(struct card *card, struct text *numbers) {
    enum { AT_ONCE = 512 };
    uint64_t ended = 0;
    for (size_t i = 0; i < card->guard_count && ended < AT_ONCE; i++) {
        struct card_guard *guard = &card->guards[i];
        if (!guard->live || !order_is_before(guard->work.stamp, &card->order->host))
            continue;
        guard->live = false;
        text_append_bytes(numbers, (const char *)&(uint64_t){i + 1}, sizeof(uint64_t));
        ended++;
    }
    while (card->guard_count && !card->guards[card->guard_count - 1].live)
        card->guard_count--;
    return ended;
}

enum card_error card_do_SYNCHRONIZE(struct card *card, const struct card_request *request,
                                    struct card_reply *reply) {
    struct order *order = card_order(card);
    enum card_error error = CARD_OK;
    uint64_t what = request->head.argument[0], event = request->head.argument[1];
    if (what == WIRE_WAIT_ALL)
        order_host_waits_for_all(order);
    else if (what == WIRE_WAIT_STREAM
                 ? !order_host_waits(order, request->head.stream)
                 : what != WIRE_WAIT_EVENT || !order_host_waits_for_event(order, event))
        error = CARD_INVALID_HANDLE;
    shared_give(card);
    reply->head.value[0] = end_guards(card, &reply->bytes);
    size_t room = WIRE_PRINTED_MAX - reply->bytes.length;
    size_t length = card->printed.length < room ? card->printed.length : room;
    text_append_bytes(&reply->bytes, text_string(&card->printed), length);
    if (length) {
        memmove(card->printed.data, card->printed.data + length, card->printed.length - length);
        card->printed.length -= length;
    }
    reply->head.value[1] = card->printed.length != 0 || reply->head.value[0] != 0;
    return error;
}

/* ---- streams and events -----------------------------------------------------------------------
 */

enum card_error card_do_STREAM(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    enum order_kind kind = request->head.argument[0] ? ORDER_NON_BLOCKING : ORDER_BLOCKING;
    return order_add_stream(card_order(card), kind, &reply->head.value[0]) ? CARD_OK
                                                                           : CARD_OUT_OF_MEMORY;
}

enum card_error card_do_STREAM_END(struct card *card, const struct card_request *request,
                                   struct card_reply *reply) {
    (void)reply;
    return order_remove_stream(card_order(card), request->head.stream) ? CARD_OK
                                                                       : CARD_INVALID_HANDLE;
}

enum card_error card_do_EVENT(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)request;
    return order_add_event(card_order(card), &reply->head.value[0]) ? CARD_OK : CARD_OUT_OF_MEMORY;
}

enum card_error card_do_EVENT_END(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    (void)reply;
    return order_remove_event(card_order(card), request->head.argument[0]) ? CARD_OK
                                                                           : CARD_INVALID_HANDLE;
}

enum card_error card_do_RECORD(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    struct order *order = card_order(card);
    double ns;
    if (!order_record(order, request->head.stream, request->head.argument[0], &ns))
        return CARD_INVALID_HANDLE;
    reply->head.value[0] = (uint64_t)ns;
    return CARD_OK;
}

/* The library has what RECORD answers. */
enum card_error card_do_ELAPSED(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    (void)card, (void)request, (void)reply;
    return CARD_NOT_SUPPORTED;
}

enum card_error card_do_WAIT(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    return order_wait(card_order(card), request->head.stream, request->head.argument[0])
               ? CARD_OK
               : CARD_INVALID_HANDLE;
}
