/* How submissions were kept in, as reports say it: every one that was made without a jail says so,
 * and one made with it says who counts memory, processes and CPU time. */
#ifndef WARPGRADE_SANDBOX_BASE_PROTECTION_H
#define WARPGRADE_SANDBOX_BASE_PROTECTION_H

enum protection_kind {
    PROTECTION_UNKNOWN,  /* nothing was run */
    PROTECTION_JAIL,     /* the full one: bubblewrap */
    PROTECTION_LANDLOCK, /* the one for machines without user namespaces */
    PROTECTION_NONE,     /* --unsafe-no-jail */
    PROTECTION_KIND_COUNT
};

struct protection {
    enum protection_kind kind;
    /* "cgroup v2", "cgroup v1" or "rlimits and supervisor"; NULL where nothing was run. */
    const char *memory, *processes, *cpu;
};

#endif
