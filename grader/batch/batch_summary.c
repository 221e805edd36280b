/* What a batch says on the terminal: a line a student while it runs, a summary at the end.
 *
 * Both go into a struct text and hold foreign text only escaped. The summary names every submission
 * that was not graded with its cause, because someone has to act on it; the scores are
 * in grades.csv. */
#include "grader/batch/batch_private.h"

#include "grader/batch/batch_summary.h"
#include "reports/escape.h"
#include "reports/protection.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_SHOWN = 60 };

static void append_foreign(struct text *out, const char *string) {
    escape_terminal(out, string, strlen(string), true);
}

static void append_paint(struct text *out, bool color, const char *code, const char *string) {
    text_printf(out, "%s%s%s", color ? code : "", string, color ? "\033[0m" : "");
}

static double percent_of(const struct batch_cell *cell) {
    return cell->max_score > 0 ? 100 * cell->score / cell->max_score : 0;
}

static bool is_graded(const struct batch_cell *cell) {
    return cell->state == BATCH_GRADED || cell->state == BATCH_RECORDED;
}

/* ---- while it runs ------------------------------------------------------------------------ */

void batch_progress_line(const struct batch *batch, size_t student,
                         const struct batch_counts *counts, struct text *out) {
    const struct course *course = batch->course;
    text_printf(out, "[%zu/%zu] %s:", counts->students_done, counts->students,
                course->students[student].id);
    const struct batch_cell *first = batch_cell_at(batch, student, 0);
    if (first->state == BATCH_UNREADABLE) {
        text_append_char(out, ' ');
        append_foreign(out, first->message);
        text_append_char(out, '\n');
        return;
    }
    for (size_t e = 0; e < course->exercise_count; e++) {
        const struct batch_cell *cell = batch_cell_at(batch, student, e);
        text_printf(out, "%s %s ", e ? "," : "", course->exercises[e].id);
        if (is_graded(cell))
            text_printf(out, "%.0f %%", percent_of(cell));
        else
            text_append(out, batch_state_summaries[cell->state]);
    }
    text_append_char(out, '\n');
}

/* ---- at the end --------------------------------------------------------------------------- */

struct summary_tally {
    size_t states[BATCH_STATE_COUNT];
    size_t passed;
    double percent; /* sum over what was graded */
};

static void add_cell(struct summary_tally *tally, const struct batch_cell *cell) {
    tally->states[cell->state]++;
    if (!is_graded(cell))
        return;
    tally->passed += cell->passed;
    tally->percent += percent_of(cell);
}

static void append_tally(struct text *out, const char *name, int width,
                         const struct summary_tally *tally) {
    size_t graded = tally->states[BATCH_GRADED] + tally->states[BATCH_RECORDED];
    text_printf(out, "  %-*s  %6zu  %6zu  %10zu", width, name, graded, tally->passed,
                graded - tally->passed);
    if (graded)
        text_printf(out, "  %5.1f %%\n", tally->percent / (double)graded);
    else
        text_append(out, "      -\n");
}

static void append_table(const struct batch *batch, bool color, struct summary_tally *total,
                         struct text *out) {
    const struct course *course = batch->course;
    int width = (int)strlen("exercise");
    for (size_t e = 0; e < course->exercise_count; e++)
        if ((int)strlen(course->exercises[e].id) > width)
            width = (int)strlen(course->exercises[e].id);
    cleanup_free char *heading = mem_printf("  %-*s  %6s  %6s  %10s  %7s", width, "exercise",
                                            "graded", "passed", "below mark", "mean");
    append_paint(out, color, "\033[1m", heading);
    text_append_char(out, '\n');
    for (size_t e = 0; e < course->exercise_count; e++) {
        struct summary_tally tally = {0};
        for (size_t s = 0; s < course->student_count; s++)
            if (batch->selected[s]) {
                add_cell(&tally, batch_cell_at(batch, s, e));
                add_cell(total, batch_cell_at(batch, s, e));
            }
        append_tally(out, course->exercises[e].id, width, &tally);
    }
    if (course->exercise_count > 1)
        append_tally(out, "all", width, total);
}

static void append_problem(const struct batch *batch, size_t student, size_t exercise, bool color,
                           struct text *out) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    text_append(out, "  ");
    append_paint(out, color, "\033[31m", batch->course->students[student].id);
    if (cell->state != BATCH_UNREADABLE)
        text_printf(out, " %s", batch->course->exercises[exercise].id);
    text_append(out, ": ");
    append_foreign(out, cell->message ? cell->message : batch_state_summaries[cell->state]);
    text_append_char(out, '\n');
    if (cell->hint && *cell->hint) {
        text_append(out, "      ");
        append_foreign(out, cell->hint);
        text_append_char(out, '\n');
    }
}

static void append_problems(const struct batch *batch, bool color, struct text *out) {
    const struct course *course = batch->course;
    size_t problems = 0;
    for (size_t s = 0; s < course->student_count; s++)
        for (size_t e = 0; e < course->exercise_count; e++) {
            const struct batch_cell *cell = batch_cell_at(batch, s, e);
            /* A repository that cannot be read is one problem, not one an exercise. */
            if (!batch->selected[s] || is_graded(cell) ||
                (cell->state == BATCH_UNREADABLE && e > 0))
                continue;
            if (problems++ == 0) {
                text_append_char(out, '\n');
                append_paint(out, color, "\033[1m", "not graded");
                text_append_char(out, '\n');
            }
            if (problems <= PROBLEMS_SHOWN)
                append_problem(batch, s, e, color, out);
        }
    if (problems > PROBLEMS_SHOWN)
        text_printf(out, "  ... and %zu more: see grades.csv\n", problems - PROBLEMS_SHOWN);
}

static void append_earlier(const struct batch *batch, struct text *out) {
    size_t count = 0;
    for (size_t s = 0; s < batch->course->student_count; s++)
        for (size_t e = 0; e < batch->course->exercise_count && batch->selected[s]; e++)
            count += batch_is_earlier(batch_cell_at(batch, s, e));
    if (count)
        text_printf(out,
                    "%zu of those that were not graded keep%s the grade of an earlier attempt\n",
                    count, count == 1 ? "s" : "");
}

static void append_counts(const struct batch *batch, const struct summary_tally *total,
                          struct text *out) {
    size_t count = 0, broken = total->states[BATCH_UNREADABLE] / batch->course->exercise_count;
    for (int i = 0; i < BATCH_STATE_COUNT; i++)
        count += total->states[i];
    text_printf(out, "%zu of %zu submissions graded", total->states[BATCH_GRADED], count);
    static const enum batch_state shown[] = {BATCH_RECORDED, BATCH_MISSING,  BATCH_LATE,
                                             BATCH_REFUSED,  BATCH_UNJUDGED, BATCH_PENDING};
    for (size_t i = 0; i < ARRAY_LENGTH(shown); i++)
        if (total->states[shown[i]])
            text_printf(out, ", %zu %s", total->states[shown[i]], batch_state_names[shown[i]]);
    if (broken)
        text_printf(out, "; %zu %s cannot be read", broken,
                    broken == 1 ? "repository" : "repositories");
    text_append_char(out, '\n');
}

/* By what was judged in this run: what stood in the gradebook before says for itself. */
static void append_protection(const struct batch *batch, bool color, struct text *out) {
    size_t cells = batch->course->student_count * batch->course->exercise_count;
    for (size_t i = 0; i < cells; i++)
        if (batch->cells[i].state == BATCH_GRADED &&
            strcmp(batch->cells[i].jail, protection_names[PROTECTION_NONE]) == 0) {
            append_paint(out, color, "\033[1;33m", protection_warning);
            text_append_char(out, '\n');
            return;
        }
}

static void append_places(const struct batch *batch, struct text *out) {
    text_append(out, "class:     ");
    append_foreign(out, batch->output);
    text_append(out, "/index.html (grades.csv, totals.csv, junit.xml and the reports beside it)\n"
                     "gradebook: ");
    append_foreign(out, batch->course->gradebook);
    text_printf(out, "\nseed:      %" PRIu64 " (--seed %" PRIu64 " grades with the same data)\n",
                batch_seed(batch), batch_seed(batch));
}

static void append_begun(const struct batch *batch, struct text *out) {
    if (!batch->begun.run)
        return;
    text_printf(out, "%s with the interrupted run%s of ",
                batch->options.dry_run ? "it would go on" : "went on",
                batch->begun.all ? " with --all" : "");
    course_append_instant(batch->course, batch->begun.started_at, out);
    text_append_char(out, '\n');
}

/* ---- a dry run ---------------------------------------------------------------------------- */

static void append_wish(const struct batch *batch, size_t student, size_t exercise,
                        struct text *out) {
    const struct batch_cell *cell = batch_cell_at(batch, student, exercise);
    text_printf(out, "  %s %s: ", batch->course->students[student].id,
                batch->course->exercises[exercise].id);
    if (cell->handed_in == 0) {
        append_foreign(out, cell->message ? cell->message : batch_state_summaries[cell->state]);
        text_append_char(out, '\n');
        return;
    }
    text_printf(out, "commit %.10s of ", cell->commit);
    course_append_instant(batch->course, cell->committed_at, out);
    int64_t days = course_days_late(batch->course, student, exercise, cell->committed_at);
    if (days > 0)
        text_printf(out, ", %" PRId64 " day%s late", days, text_plural((size_t)days));
    text_append(out, cell->state == BATCH_RECORDED ? ": graded already\n" : ": to be graded\n");
}

static void append_dry(const struct batch *batch, struct text *out) {
    size_t wanted = 0;
    for (size_t s = 0; s < batch->course->student_count; s++)
        for (size_t e = 0; e < batch->course->exercise_count && batch->selected[s]; e++) {
            const struct batch_cell *cell = batch_cell_at(batch, s, e);
            append_wish(batch, s, e, out);
            wanted += cell->handed_in > 0 && cell->state != BATCH_RECORDED;
        }
    text_printf(out, "\n%zu submission%s to be graded; nothing was judged or written\n", wanted,
                text_plural(wanted));
    append_begun(batch, out);
}

/* ------------------------------------------------------------------------------------------- */

void batch_summary(const struct batch *batch, bool color, struct text *out) {
    const struct course *course = batch->course;
    size_t students = 0;
    for (size_t s = 0; s < course->student_count; s++)
        students += batch->selected[s];
    append_foreign(out, course->name);
    text_printf(out, ": %zu student%s, %zu exercise%s\n\n", students, text_plural(students),
                course->exercise_count, text_plural(course->exercise_count));
    if (batch->options.dry_run) {
        append_dry(batch, out);
        return;
    }
    struct summary_tally total = {0};
    append_table(batch, color, &total, out);
    append_problems(batch, color, out);
    text_append_char(out, '\n');
    append_counts(batch, &total, out);
    append_earlier(batch, out);
    append_begun(batch, out);
    if (batch->ended)
        append_paint(out, color, "\033[1;33m",
                     "ended before all was graded; the same command goes on with the rest\n");
    append_protection(batch, color, out);
    append_places(batch, out);
}
