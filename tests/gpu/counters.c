/* gpu_counters: the simulated GPU's counters beside those that Nsight Compute read on a real one.
 *
 * The real ones come from a file (tests/bench/model/h200.json), so that no GPU is needed;
 * measure.sh and gpu_collect make it again. Each launch is simulated on the same PTX, launch and
 * data. Requests and sectors of global loads and stores must be equal to the unit, otherwise the
 * exit status is 1; shared wavefronts are printed but not judged, because ptxas merges neighbouring
 * loads that PTX makes one by one. With --caches the models run on the device's profile, in full or
 * in a sample, and what its caches count is compared: see caches.c. */
#include "caches.h"

#include "grader/exercise/device.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/occupancy.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/worker/worker.h"
#include "tests/source_folder.h"

#include <argp.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, MAX_DATA_BYTES = 64 << 20, QUICK_INSTRUCTIONS = 60000000 };

/* What is compared: a counter of ours, and the metric of the same meaning. */
static const struct pair {
    const char *label, *metric;
    size_t counter; /* COUNTER_INDEX_... */
    bool judged;
} pairs[] = {
    {"load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     COUNTER_INDEX_global_load_requests, true},
    {"load sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     COUNTER_INDEX_global_load_sectors, true},
    {"store requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     COUNTER_INDEX_global_store_requests, true},
    {"store sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     COUNTER_INDEX_global_store_sectors, true},
    {"shared load wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     COUNTER_INDEX_shared_load_wavefronts, false},
    {"shared store wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     COUNTER_INDEX_shared_store_wavefronts, false},
};

struct comparison {
    const char *pattern, *size, *data, *ptx;
    bool exercises_only, models_only, quiet;
    struct cache_comparison *caches; /* NULL: requests and sectors */
    struct device_profile device;    /* with caches */
    uint64_t sample, most;           /* thread instructions; most: of a model, 0: any number */
    json_t *root;
    unsigned launches, unequal, faults, failed, missing;
};

enum {
    OPTION_DATA = 256,
    OPTION_PTX,
    OPTION_SIZE,
    OPTION_EXERCISES,
    OPTION_MODELS,
    OPTION_QUICK,
    OPTION_CACHES,
    OPTION_SAMPLE,
    OPTION_MOST
};
static const struct argp_option options[] = {
    {"data", OPTION_DATA, "FILE", 0, "what the GPU counted; default: model/h200.json", 0},
    {"ptx", OPTION_PTX, "DIR", 0, "take PTX from here where it is there, compile the rest", 0},
    {"kernel", 'k', "GLOB", 0, "only the launches whose FAMILY/VARIANT matches", 0},
    {"size", OPTION_SIZE, "SIZE", 0, "of the models: small (the default) or large", 0},
    {"exercises-only", OPTION_EXERCISES, NULL, 0, "leave the models out", 0},
    {"models-only", OPTION_MODELS, NULL, 0, "leave the exercises out", 0},
    {"quick", OPTION_QUICK, NULL, 0, "leave out models of more than 60 million thread instructions",
     0},
    {"caches", OPTION_CACHES, NULL, 0,
     "compare hit rates, L2 sectors and DRAM sectors of the models; exit status 1: a median is "
     "over "
     "its bound",
     0},
    {"sample", OPTION_SAMPLE, "N", 0, "with --caches: simulate blocks of N thread instructions", 0},
    {"most", OPTION_MOST, "N", 0, "leave out models of more than N million thread instructions", 0},
    {"quiet", 'q', NULL, 0, "print only what is judged and differs", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct comparison *comparison = state->input;
    switch (key) {
    case OPTION_DATA:
        comparison->data = argument;
        return 0;
    case OPTION_PTX:
        comparison->ptx = argument;
        return 0;
    case 'k':
        comparison->pattern = argument;
        return 0;
    case OPTION_SIZE:
        comparison->size = argument;
        return 0;
    case OPTION_EXERCISES:
        comparison->exercises_only = true;
        return 0;
    case OPTION_MODELS:
        comparison->models_only = true;
        return 0;
    case OPTION_QUICK:
        comparison->most = QUICK_INSTRUCTIONS;
        return 0;
    case OPTION_CACHES:
        comparison->caches = mem_zalloc(sizeof *comparison->caches);
        return 0;
    case OPTION_SAMPLE:
        comparison->sample = strtoull(argument, NULL, 10);
        return 0;
    case OPTION_MOST:
        comparison->most = strtoull(argument, NULL, 10) * 1000000;
        return 0;
    case 'q':
        comparison->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    NULL,
    "Compares the simulated GPU's counters with those of a real one.\vExit status: 0 all judged "
    "counters are equal, 1 some are not, 77 there is no compiler.",
    NULL,
    NULL,
    NULL};

/* ---- what the GPU counted -------------------------------------------------------------------- */

static bool is_text(const json_t *row, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(row, key));
    return value && strcmp(value, text) == 0;
}

/* The row of that name in a section; NULL where the GPU has not run it. */
static const json_t *find_row(const struct comparison *comparison, const char *section,
                              const char *family, const char *variant, const char *size) {
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(comparison->root, section), i, row) {
        if (is_text(row, "family", family) && is_text(row, "variant", variant) &&
            is_text(row, "size", size))
            return row;
    }
    return NULL;
}

static bool same_dim3(const json_t *row, const char *key, struct dim3 dim) {
    json_int_t x = 0, y = 0, z = 0;
    json_unpack(json_object_get(row, key), "[I,I,I]", &x, &y, &z);
    return x == dim.x && y == dim.y && z == dim.z;
}

/* Of an exercise's row: whether source, sizes and launch are those that were measured. */
static bool is_unchanged(const json_t *row, const struct gpu_launch *launch) {
    return is_text(row, "source", launch->source) &&
           json_integer_value(json_object_get(row, "bytes")) == (json_int_t)launch->data_length &&
           same_dim3(row, "grid", launch->grid) && same_dim3(row, "block", launch->block);
}

static bool find_counter(const struct comparison *comparison, const char *names, const json_t *row,
                         const char *metric, uint64_t *value) {
    size_t i;
    const json_t *name;
    json_array_foreach(json_object_get(comparison->root, names), i, name) {
        const json_t *number = json_array_get(json_object_get(row, "counters"), i);
        if (strcmp(json_string_value(name), metric) != 0)
            continue;
        *value = (uint64_t)json_integer_value(number);
        return json_is_integer(number);
    }
    return false;
}

/* ---- one launch ------------------------------------------------------------------------------ */

static unsigned registers_of(const json_t *row) {
    return (unsigned)json_integer_value(json_object_get(row, "registers"));
}

/* Of exercises the stack is not measured. */
static bool is_without_stack(const json_t *row) {
    const json_t *bytes = json_object_get(row, "local_bytes");
    return bytes && !json_integer_value(bytes);
}

/* *hazards: how many the checks found; without checks, none. */
static bool simulate(const struct comparison *comparison, struct gpu_launch *launch, bool checks,
                     const json_t *row, struct counters *counters, size_t *hazards) {
    struct engine_launch request = {.ptx = launch->ptx,
                                    .ptx_length = strlen(launch->ptx),
                                    .kernel = launch->entry,
                                    .file_name = launch->variant,
                                    .grid = launch->grid,
                                    .block = launch->block,
                                    .shared_bytes = launch->shared_bytes,
                                    .arguments = launch->arguments,
                                    .argument_count = launch->argument_count,
                                    .data = launch->data,
                                    .data_length = launch->data_length,
                                    .no_checks = !checks,
                                    .registers = registers_of(row),
                                    .arrays_in_registers = is_without_stack(row),
                                    .sample_budget = comparison->sample};
    if (comparison->caches)
        request.device = &comparison->device;
    struct engine_result result;
    sim_run(&request, &result);
    *counters = result.counters;
    *hazards = result.hazard_count;
    bool ran = result.end == ENGINE_COMPLETED;
    if (!ran)
        fprintf(stderr, "gpu_counters: %s/%s: %s\n", launch->family, launch->variant,
                result.message);
    engine_result_free(&result);
    return ran;
}

/* Where a counter that all blocks share gives out the places that are stored to, which sectors
 * those lie in depends on the order in which the blocks ask. */
static bool is_equal(const struct gpu_launch *launch, size_t counter, uint64_t ours,
                     uint64_t theirs) {
    bool by_order =
        strcmp(launch->family, "compact") == 0 && counter == COUNTER_INDEX_global_store_sectors;
    uint64_t difference = ours > theirs ? ours - theirs : theirs - ours;
    return difference <= (by_order ? theirs / 200 : 0);
}

/* Prints a launch's pairs; false where a judged one differs. */
static bool compare(const struct comparison *comparison, const char *names, const json_t *row,
                    const struct gpu_launch *launch, const struct counters *counters) {
    bool equal = true;
    for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
        uint64_t ours = counter_value(counters, pairs[i].counter), theirs;
        if (!find_counter(comparison, names, row, pairs[i].metric, &theirs))
            continue;
        bool differs = pairs[i].judged && !is_equal(launch, pairs[i].counter, ours, theirs);
        equal = equal && !differs;
        if ((ours || theirs) && (differs || !comparison->quiet))
            printf("%-16s %-20s %-16s %-24s %12" PRIu64 " %12" PRIu64 "%s\n", launch->family,
                   launch->variant, launch->size, pairs[i].label, ours, theirs,
                   ours == theirs ? ""
                   : differs      ? "  UNEQUAL"
                                  : "  differs");
    }
    return equal;
}

/* Did the GPU refuse the launch for its registers, and does our occupancy say the same? */
static bool is_without_room(const struct comparison *comparison, const struct gpu_launch *launch,
                            const char *fault, unsigned registers) {
    const json_t *device = json_object_get(comparison->root, "device");
    unsigned capability =
        (unsigned)(json_integer_value(json_object_get(device, "capability_major")) * 10 +
                   json_integer_value(json_object_get(device, "capability_minor")));
    struct occupancy_capacity capacity = occupancy_capacity_for(capability);
    uint32_t threads = launch->block.x * launch->block.y * launch->block.z;
    return strcmp(fault, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES") == 0 &&
           occupancy_compute(&capacity, threads, registers, launch->shared_bytes).blocks_per_sm ==
               0;
}

/* The GPU has not run it, or not as it is now. */
static void say_missing(struct comparison *comparison, const char *family, const char *variant,
                        const char *size) {
    if (!comparison->quiet)
        printf("%-16s %-20s %-16s not measured\n", family, variant, size);
    comparison->missing++;
}

static void compare_launch(struct comparison *comparison, const char *section, const char *names,
                           struct gpu_launch *launch) {
    const json_t *row =
        find_row(comparison, section, launch->family, launch->variant, launch->size);
    struct counters counters;
    size_t hazards;
    if (!row || (strcmp(section, "exercises") == 0 && !is_unchanged(row, launch))) {
        say_missing(comparison, launch->family, launch->variant, launch->size);
        return;
    }
    comparison->launches++;
    const char *fault = json_string_value(json_object_get(row, "fault"));
    if (!simulate(comparison, launch, fault != NULL, row, &counters, &hazards))
        comparison->failed++;
    else if (comparison->caches)
        cache_compare(comparison->caches, launch, &counters,
                      json_object_get(comparison->root, names), row, !comparison->quiet);
    else if (fault && (hazards || is_without_room(comparison, launch, fault, registers_of(row))))
        comparison->faults++;
    else if (fault) {
        printf("%-16s %-20s %-16s %s on the GPU, no hazard here  UNEQUAL\n", launch->family,
               launch->variant, launch->size, fault);
        comparison->unequal++;
    } else if (!compare(comparison, names, row, launch, &counters))
        comparison->unequal++;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool wanted(const struct comparison *comparison, const char *family, const char *variant) {
    cleanup_free char *name = mem_printf("%s/%s", family, variant);
    return !comparison->pattern || fnmatch(comparison->pattern, name, 0) == 0;
}

/* As the GPU counted: a launch's data need not be made to know. */
static bool is_too_long(const struct comparison *comparison, const struct model_kernel *kernel,
                        enum model_size size) {
    const json_t *row =
        find_row(comparison, "kernels", kernel->family, kernel->variant, model_size_names[size]);
    uint64_t instructions;
    return comparison->most && row &&
           find_counter(comparison, "metrics", row, "smsp__thread_inst_executed.sum",
                        &instructions) &&
           instructions > comparison->most;
}

static enum status compare_models(struct comparison *comparison, struct error *error) {
    enum model_size size = strcmp(comparison->size, "large") == 0 ? MODEL_LARGE : MODEL_SMALL;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < model_kernel_count && status == STATUS_OK; i++) {
        struct gpu_launch launch;
        if (!wanted(comparison, model_kernels[i].family, model_kernels[i].variant) ||
            is_too_long(comparison, &model_kernels[i], size))
            continue;
        status = gpu_launch_of_model(&model_kernels[i], size, comparison->ptx,
                                     comparison->sample != 0, &launch, error);
        if (status != STATUS_OK)
            break;
        compare_launch(comparison, "kernels", "metrics", &launch);
        gpu_launch_free(&launch);
    }
    return status;
}

/* Has the GPU run an exercise's kernel as its source is now? */
static bool was_measured(const char *family, const char *variant, const char *source,
                         void *context) {
    struct comparison *comparison = context;
    size_t i;
    const json_t *row;
    if (!wanted(comparison, family, variant))
        return false;
    json_array_foreach(json_object_get(comparison->root, "exercises"), i, row) {
        if (is_text(row, "family", family) && is_text(row, "variant", variant) &&
            is_text(row, "source", source))
            return true;
    }
    say_missing(comparison, family, variant, "every case");
    return false;
}

static bool compare_exercise(struct gpu_launch *launch, void *context) {
    compare_launch(context, "exercises", "exercise_metrics", launch);
    return true;
}

static json_t *read_data(const char *path, struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    json_error_t trouble;
    if (file_read(path, MAX_DATA_BYTES, &text, &length, error) != STATUS_OK)
        return NULL;
    json_t *root = json_loads(text, 0, &trouble);
    if (!root)
        error_set(error, STATUS_INVALID, "%s:%d: %s", path, trouble.line, trouble.text);
    return root;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    struct comparison comparison = {.size = "small",
                                    .data = WARPGRADE_SOURCE_DIR "/tests/bench/model/h200.json"};
    argp_parse(&parser, argc, argv, 0, NULL, &comparison);
    struct error error = {0};
    comparison.root = read_data(comparison.data, &error);
    enum status status = comparison.root ? STATUS_OK : STATUS_INVALID;
    if (status == STATUS_OK && comparison.caches)
        status = device_load("h200", &comparison.device, &error);
    if (status == STATUS_OK && !comparison.exercises_only)
        status = compare_models(&comparison, &error);
    if (status == STATUS_OK && !comparison.models_only && !comparison.caches)
        status = gpu_launches_of_exercises(comparison.ptx, was_measured, compare_exercise,
                                           &comparison, &error);
    json_decref(comparison.root);
    if (status != STATUS_OK) {
        fprintf(stderr, "gpu_counters: %s\n", error.message);
        free(comparison.caches);
        return status == STATUS_ENVIRONMENT ? SKIPPED : 1;
    }
    bool right = !comparison.caches || cache_conclude(comparison.caches);
    free(comparison.caches);
    printf("%u launches compared: %u unequal, %u that the GPU stops and where we find a hazard, %u "
           "not simulated; not measured as they are now: %u launches or kernels of exercises\n",
           comparison.launches, comparison.unequal, comparison.faults, comparison.failed,
           comparison.missing);
    /* a new exercise must not need a GPU; that nothing at all was compared is a fault, though */
    return !right || comparison.unequal || comparison.failed || !comparison.launches ? 1 : 0;
}
