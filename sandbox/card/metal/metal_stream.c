/* Streams and events are the driver's own, so that kernels of two streams run beside each other and
 * events measure. card->order goes along: what it keeps decides whether the host uses memory that a
 * copy may still use.
 *
 * Waiting asks again and again: a synchronising call would wait for a kernel that never ends as
 * long as that takes. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NON_BLOCKING = 1 };
static const double spin_ms = 1; /* then the processor is given away between two looks */

void metal_put(struct metal_handles *handles, uint64_t number, void *handle) {
    while (handles->count <= number)
        *mem_push(&handles->items, &handles->count, &handles->capacity) = NULL;
    handles->items[number] = handle;
}

void *metal_get(const struct metal_handles *handles, uint64_t number) {
    return number < handles->count ? handles->items[number] : NULL;
}

void *metal_stream_of(const struct card *card, uint64_t number) {
    return metal_get(&card->metal->streams, number);
}

static enum card_error give_up(struct card *card) {
    struct engine_result *found = &card->result.found;
    card->metal->hangs = true;
    card->fault = CARD_LAUNCH_TIMEOUT;
    found->end = ENGINE_TIME_LIMIT;
    snprintf(found->message, sizeof found->message, "a launch of %.200s did not end in time",
             card->metal->kernel);
    return CARD_LAUNCH_TIMEOUT;
}

enum card_error metal_await(struct card *card, int (*query)(void *), void *handle) {
    double begun = clock_ms(), spin_until = begun + spin_ms;
    if (card->metal->hangs)
        return CARD_LAUNCH_TIMEOUT;
    for (;;) {
        int code = query(handle);
        double now = clock_ms();
        if (code != DRIVER_NOT_READY) {
            metal_waited(card, now - begun);
            return metal_result(card, code);
        }
        if (now > card->ends_ms)
            return give_up(card);
        if (now > spin_until)
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
}

enum card_error metal_await_all(struct card *card) {
    const struct metal *metal = card->metal;
    enum card_error error = metal_await(card, metal->driver.cuStreamQuery, NULL);
    for (size_t i = 1; i < metal->streams.count && error == CARD_OK; i++)
        if (metal->streams.items[i])
            error = metal_await(card, metal->driver.cuStreamQuery, metal->streams.items[i]);
    if (error != CARD_OK)
        return error;
    return metal_result(card, metal->driver.cuCtxSynchronize()); /* prints what kernels have */
}

/* The call that waits has nothing to wait for any more; by it the driver prints what kernels have.
 */
static enum card_error await_one(struct card *card, int (*query)(void *), int (*wait)(void *),
                                 void *handle) {
    enum card_error error = metal_await(card, query, handle);
    return error == CARD_OK ? metal_result(card, wait(handle)) : error;
}

static enum card_error await(struct card *card, uint64_t what, uint64_t event, uint64_t stream) {
    const struct driver *driver = &card->metal->driver;
    void *handle = metal_get(&card->metal->events, event);
    if (what == WIRE_WAIT_EVENT)
        return handle ? await_one(card, driver->cuEventQuery, driver->cuEventSynchronize, handle)
                      : CARD_INVALID_HANDLE;
    return what == WIRE_WAIT_ALL
               ? metal_await_all(card)
               : await_one(card, driver->cuStreamQuery, driver->cuStreamSynchronize,
                           metal_stream_of(card, stream));
}

/* What kernels print comes when the host waits for any of them, as far as they have ended. */
enum card_error metal_do_SYNCHRONIZE(struct card *card, const struct card_request *request,
                                     struct card_reply *reply) {
    enum card_error waited = CARD_OK;
    if (!card->fault)
        waited =
            await(card, request->head.argument[0], request->head.argument[1], request->head.stream);
    metal_printed_take(card);
    enum card_error error = card_do_SYNCHRONIZE(card, request, reply);
    return waited != CARD_OK ? waited : error;
}

/* ---- streams and events -----------------------------------------------------------------------
 */

enum card_error metal_do_STREAM(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    void *handle = NULL;
    enum card_error error = metal_result(
        card,
        card->metal->driver.cuStreamCreate(&handle, request->head.argument[0] ? NON_BLOCKING : 0));
    if (error == CARD_OK)
        error = card_do_STREAM(card, request, reply);
    if (error == CARD_OK)
        metal_put(&card->metal->streams, reply->head.value[0], handle);
    return error;
}

enum card_error metal_do_STREAM_END(struct card *card, const struct card_request *request,
                                    struct card_reply *reply) {
    enum card_error error = card_do_STREAM_END(card, request, reply);
    if (error != CARD_OK)
        return error;
    void *handle = metal_stream_of(card, request->head.stream);
    metal_put(&card->metal->streams, request->head.stream, NULL);
    return metal_result(card, card->metal->driver.cuStreamDestroy_v2(handle));
}

enum card_error metal_do_EVENT(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    void *handle = NULL;
    enum card_error error = metal_result(card, card->metal->driver.cuEventCreate(&handle, 0));
    if (error == CARD_OK)
        error = card_do_EVENT(card, request, reply);
    if (error == CARD_OK)
        metal_put(&card->metal->events, reply->head.value[0], handle);
    return error;
}

enum card_error metal_do_EVENT_END(struct card *card, const struct card_request *request,
                                   struct card_reply *reply) {
    enum card_error error = card_do_EVENT_END(card, request, reply);
    if (error != CARD_OK)
        return error;
    void *handle = metal_get(&card->metal->events, request->head.argument[0]);
    metal_put(&card->metal->events, request->head.argument[0], NULL);
    return metal_result(card, card->metal->driver.cuEventDestroy_v2(handle));
}

enum card_error metal_do_RECORD(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    enum card_error error = card_do_RECORD(card, request, reply);
    if (error != CARD_OK)
        return error;
    return metal_result(card, card->metal->driver.cuEventRecord(
                                  metal_get(&card->metal->events, request->head.argument[0]),
                                  metal_stream_of(card, request->head.stream)));
}

enum card_error metal_do_WAIT(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    enum card_error error = card_do_WAIT(card, request, reply);
    if (error != CARD_OK)
        return error;
    return metal_result(card, card->metal->driver.cuStreamWaitEvent(
                                  metal_stream_of(card, request->head.stream),
                                  metal_get(&card->metal->events, request->head.argument[0]), 0));
}

enum card_error metal_do_ELAPSED(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    void *first = metal_get(&card->metal->events, request->head.argument[0]);
    void *second = metal_get(&card->metal->events, request->head.argument[1]);
    float ms = 0;
    if (!first || !second)
        return CARD_INVALID_HANDLE;
    enum card_error error =
        metal_result(card, card->metal->driver.cuEventElapsedTime(&ms, first, second));
    reply->head.value[0] = (uint64_t)(int64_t)((double)ms * 1e6);
    return error;
}
