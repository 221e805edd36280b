/* Buffers' places: apart, inside, and others with another seed. */
#include "card.h"

#include "sandbox/cuda/place.h"

enum { COUNT = 7 };

static void make_arguments(struct engine_argument arguments[COUNT]) {
    static const uint64_t counts[COUNT] = {0, 1, 5, 1 << 20, 4096, 1023, 77};
    for (size_t i = 0; i < COUNT; i++)
        arguments[i] = (struct engine_argument){
            .is_buffer = i != 6, .type = i == 2 ? ELEMENT_u8 : ELEMENT_f32, .count = counts[i]};
}

static void test_apart(void **state) {
    (void)state;
    struct engine_argument arguments[COUNT];
    uint64_t first_bytes = 0;
    make_arguments(arguments);
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct buffer_span places[COUNT];
        uint64_t bytes;
        assert_true(place_buffers(arguments, COUNT, seed, places, &bytes));
        first_bytes = seed ? first_bytes : bytes;
        assert_int_equal(bytes, first_bytes); /* so that the arena is kept */
        for (size_t i = 0; i < COUNT; i++) {
            assert_true(places[i].offset >= PLACE_GUARD_BYTES);
            assert_int_equal(places[i].offset % PLACE_PAGE_BYTES, 0);
            assert_true(places[i].guard_end >=
                        places[i].offset + places[i].bytes + PLACE_GUARD_BYTES);
            assert_true(places[i].guard_end <= bytes);
            for (size_t j = 0; j < COUNT; j++)
                if (i != j)
                    assert_true(places[i].guard_end <= places[j].offset - PLACE_GUARD_BYTES ||
                                places[j].guard_end <= places[i].offset - PLACE_GUARD_BYTES);
        }
    }
}

/* The largest buffer finds itself in many places, and each buffer comes first at times. */
static void test_fresh(void **state) {
    (void)state;
    struct engine_argument arguments[COUNT];
    bool was_first[COUNT] = {false};
    uint64_t seen[200];
    size_t different = 0;
    make_arguments(arguments);
    for (uint64_t seed = 0; seed < ARRAY_LENGTH(seen); seed++) {
        struct buffer_span places[COUNT];
        uint64_t bytes;
        size_t first = 0, i = 0;
        place_buffers(arguments, COUNT, seed, places, &bytes);
        for (size_t j = 1; j < COUNT; j++)
            first = places[j].offset < places[first].offset ? j : first;
        was_first[first] = true;
        seen[seed] = places[3].offset;
        while (seen[i] != seen[seed])
            i++;
        different += i == seed;
    }
    assert_true(different > ARRAY_LENGTH(seen) / 2);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(was_first[i]);
}

static void test_overflow(void **state) {
    (void)state;
    struct engine_argument argument = {.is_buffer = true, .type = ELEMENT_f64, .count = UINT64_MAX};
    struct buffer_span place;
    uint64_t bytes;
    assert_false(place_buffers(&argument, 1, 0, &place, &bytes));
    argument.count = UINT64_C(1) << 45;
    assert_false(place_buffers(&argument, 1, 0, &place, &bytes));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
