/* The report for CI systems: JUnit XML as Jenkins, GitLab and others read it (testmoapp/junitxml).
 *
 * A submission is a suite, a case of the exercise is a test case. A wrong result is a failure; a
 * kernel that did not compile or did not end is an error; a case that no engine could decide is
 * skipped. Suites carry properties, and test cases none, because strict readers reject them. Text
 * becomes legal XML through escape.c first; libxml2's writer escapes the markup. */
#include "reports/escape.h"
#include "reports/hazards.h"
#include "reports/protection.h"
#include "reports/text_case.h"
#include "reports/writers.h"

#include <string.h>

#include <libxml/xmlwriter.h>

enum junit_outcome {
    OUTCOME_PASSED,
    OUTCOME_FAILED,
    OUTCOME_ERROR,
    OUTCOME_SKIPPED,
    OUTCOME_COUNT
};

static enum junit_outcome outcome_of(enum verdict verdict) {
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

static enum junit_outcome case_outcome(const struct report *report,
                                       const struct report_case *item) {
    return report->build_message ? OUTCOME_SKIPPED : outcome_of(item->verdict);
}

/* A report without cases carries its outcome in its verdict: batch writes some for rows that were
 * not handed in. */
static bool ran_no_case(const struct report *report) {
    return report->build_message || report->case_count == 0;
}

/* What the cases alone do not say is a test case of its own, an error: that the submission did not
 * compile, with the compiler's words, or that nothing was decided. A CI system shows a run of
 * skipped cases in green, and a kernel that nothing here can execute has not passed. */
static bool has_own_test(const struct report *report) {
    if (ran_no_case(report))
        return true;
    bool undecided = false;
    for (size_t i = 0; i < report->case_count; i++) {
        enum junit_outcome outcome = case_outcome(report, &report->cases[i]);
        if (outcome == OUTCOME_FAILED || outcome == OUTCOME_ERROR)
            return false;
        undecided |= outcome == OUTCOME_SKIPPED && report->cases[i].hazard_count;
    }
    return undecided && !report->passed;
}

static enum junit_outcome own_outcome(const struct report *report) {
    return ran_no_case(report) ? outcome_of(report->verdict) : OUTCOME_ERROR;
}

struct junit_totals {
    size_t tests, outcomes[OUTCOME_COUNT];
    double seconds;
};

static void add_totals(struct junit_totals *totals, const struct report *report) {
    totals->tests += report->case_count;
    for (size_t i = 0; i < report->case_count; i++) {
        totals->outcomes[case_outcome(report, &report->cases[i])]++;
        totals->seconds += report->cases[i].wall_ms / 1000;
    }
    if (has_own_test(report)) {
        totals->tests++;
        totals->outcomes[own_outcome(report)]++;
    }
}

static void attribute(xmlTextWriterPtr writer, const char *name, const char *value) {
    cleanup_text struct text legal = {0};
    escape_xml(&legal, value, strlen(value));
    xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST text_string(&legal));
}

static void content(xmlTextWriterPtr writer, const char *string) {
    cleanup_text struct text legal = {0};
    escape_xml(&legal, string, strlen(string));
    xmlTextWriterWriteString(writer, BAD_CAST text_string(&legal));
}

static void totals_attributes(xmlTextWriterPtr writer, const struct junit_totals *totals) {
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "tests", "%zu", totals->tests);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "failures", "%zu",
                                      totals->outcomes[OUTCOME_FAILED]);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "errors", "%zu",
                                      totals->outcomes[OUTCOME_ERROR]);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "skipped", "%zu",
                                      totals->outcomes[OUTCOME_SKIPPED]);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", totals->seconds);
}

/* Opens <testcase> with everything but its outcome. */
static void start_test(xmlTextWriterPtr writer, const struct report *report, const char *group,
                       const char *name, double wall_ms, unsigned line) {
    cleanup_text struct text class_name = {0};
    text_printf(&class_name, "%s.%s", report->exercise ? report->exercise : "submission", group);
    xmlTextWriterStartElement(writer, BAD_CAST "testcase");
    attribute(writer, "classname", text_string(&class_name));
    attribute(writer, "name", name);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", wall_ms / 1000);
    attribute(writer, "file", report->file ? report->file : "");
    if (line)
        xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "line", "%u", line);
}

static void write_outcome(xmlTextWriterPtr writer, enum junit_outcome outcome, enum verdict verdict,
                          const char *message, const struct text *body) {
    static const char *const elements[] = {NULL, "failure", "error", "skipped"};
    const char *element = elements[outcome];
    if (!element)
        return;
    xmlTextWriterStartElement(writer, BAD_CAST element);
    attribute(writer, "message", message && *message ? message : verdict_infos[verdict].summary);
    if (outcome != OUTCOME_SKIPPED) {
        attribute(writer, "type", verdict_infos[verdict].name);
        content(writer, text_string(body));
    }
    xmlTextWriterEndElement(writer);
}

/* Where the first threshold that was not met is lost. */
static unsigned lost_line(const struct report_case *item) {
    for (size_t i = 0; i < item->speed.threshold_count; i++)
        if (item->speed.thresholds[i].state == THRESHOLD_MISSED && item->speed.thresholds[i].line)
            return item->speed.thresholds[i].line;
    return 0;
}

static void write_case(xmlTextWriterPtr writer, const struct report *report,
                       const struct report_case *item) {
    unsigned line = item->hazard_count ? item->hazards[0].line : lost_line(item);
    start_test(writer, report, item->group ? item->group : "cases", item->name ? item->name : "",
               item->wall_ms, line);
    cleanup_text struct text body = {0};
    const struct terminal t = {.out = &body, .width = TERMINAL_WIDTH};
    struct report_case quiet = *item; /* what it printed has an element of its own */
    quiet.printed = NULL;
    text_append_char(&body, '\n');
    text_case_details(&t, &quiet, false);
    if (item->speed.present)
        text_speed(&t, &quiet, NULL, 0);
    if (item->hazard_count) {
        text_append_char(&body, '\n');
        report_hazards_text(item->hazards, item->hazard_count, report->file, report->source,
                            report->source_length, false, &body);
    }
    write_outcome(writer, case_outcome(report, item), item->verdict, item->message, &body);
    if (item->printed && *item->printed) {
        xmlTextWriterStartElement(writer, BAD_CAST "system-out");
        content(writer, item->printed);
        xmlTextWriterEndElement(writer);
    }
    xmlTextWriterEndElement(writer);
}

static void write_own_test(xmlTextWriterPtr writer, const struct report *report) {
    static const char *const severities[] = {"error", "warning", "note"};
    unsigned line = 0;
    cleanup_text struct text body = {0};
    text_append_char(&body, '\n');
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct build_diagnostic *d = &report->diagnostics[i];
        if (!line && d->severity == BUILD_ERROR)
            line = d->line;
        text_append(&body, d->file);
        if (d->file[0] && d->line)
            text_printf(&body, ":%u", d->line);
        text_printf(&body, "%s%s: %s\n", d->file[0] ? ": " : "", severities[d->severity], d->text);
    }
    if (report->build_hint)
        text_printf(&body, "%s\n", report->build_hint);
    bool build = ran_no_case(report);
    start_test(writer, report, build ? "build" : "result", build ? "compiles" : "decided", 0, line);
    write_outcome(writer, own_outcome(report), report->verdict,
                  report->build_message ? report->build_message : report->message, &body);
    xmlTextWriterEndElement(writer);
}

static void write_property(xmlTextWriterPtr writer, const char *name, const char *value) {
    xmlTextWriterStartElement(writer, BAD_CAST "property");
    attribute(writer, "name", name);
    attribute(writer, "value", value);
    xmlTextWriterEndElement(writer);
}

/* What the test cases do not say: how they became points, and whether these are enough. */
static void write_properties(xmlTextWriterPtr writer, const struct report *report) {
    cleanup_text struct text score = {0}, max_score = {0}, essential = {0};
    report_append_points(&score, report->score);
    report_append_points(&max_score, report->max_score);
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].essential && report->cases[i].name)
            text_printf(&essential, "%s%s", essential.length ? " " : "", report->cases[i].name);
    xmlTextWriterStartElement(writer, BAD_CAST "properties");
    write_property(writer, "score", text_string(&score));
    write_property(writer, "max_score", text_string(&max_score));
    write_property(writer, "passed", report->passed ? "true" : "false");
    if (report->cap_reason)
        write_property(writer, "cap_reason", report->cap_reason);
    if (essential.length)
        write_property(writer, "essential_cases", text_string(&essential));
    xmlTextWriterEndElement(writer);
}

static void write_suite(xmlTextWriterPtr writer, const struct report *report) {
    struct junit_totals totals = {0};
    add_totals(&totals, report);
    cleanup_text struct text name = {0};
    text_printf(&name, "%s: %s", report->exercise ? report->exercise : "",
                report->file ? report->file : "");
    xmlTextWriterStartElement(writer, BAD_CAST "testsuite");
    attribute(writer, "name", text_string(&name));
    totals_attributes(writer, &totals);
    if (report->file)
        attribute(writer, "file", report->file);
    write_properties(writer, report);
    if (has_own_test(report))
        write_own_test(writer, report);
    for (size_t i = 0; i < report->case_count; i++)
        write_case(writer, report, &report->cases[i]);
    if (report->protection.kind == PROTECTION_NONE) {
        cleanup_text struct text warning = {0};
        text_printf(&warning, "This report was %s.", protection_warning);
        xmlTextWriterStartElement(writer, BAD_CAST "system-err");
        content(writer, text_string(&warning));
        xmlTextWriterEndElement(writer);
    }
    xmlTextWriterEndElement(writer);
}

enum status report_write_junit(const struct report *const *reports, size_t count,
                               const struct report_options *options, struct text *out,
                               struct error *error) {
    (void)options;
    xmlBufferPtr buffer = xmlBufferCreate();
    xmlTextWriterPtr writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (!writer) {
        xmlBufferFree(buffer);
        return error_set(error, STATUS_ENVIRONMENT, "libxml2 cannot start a document");
    }
    struct junit_totals totals = {0};
    for (size_t i = 0; i < count; i++)
        add_totals(&totals, reports[i]);
    xmlTextWriterSetIndent(writer, 1);
    xmlTextWriterSetIndentString(writer, BAD_CAST "  ");
    xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(writer, BAD_CAST "testsuites");
    attribute(writer, "name", "warpgrade");
    totals_attributes(writer, &totals);
    for (size_t i = 0; i < count; i++)
        write_suite(writer, reports[i]);
    int ended = xmlTextWriterEndDocument(writer);
    xmlFreeTextWriter(writer);
    enum status status = STATUS_OK;
    if (ended < 0)
        status = error_set(error, STATUS_ENVIRONMENT, "libxml2 cannot write the JUnit report");
    else
        text_append_bytes(out, xmlBufferContent(buffer), (size_t)xmlBufferLength(buffer));
    xmlBufferFree(buffer);
    return status;
}
