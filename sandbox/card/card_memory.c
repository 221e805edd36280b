/* Device memory: blocks with a number each, which is a part of their address.
 *
 * A freed block's number is used again only when many others have been freed since, so that a
 * pointer to it stays wrong for long. Every range is checked against its block: what comes over the
 * socket is a stranger's. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUARANTINE = 1024 };

/* The block in which all of the range lies; NULL: there is none. */
static struct engine_block *find(struct card *card, uint64_t address, uint64_t bytes,
                                 uint64_t *offset) {
    size_t number = card_block_of(card, address, offset);
    struct engine_block *block = card_is_live(card, number) ? &card->blocks[number] : NULL;
    if (!block || *offset > block->about.count || bytes > block->about.count - *offset)
        return NULL;
    return block;
}

/* ... for the host, who is told why there is none. */
static struct engine_block *find_for(struct card *card, const char *what, uint64_t address,
                                     uint64_t bytes, uint64_t *offset) {
    struct engine_block *block = find(card, address, bytes, offset);
    if (!block)
        checks_explain_range(card, what, address, bytes);
    return block;
}

/* The oldest one; the list is moved together when half of it is used up. */
static size_t take_freed(struct card *card) {
    size_t number = card->freed[card->reused++];
    if (2 * card->reused > card->freed_count) {
        card->freed_count -= card->reused;
        memmove(card->freed, card->freed + card->reused, card->freed_count * sizeof *card->freed);
        card->reused = 0;
    }
    return number;
}

/* The first numbers are those of memory that the host has, too: card_shared.c. */
static void skip_host_blocks(struct card *card) {
    while (card->block_count < ENGINE_HOST_BLOCKS)
        *mem_push(&card->blocks, &card->block_count, &card->block_capacity) =
            (struct engine_block){0};
}

static size_t new_number(struct card *card) {
    bool full = card->block_count == ENGINE_MAX_BLOCKS;
    if (card->freed_count - card->reused > (full ? 0 : QUARANTINE))
        return take_freed(card);
    if (full)
        return SIZE_MAX;
    skip_host_blocks(card);
    mem_push(&card->blocks, &card->block_count, &card->block_capacity);
    return card->block_count - 1;
}

void card_fill_block(struct card *card, size_t number, uint64_t bytes,
                     enum engine_block_kind kind) {
    skip_host_blocks(card);
    struct engine_block *block = &card->blocks[number];
    *block = (struct engine_block){.bytes = mem_sparse(bytes + ENGINE_BLOCK_SLACK, 1),
                                   .shadow = mem_sparse(bytes + ENGINE_BLOCK_SLACK, 1),
                                   .about = {.is_buffer = true, .type = ELEMENT_u8, .count = bytes},
                                   .kind = kind};
    mem_expect_use(block->bytes, bytes);
    mem_expect_use(block->shadow, bytes);
    sim_block_mark(block, 0, bytes, kind != ENGINE_BLOCK_ALLOCATED);
    card->used_bytes += bytes;
    checks_allocated(card, number, bytes);
}

static void adopt(struct card *card, size_t number, uint64_t bytes, enum engine_block_kind kind) {
    skip_host_blocks(card);
    card->blocks[number] = (struct engine_block){
        .about = {.is_buffer = true, .type = ELEMENT_u8, .count = bytes}, .kind = kind};
    card->used_bytes += bytes;
    checks_allocated(card, number, bytes);
}

bool card_adopt(struct card *card, uint64_t address, uint64_t bytes, enum engine_block_kind kind,
                size_t *number) {
    if ((*number = new_number(card)) == SIZE_MAX)
        return false;
    adopt(card, *number, bytes, kind);
    card_note_place(card, *number, address, bytes);
    return true;
}

void card_adopt_shared(struct card *card, size_t number, uint64_t bytes,
                       enum engine_block_kind kind) {
    adopt(card, number, bytes, kind);
    card_note_place(card, number, sim_block_address(number), bytes);
}

/* What the card says no to is an error of the call's. */
static enum card_error allocate_real(struct card *card, uint64_t bytes, size_t *number) {
    uint64_t address;
    enum card_error error = card->real->allocate(card, bytes, &address);
    if (error != CARD_OK)
        return error;
    return card_adopt(card, address, bytes, ENGINE_BLOCK_ALLOCATED, number) ? CARD_OK
                                                                            : CARD_OUT_OF_MEMORY;
}

static enum card_error allocate(struct card *card, uint64_t bytes, size_t *number) {
    if (card->real)
        return allocate_real(card, bytes, number);
    return card_allocate(card, bytes, ENGINE_BLOCK_ALLOCATED, number) ? CARD_OK
                                                                      : CARD_OUT_OF_MEMORY;
}

bool card_has_room(struct card *card, uint64_t bytes) {
    bool fits = bytes <= card->capacity_bytes - card->used_bytes;
    if (!fits && bytes > card->result.refused_bytes)
        card->result.refused_bytes = bytes;
    return fits;
}

bool card_allocate(struct card *card, uint64_t bytes, enum engine_block_kind kind, size_t *number) {
    if (!card_has_room(card, bytes) || (*number = new_number(card)) == SIZE_MAX)
        return false;
    card_fill_block(card, *number, bytes, kind);
    return true;
}

enum card_error card_do_ALLOCATE(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    uint64_t bytes = request->head.argument[0];
    size_t number;
    if (bytes == 0)
        return CARD_INVALID_VALUE;
    enum card_error error = allocate(card, bytes, &number);
    if (error != CARD_OK)
        return error;
    struct engine_block *block = &card->blocks[number];
    snprintf(block->about.name, sizeof block->about.name, "allocation %zu",
             number - ENGINE_HOST_BLOCKS + 1);
    reply->head.value[0] = card_address_of(card, number);
    return CARD_OK;
}

static void release(struct card *card, struct engine_block *block) {
    uint64_t bytes = block->about.count;
    if (card->real) {
        card->real->release(card, (size_t)(block - card->blocks));
    } else {
        mem_sparse_free(block->bytes, bytes + ENGINE_BLOCK_SLACK, 1);
        mem_sparse_free(block->shadow, bytes + ENGINE_BLOCK_SLACK, 1);
    }
    block->bytes = block->shadow = NULL;
    card->used_bytes -= bytes;
    shared_release(card, (size_t)(block - card->blocks));
}

static void free_block(struct card *card, struct engine_block *block) {
    size_t number = (size_t)(block - card->blocks);
    release(card, block);
    touch_forget(&card->touches, number);
    checks_freed(card, number);
    if (number >= ENGINE_HOST_BLOCKS)
        *mem_push(&card->freed, &card->freed_count, &card->freed_capacity) = number;
}

enum card_error card_do_FREE(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    uint64_t offset;
    struct engine_block *block = find(card, request->head.argument[0], 0, &offset);
    if (!block || offset || block->kind >= ENGINE_BLOCK_VARIABLE) {
        checks_explain_free(card, "cudaFree()", request->head.argument[0]);
        return CARD_INVALID_VALUE;
    }
    if (card_task_keeps(card, block))
        return CARD_OK;
    struct touch_work work;
    if (request->head.argument[1] && !card_begin(card, request, "cudaFreeAsync()", &work))
        return CARD_INVALID_HANDLE;
    if (request->head.argument[1])
        card_touch_block(card, &work, block, 0, block->about.count, ENGINE_TOUCH_WRITE);
    free_block(card, block);
    return CARD_OK;
}

/* What the host has, too, stays where it is. */
enum card_error card_do_RESET(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)request, (void)reply;
    for (size_t i = ENGINE_HOST_BLOCKS; i < card->block_count; i++)
        if (card_is_live(card, i) && card->blocks[i].kind == ENGINE_BLOCK_ALLOCATED)
            free_block(card, &card->blocks[i]);
    checks_reset(card);
    if (card->fault) /* an H200's answer to what follows */
        card->fault = CARD_UNAVAILABLE;
    return CARD_OK;
}

void card_clear_memory(struct card *card) {
    for (size_t i = 0; i < card->block_count; i++)
        if (card->blocks[i].bytes)
            release(card, &card->blocks[i]);
    for (size_t i = 0; i < card->heap.count; i++) {
        free(card->heap.pieces[i].bytes);
        free(card->heap.pieces[i].shadow);
    }
    free(card->heap.pieces);
    free(card->blocks);
    free(card->freed);
    free(card->shared);
    free(card->spans);
}

enum card_error card_do_CHECK(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)reply;
    uint64_t offset;
    bool fits =
        find_for(card, "a copy", request->head.argument[0], request->head.argument[1], &offset);
    return fits ? CARD_OK : CARD_INVALID_VALUE;
}

/* Work on one range of a block by the request's stream. */
static enum card_error begin(struct card *card, const struct card_request *request,
                             const char *what, const struct engine_block *block, uint64_t offset,
                             uint64_t bytes, enum engine_touch how, struct touch_work *work) {
    if (!card_begin(card, request, what, work))
        return CARD_INVALID_HANDLE;
    card_touch_block(card, work, block, offset, bytes, how);
    return CARD_OK;
}

enum card_error card_do_WRITE(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)reply;
    struct touch_work work;
    uint64_t offset, bytes = request->head.argument[1];
    struct engine_block *block = find(card, request->head.argument[0], bytes, &offset);
    if (!block || bytes > WIRE_WINDOW)
        return CARD_INVALID_VALUE;
    enum card_error error = begin(card, request, "a copy from the host", block, offset, bytes,
                                  ENGINE_TOUCH_WRITE, &work);
    if (error)
        return error;
    card_task_uploaded(card, block, card->window, bytes);
    if (card->real)
        return card->real->write(card, work.stream, request->head.argument[0], card->window, bytes);
    memcpy(block->bytes + offset, card->window, bytes);
    sim_block_mark(block, offset, bytes, true);
    card_spend(card, &work, WORK_TO_CARD, card_host_copy_ns(card, request), 0);
    return CARD_OK;
}

enum card_error card_do_READ(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    struct touch_work work;
    uint64_t offset, bytes = request->head.argument[1];
    struct engine_block *block = find(card, request->head.argument[0], bytes, &offset);
    if (!block || bytes > WIRE_WINDOW)
        return CARD_INVALID_VALUE;
    enum card_error error =
        begin(card, request, "a copy to the host", block, offset, bytes, ENGINE_TOUCH_READ, &work);
    if (error)
        return error;
    if (card->real) {
        error = card->real->read(card, work.stream, card->window, request->head.argument[0], bytes);
    } else {
        memcpy(card->window, block->bytes + offset, bytes);
        card_spend(card, &work, WORK_FROM_CARD, card_host_copy_ns(card, request), 0);
    }
    if (error == CARD_OK)
        card_task_downloaded(card, request->head.argument[4],
                             card->real ? card->window : block->bytes + offset, bytes);
    return error;
}

/* What was never written stays so in the copy. */
enum card_error card_do_COPY(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    struct touch_work work;
    uint64_t to_offset, from_offset, bytes = request->head.argument[2];
    struct engine_block *to =
        find_for(card, "a copy", request->head.argument[0], bytes, &to_offset);
    struct engine_block *from =
        find_for(card, "a copy", request->head.argument[1], bytes, &from_offset);
    if (!to || !from)
        return CARD_INVALID_VALUE;
    enum card_error error = begin(card, request, "a copy inside of the card", from, from_offset,
                                  bytes, ENGINE_TOUCH_READ, &work);
    if (error)
        return error;
    card_touch_block(card, &work, to, to_offset, bytes, ENGINE_TOUCH_WRITE);
    if (card->real)
        return card->real->copy(card, work.stream, request->head.argument[0],
                                request->head.argument[1], bytes);
    memmove(to->bytes + to_offset, from->bytes + from_offset, bytes);
    memmove(to->shadow + to_offset, from->shadow + from_offset, bytes);
    card_spend(card, &work, WORK_KERNEL, card_device_copy_ns(card, 2 * bytes), 1);
    return CARD_OK;
}

enum card_error card_do_FILL(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    struct touch_work work;
    uint64_t offset, bytes = request->head.argument[2];
    struct engine_block *block =
        find_for(card, "a memset", request->head.argument[0], bytes, &offset);
    if (!block)
        return CARD_INVALID_VALUE;
    enum card_error error =
        begin(card, request, "a memset", block, offset, bytes, ENGINE_TOUCH_WRITE, &work);
    if (error)
        return error;
    if (card->real)
        return card->real->fill(card, work.stream, request->head.argument[0],
                                (unsigned char)request->head.argument[1], bytes);
    memset(block->bytes + offset, (int)(request->head.argument[1] & 0xff), bytes);
    sim_block_mark(block, offset, bytes, true);
    card_spend(card, &work, WORK_KERNEL, card_device_copy_ns(card, bytes), 1);
    return CARD_OK;
}
