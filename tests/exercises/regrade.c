/* Grades of the catalogue whose outcome must not depend on chance.
 *
 *     regrade seeds SECONDS [ROUND [EXERCISE ...]]
 *     regrade threads COUNT [SEED [EXERCISE ...]]
 *
 * `seeds` grades what is right: tuned kernels and mutants that are only slow. Every round takes
 * each of them with another of twenty seeds, the exercises in the order given, until the time is
 * over; ROUND (0) is the first. None may crash or be found wrong. It is meant for a build with
 * sanitizers.
 *
 * `threads` samples mutants and grades each with one, two and three host threads. The JSON reports
 * must be the same but for the time that they took.
 *
 * Each grade runs in a process of its own, so that what crashes is named and the rest goes on.
 * Exit status 1: something was found, 2: usage, 77: this machine cannot grade. */
#include "grader/grade/grade.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/program/worker_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEEDS = 20, STEP = 7, SKIPPED = 77, MOST_THREADS = 3, REPORT_BYTES = 4 << 20 };
#define PATIENCE_S 600 /* sanitizers and busy machines are slow */

struct kernel {
    struct exercise *exercise;
    const char *name, *file;
    bool tuned;
};

struct kernels {
    struct kernel *all;
    size_t count, capacity;
    struct exercise **exercises;
    size_t exercise_count, exercise_capacity;
};

/* What a process that grades leaves to this one. */
struct outcome {
    enum status status;
    enum verdict verdict;
    char why[400];
    size_t length;
    char json[REPORT_BYTES];
};

static void add(struct kernels *kernels, struct exercise *exercise, const char *name,
                const char *file, bool tuned) {
    *mem_push(&kernels->all, &kernels->count, &kernels->capacity) =
        (struct kernel){exercise, name, file, tuned};
}

static enum status collect(struct kernels *kernels, char **ids, size_t count, bool right,
                           struct error *error) {
    for (size_t i = 0; i < count; i++) {
        struct exercise *exercise;
        enum status status = exercise_find(ids[i], &exercise, error);
        if (status != STATUS_OK)
            return status;
        *mem_push(&kernels->exercises, &kernels->exercise_count, &kernels->exercise_capacity) =
            exercise;
        if (right)
            add(kernels, exercise, "(tuned)", exercise->tuned.file, true);
        for (size_t j = 0; j < exercise->mutant_count; j++)
            if (!right || exercise->mutants[j].verdict == VERDICT_TOO_SLOW)
                add(kernels, exercise, exercise->mutants[j].name, exercise->mutants[j].file, false);
    }
    return STATUS_OK;
}

/* ---- one grade ------------------------------------------------------------------------------- */

static enum status write_json(struct report *report, struct outcome *outcome, struct error *error) {
    cleanup_text struct text json = {0};
    report->wall_ms = report->compile_ms = 0;
    for (size_t i = 0; i < report->case_count; i++)
        report->cases[i].wall_ms = 0;
    const struct report *const one = report;
    enum status status =
        report_format_find("json")->write(&one, 1, &(struct report_options){0}, &json, error);
    if (status != STATUS_OK)
        return status;
    if (json.length >= REPORT_BYTES)
        return error_set(error, STATUS_INVALID, "a report of %zu bytes", json.length);
    outcome->length = json.length;
    memcpy(outcome->json, json.data, json.length);
    return STATUS_OK;
}

static enum status grade_here(const struct kernel *kernel, uint64_t seed, unsigned threads,
                              struct outcome *outcome, struct error *error) {
    struct grade_options options = {.engine = GRADE_ENGINE_SIM,
                                    .has_seed = true,
                                    .seed = seed,
                                    .jobs = 1,
                                    .threads = threads,
                                    .time_limit_seconds = PATIENCE_S};
    struct exercise shaped = *kernel->exercise; /* which still owns everything */
    struct grade_source source = {.file = kernel->file};
    struct grade_session *session;
    struct report *report;
    if (kernel->tuned) {
        shaped.launch = shaped.tuned.launch;
        shaped.kernel = shaped.tuned.kernel;
    }
    cleanup_free char *text = NULL;
    enum status status =
        file_read(kernel->file, GRADE_MAX_SOURCE_BYTES, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_open(&options, &session, error);
    if (status == STATUS_OK)
        status = grade_submission(session, &shaped, &source, &report, error);
    if (status != STATUS_OK)
        return status;
    outcome->verdict = report->verdict;
    snprintf(outcome->why, sizeof outcome->why, "%s", report->message ? report->message : "");
    return write_json(report, outcome, error);
}

static void grade_apart(const struct kernel *kernel, uint64_t seed, unsigned threads,
                        struct outcome *outcome) {
    outcome->status = STATUS_INVALID;
    snprintf(outcome->why, sizeof outcome->why, "the process that grades died");
    outcome->length = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct error error = {0};
        enum status status = grade_here(kernel, seed, threads, outcome, &error);
        if (status != STATUS_OK)
            snprintf(outcome->why, sizeof outcome->why, "%.390s", error.message);
        outcome->status = status;
        _exit(0);
    }
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child || ended != 0)
        outcome->status = STATUS_INVALID;
}

static void complain(const struct kernel *kernel, uint64_t seed, const char *what) {
    printf("%s %s, seed %llu: %s\n", kernel->exercise->id, kernel->name, (unsigned long long)seed,
           what);
    fflush(stdout);
}

/* ---- the two questions ----------------------------------------------------------------------- */

static size_t vary_seeds(const struct kernels *kernels, double seconds, uint64_t round,
                         struct outcome *outcome) {
    double begun = clock_ms();
    size_t graded = 0, found = 0;
    for (uint64_t from = round; round < from + SEEDS; round++)
        for (size_t i = 0; i < kernels->count; i++) {
            if (clock_ms() - begun > seconds * 1e3) {
                printf("%zu grades of %zu kernels, rounds %llu to %llu; %zu found\n", graded,
                       kernels->count, (unsigned long long)from, (unsigned long long)round, found);
                return found;
            }
            uint64_t seed = 1 + (round * STEP + i) % SEEDS;
            grade_apart(&kernels->all[i], seed, 0, outcome);
            if (outcome->status == STATUS_ENVIRONMENT)
                return fprintf(stderr, "regrade: %s\n", outcome->why), SKIPPED;
            graded++;
            bool right = outcome->status == STATUS_OK &&
                         (outcome->verdict == VERDICT_PASS || outcome->verdict == VERDICT_TOO_SLOW);
            found += !right;
            if (!right)
                complain(&kernels->all[i], seed, outcome->why);
        }
    printf("%zu grades of %zu kernels, all seeds; %zu found\n", graded, kernels->count, found);
    return found;
}

static void show_difference(const struct outcome *one, const struct outcome *other) {
    size_t at = 0;
    while (at < one->length && at < other->length && one->json[at] == other->json[at])
        at++;
    size_t from = at < 200 ? 0 : at - 200;
    printf("  %.*s\n  %.*s\n", (int)(one->length - from < 400 ? one->length - from : 400),
           one->json + from, (int)(other->length - from < 400 ? other->length - from : 400),
           other->json + from);
}

static bool is_same(const struct outcome *one, const struct outcome *other) {
    return one->status == other->status && one->length == other->length &&
           memcmp(one->json, other->json, one->length) == 0;
}

/* Evenly spread over the catalogue, from a place that the seed chooses. */
static size_t vary_threads(const struct kernels *kernels, size_t count, uint64_t seed,
                           struct outcome *outcomes) {
    size_t found = 0, start = mix_word(seed, 0) % kernels->count;
    for (size_t i = 0; i < count; i++) {
        const struct kernel *kernel =
            &kernels->all[(start + i * kernels->count / count) % kernels->count];
        bool same = true;
        for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
            struct outcome *outcome = &outcomes[threads > 1];
            grade_apart(kernel, seed, threads, outcome);
            if (outcome->status == STATUS_ENVIRONMENT)
                return fprintf(stderr, "regrade: %s\n", outcome->why), SKIPPED;
            if (outcome->status != STATUS_OK)
                complain(kernel, seed, outcome->why);
            same &= outcome->status == STATUS_OK;
            if (threads == 1 || is_same(&outcomes[0], &outcomes[1]))
                continue;
            complain(kernel, seed, "host threads change the report");
            show_difference(&outcomes[0], &outcomes[1]);
            same = false;
        }
        found += !same;
    }
    printf("%zu kernels with 1 to %d host threads, seed %llu; %zu found\n", count, MOST_THREADS,
           (unsigned long long)seed, found);
    return found;
}

static int usage(void) {
    fprintf(stderr, "usage: regrade seeds SECONDS [ROUND [EXERCISE ...]]\n"
                    "       regrade threads COUNT [SEED [EXERCISE ...]]\n");
    return 2;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    bool seeds = argc > 2 && strcmp(argv[1], "seeds") == 0;
    bool threads = argc > 2 && strcmp(argv[1], "threads") == 0;
    double amount = argc > 2 ? strtod(argv[2], NULL) : 0;
    if ((!seeds && !threads) || amount < 1)
        return usage();
    uint64_t number = argc > 3 ? strtoull(argv[3], NULL, 10) : threads;
    char **ids = argv + 4;
    size_t id_count = argc > 4 ? (size_t)argc - 4 : 0;
    struct error error = {0};
    struct kernels kernels = {0};
    struct outcome *outcomes =
        mmap(NULL, 2 * sizeof *outcomes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enum status status = id_count ? STATUS_OK : exercise_ids(&ids, &id_count, &error);
    if (status == STATUS_OK)
        status = collect(&kernels, ids, id_count, seeds, &error);
    if (status != STATUS_OK || outcomes == MAP_FAILED)
        return fprintf(stderr, "regrade: %s\n", error.message), 1;
    size_t found = seeds ? vary_seeds(&kernels, amount, number, outcomes)
                         : vary_threads(&kernels, (size_t)amount, number, outcomes);
    for (size_t i = 0; i < kernels.exercise_count; i++)
        exercise_free(kernels.exercises[i]);
    free(kernels.exercises);
    free(kernels.all);
    return outcomes[0].status == STATUS_ENVIRONMENT ? SKIPPED : found > 0;
}
