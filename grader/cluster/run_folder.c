/* All of it goes through the folder's descriptor, so that a folder which is moved or replaced while
 * a run goes on is not mixed with another one. */
#include "grader/cluster/run_folder.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REMOVALS = 5, REMOVAL_PAUSE_US = 100000 };

static const char *const parts[] = {"units", "tasks", "results", "logs"};

enum status run_folder_make(const char *path, struct error *error) {
    struct stat info;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return error_set(error, STATUS_ENVIRONMENT, "cannot make the folder %s: %m", path);
    if (lstat(path, &info) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot look at %s: %m", path);
    if (S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 077) == 0)
        return STATUS_OK;
    enum status status =
        error_set(error, STATUS_ENVIRONMENT,
                  "%s must be a folder of your own that is closed to others (mode 0700)", path);
    error_hint(error, "it holds the secret seed and the submissions: look at who made it, and "
                      "remove it");
    return status;
}

enum status run_folder_open(const char *path, struct run_folder *folder, struct error *error) {
    *folder = (struct run_folder){.descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (folder->descriptor < 0) {
        enum status status =
            error_set(error, STATUS_ENVIRONMENT, "cannot open the folder %s: %m", path);
        error_hint(error, "is the course's folder shared with this node?");
        return status;
    }
    folder->path = mem_strdup(path);
    return STATUS_OK;
}

enum status run_folder_create(const char *path, struct run_folder *folder, struct error *error) {
    *folder = (struct run_folder){.descriptor = -1};
    enum status status = run_folder_make(path, error);
    for (size_t i = 0; i < ARRAY_LENGTH(parts) && status == STATUS_OK; i++) {
        cleanup_free char *part = file_join(path, parts[i]);
        status = run_folder_make(part, error);
    }
    return status == STATUS_OK ? run_folder_open(path, folder, error) : status;
}

void run_folder_close(struct run_folder *folder) {
    if (folder->path)
        close(folder->descriptor);
    free(folder->path);
    *folder = (struct run_folder){.descriptor = -1};
}

static void remove_once(const char *path) {
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

/* A task that is being ended may still write. */
bool run_folder_remove(const char *path) {
    for (int i = 0; i < REMOVALS; i++) {
        remove_once(path);
        if (!file_exists(path))
            return true;
        usleep(REMOVAL_PAUSE_US);
    }
    return false;
}

/* ---- files -------------------------------------------------------------------------------- */

static enum status fail(const struct run_folder *folder, const char *what, const char *name,
                        struct error *error) {
    return error_set(error, STATUS_ENVIRONMENT, "cannot %s %s/%s: %s", what, folder->path, name,
                     strerror(errno));
}

/* Several nodes may write the same result: the temporary name has the host and the process in it.
 */
static char *temporary_name(const char *name) {
    static atomic_uint counter;
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    const char *base = file_base_name(name);
    return mem_printf("%.*s.%s-%d-%u.part", (int)(base - name), name, host, (int)getpid(),
                      atomic_fetch_add(&counter, 1));
}

enum status run_folder_write(const struct run_folder *folder, const char *name, const void *data,
                             size_t length, struct error *error) {
    cleanup_free char *temporary = temporary_name(name);
    cleanup_fd int file = openat(folder->descriptor, temporary,
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return fail(folder, "write", name, error);
    if (file_write_all(file, data, length) && fsync(file) == 0 &&
        renameat(folder->descriptor, temporary, folder->descriptor, name) == 0)
        return STATUS_OK;
    enum status status = fail(folder, "write", name, error);
    unlinkat(folder->descriptor, temporary, 0);
    return status;
}

enum status run_folder_read(const struct run_folder *folder, const char *name, size_t max_bytes,
                            char **data, size_t *length, struct error *error) {
    *data = NULL;
    *length = 0;
    cleanup_fd int file =
        openat(folder->descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0)
        return fail(folder, "read", name, error);
    if (!S_ISREG(info.st_mode) || info.st_size < 0 || (uint64_t)info.st_size > max_bytes)
        return error_set(error, STATUS_ENVIRONMENT,
                         "cannot read %s/%s: it is no file of at most %zu bytes", folder->path,
                         name, max_bytes);
    size_t size = (size_t)info.st_size;
    char *bytes = mem_alloc(size + 1);
    if (!file_read_at(file, bytes, size, 0)) {
        free(bytes);
        return fail(folder, "read", name, error);
    }
    bytes[size] = '\0';
    *data = bytes;
    *length = size;
    return STATUS_OK;
}

bool run_folder_has(const struct run_folder *folder, const char *name) {
    return faccessat(folder->descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void run_folder_unlink(const struct run_folder *folder, const char *name) {
    unlinkat(folder->descriptor, name, 0);
}

/* A client of NFS believes what it knows of a folder for up to a minute, unless it changes the
 * folder itself: then it sees that others have, too. */
static void refresh(const struct run_folder *folder, const char *name) {
    cleanup_free char *base = file_join(name, ".look");
    cleanup_free char *probe = temporary_name(base);
    cleanup_fd int file =
        openat(folder->descriptor, probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0)
        unlinkat(folder->descriptor, probe, 0);
}

void run_folder_list(const struct run_folder *folder, const char *name,
                     struct run_folder_names *names) {
    refresh(folder, name);
    int part = openat(folder->descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = part >= 0 ? fdopendir(part) : NULL;
    const struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.')
            *mem_push(&names->names, &names->count, &names->capacity) = mem_strdup(entry->d_name);
    if (directory)
        closedir(directory);
    else if (part >= 0)
        close(part);
}

void run_folder_names_free(struct run_folder_names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    *names = (struct run_folder_names){0};
}
