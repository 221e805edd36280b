/* Where test programs make their folders. In memory where that is possible: a file system on a disk
 * searches long for an inode that nothing has used lately, when thousands of small files have just
 * been removed, a tenth of the suites' time. A container's own /dev/shm is small and executes
 * nothing; then it is /tmp. */
#ifndef WARPGRADE_TESTS_SUPPORT_SCRATCH_H
#define WARPGRADE_TESTS_SUPPORT_SCRATCH_H

#include "sandbox/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SCRATCH_ROOM_BYTES = 1 << 30 };

/* A new folder "NAME-XXXXXX" of mode 0700, NULL where it cannot be made. Caller frees. */
static inline char *scratch_make(const char *name) {
    struct statvfs memory;
    bool fits = access("/dev/shm", R_OK | W_OK | X_OK) == 0 && statvfs("/dev/shm", &memory) == 0 &&
                !(memory.f_flag & ST_NOEXEC) &&
                (uint64_t)memory.f_bavail * memory.f_frsize >= SCRATCH_ROOM_BYTES;
    char *folder = mem_printf("%s/%s-XXXXXX", fits ? "/dev/shm" : "/tmp", name);
    if (mkdtemp(folder))
        return folder;
    free(folder);
    return NULL;
}

#endif
