/* What the two sides of the probes share. */
#ifndef WARPGRADE_SANDBOX_WORKER_PROBE_PRIVATE_H
#define WARPGRADE_SANDBOX_WORKER_PROBE_PRIVATE_H

#include <stddef.h>

/* What an attempt goes for; the limits are a quarter of it. */
enum {
    PROBE_MEMORY_BYTES = 512 << 20,
    PROBE_OUTPUT_BYTES = 4 << 20,
    PROBE_FILE_BYTES = 4 << 20,
    PROBE_FORKS = 64,
};

/* One for each profile that is tried; Landlock is tried at the door. */
#define PROBE_ROLE_TOOLS     "probe"
#define PROBE_ROLE_SIMULATOR "probe-simulator"
#define PROBE_ROLE_LANDLOCK  "probe-landlock"

extern const char *const probe_namespaces[]; /* as /proc/self/ns names them */
extern const size_t probe_namespace_count;

/* The system calls that PROBE_CALLS tries. */
size_t probe_call_count(void);
const char *probe_call_name(size_t index);

#endif
