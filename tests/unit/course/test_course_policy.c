/* Until when a commit counts and what it costs: at the boundaries, with extensions, teams and pins.
 */
#include "course_fixture.h"

#define HEAD                                                                                       \
    "course: c\nexercises: [dot, saxpy]\ndeadlines: {dot: 2026-10-02T23:59:00+02:00}\n"            \
    "students: [{id: ada, repository: r}, {id: ben, repository: q}]\n"
#define DEADLINE INT64_C(1790978340) /* date -d 2026-10-02T23:59:00+02:00 +%s */

enum { ADA, BEN };
enum { DOT, SAXPY };
enum { HOUR = 3600, DAY = 86400 };

/* Points of 80 that a commit so many seconds after the deadline loses, of 100. */
static double lost(const struct course *course, int64_t after) {
    return course_penalty(course, ADA, DOT, DEADLINE + after, false, 80, 100);
}

static void without_late_the_deadline_is_the_end(void **state) {
    (void)state;
    struct course *course = load(HEAD);
    assert_true(course_deadline(course, ADA, DOT) == DEADLINE);
    assert_true(course_last_instant(course, ADA, DOT) == DEADLINE);
    assert_true(course_deadline(course, ADA, SAXPY) == COURSE_NEVER);
    assert_true(course_last_instant(course, ADA, SAXPY) == COURSE_NEVER);
    assert_true(lost(course, 0) == 0 && lost(course, 1) == 80);
    assert_true(course_penalty(course, ADA, SAXPY, INT64_MAX, false, 80, 100) == 0);
    assert_true(course_days_late(course, ADA, DOT, DEADLINE) == 0);
    assert_true(course_days_late(course, ADA, DOT, DEADLINE + 1) == 1);
    course_free(course);
}

static void begun_days_cost_in_full(void **state) {
    (void)state;
    struct course *course = load(HEAD "late: {percent_a_day: 10, grace: 15m, max_days: 3}\n");
    assert_true(course_last_instant(course, ADA, DOT) == DEADLINE + 3 * DAY);
    const struct {
        int64_t after;
        double points;
        int64_t days;
    } rows[] = {
        {-DAY, 0, 0},
        {0, 0, 0},
        {1, 0, 0},
        {900, 0, 0},
        {901, 10, 1},
        {DAY, 10, 1},
        {DAY + 1, 20, 2},
        {3 * DAY, 30, 3},
        {3 * DAY + 1, 80, 4},
        {INT64_MAX - DEADLINE, 80, (INT64_MAX - DEADLINE) / DAY + 1},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        assert_true(lost(course, rows[i].after) == rows[i].points);
        assert_true(course_days_late(course, ADA, DOT, DEADLINE + rows[i].after) == rows[i].days);
    }
    /* Never more than there is, and of the maximum. */
    assert_true(course_penalty(course, ADA, DOT, DEADLINE + DAY, false, 4, 100) == 4);
    assert_true(course_penalty(course, ADA, DOT, DEADLINE + DAY, false, 20, 20) == 2);
    assert_true(course_penalty(course, ADA, DOT, DEADLINE + DAY, false, 0, 100) == 0);
    course_free(course);
}

static void days_by_the_second(void **state) {
    (void)state;
    struct course *course = load(HEAD "late: {percent_a_day: 25, begun_days: false}\n");
    assert_true(lost(course, DAY / 2) == 12.5);
    assert_true(lost(course, 3 * DAY) == 75);
    assert_true(course_last_instant(course, ADA, DOT) == DEADLINE + 4 * DAY - 1);
    course_free(course);
}

/* Without max_days a commit counts as long as something can be left of it. */
static void the_window_follows_from_the_percentage(void **state) {
    (void)state;
    const struct {
        const char *late;
        int64_t window;
    } rows[] = {
        {"{percent_a_day: 10}", 9 * DAY},
        {"{percent_a_day: 30}", 3 * DAY},
        {"{percent_a_day: 100}", 0},
        {"{percent_a_day: 100, grace: 2h}", 2 * HOUR},
        {"{percent_a_day: 50, max_days: 0, grace: 1h}", HOUR},
        {"{percent_a_day: 100, begun_days: false}", DAY - 1},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        char *text = mem_printf(HEAD "late: %s\n", rows[i].late);
        struct course *course = load(text);
        assert_true(course_last_instant(course, ADA, DOT) == DEADLINE + rows[i].window);
        course_free(course);
        free(text);
    }
    struct course *course = load(HEAD "late: {percent_a_day: 0}\n");
    assert_true(course_last_instant(course, ADA, DOT) == COURSE_NEVER);
    assert_true(lost(course, 400 * DAY) == 0);
    course_free(course);
}

static void extensions_move_one_deadline(void **state) {
    (void)state;
    struct course *course =
        load(HEAD "late: {percent_a_day: 10, max_days: 2}\n"
                  "deadline: 2026-10-03T00:00:00Z\n"
                  "extensions:\n"
                  "  - {student: ada, exercise: dot, until: 2026-10-05T00:00:00Z, reason: ill}\n"
                  "  - {student: ada, by: 1h}\n");
    assert_true(course_deadline(course, ADA, DOT) == 1791158400);
    assert_true(course_last_instant(course, ADA, DOT) == 1791158400 + 2 * DAY);
    assert_true(course_deadline(course, ADA, SAXPY) == 1790985600 + HOUR);
    assert_true(course_deadline(course, BEN, DOT) == DEADLINE);
    assert_true(course_deadline(course, BEN, SAXPY) == 1790985600);
    assert_true(course_penalty(course, ADA, DOT, 1791158401, false, 80, 100) == 10);
    assert_string_equal(course->students[ADA].extensions[0].reason, "ill");
    course_free(course);
}

static void a_team_shares_what_its_members_have(void **state) {
    (void)state;
    struct course *course =
        load("course: c\nexercises: [dot, saxpy]\ndeadline: 2026-10-02T23:59:00+02:00\n"
             "branch: main\n"
             "students: [{id: ada}, {id: ben, group: Monday}, {id: cy, repository: own}]\n"
             "groups:\n"
             "  - {name: Team 1, members: [ada, ben], repository: https://h/team.git, ref: v1}\n"
             "extensions: [{student: ben, by: 2d}]\n"
             "pins: [{student: ada, exercise: saxpy, commit: ABCDEF0}]\n");
    assert_string_equal(course->students[ADA].repository, "https://h/team.git");
    assert_string_equal(course->students[BEN].repository, "https://h/team.git");
    assert_string_equal(course->students[BEN].branch, "v1");
    assert_string_equal(course->students[2].branch, "main");
    size_t team = course->students[ADA].team;
    assert_string_equal(course->groups[team].name, "Team 1");
    assert_true(course_is_member(&course->groups[team], BEN));
    assert_false(course_is_member(&course->groups[team], 2));
    assert_true(course->students[2].team == COURSE_NONE);
    assert_true(course_deadline(course, ADA, DOT) == DEADLINE + 2 * DAY);
    assert_true(course_deadline(course, BEN, DOT) == DEADLINE + 2 * DAY);
    assert_true(course_deadline(course, 2, DOT) == DEADLINE);
    assert_string_equal(course_pin(course, BEN, SAXPY), "abcdef0");
    assert_null(course_pin(course, BEN, DOT));
    assert_null(course_pin(course, 2, SAXPY));
    course_free(course);
}

static void a_pin_of_one_exercise_comes_before_one_of_all(void **state) {
    (void)state;
    struct course *course =
        load(HEAD "pins:\n  - {student: ada, commit: aaaaaaa}\n"
                  "  - {student: [ada, ben], exercise: dot, commit: bbbbbbb}\n");
    assert_string_equal(course_pin(course, ADA, DOT), "bbbbbbb");
    assert_string_equal(course_pin(course, ADA, SAXPY), "aaaaaaa");
    assert_string_equal(course_pin(course, BEN, DOT), "bbbbbbb");
    assert_null(course_pin(course, BEN, SAXPY));
    /* The instructor's word: without `late` a late one costs nothing. */
    assert_true(course_penalty(course, ADA, DOT, DEADLINE + DAY, true, 80, 100) == 0);
    assert_true(lost(course, DAY) == 80); /* another commit of the same student's */
    course_free(course);
    course = load(HEAD "late: {percent_a_day: 10, max_days: 1}\n"
                       "pins: [{student: ada, commit: aaaaaaa}]\n");
    assert_true(course_penalty(course, ADA, DOT, DEADLINE + 4 * DAY, true, 80, 100) == 40);
    assert_true(lost(course, 4 * DAY) == 80);
    course_free(course);
}

static void cases_are_hidden_by_group_and_by_name(void **state) {
    (void)state;
    struct course *course = load("course: c\n"
                                 "exercises:\n  - dot\n  - {id: saxpy, visibility: {show: one-*}}\n"
                                 "students: [{id: ada, repository: r}]\n"
                                 "visibility: {hide: [generated, 'secret-*']}\n");
    assert_true(course_hides_case(course, DOT, "generated", "generated-1"));
    assert_true(course_hides_case(course, DOT, "boundary", "secret-1"));
    assert_false(course_hides_case(course, DOT, "boundary", "one-element"));
    assert_true(course_hides_case(course, SAXPY, "generated", "generated-1"));
    assert_false(course_hides_case(course, SAXPY, "boundary", "one-element"));
    assert_true(course_hides_case(course, SAXPY, "boundary", "two-elements"));
    assert_true(course_hides_any(course, DOT) && course_hides_any(course, SAXPY));
    course_free(course);
    course = load(HEAD);
    assert_false(course_hides_case(course, DOT, "generated", "generated-1"));
    assert_false(course_hides_any(course, DOT));
    course_free(course);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(without_late_the_deadline_is_the_end),
        TEST(begun_days_cost_in_full),
        TEST(days_by_the_second),
        TEST(the_window_follows_from_the_percentage),
        TEST(extensions_move_one_deadline),
        TEST(a_team_shares_what_its_members_have),
        TEST(a_pin_of_one_exercise_comes_before_one_of_all),
        TEST(cases_are_hidden_by_group_and_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
