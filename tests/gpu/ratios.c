/* Do measured ratios come back? Right kernels of every exercise are measured twice on a card, each
 * time in workers, rounds, data and addresses of their own, and the two ratios are compared.
 *
 *     gpu_ratios [--bar PERCENT] [--mutants] [EXERCISE ...]
 *
 * The tuned kernel is measured against itself, so that its ratio should be 1 as well; --mutants
 * adds those that are right and slow. The bar is 2 % unless it is said otherwise. 77 without a
 * card. */
#include "grader/grade/grade.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20, SKIPPED = 77, PASSES = 2 };

struct survey {
    struct grade_session *sessions[PASSES]; /* of different secrets */
    double bar;
    bool mutants;
    size_t compared, differing, failed;
    double largest; /* difference, as a share */
};

struct measurement {
    bool known;
    struct report_measured found; /* numbers only */
    double ms;
    char why[400];
};

static void measure(struct grade_session *session, const struct exercise *exercise,
                    const char *path, struct measurement *out) {
    struct error error = {0};
    struct report *report;
    struct grade_source source = {.file = path};
    cleanup_free char *text = NULL;
    *out = (struct measurement){.known = false};
    enum status status = file_read(path, FILE_MAX, &text, &source.length, &error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_submission(session, exercise, &source, &report, &error);
    if (status != STATUS_OK) {
        snprintf(out->why, sizeof out->why, "%.380s", error.message);
        return;
    }
    const struct report_case *last = &report->cases[report->case_count - 1];
    out->known = last->speed.measured.ratio_to_tuned.present;
    out->found = last->speed.measured;
    out->found.card = out->found.baseline = out->found.throttled = NULL;
    out->found.sizes = NULL;
    out->ms = last->time.median_ms;
    if (!out->known)
        snprintf(out->why, sizeof out->why, "%s: %.300s", verdict_infos[last->verdict].name,
                 last->message ? last->message : "");
    report_free(report);
}

static void compare(struct survey *survey, const struct exercise *exercise, const char *name,
                    const char *path) {
    struct measurement passes[PASSES];
    double start = clock_ms();
    for (unsigned i = 0; i < PASSES; i++)
        measure(survey->sessions[i], exercise, path, &passes[i]);
    printf("%-24s %-22s ", exercise->id, name);
    if (!passes[0].known || !passes[1].known) {
        survey->failed++;
        printf("not measured: %s\n", passes[passes[0].known].why);
        return;
    }
    const struct report_interval *first = &passes[0].found.ratio_to_tuned;
    const struct report_interval *second = &passes[1].found.ratio_to_tuned;
    double difference = fabs(second->median / first->median - 1);
    survey->compared++;
    survey->differing += difference > survey->bar;
    survey->largest = fmax(survey->largest, difference);
    printf("%8.4f ms  %7.4f %7.4f  %5.2f %%%s  rounds %3zu %3zu  roof %3.0f %%", passes[0].ms,
           first->median, second->median, 100 * difference, difference > survey->bar ? " !" : "  ",
           passes[0].found.rounds, passes[1].found.rounds, 100 * passes[0].found.fraction_of_roof);
    if (passes[0].found.fraction_of_baseline.present)
        printf("  cuBLAS %3.0f %%", 100 * passes[0].found.fraction_of_baseline.median);
    printf("  reference %.3g ms  %.1f s\n", passes[0].found.reference_ms,
           (clock_ms() - start) / 1000);
    fflush(stdout);
}

static bool is_slow_mutant(const struct exercise_mutant *mutant) {
    return mutant->verdict == VERDICT_TOO_SLOW;
}

static void survey_exercise(struct survey *survey, const char *id) {
    struct exercise *exercise;
    struct error error = {0};
    if (exercise_find(id, &exercise, &error) != STATUS_OK) {
        printf("%-24s %s\n", id, error.message);
        survey->failed++;
        return;
    }
    struct exercise as_tuned = *exercise;
    as_tuned.launch = exercise->tuned.launch;
    as_tuned.kernel = exercise->tuned.kernel;
    if (exercise->threshold_count)
        compare(survey, &as_tuned, "tuned", exercise->tuned.file);
    for (size_t i = 0; survey->mutants && i < exercise->mutant_count; i++)
        if (is_slow_mutant(&exercise->mutants[i]))
            compare(survey, exercise, exercise->mutants[i].name, exercise->mutants[i].file);
    exercise_free(exercise);
}

static void survey_all(struct survey *survey, char **ids, size_t count) {
    char **all = NULL;
    size_t all_count = 0;
    struct error error = {0};
    if (count == 0 && exercise_ids(&all, &all_count, &error) != STATUS_OK) {
        printf("%s\n", error.message);
        survey->failed++;
    }
    for (size_t i = 0; i < (count ? count : all_count); i++)
        survey_exercise(survey, count ? ids[i] : all[i]);
    for (size_t i = 0; i < all_count; i++)
        free(all[i]);
    free(all);
}

int main(int argc, char **argv) {
    struct survey survey = {.bar = 0.02};
    struct error error = {0};
    int code, first = 1;
    if (worker_main(argc, argv, &code))
        return code;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++)
        if (strcmp(argv[first], "--mutants") == 0)
            survey.mutants = true;
        else if (strcmp(argv[first], "--bar") == 0 && first + 1 < argc)
            survey.bar = atof(argv[++first]) / 100;
        else
            return fprintf(stderr, "usage: %s [--bar PERCENT] [--mutants] [EXERCISE ...]\n",
                           argv[0]) < 0
                       ? 1
                       : 2;
    const struct grade_options options = {.engine = GRADE_ENGINE_CUDA, .cases = "speed"};
    for (unsigned i = 0; i < PASSES; i++) {
        enum status status = grade_open(&options, &survey.sessions[i], &error);
        if (status != STATUS_OK) {
            fprintf(stderr, "%s\n", error.message);
            return status == STATUS_ENVIRONMENT ? SKIPPED : 2;
        }
    }
    survey_all(&survey, argv + first, (size_t)(argc - first));
    for (unsigned i = 0; i < PASSES; i++)
        grade_close(survey.sessions[i]);
    printf("%zu ratios twice: the largest difference is %.2f %%, %zu above %.2g %%; %zu not "
           "measured\n",
           survey.compared, 100 * survey.largest, survey.differing, 100 * survey.bar,
           survey.failed);
    return survey.differing || survey.failed || !survey.compared;
}
