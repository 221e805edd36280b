/* What a report owns, and the figures that all formats write in one way. The formats are
 * formats.c's. */
#include "reports/report.h"

#include "reports/message.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void free_sizes(struct report_size *sizes, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(sizes[i].name);
    free(sizes);
}

const char *const report_threshold_states[THRESHOLD_STATE_COUNT] = {"met", "part", "missed",
                                                                    "undecided"};

const char report_cell_letters[REPORT_CELL_COUNT + 1] = {
#define CELL(ID, letter, summary) letter,
#include "reports/report_cell.def"
#undef CELL
};

void report_difference_free(struct report_difference *difference) {
    free(difference->output);
    free(difference->index);
    free(difference->window.cells);
    free(difference->map.cells);
    *difference = (struct report_difference){0};
}

void report_speed_free(struct report_speed *speed) {
    for (size_t i = 0; i < speed->threshold_count; i++) {
        struct report_threshold *threshold = &speed->thresholds[i];
        free(threshold->name);
        free(threshold->metric);
        free(threshold->bound);
        free(threshold->why);
        free(threshold->hint);
    }
    free(speed->thresholds);
    free(speed->device_id);
    free(speed->device_name);
    free(speed->occupancy_limit);
    free(speed->limiter);
    free(speed->lines);
    free(speed->roofline.precision);
    free(speed->measured.card);
    free(speed->measured.baseline);
    free(speed->measured.throttled);
    free_sizes(speed->measured.sizes, speed->measured.size_count);
    free_sizes(speed->sizes, speed->size_count);
    *speed = (struct report_speed){0};
}

static void free_case(struct report_case *item) {
    free(item->name);
    free(item->group);
    free_sizes(item->sizes, item->size_count);
    free(item->message);
    free(item->hint);
    report_difference_free(&item->difference);
    free(item->cause.id);
    free(item->cause.text);
    free(item->cause.evidence);
    free(item->tolerance);
    free(item->hazards);
    free(item->printed);
    report_speed_free(&item->speed);
}

bool report_was_graded(const struct report *report) {
    return report->group_count || report->build_message;
}

void report_free(struct report *report) {
    if (!report)
        return;
    for (size_t i = 0; i < report->group_count; i++)
        free(report->groups[i].name);
    free(report->groups);
    for (size_t i = 0; i < report->case_count; i++)
        free_case(&report->cases[i]);
    free(report->cases);
    free_sizes(report->constants, report->constant_count);
    free(report->diagnostics);
    free(report->exercise);
    free(report->title);
    free(report->language);
    free(report->file);
    free(report->source);
    free(report->engine);
    free(report->message);
    free(report->cap_reason);
    free(report->build_message);
    free(report->build_hint);
    free(report->compiler);
    free(report->environment);
    free(report);
}

void report_append_error(struct text *out, enum language language,
                         const double errors[SAMPLED_FIGURE_COUNT]) {
    double most = profile_largest_error(errors);
    if (most > 0)
        text_printf(out, WORDS(language, standard_error), decimal(100 * most, 2).text,
                    sampled_figure_names[profile_least_certain(errors)]);
    else
        text_append(out, WORDS(language, standard_error_none));
}

void report_append_spread(struct text *out, double error) {
    if (error > PROFILE_CERTAIN)
        text_printf(out, " \u00b1 %s %%", decimal(100 * error, 2).text);
}

void report_append_doubt(struct text *out, enum language language,
                         const struct report_threshold *threshold) {
    text_printf(out, WORDS(language, doubt), decimal(threshold->value, 4).text,
                decimal(100 * threshold->error, 2).text);
}

void report_append_value(struct text *out, double value) {
    text_append(out, decimal_grouped(value, 4).text);
}

void report_append_points(struct text *out, double points) {
    text_append(out, decimal_points(points).text);
}

void report_append_score(struct text *out, enum language language, double score, double max_score) {
    report_append_points(out, score);
    text_append(out, WORDS(language, points_of));
    report_append_points(out, max_score);
}

bool report_is_target_missed(const struct report_case *item) {
    size_t counted = 0;
    for (size_t i = 0; i < item->speed.threshold_count; i++) {
        const struct report_threshold *threshold = &item->speed.thresholds[i];
        if (threshold->state != THRESHOLD_MISSED)
            continue;
        if (threshold->modelled || threshold->measured)
            return false;
        counted++;
    }
    return item->verdict == VERDICT_TOO_SLOW && counted > 0;
}

const char *report_case_verdict(enum language language, const struct report_case *item) {
    return report_is_target_missed(item) ? WORDS(language, verdict_target_missed)
                                         : message_verdict(language, item->verdict);
}

const char *report_verdict(enum language language, const struct report *report) {
    bool missed = false, slow = false;
    for (size_t i = 0; i < report->case_count; i++) {
        missed |= report_is_target_missed(&report->cases[i]);
        slow |= report->cases[i].verdict == VERDICT_TOO_SLOW &&
                !report_is_target_missed(&report->cases[i]);
    }
    return report->verdict == VERDICT_TOO_SLOW && missed && !slow
               ? WORDS(language, verdict_target_missed)
               : message_verdict(language, report->verdict);
}
