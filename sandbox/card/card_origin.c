/* Whose the outputs are: computed by kernels, or by the host and only carried over the card.
 *
 * Three rules, and all look at what happened here, because what a process says of itself is no
 * evidence:
 *
 *   what the host sent   Bytes that the host copied to the card, and that are no part of an input,
 *                        are the host's work, wherever a kernel or a copy carries them. An output
 *                        half of whose pieces of 16 bytes (constant ones do not count) were sent
 *                        so is the host's.
 *   what the host has    With host pointers every byte of an output that is not what it was
 *                        before must have come from the card: by a copy to that place, or by one
 *                        to another place that holds the same bytes (a pinned buffer that the host
 *                        copies from).
 *   what kernels read    A sum that the host computed can be sent so that a kernel makes it of
 *                        other bytes (one less, and it adds one). But that kernel reads next to
 *                        nothing: kernels that cannot have read half of the inputs have not
 *                        computed the outputs.
 *
 * Who hides what he computed from all three needs a kernel that reads as much as a right one does;
 * the work of the kernels is then that of a copy, at which thresholds on counters look. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 16, STEP = 4, KEY = 8, LOOKS = 4096 };
/* Bytes that an instruction of a warp loads at most; a copy in bulk loads more, but not with
 * compute_80, which submissions are compiled for. */
enum { MOST_OF_A_WARP = 32 * 16 };

/* The pieces of what was sent: a table of where they stand, by their hash. */
struct pieces {
    const unsigned char *bytes;
    uint32_t *slots; /* place + 1 */
    size_t mask;
};

static uint64_t hash_piece(const unsigned char *bytes) {
    uint64_t a, b;
    memcpy(&a, bytes, 8);
    memcpy(&b, bytes + 8, 8);
    a = (a ^ (b * UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xff51afd7ed558ccd);
    return a ^ (a >> 29);
}

static bool is_constant(const unsigned char *bytes, size_t length) {
    return length < 2 || memcmp(bytes, bytes + 1, length - 1) == 0;
}

/* The same element again and again says as little as the same byte. */
static bool says_something(const unsigned char *piece) {
    return memcmp(piece, piece + STEP, PIECE - STEP) != 0 && !is_constant(piece, PIECE);
}

static void add_piece(struct pieces *pieces, size_t at) {
    const unsigned char *piece = pieces->bytes + at;
    if (!says_something(piece))
        return;
    for (size_t i = hash_piece(piece) & pieces->mask;; i = (i + 1) & pieces->mask) {
        if (!pieces->slots[i]) {
            pieces->slots[i] = (uint32_t)at + 1;
            return;
        }
        if (memcmp(pieces->bytes + pieces->slots[i] - 1, piece, PIECE) == 0)
            return;
    }
}

static struct pieces cut(const struct card_copies *copies) {
    size_t wanted = 2 * (copies->bytes.length / STEP) + 2, size = 2;
    while (size < wanted)
        size *= 2;
    struct pieces pieces = {.bytes = (const unsigned char *)copies->bytes.data,
                            .slots = mem_calloc(size, sizeof *pieces.slots),
                            .mask = size - 1};
    for (size_t i = 0; i < copies->count; i++)
        for (size_t at = 0; at + PIECE <= copies->items[i].length; at += STEP)
            add_piece(&pieces, copies->items[i].at + at);
    return pieces;
}

static bool was_sent(const struct pieces *pieces, const unsigned char *piece) {
    for (size_t i = hash_piece(piece) & pieces->mask; pieces->slots[i]; i = (i + 1) & pieces->mask)
        if (memcmp(pieces->bytes + pieces->slots[i] - 1, piece, PIECE) == 0)
            return true;
    return false;
}

/* An output too short for pieces: the whole of it, where it is no plain number that a program may
 * have sent for another reason. */
static bool is_plain_number(const struct engine_argument *argument, const unsigned char *bytes) {
    double value;
    float single;
    if (argument->type == ELEMENT_f64) {
        memcpy(&value, bytes, sizeof value);
    } else if (argument->type == ELEMENT_f32) {
        memcpy(&single, bytes, sizeof single);
        value = single;
    } else {
        return true;
    }
    return value == trunc(value);
}

/* What the exercise itself passes as a number is no work of the host's. */
static bool is_scalar(const struct card_task *task, const unsigned char *output, size_t length) {
    for (size_t i = 0; i < task->argument_count; i++)
        if (!task->arguments[i].is_buffer && length <= sizeof task->arguments[i].scalar &&
            memcmp(&task->arguments[i].scalar, output, length) == 0)
            return true;
    return false;
}

static bool was_sent_whole(const struct card_task_state *task, size_t number,
                           const unsigned char *output, size_t length) {
    const struct card_copies *uploads = &task->uploads;
    bool plain = is_plain_number(&task->task.arguments[number], output) ||
                 is_scalar(&task->task, output, length);
    for (size_t i = 0; i < uploads->count; i++) {
        bool here =
            uploads->items[i].block != SIZE_MAX && uploads->items[i].block == task->blocks[number];
        const char *sent = uploads->bytes.data + uploads->items[i].at;
        if ((here || !plain) && memmem(sent, uploads->items[i].length, output, length))
            return true;
    }
    return false;
}

/* Half of what says something in it was sent by the host. */
static bool is_sent(const struct card_task_state *task, const struct pieces *pieces, size_t number,
                    const unsigned char *output, size_t length, uint64_t *first) {
    size_t telling = 0, sent = 0;
    for (size_t at = 0; at + PIECE <= length; at += PIECE) {
        if (!says_something(output + at))
            continue;
        telling++;
        if (was_sent(pieces, output + at) && sent++ == 0)
            *first = at;
    }
    if (length >= PIECE)
        return telling && 2 * sent >= telling;
    *first = 0;
    return length && was_sent_whole(task, number, output, length);
}

/* ---- host pointers ----------------------------------------------------------------------------
 */

/* Marks what copies to this place have brought: `same` where the bytes are still those. */
static void mark_copied(const struct card_copies *copies, uint64_t host,
                        const unsigned char *output, size_t length, unsigned char *same) {
    for (size_t i = 0; i < copies->count; i++) {
        const struct card_copy *copy = &copies->items[i];
        uint64_t begin = copy->host > host ? copy->host : host;
        uint64_t end =
            copy->host + copy->length < host + length ? copy->host + copy->length : host + length;
        const unsigned char *bytes = (const unsigned char *)copies->bytes.data + copy->at;
        for (uint64_t at = begin; at < end; at++)
            same[at - host] |= bytes[at - copy->host] == output[at - host];
    }
}

/* How much of the output from `at` on stands in one piece among what was brought to the host. */
static size_t find_elsewhere(const struct card_copies *copies, const unsigned char *output,
                             size_t left) {
    size_t key = left < KEY ? left : KEY, length = key;
    const unsigned char *all = (const unsigned char *)copies->bytes.data;
    const unsigned char *found =
        copies->bytes.length ? memmem(all, copies->bytes.length, output, key) : NULL;
    if (!found)
        return 0;
    size_t most = copies->bytes.length - (size_t)(found - all);
    while (length < left && length < most && found[length] == output[length])
        length++;
    return length;
}

/* By elements: all bytes of one, or it is not accounted for. */
static bool is_whole(const unsigned char *same, size_t at, unsigned step) {
    for (unsigned i = 0; i < step; i++)
        if (!same[at + i])
            return false;
    return true;
}

static bool is_brought(const struct card_task_state *task, size_t number,
                       const unsigned char *output, size_t length, uint64_t *first) {
    const unsigned char *before = task->initial + task->task.arguments[number].data_offset;
    unsigned step = element_infos[task->task.arguments[number].type].bytes, looks = 0;
    cleanup_free unsigned char *same = mem_zalloc(length + 1);
    for (size_t i = 0; i < length; i++)
        same[i] = output[i] == before[i];
    mark_copied(&task->downloads, task->hosts[number], output, length, same);
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && !is_whole(same, end, step))
            end += step;
        size_t found = end == at ? step
                       : looks++ < LOOKS
                           ? find_elsewhere(&task->downloads, output + at, end - at) / step * step
                           : 0;
        if (!found) {
            *first = at;
            return false;
        }
        at += found;
    }
    return true;
}

/* ---- what kernels read ------------------------------------------------------------------------
 */

static size_t bytes_of(const struct engine_argument *argument) {
    return argument->is_buffer ? argument->count * element_infos[argument->type].bytes : 0;
}

bool card_reads_enough(const struct card_task *task, const void *inputs,
                       const struct counters *counters, size_t number) {
    const struct engine_argument *output = &task->arguments[number];
    const char *bytes = (const char *)task->data + output->data_offset;
    uint64_t all = 0;
    for (size_t i = 0; i < task->argument_count; i++) {
        const struct engine_argument *input = &task->arguments[i];
        if (input->uninitialized || !bytes_of(input))
            continue;
        if (memmem((const char *)inputs + input->data_offset, bytes_of(input), bytes,
                   bytes_of(output)))
            return true;
        all += bytes_of(input);
    }
    return counters->memory_instructions * MOST_OF_A_WARP >= all / 2;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* What copies brought to the host, without what it had sent. */
static void collect_computed(const struct card_task_state *task, const struct pieces *pieces,
                             struct text *computed) {
    static const char filler[8] = {(char)CARD_FILLER, (char)CARD_FILLER, (char)CARD_FILLER,
                                   (char)CARD_FILLER, (char)CARD_FILLER, (char)CARD_FILLER,
                                   (char)CARD_FILLER, (char)CARD_FILLER};
    for (size_t i = 0; i < task->downloads.count; i++) {
        const struct card_copy *copy = &task->downloads.items[i];
        const char *bytes = task->downloads.bytes.data + copy->at;
        size_t begin = computed->length;
        text_append_bytes(computed, bytes, copy->length);
        for (size_t at = 0; at + PIECE <= copy->length; at += STEP)
            if (says_something((const unsigned char *)bytes + at) &&
                was_sent(pieces, (const unsigned char *)bytes + at))
                memset(computed->data + begin + at, CARD_FILLER, PIECE);
        text_append_bytes(computed, filler, (8 - copy->length % 8) % 8);
    }
}

void card_origin_find(struct card *card) {
    struct card_task_state *task = &card->task;
    struct pieces pieces = cut(&task->uploads);
    if (task->task.pointers == CARD_NO_POINTERS)
        collect_computed(task, &pieces, &card->result.task.computed);
    for (size_t i = 0; i < task->task.argument_count; i++) {
        const struct engine_argument *argument = &task->task.arguments[i];
        struct card_output *out = &card->result.task.outputs[i];
        const unsigned char *output =
            (const unsigned char *)task->task.data + argument->data_offset;
        size_t length = bytes_of(argument);
        if (!length || argument->read_only || task->task.pointers == CARD_NO_POINTERS ||
            memcmp(output, task->initial + argument->data_offset, length) == 0)
            continue;
        if (is_sent(task, &pieces, i, output, length, &out->offset))
            out->origin = CARD_FROM_HOST;
        else if (task->task.pointers == CARD_HOST_POINTERS && !task->shares &&
                 !is_brought(task, i, output, length, &out->offset))
            out->origin = CARD_NOT_FROM_CARD;
        else if (!card->real &&
                 !card_reads_enough(&task->task, task->initial, &card->result.found.counters, i))
            out->origin = CARD_FROM_TOO_LITTLE;
    }
    free(pieces.slots);
}
