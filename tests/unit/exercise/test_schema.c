/* The table of exercise.def is sound, and so is the JSON Schema that is made from it. tests/docs
 * compares what is made from it with what stands in exercises/. */
#include "grader/cli/exercise_show.h"
#include "grader/exercise/exercise_schema.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_definitions(enum schema_object object) {
    struct text made = {0};
    schema_write_json(object, &made);
    json_error_t problem;
    json_t *root = json_loads(text_string(&made), JSON_REJECT_DUPLICATES, &problem);
    assert_non_null(root);
    const json_t *definitions = json_object_get(root, "definitions");
    for (const char *at = text_string(&made); (at = strstr(at, "#/definitions/"));) {
        at += strlen("#/definitions/");
        cleanup_free char *id = mem_strndup(at, strcspn(at, "\""));
        assert_non_null(json_object_get(definitions, id));
    }
    /* Every key of the table is a property, and nothing else is accepted beside them. */
    const json_t *properties = json_object_get(root, "properties");
    for (size_t i = 0; i < schema_key_count; i++)
        if (schema_keys[i].object == object)
            assert_non_null(json_object_get(properties, schema_keys[i].name));
    assert_true(json_is_false(json_object_get(root, "additionalProperties")));
    /* What only the other kind of file has is not offered. */
    assert_null(json_object_get(definitions, object == SCHEMA_track ? "launch" : "step"));
    json_decref(root);
    text_free(&made);
}

static void every_reference_has_a_definition(void **state) {
    (void)state;
    check_definitions(SCHEMA_exercise);
    check_definitions(SCHEMA_track);
}

static void rows_are_sound(void **state) {
    (void)state;
    size_t rows[SCHEMA_OBJECT_COUNT] = {0};
    for (size_t i = 0; i < schema_key_count; i++) {
        const struct schema_key *key = &schema_keys[i];
        rows[key->object]++;
        assert_true(key->doc[0] != '\0');
        assert_true(key->minimum <= key->maximum);
        assert_true(key->list_least <= key->list_most);
        assert_true(key->type != SCHEMA_TYPE_CHOICE || schema_choices[key->choice].count > 0);
        if (key->required)
            assert_string_equal(key->fallback, "");
        for (size_t j = 0; j < i; j++)
            assert_false(schema_keys[j].object == key->object &&
                         strcmp(schema_keys[j].name, key->name) == 0);
    }
    for (size_t i = 0; i < SCHEMA_OBJECT_COUNT; i++) {
        assert_true(rows[i] > 0);
        assert_true(rows[i] <= 64); /* the limit of the list of known keys */
    }
}

static void expect(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("not there: %s\n%s", part, text);
}

static void show_tells_the_whole_contract(void **state) {
    (void)state;
    struct exercise *exercise;
    struct text out = {0};
    assert_int_equal(exercise_find("matmul-boundary", &exercise, NULL), STATUS_OK);
    exercise_show_text(exercise, LANGUAGE_EN, false, 0, &out);
    const char *text = text_string(&out);
    assert_int_equal(strncmp(text, "Tiled matrix multiplication", 27), 0);
    expect(text, "  __global__ void matmul(const float *M, const float *N, float *P, int width)\n"
                 "  grid    ceil_div(width, TILE_WIDTH) x ceil_div(width, TILE_WIDTH)\n"
                 "  block   TILE_WIDTH x TILE_WIDTH\n");
    expect(text, "TILE_WIDTH: from 1 to 32; the skeleton has 16");
    expect(text, "P: a sum of width terms: off by at most width * 2^-24 *");
    expect(text, "  correctness     30  (3 cases)\n");
    expect(text, "  speed           20  (3 thresholds)\n");
    expect(text, "  with width = 256 on the device h200\n");
    expect(text, "(ratio_to_tuned): at most 4: 5 points, at most 2.3: 10 points\n");
    expect(text, "at most 2.5 * tuned_global_load_sectors: 5 points\n");
    expect(text, "  at most 50 unless every case of correctness passes\n");
    expect(text, "width = 64; M: whole numbers from -4 to 4\n");
    expect(text, "width from 1 to 70, new ones in each run\n");
    assert_null(strchr(text, '\033'));
    text_clear(&out);
    exercise_show_text(exercise, LANGUAGE_ZH, true, 0, &out);
    expect(text_string(&out), "可以修改的常量");
    expect(text_string(&out), "\033[1m");
    text_free(&out);
    exercise_free(exercise);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_has_a_definition),
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(show_tells_the_whole_contract),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
