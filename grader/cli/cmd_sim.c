/* `warpgrade sim`: the simulated GPU by itself, for any kernel of a .cu or .ptx file.
 *
 * The launch is run in the natural order of blocks and warps, where hazards name the first threads,
 * and with --schedules in others besides, which must leave the same bytes. The kernel runs in a
 * worker process like a submission's; this command only reads options, builds the data area of the
 * launch and prints what came back. */
#include "grader/cli/kernel_symbol.h"
#include "grader/cli/sim_unoptimised.h"

#include "grader/cases/schedule.h"
#include "grader/exercise/device.h"
#include "reports/escape.h"
#include "reports/message.h"
#include "reports/report.h"
#include "reports/sim.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/occupancy.h"
#include "sandbox/isolation/protection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_DUMPS = ENGINE_MAX_ARGUMENTS,
    MAX_SCHEDULES = 1000,
    MAX_BATCH_BYTES = 48 << 20, /* of data, in all launches of a worker */
};

struct dump {
    unsigned index;
    const char *path;
};

struct sim_command {
    struct kernel_launch launch;
    const char *json;
    struct dump dumps[MAX_DUMPS];
    size_t dump_count;
    const char *symbol_paths[KERNEL_MAX_SYMBOLS]; /* of launch.dumped_symbols */
    unsigned schedules;
    bool no_checks, strict;
    const char *device; /* NULL: no caches */
    uint64_t sample;
    struct device_profile profile;
};

enum {
    OPTION_SCHEDULES = 256,
    OPTION_NO_CHECKS,
    OPTION_STRICT,
    OPTION_JSON,
    OPTION_DUMP,
    OPTION_DUMP_SYMBOL,
    OPTION_DEVICE,
    OPTION_SAMPLE
};

static const struct argp_option options[] = {
    {"schedules", OPTION_SCHEDULES, "N", 0,
     "run in N orders of blocks and warps, the first of which is the natural one, and compare the "
     "buffers; default: 1",
     0},
    {"no-checks", OPTION_NO_CHECKS, NULL, 0, "no hazards but the fatal ones", 0},
    {"strict", OPTION_STRICT, NULL, 0, "exit status 1 where there are warnings alone, too", 0},
    {"device", OPTION_DEVICE, "ID|FILE", 0,
     "with the caches of this device, h200 for instance: L1, L2 and DRAM sectors, too; one host "
     "thread",
     0},
    {"sample", OPTION_SAMPLE, "N", 0,
     "with --device, execute blocks of about N thread instructions without checks, and scale the "
     "counters",
     0},
    {"json", OPTION_JSON, "FILE", 0, "write the result as JSON; - is standard output", 0},
    {"dump", OPTION_DUMP, "INDEX=FILE", 0, "write an argument's bytes after the launch", 0},
    {"dump-symbol", OPTION_DUMP_SYMBOL, "NAME=FILE", 0,
     "write the bytes of a __device__ or __constant__ variable after the launch", 0},
    {0}};

static const struct argp_child children[] = {
    {&kernel_launch_argp, 0, NULL, 0}, COMMAND_JAIL_CHILD, {0}};

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

static void add_symbol_dump(struct argp_state *state, struct sim_command *command, char *text) {
    struct kernel_launch *launch = &command->launch;
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1] ||
        launch->dumped_symbol_count == KERNEL_MAX_SYMBOLS) {
        argp_error(state, "--dump-symbol takes NAME=FILE, at most %d times, not \"%s\"",
                   KERNEL_MAX_SYMBOLS, text);
        return;
    }
    *equals = '\0';
    command->symbol_paths[launch->dumped_symbol_count] = equals + 1;
    launch->dumped_symbols[launch->dumped_symbol_count++] = text;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct sim_command *command = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->launch;
        return 0;
    case OPTION_SCHEDULES:
        command->schedules =
            (unsigned)command_number_option(state, "--schedules", argument, 1, MAX_SCHEDULES);
        return 0;
    case OPTION_NO_CHECKS:
        command->no_checks = true;
        return 0;
    case OPTION_STRICT:
        command->strict = true;
        return 0;
    case OPTION_DEVICE:
        command->device = argument;
        return 0;
    case OPTION_SAMPLE:
        command->sample = kernel_launch_sample_option(state, argument);
        return 0;
    case OPTION_JSON:
        command->json = argument;
        return 0;
    case OPTION_DUMP:
        add_dump(state, command, argument);
        return 0;
    case OPTION_DUMP_SYMBOL:
        add_symbol_dump(state, command, argument);
        return 0;
    case ARGP_KEY_ARG:
        kernel_launch_take_file(&command->launch, state, argument);
        return 0;
    case ARGP_KEY_END:
        if (!command->launch.file)
            argp_error(state, "which file?");
        if (!command->launch.has_grid || !command->launch.has_block)
            argp_error(state, "--grid and --block are needed to launch a kernel");
        if (command->sample && !command->device)
            argp_error(state, "--sample needs --device");
        if (command->device && command->schedules > 1)
            argp_error(state, "--device has one order of blocks and warps, the device's");
        if (command->sample && command->dump_count)
            argp_error(state, "--sample leaves buffers unfinished: there is nothing to dump");
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
    "GPU.\vExit status: 0 no hazard of severity error, 1 hazards, or results that differ between "
    "schedules, 2 usage or compile error, 3 this machine cannot "
    "compile or run it.",
    children,
    NULL,
    NULL};

static enum status check_dumps(const struct sim_command *command, struct error *error) {
    const struct kernel_launch *launch = &command->launch;
    for (size_t i = 0; i < command->dump_count; i++)
        if (command->dumps[i].index >= launch->spec_count ||
            !launch->arguments[command->dumps[i].index].is_buffer)
            return error_set(error, STATUS_INVALID, "--dump %u=%s: argument %u is no buffer",
                             command->dumps[i].index, command->dumps[i].path,
                             command->dumps[i].index);
    return STATUS_OK;
}

/* Of the device, or else of the architecture that the kernel is compiled for; 0: it is another
 * one's. */
static unsigned capability_of(const struct sim_command *command) {
    unsigned sm = 80;
    const char *architecture = command->launch.architecture;
    if (command->device)
        return kernel_launch_capability(&command->profile);
    return !architecture || sscanf(architecture, "compute_%u", &sm) == 1 ? sm : 0;
}

static double occupancy(const struct sim_command *command, const struct engine_launch *launch,
                        const struct engine_result *result) {
    if (command->device)
        return result->profile.occupancy.theoretical;
    if (!launch->registers)
        return 0;
    struct occupancy_capacity capacity = occupancy_capacity_for(capability_of(command));
    return occupancy_compute(&capacity, launch->block.x * launch->block.y * launch->block.z,
                             launch->registers, result->static_shared_bytes + launch->shared_bytes)
        .theoretical;
}

static enum status write_argument(const struct engine_launch *launch,
                                  const struct engine_argument *argument, const char *path,
                                  struct error *error) {
    return file_write(path, (char *)launch->data + argument->data_offset,
                      (size_t)argument->count * element_infos[argument->type].bytes, error);
}

static enum status write_results(struct sim_command *command, const struct engine_launch *launch,
                                 const struct engine_result *result,
                                 const struct sim_schedules *schedules,
                                 const struct sim_optimised *optimised, struct error *error) {
    struct sim_report report = {.result = result,
                                .kernel = kernel_launch_name(&command->launch),
                                .language = command->launch.language,
                                .device = command->device ? &command->profile : NULL,
                                .file = command->launch.file,
                                .source = command->launch.source,
                                .source_length = command->launch.source_length,
                                .schedules = *schedules,
                                .optimised = *optimised,
                                .protection = protection_current()};
    if (result->end == ENGINE_COMPLETED)
        report.theoretical_occupancy = occupancy(command, launch, result);
    report.registers_per_thread = launch->registers;
    struct text out = {0};
    enum status status = STATUS_OK;
    bool json_only = command->json && file_is_standard_output(command->json);
    if (!json_only) {
        report_sim_text(&report, command_color(command->launch.color, STDOUT_FILENO), &out);
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
    for (size_t i = 0; i < command->dump_count && status == STATUS_OK; i++)
        status = write_argument(launch, &launch->arguments[command->dumps[i].index],
                                command->dumps[i].path, error);
    for (size_t i = 0; i < command->launch.dumped_symbol_count && status == STATUS_OK; i++)
        status = write_argument(
            launch, kernel_symbol_find(&command->launch, command->launch.dumped_symbols[i]),
            command->symbol_paths[i], error);
    return status;
}

/* ---- schedules ------------------------------------------------------------------------------- */

static enum status run_schedule(const struct sim_command *command,
                                const struct engine_launch *launch, unsigned number,
                                struct engine_result *result, struct error *error) {
    struct engine_launch scheduled = *launch;
    scheduled.seed = schedule_seed(command->launch.seed, number);
    return engine_run(&scheduled, &command->launch.limits, result, error);
}

/* A launch that ends in the natural order but not in another does not end. */
static void join_schedule(enum language language, struct engine_result *result,
                          const struct engine_result *other, unsigned number) {
    schedule_join_hazards(&result->hazards, &result->hazard_count, other->hazards,
                          other->hazard_count, WORDS(language, seen_in_other_order));
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

/* Schedules that follow each other, run in one worker where there is room for their data; those
 * that did not complete there are run by themselves, with limits and messages of their own. */
struct schedule_batch {
    struct engine_batch_entry entries[ENGINE_MAX_BATCH];
    unsigned first;
    size_t count;
};

static void run_schedules(const struct sim_command *command, const struct engine_launch *launch,
                          const void *before, unsigned first, struct schedule_batch *batch) {
    size_t room = MAX_BATCH_BYTES / (launch->data_length + 1);
    size_t left = command->schedules - first;
    batch->first = first;
    batch->count = room < ENGINE_MAX_BATCH ? room : ENGINE_MAX_BATCH;
    batch->count = left < batch->count ? left : batch->count;
    for (size_t i = 0; i < batch->count; i++) {
        struct engine_batch_entry *entry = &batch->entries[i];
        *entry = (struct engine_batch_entry){.launch = *launch, .after = ENGINE_MAX_BATCH};
        entry->launch.seed = schedule_seed(command->launch.seed, first + (unsigned)i);
        entry->launch.data = mem_dup(before, launch->data_length);
    }
    if (batch->count > 1)
        engine_run_batch(batch->entries, batch->count, &command->launch.limits, NULL);
}

static void free_schedules(struct schedule_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        free(batch->entries[i].launch.data);
        engine_result_free(&batch->entries[i].result);
    }
    batch->count = 0;
}

/* Of the schedule, what it gives, and in `data` what it leaves. */
static enum status take_schedule(const struct sim_command *command,
                                 const struct engine_launch *launch, const void *before,
                                 unsigned number, struct schedule_batch *batch, void *data,
                                 struct engine_result *result, struct error *error) {
    if (number >= batch->first + batch->count) {
        free_schedules(batch);
        run_schedules(command, launch, before, number, batch);
    }
    struct engine_batch_entry *entry =
        number < batch->first + batch->count ? &batch->entries[number - batch->first] : NULL;
    if (entry && entry->done) {
        memcpy(data, entry->launch.data, launch->data_length);
        *result = entry->result;
        entry->result = (struct engine_result){0};
        return STATUS_OK;
    }
    struct engine_launch again = *launch;
    again.data = data;
    memcpy(data, before, launch->data_length);
    return run_schedule(command, &again, number, result, error);
}

/* The other schedules, from the data `before` the launch; what the first one left stands in
 * launch->data and stays there. */
static enum status try_schedules(const struct sim_command *command,
                                 const struct engine_launch *launch, const void *before,
                                 struct engine_result *result, struct sim_schedules *schedules,
                                 struct error *error) {
    schedules->run = 1;
    cleanup_free void *data = mem_alloc(launch->data_length + 1);
    cleanup_free struct schedule_batch *batch = mem_zalloc(sizeof *batch);
    enum status status = STATUS_OK;
    batch->first = 1;
    for (unsigned i = 1; i < command->schedules && result->end == ENGINE_COMPLETED; i++) {
        struct engine_result other;
        status = take_schedule(command, launch, before, i, batch, data, &other, error);
        if (status != STATUS_OK)
            break;
        schedules->run++;
        join_schedule(command->launch.language, result, &other, i);
        if (other.end == ENGINE_COMPLETED)
            note_difference(schedules, i, launch, data);
        engine_result_free(&other);
    }
    free_schedules(batch);
    return status;
}

/* Of arguments that the kernel does not take: which ones it takes. */
static void name_parameters(const struct sim_command *command, struct engine_result *result) {
    const struct build_result *build = &command->launch.build;
    if (result->end != ENGINE_REFUSED || !build->kernel_count)
        return;
    cleanup_text struct text kernel = {0};
    build_kernel_describe(&build->kernels[build->kernel_index], &kernel);
    size_t used = strlen(result->message);
    snprintf(result->message + used, sizeof result->message - used, ". It is %.400s",
             text_string(&kernel));
}

static bool is_good(const struct sim_command *command, const struct engine_result *result) {
    const char *status = report_sim_status(result);
    return strcmp(status, "clean") == 0 || (strcmp(status, "warnings") == 0 && !command->strict);
}

static enum status launch_and_write(struct sim_command *command, struct engine_launch *launch,
                                    struct error *error) {
    struct sim_schedules schedules = {0};
    struct sim_optimised optimised = {0};
    struct engine_result result;
    cleanup_free void *before = mem_dup(launch->data, launch->data_length);
    enum status status = run_schedule(command, launch, 0, &result, error);
    if (status != STATUS_OK)
        return status;
    name_parameters(command, &result);
    status = try_schedules(command, launch, before, &result, &schedules, error);
    if (status == STATUS_OK && !command->no_checks && !command->device)
        sim_unoptimised_ask(&command->launch, before, &result, &optimised);
    if (status == STATUS_OK && result.end == ENGINE_COMPLETED && !command->no_checks)
        kernel_symbols_warn(&command->launch, &result);
    if (status == STATUS_OK)
        status = write_results(command, launch, &result, &schedules, &optimised, error);
    if (status == STATUS_OK) {
        if (result.end == ENGINE_REFUSED)
            status = STATUS_INVALID;
        else if (!is_good(command, &result) || schedules.differing)
            status = STATUS_BELOW_MARK;
        error_set(error, status, "%s", "");
    }
    engine_result_free(&result);
    return status;
}

/* Registers need ptxas; without it they are unknown, which the reports can say, and arrays of
 * threads count as local memory. */
static void assemble(struct sim_command *command) {
    unsigned capability = capability_of(command);
    if (capability)
        kernel_launch_assemble(&command->launch, capability, NULL);
    if (command->device)
        kernel_launch_on_device(&command->launch, &command->profile, command->sample);
}

/* A sample needs no check of what its blocks leave out, and makes buffers where they are touched.
 */
static enum status simulate(struct sim_command *command, struct error *error) {
    enum status status = STATUS_OK;
    if (command->device)
        status = device_load(command->device, &command->profile, error);
    command->launch.on_demand = command->sample != 0;
    command->no_checks |= command->sample != 0;
    if (status == STATUS_OK)
        status = kernel_launch_prepare(&command->launch, error);
    if (status == STATUS_OK)
        assemble(command);
    if (status == STATUS_OK)
        status = check_dumps(command, error);
    if (status != STATUS_OK)
        return status;
    command->launch.engine.no_checks = command->no_checks;
    return launch_and_write(command, &command->launch.engine, error);
}

int command_sim(int argc, char **argv) {
    struct sim_command command = {0};
    command_parse(&parser, argc, argv, &command);
    struct error error = {0};
    enum status status = simulate(&command, &error);
    kernel_launch_free(&command.launch);
    if (status != STATUS_OK && error.message[0])
        return command_fail_in(command.launch.language, status, &error);
    return (int)status;
}
