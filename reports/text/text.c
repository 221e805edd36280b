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
#include "reports/utf8.h"
#include "reports/writers.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    SHORTEST_PATH = 16, /* columns: less of a path says nothing */
    SCREEN_ROWS = 24,
    PROMPT_ROWS = 2,        /* the command, and the prompt after the report */
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

static void print_score(const struct terminal *t, enum pen pen, const struct report *report) {
    terminal_print(t, pen, WORDS(t->language, colon));
    if (!report_was_graded(report)) {
        terminal_print(t, pen, WORDS(t->language, not_graded));
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
}

/* A path that is long is cut at its beginning: the last line has the whole. */
static void print_file(const struct terminal *t, enum pen pen, const struct report *report,
                       bool verbose) {
    cleanup_text struct text score = {0};
    const struct terminal plain = {.out = &score, .language = t->language};
    const char *file = report->file ? report->file : "";
    print_score(&plain, PEN_PLAIN, report);
    size_t used = 2 + terminal_columns(text_string(&score)), columns = terminal_columns(file);
    if (!verbose && used + columns > t->width && used + SHORTEST_PATH <= t->width)
        terminal_path_cell(t, pen, file, t->width - (unsigned)used);
    else
        terminal_foreign(t, pen, file);
}

static void print_title(const struct terminal *t, const struct report *report, bool verbose) {
    enum verdict mark = text_overall_mark(report);
    enum pen pen = text_case_verdict_pen(mark);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(mark));
    print_file(t, pen, report, verbose);
    print_score(t, pen, report);
    text_append_char(t->out, '\n');
    if (!report_was_graded(report) || t->terse >= TERSE_TITLE)
        return;
    terminal_indent(t, 2);
    terminal_foreign(t, PEN_DIM, report->exercise);
    if (report->title && *report->title) {
        terminal_print(t, PEN_DIM, WORDS(t->language, colon));
        terminal_foreign(t, PEN_DIM, report->title);
    }
    text_append_char(t->out, '\n');
}

/* A piece does not end inside of parentheses, which would stay open. */
static bool is_closed(const char *string, size_t length) {
    static const char *const open[] = {"(", "\uff08"}, *const close[] = {")", "\uff09"};
    int depth = 0;
    for (const char *at = string; at < string + length; at++)
        for (unsigned i = 0; i < ARRAY_LENGTH(open); i++)
            depth += strncmp(at, open[i], strlen(open[i])) == 0     ? 1
                     : strncmp(at, close[i], strlen(close[i])) == 0 ? -1
                                                                    : 0;
    return depth <= 0;
}

/* As much of the message as a line holds, to the end of a piece: where the parts below say the rest
 * in full. */
static void shorten(const struct terminal *t, struct text *message) {
    static const char *const ends[] = {"; ", ": ", "\uff1b", "\uff1a"};
    size_t best = 0;
    for (unsigned i = 0; i < ARRAY_LENGTH(ends); i++)
        for (const char *at = text_string(message); (at = strstr(at, ends[i])); at++) {
            size_t length = (size_t)(at - text_string(message));
            if (length > best && is_closed(text_string(message), length) &&
                utf8_columns(text_string(message), length) + 2 <= t->width)
                best = length;
        }
    if (best && utf8_columns(text_string(message), message->length) + 2 > t->width)
        message->data[message->length = best] = '\0';
}

/* Findings or speed follow, and say what the message says. */
static bool is_said_below(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (text_is_failure(&report->cases[i]))
            return !report->build_message && report->verdict != VERDICT_INTERNAL_ERROR;
    return false;
}

static void print_head(const struct terminal *t, const struct report *report, bool verbose) {
    print_title(t, report, verbose);
    protection_warn(t, &report->protection);
    cleanup_text struct text message = {0};
    append_message(&message, t->language, report);
    if (!verbose && is_said_below(report))
        shorten(t, &message);
    if (message.length) {
        terminal_indent(t, 2);
        terminal_wrap(t, PEN_BOLD, text_string(&message), 2, 2);
    }
    if (report->verdict == VERDICT_INTERNAL_ERROR && report_was_graded(report)) {
        text_append(t->out, "  ");
        terminal_wrap(t, PEN_YELLOW, WORDS(t->language, internal_error), 2, 2);
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
        if (verbose) {
            text_case_title(t, item);
            text_case_details(t, item, true);
        }
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

/* Without the seed, which of the cases fail is another draw's: all of them are run again. */
static void print_again(const struct terminal *t, const struct report *report) {
    if (!report->exercise || !report->file || report->build_message || !report_was_graded(report))
        return;
    cleanup_text struct text command = {0};
    text_append(&command, "warpgrade grade -e ");
    text_append_word(&command, report->exercise);
    if (!report->withholds_seed)
        text_printf(&command, " --seed %" PRIu64, report->seed);
    for (size_t i = 0; !report->withholds_seed && i < report->case_count; i++)
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
    if (report->withholds_seed)
        text_append(&with, WORDS(t->language, seed_withheld));
    else
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

/* Why, and what to do: its one case says the same again. */
static void print_not_graded(const struct terminal *t, const struct report *report, bool verbose) {
    const char *hint = report->case_count ? report->cases[0].hint : NULL;
    print_head(t, report, verbose);
    if (!hint || !*hint)
        return;
    hazards_detail_label(t, WORDS(t->language, label_hint));
    terminal_wrap(t, PEN_BOLD, hint, DETAIL_INDENT, DETAIL_INDENT);
}

static void print_report(const struct terminal *t, const struct report *report, bool verbose) {
    if (!report_was_graded(report) && report->case_count <= 1) {
        print_not_graded(t, report, verbose);
        return;
    }
    print_head(t, report, verbose);
    text_groups(t, report, verbose);
    bool open = text_findings(t, report, verbose);
    if (verbose)
        print_passing(t, report);
    if (print_speed(t, report, verbose) || !open)
        text_append_char(t->out, '\n');
    print_foot(t, report, verbose);
}

/* Rows of a terminal that wraps lines at its width. */
static size_t count_rows(const struct text *text, unsigned width) {
    size_t rows = 0;
    for (const char *line = text_string(text); *line; rows++) {
        size_t length = strcspn(line, "\n"), columns = utf8_columns(line, length);
        rows += columns > width ? (columns - 1) / width : 0;
        line += length + (line[length] == '\n');
    }
    return rows;
}

/* How terse the report must be to fit a screen of `rows`. */
static enum terse find_terse(const struct terminal *t, const struct report *report, unsigned rows) {
    unsigned room = (rows > SCREEN_ROWS ? rows : SCREEN_ROWS) - PROMPT_ROWS;
    for (unsigned terse = TERSE_NOTHING; terse + 1 < TERSE_COUNT; terse++) {
        cleanup_text struct text text = {0};
        struct terminal plain = *t;
        plain.out = &text;
        plain.color = false;
        plain.terse = (enum terse)terse;
        print_report(&plain, report, false);
        if (count_rows(&text, t->width) <= room)
            return plain.terse;
    }
    return (enum terse)(TERSE_COUNT - 1);
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
        unsigned rows = options && !options->verbose ? options->rows : 0;
        t.terse = rows ? find_terse(&t, reports[i], rows) : TERSE_NOTHING;
        print_report(&t, reports[i], options && options->verbose);
        if (options && options->timing)
            text_timing(&t, reports[i]);
    }
    if (count > 1)
        text_summary(&t, reports, count);
    return STATUS_OK;
}
