/* Which block is guessed to write an element. */
#include "grader/grade/grade_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct engine_argument buffer_of(unsigned rank, uint64_t slow, uint64_t middle,
                                        uint64_t fast) {
    const uint64_t all[3] = {slow, middle, fast};
    struct engine_argument buffer = {
        .is_buffer = true, .rank = rank, .count = slow * middle * fast};
    for (unsigned d = 0; d < rank; d++)
        buffer.shape[d] = all[3 - rank + d];
    return buffer;
}

static bool is_guessed(const struct engine_argument *buffer, uint64_t index, struct dim3 grid,
                       struct dim3 block, uint64_t wanted, bool first) {
    uint64_t blocks[ENGINE_PROBE_BLOCKS];
    unsigned count = grade_guess_blocks(buffer, index, grid, block, blocks);
    assert_true(count <= ENGINE_PROBE_BLOCKS);
    for (unsigned i = 0; i < count; i++) {
        assert_true(blocks[i] < (uint64_t)grid.x * grid.y * grid.z);
        for (unsigned j = 0; j < i; j++)
            assert_true(blocks[i] != blocks[j]);
        if (blocks[i] == wanted)
            return i == 0 || !first;
    }
    return false;
}

static void test_a_thread_an_element(void **state) {
    (void)state;
    struct engine_argument buffer = buffer_of(1, 1, 1, 1000);
    for (uint64_t i = 0; i < 1000; i++) /* the last block is not full */
        assert_true(is_guessed(&buffer, i, (struct dim3){4, 1, 1}, (struct dim3){256, 1, 1},
                               i / 256, false));
}

static void test_several_elements_a_thread(void **state) {
    (void)state;
    struct engine_argument buffer = buffer_of(1, 1, 1, 8192);
    for (uint64_t i = 0; i < 8192; i += 7) {
        struct dim3 grid = {4, 1, 1}, block = {64, 1, 1};
        assert_true(is_guessed(&buffer, i, grid, block, i / 2048, true));    /* a piece a block */
        assert_true(is_guessed(&buffer, i, grid, block, i / 64 % 4, false)); /* in strides */
    }
}

static void test_grids_like_the_buffer(void **state) {
    (void)state;
    struct engine_argument matrix = buffer_of(2, 1, 96, 160), cube = buffer_of(3, 8, 12, 64);
    for (uint64_t i = 0; i < matrix.count; i++) {
        uint64_t row = i / 160, column = i % 160;
        assert_true(is_guessed(&matrix, i, (struct dim3){5, 12, 1}, (struct dim3){32, 8, 1},
                               row / 8 * 5 + column / 32, true));
        assert_true(is_guessed(&matrix, i, (struct dim3){3, 5, 1}, (struct dim3){32, 8, 1},
                               column / 32 * 3 + row / 32, false)); /* of a transpose */
    }
    for (uint64_t i = 0; i < cube.count; i++)
        assert_true(is_guessed(&cube, i, (struct dim3){2, 3, 8}, (struct dim3){32, 4, 1},
                               (i / 768 * 3 + i / 64 % 12 / 4) * 2 + i % 64 / 32, true));
}

static void test_a_block_a_row(void **state) {
    (void)state;
    struct engine_argument rows = buffer_of(2, 1, 10, 100);
    for (uint64_t i = 0; i < rows.count; i++)
        assert_true(
            is_guessed(&rows, i, (struct dim3){10, 1, 1}, (struct dim3){32, 1, 1}, i / 100, true));
}

static void test_nothing_to_guess(void **state) {
    (void)state;
    struct engine_argument buffer = buffer_of(1, 1, 1, 10);
    uint64_t blocks[ENGINE_PROBE_BLOCKS];
    const struct dim3 one = {1, 1, 1}, none = {0, 1, 1};
    assert_int_equal(grade_guess_blocks(&buffer, 10, one, one, blocks), 0);
    assert_int_equal(grade_guess_blocks(&buffer, 0, none, one, blocks), 0);
    assert_int_equal(grade_guess_blocks(&buffer, 0, one, none, blocks), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_an_element),
        cmocka_unit_test(test_several_elements_a_thread),
        cmocka_unit_test(test_grids_like_the_buffer),
        cmocka_unit_test(test_a_block_a_row),
        cmocka_unit_test(test_nothing_to_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
