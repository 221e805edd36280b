/* Which grades take long: whatever a student may hand in of each exercise, mutants, skeleton and
 * tuned kernel, is graded one after the other.
 *
 *     bench_catalogue [--works] [EXERCISE ...]
 *
 * Each is graded twice, each time in a process of its own; the first time fills the compiler's
 * cache, which is this program's own, and the second is measured. CPU time is user and system time
 * of that process and its workers. The bar is five seconds on two cores: ten of CPU time, whatever
 * else the machine does. --works leaves out the mutants. Exit status 1: one is over it or cannot be
 * graded; 77: no compiler. */
#include "grader/grade/grade.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR_CPU_MS 10e3

enum { FILE_MAX = 1 << 20, SKIPPED = 77, SEED = 1, SHOWN = 10, NAME_BYTES = 96 };

struct graded {
    char name[NAME_BYTES]; /* "dot no-barrier" */
    double cold_cpu_ms, cpu_ms, ms;
    enum verdict verdict;
    enum status status;
    char why[200];
};

static double cpu_ms(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static enum status grade_file(const struct exercise *exercise, const char *path,
                              struct graded *graded, struct error *error) {
    struct grade_options options = {.engine = GRADE_ENGINE_SIM, .has_seed = true, .seed = SEED};
    struct grade_source source = {.file = path};
    struct grade_session *session;
    struct report *report;
    cleanup_free char *text = NULL;
    enum status status = file_read(path, FILE_MAX, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_open(&options, &session, error);
    if (status == STATUS_OK)
        status = grade_submission(session, exercise, &source, &report, error);
    if (status == STATUS_OK)
        graded->verdict = report->verdict;
    return status;
}

/* In a process of its own, as the program does it; what is kept lives as long as the process. */
static void grade_apart(const struct exercise *exercise, const char *path, struct graded *graded) {
    double begun = clock_ms(), used = cpu_ms();
    graded->status = STATUS_INVALID;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct error error = {0};
        graded->status = grade_file(exercise, path, graded, &error);
        snprintf(graded->why, sizeof graded->why, "%.190s", error.message);
        _exit(0);
    }
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child || ended != 0)
        graded->status = STATUS_INVALID;
    graded->ms = clock_ms() - begun;
    graded->cpu_ms = cpu_ms() - used;
}

static int compare_cpu(const void *left, const void *right) {
    const struct graded *a = left, *b = right;
    return (a->cpu_ms < b->cpu_ms) - (a->cpu_ms > b->cpu_ms);
}

struct bench {
    struct graded *shared; /* with the processes that grade */
    struct graded *all;
    size_t count, capacity, wrong;
    bool works; /* is asked, and no more */
};

static void print_row(const struct graded *graded) {
    printf("%-44s %-16s %6.2f s CPU  %6.2f s   (with the compiler %.2f s CPU)\n", graded->name,
           graded->status == STATUS_OK ? verdict_infos[graded->verdict].name : graded->why,
           graded->cpu_ms / 1e3, graded->ms / 1e3, graded->cold_cpu_ms / 1e3);
    fflush(stdout);
}

static void measure(struct bench *bench, const struct exercise *exercise, const char *name,
                    const char *path) {
    struct graded *graded = bench->shared;
    *graded = (struct graded){0};
    snprintf(graded->name, sizeof graded->name, "%.40s %.50s", exercise->id, name);
    grade_apart(exercise, path, graded);
    double cold = graded->cpu_ms;
    if (graded->status == STATUS_OK)
        grade_apart(exercise, path, graded);
    graded->cold_cpu_ms = cold;
    bool wrong = graded->status != STATUS_OK || graded->cpu_ms > BAR_CPU_MS;
    bench->wrong += wrong;
    if (wrong)
        print_row(graded);
    *mem_push(&bench->all, &bench->count, &bench->capacity) = *graded;
}

static enum status measure_exercise(struct bench *bench, const char *id, struct error *error) {
    struct exercise *exercise;
    enum status status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    measure(bench, exercise, "skeleton", exercise->skeleton);
    for (size_t i = 0; i < exercise->mutant_count && !bench->works; i++)
        measure(bench, exercise, exercise->mutants[i].name, exercise->mutants[i].file);
    struct exercise tuned = *exercise; /* which still owns everything */
    tuned.launch = exercise->tuned.launch;
    tuned.kernel = exercise->tuned.kernel;
    measure(bench, &tuned, "(tuned)", exercise->tuned.file);
    exercise_free(exercise);
    return STATUS_OK;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

static void print_slowest(struct bench *bench) {
    double total = 0;
    qsort(bench->all, bench->count, sizeof *bench->all, compare_cpu);
    printf("the slowest, by CPU time:\n");
    for (size_t i = 0; i < bench->count; i++) {
        total += bench->all[i].cpu_ms;
        if (i < SHOWN)
            print_row(&bench->all[i]);
    }
    printf("%zu grades, %.1f s CPU; %zu over %.0f s or not graded\n", bench->count, total / 1e3,
           bench->wrong, BAR_CPU_MS / 1e3);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    bool works = argc > 1 && strcmp(argv[1], "--works") == 0;
    char cache[] = "/tmp/bench-catalogue-XXXXXX", **ids = argv + 1 + works;
    size_t count = (size_t)(argc - 1 - works);
    struct error error = {0};
    struct bench bench = {.works = works,
                          .shared = mmap(NULL, sizeof *bench.shared, PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
    if (bench.shared == MAP_FAILED || !mkdtemp(cache) || setenv("WARPGRADE_CACHE_DIR", cache, 1))
        return fprintf(stderr, "bench_catalogue: cannot make %s\n", cache), 1;
    enum status status = count ? STATUS_OK : exercise_ids(&ids, &count, &error);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = measure_exercise(&bench, ids[i], &error);
        if (bench.count && bench.all[0].status == STATUS_ENVIRONMENT)
            break;
    }
    nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (status != STATUS_OK)
        return fprintf(stderr, "bench_catalogue: %s\n", error.message), 1;
    if (bench.count && bench.all[0].status == STATUS_ENVIRONMENT)
        return SKIPPED;
    print_slowest(&bench);
    return bench.wrong > 0;
}
