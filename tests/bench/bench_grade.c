/* How long a student waits for a grade: each exercise's tuned kernel, launched as the exercise
 * launches it, is graded by itself, speed case included.
 *
 *     bench_grade [--works] [EXERCISE ...]
 *
 * Each grade is made in a process of its own, once with an empty compiler cache, as for the first
 * student of a class, and once more with a full one. The bar is a second of wall time for the
 * former; CPU time is printed for machines that are not idle. Exit status 1: a kernel does not get
 * all points, or is over the bar (--works: the bar is not looked at); 77: no compiler here. */
#include "grader/grade/grade.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR_MS 1000.0

enum { FILE_MAX = 1 << 20, SKIPPED = 77, RUNS = 2 };

struct graded {
    double ms, cpu_ms;
    bool full; /* all points */
    enum status status;
    char why[300];
};

static double cpu_ms(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static enum status grade_tuned(const char *id, struct graded *out, struct error *error) {
    struct exercise *exercise;
    struct grade_session *session;
    struct report *report;
    cleanup_free char *text = NULL;
    enum status status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    exercise->launch = exercise->tuned.launch;
    exercise->kernel = exercise->tuned.kernel;
    struct grade_source source = {.file = exercise->tuned.file};
    status = file_read(source.file, FILE_MAX, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_open(&(struct grade_options){.engine = GRADE_ENGINE_SIM}, &session, error);
    if (status == STATUS_OK)
        status = grade_submission(session, exercise, &source, &report, error);
    if (status != STATUS_OK)
        return status;
    out->full = report->score > report->max_score - 1e-9;
    snprintf(out->why, sizeof out->why, "%.290s", report->message ? report->message : "");
    grade_close(session);
    return STATUS_OK;
}

/* In a process of its own, as the program does it; what is kept lives as long as the process. */
static void grade_apart(const char *id, struct graded *out) {
    double begun = clock_ms(), used = cpu_ms(RUSAGE_CHILDREN);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct error error = {0};
        out->status = grade_tuned(id, out, &error);
        if (out->status != STATUS_OK)
            snprintf(out->why, sizeof out->why, "%.290s", error.message);
        exit(0); /* in good order, or what ends the jails of a killed grader works meanwhile */
    }
    int ended = 0;
    bool right = child > 0 && waitpid(child, &ended, 0) == child && ended == 0;
    out->ms = clock_ms() - begun;
    out->cpu_ms = cpu_ms(RUSAGE_CHILDREN) - used;
    if (!right) {
        out->status = STATUS_INVALID;
        snprintf(out->why, sizeof out->why, "the process that graded it did not end well");
    }
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

/* Prints a row; false where it is not as it should be. */
static bool measure(const char *id, bool works, struct graded *graded, double *total) {
    char cache[] = "/tmp/bench-grade-XXXXXX";
    if (!mkdtemp(cache) || setenv("XDG_CACHE_HOME", cache, 1) != 0)
        return fprintf(stderr, "bench_grade: cannot make %s\n", cache) < 0;
    for (unsigned i = 0; i < RUNS; i++) {
        graded[i] = (struct graded){.status = STATUS_INVALID};
        grade_apart(id, &graded[i]);
    }
    nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (graded[0].status != STATUS_OK) {
        printf("%-26s %s\n", id, graded[0].why);
        return false;
    }
    bool over = graded[0].ms > BAR_MS && !works;
    bool same = graded[1].status == STATUS_OK && graded[1].full == graded[0].full;
    *total += graded[0].ms;
    printf("%-26s %6.0f ms  %6.0f ms CPU   again %6.0f ms%s%s%s%s%s\n", id, graded[0].ms,
           graded[0].cpu_ms, graded[1].ms, over ? "   over the bar" : "",
           graded[0].full ? "" : "   ", graded[0].full ? "" : graded[0].why,
           same ? "" : "   other than before: ", same ? "" : graded[1].why);
    fflush(stdout);
    return !over && same && graded[0].full;
}

/* Host code is compiled by nvcc, which takes longer than the bar. */
static bool is_host_code(const char *id) {
    struct exercise *exercise;
    struct error error;
    bool found = exercise_find(id, &exercise, &error) == STATUS_OK;
    bool is = found && exercise->kind != EXERCISE_KERNEL;
    if (found)
        exercise_free(exercise);
    return is;
}

int main(int argc, char **argv) {
    int code, first = 1;
    if (worker_main(argc, argv, &code))
        return code;
    bool works = argc > 1 && strcmp(argv[1], "--works") == 0;
    first += works;
    struct graded *graded = mmap(NULL, RUNS * sizeof *graded, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct error error = {0};
    char **ids = argv + first;
    size_t count = (size_t)(argc - first), wrong = 0;
    if (graded == MAP_FAILED || (count == 0 && exercise_ids(&ids, &count, &error) != STATUS_OK)) {
        fprintf(stderr, "bench_grade: %s\n", error.message);
        return 1;
    }
    double total = 0;
    size_t kernels = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_host_code(ids[i]))
            continue;
        kernels++;
        wrong += !measure(ids[i], works, graded, &total);
        if (i == 0 && graded[0].status == STATUS_ENVIRONMENT) /* later ones had a compiler */
            return SKIPPED;
    }
    printf("%zu exercises, %.1f s; %zu %s\n", kernels, total / 1e3, wrong,
           works ? "wrong" : "wrong or above a second");
    return wrong > 0;
}
