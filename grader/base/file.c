/* Files are read whole, with a cap, and written to a temporary name that is then renamed, so that
 * nothing is ever half-written. Only regular files are read: a FIFO or /dev/zero named on the
 * command line must not hang the grader or fill its memory. */
#include "grader/base/file.h"

#include "grader/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status file_read(const char *path, size_t max_bytes, char **data, size_t *length,
                      struct error *error) {
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        enum status status =
            error_set(error, STATUS_INVALID, "cannot open %s: %s", path, strerror(errno));
        error_place(error, path, 0, 0, NULL, 0);
        return status;
    }
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return error_set(error, STATUS_INVALID, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return error_set(error, STATUS_INVALID, "%s is %s, not a file", path,
                         S_ISDIR(info.st_mode) ? "a directory" : "a device, socket or FIFO");
    if (info.st_size > 0 && (size_t)info.st_size > max_bytes)
        return error_set(error, STATUS_INVALID, "%s is too large: %lld bytes, at most %zu", path,
                         (long long)info.st_size, max_bytes);
    cleanup_free char *buffer = mem_alloc((size_t)info.st_size + 1);
    size_t used = 0;
    while (used < (size_t)info.st_size) {
        ssize_t got = read(descriptor, buffer + used, (size_t)info.st_size - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, STATUS_INVALID, "cannot read %s: %s", path, strerror(errno));
        if (got == 0)
            break;
        used += (size_t)got;
    }
    buffer[used] = '\0';
    *length = used;
    *data = steal_pointer(&buffer);
    return STATUS_OK;
}

bool file_write_all(int descriptor, const void *data, size_t length) {
    const char *next = data;
    while (length) {
        ssize_t written = write(descriptor, next, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        next += written;
        length -= (size_t)written;
    }
    return true;
}

enum status file_write(const char *path, const void *data, size_t length, struct error *error) {
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        /* /dev/stdout, a pipe of a shell: there is nothing to rename over. */
        cleanup_fd int direct = open(path, O_WRONLY | O_CLOEXEC);
        if (direct < 0 || !file_write_all(direct, data, length))
            return error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", path,
                             strerror(errno));
        return STATUS_OK;
    }
    cleanup_free char *temporary = mem_printf("%s.XXXXXX", path);
    cleanup_fd int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    bool written = file_write_all(descriptor, data, length) &&
                   fchmod(descriptor, 0666 & ~mask) == 0 && rename(temporary, path) == 0;
    if (!written) {
        int cause = errno;
        unlink(temporary);
        return error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", path, strerror(cause));
    }
    return STATUS_OK;
}

enum status file_make_directories(const char *path, struct error *error) {
    cleanup_free char *copy = mem_strdup(path);
    for (char *slash = copy + 1;; slash++) {
        if (*slash != '/' && *slash != '\0')
            continue;
        char kept = *slash;
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            return error_set(error, STATUS_ENVIRONMENT, "cannot create the folder %s: %s", copy,
                             strerror(errno));
        *slash = kept;
        if (kept == '\0')
            break;
    }
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return error_set(error, STATUS_ENVIRONMENT, "%s exists and is not a folder", path);
    return STATUS_OK;
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

char *file_join(const char *directory, const char *name) {
    if (name[0] == '/' || directory[0] == '\0')
        return mem_strdup(name);
    return mem_printf("%s/%s", directory, name);
}

const char *file_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
