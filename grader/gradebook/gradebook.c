/* Opening a gradebook. WAL with synchronous=FULL: what was stored survives a crash of the program
 * and of the machine. The file may be anybody's: SQLite is told to trust nothing in it, and
 * schema.c compares it with our own. */
#include "grader/gradebook/gradebook_private.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_TIMEOUT_MS = 15000, RETRY_MS = 20, MAX_VALUE_BYTES = 128 << 20 };

static enum status check_file(const char *path, struct error *error) {
    struct stat info;
    enum status status = STATUS_OK;
    if (stat(path, &info) != 0)
        status = error_set(error, STATUS_INVALID, "there is no gradebook: %s", strerror(errno));
    else if (!S_ISREG(info.st_mode))
        status = error_set(error, STATUS_INVALID, "the gradebook is not a regular file");
    if (status != STATUS_OK)
        error_place(error, path, 0, 0, NULL, 0);
    return status;
}

/* Makes an empty file that only its owner can read: SQLite itself would follow the umask, and its
 * journal files take over the mode. */
static enum status make_file(const char *path, struct error *error) {
    cleanup_fd int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0 || errno == EEXIST)
        return check_file(path, error);
    enum status status =
        error_set(error, STATUS_ENVIRONMENT, "the gradebook cannot be made: %s", strerror(errno));
    error_place(error, path, 0, 0, NULL, 0);
    return status;
}

static enum status set_up_once(struct gradebook *book, struct error *error) {
    enum status status = schema_apply(book, error);
    if (status == STATUS_OK)
        status = book_execute(book,
                              "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                              "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON",
                              error);
    return status;
}

/* The change to WAL does not wait for other processes as statements do, so all of it is tried
 * again. */
static enum status set_up(struct gradebook *book, struct error *error) {
    sqlite3_busy_timeout(book->database, BUSY_TIMEOUT_MS);
    sqlite3_db_config(book->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(book->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(book->database, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
    for (unsigned waited_ms = 0;; waited_ms += RETRY_MS) {
        book->busy = false;
        enum status status = set_up_once(book, error);
        if (status == STATUS_OK || !book->busy || waited_ms >= BUSY_TIMEOUT_MS)
            return status;
        usleep(RETRY_MS * 1000);
    }
}

static enum status open_database(const char *path, const char *place, struct gradebook **out,
                                 struct error *error) {
    struct gradebook *book = mem_zalloc(sizeof *book);
    enum status status = STATUS_OK;
    book->path = mem_strdup(path);
    if (sqlite3_open_v2(place, &book->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = book_error(book, STATUS_ENVIRONMENT, "cannot be opened", error);
    else if (place != path)
        status = copy_into(path, book->database, error);
    if (status == STATUS_OK)
        status = set_up(book, error);
    if (status != STATUS_OK) {
        gradebook_close(book);
        return status;
    }
    *out = book;
    return STATUS_OK;
}

enum status gradebook_open(const char *path, struct gradebook **out, struct error *error) {
    *out = NULL;
    enum status status = make_file(path, error);
    return status == STATUS_OK ? open_database(path, path, out, error) : status;
}

enum status gradebook_open_existing(const char *path, struct gradebook **out, struct error *error) {
    *out = NULL;
    enum status status = check_file(path, error);
    return status == STATUS_OK ? open_database(path, path, out, error) : status;
}

enum status gradebook_open_copy(const char *path, struct gradebook **out, struct error *error) {
    *out = NULL;
    enum status status = check_file(path, error);
    return status == STATUS_OK ? open_database(path, ":memory:", out, error) : status;
}

static bool can_write(const char *path) {
    cleanup_free char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;
    if (!slash || faccessat(AT_FDCWD, real, W_OK, AT_EACCESS) != 0)
        return false;
    slash[slash == real] = '\0';
    return faccessat(AT_FDCWD, real, W_OK, AT_EACCESS) == 0;
}

enum status gradebook_open_to_read(const char *path, struct gradebook **out, struct error *error) {
    *out = NULL;
    enum status status = check_file(path, error);
    if (status != STATUS_OK)
        return status;
    return can_write(path) ? open_database(path, path, out, error)
                           : gradebook_open_copy(path, out, error);
}

void gradebook_close(struct gradebook *book) {
    if (!book)
        return;
    for (size_t i = 0; i < book->statement_count; i++)
        sqlite3_finalize(book->statements[i].statement);
    sqlite3_close(book->database);
    free(book->path);
    free(book);
}
