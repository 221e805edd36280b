/* The candidates are an exercise of their own: a shallow copy with other cases and without a speed
 * case, that is graded as any other. */
#include "grader/validate/candidates.h"

#include "grader/cases/plan.h"
#include "grader/judge/oracle.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 72, MOST_NAME = 63, SOURCE_MAX = 1 << 20 };

struct candidates {
    const struct exercise *exercise;
    struct exercise_case cases[MOST_CASES];
    size_t count;
};

static const int64_t interesting[] = {0,  1,  2,  3,   5,   7,   8,   15,  16,  17,   31,   32,  33,
                                      63, 65, 97, 127, 129, 255, 256, 257, 511, 1000, 1025, 2049};

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool in_range(const struct exercise *exercise, size_t size, int64_t value) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < exercise->case_count; i++) {
        int64_t own = exercise->cases[i].sizes[size].value;
        low = own < low ? own : low;
        high = own > high ? own : high;
    }
    for (size_t i = 0; i < exercise->generated_range_count; i++)
        if (i == size) {
            low = exercise->generated[i].low < low ? exercise->generated[i].low : low;
            high = exercise->generated[i].high > high ? exercise->generated[i].high : high;
        }
    return value >= low && value <= high;
}

static struct exercise_case *add_case(struct candidates *candidates,
                                      const struct exercise_size *sizes, size_t size_count) {
    const struct exercise *exercise = candidates->exercise;
    if (candidates->count == MOST_CASES)
        return NULL;
    struct exercise_case *entry = &candidates->cases[candidates->count++];
    *entry =
        (struct exercise_case){.group = GROUP_CORRECTNESS,
                               .sizes = mem_calloc(size_count + 1, sizeof *sizes),
                               .size_count = size_count,
                               .fills = mem_calloc(exercise->param_count, sizeof *entry->fills)};
    if (size_count)
        memcpy(entry->sizes, sizes, size_count * sizeof *sizes);
    for (size_t i = 0; i < exercise->param_count; i++)
        entry->fills[i] = exercise->params[i].fill;
    struct text name = {0};
    for (size_t i = 0; i < size_count; i++)
        text_printf(&name, "%s%s-%" PRId64, i ? "-" : "", sizes[i].name, sizes[i].value);
    entry->name = text_steal(&name);
    if (!entry->name)
        entry->name = mem_strdup("case");
    return entry;
}

/* Of one case of the exercise, each size at a time at each place of interest, then all at once. */
static void add_sizes(struct candidates *candidates, const struct exercise_case *base) {
    struct exercise_size sizes[32];
    size_t count = base->size_count < ARRAY_LENGTH(sizes) ? base->size_count : 0;
    for (size_t i = 0; i < count; i++)
        for (size_t v = 0; v < ARRAY_LENGTH(interesting); v++) {
            memcpy(sizes, base->sizes, count * sizeof *sizes);
            sizes[i].value = interesting[v];
            if (in_range(candidates->exercise, i, sizes[i].value))
                add_case(candidates, sizes, count);
        }
    for (size_t v = 0; count > 1 && v < ARRAY_LENGTH(interesting); v++) {
        bool fits = true;
        memcpy(sizes, base->sizes, count * sizeof *sizes);
        for (size_t i = 0; i < count; i++) {
            sizes[i].value = interesting[v];
            fits &= in_range(candidates->exercise, i, sizes[i].value);
        }
        if (fits)
            add_case(candidates, sizes, count);
    }
}

/* ---- data ------------------------------------------------------------------------------------ */

struct other_fill {
    const char *name;
    struct exercise_fill fill;
};

static const struct other_fill of_floats[] = {
    {"ones", {.kind = FILL_CONSTANT, .low = 1}},
    {"zeros", {.kind = FILL_ZERO}},
    {"hundreds", {.kind = FILL_INTEGERS, .low = 1, .high = 100}},
    {"thousands", {.kind = FILL_UNIFORM, .low = -1000, .high = 1000}},
    {"negative", {.kind = FILL_UNIFORM, .low = -1000, .high = -900}},
    {"positive", {.kind = FILL_UNIFORM, .low = 900, .high = 1000}},
    {"ascending", {.kind = FILL_SORTED, .low = -1, .high = 1}},
};

static void add_fill(struct candidates *candidates, const struct exercise_case *base, size_t param,
                     const struct other_fill *other) {
    struct exercise_case *entry = add_case(candidates, base->sizes, base->size_count);
    if (!entry)
        return;
    entry->fills[param] = other->fill;
    char *name = mem_printf("%s-%s", candidates->exercise->params[param].name, other->name);
    free(entry->name);
    entry->name = name;
}

/* Integers stay within the bounds that the exercise gives them: they may be indices. */
static void add_integers(struct candidates *candidates, const struct exercise_case *base,
                         size_t param) {
    const struct exercise_fill *own = &candidates->exercise->params[param].fill;
    bool has_bounds = own->kind == FILL_UNIFORM || own->kind == FILL_INTEGERS;
    if (!has_bounds || own->low_expr || own->high_expr)
        return;
    const struct other_fill others[] = {
        {"lowest", {.kind = FILL_CONSTANT, .low = own->low}},
        {"highest", {.kind = FILL_CONSTANT, .low = own->high}},
        {"ascending", {.kind = FILL_SORTED, .low = own->low, .high = own->high}}};
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
        add_fill(candidates, base, param, &others[i]);
}

static void add_fills(struct candidates *candidates, const struct exercise_case *base) {
    const struct exercise *exercise = candidates->exercise;
    for (size_t i = 0; i < exercise->param_count; i++) {
        const struct exercise_param *param = &exercise->params[i];
        if (param->role != ROLE_IN && param->role != ROLE_INOUT && param->role != ROLE_SCALAR)
            continue;
        bool is_plain = param->fill.kind == FILL_UNIFORM || param->fill.kind == FILL_INTEGERS;
        if (!is_plain || param->tolerance.kind == TOLERANCE_NONE)
            continue;
        if (!element_infos[param->type].is_float)
            add_integers(candidates, base, i);
        for (size_t j = 0; element_infos[param->type].is_float && j < ARRAY_LENGTH(of_floats); j++)
            if (param->role != ROLE_SCALAR || of_floats[j].fill.kind == FILL_CONSTANT)
                add_fill(candidates, base, i, &of_floats[j]);
    }
}

/* ---- grading --------------------------------------------------------------------------------- */

static struct exercise with_cases(const struct candidates *candidates,
                                  const struct exercise *exercise) {
    struct exercise copy = *exercise;
    copy.cases = (struct exercise_case *)candidates->cases;
    copy.case_count = candidates->count;
    copy.generated_count = 0;
    copy.threshold_count = 0;
    copy.gate_count = 0;
    memset(copy.points, 0, sizeof copy.points);
    copy.points[GROUP_CORRECTNESS] = copy.max_score = 100;
    return copy;
}

static void free_case(struct exercise_case *entry) {
    free(entry->name);
    free(entry->sizes);
    free(entry->fills);
}

/* Does the case give data, and a launch for each of the kernels? A size of 0 may give no block at
 * all, or an empty range of indices. */
static bool can_be_planned(const struct candidates *candidates, struct exercise_case *entry) {
    struct exercise copy = with_cases(candidates, candidates->exercise);
    const struct exercise_launch *shapes[] = {&copy.launch, &copy.tuned.launch,
                                              &copy.reference.launch};
    struct plan *plan;
    size_t count;
    cleanup_free struct expr_name *constants = oracle_constants(&copy, &count);
    copy.cases = entry;
    copy.case_count = 1;
    if (plan_make(&copy, 0, NULL, &plan, NULL) != STATUS_OK)
        return false;
    bool all = true;
    for (size_t i = 0; i < ARRAY_LENGTH(shapes) && all; i++) {
        struct plan_launch launch;
        all = plan_bind(plan, 0, shapes[i], PLAN_REFERENCE, constants, count,
                        copy.memory_limit_bytes, &launch, NULL) == STATUS_OK;
        if (all)
            plan_launch_free(&launch);
    }
    plan_free(plan);
    return all;
}

static void keep_planned(struct candidates *candidates) {
    size_t kept = 0, count = candidates->count;
    for (size_t i = 0; i < count; i++)
        if (can_be_planned(candidates, &candidates->cases[i]))
            candidates->cases[kept++] = candidates->cases[i];
        else
            free_case(&candidates->cases[i]);
    candidates->count = kept;
}

/* Of those, the cases that the tuned kernel passes. */
static enum status keep_promised(struct candidates *candidates, struct grade_session *session,
                                 struct error *error) {
    struct exercise copy = with_cases(candidates, candidates->exercise);
    copy.launch = copy.tuned.launch;
    copy.kernel = copy.tuned.kernel;
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = copy.tuned.file};
    struct report *report;
    enum status status = file_read(source.file, SOURCE_MAX, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_submission(session, &copy, &source, &report, error);
    if (status != STATUS_OK)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < candidates->count; i++)
        if (i < report->case_count && report->cases[i].verdict == VERDICT_PASS)
            candidates->cases[kept++] = candidates->cases[i];
        else
            free_case(&candidates->cases[i]);
    candidates->count = kept;
    report_free(report);
    return STATUS_OK;
}

enum status candidates_open(struct grade_session *session, const struct exercise *exercise,
                            struct candidates **out, struct error *error) {
    struct candidates *candidates = mem_zalloc(sizeof *candidates);
    candidates->exercise = exercise;
    if (exercise->case_count) {
        add_fills(candidates, &exercise->cases[0]);
        add_fills(candidates, &exercise->cases[exercise->case_count - 1]);
        add_sizes(candidates, &exercise->cases[0]);
        add_sizes(candidates, &exercise->cases[exercise->case_count - 1]);
    }
    keep_planned(candidates);
    enum status status = candidates->count ? keep_promised(candidates, session, error) : STATUS_OK;
    if (status != STATUS_OK) {
        candidates_free(candidates);
        return status;
    }
    *out = candidates;
    return STATUS_OK;
}

void candidates_free(struct candidates *candidates) {
    for (size_t i = 0; candidates && i < candidates->count; i++)
        free_case(&candidates->cases[i]);
    free(candidates);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void append_fill(const struct exercise_fill *fill, struct text *out) {
    switch (fill->kind) {
    case FILL_CONSTANT:
        text_printf(out, "{constant: %s}", decimal(fill->low, 6).text);
        return;
    case FILL_UNIFORM:
    case FILL_INTEGERS:
    case FILL_SORTED:
        text_printf(out, "{%s: [%s, %s]}",
                    fill->kind == FILL_UNIFORM    ? "uniform"
                    : fill->kind == FILL_INTEGERS ? "integers"
                                                  : "sorted",
                    decimal(fill->low, 6).text, decimal(fill->high, 6).text);
        return;
    default:
        text_append(out, "zero");
    }
}

static char *describe(const struct candidates *candidates, size_t index, enum verdict verdict) {
    const struct exercise *exercise = candidates->exercise;
    const struct exercise_case *entry = &candidates->cases[index];
    struct text out = {0};
    text_printf(&out, "{name: %.*s, sizes: {", MOST_NAME, entry->name);
    for (size_t i = 0; i < entry->size_count; i++)
        text_printf(&out, "%s%s: %" PRId64, i ? ", " : "", entry->sizes[i].name,
                    entry->sizes[i].value);
    text_append(&out, "}");
    for (size_t i = 0; i < exercise->param_count; i++)
        if (memcmp(&entry->fills[i], &exercise->params[i].fill, sizeof entry->fills[i]) != 0) {
            text_printf(&out, ", fill: {%s: ", exercise->params[i].name);
            append_fill(&entry->fills[i], &out);
            text_append(&out, "}");
        }
    text_printf(&out, "} (%s)", verdict_infos[verdict].name);
    return text_steal(&out);
}

enum status candidates_find(const struct candidates *candidates, struct grade_session *session,
                            const struct exercise *exercise, const struct grade_source *source,
                            char **found, struct error *error) {
    *found = NULL;
    if (!candidates->count)
        return STATUS_OK;
    struct exercise copy = with_cases(candidates, exercise);
    struct report *report;
    enum status status = grade_submission(session, &copy, source, &report, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < report->case_count && i < candidates->count && !*found; i++)
        if (report->cases[i].verdict != VERDICT_PASS && report->cases[i].verdict != VERDICT_SKIPPED)
            *found = describe(candidates, i, report->cases[i].verdict);
    report_free(report);
    return STATUS_OK;
}
