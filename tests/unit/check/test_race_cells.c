/* Cells: patterns and single bytes say the same; what is not touched takes no memory. */
#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/saved_chunks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum { LENGTH = 1 << 20, AT = 1234 };

static uint32_t cell(uint32_t number, uint32_t kind, uint32_t lane) {
    return number << CELL_SHIFT | kind | lane;
}

static void assert_kept(struct race_cells *cells, const uint32_t bytes[4], uint32_t pattern) {
    uint32_t found[4];
    uint32_t word = cells_pack(NULL, cells, AT, bytes);
    assert_int_equal(word & CELL_PATTERN, pattern);
    cells_expand(cells, AT, word, 0, found);
    assert_memory_equal(found, bytes, sizeof found);
}

static void cells_of_a_word_come_back(void **state) {
    (void)state;
    struct race_cells cells;
    cells_make(&cells, LENGTH);
    uint32_t base = cell(77, CELL_ONE, 4), last = cell(77, CELL_GROUP, 28);
    assert_kept(&cells, (uint32_t[4]){0}, CELL_WHOLE);
    assert_kept(&cells, (uint32_t[4]){base, base, base, base}, CELL_WHOLE);
    assert_kept(&cells, (uint32_t[4]){base, base + 1, base + 2, base + 3}, CELL_BYTES);
    assert_kept(&cells, (uint32_t[4]){base, base, base + 1, base + 1}, CELL_HALVES);
    assert_kept(&cells, (uint32_t[4]){last, last + 1, last + 2, last + 3}, CELL_BYTES);
    assert_null(cells.bytes);
    assert_kept(&cells, (uint32_t[4]){base, 0, 0, 0}, CELL_SPLIT);
    assert_kept(&cells, (uint32_t[4]){0, 0, 0, base}, CELL_SPLIT);
    assert_kept(&cells, (uint32_t[4]){base + 3, base + 2, base + 1, base}, CELL_SPLIT);
    cells_free(&cells);
}

/* Lane 31 has no next one: its neighbour in the number would be another kind of cell. */
static void patterns_end_with_the_lanes(void **state) {
    (void)state;
    struct race_cells cells;
    cells_make(&cells, LENGTH);
    uint32_t base = cell(9, CELL_ONE, 30);
    assert_kept(&cells, (uint32_t[4]){base, base, base + 1, base + 1}, CELL_HALVES);
    assert_kept(&cells, (uint32_t[4]){base, base + 1, base + 2, base + 3}, CELL_SPLIT);
    assert_kept(&cells, (uint32_t[4]){base + 1, base + 1, base + 2, base + 2}, CELL_SPLIT);
    cells_free(&cells);
}

static void old_cells_come_out_as_none(void **state) {
    (void)state;
    struct race_cells cells;
    cells_make(&cells, LENGTH);
    uint32_t old = cell(5, CELL_ONE, 3), fresh = cell(6, CELL_ONE, 8), found[4];
    uint32_t word = cells_pack(NULL, &cells, AT, (uint32_t[4]){old, fresh, old, 0});
    cells_expand(&cells, AT, word, cell(6, 0, 0), found);
    assert_memory_equal(found, ((uint32_t[4]){0, fresh, 0, 0}), sizeof found);
    cells_expand(&cells, AT, word, cell(7, 0, 0), found);
    assert_memory_equal(found, ((uint32_t[4]){0}), sizeof found);
    cells_free(&cells);
}

static void the_age_of_a_split_word_is_its_newest(void **state) {
    (void)state;
    struct race_cells cells;
    cells_make(&cells, LENGTH);
    uint32_t newest = cell(900, CELL_WARPS, 31);
    uint32_t word =
        cells_pack(NULL, &cells, AT, (uint32_t[4]){cell(3, 0, 0), newest, cell(4, 0, 1), 0});
    assert_int_equal(word >> CELL_SHIFT, 900);
    assert_true(word != CELL_LOCKED);
    cells_free(&cells);
}

/* mincore() says what is there; an array that was used before must not come back written. */
static void untouched_cells_take_no_memory(void **state) {
    (void)state;
    for (unsigned turn = 0; turn < 3; turn++) {
        struct race_cells cells;
        unsigned char there[LENGTH / 4096];
        cells_make(&cells, LENGTH);
        cells.words[AT] = 1;
        assert_int_equal(mincore(cells.words, LENGTH, there), 0);
        unsigned pages = 0;
        for (unsigned i = 0; i < LENGTH / 4096; i++)
            pages += there[i] & 1;
        assert_int_equal(pages, 1);
        assert_int_equal(cells.words[AT + 1], 0);
        memset(cells.words, 1, LENGTH);
        cells_forget(&cells);
        assert_int_equal(cells.words[AT], 0);
        cells_free(&cells);
    }
}

static bool is_settled_after_many(struct race_cells *reads, uint32_t old) {
    static struct access_record records[8];
    const struct launch launch = {.records = records};
    for (unsigned i = 0; i < 2 * CELLS_FIRST_LOOK; i++)
        cells_note_readers(&launch, reads, 1, old);
    return cells_are_settled(reads, 1, old);
}

static void a_chunk_is_settled_when_blocks_read_all_of_it(void **state) {
    (void)state;
    struct race_cells reads;
    cells_make(&reads, LENGTH);
    assert_false(cells_are_settled(&reads, 1, 0));
    for (unsigned i = 0; i < SAVED_CHUNK / 4; i++)
        reads.words[SAVED_CHUNK / 4 + i] = cell(3, CELL_BLOCKS, i & 31);
    uint32_t *some = &reads.words[SAVED_CHUNK / 4 + 100];
    *some = cell(3, CELL_WARPS, 4);
    assert_false(is_settled_after_many(&reads, cell(2, 0, 0)));
    *some = cell(2, CELL_BLOCKS, 4);
    assert_false(is_settled_after_many(&reads, cell(3, 0, 0)));
    *some = cell(3, CELL_BLOCKS | CELL_SPLIT, 4);
    assert_false(is_settled_after_many(&reads, cell(1, 0, 0)));
    *some = cell(3, CELL_BLOCKS, 4);
    assert_true(is_settled_after_many(&reads, cell(2, 0, 0)));
    assert_false(cells_are_settled(&reads, 0, cell(2, 0, 0)));
    assert_false(cells_are_settled(&reads, 1, cell(3, 0, 0))); /* after a barrier of the grid */
    cells_forget(&reads);
    assert_false(cells_are_settled(&reads, 1, cell(2, 0, 0)));
    cells_free(&reads);
}

static bool is_initialized_after_many(struct saved_chunks *chunks) {
    const struct access_shape shape = {.stretch_count = 1, .stretches = {{0, 0, 32}}};
    for (unsigned i = 0; i < 2 * CHUNK_ASKED; i++)
        saved_chunks_are_initialized(chunks, &shape, SAVED_CHUNK, 4);
    return saved_chunks_are_initialized(chunks, &shape, SAVED_CHUNK, 4);
}

static void a_chunk_is_initialized_as_long_as_nothing_changes(void **state) {
    (void)state;
    static unsigned char bytes[2 * SAVED_CHUNK + 10], shadow[2 * SAVED_CHUNK + 10];
    memset(shadow, SHADOW_INITIALIZED, sizeof shadow);
    struct saved_chunks *chunks = saved_chunks_create(bytes, shadow, sizeof bytes);
    assert_true(is_initialized_after_many(chunks));
    saved_chunks_keep(chunks, SAVED_CHUNK + 8, 4); /* from here on it may be otherwise */
    assert_false(is_initialized_after_many(chunks));
    saved_chunks_free(chunks);
    shadow[2 * SAVED_CHUNK - 1] = SHADOW_UNINITIALIZED;
    chunks = saved_chunks_create(bytes, shadow, sizeof bytes);
    assert_false(is_initialized_after_many(chunks));
    saved_chunks_free(chunks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_a_word_come_back),
        cmocka_unit_test(patterns_end_with_the_lanes),
        cmocka_unit_test(old_cells_come_out_as_none),
        cmocka_unit_test(the_age_of_a_split_word_is_its_newest),
        cmocka_unit_test(untouched_cells_take_no_memory),
        cmocka_unit_test(a_chunk_is_settled_when_blocks_read_all_of_it),
        cmocka_unit_test(a_chunk_is_initialized_as_long_as_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
