/* bench_profile: what `warpgrade profile` of a large launch costs, as its user pays for it.
 *
 * A matrix of 16384 x 16384 floats times a vector, in several ways, each profiled by the program
 * itself in a fresh process: compiler, ptxas, worker and simulated GPU are in the time. The figure
 * is the median of several runs; CPU time is that of the process and of all that it started. */
#include "bench.h"

#include "sandbox/base/memory.h"
#include "tests/source_folder.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 101, SKIPPED = 77, ENVIRONMENT = 3 };
#define BAR_SECONDS 2.0

static const struct gemv {
    const char *name, *file, *kernel, *grid, *block;
} gemvs[] = {
    {"row", "kernels/gemv_row.cu", "gemv_row", "128", "128"},
    {"column", "kernels/gemv_column.cu", "gemv_column", "128", "128"},
    {"split", "model/gemv/split.cu", "gemv", "128,16", "128"},
    {"shared", "model/gemv/shared.cu", "gemv", "64", "256"},
    {"shuffle", "model/gemv/shuffle.cu", "gemv", "2048", "256"},
    {"float4", "model/gemv/float4.cu", "gemv", "2048", "256"},
    {"block_a_row", "model/gemv/block_a_row.cu", "gemv", "16384", "256"},
};

struct options {
    const char *program, *pattern;
    unsigned runs;
    bool works, cpu_time;
};

static const struct argp_option options[] = {
    {"program", 'p', "FILE", 0, "the program; default: the one built beside this", 0},
    {"kernel", 'k', "GLOB", 0, "only the kernels whose name matches", 0},
    {"runs", 'r', "N", 0, "runs of each kernel; default: 5", 0},
    {"cpu-time", 'c', NULL, 0, "judge CPU time, while others use the machine", 0},
    {"works", 'w', NULL, 0, "run once and judge no time", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *chosen = state->input;
    switch (key) {
    case 'p':
        chosen->program = argument;
        return 0;
    case 'k':
        chosen->pattern = argument;
        return 0;
    case 'r':
        chosen->runs = (unsigned)strtoul(argument, NULL, 10);
        if (chosen->runs < 1 || chosen->runs > MAX_RUNS)
            argp_error(state, "--runs takes 1 to %d", MAX_RUNS);
        return 0;
    case 'c':
        chosen->cpu_time = true;
        return 0;
    case 'w':
        chosen->works = true;
        chosen->runs = 1;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    NULL,
    "Times `warpgrade profile` of a 16384 x 16384 matrix times a vector.\vExit status: 0 every "
    "median is within two seconds, 1 one is not or a run failed, 77 there is no compiler.",
    NULL,
    NULL,
    NULL};

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* The program's exit status, or -1. */
static int run_once(const char *program, const struct gemv *gemv, double *wall, double *cpu) {
    cleanup_free char *file = mem_printf("%s/tests/bench/%s", WARPGRADE_SOURCE_DIR, gemv->file);
    char *arguments[] = {(char *)program,
                         "profile",
                         file,
                         "--kernel",
                         (char *)gemv->kernel,
                         "--grid",
                         (char *)gemv->grid,
                         "--block",
                         (char *)gemv->block,
                         "--arg",
                         "f32*268435456=uniform:const",
                         "--arg",
                         "f32*16384=uniform:const",
                         "--arg",
                         "f32*16384=zero",
                         "--arg",
                         "i32=16384",
                         "--arg",
                         "i32=16384",
                         NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    struct timespec start, end;
    struct rusage usage;
    pid_t child;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int failed = posix_spawn(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return -1;
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return -1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    *wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    *cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Exit status. */
static int bench_gemv(const struct options *chosen, const struct gemv *gemv) {
    double walls[MAX_RUNS], cpus[MAX_RUNS];
    for (unsigned i = 0; i < chosen->runs; i++) {
        int status = run_once(chosen->program, gemv, &walls[i], &cpus[i]);
        if (status == ENVIRONMENT)
            return SKIPPED;
        if (status != 0) {
            fprintf(stderr, "bench_profile: %s: %s ended with %d\n", gemv->name, chosen->program,
                    status);
            return 1;
        }
    }
    double wall = bench_median(walls, chosen->runs), cpu = bench_median(cpus, chosen->runs);
    bool missed = !chosen->works && (chosen->cpu_time ? cpu : wall) > BAR_SECONDS;
    printf("%-14s %8.2f %8.2f%s\n", gemv->name, wall, cpu, missed ? "  over the bar of 2 s" : "");
    fflush(stdout);
    return missed;
}

int main(int argc, char **argv) {
    struct options chosen = {.program = WARPGRADE_PROGRAM, .pattern = "*", .runs = 5};
    argp_parse(&parser, argc, argv, 0, NULL, &chosen);
    int worst = 0;
    printf("%-14s %8s %8s   seconds, median of %u\n", "gemv 16384^2", "wall", "CPU", chosen.runs);
    for (size_t i = 0; i < ARRAY_LENGTH(gemvs); i++) {
        if (fnmatch(chosen.pattern, gemvs[i].name, 0) != 0)
            continue;
        int status = bench_gemv(&chosen, &gemvs[i]);
        if (status == SKIPPED)
            return SKIPPED;
        worst |= status;
    }
    return worst;
}
