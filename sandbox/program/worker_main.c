/* The table of roles: recognises that the process was started as a worker and enters the role named
 * in argv[1]. Starting a worker by hand is harmless: it only waits for a request on descriptor 0.
 */
#include "sandbox/program/worker_main.h"

#include "sandbox/build/build.h"
#include "sandbox/card/card.h"
#include "sandbox/cuda/session.h"
#include "sandbox/engine/engine.h"
#include "sandbox/worker/entry.h"
#include "sandbox/worker/probe.h"
#include "sandbox/worker/worker.h"

#include "sandbox/base/memory.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct worker_role *const roles[] = {
    &build_role, &build_tools_role, &engine_sim_role, &engine_batch_role, &cuda_role,
    &card_role,  &metal_role,       &probe_roles[0],  &probe_roles[1],    &probe_roles[2],
};

bool worker_main(int argc, char **argv, int *code) {
    bool jailed;
    const char *name = worker_role_asked(argc, argv, &jailed);
    if (!name) {
        /* The process that started us may have ignored it, which survives exec and leaves no one to
         * wait for. */
        signal(SIGCHLD, SIG_DFL);
        return false;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(roles); i++)
        if (strcmp(roles[i]->name, name) == 0)
            worker_enter(roles[i], jailed);
    fprintf(stderr, "no worker role %s\n", name);
    *code = WORKER_EXIT_UNKNOWN_ROLE;
    return true;
}
