/* Files are read whole, with a cap, and written to a temporary name that is then renamed, so that
 * nothing is ever half-written. Only regular files are read: a FIFO or /dev/zero named on the
 * command line must not hang the grader or fill its memory.
 *
 * What is renamed over is never a symbolic link but the file it stands for. /dev/stdout is such a
 * link, and with standard output in a file it leads to a regular one: root's rename would replace
 * the link itself, for every program on the machine. */
#include "sandbox/base/file.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status read_file(const char *path, int flags, size_t max_bytes, char **data,
                             size_t *length, struct error *error) {
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
    if (descriptor < 0) {
        bool link = errno == ELOOP && (flags & O_NOFOLLOW);
        enum status status =
            link ? error_set(error, STATUS_INVALID, "%s is a symbolic link, not a file", path)
                 : error_set(error, STATUS_INVALID, "cannot open %s: %s", path, strerror(errno));
        if (link)
            error_hint(error, "Name the file that it leads to.");
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

enum status file_read(const char *path, size_t max_bytes, char **data, size_t *length,
                      struct error *error) {
    return read_file(path, 0, max_bytes, data, length, error);
}

enum status file_read_foreign(const char *path, size_t max_bytes, char **data, size_t *length,
                              struct error *error) {
    bool own = strcmp(path, "/dev/stdin") == 0 || file_descriptor_of(path) >= 0;
    return read_file(path, own ? 0 : O_NOFOLLOW, max_bytes, data, length, error);
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

bool file_write_at(int descriptor, const void *data, size_t length, size_t offset) {
    for (size_t done = 0; done < length;) {
        ssize_t written =
            pwrite(descriptor, (const char *)data + done, length - done, (off_t)(offset + done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

bool file_read_at(int descriptor, void *data, size_t length, size_t offset) {
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(descriptor, (char *)data + done, length - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = ENODATA;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

int file_descriptor_of(const char *path) {
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0)
            continue;
        size_t digits = strspn(path + length, "0123456789");
        if (digits && digits < 10 && path[length + digits] == '\0')
            return atoi(path + length);
    }
    return -1;
}

bool file_is_standard_output(const char *path) {
    return strcmp(path, "-") == 0 || file_descriptor_of(path) == STDOUT_FILENO;
}

/* What a path stands for, links followed; the path itself where nothing is there yet. Caller frees.
 * Not realpath() alone: a link whose target does not exist yet is followed, too. */
static char *resolve_links(const char *path) {
    char *resolved = realpath(path, NULL);
    if (resolved)
        return resolved;
    char target[4096];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
        return mem_strdup(path);
    target[length] = '\0';
    size_t folder = (size_t)(file_base_name(path) - path);
    return target[0] == '/' ? mem_strdup(target) : mem_printf("%.*s%s", (int)folder, path, target);
}

/* The process's umask, which can be read only by setting it: from /proc where it tells, since a
 * moment without a mask would be one for all threads. */
static mode_t current_umask(void) {
    cleanup_fd int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    char text[512];
    ssize_t got = status < 0 ? -1 : read(status, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    const char *line = strstr(text, "\nUmask:");
    if (line)
        return (mode_t)strtoul(line + strlen("\nUmask:"), NULL, 8) & 0777;
    mode_t mask = umask(077);
    umask(mask);
    return mask;
}

/* A new temporary file is the owner's alone. Where that is what is asked for nothing is changed:
 * some jailed programs may not change modes. */
static bool give_mode(int descriptor, mode_t mode) {
    return mode == 0600 || fchmod(descriptor, mode) == 0;
}

static bool replace_file(const char *path, const void *data, size_t length) {
    cleanup_free char *temporary = mem_printf("%s.XXXXXX", path);
    cleanup_fd int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0)
        return false;
    if (file_write_all(descriptor, data, length) &&
        give_mode(descriptor, 0666 & ~current_umask()) && rename(temporary, path) == 0)
        return true;
    int cause = errno;
    unlink(temporary);
    errno = cause;
    return false;
}

enum status file_write(const char *path, const void *data, size_t length, struct error *error) {
    struct stat info;
    bool written;
    int open_already = file_descriptor_of(path);
    if (open_already >= 0) {
        written = file_write_all(open_already, data, length);
    } else if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        /* /dev/null, a FIFO: there is nothing to rename over. */
        cleanup_fd int direct = open(path, O_WRONLY | O_CLOEXEC);
        written = direct >= 0 && file_write_all(direct, data, length);
    } else {
        cleanup_free char *resolved = resolve_links(path);
        written = replace_file(resolved, data, length);
    }
    if (written)
        return STATUS_OK;
    return error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
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

char *file_find_program(const char *folders, const char *name) {
    cleanup_free char *copy = mem_strdup(folders);
    char *rest = NULL;
    for (char *part = strtok_r(copy, ":", &rest); part; part = strtok_r(NULL, ":", &rest)) {
        cleanup_free char *path = file_join(part, name);
        if (path[0] == '/' && access(path, X_OK) == 0)
            return steal_pointer(&path);
    }
    return NULL;
}
