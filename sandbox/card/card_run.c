/* card_run(): two jails that run at the same time, one of them in a thread of its own.
 *
 * The program's end closes the socket, the card's worker then reports and ends by itself; it is
 * ended where it does not. A worker that ends early closes the socket, too: the library says so and
 * ends the program. Both ends are closed here once their process is started, so that each sees the
 * other's end. */
#include "sandbox/card/card.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/card/card_wire.h"
#include "sandbox/card/metal/metal_session.h"
#include "sandbox/place/place.h"
#include "sandbox/runtime/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONGER = 5 }; /* seconds that the worker has more than the program, to report */
enum { REPORT_MAX = 128 << 20 };

static const double default_seconds = 60;
static const uint64_t default_memory = (uint64_t)4 << 30;

/* What drives a card has the driver's own memory, too. */
static const uint64_t metal_memory = (uint64_t)16 << 30;
static const double open_seconds = 120; /* many cards without persistence mode */

struct pair {
    int program_end, worker_end; /* of the socket */
    int window;
    int cancel_read, cancel_write; /* ends the worker */
    struct jail_meter program_meter, worker_meter;
};

struct worker_thread {
    struct jail_spec spec;
    struct jail_result jail;
    enum status status;
    struct error error;
    int socket;  /* the worker's end: shut down when it has ended */
    int channel; /* of one that drives a card, likewise; -1: none */
};

static void close_pair(struct pair *pair) {
    int *all[] = {&pair->program_end, &pair->worker_end, &pair->window, &pair->cancel_read,
                  &pair->cancel_write};
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
        cleanup_fd_function(all[i]);
}

static bool open_pair(struct pair *pair, uint64_t arena_bytes) {
    int ends[2], cancel[2];
    *pair = (struct pair){
        .program_end = -1, .worker_end = -1, .window = -1, .cancel_read = -1, .cancel_write = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    pair->program_end = ends[0];
    pair->worker_end = ends[1];
    if (pipe2(cancel, O_CLOEXEC) != 0)
        return false;
    pair->cancel_read = cancel[0];
    pair->cancel_write = cancel[1];
    pair->window = memfd_create("warpgrade-window", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return pair->window >= 0 && ftruncate(pair->window, (off_t)(WIRE_WINDOW + arena_bytes)) == 0 &&
           fcntl(pair->window, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

/* As it would be called where it was built: for the library, see runtime/host/name.c. */
static bool write_name(int window, const char *file_name) {
    size_t length = strlen(file_name);
    bool source = length > 3 && strcmp(file_name + length - 3, ".cu") == 0;
    cleanup_free char *name = mem_printf("./%.*s", (int)(source ? length - 3 : length), file_name);
    size_t bytes = strlen(name) + 1;
    return !*file_name || bytes > WIRE_NAME_MAX || pwrite(window, name, bytes, 0) == (ssize_t)bytes;
}

static void *run_worker(void *argument) {
    struct worker_thread *worker = argument;
    worker->status = jail_run(&worker->spec, &worker->jail, &worker->error);
    shutdown(worker->socket, SHUT_RDWR);
    if (worker->channel >= 0)
        shutdown(worker->channel, SHUT_RDWR);
    return NULL;
}

static double seconds_of(const struct card_program *program) {
    return program->wall_seconds > 0 ? program->wall_seconds : default_seconds;
}

static struct jail_limits limits_of(const struct card_program *program, double more_seconds) {
    double seconds = seconds_of(program);
    return (struct jail_limits){.wall_seconds = seconds + more_seconds,
                                .most_seconds = seconds * LAUNCH_BUSY_MACHINE + more_seconds,
                                .memory_bytes =
                                    program->memory_bytes ? program->memory_bytes : default_memory,
                                .output_bytes = program->output_bytes};
}

/* What is allocated has a shadow, cells of the race detector, and a copy while a kernel runs; a
 * card's has none of it. */
static uint64_t capacity_of(const struct card_program *program) {
    enum { PAGE = 4096, PARTS = 4 };
    uint64_t parts = program->card ? 1 : PARTS;
    return limits_of(program, 0).memory_bytes / parts / PAGE * PAGE;
}

static void write_setup(const struct card_program *program, struct text *request) {
    struct engine_launch common = {.kernel = "",
                                   .file_name = program->file_name,
                                   .device = program->device,
                                   .no_checks = program->no_checks,
                                   .threads = program->threads,
                                   .seed = program->seed,
                                   .budget = program->budget,
                                   .wall_seconds = seconds_of(program)};
    const struct card_task *task = program->task;
    protocol_frame(request, card_wire_encode_setup(&common, task, capacity_of(program)),
                   task ? task->data : NULL, task ? task->data_length : 0);
}

static void distrust(struct card_result *result, const char *format, const char *detail) {
    engine_result_free(&result->found);
    result->found = (struct engine_result){.end = ENGINE_CRASHED};
    snprintf(result->found.message, sizeof result->found.message, format, detail);
}

static size_t data_length_of(const struct card_program *program) {
    return program->task ? program->task->data_length : 0;
}

/* What the outputs hold only of a function that came back: what others left is of no use. */
static bool take_bulk(const struct card_program *program, const struct protocol_message *message,
                      struct card_result *result) {
    size_t length = data_length_of(program);
    if (message->bulk_length < length)
        return false;
    if (program->task && result->task.returned)
        memcpy(program->task->data, message->bulk, length);
    text_append_bytes(&result->task.computed, message->bulk + length,
                      message->bulk_length - length);
    return true;
}

/* Its own allocations fail before the jail ends it. */
static void describe_memory(const struct worker_thread *worker, char *how, size_t size) {
    struct jail_result reached = worker->jail;
    reached.limit = JAIL_LIMIT_MEMORY;
    reached.limit_value = (double)worker->spec.limits.memory_bytes;
    jail_limit_describe(&reached, how, size);
}

static void take_report(const struct card_program *program, const struct worker_thread *worker,
                        struct card_result *result) {
    const struct jail_result *jail = &worker->jail;
    char how[128];
    cleanup_message struct protocol_message message = {0};
    const char *culprit = "frame";
    jail_limit_describe(jail, how, sizeof how);
    if (jail->limit == JAIL_LIMIT_NONE && jail->signal)
        snprintf(how, sizeof how, "signal %d", jail->signal);
    else if (jail->limit == JAIL_LIMIT_NONE && jail->exit_code == WORKER_EXIT_MEMORY)
        describe_memory(worker, how, sizeof how);
    else if (jail->limit == JAIL_LIMIT_NONE && jail->exit_code != 0)
        snprintf(how, sizeof how, "exit code %d", jail->exit_code);
    if (*how)
        distrust(result,
                 program->card ? "the card's worker was stopped: %s"
                               : "the simulated GPU was stopped: %s",
                 how);
    else if (!protocol_parse(text_string(&jail->response), jail->response.length, &message) ||
             !card_wire_decode_report(message.control, result, &culprit) ||
             !take_bulk(program, &message, result))
        distrust(result,
                 program->card ? "the report of the card's worker is not valid (%s)"
                               : "the simulated GPU's report is not valid (%s)",
                 culprit);
}

/* RLIMIT_DATA makes malloc() fail, which few programs look at, before the kernel ends anything. */
static void blame_memory(struct jail_result *host, uint64_t memory_bytes) {
    if (host->limit != JAIL_LIMIT_NONE || !host->signal ||
        (double)host->peak_memory_bytes < 0.9 * (double)memory_bytes)
        return;
    host->limit = JAIL_LIMIT_MEMORY;
    host->limit_value = (double)memory_bytes;
    host->seen_value = (double)host->peak_memory_bytes;
}

static enum status run_program(const struct card_program *program, struct pair *pair,
                               struct card_result *result, struct error *error) {
    size_t count = 0;
    while (program->arguments && program->arguments[count])
        count++;
    cleanup_free const char **argv = mem_calloc(count + 2, sizeof *argv);
    argv[0] = program->program;
    for (size_t i = 0; i < count; i++)
        argv[i + 1] = program->arguments[i];
    struct jail_limits limits = limits_of(program, 0);
    limits.cpu_seconds = program->cpu_seconds;
    const struct jail_spec spec = {.profile = JAIL_HOST_CODE,
                                   .program = program->program,
                                   .argv = argv,
                                   .request = "",
                                   .data_fd = pair->program_end,
                                   .shared_fd = pair->window,
                                   .input_fd = program->input_fd,
                                   .libraries = program->runtime_folder,
                                   .shown = program->shown,
                                   .folder = program->folder,
                                   .cancel_fd = program->cancel_fd,
                                   .take = program->take,
                                   .take_context = program->take_context,
                                   .meter = &pair->program_meter,
                                   .beside = &pair->worker_meter,
                                   .limits = limits};
    enum status status = jail_run(&spec, &result->host, error);
    blame_memory(&result->host, spec.limits.memory_bytes);
    jail_limit_describe(&result->host, result->limit, sizeof result->limit);
    return status;
}

/* Memory that a program has not freed before it gave up is no mistake of its own. */
static void drop_leaks(struct engine_result *found) {
    size_t kept = 0;
    for (size_t i = 0; i < found->hazard_count; i++)
        if (found->hazards[i].kind != HAZARD_MEMORY_LEAK)
            found->hazards[kept++] = found->hazards[i];
    found->hazard_count = kept;
}

/* A call that a program makes in order to see it refused does no harm. */
static void forgive(struct engine_result *found) {
    for (size_t i = 0; i < found->hazard_count; i++)
        if (found->hazards[i].error_seen)
            found->hazards[i].severity = SEVERITY_WARNING;
}

/* The crash is resolved with the findings, behind the last of them. */
static void finish_findings(const struct card_program *program, struct card_result *result) {
    struct engine_result *found = &result->found;
    if (result->host.exit_code != 0 || result->host.limit != JAIL_LIMIT_NONE)
        drop_leaks(found);
    else
        forgive(found);
    found->hazard_count = hazards_ignored(program->program, result->sites, result->site_count,
                                          found->hazards, found->hazard_count);
    found->hazards = mem_realloc(found->hazards, found->hazard_count + 1, sizeof *found->hazards);
    found->hazards[found->hazard_count] = result->crash.at;
    lines_resolve(program->program, result->sites, result->site_count, found->hazards,
                  found->hazard_count + 1);
    result->crash.at = found->hazards[found->hazard_count];
}

/* Beside the worker, until both have ended; where the program is not started, the worker is ended.
 */
static enum status run_beside(const struct card_program *program, struct pair *pair,
                              struct metal_session *metal, struct card_result *result,
                              struct error *error) {
    enum status status = metal ? metal_session_serve(metal, open_seconds, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = run_program(program, pair, result, error);
    shutdown(pair->program_end, SHUT_RDWR); /* the worker's read() ends, and it reports */
    if (status != STATUS_OK && write(pair->cancel_write, "x", 1) != 1)
        shutdown(pair->worker_end, SHUT_RDWR);
    return status;
}

static struct jail_spec worker_spec(const struct card_program *program, struct pair *pair,
                                    const struct metal_session *metal, const char *path,
                                    const struct text *request) {
    static const char *const sim[] = {WORKER_NAME, "card", NULL};
    static const char *const real[] = {WORKER_NAME, "metal", NULL};
    struct jail_spec spec = {.profile = metal ? JAIL_GPU : JAIL_SIMULATOR,
                             .program = path,
                             .argv = metal ? real : sim,
                             .request = request->data,
                             .request_length = request->length,
                             .data_fd = metal ? metal->worker_end : pair->worker_end,
                             .shared_fd = pair->window,
                             .shown = metal ? (const char *const *)metal->files.shown : NULL,
                             .cancel_fd = pair->cancel_read,
                             .meter = &pair->worker_meter,
                             .beside = &pair->program_meter,
                             .limits = limits_of(program, LONGER)};
    spec.limits.output_bytes = data_length_of(program) + REPORT_MAX;
    if (metal) {
        spec.limits.wall_seconds += open_seconds; /* before the program starts */
        spec.limits.most_seconds += open_seconds;
        spec.limits.memory_bytes += metal_memory;
        spec.limits = jail_limits_resolve(JAIL_GPU, &spec.limits);
    }
    return spec;
}

static enum status run_both(const struct card_program *program, struct pair *pair,
                            struct metal_session *metal, struct card_result *result,
                            struct error *error) {
    cleanup_free char *path = worker_program();
    cleanup_text struct text request = {0};
    write_setup(program, &request);
    struct worker_thread worker = {.spec = worker_spec(program, pair, metal, path, &request),
                                   .socket = pair->worker_end,
                                   .channel = metal ? metal->worker_end : -1};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_worker, &worker) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot start a thread: %s", strerror(errno));
    enum status status = run_beside(program, pair, metal, result, error);
    pthread_join(thread, NULL);
    if (status == STATUS_OK && worker.status != STATUS_OK) {
        status = worker.status;
        if (error)
            *error = worker.error;
    } else if (status == STATUS_OK) {
        take_report(program, &worker, result);
    }
    if (status == STATUS_OK)
        finish_findings(program, result);
    jail_result_free(&worker.jail);
    return status;
}

static enum status run_on_card(const struct card_program *program, struct pair *pair,
                               struct card_result *result, struct error *error) {
    struct metal_session metal;
    enum status status =
        metal_session_begin(&metal, program->card, program->alone, pair->worker_end, error);
    if (status == STATUS_OK)
        status = run_both(program, pair, &metal, result, error);
    metal_session_end(&metal);
    return status;
}

enum status card_run(const struct card_program *program, struct card_result *result,
                     struct error *error) {
    *result = (struct card_result){.device_bytes = capacity_of(program)};
    struct pair pair;
    enum status status = STATUS_OK;
    if (!open_pair(&pair, capacity_of(program)) || !write_name(pair.window, program->file_name))
        status = error_set(error, STATUS_ENVIRONMENT, "cannot open a socket: %s", strerror(errno));
    else if (program->card)
        status = run_on_card(program, &pair, result, error);
    else
        status = run_both(program, &pair, NULL, result, error);
    close_pair(&pair);
    return status;
}

void card_result_free(struct card_result *result) {
    jail_result_free(&result->host);
    text_free(&result->task.computed);
    engine_result_free(&result->found);
    free(result->sites);
}
