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
    card_clear_guards(card);
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
    reply->head.value[0] = guards_end(card, &reply->bytes);
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
