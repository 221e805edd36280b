/* The result for GitHub Classroom's grading reporter: the output `result` of a step, as a line for
 * $GITHUB_OUTPUT. Its value is JSON in base64.
 *
 * The reporter adds up the points of the tests, and knows no other total: where a gate caps the
 * report's, a last test takes the difference away and says why. */
#include "reports/formats/testcase.h"
#include "reports/json_parts.h"
#include "reports/stored/base64.h"
#include "reports/writers.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *status_of(enum outcome outcome) {
    return outcome == OUTCOME_PASSED ? "pass" : outcome == OUTCOME_ERROR ? "error" : "fail";
}

/* The first line that is to blame; 0: none. */
static unsigned line_of(const struct report *report, const struct testcase *test) {
    if (test->item)
        return test->item->hazard_count ? test->item->hazards[0].line : 0;
    for (size_t i = 0; i < report->diagnostic_count; i++)
        if (report->diagnostics[i].severity == BUILD_ERROR)
            return report->diagnostics[i].line;
    return 0;
}

static json_t *test_json(const struct report *const *reports, size_t count, size_t index,
                         const struct testcase *test) {
    const struct report *report = reports[index];
    cleanup_text struct text name = {0}, body = {0}, code = {0};
    if (count > 1) {
        testcase_append_submission(reports, index, &name);
        text_append(&name, ": ");
    }
    text_printf(&name, "%s: %s", test->group, test->name);
    if (test->outcome != OUTCOME_PASSED)
        text_printf(&body, "%s\n", test->message);
    if (test->outcome == OUTCOME_FAILED || test->outcome == OUTCOME_ERROR)
        testcase_append_body(report, test, &body);
    if (report->exercise && test->item)
        text_printf(&code,
                    report->withholds_seed ? "warpgrade grade -e %s"
                                           : "warpgrade grade -e %s --cases %s",
                    report->exercise, test->name);
    return json_pack("{so ss so so so so so so}", "name", json_shown(text_string(&name)), "status",
                     status_of(test->outcome), "score", json_points(test->score), "message",
                     json_shown(text_string(&body)), "test_code", json_shown(text_string(&code)),
                     "filename", json_shown(report->file ? report->file : ""), "line_no",
                     json_integer(line_of(report, test)), "duration",
                     json_integer(test->item ? lround(test->item->wall_ms) : 0));
}

static json_t *difference_json(const struct report *report, double difference) {
    const char *why = report->cap_reason ? report->cap_reason : "points of the whole submission";
    return json_pack("{so ss so so ss so si si}", "name", json_shown(why), "status",
                     difference < 0 ? "fail" : "pass", "score", json_real(difference), "message",
                     json_shown(why), "test_code", "", "filename",
                     json_shown(report->file ? report->file : ""), "line_no", 0, "duration", 0);
}

static double points(double value) {
    return floor(value * 100 + 1e-6) / 100;
}

/* Adds the tests of a report; gives the worst outcome. */
static enum outcome add_tests(const struct report *const *reports, size_t count, size_t index,
                              json_t *tests) {
    const struct report *report = reports[index];
    struct testcase *list;
    size_t test_count = testcase_list(report, &list);
    enum outcome worst = report->passed ? OUTCOME_PASSED : OUTCOME_FAILED;
    double sum = 0;
    for (size_t i = 0; i < test_count; i++) {
        json_array_append_new(tests, test_json(reports, count, index, &list[i]));
        sum += points(list[i].score);
        if (list[i].outcome == OUTCOME_ERROR && !report->passed)
            worst = OUTCOME_ERROR;
    }
    free(list);
    double difference = round((points(report->score) - sum) * 100) / 100;
    if (difference != 0)
        json_array_append_new(tests, difference_json(report, difference));
    return worst;
}

enum status report_write_classroom(const struct report *const *reports, size_t count,
                                   const struct report_options *options, struct text *out,
                                   struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    json_t *tests = json_array();
    enum outcome worst = count ? OUTCOME_PASSED : OUTCOME_ERROR;
    double max_score = 0;
    for (size_t i = 0; i < count; i++) {
        enum outcome outcome = add_tests(reports, count, i, tests);
        worst = outcome > worst ? outcome : worst;
        max_score += reports[i]->max_score;
    }
    cleanup_text struct text document = {0};
    json_append_shown(&document,
                      json_pack("{si ss so so}", "version", 1, "status", status_of(worst),
                                "max_score", json_points(max_score), "tests", tests));
    cleanup_free char *encoded = base64_encode(text_string(&document), document.length);
    text_printf(out, "result=%s\n", encoded);
    return STATUS_OK;
}
