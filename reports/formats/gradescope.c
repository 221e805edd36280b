/* Gradescope's results.json. The points are those of the whole report, so that caps count; each
 * test says what it added. A test has a status always, because Gradescope takes 0 of 0 points for a
 * pass. */
#include "reports/formats/testcase.h"
#include "reports/json_parts.h"
#include "reports/writers.h"

#include <stdlib.h>

enum { OUTPUT_COLUMNS = 90 }; /* of Gradescope's page on a laptop */

static void append_name(const struct report *const *reports, size_t count, size_t index,
                        const struct testcase *test, struct text *name) {
    if (count > 1) {
        testcase_append_submission(reports, index, name);
        text_append(name, ": ");
    }
    text_printf(name, "%s: %s%s", test->group, test->name,
                test->outcome == OUTCOME_SKIPPED ? " (not run)" : "");
}

static json_t *test_json(const struct report *const *reports, size_t count, size_t index,
                         const struct testcase *test) {
    cleanup_text struct text name = {0}, output = {0};
    append_name(reports, count, index, test, &name);
    json_t *object = json_object();
    json_object_set_new(object, "name", json_shown(text_string(&name)));
    json_object_set_new(object, "score", json_points(test->score));
    json_object_set_new(object, "max_score", json_points(test->max_score));
    json_object_set_new(object, "status",
                        json_string(test->outcome == OUTCOME_PASSED ? "passed" : "failed"));
    if (test->outcome == OUTCOME_PASSED)
        return object;
    text_printf(&output, "%s\n", test->message);
    if (test->outcome != OUTCOME_SKIPPED)
        testcase_append_body(reports[index], test, &output);
    json_object_set_new(object, "output", json_shown(text_string(&output)));
    json_object_set_new(object, "output_format", json_string("text"));
    return object;
}

/* The speed case's time, for a leaderboard: the only figure on which students can be compared. */
static json_t *leaderboard_json(const struct report *const *reports, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < reports[i]->case_count; j++) {
            const struct report_time *time = &reports[i]->cases[j].time;
            if (!time->present)
                continue;
            cleanup_text struct text name = {0};
            text_printf(&name, "%s, ms (%s)", reports[i]->exercise ? reports[i]->exercise : "time",
                        time->measured ? "measured" : "modelled");
            json_array_append_new(list,
                                  json_pack("{so so ss}", "name", json_shown(text_string(&name)),
                                            "value", json_double(time->median_ms), "order", "asc"));
        }
    return list;
}

enum status report_write_gradescope(const struct report *const *reports, size_t count,
                                    const struct report_options *options, struct text *out,
                                    struct error *error) {
    (void)options;
    const struct report_options look = {.width = OUTPUT_COLUMNS};
    cleanup_text struct text page = {0};
    enum status status = report_write_text(reports, count, &look, &page, error);
    if (status != STATUS_OK)
        return status;
    double score = 0;
    json_t *tests = json_array();
    for (size_t i = 0; i < count; i++) {
        struct testcase *list;
        size_t test_count = testcase_list(reports[i], &list);
        score += reports[i]->score;
        for (size_t j = 0; j < test_count; j++)
            json_array_append_new(tests, test_json(reports, count, i, &list[j]));
        free(list);
    }
    json_t *object = json_object();
    json_object_set_new(object, "score", json_points(score));
    json_object_set_new(object, "output", json_text(text_string(&page)));
    json_object_set_new(object, "output_format", json_string("text"));
    json_object_set_new(object, "tests", tests);
    json_object_set_new(object, "leaderboard", leaderboard_json(reports, count));
    json_append_shown(out, object);
    return STATUS_OK;
}
