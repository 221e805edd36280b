/* What asynchronous copies between the card and the host's pinned or managed memory have carried:
 * card_task.c has to know, and the program may write to that memory at any time. So each is
 * followed, in its stream, by a copy of the card's side within the card, which nothing of the
 * program's reaches before; what those hold is looked at when an upload asks what was brought
 * before it, and at the end.
 *
 * Kernels that are given such memory write there without any copy. Then it cannot be said here
 * which of it is the host's: that needs the simulated card. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <string.h>

enum { MOST_NOTES = 4096, LEAST_ROOM = 32 << 20, NON_BLOCKING = 1 };

static bool is_host_block(size_t number) {
    return number < ENGINE_HOST_BLOCKS;
}

/* In a stream of its own: the default one waits for the others. */
static bool take(struct card *card, const struct metal_note *note) {
    const struct driver *driver = &card->metal->driver;
    struct metal_notes *notes = &card->metal->notes;
    cleanup_free char *bytes = mem_alloc(note->bytes + 1);
    if (!notes->stream && driver->cuStreamCreate(&notes->stream, NON_BLOCKING) != DRIVER_OK)
        return false;
    if (driver->cuMemcpyDtoHAsync_v2(bytes, notes->room + note->at, note->bytes, notes->stream) !=
            DRIVER_OK ||
        driver->cuStreamSynchronize(notes->stream) != DRIVER_OK)
        return false;
    if (note->is_upload)
        card_task_uploaded(card, &card->blocks[note->block], bytes, note->bytes);
    else
        card_task_downloaded(card, note->host, bytes, note->bytes);
    return true;
}

enum card_error metal_notes_take(struct card *card, bool all) {
    struct metal *metal = card->metal;
    struct metal_notes *notes = &metal->notes;
    size_t kept = 0;
    for (size_t i = 0; i < notes->count && !card->fault; i++) {
        const struct metal_note note = notes->items[i];
        if (!all && metal->driver.cuEventQuery(note.done) == DRIVER_NOT_READY) {
            notes->items[kept++] = note;
            continue;
        }
        enum card_error error = metal_await(card, metal->driver.cuEventQuery, note.done);
        if (error != CARD_OK)
            return error;
        if (!take(card, &note))
            return CARD_LAUNCH_FAILURE;
        metal_event_give(card, note.done);
    }
    notes->count = kept;
    if (!kept)
        notes->used = 0;
    return card->fault;
}

static enum card_error make_room(struct card *card, uint64_t bytes) {
    struct metal *metal = card->metal;
    struct metal_notes *notes = &metal->notes;
    enum card_error error = CARD_OK;
    if (notes->count >= MOST_NOTES || bytes > notes->room_bytes - notes->used)
        error = metal_notes_take(card, true);
    if (error != CARD_OK || bytes <= notes->room_bytes - notes->used)
        return error;
    if (notes->room)
        metal->driver.cuMemFree_v2(notes->room);
    notes->room = 0;
    notes->room_bytes = 0;
    uint64_t room = bytes > LEAST_ROOM ? bytes : LEAST_ROOM;
    error = metal_result(card, metal->driver.cuMemAlloc_v2(&notes->room, room));
    if (error == CARD_OK)
        notes->room_bytes = room;
    return error;
}

static enum card_error add(struct card *card, uint64_t stream, struct metal_note note,
                           uint64_t from) {
    struct metal *metal = card->metal;
    struct metal_notes *notes = &metal->notes;
    void *handle = metal_stream_of(card, stream);
    note.at = notes->used;
    note.done = metal_event_take(card);
    if (!note.done)
        return CARD_OUT_OF_MEMORY;
    gpu_address to = notes->room + note.at;
    uint64_t offset;
    enum card_error error =
        metal_array_of(card, from, &offset)
            ? metal_array_copy(card, stream, to, from, note.bytes)
            : metal_result(card, metal->driver.cuMemcpyDtoDAsync_v2(to, from, note.bytes, handle));
    if (error == CARD_OK)
        error = metal_result(card, metal->driver.cuEventRecord(note.done, handle));
    if (error != CARD_OK)
        return error;
    *mem_push(&notes->items, &notes->count, &notes->capacity) = note;
    notes->used += note.bytes;
    return CARD_OK;
}

/* Before the copy, because making room may wait: a copy that is noted has a place. */
enum card_error metal_note_room(struct card *card, uint64_t to, uint64_t from, uint64_t bytes) {
    uint64_t offset;
    bool to_host = is_host_block(card_block_of(card, to, &offset));
    bool from_host = is_host_block(card_block_of(card, from, &offset));
    return card->task.present && to_host != from_host ? make_room(card, bytes) : CARD_OK;
}

enum card_error metal_note_copy(struct card *card, uint64_t stream, uint64_t to, uint64_t from,
                                uint64_t bytes) {
    uint64_t offset;
    size_t to_block = card_block_of(card, to, &offset);
    bool to_host = is_host_block(to_block);
    if (!card->task.present || to_host == is_host_block(card_block_of(card, from, &offset)))
        return CARD_OK;
    struct metal_note note = {.is_upload = !to_host, .host = to, .block = to_block, .bytes = bytes};
    return add(card, stream, note, to_host ? from : to);
}

/* ---- what kernels reach -----------------------------------------------------------------------
 */

static bool has_managed(const struct card *card) {
    for (size_t i = 0; i < ENGINE_HOST_BLOCKS && i < card->block_count; i++)
        if (card_is_live(card, i) && card->blocks[i].kind != ENGINE_BLOCK_PINNED)
            return true;
    return false;
}

void metal_note_launch(struct card *card, const unsigned char *parameters, size_t length) {
    uint64_t word, offset;
    if (!card->task.present || card->task.shares)
        return;
    card->task.shares = has_managed(card);
    for (size_t at = 0; at + sizeof word <= length && !card->task.shares; at += sizeof word) {
        memcpy(&word, parameters + at, sizeof word);
        size_t number = card_block_of(card, word, &offset);
        card->task.shares = is_host_block(number) && card_is_live(card, number);
    }
}
