/* Landlock's numbers: the C library has no functions for it, and older headers lack some of them.
 * Rights of the first ABI are bits 0 to 12; later ABIs added the others. */
#ifndef WARPGRADE_SANDBOX_ISOLATION_LANDLOCK_H
#define WARPGRADE_SANDBOX_ISOLATION_LANDLOCK_H

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

enum {
    LANDLOCK_ASKS_VERSION = 1, /* flag of landlock_create_ruleset() */
    LANDLOCK_PATH_BENEATH = 1, /* kind of rule */
    LANDLOCK_RUN = 1 << 0,
    LANDLOCK_WRITE = 1 << 1,
    LANDLOCK_READ_FILE = 1 << 2,
    LANDLOCK_READ_FOLDER = 1 << 3,
    LANDLOCK_READ = LANDLOCK_READ_FILE | LANDLOCK_READ_FOLDER,
    LANDLOCK_REMOVE = 1 << 4 | 1 << 5,         /* folders, files */
    LANDLOCK_MAKE = 1 << 7 | 1 << 8 | 1 << 12, /* folders, files, links; no device, socket, FIFO */
    LANDLOCK_FIRST = (1 << 13) - 1,
    LANDLOCK_REFER = 1 << 13,    /* ABI 2 */
    LANDLOCK_TRUNCATE = 1 << 14, /* 3 */
    LANDLOCK_IOCTL = 1 << 15,    /* 5 */
    LANDLOCK_TCP = 3,            /* 4: bind, connect */
    LANDLOCK_SCOPES = 3          /* 6: abstract Unix sockets, signals */
};

struct landlock_attributes {
    uint64_t files, network, scopes;
};

struct landlock_path {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/* All that a kernel of this ABI can refuse, and how many bytes of it the kernel knows. */
static inline struct landlock_attributes landlock_all(int version, uint64_t *size) {
    struct landlock_attributes all = {.files = LANDLOCK_FIRST};
    all.files |= version >= 2 ? LANDLOCK_REFER : 0;
    all.files |= version >= 3 ? LANDLOCK_TRUNCATE : 0;
    all.files |= version >= 5 ? LANDLOCK_IOCTL : 0;
    all.network = version >= 4 ? LANDLOCK_TCP : 0;
    all.scopes = version >= 6 ? LANDLOCK_SCOPES : 0;
    *size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    return all;
}

#endif
