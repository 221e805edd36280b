/* A link: a jailed cuda worker and the socket to it. What session.c, cards.c and link.c share;
 * private to the room. */
#ifndef WARPGRADE_SANDBOX_CUDA_SESSION_PRIVATE_H
#define WARPGRADE_SANDBOX_CUDA_SESSION_PRIVATE_H

#include "sandbox/cuda/find.h"
#include "sandbox/cuda/session.h"
#include "sandbox/cuda/talk.h"
#include "sandbox/isolation/jail.h"

#include <pthread.h>

struct link {
    int socket;
    bool alive; /* the worker may be asked */
    /* private to link.c */
    bool made, started; /* the thread was made; it is to be waited for */
    pthread_t thread;
    char *program;
    struct cuda_files files;
    int worker_socket, cancel, cancel_far;
    struct jail_spec spec;
    struct jail_result jail;
    enum status status;
    struct error error;
};

/* STATUS_ENVIRONMENT where there is no driver here. With cuBLAS in sight where it is asked for. To
 * be closed in any case. */
enum status link_start(struct link *link, bool wants_blas, struct error *error);
void link_close(struct link *link); /* gives the worker a moment to wipe the card's memory */
void link_kill(struct link *link);

/* False where no frame comes in time; then link_lost() says why. */
bool link_receive(struct link *link, double seconds, struct text *frame,
                  struct protocol_message *message);
/* Ends the worker and says how it came to that: STATUS_ENVIRONMENT. */
enum status link_lost(struct link *link, struct error *error);

/* The worker opens the driver and looks at the cards. */
enum status link_ask_cards(struct link *link, struct cuda_card **cards, size_t *count,
                           struct error *error);

/* For tests: cuda_cards() asks again. */
void cuda_cards_forget(void);

#endif
