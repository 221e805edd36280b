/* Schedules: their seeds, what is joined from them, where two results differ. */
#include "grader/cases/schedule.h"

#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char note[] = "(seen elsewhere)";

static struct hazard make(enum hazard_kind kind, unsigned line, unsigned other_line,
                          const char *message) {
    struct hazard hazard = {.kind = kind, .line = line, .other_line = other_line, .count = 1};
    snprintf(hazard.file, sizeof hazard.file, "a.cu");
    snprintf(hazard.other_file, sizeof hazard.other_file, "%s", other_line ? "a.cu" : "");
    snprintf(hazard.message, sizeof hazard.message, "%s", message);
    return hazard;
}

static void natural_order_is_zero_and_others_are_odd(void **state) {
    (void)state;
    for (uint64_t secret = 0; secret < 3; secret++) {
        assert_true(schedule_seed(secret, 0) == 0);
        for (unsigned i = 1; i < 50; i++) {
            assert_true(schedule_seed(secret, i) & 1);
            assert_true(schedule_seed(secret, i) == schedule_seed(secret, i));
            for (unsigned j = 1; j < i; j++)
                assert_true(schedule_seed(secret, i) != schedule_seed(secret, j));
        }
    }
    assert_true(schedule_seed(1, 1) != schedule_seed(2, 1));
}

static void new_hazards_are_joined_with_a_note(void **state) {
    (void)state;
    struct hazard *list = mem_calloc(1, sizeof *list);
    size_t count = 1;
    list[0] = make(HAZARD_SHARED_RACE, 5, 9, "known");
    const struct hazard others[] = {
        make(HAZARD_SHARED_RACE, 9, 5, "the same pair from its other end"),
        make(HAZARD_SHARED_RACE, 5, 8, "another pair"), make(HAZARD_SHARED_RACE, 5, 8, "twice"),
        make(HAZARD_GLOBAL_RACE, 5, 9, "another kind")};
    assert_true(schedule_join_hazards(&list, &count, others, ARRAY_LENGTH(others), note));
    assert_int_equal(count, 3);
    assert_string_equal(list[0].message, "known");
    assert_string_equal(list[1].message, "another pair (seen elsewhere)");
    assert_string_equal(list[2].message, "another kind (seen elsewhere)");
    assert_false(schedule_join_hazards(&list, &count, others, ARRAY_LENGTH(others), note));
    assert_false(schedule_join_hazards(&list, &count, NULL, 0, note));
    free(list);
}

static void hazards_are_joined_to_an_empty_list_and_up_to_the_limit(void **state) {
    (void)state;
    struct hazard *list = NULL;
    size_t count = 0;
    for (unsigned i = 0; i < 2 * ENGINE_MAX_HAZARDS; i++) {
        struct hazard other = make(HAZARD_TRAP, i + 1, 0, "x");
        schedule_join_hazards(&list, &count, &other, 1, note);
    }
    assert_int_equal(count, ENGINE_MAX_HAZARDS);
    free(list);
}

static void long_message_is_cut_between_characters_and_keeps_the_note(void **state) {
    (void)state;
    for (size_t start = 0; start < 3; start++) {
        struct hazard *list = NULL, other = make(HAZARD_TRAP, 1, 0, "");
        size_t count = 0, length = start;
        memset(other.message, 'x', start);
        while (length + 3 < sizeof other.message) {
            memcpy(other.message + length, "\xe5\x9d\x97", 3);
            length += 3;
        }
        other.message[length] = '\0';
        schedule_join_hazards(&list, &count, &other, 1, note);
        const char *end = strstr(list[0].message, "... (seen elsewhere)");
        assert_non_null(end);
        assert_int_equal((size_t)(end - list[0].message - (ptrdiff_t)start) % 3, 0);
        free(list);
    }
}

static void first_differing_element_is_found(void **state) {
    (void)state;
    int32_t left[] = {1, 2, 3, 4, 5, 6}, right[] = {1, 9, 3, 4, 5, 7};
    struct engine_argument arguments[] = {
        {.type = ELEMENT_i32, .scalar = 6},
        {.is_buffer = true, .type = ELEMENT_i32, .count = 1},
        {.is_buffer = true, .type = ELEMENT_i32, .count = 3, .data_offset = 12}};
    struct schedule_difference found;
    assert_true(schedule_compare(arguments, 3, left, right, &found));
    assert_int_equal(found.argument, 2); /* left[1] belongs to no buffer */
    assert_int_equal(found.index, 2);
    assert_false(schedule_compare(arguments, 3, left, left, &found));
    assert_false(schedule_compare(arguments, 2, left, right, &found));
}

static void schedule_matters_where_blocks_or_warps_meet(void **state) {
    (void)state;
    assert_false(schedule_matters(&(struct engine_result){0}));
    assert_true(schedule_matters(&(struct engine_result){.order_sensitive = true}));
    assert_true(schedule_matters(&(struct engine_result){.counters = {.atomic_requests = 1}}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_order_is_zero_and_others_are_odd),
        cmocka_unit_test(new_hazards_are_joined_with_a_note),
        cmocka_unit_test(hazards_are_joined_to_an_empty_list_and_up_to_the_limit),
        cmocka_unit_test(long_message_is_cut_between_characters_and_keeps_the_note),
        cmocka_unit_test(first_differing_element_is_found),
        cmocka_unit_test(schedule_matters_where_blocks_or_warps_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
