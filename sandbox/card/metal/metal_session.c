/* Two descriptors go to the worker by its channel, because a jail has numbers for two only: the
 * program's end of the dialog, and a memory file in which PTX goes one way and machine code the
 * other. */
#include "sandbox/card/metal/metal_session.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/card/metal/metal_wire.h"
#include "sandbox/cuda/lock.h"
#include "sandbox/cuda/outcome.h"
#include "sandbox/cuda/talk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MODULES_MAX = 1024 };               /* that one worker may ask for */
static const double assemble_seconds = 60; /* of CPU time */

static bool make_exchange(struct metal_session *session) {
    session->exchange = memfd_create("warpgrade-code", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return session->exchange >= 0 && ftruncate(session->exchange, METAL_EXCHANGE_BYTES) == 0 &&
           fcntl(session->exchange, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

static bool send_open(const struct metal_session *session, bool times, int program) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *order = getenv("CUDA_DEVICE_ORDER");
    const struct metal_open request = {.driver = session->files.driver,
                                       .card = session->card->index,
                                       .times = times,
                                       .has_visible = visible != NULL,
                                       .visible = visible ? visible : "",
                                       .order = order ? order : ""};
    const int descriptors[] = {program, session->exchange};
    return talk_send(session->own_end, metal_encode_open(&request), NULL, 0, descriptors, 2);
}

enum status metal_session_begin(struct metal_session *session, const struct cuda_card *card,
                                bool alone, int program, struct error *error) {
    int ends[2];
    *session = (struct metal_session){
        .card = card, .worker_end = -1, .own_end = -1, .exchange = -1, .lock = -1};
    cuda_files_find(&session->files);
    enum status status = cuda_lock_take(card, alone, &session->lock, error);
    if (status != STATUS_OK)
        return status;
    if (talk_open(ends)) {
        session->own_end = ends[0];
        session->worker_end = ends[1];
        if (make_exchange(session) && send_open(session, alone, program))
            return STATUS_OK;
    }
    return error_set(error, STATUS_ENVIRONMENT, "cannot speak with a GPU worker: %s",
                     strerror(errno));
}

/* ---- machine code -----------------------------------------------------------------------------
 */

static void answer(const struct metal_session *session, uint64_t bytes, const char *trouble) {
    struct metal_assembled assembled = {.bytes = bytes};
    snprintf(assembled.trouble, sizeof assembled.trouble, "%s", trouble);
    talk_send(session->own_end, metal_encode_assembled(&assembled), NULL, 0, NULL, 0);
}

/* The worker may write to the file meanwhile: what counts is the copy. */
static void assemble(const struct metal_session *session, uint64_t bytes) {
    char architecture[32];
    struct error error = {0};
    const struct worker_limits limits = {.wall_seconds = assemble_seconds};
    cleanup_text struct text cubin = {0};
    cleanup_free char *ptx = mem_zalloc(bytes + 1);
    cuda_card_architecture(session->card, architecture, sizeof architecture);
    if (!file_read_at(session->exchange, ptx, bytes, 0))
        answer(session, 0, "the program's PTX cannot be read");
    else if (build_assemble(ptx, bytes, architecture, &limits, &cubin, &error) != STATUS_OK)
        answer(session, 0, error.message);
    else if (cubin.length >= METAL_EXCHANGE_BYTES ||
             !file_write_at(session->exchange, cubin.data, cubin.length, 0))
        answer(session, 0, "the program's machine code is too long");
    else
        answer(session, cubin.length, "");
}

static void *serve(void *argument) {
    const struct metal_session *session = argument;
    for (unsigned i = 0; i < MODULES_MAX; i++) {
        cleanup_text struct text frame = {0};
        cleanup_message struct protocol_message message = {0};
        size_t count;
        uint64_t bytes;
        if (talk_receive(session->own_end, -1, &frame, &message, NULL, 0, &count) != TALK_MESSAGE ||
            !metal_decode_assemble(&message, &bytes))
            break;
        assemble(session, bytes);
    }
    shutdown(session->own_end, SHUT_RDWR); /* a worker that asks for more waits for nothing */
    return NULL;
}

/* ---- the card ---------------------------------------------------------------------------------
 */

static enum status no_card(const struct metal_session *session, const struct metal_opened *opened,
                           struct error *error) {
    static const enum wire_stage stages[METAL_STAGE_COUNT] = {
        [METAL_LIBRARY] = WIRE_STAGE_LIBRARY, [METAL_INITIALISE] = WIRE_STAGE_INITIALISE};
    struct wire_failure failure = {.stage = stages[opened->stage], .code = opened->code};
    snprintf(failure.trouble, sizeof failure.trouble, "%s", opened->trouble);
    if (opened->stage == METAL_CONTEXT)
        return outcome_no_session(session->card, &failure, error);
    if (opened->stage != METAL_FUNCTION)
        return outcome_no_driver(&failure, error);
    error_set(error, STATUS_ENVIRONMENT,
              "the CUDA driver is too old for whole programs: it has no %s", opened->trouble);
    error_hint(error, "Drivers from CUDA 12.4 on have it. --engine sim needs no card.");
    return STATUS_ENVIRONMENT;
}

enum status metal_session_serve(struct metal_session *session, double seconds,
                                struct error *error) {
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    struct metal_opened opened;
    size_t count;
    if (talk_receive(session->own_end, seconds, &frame, &message, NULL, 0, &count) !=
            TALK_MESSAGE ||
        !metal_decode_opened(&message, &opened))
        return error_set(error, STATUS_ENVIRONMENT, "%s cannot be used: its worker gives no answer",
                         session->card->name);
    if (opened.stage != METAL_OPEN)
        return no_card(session, &opened, error);
    session->serves = pthread_create(&session->thread, NULL, serve, session) == 0;
    return session->serves
               ? STATUS_OK
               : error_set(error, STATUS_ENVIRONMENT, "cannot start a thread: %s", strerror(errno));
}

void metal_session_end(struct metal_session *session) {
    if (session->own_end >= 0)
        shutdown(session->own_end, SHUT_RDWR);
    if (session->serves)
        pthread_join(session->thread, NULL);
    int *descriptors[] = {&session->own_end, &session->worker_end, &session->exchange};
    for (size_t i = 0; i < ARRAY_LENGTH(descriptors); i++)
        cleanup_fd_function(descriptors[i]);
    cuda_lock_release(&session->lock);
    cuda_files_free(&session->files);
}
