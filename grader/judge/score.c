/* Scoring; score.h states the rules. Pure: the same verdicts give the same points and words.
 *
 * The message gathers failing cases by what a student has to fix, that is by verdict, hazard and
 * line, so that one mistake that shows in nine cases is one phrase. */
#include "grader/judge/score.h"

#include "reports/message.h"

#include "grader/exercise/threshold.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PHRASES = 3, MAX_NAMES = 3 };

const struct hazard *score_main_hazard(const struct report_case *the_case) {
    for (size_t i = 0; i < the_case->hazard_count; i++)
        if (the_case->hazards[i].severity == SEVERITY_ERROR)
            return &the_case->hazards[i];
    return NULL;
}

static bool in_group(const struct report_case *the_case, enum case_group group) {
    return strcmp(the_case->group, case_group_names[group]) == 0;
}

/* The thresholds have points of their own. Where they were not decided because the kernel did not
 * get that far, all of them are lost; where no engine may decide them, they do not count. */
static void score_speed(const struct exercise *exercise, bool full, struct report_case *the_case) {
    the_case->max_score = exercise->points[GROUP_SPEED];
    the_case->score = full ? the_case->max_score : 0;
    if (the_case->speed.present && !full)
        threshold_points(&the_case->speed, &the_case->score, &the_case->max_score);
}

static void score_groups(const struct exercise *exercise, const size_t group_totals[GROUP_COUNT],
                         bool full_speed, struct report *report) {
    size_t capacity = 0;
    report->score = report->max_score = 0;
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        if (group_totals[g] == 0)
            continue;
        struct report_group group = {0};
        double share = exercise->points[g] / (double)group_totals[g], score = 0, max_score = 0;
        for (size_t i = 0; i < report->case_count; i++) {
            struct report_case *the_case = &report->cases[i];
            if (!in_group(the_case, (enum case_group)g))
                continue;
            the_case->max_score = share;
            the_case->score = the_case->verdict == VERDICT_PASS ? share : 0;
            if (g == GROUP_SPEED)
                score_speed(exercise, full_speed, the_case);
            score += the_case->score;
            max_score += the_case->max_score;
            group.case_count++;
            group.passed_count += the_case->verdict == VERDICT_PASS;
        }
        if (group.case_count == 0)
            continue;
        /* Not a sum of shares: all of three thirds must be exactly the whole. */
        double total = (double)group_totals[g];
        group.max_score = exercise->points[g] * (double)group.case_count / total;
        group.score = exercise->points[g] * (double)group.passed_count / total;
        if (g == GROUP_SPEED) {
            group.score = score;
            group.max_score = max_score;
        }
        group.name = mem_strdup(case_group_names[g]);
        *mem_push(&report->groups, &report->group_count, &capacity) = group;
        report->score += group.score;
        report->max_score += group.max_score;
    }
}

/* A speed case that is too slow is right, one that was not run decides nothing, and what failed in
 * us is no fault of the submission. Of the other groups only what passed was shown to be right. */
static bool is_right(const struct report_case *the_case) {
    enum verdict verdict = the_case->verdict;
    bool undecided = verdict == VERDICT_SKIPPED || verdict == VERDICT_INTERNAL_ERROR;
    return verdict == VERDICT_PASS ||
           (in_group(the_case, GROUP_SPEED) && (verdict == VERDICT_TOO_SLOW || undecided));
}

/* Whether the case is a reason for the gate to apply. */
static bool closes(const struct exercise_gate *gate, const struct report_case *the_case) {
    switch (gate->condition) {
    case GATE_HAZARD:
        return the_case->verdict == VERDICT_HAZARD || the_case->verdict == VERDICT_CRASH;
    case GATE_ESSENTIAL:
        return the_case->essential && the_case->verdict != VERDICT_PASS;
    case GATE_RIGHT:
        return !is_right(the_case);
    default:
        return in_group(the_case, (enum case_group)gate->condition) &&
               the_case->verdict != VERDICT_PASS;
    }
}

static size_t count_closing(const struct exercise_gate *gate, const struct report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->case_count; i++)
        count += closes(gate, &report->cases[i]);
    return count;
}

static enum language language_of(const struct report *report) {
    return language_from_name(report->language);
}

/* "the essential cases tail, empty and 3 more fail" */
static void append_closing(const struct exercise_gate *gate, const struct report *report,
                           size_t count, struct text *out) {
    enum language language = language_of(report);
    size_t named = 0;
    text_printf(out,
                gate->condition == GATE_ESSENTIAL ? WORDS(language, the_essential_cases)
                                                  : WORDS(language, the_cases),
                text_plural(count));
    for (size_t i = 0; i < report->case_count && named < MAX_NAMES; i++)
        if (closes(gate, &report->cases[i])) {
            bool last = ++named == count;
            text_printf(out, "%s %s",
                        named == 1 ? ""
                        : last     ? WORDS(language, and_name)
                                   : ",",
                        report->cases[i].name);
        }
    if (named < count)
        text_printf(out, WORDS(language, and_more_cases), count - named);
    text_append(out, count == 1 ? WORDS(language, one_fails) : WORDS(language, several_fail));
}

static void append_condition(const struct exercise_gate *gate, const struct report *report,
                             size_t count, struct text *out) {
    enum language language = language_of(report);
    if (gate->condition == GATE_HAZARD)
        text_append(out, WORDS(language, a_case_has_a_hazard));
    else if (gate->condition < GATE_GROUPS)
        text_printf(out, WORDS(language, not_every_case),
                    message_group(language, case_group_names[gate->condition]));
    else
        append_closing(gate, report, count, out);
}

static void apply_gates(const struct exercise *exercise, struct report *report) {
    for (size_t i = 0; i < exercise->gate_count; i++) {
        const struct exercise_gate *gate = &exercise->gates[i];
        double cap = report->max_score * gate->cap_percent / 100;
        size_t count = count_closing(gate, report);
        if (report->score <= cap || count == 0)
            continue;
        enum language language = language_of(report);
        cleanup_text struct text reason = {0}, points = {0}, condition = {0};
        report_append_score(&points, language, cap, report->max_score);
        append_condition(gate, report, count, &condition);
        text_printf(&reason, WORDS(language, at_most_while), text_string(&points),
                    text_string(&condition));
        report->score = report->cap = cap;
        free(report->cap_reason);
        report->cap_reason = text_steal(&reason);
    }
}

/* Thresholds that cannot be decided here are no fault of the submission. */
static bool is_undecided_speed(const struct report_case *the_case) {
    return the_case->speed.present && the_case->verdict == VERDICT_SKIPPED;
}

static enum verdict worst_verdict(const struct report *report) {
    enum verdict worst = report->build_message ? VERDICT_COMPILE_ERROR : VERDICT_PASS;
    for (size_t i = 0; i < report->case_count; i++)
        if (verdict_infos[report->cases[i].verdict].severity > verdict_infos[worst].severity &&
            !is_undecided_speed(&report->cases[i]))
            worst = report->cases[i].verdict;
    return worst;
}

/* ---- the message --------------------------------------------------------------------------- */

/* Two cases have the same problem when the student has one thing to fix. */
static bool same_problem(const struct report_case *a, const struct report_case *b) {
    if (a->verdict != b->verdict)
        return false;
    if (a->verdict == VERDICT_WRONG_ANSWER || a->verdict == VERDICT_SKIPPED)
        return true;
    const struct hazard *x = score_main_hazard(a), *y = score_main_hazard(b);
    if (!x || !y)
        return !x && !y;
    return x->kind == y->kind && x->line == y->line && strcmp(x->file, y->file) == 0;
}

static void append_problem(const struct report_case *the_case, enum language language,
                           struct text *out) {
    const struct hazard *hazard =
        the_case->verdict == VERDICT_WRONG_ANSWER ? NULL : score_main_hazard(the_case);
    if (the_case->verdict == VERDICT_TIME_LIMIT)
        text_append(out,
                    hazard ? WORDS(language, does_not_end) : WORDS(language, does_not_end_in_time));
    else
        text_append(out, hazard ? hazard_infos[hazard->kind].name
                                : report_case_verdict(language, the_case));
    if (hazard && hazard->line)
        text_printf(out, WORDS(language, at_line), hazard->line);
}

/* "; wrong answer in 3 boundary cases": the problem of case `first` and of all that share it. */
static void append_phrase(const struct report *report, size_t first, struct text *out) {
    enum language language = language_of(report);
    const struct report_case *leader = &report->cases[first];
    if (leader->speed.present && leader->message) {
        text_printf(out, "%s%s%s%s", WORDS(language, semicolon),
                    report_case_verdict(language, leader), WORDS(language, colon), leader->message);
        return;
    }
    size_t count = 0;
    bool one_group = true;
    for (size_t i = first; i < report->case_count; i++)
        if (same_problem(leader, &report->cases[i])) {
            count++;
            one_group &= strcmp(report->cases[i].group, leader->group) == 0;
        }
    text_append(out, WORDS(language, semicolon));
    append_problem(leader, language, out);
    text_printf(out, WORDS(language, in_count_cases), count,
                one_group ? message_group(language, leader->group) : "", one_group ? " " : "",
                text_plural(count));
    if (leader->verdict == VERDICT_SKIPPED && leader->message && !score_main_hazard(leader))
        text_printf(out, "%s%s%s", WORDS(language, open_parenthesis), leader->message,
                    WORDS(language, close_parenthesis));
}

static bool is_wrong(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (verdict_infos[report->cases[i].verdict].severity >
            verdict_infos[VERDICT_TOO_SLOW].severity)
            return true;
    return false;
}

/* That speed does not count for a wrong kernel is no problem of its own, and how fast it is is of
 * no interest. */
static bool is_no_problem_yet(const struct report *report, const struct report_case *the_case) {
    if (!in_group(the_case, GROUP_SPEED))
        return false;
    return the_case->verdict == VERDICT_SKIPPED ||
           (the_case->verdict == VERDICT_TOO_SLOW && is_wrong(report));
}

static bool is_first_of_its_problem(const struct report *report, size_t index) {
    if (report->cases[index].verdict == VERDICT_PASS ||
        is_no_problem_yet(report, &report->cases[index]))
        return false;
    for (size_t i = 0; i < index; i++)
        if (same_problem(&report->cases[i], &report->cases[index]))
            return false;
    return true;
}

static void append_problems(const struct report *report, struct text *out) {
    size_t problems = 0;
    for (size_t i = 0; i < report->case_count; i++)
        if (is_first_of_its_problem(report, i) && ++problems <= MAX_PHRASES)
            append_phrase(report, i, out);
    if (problems > MAX_PHRASES)
        text_printf(out, WORDS(language_of(report), and_more_problems), problems - MAX_PHRASES,
                    problems == MAX_PHRASES + 1 ? "" : "s");
}

/* A speed case that passes, but could give more. */
static void append_part(const struct report *report, struct text *out) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *the_case = &report->cases[i];
        if (!the_case->speed.present || the_case->verdict != VERDICT_PASS || !the_case->message)
            continue;
        enum language language = language_of(report);
        text_append(out, WORDS(language, semicolon));
        report_append_score(out, language, the_case->score, the_case->max_score);
        text_printf(out, WORDS(language, points_for_speed), the_case->message);
    }
}

static void append_warnings(const struct report *report, struct text *out) {
    size_t cases = 0;
    const struct hazard *first = NULL;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *the_case = &report->cases[i];
        if (the_case->verdict != VERDICT_PASS || the_case->hazard_count == 0)
            continue;
        cases++;
        first = first ? first : &the_case->hazards[0];
    }
    if (!first)
        return;
    enum language language = language_of(report);
    text_printf(out, WORDS(language, warning_of), hazard_infos[first->kind].name);
    if (first->line)
        text_printf(out, WORDS(language, at_line), first->line);
    text_printf(out, WORDS(language, in_count_cases), cases, "", "", text_plural(cases));
}

static char *make_message(const struct report *report, size_t planned) {
    enum language language = language_of(report);
    struct text out = {0};
    report_append_score(&out, language, report->score, report->max_score);
    text_append(&out, WORDS(language, colon));
    if (report->build_message) {
        text_append(&out, report->build_message);
        return text_steal(&out);
    }
    size_t passed = 0;
    for (size_t i = 0; i < report->case_count; i++)
        passed += report->cases[i].verdict == VERDICT_PASS;
    if (passed == report->case_count)
        text_printf(
            &out, passed == 1 ? WORDS(language, the_case_passes) : WORDS(language, all_cases_pass),
            passed);
    else
        text_printf(&out, WORDS(language, cases_pass), passed, report->case_count);
    if (report->case_count < planned)
        text_printf(&out, WORDS(language, selected_from), planned);
    append_problems(report, &out);
    if (!is_wrong(report))
        append_part(report, &out);
    append_warnings(report, &out);
    if (report->cap_reason)
        text_printf(&out, "%s%s", WORDS(language, semicolon), report->cap_reason);
    return text_steal(&out);
}

static void score_total(const struct exercise *exercise, const size_t group_totals[GROUP_COUNT],
                        bool full_speed, struct report *report) {
    score_groups(exercise, group_totals, full_speed, report);
    apply_gates(exercise, report);
    report->pass_mark = report->max_score * exercise->pass_mark_percent / 100;
    report->verdict = worst_verdict(report);
    /* The slack is for decimal percentages, not for points. */
    report->passed = report->max_score > 0 && report->score >= report->pass_mark - 1e-9 &&
                     !report->build_message;
}

void score_report(const struct exercise *exercise, const size_t group_totals[GROUP_COUNT],
                  struct report *report) {
    size_t planned = 0;
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        planned += group_totals[g];
    score_total(exercise, group_totals, false, report);
    free(report->message);
    report->message = make_message(report, planned);
}

void score_best(const struct exercise *exercise, const size_t group_totals[GROUP_COUNT],
                struct report *report) {
    score_total(exercise, group_totals, true, report);
}

void score_forget(struct report *report) {
    for (size_t i = 0; i < report->group_count; i++)
        free(report->groups[i].name);
    free(report->groups);
    free(report->cap_reason);
    report->groups = NULL;
    report->cap_reason = NULL;
    report->group_count = 0;
    report->cap = 0;
}
