/* What an exercise gives to a program's function, and what the card keeps of it.
 *
 * The inputs come from the trusted side and the outputs go back there; the program's process gets
 * addresses, or copies for its host pointers. What it says of its own memory (TASK_RETURN, and
 * where a copy goes) is a claim: card_origin.c believes an output only as far as copies from the
 * card, which happened here, bear it out. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_BYTES = 96 << 20, KEPT_COPIES = 1 << 18, LOOK_BYTES = 64, LOOKS = 64 };

static size_t bytes_of(const struct engine_argument *argument) {
    return argument->is_buffer ? argument->count * element_infos[argument->type].bytes : 0;
}

/* ---- before the program begins ----------------------------------------------------------------
 */

static size_t allocate(struct card *card, const struct engine_argument *argument,
                       const unsigned char *data) {
    size_t bytes = bytes_of(argument);
    struct card_request request = {.head = {.argument = {bytes ? bytes : 1}}};
    struct card_reply reply = {0};
    if (card_do_ALLOCATE(card, &request, &reply) != CARD_OK)
        return SIZE_MAX;
    uint64_t offset;
    size_t number = card_block_of(card, reply.head.value[0], &offset);
    struct engine_block *block = &card->blocks[number];
    snprintf(block->about.name, sizeof block->about.name, "%s", argument->name);
    block->about.read_only = argument->read_only;
    if (bytes && card->real) {
        card->real->write(card, 0, reply.head.value[0], data + argument->data_offset, bytes);
    } else if (bytes) {
        memcpy(block->bytes, data + argument->data_offset, bytes);
        sim_block_mark(block, 0, bytes, !argument->uninitialized);
    }
    return number;
}

void card_task_begin(struct card *card, const struct card_task *given) {
    struct card_task_state *task = &card->task;
    task->present = true;
    task->task = *given;
    task->initial = given->data;
    task->task.data = mem_dup(given->data, given->data_length + 1);
    for (size_t i = 0; i < given->argument_count; i++)
        task->blocks[i] = given->pointers == CARD_DEVICE_POINTERS && given->arguments[i].is_buffer
                              ? allocate(card, &given->arguments[i], task->initial)
                              : SIZE_MAX;
}

/* ---- the calls --------------------------------------------------------------------------------
 */

/* NULL: there is no such argument. */
static const struct engine_argument *argument_of(const struct card *card,
                                                 const struct card_request *request) {
    uint64_t number = request->head.argument[0];
    return number < card->task.task.argument_count ? &card->task.task.arguments[number] : NULL;
}

/* The range of a buffer that a call names, in data; NULL: there is none. */
static unsigned char *range_of(const struct card *card, const struct card_request *request) {
    const struct engine_argument *argument = argument_of(card, request);
    uint64_t offset = request->head.argument[1], bytes = request->head.argument[2];
    if (!argument || !argument->is_buffer || bytes > WIRE_WINDOW || offset > bytes_of(argument) ||
        bytes > bytes_of(argument) - offset)
        return NULL;
    return (unsigned char *)card->task.task.data + argument->data_offset + offset;
}

enum card_error card_do_TASK_ARGUMENT(struct card *card, const struct card_request *request,
                                      struct card_reply *reply) {
    const struct engine_argument *argument = argument_of(card, request);
    if (!argument)
        return CARD_INVALID_VALUE;
    size_t block = card->task.blocks[request->head.argument[0]];
    reply->head.value[0] = block != SIZE_MAX     ? card_address_of(card, block)
                           : argument->is_buffer ? 0
                                                 : argument->scalar;
    reply->head.value[1] = bytes_of(argument);
    return CARD_OK;
}

enum card_error card_do_TASK_READ(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    (void)reply;
    const unsigned char *range = range_of(card, request);
    if (!range || card->task.task.pointers != CARD_HOST_POINTERS)
        return CARD_INVALID_VALUE;
    memcpy(card->window, range, request->head.argument[2]);
    return CARD_OK;
}

enum card_error card_do_TASK_RETURN(struct card *card, const struct card_request *request,
                                    struct card_reply *reply) {
    (void)reply;
    unsigned char *range = range_of(card, request);
    if (!range || card->task.task.pointers != CARD_HOST_POINTERS || card->result.task.returned)
        return CARD_INVALID_VALUE;
    memcpy(range, card->window, request->head.argument[2]);
    card->task.hosts[request->head.argument[0]] =
        request->head.argument[3] - request->head.argument[1];
    return CARD_OK;
}

enum card_error card_do_TASK_END(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    (void)request, (void)reply;
    card->result.task.returned = card->task.present;
    return CARD_OK;
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

static void keep(struct card_copies *copies, struct card_copy copy, const void *bytes) {
    if (copies->count == KEPT_COPIES || copies->bytes.length + copy.length > KEPT_BYTES)
        return;
    copy.at = copies->bytes.length;
    text_append_bytes(&copies->bytes, bytes, copy.length);
    *mem_push(&copies->items, &copies->count, &copies->capacity) = copy;
}

/* Data that the exercise gave: where it stands in the input is noted, for the next part. */
static const unsigned char *input_of(const struct card_task_state *task, size_t number,
                                     size_t *size) {
    const struct engine_argument *argument = &task->task.arguments[number];
    *size = argument->uninitialized ? 0 : bytes_of(argument);
    return task->initial + argument->data_offset;
}

static bool is_next_input(struct card_task_state *task, const void *bytes, size_t length) {
    size_t size, at = task->input_at;
    if (task->input >= task->task.argument_count)
        return false;
    const unsigned char *input = input_of(task, task->input, &size);
    if (at > size || length > size - at || memcmp(input + at, bytes, length) != 0)
        return false;
    task->input_at += length;
    return true;
}

static bool is_in_input(struct card_task_state *task, size_t number, const void *bytes,
                        size_t length) {
    size_t size, at = 0, key = length < LOOK_BYTES ? length : LOOK_BYTES;
    const unsigned char *input = input_of(task, number, &size);
    for (unsigned looks = 0; looks < LOOKS && at < size; looks++, at++) {
        const unsigned char *found = memmem(input + at, size - at, bytes, key);
        if (!found || length > size - (size_t)(found - input))
            return false;
        at = (size_t)(found - input);
        if (memcmp(found, bytes, length) == 0) {
            task->input = number;
            task->input_at = at + length;
            return true;
        }
    }
    return false;
}

/* What copies from the card have brought before: as a rule the next part of it. */
static bool is_brought(struct card_task_state *task, const void *bytes, size_t length, bool next) {
    const struct text *brought = &task->downloads.bytes;
    size_t at = task->brought_at;
    const char *found = NULL;
    if (next && at <= brought->length && length <= brought->length - at &&
        memcmp(text_string(brought) + at, bytes, length) == 0)
        found = text_string(brought) + at;
    else if (!next && brought->length >= length)
        found = memmem(brought->data, brought->length, bytes, length);
    if (found)
        task->brought_at = (size_t)(found - brought->data) + length;
    return found != NULL;
}

void card_task_uploaded(struct card *card, const struct engine_block *block, const void *bytes,
                        size_t length) {
    struct card_task_state *task = &card->task;
    if (!task->present || !length || is_brought(task, bytes, length, true) ||
        is_next_input(task, bytes, length) || is_brought(task, bytes, length, false))
        return;
    for (size_t i = 0; i < task->task.argument_count; i++) {
        size_t number = (task->input + i) % task->task.argument_count;
        if (is_in_input(task, number, bytes, length))
            return;
    }
    size_t place = block ? (size_t)(block - card->blocks) : SIZE_MAX;
    keep(&task->uploads, (struct card_copy){.block = place, .length = length}, bytes);
}

/* Parameters of a kernel carry the host's bytes, too. */
void card_task_passed(struct card *card, const void *parameters, size_t length) {
    if (card->task.present && length)
        keep(&card->task.uploads, (struct card_copy){.block = SIZE_MAX, .length = length},
             parameters);
}

void card_task_downloaded(struct card *card, uint64_t host, const void *bytes, size_t length) {
    if (card->task.present && length)
        keep(&card->task.downloads, (struct card_copy){.host = host, .length = length}, bytes);
}

/* The exercise's own buffers are not the program's to free. */
bool card_task_keeps(struct card *card, const struct engine_block *block) {
    size_t number = (size_t)(block - card->blocks);
    for (size_t i = 0; i < card->task.task.argument_count; i++)
        if (card->task.blocks[i] == number) {
            card->result.task.freed = i + 1;
            return true;
        }
    return false;
}

bool card_task_names(const struct card *card, size_t block) {
    for (size_t i = 0; i < card->task.task.argument_count; i++)
        if (card->task.blocks[i] == block)
            return true;
    return false;
}

/* ---- when it has ended ------------------------------------------------------------------------
 */

void card_task_end(struct card *card) {
    struct card_task_state *task = &card->task;
    if (!task->present)
        return;
    for (size_t i = 0; i < task->task.argument_count; i++) {
        const struct engine_argument *argument = &task->task.arguments[i];
        char *data = (char *)task->task.data + argument->data_offset;
        if (task->blocks[i] != SIZE_MAX && card->real)
            card->real->read(card, 0, data, card_address_of(card, task->blocks[i]),
                             bytes_of(argument));
        else if (task->blocks[i] != SIZE_MAX)
            memcpy(data, card->blocks[task->blocks[i]].bytes, bytes_of(argument));
    }
    card_origin_find(card);
}

static void clear_copies(struct card_copies *copies) {
    text_free(&copies->bytes);
    free(copies->items);
}

void card_task_clear(struct card *card) {
    if (card->task.present)
        free(card->task.task.data);
    clear_copies(&card->task.uploads);
    clear_copies(&card->task.downloads);
    text_free(&card->result.task.computed);
}
