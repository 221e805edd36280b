/* Submissions are grouped into tasks: long enough for Slurm, short enough for a class. */
#include "grader/cluster/grouping.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

static struct grouping_unit *units_of(size_t count, double seconds) {
    struct grouping_unit *units = mem_calloc(count, sizeof *units);
    for (size_t i = 0; i < count; i++)
        units[i].seconds = seconds;
    return units;
}

static void few_submissions_are_spread_over_short_tasks(void **state) {
    (void)state;
    cleanup_free struct grouping_unit *units = units_of(36, 0.5);
    assert_int_equal(grouping_make(units, 36, 0), 4); /* of 5 seconds */
    assert_int_equal(units[9].task, 0);
    assert_int_equal(units[10].task, 1);
    assert_int_equal(units[35].task, 3);
}

static void many_submissions_make_long_tasks(void **state) {
    (void)state;
    cleanup_free struct grouping_unit *units = units_of(5000, 1);
    size_t tasks = grouping_make(units, 5000, 0);
    assert_int_equal(tasks, 5000 / 40);
    assert_int_equal(units[4999].task, tasks - 1);
}

/* Two tasks for each place, so that the last ones end together. */
static void places_are_filled(void **state) {
    (void)state;
    cleanup_free struct grouping_unit *units = units_of(200, 1);
    assert_int_equal(grouping_make(units, 200, 4), 8);
}

static void what_may_have_ended_a_task_is_alone(void **state) {
    (void)state;
    cleanup_free struct grouping_unit *units = units_of(4, 0.1);
    units[1].alone = true;
    assert_int_equal(grouping_make(units, 4, 0), 3);
    assert_int_equal(units[0].task, 0);
    assert_int_equal(units[1].task, 1);
    assert_int_equal(units[2].task, 2);
    assert_int_equal(units[3].task, 2);
}

static void a_task_has_an_end(void **state) {
    (void)state;
    cleanup_free struct grouping_unit *quick = units_of(1200, 0);
    assert_int_equal(grouping_make(quick, 1200, 0), 3);
    cleanup_free struct grouping_unit *slow = units_of(3, 1000);
    assert_int_equal(grouping_make(slow, 3, 0), 3);
    assert_int_equal(grouping_make(slow, 0, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_submissions_are_spread_over_short_tasks),
        cmocka_unit_test(many_submissions_make_long_tasks),
        cmocka_unit_test(places_are_filled),
        cmocka_unit_test(what_may_have_ended_a_task_is_alone),
        cmocka_unit_test(a_task_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
