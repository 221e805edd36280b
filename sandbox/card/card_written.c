/* After a run: what the program has written, and copies of it where the user wants them.
 *
 * No process of the run is left, so that nothing changes any more; but whatever stands there was
 * put there by a stranger. Only regular files are taken, by names that a terminal can show, never
 * through a link; a link that stands in the user's folder is replaced and not followed. What is
 * kept has the limit of a run's copies, by the length of the files: holes cost nothing to make. */
#include "sandbox/card/card_files_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/card/card_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES = 5000 };

struct collecting {
    struct card_files *files;
    int keep; /* -1: nothing is kept */
    uint64_t bytes;
};

static bool is_unchanged(const struct card_files *files, const char *path,
                         const struct stat *info) {
    const struct card_file key = {.path = (char *)path};
    const struct card_file *copied = files->copied_count
                                         ? bsearch(&key, files->copied, files->copied_count,
                                                   sizeof *files->copied, card_file_compare)
                                         : NULL;
    return copied && copied->node == info->st_ino && copied->bytes == (uint64_t)info->st_size &&
           copied->changed.tv_sec == info->st_mtim.tv_sec &&
           copied->changed.tv_nsec == info->st_mtim.tv_nsec;
}

/* C0, DEL and C1: they would steer whatever lists the folder. */
static bool has_control(const char *path) {
    for (const unsigned char *c = (const unsigned char *)path; *c; c++)
        if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            return true;
    return false;
}

/* The folder of a kept file, made where it is not there; never through a link. */
static int open_parent(int keep, const char *path) {
    int at = fcntl(keep, F_DUPFD_CLOEXEC, 3);
    for (const char *slash; at >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
        cleanup_free char *name = mem_strndup(path, (size_t)(slash - path));
        int next = mkdirat(at, name, 0777) == 0 || errno == EEXIST
                       ? openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                       : -1;
        int cause = errno;
        close(at);
        errno = cause;
        at = next;
    }
    return at;
}

static bool keep_file(int keep, const char *path, int descriptor, uint64_t bytes) {
    static const char temporary[] = ".warpgrade-kept";
    cleanup_fd int folder = open_parent(keep, path);
    cleanup_fd int from = walk_open(descriptor);
    if (folder < 0 || from < 0)
        return false;
    unlinkat(folder, temporary, 0);
    cleanup_fd int to =
        openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (to >= 0 && walk_copy(from, to, bytes) &&
        renameat(folder, temporary, folder, file_base_name(path)) == 0)
        return true;
    int cause = errno;
    unlinkat(folder, temporary, 0);
    errno = cause;
    return false;
}

static void keep_written(struct collecting *collecting, struct card_written *written,
                         int descriptor) {
    const char *why = NULL;
    if (has_control(written->path))
        why = "its name has control characters";
    else if (written->bytes > CARD_FILES_BYTES - collecting->bytes)
        why = "more than 256 MiB in all";
    else if (!keep_file(collecting->keep, written->path, descriptor, written->bytes))
        why = strerror(errno);
    else
        collecting->bytes += written->bytes;
    snprintf(written->kept, sizeof written->kept, "%s", why ? why : "");
}

static bool visit(void *context, const char *path, int descriptor, const struct stat *info) {
    struct collecting *collecting = context;
    struct card_files *files = collecting->files;
    if (S_ISDIR(info->st_mode))
        return true;
    if (descriptor < 0 || !S_ISREG(info->st_mode)) {
        files->others++;
        return false;
    }
    if (is_unchanged(files, path, info))
        return false;
    if (files->written_count == CARD_WRITTEN_MOST) {
        files->more_written++;
        return false;
    }
    struct card_written *written =
        mem_push(&files->written, &files->written_count, &files->written_capacity);
    *written = (struct card_written){.path = mem_strdup(path), .bytes = (uint64_t)info->st_size};
    if (collecting->keep >= 0)
        keep_written(collecting, written, descriptor);
    return false;
}

void card_written_collect(struct card_files *files, int folder) {
    cleanup_fd int keep = files->keep ? open(files->keep, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    struct collecting collecting = {.files = files, .keep = keep};
    const struct walk walk = {
        .root = folder, .sees_hidden = true, .visit = visit, .context = &collecting};
    walk_folder(&walk, MOST_NAMES);
    for (size_t i = 0; files->keep && keep < 0 && i < files->written_count; i++)
        snprintf(files->written[i].kept, sizeof files->written[i].kept, "%s",
                 "the folder cannot be opened");
}
