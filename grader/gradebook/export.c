/* The table of exports, and our own two tables for spreadsheets. */
#include "grader/gradebook/export.h"
#include "grader/gradebook/class.h"

#include "reports/escape.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct gradebook_format gradebook_formats[] = {
    {"csv", "one row a student and exercise, with every column of the roster", gradebook_write_csv},
    {"totals", "CSV, one row a student", gradebook_write_totals},
    {"canvas", "CSV for Canvas's gradebook import", gradebook_write_canvas},
    {"moodle", "CSV for Moodle's grade import", gradebook_write_moodle},
    {"json", "everything, for programs", gradebook_write_json},
    {"gradescope", "results.json of one student, or of all with -o FOLDER",
     gradebook_write_gradescope},
};
const size_t gradebook_format_count = ARRAY_LENGTH(gradebook_formats);

const struct gradebook_format *gradebook_format_find(const char *name) {
    for (size_t i = 0; i < gradebook_format_count; i++)
        if (strcmp(gradebook_formats[i].name, name) == 0)
            return &gradebook_formats[i];
    return NULL;
}

static void append_text(struct text *out, const char *string) {
    escape_csv(out, string, strlen(string));
    text_append_char(out, ',');
}

static void append_points(struct text *out, double points) {
    text_printf(out, "%s,", decimal_points(points).text);
}

/* ISO 8601 in UTC; nothing where there is no time. */
static void append_time(struct text *out, int64_t seconds) {
    time_t when = (time_t)seconds;
    struct tm parts;
    char buffer[64];
    if (seconds != 0 && gmtime_r(&when, &parts) &&
        strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts))
        text_append(out, buffer);
    text_append_char(out, ',');
}

/* The last field of a row has a comma behind it, too. */
static void end_row(struct text *out) {
    out->length--;
    text_append(out, "\r\n");
}

/* ---- the roster's other columns ----------------------------------------------------------- */

struct columns {
    const char **names; /* of the class */
    size_t count, capacity;
};

static struct columns find_columns(const struct book_class *class) {
    struct columns columns = {0};
    for (size_t s = 0; s < class->student_count; s++)
        for (size_t i = 0; i < class->students[s].field_count; i++) {
            const char *name = class->students[s].fields[i].name;
            size_t known = 0;
            while (known < columns.count && strcmp(columns.names[known], name) != 0)
                known++;
            if (known == columns.count)
                *mem_push(&columns.names, &columns.count, &columns.capacity) = name;
        }
    return columns;
}

static void append_fields(struct text *out, const struct columns *columns,
                          const struct book_student *student) {
    for (size_t c = 0; c < columns->count; c++) {
        const char *value = "";
        for (size_t i = 0; i < student->field_count && !*value; i++)
            if (strcmp(student->fields[i].name, columns->names[c]) == 0)
                value = student->fields[i].value;
        append_text(out, value);
    }
}

static void append_names(struct text *out, const struct columns *columns) {
    for (size_t c = 0; c < columns->count; c++)
        append_text(out, columns->names[c]);
    end_row(out);
}

/* ---- csv ---------------------------------------------------------------------------------- */

/* Which points pass is not known of those that are set by hand. */
static const char *passed_text(const struct gradebook_grade *grade) {
    if (!grade->has_points || strcmp(grade->state, "override") == 0)
        return "";
    return grade->passed ? "yes" : "no";
}

static void append_grade(struct text *out, const struct gradebook_grade *grade) {
    append_text(out, grade->exercise);
    append_text(out, grade->state);
    if (grade->has_points) {
        append_points(out, grade->points);
        append_points(out, grade->penalty);
    } else {
        text_append(out, ",,");
    }
    append_points(out, grade->final);
    append_points(out, grade->max_score);
    append_points(out, grade->percent);
    text_printf(out, "%s,", passed_text(grade));
    append_text(out, grade->verdict);
    text_printf(out, "%zu,%zu,", grade->attempts, grade->submissions);
    append_text(out, grade->penalty_reason);
    append_text(out, grade->override);
    append_text(out, grade->message);
    append_text(out, grade->commit);
    append_time(out, grade->committed_at);
    append_time(out, grade->graded_at);
}

enum status gradebook_write_csv(struct gradebook *book,
                                const struct gradebook_export_options *options, struct text *out,
                                struct error *error) {
    (void)options;
    struct book_class class;
    enum status status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    struct columns columns = find_columns(&class);
    text_append(out, "student,name,section,team,exercise,state,points,penalty,final,max_score,"
                     "percent,passed,verdict,attempts,submissions,penalty_reason,override,message,"
                     "commit,committed_at,graded_at,");
    append_names(out, &columns);
    for (size_t s = 0; s < class.student_count; s++)
        for (size_t e = 0; e < class.exercise_count; e++) {
            append_text(out, class.students[s].id);
            append_text(out, class.students[s].name);
            append_text(out, class.students[s].section);
            append_text(out, class.students[s].team);
            append_grade(out, class_grade(&class, s, e));
            append_fields(out, &columns, &class.students[s]);
            end_row(out);
        }
    free(columns.names);
    class_free(&class);
    return STATUS_OK;
}

/* ---- totals ------------------------------------------------------------------------------- */

enum status gradebook_write_totals(struct gradebook *book,
                                   const struct gradebook_export_options *options, struct text *out,
                                   struct error *error) {
    (void)options;
    struct book_class class;
    enum status status = class_read(book, &class, error);
    if (status != STATUS_OK)
        return status;
    struct columns columns = find_columns(&class);
    text_append(out, "student,name,section,team,");
    for (size_t e = 0; e < class.exercise_count; e++)
        append_text(out, class.exercises[e].id);
    text_append(out, "points,max_score,percent,graded,missing,");
    append_names(out, &columns);
    for (size_t s = 0; s < class.totals.count; s++) {
        const struct gradebook_total *total = &class.totals.rows[s];
        append_text(out, class.students[s].id);
        append_text(out, class.students[s].name);
        append_text(out, class.students[s].section);
        append_text(out, class.students[s].team);
        for (size_t e = 0; e < class.exercise_count; e++)
            append_points(out, class_grade(&class, s, e)->final);
        append_points(out, total->points);
        append_points(out, total->max_score);
        append_points(out, total->percent);
        text_printf(out, "%zu,%zu,", total->graded, total->missing);
        append_fields(out, &columns, &class.students[s]);
        end_row(out);
    }
    free(columns.names);
    class_free(&class);
    return STATUS_OK;
}
