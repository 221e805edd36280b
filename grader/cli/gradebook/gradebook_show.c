/* `warpgrade gradebook show`: students and exercises as a table. What does not fit beside each
 * other stands below, with the students' ids again. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "reports/json_parts.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_MISSING = 256, OPTION_ALL };
enum { MAX_ID = 16, MAX_NAME = 22, MIN_CELL = 7, MAX_CELL = 16, TOTAL = 9 };

struct arguments {
    struct gradebook_arguments shared;
    struct gradebook_filter filter;
};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    (void)value;
    switch (key) {
    case OPTION_MISSING:
        arguments->filter.missing = true;
        return 0;
    case OPTION_ALL:
        arguments->filter.absent = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the table ---------------------------------------------------------------------------- */

struct table {
    const struct gradebook_grades *grades;
    const struct gradebook_totals *totals; /* NULL: not of whole students */
    const char **exercises;
    size_t exercise_count, exercise_capacity;
    const struct gradebook_grade **students; /* the first grade of each */
    size_t student_count, student_capacity;
    unsigned id_width, name_width;
    bool marked;
};

static unsigned wider(unsigned width, const char *text, unsigned most) {
    size_t columns = terminal_columns(text);
    columns = columns > most ? most : columns;
    return columns > width ? (unsigned)columns : width;
}

/* Rows come student after student. */
static void find_sides(struct table *table) {
    const char *last = NULL;
    table->id_width = 7;
    table->name_width = 4;
    for (size_t i = 0; i < table->grades->count; i++) {
        const struct gradebook_grade *grade = &table->grades->rows[i];
        size_t e = 0;
        while (e < table->exercise_count && strcmp(table->exercises[e], grade->exercise) != 0)
            e++;
        if (e == table->exercise_count)
            *mem_push(&table->exercises, &table->exercise_count, &table->exercise_capacity) =
                grade->exercise;
        if (last && strcmp(last, grade->student) == 0)
            continue;
        last = grade->student;
        *mem_push(&table->students, &table->student_count, &table->student_capacity) = grade;
        table->id_width = wider(table->id_width, grade->student, MAX_ID);
        table->name_width = wider(table->name_width, grade->name, MAX_NAME);
    }
}

static unsigned cell_width(const char *exercise) {
    return wider(MIN_CELL, exercise, MAX_CELL);
}

static const struct gradebook_grade *find_grade(const struct table *table, size_t student,
                                                const char *exercise) {
    const struct gradebook_grade *grade = table->students[student];
    const struct gradebook_grade *end = table->grades->rows + table->grades->count;
    for (; grade < end && strcmp(grade->student, table->students[student]->student) == 0; grade++)
        if (strcmp(grade->exercise, exercise) == 0)
            return grade;
    return NULL;
}

static void print_cell(const struct terminal *t, struct table *table,
                       const struct gradebook_grade *grade, unsigned width) {
    const char *mark = " ";
    enum pen pen = PEN_PLAIN;
    if (!grade || (!grade->has_points && strcmp(grade->state, "override") != 0)) {
        terminal_printf(t, PEN_DIM, "  %*s ", (int)width - 1, "-");
        return;
    }
    if (strcmp(grade->state, "override") == 0)
        mark = "*", pen = PEN_CYAN;
    else if (grade->penalty > 0)
        mark = "-", pen = PEN_YELLOW;
    table->marked |= *mark != ' ';
    terminal_printf(t, pen, "  %*s%s", (int)width - 1, decimal_points(grade->final).text, mark);
}

static void print_total(const struct terminal *t, const struct table *table, const char *student) {
    for (size_t i = 0; i < table->totals->count; i++)
        if (strcmp(table->totals->rows[i].student, student) == 0)
            terminal_printf(t, PEN_BOLD, "  %*s %%", TOTAL - 2,
                            decimal_points(table->totals->rows[i].percent).text);
}

static void print_part(const struct terminal *t, struct table *table, size_t first, size_t end) {
    bool last = end == table->exercise_count && table->totals;
    terminal_cell(t, PEN_BOLD, "student", table->id_width);
    terminal_print(t, PEN_PLAIN, "  ");
    terminal_cell(t, PEN_BOLD, "name", table->name_width);
    for (size_t e = first; e < end; e++) {
        unsigned width = cell_width(table->exercises[e]);
        size_t columns = terminal_columns(table->exercises[e]);
        terminal_indent(t, 2 + (columns < width ? width - columns : 0));
        terminal_cut(t, PEN_BOLD, table->exercises[e], width);
    }
    terminal_printf(t, PEN_BOLD, last ? "  %*s\n" : "\n", TOTAL, "total");
    for (size_t s = 0; s < table->student_count; s++) {
        const struct gradebook_grade *student = table->students[s];
        terminal_cell(t, PEN_PLAIN, student->student, table->id_width);
        terminal_print(t, PEN_PLAIN, "  ");
        terminal_cell(t, PEN_PLAIN, student->name, table->name_width);
        for (size_t e = first; e < end; e++)
            print_cell(t, table, find_grade(table, s, table->exercises[e]),
                       cell_width(table->exercises[e]));
        if (last)
            print_total(t, table, student->student);
        terminal_print(t, PEN_PLAIN, "\n");
    }
}

static void print_table(const struct terminal *t, struct table *table) {
    size_t first = 0;
    while (first < table->exercise_count) {
        size_t end = first, used = table->id_width + 2 + table->name_width;
        while (end < table->exercise_count) {
            used += 2 + cell_width(table->exercises[end]);
            size_t total = end + 1 == table->exercise_count && table->totals ? 2 + TOTAL : 0;
            if (end > first && used + total > t->width)
                break;
            end++;
        }
        if (first)
            terminal_print(t, PEN_PLAIN, "\n");
        print_part(t, table, first, end);
        first = end;
    }
    if (table->marked)
        terminal_print(t, PEN_DIM,
                       "\n* set by hand   - less a penalty   `warpgrade gradebook why` "
                       "explains a grade\n");
}

static void print_missing(const struct terminal *t, const struct gradebook_grades *grades) {
    for (size_t i = 0; i < grades->count; i++) {
        const struct gradebook_grade *grade = &grades->rows[i];
        terminal_foreign(t, PEN_BOLD, grade->student);
        terminal_print(t, PEN_PLAIN, " ");
        terminal_foreign(t, PEN_PLAIN, grade->exercise);
        terminal_print(t, PEN_PLAIN, ": ");
        terminal_foreign(t, PEN_YELLOW, grade->state);
        if (*grade->message) {
            terminal_print(t, PEN_PLAIN, ", ");
            terminal_foreign(t, PEN_PLAIN, grade->message);
        }
        terminal_print(t, PEN_PLAIN, "\n");
    }
    terminal_printf(t, PEN_DIM, "%zu not graded\n", grades->count);
}

static void print_text(const struct arguments *arguments, const struct gradebook_grades *grades,
                       const struct gradebook_totals *totals) {
    cleanup_text struct text out = {0};
    const struct terminal t = gradebook_terminal(&arguments->shared, &out);
    struct table table = {.grades = grades, .totals = totals};
    find_sides(&table);
    if (arguments->filter.missing)
        print_missing(&t, grades);
    else if (grades->count == 0)
        terminal_print(&t, PEN_PLAIN, "the gradebook has no students or no exercises\n");
    else
        print_table(&t, &table);
    gradebook_print(&out);
    free(table.exercises);
    free(table.students);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_json(const struct gradebook_grades *grades,
                       const struct gradebook_totals *totals) {
    json_t *object = json_object(), *list = json_array(), *sums = json_array();
    for (size_t i = 0; i < grades->count; i++) {
        const struct gradebook_grade *grade = &grades->rows[i];
        json_t *row = json_object();
        json_object_set_new(row, "student", json_text(grade->student));
        json_object_set_new(row, "name", json_text(grade->name));
        json_object_set_new(row, "exercise", json_text(grade->exercise));
        json_object_set_new(row, "state", json_text(grade->state));
        json_object_set_new(row, "in_course", json_boolean(grade->present));
        json_object_set_new(row, "points",
                            grade->has_points ? json_points(grade->points) : json_null());
        json_object_set_new(row, "penalty",
                            grade->has_points ? json_points(grade->penalty) : json_null());
        json_object_set_new(row, "final", json_points(grade->final));
        json_object_set_new(row, "max_score", json_points(grade->max_score));
        json_object_set_new(row, "percent", json_points(grade->percent));
        json_object_set_new(row, "attempts", json_integer((json_int_t)grade->attempts));
        json_object_set_new(row, "override", json_text(grade->override));
        json_object_set_new(row, "message", json_text(grade->message));
        json_array_append_new(list, row);
    }
    for (size_t i = 0; totals && i < totals->count; i++) {
        const struct gradebook_total *total = &totals->rows[i];
        json_t *row = json_object();
        json_object_set_new(row, "student", json_text(total->student));
        json_object_set_new(row, "points", json_points(total->points));
        json_object_set_new(row, "max_score", json_points(total->max_score));
        json_object_set_new(row, "percent", json_points(total->percent));
        json_object_set_new(row, "missing", json_integer((json_int_t)total->missing));
        json_array_append_new(sums, row);
    }
    json_object_set_new(object, "grades", list);
    json_object_set_new(object, "totals", sums);
    cleanup_text struct text out = {0};
    json_append(&out, object);
    gradebook_print(&out);
}

static enum status work(struct gradebook *book, void *input, struct error *error) {
    struct arguments *arguments = input;
    struct gradebook_filter *filter = &arguments->filter;
    struct gradebook_grades grades = {0};
    struct gradebook_totals totals = {0};
    filter->student = arguments->shared.student;
    filter->exercise = arguments->shared.exercise;
    bool whole = !filter->missing && !filter->exercise && !filter->student;
    enum status status = gradebook_grades(book, filter, &grades, error);
    if (status == STATUS_OK && whole)
        status = gradebook_totals(book, &totals, error);
    if (status == STATUS_OK && arguments->shared.json)
        print_json(&grades, totals.count ? &totals : NULL);
    else if (status == STATUS_OK)
        print_text(arguments, &grades, totals.count ? &totals : NULL);
    gradebook_grades_free(&grades);
    gradebook_totals_free(&totals);
    return status;
}

int gradebook_show_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"missing", OPTION_MISSING, NULL, 0, "only what nothing is graded of, and why", 2},
        {"all", OPTION_ALL, NULL, 0, "students and exercises that left the course, too", 2},
        {0}};
    static const struct gradebook_command command = {
        .words = "BOOK",
        .about = "Shows the grades of a class: points after penalties, and the weighted total in "
                 "percent.",
        .shared = &gradebook_filter_argp,
        .options = options,
        .parse = parse_option,
        .work = work};
    return gradebook_cli_run(&command, argc, argv, &(struct arguments){0});
}
