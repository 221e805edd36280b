/* Every export of a class whose names are hostile, as independent readers see it: read_exports.py.
 */
#include "tests/source_folder.h"
#include "tests/unit/gradebook/book.h"

#include "grader/gradebook/export.h"

static const char *const formula = "=HYPERLINK(\"http://x\",\"y\")";
static const char *const marks = "Zo\xc3\xab \"Z\", the\nsecond \xe2\x80\xae;+1";

static struct gradebook *hostile_class(void) {
    struct error error;
    struct gradebook *book = open_book();
    const struct gradebook_field ada[] = {{"SIS User ID", "0017"}, {"e-mail", "ada@example.org"}};
    const struct gradebook_field zoe[] = {{"SIS User ID", "@SUM(1)"}, {"e-mail", "-zoe@x"}};
    const struct gradebook_student students[] = {
        {.id = "ada", .name = formula, .section = "B;=1", .fields = ada, .field_count = 2},
        {.id = "zoe", .name = marks, .fields = zoe, .field_count = 2},
        {.id = "idle", .name = "\xff\xfe"}};
    const struct gradebook_exercise exercises[] = {
        {.id = "dot", .title = "Dot", .weight = 1, .max_score = 10, .version = "bb"},
        {.id = "sum", .title = "Sum", .weight = 1, .max_score = 20, .version = "bb"}};
    if (gradebook_sync_students(book, students, 3, &error) != STATUS_OK ||
        gradebook_sync_exercises(book, exercises, 2, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    struct gradebook_attempt attempt = attempt_of("ada", "c1", 8);
    attempt.message = "=cmd|' /C calc'!A0";
    attempt.penalty = (struct gradebook_penalty){.percent = 25, .days_late = 2, .reason = "+late"};
    store(book, &attempt);
    attempt = attempt_of("zoe", "c2", 7.5);
    store(book, &attempt);
    const struct gradebook_override override = {.student = "zoe",
                                                .exercise = "sum",
                                                .value = 12.25,
                                                .who = "=me",
                                                .why = "because,\n\"so\""};
    assert_int_equal(gradebook_override(book, &override, &error), STATUS_OK);
    return book;
}

static void write_all(struct gradebook *book) {
    const struct gradebook_assignment assignments[] = {{"sum", "4711"}};
    const struct gradebook_export_options options = {
        .assignments = assignments, .assignment_count = 1, .student = "zoe"};
    struct error error;
    for (size_t i = 0; i < gradebook_format_count; i++) {
        char file[600];
        struct text out = {0};
        const char *name = gradebook_formats[i].name;
        if (gradebook_formats[i].write(book, &options, &out, &error) != STATUS_OK)
            fail_msg("%s: %s", name, error.message);
        snprintf(file, sizeof file, "%s/%s", folder, name);
        assert_int_equal(file_write(file, text_string(&out), out.length, NULL), STATUS_OK);
        text_free(&out);
    }
}

static void others_can_read_them(void **state) {
    (void)state;
    struct gradebook *book = hostile_class();
    write_all(book);
    gradebook_close(book);
    if (system("python3 -c 'import csv, json' 2>/dev/null") != 0) {
        print_message("skipped: there is no python3\n");
        return;
    }
    char command[1300];
    snprintf(command, sizeof command, "python3 %s/tests/unit/gradebook/read_exports.py %s",
             WARPGRADE_SOURCE_DIR, folder);
    assert_int_equal(system(command), 0);
}

static enum status count(void *context, const char *student, const struct text *json,
                         struct error *error) {
    (void)error;
    size_t *counted = context;
    if (strcmp(student, "ada") == 0)
        assert_non_null(strstr(text_string(json), "\"score\": 6,")); /* 8 less a quarter */
    ++*counted;
    return STATUS_OK;
}

static void every_student_gets_results(void **state) {
    (void)state;
    struct gradebook *book = hostile_class();
    size_t counted = 0;
    const struct gradebook_export_options all = {0};
    assert_int_equal(gradebook_each_result(book, &all, count, &counted, NULL), STATUS_OK);
    assert_int_equal(counted, 3);
    struct text out = {0};
    struct error error;
    struct gradebook_export_options options = {.student = "zo"};
    assert_int_equal(gradebook_write_gradescope(book, &options, &out, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean zoe?");
    options.student = NULL;
    assert_int_equal(gradebook_write_gradescope(book, &options, &out, &error), STATUS_INVALID);
    gradebook_close(book);
}

static bool tells_of_dot(const void *context, const char *exercise) {
    return context == marks && strcmp(exercise, "dot") == 0;
}

/* What the book says of a grading may be of a case that the course hides. */
static void students_read_what_the_course_tells(void **state) {
    (void)state;
    struct gradebook *book = hostile_class();
    struct gradebook_export_options options = {.student = "ada"};
    for (int told = 0; told < 2; told++) {
        cleanup_text struct text out = {0};
        options.tells = told ? tells_of_dot : NULL;
        options.context = marks;
        assert_int_equal(gradebook_write_gradescope(book, &options, &out, NULL), STATUS_OK);
        assert_int_equal(strstr(text_string(&out), "/C calc") != NULL, told);
        assert_non_null(strstr(text_string(&out), "8 of 10 points, less 2: +late"));
    }
    gradebook_close(book);
}

static void an_empty_book_can_be_exported(void **state) {
    (void)state;
    struct gradebook *book = open_book();
    const struct gradebook_export_options options = {0};
    for (size_t i = 0; i < gradebook_format_count; i++) {
        struct text out = {0};
        if (gradebook_formats[i].write != gradebook_write_gradescope)
            assert_int_equal(gradebook_formats[i].write(book, &options, &out, NULL), STATUS_OK);
        text_free(&out);
    }
    gradebook_close(book);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(others_can_read_them),
        TEST(every_student_gets_results),
        TEST(students_read_what_the_course_tells),
        TEST(an_empty_book_can_be_exported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
