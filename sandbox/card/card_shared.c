/* Memory that the host and kernels share: managed memory, and pinned memory of the host that
 * kernels can reach. On metal one of them has each page; here each side has its own copy, and what
 * one has written goes to the other when the runtime says that it can see it: the host's before a
 * launch, kernels' when the host waits.
 *
 * The host's copy lies in the shared file, after the window, and a block of the worker's own is
 * what kernels work on: a stranger's process may change the file at any time, and a launch that
 * runs twice must find the same twice. `seen` is what both sides agreed on last; who differs from
 * it has written. A byte that both have written is the host's: a race. What a kernel writes for the
 * host to be seen meanwhile (volatile, or with system scope) goes over when its launch has been
 * simulated, as from a kernel that was fast: what the host then adds is added to it. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static uint64_t rounded(uint64_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static bool is_shared(const struct card *card, size_t number) {
    return card->shared && number < ENGINE_HOST_BLOCKS && card->shared[number].bytes;
}

/* Room in the file: the first gap that is large enough. */
static bool find_room(const struct card *card, uint64_t bytes, uint64_t *offset) {
    *offset = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < ENGINE_HOST_BLOCKS; i++) {
            const struct card_shared *other = &card->shared[i];
            if (!other->bytes || *offset >= other->offset + rounded(other->bytes) ||
                other->offset >= *offset + bytes)
                continue;
            *offset = other->offset + rounded(other->bytes);
            moved = true;
        }
    }
    return *offset <= card->arena_bytes && bytes <= card->arena_bytes - *offset;
}

/* Numbers in turn, so that a pointer to freed memory stays wrong for long, and so that a process
 * that has something else at an address is offered another one. */
static size_t find_number(struct card *card) {
    for (size_t i = 0; i < ENGINE_HOST_BLOCKS; i++) {
        size_t number = (card->next_shared + i) % ENGINE_HOST_BLOCKS;
        if (card->shared[number].bytes)
            continue;
        card->next_shared = number + 1;
        return number;
    }
    return SIZE_MAX;
}

bool shared_reserve(struct card *card, uint64_t bytes, size_t *number, uint64_t *offset) {
    if (!card->shared)
        card->shared = mem_calloc(ENGINE_HOST_BLOCKS, sizeof *card->shared);
    if (!card_has_room(card, bytes) || !find_room(card, rounded(bytes), offset) ||
        (*number = find_number(card)) == SIZE_MAX)
        return false;
    if (*offset < card->arena_used) /* somebody else's before: new memory holds zeros */
        memset(card->window + WIRE_WINDOW + *offset, 0, rounded(bytes));
    if (card->arena_used < *offset + rounded(bytes))
        card->arena_used = *offset + rounded(bytes);
    card->shared[*number] = (struct card_shared){.offset = *offset, .bytes = bytes};
    return true;
}

bool card_share(struct card *card, uint64_t bytes, enum engine_block_kind kind, size_t *number) {
    uint64_t offset;
    if (!shared_reserve(card, bytes, number, &offset))
        return false;
    card_fill_block(card, *number, bytes, kind);
    card->shared[*number].seen = mem_sparse(bytes, 1);
    return true;
}

void shared_release(struct card *card, size_t number) {
    if (!is_shared(card, number))
        return;
    if (card->shared[number].seen)
        mem_sparse_free(card->shared[number].seen, card->shared[number].bytes, 1);
    card->shared[number] = (struct card_shared){0};
}

/* ---- exchanging -------------------------------------------------------------------------------
 */

/* What the host has written, for kernels; the file may change while we look at it. */
static void take_page(struct card *card, const unsigned char *file, unsigned char *bytes,
                      unsigned char *seen, size_t count) {
    unsigned char host[PAGE];
    memcpy(host, file, count);
    if (memcmp(host, seen, count) == 0)
        return;
    size_t first = 0, end = count;
    while (host[first] == seen[first])
        first++;
    while (host[end - 1] == seen[end - 1])
        end--;
    card_task_uploaded(card, NULL, host + first, end - first);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = host[i] != seen[i] ? host[i] : bytes[i];
        seen[i] = host[i];
    }
}

static void give_page(struct card *card, uint64_t address, unsigned char *file,
                      const unsigned char *bytes, unsigned char *seen, size_t count) {
    if (memcmp(bytes, seen, count) == 0)
        return;
    card_task_downloaded(card, address, bytes, count);
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != seen[i])
            file[i] = seen[i] = bytes[i];
}

void shared_take(struct card *card) {
    unsigned char *arena = card->window + WIRE_WINDOW;
    for (size_t i = 0; card->shared && i < ENGINE_HOST_BLOCKS; i++) {
        const struct card_shared *shared = &card->shared[i];
        for (uint64_t at = 0; shared->seen && at < shared->bytes; at += PAGE)
            take_page(card, arena + shared->offset + at, card->blocks[i].bytes + at,
                      shared->seen + at, shared->bytes - at < PAGE ? shared->bytes - at : PAGE);
    }
    card->unseen = true;
}

void shared_give(struct card *card) {
    unsigned char *arena = card->window + WIRE_WINDOW;
    if (!card->unseen)
        return;
    shared_take(card); /* what the host has written meanwhile is not to be lost */
    card->unseen = false;
    for (size_t i = 0; card->shared && i < ENGINE_HOST_BLOCKS; i++) {
        const struct card_shared *shared = &card->shared[i];
        for (uint64_t at = 0; shared->seen && at < shared->bytes; at += PAGE)
            give_page(card, sim_block_address(i) + at, arena + shared->offset + at,
                      card->blocks[i].bytes + at, shared->seen + at,
                      shared->bytes - at < PAGE ? shared->bytes - at : PAGE);
    }
}

void shared_show(struct card *card, size_t number, uint64_t low, uint64_t high) {
    const struct card_shared *shared = &card->shared[number];
    unsigned char *file = card->window + WIRE_WINDOW + shared->offset;
    const unsigned char *bytes = card->blocks[number].bytes;
    for (uint64_t at = low; at < high && at < shared->bytes; at++)
        if (bytes[at] != shared->seen[at] && file[at] == shared->seen[at]) {
            card_task_downloaded(card, sim_block_address(number) + at, bytes + at, 1);
            file[at] = shared->seen[at] = bytes[at];
        }
}

/* ---- what the host asks -----------------------------------------------------------------------
 */

enum card_error card_do_SHARE(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    uint64_t bytes = request->head.argument[0];
    bool is_host = request->head.argument[1];
    size_t number;
    if (!bytes)
        return CARD_INVALID_VALUE;
    if (!card_share(card, bytes, is_host ? ENGINE_BLOCK_PINNED : ENGINE_BLOCK_MANAGED, &number))
        return CARD_OUT_OF_MEMORY;
    snprintf(card->blocks[number].about.name, sizeof card->blocks[number].about.name,
             is_host ? "the host's memory %zu" : "managed memory %zu", number + 1);
    reply->head.value[0] = sim_block_address(number);
    return CARD_OK;
}

enum card_error card_do_PLACE(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    uint64_t offset;
    size_t number = card_block_of(card, request->head.argument[0], &offset);
    if (!is_shared(card, number))
        return CARD_INVALID_VALUE;
    reply->head.value[0] = WIRE_WINDOW + card->shared[number].offset;
    reply->head.value[1] = card->shared[number].bytes;
    return CARD_OK;
}

enum card_error card_do_EXCHANGE(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    (void)request, (void)reply;
    shared_give(card);
    return CARD_OK;
}

enum card_error card_do_RANGE(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    uint64_t offset;
    size_t number = card_block_of(card, request->head.argument[0], &offset);
    const struct engine_block *block = card_is_live(card, number) ? &card->blocks[number] : NULL;
    if (!block || offset >= block->about.count)
        return CARD_INVALID_VALUE;
    reply->head.value[0] = card_address_of(card, number);
    reply->head.value[1] = block->about.count;
    return CARD_OK;
}
