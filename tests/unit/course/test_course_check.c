/* What `course check` finds in a course that loads: each problem once, with the status that a batch
 * run would end with. */
#include "course_fixture.h"

#include "grader/course/course_check.h"

static char head[41]; /* of ada's repository */

static int make_course(void **state) {
    make_folder(state);
    const struct fixture_file file = {"saxpy.cu", "__global__ void saxpy() {}\n"};
    char *path_of_ada = file_join(folder, "ada");
    git_repository *repository = fixture_init(path_of_ada, false);
    git_oid tree = fixture_tree(repository, &file, 1);
    git_oid commit = fixture_commit(repository, "refs/heads/main", &tree);
    git_oid_tostr(head, sizeof head, &commit);
    git_repository_free(repository);
    free(path_of_ada);
    return 0;
}

static void assert_finds(const char *text, enum status status, const char *message) {
    struct course *course = load(text);
    struct course_check check;
    course_check(course, false, &check);
    size_t found = 0;
    for (size_t i = 0; i < check.finding_count; i++)
        found += check.findings[i].status == status && *message &&
                 strstr(check.findings[i].error.message, message) != NULL;
    if (check.finding_count != (*message != '\0') || found != (*message != '\0'))
        for (size_t i = 0; i < check.finding_count; i++)
            print_error("%d %s: %s\n", (int)check.findings[i].status, check.findings[i].error.file,
                        check.findings[i].error.message);
    assert_int_equal(check.finding_count, *message != '\0');
    assert_int_equal(found, *message != '\0');
    assert_int_equal(course_check_status(&check), status);
    course_check_free(&check);
    course_free(course);
}

#define SAXPY "course: c\nexercises: [saxpy]\n"
#define ADA   "students: [{id: ada, repository: ada}]\n"

static void finds_what_is_inconsistent(void **state) {
    (void)state;
    assert_finds(SAXPY ADA, STATUS_OK, "");
    assert_finds("course: c\nexercises: [saxpi]\n" ADA, STATUS_INVALID, "saxpi");
    assert_finds(SAXPY "students: [{id: ada, repository: nowhere}]\n", STATUS_BELOW_MARK,
                 "ada: cannot open");
    assert_finds(SAXPY "students: [{id: ada, repository: ada, branch: mian}]\n", STATUS_BELOW_MARK,
                 "ada: ");
    assert_finds(SAXPY "students: [{id: ada, repository: \"\"}]\n", STATUS_BELOW_MARK,
                 "ada has no repository");
    /* Nothing is asked over the network. */
    assert_finds(SAXPY "students: [{id: ada, repository: https://host.invalid/ada.git}]\n",
                 STATUS_OK, "");
    assert_finds(SAXPY "students: [{id: ada, repository: ada}, {id: ben, repository: ada}]\n",
                 STATUS_OK, "ben has the repository of ada");
    assert_finds(SAXPY "students: [{id: ada}, {id: ben}]\n"
                       "groups: [{name: T, members: [ada, ben], repository: ada}]\n",
                 STATUS_OK, "");
    assert_finds(SAXPY "students: [{id: ada}, {id: ben}]\n"
                       "groups: [{name: T, members: [ada], repository: ada},\n"
                       "  {name: U, members: [ben], repository: ada}]\n",
                 STATUS_OK, "ben has the repository of ada");
    assert_finds(SAXPY ADA "visibility: {hide: [generatd]}\n", STATUS_OK, "called generatd");
    assert_finds(SAXPY ADA "visibility: {hide: [generated, speed, 'generated-*']}\n", STATUS_OK,
                 "");
    assert_finds("course: c\nexercises: [dot, {id: saxpy, visibility: {show: nothing-*}}]\n" ADA,
                 STATUS_OK, "of saxpy is called nothing-*");
    assert_finds(SAXPY ADA "late: {percent_a_day: 5}\n", STATUS_OK, "no exercise has one");
    assert_finds("course: c\nexercises: [dot, saxpy]\ndeadlines: {dot: 2026-10-02Z}\n" ADA,
                 STATUS_OK, "saxpy has no deadline");
    assert_finds(SAXPY ADA "weights: {saxpy: 0}\n", STATUS_OK, "weights of all exercises are 0");
    assert_finds(SAXPY ADA "similarity: {earlier: [none.sqlite]}\n", STATUS_OK, "no gradebook");
    assert_finds(SAXPY ADA
                 "groups: [{name: monday, members: [ada]}, {name: Monday, members: [ada]}]\n",
                 STATUS_OK, "two groups, monday and Monday");
}

static void finds_pins_of_no_commit(void **state) {
    (void)state;
    char *right = mem_printf(SAXPY ADA "pins: [{student: ada, commit: %.10s}]\n", head);
    char *missing = mem_printf(
        "course: c\nexercises: [dot]\n" ADA "pins: [{student: ada, commit: %.10s}]\n", head);
    assert_finds(right, STATUS_OK, "");
    assert_finds(missing, STATUS_OK, "ada, dot, pinned to ");
    assert_finds(SAXPY ADA "pins: [{student: ada, commit: 0123456789}]\n", STATUS_BELOW_MARK,
                 "ada, saxpy, pinned to 0123456789");
    free(right);
    free(missing);
}

/* A repository that two share is read once, but for the pins of each. */
static void each_pin_is_looked_for(void **state) {
    (void)state;
    struct course *course = load(SAXPY "students: [{id: ada, repository: ada}, "
                                       "{id: ben, repository: ada}]\n"
                                       "pins: [{student: ben, commit: 0123456789}]\n");
    struct course_check check;
    course_check(course, false, &check);
    assert_int_equal(check.finding_count, 2);
    assert_int_equal(course_check_status(&check), STATUS_BELOW_MARK);
    course_check_free(&check);
    course_free(course);
}

static void tokens_of_urls_are_not_shown(void **state) {
    (void)state;
    struct course *course =
        load(SAXPY "students: [{id: ada, repository: \"https://me:secret@127.0.0.1:1/x.git\"}]\n");
    struct course_check check;
    cleanup_text struct text out = {0};
    course_check(course, true, &check);
    assert_int_equal(check.finding_count, 1);
    assert_int_equal(check.findings[0].error.line, 3);
    assert_null(strstr(check.findings[0].error.message, "secret"));
    assert_null(strstr(check.findings[0].error.excerpt, "secret"));
    course_check_text(&check, false, &out);
    course_check_json(&check, &out);
    assert_null(strstr(text_string(&out), "secret"));
    course_check_free(&check);
    course_free(course);
}

/* The worst of several is the exit code, and none hides another. */
static void all_findings_are_reported(void **state) {
    (void)state;
    struct course *course =
        load("course: c\nexercises: [saxpi, saxpy]\n"
             "students: [{id: ada, repository: no}, {id: ben, repository: ada}, "
             "{id: cy, repository: ''}]\nlate: {percent_a_day: 5}\n");
    struct course_check check;
    course_check(course, false, &check);
    assert_int_equal(check.finding_count, 4);
    assert_int_equal(course_check_status(&check), STATUS_INVALID);
    cleanup_text struct text out = {0};
    course_check_text(&check, false, &out);
    assert_non_null(strstr(text_string(&out), "does not load"));
    course_check_free(&check);
    course_free(course);
}

static void late_days_in_a_sentence(void **state) {
    (void)state;
    const struct {
        struct course_late late;
        const char *sentence;
    } rows[] = {
        {{false, 0, 0, 0, true}, "A commit after the deadline does not count."},
        {{true, 10, 5400, 1, true},
         "Each begun day of 24 hours after the deadline costs 10 % of the exercise's points; up to "
         "1h30m late costs nothing; after 1 day a commit does not count."},
        {{true, 2.5, 0, COURSE_NEVER, false},
         "Each day of 24 hours after the deadline costs 2.5 % of the exercise's points, parts of "
         "it "
         "by the second; a commit counts as long as points are left."},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_text struct text out = {0};
        course_append_late(&rows[i].late, &out);
        assert_string_equal(text_string(&out), rows[i].sentence);
    }
}

#define CHECK(function) cmocka_unit_test_setup_teardown(function, make_course, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        CHECK(finds_what_is_inconsistent), CHECK(finds_pins_of_no_commit),
        CHECK(each_pin_is_looked_for),     CHECK(tokens_of_urls_are_not_shown),
        CHECK(all_findings_are_reported),  cmocka_unit_test(late_days_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
