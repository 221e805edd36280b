/* Reads the headers of glibc's malloc() (malloc.c there, "Chunk structure"): before each block
 * stands its size, the lowest three bits of which are flags, and the next header follows its end.
 *
 * Nothing is believed that is not shown twice: a block counts only where the headers that follow it
 * lead on, some of them or up to the heap's end. And nothing is read that may not be there: blocks
 * lie between the first one that this library was given and the break, or begin 16 bytes after the
 * start of a page of their own. */
#include "sandbox/runtime/host/host_memory.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    HEADER = 16, /* of which the second half is the size */
    PREVIOUS_IN_USE = 1,
    MAPPED = 2,
    FLAGS = 7,
    SMALLEST = 32,
    STEPS = 16,                /* headers that must lead on */
    MOST_BLOCKS = 1 << 16,     /* visited at the end */
    MOST_VARIABLES = 64 << 20, /* bytes */
};

static uintptr_t heap_start;

__attribute__((constructor)) static void find_heap(void) {
    void *first = malloc(1);
    uintptr_t address = (uintptr_t)first;
    if (first && address < (uintptr_t)sbrk(0) && (uintptr_t)sbrk(0) - address < (uintptr_t)1 << 30)
        heap_start = address - HEADER;
    free(first);
}

static size_t word_at(uintptr_t address) {
    size_t word;
    memcpy(&word, (const void *)address, sizeof word);
    return word;
}

static bool is_heap(uintptr_t address) {
    return heap_start && address >= heap_start && address < (uintptr_t)sbrk(0);
}

/* The bytes of the chunk whose header is there; 0: it is none. */
static size_t chunk_bytes(uintptr_t header, uintptr_t end) {
    if (header < heap_start || header + HEADER > end)
        return 0;
    size_t bytes = word_at(header + 8) & ~(size_t)FLAGS;
    return bytes >= SMALLEST && bytes % HEADER == 0 && bytes <= end - header ? bytes : 0;
}

static size_t heap_block_bytes(uintptr_t start) {
    uintptr_t end = (uintptr_t)sbrk(0), header = start - HEADER;
    size_t bytes = chunk_bytes(header, end);
    uintptr_t next = header + bytes;
    if (!bytes || word_at(header + 8) & MAPPED || next + HEADER > end ||
        !(word_at(next + 8) & PREVIOUS_IN_USE))
        return SIZE_MAX;
    for (int step = 0; step < STEPS && next != end; step++) {
        size_t following = chunk_bytes(next, end);
        if (!following)
            return SIZE_MAX;
        next += following;
    }
    return bytes - 8; /* the next header's first half is ours, too */
}

static size_t mapped_block_bytes(uintptr_t start) {
    size_t size = word_at(start - 8), before = word_at(start - HEADER);
    bool sound = before == 0 && (size & FLAGS) == MAPPED && (size - MAPPED) % PAGE == 0 &&
                 size > 64 << 10 && size < (size_t)1 << 46;
    return sound ? size - MAPPED - HEADER : SIZE_MAX;
}

size_t host_block_bytes(const void *pointer) {
    uintptr_t start = (uintptr_t)pointer;
    if (start % HEADER)
        return SIZE_MAX;
    if (is_heap(start))
        return heap_block_bytes(start);
    return start % PAGE == HEADER ? mapped_block_bytes(start) : SIZE_MAX;
}

/* ---- what can be reached ----------------------------------------------------------------------
 */

struct search {
    void (*take)(size_t word, void *data);
    void *data;
    uintptr_t *seen; /* a table of 2 * MOST_BLOCKS */
    uintptr_t *found;
    size_t found_count;
};

static void visit(struct search *search, uintptr_t start) {
    enum { BUCKETS = 2 * MOST_BLOCKS };
    if (!is_heap(start) || start % HEADER || search->found_count == MOST_BLOCKS)
        return;
    size_t at = start / HEADER * 2654435761u % BUCKETS;
    while (search->seen[at] && search->seen[at] != start)
        at = (at + 1) % BUCKETS;
    if (search->seen[at] || heap_block_bytes(start) == SIZE_MAX)
        return;
    search->seen[at] = start;
    search->found[search->found_count++] = start;
}

static void scan(struct search *search, uintptr_t start, uintptr_t end) {
    for (start = (start + 7) / 8 * 8; start + 8 <= end; start += 8) {
        size_t word = word_at(start);
        search->take(word, search->data);
        visit(search, word);
    }
}

/* The first object is the program. */
static int scan_variables(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags & PF_W)
            scan(data, start,
                 start + (part->p_memsz < MOST_VARIABLES ? part->p_memsz : MOST_VARIABLES));
    }
    return 1;
}

void host_each_reachable(void (*take)(size_t word, void *data), void *data) {
    struct search search = {.take = take, .data = data};
    search.seen = calloc((size_t)2 * MOST_BLOCKS, sizeof *search.seen);
    search.found = calloc(MOST_BLOCKS, sizeof *search.found);
    if (search.seen && search.found) {
        dl_iterate_phdr(scan_variables, &search);
        for (size_t i = 0; i < search.found_count; i++)
            scan(&search, search.found[i], search.found[i] + heap_block_bytes(search.found[i]));
    }
    free(search.seen);
    free(search.found);
}
