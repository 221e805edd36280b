/* What is next, from tracks and what is passed. */
#include "grader/learn/standing.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static char *after_a[] = {(char *)"a"}, *after_c[] = {(char *)"c"};
static struct track_step first_steps[] = {{(char *)"a", NULL, 0}, {(char *)"b", after_a, 1}};
/* d stands before c in nothing: c is needed first, and stands in another track. */
static struct track_step second_steps[] = {{(char *)"d", after_c, 1}, {(char *)"e", NULL, 0}};
static struct track_step third_steps[] = {{(char *)"c", after_a, 1}};
static struct track track_items[] = {
    {.id = (char *)"first", .steps = first_steps, .step_count = 2},
    {.id = (char *)"second", .steps = second_steps, .step_count = 2},
    {.id = (char *)"third", .steps = third_steps, .step_count = 1},
};
static const struct tracks tracks = {track_items, 3};

/* "b" begun, "B" passed, the last character is the last attempt; `expected` is "track/step". */
static void expect_next(const char *done, const char *expected, const char *leads_to, bool begun) {
    struct learn_standing items[6] = {0};
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f"};
    for (size_t i = 0; i < 6; i++)
        items[i].id = (char *)ids[i];
    for (size_t i = 0; done[i]; i++) {
        struct learn_standing *item = &items[(done[i] | 32) - 'a'];
        item->attempts = 1;
        item->passed = done[i] < 'a';
        item->last_time = (int64_t)i + 1;
    }
    const struct learn_standings standings = {items, 6};
    struct learn_next next = learn_find_next(&tracks, &standings);
    cleanup_free char *found =
        next.step ? mem_printf("%s/%s", next.track->id, next.step->id) : mem_strdup("done");
    assert_string_equal(found, expected);
    assert_string_equal(next.leads_to ? next.leads_to : "", leads_to);
    assert_int_equal(next.is_begun, begun);
}

static void test_next(void **state) {
    (void)state;
    expect_next("", "first/a", "", false);
    expect_next("A", "first/b", "", false);
    expect_next("Ab", "first/b", "", true);
    expect_next("d", "second/d", "", true); /* what is begun comes first */
    expect_next("E", "first/a", "c", false);
    expect_next("AE", "third/c", "d", false);
    expect_next("AF", "first/b", "", false); /* f stands in no track */
    expect_next("f", "first/a", "", false);
    expect_next("ABCED", "done", "", false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_next)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
