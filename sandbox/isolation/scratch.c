/* The scratch folder of a run without a mount namespace: on the disk, removed when the run is over.
 * In the full jail it is a tmpfs that goes with its namespace. */
#include "sandbox/isolation/jail_private.h"
#include "sandbox/isolation/reachable.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *scratch_make(struct error *error) {
    cleanup_free char *temporary = reachable_temporary();
    cleanup_free char *folder = mem_printf("%s/warpgrade-XXXXXX", temporary);
    if (mkdtemp(folder))
        return steal_pointer(&folder);
    error_set(error, STATUS_ENVIRONMENT, "cannot create a scratch folder %s: %s", folder,
              strerror(errno));
    return NULL;
}

void scratch_remove(const char *folder) {
    char *roots[] = {(char *)(uintptr_t)folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    if (!walk)
        return;
    for (FTSENT *found; (found = fts_read(walk));) {
        if (found->fts_info == FTS_DP)
            rmdir(found->fts_accpath);
        else if (found->fts_info == FTS_D)
            chmod(found->fts_accpath, 0700); /* before it is read: it may have been closed */
        else if (found->fts_info == FTS_DNR || unlink(found->fts_accpath) != 0)
            rmdir(found->fts_accpath);
    }
    fts_close(walk);
}

/* The program may change the folder meanwhile: what is counted then is at most other files'
 * figures. */
void scratch_measure(const char *folder, uint64_t most_files, uint64_t most_bytes, uint64_t *files,
                     uint64_t *bytes) {
    char *roots[] = {(char *)(uintptr_t)folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    *files = *bytes = 0;
    if (!walk)
        return;
    for (FTSENT *found; *files <= most_files && *bytes <= most_bytes && (found = fts_read(walk));) {
        if (found->fts_info == FTS_DP)
            continue;
        ++*files;
        *bytes += found->fts_info == FTS_F ? (uint64_t)found->fts_statp->st_blocks * 512 : 0;
    }
    fts_close(walk);
}
