/* `warpgrade profile`: one launch on a simulated device, reported line by line.
 *
 * The kernel is a submission to an exercise, whose speed case (or another) gives launch and data,
 * or any kernel with the options of `sim`. Nothing is judged: the exit code only says whether the
 * kernel ran to its end. */
#include "grader/cli/kernel_launch.h"

#include "grader/exercise/device.h"
#include "grader/grade/grade.h"
#include "grader/grade/grade_sample.h"
#include "reports/device.h"
#include "reports/profile.h"
#include "reports/translate.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/protection.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct profile_command {
    struct kernel_launch launch;
    const char *exercise, *case_name, *device, *json;
    uint64_t sample;
    bool tuned, list_devices;
};

enum {
    OPTION_DEVICE = 256,
    OPTION_LIST_DEVICES,
    OPTION_CASE,
    OPTION_TUNED,
    OPTION_SAMPLE,
    OPTION_EXACT,
    OPTION_JSON,
};

static const struct argp_option options[] = {
    {"exercise", 'e', "EXERCISE", 0,
     "the exercise whose launch and data are used; default: the one that the first comment names, "
     "else the file's name",
     0},
    {"case", OPTION_CASE, "NAME", 0, "the exercise's case; default: speed", 0},
    {"tuned", OPTION_TUNED, NULL, 0, "the exercise's own tuned kernel, in place of FILE", 0},
    {"device", OPTION_DEVICE, "ID|FILE", 0,
     "the device: a profile of ours or a YAML file; default: the exercise's, else h200", 0},
    {"list-devices", OPTION_LIST_DEVICES, NULL, 0,
     "the devices that there are profiles of; with --device, each number of that one and its "
     "origin",
     0},
    {"sample", OPTION_SAMPLE, "N", 0,
     "execute blocks of about N thread instructions, and scale; more where they differ by so much "
     "that the standard error is above 5 %; default: 4000000",
     0},
    {"exact", OPTION_EXACT, NULL, 0, "execute all blocks", 0},
    {"json", OPTION_JSON, "FILE", 0, "write the profile as JSON; - is standard output", 0},
    {0}};

static const struct argp_child children[] = {
    {&kernel_launch_argp, 0, "A kernel by itself, without an exercise:", 1}, /* parse_option(): 0 */
    COMMAND_HOME_CHILD,
    COMMAND_JAIL_CHILD,
    {0}};

static bool is_plain(const struct profile_command *command) {
    return command->launch.has_grid || command->launch.has_block || command->launch.spec_count;
}

/* An exercise says all of this itself; NULL where none was given. */
static const char *option_of_plain(const struct kernel_launch *launch) {
    return launch->kernel         ? "--kernel"
           : launch->architecture ? "--arch"
           : launch->define_count ? "--define"
           : launch->folder_count ? "--include"
           : launch->device_debug ? "--device-debug"
           : launch->shared_bytes ? "--shared"
           : launch->budget       ? "--budget"
                                  : NULL;
}

static void check_options(struct argp_state *state, const struct profile_command *command) {
    if (command->list_devices)
        return;
    if (command->tuned && !command->exercise)
        argp_error(state, "--tuned needs -e EXERCISE");
    if (command->tuned && command->launch.file)
        argp_error(state, "--tuned profiles the exercise's own kernel and takes no file");
    if (!command->tuned && !command->launch.file)
        argp_error(state, "which file?");
    if (!is_plain(command)) {
        const char *stray = option_of_plain(&command->launch);
        if (stray)
            argp_error(state, "%s is for a kernel without an exercise, with --grid and --block",
                       stray);
        return;
    }
    if (command->exercise || command->case_name)
        argp_error(state, "--grid, --block and --arg are for a kernel without an exercise");
    if (!command->launch.has_grid || !command->launch.has_block)
        argp_error(state, "--grid and --block are both needed to launch a kernel");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct profile_command *command = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->launch;
        return 0;
    case 'e':
        command->exercise = argument;
        return 0;
    case OPTION_CASE:
        command->case_name = argument;
        return 0;
    case OPTION_TUNED:
        command->tuned = true;
        return 0;
    case OPTION_DEVICE:
        command->device = argument;
        return 0;
    case OPTION_LIST_DEVICES:
        command->list_devices = true;
        return 0;
    case OPTION_SAMPLE:
        command->sample = kernel_launch_sample_option(state, argument);
        return 0;
    case OPTION_EXACT:
        command->sample = 0;
        return 0;
    case OPTION_JSON:
        command->json = argument;
        return 0;
    case ARGP_KEY_ARG:
        kernel_launch_take_file(&command->launch, state, argument);
        return 0;
    case ARGP_KEY_END:
        check_options(state, command);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    "FILE.cu",
    "Runs a kernel on a simulated device and shows, line by line, what it costs: counters, "
    "modelled "
    "time, what limits it.\vThe time is that of one launch by itself: the L2 cache holds nothing "
    "of its "
    "data when it starts, the SM clock is the one that the device holds under load, and launch "
    "overhead is what an empty kernel takes between two events, and what it takes to start the "
    "blocks one after the other. `warpgrade explain time_ms` says more.\n\nExit status: 0 "
    "profiled, 1 the kernel did not run to its end, 2 usage "
    "or compile error, 3 this machine cannot compile or run it.",
    children,
    NULL,
    NULL};

/* ---- the result ------------------------------------------------------------------------------ */

static void write_text(const struct text *text) {
    fwrite(text_string(text), 1, text->length, stdout);
}

static enum status write_profile(const struct profile_command *command,
                                 const struct profile_report *report, struct error *error) {
    cleanup_text struct text out = {0};
    bool json_only = command->json && file_is_standard_output(command->json);
    if (!json_only) {
        report_profile_text(report, command_color(command->launch.color, STDOUT_FILENO),
                            command_terminal_width(), &out);
        write_text(&out);
        text_clear(&out);
    }
    if (!command->json)
        return STATUS_OK;
    report_profile_json(report, &out);
    if (!json_only)
        return file_write(command->json, text_string(&out), out.length, error);
    write_text(&out);
    return STATUS_OK;
}

/* What stopped the kernel, with its place in the source. */
static enum status fail_launch(const struct profile_command *command,
                               const struct profile_report *report, struct error *error) {
    const struct engine_result *result = report->result;
    cleanup_text struct text out = {0};
    if (result->hazard_count) {
        report_hazards_text(result->hazards, result->hazard_count, report->file, report->source,
                            report->source_length, command->launch.language,
                            command_color(command->launch.color, STDERR_FILENO), &out);
        fputs(text_string(&out), stderr);
    }
    enum status status = result->end == ENGINE_REFUSED ? STATUS_INVALID : STATUS_BELOW_MARK;
    error_set(error, status, "%s did not run to its end%s%s; there is nothing to profile",
              report->kernel, result->message[0] ? ": " : "", result->message);
    const struct build_result *build = &command->launch.build;
    cleanup_text struct text kernel = {0};
    if (result->hazard_count) {
        error_hint(error, "`warpgrade explain %s`", hazard_infos[result->hazards[0].kind].name);
    } else if (result->end == ENGINE_REFUSED && build->kernel_count) {
        build_kernel_describe(&build->kernels[build->kernel_index], &kernel);
        error_hint(error,
                   "%.200s: one --arg for each parameter, in their order; a buffer is "
                   "'f32[1024]=uniform', "
                   "a number is i32=1024.",
                   text_string(&kernel));
    }
    return status;
}

static enum status conclude(const struct profile_command *command,
                            const struct profile_report *report, struct error *error) {
    if (report->result->end != ENGINE_COMPLETED || report->result->hazard_count)
        return fail_launch(command, report, error);
    return write_profile(command, report, error);
}

/* ---- a kernel by itself ---------------------------------------------------------------------- */

static enum status profile_plain(struct profile_command *command, struct error *error) {
    struct kernel_launch *launch = &command->launch;
    struct device_profile device;
    char architecture[24];
    enum status status =
        device_load(command->device ? command->device : GRADE_DEFAULT_DEVICE, &device, error);
    if (status != STATUS_OK)
        return status;
    unsigned capability = kernel_launch_capability(&device);
    snprintf(architecture, sizeof architecture, "compute_%u", capability);
    if (!launch->architecture)
        launch->architecture = architecture;
    launch->on_demand = command->sample != 0;
    status = kernel_launch_prepare(launch, error);
    if (status != STATUS_OK)
        return status;
    struct profile_report report = {.device = &device,
                                    .kernel = kernel_launch_name(launch),
                                    .file = launch->file,
                                    .source = launch->source,
                                    .source_length = launch->source_length,
                                    .grid = launch->grid,
                                    .block = launch->block,
                                    .shared_bytes = launch->shared_bytes,
                                    .language = launch->language,
                                    .protection = protection_current()};
    struct error problem = {0};
    if (kernel_launch_assemble(launch, capability, &problem) != STATUS_OK)
        report.registers_problem = problem.message;
    report.registers = launch->engine.registers;
    struct engine_result result;
    launch->engine.no_checks = true;
    kernel_launch_on_device(launch, &device, command->sample);
    if (!launch->engine.budget)
        launch->engine.budget = command->sample * GRADE_SAMPLE_BUDGET;
    status = grade_run_sampled(&launch->engine, &launch->limits,
                               grade_profile_growth(command->sample, launch->engine.budget),
                               &result, error);
    if (status != STATUS_OK)
        return status;
    report.result = &result;
    status = conclude(command, &report, error);
    engine_result_free(&result);
    return status;
}

/* ---- a submission ---------------------------------------------------------------------------- */

static enum status fail_build(const struct profile_command *command,
                              const struct grade_source *source, const struct grade_kernel *kernel,
                              struct error *error) {
    bool color = command_color(command->launch.color, STDERR_FILENO);
    for (size_t i = 0; i < kernel->build.diagnostic_count; i++) {
        cleanup_text struct text out = {0};
        struct build_diagnostic diagnostic = kernel->build.diagnostics[i];
        translate_in_place(command->launch.language, diagnostic.text, sizeof diagnostic.text);
        report_diagnostic_text(&diagnostic, source->file, source->text, source->length,
                               command->launch.language, color, &out);
        fputs(text_string(&out), stderr);
    }
    error_set(error, STATUS_INVALID, "%s", kernel->message);
    if (kernel->hint)
        error_hint(error, "%s", kernel->hint);
    return STATUS_INVALID;
}

/* Its thresholds ask for operations on tensor cores. */
static bool wants_matrix(const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->threshold_count; i++)
        if (strstr(expr_text(exercise->thresholds[i].metric), "matrix"))
            return true;
    return false;
}

static enum status show_profiled(const struct profile_command *command,
                                 const struct exercise *exercise, const struct grade_source *source,
                                 const struct grade_profiled *profiled, struct error *error) {
    if (profiled->kernel.message)
        return fail_build(command, source, &profiled->kernel, error);
    struct profile_report report = {.result = &profiled->result,
                                    .device = &profiled->device,
                                    .kernel = exercise->kernel,
                                    .file = source->file,
                                    .source = source->text,
                                    .source_length = source->length,
                                    .grid = profiled->grid,
                                    .block = profiled->block,
                                    .shared_bytes = profiled->shared_bytes,
                                    .registers = profiled->registers,
                                    .registers_problem = profiled->registers_problem,
                                    .exercise = exercise->id,
                                    .wants_matrix = wants_matrix(exercise),
                                    .case_name = profiled->case_name,
                                    .sizes = profiled->sizes,
                                    .size_count = profiled->size_count,
                                    .language = command->launch.language,
                                    .protection = protection_current()};
    return conclude(command, &report, error);
}

static enum status profile_with(const struct profile_command *command,
                                const struct exercise *exercise, const struct grade_source *source,
                                struct error *error) {
    struct grade_options chosen = {.engine = GRADE_ENGINE_SIM,
                                   .language = command->launch.language,
                                   .has_seed = true,
                                   .seed = command->launch.seed,
                                   .device = command->device,
                                   .time_limit_seconds = command->launch.time_limit_seconds,
                                   .memory_limit_bytes = command->launch.memory_limit_bytes};
    struct grade_profile_request request = {.case_name =
                                                command->case_name ? command->case_name : "speed",
                                            .tuned = command->tuned,
                                            .sample = command->sample};
    struct grade_session *session;
    enum status status = grade_open(&chosen, &session, error);
    if (status != STATUS_OK)
        return status;
    struct grade_profiled profiled;
    status = grade_profile_kernel(session, exercise, source, &request, &profiled, error);
    if (status == STATUS_OK)
        status = show_profiled(command, exercise, source, &profiled, error);
    grade_profiled_free(&profiled);
    grade_close(session);
    return status;
}

static enum status load_exercise(const struct profile_command *command, const char *id,
                                 struct exercise **exercise, struct error *error) {
    enum status status = exercise_find(id, exercise, error);
    if (status != STATUS_OK && !command->exercise && error) {
        cleanup_free char *hint = mem_strdup(error->hint);
        error_hint(error,
                   "%s%s`-e EXERCISE` says which exercise it is for; a kernel by itself needs "
                   "--grid and --block.",
                   hint, *hint ? " " : "");
    }
    return status;
}

static enum status profile_submission(const struct profile_command *command, struct error *error) {
    struct exercise *exercise = NULL;
    cleanup_free char *text = NULL;
    struct grade_source source = {.file = command->launch.file};
    enum status status = STATUS_OK;
    if (command->tuned) {
        status = exercise_find(command->exercise, &exercise, error);
        if (status != STATUS_OK)
            return status;
        source.file = exercise->tuned.file;
    }
    status = file_read(source.file, BUILD_SOURCE_MAX, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK && !exercise) {
        cleanup_free char *id = command->exercise
                                    ? mem_strdup(command->exercise)
                                    : exercise_id_from_submission(source.file, text, source.length);
        status = load_exercise(command, id, &exercise, error);
    }
    if (status == STATUS_OK)
        status = profile_with(command, exercise, &source, error);
    exercise_free(exercise);
    return status;
}

/* ---- devices --------------------------------------------------------------------------------- */

static enum status list_devices(bool color, struct error *error) {
    cleanup_text struct text out = {0};
    report_device_heading(&out);
    for (size_t i = 0; device_id(i); i++) {
        struct device_profile device;
        enum status status = device_load(device_id(i), &device, error);
        if (status != STATUS_OK)
            return status;
        report_device_row(&device, color, &out);
    }
    text_append(&out, "\n`--device ID --list-devices` lists the numbers of one, and where each "
                      "comes from.\n");
    write_text(&out);
    return STATUS_OK;
}

static enum status show_device(const char *name, bool color, struct error *error) {
    cleanup_text struct text out = {0};
    struct device_profile device;
    struct device_notes notes;
    enum status status = device_load_notes(name, &device, &notes, error);
    if (status != STATUS_OK)
        return status;
    report_device_text(&device, &notes, color, &out);
    device_notes_free(&notes);
    write_text(&out);
    return STATUS_OK;
}

static enum status describe_devices(const struct profile_command *command, struct error *error) {
    bool color = command_color(command->launch.color, STDOUT_FILENO);
    return command->device ? show_device(command->device, color, error)
                           : list_devices(color, error);
}

int command_profile(int argc, char **argv) {
    struct profile_command command = {.sample = GRADE_DEFAULT_SAMPLE};
    command_parse(&parser, argc, argv, &command);
    struct error error = {0};
    enum status status = command.list_devices ? describe_devices(&command, &error)
                         : is_plain(&command) ? profile_plain(&command, &error)
                                              : profile_submission(&command, &error);
    kernel_launch_free(&command.launch);
    return status == STATUS_OK ? STATUS_OK
                               : command_fail_in(command.launch.language, status, &error);
}
