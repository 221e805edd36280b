/* The report for CI systems: JUnit XML as Jenkins, GitLab and others read it.
 *
 * A submission is a suite, a case of the exercise is a test case. GitLab keeps one of the test
 * cases that have the same classname and name, so that the classname begins with the submission.
 * Only what the schema of Jenkins's xunit plugin knows is written: suites carry a file and
 * properties, test cases neither, and only a suite counts what was skipped. Text becomes legal XML
 * through escape.c first; libxml2's writer escapes the markup. */
#include "reports/escape.h"
#include "reports/formats/testcase.h"
#include "reports/protection.h"
#include "reports/writers.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

#include <libxml/xmlwriter.h>

struct junit_totals {
    size_t tests, outcomes[OUTCOME_COUNT];
    double seconds;
};

static double seconds_of(const struct testcase *test) {
    return test->item ? test->item->wall_ms / 1000 : 0;
}

static void add_totals(struct junit_totals *totals, const struct testcase *tests, size_t count) {
    totals->tests += count;
    for (size_t i = 0; i < count; i++) {
        totals->outcomes[tests[i].outcome]++;
        totals->seconds += seconds_of(&tests[i]);
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
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", totals->seconds);
}

static void write_outcome(xmlTextWriterPtr writer, const struct report *report,
                          const struct testcase *test) {
    static const char *const elements[OUTCOME_COUNT] = {NULL, "failure", "error", "skipped"};
    const char *element = elements[test->outcome];
    if (!element)
        return;
    xmlTextWriterStartElement(writer, BAD_CAST element);
    attribute(writer, "message", test->message);
    if (test->outcome != OUTCOME_SKIPPED) {
        cleanup_text struct text body = {0};
        text_append_char(&body, '\n');
        testcase_append_body(report, test, &body);
        attribute(writer, "type", verdict_infos[test->verdict].name);
        content(writer, text_string(&body));
    }
    xmlTextWriterEndElement(writer);
}

static void write_test(xmlTextWriterPtr writer, const struct report *report, const char *submission,
                       const struct testcase *test) {
    cleanup_text struct text class_name = {0};
    text_printf(&class_name, "%s.%s.%s", submission,
                report->exercise ? report->exercise : "submission", test->group);
    xmlTextWriterStartElement(writer, BAD_CAST "testcase");
    attribute(writer, "classname", text_string(&class_name));
    attribute(writer, "name", test->name);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", seconds_of(test));
    write_outcome(writer, report, test);
    if (test->item && test->item->printed && *test->item->printed) {
        xmlTextWriterStartElement(writer, BAD_CAST "system-out");
        content(writer, test->item->printed);
        xmlTextWriterEndElement(writer);
    }
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

static void write_suite(xmlTextWriterPtr writer, const struct report *const *reports,
                        size_t index) {
    const struct report *report = reports[index];
    struct testcase *list;
    size_t count = testcase_list(report, &list);
    cleanup_free struct testcase *tests = list;
    struct junit_totals totals = {0};
    add_totals(&totals, tests, count);
    cleanup_text struct text name = {0}, submission = {0};
    if (report->exercise)
        text_printf(&name, "%s: ", report->exercise);
    text_append(&name, report->file ? report->file : "");
    testcase_append_submission(reports, index, &submission);
    xmlTextWriterStartElement(writer, BAD_CAST "testsuite");
    attribute(writer, "name", text_string(&name));
    totals_attributes(writer, &totals);
    xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "skipped", "%zu",
                                      totals.outcomes[OUTCOME_SKIPPED]);
    if (report->file)
        attribute(writer, "file", report->file);
    write_properties(writer, report);
    for (size_t i = 0; i < count; i++)
        write_test(writer, report, text_string(&submission), &tests[i]);
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
    for (size_t i = 0; i < count; i++) {
        struct testcase *tests;
        size_t tests_count = testcase_list(reports[i], &tests);
        add_totals(&totals, tests, tests_count);
        free(tests);
    }
    xmlTextWriterSetIndent(writer, 1);
    xmlTextWriterSetIndentString(writer, BAD_CAST "  ");
    xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(writer, BAD_CAST "testsuites");
    attribute(writer, "name", "warpgrade");
    totals_attributes(writer, &totals);
    for (size_t i = 0; i < count; i++)
        write_suite(writer, reports, i);
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
