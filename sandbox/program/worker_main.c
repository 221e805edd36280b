/* The worker's side of worker.c: recognises that the process was started as a worker and runs the
 * role named in argv[1]. A worker is recognised by its argv[0] alone (its path in the jail, its
 * name without), which no shell user types by accident; starting one by hand is harmless, it only
 * waits for a request on descriptor 0. */
#include "sandbox/build/build.h"
#include "sandbox/cuda/session.h"
#include "sandbox/engine/engine.h"
#include "sandbox/worker/probe.h"
#include "sandbox/worker/worker.h"

#include "sandbox/base/memory.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct worker_role built_in_roles[] = {
    {"build", build_worker_main},    {"tools", build_tools_worker_main},
    {"sim", engine_sim_worker_main}, {"probe", probe_worker_main},
    {"cuda", cuda_worker_main},      {"batch", engine_batch_worker_main},
};

static const struct worker_role *role_find(const struct worker_role *roles, size_t count,
                                           const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(roles[i].name, name) == 0)
            return &roles[i];
    return NULL;
}

bool worker_main_with(const struct worker_role *roles, size_t role_count, int argc, char **argv,
                      int *code) {
    if (argc != 2 ||
        (strcmp(argv[0], "warpgrade-worker") != 0 && strcmp(argv[0], JAIL_PROGRAM) != 0)) {
        /* Whoever started us may have ignored it, which survives exec and leaves nobody to wait
         * for. */
        signal(SIGCHLD, SIG_DFL);
        return false;
    }
    const struct worker_role *role = role_find(roles, role_count, argv[1]);
    if (!role)
        role = role_find(built_in_roles, ARRAY_LENGTH(built_in_roles), argv[1]);
    if (!role) {
        fprintf(stderr, "no worker role %s\n", argv[1]);
        *code = WORKER_EXIT_UNKNOWN_ROLE;
    } else {
        *code = role->run();
    }
    return true;
}

bool worker_main(int argc, char **argv, int *code) {
    return worker_main_with(NULL, 0, argc, argv, code);
}
