/* Maps in pieces: what was not touched is not there, what was is zero at first and stays. */
#include "sandbox/simgpu/memsys/piece_map.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h> /* after those above */

enum { PIECES = 4000, BYTES = 1000 };

static void finds_only_what_was_touched(void **state) {
    (void)state;
    struct piece_arena arena = {0};
    struct piece_map map = piece_map_open(&arena, PIECES, BYTES);
    assert_null(piece_map_find(&map, 0));
    void *piece = piece_map_touch(&map, 7);
    assert_ptr_equal(piece_map_touch(&map, 7), piece);
    assert_ptr_equal(piece_map_find(&map, 7), piece);
    assert_null(piece_map_find(&map, 6));
    assert_null(piece_map_find(&map, 8));
    piece_map_close(&map);
    assert_null(piece_map_find(&map, 7));
    piece_arena_free(&arena);
}

static bool is_all(const unsigned char *piece, size_t bytes, unsigned char value) {
    return piece[0] == value && memcmp(piece, piece + 1, bytes - 1) == 0;
}

/* Two maps of one arena, over many slabs; memory that was used before is zero again. */
static void gives_each_piece_zeros_of_its_own(void **state) {
    (void)state;
    for (unsigned launch = 0; launch < 2; launch++) {
        struct piece_arena arena = {0};
        struct piece_map large = piece_map_open(&arena, PIECES, BYTES);
        struct piece_map small = piece_map_open(&arena, PIECES, 3);
        for (size_t i = 0; i < PIECES; i++) {
            unsigned char *first = piece_map_touch(&large, i), *second = piece_map_touch(&small, i);
            assert_true(is_all(first, BYTES, 0) && is_all(second, 3, 0));
            memset(first, (int)(i % 255 + 1), BYTES);
            memset(second, 0xff, 3);
        }
        for (size_t i = 0; i < PIECES; i++)
            assert_true(is_all(piece_map_find(&large, i), BYTES, (unsigned char)(i % 255 + 1)));
        piece_map_close(&large);
        piece_map_close(&small);
        piece_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_only_what_was_touched),
        cmocka_unit_test(gives_each_piece_zeros_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
