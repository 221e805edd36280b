/* The report for spreadsheets: one row a submission, RFC 4180 (CRLF, quoted fields). The columns do
 * not depend on the exercise, so that files of different runs can be put together. */
#include "reports/escape.h"
#include "reports/text_case.h"
#include "reports/writers.h"

#include <inttypes.h>
#include <string.h>

static void append_field(struct text *out, const char *string) {
    text_append_char(out, ',');
    escape_csv(out, string ? string : "", string ? strlen(string) : 0);
}

static void append_row(struct text *out, const struct report *report) {
    size_t passed = 0;
    for (size_t i = 0; i < report->case_count; i++)
        passed += report->cases[i].verdict == VERDICT_PASS;
    escape_csv(out, report->file ? report->file : "", report->file ? strlen(report->file) : 0);
    append_field(out, report->exercise);
    text_append_char(out, ',');
    report_append_points(out, report->score);
    text_append_char(out, ',');
    report_append_points(out, report->max_score);
    text_printf(out, ",%s,%s,%zu,%zu", report->passed ? "yes" : "no",
                verdict_infos[report->verdict].name, passed, report->case_count);
    append_field(out, report->message);
    append_field(out, report->engine);
    text_printf(out, ",%" PRIu64 ",%s\r\n", report->seed, report->sha256);
}

enum status report_write_csv(const struct report *const *reports, size_t count,
                             const struct report_options *options, struct text *out,
                             struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    text_append(out, "file,exercise,score,max_score,passed,verdict,cases_passed,cases,message,"
                     "engine,seed,sha256\r\n");
    for (size_t i = 0; i < count; i++)
        append_row(out, reports[i]);
    return STATUS_OK;
}
