/* Memory that the host and kernels share. The card gives it an address that a process can have, and
 * a place in the shared file, which the host maps there: pointers are the same on both sides. What
 * one side has written the other sees when the runtime says so: the card exchanges it before a
 * launch and when the host waits.
 *
 * Memory that is registered stays where it is: its pages are replaced by ones of the shared file
 * with the same contents. Kernels have it at another address, which cudaHostGetDevicePointer()
 * says; arguments that point to it are translated. */
#include "sandbox/runtime/shared.h"

#include "sandbox/runtime/pinned.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE = 4096, TRIES = 256, MANY = 1024, SMALL = 64 << 10, PACK_BYTES = 4 << 20 };

/* A block of the card's in which small pieces lie. */
struct shared_pack {
    char *start;
    size_t used; /* bytes, in whole pages */
    size_t live; /* pieces */
};

static struct {
    pthread_mutex_t mutex;
    struct shared_range *ranges;
    size_t count;
    struct shared_pack *pack; /* that takes the next small piece */
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static uintptr_t page_of(uintptr_t address) {
    return address / PAGE * PAGE;
}

static size_t pages_of(uintptr_t start, size_t bytes) {
    return page_of(start + bytes + PAGE - 1) - page_of(start);
}

static cudaError_t ask_place(uint64_t address, uint64_t *offset, uint64_t *bytes) {
    struct link_call call = {.call = WIRE_PLACE, .argument = {address}};
    cudaError_t error = link_do(&call);
    *offset = call.value[0];
    *bytes = call.value[1];
    return error;
}

static bool map(void *at, size_t bytes, uint64_t offset, int flags) {
    void *mapped =
        mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, WIRE_SHARED, (off_t)offset);
    if (mapped != MAP_FAILED && mapped != at)
        munmap(mapped, bytes);
    return mapped == at;
}

static bool add(struct shared_range range) {
    struct shared_range *added = malloc(sizeof *added);
    if (!added)
        return false;
    *added = range;
    added->preferred = added->prefetched = SHARED_NO_DEVICE;
    pthread_mutex_lock(&shared.mutex);
    added->next = shared.ranges;
    shared.ranges = added;
    shared.count++;
    pthread_mutex_unlock(&shared.mutex);
    return true;
}

/* ---- finding ----------------------------------------------------------------------------------
 */

static bool holds(const char *start, size_t length, const void *pointer, size_t bytes) {
    uintptr_t offset = (uintptr_t)pointer - (uintptr_t)start;
    return (uintptr_t)pointer >= (uintptr_t)start && offset < length && bytes <= length - offset;
}

struct shared_range *shared_find(const void *pointer, size_t bytes) {
    if (is_device_address(pointer))
        return NULL;
    pthread_mutex_lock(&shared.mutex);
    struct shared_range *range = shared.ranges;
    while (range && !holds(range->start, range->bytes, pointer, bytes) &&
           !holds(range->device, range->bytes, pointer, bytes))
        range = range->next;
    pthread_mutex_unlock(&shared.mutex);
    return range;
}

void *shared_for_host(const void *pointer) {
    const struct shared_range *range = shared_find(pointer, 1);
    return range && !holds(range->start, range->bytes, pointer, 1)
               ? range->start + ((const char *)pointer - range->device)
               : (void *)pointer;
}

uint64_t shared_translate(uint64_t word) {
    const struct shared_range *range = shared.ranges ? shared_find((void *)word, 1) : NULL;
    return range && holds(range->start, range->bytes, (void *)word, 1)
               ? (uint64_t)(uintptr_t)range->device + (word - (uint64_t)(uintptr_t)range->start)
               : word;
}

cudaError_t shared_update(void) {
    return link_ask(WIRE_EXCHANGE, 0, 0, 0, NULL);
}

/* ---- managed and pinned memory ----------------------------------------------------------------
 */

/* The process may have something else at an address; then the card gives another one. */
static cudaError_t make_mapped(size_t bytes, bool is_host, uint64_t *address) {
    for (int i = 0; i < TRIES; i++) {
        uint64_t offset, length;
        cudaError_t error = link_ask(WIRE_SHARE, bytes, is_host, 0, address);
        if (error == cudaSuccess)
            error = ask_place(*address, &offset, &length);
        if (error != cudaSuccess)
            return error;
        if (map((void *)*address, pages_of(0, bytes), offset, MAP_FIXED_NOREPLACE))
            return cudaSuccess;
        link_ask(WIRE_FREE, *address, 0, 0, NULL);
    }
    return cudaErrorMemoryAllocation;
}

cudaError_t shared_make(size_t bytes, enum shared_kind kind, unsigned flags, void **pointer) {
    uint64_t address;
    cudaError_t error = make_mapped(bytes, kind != SHARED_MANAGED, &address);
    if (error != cudaSuccess)
        return error;
    *pointer = (void *)address;
    return add((struct shared_range){
               .kind = kind, .start = *pointer, .device = *pointer, .bytes = bytes, .flags = flags})
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

cudaError_t shared_adopt(uint64_t address) {
    uint64_t offset, bytes;
    cudaError_t error = ask_place(address, &offset, &bytes);
    if (error != cudaSuccess)
        return error;
    if (!map((void *)address, pages_of(0, bytes), offset, MAP_FIXED_NOREPLACE))
        return cudaErrorMemoryAllocation;
    return add((struct shared_range){.kind = SHARED_MANAGED,
                                     .start = (char *)address,
                                     .device = (char *)address,
                                     .bytes = bytes})
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

static struct shared_range *take(const void *start, enum shared_kind kind) {
    pthread_mutex_lock(&shared.mutex);
    struct shared_range **at = &shared.ranges;
    while (*at && ((*at)->start != start || (*at)->kind != kind))
        at = &(*at)->next;
    struct shared_range *range = *at;
    if (range) {
        *at = range->next;
        shared.count--;
    }
    pthread_mutex_unlock(&shared.mutex);
    return range;
}

/* Its pages are gone, as those of other memory; the pack goes with its last piece. */
static cudaError_t free_from_pack(struct shared_range *range) {
    struct shared_pack *pack = range->pack;
    guard_lift(range->start, range->bytes);
    munmap(range->start, pages_of(0, range->bytes));
    free(range);
    pthread_mutex_lock(&shared.mutex);
    bool last = --pack->live == 0;
    if (last && shared.pack == pack)
        shared.pack = NULL;
    pthread_mutex_unlock(&shared.mutex);
    if (!last)
        return cudaSuccess;
    cudaError_t error = link_ask(WIRE_FREE, (uintptr_t)pack->start, 0, 0, NULL);
    munmap(pack->start, PACK_BYTES);
    free(pack);
    return error;
}

cudaError_t shared_free(void *pointer, enum shared_kind kind) {
    struct shared_range *range = take(pointer, kind);
    if (!range)
        return cudaErrorInvalidValue;
    if (range->pack)
        return free_from_pack(range);
    cudaError_t error = link_ask(WIRE_FREE, (uintptr_t)pointer, 0, 0, NULL);
    guard_lift(pointer, range->bytes);
    munmap(pointer, pages_of(0, range->bytes));
    free(range);
    return error;
}

/* ---- small pieces of managed memory, when there are many ---------------------------------------
 *
 * There are some 1,800 blocks of the card's whose addresses a process can have. A program that
 * makes a list of more than that gets the later nodes on pages of common blocks: what runs from one
 * of them into another is not found then, and what is never freed counts as the whole block. */

static char *take_from_pack(size_t bytes, struct shared_pack **pack) {
    char *piece = NULL;
    pthread_mutex_lock(&shared.mutex);
    *pack = shared.pack;
    if (*pack && bytes <= PACK_BYTES - (*pack)->used) {
        piece = (*pack)->start + (*pack)->used;
        (*pack)->used += bytes;
        (*pack)->live++;
    }
    pthread_mutex_unlock(&shared.mutex);
    return piece;
}

static cudaError_t make_in_pack(size_t bytes, unsigned flags, void **pointer) {
    struct shared_pack *pack;
    size_t pages = pages_of(0, bytes);
    while (!(*pointer = take_from_pack(pages, &pack))) {
        struct shared_pack *made = calloc(1, sizeof *made);
        uint64_t address;
        cudaError_t error =
            made ? make_mapped(PACK_BYTES, false, &address) : cudaErrorMemoryAllocation;
        if (error != cudaSuccess) {
            free(made);
            return error;
        }
        made->start = (char *)address;
        pthread_mutex_lock(&shared.mutex);
        shared.pack = made;
        pthread_mutex_unlock(&shared.mutex);
    }
    return add((struct shared_range){.kind = SHARED_MANAGED,
                                     .start = *pointer,
                                     .device = *pointer,
                                     .bytes = bytes,
                                     .flags = flags,
                                     .pack = pack})
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

API cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    enum { GLOBAL = 1, HOST = 2 };
    if (!pointer || (flags != GLOBAL && flags != HOST))
        return remember(cudaErrorInvalidValue);
    if (!bytes)
        return cudaSuccess;
    bool packs = shared.count >= MANY && bytes <= SMALL;
    return remember(packs ? make_in_pack(bytes, flags, pointer)
                          : shared_make(bytes, SHARED_MANAGED, flags, pointer));
}

API cudaError_t cudaHostGetDevicePointer(void **device, void *pointer, unsigned flags) {
    const struct shared_range *range = device && !flags ? shared_find(pointer, 1) : NULL;
    if (!range || range->kind == SHARED_MANAGED)
        return remember(cudaErrorInvalidValue);
    *device = (void *)shared_translate((uint64_t)pointer);
    return cudaSuccess;
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer) {
    enum { MAPPED = 2 }; /* all of it is */
    const struct shared_range *range = flags ? shared_find(pointer, 1) : NULL;
    if (!range || range->kind == SHARED_MANAGED)
        return remember(cudaErrorInvalidValue);
    *flags = range->flags | MAPPED;
    return cudaSuccess;
}

/* ---- registered memory ------------------------------------------------------------------------
 */

/* Copies the pages' contents to where `flags` put them, and puts that in their place. */
static bool replace_pages(char *start, size_t bytes, int file, uint64_t offset, int flags) {
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return false;
    memcpy(copy, start, bytes);
    void *mapped =
        mmap(start, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, file, (off_t)offset);
    if (mapped != MAP_FAILED)
        memcpy(start, copy, bytes);
    munmap(copy, bytes);
    return mapped != MAP_FAILED;
}

static bool is_registered(const char *start, size_t bytes) {
    pthread_mutex_lock(&shared.mutex);
    const struct shared_range *range = shared.ranges;
    while (range && !(start < range->start + range->bytes && range->start < start + bytes))
        range = range->next;
    pthread_mutex_unlock(&shared.mutex);
    return range;
}

API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    enum { ALL_FLAGS = 15 };
    uint64_t address, offset, length;
    if (!pointer || !bytes || is_device_address(pointer) || flags > ALL_FLAGS ||
        bytes > UINTPTR_MAX - (uintptr_t)pointer - PAGE)
        return remember(cudaErrorInvalidValue);
    char *start = (char *)page_of((uintptr_t)pointer);
    size_t pages = pages_of((uintptr_t)pointer, bytes);
    if (is_registered(pointer, bytes))
        return remember(cudaErrorHostMemoryAlreadyRegistered);
    if (msync(start, pages, MS_ASYNC) != 0) /* not all of it is there */
        return remember(cudaErrorInvalidValue);
    cudaError_t error = link_ask(WIRE_SHARE, pages, true, 0, &address);
    if (error == cudaSuccess)
        error = ask_place(address, &offset, &length);
    if (error == cudaSuccess && !replace_pages(start, pages, WIRE_SHARED, offset, MAP_SHARED))
        error = cudaErrorMemoryAllocation;
    if (error != cudaSuccess)
        return remember(error);
    add((struct shared_range){.kind = SHARED_REGISTERED,
                              .start = pointer,
                              .device = (char *)address + ((char *)pointer - start),
                              .bytes = bytes,
                              .flags = flags});
    pinned_add(pointer, bytes, false);
    return cudaSuccess;
}

API cudaError_t cudaHostUnregister(void *pointer) {
    if (!pointer || is_device_address(pointer))
        return remember(cudaErrorInvalidValue);
    cudaError_t error = synchronize();
    struct shared_range *range = take(pointer, SHARED_REGISTERED);
    if (!range) /* in one, but not where it begins */
        return remember(shared_find(pointer, 1) ? cudaErrorInvalidValue
                                                : cudaErrorHostMemoryNotRegistered);
    pinned_remove(pointer);
    char *start = (char *)page_of((uintptr_t)pointer);
    replace_pages(start, pages_of((uintptr_t)pointer, range->bytes), -1, 0,
                  MAP_PRIVATE | MAP_ANONYMOUS);
    cudaError_t freed = link_ask(WIRE_FREE, page_of((uintptr_t)range->device), 0, 0, NULL);
    free(range);
    return remember(error == cudaSuccess ? freed : error);
}
