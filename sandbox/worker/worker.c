/* Workers: what the jail knows of a run, in the terms of those who ask for one.
 *
 * The jail says which limit it enforced. A worker also counts as out of memory when it says so
 * itself (WORKER_EXIT_MEMORY, std::bad_alloc, ASan's message) or when it ends badly with nearly all
 * of its memory in use: RLIMIT_DATA makes malloc() fail before the kernel has anything to enforce.
 */
#include "sandbox/worker/worker.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/place/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct worker_limits worker_limits_resolve(const struct worker_limits *limits) {
    struct jail_limits jail = {0};
    if (limits)
        jail = (struct jail_limits){.wall_seconds = limits->wall_seconds,
                                    .cpu_seconds = limits->cpu_seconds,
                                    .memory_bytes = limits->memory_bytes,
                                    .output_bytes = limits->output_bytes};
    jail = jail_limits_resolve(JAIL_SIMULATOR, &jail);
    return (struct worker_limits){.wall_seconds = jail.wall_seconds,
                                  .cpu_seconds = jail.cpu_seconds,
                                  .memory_bytes = jail.memory_bytes,
                                  .output_bytes = jail.output_bytes};
}

char *worker_program(void) {
    /* A build folder has it beside the program, an installation in libexec/. */
    static const char *const places[] = {WORKER_NAME, "../libexec/warpgrade/" WORKER_NAME};
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        char *path = place_beside(places[i]);
        if (path && access(path, X_OK) == 0)
            return path;
        free(path);
    }
    return mem_strdup("/proc/self/exe");
}

/* Did it end because memory ran out? See the top of the file. */
static bool out_of_memory(const struct worker_result *result, uint64_t memory_bytes) {
    if (result->end == WORKER_FAILED && result->code == WORKER_EXIT_MEMORY)
        return true;
    static const char *const signs[] = {"std::bad_alloc", "hard rss limit exhausted",
                                        "allocator is out of memory", "warpgrade: out of memory"};
    const char *messages = text_string(&result->messages);
    for (size_t i = 0; i < ARRAY_LENGTH(signs); i++)
        if (strstr(messages, signs[i]))
            return true;
    return (double)result->peak_memory_bytes > 0.9 * (double)memory_bytes;
}

static enum worker_end end_of(const struct jail_result *jail) {
    static const enum worker_end ends[] = {
        [JAIL_LIMIT_WALL] = WORKER_TIME_LIMIT,     [JAIL_LIMIT_CPU] = WORKER_TIME_LIMIT,
        [JAIL_LIMIT_MEMORY] = WORKER_MEMORY_LIMIT, [JAIL_LIMIT_PROCESSES] = WORKER_STOPPED,
        [JAIL_LIMIT_OUTPUT] = WORKER_OUTPUT_LIMIT, [JAIL_LIMIT_FILE_SIZE] = WORKER_STOPPED,
        [JAIL_LIMIT_FILE_COUNT] = WORKER_STOPPED,  [JAIL_LIMIT_SYSCALL] = WORKER_STOPPED,
        [JAIL_LIMIT_CANCELLED] = WORKER_STOPPED,
    };
    if (jail->limit != JAIL_LIMIT_NONE)
        return ends[jail->limit];
    if (jail->signal)
        return WORKER_SIGNALLED;
    return jail->exit_code == 0 ? WORKER_EXITED : WORKER_FAILED;
}

/* Moves what the jail saw into the result. */
static void take_result(struct jail_result *jail, const struct jail_limits *limits,
                        struct worker_result *result) {
    *result = (struct worker_result){
        .end = end_of(jail),
        .code = jail->signal ? jail->signal : jail->exit_code,
        .response = jail->response,
        .messages = jail->messages,
        .wall_ms = jail->wall_ms,
        .cpu_ms = jail->cpu_ms,
        .peak_memory_bytes = jail->peak_memory_bytes,
    };
    bool itself = result->end == WORKER_FAILED || result->end == WORKER_SIGNALLED;
    if (itself && out_of_memory(result, limits->memory_bytes)) {
        result->end = WORKER_MEMORY_LIMIT;
        jail->limit = JAIL_LIMIT_MEMORY;
        jail->limit_value = (double)limits->memory_bytes;
        jail->seen_value = (double)result->peak_memory_bytes;
    }
    jail_limit_describe(jail, result->limit, sizeof result->limit);
}

enum status worker_run(const struct worker_spec *spec, struct worker_result *result,
                       struct error *error) {
    *result = (struct worker_result){0};
    const char *called = program_invocation_short_name;
    if (strcmp(called, WORKER_NAME) == 0)
        return error_set(error, STATUS_ENVIRONMENT,
                         "a worker may not start workers: main() must call worker_main() first");
    cleanup_free char *program = worker_program();
    const char *argv[] = {WORKER_NAME, spec->role, NULL};
    struct jail_limits limits = {.wall_seconds = spec->limits.wall_seconds,
                                 .cpu_seconds = spec->limits.cpu_seconds,
                                 .memory_bytes = spec->limits.memory_bytes,
                                 .output_bytes = spec->limits.output_bytes};
    struct jail_spec jail = {.profile = spec->profile,
                             .program = program,
                             .argv = argv,
                             .request = spec->request,
                             .request_length = spec->request_length,
                             .data_fd = spec->data_fd,
                             .shown = spec->shown,
                             .limits = jail_limits_resolve(spec->profile, &limits)};
    struct jail_result seen;
    enum status status = jail_run(&jail, &seen, error);
    if (status == STATUS_OK)
        take_result(&seen, &jail.limits, result);
    else
        jail_result_free(&seen);
    return status;
}

void worker_result_free(struct worker_result *result) {
    text_free(&result->response);
    text_free(&result->messages);
}
