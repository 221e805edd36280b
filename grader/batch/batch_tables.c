/* The tables of a batch: grades.csv, one row a student and exercise; totals.csv, one row a student.
 * Both end with the roster's own columns.
 *
 * Every file appears whole, by a rename. Text of students (names, paths, messages) passes through
 * reports/escape.h: a spreadsheet must not run what a student wrote. */
#include "grader/batch/batch_private.h"

#include "reports/escape.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- fields ------------------------------------------------------------------------------- */

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

static void append_points(struct text *out, bool known, double points) {
    text_append_char(out, ',');
    if (known)
        text_append(out, decimal_points(points).text);
}

static void append_flags(struct text *out, unsigned flags) {
    const char *between = "";
    for (int i = 0; i < REPO_FLAG_COUNT; i++)
        if (flags & 1u << i) {
            text_printf(out, "%s%s", between, repo_flag_word((enum repo_flag_bit)i));
            between = " ";
        }
}

/* When it was handed in, or why nothing counts. */
static const char *find_state(const struct batch *batch, size_t student, size_t exercise) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    if (!has_grade(cell))
        return batch_state_names[cell->state];
    int64_t days = course_days_late(batch->course, student, exercise, cell->committed_at);
    return days > 0 || cell->penalty > 0 ? "late" : "in-time";
}

/* A roster may have a column of the name of one of ours: it comes after these. */
static void append_roster_names(struct text *out, const struct course *course) {
    for (size_t c = 0; c < course->column_count; c++) {
        text_append_char(out, ',');
        append_text(out, course->columns[c]);
    }
    text_append(out, "\r\n");
}

static void append_roster_values(struct text *out, const struct course *course, size_t student) {
    for (size_t c = 0; c < course->column_count; c++) {
        text_append_char(out, ',');
        append_text(out, course_value(course, student, course->columns[c]));
    }
    text_append(out, "\r\n");
}

/* ---- grades.csv --------------------------------------------------------------------------- */

static void append_result(struct text *out, const struct batch *batch, size_t student,
                          size_t exercise) {
    const struct course_student *owner = &batch->course->students[student];
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    append_text(out, owner->id);
    text_append_char(out, ',');
    append_text(out, owner->name);
    text_printf(out, ",%s,%s", batch->course->exercises[exercise].id,
                batch_state_names[cell->state]);
    append_points(out, has_score(cell), cell->score);
    append_points(out, true,
                  has_grade(cell) ? cell->max_score
                                  : batch->exercises[exercise].exercise->max_score);
    text_printf(out, ",%s,", !has_score(cell) ? "" : cell->passed ? "yes" : "no");
    append_word(out, cell->verdict);
    append_points(out, cell->attempts > 0, cell->best_percent);
    text_printf(out, ",%zu,", cell->attempts);
    append_text(out, cell->message);
}

static void append_place(struct text *out, const struct batch *batch, size_t student,
                         size_t exercise) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    cleanup_free char *repository =
        repo_display_location(batch->course->students[student].repository);
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
}

static void append_final(struct text *out, const struct batch *batch, size_t student,
                         size_t exercise) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    text_printf(out, ",%s", find_state(batch, student, exercise));
    append_points(out, cell->has_final, cell->penalty);
    append_points(out, cell->has_final || has_score(cell), cell->final);
    text_append_char(out, ',');
    append_text(out, cell->penalty_reason);
    text_append_char(out, ',');
    append_text(out, cell->override);
    text_append_char(out, ',');
    append_time(out, cell->authored_at);
    text_append_char(out, ',');
    append_time(out, cell->fetched_at);
    text_append_char(out, ',');
    append_flags(out, cell->flags);
}

enum status batch_write_grades(const struct batch *batch, struct error *error) {
    cleanup_text struct text out = {0};
    text_append(&out, "student,name,exercise,status,score,max_score,passed,verdict,best_percent,"
                      "attempts,message,commit,committed_at,graded_at,branch,path,repository,"
                      "jail,state,penalty,final,penalty_reason,override,authored_at,fetched_at,"
                      "flags");
    append_roster_names(&out, batch->course);
    for (size_t s = 0; s < batch->course->student_count; s++)
        for (size_t e = 0; e < batch->course->exercise_count; e++) {
            append_result(&out, batch, s, e);
            append_place(&out, batch, s, e);
            append_final(&out, batch, s, e);
            append_roster_values(&out, batch->course, s);
        }
    cleanup_free char *path = file_join(batch->output, course_result_files[COURSE_RESULT_GRADES]);
    return file_write(path, text_string(&out), out.length, error);
}

/* ---- totals.csv --------------------------------------------------------------------------- */

static void append_total(struct text *out, const struct batch *batch,
                         const struct gradebook_total *total, size_t student) {
    append_text(out, total->student);
    text_append_char(out, ',');
    append_text(out, total->name);
    append_points(out, true, total->percent);
    append_points(out, true, total->points);
    append_points(out, true, total->max_score);
    text_printf(out, ",%zu,%zu", total->graded, total->missing);
    for (size_t e = 0; e < batch->course->exercise_count; e++) {
        const struct batch_cell *cell = batch_cell_at(batch, student, e);
        append_points(out, cell->has_final || has_score(cell), cell->final);
    }
    append_roster_values(out, batch->course, student);
}

enum status batch_write_totals(const struct batch *batch, struct error *error) {
    struct gradebook_totals totals = {0};
    enum status status = gradebook_totals(batch->gradebook, &totals, error);
    cleanup_text struct text out = {0};
    text_append(&out, "student,name,percent,points,max_points,graded,missing");
    for (size_t e = 0; e < batch->course->exercise_count; e++)
        text_printf(&out, ",%s", batch->course->exercises[e].id);
    append_roster_names(&out, batch->course);
    for (size_t i = 0; i < totals.count; i++) {
        size_t student = course_find_student(batch->course, totals.rows[i].student);
        if (student != COURSE_NONE)
            append_total(&out, batch, &totals.rows[i], student);
    }
    gradebook_totals_free(&totals);
    cleanup_free char *path = file_join(batch->output, course_result_files[COURSE_RESULT_TOTALS]);
    return status == STATUS_OK ? file_write(path, text_string(&out), out.length, error) : status;
}
