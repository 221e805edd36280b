/* nvcc for files that carry host code and for whole programs, and ptxas for real register counts:
 * the toolkit's programs, run inside a build worker.
 *
 * `nvcc -ptx` runs the device pass only: main() is parsed, with the host compiler's headers, and
 * leaves nothing in the PTX. It wants a folder for its intermediates: the one that the worker
 * starts in. The submission lies there under its own name, so that lines and file names are right.
 */
#include "sandbox/build/compile.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/source_text.h"
#include "sandbox/build/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PTX_MAX = 64 << 20 };

static void add(struct tool_arguments *arguments, const char *word) {
    tool_arguments_add(arguments, mem_strdup(word));
}

/* nvcc includes cuda_runtime.h, that includes <cmath>, and from C++17 on libstdc++'s includes its
 * templates of special functions, which take a third of a small program's compilation. Here their
 * header counts as included already; what else it brings is brought in its place. */
static void leave_out(struct tool_arguments *arguments, const struct source_needs *needs) {
    if (!needs->libcudacxx)
        add(arguments, "-D" BUILD_SMALL_GROUPS);
    if (needs->special_functions)
        return;
    add(arguments, "-D_GLIBCXX_BITS_SPECFUN_H=1");
    add(arguments, "-include");
    add(arguments, "limits,type_traits,bits/stl_algobase.h");
}

static bool found_errors(int status) {
    return WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

static void nvcc_arguments(struct tool_arguments *arguments, const struct build_job *job,
                           const struct source_needs *needs, const char *input,
                           const char *output) {
    tool_arguments_add(arguments, mem_strdup(job->tool));
    tool_arguments_add(arguments, mem_strdup("-ptx"));
    tool_arguments_add(arguments, mem_strdup("-x"));
    tool_arguments_add(arguments, mem_strdup("cu")); /* whatever the file's name ends in */
    tool_arguments_add(arguments, mem_printf("-arch=%s", job->architecture));
    tool_arguments_add(arguments, mem_strdup("-std=c++17"));
    tool_arguments_add(arguments, mem_strdup(job->device_debug ? "-G" : "-lineinfo"));
    leave_out(arguments, needs);
    for (size_t i = 0; i < job->define_count; i++)
        tool_arguments_add(arguments, mem_printf("-D%s", job->defines[i]));
    if (job->header_count) /* where they were written, for headers in angle brackets */
        tool_arguments_add(arguments, mem_strdup("-I."));
    tool_arguments_add(arguments, mem_strdup("-o"));
    tool_arguments_add(arguments, mem_strdup(output));
    tool_arguments_add(arguments, mem_strdup(input));
}

static bool run_nvcc(void *context, const struct build_job *job, const struct compile_pass *pass,
                     struct compile_result *result, char *trouble, size_t trouble_size) {
    const struct scratch *scratch = context;
    bool alone = strcmp(pass->program, job->source) == 0;
    cleanup_free char *wrapper = file_join(scratch->path, "warpgrade-program.cu");
    cleanup_free char *output = file_join(scratch->path, "warpgrade-program.ptx");
    struct error error;
    unlink(output);
    if (!alone && file_write(wrapper, pass->program, strlen(pass->program), &error) != STATUS_OK) {
        snprintf(trouble, trouble_size, "%s", error.message);
        return false;
    }
    struct source_needs needs = source_find_needs(job);
    int status;
    do {
        struct tool_arguments arguments = {0};
        nvcc_arguments(&arguments, job, &needs, alone ? job->file_name : "warpgrade-program.cu",
                       output);
        text_clear(&result->log);
        status = scratch_run_tool(scratch, job, &arguments, &result->log);
        tool_arguments_free(&arguments);
    } while (found_errors(status) && source_missed_needs(text_string(&result->log), &needs));
    if (!tool_is_sound(status, job->tool, &result->log, trouble, trouble_size))
        return false;
    char *ptx = NULL;
    size_t length = 0;
    result->compiled = WEXITSTATUS(status) == 0;
    if (result->compiled) {
        if (file_read(output, PTX_MAX, &ptx, &length, &error) != STATUS_OK) {
            snprintf(trouble, trouble_size, "%s", error.message);
            return false;
        }
        text_append_bytes(&result->ptx, ptx, length);
        free(ptx);
    }
    return true;
}

void compile_with_nvcc(const struct build_job *job, struct build_answer *answer) {
    struct scratch scratch;
    snprintf(answer->compiler, sizeof answer->compiler, "nvcc");
    if (!scratch_find(&scratch, answer))
        return;
    cleanup_free char *source = file_join(scratch.path, job->file_name);
    if (!scratch_write_headers(&scratch, job, answer) || !scratch_write_source(source, job, answer))
        return;
    struct compiler compiler = {.run = run_nvcc, .context = &scratch, .takes_host_code = true};
    compile_submission(job, &compiler, answer);
}

/* ---- whole programs: host and device code, PTX inside, linked with our CUDA runtime ---- */

enum { PROGRAM_MAX = 48 << 20, SAID_MAX = 400 };

static const char output_name[] = "warpgrade-program", object_name[] = "warpgrade-program.o";

/* nvcc links host code twice, for device code of several files first: a tenth of the time that a
 * small program takes. Without options there is none, and the host compiler alone links. */
static bool is_linked_apart(const struct build_job *job) {
    return job->option_count == 0;
}

/* PTX as it is: what decompresses it in a program's own process would be one library more. Programs
 * that need it are usually built with lambdas of the device, and with functions of the standard
 * library that are constexpr; the first make nvcc include <functional>. */
static void program_arguments(struct tool_arguments *arguments, const struct build_job *job,
                              const struct source_needs *needs) {
    add(arguments, job->tool);
    add(arguments, "-x");
    add(arguments, "cu");
    tool_arguments_add(arguments, mem_printf("-arch=%s", job->architecture));
    add(arguments, job->device_debug ? "-G" : "-lineinfo");
    add(arguments, "-Xcompiler");
    add(arguments, BUILD_HOST_LINES);
    add(arguments, "--no-compress");
    if (needs->device_lambdas)
        add(arguments, "--extended-lambda");
    leave_out(arguments, needs);
    add(arguments, "--expt-relaxed-constexpr");
    add(arguments, "-cudart");
    add(arguments, "shared");
    tool_arguments_add(arguments, mem_printf("-L%s", job->library));
    for (size_t i = 0; i < job->define_count; i++)
        tool_arguments_add(arguments, mem_printf("-D%s", job->defines[i]));
    for (size_t i = 0; i < job->option_count; i++)
        add(arguments, job->options[i]);
    if (job->header_count) {
        add(arguments, "-I.");
        add(arguments, "-I" BUILD_HEADER_ROOT);
    }
    if (is_linked_apart(job))
        add(arguments, "-c");
    add(arguments, "-o");
    add(arguments, is_linked_apart(job) ? object_name : output_name);
    add(arguments, job->file_name);
}

/* What only the linker says has no place in the source. */
static void keep_log(const struct build_job *job, const struct text *log,
                     struct build_answer *answer) {
    struct diagnostic_list list = {0};
    diagnostics_parse(text_string(log), job->file_name, job->source, &list);
    bool has_error = false;
    for (size_t i = 0; i < list.count; i++)
        has_error |= list.items[i].severity == BUILD_ERROR;
    if (!has_error && answer->outcome == OUTCOME_ERRORS) {
        struct build_diagnostic *said = mem_push(&list.items, &list.count, &list.capacity);
        said->severity = BUILD_ERROR;
        snprintf(said->text, sizeof said->text, "%.*s", SAID_MAX, text_string(log));
    }
    diagnostics_cap(&list, BUILD_MAX_DIAGNOSTICS);
    answer->diagnostics = list.items;
    answer->diagnostic_count = list.count;
    answer->diagnostic_capacity = list.capacity;
}

/* What stands below the root of headers has the name by which it was included again. */
static void forget_root(struct text *log) {
    cleanup_text struct text short_log = {0};
    const char *from = text_string(log), *root;
    for (; (root = strstr(from, BUILD_HEADER_ROOT)); from = root + strlen(BUILD_HEADER_ROOT))
        text_append_bytes(&short_log, from, (size_t)(root - from));
    text_append(&short_log, from);
    text_clear(log);
    text_append(log, text_string(&short_log));
}

static void take_program(const struct scratch *scratch, struct build_answer *answer) {
    cleanup_free char *path = file_join(scratch->path, output_name);
    cleanup_free char *bytes = NULL;
    size_t length = 0;
    struct error error;
    if (file_read(path, PROGRAM_MAX, &bytes, &length, &error) == STATUS_OK) {
        text_append_bytes(&answer->output, bytes, length);
        return;
    }
    answer->outcome = OUTCOME_TOOL_FAILED;
    snprintf(answer->trouble, sizeof answer->trouble, "%.500s", error.message);
}

/* By the host compiler, which nvcc takes for it, too. */
static int link_program(const struct scratch *scratch, const struct build_job *job,
                        struct text *log) {
    struct tool_arguments arguments = {0};
    char *linker = file_find_program(job->path, "g++");
    if (!linker) {
        text_append(log, "g++ is not installed");
        return -1;
    }
    tool_arguments_add(&arguments, linker);
    add(&arguments, object_name);
    tool_arguments_add(&arguments, mem_printf("-L%s", job->library));
    add(&arguments, "-lcudart");
    add(&arguments, "-o");
    add(&arguments, output_name);
    int status = scratch_run_tool(scratch, job, &arguments, log);
    tool_arguments_free(&arguments);
    return status;
}

/* *tool: what ran last. */
static int run_program_compiler(const struct scratch *scratch, const struct build_job *job,
                                struct text *log, const char **tool) {
    struct source_needs needs = source_find_needs(job);
    int status;
    do {
        struct tool_arguments arguments = {0};
        program_arguments(&arguments, job, &needs);
        text_clear(log);
        status = scratch_run_tool(scratch, job, &arguments, log);
        tool_arguments_free(&arguments);
    } while (found_errors(status) && source_missed_needs(text_string(log), &needs));
    bool compiled = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    *tool = compiled && is_linked_apart(job) ? "g++" : job->tool;
    return compiled && is_linked_apart(job) ? link_program(scratch, job, log) : status;
}

void compile_program(const struct build_job *job, struct build_answer *answer) {
    struct scratch scratch;
    cleanup_text struct text log = {0};
    snprintf(answer->compiler, sizeof answer->compiler, "nvcc");
    if (!scratch_find(&scratch, answer))
        return;
    cleanup_free char *source = file_join(scratch.path, job->file_name);
    if (!scratch_write_headers(&scratch, job, answer) || !scratch_write_source(source, job, answer))
        return;
    const char *tool;
    int status = run_program_compiler(&scratch, job, &log, &tool);
    forget_root(&log);
    if (!tool_is_sound(status, tool, &log, answer->trouble, sizeof answer->trouble)) {
        answer->outcome = OUTCOME_TOOL_FAILED;
        return;
    }
    answer->outcome = WEXITSTATUS(status) == 0 ? OUTCOME_COMPILED : OUTCOME_ERRORS;
    keep_log(job, &log, answer);
    if (answer->outcome == OUTCOME_COMPILED)
        take_program(&scratch, answer);
}

/* ---- ptxas ---- */

void compile_assemble_with_ptxas(const struct build_job *job, struct build_answer *answer) {
    struct scratch scratch;
    snprintf(answer->compiler, sizeof answer->compiler, "ptxas");
    if (!scratch_find(&scratch, answer))
        return;
    /* Never /dev/null: ptxas removes its output on errors. */
    cleanup_free char *input = file_join(scratch.path, "warpgrade-program.ptx");
    cleanup_free char *cubin = file_join(scratch.path, "warpgrade-program.cubin");
    if (!scratch_write_source(input, job, answer))
        return;
    struct tool_arguments arguments = {0};
    tool_arguments_add(&arguments, mem_strdup(job->tool));
    tool_arguments_add(&arguments, mem_strdup("-v"));
    tool_arguments_add(&arguments, mem_printf("-arch=%s", job->architecture));
    tool_arguments_add(&arguments, mem_strdup("-o"));
    tool_arguments_add(&arguments, mem_strdup(cubin));
    tool_arguments_add(&arguments, mem_strdup(input));
    char *environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
    int status = tool_run(arguments.strings, environment, scratch.path, &answer->output);
    tool_arguments_free(&arguments);
    if (!tool_is_sound(status, job->tool, &answer->output, answer->trouble, sizeof answer->trouble))
        answer->outcome = OUTCOME_TOOL_FAILED;
    else
        answer->outcome = WEXITSTATUS(status) == 0 ? OUTCOME_COMPILED : OUTCOME_ERRORS;
    char *bytes = NULL;
    size_t length = 0;
    if (answer->outcome == OUTCOME_COMPILED &&
        file_read(cubin, PTX_MAX, &bytes, &length, NULL) == STATUS_OK)
        text_append_bytes(&answer->cubin, bytes, length);
    free(bytes);
}
