/* gpu_bench: the catalogue's kernels on a real GPU.
 *
 * Times of every row go to a JSON file; --once launches each row a single time for a profiler and
 * writes their order; --write-ptx compiles for a machine that has a GPU and no compiler. A row that
 * fails is named, the others still run, and the exit status is 1. */
#include "exercise_run.h"
#include "measure.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <argp.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77 };

struct bench_options {
    const char *json, *ptx, *write_ptx, *pattern, *size, *without_faults;
    bool once, micro, exercises, plan;
};

enum {
    OPTION_ONCE = 256,
    OPTION_PTX,
    OPTION_WRITE_PTX,
    OPTION_MICRO,
    OPTION_JSON,
    OPTION_SIZE,
    OPTION_EXERCISES,
    OPTION_FAULTS,
    OPTION_PLAN
};
static const struct argp_option options[] = {
    {"json", OPTION_JSON, "FILE", 0, "write the figures; default: standard output", 0},
    {"ptx", OPTION_PTX, "DIR", 0, "take PTX from here where it is there, compile the rest", 0},
    {"write-ptx", OPTION_WRITE_PTX, "DIR", 0, "only compile, into this folder; needs no GPU", 0},
    {"once", OPTION_ONCE, NULL, 0, "one launch a row between cuProfilerStart() and Stop()", 0},
    {"micro", OPTION_MICRO, NULL, 0, "the microbenchmarks in place of the model's kernels", 0},
    {"exercises", OPTION_EXERCISES, NULL, 0,
     "one launch of every exercise's kernels with each of its cases, as --once", 0},
    {"without-faults", OPTION_FAULTS, "FILE", 0,
     "leave out the exercises' launches that have a fault in this file, which --exercises wrote",
     0},
    {"plan", OPTION_PLAN, NULL, 0,
     "only check that each row's file holds its kernel and that its launch can be made; needs no "
     "GPU and no compiler",
     0},
    {"size", OPTION_SIZE, "SIZE", 0, "only the small or only the large ones", 0},
    {"kernel", 'k', "GLOB", 0, "only the rows whose FAMILY/VARIANT matches, @(A|B)/* too", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct bench_options *chosen = state->input;
    switch (key) {
    case OPTION_JSON:
        chosen->json = argument;
        return 0;
    case OPTION_PTX:
        chosen->ptx = argument;
        return 0;
    case OPTION_WRITE_PTX:
        chosen->write_ptx = argument;
        return 0;
    case OPTION_ONCE:
        chosen->once = true;
        return 0;
    case OPTION_MICRO:
        chosen->micro = true;
        return 0;
    case OPTION_FAULTS:
        chosen->without_faults = argument;
        return 0;
    case OPTION_EXERCISES:
        chosen->exercises = chosen->once = true;
        return 0;
    case OPTION_PLAN:
        chosen->plan = true;
        return 0;
    case OPTION_SIZE:
        if (strcmp(argument, "small") != 0 && strcmp(argument, "large") != 0)
            argp_error(state, "--size is small or large, not \"%s\"", argument);
        chosen->size = argument;
        return 0;
    case 'k':
        chosen->pattern = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options, parse_option, NULL, "Measures the kernels of the cost model on this machine's GPU.",
    NULL,    NULL,         NULL};

static bool chosen_row(const struct bench_options *chosen, const char *family,
                       const char *variant) {
    cleanup_free char *name = mem_printf("%s/%s", family, variant);
    return !chosen->pattern || fnmatch(chosen->pattern, name, FNM_EXTMATCH) == 0;
}

static bool check_launches(const struct model_kernel *kernel, struct error *error) {
    for (unsigned size = 0; size < MODEL_SIZES; size++) {
        struct model_launch launch;
        if (!kernel->sizes[size])
            continue;
        if (model_launch_make(kernel, size, &launch, error) != STATUS_OK)
            return false;
        model_launch_free(&launch);
    }
    return true;
}

/* The file is there and names the kernel; whether it compiles is another question. */
static bool check_file(const struct model_kernel *kernel, struct error *error) {
    cleanup_free char *path = model_source_path(kernel);
    cleanup_free char *source = NULL;
    size_t length;
    if (file_read(path, BUILD_SOURCE_MAX, &source, &length, error) != STATUS_OK)
        return false;
    if (!kernel->kernel || strstr(source, kernel->kernel))
        return true;
    error_set(error, STATUS_INVALID, "%s has no kernel %s", kernel->file, kernel->kernel);
    return false;
}

/* What is wrong with the chosen rows: with `folder`, also what does not compile into it. */
static unsigned check_rows(const struct bench_options *chosen, const char *folder) {
    unsigned failed = 0;
    for (size_t i = 0; i < model_kernel_count + micro_kernel_count; i++) {
        const struct model_kernel *kernel =
            i < model_kernel_count ? &model_kernels[i] : &micro_kernels[i - model_kernel_count];
        struct error error = {0};
        if (!chosen_row(chosen, kernel->family, kernel->variant) ||
            (check_launches(kernel, &error) &&
             (folder ? model_write_ptx(kernel, folder, &error) == STATUS_OK
                     : check_file(kernel, &error))))
            continue;
        fprintf(stderr, "gpu_bench: %s/%s: %s\n", kernel->family, kernel->variant, error.message);
        failed++;
    }
    return failed;
}

static int write_ptx(const struct bench_options *chosen) {
    unsigned failed = check_rows(chosen, chosen->write_ptx);
    struct error error = {0};
    if (!chosen->pattern && gpu_launches_write_ptx(chosen->write_ptx, &error) != STATUS_OK) {
        fprintf(stderr, "gpu_bench: %s\n", error.message);
        failed++;
    }
    return failed ? 1 : 0;
}

/* A kernel that fails takes its context with it. */
static bool measure_again(const struct bench_options *chosen, struct measure *measure) {
    bool missing;
    measure_close(measure);
    return measure_open(measure, chosen->ptx, chosen->once ? MEASURE_ONCE : MEASURE_TIMES,
                        &missing);
}

/* ---- compiling ahead ------------------------------------------------------------------------- */

enum { COMPILERS_MAX = 16 };

struct ahead {
    const struct bench_options *chosen;
    atomic_size_t next;
};

static bool has_size(const struct bench_options *chosen, const struct model_kernel *kernel) {
    bool found = false;
    for (unsigned size = 0; size < MODEL_SIZES; size++)
        found |= kernel->sizes[size] &&
                 (!chosen->size || strcmp(chosen->size, model_size_names[size]) == 0);
    return found;
}

/* What does not compile is reported when it is measured. */
static void *compile_prefetch(void *argument) {
    struct ahead *ahead = argument;
    const struct bench_options *chosen = ahead->chosen;
    const struct model_kernel *kernels = chosen->micro ? micro_kernels : model_kernels;
    size_t count = chosen->micro ? micro_kernel_count : model_kernel_count, i;
    while ((i = atomic_fetch_add(&ahead->next, 1)) < count) {
        char *ptx, *entry;
        if (!chosen_row(chosen, kernels[i].family, kernels[i].variant) ||
            !has_size(chosen, &kernels[i]) ||
            model_compile(&kernels[i], chosen->ptx, &ptx, &entry, NULL) != STATUS_OK)
            continue;
        free(ptx);
        free(entry);
    }
    return NULL;
}

/* On all processors, into the build's cache, from where measuring takes it. */
static void compile_all(const struct bench_options *chosen) {
    struct ahead ahead = {.chosen = chosen};
    pthread_t threads[COMPILERS_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN), count = 0;
    while (count + 1 < processors && count < COMPILERS_MAX &&
           pthread_create(&threads[count], NULL, compile_prefetch, &ahead) == 0)
        count++;
    compile_prefetch(&ahead);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static unsigned measure_rows(const struct bench_options *chosen, struct measure *measure,
                             json_t *rows) {
    const struct model_kernel *kernels = chosen->micro ? micro_kernels : model_kernels;
    size_t count = chosen->micro ? micro_kernel_count : model_kernel_count;
    enum measure_mode mode = chosen->once ? MEASURE_ONCE : MEASURE_TIMES;
    unsigned failed = 0;
    /* The sizes outside, so that the rows of a family follow each other and share buffers. */
    for (unsigned size = 0; size < MODEL_SIZES; size++)
        for (size_t i = 0; i < count; i++) {
            if (!kernels[i].sizes[size] ||
                !chosen_row(chosen, kernels[i].family, kernels[i].variant) ||
                (chosen->size && strcmp(chosen->size, model_size_names[size]) != 0))
                continue;
            /* A profiler saves all memory that a kernel could write before each of its passes. */
            if (chosen->once && i && strcmp(kernels[i].family, kernels[i - 1].family) != 0)
                measure_forget_buffers(measure);
            json_t *row = measure_kernel(measure, &kernels[i], size, mode);
            if (row) {
                json_array_append_new(rows, row);
                continue;
            }
            failed++;
            if (!measure_again(chosen, measure))
                return failed;
        }
    return failed;
}

static int write_json(const struct bench_options *chosen, json_t *root) {
    struct error error = {0};
    cleanup_free char *text =
        json_dumps(root, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(6));
    json_decref(root);
    if (!chosen->json) {
        puts(text);
        return 0;
    }
    if (file_write(chosen->json, text, strlen(text), &error) == STATUS_OK)
        return 0;
    fprintf(stderr, "gpu_bench: %s\n", error.message);
    return 1;
}

static int run_exercises(const struct bench_options *chosen) {
    struct exercise_run_options run = {chosen->ptx, chosen->pattern, chosen->without_faults};
    json_t *rows = json_array();
    bool missing, right = exercise_run(&run, rows, &missing);
    if (missing) {
        json_decref(rows);
        return SKIPPED;
    }
    int written = write_json(chosen, json_pack("{s:o}", "rows", rows));
    return right && !written ? 0 : 1;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    struct bench_options chosen = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &chosen);
    if (chosen.plan)
        return check_rows(&chosen, NULL) ? 1 : 0;
    if (chosen.write_ptx)
        return write_ptx(&chosen);
    if (chosen.exercises)
        return run_exercises(&chosen);
    struct measure measure;
    bool missing;
    if (!measure_open(&measure, chosen.ptx, chosen.once ? MEASURE_ONCE : MEASURE_TIMES, &missing))
        return missing ? SKIPPED : 1;
    compile_all(&chosen);
    json_t *rows = json_array();
    unsigned failed = measure_rows(&chosen, &measure, rows);
    json_t *root = json_pack("{s:o,s:o}", "device", measure_device(&measure), "rows", rows);
    measure_close(&measure);
    int written = write_json(&chosen, root);
    return failed || written ? 1 : 0;
}
