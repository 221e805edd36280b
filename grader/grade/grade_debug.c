/* Hazards that the optimiser hides: the submission once more, compiled with -G.
 *
 * The compiler may leave out what no right program can tell: a value that goes through one shared
 * variable and comes back to the same thread needs no shared variable, a load whose value is not
 * used needs no load. The race, or the access past the end, is then gone from the PTX, and comes
 * back with the next compiler, or on the student's machine with -G.
 *
 * Why every submission that is clean so far is built again, and no other: kernels with one bug each
 * (tests/unit/grade/hidden.cu, counted by test_unoptimised.c), and how many of them each build
 * shows as an error:
 *
 *                                             kernels  optimised  -G  both
 *   a race that the result depends on               6          6   6     6
 *   a race on a scratch variable or a dead value    8          2   8     8
 *   an access past the end, its value not used      2          0   2     2
 *   right kernels of all kinds                     16          0   0     0
 *
 * The optimised build shows nothing that -G does not, except for loads that it does ahead of the
 * branch that guards them, without using the value where the branch goes the other way. A case that
 * failed by races with plain loads alone is therefore launched in the -G build, too; where that
 * shows no race, the case is judged again without them. Results, counters and speed are its own,
 * so it comes first and -G only adds. What that adds to a submission of the four exercises, on two
 * busy cores: 80 to 160 ms, nearly all of it the build, and 16 to 64 ms where that is in the cache.
 * Up to four cases are launched: the cheapest of each group and the cheapest with several blocks.
 */
#include "grader/grade/grade_private.h"

#include "grader/grade/grade_reference.h"
#include "grader/judge/judge.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Only where nothing else is wrong: an error that the optimised build shows is found already, and
 * the student reads it at the instructions that really run. */
static bool all_clean(const struct report_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!judge_is_clean(&cases[i]))
            return false;
    return count != 0;
}

/* Blocks of a case's launch; 0 where it cannot be launched. */
static uint64_t count_blocks(const struct grade_run *run, size_t index) {
    struct plan_launch launch;
    if (grade_bind(run, index, &launch, NULL) != STATUS_OK)
        return 0;
    uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    plan_launch_free(&launch);
    return blocks;
}

/* By what the optimised build executed; in a tie the earlier one. */
static bool is_cheaper(const struct report_case *cases, size_t index, size_t best) {
    return best == SIZE_MAX ||
           cases[index].counters.thread_instructions < cases[best].counters.thread_instructions;
}

/* The cheapest case of each group, and the cheapest with several blocks: races between blocks do
 * not show in one. */
static size_t choose_cases(const struct grade_run *run, const struct report_case *cases,
                           size_t count, size_t indices[GROUP_COUNT + 1]) {
    size_t best[GROUP_COUNT + 1], chosen = 0;
    for (size_t i = 0; i <= GROUP_COUNT; i++)
        best[i] = SIZE_MAX;
    bool several = false;
    for (size_t i = 0; i < count; i++) {
        size_t *of_group = &best[run->plan->cases[i].group], *of_several = &best[GROUP_COUNT];
        uint64_t blocks = count_blocks(run, i);
        if (blocks && is_cheaper(cases, i, *of_group))
            *of_group = i;
        if (blocks > 1 && is_cheaper(cases, i, *of_several))
            *of_several = i;
    }
    for (size_t i = 0; i < GROUP_COUNT; i++)
        if (best[i] != SIZE_MAX) {
            indices[chosen++] = best[i];
            several |= best[i] == best[GROUP_COUNT];
        }
    if (best[GROUP_COUNT] != SIZE_MAX && !several)
        indices[chosen++] = best[GROUP_COUNT];
    return chosen;
}

/* kernel->lowered is NULL where there is no such build, which is no fault of the student's. */
static enum status build_unoptimised(const struct grade_run *run, const struct grade_source *source,
                                     struct grade_kernel *kernel, struct error *error) {
    enum status status = STATUS_OK;
    if (!grade_reference_unoptimised(run->prefetch, &kernel->build))
        status = grade_build_unoptimised(run->exercise, source, &kernel->build, error);
    if (status != STATUS_OK || !kernel->build.compiled ||
        kernel->build.kernel_index >= kernel->build.kernel_count)
        return status;
    kernel->lowered = mem_strdup(kernel->build.kernels[kernel->build.kernel_index].lowered);
    /* The constants are those of the first build, which knows that they fit. */
    kernel->constant_count = run->kernel->constant_count;
    kernel->constants =
        mem_dup(run->kernel->constants, (kernel->constant_count + 1) * sizeof *kernel->constants);
    return STATUS_OK;
}

/* The cases that failed by what may be a load ahead of its branch; 0 where one failed by a hazard
 * that cannot be one, as there is something to mend anyway. */
static size_t find_doubtful(const struct report_case *cases, size_t count, size_t *indices) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (judge_is_perhaps_speculated(&cases[i]))
            indices[found++] = i;
        else if (!judge_is_clean(&cases[i]) && cases[i].hazard_count)
            return 0;
    return found;
}

bool grade_is_doubtful(const struct report_case *cases, size_t count) {
    cleanup_free size_t *indices = mem_calloc(count + 1, sizeof *indices);
    return find_doubtful(cases, count, indices) != 0;
}

/* Judges those of the cases again of which the -G build shows no race. */
static enum status judge_again(const struct grade_run *run, const bool *refuted,
                               struct report_case *cases, size_t *indices, size_t count,
                               struct error *error) {
    struct hazard *ignored = NULL;
    size_t ignored_count = 0, capacity = 0, chosen = 0;
    for (size_t i = 0; i < count; i++) {
        struct report_case *the_case = &cases[indices[i]];
        if (!refuted[indices[i]])
            continue;
        for (size_t j = 0; j < the_case->hazard_count; j++)
            if (the_case->hazards[j].severity == SEVERITY_ERROR)
                *mem_push(&ignored, &ignored_count, &capacity) = the_case->hazards[j];
        judge_reset(the_case);
        indices[chosen++] = indices[i];
    }
    struct grade_run again = *run;
    again.ignored = ignored;
    again.ignored_count = ignored_count;
    enum status status =
        chosen ? grade_pool_work(&again, grade_case, cases, indices, chosen, error) : STATUS_OK;
    free(ignored);
    return status;
}

/* The first of them alone, because races of wrong submissions are seldom refuted. */
static enum status drop_speculated(const struct grade_run *run, const struct grade_run *unoptimised,
                                   struct report_case *cases, size_t count, size_t *indices,
                                   size_t doubtful, struct error *error) {
    cleanup_free bool *refuted = mem_calloc(count, sizeof *refuted);
    struct grade_run work = *unoptimised;
    work.refuted = refuted;
    enum status status = grade_pool_work(&work, grade_refute_case, cases, indices, 1, error);
    if (status != STATUS_OK || !refuted[indices[0]])
        return status;
    if (doubtful > 1)
        status = grade_pool_work(&work, grade_refute_case, cases, indices + 1, doubtful - 1, error);
    return status == STATUS_OK ? judge_again(run, refuted, cases, indices, doubtful, error)
                               : status;
}

void grade_note_unchecked(struct hazard *hazard, const char *why) {
    cleanup_free char *cause = mem_strdup(why);
    hazard->kind = HAZARD_UNSUPPORTED;
    hazard->severity = SEVERITY_WARNING;
    snprintf(hazard->message, sizeof hazard->message,
             "not all of the checks were made in the build with -G: %.400s", cause);
}

static void tell_missing(struct report_case *the_case, const char *why) {
    struct hazard hazard = {.count = 1};
    grade_note_unchecked(&hazard, why);
    the_case->hazards =
        mem_realloc(the_case->hazards, the_case->hazard_count + 1, sizeof *the_case->hazards);
    the_case->hazards[the_case->hazard_count++] = hazard;
}

enum status grade_unoptimised(const struct grade_run *run, const struct grade_source *source,
                              struct report_case *cases, size_t count, struct error *error) {
    cleanup_free size_t *doubtful = mem_calloc(count + 1, sizeof *doubtful);
    size_t doubtful_count = find_doubtful(cases, count, doubtful);
    if (!doubtful_count && !all_clean(cases, count))
        return STATUS_OK;
    struct grade_kernel kernel = {0};
    double begun = clock_ms();
    enum status status = build_unoptimised(run, source, &kernel, error);
    *run->compile_ms += clock_ms() - begun;
    if (status == STATUS_OK && kernel.lowered) {
        struct grade_run unoptimised = *run;
        unoptimised.kernel = &kernel;
        if (doubtful_count)
            status =
                drop_speculated(run, &unoptimised, cases, count, doubtful, doubtful_count, error);
        size_t indices[GROUP_COUNT + 1];
        size_t chosen = status == STATUS_OK && all_clean(cases, count)
                            ? choose_cases(run, cases, count, indices)
                            : 0;
        if (chosen)
            status = grade_pool_work(&unoptimised, grade_unoptimised_case, cases, indices, chosen,
                                     error);
    }
    if (status == STATUS_OK && !kernel.lowered && !doubtful_count)
        tell_missing(&cases[0], kernel.build.message);
    grade_kernel_free(&kernel);
    return status;
}
