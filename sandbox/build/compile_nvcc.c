/* nvcc for files that carry host code, and ptxas for real register counts: the toolkit's programs,
 * run inside a build worker.
 *
 * `nvcc -ptx` runs the device pass only: main() is parsed, with the host compiler's headers, and
 * leaves nothing in the PTX. It wants a folder for its intermediates: the one that the worker
 * starts in. The submission lies there under its own name, so that lines and file names are right.
 */
#include "sandbox/build/compile.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIXED_ARGUMENTS = 16, PTX_MAX = 64 << 20 };

struct arguments {
    char *strings[FIXED_ARGUMENTS + BUILD_MAX_DEFINES];
    size_t count;
};

static void arguments_add(struct arguments *arguments, char *string) {
    arguments->strings[arguments->count++] = string;
    arguments->strings[arguments->count] = NULL;
}

static void arguments_free(struct arguments *arguments) {
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->strings[i]);
}

/* A tool that crashed or was killed is out of memory or broken; one that refuses says why. */
static bool tool_works(int status, const char *tool, struct text *output, char *trouble,
                       size_t size) {
    if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127)
        return true;
    if (status >= 0 && WIFSIGNALED(status))
        snprintf(trouble, size, "%s was ended by signal %d", file_base_name(tool),
                 WTERMSIG(status));
    else
        snprintf(trouble, size, "%s cannot be run: %.300s", tool, text_string(output));
    return false;
}

static void nvcc_arguments(struct arguments *arguments, const struct build_job *job,
                           const char *input, const char *output) {
    arguments_add(arguments, mem_strdup(job->tool));
    arguments_add(arguments, mem_strdup("-ptx"));
    arguments_add(arguments, mem_strdup("-x"));
    arguments_add(arguments, mem_strdup("cu")); /* whatever the file's name ends in */
    arguments_add(arguments, mem_printf("-arch=%s", job->architecture));
    arguments_add(arguments, mem_strdup("-std=c++17"));
    arguments_add(arguments, mem_strdup(job->device_debug ? "-G" : "-lineinfo"));
    for (size_t i = 0; i < job->define_count; i++)
        arguments_add(arguments, mem_printf("-D%s", job->defines[i]));
    if (job->header_count) /* where they were written, for headers in angle brackets */
        arguments_add(arguments, mem_strdup("-I."));
    arguments_add(arguments, mem_strdup("-o"));
    arguments_add(arguments, mem_strdup(output));
    arguments_add(arguments, mem_strdup(input));
}

/* Where the worker started; the context of run_nvcc(). */
struct scratch {
    char path[4096];
};

static bool run_nvcc(void *context, const struct build_job *job, const struct compile_pass *pass,
                     struct compile_result *result, char *trouble, size_t trouble_size) {
    const struct scratch *scratch = context;
    bool alone = strcmp(pass->program, job->source) == 0;
    cleanup_free char *wrapper = file_join(scratch->path, "warpgrade-program.cu");
    cleanup_free char *output = file_join(scratch->path, "warpgrade-program.ptx");
    cleanup_free char *temporary = mem_printf("TMPDIR=%s", scratch->path);
    cleanup_free char *path = mem_printf("PATH=%s", job->path);
    cleanup_free char *home = mem_printf("HOME=%s", scratch->path);
    char *environment[] = {temporary, path, home, "LC_ALL=C.UTF-8", NULL};
    struct error error;
    unlink(output);
    if (!alone && file_write(wrapper, pass->program, strlen(pass->program), &error) != STATUS_OK) {
        snprintf(trouble, trouble_size, "%s", error.message);
        return false;
    }
    struct arguments arguments = {0};
    nvcc_arguments(&arguments, job, alone ? job->file_name : "warpgrade-program.cu", output);
    int status = tool_run(arguments.strings, environment, scratch->path, &result->log);
    arguments_free(&arguments);
    if (!tool_works(status, job->tool, &result->log, trouble, trouble_size))
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

static bool find_scratch(struct scratch *scratch, struct build_answer *answer) {
    if (getcwd(scratch->path, sizeof scratch->path))
        return true;
    answer->outcome = OUTCOME_TOOL_FAILED;
    snprintf(answer->trouble, sizeof answer->trouble, "there is no folder to work in");
    return false;
}

static bool write_file(const char *path, const char *text, size_t length,
                       struct build_answer *answer) {
    struct error error;
    cleanup_free char *folder = mem_strndup(path, (size_t)(file_base_name(path) - path));
    if (file_make_directories(folder, &error) == STATUS_OK &&
        file_write(path, text, length, &error) == STATUS_OK)
        return true;
    answer->outcome = OUTCOME_TOOL_FAILED;
    snprintf(answer->trouble, sizeof answer->trouble, "%.500s", error.message);
    return false;
}

static bool write_headers(const struct scratch *scratch, const struct build_job *job,
                          struct build_answer *answer) {
    for (size_t i = 0; i < job->header_count; i++) {
        cleanup_free char *path = file_join(scratch->path, job->header_names[i]);
        if (!write_file(path, job->header_texts[i], strlen(job->header_texts[i]), answer))
            return false;
    }
    return true;
}

static bool write_source(const char *path, const struct build_job *job,
                         struct build_answer *answer) {
    return write_file(path, job->source, job->source_length, answer);
}

void compile_with_nvcc(const struct build_job *job, struct build_answer *answer) {
    struct scratch scratch;
    snprintf(answer->compiler, sizeof answer->compiler, "nvcc");
    if (!find_scratch(&scratch, answer))
        return;
    cleanup_free char *source = file_join(scratch.path, job->file_name);
    if (!write_headers(&scratch, job, answer) || !write_source(source, job, answer))
        return;
    struct compiler compiler = {.run = run_nvcc, .context = &scratch, .takes_host_code = true};
    compile_submission(job, &compiler, answer);
}

void compile_assemble_with_ptxas(const struct build_job *job, struct build_answer *answer) {
    struct scratch scratch;
    snprintf(answer->compiler, sizeof answer->compiler, "ptxas");
    if (!find_scratch(&scratch, answer))
        return;
    /* Never /dev/null: ptxas removes its output on errors. */
    cleanup_free char *input = file_join(scratch.path, "warpgrade-program.ptx");
    cleanup_free char *cubin = file_join(scratch.path, "warpgrade-program.cubin");
    if (!write_source(input, job, answer))
        return;
    struct arguments arguments = {0};
    arguments_add(&arguments, mem_strdup(job->tool));
    arguments_add(&arguments, mem_strdup("-v"));
    arguments_add(&arguments, mem_printf("-arch=%s", job->architecture));
    arguments_add(&arguments, mem_strdup("-o"));
    arguments_add(&arguments, mem_strdup(cubin));
    arguments_add(&arguments, mem_strdup(input));
    char *environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL};
    int status = tool_run(arguments.strings, environment, scratch.path, &answer->output);
    arguments_free(&arguments);
    if (!tool_works(status, job->tool, &answer->output, answer->trouble, sizeof answer->trouble))
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
