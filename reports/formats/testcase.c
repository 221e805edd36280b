/* The test cases of a report: those of the exercise, and one more where they alone would mislead.
 *
 * CI systems show a run of skipped cases in green, and a list without an entry as nothing at all.
 * So what did not compile, was never graded, or did not pass although no case says why, has a test
 * case of its own, which is an error. */
#include "reports/formats/testcase.h"

#include "reports/terminal.h"
#include "reports/text/text_case.h"
#include "sandbox/base/memory.h"

#include <string.h>

static enum outcome outcome_of(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_PASS:
        return OUTCOME_PASSED;
    case VERDICT_SKIPPED:
        return OUTCOME_SKIPPED;
    case VERDICT_WRONG_ANSWER:
    case VERDICT_HAZARD:
    case VERDICT_TOO_SLOW:
    case VERDICT_NONDETERMINISTIC:
        return OUTCOME_FAILED;
    default:
        return OUTCOME_ERROR;
    }
}

static const char *message_or_summary(const char *message, enum verdict verdict) {
    return message && *message ? message : verdict_infos[verdict].summary;
}

static struct testcase of_case(const struct report *report, const struct report_case *item) {
    return (struct testcase){
        .group = item->group ? item->group : "cases",
        .name = item->name ? item->name : "",
        .item = item,
        .outcome = report->build_message ? OUTCOME_SKIPPED : outcome_of(item->verdict),
        .verdict = item->verdict,
        .message = message_or_summary(item->message, item->verdict),
        .score = item->score,
        .max_score = item->max_score,
    };
}

/* Does no case say why the submission has not passed? What was not handed in is skipped, which is
 * no failure: batch says so of it. */
static bool is_undecided(const struct report *report, const struct testcase *tests) {
    bool unexecutable = false;
    for (size_t i = 0; i < report->case_count; i++) {
        if (tests[i].outcome == OUTCOME_FAILED || tests[i].outcome == OUTCOME_ERROR)
            return false;
        unexecutable |= tests[i].outcome == OUTCOME_SKIPPED && report->cases[i].hazard_count;
    }
    return !report->passed && (unexecutable || report_was_graded(report));
}

static struct testcase of_build(const struct report *report) {
    return (struct testcase){.group = "build",
                             .name = "compiles",
                             .outcome = OUTCOME_ERROR,
                             .verdict = report->verdict,
                             .message = message_or_summary(report->build_message, report->verdict)};
}

static struct testcase of_result(const struct report *report) {
    return (struct testcase){
        .group = "result",
        .name = report->case_count ? "decided" : "graded",
        .outcome = report->case_count ? OUTCOME_ERROR : outcome_of(report->verdict),
        .verdict = report->verdict,
        .message = message_or_summary(report->message, report->verdict),
    };
}

size_t testcase_list(const struct report *report, struct testcase **list) {
    struct testcase *tests = mem_calloc(report->case_count + 1, sizeof *tests);
    for (size_t i = 0; i < report->case_count; i++)
        tests[i + 1] = of_case(report, &report->cases[i]);
    *list = tests;
    if (report->build_message)
        tests[0] = of_build(report);
    else if (!report->case_count || is_undecided(report, tests + 1))
        tests[0] = of_result(report);
    else {
        memmove(tests, tests + 1, report->case_count * sizeof *tests);
        return report->case_count;
    }
    return report->case_count + 1;
}

static void append_diagnostics(const struct report *report, struct text *out) {
    static const char *const severities[] = {"error", "warning", "note"};
    const struct terminal t = {.out = out, .width = TERMINAL_WIDTH};
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct build_diagnostic *d = &report->diagnostics[i];
        terminal_foreign(&t, PEN_PLAIN, d->file);
        if (d->file[0] && d->line)
            text_printf(out, ":%u", d->line);
        text_printf(out, "%s%s: ", d->file[0] ? ": " : "", severities[d->severity]);
        terminal_foreign(&t, PEN_PLAIN, d->text);
        text_append_char(out, '\n');
    }
    if (report->build_hint && *report->build_hint)
        terminal_wrap(&t, PEN_PLAIN, report->build_hint, 0, 0);
}

void testcase_append_body(const struct report *report, const struct testcase *test,
                          struct text *out) {
    if (!test->item) {
        append_diagnostics(report, out);
        return;
    }
    const struct terminal t = {
        .out = out, .width = TERMINAL_WIDTH, .language = language_from_name(report->language)};
    struct report_case item = *test->item;
    item.printed = NULL; /* formats have a place of its own for it */
    text_case_details(&t, &item, false);
    if (item.speed.present)
        text_speed(&t, &item, NULL, 0, true);
    if (item.hazard_count) {
        text_append_char(out, '\n');
        report_hazards_text(item.hazards, item.hazard_count, report->file, report->source,
                            report->source_length, t.language, false, out);
    }
}

static bool same(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

void testcase_append_submission(const struct report *const *reports, size_t index,
                                struct text *out) {
    const struct report *report = reports[index];
    const char *file = report->file ? report->file : "";
    size_t length = strlen(file), before = 0;
    for (size_t i = 0; i < index; i++)
        before += same(reports[i]->file, file) && same(reports[i]->exercise, report->exercise);
    text_append_bytes(out, file,
                      length > 3 && strcmp(file + length - 3, ".cu") == 0 ? length - 3 : length);
    if (before)
        text_printf(out, " (%zu)", before + 1);
}
