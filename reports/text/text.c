/* The report for people. Order: the score and the one sentence that matters; the groups; the
 * finding to mend first, in full, and the others on a line each (text_findings.c); speed, where
 * nothing is wrong; and how to run it again. A tick stands where every case passed. With --verbose
 * everything is there in full.
 *
 * Every string may be a student's or a kernel's and goes through the terminal_* functions, which
 * escape it. */
#include "reports/text/text_parts.h"

#include "reports/hazards.h"
#include "reports/message.h"
#include "reports/protection.h"
#include "reports/writers.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    TICKS = 32,             /* more cases than this in a group are drawn as a bar ... */
    BAR = 20,               /* ... of this many blocks */
    WIDEST_GROUP = 40,      /* columns of a group's name */
    LONG_COMPILE_MS = 1000, /* where the compiler takes longer, the report says so */
};

bool text_is_failure(const struct report_case *item) {
    return item->verdict != VERDICT_PASS && item->verdict != VERDICT_SKIPPED;
}

bool text_is_wrong(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (text_is_failure(&report->cases[i]) && report->cases[i].verdict != VERDICT_TOO_SLOW)
            return true;
    return false;
}

static void print_points(const struct terminal *t, enum pen pen, double score, double max_score) {
    cleanup_text struct text points = {0};
    report_append_score(&points, t->language, score, max_score);
    terminal_printf(t, pen, "%s", text_string(&points));
}

static size_t skip_prefix(const char *string, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(string, prefix, length) == 0 ? length : 0;
}

/* The message without the score before and the cap after it, which stand in lines of their own. */
static void append_message(struct text *out, enum language language, const struct report *report) {
    const char *message = report->message ? report->message : "";
    cleanup_text struct text score = {0}, cap = {0};
    report_append_score(&score, language, report->score, report->max_score);
    text_append(&score, WORDS(language, colon));
    message += skip_prefix(message, text_string(&score));
    size_t length = strlen(message);
    if (report->cap_reason && *report->cap_reason)
        text_printf(&cap, "%s%s", WORDS(language, semicolon), report->cap_reason);
    if (cap.length && length > cap.length &&
        strcmp(message + length - cap.length, text_string(&cap)) == 0)
        length -= cap.length;
    text_append_bytes(out, message, length);
}

enum verdict text_overall_mark(const struct report *report) {
    if (!report->passed)
        return VERDICT_WRONG_ANSWER;
    bool complete = true;
    for (size_t i = 0; i < report->case_count; i++)
        complete &= report->cases[i].verdict == VERDICT_PASS;
    return complete ? VERDICT_PASS : VERDICT_TOO_SLOW;
}

static void print_title(const struct terminal *t, const struct report *report) {
    enum verdict mark = text_overall_mark(report);
    enum pen pen = text_case_verdict_pen(mark);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(mark));
    terminal_foreign(t, pen, report->file);
    terminal_print(t, pen, WORDS(t->language, colon));
    if (!report_was_graded(report)) {
        terminal_printf(t, pen, "%s\n", WORDS(t->language, not_graded));
        return;
    }
    print_points(t, pen, report->score, report->max_score);
    terminal_print(t, pen,
                   report->passed ? WORDS(t->language, points_passed)
                                  : WORDS(t->language, points_not_passed));
    if (!report->passed) {
        cleanup_text struct text needed = {0};
        report_append_points(&needed, report->pass_mark);
        terminal_printf(t, PEN_PLAIN, WORDS(t->language, points_needed), text_string(&needed));
    }
    text_append(t->out, "\n  ");
    terminal_foreign(t, PEN_DIM, report->exercise);
    if (report->title && *report->title) {
        terminal_print(t, PEN_DIM, WORDS(t->language, colon));
        terminal_foreign(t, PEN_DIM, report->title);
    }
    text_append_char(t->out, '\n');
}

static void print_head(const struct terminal *t, const struct report *report) {
    print_title(t, report);
    protection_warn(t, &report->protection);
    cleanup_text struct text message = {0};
    append_message(&message, t->language, report);
    if (message.length) {
        terminal_indent(t, 2);
        terminal_wrap(t, PEN_BOLD, text_string(&message), 2, 2);
    }
    if (report->verdict == VERDICT_INTERNAL_ERROR && report_was_graded(report)) {
        text_append(t->out, "  ");
        terminal_wrap(t, PEN_YELLOW, WORDS(t->language, internal_error), 2, 2);
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

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

static void print_groups(const struct terminal *t, const struct report *report, bool verbose) {
    struct group_columns columns = {0};
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        if (!is_shown(report, group, verbose))
            continue;
        columns.name = number_max(columns.name, terminal_columns(group_label(t, group)));
        columns.drawing = number_max(columns.drawing, drawing_columns(group_cases(report, group)));
        columns.score = number_max(columns.score, text_points_width(group->score));
        columns.max_score = number_max(columns.max_score, text_points_width(group->max_score));
    }
    for (size_t i = 0; i < report->group_count; i++)
        if (is_shown(report, &report->groups[i], verbose))
            print_group(t, report, &report->groups[i], &columns);
    if (report->cap_reason && *report->cap_reason) {
        terminal_print(t, PEN_BOLD_YELLOW, "  ! ");
        terminal_wrap(t, PEN_PLAIN, report->cap_reason, 4, 4);
    }
}

/* ---- cases that pass, and speed -------------------------------------------------------------- */

static void print_passing(const struct terminal *t, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (text_is_failure(item) || item->speed.present)
            continue;
        text_append_char(t->out, '\n');
        text_case_title(t, item);
        text_case_details(t, item, true);
    }
}

/* What a right kernel can still gain stands here. A wrong one has better things to read. */
static bool print_speed(const struct terminal *t, const struct report *report, bool verbose) {
    bool any = false;
    if (!verbose && text_is_wrong(report))
        return false;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!item->speed.present)
            continue;
        text_append_char(t->out, '\n');
        text_case_title(t, item);
        if (verbose)
            text_case_details(t, item, true);
        text_speed(t, item, report->source, report->source_length, verbose);
        any = true;
    }
    return any;
}

/* ---- the foot -------------------------------------------------------------------------------- */

void text_append_word(struct text *out, const char *word) {
    bool safe = *word != '\0';
    for (const char *c = word; *c && safe; c++)
        safe = isalnum((unsigned char)*c) || strchr("_./-+,:@%", *c) || (unsigned char)*c >= 0x80;
    if (safe) {
        text_append(out, word);
        return;
    }
    text_append_char(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            text_append(out, "'\\''");
        else
            text_append_char(out, *word);
    text_append_char(out, '\'');
}

static void print_again(const struct terminal *t, const struct report *report) {
    if (!report->exercise || !report->file || report->build_message || !report_was_graded(report))
        return;
    cleanup_text struct text command = {0};
    text_append(&command, "warpgrade grade -e ");
    text_append_word(&command, report->exercise);
    text_printf(&command, " --seed %" PRIu64, report->seed);
    for (size_t i = 0; i < report->case_count; i++)
        if (text_is_failure(&report->cases[i]) && report->cases[i].name) {
            text_append(&command, " --cases ");
            text_append_word(&command, report->cases[i].name);
            break;
        }
    text_append(&command, report->file[0] == '-' ? " ./" : " "); /* else it is an option */
    text_append_word(&command, report->file);
    hazards_detail_label(t, WORDS(t->language, label_again));
    terminal_foreign(t, PEN_CYAN, text_string(&command));
    text_append_char(t->out, '\n');
}

static void print_engine(const struct terminal *t, const struct report *report) {
    cleanup_text struct text with = {0};
    text_append(&with, report->engine ? report->engine : "");
    if (report->compiler && *report->compiler)
        text_printf(&with, "%s%s", with.length ? ", " : "", report->compiler);
    text_printf(&with, "%s", with.length ? ", " : "");
    text_printf(&with, WORDS(t->language, seed), report->seed);
    if (report->constant_count) {
        text_append(&with, ", ");
        text_case_append_sizes(&with, report->constants, report->constant_count);
    }
    if (report->compile_ms > LONG_COMPILE_MS)
        text_printf(&with, WORDS(t->language, compiler_took), report->compile_ms / 1000,
                    report->wall_ms / 1000);
    else if (report->wall_ms > 0)
        text_printf(&with, WORDS(t->language, seconds), report->wall_ms / 1000);
    hazards_detail_label(t, WORDS(t->language, label_engine));
    terminal_wrap(t, PEN_DIM, text_string(&with), DETAIL_INDENT, DETAIL_INDENT);
}

/* Where more is said: the page of the finding, and this report in full. */
static void print_more(const struct terminal *t, const struct report *report) {
    const char *page = text_findings_page(report);
    hazards_detail_label(t, WORDS(t->language, label_more));
    if (page)
        terminal_printf(t, PEN_CYAN, "warpgrade explain %s", page);
    terminal_print(t, PEN_DIM, page ? WORDS(t->language, semicolon) : "");
    terminal_print(t, PEN_DIM, WORDS(t->language, verbose_has_all));
}

static void print_foot(const struct terminal *t, const struct report *report, bool verbose) {
    bool full = report->passed && report->score >= report->max_score;
    if (!verbose && !full)
        print_more(t, report);
    if (verbose || full || report->compile_ms > LONG_COMPILE_MS)
        print_engine(t, report);
    if (verbose || !protection_is_full(&report->protection))
        protection_row(t, &report->protection);
    if (!full)
        print_again(t, report);
}

static void print_report(const struct terminal *t, const struct report *report, bool verbose) {
    print_head(t, report);
    print_groups(t, report, verbose);
    bool open = text_findings(t, report, verbose);
    if (verbose)
        print_passing(t, report);
    if (print_speed(t, report, verbose) || !open)
        text_append_char(t->out, '\n');
    print_foot(t, report, verbose);
}

enum status report_write_text(const struct report *const *reports, size_t count,
                              const struct report_options *options, struct text *out,
                              struct error *error) {
    (void)error; /* writing into memory does not fail */
    struct terminal t = {.out = out,
                         .color = options && options->color,
                         .width = options && options->width ? options->width : TERMINAL_WIDTH};
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_append_char(out, '\n');
        t.language = language_from_name(reports[i]->language);
        print_report(&t, reports[i], options && options->verbose);
    }
    if (count > 1)
        text_summary(&t, reports, count);
    return STATUS_OK;
}
