/* Attempts to break the jail, made by a worker of ours inside it: what `doctor` says about a guard
 * it has seen. Takes a second for all of them. */
#ifndef WARPGRADE_SANDBOX_WORKER_PROBE_H
#define WARPGRADE_SANDBOX_WORKER_PROBE_H

#include "sandbox/worker/entry.h"

#include <stdbool.h>

enum probe {
#define PROBE(id, name, guard, profile, limit, what) PROBE_##id,
#include "sandbox/worker/probe.def"
#undef PROBE
    PROBE_COUNT
};

struct probe_info {
    const char *name; /* "file system" */
    const char *what; /* is tried: "to read and to write where it must not" */
    enum jail_guard guard;
};
extern const struct probe_info probe_infos[PROBE_COUNT];

struct probe_result {
    bool holds;
    char found[400]; /* what was seen, in either case; may hold what a worker said */
};
/* STATUS_ENVIRONMENT where the attempt could not be made. `unreadable`, ended by NULL: absolute
 * paths that must not be readable inside, beside those that no machine has to spare. */
enum status probe_run(enum probe probe, const char *const *unreadable, struct probe_result *result,
                      struct error *error);

/* The worker's side. */
enum { PROBE_ROLES = 3 };
extern const struct worker_role probe_roles[PROBE_ROLES];

#endif
