/* For Autolab, which shows students all that a grader prints and reads the last line: the text
 * report, and then the points of each exercise, by its id, which is the name that the assessment's
 * problem must have. Autolab puts quotes around each word before a colon there, so that no name has
 * one. */
#include "reports/escape.h"
#include "reports/json_parts.h"
#include "reports/writers.h"

#include <string.h>

/* "dot", and "dot-2" for the second submission of the exercise. */
static void append_problem(json_t *scores, const struct report *report, struct text *name) {
    cleanup_text struct text shown = {0};
    const char *id = report->exercise && *report->exercise ? report->exercise : "submission";
    escape_terminal(&shown, id, strlen(id), true);
    for (const char *c = text_string(&shown); *c; c++)
        text_append_char(name, *c == ':' ? '.' : *c);
    size_t length = name->length;
    for (unsigned n = 2; json_object_get(scores, text_string(name)); n++) {
        cleanup_text struct text base = {0};
        text_append_bytes(&base, name->data, length);
        text_clear(name);
        text_printf(name, "%s-%u", text_string(&base), n);
    }
}

enum status report_write_autolab(const struct report *const *reports, size_t count,
                                 const struct report_options *options, struct text *out,
                                 struct error *error) {
    const struct report_options look = {.verbose = options && options->verbose, .width = 90};
    enum status status = report_write_text(reports, count, &look, out, error);
    if (status != STATUS_OK)
        return status;
    json_t *scores = json_object(), *scoreboard = json_array();
    for (size_t i = 0; i < count; i++) {
        cleanup_text struct text name = {0};
        append_problem(scores, reports[i], &name);
        json_object_set_new_nocheck(scores, text_string(&name), json_points(reports[i]->score));
        json_array_append_new(scoreboard, json_points(reports[i]->score));
    }
    text_append(out, out->length && out->data[out->length - 1] != '\n' ? "\n" : "");
    json_append_line(out, json_pack("{so so}", "scores", scores, "scoreboard", scoreboard));
    return STATUS_OK;
}
