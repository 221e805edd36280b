/* `warpgrade doctor`: what this machine can do, what is missing, and how to get it.
 *
 * Nothing is assumed from the presence of a file: the compiler compiles a kernel, the simulated GPU
 * runs one and its result is compared, and the limits are proved by workers that break them. A row
 * is ok, missing (grading works without it) or failed (grading does not). */
#include "grader/base/memory.h"
#include "grader/command.h"
#include "reports/escape.h"
#include "sandbox/build/build.h"
#include "sandbox/engine.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum row_state { ROW_OK, ROW_MISSING, ROW_FAILED };

struct doctor {
    bool color;
    bool failed;
    struct build_toolchain toolchain;
    struct text out;
};

/* One row: the name, how it is, what was found; and, where it is not ok, what to do. */
__attribute__((format(printf, 5, 6))) static void row(struct doctor *doctor, const char *name,
                                                      enum row_state state, const char *remedy,
                                                      const char *format, ...) {
    static const char *const words[] = {"ok", "missing", "failed"};
    static const char *const colors[] = {"\033[32m", "\033[33m", "\033[31m"};
    cleanup_text struct text found = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&found, format, arguments);
    va_end(arguments);
    text_printf(&doctor->out, "  %-14s %s%-7s%s  ", name, doctor->color ? colors[state] : "",
                words[state], doctor->color ? "\033[0m" : "");
    escape_terminal(&doctor->out, text_string(&found), found.length, true);
    text_append_char(&doctor->out, '\n');
    if (state != ROW_OK && remedy[0]) {
        text_printf(&doctor->out, "  %-14s %-7s  ", "", "");
        escape_terminal(&doctor->out, remedy, strlen(remedy), true);
        text_append_char(&doctor->out, '\n');
    }
    doctor->failed = doctor->failed || state == ROW_FAILED;
}

static const char fetch[] = "`./bootstrap build` fetches it; or install a CUDA toolkit and set "
                            "CUDA_HOME.";

static bool check_toolchain(struct doctor *doctor) {
    struct build_toolchain *toolchain = &doctor->toolchain;
    struct error error;
    if (build_toolchain_find(toolchain, &error) != STATUS_OK) {
        row(doctor, "NVRTC", ROW_FAILED, error.hint, "%s", error.message);
        return false;
    }
    row(doctor, "NVRTC", ROW_OK, "", "%u.%u, %s", toolchain->version_major,
        toolchain->version_minor, toolchain->nvrtc_library);
    if (toolchain->include_directory[0])
        row(doctor, "CUDA headers", ROW_OK, "", "%s", toolchain->include_directory);
    else
        row(doctor, "CUDA headers", ROW_MISSING, fetch,
            "kernels that include cuda_fp16.h or cooperative_groups.h do not compile");
    if (toolchain->ptxas[0])
        row(doctor, "ptxas", ROW_OK, "", "%s", toolchain->ptxas);
    else
        row(doctor, "ptxas", ROW_MISSING, fetch, "no registers per thread in reports");
    if (toolchain->nvcc[0])
        row(doctor, "nvcc", ROW_OK, "", "%s", toolchain->nvcc);
    else
        row(doctor, "nvcc", ROW_MISSING, "Only a CUDA toolkit has it; most courses need none.",
            "files with main() or <<<...>>> are refused, with a message that says so");
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
        row(doctor, "compile", ROW_FAILED, error.hint, "%s", error.message);
        return false;
    }
    const struct build_kernel *kernel = result->compiled ? &result->kernels[0] : NULL;
    if (!kernel || kernel->parameter_count != 3 || !kernel->types_known ||
        !result->constants[0].known || result->constants[0].value != 64) {
        row(doctor, "compile", ROW_FAILED, "Please report this with the output of this command.",
            "a plain kernel does not compile as it should%s%s", result->message[0] ? ": " : "",
            result->message);
        return false;
    }
    row(doctor, "compile", ROW_OK, "", "a kernel in %.0f ms with %s", result->elapsed_ms,
        result->compiler);
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
        row(doctor, "simulated GPU", ROW_FAILED, error.hint, "%s", error.message);
        return;
    }
    size_t wrong = 0;
    for (size_t i = 0; i < ELEMENTS; i++)
        wrong += element_to_double(ELEMENT_i32, data + OUT_OFFSET, i) != 2 * ((double)i - 50);
    if (result.end != ENGINE_COMPLETED)
        row(doctor, "simulated GPU", ROW_FAILED, "Please report this.", "%s", result.message);
    else if (wrong || result.hazard_count)
        row(doctor, "simulated GPU", ROW_FAILED, "Please report this.",
            "%zu of %d elements are wrong, %zu hazards", wrong, ELEMENTS, result.hazard_count);
    else
        row(doctor, "simulated GPU", ROW_OK, "",
            "a launch of 128 threads in %.1f ms on %u host "
            "thread%s",
            result.elapsed_ms, result.host_threads, result.host_threads == 1 ? "" : "s");
    engine_result_free(&result);
}

/* Workers that break a limit: the limit must end them. */
static void check_limits(struct doctor *doctor) {
    struct worker_limits defaults = worker_limits_resolve(NULL);
    struct worker_limits hasty = {.wall_seconds = 0.001}, small = {.memory_bytes = 8 << 20};
    struct build_result late = {0}, large = {0};
    struct error error = {0};
    enum status time = compile(&hasty, &late, &error);
    enum status memory = compile(&small, &large, &error);
    bool time_holds = time == STATUS_OK && late.end == BUILD_TIME_LIMIT;
    bool memory_holds = memory != STATUS_OK || !large.compiled;
#if defined(__SANITIZE_ADDRESS__)
    memory_holds =
        true; /* AddressSanitizer looks at its limit now and then: a compile may slip by */
#endif
    if (time_holds && memory_holds)
        row(doctor, "limits", ROW_OK, "",
            "enforced; by default %g s, %llu MiB of memory, %llu MiB of output a worker",
            defaults.wall_seconds, (unsigned long long)(defaults.memory_bytes >> 20),
            (unsigned long long)(defaults.output_bytes >> 20));
    else
        row(doctor, "limits", ROW_FAILED, "Grading hostile code needs them: use another machine.",
            "the %s limit does not end a worker that breaks it", time_holds ? "memory" : "time");
    build_result_free(&late);
    build_result_free(&large);
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
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .doc = "Shows what this machine can do, what is missing and how to get it. Exits with 0 "
               "where it can grade, else with 3."};
    enum color_choice color = COLOR_AUTO;
    command_parse(&parser, argc, argv, &color);
    struct doctor doctor = {.color = command_color(color, STDOUT_FILENO)};
    struct build_result build = {0};
    text_append(&doctor.out, "warpgrade " WARPGRADE_VERSION "\n\n");
    if (check_toolchain(&doctor) && check_compiler(&doctor, &build)) {
        check_simulator(&doctor, &build);
        check_limits(&doctor);
    }
    text_append(&doctor.out, doctor.failed ? "\nThis machine cannot grade yet.\n"
                                           : "\nThis machine can grade.\n");
    fputs(text_string(&doctor.out), stdout);
    build_result_free(&build);
    text_free(&doctor.out);
    return doctor.failed ? STATUS_ENVIRONMENT : STATUS_OK;
}
