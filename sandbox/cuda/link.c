/* Starting, watching and ending a cuda worker: see session_private.h. */
#include "sandbox/cuda/session_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/cuda/outcome.h"
#include "sandbox/worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Of the whole session; each request has its own. Memory: the driver's and cuBLAS's own, and the
 * shared data, which is counted where it is touched. */
#define SESSION_SECONDS 1e5
#define SESSION_MEMORY  ((uint64_t)16 << 30)
#define CLOSE_SECONDS   5

static void *run_worker(void *argument) {
    struct link *link = argument;
    link->status = jail_run(&link->spec, &link->jail, &link->error);
    /* Our end sees that it is over, also where a child that was forked meanwhile has a copy. */
    shutdown(link->worker_socket, SHUT_RDWR);
    close(link->worker_socket);
    return NULL;
}

static enum status no_driver(struct error *error) {
    error_set(error, STATUS_ENVIRONMENT,
              "there is no CUDA driver on this machine: libcuda.so.1 is not found");
    error_hint(error, "NVIDIA's driver brings it, for machines with one of its cards. --engine sim "
                      "grades on the simulated GPU and needs no card.");
    return STATUS_ENVIRONMENT;
}

static enum status cannot_start(struct error *error) {
    return error_set(error, STATUS_ENVIRONMENT, "cannot start a GPU worker: %s", strerror(errno));
}

static bool open_ends(struct link *link) {
    int ends[2], cancel[2];
    if (!talk_open(ends))
        return false;
    link->socket = ends[0];
    link->worker_socket = ends[1];
    if (pipe2(cancel, O_CLOEXEC) != 0)
        return false;
    link->cancel_far = cancel[0];
    link->cancel = cancel[1];
    return true;
}

enum status link_start(struct link *link, bool wants_blas, struct error *error) {
    static const char *const argv[] = {"warpgrade-worker", "cuda", NULL};
    *link = (struct link){.socket = -1, .worker_socket = -1, .cancel = -1, .cancel_far = -1};
    cuda_files_find(&link->files);
    if (!*link->files.driver)
        return no_driver(error);
    if (!wants_blas)
        link->files.blas[0] = '\0';
    if (!open_ends(link))
        return cannot_start(error);
    link->program = worker_program();
    struct jail_limits limits = {.wall_seconds = SESSION_SECONDS, .memory_bytes = SESSION_MEMORY};
    link->spec = (struct jail_spec){.profile = JAIL_GPU,
                                    .program = link->program,
                                    .argv = argv,
                                    .request = "",
                                    .data_fd = link->worker_socket,
                                    .shown = (const char *const *)link->files.shown,
                                    .limits = jail_limits_resolve(JAIL_GPU, &limits),
                                    .cancel_fd = link->cancel_far};
    if (pthread_create(&link->thread, NULL, run_worker, link) != 0)
        return cannot_start(error);
    link->made = link->started = link->alive = true;
    return STATUS_OK;
}

void link_kill(struct link *link) {
    link->alive = false;
    if (link->cancel >= 0) {
        while (write(link->cancel, "x", 1) < 0 && errno == EINTR) /* jail_run() ends the worker */
            ;
        close(link->cancel);
    }
    link->cancel = -1;
    if (link->started)
        pthread_join(link->thread, NULL);
    link->started = false;
}

void link_close(struct link *link) {
    if (link->started && link->alive) {
        double until = clock_ms() + CLOSE_SECONDS * 1e3;
        shutdown(link->socket, SHUT_WR);
        struct pollfd polled = {.fd = link->socket, .events = 0}; /* POLLHUP comes unasked */
        while (clock_ms() < until && !(polled.revents & POLLHUP))
            poll(&polled, 1, 100);
    }
    link_kill(link);
    if (link->socket >= 0)
        close(link->socket);
    if (!link->made && link->worker_socket >= 0)
        close(link->worker_socket);
    if (link->cancel_far >= 0)
        close(link->cancel_far);
    jail_result_free(&link->jail);
    cuda_files_free(&link->files);
    free(link->program);
    *link = (struct link){.socket = -1, .worker_socket = -1, .cancel = -1, .cancel_far = -1};
}

bool link_receive(struct link *link, double seconds, struct text *frame,
                  struct protocol_message *message) {
    size_t count;
    return talk_receive(link->socket, seconds, frame, message, NULL, 0, &count) == TALK_MESSAGE;
}

/* The last line of what the worker wrote to descriptor 2. */
static void last_line(const struct text *messages, char *line, size_t size) {
    const char *text = text_string(messages);
    size_t end = strlen(text);
    while (end && text[end - 1] == '\n')
        end--;
    size_t start = end;
    while (start && text[start - 1] != '\n')
        start--;
    snprintf(line, size, "%.*s", (int)(end - start), text + start);
}

enum status link_lost(struct link *link, struct error *error) {
    link_kill(link);
    if (link->status != STATUS_OK) {
        if (error)
            *error = link->error;
        return link->status;
    }
    char how[128], said[256];
    const struct jail_result *jail = &link->jail;
    last_line(&jail->messages, said, sizeof said);
    if (jail->limit == JAIL_LIMIT_CANCELLED)
        snprintf(how, sizeof how, "gave no valid answer and was ended");
    else if (jail->limit != JAIL_LIMIT_NONE)
        jail_limit_describe(jail, how, sizeof how);
    else if (jail->signal)
        snprintf(how, sizeof how, "was ended by signal %d (%s)", jail->signal,
                 sigdescr_np(jail->signal) ? sigdescr_np(jail->signal) : "unknown");
    else
        snprintf(how, sizeof how, "ended with code %d", jail->exit_code);
    error_set(error, STATUS_ENVIRONMENT, "the GPU worker %s%s%s", how, *said ? ": " : "", said);
    error_hint(error, "`warpgrade doctor` tries the card step by step.");
    return STATUS_ENVIRONMENT;
}

enum status link_ask_cards(struct link *link, struct cuda_card **cards, size_t *count,
                           struct error *error) {
    static const double start_seconds = 120; /* many cards without persistence mode */
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *order = getenv("CUDA_DEVICE_ORDER");
    struct wire_driver request = {.driver = link->files.driver,
                                  .nvml = link->files.nvml,
                                  .blas = link->files.blas,
                                  .has_visible = visible != NULL,
                                  .visible = visible ? visible : "",
                                  .order = order ? order : ""};
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    cleanup_free struct wire_cards *answer = mem_zalloc(sizeof *answer);
    if (!talk_send(link->socket, wire_encode_driver(&request), NULL, 0, NULL, 0) ||
        !link_receive(link, start_seconds, &frame, &message) ||
        !wire_decode_cards(&message, answer))
        return link_lost(link, error);
    if (answer->failure.stage != WIRE_STAGE_NONE || answer->count == 0)
        return outcome_no_driver(&answer->failure, error);
    *cards = mem_dup(answer->cards, answer->count * sizeof *answer->cards);
    *count = answer->count;
    return STATUS_OK;
}
