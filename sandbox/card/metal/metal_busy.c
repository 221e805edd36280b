/* How long the card was busy with what a program asked for: the driver's events before and after
 * each launch, copy and fill, in its stream. What counts is the time in which at least one of them
 * was at work, so that streams which overlap gain, and that the host computes, or that a call comes
 * over a socket, costs nothing.
 *
 * Beside it goes how long this worker itself has waited for the card, by its own clock: kernels
 * share a context with the events, and a card that was waited for and was not busy has forged ones.
 */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

enum { MOST_RUNNING = 1024, MOST_PIECES = 1 << 20 };

struct metal_span {
    void *first, *last; /* events */
};
struct metal_piece {
    double begin_ms, end_ms; /* since the first event of all */
};
struct metal_busy {
    bool counts;
    void *base;
    struct metal_span *running; /* in the order of the calls */
    size_t running_count, running_capacity;
    struct metal_piece *pieces; /* of what has ended */
    size_t piece_count, piece_capacity;
    double began_ms, waited_ms; /* by clock_ms() */
};

void *metal_event_take(struct card *card) {
    struct metal *metal = card->metal;
    void *event = NULL;
    if (metal->spare.count)
        return metal->spare.items[--metal->spare.count];
    return metal->driver.cuEventCreate(&event, 0) == DRIVER_OK ? event : NULL;
}

void metal_event_give(struct card *card, void *event) {
    struct metal_handles *spare = &card->metal->spare;
    if (event)
        *mem_push(&spare->items, &spare->count, &spare->capacity) = event;
}

/* Where a piece cannot be timed, all counts from the first one on, of which nothing is gained. */
static void give_up(struct metal_busy *busy) {
    busy->counts = false;
}

static bool record(struct card *card, void *event, uint64_t stream) {
    return event &&
           card->metal->driver.cuEventRecord(event, metal_stream_of(card, stream)) == DRIVER_OK;
}

void metal_busy_begin(struct card *card) {
    struct metal_busy *busy = mem_zalloc(sizeof *busy);
    card->metal->busy = busy;
    busy->began_ms = clock_ms();
    busy->base = metal_event_take(card);
    busy->counts = record(card, busy->base, 0) &&
                   card->metal->driver.cuEventSynchronize(busy->base) == DRIVER_OK;
}

static bool note_piece(struct card *card, const struct metal_span *span) {
    const struct driver *driver = &card->metal->driver;
    struct metal_busy *busy = card->metal->busy;
    float begin = 0, length = 0;
    if (busy->piece_count == MOST_PIECES ||
        driver->cuEventElapsedTime(&begin, busy->base, span->first) != DRIVER_OK ||
        driver->cuEventElapsedTime(&length, span->first, span->last) != DRIVER_OK)
        return false;
    *mem_push(&busy->pieces, &busy->piece_count, &busy->piece_capacity) =
        (struct metal_piece){(double)begin, (double)begin + (double)length};
    return true;
}

/* Those that have ended. */
static void retire(struct card *card) {
    struct metal_busy *busy = card->metal->busy;
    size_t kept = 0;
    for (size_t i = 0; i < busy->running_count; i++) {
        const struct metal_span span = busy->running[i];
        if (card->metal->driver.cuEventQuery(span.last) == DRIVER_NOT_READY) {
            busy->running[kept++] = span;
            continue;
        }
        if (busy->counts && !note_piece(card, &span))
            give_up(busy);
        metal_event_give(card, span.first);
        metal_event_give(card, span.last);
    }
    busy->running_count = kept;
}

void metal_work_begins(struct card *card, uint64_t stream) {
    struct metal_busy *busy = card->metal->busy;
    if (!busy || !busy->counts)
        return;
    if (busy->running_count >= MOST_RUNNING)
        retire(card);
    if (busy->running_count >= MOST_RUNNING) {
        metal_await(card, card->metal->driver.cuEventQuery, busy->running[0].last);
        retire(card);
    }
    struct metal_span span = {metal_event_take(card), metal_event_take(card)};
    *mem_push(&busy->running, &busy->running_count, &busy->running_capacity) = span;
    if (!span.last || !record(card, span.first, stream))
        give_up(busy);
}

void metal_work_ends(struct card *card, uint64_t stream) {
    struct metal_busy *busy = card->metal->busy;
    if (busy && busy->counts && !record(card, busy->running[busy->running_count - 1].last, stream))
        give_up(busy);
}

void metal_waited(struct card *card, double ms) {
    if (card->metal->busy)
        card->metal->busy->waited_ms += ms;
}

static int compare_pieces(const void *left, const void *right) {
    double a = ((const struct metal_piece *)left)->begin_ms;
    double b = ((const struct metal_piece *)right)->begin_ms;
    return (a > b) - (a < b);
}

static double union_ms(struct metal_piece *pieces, size_t count) {
    double all = 0, until = 0;
    qsort(pieces, count, sizeof *pieces, compare_pieces);
    for (size_t i = 0; i < count; i++) {
        double begin = i && pieces[i].begin_ms < until ? until : pieces[i].begin_ms;
        if (pieces[i].end_ms <= begin)
            continue;
        all += pieces[i].end_ms - begin;
        until = pieces[i].end_ms;
    }
    return all;
}

void metal_busy_end(struct card *card) {
    struct metal_busy *busy = card->metal->busy;
    if (!busy)
        return;
    if (busy->counts && !card->fault)
        retire(card);
    if (busy->running_count)
        give_up(busy);
    card->result.device_ms =
        busy->counts ? union_ms(busy->pieces, busy->piece_count) : clock_ms() - busy->began_ms;
    card->result.waited_ms = busy->waited_ms;
    free(busy->running);
    free(busy->pieces);
    free(busy);
    card->metal->busy = NULL;
}
