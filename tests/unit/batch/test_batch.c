/* Grading a class: what is written, what goes on, what stops. */
#include "tests/unit/batch/class_fixture.h"

static void grades_a_class(void **state) {
    (void)state;
    student("ada", "score 100", "score 50");
    student("bob", "score 60", "score 59.999");
    write_file("COURSE.yaml",
               COURSE "students:\n"
                      "  - {id: ada, name: \"=cmd|' /C calc'!A0\", repository: ada}\n"
                      "  - {id: bob, name: Bob, repository: bob}\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.opened, STATUS_OK);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_OK);
    assert_non_null(strstr(run.summary, "4 of 4 submissions graded\n"));
    free(run.summary);
    assert_grade("ada", "dot", "passed", "yes");
    assert_grade("ada", "dot", "verdict", "pass");
    assert_grade("ada", "dot", "status", "graded");
    assert_grade("ada", "dot", "path", "dot.cu");
    assert_grade("ada", "saxpy", "path", "saxpy/saxpy.cu");
    assert_grade("ada", "dot", "branch", "main");
    assert_grade("ada", "dot", "committed_at", "2023-11-14T22:13:20Z");
    assert_grade("ada", "dot", "attempts", "1");
    assert_grade("ada", "dot", "best_percent", "100");
    assert_grade("bob", "saxpy", "passed", "no"); /* the score is not rounded up to the mark */
    /* neither a name nor a message is a formula */
    assert_grade("ada", "dot", "name", "'=cmd|' /C calc'!A0");
    assert_grade("ada", "dot", "message", "'=1+1 is a message");
    cleanup_free char *json = read_text("out/ada/dot.json");
    assert_non_null(strstr(json, "\"exercise\""));
    assert_true(file_exists(in_folder("out/bob/saxpy.txt")));
    cleanup_free char *junit = read_text("out/junit.xml");
    assert_non_null(strstr(junit, "ada/dot.cu"));
    assert_non_null(strstr(junit, "tests=\"4\""));
}

/* As many at once as there are cards, or as are asked for; what is written is what one gives. */
static void several_at_once(void **state) {
    (void)state;
    static const char *const written[] = {"out/junit.xml", "out/s1/dot.json", "out/s6/saxpy.txt"};
    static const struct {
        unsigned cards, jobs, together;
    } ways[] = {{1, 0, 1}, {3, 0, 3}, {0, 1, 1}, {0, 4, 4}};
    char *first[ARRAY_LENGTH(written)];
    cleanup_text struct text course = {0};
    text_append(&course, COURSE "students:\n");
    for (int i = 0; i < 7; i++) {
        char name[8], score[16];
        snprintf(name, sizeof name, "s%d", i);
        snprintf(score, sizeof score, "score %d", 40 + 10 * i);
        if (i != 3) /* whose repository is not there */
            student(name, score, i == 4 ? NULL : score);
        text_printf(&course, "  - {id: s%d, repository: s%d}\n", i, i);
    }
    write_file("COURSE.yaml", text_string(&course));
    for (size_t way = 0; way < ARRAY_LENGTH(ways); way++) {
        cards = ways[way].cards;
        gather = ways[way].together;
        judged = most_together = 0;
        struct run run = run_with((struct batch_options){.jobs = ways[way].jobs, .all = true});
        assert_int_equal(run.ran, STATUS_OK);
        assert_int_equal(run.exit, STATUS_BELOW_MARK);
        assert_non_null(strstr(run.summary, "11 of 14 submissions graded"));
        free(run.summary);
        assert_int_equal(judged, 11);
        assert_int_equal(most_together, ways[way].together);
        assert_grade("s3", "dot", "status", "unreadable");
        assert_grade("s4", "saxpy", "status", "not-submitted");
        assert_grade("s5", "saxpy", "best_percent", "90");
        for (size_t i = 0; i < ARRAY_LENGTH(written); i++) {
            cleanup_free char *text = read_text(written[i]);
            if (way == 0)
                first[i] = mem_strdup(text);
            else if (i > 0 || cards == 1) /* JUnit names the engine */
                assert_string_equal(text, first[i]);
        }
    }
    for (size_t i = 0; i < ARRAY_LENGTH(written); i++)
        free(first[i]);
}

static void broken_repositories_cost_their_rows_only(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    student("late", "score 80", NULL);
    git_repository_free(fixture_init(in_folder("empty"), true));
    const struct fixture_file link[] = {{"dot.cu", "/etc/passwd", GIT_FILEMODE_LINK},
                                        {"saxpy.cu", "score 70"}};
    fixture_repository(in_folder("link"), true, link, 2);
    write_file("file", "x");
    write_file("COURSE.yaml", COURSE "students:\n"
                                     "  - {id: gone, repository: nowhere}\n"
                                     "  - {id: empty, repository: empty}\n"
                                     "  - {id: file, repository: file}\n"
                                     "  - {id: link, repository: link}\n"
                                     "  - {id: web, repository: \"https://u:pw@127.0.0.1:1/x\"}\n"
                                     "  - {id: late, repository: late}\n"
                                     "  - {id: branch, repository: ada, branch: week1}\n"
                                     "  - {id: ada, repository: ada}\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.opened, STATUS_OK);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_BELOW_MARK);
    assert_int_equal(judged, 4);
    const char *unreadable[] = {"gone", "empty", "file", "web", "branch"};
    for (unsigned i = 0; i < ARRAY_LENGTH(unreadable); i++) {
        assert_grade(unreadable[i], "dot", "status", "unreadable");
        assert_grade(unreadable[i], "saxpy", "score", "");
        assert_grade(unreadable[i], "saxpy", "passed", "");
    }
    assert_grade("link", "dot", "status", "refused");
    assert_grade("link", "dot", "score", "0");
    assert_grade("link", "dot", "message", "dot.cu is a symbolic link, not a file");
    assert_grade("link", "saxpy", "status", "graded");
    assert_grade("late", "saxpy", "status", "not-submitted");
    assert_grade("late", "saxpy", "passed", "no");
    assert_grade("late", "dot", "status", "graded");
    assert_grade("ada", "dot", "status", "graded");
    assert_grade("web", "dot", "repository", "https://u:***@127.0.0.1:1/x");
    assert_non_null(strstr(run.summary, "4 of 16 submissions graded"));
    assert_non_null(strstr(run.summary, "5 repositories cannot be read"));
    assert_non_null(strstr(run.summary, "late saxpy: there is no saxpy.cu and no saxpy/saxpy.cu"));
    assert_null(strstr(run.summary, "pw"));
    free(run.summary);
    cleanup_free char *text = read_text("out/link/dot.txt");
    assert_non_null(strstr(text, "symbolic link"));
    assert_false(file_exists(in_folder("out/link/dot.json")));
    cleanup_free char *junit = read_text("out/junit.xml");
    assert_non_null(strstr(junit, "tests=\"16\" failures=\"2\" errors=\"10\""));
}

static void a_withdrawn_submission_keeps_its_grade(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    free(run_batch(NULL, NULL).summary);
    assert_true(file_exists(in_folder("out/ada/dot.json")));
    commit_again("ada", &(struct fixture_file){"README", "x"});
    free(run_batch(NULL, NULL).summary);
    assert_true(file_exists(in_folder("out/ada/dot.json"))); /* what the grade is made of */
    assert_grade("ada", "dot", "status", "not-submitted");
    assert_grade("ada", "dot", "final", "100"); /* the gradebook has not forgotten */
    assert_grade("ada", "dot", "attempts", "1");
}

static void only_some_students(void **state) {
    (void)state;
    student("ada", "score 100", "score 100");
    student("bob", "score 80", "score 80");
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n"
                                     "  - {id: eve, repository: nowhere}\n");
    struct run run = run_batch("bob", NULL);
    assert_int_equal(run.exit, STATUS_OK);
    assert_non_null(strstr(run.summary, "2 of 2 submissions graded"));
    free(run.summary);
    assert_int_equal(judged, 2);
    assert_grade("ada", "dot", "status", "not-graded");
    run = run_batch("ada", NULL);
    free(run.summary);
    assert_grade("bob", "dot", "status", "recorded");
    assert_grade("bob", "dot", "passed", "yes");
    assert_grade("bob", "saxpy", "path", "saxpy/saxpy.cu");
    assert_grade("bob", "dot", "message", "'=1+1 is a message");
    assert_grade("ada", "dot", "status", "graded");
    run = run_batch("adda", NULL);
    assert_int_equal(run.opened, STATUS_INVALID);
    assert_string_equal(run.error.hint, "did you mean ada?");
    run = run_batch("ada,bob", NULL);
    assert_string_equal(run.error.hint, "give --only once for each student");
}

static void a_wrong_exercise_stops_the_run(void **state) {
    (void)state;
    student("ada", "exercise", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_INVALID);
    free(run.summary);
    write_file("COURSE.yaml", "course: C\nexercises: [dot, saxpi]\n"
                              "students: [{id: ada, repository: ada}]\n");
    run = run_batch(NULL, NULL);
    assert_int_equal(run.opened, STATUS_INVALID);
    assert_int_equal(run.error.line, 2);
    assert_int_equal(run.error.column, 18);
    assert_non_null(strstr(run.error.hint, "saxpy"));
}

static void what_cannot_be_judged_is_no_attempt(void **state) {
    (void)state;
    student("ada", "internal", "score 100");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_BELOW_MARK);
    free(run.summary);
    assert_grade("ada", "dot", "status", "unjudged");
    assert_grade("ada", "dot", "score", "");
    assert_grade("ada", "dot", "message", "unsupported at line 5: a texture");
    assert_grade("ada", "dot", "attempts", "0");
    assert_grade("ada", "saxpy", "attempts", "1");
}

static void the_gradebook_holds_the_report(void **state) {
    (void)state;
    student("ada", "score 100", "score 40");
    write_file("COURSE.yaml", COURSE "pass_mark: 40\n"
                                     "students: [{id: ada, name: Ada, repository: ada}]\n");
    for (int i = 0; i < 2; i++)
        free(run_batch(NULL, NULL).summary);
    assert_grade("ada", "saxpy", "passed", "yes");
    struct gradebook *book;
    struct gradebook_row row;
    char *report;
    size_t length;
    assert_int_equal(gradebook_open(in_folder("gradebook.sqlite"), &book, NULL), STATUS_OK);
    assert_int_equal(gradebook_find(book, "ada", "dot", GRADEBOOK_COUNTED, &row, NULL), STATUS_OK);
    assert_int_equal(row.attempts, 1); /* graded twice alike: one attempt each */
    assert_int_equal(row.seed, 5);
    assert_string_equal(row.verdict, "pass");
    assert_int_equal(gradebook_report(book, row.grading, &report, &length, NULL), STATUS_OK);
    json_t *json = json_loads(report, 0, NULL);
    assert_non_null(json);
    json_decref(json);
    free(report);
    gradebook_close(book);
}

static void results_can_go_elsewhere(void **state) {
    (void)state;
    student("ada", "score 100", "score 40");
    write_file("COURSE.yaml", COURSE "students: [{id: ada, repository: ada}]\n");
    free(run_batch(NULL, in_folder("other/deep")).summary);
    assert_true(file_exists(in_folder("other/deep/ada/dot.json")));
    write_file("plain", "x");
    struct run run = run_batch(NULL, in_folder("plain"));
    assert_int_equal(run.opened, STATUS_ENVIRONMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(grades_a_class),
        TEST(several_at_once),
        TEST(broken_repositories_cost_their_rows_only),
        TEST(a_withdrawn_submission_keeps_its_grade),
        TEST(only_some_students),
        TEST(a_wrong_exercise_stops_the_run),
        TEST(what_cannot_be_judged_is_no_attempt),
        TEST(the_gradebook_holds_the_report),
        TEST(results_can_go_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
