/* What one student is told: of each exercise the points, why these, and what to do next; where the
 * full report is, and until when there is time.
 *
 * Plain text, fit to be the body of a mail. What is foreign is put on one line before it is
 * wrapped, so that no name and no message can write a line of its own. */
#include "reports/class/class_text.h"

#include "reports/escape.h"
#include "reports/message.h"
#include "reports/terminal.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum { WIDTH = 78, INDENT = 2, VALUE = 12, MOST_NAME = 48, MOST_SENTENCE = 900, MOST_COMMIT = 10 };

/* Spaces for newlines, so that a sentence in two lines reads as one. */
static char *on_one_line(const char *string) {
    char *line = mem_strdup(string ? string : "");
    for (char *c = line; *c; c++)
        if (*c == '\n' || *c == '\r' || *c == '\t')
            *c = ' ';
    return line;
}

void class_text_foreign(struct text *out, const char *string, unsigned columns) {
    const struct terminal t = {.out = out, .width = columns};
    cleanup_free char *line = on_one_line(string);
    terminal_cut(&t, PEN_PLAIN, line, columns);
}

/* ---- lines ----------------------------------------------------------------------------------- */

struct letter {
    struct terminal t;
    const struct class_report *report;
    const struct class_exercise *exercise;
    const struct class_cell *cell;
};

/* A sentence that holds nothing foreign that has not been escaped. */
static void write_line(const struct letter *l, const struct text *sentence) {
    terminal_indent(&l->t, INDENT);
    terminal_wrap_marked(&l->t, PEN_PLAIN, text_string(sentence), sentence->length, INDENT, INDENT);
}

static void write_detail(const struct letter *l, enum class_string label,
                         const struct text *value) {
    cleanup_text struct text name = {0};
    if (!value->length)
        return;
    class_fill(l->t.language, &name, label, NULL);
    size_t columns = INDENT + terminal_columns(text_string(&name));
    terminal_indent(&l->t, INDENT);
    text_append(l->t.out, text_string(&name));
    terminal_indent(&l->t, columns < VALUE ? VALUE - columns : 1);
    terminal_wrap_marked(&l->t, PEN_PLAIN, text_string(value), value->length, VALUE, VALUE);
}

static void write_foreign(const struct letter *l, enum class_string label, const char *sentence) {
    cleanup_text struct text value = {0};
    class_text_foreign(&value, sentence, MOST_SENTENCE);
    write_detail(l, label, &value);
}

static void write_said(const struct letter *l, enum class_string label, enum class_string value) {
    cleanup_text struct text said = {0};
    class_fill(l->t.language, &said, value, NULL);
    write_detail(l, label, &said);
}

/* ---- points ---------------------------------------------------------------------------------- */

static bool has_grade(const struct class_cell *cell) {
    return class_standing(cell) != STANDING_UNDECIDED;
}

static void append_points(const struct letter *l, struct text *out) {
    const struct class_cell *cell = l->cell;
    enum language language = l->t.language;
    const struct decimal points = decimal_points(cell->final_score);
    const struct decimal most = decimal_points(l->exercise->max_score);
    const struct decimal mark = decimal_points(l->exercise->pass_mark);
    if (!has_grade(cell)) {
        cleanup_text struct text state = {0};
        class_fill(language, &state, class_state_string(cell->state), NULL);
        class_fill(language, out, CLASS_SAY_MAIL_NO_GRADE, text_string(&state), NULL);
    } else if (cell->passed) {
        class_fill(language, out, CLASS_SAY_MAIL_PASSED, points.text, most.text, NULL);
    } else if (class_standing(cell) == STANDING_ABSENT || !(l->exercise->pass_mark > 0)) {
        class_fill(language, out, CLASS_SAY_MAIL_POINTS, points.text, most.text, NULL);
    } else {
        class_fill(language, out, CLASS_SAY_MAIL_FAILED, points.text, most.text, mark.text, NULL);
    }
    if (has_grade(cell) && cell->state != CLASS_GRADED && !class_is_set(cell->override_by)) {
        text_append(out, WORDS(language, colon));
        class_fill(language, out, class_state_string(cell->state), NULL);
    }
}

static void append_override(const struct letter *l, struct text *out) {
    const struct class_cell *cell = l->cell;
    cleanup_text struct text by = {0}, why = {0};
    class_text_foreign(&by, cell->override_by, MOST_NAME);
    class_text_foreign(&why, cell->override_why, MOST_SENTENCE);
    class_fill(l->t.language, out,
               why.length ? CLASS_SAY_MAIL_OVERRIDE_WHY : CLASS_SAY_MAIL_OVERRIDE, text_string(&by),
               decimal_points(cell->score - cell->penalty).text, text_string(&why), NULL);
}

static void append_lateness(const struct letter *l, struct text *out) {
    const struct class_cell *cell = l->cell;
    cleanup_text struct text late = {0}, why = {0};
    class_append_duration(&late, l->t.language, cell->late_seconds > 0 ? cell->late_seconds : 0);
    class_text_foreign(&why, cell->penalty_why, MOST_SENTENCE);
    while (why.length && why.data[why.length - 1] == '.')
        why.data[--why.length] = '\0';
    if (!why.length)
        class_fill(l->t.language, &why, CLASS_SAY_MAIL_LATE_BY, text_string(&late), NULL);
    if (cell->penalty > 0)
        class_fill(l->t.language, out, CLASS_SAY_MAIL_PENALTY, decimal_points(cell->score).text,
                   decimal_points(cell->penalty).text, text_string(&why), NULL);
    else if (cell->late_seconds > 0)
        class_fill(l->t.language, out, CLASS_SAY_MAIL_LATE_FREE, text_string(&late), NULL);
}

static void write_points(const struct letter *l) {
    cleanup_text struct text points = {0}, reason = {0};
    append_points(l, &points);
    write_line(l, &points);
    if (class_is_set(l->cell->override_by))
        append_override(l, &reason);
    else
        append_lateness(l, &reason);
    if (reason.length)
        write_line(l, &reason);
    if (!has_grade(l->cell) && l->cell->state != CLASS_UNREADABLE) {
        text_clear(&reason);
        class_fill(l->t.language, &reason, CLASS_SAY_MAIL_NOT_YOURS, NULL);
        write_line(l, &reason);
    }
}

/* ---- why, where, what next ------------------------------------------------------------------- */

static void write_place(const struct letter *l) {
    cleanup_text struct text place = {0};
    if (!class_is_set(l->cell->file))
        return;
    class_text_foreign(&place, l->cell->file, MOST_SENTENCE);
    if (l->cell->line)
        text_printf(&place, ":%u", l->cell->line);
    write_detail(l, CLASS_SAY_MAIL_AT, &place);
}

static bool is_over(const struct letter *l) {
    int64_t deadline = class_deadline(l->exercise, l->cell).at;
    return deadline > 0 && l->report->made.at >= deadline;
}

static void write_next(const struct letter *l) {
    static const enum class_string nexts[CLASS_STATE_COUNT] = {
        [CLASS_NOT_SUBMITTED] = CLASS_SAY_MAIL_NEXT_HAND_IN,
        [CLASS_GRADED] = CLASS_SAY_MAIL_NEXT_REPORT,
        [CLASS_REFUSED] = CLASS_SAY_MAIL_NEXT_FILE,
        [CLASS_UNREADABLE] = CLASS_SAY_MAIL_NEXT_REPOSITORY,
    };
    enum class_state state = l->cell->state;
    if (state == CLASS_UNJUDGED || state == CLASS_PENDING)
        return;
    if (class_is_set(l->cell->next))
        write_foreign(l, CLASS_SAY_MAIL_NEXT, l->cell->next);
    else if (state == CLASS_NOT_SUBMITTED && is_over(l))
        write_said(l, CLASS_SAY_MAIL_NEXT, CLASS_SAY_MAIL_NEXT_HAND_IN_LATE);
    else if (state != CLASS_GRADED || class_is_set(l->cell->report))
        write_said(l, CLASS_SAY_MAIL_NEXT, nexts[state]);
}

/* Why it could not be judged is the instructor's affair. */
static void write_reasons(const struct letter *l) {
    const struct class_cell *cell = l->cell;
    bool is_full = has_grade(cell) && cell->final_score >= l->exercise->max_score;
    bool is_settled = class_is_set(cell->override_by) && cell->state != CLASS_GRADED;
    if (is_full || is_settled || cell->state == CLASS_UNJUDGED || cell->state == CLASS_PENDING)
        return;
    if (class_is_set(cell->message)) {
        write_foreign(l, CLASS_SAY_MAIL_WHY, cell->message);
    } else if (class_is_set(cell->verdict) && strcmp(cell->verdict, "pass") != 0) {
        cleanup_text struct text finding = {0};
        class_append_finding(&finding, l->t.language, cell);
        write_foreign(l, CLASS_SAY_MAIL_WHY, text_string(&finding));
    }
    write_foreign(l, CLASS_SAY_MAIL_CAUSE, cell->cause_text);
    write_place(l);
    write_next(l);
}

/* ---- deadline, commit, report ---------------------------------------------------------------- */

static void write_deadline(const struct letter *l) {
    const struct class_time deadline = class_deadline(l->exercise, l->cell);
    cleanup_text struct text time = {0}, line = {0}, left = {0};
    class_append_time(&time, deadline);
    if (!time.length)
        return;
    if (l->cell->own_deadline.at)
        class_fill(l->t.language, &line, CLASS_SAY_MAIL_OWN, text_string(&time), NULL);
    else
        text_append(&line, text_string(&time));
    if (l->report->made.at > 0) {
        text_append(&line, WORDS(l->t.language, semicolon));
        if (!is_over(l))
            class_append_duration(&left, l->t.language, deadline.at - l->report->made.at);
        class_fill(l->t.language, &line, left.length ? CLASS_SAY_MAIL_OPEN : CLASS_SAY_MAIL_OVER,
                   text_string(&left), NULL);
    }
    write_detail(l, CLASS_SAY_MAIL_DEADLINE, &line);
}

static void write_commit(const struct letter *l) {
    cleanup_text struct text line = {0}, time = {0};
    if (!class_is_set(l->cell->commit))
        return;
    cleanup_free char *commit = mem_strndup(l->cell->commit, strnlen(l->cell->commit, MOST_COMMIT));
    class_text_foreign(&line, commit, MOST_NAME);
    class_append_time(&time, l->cell->committed);
    if (time.length)
        text_printf(&line, ", %s", text_string(&time));
    write_detail(l, CLASS_SAY_MAIL_COMMIT, &line);
}

static void write_attempts(const struct letter *l) {
    cleanup_text struct text line = {0};
    const struct html_number attempts = html_number(l->cell->attempts);
    if (!l->cell->attempts)
        return;
    if (l->cell->attempts_allowed)
        class_fill(l->t.language, &line,
                   l->cell->attempts > l->cell->attempts_allowed ? CLASS_SAY_MAIL_ATTEMPTS_OVER
                                                                 : CLASS_SAY_MAIL_ATTEMPTS_OF,
                   attempts.text, html_number(l->cell->attempts_allowed).text, NULL);
    else
        text_append(&line, attempts.text);
    write_detail(l, CLASS_SAY_MAIL_ATTEMPTS, &line);
}

/* A path as it would be linked: what leads elsewhere is none of ours. */
static void write_report(const struct letter *l) {
    cleanup_text struct text link = {0}, line = {0};
    if (!class_append_link(&link, l->cell->report))
        return;
    class_text_foreign(&line, l->report->reports_at, MOST_SENTENCE);
    class_text_foreign(&line, l->cell->report, MOST_SENTENCE);
    write_detail(l, CLASS_SAY_MAIL_REPORT, &line);
}

static void write_exercise(const struct letter *l) {
    cleanup_text struct text title = {0};
    class_text_foreign(&title, class_exercise_title(l->exercise), MOST_NAME);
    if (class_is_set(l->exercise->title) && class_is_set(l->exercise->id)) {
        text_append(&title, WORDS(l->t.language, open_parenthesis));
        class_text_foreign(&title, l->exercise->id, MOST_NAME / 2);
        text_append(&title, WORDS(l->t.language, close_parenthesis));
    }
    text_printf(l->t.out, "\n%s\n", text_string(&title));
    text_append_repeated(l->t.out, '-', terminal_columns(text_string(&title)));
    text_append_char(l->t.out, '\n');
    write_points(l);
    if (class_has_flag(l->cell, CLASS_FLAG_EARLIER_ATTEMPT))
        write_said(l, CLASS_SAY_MAIL_NOTE, class_flag_string(CLASS_FLAG_EARLIER_ATTEMPT));
    write_reasons(l);
    write_deadline(l);
    write_commit(l);
    write_attempts(l);
    write_report(l);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void write_paragraph(const struct letter *l, const struct text *paragraph) {
    terminal_wrap_marked(&l->t, PEN_PLAIN, text_string(paragraph), paragraph->length, 0, 0);
}

static bool has_ungraded(const struct class_report *report, size_t student) {
    for (size_t i = 0; i < report->exercise_count; i++)
        if (!has_grade(class_cell_at(report, student, i)))
            return true;
    return false;
}

static void write_head(const struct letter *l, size_t number) {
    const struct class_student *student = &l->report->students[number];
    cleanup_text struct text name = {0}, id = {0}, made = {0}, line = {0};
    if (class_is_set(l->report->course)) {
        class_text_foreign(&line, l->report->course, WIDTH);
        write_paragraph(l, &line);
        text_clear(&line);
    }
    class_text_foreign(&name, class_student_name(student), MOST_NAME);
    class_text_foreign(&id, student->id, MOST_NAME);
    class_append_time(&made, l->report->made);
    class_fill(l->t.language, &line, made.length ? CLASS_SAY_MAIL_FOR : CLASS_SAY_MAIL_FOR_UNDATED,
               text_string(&name), text_string(&id), text_string(&made), NULL);
    write_paragraph(l, &line);
    if (student->max_total > 0) {
        text_clear(&line);
        text_append_char(l->t.out, '\n');
        class_fill(l->t.language, &line, CLASS_SAY_MAIL_TOTAL, decimal_points(student->total).text,
                   decimal_points(student->max_total).text, NULL);
        write_paragraph(l, &line);
        if (!has_ungraded(l->report, number))
            return;
        text_clear(&line);
        class_fill(l->t.language, &line, CLASS_SAY_MAIL_TOTAL_SO_FAR, NULL);
        write_paragraph(l, &line);
    }
}

void class_report_student(const struct class_report *report, size_t student, struct text *out) {
    struct letter l = {.t = {.out = out, .width = WIDTH, .language = report->language},
                       .report = report};
    write_head(&l, student);
    for (size_t i = 0; i < report->exercise_count; i++) {
        l.exercise = &report->exercises[i];
        l.cell = class_cell_at(report, student, i);
        write_exercise(&l);
    }
    if (class_is_set(report->late_policy)) {
        cleanup_text struct text policy = {0}, line = {0};
        class_text_foreign(&policy, report->late_policy, MOST_SENTENCE);
        class_fill(report->language, &line, CLASS_SAY_MAIL_POLICY, text_string(&policy), NULL);
        text_append_char(out, '\n');
        write_paragraph(&l, &line);
    }
}
