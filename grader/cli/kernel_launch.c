/* The options that describe a launch, and how a launch is made of them. */
#include "grader/cli/kernel_launch.h"

#include "grader/cli/argument_check.h"
#include "grader/cli/kernel_parameters.h"
#include "grader/cli/kernel_symbol.h"
#include "grader/cli/sim_argument.h"
#include "reports/report.h"
#include "reports/translate.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_ALIGNMENT = 256,
    OLDEST_CAPABILITY = 75, /* that NVRTC and ptxas still know */
};

/* ---- options --------------------------------------------------------------------------------- */

enum {
    OPTION_GRID = 0x400, /* above those of the commands */
    OPTION_BLOCK,
    OPTION_CLUSTER,
    OPTION_SHARED,
    OPTION_ARG,
    OPTION_SYMBOL,
    OPTION_ARCH,
    OPTION_THREADS,
    OPTION_SEED,
    OPTION_BUDGET,
    OPTION_DEVICE_DEBUG,
    OPTION_TIME,
    OPTION_MEMORY,
    OPTION_COLOR,
    OPTION_LANG,
};

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "the kernel's name, plain or lowered; default: the only one", 0},
    {"grid", OPTION_GRID, "X[,Y[,Z]]", 0, "blocks of the grid", 0},
    {"block", OPTION_BLOCK, "X[,Y[,Z]]", 0, "threads of a block", 0},
    {"cluster", OPTION_CLUSTER, "X[,Y[,Z]]", 0,
     "blocks of a cluster, at most 16 in all; default: what __cluster_dims__ says", 0},
    {"shared", OPTION_SHARED, "BYTES", 0, "dynamic shared memory", 0},
    {"arg", OPTION_ARG, "SPEC", 0,
     "an argument, in order and of the parameter's type: TYPE=VALUE, or TYPE[N]=FILL (TYPE*N=FILL) "
     "for a buffer; FILL is zero, "
     "iota, uniform, const:V, uninit or file:PATH, followed by :const where the kernel may only "
     "read. bytes=@FILE is a structure by value, alias:INDEX[+OFFSET] the buffer of another "
     "argument from its element OFFSET on",
     0},
    {"symbol", OPTION_SYMBOL, "NAME=FILL", 0,
     "what a __device__ or __constant__ variable holds; also NAME=TYPE=VALUE and NAME=TYPE[N]=FILL",
     0},
    {"define", 'D', "NAME[=VALUE]", 0, "a macro for the compiler", 0},
    {"include", 'I', "DIR", 0, "a folder of headers; those beside the file are found without it",
     0},
    {"arch", OPTION_ARCH, "compute_NN", 0,
     "what to compile for; default: compute_80, or the profiled device's", 0},
    {"threads", OPTION_THREADS, "N", 0, "host threads; the result is the same for any number", 0},
    {"seed", OPTION_SEED, "N", 0, "seed of uniform buffers and of schedules", 0},
    {"budget", OPTION_BUDGET, "N", 0, "thread instructions before the kernel is stopped", 0},
    {"device-debug", OPTION_DEVICE_DEBUG, NULL, 0, "compile without optimisation (-G)", 0},
    {"time-limit", OPTION_TIME, "S", 0, "seconds that the launch may take; default: 60", 0},
    {"memory-limit", OPTION_MEMORY, "MB", 0, "MiB that the launch may use; default: 4096", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {"lang", OPTION_LANG, "en|zh", 0, "language of what is printed (default: en)", 0},
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

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct kernel_launch *launch = state->input;
    switch (key) {
    case 'k':
        launch->kernel = argument;
        return 0;
    case OPTION_GRID:
        launch->grid = extents(state, "--grid", argument);
        launch->has_grid = true;
        return 0;
    case OPTION_BLOCK:
        launch->block = extents(state, "--block", argument);
        launch->has_block = true;
        return 0;
    case OPTION_CLUSTER:
        launch->cluster = extents(state, "--cluster", argument);
        if (!launch->cluster.x || !launch->cluster.y || !launch->cluster.z)
            argp_error(state, "--cluster: no extent of a cluster may be 0");
        return 0;
    case OPTION_SHARED:
        launch->shared_bytes = command_number_option(state, "--shared", argument, 0, 1 << 30);
        return 0;
    case OPTION_ARG:
        if (launch->spec_count == ENGINE_MAX_ARGUMENTS)
            argp_error(state, "a kernel takes %d arguments at most", ENGINE_MAX_ARGUMENTS);
        else
            launch->specs[launch->spec_count++] = argument;
        return 0;
    case OPTION_SYMBOL:
        if (launch->symbol_count == KERNEL_MAX_SYMBOLS)
            argp_error(state, "--symbol can be given %d times at most", KERNEL_MAX_SYMBOLS);
        else
            launch->symbols[launch->symbol_count++] = argument;
        return 0;
    case 'D':
        if (launch->define_count == KERNEL_MAX_DEFINES)
            argp_error(state, "--define can be given %d times at most", KERNEL_MAX_DEFINES);
        else
            launch->defines[launch->define_count++] = argument;
        return 0;
    case 'I':
        if (launch->folder_count == KERNEL_MAX_FOLDERS)
            argp_error(state, "--include can be given %d times at most", KERNEL_MAX_FOLDERS);
        else
            launch->folders[launch->folder_count++] = argument;
        return 0;
    case OPTION_ARCH:
        launch->architecture = argument;
        return 0;
    case OPTION_THREADS:
        launch->threads = (unsigned)command_number_option(state, "--threads", argument, 1, 64);
        return 0;
    case OPTION_SEED:
        launch->seed = command_seed_option(state, argument);
        return 0;
    case OPTION_BUDGET:
        launch->budget = command_number_option(state, "--budget", argument, 1, UINT64_MAX);
        return 0;
    case OPTION_DEVICE_DEBUG:
        launch->device_debug = true;
        return 0;
    case OPTION_TIME:
        launch->time_limit_seconds = command_seconds_option(state, "--time-limit", argument);
        return 0;
    case OPTION_MEMORY:
        launch->memory_limit_bytes =
            (uint64_t)command_number_option(state, "--memory-limit", argument, 64, 1 << 20) << 20;
        return 0;
    case OPTION_COLOR:
        launch->color = command_color_option(state, argument);
        return 0;
    case OPTION_LANG:
        launch->language = command_language_option(state, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void kernel_launch_take_file(struct kernel_launch *launch, struct argp_state *state,
                             const char *file) {
    if (launch->file)
        argp_error(state, "one file at a time, not also \"%s\"", file);
    launch->file = file;
}

uint64_t kernel_launch_sample_option(struct argp_state *state, const char *argument) {
    return command_number_option(state, "--sample", argument, 1, UINT64_MAX / 1000);
}

const struct argp kernel_launch_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

/* ---- the kernel ------------------------------------------------------------------------------ */

static bool is_ptx(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".ptx") == 0;
}

static void print_diagnostics(const struct kernel_launch *launch, bool color) {
    for (size_t i = 0; i < launch->build.diagnostic_count; i++) {
        struct text out = {0};
        struct build_diagnostic *diagnostic = &launch->build.diagnostics[i];
        translate_in_place(launch->language, diagnostic->text, sizeof diagnostic->text);
        report_diagnostic_text(diagnostic, launch->file, launch->source, launch->source_length,
                               launch->language, color, &out);
        fputs(text_string(&out), stderr);
        text_free(&out);
    }
}

/* Without --kernel the file must hold one. */
static enum status choose_only(const struct kernel_launch *launch, struct error *error) {
    const struct build_result *result = &launch->build;
    if (launch->kernel || result->kernel_count == 1)
        return STATUS_OK;
    if (!result->kernel_count)
        return error_set(error, STATUS_INVALID, "%s holds no kernel", launch->file);
    cleanup_text struct text list = {0};
    for (size_t i = 0; i < result->kernel_count && list.length < 300; i++)
        text_printf(&list, "%s%s", i ? ", " : "", result->kernels[i].name);
    error_set(error, STATUS_INVALID, "%s holds several kernels: %s%s", launch->file,
              text_string(&list), list.length < 300 ? "" : ", ...");
    error_hint(error, "say which one: --kernel NAME");
    return STATUS_INVALID;
}

/* Lists the one kernel of that name, plain or lowered; none where several have it. */
static void list_named(struct kernel_launch *launch) {
    struct build_result *build = &launch->build;
    size_t found = 0;
    for (size_t i = 0; i < build->kernel_count; i++)
        if (strcmp(build->kernels[i].name, launch->kernel) == 0 ||
            strcmp(build->kernels[i].lowered, launch->kernel) == 0) {
            build->kernel_index = i;
            found++;
        }
    if (found != 1)
        build_result_free(build);
}

/* A PTX file's kernel: the engine finds one that is named. */
static enum status choose_entry(struct kernel_launch *launch, struct error *error) {
    struct engine_launch *engine = &launch->engine;
    engine->ptx = launch->source;
    engine->ptx_length = launch->source_length;
    engine->kernel = launch->kernel;
    build_list_kernels(launch->source, &launch->build);
    if (launch->kernel) {
        list_named(launch);
        return STATUS_OK;
    }
    enum status status = choose_only(launch, error);
    if (status == STATUS_OK)
        engine->kernel = launch->build.kernels[0].lowered;
    return status;
}

/* A second build, with -G, is not asked for the kernel's parameters: that takes another pass. */
static enum status run_compiler(const struct kernel_launch *launch, bool device_debug,
                                struct build_result *result, struct error *error) {
    struct build_request request = {.file_name = file_base_name(launch->file),
                                    .source = launch->source,
                                    .source_length = launch->source_length,
                                    .kernel = launch->kernel,
                                    .kernel_chosen = launch->kernel != NULL,
                                    .defines = launch->defines,
                                    .define_count = launch->define_count,
                                    .headers = launch->headers.items,
                                    .header_count = launch->headers.count,
                                    .architecture = launch->architecture,
                                    .device_debug = device_debug,
                                    .no_signature = device_debug && !launch->device_debug};
    struct worker_limits limits = {.wall_seconds = 60};
    return build_compile(&request, &limits, result, error);
}

/* PTX text and the kernel's lowered name, from the compiler or from the file itself. */
static enum status compile(struct kernel_launch *launch, struct error *error) {
    struct build_result *result = &launch->build;
    enum status status = run_compiler(launch, launch->device_debug, result, error);
    if (status != STATUS_OK)
        return status;
    print_diagnostics(launch, command_color(launch->color, STDERR_FILENO));
    if (!result->compiled) {
        status = error_set(error, STATUS_INVALID, "%s", result->message);
        if (result->hint[0])
            error_hint(error, "%s", result->hint);
        return status;
    }
    return choose_only(launch, error);
}

static enum status load_kernel(struct kernel_launch *launch, struct error *error) {
    size_t limit = is_ptx(launch->file) ? (size_t)64 << 20 : BUILD_SOURCE_MAX;
    enum status status =
        file_read(launch->file, limit, &launch->source, &launch->source_length, error);
    if (status != STATUS_OK)
        return status;
    if (is_ptx(launch->file))
        return choose_entry(launch, error);
    status = kernel_headers_read(launch->file, launch->source, launch->folders,
                                 launch->folder_count, 0, &launch->headers, error);
    if (status == STATUS_OK)
        status = compile(launch, error);
    if (status != STATUS_OK)
        return status;
    struct engine_launch *engine = &launch->engine;
    engine->ptx = launch->build.ptx;
    engine->ptx_length = launch->build.ptx_length;
    engine->kernel = launch->build.kernels[launch->build.kernel_index].lowered;
    return STATUS_OK;
}

/* ---- the arguments --------------------------------------------------------------------------- */

/* Offsets of aliases in bytes, now that all buffers are known. */
static enum status resolve_aliases(struct kernel_launch *launch, struct error *error) {
    for (size_t i = 0; i < launch->spec_count; i++) {
        struct engine_argument *argument = &launch->arguments[i];
        if (!argument->alias)
            continue;
        const struct engine_argument *buffer = &launch->arguments[argument->alias - 1];
        if (argument->alias > launch->spec_count || !buffer->is_buffer)
            return error_set(error, STATUS_INVALID, "--arg %s: argument %u is no buffer",
                             launch->specs[i], argument->alias - 1);
        argument->scalar *= element_infos[buffer->type].bytes;
    }
    return STATUS_OK;
}

/* Every buffer at a multiple of 256 bytes, as cudaMalloc gives them. */
static enum status parse_arguments(struct kernel_launch *launch, struct sim_argument *parsed,
                                   struct error *error) {
    size_t length = 0;
    for (size_t i = 0; i < launch->spec_count; i++) {
        enum status status = (launch->on_demand ? sim_argument_parse_rule : sim_argument_parse)(
            launch->specs[i], (unsigned)i, launch->seed, &parsed[i], error);
        if (status != STATUS_OK)
            return status;
        parsed[i].engine.data_offset = length;
        launch->arguments[i] = parsed[i].engine;
        length +=
            (parsed[i].byte_count + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    }
    launch->engine.data_length = length;
    return resolve_aliases(launch, error);
}

static enum status make_arguments(struct kernel_launch *launch, struct error *error) {
    struct sim_argument parsed[ENGINE_MAX_ARGUMENTS] = {0};
    enum status status = parse_arguments(launch, parsed, error);
    if (status == STATUS_OK)
        launch->data = mem_zalloc(launch->engine.data_length);
    for (size_t i = 0; i < launch->spec_count; i++) {
        if (status == STATUS_OK && parsed[i].byte_count)
            memcpy((char *)launch->data + parsed[i].engine.data_offset, parsed[i].bytes,
                   parsed[i].byte_count);
        free(parsed[i].bytes);
    }
    launch->engine.data = launch->data;
    launch->engine.arguments = launch->arguments;
    launch->engine.argument_count = launch->spec_count;
    return status;
}

/* Arguments are called as the kernel calls its parameters, where its source tells. */
static void name_arguments(struct kernel_launch *launch,
                           const struct kernel_parameters *parameters) {
    for (size_t i = 0; i < launch->spec_count; i++)
        if (parameters->items[i].source.name[0])
            snprintf(launch->arguments[i].name, sizeof launch->arguments[i].name, "%s",
                     parameters->items[i].source.name);
}

/* What is not known here is left to the engine, as is the number of arguments of a PTX file, which
 * may have been written by hand. */
static enum status match_arguments(struct kernel_launch *launch, struct error *error) {
    const struct build_result *build = &launch->build;
    struct argument_check check = {.kernel = kernel_launch_name(launch),
                                   .specs = launch->specs,
                                   .arguments = launch->arguments,
                                   .count = launch->spec_count};
    bool has_source = !is_ptx(launch->file);
    if (!build->kernel_count ||
        !kernel_parameters_find(launch->engine.ptx, &build->kernels[build->kernel_index],
                                has_source ? launch->source : NULL, &check.parameters))
        return STATUS_OK;
    bool can_tell = has_source || check.parameters.count == check.count;
    enum status status = can_tell ? argument_check(&check, error) : STATUS_OK;
    if (can_tell && status == STATUS_OK)
        name_arguments(launch, &check.parameters);
    kernel_parameters_free(&check.parameters);
    return status;
}

/* ---- the door -------------------------------------------------------------------------------- */

enum status kernel_launch_prepare(struct kernel_launch *launch, struct error *error) {
    launch->engine = (struct engine_launch){.file_name = file_base_name(launch->file),
                                            .grid = launch->grid,
                                            .cluster = launch->cluster,
                                            .block = launch->block,
                                            .shared_bytes = launch->shared_bytes,
                                            .budget = launch->budget,
                                            .threads = launch->threads};
    double seconds = launch->time_limit_seconds > 0 ? launch->time_limit_seconds : 60;
    uint64_t memory = launch->memory_limit_bytes;
    launch->limits = (struct worker_limits){.wall_seconds = seconds,
                                            .cpu_seconds = seconds * 64,
                                            .memory_bytes = memory ? memory : (uint64_t)4 << 30};
    enum status status = make_arguments(launch, error);
    if (status == STATUS_OK)
        status = load_kernel(launch, error);
    if (status == STATUS_OK)
        status = match_arguments(launch, error);
    return status == STATUS_OK ? kernel_symbols_add(launch, error) : status;
}

enum status kernel_launch_unoptimised(const struct kernel_launch *launch,
                                      struct build_result *build, struct engine_launch *engine,
                                      struct error *error) {
    *build = (struct build_result){0};
    if (is_ptx(launch->file) || launch->device_debug)
        return error_set(error, STATUS_INVALID, "there is no other build of this kernel");
    enum status status = run_compiler(launch, true, build, error);
    if (status != STATUS_OK)
        return status;
    if (!build->compiled || build->kernel_index >= build->kernel_count)
        return error_set(error, STATUS_INVALID, "%s", build->message);
    *engine = launch->engine;
    engine->ptx = build->ptx;
    engine->ptx_length = build->ptx_length;
    engine->kernel = build->kernels[build->kernel_index].lowered;
    engine->arrays_in_registers = false;
    return STATUS_OK;
}

void kernel_launch_free(struct kernel_launch *launch) {
    free(launch->source);
    kernel_headers_free(&launch->headers);
    free(launch->data);
    build_result_free(&launch->build);
}

const char *kernel_launch_name(const struct kernel_launch *launch) {
    const struct build_result *build = &launch->build;
    return build->kernel_count ? build->kernels[build->kernel_index].name : launch->kernel;
}

enum status kernel_launch_assemble(struct kernel_launch *launch, unsigned capability,
                                   struct error *error) {
    struct build_resources resources;
    struct worker_limits limits = {.wall_seconds = 20};
    char architecture[16];
    snprintf(architecture, sizeof architecture, "sm_%u", capability);
    enum status status =
        build_resources(launch->engine.ptx, launch->engine.ptx_length, launch->engine.kernel,
                        architecture, &limits, &resources, error);
    bool known = status == STATUS_OK;
    launch->engine.registers = known ? resources.registers_per_thread : 0;
    launch->engine.arrays_in_registers = known && build_arrays_in_registers(&resources);
    return status;
}

unsigned kernel_launch_capability(const struct device_profile *device) {
    unsigned capability = (unsigned)device->compute_capability;
    return capability < OLDEST_CAPABILITY ? OLDEST_CAPABILITY : capability;
}

void kernel_launch_on_device(struct kernel_launch *launch, const struct device_profile *device,
                             uint64_t sample) {
    launch->engine.device = device;
    launch->engine.sample_budget = sample;
}
