/* A case in words: what was run, what came out, what should have come out, how far off is allowed.
 *
 * Numbers are printed with the nine digits that tell any two floats apart; where two doubles still
 * look the same, with seventeen. Labels of values are aligned, so that the eye compares digits. */
#include "reports/text_case.h"

#include "reports/hazards.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_LINES = 8, PRINTED_BYTES = 1000, WIDEST_NAME = 28, WIDEST_SIZES = 32 };

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

static void print_deviation(const struct terminal *t, const struct report_difference *d) {
    double error = fabs(d->actual - d->expected);
    if (d->is_integer || !isfinite(error))
        return;
    hazards_detail_label(t, "");
    terminal_printf(t, PEN_PLAIN, "off by    %s", decimal(error, 3).text);
    if (d->allowed > 0)
        terminal_printf(t, PEN_DIM, ", at most %s is allowed", decimal(d->allowed, 3).text);
    text_append_char(t->out, '\n');
}

/* The element's name is the label of its values where it fits, else it has a line of its own. */
static void print_difference(const struct terminal *t, const struct report_difference *d) {
    cleanup_text struct text element = {0}, expected = {0}, actual = {0};
    append_element(&element, d);
    text_case_append_values(d, &expected, &actual);
    bool fits = terminal_columns(text_string(&element)) + 4 <= DETAIL_INDENT;
    hazards_detail_label(t, fits ? text_string(&element) : "element");
    if (!fits) {
        terminal_foreign(t, PEN_PLAIN, text_string(&element));
        text_append_char(t->out, '\n');
        hazards_detail_label(t, "");
    }
    text_append(t->out, "expected  ");
    terminal_printf(t, PEN_BOLD_GREEN, "%s\n", text_string(&expected));
    hazards_detail_label(t, "");
    text_append(t->out, "actual    ");
    if (d->never_written) {
        terminal_print(t, PEN_BOLD_RED, "never written\n");
        return;
    }
    terminal_printf(t, PEN_BOLD_RED, "%s\n", text_string(&actual));
    print_deviation(t, d);
}

/* The message counts them already, where there is one. */
static void print_differing(const struct terminal *t, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    if (d->total <= 1 || (item->message && strstr(item->message, "elements")))
        return;
    hazards_detail_label(t, "differing");
    terminal_printf(t, PEN_PLAIN, "%" PRIu64 " of %" PRIu64 " elements\n", d->differing, d->total);
}

static void print_row(const struct terminal *t, const char *label, enum pen pen, const char *text) {
    if (!text || !*text)
        return;
    hazards_detail_label(t, label);
    terminal_wrap(t, pen, text, DETAIL_INDENT, DETAIL_INDENT);
}

/* Which of the two is faster, and then the figure: "3.3 times slower" would be ambiguous. */
static void append_ratio(struct text *out, double ratio) {
    struct decimal figure = decimal(ratio, 3);
    if (strcmp(figure.text, "1") == 0)
        text_append(out, ", as fast as the tuned kernel");
    else
        text_printf(out, ", %s than the tuned kernel: takes %s times as long",
                    ratio > 1 ? "slower" : "faster", figure.text);
}

static void print_time(const struct terminal *t, const struct report_time *time) {
    if (!time->present)
        return;
    cleanup_text struct text text = {0};
    text_printf(&text, "%s ms %s", decimal(time->median_ms, 4).text,
                time->measured ? "measured" : "modelled");
    if (time->measured)
        text_printf(&text, " (95 %% between %s and %s ms)", decimal(time->ci_low_ms, 4).text,
                    decimal(time->ci_high_ms, 4).text);
    if (time->ratio_to_reference > 0)
        append_ratio(&text, time->ratio_to_reference);
    print_row(t, "time", PEN_PLAIN, text_string(&text));
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
        terminal_printf(t, PEN_DIM, " ... and %zu more bytes", length - shown);
    text_append_char(t->out, '\n');
}

static void print_printed(const struct terminal *t, const char *printed, bool verbose) {
    size_t lines = 0;
    for (const char *line = printed; line && *line; lines++) {
        const char *end = strchrnul(line, '\n');
        if (verbose || lines < PRINTED_LINES) {
            hazards_detail_label(t, lines ? "" : "printed");
            print_printed_line(t, line, (size_t)(end - line), verbose);
        }
        line = *end ? end + 1 : end;
    }
    if (!verbose && lines > PRINTED_LINES) {
        hazards_detail_label(t, "");
        terminal_printf(t, PEN_DIM, "... and %zu more lines\n", lines - PRINTED_LINES);
    }
}

static void print_counters(const struct terminal *t, const struct counters *counters) {
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        uint64_t value = counter_value(counters, i);
        if (!value)
            continue;
        terminal_indent(t, DETAIL_INDENT);
        terminal_printf(t, PEN_PLAIN, "%-27s%16" PRIu64 "\n", counter_infos[i].name, value);
    }
}

void text_case_details(const struct terminal *t, const struct report_case *item, bool verbose) {
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    print_row(t, "sizes", PEN_PLAIN, text_string(&sizes));
    bool pass = item->verdict == VERDICT_PASS;
    /* The thresholds' rows tell the same as the message, and more. */
    bool reported = (pass && !verbose) || item->speed.present;
    print_row(t, "what", PEN_PLAIN, reported ? NULL : item->message);
    if (item->difference.present) {
        print_difference(t, &item->difference);
        print_differing(t, item);
    }
    print_row(t, "tolerance", PEN_PLAIN, pass ? NULL : item->tolerance);
    if (item->cause.present) {
        print_row(t, "probably", PEN_BOLD, item->cause.text);
        print_row(t, "because", PEN_DIM, item->cause.evidence);
    }
    print_time(t, &item->time);
    print_printed(t, item->printed, verbose);
    if (verbose && item->has_counters)
        print_counters(t, &item->counters);
    print_row(t, "\u2192 hint", PEN_PLAIN, item->hint);
}

static void append_first_hazard(struct text *out, const struct report_case *item) {
    const struct hazard *hazard = &item->hazards[0];
    text_append(out, hazard_infos[hazard->kind].name);
    if (hazard->line)
        text_printf(out, " at line %u", hazard->line);
    struct merged_hazard *merged;
    size_t count;
    hazards_merge_list(item->hazards, item->hazard_count, &merged, &count);
    free(merged);
    if (count > 1)
        text_printf(out, " and %zu more", count - 1);
}

/* The most telling short fact: the first hazard with its line, or the first difference. */
static void append_reason(struct text *out, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    if (item->verdict == VERDICT_PASS)
        return;
    text_append(out, item->essential ? "essential; " : "");
    if (item->verdict != VERDICT_HAZARD || !item->hazard_count)
        text_printf(out, "%s: ", verdict_infos[item->verdict].label);
    if (d->present) {
        cleanup_text struct text expected = {0}, actual = {0};
        text_case_append_values(d, &expected, &actual);
        append_element(out, d);
        if (d->never_written)
            text_append(out, " was never written");
        else
            text_printf(out, " is %s, expected %s", text_string(&actual), text_string(&expected));
    } else if (item->hazard_count) {
        append_first_hazard(out, item);
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
    append_reason(&reason, item);
    terminal_printf(t, text_case_verdict_pen(item->verdict), "  %s ",
                    text_case_verdict_symbol(item->verdict));
    terminal_cell(t, PEN_PLAIN, item->name ? item->name : "", columns->name);
    terminal_indent(t, 2);
    terminal_cell(t, PEN_DIM, text_string(&sizes), columns->sizes);
    terminal_indent(t, 2);
    unsigned used = 4 + columns->name + 2 + columns->sizes + 2;
    unsigned room = t->width > used + 20 ? t->width - used : 20;
    size_t wanted = terminal_columns(text_string(&reason));
    terminal_cell(t, PEN_PLAIN, text_string(&reason), wanted < room ? (unsigned)wanted : room);
    text_append_char(t->out, '\n');
}

void text_case_title(const struct terminal *t, const struct report_case *item) {
    enum pen pen = text_case_verdict_pen(item->verdict);
    cleanup_text struct text points = {0};
    report_append_points(&points, item->score);
    text_append(&points, " of ");
    report_append_points(&points, item->max_score);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(item->verdict));
    terminal_foreign(t, pen, item->name);
    terminal_printf(t, pen, ": %s", verdict_infos[item->verdict].label);
    terminal_print(t, PEN_DIM, " (");
    terminal_foreign(t, PEN_DIM, item->group);
    terminal_print(t, PEN_DIM, item->essential ? ", essential" : "");
    terminal_printf(t, PEN_DIM, ", %s points)\n", text_string(&points));
}
