/* engine_run(): one launch in a worker process of its own.
 *
 * The buffers stand in a memfd whose size is sealed. The worker maps it and the simulated GPU works
 * on it in place; when the worker is dead, and not before, the trusted side copies exactly the
 * bytes of the requested buffers back. Nothing that a worker says can make the copy longer, and
 * nothing can change under the judge's eyes. A worker that dies or answers nonsense leaves
 * launch->data as it was. */
#include "sandbox/engine/engine.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/engine/probe_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A launch is asked to stop when its time is over, so that it can say what it has found; a worker
 * that does not stop is killed after this many more seconds. */
#define GRACE_SECONDS 2.0

enum { PTX_MAX = 64 << 20 };

static int share_data(const struct engine_launch *launch) {
    cleanup_fd int descriptor = memfd_create("warpgrade-data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0 || !file_write_at(descriptor, launch->data, launch->data_length, 0) ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return -1;
    return steal_fd(&descriptor);
}

/* The last line of what the worker wrote to descriptor 2, for messages about crashes. */
static const char *last_message(struct text *messages) {
    char *text = messages->data;
    size_t length = messages->length;
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\0'))
        text[--length] = '\0';
    if (length == 0)
        return "";
    char *newline = memrchr(text, '\n', length);
    return newline ? newline + 1 : text;
}

static const char *signal_name(int number) {
    const char *name = sigdescr_np(number);
    return name ? name : "unknown";
}

static void describe_end(struct worker_result *worker, const struct worker_limits *limits,
                         struct engine_result *result) {
    static const enum engine_end ends[] = {
        [WORKER_EXITED] = ENGINE_COMPLETED,          [WORKER_FAILED] = ENGINE_CRASHED,
        [WORKER_SIGNALLED] = ENGINE_CRASHED,         [WORKER_TIME_LIMIT] = ENGINE_TIME_LIMIT,
        [WORKER_MEMORY_LIMIT] = ENGINE_MEMORY_LIMIT, [WORKER_OUTPUT_LIMIT] = ENGINE_OUTPUT_LIMIT,
        [WORKER_STOPPED] = ENGINE_CRASHED,
    };
    result->end = ends[worker->end];
    char *message = result->message;
    size_t size = sizeof result->message;
    const char *said = last_message(&worker->messages);
    switch (worker->end) {
    case WORKER_EXITED:
        break;
    case WORKER_FAILED:
        snprintf(message, size, "the simulated GPU ended with code %d%s%.400s", worker->code,
                 *said ? ": " : "", said);
        break;
    case WORKER_SIGNALLED:
        snprintf(message, size, "the simulated GPU was ended by signal %d (%s)%s%.400s",
                 worker->code, signal_name(worker->code), *said ? ": " : "", said);
        break;
    case WORKER_TIME_LIMIT:
        if (strncmp(worker->limit, "CPU", 3) == 0)
            snprintf(message, size, "the launch was stopped: %s", worker->limit);
        else
            snprintf(message, size, "the launch did not end within %s s",
                     decimal(limits->wall_seconds, 6).text);
        break;
    case WORKER_MEMORY_LIMIT:
        snprintf(message, size, "the launch needs more than %llu MiB of memory",
                 (unsigned long long)(limits->memory_bytes >> 20));
        break;
    case WORKER_OUTPUT_LIMIT:
        snprintf(message, size, "the worker answered with more than %llu MiB",
                 (unsigned long long)(limits->output_bytes >> 20));
        break;
    case WORKER_STOPPED:
        snprintf(message, size, "the simulated GPU was stopped: %s", worker->limit);
        break;
    }
}

static void distrust(struct engine_result *result, const char *culprit) {
    engine_result_free(result);
    result->end = ENGINE_CRASHED;
    snprintf(result->message, sizeof result->message,
             "the simulated GPU's answer is not valid (%s)", culprit);
}

/* Where a launch that did not end spent its time, of the lines of its own file; 0: unknown. */
static unsigned busiest_line(const struct engine_result *result, const char *file_name) {
    const struct line_counters *busiest = NULL;
    for (size_t i = 0; i < result->line_count; i++) {
        const struct line_counters *line = &result->lines[i];
        if (strcmp(line->file, file_name) == 0 &&
            (!busiest ||
             line->counters.thread_instructions > busiest->counters.thread_instructions))
            busiest = line;
    }
    return busiest ? busiest->line : 0;
}

static void describe_expiry(const struct engine_launch *launch, struct engine_result *result) {
    char where[64] = "";
    unsigned line = busiest_line(result, launch->file_name);
    if (line)
        snprintf(where, sizeof where, ", most of it in line %u", line);
    snprintf(result->message, sizeof result->message, "the launch did not end within %s s%s%s",
             decimal(launch->wall_seconds, 6).text, where,
             result->hazard_count ? "; the hazards are those found until then" : "");
}

static void take_response(const struct worker_result *worker, const struct engine_launch *launch,
                          int data_fd, struct engine_result *result) {
    cleanup_message struct protocol_message message;
    const char *culprit = "frame";
    if (!protocol_parse(text_string(&worker->response), worker->response.length, &message) ||
        message.bulk_length > ENGINE_PRINTED_MAX ||
        !engine_wire_decode_result(message.control, result, &culprit)) {
        distrust(result, culprit);
        return;
    }
    if (!probe_wire_are_wanted(launch, result)) {
        distrust(result, "elements");
        return;
    }
    text_append_bytes(&result->printed, message.bulk, message.bulk_length);
    if (result->end == ENGINE_TIME_LIMIT)
        describe_expiry(launch, result);
    if (result->end == ENGINE_COMPLETED && launch->data_length && !launch->keeps_data &&
        !file_read_at(data_fd, launch->data, launch->data_length, 0))
        distrust(result, "data");
}

static enum status check_launch(const struct engine_launch *launch, struct error *error) {
    if (launch->argument_count > ENGINE_MAX_ARGUMENTS)
        return error_set(error, STATUS_INVALID, "a launch of %s has %zu arguments, at most %d",
                         launch->kernel, launch->argument_count, ENGINE_MAX_ARGUMENTS);
    if (launch->probe_count > ENGINE_MAX_ELEMENTS || launch->wanted_elements > ENGINE_MAX_ELEMENTS)
        return error_set(error, STATUS_INVALID, "a launch of %s asks for more than %d elements",
                         launch->kernel, ENGINE_MAX_ELEMENTS);
    if (launch->ptx_length > PTX_MAX)
        return error_set(error, STATUS_INVALID, "the PTX of %s is larger than %d MiB",
                         launch->kernel, PTX_MAX >> 20);
    return STATUS_OK;
}

enum status engine_run(const struct engine_launch *launch, const struct worker_limits *limits,
                       struct engine_result *result, struct error *error) {
    *result = (struct engine_result){0};
    enum status status = check_launch(launch, error);
    if (status != STATUS_OK)
        return status;
    cleanup_fd int data_fd = share_data(launch);
    if (data_fd < 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot share %zu bytes with a worker: %s",
                         launch->data_length, strerror(errno));
    cleanup_text struct text request = {0};
    struct worker_limits full = worker_limits_resolve(limits), with_grace = full;
    struct engine_launch timed = *launch;
    timed.wall_seconds = full.wall_seconds;
    timed.most_seconds = full.wall_seconds * LAUNCH_BUSY_MACHINE;
    with_grace.cpu_seconds *= (full.wall_seconds + GRACE_SECONDS) / full.wall_seconds;
    with_grace.wall_seconds = timed.most_seconds + GRACE_SECONDS;
    protocol_frame(&request, engine_wire_encode_launch(&timed), launch->ptx, launch->ptx_length);
    struct worker_spec spec = {.role = "sim",
                               .request = request.data,
                               .request_length = request.length,
                               .data_fd = data_fd,
                               .limits = with_grace,
                               .profile = JAIL_SIMULATOR};
    struct worker_result worker;
    status = worker_run(&spec, &worker, error);
    if (status == STATUS_OK) {
        describe_end(&worker, &full, result);
        if (worker.end == WORKER_EXITED)
            take_response(&worker, &timed, data_fd, result);
    }
    worker_result_free(&worker);
    return status;
}
