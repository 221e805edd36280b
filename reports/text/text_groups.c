/* The groups of cases: a line each, with a tick for every case that passed, and the points. Those
 * that passed in full share a line where others did not: what is lost is what there is to read
 * about. */
#include "reports/text/text_parts.h"

#include "reports/message.h"

#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <string.h>

enum {
    TICKS = 32,        /* more cases than this in a group are drawn as a bar ... */
    BAR = 20,          /* ... of this many blocks */
    WIDEST_GROUP = 40, /* columns of a group's name */
};

static bool in_group(const struct report_case *item, const struct report_group *group) {
    return item->group && group->name && strcmp(item->group, group->name) == 0;
}

static size_t group_cases(const struct report *report, const struct report_group *group) {
    size_t count = 0;
    for (size_t i = 0; i < report->case_count; i++)
        count += in_group(&report->cases[i], group);
    return count;
}

static unsigned drawing_columns(size_t cases) {
    return cases > TICKS ? BAR : (unsigned)cases;
}

static void draw_group(const struct terminal *t, const struct report *report,
                       const struct report_group *group, unsigned columns) {
    size_t cases = group_cases(report, group);
    unsigned drawn = drawing_columns(cases);
    if (cases > TICKS) {
        size_t full = group->passed_count * BAR / (group->case_count ? group->case_count : 1);
        for (size_t i = 0; i < BAR; i++)
            terminal_print(t, i < full ? PEN_GREEN : PEN_RED, i < full ? "\u2588" : "\u2591");
    } else {
        for (size_t i = 0; i < report->case_count; i++)
            if (in_group(&report->cases[i], group))
                terminal_print(t, text_case_verdict_pen(report->cases[i].verdict),
                               text_case_verdict_symbol(report->cases[i].verdict));
    }
    terminal_indent(t, columns > drawn ? columns - drawn : 0);
}

size_t text_points_width(double points) {
    cleanup_text struct text text = {0};
    report_append_points(&text, points);
    return text.length;
}

void text_points(const struct terminal *t, double points, size_t columns) {
    cleanup_text struct text text = {0};
    report_append_points(&text, points);
    terminal_printf(t, PEN_PLAIN, "%*s", (int)columns, text_string(&text));
}

/* The one case of a group, where it was not run and says why: speed, for a kernel that is wrong. */
static const struct report_case *find_unreached(const struct report *report,
                                                const struct report_group *group) {
    for (size_t i = 0; i < report->case_count; i++)
        if (in_group(&report->cases[i], group))
            return group->case_count == 1 && report->cases[i].verdict == VERDICT_SKIPPED &&
                           !report->cases[i].hazard_count
                       ? &report->cases[i]
                       : NULL;
    return NULL;
}

static const char *group_label(const struct terminal *t, const struct report_group *group) {
    return group->name ? message_group(t->language, group->name) : "";
}

/* Columns of the groups' table; " 7.5 of  30" has both numbers aligned. */
struct group_columns {
    size_t name, drawing, score, max_score;
};

static void print_group(const struct terminal *t, const struct report *report,
                        const struct report_group *group, const struct group_columns *columns) {
    terminal_indent(t, 2);
    terminal_cell(t, PEN_PLAIN, group_label(t, group),
                  (unsigned)number_min(columns->name, WIDEST_GROUP));
    terminal_indent(t, 2);
    draw_group(t, report, group, (unsigned)columns->drawing);
    terminal_indent(t, 2);
    text_points(t, group->score, columns->score);
    terminal_print(t, PEN_PLAIN, WORDS(t->language, points_of));
    text_points(t, group->max_score, columns->max_score);
    terminal_print(t, PEN_PLAIN, WORDS(t->language, points));
    const struct report_case *unreached = find_unreached(report, group);
    if (unreached) {
        size_t used = columns->name + columns->drawing + columns->score + columns->max_score + 20;
        terminal_indent(t, 3);
        terminal_wrap(t, PEN_DIM, unreached->message ? unreached->message : "", used, used);
    } else if (group->case_count) {
        terminal_printf(t, PEN_DIM, WORDS(t->language, cases_passed), group->passed_count,
                        group->case_count, text_plural(group->case_count));
    } else {
        terminal_print(t, PEN_DIM, WORDS(t->language, not_run));
    }
}

/* A case that waits for the others to pass is no news while one of them is wrong. */
static bool is_shown(const struct report *report, const struct report_group *group, bool verbose) {
    return verbose || !text_is_wrong(report) || !find_unreached(report, group);
}

static bool is_full(const struct report_group *group) {
    return group->case_count && group->passed_count == group->case_count &&
           group->score >= group->max_score;
}

/* Those that share a line: none where there is but one, or where all are. */
static size_t count_shared(const struct report *report, bool verbose) {
    size_t full = 0;
    for (size_t i = 0; i < report->group_count; i++)
        full += is_full(&report->groups[i]);
    return verbose || full < 2 || full == report->group_count ? 0 : full;
}

/* "  ✓ correctness, generated, speed: 50 of 50 points, all 10 cases passed" */
static void print_shared(const struct terminal *t, const struct report *report) {
    cleanup_text struct text line = {0};
    double points = 0;
    size_t cases = 0;
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        if (!is_full(group))
            continue;
        text_printf(&line, "%s%s", line.length ? WORDS(t->language, next_name) : "",
                    group_label(t, group));
        points += group->max_score;
        cases += group->case_count;
    }
    text_append(&line, WORDS(t->language, colon));
    report_append_score(&line, t->language, points, points);
    text_append(&line, WORDS(t->language, points));
    text_printf(&line, WORDS(t->language, all_passed), cases);
    terminal_printf(t, PEN_BOLD_GREEN, "  %s ", text_case_verdict_symbol(VERDICT_PASS));
    terminal_wrap(t, PEN_PLAIN, text_string(&line), 4, 4);
}

void text_groups(const struct terminal *t, const struct report *report, bool verbose) {
    struct group_columns columns = {0};
    bool shared = count_shared(report, verbose) > 0;
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        if (!is_shown(report, group, verbose) || (shared && is_full(group)))
            continue;
        columns.name = number_max(columns.name, terminal_columns(group_label(t, group)));
        columns.drawing = number_max(columns.drawing, drawing_columns(group_cases(report, group)));
        columns.score = number_max(columns.score, text_points_width(group->score));
        columns.max_score = number_max(columns.max_score, text_points_width(group->max_score));
    }
    for (size_t i = 0; i < report->group_count; i++)
        if (is_shown(report, &report->groups[i], verbose) &&
            !(shared && is_full(&report->groups[i])))
            print_group(t, report, &report->groups[i], &columns);
    if (shared)
        print_shared(t, report);
    if (report->cap_reason && *report->cap_reason) {
        terminal_print(t, PEN_BOLD_YELLOW, "  ! ");
        terminal_wrap(t, PEN_PLAIN, report->cap_reason, 4, 4);
    }
}
