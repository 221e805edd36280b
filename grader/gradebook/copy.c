/* A copy of a gradebook in memory: for who must leave the file as it is.
 *
 * SQLite makes files beside a database in WAL mode even to read it, and a log that a killed program
 * left must be read with it. So both files are copied to a folder of our own, and read there. A
 * batch may write meanwhile: what changed while it was copied is copied again. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 50, PAUSE_US = 20000 };

static const char *const parts[] = {"", "-wal"};
enum { PARTS = 2 };

static enum status fail(const char *what, const char *path, struct error *error) {
    return error_set(error, STATUS_ENVIRONMENT, "cannot %s %s: %s", what, path, strerror(errno));
}

/* What is not there is copied as nothing. */
static enum status copy_part(const char *from, const char *to, struct error *error) {
    cleanup_fd int source = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source < 0)
        return errno == ENOENT ? STATUS_OK : fail("read", from, error);
    cleanup_fd int target = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (target < 0)
        return fail("write", to, error);
    ssize_t moved;
    do
        moved = sendfile(target, source, NULL, 1 << 30);
    while (moved > 0 || (moved < 0 && errno == EINTR));
    return moved == 0 ? STATUS_OK : fail("copy", from, error);
}

static void look(const char *path, struct stat now[PARTS]) {
    for (size_t i = 0; i < PARTS; i++) {
        cleanup_free char *name = mem_printf("%s%s", path, parts[i]);
        if (stat(name, &now[i]) != 0)
            now[i] = (struct stat){0};
    }
}

static bool is_same(const struct stat *before, const struct stat *now) {
    for (size_t i = 0; i < PARTS; i++)
        if (before[i].st_ino != now[i].st_ino || before[i].st_size != now[i].st_size ||
            before[i].st_mtim.tv_sec != now[i].st_mtim.tv_sec ||
            before[i].st_mtim.tv_nsec != now[i].st_mtim.tv_nsec)
            return false;
    return true;
}

static enum status copy_files(const char *path, const char *to, struct error *error) {
    for (int i = 0; i < TRIES; i++) {
        struct stat before[PARTS], now[PARTS];
        look(path, before);
        enum status status = STATUS_OK;
        for (size_t k = 0; k < PARTS && status == STATUS_OK; k++) {
            cleanup_free char *from = mem_printf("%s%s", path, parts[k]);
            cleanup_free char *target = mem_printf("%s%s", to, parts[k]);
            status = copy_part(from, target, error);
        }
        if (status != STATUS_OK)
            return status;
        look(path, now);
        if (is_same(before, now))
            return STATUS_OK;
        usleep(PAUSE_US);
    }
    return error_set(error, STATUS_ENVIRONMENT,
                     "%s cannot be copied: another program keeps writing it", path);
}

static void remove_files(const char *folder, const char *copy) {
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < ARRAY_LENGTH(endings); i++) {
        cleanup_free char *name = mem_printf("%s%s", copy, endings[i]);
        unlink(name);
    }
    rmdir(folder);
}

static enum status load(sqlite3 *memory, const char *copy) {
    sqlite3 *from = NULL;
    int code = sqlite3_open_v2(copy, &from, SQLITE_OPEN_READWRITE, NULL);
    sqlite3_backup *backup =
        code == SQLITE_OK ? sqlite3_backup_init(memory, "main", from, "main") : NULL;
    bool whole = backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
    whole &= sqlite3_backup_finish(backup) == SQLITE_OK;
    sqlite3_close(from);
    return whole ? STATUS_OK : STATUS_INVALID;
}

enum status copy_into(const char *path, sqlite3 *memory, struct error *error) {
    const char *temporary = getenv("TMPDIR");
    cleanup_free char *real = realpath(path, NULL); /* SQLite's log is beside the file itself */
    cleanup_free char *folder =
        mem_printf("%s/warpgrade-book.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!real)
        return fail("read", path, error);
    if (!mkdtemp(folder))
        return fail("make", folder, error);
    cleanup_free char *copy = file_join(folder, "gradebook");
    enum status status = copy_files(real, copy, error);
    if (status == STATUS_OK && load(memory, copy) != STATUS_OK) {
        status = error_set(error, STATUS_INVALID, "the gradebook is damaged or no SQLite database");
        error_place(error, path, 0, 0, NULL, 0);
    }
    remove_files(folder, copy);
    return status;
}
