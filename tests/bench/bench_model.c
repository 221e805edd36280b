/* bench_model: the modelled times beside those measured on an H200.
 *
 * Every kernel of tests/bench/model/kernels*.def is launched on the simulated GPU with a device
 * profile, and its modelled time is compared with the stored measurement (h200.json; nothing is
 * timed here). Two bars: the modelled speed-up between two variants of a family must lie within
 * 25 % of the measured one for at least 80 % of the pairs, and Kendall's tau of the variants' order
 * must be at least 0.9 in each family. Kernels that are held out have bars of their own. Registers
 * are those of the measured launch, or those that ptxas gives where there is none yet. */
#include "grader/cli/sim_argument.h"
#include "grader/exercise/device.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "tests/bench/model/catalogue.h"
#include "tests/source_folder.h"

#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SKIPPED = 77, /* what ctest takes as such */
    BUFFER_ALIGNMENT = 256,
    FAMILY_LIMIT = 64,
};
static const uint64_t sample_budget = 20000000; /* thread instructions of a launch */
static const double pair_tolerance = 0.25, pair_bar = 0.8, tau_bar = 0.9;
static const double tau_floor = 0.895; /* of --check, over all pairs: 0.90 as the table prints it */
static const double noise = 0.03;      /* measured times that differ by less are a tie */

struct options {
    const char *device, *family, *variant, *size, *table, *json;
    bool micro, parts, held_out, predict;
    double check; /* percent of the pairs; 0: no check */
};

struct row {
    const struct model_kernel *kernel;
    enum model_size size;
    double measured_us, low_us, high_us, modelled_us;
    struct cost_estimate estimate;
    struct launch_profile profile;
};

struct bars {
    size_t pairs, close, concordant, discordant, ties;
};

/* ---- measurements ---------------------------------------------------------------------------- */

static const json_t *find_measurement(const json_t *rows, const struct model_kernel *kernel,
                                      enum model_size size) {
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        const char *family = json_string_value(json_object_get(row, "family"));
        const char *variant = json_string_value(json_object_get(row, "variant"));
        const char *name = json_string_value(json_object_get(row, "size"));
        if (family && variant && name && strcmp(family, kernel->family) == 0 &&
            strcmp(variant, kernel->variant) == 0 && strcmp(name, model_size_names[size]) == 0)
            return row;
    }
    return NULL;
}

static double number_of(const json_t *row, const char *object, const char *member) {
    const json_t *from = object ? json_object_get(row, object) : row;
    return json_number_value(json_object_get(from, member));
}

/* ---- one launch ------------------------------------------------------------------------------ */

struct data_area {
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    size_t argument_count, length;
    char *bytes;
    char *specs; /* that made it */
};

static bool restore_data(const struct model_launch *launch, struct data_area *area,
                         struct error *error) {
    for (size_t i = 0; i < launch->spec_count; i++) {
        const struct engine_argument *own = &area->arguments[i];
        struct sim_argument argument;
        if (!own->is_buffer || own->read_only || own->uninitialized)
            continue;
        if (sim_argument_parse(launch->specs[i], (unsigned)i, 1, &argument, error) != STATUS_OK)
            return false;
        memcpy(area->bytes + own->data_offset, argument.bytes, argument.byte_count);
        free(argument.bytes);
    }
    return true;
}

/* Launches of a family mostly have the same arguments, which are expensive to make: only what the
 * last one may have written is made again. */
static bool make_data(const struct model_launch *launch, struct data_area *area,
                      struct error *error) {
    struct text specs = {0};
    for (size_t i = 0; i < launch->spec_count; i++)
        text_printf(&specs, "%s ", launch->specs[i]);
    bool same = area->specs && strcmp(area->specs, text_string(&specs)) == 0;
    if (same) {
        text_free(&specs);
        return restore_data(launch, area, error);
    }
    free(area->specs);
    free(area->bytes);
    *area = (struct data_area){.specs = mem_strdup(text_string(&specs))};
    text_free(&specs);
    struct sim_argument arguments[ENGINE_MAX_ARGUMENTS];
    for (size_t i = 0; i < launch->spec_count; i++) {
        if (sim_argument_parse(launch->specs[i], (unsigned)i, 1, &arguments[i], error) != STATUS_OK)
            return false;
        area->arguments[i] = arguments[i].engine;
        area->arguments[i].data_offset = area->length;
        area->length +=
            (arguments[i].byte_count + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    }
    area->argument_count = launch->spec_count;
    area->bytes = mem_zalloc(area->length + 1);
    for (size_t i = 0; i < launch->spec_count; i++) {
        if (arguments[i].byte_count)
            memcpy(area->bytes + area->arguments[i].data_offset, arguments[i].bytes,
                   arguments[i].byte_count);
        free(arguments[i].bytes);
    }
    return true;
}

/* What a thread has, of the measured launch or from ptxas; no registers and an error where neither
 * is known. */
static struct build_resources resources_of(const struct device_profile *device,
                                           const json_t *measured, const char *ptx,
                                           const char *entry, struct error *error) {
    struct build_resources resources = {0};
    if (measured) {
        resources.registers_per_thread = (unsigned)number_of(measured, NULL, "registers");
        resources.stack_bytes = (uint64_t)number_of(measured, NULL, "local_bytes");
        return resources;
    }
    struct worker_limits limits = {.wall_seconds = 60};
    char architecture[16];
    snprintf(architecture, sizeof architecture, "sm_%.0f", device->compute_capability);
    if (build_resources(ptx, strlen(ptx), entry, architecture, &limits, &resources, error) !=
        STATUS_OK)
        resources.registers_per_thread = 0;
    return resources;
}

/* measured: NULL where there is no measurement. */
static bool model_row(const struct device_profile *device, const json_t *measured,
                      struct data_area *area, struct row *row) {
    struct error error = {0};
    struct model_launch launch;
    cleanup_free char *ptx = NULL, *entry = NULL;
    struct build_resources resources = {0};
    if (model_launch_make(row->kernel, row->size, &launch, &error) != STATUS_OK ||
        model_compile(row->kernel, NULL, &ptx, &entry, &error) != STATUS_OK ||
        (resources = resources_of(device, measured, ptx, entry, &error)).registers_per_thread ==
            0 ||
        !make_data(&launch, area, &error)) {
        fprintf(stderr, "bench_model: %s/%s: %s\n", row->kernel->family, row->kernel->variant,
                error.message);
        return false;
    }
    struct engine_launch request = {.ptx = ptx,
                                    .ptx_length = strlen(ptx),
                                    .kernel = entry,
                                    .file_name = file_base_name(row->kernel->file),
                                    .grid = launch.grid,
                                    .block = launch.block,
                                    .shared_bytes = launch.shared_bytes,
                                    .arguments = area->arguments,
                                    .argument_count = area->argument_count,
                                    .data = area->bytes,
                                    .data_length = area->length,
                                    .budget = UINT64_MAX / 2,
                                    .no_checks = true,
                                    .device = device,
                                    .registers = resources.registers_per_thread,
                                    .arrays_in_registers = build_arrays_in_registers(&resources),
                                    .sample_budget = sample_budget};
    struct engine_result result;
    sim_run(&request, &result);
    bool completed = result.end == ENGINE_COMPLETED && result.profile.present;
    if (!completed)
        fprintf(stderr, "bench_model: %s/%s: %s\n", row->kernel->family, row->kernel->variant,
                result.message);
    row->profile = result.profile;
    row->estimate = result.profile.estimate;
    row->modelled_us = 1000 * row->estimate.ms;
    row->measured_us = number_of(measured, "time_us", "median");
    row->low_us = number_of(measured, "time_us", "q1");
    row->high_us = number_of(measured, "time_us", "q3");
    engine_result_free(&result);
    model_launch_free(&launch);
    return completed;
}

/* ---- bars ------------------------------------------------------------------------------------ */

static void compare_pair(const struct row *a, const struct row *b, struct bars *bars) {
    if (a->measured_us < b->measured_us) {
        const struct row *slower = b;
        b = a;
        a = slower;
    }
    double measured = a->measured_us / b->measured_us, modelled = a->modelled_us / b->modelled_us;
    bars->pairs++;
    bars->close += fabs(modelled - measured) <= pair_tolerance * measured;
    if (a->low_us <= b->high_us || measured < 1 + noise)
        bars->ties++;
    else if (modelled > 1)
        bars->concordant++;
    else
        bars->discordant++;
}

static struct bars family_bars(const struct row *rows, size_t count, const char *family) {
    struct bars bars = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (strcmp(rows[i].kernel->family, family) == 0 &&
                strcmp(rows[j].kernel->family, family) == 0 && rows[i].size == rows[j].size)
                compare_pair(&rows[i], &rows[j], &bars);
    return bars;
}

static double tau_of(const struct bars *bars) {
    size_t ordered = bars->concordant + bars->discordant;
    return ordered ? ((double)bars->concordant - (double)bars->discordant) / (double)ordered : 1;
}

static double share_of(const struct bars *bars) {
    return bars->pairs ? (double)bars->close / (double)bars->pairs : 1;
}

static void print_bars(const char *name, const struct bars *bars, struct text *out) {
    text_printf(out, "| %s | %zu | %.0f %% | %zu | %zu | %.2f |\n", name, bars->pairs,
                100 * share_of(bars), bars->concordant + bars->discordant, bars->ties,
                tau_of(bars));
}

static const struct {
    const char *head, *bars;
} set_names[MODEL_SETS] = {
    [MODEL_JUDGED] = {NULL, "Bars"},
    [MODEL_SEEN] = {"Kernels that were held out, and that a rule has come from since:", "Seen"},
    [MODEL_FRESH] = {"Kernels that were fresh, and that rules have come from since:", "Fresh"},
    [MODEL_CATALOGUE] =
        {"Kernels of the exercises, that rules have come from since they were measured:",
         "Catalogue"},
    [MODEL_COURSE] = {"Kernels of the course's table:", "Course"},
    [MODEL_BLIND] = {"Kernels of exercises that no other set has:", "Blind"},
    [MODEL_PROGRAM] = {"Programs that are no exercise:", "Programs"},
    [MODEL_PROJECT] = {"Projects, which no other set has:", "Projects"},
    [MODEL_HOMEWORK] = {"Homework, which no other set has:", "Homework"},
};

/* The bars of a set's families, and their total. */
static struct bars print_bars_of(const struct row *rows, size_t count, enum model_set set,
                                 struct text *out) {
    struct bars total = {0};
    size_t families = 0, met = 0;
    const char *last = "";
    text_printf(out, "| family | pairs | within 25 %% | ordered pairs | ties | tau |\n"
                     "|---|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kernel->set != set || strcmp(rows[i].kernel->family, last) == 0)
            continue;
        last = rows[i].kernel->family;
        struct bars bars = family_bars(rows, count, last);
        print_bars(last, &bars, out);
        total.pairs += bars.pairs;
        total.close += bars.close;
        total.concordant += bars.concordant;
        total.discordant += bars.discordant;
        total.ties += bars.ties;
        families++;
        met += tau_of(&bars) >= tau_bar;
    }
    print_bars("all", &total, out);
    text_printf(out,
                "\n%s: %.0f %% of %zu pairs within 25 %% (target: %.0f %%); tau of at least %.1f "
                "in %zu of %zu families.\n",
                set_names[set].bars, 100 * share_of(&total), total.pairs, 100 * pair_bar, tau_bar,
                met, families);
    return total;
}

/* The bars of all sets that have rows; the result is of all pairs. */
static struct bars print_all_bars(const struct row *rows, size_t count, struct text *out) {
    struct bars total = {0};
    for (enum model_set set = 0; set < MODEL_SETS; set++) {
        size_t own = 0;
        for (size_t i = 0; i < count; i++)
            own += rows[i].kernel->set == set;
        if (own == 0)
            continue;
        if (set_names[set].head)
            text_printf(out, "\n%s\n\n", set_names[set].head);
        struct bars bars = print_bars_of(rows, count, set, out);
        total.pairs += bars.pairs;
        total.close += bars.close;
        total.concordant += bars.concordant;
        total.discordant += bars.discordant;
        total.ties += bars.ties;
    }
    return total;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_row(const struct row *row, const struct options *options, struct text *out) {
    static const char *const labels[] = {
#define COST_PART(id, label, summary) #id,
#include "sandbox/base/cost_part.def"
#undef COST_PART
    };
    text_printf(out, "| %s | %s | %s |", row->kernel->family, row->kernel->variant,
                model_size_names[row->size]);
    if (row->measured_us > 0)
        text_printf(out, " %.1f | %.1f | %.2f |", row->measured_us, row->modelled_us,
                    row->modelled_us / row->measured_us);
    else
        text_printf(out, " - | %.1f | - |", row->modelled_us);
    text_printf(out, " %s |", labels[row->estimate.limiter]);
    for (unsigned part = 0; options->parts && part < COST_PART_COUNT; part++)
        if (row->estimate.part_ms[part] > 0.01 * row->estimate.ms)
            text_printf(out, " %s %.1f", labels[part], 1000 * row->estimate.part_ms[part]);
    if (options->parts)
        text_printf(out, " blocks %u of %llu", row->profile.occupancy.blocks_per_sm,
                    (unsigned long long)row->profile.blocks);
    text_printf(out, "\n");
}

static void print_head(struct text *out) {
    text_printf(out, "| family | variant | size | measured us | modelled us | modelled / measured "
                     "| limiter |\n|---|---|---|--:|--:|--:|---|\n");
}

static enum status write_table(const struct row *rows, size_t count, const struct options *options,
                               struct error *error) {
    struct text out = {0};
    text_printf(
        &out, "# The modelled times beside those of an H200\n\n"
              "Made by `build/tests/bench_model --write-table tests/bench/model/TABLE.md`; what it "
              "means is said in README.md.\n\n");
    print_all_bars(rows, count, &out);
    text_printf(&out, "\n");
    print_head(&out);
    for (size_t i = 0; i < count; i++)
        print_row(&rows[i], options, &out);
    enum status status = file_write(options->table, text_string(&out), out.length, error);
    text_free(&out);
    return status;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *options = state->input;
    switch (key) {
    case 'd':
        options->device = argument;
        break;
    case 'f':
        options->family = argument;
        break;
    case 'v':
        options->variant = argument;
        break;
    case 's':
        options->size = argument;
        break;
    case 'm':
        options->micro = true;
        break;
    case 'p':
        options->parts = true;
        break;
    case 'c':
        options->check = strtod(argument, NULL);
        if (!(options->check > 0 && options->check <= 100))
            argp_error(state, "--check: a percentage");
        break;
    case 'h':
        options->held_out = true;
        break;
    case 'u':
        options->predict = true;
        break;
    case 't':
        options->table = argument;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_option argp_options[] = {
    {"device", 'd', "ID", 0, "the device profile; default: h200", 0},
    {"family", 'f', "NAME[,NAME]", 0, "only these families", 0},
    {"variant", 'v', "NAME", 0, "only this variant", 0},
    {"size", 's', "SIZE", 0, "only small or large", 0},
    {"micro", 'm', NULL, 0, "the microbenchmarks instead", 0},
    {"parts", 'p', NULL, 0, "the parts of each time, too", 0},
    {"check", 'c', "PERCENT", 0, "end with 1 where fewer pairs are within 25 %", 0},
    {"held-out", 'h', NULL, 0, "only the kernels that are or were held out", 0},
    {"predict", 'u', NULL, 0, "only the kernels that are not measured yet: no bars", 0},
    {"write-table", 't', "FILE", 0, "write the table of tests/bench/model there", 0},
    {0}};

static bool is_set_measured(const json_t *kernels, enum model_set set) {
    for (size_t i = 0; i < model_kernel_count; i++)
        for (unsigned size = 0; model_kernels[i].set == set && size < MODEL_SIZES; size++)
            if (find_measurement(kernels, &model_kernels[i], size))
                return true;
    return false;
}

/* True where that is no failure: nothing of the kernel's set is measured yet. */
static bool tell_unmeasured(const struct options *options, const json_t *stored,
                            const struct model_kernel *kernel, enum model_size size) {
    printf("| %s | %s | %s | not measured yet |\n", kernel->family, kernel->variant,
           model_size_names[size]);
    return !options->micro && !is_set_measured(json_object_get(stored, "kernels"), kernel->set);
}

/* Is it one of the names of a list with commas? */
static bool is_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

static bool wanted(const struct options *options, const struct model_kernel *kernel,
                   enum model_size size) {
    return kernel->sizes[size] && (!options->held_out || kernel->set != MODEL_JUDGED) &&
           (!options->family || is_listed(options->family, kernel->family)) &&
           (!options->variant || strcmp(options->variant, kernel->variant) == 0) &&
           (!options->size || strcmp(options->size, model_size_names[size]) == 0);
}

static size_t model_rows(const struct options *options, const json_t *stored,
                         const struct device_profile *device, struct row *rows, bool *failed) {
    const struct model_kernel *kernels = options->micro ? micro_kernels : model_kernels;
    size_t kernel_count = options->micro ? micro_kernel_count : model_kernel_count, count = 0;
    struct data_area area = {0};
    for (unsigned size = 0; size < MODEL_SIZES; size++)
        for (size_t i = 0; i < kernel_count; i++) {
            if (!wanted(options, &kernels[i], size))
                continue;
            const json_t *measured = find_measurement(
                json_object_get(stored, options->micro ? "micro" : "kernels"), &kernels[i], size);
            rows[count] = (struct row){.kernel = &kernels[i], .size = size};
            if (options->predict && measured)
                continue;
            if (!options->predict && !measured) {
                *failed |= !tell_unmeasured(options, stored, &kernels[i], size);
                continue;
            }
            if (!model_row(device, measured, &area, &rows[count])) {
                *failed = true;
                continue;
            }
            struct text line = {0};
            print_row(&rows[count], options, &line);
            fputs(text_string(&line), stdout);
            fflush(stdout);
            text_free(&line);
            count++;
        }
    free(area.specs);
    free(area.bytes);
    return count;
}

static int compare_rows(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return (int)x->size - (int)y->size;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    struct options options = {.device = "h200"};
    static const struct argp parser = {
        argp_options, parse_option, NULL, "The cost model beside measured times.",
        NULL,         NULL,         NULL};
    argp_parse(&parser, argc, argv, 0, NULL, &options);
    struct device_profile device;
    struct error error = {0};
    if (device_load(options.device, &device, &error) != STATUS_OK) {
        fprintf(stderr, "bench_model: %s\n", error.message);
        return 2;
    }
    json_error_t trouble;
    json_t *stored =
        json_load_file(WARPGRADE_SOURCE_DIR "/tests/bench/model/h200.json", 0, &trouble);
    if (!stored) {
        fprintf(stderr, "bench_model: h200.json:%d: %s\n", trouble.line, trouble.text);
        return 2;
    }
    struct row *rows =
        mem_calloc(MODEL_SIZES * (model_kernel_count + micro_kernel_count), sizeof *rows);
    bool failed = false;
    size_t count = model_rows(&options, stored, &device, rows, &failed);
    qsort(rows, count, sizeof *rows, compare_rows);
    struct text out = {0};
    struct bars total = {0};
    if (!options.predict)
        total = print_all_bars(rows, count, &out);
    fputs(text_string(&out), stdout);
    text_free(&out);
    if (options.table && write_table(rows, count, &options, &error) != STATUS_OK) {
        fprintf(stderr, "bench_model: %s\n", error.message);
        failed = true;
    }
    json_decref(stored);
    free(rows);
    bool lost = 100 * share_of(&total) < options.check || tau_of(&total) < tau_floor;
    return failed || (options.check > 0 && lost) ? 1 : 0;
}
