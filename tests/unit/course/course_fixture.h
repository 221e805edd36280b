/* A folder with COURSE.yaml and what stands beside it, for the tests of the course room. */
#ifndef WARPGRADE_TESTS_UNIT_COURSE_COURSE_FIXTURE_H
#define WARPGRADE_TESTS_UNIT_COURSE_COURSE_FIXTURE_H

#include "tests/support/git_fixture.h"

#include "grader/course/course.h"

static char *folder;
static char path[512];

static int make_folder(void **state) {
    (void)state;
    folder = fixture_folder();
    snprintf(path, sizeof path, "%s/COURSE.yaml", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    return 0;
}

static inline void write_named(const char *name, const char *text, size_t length) {
    char *file = file_join(folder, name);
    assert_int_equal(file_write(file, text, length, NULL), STATUS_OK);
    free(file);
}

static inline struct course *load(const char *text) {
    write_named("COURSE.yaml", text, strlen(text));
    struct course *course;
    struct error error;
    if (course_load(path, &course, &error) != STATUS_OK)
        fail_msg("%s:%u:%u: %s", error.file, error.line, error.column, error.message);
    return course;
}

static inline void assert_wrong(const char *text, const char *file, unsigned line, unsigned column,
                                const char *message, const char *hint) {
    write_named("COURSE.yaml", text, strlen(text));
    struct course *course;
    struct error error = {0};
    if (course_load(path, &course, &error) == STATUS_OK)
        fail_msg("%s\nis taken for right", text);
    assert_null(course);
    if (!strstr(error.message, message) || !strstr(error.hint, hint) || error.line != line ||
        error.column != column || strcmp(file_base_name(error.file), file) != 0)
        fail_msg("%s\ngave %s:%u:%u: \"%s\" and \"%s\"", text, error.file, error.line, error.column,
                 error.message, error.hint);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

#endif
