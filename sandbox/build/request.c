/* Checks before a worker is started, and the running of one job in one.
 *
 * A kernel's or constant's name becomes part of the program that is compiled, so it must be a name;
 * a source becomes a C string, so it must be text. */
#include "sandbox/build/request.h"

#include "grader/base/file.h"
#include "grader/base/memory.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 16 };

bool build_source_check(const char *name, const char *source, size_t length,
                        struct build_result *result) {
    char *message = result->message;
    size_t size = sizeof result->message;
    const unsigned char *bytes = (const unsigned char *)source;
    if (length > BUILD_SOURCE_MAX) {
        snprintf(message, size, "%s is too large: %zu bytes, at most %d MiB", name, length,
                 BUILD_SOURCE_MAX >> 20);
        snprintf(result->hint, sizeof result->hint, "Hand in the source of your kernel only.");
        return false;
    }
    if (length >= 2 &&
        ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff))) {
        snprintf(message, size, "%s is saved as UTF-16, which the compiler does not read", name);
        snprintf(result->hint, sizeof result->hint, "Save it as UTF-8 in your editor.");
        return false;
    }
    const char *nul = memchr(source, '\0', length);
    if (nul) {
        snprintf(message, size, "%s is not a text file (byte 0 at offset %zu)", name,
                 (size_t)(nul - source));
        snprintf(result->hint, sizeof result->hint,
                 "Hand in the .cu source, not a compiled program or an archive.");
        return false;
    }
    size_t blank = 0;
    while (blank < length && isspace(bytes[blank]))
        blank++;
    if (blank == length) {
        snprintf(message, size, "%s is empty", name);
        snprintf(result->hint, sizeof result->hint, "Write your kernel into it.");
        return false;
    }
    return true;
}

static bool is_identifier(const char *name, const char *more) {
    if (!*name || isdigit((unsigned char)*name))
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && !strchr(more, *name))
            return false;
    return true;
}

static enum status check_architecture(const char *architecture, struct error *error) {
    unsigned number;
    char rest[8] = "";
    int fields = sscanf(architecture, "compute_%u%7s", &number, rest);
    if (fields < 1)
        fields = sscanf(architecture, "sm_%u%7s", &number, rest);
    bool suffix = fields == 1 || strcmp(rest, "a") == 0 || strcmp(rest, "f") == 0;
    if (fields >= 1 && suffix)
        return STATUS_OK;
    error_set(error, STATUS_INVALID, "%s is no architecture", architecture);
    error_hint(error, "Write it like compute_80 (Ampere) or compute_90 (Hopper).");
    return STATUS_INVALID;
}

enum status build_request_check(const struct build_request *request, struct error *error) {
    if (request->constant_count > BUILD_MAX_CONSTANTS || request->define_count > BUILD_MAX_DEFINES)
        return error_set(error, STATUS_INVALID, "at most %d constants and %d defines",
                         BUILD_MAX_CONSTANTS, BUILD_MAX_DEFINES);
    if (request->kernel &&
        (!is_identifier(request->kernel, ":<>, *&()") || strlen(request->kernel) > 255))
        return error_set(error, STATUS_INVALID, "%s is no name of a kernel", request->kernel);
    for (size_t i = 0; i < request->constant_count; i++)
        if (!is_identifier(request->constants[i], ":") || strlen(request->constants[i]) > 63)
            return error_set(error, STATUS_INVALID, "%s is no name of a constant",
                             request->constants[i]);
    for (size_t i = 0; i < request->define_count; i++) {
        const char *define = request->defines[i];
        cleanup_free char *name = mem_strndup(define, strcspn(define, "="));
        if (!is_identifier(name, "") || strpbrk(define, "\r\n"))
            return error_set(error, STATUS_INVALID, "%s is no definition: write NAME or NAME=VALUE",
                             define);
    }
    return request->architecture ? check_architecture(request->architecture, error) : STATUS_OK;
}

/* How a worker died, for the message about a crash. */
static void describe_crash(const struct worker_result *worker, char *trouble, size_t size) {
    if (worker->end == WORKER_STOPPED)
        snprintf(trouble, size, "%s", worker->limit);
    else if (worker->end == WORKER_SIGNALLED)
        snprintf(trouble, size, "signal %d, %s", worker->code,
                 sigdescr_np(worker->code) ? sigdescr_np(worker->code) : "unknown");
    else if (worker->end == WORKER_FAILED)
        snprintf(trouble, size, "exit code %d", worker->code);
    else
        snprintf(trouble, size, "its answer is not valid");
}

static enum build_end end_of(enum worker_end end) {
    switch (end) {
    case WORKER_EXITED:
        return BUILD_DONE;
    case WORKER_TIME_LIMIT:
        return BUILD_TIME_LIMIT;
    case WORKER_MEMORY_LIMIT:
        return BUILD_MEMORY_LIMIT;
    case WORKER_OUTPUT_LIMIT:
        return BUILD_OUTPUT_LIMIT;
    case WORKER_FAILED:
    case WORKER_SIGNALLED:
    case WORKER_STOPPED:
        break;
    }
    return BUILD_CRASHED;
}

/* What the compiler reads: its libraries and headers, or the toolkit that a program is part of. */
struct shown {
    const char *paths[SHOWN_MAX + 1];
    glob_t libraries;
    char root[PATH_MAX];
};

/* The folder above bin/. The system's own is seen anyhow. */
static void show_toolkit(struct shown *shown, const char *tool) {
    size_t folder = (size_t)(file_base_name(tool) - tool);
    if (folder < 2)
        return;
    snprintf(shown->root, sizeof shown->root, "%.*s", (int)folder - 1, tool);
    char *slash = strrchr(shown->root, '/');
    if (slash && slash > shown->root && strcmp(slash, "/bin") == 0)
        *slash = '\0';
    if (strcmp(shown->root, "/usr") != 0 && strncmp(shown->root, "/usr/bin", 8) != 0 &&
        shown->root[1])
        shown->paths[0] = shown->root;
}

static void show_nvrtc(struct shown *shown, const struct build_job *job) {
    size_t count = 0;
    if (job->include_directory[0])
        shown->paths[count++] = job->include_directory;
    shown->paths[count++] = job->library;
    cleanup_free char *pattern =
        mem_printf("%.*slibnvrtc-builtins.so*", (int)(file_base_name(job->library) - job->library),
                   job->library);
    if (glob(pattern, 0, NULL, &shown->libraries) == 0)
        for (size_t i = 0; i < shown->libraries.gl_pathc && count < SHOWN_MAX; i++)
            shown->paths[count++] = shown->libraries.gl_pathv[i];
}

uint64_t build_output_bytes(const struct worker_limits *limits) {
    static const uint64_t least = 64 << 20; /* unrolled kernels have megabytes of PTX */
    return limits->output_bytes < least ? least : limits->output_bytes;
}

enum status build_run_job(const struct build_job *job, const struct worker_limits *limits,
                          enum build_end *end, struct build_answer *answer, struct text *response,
                          struct error *error) {
    *answer = (struct build_answer){0};
    cleanup_text struct text request = {0};
    protocol_frame(&request, build_job_encode(job), job->source, job->source_length);
    struct worker_spec spec = {.role = job->method == METHOD_NVRTC ? "build" : "tools",
                               .request = request.data,
                               .request_length = request.length,
                               .data_fd = -1,
                               .limits = worker_limits_resolve(limits)};
    struct shown shown = {0};
    if (job->method == METHOD_NVRTC)
        show_nvrtc(&shown, job);
    else
        show_toolkit(&shown, job->tool);
    spec.profile = job->method == METHOD_NVRTC ? JAIL_COMPILER : JAIL_TOOLS;
    spec.shown = shown.paths;
    spec.limits.output_bytes = build_output_bytes(&spec.limits);
    struct worker_result worker;
    enum status status = worker_run(&spec, &worker, error);
    globfree(&shown.libraries);
    if (status == STATUS_OK) {
        *end = end_of(worker.end);
        cleanup_message struct protocol_message message = {0};
        const char *culprit;
        if (*end == BUILD_DONE &&
            (!protocol_parse(text_string(&worker.response), worker.response.length, &message) ||
             !build_answer_decode(&message, answer, &culprit)))
            *end = BUILD_CRASHED;
        else if (*end == BUILD_DONE && response)
            text_append_bytes(response, worker.response.data, worker.response.length);
        if (*end == BUILD_CRASHED)
            describe_crash(&worker, answer->trouble, sizeof answer->trouble);
        else if (*end != BUILD_DONE)
            snprintf(answer->trouble, sizeof answer->trouble, "%s", worker.limit);
    }
    worker_result_free(&worker);
    return status;
}
