/* Memory of a real card, and what it shares with the host.
 *
 * Shared memory is the same memory: the pages of the window's file, at one address in the program,
 * in this process and on the card, which reaches them over the bus. Whatever one side writes the
 * other sees, so that nothing is exchanged. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE = 4096, REGISTER_FLAGS = 3 /* portable, and the card may use it */, TRIES = 64 };

static enum card_error allocate(struct card *card, uint64_t bytes, uint64_t *address) {
    gpu_address at = 0;
    enum card_error error = metal_result(card, card->metal->driver.cuMemAlloc_v2(&at, bytes));
    *address = at;
    return error;
}

static size_t pages_of(uint64_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* The driver would wait for a kernel that does not end. */
static void release(struct card *card, size_t number) {
    struct metal *metal = card->metal;
    uint64_t address = card_address_of(card, number);
    if (metal_await_all(card) == CARD_LAUNCH_TIMEOUT || metal->hangs)
        return;
    if (metal_array_release(card, number))
        return;
    if (number >= ENGINE_HOST_BLOCKS) {
        metal_result(card, metal->driver.cuMemFree_v2(address));
        return;
    }
    metal->driver.cuMemHostUnregister((void *)(uintptr_t)address);
    munmap((void *)(uintptr_t)address, pages_of(card->lives[number].bytes));
}

static bool is_array(const struct card *card, uint64_t address) {
    uint64_t offset;
    return metal_array_of(card, address, &offset);
}

/* The driver has taken bytes for memory when the call returns. Whether it has those for an array,
 * its manual leaves open. */
static enum card_error write_card(struct card *card, uint64_t stream, uint64_t to, const void *from,
                                  uint64_t bytes) {
    const struct driver *driver = &card->metal->driver;
    void *handle = metal_stream_of(card, stream);
    bool to_array = is_array(card, to);
    metal_work_begins(card, stream);
    enum card_error error =
        to_array ? metal_array_transfer(card, stream, to, (void *)(uintptr_t)from, bytes, true)
                 : metal_result(card, driver->cuMemcpyHtoDAsync_v2(to, from, bytes, handle));
    metal_work_ends(card, stream);
    return error == CARD_OK && to_array ? metal_await(card, driver->cuStreamQuery, handle) : error;
}

/* To pageable memory: the driver returns when the bytes are there. */
static enum card_error read_card(struct card *card, uint64_t stream, void *to, uint64_t from,
                                 uint64_t bytes) {
    const struct driver *driver = &card->metal->driver;
    void *handle = metal_stream_of(card, stream);
    enum card_error error = metal_await(card, driver->cuStreamQuery, handle);
    if (error != CARD_OK)
        return error;
    metal_work_begins(card, stream);
    error = is_array(card, from)
                ? metal_array_transfer(card, stream, from, to, bytes, false)
                : metal_result(card, driver->cuMemcpyDtoHAsync_v2(to, from, bytes, handle));
    metal_work_ends(card, stream);
    return error == CARD_OK ? metal_await(card, driver->cuStreamQuery, handle) : error;
}

static enum card_error copy(struct card *card, uint64_t stream, uint64_t to, uint64_t from,
                            uint64_t bytes) {
    enum card_error error = metal_note_room(card, to, from, bytes);
    if (error != CARD_OK)
        return error;
    metal_work_begins(card, stream);
    error = is_array(card, to) || is_array(card, from)
                ? metal_array_copy(card, stream, to, from, bytes)
                : metal_result(card, card->metal->driver.cuMemcpyAsync(
                                         to, from, bytes, metal_stream_of(card, stream)));
    metal_work_ends(card, stream);
    return error == CARD_OK ? metal_note_copy(card, stream, to, from, bytes) : error;
}

/* Of an array there is no such call. */
static enum card_error fill(struct card *card, uint64_t stream, uint64_t to, unsigned char byte,
                            uint64_t bytes) {
    if (is_array(card, to))
        return CARD_INVALID_VALUE;
    metal_work_begins(card, stream);
    int code = card->metal->driver.cuMemsetD8Async(to, byte, bytes, metal_stream_of(card, stream));
    metal_work_ends(card, stream);
    return metal_result(card, code);
}

const struct card_real metal_real = {.allocate = allocate,
                                     .release = release,
                                     .write = write_card,
                                     .read = read_card,
                                     .copy = copy,
                                     .fill = fill};

/* What was brought before it is to be known when it is looked at. */
enum card_error metal_do_WRITE(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    enum card_error error = metal_notes_take(card, false);
    return error == CARD_OK ? card_do_WRITE(card, request, reply) : error;
}

/* ---- shared with the host ---------------------------------------------------------------------
 */

static bool map_block(uint64_t address, uint64_t bytes, uint64_t offset) {
    void *at = (void *)(uintptr_t)address;
    void *mapped = mmap(at, pages_of(bytes), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED_NOREPLACE, WIRE_SHARED, (off_t)offset);
    if (mapped != MAP_FAILED && mapped != at)
        munmap(mapped, pages_of(bytes));
    return mapped == at;
}

/* The card has it at the same address, or pointers would mean two things. */
static enum card_error register_block(struct card *card, uint64_t address, uint64_t bytes) {
    const struct driver *driver = &card->metal->driver;
    void *at = (void *)(uintptr_t)address;
    gpu_address seen = 0;
    int code = driver->cuMemHostRegister_v2(at, pages_of(bytes), REGISTER_FLAGS);
    if (code != DRIVER_OK)
        return metal_result(card, code);
    code = driver->cuMemHostGetDevicePointer_v2(&seen, at, 0);
    if (code == DRIVER_OK && seen == address)
        return CARD_OK;
    driver->cuMemHostUnregister(at);
    findings_add_unsupported(card, "this card has the host's memory at other addresses than the "
                                   "host: managed and pinned memory need --engine sim");
    return CARD_NOT_SUPPORTED;
}

enum card_error metal_share(struct card *card, uint64_t bytes, enum engine_block_kind kind,
                            size_t *number) {
    if (bytes > card->arena_bytes)
        return CARD_OUT_OF_MEMORY;
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t offset;
        if (!shared_reserve(card, bytes, number, &offset))
            return CARD_OUT_OF_MEMORY;
        uint64_t address = sim_block_address(*number);
        if (!map_block(address, bytes, WIRE_WINDOW + offset)) { /* the driver has something there */
            shared_release(card, *number);
            continue;
        }
        enum card_error error = register_block(card, address, bytes);
        if (error == CARD_OK) {
            card_adopt_shared(card, *number, bytes, kind);
            return CARD_OK;
        }
        munmap((void *)(uintptr_t)address, pages_of(bytes));
        shared_release(card, *number);
        return error;
    }
    return CARD_OUT_OF_MEMORY;
}

enum card_error metal_do_SHARE(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    uint64_t bytes = request->head.argument[0];
    bool is_host = request->head.argument[1];
    size_t number;
    if (!bytes)
        return CARD_INVALID_VALUE;
    enum card_error error =
        metal_share(card, bytes, is_host ? ENGINE_BLOCK_PINNED : ENGINE_BLOCK_MANAGED, &number);
    if (error != CARD_OK)
        return error;
    snprintf(card->blocks[number].about.name, sizeof card->blocks[number].about.name,
             is_host ? "the host's memory %zu" : "managed memory %zu", number + 1);
    reply->head.value[0] = card_address_of(card, number);
    return CARD_OK;
}

/* The host looks at memory that work may still write. */
enum card_error metal_do_EXCHANGE(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    (void)request, (void)reply;
    return metal_await_all(card);
}
