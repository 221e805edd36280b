/* Thresholds; threshold.h states the rules.
 *
 * Where a metric is lost is found by leaving lines out: the line without which the metric would
 * come closest to its bound is the one to blame. That needs to know nothing of the metric, and
 * holds for sums (bank conflicts) and quotients (sectors per request) alike. Time is not a sum over
 * counters; there the model's own share of each line decides. */
#include "grader/exercise/threshold.h"

#include "reports/advice.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <string.h>

static const char tuned_prefix[] = "tuned_";

/* Times decide by what a GPU measured, where one did and the threshold admits it; counters by what
 * the simulated GPU counted. */
struct question {
    const struct threshold_facts *facts;
    bool measured;
};

const char *threshold_base_name(const char *name) {
    size_t length = sizeof tuned_prefix - 1;
    return strncmp(name, tuned_prefix, length) == 0 ? name + length : name;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool launch_value(const struct threshold_launch *launch, const char *name, double *value) {
    if (strcmp(name, "time_ms") == 0) {
        *value = launch->time_ms;
        return launch->time_ms > 0;
    }
    if (strcmp(name, "registers_per_thread") == 0) {
        *value = launch->registers;
        return launch->registers != 0;
    }
    if (strcmp(name, "theoretical_occupancy") == 0) {
        *value = launch->occupancy;
        return launch->registers != 0;
    }
    return launch->counters && metric_evaluate(launch->counters, name, value);
}

enum { RATIO_TO_TUNED, RATIO_TO_REFERENCE, FRACTION_OF_BASELINE, FRACTION_OF_ROOF, QUOTIENT_COUNT };
static const char *const quotient_names[QUOTIENT_COUNT] = {
    [RATIO_TO_TUNED] = "ratio_to_tuned",
    [RATIO_TO_REFERENCE] = "ratio_to_reference",
    [FRACTION_OF_BASELINE] = "fraction_of_baseline",
    [FRACTION_OF_ROOF] = "fraction_of_roof",
};

static unsigned find_quotient(const char *name) {
    unsigned i = 0;
    while (i < QUOTIENT_COUNT && strcmp(quotient_names[i], name) != 0)
        i++;
    return i;
}

static bool interval_value(const struct report_interval *interval, double *value) {
    *value = interval->median;
    return interval->present && *value > 0;
}

static bool measured_quotient(const struct report_measured *measured, unsigned quotient,
                              double *value) {
    switch (quotient) {
    case RATIO_TO_TUNED:
        return interval_value(&measured->ratio_to_tuned, value);
    case RATIO_TO_REFERENCE:
        return interval_value(&measured->ratio_to_reference, value);
    case FRACTION_OF_BASELINE:
        return interval_value(&measured->fraction_of_baseline, value);
    default:
        *value = measured->fraction_of_roof;
        return *value > 0;
    }
}

/* The simulated GPU has neither a reference's nor a baseline's time. */
static bool modelled_quotient(const struct threshold_facts *facts, unsigned quotient,
                              double *value) {
    *value = facts->tuned.time_ms > 0 ? facts->submission.time_ms / facts->tuned.time_ms : 0;
    return quotient == RATIO_TO_TUNED && *value > 0;
}

static bool look_up(const void *context, const char *name, double *value) {
    const struct question *question = context;
    const struct threshold_facts *facts = question->facts;
    unsigned quotient = find_quotient(name);
    if (quotient < QUOTIENT_COUNT)
        return question->measured ? measured_quotient(facts->measured, quotient, value)
                                  : modelled_quotient(facts, quotient, value);
    const char *base = threshold_base_name(name);
    if (question->measured && strcmp(base, "time_ms") == 0) {
        *value = base == name ? facts->measured_ms : facts->measured->tuned_ms;
        return *value > 0;
    }
    if (launch_value(base == name ? &facts->submission : &facts->tuned, base, value))
        return true;
    const struct expr_name *names = question->measured ? facts->measured_names : facts->names;
    size_t count = question->measured ? facts->measured_name_count : facts->name_count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0) {
            *value = (double)names[i].value;
            return true;
        }
    return false;
}

static void find_time(const char *name, unsigned column, void *context) {
    bool *found = context;
    (void)column;
    *found |=
        find_quotient(name) < QUOTIENT_COUNT || strcmp(threshold_base_name(name), "time_ms") == 0;
}

static bool uses_time(const struct exercise_threshold *threshold) {
    bool found = false;
    expr_visit_names(threshold->metric, find_time, &found);
    for (size_t i = 0; i < threshold->tier_count; i++)
        expr_visit_names(threshold->tiers[i].bound, find_time, &found);
    return found;
}

/* ---- where it is lost ------------------------------------------------------------------------ */

/* How far beyond the bound; positive: not met. */
static double excess(const struct exercise_threshold *threshold, const struct expr *bound,
                     const struct threshold_facts *facts) {
    const struct question question = {facts, false};
    double value, limit;
    if (!expr_evaluate_real(threshold->metric, look_up, &question, &value, NULL) ||
        !expr_evaluate_real(bound, look_up, &question, &limit, NULL))
        return 0;
    return threshold->at_least ? limit - value : value - limit;
}

static void subtract(struct counters *from, const struct counters *line) {
    for (size_t i = 0; i < COUNTER_COUNT; i++) {
        uint64_t *total = counter_at(from, i), part = counter_value(line, i);
        *total = *total > part ? *total - part : 0;
    }
}

/* Of the submission, by modelled time or by what limits it. */
static const struct line_counters *costliest(const struct threshold_facts *facts) {
    return advice_costliest(facts->lines, facts->line_count, facts->limiter, facts->file);
}

/* The costliest one where leaving out a line makes nothing better: the caches' counters are not
 * known of lines. */
static const struct line_counters *blame(const struct exercise_threshold *threshold,
                                         const struct expr *bound,
                                         const struct threshold_facts *facts) {
    const struct line_counters *worst = NULL;
    double least = excess(threshold, bound, facts);
    for (size_t i = 0; i < facts->line_count; i++) {
        const struct line_counters *line = &facts->lines[i];
        if (!line->line || strcmp(line->file, facts->file) != 0)
            continue;
        struct counters without = *facts->submission.counters;
        subtract(&without, &line->counters);
        struct threshold_facts others = *facts;
        others.submission.counters = &without;
        double left = excess(threshold, bound, &others);
        if (left < least) {
            least = left;
            worst = line;
        }
    }
    return worst ? worst : costliest(facts);
}

/* The tuned kernel multiplies on tensor cores, and the submission does not. */
static bool lacks_matrix(const struct threshold_facts *facts) {
    const struct counters *own = facts->submission.counters, *tuned = facts->tuned.counters;
    return own && tuned && tuned->matrix_instructions && !own->matrix_instructions;
}

static enum waste find_waste(const struct exercise_threshold *threshold,
                             const struct threshold_facts *facts, const struct line_counters *line,
                             bool timed) {
    const char *metric = expr_text(threshold->metric);
    if (lacks_matrix(facts) && (timed || strstr(metric, "matrix")))
        return WASTE_MATRIX;
    return timed ? advice_limited_waste(&line->counters, facts->limiter)
                 : advice_waste(&line->counters, metric);
}

static void explain_miss(const struct exercise_threshold *threshold, const struct expr *bound,
                         const struct threshold_facts *facts, enum language language,
                         struct report_threshold *out) {
    bool timed = out->modelled || out->measured;
    const struct line_counters *line =
        timed ? advice_costliest(facts->lines, facts->line_count, facts->limiter, facts->file)
              : blame(threshold, bound, facts);
    if (!line)
        return;
    bool waits = timed && facts->limiter == PART_blocks;
    enum waste waste = find_waste(threshold, facts, line, timed);
    struct text why = {0};
    text_printf(&why, WORDS(language, line_does), line->line);
    if (waste == WASTE_COUNT)
        text_append(&why, waits   ? WORDS(language, line_waits)
                          : timed ? WORDS(language, line_takes_most)
                                  : WORDS(language, line_has_most));
    else
        advice_append(waste, &line->counters, language, &why);
    out->line = line->line;
    out->why = text_steal(&why);
    if (!out->hint)
        out->hint = mem_strdup(advice_fix(waste, language));
}

/* ---- the decision ---------------------------------------------------------------------------- */

static void leave_undecided(struct report_threshold *out, char *why) {
    out->state = THRESHOLD_UNDECIDED;
    out->why = why;
    out->value = out->target = out->error = 0;
}

static bool engine_may_decide(const struct exercise_threshold *threshold,
                              const struct threshold_facts *facts, enum language language,
                              struct report_threshold *out) {
    if (threshold->engine == THRESHOLD_CUDA && !facts->measured)
        leave_undecided(out, mem_strdup(WORDS(language, only_a_gpu_decides)));
    else if (threshold->engine == THRESHOLD_SIM && !facts->submission.counters)
        leave_undecided(out, mem_strdup(WORDS(language, only_sim_decides)));
    else
        return true;
    return false;
}

static bool is_met(bool at_least, double value, double bound) {
    double slack = 1e-9 * fabs(bound); /* decimal fractions of an exercise are no exact doubles */
    return at_least ? value >= bound - slack : value <= bound + slack;
}

/* 95 % of what chance does: of the rounds that were measured, else of the model and the sample. */
static double error_of(const struct threshold_facts *facts, const struct report_threshold *out) {
    double sample = 1.96 * facts->sample_error;
    if (out->modelled)
        return fmin(0.9, sqrt(THRESHOLD_MODEL_ERROR * THRESHOLD_MODEL_ERROR + sample * sample));
    if (!out->measured)
        return fmin(0.9, sample);
    const struct report_interval *ratio = &facts->measured->ratio_to_tuned;
    bool known = ratio->present && ratio->median > 0;
    return known ? fmax(ratio->high - ratio->median, ratio->median - ratio->low) / ratio->median
                 : 0;
}

/* As good as it may be. */
static double best_value(const struct report_threshold *out) {
    return out->at_least ? out->value * (1 + out->error) : out->value * (1 - out->error);
}

/* The number of tiers met; tiers are met in order, so that a hole between two ends the count. */
static bool count_met(const struct exercise_threshold *threshold,
                      const struct threshold_facts *facts, enum language language,
                      struct report_threshold *out, size_t *met) {
    const struct question question = {facts, out->measured};
    const char *missing = NULL;
    if (!expr_evaluate_real(threshold->metric, look_up, &question, &out->value, &missing)) {
        leave_undecided(out, mem_printf(WORDS(language, not_known_here), missing));
        return false;
    }
    out->error = error_of(facts, out);
    for (*met = 0; *met < threshold->tier_count; ++*met) {
        if (!expr_evaluate_real(threshold->tiers[*met].bound, look_up, &question, &out->target,
                                &missing)) {
            leave_undecided(out, mem_printf(WORDS(language, not_known_here), missing));
            return false;
        }
        if (!isfinite(out->target)) {
            leave_undecided(out, mem_strdup(WORDS(language, bound_divides_by_0)));
            return false;
        }
        if (!is_met(threshold->at_least, best_value(out), out->target))
            break;
        out->in_doubt |= !is_met(threshold->at_least, out->value, out->target);
    }
    return true;
}

void threshold_decide(const struct exercise_threshold *threshold,
                      const struct threshold_facts *facts, enum language language,
                      struct report_threshold *out) {
    *out = (struct report_threshold){.name = mem_strdup(threshold->name[language]),
                                     .metric = mem_strdup(expr_text(threshold->metric)),
                                     .at_least = threshold->at_least,
                                     .max_score = exercise_threshold_points(threshold)};
    bool on_card = facts->measured && threshold->engine != THRESHOLD_SIM;
    out->measured = uses_time(threshold) && on_card;
    out->modelled = uses_time(threshold) && !on_card;
    size_t met = 0;
    if (!engine_may_decide(threshold, facts, language, out) ||
        !count_met(threshold, facts, language, out, &met)) {
        out->bound = mem_strdup(expr_text(threshold->tiers[threshold->tier_count - 1].bound));
        return;
    }
    bool all = met == threshold->tier_count;
    const struct expr *bound = threshold->tiers[all ? met - 1 : met].bound;
    out->bound = mem_strdup(expr_text(bound));
    out->score = met ? threshold->tiers[met - 1].points : 0;
    out->state = all ? THRESHOLD_MET : met ? THRESHOLD_PART : THRESHOLD_MISSED;
    if (all)
        return;
    out->hint = mem_strdup(threshold->hint[language]);
    explain_miss(threshold, bound, facts, language, out);
}

enum verdict threshold_verdict(const struct report_speed *speed) {
    size_t decided = 0, missed = 0;
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        decided += threshold->state != THRESHOLD_UNDECIDED;
        missed += threshold->state == THRESHOLD_MISSED && threshold->max_score > 0;
    }
    return missed ? VERDICT_TOO_SLOW : decided ? VERDICT_PASS : VERDICT_SKIPPED;
}

void threshold_points(const struct report_speed *speed, double *score, double *max_score) {
    *score = *max_score = 0;
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const struct report_threshold *threshold = &speed->thresholds[i];
        if (threshold->state == THRESHOLD_UNDECIDED)
            continue;
        *score += threshold->score;
        *max_score += threshold->max_score;
    }
}
