/* What a batch leaves: a folder a student, one table of grades, one JUnit file.
 *
 * Every file appears whole, by a rename. Text of students (names, paths, messages) passes through
 * reports/escape.h, in the table above all: a spreadsheet must not run what a student wrote. */
#include "grader/batch/batch_private.h"

#include "reports/escape.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- a student's files -------------------------------------------------------------------- */

static enum status write_format(const char *base, const char *format, const struct report *report,
                                struct text *out, struct error *error) {
    const struct report_format *row = report_format_find(format);
    const struct report_options look = {.verbose = false};
    enum status status = row->write(&report, 1, &look, out, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *path = mem_printf("%s.%s", base, row->extension);
    return file_write(path, text_string(out), out->length, error);
}

static void describe_absent(const struct batch *batch, size_t student, size_t exercise,
                            struct text *out) {
    const struct course_student *owner = &batch->course->students[student];
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cleanup_free char *repository = repo_display_location(owner->repository);
    text_printf(out, "%s: not graded (%s)\n\n", batch->course->exercises[exercise].id,
                batch_state_names[cell->state]);
    escape_terminal(out, cell->message, strlen(cell->message), true);
    text_append_char(out, '\n');
    if (*cell->hint) {
        escape_terminal(out, cell->hint, strlen(cell->hint), true);
        text_append_char(out, '\n');
    }
    text_append(out, "\nrepository: ");
    escape_terminal(out, repository, strlen(repository), true);
    text_append_char(out, '\n');
}

enum status batch_write_result(const struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json,
                               struct error *error) {
    cleanup_free char *folder =
        mem_printf("%s/%s", batch->output, batch->course->students[student].id);
    cleanup_free char *base = mem_printf("%s/%s", folder, batch->course->exercises[exercise].id);
    enum status status = file_make_directories(folder, error);
    if (status != STATUS_OK)
        return status;
    cleanup_text struct text text = {0};
    if (report) {
        status = write_format(base, "json", report, json, error);
        return status == STATUS_OK ? write_format(base, "text", report, &text, error) : status;
    }
    describe_absent(batch, student, exercise, &text);
    cleanup_free char *text_path = mem_printf("%s.txt", base);
    cleanup_free char *json_path = mem_printf("%s.json", base);
    /* A report of an earlier run would be read as one of this run. */
    if (unlink(json_path) != 0 && errno != ENOENT)
        return error_set(error, STATUS_ENVIRONMENT, "cannot remove %s: %s", json_path,
                         strerror(errno));
    return file_write(text_path, text_string(&text), text.length, error);
}

/* ---- JUnit -------------------------------------------------------------------------------- */

struct report *batch_absent_report(const struct batch *batch, size_t student, size_t exercise) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cleanup_free char *file =
        mem_printf("%s/%s", batch->course->students[student].id,
                   cell->path && *cell->path ? cell->path : batch->wants[exercise].candidates[0]);
    /* A missing submission is no failed test; a broken repository needs attention. */
    enum verdict verdict =
        cell->state == BATCH_UNREADABLE ? VERDICT_INTERNAL_ERROR : VERDICT_SKIPPED;
    struct report *report = grade_not_graded(file, batch->exercises[exercise].exercise, LANGUAGE_EN,
                                             verdict, cell->message, NULL);
    report->engine = mem_strdup("sim");
    report->seed = grade_seed(batch->session);
    return report;
}

static enum status write_junit(const struct batch *batch, struct error *error) {
    const struct report_format *junit = report_format_find("junit");
    const struct report_options look = {.verbose = false};
    cleanup_text struct text out = {0};
    enum status status = junit->write((const struct report *const *)batch->reports,
                                      batch->report_count, &look, &out, error);
    cleanup_free char *path = mem_printf("%s/junit.xml", batch->output);
    return status == STATUS_OK ? file_write(path, text_string(&out), out.length, error) : status;
}

/* ---- grades.csv --------------------------------------------------------------------------- */

static void append_text(struct text *out, const char *string) {
    escape_csv(out, string ? string : "", string ? strlen(string) : 0);
}

/* An id or a hash: plain where it is one, and text where the gradebook says something else. */
static void append_word(struct text *out, const char *word) {
    bool plain = true;
    for (const char *c = word; *c && plain; c++)
        plain = isalnum((unsigned char)*c) || (*c == '-' && c > word);
    if (plain)
        text_append(out, word);
    else
        append_text(out, word);
}

/* ISO 8601 in UTC; nothing where there is no time. */
static void append_time(struct text *out, int64_t seconds) {
    time_t when = (time_t)seconds;
    struct tm parts;
    char buffer[64];
    if (seconds != 0 && gmtime_r(&when, &parts) &&
        strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts))
        text_append(out, buffer);
}

static bool has_grade(const struct batch_cell *cell) {
    return cell->state == BATCH_GRADED || cell->state == BATCH_RECORDED;
}

static bool has_score(const struct batch_cell *cell) {
    return has_grade(cell) || cell->state == BATCH_MISSING || cell->state == BATCH_REFUSED;
}

static void append_row(struct text *out, const struct batch *batch, size_t student,
                       size_t exercise) {
    const struct course_student *owner = &batch->course->students[student];
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cleanup_free char *repository = repo_display_location(owner->repository);
    append_text(out, owner->id);
    text_append_char(out, ',');
    append_text(out, owner->name);
    text_printf(out, ",%s,%s,", batch->course->exercises[exercise].id,
                batch_state_names[cell->state]);
    if (has_score(cell))
        text_append(out, decimal_points(cell->score).text);
    text_append_char(out, ',');
    text_append(out,
                decimal_points(has_grade(cell) ? cell->max_score
                                               : batch->exercises[exercise].exercise->max_score)
                    .text);
    text_printf(out, ",%s,", !has_score(cell) ? "" : cell->passed ? "yes" : "no");
    append_word(out, cell->verdict);
    text_append_char(out, ',');
    if (cell->attempts)
        text_append(out, decimal_points(cell->best_percent).text);
    text_printf(out, ",%zu,", cell->attempts);
    append_text(out, cell->message);
    text_append_char(out, ',');
    append_word(out, cell->commit);
    text_append_char(out, ',');
    append_time(out, cell->committed_at);
    text_append_char(out, ',');
    append_time(out, cell->graded_at);
    text_append_char(out, ',');
    append_text(out, cell->branch);
    text_append_char(out, ',');
    append_text(out, cell->path);
    text_append_char(out, ',');
    append_text(out, repository);
    text_append_char(out, ',');
    append_word(out, cell->jail);
    text_append(out, "\r\n");
}

static enum status write_grades(const struct batch *batch, struct error *error) {
    cleanup_text struct text out = {0};
    text_append(&out, "student,name,exercise,status,score,max_score,passed,verdict,best_percent,"
                      "attempts,message,commit,committed_at,graded_at,branch,path,repository,"
                      "jail\r\n");
    for (size_t s = 0; s < batch->course->student_count; s++)
        for (size_t e = 0; e < batch->course->exercise_count; e++)
            append_row(&out, batch, s, e);
    cleanup_free char *path = mem_printf("%s/grades.csv", batch->output);
    return file_write(path, text_string(&out), out.length, error);
}

enum status batch_write_tables(const struct batch *batch, struct error *error) {
    enum status status = write_grades(batch, error);
    return status == STATUS_OK ? write_junit(batch, error) : status;
}
