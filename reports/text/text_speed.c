/* The speed case for people: the device, the time and what bounds it, and each threshold with what
 * was found beside the target; below one that was not met the line where it is lost.
 *
 * Briefly: the time, what bounds it, the thresholds, and the first reason of lost points with the
 * exercise's hint. A number that rests on a time says beside it whether that was modelled or
 * measured, always. */
#include "reports/text/text_case.h"

#include "reports/advice.h"
#include "reports/device.h"
#include "reports/hazards.h"
#include "reports/message.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/number.h"

#include <inttypes.h>
#include <string.h>

enum { WIDEST_THRESHOLD = 36, NARROWEST_THRESHOLD = 16, LEAST_VALUE = 8 };

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
        text_printf(&text, WORDS(t->language, right_in_sample), speed->elements_compared,
                    text_plural(speed->elements_compared));
    else if (speed->size_count)
        text_append(&text, WORDS(t->language, no_sample));
    print_row(t, WORDS(t->language, label_results), &text);
}

static void print_device(const struct terminal *t, const struct report_speed *speed) {
    cleanup_text struct text text = {0};
    text_printf(&text, WORDS(t->language, simulated), speed->device_name);
    append_sizes(&text, WORDS(t->language, at_size), speed->sizes, speed->size_count);
    if (speed->blocks_simulated < speed->blocks) {
        text_printf(&text, WORDS(t->language, blocks_simulated), speed->blocks_simulated,
                    speed->blocks);
        report_append_error(&text, t->language, speed->errors);
    }
    print_row(t, WORDS(t->language, label_device), &text);
    text_clear(&text);
    report_append_guess(&text, t->language, &speed->device_rates);
    print_row(t, WORDS(t->language, label_assumed), &text);
    print_results(t, speed);
    text_clear(&text);
    if (speed->registers)
        text_printf(&text, WORDS(t->language, occupancy), 100 * speed->occupancy, speed->registers,
                    message_occupancy_limit(t->language, speed->occupancy_limit));
    else
        text_append(&text, WORDS(t->language, occupancy_unknown));
    print_row(t, WORDS(t->language, label_occupancy), &text);
}

static void append_interval(struct text *out, enum language language,
                            const struct report_interval *interval, double scale) {
    text_printf(out, WORDS(language, interval), decimal(scale * interval->low, 3).text,
                decimal(scale * interval->high, 3).text);
}

static void print_card(const struct terminal *t, const struct report_measured *measured) {
    cleanup_text struct text text = {0};
    text_printf(&text, WORDS(t->language, measured_in_rounds), measured->card, measured->rounds);
    if (!measured->settled)
        text_append(&text, WORDS(t->language, without_settling));
    append_sizes(&text, WORDS(t->language, semicolon), measured->sizes, measured->size_count);
    print_row(t, WORDS(t->language, label_card), &text);
    text_clear(&text);
    if (measured->sm_clock_high_mhz)
        text_printf(&text, WORDS(t->language, clocks), measured->sm_clock_low_mhz,
                    measured->sm_clock_high_mhz, measured->memory_clock_mhz,
                    measured->throttled ? "" : WORDS(t->language, not_throttled));
    if (measured->throttled)
        text_printf(&text, WORDS(t->language, throttled),
                    text.length ? WORDS(t->language, semicolon) : "", measured->throttled);
    print_row(t, WORDS(t->language, label_clocks), &text);
}

static void print_measured(const struct terminal *t, const struct report_measured *measured) {
    cleanup_text struct text text = {0};
    if (!measured->present)
        return;
    print_card(t, measured);
    if (measured->ratio_to_tuned.present) {
        text_printf(&text, WORDS(t->language, times_tuned),
                    decimal(measured->ratio_to_tuned.median, 3).text,
                    decimal(measured->tuned_ms, 4).text);
        append_interval(&text, t->language, &measured->ratio_to_tuned, 1);
    }
    print_row(t, WORDS(t->language, label_ratio), &text);
    text_clear(&text);
    if (measured->ratio_to_reference.present) {
        text_printf(&text, WORDS(t->language, times_reference),
                    decimal(measured->ratio_to_reference.median, 3).text,
                    decimal(measured->reference_ms, 4).text);
        append_interval(&text, t->language, &measured->ratio_to_reference, 1);
    }
    print_row(t, "", &text);
    text_clear(&text);
    if (measured->fraction_of_baseline.present) {
        text_printf(&text, WORDS(t->language, share_of_baseline),
                    decimal(100 * measured->fraction_of_baseline.median, 3).text,
                    measured->baseline, decimal(measured->baseline_ms, 4).text);
        append_interval(&text, t->language, &measured->fraction_of_baseline, 100);
    }
    print_row(t, WORDS(t->language, label_baseline), &text);
    text_clear(&text);
    if (measured->fraction_of_roof > 0)
        text_printf(&text, WORDS(t->language, share_of_roof),
                    decimal(100 * measured->fraction_of_roof, 3).text,
                    decimal(measured->roof_ms, 4).text);
    print_row(t, WORDS(t->language, label_roof), &text);
}

static void append_bound(struct text *out, enum language language,
                         const struct report_threshold *threshold) {
    text_append(out, threshold->at_least ? WORDS(language, at_least) : WORDS(language, at_most));
    report_append_value(out, threshold->target);
}

static void append_points(struct text *out, enum language language,
                          const struct report_threshold *threshold, bool bare) {
    if (threshold->max_score <= 0)
        return;
    report_append_score(out, language, threshold->score, threshold->max_score);
    text_append(out, bare ? "" : WORDS(language, points));
}

/* What the value rests on: a time, or a count. */
static const char *source_of(enum language language, const struct report_threshold *threshold) {
    return threshold->measured   ? WORDS(language, measured)
           : threshold->modelled ? WORDS(language, modelled)
                                 : "";
}

struct threshold_columns {
    size_t name, value, source, bound, points;
    bool bare; /* there is no room for the word "points" */
};

/* The name gives way where the terminal is narrow. */
static struct threshold_columns fit_thresholds(const struct terminal *t,
                                               const struct report_speed *speed, bool bare) {
    struct threshold_columns columns = {.value = LEAST_VALUE, .bare = bare};
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        cleanup_text struct text bound = {0}, points = {0}, value = {0};
        report_append_value(&value, threshold->value);
        append_bound(&bound, t->language, threshold);
        append_points(&points, t->language, threshold, bare);
        columns.name = number_max(columns.name, terminal_columns(threshold->name));
        columns.value = number_max(columns.value, value.length);
        columns.source =
            number_max(columns.source, terminal_columns(source_of(t->language, threshold)));
        columns.bound = number_max(columns.bound, terminal_columns(text_string(&bound)));
        columns.points = number_max(columns.points, terminal_columns(text_string(&points)));
    }
    size_t others = 4 + 2 + columns.value + columns.source + 2 + columns.bound + 2 + columns.points;
    size_t room = t->width > others + NARROWEST_THRESHOLD ? t->width - others : NARROWEST_THRESHOLD;
    size_t name = number_min(columns.name, WIDEST_THRESHOLD);
    if (name > room && !bare)
        return fit_thresholds(t, speed, true);
    columns.name = number_min(name, room);
    return columns;
}

static void print_threshold(const struct terminal *t, const struct report_threshold *threshold,
                            const struct threshold_columns *columns) {
    cleanup_text struct text bound = {0}, points = {0}, value = {0};
    enum pen pen = state_pen(threshold->state);
    terminal_printf(t, pen, "  %s ", state_symbol(threshold->state));
    terminal_cell(t, PEN_PLAIN, threshold->name, (unsigned)columns->name);
    if (threshold->state == THRESHOLD_UNDECIDED) {
        const char *undecided = WORDS(t->language, undecided);
        terminal_print(t, PEN_DIM, undecided);
        terminal_wrap(t, PEN_DIM, threshold->why ? threshold->why : "",
                      columns->name + 4 + terminal_columns(undecided), columns->name + 6);
        return;
    }
    report_append_value(&value, threshold->value);
    append_bound(&bound, t->language, threshold);
    append_points(&points, t->language, threshold, columns->bare);
    terminal_printf(t, pen, "  %*s", (int)columns->value, text_string(&value));
    terminal_cell(t, PEN_DIM, source_of(t->language, threshold), (unsigned)columns->source);
    terminal_indent(t, 2);
    terminal_cell(t, PEN_PLAIN, text_string(&bound),
                  points.length ? (unsigned)columns->bound
                                : (unsigned)terminal_columns(text_string(&bound)));
    if (points.length)
        terminal_printf(
            t, PEN_PLAIN, "  %*s",
            (int)(columns->points + points.length - terminal_columns(text_string(&points))),
            text_string(&points));
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
    report_append_doubt(&text, t->language, threshold);
    terminal_printf(t, state_pen(threshold->state), "  \u21b3 ");
    terminal_wrap(t, PEN_PLAIN, text_string(&text), 4, 4);
}

static void print_hint(const struct terminal *t, const char *hint) {
    hazards_detail_label(t, advice_is_generic(hint, t->language) ? WORDS(t->language, label_fix)
                                                                 : WORDS(t->language, label_hint));
    terminal_wrap(t, PEN_PLAIN, hint, DETAIL_INDENT, DETAIL_INDENT);
}

/* What bounds the launch; briefly without what its parts are and what line to mend, which the
 * reason of the lost points says. */
static void print_limiter(const struct terminal *t, const struct report_case *item, bool verbose) {
    cleanup_text struct text limiter = {0};
    const char *sentence = item->speed.limiter;
    if (!sentence || (!verbose && item->score >= item->max_score))
        return;
    const char *more = verbose ? NULL : strstr(sentence, WORDS(t->language, semicolon));
    text_append_bytes(&limiter, sentence, more ? (size_t)(more - sentence) : strlen(sentence));
    print_row(t, WORDS(t->language, label_limiter), &limiter);
}

/* Why points are lost, and the line. */
static void print_reason(const struct terminal *t, const struct report_threshold *threshold,
                         const char *source, size_t source_length) {
    enum pen pen = state_pen(threshold->state);
    terminal_printf(t, pen, "  \u21b3 ");
    terminal_wrap(t, PEN_PLAIN, threshold->why, 4, 4);
    unsigned context = t->terse >= TERSE_EVIDENCE ? 0 : 1;
    struct excerpt_mark mark = {.line = threshold->line, .context = context, .pen = pen};
    if (source && threshold->line)
        terminal_excerpt(t, source, source_length, &mark, 1);
}

static bool same_reason(const struct report_threshold *a, const struct report_threshold *b) {
    return b->state != THRESHOLD_UNDECIDED && b->why && strcmp(a->why, b->why) == 0;
}

static bool has_own_hint(const struct terminal *t, const struct report_threshold *threshold) {
    return threshold->hint && !advice_is_generic(threshold->hint, t->language);
}

/* Of a threshold that is missed for another reason, which is not shown. */
static const char *find_own_hint(const struct terminal *t, const struct report_speed *speed,
                                 size_t reason) {
    for (size_t i = 0; i < speed->threshold_count; i++)
        if (speed->thresholds[i].state == THRESHOLD_MISSED &&
            has_own_hint(t, &speed->thresholds[i]) &&
            !same_reason(&speed->thresholds[reason], &speed->thresholds[i]))
            return speed->thresholds[i].hint;
    return NULL;
}

/* The exercise's own hints about a reason before what helps in general; whether there were any.
 * Briefly, where this is the one reason that is shown, one about another reason will do. */
static bool print_hints(const struct terminal *t, const struct report_speed *speed, size_t reason,
                        bool hinted, bool verbose) {
    bool own = hinted, any = hinted;
    for (size_t i = reason; i < speed->threshold_count; i++)
        own |= same_reason(&speed->thresholds[reason], &speed->thresholds[i]) &&
               has_own_hint(t, &speed->thresholds[i]);
    const char *other = own || verbose ? NULL : find_own_hint(t, speed, reason);
    if (other) {
        print_hint(t, other);
        own = any = true;
    }
    for (unsigned generic = 0; generic < (own && t->terse >= TERSE_FIX ? 1 : 2); generic++)
        for (size_t i = reason; i < speed->threshold_count; i++) {
            const struct report_threshold *threshold = &speed->thresholds[i];
            if (threshold->hint && !is_hinted(speed, i) &&
                same_reason(&speed->thresholds[reason], threshold) &&
                advice_is_generic(threshold->hint, t->language) == (bool)generic) {
                print_hint(t, threshold->hint);
                any = true;
            }
        }
    return any;
}

/* Where the reasons that were shown have no hint, the one of another threshold that is missed. */
static void print_other_hint(const struct terminal *t, const struct report_speed *speed) {
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        if (threshold->state != THRESHOLD_MISSED || !threshold->hint)
            continue;
        print_hint(t, threshold->hint);
        return;
    }
}

/* The hint of the case comes with the first reason. */
static void print_reasons(const struct terminal *t, const struct report_case *item,
                          const char *source, size_t source_length, bool verbose) {
    const struct report_speed *speed = &item->speed;
    const char *hint = item->hint && *item->hint ? item->hint : NULL;
    bool reported = false, hinted = false;
    for (size_t i = 0; i < speed->threshold_count && (verbose || !reported); i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        if (threshold->state == THRESHOLD_UNDECIDED)
            continue;
        if (threshold->in_doubt)
            print_doubt(t, threshold);
        if (!threshold->why || is_reported(speed, i))
            continue;
        print_reason(t, threshold, source, source_length);
        reported = true;
        if (hint)
            print_hint(t, hint);
        hinted |= print_hints(t, speed, i, hint != NULL, verbose);
        hint = NULL;
    }
    if (hint && item->verdict != VERDICT_PASS)
        print_hint(t, hint);
    else if (!hinted)
        print_other_hint(t, speed);
}

static void print_time(const struct terminal *t, const struct report_case *item) {
    cleanup_text struct text text = {0};
    if (!item->time.present)
        return;
    text_case_append_time(&text, t->language, &item->time);
    print_row(t, WORDS(t->language, label_time), &text);
    text_clear(&text);
    if (!item->time.measured)
        report_append_guess(&text, t->language, &item->speed.device_rates);
    print_row(t, WORDS(t->language, label_assumed), &text);
}

/* "! speed: too slow (NVIDIA H200, n = 4194304)": on what the time was found; the groups have the
 * points. */
static void print_title(const struct terminal *t, const struct report_case *item) {
    const struct report_speed *speed = &item->speed;
    bool measured = item->time.measured && speed->measured.present;
    cleanup_text struct text on = {0};
    const char *device = measured ? speed->measured.card : speed->device_name;
    text_append(&on, device ? device : "");
    append_sizes(&on, on.length ? ", " : "", measured ? speed->measured.sizes : speed->sizes,
                 measured ? speed->measured.size_count : speed->size_count);
    enum pen pen = text_case_verdict_pen(item->verdict);
    terminal_printf(t, pen, "%s ", text_case_verdict_symbol(item->verdict));
    terminal_foreign(t, pen, item->name);
    terminal_printf(t, pen, "%s%s", WORDS(t->language, colon),
                    report_case_verdict(t->language, item));
    if (on.length) {
        terminal_print(t, PEN_DIM, WORDS(t->language, open_parenthesis));
        terminal_foreign(t, PEN_DIM, text_string(&on));
        terminal_print(t, PEN_DIM, WORDS(t->language, close_parenthesis));
    }
    text_append_char(t->out, '\n');
}

/* Briefly those that are met share a line, where another is not. */
static bool is_shared(const struct report_speed *speed, size_t index, bool verbose) {
    size_t met = 0;
    for (size_t i = 0; i < speed->threshold_count; i++)
        met += speed->thresholds[i].state == THRESHOLD_MET;
    return !verbose && met > 1 && met < speed->threshold_count &&
           speed->thresholds[index].state == THRESHOLD_MET;
}

/* "  ✓ 2 other targets are met" */
static void print_thresholds(const struct terminal *t, const struct report_speed *speed,
                             bool verbose) {
    struct threshold_columns columns = fit_thresholds(t, speed, false);
    size_t shared = 0;
    for (size_t i = 0; i < speed->threshold_count; i++)
        if (is_shared(speed, i, verbose))
            shared++;
        else
            print_threshold(t, &speed->thresholds[i], &columns);
    if (!shared)
        return;
    terminal_printf(t, state_pen(THRESHOLD_MET), "  %s ", state_symbol(THRESHOLD_MET));
    terminal_printf(t, PEN_PLAIN, WORDS(t->language, others_met), shared);
}

void text_speed(const struct terminal *t, const struct report_case *item, const char *source,
                size_t source_length, bool verbose) {
    const struct report_speed *speed = &item->speed;
    if (verbose) {
        print_measured(t, &speed->measured);
        if (speed->device_id)
            print_device(t, speed);
    } else {
        print_title(t, item);
        print_time(t, item);
    }
    print_thresholds(t, speed, verbose);
    print_limiter(t, item, verbose);
    print_reasons(t, item, source, source_length, verbose);
}
