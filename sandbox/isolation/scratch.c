/* The scratch folder of a run without a jail: on the disk, removed when the run is over. In a jail
 * it is a tmpfs that goes with the mount namespace. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *scratch_make(struct error *error) {
    const char *temporary = getenv("TMPDIR");
    cleanup_free char *folder =
        mem_printf("%s/warpgrade-XXXXXX", temporary && temporary[0] == '/' ? temporary : "/tmp");
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
        else if (found->fts_info != FTS_D)
            unlink(found->fts_accpath);
    }
    fts_close(walk);
}
