/* The scratch folders of clones: made by the parent, removed by it however the child ends.
 *
 * A program that is killed or interrupted leaves its folder. The next one that clones
 * removes what is older than any fetch can last and belongs to the same user. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STALE_SECONDS = 2 * 3600 }; /* a fetch is given one hour at most */

static const char *const prefix = "warpgrade-clone.";

static const char *temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

void repo_scratch_remove(const char *path) {
    cleanup_free char *copy = mem_strdup(path);
    char *roots[] = {copy, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    const FTSENT *entry;
    while (walk && (entry = fts_read(walk))) {
        if (entry->fts_info == FTS_DP)
            rmdir(entry->fts_accpath);
        else if (entry->fts_info != FTS_D)
            unlink(entry->fts_accpath);
    }
    if (walk)
        fts_close(walk);
}

static void remove_stale(const char *folder) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        struct stat info;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            fstatat(dirfd(directory), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
            info.st_mtime > time(NULL) - STALE_SECONDS)
            continue;
        cleanup_free char *path = mem_printf("%s/%s", folder, entry->d_name);
        repo_scratch_remove(path);
    }
    if (directory)
        closedir(directory);
}

enum status repo_scratch_make(char **path, struct error *error) {
    const char *folder = temporary_folder();
    remove_stale(folder);
    *path = mem_printf("%s/%sXXXXXX", folder, prefix);
    if (mkdtemp(*path))
        return STATUS_OK;
    enum status status = error_set(error, STATUS_ENVIRONMENT, "cannot create the folder %s: %s",
                                   *path, strerror(errno));
    free(*path);
    *path = NULL;
    return status;
}
