/* Annotations for a pull request: GitHub's workflow commands, for the standard output of a step
 * (`--report github=-`).
 *
 * GitHub shows ten annotations of a level for each step, whichever come first, so that the gravest
 * findings do, and the tenth says how many there are beside them. A notice with the points ends the
 * list, also where nothing is wrong. Foreign text gets through two escapes: that of terminals,
 * which leaves no command in it, and GitHub's, which leaves it on its line and in its property. */
#include "reports/escape.h"
#include "reports/formats/finding.h"
#include "reports/formats/words.h"
#include "reports/message.h"
#include "reports/writers.h"

#include <string.h>

enum { MOST_ANNOTATIONS = 10 };

static void append_encoded(struct text *out, const char *string, const char *special) {
    cleanup_text struct text shown = {0};
    escape_terminal(&shown, string, strlen(string), false);
    for (const char *c = text_string(&shown); *c; c++)
        if (strchr(special, *c))
            text_printf(out, "%%%02X", (unsigned char)*c);
        else
            text_append_char(out, *c);
}

static void append_property(struct text *out, const char *string) {
    append_encoded(out, string, "%\r\n:,");
}

static void append_message(struct text *out, const char *string) {
    append_encoded(out, string, "%\r\n");
}

static void write_finding(const struct finding *finding, struct text *out) {
    static const char *const commands[FINDING_LEVEL_COUNT] = {"error", "warning"};
    cleanup_text struct text message = {0};
    const char *file = finding->file;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    text_printf(out, "::%s file=", commands[finding->level]);
    append_property(out, file);
    text_printf(out, ",line=%u", finding->line ? finding->line : 1);
    if (finding->line && finding->column)
        text_printf(out, ",col=%u", finding->column);
    text_append(out, ",title=");
    append_property(out, finding->rule);
    finding_append_text(finding, &message);
    text_append(out, "::");
    append_message(out, text_string(&message));
    text_append_char(out, '\n');
}

static void write_points(const struct report *const *reports, size_t count, struct text *out) {
    cleanup_text struct text message = {0};
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        passed += reports[i]->passed;
    enum language language = language_from_name(count ? reports[0]->language : NULL);
    if (count == 0)
        text_append(&message, WORDS(language, nothing_graded));
    else if (count > 1)
        text_printf(&message, WORDS(language, submissions_passed), passed, count);
    else {
        text_printf(&message, "%s%s", reports[0]->file ? reports[0]->file : "submission",
                    WORDS(language, colon));
        words_append_result(&message, reports[0]);
    }
    text_printf(out, "::%s title=warpgrade::", count ? "notice" : "error");
    append_message(out, text_string(&message));
    text_append_char(out, '\n');
}

enum status report_write_github(const struct report *const *reports, size_t count,
                                const struct report_options *options, struct text *out,
                                struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    struct findings findings;
    findings_collect(reports, count, &findings);
    size_t shown =
        findings.count > MOST_ANNOTATIONS ? (size_t)MOST_ANNOTATIONS - 1 : findings.count;
    for (size_t i = 0; i < shown; i++)
        write_finding(&findings.items[i], out);
    if (shown < findings.count)
        text_printf(out,
                    "::%s title=+%zu more::%zu more findings; `--report markdown=FILE` lists "
                    "them\n",
                    findings.items[shown].level == FINDING_ERROR ? "error" : "warning",
                    findings.count - shown, findings.count - shown);
    findings_free(&findings);
    write_points(reports, count, out);
    return STATUS_OK;
}
