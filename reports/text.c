/* The report for people. Order: the score and the one sentence that matters; the groups; what the
 * compiler said; the hazards, each once however many cases it hit; the cases that failed, the first
 * ones in full; and how to run it again. A tick stands where every case passed.
 *
 * Every string may be a student's or a kernel's and goes through the terminal_* functions, which
 * escape it. */
#include "reports/hazards.h"
#include "reports/protection.h"
#include "reports/text_case.h"
#include "reports/writers.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    TICKS = 32,        /* more cases than this in a group are drawn as a bar ... */
    BAR = 20,          /* ... of this many blocks */
    FULL_CASES = 3,    /* failing cases reported in full ... */
    LISTED_CASES = 20, /* ... and on one line each */
    FULL_ERRORS = 8,   /* compiler diagnostics with their excerpt */
    FULL_WARNINGS = 3, /* and those of a submission that compiles */
    FULL_HAZARDS = 12, /* hazards reported in full */
    SUMMARY_COLUMNS = 40,
    TOLD_COMPILE_MS = 1000, /* where the compiler takes longer, the report says so */
};

static bool is_failure(const struct report_case *item) {
    return item->verdict != VERDICT_PASS && item->verdict != VERDICT_SKIPPED;
}

static void print_points(const struct terminal *t, enum pen pen, double score, double max_score) {
    cleanup_text struct text points = {0};
    report_append_points(&points, score);
    text_append(&points, " of ");
    report_append_points(&points, max_score);
    terminal_printf(t, pen, "%s", text_string(&points));
}

/* The message without the score before and the cap after it, which stand in lines of their own. */
static void append_message(struct text *out, const struct report *report) {
    const char *message = report->message ? report->message : "";
    cleanup_text struct text score = {0};
    report_append_points(&score, report->score);
    text_append(&score, " of ");
    report_append_points(&score, report->max_score);
    text_append(&score, ": ");
    if (strncmp(message, text_string(&score), score.length) == 0)
        message += score.length;
    size_t length = strlen(message);
    const char *cap = report->cap_reason ? report->cap_reason : "";
    size_t cap_length = strlen(cap);
    if (cap_length && length > cap_length + 2 && strcmp(message + length - cap_length, cap) == 0 &&
        strncmp(message + length - cap_length - 2, "; ", 2) == 0)
        length -= cap_length + 2;
    text_append_bytes(out, message, length);
}

/* How the submission as a whole is marked: the green tick is for one that passes in every case, and
 * one that passes although it is too slow, say, takes the mark of that. */
static enum verdict overall_mark(const struct report *report) {
    if (!report->passed)
        return VERDICT_WRONG_ANSWER;
    bool complete = true;
    for (size_t i = 0; i < report->case_count; i++)
        complete &= report->cases[i].verdict == VERDICT_PASS;
    return complete ? VERDICT_PASS : VERDICT_TOO_SLOW;
}

static void print_head(const struct terminal *t, const struct report *report) {
    enum verdict mark = overall_mark(report);
    enum pen pen = text_case_verdict_pen(mark);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(mark));
    terminal_foreign(t, pen, report->file);
    terminal_print(t, pen, ": ");
    print_points(t, pen, report->score, report->max_score);
    terminal_print(t, pen, report->passed ? " points, passed" : " points, not passed");
    if (!report->passed) {
        cleanup_text struct text needed = {0};
        report_append_points(&needed, report->pass_mark);
        terminal_printf(t, PEN_PLAIN, " (%s needed)", text_string(&needed));
    }
    text_append(t->out, "\n  ");
    terminal_foreign(t, PEN_DIM, report->exercise);
    if (report->title && *report->title) {
        terminal_print(t, PEN_DIM, ": ");
        terminal_foreign(t, PEN_DIM, report->title);
    }
    text_append_char(t->out, '\n');
    protection_warn(t, &report->protection);
    cleanup_text struct text message = {0};
    append_message(&message, report);
    if (message.length) {
        text_append(t->out, "\n  ");
        terminal_wrap(t, PEN_BOLD, text_string(&message), 2, 2);
    }
    if (report->verdict == VERDICT_INTERNAL_ERROR) {
        text_append(t->out, "  ");
        terminal_wrap(t, PEN_YELLOW, verdict_infos[VERDICT_INTERNAL_ERROR].summary, 2, 2);
    }
}

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

/* "  7.5 of  30" with both numbers aligned over the groups. */
struct point_columns {
    size_t score, max_score;
};

static size_t points_width(double points) {
    cleanup_text struct text text = {0};
    report_append_points(&text, points);
    return text.length;
}

static void print_right(const struct terminal *t, double points, size_t columns) {
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

static void print_groups(const struct terminal *t, const struct report *report) {
    size_t name_columns = 0, drawing = 0;
    struct point_columns points = {0};
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        name_columns = number_max(name_columns, terminal_columns(group->name ? group->name : ""));
        drawing = number_max(drawing, drawing_columns(group_cases(report, group)));
        points.score = number_max(points.score, points_width(group->score));
        points.max_score = number_max(points.max_score, points_width(group->max_score));
    }
    if (report->group_count)
        text_append_char(t->out, '\n');
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        terminal_indent(t, 2);
        terminal_cell(t, PEN_PLAIN, group->name ? group->name : "",
                      (unsigned)(name_columns < 40 ? name_columns : 40));
        terminal_indent(t, 2);
        draw_group(t, report, group, (unsigned)drawing);
        terminal_indent(t, 2);
        print_right(t, group->score, points.score);
        text_append(t->out, " of ");
        print_right(t, group->max_score, points.max_score);
        text_append(t->out, " points");
        const struct report_case *unreached = find_unreached(report, group);
        if (unreached) {
            terminal_print(t, PEN_DIM, "   ");
            terminal_foreign(t, PEN_DIM, unreached->message);
            text_append_char(t->out, '\n');
        } else if (group->case_count) {
            terminal_printf(t, PEN_DIM, "   %zu of %zu case%s passed\n", group->passed_count,
                            group->case_count, text_plural(group->case_count));
        } else {
            terminal_print(t, PEN_DIM, "   not run\n");
        }
    }
    if (report->cap_reason && *report->cap_reason) {
        terminal_print(t, PEN_BOLD_YELLOW, "  ! ");
        terminal_wrap(t, PEN_PLAIN, report->cap_reason, 4, 4);
    }
}

static void print_diagnostics(const struct terminal *t, const struct report *report, bool verbose) {
    bool failed = report->build_message != NULL;
    size_t most = verbose ? report->diagnostic_count : failed ? FULL_ERRORS : FULL_WARNINGS;
    size_t shown = 0;
    for (size_t i = 0; i < report->diagnostic_count && shown < most; i++, shown++) {
        text_append_char(t->out, '\n');
        report_diagnostic(t, &report->diagnostics[i], report->file, report->source,
                          report->source_length);
    }
    if (shown < report->diagnostic_count)
        terminal_printf(t, PEN_DIM, "\n  ... and %zu more from the compiler\n",
                        report->diagnostic_count - shown);
    if (!failed)
        return;
    bool said = report->message && strstr(report->message, report->build_message);
    if (!said) {
        text_append(t->out, "\n  ");
        terminal_wrap(t, PEN_PLAIN, report->build_message, 2, 2);
    }
    if (report->build_hint && *report->build_hint) {
        text_append_char(t->out, '\n');
        hazards_detail_label(t, "\u2192 hint");
        terminal_wrap(t, PEN_PLAIN, report->build_hint, DETAIL_INDENT, DETAIL_INDENT);
    }
}

static void print_hazards(const struct terminal *t, const struct report *report, bool verbose) {
    struct merged_hazard *list;
    size_t count, ran = 0;
    hazards_merge(report, &list, &count);
    cleanup_free struct merged_hazard *merged = list;
    for (size_t i = 0; i < report->case_count; i++)
        ran += report->cases[i].verdict != VERDICT_SKIPPED;
    size_t most = verbose || count < FULL_HAZARDS ? count : FULL_HAZARDS;
    for (size_t i = 0; i < most; i++) {
        text_append_char(t->out, '\n');
        hazards_print(t, &merged[i], ran, report->file, report->source, report->source_length);
    }
    if (most < count)
        terminal_printf(t, PEN_DIM, "\n  ... and %zu more hazards\n", count - most);
    for (size_t i = most; i < count; i++)
        if (merged[i].hint) {
            hazards_detail_label(t, "\u2192 hint");
            terminal_wrap(t, PEN_PLAIN, merged[i].hint, DETAIL_INDENT, DETAIL_INDENT);
        }
}

/* What the compiler said of the whole submission; of a card's code the case's message says it. */
static bool is_of_the_build(const struct report_case *item) {
    return item->verdict == VERDICT_COMPILE_ERROR && !item->found_on_card;
}

/* A case that the compiler or a hazard explains already needs no block of its own. */
static bool is_explained(const struct report_case *item) {
    if (is_of_the_build(item) || item->speed.present)
        return true;
    return item->hazard_count && item->verdict != VERDICT_WRONG_ANSWER &&
           item->verdict != VERDICT_TOO_SLOW && !item->difference.present && !item->printed;
}

/* The exercise's hints come with every case; each is reported once, with a hazard where one decides
 * the verdict. */
static bool is_new_hint(const struct report *report, size_t index) {
    const char *hint = report->cases[index].hint;
    for (size_t i = 0; i < report->case_count && hint; i++)
        if ((i < index || hazards_decide(&report->cases[i])) && report->cases[i].hint &&
            strcmp(report->cases[i].hint, hint) == 0)
            return false;
    return hint && *hint;
}

static void print_hints(const struct terminal *t, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        if (!is_explained(&report->cases[i]) || report->cases[i].speed.present ||
            !is_new_hint(report, i))
            continue;
        text_append_char(t->out, '\n');
        hazards_detail_label(t, "\u2192 hint");
        terminal_wrap(t, PEN_PLAIN, report->cases[i].hint, DETAIL_INDENT, DETAIL_INDENT);
    }
}

static void print_details(const struct terminal *t, const struct report *report, size_t index,
                          bool verbose) {
    struct report_case item = report->cases[index];
    if (!verbose && !is_new_hint(report, index))
        item.hint = NULL;
    text_append_char(t->out, '\n');
    text_case_title(t, &item);
    text_case_details(t, &item, verbose);
}

/* Whether a case reported in full before says the same, as when the reference itself fails. */
static bool is_repetition(const struct report *report, const bool *reported, size_t index) {
    const struct report_case *item = &report->cases[index];
    for (size_t i = 0; i < index && !item->difference.present && item->message; i++)
        if (reported[i] && report->cases[i].verdict == item->verdict && report->cases[i].message &&
            strcmp(report->cases[i].message, item->message) == 0)
            return true;
    return false;
}

static bool is_listed(const struct report *report, const bool *reported, size_t index) {
    const struct report_case *item = &report->cases[index];
    return is_failure(item) && !item->speed.present && !is_of_the_build(item) && !reported[index];
}

static void print_list(const struct terminal *t, const struct report *report, const bool *reported,
                       const char *title) {
    struct case_columns columns = {0};
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < report->case_count; i++)
        if (is_listed(report, reported, i)) {
            text_case_columns_fit(&columns, &report->cases[i]);
            count++;
        }
    if (!count)
        return;
    text_append(t->out, "\n  ");
    terminal_printf(t, PEN_DIM, "%s\n", title);
    for (size_t i = 0; i < report->case_count && shown < LISTED_CASES; i++)
        if (is_listed(report, reported, i)) {
            text_case_line(t, &report->cases[i], &columns);
            shown++;
        }
    if (shown < count)
        terminal_printf(t, PEN_DIM, "  ... and %zu more; `--report json=FILE` has them all\n",
                        count - shown);
}

static void print_failures(const struct terminal *t, const struct report *report, bool verbose) {
    cleanup_free bool *reported = mem_calloc(report->case_count, sizeof *reported);
    size_t full = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!is_failure(item) || is_explained(item))
            continue;
        if (!verbose && !item->cause.present &&
            (full >= FULL_CASES || is_repetition(report, reported, i)))
            continue;
        reported[i] = true;
        full++;
        print_details(t, report, i, verbose);
    }
    print_list(t, report, reported, full ? "also failing" : "failing");
}

static void print_passing(const struct terminal *t, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        if (is_failure(&report->cases[i]) || report->cases[i].speed.present)
            continue;
        print_details(t, report, i, true);
    }
}

/* Always in full: what a right kernel can still gain stands here. */
static void print_speed(const struct terminal *t, const struct report *report, bool verbose) {
    for (size_t i = 0; i < report->case_count; i++) {
        struct report_case item = report->cases[i];
        if (!item.speed.present)
            continue;
        const char *hint = item.hint;
        item.hint = NULL;
        text_append_char(t->out, '\n');
        text_case_title(t, &item);
        text_case_details(t, &item, verbose);
        text_speed(t, &item, report->source, report->source_length);
        if (hint && is_new_hint(report, i)) {
            hazards_detail_label(t, "\u2192 hint");
            terminal_wrap(t, PEN_PLAIN, hint, DETAIL_INDENT, DETAIL_INDENT);
        }
    }
}

/* A shell word: as it is where that is safe, else in single quotes. */
static void append_word(struct text *out, const char *word) {
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
    if (!report->exercise || !report->file || report->build_message)
        return;
    cleanup_text struct text command = {0};
    text_append(&command, "warpgrade grade -e ");
    append_word(&command, report->exercise);
    text_printf(&command, " --seed %" PRIu64, report->seed);
    for (size_t i = 0; i < report->case_count; i++)
        if (is_failure(&report->cases[i]) && report->cases[i].name) {
            text_append(&command, " --cases ");
            append_word(&command, report->cases[i].name);
            break;
        }
    text_append(&command, report->file[0] == '-' ? " ./" : " "); /* else it is an option */
    append_word(&command, report->file);
    hazards_detail_label(t, "again");
    terminal_foreign(t, PEN_CYAN, text_string(&command));
    text_append_char(t->out, '\n');
}

static void print_foot(const struct terminal *t, const struct report *report, bool verbose) {
    text_append_char(t->out, '\n');
    cleanup_text struct text with = {0};
    text_append(&with, report->engine ? report->engine : "");
    if (report->compiler && *report->compiler)
        text_printf(&with, "%s%s", with.length ? ", " : "", report->compiler);
    text_printf(&with, "%sseed %" PRIu64, with.length ? ", " : "", report->seed);
    if (report->constant_count) {
        text_append(&with, ", ");
        text_case_append_sizes(&with, report->constants, report->constant_count);
    }
    if (report->compile_ms > TOLD_COMPILE_MS)
        text_printf(&with, ", the compiler took %.1f s of %.1f s", report->compile_ms / 1000,
                    report->wall_ms / 1000);
    else if (report->wall_ms > 0)
        text_printf(&with, ", %.2f s", report->wall_ms / 1000);
    hazards_detail_label(t, "engine");
    terminal_wrap(t, PEN_DIM, text_string(&with), DETAIL_INDENT, DETAIL_INDENT);
    if (verbose || !protection_is_full(&report->protection))
        protection_row(t, &report->protection);
    if (!report->passed || report->score < report->max_score)
        print_again(t, report);
}

static void print_report(const struct terminal *t, const struct report *report, bool verbose) {
    print_head(t, report);
    print_groups(t, report);
    print_diagnostics(t, report, verbose);
    print_hazards(t, report, verbose);
    print_hints(t, report);
    print_failures(t, report, verbose);
    if (verbose)
        print_passing(t, report);
    print_speed(t, report, verbose);
    print_foot(t, report, verbose);
}

static void print_summary(const struct terminal *t, const struct report *const *reports,
                          size_t count) {
    size_t file_columns = 0, exercise_columns = 0, passed = 0;
    struct point_columns points = {0};
    for (size_t i = 0; i < count; i++) {
        file_columns = number_max(file_columns, terminal_columns(reports[i]->file ?: ""));
        exercise_columns =
            number_max(exercise_columns, terminal_columns(reports[i]->exercise ?: ""));
        points.score = number_max(points.score, points_width(reports[i]->score));
        points.max_score = number_max(points.max_score, points_width(reports[i]->max_score));
        passed += reports[i]->passed;
    }
    unsigned files = (unsigned)(file_columns < SUMMARY_COLUMNS ? file_columns : SUMMARY_COLUMNS);
    unsigned exercises = (unsigned)(exercise_columns < 30 ? exercise_columns : 30);
    terminal_printf(t, PEN_BOLD, "\n%zu submissions: %zu passed, %zu did not\n\n", count, passed,
                    count - passed);
    for (size_t i = 0; i < count; i++) {
        const struct report *report = reports[i];
        enum verdict mark = overall_mark(report);
        terminal_printf(t, text_case_verdict_pen(mark), "  %s ", text_case_verdict_symbol(mark));
        terminal_path_cell(t, PEN_PLAIN, report->file ?: "", files);
        terminal_indent(t, 2);
        terminal_cell(t, PEN_DIM, report->exercise ?: "", exercises);
        terminal_indent(t, 2);
        print_right(t, report->score, points.score);
        text_append(t->out, " of ");
        print_right(t, report->max_score, points.max_score);
        terminal_printf(t, report->passed ? PEN_GREEN : PEN_RED, "  %s\n",
                        verdict_infos[report->verdict].label);
    }
}

enum status report_write_text(const struct report *const *reports, size_t count,
                              const struct report_options *options, struct text *out,
                              struct error *error) {
    (void)error; /* writing into memory does not fail */
    const struct terminal t = {.out = out,
                               .color = options && options->color,
                               .width =
                                   options && options->width ? options->width : TERMINAL_WIDTH};
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_append_char(out, '\n');
        print_report(&t, reports[i], options && options->verbose);
    }
    if (count > 1)
        print_summary(&t, reports, count);
    return STATUS_OK;
}
