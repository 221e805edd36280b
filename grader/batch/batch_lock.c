/* One batch of a course at a time: two would grade everything twice and write each other's files.
 *
 * The lock is one of fcntl(): it ends with the process that took it, however that ends, while a
 * lock of flock() stays with the children that a killed batch leaves for a moment. The file says
 * who holds it, for the message. */
#include "grader/batch/batch_private.h"

#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    TRIES = 10,
    LOCKED_BYTE = 1 << 20 /* beyond what is written: some systems refuse to read */
};

static char *lock_path(const struct batch *batch) {
    return mem_printf("%s.lock", batch->course->gradebook);
}

static bool take(int file) {
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCKED_BYTE, .l_len = 1};
    return fcntl(file, F_SETLK, &lock) == 0;
}

/* "process 4711 on n1, since 2026-11-23 22:40 UTC", as far as that is known. */
static void append_holder(const struct batch *batch, int file, struct text *out) {
    char content[256] = "", host[65];
    long process;
    int64_t since;
    if (pread(file, content, sizeof content - 1, 0) <= 0 ||
        sscanf(content, "%ld %" SCNd64 " %64s", &process, &since, host) != 3)
        return;
    text_printf(out, ": process %ld on ", process);
    escape_terminal(out, host, strlen(host), true);
    text_append(out, ", since ");
    course_append_instant(batch->course, since, out);
}

static enum status refuse(const struct batch *batch, int file, const char *path,
                          struct error *error) {
    int cause = errno;
    if (cause == EACCES || cause == EAGAIN) {
        cleanup_text struct text holder = {0};
        append_holder(batch, file, &holder);
        error_set(error, STATUS_ENVIRONMENT, "another batch of this course is running%s",
                  text_string(&holder));
        error_hint(error, "wait for it or end it; its lock is %s", path);
    } else {
        error_set(error, STATUS_ENVIRONMENT, "%s cannot be locked: %s", path, strerror(cause));
        error_hint(error, "two batches at once would grade everything twice: put the gradebook "
                          "where files can be locked");
    }
    return STATUS_ENVIRONMENT;
}

static void say_who(int file) {
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    cleanup_free char *line =
        mem_printf("%ld %" PRId64 " %s\n", (long)getpid(), (int64_t)time(NULL), *host ? host : "?");
    if (ftruncate(file, 0) == 0) /* the lock is held whether or not it says by whom */
        file_write_at(file, line, strlen(line), 0);
}

/* Another batch that ends removes the file: the one that was locked must be the one that is there.
 */
enum status batch_lock(struct batch *batch, struct error *error) {
    cleanup_free char *path = lock_path(batch);
    for (int i = 0; i < TRIES; i++) {
        struct stat held, there;
        cleanup_fd int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0)
            break;
        if (!take(file))
            return refuse(batch, file, path, error);
        if (fstat(file, &held) == 0 && stat(path, &there) == 0 && held.st_ino == there.st_ino &&
            held.st_dev == there.st_dev) {
            say_who(file);
            batch->lock = steal_fd(&file);
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_ENVIRONMENT, "cannot make %s: %s", path, strerror(errno));
}

void batch_unlock(struct batch *batch) {
    if (batch->lock < 0)
        return;
    cleanup_free char *path = lock_path(batch);
    unlink(path);
    close(steal_fd(&batch->lock));
}
