/* The limits of a run with every default filled in; and as a sanitizer's options, whose own limit
 * takes the place of RLIMIT_DATA. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <unistd.h>

struct jail_limits jail_limits_resolve(enum jail_profile profile,
                                       const struct jail_limits *limits) {
    struct jail_limits full = limits ? *limits : (struct jail_limits){0};
    if (!(full.wall_seconds > 0))
        full.wall_seconds = 10;
    if (full.wall_seconds > 1e6)
        full.wall_seconds = 1e6;
    if (!(full.cpu_seconds > 0)) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        full.cpu_seconds = full.wall_seconds * (processors > 1 ? (double)processors : 1) + 1;
    }
    if (full.memory_bytes == 0)
        full.memory_bytes = 2ULL << 30;
    if (full.output_bytes == 0)
        full.output_bytes = 16ULL << 20;
    if (full.file_bytes == 0)
        full.file_bytes = jail_profiles[profile].file_bytes;
    if (full.processes == 0)
        full.processes = jail_profiles[profile].processes;
    return full;
}

char *jail_asan_options(const struct jail_limits *limits) {
    return mem_printf("hard_rss_limit_mb=%llu:allocator_may_return_null=1:handle_abort=0:"
                      "handle_segv=0:detect_leaks=0",
                      (unsigned long long)(limits->memory_bytes >> 20));
}
