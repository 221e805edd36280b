/* The report for spreadsheets: one row a submission, RFC 4180 (CRLF, quoted fields). The columns do
 * not depend on the exercise, so that files of different runs can be put together. */
#include "reports/escape.h"
#include "reports/protection.h"
#include "reports/text/text_case.h"
#include "reports/writers.h"
#include "sandbox/base/decimal.h"

#include <inttypes.h>
#include <string.h>

static void append_field(struct text *out, const char *string) {
    text_append_char(out, ',');
    escape_csv(out, string ? string : "", string ? strlen(string) : 0);
}

/* The speed case's time, what kind of a time it is, and its ratio to the tuned kernel's; empty
 * where there is none. */
static void append_time(struct text *out, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_time *time = &report->cases[i].time;
        if (!time->present)
            continue;
        text_printf(out, ",%s,%s,%s", decimal(time->median_ms, 6).text,
                    time->measured ? "measured" : "modelled",
                    decimal(time->ratio_to_reference, 4).text);
        return;
    }
    text_append(out, ",,,");
}

/* Of what a GPU measured: the ends of the ratio's interval, the baseline's share, the card. */
static void append_measured(struct text *out, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_measured *measured = &report->cases[i].speed.measured;
        if (!measured->present)
            continue;
        text_append_char(out, ',');
        if (measured->ratio_to_tuned.present)
            text_printf(out, "%s,%s", decimal(measured->ratio_to_tuned.low, 4).text,
                        decimal(measured->ratio_to_tuned.high, 4).text);
        else
            text_append_char(out, ',');
        text_append_char(out, ',');
        if (measured->fraction_of_baseline.present)
            text_append(out, decimal(measured->fraction_of_baseline.median, 4).text);
        append_field(out, measured->card);
        return;
    }
    text_append(out, ",,,,");
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
    text_append_char(out, ',');
    if (!report->withholds_seed)
        text_printf(out, "%" PRIu64, report->seed);
    text_printf(out, ",%s", report->sha256);
    append_time(out, report);
    append_measured(out, report);
    text_printf(out, ",%s,", protection_names[report->protection.kind]);
    if (report->cap_reason)
        report_append_points(out, report->cap);
    text_append(out, "\r\n");
}

enum status report_write_csv(const struct report *const *reports, size_t count,
                             const struct report_options *options, struct text *out,
                             struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    text_append(out, "file,exercise,score,max_score,passed,verdict,cases_passed,cases,message,"
                     "engine,seed,sha256,time_ms,time_kind,ratio_to_tuned,"
                     "ratio_low,ratio_high,fraction_of_baseline,card,jail,cap\r\n");
    for (size_t i = 0; i < count; i++)
        append_row(out, reports[i]);
    return STATUS_OK;
}
