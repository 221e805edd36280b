/* Cells: who touched a location last, in four bytes a word and as exactly as byte by byte.
 *
 * Most words are touched as a whole, or their bytes (or halves) by neighbouring lanes of one
 * access: a cell says either in its pattern. Only words without a pattern (bytes that different
 * threads use) take a cell a byte, in a second array that the system fills page by page. So four
 * bytes of memory take four bytes for writes and four for reads, seldom more, and nothing where
 * no thread writes or none reads. */
#include "sandbox/simgpu/check/race_budget.h"

#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"
#include "sandbox/simgpu/state/saved_chunks.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static uint32_t *make_array(uint64_t count) {
    return mem_sparse((size_t)count, sizeof(uint32_t));
}

static void free_array(uint32_t *array, uint64_t count) {
    mem_sparse_free(array, (size_t)count, sizeof(uint32_t));
}

static uint64_t word_count(const struct race_cells *cells) {
    return cells->length / 4 + 17;
}

static uint64_t chunk_count(const struct race_cells *cells) {
    return cells->length / SAVED_CHUNK + 1;
}

void cells_make(struct race_cells *cells, uint64_t length) {
    *cells = (struct race_cells){.length = length};
    cells->words = make_array(word_count(cells));
}

void cells_free(struct race_cells *cells) {
    free_array(cells->words, word_count(cells));
    free_array(cells->previous, word_count(cells));
    free_array(cells->bytes, 4 * word_count(cells));
    free_array(cells->settled, chunk_count(cells));
    free(cells->pages);
    *cells = (struct race_cells){0};
}

void cells_forget(struct race_cells *cells) {
    uint64_t length = cells->length;
    cells_free(cells);
    cells_make(cells, length);
}

void cells_unsettle(struct race_cells *cells) {
    free_array(cells->settled, chunk_count(cells));
    cells->settled = NULL;
}

/* Several host threads may want the array at the same time: the first one's counts. */
static uint32_t *want_array(uint32_t **slot, uint64_t count) {
    uint32_t *there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (there)
        return there;
    uint32_t *fresh = make_array(count);
    if (!__atomic_compare_exchange_n(slot, &there, fresh, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        free_array(fresh, count);
        return there;
    }
    return fresh;
}

static unsigned char *want_pages(struct race_cells *cells) {
    unsigned char *there = __atomic_load_n(&cells->pages, __ATOMIC_ACQUIRE);
    if (there)
        return there;
    unsigned char *fresh = mem_calloc((size_t)(word_count(cells) * 16 / PAGE) + 1, 1);
    if (!__atomic_compare_exchange_n(&cells->pages, &there, fresh, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        free(fresh);
        return there;
    }
    return fresh;
}

uint32_t *cells_want_previous(struct race_cells *cells) {
    return want_array(&cells->previous, word_count(cells));
}

void cells_note_previous(struct race_cells *cells, uint64_t at, uint32_t cell) {
    __atomic_store_n(&cells_want_previous(cells)[at], cell, __ATOMIC_RELAXED);
}

void cells_expand(const struct race_cells *cells, uint64_t at, uint32_t word, uint32_t old,
                  uint32_t expanded[4]) {
    uint32_t plain = word & ~(uint32_t)CELL_PATTERN;
    switch (word < old ? CELL_WHOLE : word & CELL_PATTERN) {
    case CELL_WHOLE:
        for (unsigned b = 0; b < 4; b++)
            expanded[b] = word < old ? 0 : word;
        break;
    case CELL_HALVES:
        for (unsigned b = 0; b < 4; b++)
            expanded[b] = plain + b / 2;
        break;
    case CELL_BYTES:
        for (unsigned b = 0; b < 4; b++)
            expanded[b] = plain + b;
        break;
    default:
        memcpy(expanded, &cells->bytes[4 * at], 4 * sizeof *expanded);
        for (unsigned b = 0; b < 4; b++)
            if (expanded[b] < old)
                expanded[b] = 0;
        break;
    }
}

/* Matrices are read by all blocks of a row or of a column. When the cells of a whole chunk say that
 * several blocks have read each word, a plain load changes none of them any more, as long as no
 * thread writes. Of a chunk it is kept for which `old` that holds, or how often it was asked; a
 * look comes when that is a power of two. */
static bool is_read_by_blocks(const struct launch *launch, const struct race_cells *reads,
                              uint64_t chunk, uint32_t old) {
    const uint64_t first = chunk * (SAVED_CHUNK / 4), words = (reads->length + 3) / 4;
    uint32_t last = 0;
    for (uint64_t at = first; at < first + SAVED_CHUNK / 4 && at < words; at++) {
        uint32_t cell = __atomic_load_n(&reads->words[at], __ATOMIC_RELAXED);
        if (cell < old || (cell & (CELL_KIND | CELL_PATTERN)) != CELL_BLOCKS)
            return false;
        if (cell >> CELL_SHIFT != last && !race_budget_is_plain(launch, cell >> CELL_SHIFT))
            return false;
        last = cell >> CELL_SHIFT;
    }
    return true;
}

void cells_note_readers(const struct launch *launch, struct race_cells *reads, uint64_t chunk,
                        uint32_t old) {
    uint32_t *state = &want_array(&reads->settled, chunk_count(reads))[chunk];
    uint32_t seen = __atomic_load_n(state, __ATOMIC_RELAXED), mask = CELLS_SETTLED;
    uint32_t asked = (seen & ~mask) == old ? seen & mask : 0;
    if (asked == CELLS_SETTLED)
        return;
    asked++;
    if (asked >= CELLS_FIRST_LOOK && (asked & (asked - 1)) == 0 &&
        is_read_by_blocks(launch, reads, chunk, old))
        asked = CELLS_SETTLED;
    else if (asked == CELLS_SETTLED)
        asked = CELLS_SETTLED / 2;
    __atomic_store_n(state, old | asked, __ATOMIC_RELAXED);
}

static bool are_steps(const uint32_t c[4], unsigned bytes_a_step) {
    unsigned last = 3 / bytes_a_step;
    if (!c[0] || (c[0] & CELL_LANE) + last > CELL_LANE)
        return false;
    for (unsigned b = 1; b < 4; b++)
        if (c[b] != c[0] + b / bytes_a_step)
            return false;
    return true;
}

uint32_t cells_pattern(const uint32_t c[4]) {
    if (c[0] == c[1] && c[0] == c[2] && c[0] == c[3])
        return c[0];
    return are_steps(c, 1) ? c[0] | CELL_BYTES : are_steps(c, 2) ? c[0] | CELL_HALVES : CELL_LOCKED;
}

uint32_t cells_pack(struct launch *launch, struct race_cells *cells, uint64_t at,
                    const uint32_t c[4]) {
    uint32_t word = cells_pattern(c);
    if (word != CELL_LOCKED)
        return word;
    uint32_t *bytes = want_array(&cells->bytes, 4 * word_count(cells));
    unsigned char *used = &want_pages(cells)[at * 16 / PAGE];
    if (launch && !__atomic_exchange_n(used, 1, __ATOMIC_RELAXED))
        race_budget_count_bytes(launch, PAGE);
    memcpy(&bytes[4 * at], c, 4 * sizeof *c);
    uint32_t newest = 0; /* what the word's cell says of its age holds for all its bytes */
    for (unsigned b = 0; b < 4; b++)
        newest = c[b] > newest ? c[b] : newest;
    return newest | CELL_SPLIT;
}
