/* What the cells of a class add up to. Everything that the page, the texts and the JSON count is
 * counted here, once, so that they cannot differ. */
#include "reports/class/class_private.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double class_ratio_bounds[CLASS_RATIOS - 1] = {1.1, 1.5, 2, 4, 10};

/* A case is suspect where nearly all fail it of so many that this is no accident. */
enum { SUSPECT_RAN = 8, SUSPECT_PERCENT = 85 };

bool class_is_set(const char *string) {
    return string && *string;
}

enum class_standing class_standing(const struct class_cell *cell) {
    if (cell->passed)
        return STANDING_PASSED;
    if (class_is_set(cell->override_by))
        return STANDING_FAILED;
    switch (cell->state) {
    case CLASS_NOT_SUBMITTED:
        return STANDING_ABSENT;
    case CLASS_GRADED:
    case CLASS_REFUSED:
        return STANDING_FAILED;
    case CLASS_UNREADABLE:
    case CLASS_UNJUDGED:
    case CLASS_PENDING:
    case CLASS_STATE_COUNT:
        break;
    }
    return STANDING_UNDECIDED;
}

bool class_is_open(const struct class_report *report, size_t exercise) {
    int64_t deadline = report->exercises[exercise].deadline.at;
    return deadline > 0 && report->made.at > 0 && report->made.at < deadline;
}

bool class_is_handed_in(const struct class_cell *cell) {
    return cell->state != CLASS_NOT_SUBMITTED && cell->state != CLASS_UNREADABLE;
}

bool class_has_flag(const struct class_cell *cell, enum class_flag flag) {
    return cell->flags >> flag & 1;
}

bool class_is_odd(const struct class_cell *cell) {
    return class_has_flag(cell, CLASS_FLAG_FUTURE_COMMIT) ||
           class_has_flag(cell, CLASS_FLAG_BEFORE_PARENT) ||
           class_has_flag(cell, CLASS_FLAG_REWRITTEN_HISTORY);
}

const struct class_case *class_suspect_case(const struct class_exercise *exercise) {
    const struct class_case *worst = NULL;
    for (size_t i = 0; i < exercise->case_count; i++) {
        const struct class_case *item = &exercise->cases[i];
        if (item->ran >= SUSPECT_RAN && item->failed * 100 >= item->ran * SUSPECT_PERCENT &&
            (!worst || item->failed > worst->failed))
            worst = item;
    }
    return worst;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts. The mean of the two in the middle, where there are two; 0 of none. */
static double median(double *values, size_t count) {
    if (!count)
        return 0;
    qsort(values, count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static double finite_or_0(double value) {
    return isfinite(value) ? value : 0;
}

static size_t bin_of(double points, double most) {
    if (!(points > 0))
        return 0;
    if (!(points < most))
        return CLASS_BINS - 1;
    return 1 + (size_t)(points / most * (CLASS_BINS - 2));
}

static size_t ratio_bin(double ratio) {
    size_t bin = 0;
    while (bin < CLASS_RATIOS - 1 && ratio > class_ratio_bounds[bin])
        bin++;
    return bin;
}

/* ---- findings -------------------------------------------------------------------------------- */

static bool same(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_finding(const struct class_cell *a, const struct class_cell *b) {
    if (class_is_set(a->hazard) || class_is_set(b->hazard))
        return same(a->hazard, b->hazard);
    return same(a->verdict, b->verdict) && same(a->cause, b->cause);
}

static bool has_finding(const struct class_cell *cell) {
    bool right = same(cell->verdict, "pass") || same(cell->verdict, "skipped");
    return cell->state == CLASS_GRADED && class_is_set(cell->verdict) && !right;
}

static int worth_of(const struct class_cell *cell) {
    return 4 * class_is_set(cell->excerpt) + 2 * (cell->line > 0) + class_is_set(cell->file);
}

static void count_finding(struct class_facts *facts, size_t *capacity,
                          const struct class_cell *cell, size_t student) {
    size_t i = 0;
    while (i < facts->finding_count && !same_finding(facts->findings[i].example, cell))
        i++;
    if (i == facts->finding_count)
        *(struct class_finding *)mem_push(&facts->findings, &facts->finding_count, capacity) =
            (struct class_finding){.example = cell, .student = student};
    struct class_finding *finding = &facts->findings[i];
    finding->count++;
    if (worth_of(cell) > worth_of(finding->example)) {
        finding->example = cell;
        finding->student = student;
    }
}

/* Among equals the one that was found first, whose student comes first. */
static void sort_findings(struct class_facts *facts) {
    for (size_t i = 1; i < facts->finding_count; i++)
        for (size_t j = i; j && facts->findings[j].count > facts->findings[j - 1].count; j--) {
            struct class_finding swapped = facts->findings[j];
            facts->findings[j] = facts->findings[j - 1];
            facts->findings[j - 1] = swapped;
        }
}

static void count_limiter(struct class_facts *facts, size_t *capacity, const char *id) {
    size_t i = 0;
    while (i < facts->limiter_count && !same(facts->limiters[i].id, id))
        i++;
    if (i == facts->limiter_count)
        ((struct class_limiter *)mem_push(&facts->limiters, &facts->limiter_count, capacity))->id =
            id;
    facts->limiters[i].count++;
    for (; i && facts->limiters[i].count > facts->limiters[i - 1].count; i--) {
        struct class_limiter swapped = facts->limiters[i];
        facts->limiters[i] = facts->limiters[i - 1];
        facts->limiters[i - 1] = swapped;
    }
}

/* ---- one exercise ---------------------------------------------------------------------------- */

static void count_state(struct class_facts *facts, const struct class_cell *cell) {
    facts->standing[class_standing(cell)]++;
    facts->graded += cell->state == CLASS_GRADED;
    facts->handed_in += class_is_handed_in(cell);
    facts->late += cell->late_seconds > 0;
    facts->pending += cell->state == CLASS_PENDING;
    facts->unjudged += cell->state == CLASS_UNJUDGED;
    facts->unreadable += cell->state == CLASS_UNREADABLE;
}

static bool has_ratio(const struct class_cell *cell) {
    return cell->state == CLASS_GRADED && isfinite(cell->ratio_to_tuned) &&
           cell->ratio_to_tuned > 0;
}

static void count_speed(struct class_facts *facts, const struct class_report *report,
                        const size_t *order, size_t exercise, double *values) {
    double least = INFINITY, most = 0;
    size_t capacity = 0;
    for (size_t i = 0; i < report->student_count; i++) {
        const struct class_cell *cell = class_cell_at(report, order[i], exercise);
        if (!has_ratio(cell))
            continue;
        double ratio = cell->ratio_to_tuned;
        facts->ratios[ratio_bin(ratio)]++;
        values[facts->ratio_count++] = ratio;
        facts->fastest = ratio < least ? order[i] : facts->fastest;
        facts->slowest = ratio > most ? order[i] : facts->slowest;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        if (class_is_set(cell->limiter))
            count_limiter(facts, &capacity, cell->limiter);
    }
    facts->median_ratio = median(values, facts->ratio_count);
}

static void count_exercise(struct class_facts *facts, const struct class_report *report,
                           const size_t *order, size_t exercise, double *values) {
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < report->student_count; i++) {
        const struct class_cell *cell = class_cell_at(report, order[i], exercise);
        count_state(facts, cell);
        if (cell->state == CLASS_GRADED) {
            double points = finite_or_0(cell->final_score);
            values[count++] = points;
            facts->bins[bin_of(points, report->exercises[exercise].max_score)][cell->passed]++;
        }
        if (has_finding(cell))
            count_finding(facts, &capacity, cell, order[i]);
    }
    facts->median = median(values, count);
    sort_findings(facts);
    count_speed(facts, report, order, exercise, values);
}

/* ---- the class ------------------------------------------------------------------------------- */

static int compare_students(const void *a, const void *b, void *report) {
    const struct class_student *students = ((const struct class_report *)report)->students;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = strcmp(students[x].id ? students[x].id : "", students[y].id ? students[y].id : "");
    return order ? order : (x > y) - (x < y);
}

static size_t *sort_students(const struct class_report *report) {
    size_t *order = mem_calloc(report->student_count + 1, sizeof *order);
    for (size_t i = 0; i < report->student_count; i++)
        order[i] = i;
    qsort_r(order, report->student_count, sizeof *order, compare_students, (void *)report);
    return order;
}

static size_t count_due(const struct class_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->exercise_count; i++)
        count += !class_is_open(report, i);
    return count;
}

/* A deadline of this student's own that is still to come. */
static bool has_more_time(const struct class_report *report, const struct class_cell *cell) {
    return report->made.at > 0 && cell->own_deadline.at > report->made.at;
}

static void count_student(struct class_sum *sum, const struct class_report *report,
                          size_t student) {
    size_t due = 0, passed = 0, handed_in = 0, absent = 0, exercises = report->exercise_count;
    bool all_are_due = sum->due == exercises; /* or none */
    for (size_t i = 0; i < exercises; i++) {
        const struct class_cell *cell = class_cell_at(report, student, i);
        count_state(&sum->all, cell);
        bool is_due = !has_more_time(report, cell) && (all_are_due || !class_is_open(report, i));
        due += is_due;
        passed += is_due && cell->passed;
        handed_in += is_due && class_is_handed_in(cell);
        absent += class_standing(cell) == STANDING_ABSENT;
        sum->odd += class_is_odd(cell);
        sum->unprotected += class_has_flag(cell, CLASS_FLAG_NO_FULL_JAIL);
    }
    sum->passed_due += passed;
    sum->due_cells += due;
    sum->passed_everything += due && passed == due;
    sum->handed_in_everything += due && handed_in == due;
    sum->handed_in_nothing += exercises && absent == exercises;
}

static void count_totals(struct class_sum *sum, const struct class_report *report, double *values) {
    size_t count = 0;
    for (size_t i = 0; i < report->student_count; i++) {
        const struct class_student *student = &report->students[i];
        if (!isfinite(student->max_total) || student->max_total <= 0)
            continue;
        values[count++] = finite_or_0(student->total);
        sum->max_total = fmax(sum->max_total, student->max_total);
    }
    sum->has_totals = count > 0;
    sum->median_total = median(values, count);
}

struct class_sum class_sum_up(const struct class_report *report) {
    struct class_sum sum = {.order = sort_students(report),
                            .exercise_count = report->exercise_count};
    sum.exercises = mem_calloc(report->exercise_count + 1, sizeof *sum.exercises);
    cleanup_free double *values = mem_calloc(report->student_count + 1, sizeof *values);
    for (size_t i = 0; i < report->exercise_count; i++)
        count_exercise(&sum.exercises[i], report, sum.order, i, values);
    sum.due = count_due(report) ? count_due(report) : report->exercise_count;
    for (size_t i = 0; i < report->student_count; i++)
        count_student(&sum, report, i);
    count_totals(&sum, report, values);
    for (size_t i = 0; i < report->exercise_count; i++)
        sum.all.ratio_count += sum.exercises[i].ratio_count;
    return sum;
}

void class_sum_free(struct class_sum *sum) {
    for (size_t i = 0; i < sum->exercise_count; i++) {
        free(sum->exercises[i].findings);
        free(sum->exercises[i].limiters);
    }
    free(sum->exercises);
    free(sum->order);
    *sum = (struct class_sum){0};
}
