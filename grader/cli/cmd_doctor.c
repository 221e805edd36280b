/* `warpgrade doctor`: what this machine can do, what is missing, and how to get it.
 *
 * Nothing is assumed from the presence of a file: the jail is attacked from inside, the compiler
 * compiles a kernel, the simulated GPU runs one, and each card that is there another
 * (doctor_card.c); their results are compared. */
#include "grader/cli/command.h"
#include "grader/cli/doctor/doctor.h"
#include "grader/cli/home_show.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/build/build.h"
#include "sandbox/engine/engine.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For whole programs and for kernels in files that have host code. */
static void check_nvcc(struct doctor *doctor, const struct build_toolchain *toolchain) {
    struct error error;
    cleanup_free char *fetch = build_toolchain_advice();
    if (!toolchain->nvcc[0])
        doctor_row(doctor, "nvcc", DOCTOR_MISSING, fetch,
                   "files with main() or <<<...>>> are refused, with a message that says so");
    else if (build_need_host_compiler(getenv("PATH"), &error) != STATUS_OK)
        doctor_row(doctor, "nvcc", DOCTOR_MISSING, error.hint, "%s", error.message);
    else
        doctor_row(doctor, "nvcc", DOCTOR_WORKS, "", "%s", toolchain->nvcc);
}

static bool check_toolchain(struct doctor *doctor) {
    struct build_toolchain found, *toolchain = &found;
    struct error error;
    if (build_toolchain_find(toolchain, &error) != STATUS_OK) {
        doctor_row(doctor, "NVRTC", DOCTOR_FAILED, error.hint, "%s", error.message);
        return false;
    }
    cleanup_free char *fetch = build_toolchain_advice();
    doctor_row(doctor, "NVRTC", DOCTOR_WORKS, "", "%u.%u, %s", toolchain->version_major,
               toolchain->version_minor, toolchain->nvrtc_library);
    if (toolchain->include_directory[0])
        doctor_row(doctor, "CUDA headers", DOCTOR_WORKS, "", "%s", toolchain->include_directory);
    else
        doctor_row(doctor, "CUDA headers", DOCTOR_MISSING, fetch,
                   "kernels that include cuda_fp16.h or cooperative_groups.h do not compile");
    if (toolchain->ptxas[0])
        doctor_row(doctor, "ptxas", DOCTOR_WORKS, "", "%s", toolchain->ptxas);
    else
        doctor_row(doctor, "ptxas", DOCTOR_MISSING, fetch, "no registers per thread in reports");
    check_nvcc(doctor, toolchain);
    return true;
}

static const char kernel_source[] = "#include <stdio.h>\n"
                                    "#define BLOCK 64\n"
                                    "__global__ void twice(const int *in, int *out, int n) {\n"
                                    "    int i = blockIdx.x * BLOCK + threadIdx.x;\n"
                                    "    if (i < n)\n"
                                    "        out[i] = 2 * in[i];\n"
                                    "}\n";

static enum status compile(const struct worker_limits *limits, struct build_result *result,
                           struct error *error) {
    static const char *const constants[] = {"BLOCK"};
    struct build_request request = {
        .file_name = "twice.cu",
        .source = kernel_source,
        .source_length = sizeof kernel_source - 1,
        .kernel = "twice",
        .constants = constants,
        .constant_count = 1,
        .no_cache = true,
    };
    return build_compile(&request, limits, result, error);
}

static bool check_compiler(struct doctor *doctor, struct build_result *result) {
    struct error error;
    if (compile(NULL, result, &error) != STATUS_OK) {
        doctor_row(doctor, "compile", DOCTOR_FAILED, error.hint, "%s", error.message);
        return false;
    }
    const struct build_kernel *kernel = result->compiled ? &result->kernels[0] : NULL;
    if (!kernel || kernel->parameter_count != 3 || !kernel->types_known ||
        !result->constants[0].known || result->constants[0].value != 64) {
        doctor_row(doctor, "compile", DOCTOR_FAILED,
                   "Please report this with the output of this command.",
                   "a plain kernel does not compile as it should%s%s",
                   result->message[0] ? ": " : "", result->message);
        return false;
    }
    doctor_row(doctor, "compile", DOCTOR_WORKS, "", "a kernel in %.0f ms with %s",
               result->elapsed_ms, result->compiler);
    return true;
}

enum { ELEMENTS = 100, OUT_OFFSET = 512, DATA_BYTES = 1024 };

static void check_simulator(struct doctor *doctor, const struct build_result *build) {
    struct engine_argument arguments[] = {
        {.is_buffer = true,
         .type = ELEMENT_i32,
         .name = "in",
         .count = ELEMENTS,
         .read_only = true},
        {.is_buffer = true,
         .type = ELEMENT_i32,
         .name = "out",
         .count = ELEMENTS,
         .uninitialized = true,
         .data_offset = OUT_OFFSET},
        {.type = ELEMENT_i32, .name = "n", .scalar = ELEMENTS},
    };
    _Alignas(256) char data[DATA_BYTES] = {0};
    for (size_t i = 0; i < ELEMENTS; i++)
        element_from_double(ELEMENT_i32, data, i, (double)i - 50);
    struct engine_launch launch = {
        .ptx = build->ptx,
        .ptx_length = build->ptx_length,
        .kernel = build->kernels[build->kernel_index].lowered,
        .file_name = "twice.cu",
        .grid = {2, 1, 1},
        .block = {64, 1, 1},
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments),
        .data = data,
        .data_length = sizeof data,
    };
    struct engine_result result;
    struct error error;
    if (engine_run(&launch, NULL, &result, &error) != STATUS_OK) {
        doctor_row(doctor, "simulated GPU", DOCTOR_FAILED, error.hint, "%s", error.message);
        return;
    }
    size_t wrong = 0;
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong += element_to_double(ELEMENT_i32, data + OUT_OFFSET, i) != 2 * ((double)i - 50);
    if (result.end != ENGINE_COMPLETED)
        doctor_row(doctor, "simulated GPU", DOCTOR_FAILED, "Please report this.", "%s",
                   result.message);
    else if (wrong || result.hazard_count)
        doctor_row(doctor, "simulated GPU", DOCTOR_FAILED, "Please report this.",
                   "%zu of %d elements are wrong, %zu hazards", wrong, ELEMENTS,
                   result.hazard_count);
    else
        doctor_row(doctor, "simulated GPU", DOCTOR_WORKS, "",
                   "a launch of 128 threads in %.1f ms on %u host "
                   "thread%s",
                   result.elapsed_ms, result.host_threads, text_plural(result.host_threads));
    engine_result_free(&result);
}

/* Where exercises come from. What is hidden or lacks a reference is as its owner wants it, perhaps:
 * it is said, and is no failure. */
static void check_homes(struct doctor *doctor) {
    struct homes_view view;
    struct error error;
    doctor_heading(doctor, "Exercises");
    if (homes_view_read(&view, &error) != STATUS_OK) {
        doctor_row(doctor, "home", DOCTOR_FAILED, error.hint, "%s", error.message);
        return;
    }
    for (size_t i = 0; i < view.homes.count; i++) {
        const struct home_view *home = &view.items[i];
        cleanup_text struct text hidden = {0}, bare = {0};
        home_show_ids(&home->hidden, LANGUAGE_EN, &hidden);
        home_show_ids(&home->bare, LANGUAGE_EN, &bare);
        doctor_row(doctor, "home", DOCTOR_WORKS, "", "%zu exercise%s of %s", home->taken,
                   text_plural(home->taken), view.homes.items[i].folder);
        if (hidden.length)
            doctor_row(doctor, "hidden", DOCTOR_MISSING, "", "an earlier home has %s, too",
                       text_string(&hidden));
        if (bare.length)
            doctor_row(
                doctor, "references", DOCTOR_MISSING,
                "Graded for hazards alone. WARPGRADE_HOME may name the folder that has them.",
                "none of %s", text_string(&bare));
    }
    homes_view_free(&view);
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    enum color_choice *color = state->input;
    switch (key) {
    case 'c':
        *color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "there is nothing to name");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_doctor(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"color", 'c', "WHEN", 0, "auto (default), always or never", 0}, {0}};
    static const struct argp_child children[] = {
        COMMAND_HOME_CHILD, {&command_jail_kind_argp, 0, "Trust:", 9}, {0}};
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .children = children,
        .doc = "Shows what this machine can do, what is missing and how to get it. Exits with 0 "
               "where it can grade, else with 3."};
    enum color_choice color = COLOR_AUTO;
    command_parse(&parser, argc, argv, &color);
    struct doctor doctor = {.color = command_color(color, STDOUT_FILENO)};
    struct build_result build = {0};
    text_append(&doctor.out, "warpgrade " WARPGRADE_VERSION "\n");
    doctor_jail(&doctor);
    doctor_heading(&doctor, "Compiler and simulated GPU");
    bool before = doctor.failed;
    doctor.failed = false;
    if (check_toolchain(&doctor) && check_compiler(&doctor, &build))
        check_simulator(&doctor, &build);
    check_homes(&doctor);
    doctor_cards(&doctor);
    bool only_jail = !doctor.failed && doctor.jail_failed;
    doctor.failed |= before;
    escape_terminal(&doctor.out, text_string(&doctor.steps), doctor.steps.length, false);
    text_append(&doctor.out, doctor.failed ? "\nThis machine cannot grade yet.\n"
                                           : "\nThis machine can grade.\n");
    if (only_jail)
        text_append(&doctor.out, "With --unsafe-no-jail it can, for code that you trust.\n");
    fputs(text_string(&doctor.out), stdout);
    build_result_free(&build);
    text_free(&doctor.out);
    text_free(&doctor.steps);
    return doctor.failed ? STATUS_ENVIRONMENT : STATUS_OK;
}
