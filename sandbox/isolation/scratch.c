/* The scratch folder of a run without a mount namespace, and of one whose folder is filled before
 * and looked at afterwards: on the disk, removed when the run is over. Else it is, in the full
 * jail, a tmpfs that goes with its namespace. */
#include "sandbox/isolation/jail_private.h"
#include "sandbox/isolation/reachable.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
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

bool scratch_give(const char *folder, uid_t user) {
    char *roots[] = {(char *)(uintptr_t)folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    bool given = walk != NULL;
    for (FTSENT *found; given && (found = fts_read(walk));)
        given = found->fts_info == FTS_D || lchown(found->fts_accpath, user, user) == 0;
    int cause = errno;
    if (walk)
        fts_close(walk);
    errno = cause;
    return given;
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

static int open_folder(const char *folder) {
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

enum status scratch_fill(const char *folder, const struct jail_folder *with, uint64_t *files,
                         uint64_t *bytes, struct error *error) {
    cleanup_fd int descriptor = open_folder(folder);
    if (descriptor < 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot open the scratch folder %s: %s", folder,
                         strerror(errno));
    enum status status = with->fill(with->context, descriptor, error);
    scratch_measure(folder, UINT64_MAX, UINT64_MAX, files, bytes);
    return status;
}

void scratch_collect(const char *folder, const struct jail_folder *with) {
    cleanup_fd int descriptor = folder && with->collect ? open_folder(folder) : -1;
    if (descriptor >= 0)
        with->collect(with->context, descriptor);
}
