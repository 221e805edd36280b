/* Checks before a worker is started, and the running of one job in one.
 *
 * A kernel's or constant's name becomes part of the program that is compiled, so it must be a name;
 * a source becomes a C string, so it must be text. */
#include "sandbox/build/request.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double DEFAULT_SECONDS = 10, CLOCK_FACTOR = 6;

struct worker_limits build_limits(const struct worker_limits *limits) {
    struct worker_limits own = limits ? *limits : (struct worker_limits){0};
    own.cpu_seconds = own.wall_seconds > 0 ? own.wall_seconds : DEFAULT_SECONDS;
    own.wall_seconds = CLOCK_FACTOR * own.cpu_seconds;
    return worker_limits_resolve(&own);
}

/* With a toolkit's parts and programs, and what stands beside NVRTC. */
enum { SHOWN_MAX = 24 };

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

bool build_header_name_is_sound(const char *name) {
    if (!isalnum((unsigned char)*name) && *name != '_')
        return false;
    if (strlen(name) > 255 || strstr(name, "..") || strncmp(name, "warpgrade-", 10) == 0)
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("_-+./", *name))
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
    if (request->option_count > BUILD_MAX_OPTIONS)
        return error_set(error, STATUS_INVALID, "at most %d options of nvcc's", BUILD_MAX_OPTIONS);
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
    if (request->header_count > BUILD_MAX_HEADERS)
        return error_set(error, STATUS_INVALID, "at most %d headers", BUILD_MAX_HEADERS);
    for (size_t i = 0; i < request->header_count; i++)
        if (!build_header_name_is_sound(request->headers[i].name))
            return error_set(error, STATUS_INVALID, "%s is no name of a header",
                             request->headers[i].name);
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
    size_t count;
    glob_t libraries;
    char *made[SHOWN_MAX]; /* those of paths that are freed */
    size_t made_count;
};

static void shown_free(struct shown *shown) {
    globfree(&shown->libraries);
    for (size_t i = 0; i < shown->made_count; i++)
        free(shown->made[i]);
}

static void show(struct shown *shown, const char *path) {
    if (shown->count < SHOWN_MAX)
        shown->paths[shown->count++] = path;
}

static void show_if_there(struct shown *shown, const char *folder, const char *name) {
    cleanup_free char *path = file_join(folder, name);
    if (access(path, F_OK) == 0 && shown->made_count < SHOWN_MAX) {
        show(shown, path);
        shown->made[shown->made_count++] = steal_pointer(&path);
    }
}

/* A toolkit's programs, by name, and its parts: never a whole folder, because nvcc may stand in
 * ~/bin. A folder without nvvm/, where the compiler proper is, is no toolkit, and of it only what
 * stands beside the program and has a toolkit's name is seen. The system's own is seen anyhow. */
static void show_toolkit(struct shown *shown, const char *tool) {
    static const char *const programs[] = {
        "nvcc",      "nvcc.profile", "crt",      "ptxas", "__nvcc_device_query", "cudafe++", "cicc",
        "fatbinary", "nvlink",       "cu++filt", "bin2c"};
    static const char *const parts[] = {"nvvm", "include", "lib", "lib64", "targets"};
    size_t length = (size_t)(file_base_name(tool) - tool);
    if (length < 2 || strncmp(tool, "/usr/bin/", 9) == 0)
        return;
    cleanup_free char *folder = mem_strndup(tool, length - 1);
    for (size_t i = 0; i < ARRAY_LENGTH(programs); i++)
        show_if_there(shown, folder, programs[i]);
    if (strcmp(file_base_name(folder), "bin") != 0)
        return;
    cleanup_free char *root = mem_strndup(folder, length - sizeof "/bin");
    cleanup_free char *compiler = file_join(root, "nvvm");
    for (size_t i = 0; i < ARRAY_LENGTH(parts) && access(compiler, F_OK) == 0; i++)
        show_if_there(shown, root, parts[i]);
}

static void show_nvrtc(struct shown *shown, const struct build_job *job) {
    if (job->include_directory[0])
        show(shown, job->include_directory);
    show(shown, job->library);
    cleanup_free char *pattern =
        mem_printf("%.*slibnvrtc-builtins.so*", (int)(file_base_name(job->library) - job->library),
                   job->library);
    if (glob(pattern, 0, NULL, &shown->libraries) == 0)
        for (size_t i = 0; i < shown->libraries.gl_pathc; i++)
            show(shown, shown->libraries.gl_pathv[i]);
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
    if (job->method == METHOD_PROGRAM)
        show(&shown, job->library);
    spec.profile = job->method == METHOD_NVRTC ? JAIL_COMPILER : JAIL_TOOLS;
    spec.shown = shown.paths;
    spec.limits.output_bytes = build_output_bytes(&spec.limits);
    struct worker_result worker;
    enum status status = worker_run(&spec, &worker, error);
    shown_free(&shown);
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
