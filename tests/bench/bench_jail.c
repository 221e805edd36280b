/* bench_jail: what the jail costs a run, and whether it always works and leaves nothing.
 *
 * A run is a real worker that starts, enters its jail, finds its request invalid and
 * ends: all that a run costs beside its work. Runs with and without a jail are made in turns, so
 * that both meet the same load, and their medians are compared. Then come launches in a row, none
 * of which may fail, and many more, after which descriptors, children, mounts and cgroups are
 * counted. */
#include "bench.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/isolation/jail.h"

#include <argp.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RUNS = 1001, WARM_UP = 3 };
#define BAR_MS 10.0

struct options {
    unsigned runs, launches, leaks;
    bool works;
};

static const struct argp_option options[] = {
    {"runs", 'r', "N", 0, "runs of each kind for the median; default: 50", 0},
    {"launches", 'l', "N", 0, "launches in a row; default: 200", 0},
    {"leaks", 'k', "N", 0, "runs between the two counts; default: 1000", 0},
    {"landlock", 'j', NULL, 0, "the jail without namespaces, not the full one", 0},
    {"works", 'w', NULL, 0, "a few of each, and judge no time", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *chosen = state->input;
    unsigned number = argument ? (unsigned)strtoul(argument, NULL, 10) : 0;
    switch (key) {
    case 'r':
        if (number < 1 || number > MAX_RUNS)
            argp_error(state, "--runs takes 1 to %d", MAX_RUNS);
        chosen->runs = number;
        return 0;
    case 'l':
        chosen->launches = number;
        return 0;
    case 'k':
        chosen->leaks = number;
        return 0;
    case 'j':
        jail_set_kind(JAIL_LANDLOCK);
        return 0;
    case 'w':
        *chosen = (struct options){.runs = 5, .launches = 10, .leaks = 20, .works = true};
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    NULL,
    "Measures what the jail adds to a run.\vExit status: 0 every bar is met, 1 one is not or a run "
    "failed, 77 there is no jail on this machine.",
    NULL,
    NULL,
    NULL};

/* Each kind of worker with what it is shown in a grading. */
static const struct kind {
    const char *name, *role;
    enum jail_profile profile;
} kinds[] = {
    {"simulator", "sim", JAIL_SIMULATOR},
    {"compiler", "build", JAIL_COMPILER},
    {"tools", "tools", JAIL_TOOLS},
};

static const char *shown[3]; /* of the compiler */

/* Milliseconds; negative where the worker did not end as it must. */
static double run_once(const struct kind *kind, bool jailed) {
    const char *argv[] = {"warpgrade-worker", kind->role, NULL};
    struct jail_spec spec = {.profile = kind->profile,
                             .program = WARPGRADE_WORKER,
                             .argv = argv,
                             .data_fd = -1,
                             .shown = kind->profile == JAIL_COMPILER ? shown : NULL,
                             .limits = {.wall_seconds = 60}};
    struct jail_result result;
    struct error error = {0};
    jail_set_unsafe(!jailed);
    double started = clock_ms();
    enum status status = jail_run(&spec, &result, &error);
    double elapsed = clock_ms() - started;
    bool refused = status == STATUS_OK && result.exit_code == WORKER_EXIT_REFUSED;
    if (!refused)
        fprintf(stderr, "bench_jail: %s: exit code %d, signal %d: %s%s\n", kind->name,
                result.exit_code, result.signal, error.message, text_string(&result.messages));
    jail_result_free(&result);
    return refused ? elapsed : -1;
}

static bool compare(const struct options *chosen, const struct kind *kind) {
    static double with[MAX_RUNS], without[MAX_RUNS];
    for (unsigned i = 0; i < WARM_UP; i++)
        if (run_once(kind, true) < 0 || run_once(kind, false) < 0)
            return false;
    for (unsigned i = 0; i < chosen->runs; i++) {
        with[i] = run_once(kind, true);
        without[i] = run_once(kind, false);
        if (with[i] < 0 || without[i] < 0)
            return false;
    }
    double jail = bench_median(with, chosen->runs), none = bench_median(without, chosen->runs);
    bool missed = !chosen->works && jail - none > BAR_MS;
    printf("%-10s %8.2f %8.2f %8.2f%s\n", kind->name, jail, none, jail - none,
           missed ? "  over the bar of 10 ms" : "");
    return !missed;
}

static size_t count_entries(const char *folder, const char *prefix) {
    size_t count = 0;
    DIR *opened = opendir(folder);
    for (struct dirent *entry; opened && (entry = readdir(opened));)
        count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    if (opened)
        closedir(opened);
    return count;
}

static size_t count_words(const char *path, char separator) {
    size_t count = 0;
    cleanup_file FILE *file = fopen(path, "re");
    for (int character; file && (character = fgetc(file)) != EOF;)
        count += character == separator;
    return count;
}

struct counts {
    size_t descriptors, children, mounts, cgroups;
};

static struct counts count_all(void) {
    cleanup_free char *children = mem_printf("/proc/self/task/%d/children", (int)getpid());
    struct counts counts = {
        .descriptors = count_entries("/proc/self/fd", ""),
        .children = count_words(children, ' '),
        .mounts = count_words("/proc/self/mountinfo", '\n'),
        .cgroups = count_words("/proc/self/cgroup", '\n'),
    };
    cleanup_file FILE *cgroups = fopen("/proc/cgroups", "re");
    char line[256];
    while (cgroups && fgets(line, sizeof line, cgroups)) { /* name, hierarchy, number, enabled */
        size_t number = 0;
        if (sscanf(line, "memory %*u %zu", &number) == 1)
            counts.cgroups = number;
    }
    return counts;
}

static bool look_for_leaks(const struct options *chosen) {
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
        if (run_once(&kinds[i], true) < 0)
            return false;
    struct counts before = count_all();
    for (unsigned i = 0; i < chosen->leaks; i++)
        if (run_once(&kinds[i % ARRAY_LENGTH(kinds)], true) < 0)
            return false;
    struct counts after = count_all();
    printf("\nafter %u runs: descriptors %zu, before %zu; children %zu, %zu; mounts %zu, %zu; "
           "memory cgroups of the machine %zu, %zu\n",
           chosen->leaks, after.descriptors, before.descriptors, after.children, before.children,
           after.mounts, before.mounts, after.cgroups, before.cgroups);
    return after.descriptors == before.descriptors && after.children == before.children &&
           after.mounts == before.mounts;
}

static bool launch_in_a_row(const struct options *chosen) {
    unsigned failed = 0;
    double started = clock_ms();
    for (unsigned i = 0; i < chosen->launches; i++)
        failed += run_once(&kinds[0], true) < 0;
    printf("\n%u launches in a row: %u failed, %.2f s\n", chosen->launches, failed,
           (clock_ms() - started) / 1e3);
    return failed == 0;
}

int main(int argc, char **argv) {
    struct options chosen = {.runs = 50, .launches = 200, .leaks = 1000};
    argp_parse(&parser, argc, argv, 0, NULL, &chosen);
    uint32_t guards;
    struct error error;
    if (jail_check(&guards, &error) != STATUS_OK) {
        fprintf(stderr, "bench_jail: %s\n", error.message);
        return 77;
    }
    struct build_toolchain toolchain;
    if (build_toolchain_find(&toolchain, NULL) == STATUS_OK) {
        shown[0] = toolchain.nvrtc_library;
        shown[1] = toolchain.include_directory[0] ? toolchain.include_directory : NULL;
    }
    printf("in force:");
    for (unsigned i = 0; i < JAIL_GUARD_COUNT; i++)
        if (guards & 1U << i)
            printf(" %s", jail_guard_infos[i].name);
    printf("\n\n");
    printf("%-10s %8s %8s %8s   milliseconds, median of %u\n", "a run", "jail", "none", "added",
           chosen.runs);
    bool good = true;
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
        good &= compare(&chosen, &kinds[i]);
    good &= launch_in_a_row(&chosen);
    good &= look_for_leaks(&chosen);
    return good ? 0 : 1;
}
