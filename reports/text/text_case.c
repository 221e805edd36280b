/* A case in words: what was run, what came out, what should have come out, how far off is allowed.
 *
 * Numbers are printed with the nine digits that tell any two floats apart; where two doubles still
 * look the same, with seventeen. Labels of values are aligned, so that the eye compares digits. */
#include "reports/text/text_case.h"

#include "reports/hazards.h"
#include "reports/message.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PRINTED_LINES = 8,
    BRIEF_LINES = 3, /* ... of what it printed, in brief */
    PRINTED_BYTES = 1000,
    WIDEST_NAME = 28,
    WIDEST_SIZES = 32,
    CLOSE = 1000 /* times the tolerance: rounding may be what is wrong */
};

const char *text_case_verdict_symbol(enum verdict verdict) {
    return verdict == VERDICT_PASS       ? "\u2713"
           : verdict == VERDICT_SKIPPED  ? "-"
           : verdict == VERDICT_TOO_SLOW ? "!"
                                         : "\u2717";
}

enum pen text_case_verdict_pen(enum verdict verdict) {
    return verdict == VERDICT_PASS       ? PEN_BOLD_GREEN
           : verdict == VERDICT_SKIPPED  ? PEN_DIM
           : verdict == VERDICT_TOO_SLOW ? PEN_BOLD_YELLOW
                                         : PEN_BOLD_RED;
}

void text_case_append_sizes(struct text *out, const struct report_size *sizes, size_t count) {
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s%s = %" PRId64, i ? ", " : "", sizes[i].name, sizes[i].value);
}

static void append_number(struct text *out, double value, bool is_integer, int digits) {
    if (is_integer)
        text_printf(out, "%.0f", value);
    else
        text_append(out, decimal(value, digits).text);
}

void text_case_append_values(const struct report_difference *difference, struct text *expected,
                             struct text *actual) {
    static const int digits[] = {9, 17};
    for (unsigned i = 0; i < ARRAY_LENGTH(digits); i++) {
        text_clear(expected);
        text_clear(actual);
        append_number(expected, difference->expected, difference->is_integer, digits[i]);
        append_number(actual, difference->actual, difference->is_integer, digits[i]);
        if (strcmp(text_string(expected), text_string(actual)) != 0)
            break;
    }
}

static void append_element(struct text *out, const struct report_difference *difference) {
    text_append(out, difference->output ? difference->output : "element ");
    if (difference->index)
        text_append(out, difference->index);
    else
        text_printf(out, "[%" PRIu64 "]", difference->flat_index);
}

static void print_value(const struct terminal *t, const char *label, enum pen pen,
                        const char *value) {
    hazards_detail_label(t, label);
    terminal_print(t, pen, value);
}

static void print_deviation(const struct terminal *t, const struct report_difference *d) {
    double error = fabs(d->actual - d->expected);
    if (d->is_integer || !isfinite(error))
        return;
    terminal_printf(t, PEN_PLAIN, WORDS(t->language, off_by), decimal(error, 3).text);
    if (d->allowed > 0)
        terminal_printf(t, PEN_DIM, WORDS(t->language, allowed), decimal(d->allowed, 3).text);
}

/* The message names the element, where there is one. */
static void print_difference(const struct terminal *t, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    cleanup_text struct text element = {0}, expected = {0}, actual = {0};
    append_element(&element, d);
    text_case_append_values(d, &expected, &actual);
    if (!item->message || !strstr(item->message, text_string(&element))) {
        hazards_detail_label(t, WORDS(t->language, label_element));
        terminal_foreign(t, PEN_PLAIN, text_string(&element));
        text_append_char(t->out, '\n');
    }
    print_value(t, WORDS(t->language, label_expected), PEN_BOLD_GREEN, text_string(&expected));
    text_append_char(t->out, '\n');
    print_value(t, WORDS(t->language, label_actual), PEN_BOLD_RED,
                d->never_written ? WORDS(t->language, never_written) : text_string(&actual));
    if (!d->never_written)
        print_deviation(t, d);
    text_append_char(t->out, '\n');
}

/* The message counts them already, where there is one. */
static void print_differing(const struct terminal *t, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    if (d->total <= 1 || (item->message && *item->message))
        return;
    hazards_detail_label(t, WORDS(t->language, label_differing));
    terminal_printf(t, PEN_PLAIN, WORDS(t->language, differing_elements), d->differing, d->total);
}

static void print_row(const struct terminal *t, const char *label, enum pen pen, const char *text) {
    if (!text || !*text)
        return;
    hazards_detail_label(t, label);
    terminal_wrap(t, pen, text, DETAIL_INDENT, DETAIL_INDENT);
}

/* "3.3 times slower" would be ambiguous, and what is 0.991 times as long is no different. */
static void append_ratio(struct text *out, enum language language, double ratio) {
    struct decimal figure = decimal(ratio, 3);
    if (ratio > 0.985 && ratio < 1.015)
        text_append(out, WORDS(language, as_fast));
    else
        text_printf(out, WORDS(language, times_as_long), figure.text);
}

void text_case_append_time(struct text *out, enum language language,
                           const struct report_time *time) {
    text_printf(out, time->measured ? WORDS(language, ms_measured) : WORDS(language, ms_modelled),
                decimal(time->median_ms, 4).text);
    if (time->measured)
        text_printf(out, WORDS(language, interval_ms), decimal(time->ci_low_ms, 4).text,
                    decimal(time->ci_high_ms, 4).text);
    if (time->ratio_to_reference > 0)
        append_ratio(out, language, time->ratio_to_reference);
}

static void print_time(const struct terminal *t, const struct report_time *time) {
    cleanup_text struct text text = {0};
    if (!time->present)
        return;
    text_case_append_time(&text, t->language, time);
    print_row(t, WORDS(t->language, label_time), PEN_PLAIN, text_string(&text));
}

/* A kernel can print 64 KiB without a newline. */
static void print_printed_line(const struct terminal *t, const char *line, size_t length,
                               bool verbose) {
    size_t shown = length;
    if (!verbose && length > PRINTED_BYTES)
        for (shown = PRINTED_BYTES; shown && ((unsigned char)line[shown] & 0xc0) == 0x80;)
            shown--;
    terminal_foreign_bytes(t, PEN_PLAIN, line, shown);
    if (shown < length)
        terminal_printf(t, PEN_DIM, WORDS(t->language, more_bytes), length - shown);
    text_append_char(t->out, '\n');
}

static void print_printed(const struct terminal *t, const char *printed, size_t most,
                          bool verbose) {
    size_t lines = 0;
    for (const char *line = printed; line && *line; lines++) {
        const char *end = strchrnul(line, '\n');
        if (verbose || lines < most) {
            hazards_detail_label(t, lines ? "" : WORDS(t->language, label_printed));
            print_printed_line(t, line, (size_t)(end - line), verbose);
        }
        line = *end ? end + 1 : end;
    }
    if (!verbose && lines > most) {
        hazards_detail_label(t, "");
        terminal_printf(t, PEN_DIM, WORDS(t->language, more_lines), lines - most);
    }
}

static void print_counters(const struct terminal *t, const struct counters *counters) {
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        uint64_t value = counter_value(counters, i);
        if (!value)
            continue;
        terminal_indent(t, DETAIL_INDENT);
        terminal_printf(t, PEN_PLAIN, "%-27s%16s\n", counter_infos[i].name,
                        decimal_grouped((double)value, 15).text);
    }
}

static void print_cause(const struct terminal *t, const struct report_cause *cause) {
    if (!cause->present)
        return;
    print_row(t, WORDS(t->language, label_probably), PEN_BOLD, cause->text);
    if (t->terse < TERSE_EVIDENCE)
        print_row(t, WORDS(t->language, label_because), PEN_DIM, cause->evidence);
}

void text_case_details(const struct terminal *t, const struct report_case *item, bool verbose) {
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    print_row(t, WORDS(t->language, label_sizes), PEN_PLAIN, text_string(&sizes));
    bool pass = item->verdict == VERDICT_PASS;
    /* The thresholds' rows tell the same as the message, and more. */
    bool reported = (pass && !verbose) || item->speed.present;
    print_row(t, WORDS(t->language, label_what), PEN_PLAIN, reported ? NULL : item->message);
    if (item->difference.present) {
        print_difference(t, item);
        print_differing(t, item);
    }
    print_row(t, WORDS(t->language, label_tolerance), PEN_PLAIN, pass ? NULL : item->tolerance);
    print_cause(t, &item->cause);
    print_time(t, &item->time);
    print_printed(t, item->printed, PRINTED_LINES, verbose);
    if (verbose && item->has_counters)
        print_counters(t, &item->counters);
    /* The speed case has its hint where its reasons are. */
    print_row(t, WORDS(t->language, label_hint), PEN_PLAIN,
              item->speed.present ? NULL : item->hint);
}

/* How far off is allowed matters to the one who is nearly right. */
static bool is_close(const struct report_difference *d) {
    double error = fabs(d->actual - d->expected);
    return !d->is_integer && !d->never_written && isfinite(error) && error <= CLOSE * d->allowed;
}

void text_case_brief(const struct terminal *t, const struct report_case *item) {
    enum pen pen = text_case_verdict_pen(item->verdict);
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(item->verdict));
    terminal_foreign(t, pen, item->name);
    terminal_print(t, pen, WORDS(t->language, colon));
    terminal_print(t, pen, report_case_verdict(t->language, item));
    if (sizes.length) {
        terminal_print(t, PEN_PLAIN, WORDS(t->language, open_parenthesis));
        terminal_foreign(t, PEN_PLAIN, text_string(&sizes));
        terminal_print(t, PEN_PLAIN, WORDS(t->language, close_parenthesis));
    }
    text_append_char(t->out, '\n');
    if (item->message && *item->message) {
        terminal_indent(t, 2);
        terminal_wrap(t, PEN_PLAIN, item->message, 2, 2);
    }
    if (item->difference.present) {
        print_difference(t, item);
        print_differing(t, item);
        if (is_close(&item->difference))
            print_row(t, WORDS(t->language, label_tolerance), PEN_PLAIN, item->tolerance);
    }
    print_cause(t, &item->cause);
    print_printed(t, item->printed, BRIEF_LINES, false);
    print_row(t, WORDS(t->language, label_hint), PEN_PLAIN, item->hint);
}

static void append_first_hazard(struct text *out, enum language language,
                                const struct report_case *item) {
    const struct hazard *hazard = &item->hazards[0];
    text_append(out, hazard_infos[hazard->kind].name);
    if (hazard->line)
        text_printf(out, WORDS(language, at_line), hazard->line);
    struct merged_hazard *merged;
    size_t count;
    hazards_merge_list(item->hazards, item->hazard_count, &merged, &count);
    free(merged);
    if (count > 1)
        text_printf(out, WORDS(language, and_more), count - 1);
}

/* The most telling short fact: the first hazard with its line, or the first difference. */
static void append_reason(struct text *out, enum language language,
                          const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    if (item->verdict == VERDICT_PASS)
        return;
    if (item->essential)
        text_printf(out, "%s%s", WORDS(language, essential), WORDS(language, semicolon));
    if (item->verdict != VERDICT_HAZARD || !item->hazard_count)
        text_printf(out, "%s%s", report_case_verdict(language, item), WORDS(language, colon));
    if (d->present) {
        cleanup_text struct text expected = {0}, actual = {0};
        text_case_append_values(d, &expected, &actual);
        append_element(out, d);
        if (d->never_written)
            text_append(out, WORDS(language, was_never_written));
        else
            text_printf(out, WORDS(language, is_expected), text_string(&actual),
                        text_string(&expected));
    } else if (item->hazard_count) {
        append_first_hazard(out, language, item);
    } else {
        text_append(out, item->message && *item->message ? item->message
                                                         : verdict_infos[item->verdict].summary);
    }
}

void text_case_columns_fit(struct case_columns *columns, const struct report_case *item) {
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    size_t name = terminal_columns(item->name ? item->name : "");
    size_t size = terminal_columns(text_string(&sizes));
    if (name > columns->name)
        columns->name = name < WIDEST_NAME ? (unsigned)name : WIDEST_NAME;
    if (size > columns->sizes)
        columns->sizes = size < WIDEST_SIZES ? (unsigned)size : WIDEST_SIZES;
}

void text_case_line(const struct terminal *t, const struct report_case *item,
                    const struct case_columns *columns) {
    cleanup_text struct text sizes = {0}, reason = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    append_reason(&reason, t->language, item);
    terminal_printf(t, text_case_verdict_pen(item->verdict), "  %s ",
                    text_case_verdict_symbol(item->verdict));
    terminal_cell(t, PEN_PLAIN, item->name ? item->name : "", columns->name);
    terminal_indent(t, 2);
    terminal_cell(t, PEN_DIM, text_string(&sizes), columns->sizes);
    terminal_indent(t, 2);
    unsigned used = 4 + columns->name + 2 + columns->sizes + 2;
    unsigned room = t->width > used + 20 ? t->width - used : 20;
    terminal_cut(t, PEN_PLAIN, text_string(&reason), room);
    text_append_char(t->out, '\n');
}

void text_case_sentence(const struct terminal *t, const struct report_case *item) {
    cleanup_text struct text sentence = {0};
    text_append(&sentence, item->name ? item->name : "");
    if (item->size_count) {
        text_append(&sentence, WORDS(t->language, open_parenthesis));
        text_case_append_sizes(&sentence, item->sizes, item->size_count);
        text_append(&sentence, WORDS(t->language, close_parenthesis));
    }
    text_append(&sentence, WORDS(t->language, colon));
    append_reason(&sentence, t->language, item);
    enum pen pen = text_case_verdict_pen(item->verdict);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(item->verdict));
    terminal_cut(t, PEN_PLAIN, text_string(&sentence), t->width - 2);
    text_append_char(t->out, '\n');
}

void text_case_title(const struct terminal *t, const struct report_case *item) {
    enum pen pen = text_case_verdict_pen(item->verdict);
    cleanup_text struct text points = {0};
    report_append_score(&points, t->language, item->score, item->max_score);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(item->verdict));
    terminal_foreign(t, pen, item->name);
    terminal_printf(t, pen, "%s%s", WORDS(t->language, colon),
                    report_case_verdict(t->language, item));
    terminal_print(t, PEN_DIM, " (");
    terminal_foreign(t, PEN_DIM, message_group(t->language, item->group));
    if (item->essential)
        terminal_printf(t, PEN_DIM, ", %s", WORDS(t->language, essential));
    terminal_printf(t, PEN_DIM, ", %s%s)\n", text_string(&points), WORDS(t->language, points));
}
