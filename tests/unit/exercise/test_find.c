/* Finding exercises: by the first comment of a submission, by id, in the program's own data. */
#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct id_row {
    const char *source, *id;
};

static const struct id_row id_rows[] = {
    {"// warpgrade: dot\nint x;", "dot"},
    {"//warpgrade:dot", "dot"},
    {"\xef\xbb\xbf// warpgrade: dot\r\n", "dot"},
    {"\n\n  /* warpgrade: matmul-boundary */", "matmul-boundary"},
    {"/*\n * My solution\n * warpgrade: dot\n */", "dot"},
    {"// Copyright someone\n// warpgrade: dot\n", "dot"},
    {"/* licence */\n\n// warpgrade: dot\n", "dot"},
    {"int x; // warpgrade: dot", NULL},
    {"#define A\n// warpgrade: dot\n", NULL},
    {"// warpgrade: ../../etc\n", NULL},
    {"// warpgrade: Dot\n", NULL},
    {"// warpgrade:\ndot", NULL},
    {"// warpgrade", NULL},
    {"/* warpgrade: dot", "dot"},
    {"/", NULL},
    {"", NULL},
};

static void finds_the_id_in_the_first_comment(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(id_rows); i++) {
        /* Exactly as long as the text, so that a sanitizer sees a read past its end. */
        size_t length = strlen(id_rows[i].source);
        cleanup_free char *source = mem_dup(id_rows[i].source, length);
        cleanup_free char *id = exercise_id_from_source(source, length);
        if ((id == NULL) != (id_rows[i].id == NULL) || (id && strcmp(id, id_rows[i].id) != 0))
            fail_msg("%s: %s", id_rows[i].source, id ? id : "(none)");
    }
}

static void finds_exercises_by_id(void **state) {
    (void)state;
    char **ids;
    size_t count;
    struct error error = {0};
    unsetenv("WARPGRADE_HOME");
    assert_int_equal(exercise_ids(&ids, &count, &error), STATUS_OK);
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || strcmp(ids[i - 1], ids[i]) < 0);
        struct exercise *exercise;
        if (exercise_find(ids[i], &exercise, &error) != STATUS_OK)
            fail_msg("%s:%u:%u: %s", error.file, error.line, error.column, error.message);
        assert_string_not_equal(exercise->statement[LANGUAGE_EN], exercise->statement[LANGUAGE_ZH]);
        assert_true(exercise->mutant_count >= 5);
        assert_true(exercise->points[GROUP_SPEED] > 0 || exercise_has_host_code(exercise));
        exercise_free(exercise);
    }
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    struct exercise *exercise;
    assert_int_equal(exercise_find("matmul-bondary", &exercise, &error), STATUS_INVALID);
    assert_string_equal(error.hint, "did you mean matmul-boundary?");
    assert_int_equal(exercise_find("../exercises/dot", &exercise, &error), STATUS_INVALID);
    assert_int_equal(exercise_find("", &exercise, &error), STATUS_INVALID);
}

/* Every skeleton must name its exercise: `warpgrade grade FILE` finds it so. */
static void skeletons_name_their_exercise(void **state) {
    (void)state;
    char **ids;
    size_t count;
    assert_int_equal(exercise_ids(&ids, &count, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        struct exercise *exercise;
        char *source;
        size_t length;
        assert_int_equal(exercise_find(ids[i], &exercise, NULL), STATUS_OK);
        assert_int_equal(file_read(exercise->skeleton, 1 << 20, &source, &length, NULL), STATUS_OK);
        cleanup_free char *id = exercise_id_from_source(source, length);
        assert_non_null(id);
        assert_string_equal(id, ids[i]);
        free(source);
        exercise_free(exercise);
        free(ids[i]);
    }
    free(ids);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_id_in_the_first_comment),
        cmocka_unit_test(finds_exercises_by_id),
        cmocka_unit_test(skeletons_name_their_exercise),
    };
    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
