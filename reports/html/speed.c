/* How fast it is: times as bars with their intervals, the roofline, where the modelled time goes,
 * what a warp asks memory for, and what all that is worth. */
#include "reports/html/html.h"

#include "reports/explain.h"
#include "reports/message.h"
#include "reports/translate.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 5, MOST_BARS = 5 };

/* ---- times ----------------------------------------------------------------------------------- */

struct time_bar {
    const char *css_class;
    enum html_string name;
    const char *own_name;       /* in its place */
    double ms, low_ms, high_ms; /* no interval: 0 */
    bool measured;
};

static bool is_positive(double value) {
    return isfinite(value) && value > 0;
}

static void add_bar(struct time_bar *bars, size_t *count, struct time_bar bar) {
    if (is_positive(bar.ms) && *count < MOST_BARS)
        bars[(*count)++] = bar;
}

static size_t collect_bars(const struct report_case *item, struct time_bar *bars) {
    const struct report_time *time = &item->time;
    const struct report_measured *measured = &item->speed.measured;
    bool is_measured = time->measured;
    double tuned = is_measured ? measured->tuned_ms
                   : is_positive(time->ratio_to_reference)
                       ? time->median_ms / time->ratio_to_reference
                       : 0;
    size_t count = 0;
    add_bar(bars, &count,
            (struct time_bar){"own", SAY_YOURS, NULL, time->median_ms, time->ci_low_ms,
                              time->ci_high_ms, is_measured});
    add_bar(bars, &count, (struct time_bar){"tuned", SAY_TUNED, NULL, tuned, 0, 0, is_measured});
    if (!is_measured)
        return count;
    add_bar(bars, &count,
            (struct time_bar){"base", SAY_REFERENCE, measured->baseline, measured->baseline_ms, 0,
                              0, true});
    add_bar(bars, &count, (struct time_bar){"roof", SAY_ROOF, NULL, measured->roof_ms, 0, 0, true});
    if (measured->reference_ms < 4 * time->median_ms) /* else the others would be hairs */
        add_bar(bars, &count,
                (struct time_bar){"reference", SAY_REFERENCE, NULL, measured->reference_ms, 0, 0,
                                  true});
    return count;
}

static bool has_interval(const struct time_bar *bar) {
    return is_positive(bar->low_ms) && bar->high_ms > bar->low_ms && isfinite(bar->high_ms);
}

static void write_time_bar(struct html *h, const struct time_bar *bar, double most) {
    html_printf(h, "<li class=\"%s\"><span>", bar->css_class);
    if (bar->own_name)
        html_foreign(h, bar->own_name);
    else
        html_say(h, bar->name, NULL);
    html_printf(h, "</span><span class=\"bar\"><i style=\"width:%.2f%%\"></i>",
                100 * bar->ms / most);
    if (has_interval(bar))
        html_printf(h, "<u style=\"left:%.2f%%;width:%.2f%%\"></u>", 100 * bar->low_ms / most,
                    100 * (bar->high_ms - bar->low_ms) / most);
    html_printf(h, "</span><b>%s <small>", html_time(bar->ms).text);
    html_say(h, bar->measured ? SAY_MEASURED : SAY_MODELLED, NULL);
    html_raw(h, "</small></b></li>");
}

static void say_ratio(struct html *h, const struct report_interval *interval, double scale,
                      enum html_string string, const char *name) {
    if (!interval->present)
        return;
    html_raw(h, "<br>");
    html_say(h, string, decimal(scale * interval->median, 3).text,
             decimal(scale * interval->low, 3).text, decimal(scale * interval->high, 3).text,
             name ? name : "", NULL);
}

static void draw_times(struct html *h, const struct report_case *item) {
    struct time_bar bars[MOST_BARS];
    size_t count = item->time.present ? collect_bars(item, bars) : 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        double end = isfinite(bars[i].high_ms) ? fmax(bars[i].ms, bars[i].high_ms) : bars[i].ms;
        most = fmax(most, end);
    }
    if (!count)
        return;
    cleanup_text struct text label = {0}, where = {0};
    html_fill(h, &label, SAY_TIMES_ALT, NULL);
    const struct report_speed *speed = &item->speed;
    if (item->time.measured && speed->measured.card)
        html_fill(h, &where, SAY_CARD, speed->measured.card,
                  html_number(speed->measured.rounds).text, NULL);
    else if (speed->device_name)
        html_fill(h, &where, SAY_DEVICE, speed->device_name, NULL);
    html_raw(h, "<figure class=\"times\"><h3>");
    html_say(h, SAY_TIMES, NULL);
    html_tagged(h, "</h3><ul class=\"bars\" aria-label=\"", text_string(&label), "\">");
    for (size_t i = 0; i < count; i++)
        write_time_bar(h, &bars[i], most);
    html_raw(h, "</ul><figcaption>");
    html_say(h, SAY_TIMES_CAPTION, text_string(&where), NULL);
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= has_interval(&bars[i]);
    if (any)
        html_say(h, SAY_TIMES_INTERVAL, NULL);
    say_ratio(h, &speed->measured.ratio_to_tuned, 1, SAY_RATIO_TUNED, NULL);
    say_ratio(h, &speed->measured.fraction_of_baseline, 100, SAY_RATIO_BASELINE,
              speed->measured.baseline);
    html_raw(h, "</figcaption></figure>\n");
}

/* ---- parts of the modelled time -------------------------------------------------------------- */

static const char *const part_labels[COST_PART_COUNT] = {
#define COST_PART(id, label, summary) label,
#include "sandbox/base/cost_part.def"
#undef COST_PART
};

static size_t most_of(const double *ms, const bool *done) {
    size_t most = COST_PART_COUNT;
    for (size_t i = 0; i < COST_PART_COUNT; i++)
        if (!done[i] && is_positive(ms[i]) && (most == COST_PART_COUNT || ms[i] > ms[most]))
            most = i;
    return most;
}

static void draw_parts(struct html *h, const struct report_speed *speed) {
    bool done[COST_PART_COUNT] = {false};
    size_t part = most_of(speed->part_ms, done);
    if (part == COST_PART_COUNT)
        return;
    double most = speed->part_ms[part];
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_PARTS_ALT, NULL);
    html_raw(h, "<figure class=\"cost\"><h3>");
    html_say(h, SAY_PARTS, NULL);
    html_tagged(h, "</h3><ul class=\"bars\" aria-label=\"", text_string(&label), "\">");
    for (size_t i = 0; i < MOST_PARTS && part < COST_PART_COUNT; i++) {
        cleanup_free char *name = translate_string((enum language)h->language, part_labels[part]);
        html_printf(h, "<li class=\"%s\"><span>", i ? "other" : "own");
        html_foreign(h, name);
        html_printf(
            h, "</span><span class=\"bar\"><i style=\"width:%.2f%%\"></i></span><b>%s</b></li>",
            100 * speed->part_ms[part] / most, html_time(speed->part_ms[part]).text);
        done[part] = true;
        part = most_of(speed->part_ms, done);
    }
    html_raw(h, "</ul><figcaption>");
    html_say(h, SAY_PARTS_CAPTION, NULL);
    html_raw(h, "</figcaption></figure>\n");
}

/* ---- thresholds ------------------------------------------------------------------------------ */

/* The page of the first name in the expression. */
static void link_metric(struct html *h, const char *metric) {
    size_t length = metric ? strspn(metric, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
    cleanup_free char *name = mem_strndup(metric ? metric : "", length);
    if (length)
        html_explain_link(h, name, SAY_MORE_ABOUT);
}

static void write_threshold(struct html *h, const struct report_threshold *threshold) {
    static const char *const classes[THRESHOLD_STATE_COUNT] = {"ok", "warn", "bad", "off"};
    static const char *const marks[THRESHOLD_STATE_COUNT] = {"\u2713", "!", "\u2717", "\u2013"};
    cleanup_text struct text value = {0}, target = {0};
    bool decided = threshold->state != THRESHOLD_UNDECIDED;
    report_append_value(&value, threshold->value);
    report_append_value(&target, threshold->target);
    html_printf(h, "<tr class=\"%s\"><th scope=\"row\"><i>%s</i> ", classes[threshold->state],
                marks[threshold->state]);
    html_foreign(h, threshold->name);
    if (threshold->why && *threshold->why) {
        html_tagged(h, "<span class=\"soft\">", threshold->why, " ");
        link_metric(h, threshold->metric);
        html_raw(h, "</span>");
    }
    html_raw(h, "</th><td>");
    if (decided) {
        html_printf(h, "<b>%s</b> <small>", text_string(&value));
        html_say(h,
                 threshold->measured   ? SAY_MEASURED
                 : threshold->modelled ? SAY_MODELLED
                                       : SAY_COUNTED,
                 NULL);
        html_raw(h, "</small></td><td>");
        html_say(h, threshold->at_least ? SAY_AT_LEAST : SAY_AT_MOST, text_string(&target), NULL);
    } else {
        html_say(h, SAY_UNDECIDED, NULL);
        html_raw(h, "</td><td>");
    }
    html_printf(h, "</td><td>%s / %s</td></tr>", decimal_points(threshold->score).text,
                decimal_points(threshold->max_score).text);
}

static void write_thresholds(struct html *h, const struct report_speed *speed) {
    static const enum html_string heads[] = {SAY_THRESHOLD, SAY_VALUE, SAY_TARGET, SAY_POINTS};
    if (!speed->threshold_count)
        return;
    html_raw(h, "<div class=\"scroll\" tabindex=\"0\"><table class=\"thresholds\"><thead><tr>");
    for (size_t i = 0; i < ARRAY_LENGTH(heads); i++) {
        html_raw(h, "<th scope=\"col\">");
        html_say(h, heads[i], NULL);
        html_raw(h, "</th>");
    }
    html_raw(h, "</tr></thead><tbody>");
    for (size_t i = 0; i < speed->threshold_count; i++)
        write_threshold(h, &speed->thresholds[i]);
    html_raw(h, "</tbody></table></div>\n");
}

static void write_hints(struct html *h, const struct report_speed *speed) {
    const char *last = NULL;
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        if (!threshold->hint || threshold->state == THRESHOLD_MET ||
            html_is_next(h, threshold->hint) || (last && strcmp(last, threshold->hint) == 0))
            continue;
        html_raw(h, last ? "" : "<dl class=\"advice\">");
        html_raw(h, "<dt>");
        html_say(h, SAY_HINT, NULL);
        html_raw(h, "</dt><dd>");
        html_prose(h, threshold->hint);
        html_raw(h, "</dd>");
        last = threshold->hint;
    }
    html_raw(h, last ? "</dl>\n" : "");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void write_facts(struct html *h, const struct report_speed *speed) {
    if (speed->limiter && *speed->limiter)
        html_tagged(h, "<p class=\"message sentence\">", speed->limiter, " ");
    const char *page = speed->limiter ? explain_limiter(speed->limiter) : NULL;
    if (page)
        html_explain_link(h, page, SAY_MORE_ABOUT);
    if (speed->limiter && *speed->limiter)
        html_raw(h, "</p>\n");
    if (!speed->registers)
        return;
    html_raw(h, "<p class=\"soft\">");
    html_say(h, SAY_OCCUPANCY, decimal(100 * speed->occupancy, 3).text,
             html_number(speed->registers).text,
             speed->occupancy_limit
                 ? message_occupancy_limit((enum language)h->language, speed->occupancy_limit)
                 : "",
             NULL);
    html_raw(h, "</p>\n");
}

static void write_case(struct html *h, const struct report_case *item) {
    const struct report_speed *speed = &item->speed;
    write_facts(h, speed);
    html_raw(h, "<div class=\"charts\">");
    draw_times(h, item);
    draw_parts(h, speed);
    for (size_t i = 0; i < speed->access_count; i++)
        html_access(h, &speed->accesses[i]);
    html_roofline(h, speed);
    html_raw(h, "</div>\n");
    write_thresholds(h, speed);
    write_hints(h, speed);
}

/* While a result is wrong, speed is behind a line that opens. */
bool html_speed_counts(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (html_is_failure(&report->cases[i]) && !report->cases[i].speed.present)
            return false;
    return true;
}

void html_speed(struct html *h) {
    for (size_t i = 0; i < h->report->case_count; i++) {
        const struct report_case *item = &h->report->cases[i];
        if (!item->speed.present && !(item->time.present && html_is_failure(item)))
            continue;
        bool first = html_speed_counts(h->report);
        html_raw(h, first ? "<section><h2>" : "<section><details><summary><h2>");
        html_say(h, SAY_SPEED, NULL);
        html_raw(h, first ? "</h2>\n" : "</h2></summary>\n");
        write_case(h, item);
        html_raw(h, first ? "</section>\n" : "</details></section>\n");
    }
}
