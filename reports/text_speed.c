/* The speed case for people: the device, the time and what bounds it, and each threshold with what
 * was found beside the target; below one that was not met the line where it is lost.
 *
 * A number that rests on a time says beside it whether that was modelled or measured, always. */
#include "reports/text_case.h"

#include "reports/advice.h"
#include "reports/device.h"
#include "reports/hazards.h"
#include "sandbox/base/decimal.h"

#include <inttypes.h>
#include <string.h>

enum { WIDEST_THRESHOLD = 36, BOUND_COLUMNS = 18 };

static const char *state_symbol(enum report_threshold_state state) {
    static const char *const symbols[THRESHOLD_STATE_COUNT] = {"\u2713", "!", "\u2717", "-"};
    return symbols[state];
}

static enum pen state_pen(enum report_threshold_state state) {
    static const enum pen pens[THRESHOLD_STATE_COUNT] = {PEN_BOLD_GREEN, PEN_BOLD_YELLOW,
                                                         PEN_BOLD_RED, PEN_DIM};
    return pens[state];
}

static void print_row(const struct terminal *t, const char *label, const struct text *text) {
    if (!text->length)
        return;
    hazards_detail_label(t, label);
    terminal_wrap(t, PEN_PLAIN, text_string(text), DETAIL_INDENT, DETAIL_INDENT);
}

static void append_sizes(struct text *out, const char *before, const struct report_size *sizes,
                         size_t count) {
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s%s = %" PRId64, i ? ", " : before, sizes[i].name, sizes[i].value);
}

/* Whether what the blocks computed is right at sizes that are not the case's. */
static void print_results(const struct terminal *t, const struct report_speed *speed) {
    cleanup_text struct text text = {0};
    if (speed->size_count && speed->elements_compared)
        text_printf(&text, "right in a sample of %zu element%s there, and in all at the size above",
                    speed->elements_compared, text_plural(speed->elements_compared));
    else if (speed->size_count)
        text_append(&text, "no sample of them there; all were right at the size above");
    print_row(t, "results", &text);
}

static void print_device(const struct terminal *t, const struct report_speed *speed) {
    cleanup_text struct text text = {0};
    text_printf(&text, "%s, simulated", speed->device_name);
    append_sizes(&text, " at ", speed->sizes, speed->size_count);
    if (speed->blocks_simulated < speed->blocks) {
        text_printf(&text, "; %" PRIu64 " of %" PRIu64 " blocks, ", speed->blocks_simulated,
                    speed->blocks);
        report_append_error(&text, speed->errors);
    }
    print_row(t, "device", &text);
    text_clear(&text);
    report_append_guess(&text, &speed->device_rates);
    print_row(t, "assumed", &text);
    print_results(t, speed);
    text_clear(&text);
    if (speed->registers)
        text_printf(&text, "%.0f %%, with %u registers a thread; limited by %s",
                    100 * speed->occupancy, speed->registers, speed->occupancy_limit);
    else
        text_append(&text, "unknown: only ptxas knows the registers of a thread");
    print_row(t, "occupancy", &text);
}

static void append_interval(struct text *out, const struct report_interval *interval,
                            double scale) {
    text_printf(out, " (95 %% between %s and %s)", decimal(scale * interval->low, 3).text,
                decimal(scale * interval->high, 3).text);
}

static void print_card(const struct terminal *t, const struct report_measured *measured) {
    cleanup_text struct text text = {0};
    text_printf(&text, "%s, measured in %zu rounds", measured->card, measured->rounds);
    if (!measured->settled)
        text_append(&text, " without settling");
    append_sizes(&text, "; ", measured->sizes, measured->size_count);
    print_row(t, "card", &text);
    text_clear(&text);
    if (measured->sm_clock_high_mhz)
        text_printf(&text, "SM %u to %u MHz, memory %u MHz%s", measured->sm_clock_low_mhz,
                    measured->sm_clock_high_mhz, measured->memory_clock_mhz,
                    measured->throttled ? "" : "; not throttled");
    if (measured->throttled)
        text_printf(&text, "%sthrottled: %s", text.length ? "; " : "", measured->throttled);
    print_row(t, "clocks", &text);
}

static void print_measured(const struct terminal *t, const struct report_measured *measured) {
    cleanup_text struct text text = {0};
    if (!measured->present)
        return;
    print_card(t, measured);
    if (measured->ratio_to_tuned.present) {
        text_printf(&text, "takes %s times as long as the tuned kernel, %s ms",
                    decimal(measured->ratio_to_tuned.median, 3).text,
                    decimal(measured->tuned_ms, 4).text);
        append_interval(&text, &measured->ratio_to_tuned, 1);
    }
    print_row(t, "ratio", &text);
    text_clear(&text);
    if (measured->ratio_to_reference.present) {
        text_printf(&text, "takes %s times as long as the reference, %s ms",
                    decimal(measured->ratio_to_reference.median, 3).text,
                    decimal(measured->reference_ms, 4).text);
        append_interval(&text, &measured->ratio_to_reference, 1);
    }
    print_row(t, "", &text);
    text_clear(&text);
    if (measured->fraction_of_baseline.present) {
        text_printf(&text, "%s %% of the speed of %s, %s ms",
                    decimal(100 * measured->fraction_of_baseline.median, 3).text,
                    measured->baseline, decimal(measured->baseline_ms, 4).text);
        append_interval(&text, &measured->fraction_of_baseline, 100);
    }
    print_row(t, "baseline", &text);
    text_clear(&text);
    if (measured->fraction_of_roof > 0)
        text_printf(&text, "%s %% of it: the card needs %s ms",
                    decimal(100 * measured->fraction_of_roof, 3).text,
                    decimal(measured->roof_ms, 4).text);
    print_row(t, "roof", &text);
}

static void append_bound(struct text *out, const struct report_threshold *threshold) {
    const char *direction = threshold->at_least ? "at least" : "at most";
    text_printf(out, "%s ", direction);
    report_append_value(out, threshold->target);
}

static void print_threshold(const struct terminal *t, const struct report_threshold *threshold,
                            unsigned columns) {
    cleanup_text struct text bound = {0}, points = {0}, value = {0};
    enum pen pen = state_pen(threshold->state);
    terminal_printf(t, pen, "  %s ", state_symbol(threshold->state));
    terminal_cell(t, PEN_PLAIN, threshold->name, columns);
    if (threshold->state == THRESHOLD_UNDECIDED) {
        terminal_print(t, PEN_DIM, "  undecided: ");
        terminal_wrap(t, PEN_DIM, threshold->why ? threshold->why : "", columns + 17, 4);
        return;
    }
    report_append_value(&value, threshold->value);
    terminal_printf(t, pen, "  %8s", text_string(&value));
    terminal_printf(t, PEN_DIM, "%s",
                    threshold->measured   ? " measured  "
                    : threshold->modelled ? " modelled  "
                                          : "           ");
    append_bound(&bound, threshold);
    bool has_points = threshold->max_score > 0;
    terminal_cell(t, PEN_PLAIN, text_string(&bound),
                  has_points ? BOUND_COLUMNS : (unsigned)bound.length);
    if (has_points) {
        report_append_points(&points, threshold->score);
        text_append(&points, " of ");
        report_append_points(&points, threshold->max_score);
        terminal_printf(t, PEN_PLAIN, "  %s points", text_string(&points));
    }
    text_append_char(t->out, '\n');
}

/* Thresholds that are lost on one line for one reason tell it once. */
static bool is_reported(const struct report_speed *speed, size_t index) {
    const struct report_threshold *t = &speed->thresholds[index];
    for (size_t i = 0; i < index; i++)
        if (speed->thresholds[i].state != THRESHOLD_UNDECIDED && speed->thresholds[i].why &&
            strcmp(speed->thresholds[i].why, t->why) == 0)
            return true;
    return false;
}

static bool is_hinted(const struct report_speed *speed, size_t index) {
    const struct report_threshold *t = &speed->thresholds[index];
    for (size_t i = 0; i < index; i++)
        if (speed->thresholds[i].hint && strcmp(speed->thresholds[i].hint, t->hint) == 0)
            return true;
    return false;
}

static void print_doubt(const struct terminal *t, const struct report_threshold *threshold) {
    cleanup_text struct text text = {0};
    report_append_doubt(&text, threshold);
    terminal_printf(t, state_pen(threshold->state), "  \u21b3 ");
    terminal_wrap(t, PEN_PLAIN, text_string(&text), 4, 4);
}

static void print_reasons(const struct terminal *t, const struct report_speed *speed,
                          const char *source, size_t source_length) {
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        if (threshold->state == THRESHOLD_UNDECIDED)
            continue;
        if (threshold->in_doubt)
            print_doubt(t, threshold);
        if (threshold->why && !is_reported(speed, i)) {
            terminal_printf(t, state_pen(threshold->state), "  \u21b3 ");
            terminal_wrap(t, PEN_PLAIN, threshold->why, 4, 4);
            struct excerpt_mark mark = {.line = threshold->line,
                                        .pen = state_pen(threshold->state)};
            if (source && threshold->line)
                terminal_excerpt(t, source, source_length, &mark, 1, 1);
        }
        if (threshold->hint && !is_hinted(speed, i)) {
            hazards_detail_label(t, "\u2192 hint");
            terminal_wrap(t, PEN_PLAIN, threshold->hint, DETAIL_INDENT, DETAIL_INDENT);
        }
    }
}

void text_speed(const struct terminal *t, const struct report_case *item, const char *source,
                size_t source_length) {
    const struct report_speed *speed = &item->speed;
    cleanup_text struct text limiter = {0};
    print_measured(t, &speed->measured);
    if (speed->device_id)
        print_device(t, speed);
    if (speed->limiter)
        text_append(&limiter, speed->limiter);
    print_row(t, "limiter", &limiter);
    size_t widest = 0;
    for (size_t i = 0; i < speed->threshold_count; i++) {
        size_t columns = terminal_columns(speed->thresholds[i].name);
        widest = columns > widest ? columns : widest;
    }
    for (size_t i = 0; i < speed->threshold_count; i++)
        print_threshold(t, &speed->thresholds[i],
                        (unsigned)(widest < WIDEST_THRESHOLD ? widest : WIDEST_THRESHOLD));
    print_reasons(t, speed, source, source_length);
}
