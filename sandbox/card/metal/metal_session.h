/* The trusted side of a worker that drives a card: what it needs beside the setup and the report.
 */
#ifndef WARPGRADE_SANDBOX_CARD_METAL_METAL_SESSION_H
#define WARPGRADE_SANDBOX_CARD_METAL_METAL_SESSION_H

#include "sandbox/cuda/find.h"
#include "sandbox/cuda/session.h"

#include <pthread.h>

struct metal_session {
    const struct cuda_card *card;
    struct cuda_files files; /* which the worker has to see */
    int worker_end;          /* becomes the worker's channel */
    int own_end;
    int exchange; /* a memory file */
    int lock;     /* of the card */
    bool serves;
    pthread_t thread;
};

/* Takes the card, alone where `alone`, for times; nothing is started yet. The message for the
 * worker is on its way: `program` is the worker's end of the dialog. */
enum status metal_session_begin(struct metal_session *session, const struct cuda_card *card,
                                bool alone, int program, struct error *error);
/* Waits for the worker's context, at most `seconds`, then makes machine code when the worker asks
 * for it, in a thread. STATUS_ENVIRONMENT: the card cannot be used. */
enum status metal_session_serve(struct metal_session *session, double seconds, struct error *error);
/* When the worker has ended. */
void metal_session_end(struct metal_session *session);

#endif
