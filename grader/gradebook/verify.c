/* Is the gradebook whole? What SQLite can say of its file, then what only we know: that each stored
 * report is the one that was stored, and says the points that its row says. */
#include "grader/gradebook/gradebook_private.h"
#include "grader/gradebook/inspect.h"

#include "reports/stored/stored.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/base/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A report's points are rounded down to hundredths. */
static const double rounding = 0.0101;

struct verify {
    struct gradebook *book;
    gradebook_complaint *complain;
    void *context;
    struct gradebook_verified *verified;
};

__attribute__((format(printf, 4, 5))) static void complain(struct verify *verify, const char *table,
                                                           int64_t row, const char *format, ...) {
    cleanup_text struct text what = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&what, format, arguments);
    va_end(arguments);
    cleanup_free char *where = row ? mem_printf("%s %" PRId64, table, row) : mem_strdup(table);
    verify->verified->complaints++;
    verify->complain(verify->context, where, text_string(&what));
}

/* ---- the file ----------------------------------------------------------------------------- */

static enum status check_file(struct verify *verify, struct error *error) {
    struct query query = query_prepare(verify->book, "PRAGMA integrity_check");
    while (query_next(&query))
        if (strcmp(query_string(&query, 0), "ok") != 0)
            complain(verify, "file", 0, "%s", query_string(&query, 0));
    enum status status = query_end(&query, error);
    if (status != STATUS_OK)
        return status;
    query = query_prepare(verify->book, "PRAGMA foreign_key_check");
    while (query_next(&query))
        complain(verify, query_string(&query, 0), sqlite3_column_int64(query.statement, 1),
                 "names a row of %s that is not there", query_string(&query, 2));
    return query_end(&query, error);
}

/* What one transaction makes is there whole. */
static enum status check_attempts(struct verify *verify, struct error *error) {
    struct query query = query_prepare(
        verify->book, "SELECT id, EXISTS (SELECT 1 FROM grading WHERE attempt = a.id),"
                      " EXISTS (SELECT 1 FROM choice WHERE attempt = a.id) FROM attempt a");
    while (query_next(&query)) {
        int64_t id = sqlite3_column_int64(query.statement, 0);
        verify->verified->attempts++;
        if (!sqlite3_column_int(query.statement, 1))
            complain(verify, "attempt", id, "has no grading");
        if (!sqlite3_column_int(query.statement, 2))
            complain(verify, "attempt", id, "no run has found it to be handed in");
    }
    return query_end(&query, error);
}

/* ---- a report ----------------------------------------------------------------------------- */

static bool differs(double left, double right) {
    return !(fabs(left - right) <= rounding);
}

/* The cases in the table are the report's. */
static enum status check_cases(struct verify *verify, int64_t grading, const struct report *report,
                               struct error *error) {
    struct query query = query_prepare(
        verify->book, "SELECT name, score, verdict FROM case_result WHERE grading = :grading"
                      " ORDER BY position");
    query_integer(&query, ":grading", grading);
    size_t count = 0;
    while (query_next(&query)) {
        const struct report_case *item = count < report->case_count ? &report->cases[count] : NULL;
        count++;
        if (!item)
            continue;
        if (strcmp(item->name, query_string(&query, 0)) != 0 ||
            differs(item->score, sqlite3_column_double(query.statement, 1)) ||
            strcmp(verdict_infos[item->verdict].name, query_string(&query, 2)) != 0)
            complain(verify, "grading", grading, "case %zu is not the report's", count);
    }
    if (count != report->case_count)
        complain(verify, "grading", grading, "has %zu cases, its report %zu", count,
                 report->case_count);
    return query_end(&query, error);
}

static void check_points(struct verify *verify, const struct query *row,
                         const struct report *report) {
    int64_t id = sqlite3_column_int64(row->statement, 0);
    double sum = 0;
    for (size_t i = 0; i < report->case_count; i++)
        sum += report->cases[i].score;
    if (differs(report->score, sqlite3_column_double(row->statement, 4)) ||
        differs(report->max_score, sqlite3_column_double(row->statement, 5)))
        complain(verify, "grading", id, "has other points than its report");
    /* Each case may have lost a hundredth; a gate may cap the sum. */
    if (report->score > sum + rounding * (double)(report->case_count + 1) ||
        (!report->cap_reason && report->score < sum - rounding * (double)(report->case_count + 1)))
        complain(verify, "grading", id, "its cases do not add up to its points");
    if (strcmp(verdict_infos[report->verdict].name, query_string(row, 6)) != 0)
        complain(verify, "grading", id, "has another verdict than its report");
    if (strcmp(report->sha256, query_string(row, 7)) != 0)
        complain(verify, "grading", id, "its report is about another submission");
}

static enum status check_report(struct verify *verify, const struct query *row,
                                struct error *error) {
    int64_t id = sqlite3_column_int64(row->statement, 0);
    struct stored_reports stored = {0};
    struct error cause = {0};
    char *json;
    size_t length;
    verify->verified->gradings++;
    enum status status = gradebook_report(verify->book, id, &json, &length, &cause);
    if (status == STATUS_OK)
        status = stored_read(json, length, NULL, &stored, &cause);
    free(json);
    if (status == STATUS_OK && stored.count == 1) {
        verify->verified->reports++;
        check_points(verify, row, stored.reports[0]);
        status = check_cases(verify, id, stored.reports[0], error);
    } else if (status == STATUS_ENVIRONMENT) {
        if (error)
            *error = cause;
    } else {
        complain(verify, "grading", id, "%s",
                 *cause.message ? cause.message : "its report is not one report");
        status = STATUS_OK;
    }
    stored_free(&stored);
    return status;
}

static enum status check_gradings(struct verify *verify, struct error *error) {
    struct query query = query_prepare(
        verify->book, "SELECT g.id, g.report_bytes, g.report_sha256, 0, g.score, g.max_score,"
                      " g.verdict, a.submission_sha256 FROM grading g"
                      " LEFT JOIN attempt a ON a.id = g.attempt ORDER BY g.id");
    enum status status = STATUS_OK;
    while (status == STATUS_OK && query_next(&query))
        status = check_report(verify, &query, error);
    enum status ended = query_end(&query, status == STATUS_OK ? error : NULL);
    return status == STATUS_OK ? ended : status;
}

enum status gradebook_verify(struct gradebook *book, gradebook_complaint *complaint, void *context,
                             struct gradebook_verified *verified, struct error *error) {
    struct verify verify = {book, complaint, context, verified};
    *verified = (struct gradebook_verified){0};
    enum status status = check_file(&verify, error);
    if (status == STATUS_OK)
        status = check_attempts(&verify, error);
    return status == STATUS_OK ? check_gradings(&verify, error) : status;
}
