/* `warpgrade gradebook why`: how a grade comes about, from the cases to the number that counts. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "grader/gradebook/inspect.h"
#include "reports/json_parts.h"
#include "reports/stored/stored.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All that is told, of one student at one exercise. */
struct why {
    struct gradebook_grades grades; /* one row */
    struct gradebook_standings attempts;
    struct gradebook_case_rows cases; /* of the attempt that counts */
    struct gradebook_exercise_info exercise;
    const struct gradebook_standing *counted; /* NULL: none */
    char *cap_reason;                         /* NULL: no gate capped the points */
    double cap;
};

static const struct gradebook_grade *grade_of(const struct why *why) {
    return &why->grades.rows[0];
}

/* A report that cannot be read (of an older version) costs the reason of a cap only. */
static void read_cap(struct gradebook *book, struct why *why) {
    char *json;
    size_t length;
    struct stored_reports stored = {0};
    if (gradebook_report(book, why->counted->grading, &json, &length, NULL) != STATUS_OK)
        return;
    if (stored_read(json, length, NULL, &stored, NULL) == STATUS_OK && stored.count == 1) {
        why->cap_reason = mem_strdup(stored.reports[0]->cap_reason);
        why->cap = stored.reports[0]->cap;
    }
    stored_free(&stored);
    free(json);
}

static enum status read_why(struct gradebook *book, const char *student, const char *exercise,
                            struct why *why, struct error *error) {
    const struct gradebook_filter filter = {.student = student, .exercise = exercise};
    enum status status = gradebook_grades(book, &filter, &why->grades, error);
    if (status == STATUS_OK && why->grades.count != 1)
        status = error_set(error, STATUS_INVALID, "the gradebook has no grade of %.80s for %.80s",
                           student, exercise);
    if (status == STATUS_OK)
        status = gradebook_standings(book, student, exercise, &why->attempts, error);
    if (status == STATUS_OK)
        status = gradebook_exercise_info(book, exercise, &why->exercise, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < why->attempts.count; i++)
        if (why->attempts.rows[i].attempt == grade_of(why)->attempt)
            why->counted = &why->attempts.rows[i];
    if (!why->counted)
        return STATUS_OK;
    read_cap(book, why);
    return gradebook_case_rows(book, why->counted->grading, &why->cases, error);
}

static void free_why(struct why *why) {
    gradebook_grades_free(&why->grades);
    gradebook_standings_free(&why->attempts);
    gradebook_case_rows_free(&why->cases);
    free(why->cap_reason);
}

static double sum_of_cases(const struct why *why, const char *group) {
    double sum = 0;
    for (size_t i = 0; i < why->cases.count; i++)
        if (!group || strcmp(why->cases.rows[i].group, group) == 0)
            sum += why->cases.rows[i].score;
    return sum;
}

static double max_of_cases(const struct why *why, const char *group) {
    double sum = 0;
    for (size_t i = 0; i < why->cases.count; i++)
        if (strcmp(why->cases.rows[i].group, group) == 0)
            sum += why->cases.rows[i].max_score;
    return sum;
}

/* What the class's tables do not show any more; NULL: nothing. */
static const char *left_course(const struct why *why) {
    return grade_of(why)->present
               ? NULL
               : "the student or the exercise is no longer in the course: it counts in no total";
}

/* Why an attempt is not the one that counts; "" for that one. */
static const char *why_not(const struct why *why, const struct gradebook_standing *attempt) {
    if (attempt == why->counted)
        return "";
    if (*attempt->excluded)
        return attempt->excluded;
    if (why->counted && why->counted->pinned)
        return "the course names another commit";
    if (why->exercise.counts_last)
        return "a later one counts";
    return why->counted && why->counted->final / why->counted->max_score >
                               attempt->final / attempt->max_score
               ? "a better one counts"
               : "an earlier one with as many points counts";
}

/* ---- text --------------------------------------------------------------------------------- */

enum { POINTS_COLUMN = 56 };

/* "  LABEL ........ 8.5" with the points in a column of their own. */
static void print_sum(const struct terminal *t, enum pen pen, const char *label, double points,
                      const char *sign) {
    terminal_print(t, PEN_PLAIN, "  ");
    terminal_cell(t, pen, label, POINTS_COLUMN - 2);
    terminal_printf(t, pen, " %s%s\n", sign, decimal_points(points).text);
}

static void print_cases(const struct terminal *t, const struct why *why) {
    const char *group = NULL;
    for (size_t i = 0; i < why->cases.count; i++) {
        const struct gradebook_case_row *item = &why->cases.rows[i];
        if (!group || strcmp(group, item->group) != 0) {
            group = item->group;
            terminal_print(t, PEN_PLAIN, "  ");
            terminal_cell(t, PEN_BOLD, group, POINTS_COLUMN - 2);
            terminal_printf(t, PEN_BOLD, " %s of %s\n",
                            decimal_points(sum_of_cases(why, group)).text,
                            decimal_points(max_of_cases(why, group)).text);
        }
        terminal_print(t, PEN_PLAIN, "    ");
        terminal_cell(t, PEN_PLAIN, item->name, 30);
        terminal_print(t, PEN_PLAIN, " ");
        terminal_cell(t, strcmp(item->verdict, "pass") == 0 ? PEN_GREEN : PEN_RED, item->verdict,
                      POINTS_COLUMN - 35);
        terminal_printf(t, PEN_PLAIN, " %s of %s\n", decimal_points(item->score).text,
                        decimal_points(item->max_score).text);
    }
}

/* As they are shown. */
static bool are_same_points(double a, double b) {
    return strcmp(decimal_points(a).text, decimal_points(b).text) == 0;
}

static void print_sums(const struct terminal *t, const struct why *why) {
    const struct gradebook_standing *counted = why->counted;
    const struct gradebook_grade *grade = grade_of(why);
    if (counted) {
        double sum = sum_of_cases(why, NULL);
        print_cases(t, why);
        terminal_print(t, PEN_PLAIN, "\n");
        print_sum(t, PEN_PLAIN, "all cases", sum, "");
        if (!are_same_points(counted->points, sum)) {
            cleanup_free char *label = why->cap_reason ? mem_printf("capped: %s", why->cap_reason)
                                                       : mem_strdup("as the report was scored");
            print_sum(t, PEN_YELLOW, label, counted->points, "= ");
        }
        if (counted->penalty > 0) {
            cleanup_free char *label = mem_printf("penalty: %s", counted->penalty_reason);
            print_sum(t, PEN_YELLOW, label, counted->penalty, "- ");
        }
    }
    if (*grade->override) {
        cleanup_free char *label = mem_printf("set by hand by %s", grade->override);
        print_sum(t, PEN_CYAN, label, grade->final, "= ");
    }
    print_sum(t, PEN_BOLD, "final", grade->final, "");
}

static void print_row(const struct terminal *t, const char *label, const char *value) {
    terminal_printf(t, PEN_DIM, "  %-10s ", label);
    terminal_foreign(t, PEN_PLAIN, value);
    terminal_print(t, PEN_PLAIN, "\n");
}

static void print_time(const struct terminal *t, const char *label, int64_t at) {
    if (at)
        print_row(t, label, gradebook_moment(at).text);
}

static void print_origin(const struct terminal *t, const struct gradebook_standing *attempt) {
    cleanup_free char *file = mem_printf("%s of %s, branch %s", attempt->path, attempt->commit,
                                         *attempt->branch ? attempt->branch : "HEAD");
    cleanup_free char *tool =
        mem_printf("warpgrade %s, engine %s%s%s, jail %s, seed %" PRIu64, attempt->tool,
                   attempt->engine, *attempt->device ? " as " : "", attempt->device,
                   *attempt->jail ? attempt->jail : "not noted", attempt->seed);
    print_row(t, "file", file);
    print_time(t, "committed", attempt->committed_at);
    if (attempt->authored_at != attempt->committed_at)
        print_time(t, "authored", attempt->authored_at);
    print_time(t, "fetched", attempt->fetched_at);
    if (*attempt->date_flags)
        print_row(t, "dates", attempt->date_flags);
    print_row(t, "graded", gradebook_moment(attempt->graded_at).text);
    print_row(t, "by", tool);
    print_row(t, "exercise", attempt->version);
}

static void print_attempts(const struct terminal *t, const struct why *why) {
    terminal_print(t, PEN_BOLD, "\nattempts");
    terminal_printf(t, PEN_PLAIN, " (the %s counts", why->exercise.counts_last ? "last" : "best");
    if (why->exercise.attempt_limit)
        terminal_printf(t, PEN_PLAIN, " of the first %u files", why->exercise.attempt_limit);
    terminal_print(t, PEN_PLAIN, ")\n");
    for (size_t i = 0; i < why->attempts.count; i++) {
        const struct gradebook_standing *attempt = &why->attempts.rows[i];
        bool counts = attempt == why->counted;
        terminal_printf(t, counts ? PEN_BOLD : PEN_PLAIN, "  %c file %zu  ", counts ? '>' : ' ',
                        attempt->number);
        terminal_cell(t, PEN_PLAIN, attempt->commit, 12);
        terminal_printf(t, PEN_PLAIN, "  %s of %s", decimal_points(attempt->final).text,
                        decimal_points(attempt->max_score).text);
        terminal_printf(t, PEN_DIM, "  graded %s  ", gradebook_moment(attempt->graded_at).text);
        terminal_foreign(t, counts ? PEN_GREEN : PEN_YELLOW,
                         counts ? "counts" : why_not(why, attempt));
        terminal_print(t, PEN_PLAIN, "\n");
    }
}

static void print_text(const struct gradebook_arguments *arguments, const struct why *why) {
    cleanup_text struct text out = {0};
    const struct terminal t = gradebook_terminal(arguments, &out);
    const struct gradebook_grade *grade = grade_of(why);
    terminal_foreign(&t, PEN_BOLD, grade->student);
    terminal_print(&t, PEN_PLAIN, " (");
    terminal_foreign(&t, PEN_PLAIN, grade->name);
    terminal_print(&t, PEN_PLAIN, "), ");
    terminal_foreign(&t, PEN_BOLD, grade->exercise);
    terminal_printf(&t, PEN_BOLD, ": %s of %s points\n\n", decimal_points(grade->final).text,
                    decimal_points(grade->max_score).text);
    if (left_course(why)) {
        print_row(&t, "course", left_course(why));
        terminal_print(&t, PEN_PLAIN, "\n");
    }
    if (!why->counted) {
        print_row(&t, "state", grade->state);
        if (*grade->message)
            print_row(&t, "why", grade->message);
        terminal_print(&t, PEN_PLAIN, "\n");
    }
    print_sums(&t, why);
    if (why->counted) {
        terminal_print(&t, PEN_PLAIN, "\n");
        print_origin(&t, why->counted);
    }
    if (why->attempts.count)
        print_attempts(&t, why);
    gradebook_print(&out);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static json_t *attempt_json(const struct why *why, const struct gradebook_standing *attempt) {
    json_t *row = json_object();
    json_object_set_new(row, "counts", json_boolean(attempt == why->counted));
    json_object_set_new(row, "why_not", json_text(why_not(why, attempt)));
    json_object_set_new(row, "file_number", json_integer((json_int_t)attempt->number));
    json_object_set_new(row, "points", json_points(attempt->points));
    json_object_set_new(row, "penalty", json_points(attempt->penalty));
    json_object_set_new(row, "penalty_reason", json_text(attempt->penalty_reason));
    json_object_set_new(row, "days_late", json_double(attempt->days_late));
    json_object_set_new(row, "final", json_points(attempt->final));
    json_object_set_new(row, "max_score", json_points(attempt->max_score));
    json_object_set_new(row, "commit", json_text(attempt->commit));
    json_object_set_new(row, "path", json_text(attempt->path));
    json_object_set_new(row, "branch", json_text(attempt->branch));
    json_object_set_new(row, "date_flags", json_text(attempt->date_flags));
    json_object_set_new(row, "authored_at", json_integer(attempt->authored_at));
    json_object_set_new(row, "committed_at", json_integer(attempt->committed_at));
    json_object_set_new(row, "fetched_at", json_integer(attempt->fetched_at));
    json_object_set_new(row, "graded_at", json_integer(attempt->graded_at));
    json_object_set_new(row, "verdict", json_text(attempt->verdict));
    json_object_set_new(row, "message", json_text(attempt->message));
    json_object_set_new(row, "tool_version", json_text(attempt->tool));
    json_object_set_new(row, "engine", json_text(attempt->engine));
    json_object_set_new(row, "device", json_text(attempt->device));
    json_object_set_new(row, "jail", json_text(attempt->jail));
    json_object_set_new(row, "seed", json_unsigned(attempt->seed));
    json_object_set_new(row, "exercise_version", json_text(attempt->version));
    return row;
}

static void print_json(const struct why *why) {
    const struct gradebook_grade *grade = grade_of(why);
    json_t *object = json_object(), *cases = json_array(), *attempts = json_array();
    json_object_set_new(object, "student", json_text(grade->student));
    json_object_set_new(object, "exercise", json_text(grade->exercise));
    json_object_set_new(object, "state", json_text(grade->state));
    json_object_set_new(object, "in_course", json_boolean(grade->present));
    for (size_t i = 0; i < why->cases.count; i++) {
        const struct gradebook_case_row *item = &why->cases.rows[i];
        json_t *row = json_object();
        json_object_set_new(row, "name", json_text(item->name));
        json_object_set_new(row, "group", json_text(item->group));
        json_object_set_new(row, "verdict", json_text(item->verdict));
        json_object_set_new(row, "score", json_points(item->score));
        json_object_set_new(row, "max_score", json_points(item->max_score));
        json_object_set_new(row, "message", json_text(item->message));
        json_array_append_new(cases, row);
    }
    json_object_set_new(object, "cases", cases);
    json_object_set_new(object, "sum_of_cases", json_points(sum_of_cases(why, NULL)));
    json_object_set_new(object, "cap_reason", json_text(why->cap_reason));
    json_object_set_new(object, "points",
                        grade->has_points ? json_points(grade->points) : json_null());
    json_object_set_new(object, "penalty",
                        grade->has_points ? json_points(grade->penalty) : json_null());
    json_object_set_new(object, "override", json_text(grade->override));
    json_object_set_new(object, "final", json_points(grade->final));
    json_object_set_new(object, "max_score", json_points(grade->max_score));
    for (size_t i = 0; i < why->attempts.count; i++)
        json_array_append_new(attempts, attempt_json(why, &why->attempts.rows[i]));
    json_object_set_new(object, "attempts", attempts);
    cleanup_text struct text out = {0};
    json_append(&out, object);
    gradebook_print(&out);
}

static enum status work(struct gradebook *book, void *input, struct error *error) {
    const struct gradebook_arguments *arguments = input;
    struct why why = {0};
    enum status status = read_why(book, arguments->words[0], arguments->words[1], &why, error);
    if (status == STATUS_OK && arguments->json)
        print_json(&why);
    else if (status == STATUS_OK)
        print_text(arguments, &why);
    free_why(&why);
    return status;
}

int gradebook_why_command(int argc, char **argv) {
    static const struct gradebook_command command = {
        .words = "BOOK STUDENT EXERCISE",
        .about = "Adds a grade up: every case and group of the attempt that counts, the penalty, "
                 "what was set by hand; which attempt counts and why the others do not.",
        .shared = &gradebook_argp,
        .work = work};
    struct gradebook_arguments arguments = {
        .wanted = 2, .least = 2, .missing = "which STUDENT and EXERCISE?"};
    return gradebook_cli_run(&command, argc, argv, &arguments);
}
