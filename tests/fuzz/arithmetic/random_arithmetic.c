/* Random arithmetic on the simulated GPU, and what a card makes of it:
 *
 *   random_arithmetic [--cuda] [--kernels N] [--seed N]    both engines, or the simulated one alone
 *   random_arithmetic --expected FILE                      simulated, against what a card said once
 *   random_arithmetic --cuda --write FILE [...]            writes such a file
 *   random_arithmetic --seed N --print KERNEL              its source
 *
 * Without --seed it takes a new one and says which. Where the two differ, the kernel is cut back to
 * the first statement after which they do, and written to a file. Exit code 77: no card. */
#include "tests/fuzz/arithmetic/engines.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/program/worker_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS_OF_MODULE = 25, MAX_KERNELS = 100000, MAX_PROCESSES = 16, SHOWN = 3, SKIPPED = 77 };

struct options {
    bool cuda;
    uint64_t seed;
    unsigned kernels, target, processes;
    const char *expected, *write, *folder;
};

/* Shared between the processes: one for each kernel. */
struct verdict {
    uint64_t hash;
    bool ran, failed;
};

static unsigned differing_words(const struct arithmetic_result *one,
                                const struct arithmetic_result *other, unsigned *first) {
    unsigned count = 0;
    for (unsigned i = ARITHMETIC_RESULT_WORDS; i-- > 0;)
        if (one->words[i] != other->words[i]) {
            *first = i;
            count++;
        }
    return count;
}

/* The fewest statements after which the engines differ; ARITHMETIC_NO_LIMIT where only all of them
 * make a difference. */
static unsigned reduce(const struct options *options, unsigned number) {
    static struct arithmetic_result simulated, real;
    for (unsigned limit = 1; limit < 60; limit++) {
        unsigned first;
        struct arithmetic_module *module =
            arithmetic_compile(options->seed, number, 1, options->target, limit, false);
        bool differs = module && arithmetic_simulate(module, number, &simulated) &&
                       arithmetic_run_on_card(module, number, &real) &&
                       differing_words(&simulated, &real, &first) > 0;
        arithmetic_free(module);
        if (differs)
            return limit;
    }
    return ARITHMETIC_NO_LIMIT;
}

static void write_source(const struct options *options, unsigned number, unsigned limit) {
    cleanup_text struct text source = {0};
    struct error error = {0};
    cleanup_free char *path = mem_printf("%s/arithmetic-%llu-%u.cu", options->folder,
                                         (unsigned long long)options->seed, number);
    arithmetic_source(options->seed, number, 1, options->target, limit, &source);
    if (file_write(path, source.data, source.length, &error) == STATUS_OK)
        fprintf(stderr, "  its source: %s\n", path);
    else
        fprintf(stderr, "  %s\n", error.message);
}

static void explain(const struct options *options, unsigned number,
                    const struct arithmetic_result *simulated,
                    const struct arithmetic_result *real) {
    unsigned first = 0, count = differing_words(simulated, real, &first);
    char name[16] = "scratch";
    if (first < ARITHMETIC_WORDS)
        arithmetic_slot_name(first / ARITHMETIC_THREADS, name);
    unsigned limit = reduce(options, number);
    fprintf(stderr,
            "DIFFERS seed %llu, kernel %u: %s of thread %u is 0x%llx simulated and 0x%llx on the "
            "card; %u words in all, from statement %u on\n",
            (unsigned long long)options->seed, number, name, first % ARITHMETIC_THREADS,
            (unsigned long long)simulated->words[first], (unsigned long long)real->words[first],
            count, limit);
    write_source(options, number, limit);
}

static void run_kernel(const struct options *options, struct arithmetic_module *module,
                       unsigned number, struct verdict *verdict, unsigned *shown) {
    static struct arithmetic_result simulated, real;
    verdict->ran = arithmetic_simulate(module, number, &simulated);
    verdict->failed = !verdict->ran;
    verdict->hash = arithmetic_hash(&simulated);
    if (!options->cuda)
        return;
    unsigned first;
    if (!arithmetic_run_on_card(module, number, &real)) {
        verdict->failed = true;
        return;
    }
    verdict->hash = arithmetic_hash(&real);
    if (differing_words(&simulated, &real, &first) == 0)
        return;
    verdict->failed = true;
    if ((*shown)++ < SHOWN)
        explain(options, number, &simulated, &real);
}

/* Every n-th module, in a process of its own. */
static int run_part(const struct options *options, unsigned part, struct verdict *verdicts) {
    unsigned shown = 0;
    if (options->cuda && arithmetic_open_card() < options->target)
        return SKIPPED;
    for (unsigned first = part * KERNELS_OF_MODULE; first < options->kernels;
         first += options->processes * KERNELS_OF_MODULE) {
        unsigned count = options->kernels - first < KERNELS_OF_MODULE ? options->kernels - first
                                                                      : KERNELS_OF_MODULE;
        struct arithmetic_module *module =
            arithmetic_compile(options->seed, first, count, options->target, ARITHMETIC_NO_LIMIT,
                               options->expected != NULL);
        for (unsigned i = 0; i < count && module; i++)
            run_kernel(options, module, first + i, &verdicts[first + i], &shown);
        arithmetic_free(module);
    }
    return 0;
}

/* False where there is no card. */
static bool run_all(const struct options *options, struct verdict *verdicts) {
    pid_t children[MAX_PROCESSES];
    bool has_card = true;
    fflush(stdout);
    for (unsigned part = 0; part < options->processes; part++) {
        children[part] = fork();
        if (children[part] == 0)
            _exit(run_part(options, part, verdicts));
    }
    for (unsigned part = 0; part < options->processes; part++) {
        int status = 0;
        if (children[part] > 0)
            waitpid(children[part], &status, 0);
        has_card &= !(WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED);
    }
    return has_card;
}

/* ---- files of hashes ------------------------------------------------------------------------- */

static bool write_hashes(const struct options *options, const struct verdict *verdicts) {
    cleanup_text struct text text = {0};
    struct error error = {0};
    text_printf(&text,
                "# What a card made of these kernels: random_arithmetic --cuda --write FILE\n"
                "seed %llu\ntarget %u\nkernels %u\n",
                (unsigned long long)options->seed, options->target, options->kernels);
    for (unsigned i = 0; i < options->kernels; i++)
        text_printf(&text, "%016llx\n", (unsigned long long)verdicts[i].hash);
    if (file_write(options->write, text.data, text.length, &error) == STATUS_OK)
        return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
}

/* Seed, target and number come from the file; the caller frees the hashes. */
static uint64_t *read_hashes(struct options *options) {
    unsigned long long seed, hash;
    FILE *file = fopen(options->expected, "re");
    uint64_t *hashes = NULL;
    if (file &&
        fscanf(file, "#%*[^\n] seed %llu target %u kernels %u", &seed, &options->target,
               &options->kernels) == 3 &&
        options->kernels > 0 && options->kernels <= MAX_KERNELS) {
        options->seed = seed;
        hashes = mem_calloc(options->kernels, sizeof *hashes);
        for (unsigned i = 0; i < options->kernels; i++) {
            if (fscanf(file, "%llx", &hash) != 1) {
                free(hashes);
                hashes = NULL;
                break;
            }
            hashes[i] = hash;
        }
    }
    if (file)
        fclose(file);
    if (!hashes)
        fprintf(stderr, "%s: no file of hashes\n", options->expected);
    return hashes;
}

static void compare_hashes(const struct options *options, const uint64_t *hashes,
                           struct verdict *verdicts) {
    unsigned shown = 0;
    for (unsigned i = 0; i < options->kernels; i++) {
        if (!verdicts[i].ran || verdicts[i].hash == hashes[i])
            continue;
        verdicts[i].failed = true;
        if (shown++ >= SHOWN)
            continue;
        fprintf(stderr,
                "DIFFERS kernel %u: its result is not what a card made of it. Did the generator "
                "change? Then write the file again, on a card\n",
                i);
        write_source(options, i, ARITHMETIC_NO_LIMIT);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static int usage(void) {
    fprintf(stderr, "usage: random_arithmetic [--cuda] [--kernels N] [--seed N] [--target 80|90]\n"
                    "           [--expected FILE] [--write FILE] [--folder FOLDER] [--print N]\n");
    return 2;
}

static int print(const struct options *options, unsigned number) {
    cleanup_text struct text source = {0};
    arithmetic_source(options->seed, number, 1, options->target, ARITHMETIC_NO_LIMIT, &source);
    fputs(text_string(&source), stdout);
    return 0;
}

static int run(struct options *options) {
    cleanup_free uint64_t *hashes = options->expected ? read_hashes(options) : NULL;
    if (options->expected && !hashes)
        return 2;
    size_t bytes = options->kernels * sizeof(struct verdict);
    struct verdict *verdicts =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (verdicts == MAP_FAILED) {
        perror("random_arithmetic");
        return 2;
    }
    if (!run_all(options, verdicts)) {
        fprintf(stderr, "no card of compute capability %u.%u\n", options->target / 10,
                options->target % 10);
        return SKIPPED;
    }
    if (hashes)
        compare_hashes(options, hashes, verdicts);
    unsigned failed = 0;
    for (unsigned i = 0; i < options->kernels; i++)
        failed += verdicts[i].failed || !verdicts[i].ran;
    printf("seed %llu: %u kernels, %u failed\n", (unsigned long long)options->seed,
           options->kernels, failed);
    bool written = !options->write || write_hashes(options, verdicts);
    munmap(verdicts, bytes);
    return failed || !written ? 1 : 0;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    jail_set_unsafe(true); /* the source is ours, and a machine with a card may have no jail */
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct options options = {.kernels = 200,
                              .target = 90,
                              .processes = cpus < 1               ? 1
                                           : cpus > MAX_PROCESSES ? MAX_PROCESSES
                                                                  : (unsigned)cpus,
                              .folder = "."};
    const char *printed = NULL;
    bool seeded = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--cuda") == 0) {
            options.cuda = true;
            continue;
        }
        if (!value)
            return usage();
        i++;
        if (strcmp(argv[i - 1], "--kernels") == 0) {
            options.kernels = (unsigned)strtoul(value, NULL, 10);
        } else if (strcmp(argv[i - 1], "--seed") == 0) {
            options.seed = strtoull(value, NULL, 10);
            seeded = true;
        } else if (strcmp(argv[i - 1], "--target") == 0) {
            options.target = (unsigned)strtoul(value, NULL, 10);
        } else if (strcmp(argv[i - 1], "--expected") == 0) {
            options.expected = value;
        } else if (strcmp(argv[i - 1], "--write") == 0) {
            options.write = value;
        } else if (strcmp(argv[i - 1], "--folder") == 0) {
            options.folder = value;
        } else if (strcmp(argv[i - 1], "--print") == 0) {
            printed = value;
        } else {
            return usage();
        }
    }
    if (options.kernels == 0 || options.kernels > MAX_KERNELS ||
        (options.target != 80 && options.target != 90) || (options.write && !options.cuda))
        return usage();
    if (!seeded && !options.expected &&
        getrandom(&options.seed, 4, 0) != 4) { /* 32 bits: short enough to be typed again */
        perror("random_arithmetic");
        return 2;
    }
    return printed ? print(&options, (unsigned)strtoul(printed, NULL, 10)) : run(&options);
}
