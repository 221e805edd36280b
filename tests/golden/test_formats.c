/* What holds for every format, and what readers of some rely on: a report that has not passed is
 * green nowhere, fingerprints stay, totals agree, and limits are kept. */
#include "tests/golden/fixtures.h"
#include "tests/source_folder.h"

#include "reports/formats/finding.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static void write_as(const char *format, const struct report *const *reports, size_t count,
                     struct text *out) {
    static const struct report_options none;
    struct error error = {0};
    const struct report_format *row = report_format_find(format);
    assert_non_null(row);
    assert_int_equal(row->write(reports, count, &none, out, &error), STATUS_OK);
}

static json_t *write_json(const char *format, const struct report *report) {
    cleanup_text struct text text = {0};
    write_as(format, &report, 1, &text);
    json_t *value = json_loadb(text_string(&text), text.length, JSON_ALLOW_NUL, NULL);
    assert_non_null(value);
    return value;
}

/* ---- the table ------------------------------------------------------------------------------- */

static bool is_made(const char *file) {
    static const char *const others[] = {"color.txt", "verbose.txt", "narrow.txt"};
    for (size_t i = 0; i < fixture_count + 2; i++) {
        const char *name = i < fixture_count    ? fixtures[i].name
                           : i == fixture_count ? "all"
                                                : "none";
        size_t length = strlen(name);
        if (strncmp(file, name, length) != 0 || file[length] != '.')
            continue;
        for (size_t k = 0; k < report_format_count; k++)
            if (strcmp(file + length + 1, report_formats[k].extension) == 0)
                return true;
        for (size_t k = 0; k < ARRAY_LENGTH(others); k++)
            if (strcmp(file + length + 1, others[k]) == 0)
                return true;
    }
    return false;
}

/* A new row without golden files fails here, and so does a file that nothing makes any more. */
static void test_every_row_has_its_golden_files(void **state) {
    (void)state;
    for (size_t i = 0; i < fixture_count; i++)
        for (size_t k = 0; k < report_format_count; k++) {
            cleanup_free char *path = mem_printf(WARPGRADE_SOURCE_DIR "/tests/golden/reports/%s.%s",
                                                 fixtures[i].name, report_formats[k].extension);
            FILE *file = fopen(path, "re");
            if (!file)
                fail_msg("%s is missing", path);
            fclose(file);
        }
    DIR *folder = opendir(WARPGRADE_SOURCE_DIR "/tests/golden/reports");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && !is_made(entry->d_name))
            fail_msg("nothing makes tests/golden/reports/%s", entry->d_name);
    closedir(folder);
}

static void test_extensions_differ(void **state) {
    (void)state;
    for (size_t i = 0; i < report_format_count; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(report_formats[i].extension, report_formats[k].extension);
}

/* ---- never green ----------------------------------------------------------------------------- */

static bool any_is(const json_t *list, const char *key, const char *value) {
    const json_t *item;
    size_t i;
    json_array_foreach(list, i, item) {
        const char *said = json_string_value(json_object_get(item, key));
        if (said && strcmp(said, value) == 0)
            return true;
    }
    return false;
}

static bool any_is_false(const json_t *list, const char *key) {
    const json_t *item;
    size_t i;
    json_array_foreach(list, i, item) if (json_is_false(json_object_get(item, key))) return true;
    return false;
}

static json_t *classroom_of(const struct report *report) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    cleanup_text struct text line = {0}, json = {0};
    write_as("classroom", &report, 1, &line);
    unsigned bits = 0, count = 0;
    for (const char *c = text_string(&line) + strlen("result="); strchr(digits, *c) && *c; c++) {
        bits = bits << 6 | (unsigned)(strchr(digits, *c) - digits);
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        text_append_char(&json, (char)(bits >> count & 0xff));
    }
    json_t *value = json_loadb(text_string(&json), json.length, JSON_ALLOW_NUL, NULL);
    assert_non_null(value);
    return value;
}

static void expect_not_green(const char *name, const struct report *report) {
    json_t *sarif = write_json("sarif", report), *gradescope = write_json("gradescope", report);
    json_t *gitlab = write_json("gitlab", report), *check50 = write_json("check50", report);
    json_t *classroom = classroom_of(report);
    cleanup_text struct text junit = {0}, github = {0}, markdown = {0}, csv = {0};
    write_as("junit", &report, 1, &junit);
    write_as("github", &report, 1, &github);
    write_as("markdown", &report, 1, &markdown);
    write_as("csv", &report, 1, &csv);
    const json_t *run = json_array_get(json_object_get(sarif, "runs"), 0);
    bool red[] = {
        any_is(json_object_get(run, "results"), "level", "error"),
        any_is(json_object_get(gradescope, "tests"), "status", "failed"),
        json_array_size(gitlab) > 0 &&
            (any_is(gitlab, "severity", "blocker") || any_is(gitlab, "severity", "critical") ||
             any_is(gitlab, "severity", "major")),
        any_is_false(json_object_get(check50, "results"), "passed"),
        strcmp(json_string_value(json_object_get(classroom, "status")), "pass") != 0,
        strstr(text_string(&junit), "<failure") || strstr(text_string(&junit), "<error"),
        strstr(text_string(&github), "::error ") != NULL,
        strstr(text_string(&markdown), "## \u274c ") != NULL,
        strstr(text_string(&csv), ",no,") != NULL,
    };
    for (size_t i = 0; i < ARRAY_LENGTH(red); i++)
        if (!red[i])
            fail_msg("%s has not passed, and format %zu of this list shows it as if it had", name,
                     i);
    json_decref(sarif);
    json_decref(gradescope);
    json_decref(gitlab);
    json_decref(check50);
    json_decref(classroom);
}

static void test_what_has_not_passed_is_green_nowhere(void **state) {
    (void)state;
    size_t count = 0;
    for (size_t i = 0; i < fixture_count; i++) {
        struct report *report = fixtures[i].make();
        if (!report->passed)
            expect_not_green(fixtures[i].name, report);
        count += !report->passed;
        report_free(report);
    }
    assert_true(count > 8);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Classroom adds up the tests and knows no other total. */
static void test_totals_agree(void **state) {
    (void)state;
    for (size_t i = 0; i < fixture_count; i++) {
        struct report *report = fixtures[i].make();
        json_t *classroom = classroom_of(report), *gradescope = write_json("gradescope", report);
        const json_t *test;
        size_t k;
        double sum = 0;
        json_array_foreach(json_object_get(classroom, "tests"), k, test) sum +=
            json_number_value(json_object_get(test, "score"));
        if (fabs(sum - report->score) > 0.011)
            fail_msg("%s: the tests have %g points, the report %g", fixtures[i].name, sum,
                     report->score);
        assert_true(fabs(json_number_value(json_object_get(gradescope, "score")) - report->score) <
                    0.011);
        json_decref(classroom);
        json_decref(gradescope);
        report_free(report);
    }
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

static void test_fingerprints_differ(void **state) {
    (void)state;
    struct report **reports = mem_calloc(fixture_count * 2, sizeof *reports);
    for (size_t i = 0; i < fixture_count * 2; i++)
        reports[i] = fixtures[i % fixture_count].make();
    struct findings findings;
    findings_collect((const struct report *const *)reports, fixture_count * 2, &findings);
    assert_true(findings.count > 2 * fixture_count);
    for (size_t i = 0; i < findings.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(findings.items[i].fingerprint, findings.items[k].fingerprint);
    findings_free(&findings);
    for (size_t i = 0; i < fixture_count * 2; i++)
        report_free(reports[i]);
    free(reports);
}

/* Another seed, other threads, a comment above: the finding is the same one. */
static void test_fingerprints_stay(void **state) {
    (void)state;
    struct report *before = fixture_race(), *after = fixture_race();
    struct hazard *hazard = &after->cases[1].hazards[0];
    char *source = mem_printf("// a comment\n%s", after->source);
    free(after->source);
    after->source = source;
    after->source_length = strlen(source);
    after->seed++;
    hazard->line++;
    hazard->other_line++;
    hazard->count = 7;
    snprintf(hazard->variable, sizeof hazard->variable, "tile[64]");
    snprintf(hazard->message, sizeof hazard->message, "another message");
    struct findings first, second;
    findings_collect((const struct report *const *)&before, 1, &first);
    findings_collect((const struct report *const *)&after, 1, &second);
    assert_int_equal(first.count, 1);
    assert_int_equal(second.count, 1);
    assert_string_equal(first.items[0].fingerprint, second.items[0].fingerprint);
    findings_free(&second);
    snprintf(hazard->variable, sizeof hazard->variable, "other[64]");
    findings_collect((const struct report *const *)&after, 1, &second);
    assert_string_not_equal(first.items[0].fingerprint, second.items[0].fingerprint);
    findings_free(&first);
    findings_free(&second);
    report_free(before);
    report_free(after);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static size_t count_of(const struct text *text, const char *string) {
    size_t count = 0;
    for (const char *at = text_string(text); (at = strstr(at, string)); at += strlen(string))
        count++;
    return count;
}

/* GitHub shows ten of a step, the first ones. */
static void test_annotations_are_few_and_the_gravest(void **state) {
    (void)state;
    struct report *reports[3] = {fixture_find("hazards")->make(), fixture_find("wrong")->make(),
                                 fixture_find("compile-error")->make()};
    const struct report *many[12];
    for (size_t i = 0; i < ARRAY_LENGTH(many); i++)
        many[i] = reports[i / 4];
    cleanup_text struct text out = {0};
    write_as("github", many, ARRAY_LENGTH(many), &out);
    assert_int_equal(count_of(&out, "::error ") + count_of(&out, "::warning "), 10);
    assert_int_equal(count_of(&out, "::notice "), 1);
    assert_non_null(strstr(text_string(&out), "\n::error title=+"));
    assert_non_null(strstr(text_string(&out), "title=compile-error"));
    assert_null(strstr(text_string(&out), "title=wrong-answer"));
    for (size_t i = 0; i < 3; i++)
        report_free(reports[i]);
}

/* A step's summary of more than 1024 KiB is refused as a whole. */
static void test_the_page_keeps_the_limit(void **state) {
    (void)state;
    enum { MANY = 6000 };
    struct report *report = fixture_find("hazards")->make();
    const struct report **many = mem_calloc(MANY, sizeof *many);
    for (size_t i = 0; i < MANY; i++)
        many[i] = report;
    cleanup_text struct text out = {0};
    write_as("markdown", many, MANY, &out);
    assert_true(out.length > 900 * 1024);
    assert_true(out.length <= 1024 * 1024);
    assert_non_null(strstr(text_string(&out), "more submissions"));
    report_free(report);
    free(many);
}

/* A fence in the source ends no block of code. */
static void test_the_fence_is_longer_than_any_in_the_source(void **state) {
    (void)state;
    struct report *report = fixture_find("race")->make();
    char *source = mem_printf("%s// ````` <b>\n", report->source);
    free(report->source);
    report->source = source;
    report->source_length = strlen(source);
    report->cases[1].hazards[0].line = 8;
    cleanup_text struct text out = {0};
    write_as("markdown", (const struct report *const *)&report, 1, &out);
    assert_int_equal(count_of(&out, "\n``````\n"), 2);
    report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_has_its_golden_files),
        cmocka_unit_test(test_extensions_differ),
        cmocka_unit_test(test_what_has_not_passed_is_green_nowhere),
        cmocka_unit_test(test_totals_agree),
        cmocka_unit_test(test_fingerprints_differ),
        cmocka_unit_test(test_fingerprints_stay),
        cmocka_unit_test(test_annotations_are_few_and_the_gravest),
        cmocka_unit_test(test_the_page_keeps_the_limit),
        cmocka_unit_test(test_the_fence_is_longer_than_any_in_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
