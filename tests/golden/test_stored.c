/* Stored reports. Nothing is lost: what is made of a report that was written as JSON and read back
 * is byte for byte what is made of it directly, in every format, for every fixture. And what is no
 * such report is refused with a message that names the place. */
#include "tests/golden/fixtures.h"
#include "tests/source_folder.h"

#include "reports/stored/stored.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static void write_as(const char *format, const struct report *const *reports, size_t count,
                     const struct report_options *options, struct text *out) {
    struct error error = {0};
    assert_int_equal(report_format_find(format)->write(reports, count, options, out, &error),
                     STATUS_OK);
}

static void read_back(const struct text *json, struct stored_reports *stored) {
    struct error error = {0};
    if (stored_read(text_string(json), json->length, "stored.json", stored, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.message, text_string(json));
}

static void expect_same(const char *name, const struct report *const *reports,
                        const struct stored_reports *stored) {
    static const struct report_options looks[] = {
        {0}, {.color = true}, {.verbose = true}, {.width = 60, .rows = 24}, {.times = true}};
    for (size_t i = 0; i < report_format_count; i++)
        for (size_t look = 0; look < ARRAY_LENGTH(looks); look++) {
            cleanup_text struct text direct = {0}, again = {0};
            const char *format = report_formats[i].name;
            write_as(format, reports, stored->count, &looks[look], &direct);
            write_as(format, (const struct report *const *)stored->reports, stored->count,
                     &looks[look], &again);
            if (direct.length == again.length &&
                memcmp(text_string(&direct), text_string(&again), direct.length) == 0)
                continue;
            fail_msg("%s of %s is not the same, read back:\n%s\n----\n%s", format, name,
                     text_string(&direct), text_string(&again));
        }
}

static const struct report_options with_times = {.times = true};

static void check_one(const char *name, struct report *report) {
    const struct report *const list[] = {report};
    cleanup_text struct text json = {0};
    struct stored_reports stored = {0};
    write_as("json", list, 1, &with_times, &json);
    read_back(&json, &stored);
    assert_int_equal(stored.count, 1);
    expect_same(name, list, &stored);
    stored_free(&stored);
    report_free(report);
}

static void test_nothing_is_lost(void **state) {
    (void)state;
    for (size_t i = 0; i < fixture_count; i++)
        check_one(fixtures[i].name, fixtures[i].make());
}

static struct report *fixture(const char *name) {
    for (size_t i = 0; i < fixture_count; i++)
        if (strcmp(fixtures[i].name, name) == 0)
            return fixtures[i].make();
    fail_msg("there is no fixture %s", name);
    return NULL;
}

/* `hazards` of the JSON has what one missing barrier does in several lines as one; which lines of
 * which case, and what helps all of them, is needed where cases are put together. */
static void test_hazards_with_one_cause(void **state) {
    (void)state;
    static const struct hazard races[] = {
        {.kind = HAZARD_SHARED_RACE, .line = 11, .other_line = 7, .fix = FIX_WARP_BARRIER},
        {.kind = HAZARD_SHARED_RACE, .line = 16, .other_line = 11, .fix = FIX_BLOCK_BARRIER},
        {.kind = HAZARD_SHARED_RACE, .line = 9, .other_line = 11, .fix = FIX_ATOMIC_UPDATE},
    };
    struct report *report = fixture("pass");
    for (size_t i = 0; i < 3; i++) {
        struct report_case *item = &report->cases[i];
        item->verdict = VERDICT_HAZARD;
        item->hazard_count = i + 1;
        item->hazards = mem_calloc(i + 1, sizeof *item->hazards);
        for (size_t j = 0; j <= i; j++) {
            struct hazard *hazard = &item->hazards[j];
            *hazard = races[(i + j) % ARRAY_LENGTH(races)];
            hazard->count = 100 * i + j + 1;
            snprintf(hazard->file, sizeof hazard->file, "dot.cu");
            snprintf(hazard->other_file, sizeof hazard->other_file, "dot.cu");
            snprintf(hazard->variable, sizeof hazard->variable, "s[%zu]", 3 * i + j);
            snprintf(hazard->message, sizeof hazard->message, "race %zu of case %zu", j, i);
        }
    }
    check_one("races", report);
}

/* Columns count the bytes of a source that may be in another encoding. */
static void test_a_source_that_is_no_utf8(void **state) {
    (void)state;
    static const char source[] = "// \xd6\xd0\xce\xc4 \xff\xff\xff\n/* \xb9\xfa */ s[0] = 1;\0\n";
    struct report *report = fixture("chinese");
    struct hazard *hazard = &report->cases[0].hazards[0];
    free(report->source);
    report->source = mem_dup(source, sizeof source);
    report->source_length = sizeof source - 1;
    hazard->line = 2;
    hazard->column = 10;
    check_one("another encoding", report);
}

static void test_numbers(void **state) {
    (void)state;
    struct report *report = fixture("wrong");
    struct report_difference *d = &report->cases[1].difference;
    d->is_integer = true;
    d->expected = 4503599627370497;
    d->actual = -4503599627370496;
    report->cases[3].difference.actual = -0.0;
    d->total = d->flat_index = UINT64_MAX;
    report->seed = UINT64_MAX;
    report->cases[1].sizes[0].value = INT64_MIN;
    report->score = 1.0 / 3;
    check_one("numbers", report);
}

static void test_several_in_one_file(void **state) {
    (void)state;
    struct report **reports = mem_calloc(fixture_count, sizeof *reports);
    for (size_t i = 0; i < fixture_count; i++) {
        reports[i] = fixtures[i].make();
    }
    cleanup_text struct text json = {0}, none = {0};
    struct stored_reports stored = {0};
    write_as("json", (const struct report *const *)reports, fixture_count, &with_times, &json);
    write_as("json", NULL, 0, NULL, &none);
    read_back(&none, &stored);
    assert_int_equal(stored.count, 0);
    read_back(&json, &stored);
    assert_int_equal(stored.count, fixture_count);
    expect_same("all", (const struct report *const *)reports, &stored);
    stored_free(&stored);
    for (size_t i = 0; i < fixture_count; i++)
        report_free(reports[i]);
    free(reports);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static struct text fixture_json(const char *name) {
    struct text json = {0};
    struct report *report = fixture(name);
    const struct report *const list[] = {report};
    write_as("json", list, 1, NULL, &json);
    report_free(report);
    return json;
}

static void expect_refused(const char *text, size_t length, const char *message) {
    struct stored_reports stored = {0};
    struct error error = {0};
    assert_int_equal(stored_read(text, length, "stored.json", &stored, &error), STATUS_INVALID);
    assert_int_equal(stored.count, 0);
    assert_string_equal(error.file, "stored.json");
    if (!strstr(error.message, message))
        fail_msg("\"%s\" is not \"%s\"", error.message, message);
    stored_free(&stored);
}

/* Sets what stands at a path like "cases.0.verdict" to a JSON value; NULL removes it. */
static void set_at(json_t *root, const char *path, const char *value) {
    cleanup_free char *copy = mem_strdup(path);
    char *rest = copy, *part, *last = strrchr(copy, '.');
    json_t *at = root;
    if (last)
        *last++ = '\0';
    while (last && (part = strsep(&rest, ".")))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(part)) : json_object_get(at, part);
    assert_non_null(at);
    last = last ? last : copy;
    json_t *fresh = value ? json_loads(value, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
    if (!value)
        assert_int_equal(json_object_del(at, last), 0);
    else if (json_is_array(at))
        assert_int_equal(json_array_set_new(at, (size_t)atoi(last), fresh), 0);
    else
        assert_int_equal(json_object_set_new(at, last, fresh), 0);
}

static const struct mistake {
    const char *fixture, *path, *value, *message;
} mistakes[] = {
    {"wrong", "cases.1.verdict", "\"passd\"",
     "cases[1].verdict: 'passd' is no verdict (did you mean 'pass'?)"},
    {"wrong", "cases.1.verdict", "\"\\u001b[31m\"", "cases[1].verdict: '\x1b[31m' is no verdict"},
    {"wrong", "cases.1.verdict", "7", "cases[1].verdict: must be a text, not a number"},
    {"wrong", "cases.1.verdict", "null", "cases[1].verdict: must not be null"},
    {"wrong", "cases.0.name", NULL, "cases[0].name: is missing"},
    {"wrong", "cases.0.name", "\"a\\u0000b\"", "cases[0].name: holds a NUL character"},
    {"wrong", "cases.0", "[]", "cases[0]: must be an object, not a list"},
    {"wrong", "cases", "{}", "cases: must be a list, not an object"},
    {"wrong", "cases.0.score", "-1", "cases[0].score: -1 is not in 0..1000000000"},
    {"wrong", "cases.0.score", "\"nan\"", "cases[0].score: must be a number, not a text"},
    {"wrong", "cases.0.sizes.n", "1.5", "cases[0].sizes.n: must be a whole number, not a number"},
    {"wrong", "cases.1.first_difference.expected", "\"many\"",
     "cases[1].first_difference.expected: must be a number, \"nan\", \"inf\" or \"-inf\""},
    {"wrong", "cases.1.first_difference.total", "\"99999999999999999999\"",
     "cases[1].first_difference.total: '99999999999999999999' is no whole number of 64 bits"},
    {"wrong", "cases.1.first_difference.total", "-3",
     "cases[1].first_difference.total: -3 is not in 0.."},
    {"wrong", "cases.1.cause.source", "\"guess\"", "'guess' is no source of a cause"},
    {"wrong", "passed", "\"yes\"", "passed: must be true or false, not a text"},
    {"wrong", "groups.0.passed_cases", "9", "groups[0].passed_cases: 9 is not in 0..2"},
    {"wrong", "language", "\"de\"", "language: 'de' is no language"},
    {"wrong", "submission.sha256", "\"abc\"", "submission.sha256: must be 64 hexadecimal digits"},
    {"wrong", "submission.source_base64", "\"a*\"", "submission.source_base64: is no base64"},
    {"wrong", "environment.jail.kind", "\"bubblewarp\"",
     "environment.jail.kind: 'bubblewarp' is no kind of jail (did you mean 'bubblewrap'?)"},
    {"wrong", "environment.jail.cpu", "\"luck\"", "environment.jail.cpu: 'luck' is no way"},
    {"hazards", "cases.1.hazards.0.kind", "\"shared-rice\"", "(did you mean 'shared-race'?)"},
    {"hazards", "cases.1.hazards.0.line", "0", "hazards[0].line: 0 is not in 1..4294967295"},
    {"hazards", "cases.1.hazards.0.threads", "[1,2,3,4,5]", "at most 4 are read"},
    {"hazards", "cases.1.hazards.0.threads.0.block", "[0,0]",
     "hazards[0].threads[0].block: must be three whole numbers"},
    {"speed", "cases.1.speed.thresholds.0.state", "\"almost\"", "is no state of a threshold"},
    {"speed", "cases.1.speed.occupancy_limit", "null", "speed.occupancy_limit: must not be null"},
    {"speed", "cases.1.speed.theoretical_occupancy", "2", "2 is not in 0..1"},
    {"compile-error", "diagnostics.0.severity", "\"fatal\"", "diagnostics[0].severity: 'fatal'"},
    {"wrong", "schema", "7",
     "another version wrote this report: its schema is 7, and this program reads 1 to 2"},
    {"wrong", "schema", "\"2\"", "schema: must be a whole number, not a text"},
    {"wrong", "submission", NULL, "submission: is missing"},
    {"wrong", "submissions", "[1]", "submissions[0]: must be an object, not a number"},
};

static void test_mistakes_are_named(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(mistakes); i++) {
        const struct mistake *mistake = &mistakes[i];
        cleanup_text struct text json = fixture_json(mistake->fixture);
        json_t *root = json_loadb(text_string(&json), json.length, JSON_ALLOW_NUL, NULL);
        set_at(root, mistake->path, mistake->value);
        char *edited = json_dumps(root, 0);
        expect_refused(edited, strlen(edited), mistake->message);
        free(edited);
        json_decref(root);
    }
}

static void test_other_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "the file is empty"},
        {" \n\t\n", "the file is empty"},
        {"<testsuites/>", "this is no JSON: "},
        {"{\"schema\": 2, \"schema\": 2}", "this is no JSON: duplicate object key"},
        {"{\"message\": \"\xff ...\"}", "this is no JSON: unable to decode byte 0xff"},
        {"{\"score\": 1e999}", "this is no JSON: real number overflow"},
        {"[]", "it is a list"},
        {"{}", "this is JSON of something else"},
        {"{\"schema\": 1, \"kernel\": \"dot\", \"optimised_away\": {}}",
         "this is what `warpgrade sim --json` writes"},
        {"{\"schema\": 1, \"roofline\": {}}", "this is what `warpgrade profile --json` writes"},
        {"{\"schema\": 3, \"submissions\": []}", "its schema is 3"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        expect_refused(rows[i].text, strlen(rows[i].text), rows[i].message);
}

static void test_files_of_other_commands(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"sim/hazards.json", "this is what `warpgrade sim --json` writes"},
        {"profile/slow.json", "this is what `warpgrade profile --json` writes"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        cleanup_free char *path = mem_printf(WARPGRADE_SOURCE_DIR "/tests/golden/%s", rows[i][0]);
        cleanup_free char *text = NULL;
        size_t length;
        assert_int_equal(file_read(path, 1 << 20, &text, &length, NULL), STATUS_OK);
        expect_refused(text, length, rows[i][1]);
    }
}

static void test_cut_off(void **state) {
    (void)state;
    cleanup_text struct text json = fixture_json("hostile");
    for (size_t length = 1; length < json.length - 2; length += 3) {
        cleanup_free char *cut = mem_strndup(text_string(&json), length);
        struct stored_reports stored = {0};
        struct error error = {0};
        assert_int_equal(stored_read(cut, length, "stored.json", &stored, &error), STATUS_INVALID);
        if (!strstr(error.message, "the report is cut off"))
            fail_msg("%zu: %s", length, error.message);
        stored_free(&stored);
    }
}

static void test_too_large(void **state) {
    (void)state;
    cleanup_text struct text deep = {0}, many = {0};
    text_append_repeated(&deep, '[', 100000);
    expect_refused(text_string(&deep), deep.length, "nests 100000 deep");
    text_append(&many, "{\"cases\": [1");
    for (int i = 0; i < 5 << 20; i++)
        text_append(&many, ",1");
    expect_refused(text_string(&many), many.length, "at most 4194304 are read");
}

/* Schema 1 said `wanted` where thresholds have a target now. */
static void test_older_schema(void **state) {
    (void)state;
    cleanup_text struct text json = fixture_json("speed");
    json_t *root = json_loadb(text_string(&json), json.length, 0, NULL);
    set_at(root, "schema", "1");
    set_at(root, "cases.1.speed.thresholds.0.target", NULL);
    set_at(root, "cases.1.speed.thresholds.0.wanted", "4.0");
    char *edited = json_dumps(root, 0);
    struct stored_reports stored = {0};
    struct error error = {0};
    assert_int_equal(stored_read(edited, strlen(edited), "old.json", &stored, &error), STATUS_OK);
    assert_true(stored.reports[0]->cases[1].speed.thresholds[0].target == 4);
    stored_free(&stored);
    free(edited);
    json_decref(root);
}

/* U+FFFD is longer than the byte that it stands for. */
static void test_a_full_buffer_that_was_no_utf8(void **state) {
    (void)state;
    struct report *report = fixture("hazards");
    struct hazard *hazard = &report->cases[1].hazards[0];
    memset(hazard->message, '\xff', sizeof hazard->message - 1);
    const struct report *const list[] = {report};
    cleanup_text struct text json = {0};
    struct stored_reports stored = {0};
    write_as("json", list, 1, NULL, &json);
    read_back(&json, &stored);
    const char *message = stored.reports[0]->cases[1].hazards[0].message;
    assert_int_equal(strlen(message), (sizeof hazard->message - 1) / 3 * 3);
    assert_memory_equal(message + strlen(message) - 3, "\ufffd", 3);
    stored_free(&stored);
    report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_hazards_with_one_cause),
        cmocka_unit_test(test_a_source_that_is_no_utf8),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_several_in_one_file),
        cmocka_unit_test(test_mistakes_are_named),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_files_of_other_commands),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_older_schema),
        cmocka_unit_test(test_a_full_buffer_that_was_no_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
