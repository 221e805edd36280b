/* `warpgrade sim`: the simulated GPU by itself, for any kernel of a .cu or .ptx file.
 *
 * The launch is run in the natural order of blocks and warps, where hazards name the first threads,
 * and with --schedules in others besides, which must leave the same bytes. The kernel runs in a
 * worker process like a submission's; this command only reads options, builds the data area of the
 * launch and prints what came back. */
#include "grader/command.h"

#include "grader/base/file.h"
#include "grader/base/memory.h"
#include "grader/schedule.h"
#include "grader/sim_argument.h"
#include "reports/escape.h"
#include "reports/report.h"
#include "reports/sim.h"
#include "sandbox/build/build.h"
#include "sandbox/engine.h"
#include "sandbox/simgpu/occupancy.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_DUMPS = ENGINE_MAX_ARGUMENTS,
    MAX_DEFINES = 64,
    BUFFER_ALIGNMENT = 256,
    MAX_SCHEDULES = 1000
};

struct dump {
    unsigned index;
    const char *path;
};

struct sim_command {
    const char *file, *kernel, *architecture, *json;
    const char *specs[ENGINE_MAX_ARGUMENTS];
    size_t spec_count;
    const char *defines[MAX_DEFINES];
    size_t define_count;
    struct dump dumps[MAX_DUMPS];
    size_t dump_count;
    struct dim3 grid, block;
    uint64_t shared_bytes, seed, budget;
    unsigned threads, schedules;
    bool no_checks, device_debug, has_grid, has_block;
    double time_limit_seconds;
    uint64_t memory_limit_bytes;
    enum color_choice color;
    /* while it runs */
    char *source;
    size_t source_length;
    struct sim_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct build_result build;
    unsigned registers;
};

enum {
    OPTION_GRID = 256,
    OPTION_BLOCK,
    OPTION_SHARED,
    OPTION_ARG,
    OPTION_ARCH,
    OPTION_THREADS,
    OPTION_SEED,
    OPTION_SCHEDULES,
    OPTION_BUDGET,
    OPTION_NO_CHECKS,
    OPTION_DEVICE_DEBUG,
    OPTION_JSON,
    OPTION_DUMP,
    OPTION_TIME,
    OPTION_MEMORY,
    OPTION_COLOR,
};

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "the kernel's name, plain or lowered; default: the only one", 0},
    {"grid", OPTION_GRID, "X[,Y[,Z]]", 0, "blocks of the grid", 0},
    {"block", OPTION_BLOCK, "X[,Y[,Z]]", 0, "threads of a block", 0},
    {"shared", OPTION_SHARED, "BYTES", 0, "dynamic shared memory", 0},
    {"arg", OPTION_ARG, "SPEC", 0,
     "an argument, in order: TYPE=VALUE, or TYPE[N]=FILL (TYPE*N=FILL) for a buffer; FILL is zero, "
     "iota, uniform, const:V, uninit or file:PATH, with :const behind it where the kernel may only "
     "read",
     0},
    {"define", 'D', "NAME[=VALUE]", 0, "a macro for the compiler", 0},
    {"arch", OPTION_ARCH, "compute_NN", 0, "what to compile for; default: compute_80", 0},
    {"threads", OPTION_THREADS, "N", 0, "host threads; the result is the same for any number", 0},
    {"seed", OPTION_SEED, "N", 0, "seed of uniform buffers and of --schedules", 0},
    {"schedules", OPTION_SCHEDULES, "N", 0,
     "run in N orders of blocks and warps, the first of which is the natural one, and compare the "
     "buffers; default: 1",
     0},
    {"budget", OPTION_BUDGET, "N", 0, "thread instructions before the kernel is stopped", 0},
    {"no-checks", OPTION_NO_CHECKS, NULL, 0, "no hazards but the fatal ones", 0},
    {"device-debug", OPTION_DEVICE_DEBUG, NULL, 0, "compile without optimisation (-G)", 0},
    {"json", OPTION_JSON, "FILE", 0, "write the result as JSON; - is standard output", 0},
    {"dump", OPTION_DUMP, "INDEX=FILE", 0, "write an argument's bytes after the launch", 0},
    {"time-limit", OPTION_TIME, "S", 0, "seconds that the launch may take; default: 60", 0},
    {"memory-limit", OPTION_MEMORY, "MB", 0, "MiB that the launch may use; default: 4096", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static struct dim3 extents(struct argp_state *state, const char *what, const char *text) {
    uint32_t values[3] = {1, 1, 1};
    const char *at = text;
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        unsigned long long value = strtoull(at, &end, 10);
        if (errno || end == at || *at == '-' || value > UINT32_MAX)
            break;
        values[i] = (uint32_t)value;
        if (*end == '\0')
            return (struct dim3){values[0], values[1], values[2]};
        if (*end != ',')
            break;
        at = end + 1;
    }
    argp_error(state, "%s takes one to three numbers like 16,16, not \"%s\"", what, text);
    return (struct dim3){1, 1, 1};
}

static void add_dump(struct argp_state *state, struct sim_command *command, const char *text) {
    const char *equals = strchr(text, '=');
    char *end;
    unsigned long index = strtoul(text, &end, 10);
    if (!equals || end != equals || end == text || !equals[1] || index >= ENGINE_MAX_ARGUMENTS) {
        argp_error(state, "--dump takes INDEX=FILE, the index from 0, not \"%s\"", text);
        return;
    }
    if (command->dump_count == MAX_DUMPS) {
        argp_error(state, "--dump can be given %d times at most", MAX_DUMPS);
        return;
    }
    command->dumps[command->dump_count++] = (struct dump){(unsigned)index, equals + 1};
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct sim_command *command = state->input;
    switch (key) {
    case 'k':
        command->kernel = argument;
        return 0;
    case OPTION_GRID:
        command->grid = extents(state, "--grid", argument);
        command->has_grid = true;
        return 0;
    case OPTION_BLOCK:
        command->block = extents(state, "--block", argument);
        command->has_block = true;
        return 0;
    case OPTION_SHARED:
        command->shared_bytes = command_number_option(state, "--shared", argument, 0, 1 << 30);
        return 0;
    case OPTION_ARG:
        if (command->spec_count == ENGINE_MAX_ARGUMENTS)
            argp_error(state, "a kernel takes %d arguments at most", ENGINE_MAX_ARGUMENTS);
        else
            command->specs[command->spec_count++] = argument;
        return 0;
    case 'D':
        if (command->define_count == MAX_DEFINES)
            argp_error(state, "--define can be given %d times at most", MAX_DEFINES);
        else
            command->defines[command->define_count++] = argument;
        return 0;
    case OPTION_ARCH:
        command->architecture = argument;
        return 0;
    case OPTION_THREADS:
        command->threads = (unsigned)command_number_option(state, "--threads", argument, 1, 64);
        return 0;
    case OPTION_SEED:
        command->seed = command_number_option(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case OPTION_SCHEDULES:
        command->schedules =
            (unsigned)command_number_option(state, "--schedules", argument, 1, MAX_SCHEDULES);
        return 0;
    case OPTION_BUDGET:
        command->budget = command_number_option(state, "--budget", argument, 1, UINT64_MAX);
        return 0;
    case OPTION_NO_CHECKS:
        command->no_checks = true;
        return 0;
    case OPTION_DEVICE_DEBUG:
        command->device_debug = true;
        return 0;
    case OPTION_JSON:
        command->json = argument;
        return 0;
    case OPTION_DUMP:
        add_dump(state, command, argument);
        return 0;
    case OPTION_TIME:
        command->time_limit_seconds = command_seconds_option(state, "--time-limit", argument);
        return 0;
    case OPTION_MEMORY:
        command->memory_limit_bytes =
            (uint64_t)command_number_option(state, "--memory-limit", argument, 64, 1 << 20) << 20;
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        if (command->file)
            argp_error(state, "one file at a time, not also \"%s\"", argument);
        command->file = argument;
        return 0;
    case ARGP_KEY_END:
        if (!command->file)
            argp_error(state, "which file?");
        if (!command->has_grid || !command->has_block)
            argp_error(state, "--grid and --block are needed to launch a kernel");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    "FILE.cu|FILE.ptx",
    "Runs a kernel on the simulated GPU: hazards, counters and output of any kernel, without a "
    "GPU.\vExit status: 0 no hazard, 1 hazards, or results that differ between schedules, 2 usage "
    "or compile error, 3 this machine cannot "
    "compile or run it.",
    NULL,
    NULL,
    NULL};

static bool is_ptx(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".ptx") == 0;
}

static void print_diagnostics(const struct sim_command *command, bool color) {
    for (size_t i = 0; i < command->build.diagnostic_count; i++) {
        struct text out = {0};
        report_diagnostic_text(&command->build.diagnostics[i], command->file, command->source,
                               command->source_length, color, &out);
        fputs(text_string(&out), stderr);
        text_free(&out);
    }
}

/* PTX text and the kernel's lowered name, from the compiler or from the file itself. */
static enum status compile(struct sim_command *command, struct error *error) {
    struct build_request request = {.file_name = file_base_name(command->file),
                                    .source = command->source,
                                    .source_length = command->source_length,
                                    .kernel = command->kernel,
                                    .defines = command->defines,
                                    .define_count = command->define_count,
                                    .architecture = command->architecture,
                                    .device_debug = command->device_debug};
    struct build_result *result = &command->build;
    struct worker_limits limits = {.wall_seconds = 60};
    enum status status = build_compile(&request, &limits, result, error);
    if (status != STATUS_OK)
        return status;
    print_diagnostics(command, command_color(command->color, STDERR_FILENO));
    if (!result->compiled) {
        status = error_set(error, STATUS_INVALID, "%s", result->message);
        if (result->hint[0])
            error_hint(error, "%s", result->hint);
        return status;
    }
    if (command->kernel || result->kernel_count == 1)
        return STATUS_OK;
    struct text list = {0};
    for (size_t i = 0; i < result->kernel_count && list.length < 300; i++)
        text_printf(&list, "%s%s", i ? ", " : "", result->kernels[i].name);
    status = result->kernel_count
                 ? error_set(error, STATUS_INVALID, "%s holds several kernels: %s", command->file,
                             text_string(&list))
                 : error_set(error, STATUS_INVALID, "%s holds no kernel", command->file);
    if (result->kernel_count)
        error_hint(error, "say which one: --kernel NAME");
    text_free(&list);
    return status;
}

/* The data area: every buffer at a multiple of 256 bytes, as cudaMalloc gives them. */
static enum status make_arguments(struct sim_command *command, struct engine_argument *arguments,
                                  void **data, size_t *data_length, struct error *error) {
    size_t length = 0;
    for (size_t i = 0; i < command->spec_count; i++) {
        struct sim_argument *argument = &command->arguments[i];
        enum status status =
            sim_argument_parse(command->specs[i], (unsigned)i, command->seed, argument, error);
        if (status != STATUS_OK)
            return status;
        argument->engine.data_offset = length;
        length +=
            (argument->byte_count + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    }
    *data = mem_zalloc(length);
    *data_length = length;
    for (size_t i = 0; i < command->spec_count; i++) {
        struct sim_argument *argument = &command->arguments[i];
        arguments[i] = argument->engine;
        if (argument->byte_count)
            memcpy((char *)*data + argument->engine.data_offset, argument->bytes,
                   argument->byte_count);
        free(argument->bytes);
        argument->bytes = NULL;
    }
    for (size_t i = 0; i < command->dump_count; i++)
        if (command->dumps[i].index >= command->spec_count ||
            !arguments[command->dumps[i].index].is_buffer)
            return error_set(error, STATUS_INVALID, "--dump %u=%s: argument %u is no buffer",
                             command->dumps[i].index, command->dumps[i].path,
                             command->dumps[i].index);
    return STATUS_OK;
}

/* Registers need ptxas; without it they are unknown, which the reports can say. */
static double occupancy(struct sim_command *command, const struct engine_launch *launch,
                        const struct engine_result *result) {
    struct build_resources resources;
    struct worker_limits limits = {.wall_seconds = 20};
    char architecture[16];
    unsigned sm = 80;
    if (command->architecture && sscanf(command->architecture, "compute_%u", &sm) != 1)
        return 0;
    snprintf(architecture, sizeof architecture, "sm_%u", sm);
    if (build_resources(launch->ptx, launch->ptx_length, launch->kernel, architecture, &limits,
                        &resources, NULL) != STATUS_OK)
        return 0;
    command->registers = resources.registers_per_thread;
    struct occupancy_capacity capacity = occupancy_capacity_for(sm);
    return occupancy_compute(&capacity, launch->block.x * launch->block.y * launch->block.z,
                             resources.registers_per_thread,
                             result->static_shared_bytes + launch->shared_bytes)
        .theoretical;
}

static enum status write_results(struct sim_command *command, const struct engine_launch *launch,
                                 const struct engine_result *result,
                                 const struct sim_schedules *schedules, struct error *error) {
    const struct build_result *build = &command->build;
    struct sim_report report = {
        .result = result,
        .kernel = build->kernel_count ? build->kernels[build->kernel_index].name : command->kernel,
        .source = command->source,
        .source_length = command->source_length,
        .schedules = *schedules};
    if (result->end == ENGINE_COMPLETED)
        report.theoretical_occupancy = occupancy(command, launch, result);
    report.registers_per_thread = command->registers;
    struct text out = {0};
    enum status status = STATUS_OK;
    bool json_only = command->json && file_is_standard_output(command->json);
    if (!json_only) {
        report_sim_text(&report, command_color(command->color, STDOUT_FILENO), &out);
        fwrite(text_string(&out), 1, out.length, stdout);
        text_clear(&out);
    }
    if (command->json) {
        report_sim_json(&report, &out);
        if (json_only)
            fwrite(text_string(&out), 1, out.length, stdout);
        else
            status = file_write(command->json, text_string(&out), out.length, error);
    }
    text_free(&out);
    for (size_t i = 0; i < command->dump_count && status == STATUS_OK; i++) {
        const struct engine_argument *argument = &launch->arguments[command->dumps[i].index];
        status = file_write(command->dumps[i].path, (char *)launch->data + argument->data_offset,
                            (size_t)argument->count * element_infos[argument->type].bytes, error);
    }
    return status;
}

/* ---- schedules ------------------------------------------------------------------------------- */

static enum status run_schedule(const struct sim_command *command,
                                const struct engine_launch *launch, unsigned number,
                                struct engine_result *result, struct error *error) {
    struct engine_launch scheduled = *launch;
    struct worker_limits limits = {.wall_seconds = command->time_limit_seconds,
                                   .cpu_seconds = command->time_limit_seconds * 64,
                                   .memory_bytes = command->memory_limit_bytes};
    scheduled.seed = schedule_seed(command->seed, number);
    return engine_run(&scheduled, &limits, result, error);
}

/* A launch that ends in the natural order but not in another does not end. */
static void join_schedule(struct engine_result *result, const struct engine_result *other,
                          unsigned number) {
    schedule_join_hazards(&result->hazards, &result->hazard_count, other->hazards,
                          other->hazard_count,
                          "(seen when blocks and warps start in another order)");
    if (other->end == ENGINE_COMPLETED)
        return;
    result->end = other->end;
    result->line = other->line;
    snprintf(result->message, sizeof result->message,
             "in schedule %u, another order of blocks "
             "and warps: %.900s",
             number, other->message);
}

static void note_difference(struct sim_schedules *schedules, unsigned number,
                            const struct engine_launch *launch, const void *other) {
    struct schedule_difference found;
    if (!schedule_compare(launch->arguments, launch->argument_count, launch->data, other, &found) ||
        schedules->differing++)
        return;
    const struct engine_argument *argument = &launch->arguments[found.argument];
    const char *natural = (const char *)launch->data + argument->data_offset;
    schedules->first = number;
    schedules->argument = found.argument;
    schedules->buffer = argument->name;
    schedules->index = found.index;
    schedules->natural = element_to_double(argument->type, natural, found.index);
    schedules->other =
        element_to_double(argument->type, (const char *)other + argument->data_offset, found.index);
}

/* The other schedules, from the data `before` the launch; what the first one left stands in
 * launch->data and stays there. */
static enum status try_schedules(const struct sim_command *command,
                                 const struct engine_launch *launch, const void *before,
                                 struct engine_result *result, struct sim_schedules *schedules,
                                 struct error *error) {
    schedules->run = 1;
    cleanup_free void *data = mem_alloc(launch->data_length + 1);
    struct engine_launch again = *launch;
    again.data = data;
    for (unsigned i = 1; i < command->schedules && result->end == ENGINE_COMPLETED; i++) {
        struct engine_result other;
        memcpy(data, before, launch->data_length);
        enum status status = run_schedule(command, &again, i, &other, error);
        if (status != STATUS_OK)
            return status;
        schedules->run++;
        join_schedule(result, &other, i);
        if (other.end == ENGINE_COMPLETED)
            note_difference(schedules, i, launch, data);
        engine_result_free(&other);
    }
    return STATUS_OK;
}

static enum status launch_and_write(struct sim_command *command, struct engine_launch *launch,
                                    struct error *error) {
    struct sim_schedules schedules = {0};
    struct engine_result result;
    cleanup_free void *before = mem_dup(launch->data, launch->data_length);
    enum status status = run_schedule(command, launch, 0, &result, error);
    if (status != STATUS_OK)
        return status;
    status = try_schedules(command, launch, before, &result, &schedules, error);
    if (status == STATUS_OK)
        status = write_results(command, launch, &result, &schedules, error);
    if (status == STATUS_OK) {
        if (result.end == ENGINE_REFUSED)
            status = STATUS_INVALID;
        else if (result.end != ENGINE_COMPLETED || result.hazard_count || schedules.differing)
            status = STATUS_BELOW_MARK;
        error_set(error, status, "%s", "");
    }
    engine_result_free(&result);
    return status;
}

static enum status simulate(struct sim_command *command, struct error *error) {
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct engine_launch launch = {.arguments = arguments,
                                   .argument_count = command->spec_count,
                                   .file_name = file_base_name(command->file),
                                   .grid = command->grid,
                                   .block = command->block,
                                   .shared_bytes = command->shared_bytes,
                                   .budget = command->budget,
                                   .threads = command->threads,
                                   .no_checks = command->no_checks};
    cleanup_free void *data = NULL;
    enum status status = make_arguments(command, arguments, &data, &launch.data_length, error);
    if (status != STATUS_OK)
        return status;
    launch.data = data;
    size_t limit = is_ptx(command->file) ? (size_t)64 << 20 : BUILD_SOURCE_MAX;
    status = file_read(command->file, limit, &command->source, &command->source_length, error);
    if (status != STATUS_OK)
        return status;
    if (is_ptx(command->file)) {
        if (!command->kernel)
            return error_set(error, STATUS_INVALID, "--kernel NAME is needed for a PTX file");
        launch.ptx = command->source;
        launch.ptx_length = command->source_length;
        launch.kernel = command->kernel;
    } else {
        status = compile(command, error);
        if (status != STATUS_OK)
            return status;
        launch.ptx = command->build.ptx;
        launch.ptx_length = command->build.ptx_length;
        launch.kernel = command->build.kernels[command->build.kernel_index].lowered;
    }
    return launch_and_write(command, &launch, error);
}

int command_sim(int argc, char **argv) {
    struct sim_command command = {.time_limit_seconds = 60,
                                  .memory_limit_bytes = (uint64_t)4 << 30};
    argp_err_exit_status = STATUS_INVALID;
    argp_parse(&parser, argc, argv, 0, NULL, &command);
    struct error error = {0};
    enum status status = simulate(&command, &error);
    for (size_t i = 0; i < command.spec_count; i++)
        free(command.arguments[i].bytes);
    free(command.source);
    build_result_free(&command.build);
    if (status != STATUS_OK && error.message[0])
        return command_fail(status, &error);
    return (int)status;
}
