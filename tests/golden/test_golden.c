/* Every fixture in every format against its golden file; WARPGRADE_UPDATE_GOLDEN=1 writes the files
 * again, and then a person reads the difference. */
#include "tests/golden/fixtures.h"
#include "tests/golden/golden_file.h"

#include "reports/sim.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the options change; every format is also compared without options. */
static const struct variant {
    const char *format;
    const char *ending;
    struct report_options options;
} variants[] = {
    {"text", "color.txt", {.color = true}},
    {"text", "verbose.txt", {.verbose = true}},
    {"text", "narrow.txt", {.width = 60, .rows = 24}},
};

static void check_format(const char *name, const struct report *const *reports, size_t count,
                         const struct report_format *format, const struct report_options *options,
                         const char *ending) {
    cleanup_text struct text text = {0};
    struct error error = {0};
    assert_int_equal(format->write(reports, count, options, &text, &error), STATUS_OK);
    golden_cut_style(&text);
    golden_compare("reports", name, ending, &text);
}

static void check(const char *name, const struct report *const *reports, size_t count) {
    static const struct report_options none;
    for (size_t i = 0; i < report_format_count; i++)
        check_format(name, reports, count, &report_formats[i], &none, report_formats[i].extension);
    for (size_t i = 0; i < ARRAY_LENGTH(variants); i++) {
        const struct report_format *format = report_format_find(variants[i].format);
        assert_non_null(format);
        check_format(name, reports, count, format, &variants[i].options, variants[i].ending);
    }
}

static void test_each(void **state) {
    (void)state;
    for (size_t i = 0; i < fixture_count; i++) {
        struct report *report = fixtures[i].make();
        const struct report *const list[] = {report};
        check(fixtures[i].name, list, 1);
        report_free(report);
    }
}

static void test_all_together(void **state) {
    (void)state;
    struct report **reports = mem_calloc(fixture_count, sizeof *reports);
    for (size_t i = 0; i < fixture_count; i++)
        reports[i] = fixtures[i].make();
    check("all", (const struct report *const *)reports, fixture_count);
    for (size_t i = 0; i < fixture_count; i++)
        report_free(reports[i]);
    free(reports);
}

static void test_nothing(void **state) {
    (void)state;
    check("none", NULL, 0);
}

static void test_sim(void **state) {
    (void)state;
    for (size_t i = 0; i < sim_fixture_count; i++) {
        const struct sim_fixture *fixture = &sim_fixtures[i];
        struct engine_result result = {0};
        fixture->fill(&result);
        cleanup_text struct text json = {0}, text = {0}, color = {0};
        const struct sim_report report = {.result = &result,
                                          .kernel = fixture->kernel,
                                          .registers_per_thread = fixture->registers,
                                          .theoretical_occupancy = 0.75,
                                          .device = fixture->device,
                                          .file = "fill.cu",
                                          .source = fixture->source,
                                          .source_length = strlen(fixture->source),
                                          .schedules = fixture->schedules,
                                          .optimised = fixture->optimised};
        report_sim_json(&report, &json);
        report_sim_text(&report, false, &text);
        report_sim_text(&report, true, &color);
        golden_compare("sim", fixture->name, "json", &json);
        golden_compare("sim", fixture->name, "txt", &text);
        golden_compare("sim", fixture->name, "color.txt", &color);
        free(result.hazards);
        free(result.lines);
        text_free(&result.printed);
    }
}

static void test_profile(void **state) {
    (void)state;
    for (size_t i = 0; i < profile_fixture_count; i++) {
        const struct profile_fixture *fixture = &profile_fixtures[i];
        struct engine_result result = {0};
        fixture->fill(&result);
        cleanup_text struct text json = {0}, text = {0}, color = {0}, narrow = {0};
        struct profile_report report = fixture->report;
        report.result = &result;
        report.source_length = strlen(report.source);
        report_profile_json(&report, &json);
        report_profile_text(&report, false, 0, &text);
        report_profile_text(&report, true, 0, &color);
        report_profile_text(&report, false, 72, &narrow);
        golden_compare("profile", fixture->name, "json", &json);
        golden_compare("profile", fixture->name, "txt", &text);
        golden_compare("profile", fixture->name, "color.txt", &color);
        golden_compare("profile", fixture->name, "narrow.txt", &narrow);
        free(result.lines);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),    cmocka_unit_test(test_all_together),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_sim),
        cmocka_unit_test(test_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
