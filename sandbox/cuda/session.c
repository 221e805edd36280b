/* The trusted side of a session: one jailed worker, run by a thread that does nothing else, and a
 * dialog with it over a socket.
 *
 * jail_run() lasts as long as the worker: it keeps the limits and the accounting, and ends the
 * worker when something is written to `cancel`. Our end of the socket sees the end of file once the
 * worker is gone and reaped, because that thread then shuts the other end down. A worker that does
 * not answer in time, or answers what no worker would, is ended.
 *
 * Data travels in memory files whose size is sealed. They are read with pread() after the answer
 * and copied before anything is compared: a worker that goes on writing changes nothing. */
#include "sandbox/cuda/session.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/cuda/outcome.h"
#include "sandbox/cuda/session_private.h"
#include "sandbox/cuda/tools.h"
#include "sandbox/engine/engine_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { IMAGE_MAX = 64 << 20, CHUNK_BYTES = 1 << 20, SMALL_FILE = 16 << 20, KEPT_FACTOR = 8 };
/* Outputs of many megabytes are copied by several threads, which have as much each at least. */
enum { COPY_THREADS = 4, COPY_BYTES = 8 << 20 };

static const double open_seconds = 60;  /* a driver that starts cold takes some */
static const double grace_seconds = 30; /* copies of gigabytes, and a busy machine */
static const double short_seconds = 20; /* CLOCKS, COPY */
static const double default_seconds = 10;

struct cuda_session {
    struct link link;
    struct cuda_card card;
    bool has_blas;
    char no_blas[400];
    int data_fd; /* of the last launch, -1: none; and its length */
    size_t data_length;
};

/* ---- memory files ---------------------------------------------------------------------------- */

struct part {
    int descriptor;
    char *data;
    size_t length, offset;
    bool read;
};

static void *read_part(void *argument) {
    struct part *part = argument;
    part->read = file_read_at(part->descriptor, part->data, part->length, part->offset);
    return NULL;
}

static bool read_large(int descriptor, char *data, size_t length, size_t offset) {
    struct part parts[COPY_THREADS];
    pthread_t threads[COPY_THREADS];
    size_t count = length / COPY_BYTES < COPY_THREADS ? length / COPY_BYTES : COPY_THREADS;
    size_t each = count ? length / count : 0, started = 0;
    for (size_t i = 1; i < count; i++)
        parts[i] = (struct part){descriptor, data + i * each,
                                 i + 1 < count ? each : length - i * each, offset + i * each, true};
    while (started + 1 < count &&
           pthread_create(&threads[started], NULL, read_part, &parts[started + 1]) == 0)
        started++;
    bool right = file_read_at(descriptor, data, count > 1 ? each : length, offset);
    for (size_t i = started + 1; i < count; i++)
        read_part(&parts[i]);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 1; i < count; i++)
        right = right && parts[i].read;
    return right;
}

/* -1: errno says why. */
static int share(const void *data, size_t length) {
    cleanup_fd int descriptor = memfd_create("warpgrade-gpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | F_SEAL_WRITE;
    if (descriptor < 0 || !file_write_at(descriptor, data, length, 0) ||
        fcntl(descriptor, F_ADD_SEALS, seals) != 0)
        return -1;
    return steal_fd(&descriptor);
}

/* ---- opening --------------------------------------------------------------------------------- */

static enum status send_open(struct cuda_session *session, enum cuda_trust trust,
                             struct error *error) {
    char architecture[32];
    struct build_result tools;
    cuda_card_architecture(&session->card, architecture, sizeof architecture);
    enum status status = tools_build(architecture, &tools, error);
    if (status != STATUS_OK)
        return status;
    cleanup_fd int image = share(tools.cubin, tools.cubin_length);
    build_result_free(&tools);
    struct wire_open request = {.uuid = session->card.uuid, .blas = trust == CUDA_TRUSTED_BLAS};
    if (image < 0 ||
        !talk_send(session->link.socket, wire_encode_open(&request), NULL, 0, &image, 1))
        return link_lost(&session->link, error);
    return STATUS_OK;
}

static enum status receive_opened(struct cuda_session *session, enum cuda_trust trust,
                                  struct error *error) {
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    struct wire_opened opened;
    if (!link_receive(&session->link, open_seconds, &frame, &message) ||
        !wire_decode_opened(&message, &opened))
        return link_lost(&session->link, error);
    if (opened.failure.stage != WIRE_STAGE_NONE)
        return outcome_no_session(&session->card, &opened.failure, error);
    session->has_blas = trust == CUDA_TRUSTED_BLAS && opened.has_blas;
    if (trust == CUDA_UNTRUSTED)
        snprintf(session->no_blas, sizeof session->no_blas,
                 "cuBLAS is for references, not for submissions");
    else if (trust == CUDA_TRUSTED)
        snprintf(session->no_blas, sizeof session->no_blas, "cuBLAS was not asked for");
    else if (!session->has_blas)
        outcome_no_blas(&opened.blas, session->no_blas, sizeof session->no_blas);
    return STATUS_OK;
}

enum status cuda_session_open(const struct cuda_card *card, enum cuda_trust trust,
                              struct cuda_session **out, struct error *error) {
    struct cuda_session *session = mem_zalloc(sizeof *session);
    struct cuda_card *cards = NULL;
    size_t count = 0;
    session->card = *card;
    session->data_fd = -1;
    *out = NULL;
    enum status status = link_start(&session->link, trust != CUDA_UNTRUSTED, error);
    if (status == STATUS_OK)
        status = link_ask_cards(&session->link, &cards, &count, error);
    free(cards);
    if (status == STATUS_OK)
        status = send_open(session, trust, error);
    if (status == STATUS_OK)
        status = receive_opened(session, trust, error);
    if (status == STATUS_OK)
        *out = session;
    else
        cuda_session_close(session);
    return status;
}

void cuda_session_close(struct cuda_session *session) {
    if (!session)
        return;
    link_close(&session->link);
    if (session->data_fd >= 0)
        close(session->data_fd);
    free(session);
}

bool cuda_session_is_alive(const struct cuda_session *session) {
    return session->link.alive;
}

bool cuda_session_has_blas(const struct cuda_session *session, const char **why) {
    if (why)
        *why = session->no_blas;
    return session->has_blas;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Of what a rule made, inputs stay on the card, and outputs that are not asked for. */
static bool comes_back(const struct cuda_launch *launch, size_t index) {
    const struct engine_argument *argument = &launch->arguments[index];
    return argument->is_buffer && (argument->fill.kind == ENGINE_FILL_DATA ||
                                   (!argument->read_only && !launch->leave_outputs));
}

static bool buffer_is_inside(const struct cuda_launch *launch, size_t index) {
    const struct engine_argument *argument = &launch->arguments[index];
    size_t bytes, length = launch->data_length;
    return !comes_back(launch, index) ||
           (!__builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, &bytes) &&
            argument->data_offset <= length && bytes <= length - argument->data_offset);
}

/* Larger than what is needed now, and not so large that it only holds memory. */
static bool file_will_do(const struct cuda_session *session, size_t length) {
    return session->data_fd >= 0 && session->data_length >= length &&
           (session->data_length <= SMALL_FILE || session->data_length / KEPT_FACTOR <= length);
}

static bool provide_data_file(struct cuda_session *session, size_t length) {
    if (file_will_do(session, length))
        return true;
    if (session->data_fd >= 0)
        close(session->data_fd);
    session->data_fd = -1;
    cleanup_fd int made = memfd_create("warpgrade-gpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (made < 0 || ftruncate(made, (off_t)length) != 0 ||
        fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return false; /* and keeps none that would pass for whole the next time */
    session->data_length = length;
    session->data_fd = steal_fd(&made);
    return true;
}

/* Writes what the launch sends; the rest only comes back. The file serves launches of many
 * lengths, because fresh pages cost more than what is written to them: its worker finds there what
 * itself left, and nothing of others. */
static bool share_data(struct cuda_session *session, const struct cuda_launch *launch) {
    if (!provide_data_file(session, launch->data_length))
        return false;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct engine_argument *argument = &launch->arguments[i];
        size_t bytes = argument->count * element_infos[argument->type].bytes;
        if (argument->is_buffer && argument->fill.kind == ENGINE_FILL_DATA &&
            !file_write_at(session->data_fd, (const char *)launch->data + argument->data_offset,
                           bytes, argument->data_offset))
            return false;
    }
    return true;
}

static enum status check_launch(const struct cuda_session *session,
                                const struct cuda_launch *launch, struct error *error) {
    if (launch->argument_count > ENGINE_MAX_ARGUMENTS)
        return error_set(error, STATUS_INVALID, "a launch has %zu arguments, at most %d",
                         launch->argument_count, ENGINE_MAX_ARGUMENTS);
    if (launch->blas && !session->has_blas)
        return error_set(error, STATUS_INVALID, "%s", session->no_blas);
    if (!launch->blas && (launch->image_length == 0 || launch->image_length > IMAGE_MAX))
        return error_set(error, STATUS_INVALID,
                         "a launch has %zu bytes of machine code, at most %d", launch->image_length,
                         IMAGE_MAX);
    for (size_t i = 0; i < launch->argument_count; i++)
        if (!buffer_is_inside(launch, i))
            return error_set(error, STATUS_INVALID, "the buffer %s lies outside of the data",
                             launch->arguments[i].name);
    return STATUS_OK;
}

/* Copies a buffer back; of an input also how many elements differ from what we sent. */
static bool take_buffer(const struct cuda_launch *launch, size_t index, int data_fd,
                        struct wire_finding *finding) {
    const struct engine_argument *argument = &launch->arguments[index];
    size_t width = element_infos[argument->type].bytes, length = argument->count * width;
    char *at = (char *)launch->data + argument->data_offset;
    *finding = (struct wire_finding){.argument = (unsigned)index};
    if (!argument->read_only)
        return read_large(data_fd, at, length, argument->data_offset);
    cleanup_free char *chunk = mem_alloc(CHUNK_BYTES);
    for (size_t done = 0; done < length;) {
        size_t part = length - done < CHUNK_BYTES ? length - done : CHUNK_BYTES;
        if (!file_read_at(data_fd, chunk, part, argument->data_offset + done))
            return false;
        bool same = memcmp(chunk, at + done, part) == 0;
        for (size_t i = 0; !same && i < part; i += width)
            if (memcmp(chunk + i, at + done + i, width) != 0 && finding->count++ == 0)
                finding->first = (done + i) / width;
        memcpy(at + done, chunk, part);
        done += part;
    }
    return true;
}

static bool take_data(const struct cuda_launch *launch, int data_fd, struct cuda_result *result) {
    for (size_t i = 0; i < launch->argument_count; i++) {
        struct wire_finding finding;
        if (!comes_back(launch, i))
            continue;
        if (!take_buffer(launch, i, data_fd, &finding))
            return false;
        if (finding.count)
            outcome_add_input(launch, &finding, result);
    }
    return true;
}

static void distrust(struct cuda_session *session, struct cuda_result *result) {
    struct error why = {0};
    link_lost(&session->link, &why);
    result->end = CUDA_DIED;
    result->hazard_count = 0;
    text_clear(&result->printed);
    snprintf(result->message, sizeof result->message, "%.1000s", why.message);
}

static void take_answer(struct cuda_session *session, const struct cuda_launch *launch, int data_fd,
                        double asked_ms, struct cuda_result *result) {
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    struct wire_outcome outcome;
    double seconds = launch->wall_seconds + grace_seconds;
    bool received = link_receive(&session->link, seconds, &frame, &message);
    result->dialog_ms = clock_ms() - asked_ms;
    if (!received || message.bulk_length > ENGINE_PRINTED_MAX ||
        !wire_decode_outcome(&message, launch->argument_count, &outcome)) {
        distrust(session, result);
        return;
    }
    outcome_describe(launch, &outcome, result);
    text_append_bytes(&result->printed, message.bulk, message.bulk_length);
    result->printed_cut = outcome.printed_cut;
    if (result->end == CUDA_COMPLETED && !take_data(launch, data_fd, result))
        distrust(session, result);
    if (result->end == CUDA_FAULT || result->end == CUDA_HUNG || result->end == CUDA_DIED)
        link_kill(&session->link);
}

enum status cuda_session_run(struct cuda_session *session, const struct cuda_launch *given,
                             struct cuda_result *result, struct error *error) {
    *result = (struct cuda_result){.end = CUDA_DIED};
    struct cuda_launch launch = *given;
    if (!(launch.wall_seconds > 0) || !isfinite(launch.wall_seconds))
        launch.wall_seconds = default_seconds;
    enum status status = check_launch(session, &launch, error);
    if (status != STATUS_OK)
        return status;
    if (!session->link.alive) {
        snprintf(result->message, sizeof result->message, "the session with the card is over");
        return STATUS_OK;
    }
    if (launch.blas)
        launch.image_length = 0;
    cleanup_fd int image_fd = share(launch.image, launch.image_length);
    if (image_fd < 0 || !share_data(session, &launch))
        return error_set(error, STATUS_ENVIRONMENT, "cannot share %zu bytes with a worker: %s",
                         launch.data_length + launch.image_length, strerror(errno));
    int descriptors[] = {session->data_fd, image_fd};
    double asked_ms = clock_ms();
    if (talk_send(session->link.socket, wire_encode_run(&launch), NULL, 0, descriptors, 2))
        take_answer(session, &launch, session->data_fd, asked_ms, result);
    else
        distrust(session, result);
    return STATUS_OK;
}

void cuda_result_free(struct cuda_result *result) {
    text_free(&result->printed);
}

/* ---- what a card is like --------------------------------------------------------------------- */

enum status cuda_session_clocks(struct cuda_session *session, struct cuda_clocks *clocks,
                                struct error *error) {
    static const uint64_t harmless = 0x1 | 0x2; /* idle; clocks that an administrator set */
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    *clocks = (struct cuda_clocks){0};
    if (!session->link.alive ||
        !talk_send(session->link.socket, wire_encode_clocks_request(), NULL, 0, NULL, 0) ||
        !link_receive(&session->link, short_seconds, &frame, &message) ||
        !wire_decode_clocks(&message, clocks))
        return link_lost(&session->link, error);
    clocks->throttle &= ~harmless;
    outcome_throttle(clocks->throttle, clocks->reasons, sizeof clocks->reasons);
    return STATUS_OK;
}

enum status cuda_session_copy_ceiling(struct cuda_session *session, uint64_t bytes,
                                      double *bytes_per_second, struct error *error) {
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    struct wire_copied copied;
    *bytes_per_second = 0;
    if (!session->link.alive ||
        !talk_send(session->link.socket, wire_encode_copy_request(bytes), NULL, 0, NULL, 0) ||
        !link_receive(&session->link, short_seconds, &frame, &message) ||
        !wire_decode_copied(&message, &copied))
        return link_lost(&session->link, error);
    if (copied.failure.stage != WIRE_STAGE_NONE)
        return outcome_no_session(&session->card, &copied.failure, error);
    *bytes_per_second = copied.bytes_per_second;
    return STATUS_OK;
}
