/* The workers' one way in. A role is a row: what it may do, how much may be sent to it, and the
 * function that handles it. Nothing but worker_enter() makes the `struct worker_entry` that this
 * function needs, so that no role runs before it is locked in the jail. */
#ifndef WARPGRADE_SANDBOX_WORKER_ENTRY_H
#define WARPGRADE_SANDBOX_WORKER_ENTRY_H

#include "sandbox/isolation/jail.h"
#include "sandbox/worker/protocol.h"

struct worker_entry; /* what a role has in the jail */

struct worker_role {
    const char *name; /* "build", "sim" ...: worker_spec.role */
    enum jail_profile profile;
    size_t request_max; /* bytes of the frame on descriptor 0; 0: it reads none */
    bool maps_data;     /* needs the bytes of WORKER_DATA_FD */
    /* Before the jail closes, where the role needs something of the system that it may not ask for
     * later; nothing of the request has been read. NULL: nothing. */
    void (*prepare)(void);
    /* Inside. Returns 0 or WORKER_EXIT_REFUSED; with 0 the response is written to descriptor 1. */
    int (*run)(const struct worker_entry *entry, struct text *response);
};

/* Takes what the role needs of the system, enters the inner walls of the jail, reads the request,
 * runs the role and ends the process: with _exit(), because a library's or a driver's destructors
 * save nothing, cost a millisecond, and may wait for a kernel that never ends.
 *
 * JAIL_EXIT_NOT_SEALED and nothing run where a wall does not hold, or where there is none although
 * `jailed`; WORKER_EXIT_REFUSED where the request is not a frame or too long. */
_Noreturn void worker_enter(const struct worker_role *role, bool jailed);

/* Of an entry; each ends the process with JAIL_EXIT_NOT_SEALED where it is NULL. What they return
 * lives as long as the process. */
const struct protocol_message *worker_request(const struct worker_entry *entry);
struct worker_data {
    void *bytes; /* NULL: none */
    size_t length;
};
struct worker_data worker_data(const struct worker_entry *entry);
/* Of this machine; at least 1. Inside the jail a simulator cannot ask. */
unsigned worker_processors(const struct worker_entry *entry);
/* WORKER_DATA_FD, for a role that talks on it. */
int worker_channel(const struct worker_entry *entry);

/* The role that the process was started for, and whether in a jail: by argv[0] alone (its path in
 * the jail, its name without), which no shell user types by accident. NULL: not as a worker. */
const char *worker_role_asked(int argc, char **argv, bool *jailed);

/* For a role's `prepare`: makes the heap's first `bytes` large pages, and keeps what is freed of
 * them. Pages that go back to the system meanwhile come back by one fault each. Blocks larger than
 * `largest` and barely touched stay the system's. A worker that may have little memory keeps it for
 * itself: what is asked for ahead counts for RLIMIT_DATA, used or not. */
void worker_expect_heap(size_t bytes, size_t largest);

#endif
