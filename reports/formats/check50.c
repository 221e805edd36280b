/* The report as check50 writes it (`check50 --output json`): a check for each test case. One that
 * did not run is null there, and none is true by mistake. */
#include "reports/formats/testcase.h"
#include "reports/json_parts.h"
#include "reports/text/text_case.h"
#include "reports/utf8.h"
#include "reports/writers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* check50 names a check after a function of Python: letters, digits and underscores. */
static void append_identifier(struct text *out, const char *string) {
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        struct utf8_char c = utf8_decode(string + i, length - i);
        text_append_char(out, c.code < 0x80 && isalnum((int)c.code) ? (char)c.code : '_');
        i += c.length;
    }
}

static json_t *cause_json(const struct testcase *test) {
    if (test->outcome == OUTCOME_PASSED)
        return json_null();
    const char *hint =
        test->item && test->item->hint && *test->item->hint ? test->item->hint : NULL;
    json_t *cause =
        json_pack("{so so}", "rationale", json_shown(test->message), "help", json_shown(hint));
    if (!test->item || !test->item->difference.present)
        return cause;
    cleanup_text struct text expected = {0}, actual = {0};
    text_case_append_values(&test->item->difference, &expected, &actual);
    json_object_set_new(cause, "expected", json_shown(text_string(&expected)));
    json_object_set_new(cause, "actual", json_shown(text_string(&actual)));
    return cause;
}

/* What the test has to say, a string for each line. */
static json_t *log_json(const struct report *report, const struct testcase *test) {
    json_t *lines = json_array();
    cleanup_text struct text body = {0};
    if (test->outcome == OUTCOME_FAILED || test->outcome == OUTCOME_ERROR)
        testcase_append_body(report, test, &body);
    for (const char *line = text_string(&body); *line;) {
        const char *end = strchrnul(line, '\n');
        json_array_append_new(lines, json_text_bytes(line, (size_t)(end - line)));
        line = *end ? end + 1 : end;
    }
    return lines;
}

static json_t *check_json(const struct report *const *reports, size_t count, size_t index,
                          const struct testcase *test) {
    cleanup_text struct text name = {0}, description = {0};
    if (count > 1) {
        testcase_append_submission(reports, index, &description);
        text_append(&description, ": ");
    }
    text_printf(&description, "%s: %s", test->group, test->name);
    append_identifier(&name, text_string(&description));
    json_t *passed = test->outcome == OUTCOME_SKIPPED
                         ? json_null()
                         : json_boolean(test->outcome == OUTCOME_PASSED);
    return json_pack("{so so so so so s{so so} sn}", "name", json_shown(text_string(&name)),
                     "description", json_shown(text_string(&description)), "passed", passed, "log",
                     log_json(reports[index], test), "cause", cause_json(test), "data", "score",
                     json_points(test->score), "max_score", json_points(test->max_score),
                     "dependency");
}

enum status report_write_check50(const struct report *const *reports, size_t count,
                                 const struct report_options *options, struct text *out,
                                 struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    json_t *results = json_array();
    for (size_t i = 0; i < count; i++) {
        struct testcase *list;
        size_t test_count = testcase_list(reports[i], &list);
        for (size_t j = 0; j < test_count; j++)
            json_array_append_new(results, check_json(reports, count, i, &list[j]));
        free(list);
    }
    const char *slug = count == 1 && reports[0]->exercise ? reports[0]->exercise : "warpgrade";
    json_append_shown(out, json_pack("{so so ss}", "slug", json_shown(slug), "results", results,
                                     "version", WARPGRADE_VERSION));
    return STATUS_OK;
}
