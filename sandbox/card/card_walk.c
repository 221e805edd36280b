/* A walk that never leaves its root: every name is resolved by the kernel below the root's
 * descriptor, links and ".." included, so that it does not matter what changes meanwhile. What is
 * found is opened as a name only; a FIFO or a device is never opened itself. A link may make a
 * folder a part of itself, so that no folder is entered twice. */
#include "sandbox/card/card_walk.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_FOLDERS = 1024 };

struct queue {
    char *paths[MOST_FOLDERS]; /* to be entered, in order */
    struct {
        dev_t device;
        ino_t node;
    } known[MOST_FOLDERS];
    size_t count;
};

static int open_beneath(const struct walk *walk, const char *path, uint64_t flags) {
    struct open_how how = {.flags = flags | O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS |
                                      (walk->follows_links ? 0 : RESOLVE_NO_SYMLINKS)};
    return (int)syscall(SYS_openat2, walk->root, path, &how, sizeof how);
}

int walk_find(int folder, const char *path) {
    return open_beneath(&(struct walk){.root = folder, .follows_links = true}, path, O_PATH);
}

int walk_open(int descriptor) {
    cleanup_free char *path = mem_printf("/proc/self/fd/%d", descriptor);
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static bool enqueue(struct queue *queue, const char *path, const struct stat *info) {
    for (size_t i = 0; i < queue->count; i++)
        if (queue->known[i].node == info->st_ino && queue->known[i].device == info->st_dev)
            return true;
    if (queue->count == MOST_FOLDERS)
        return false;
    queue->known[queue->count].device = info->st_dev;
    queue->known[queue->count].node = info->st_ino;
    queue->paths[queue->count++] = mem_strdup(path);
    return true;
}

/* The names in a folder, sorted; those that are left of `room` at most. */
static bool list_names(const struct walk *walk, const char *path, size_t *room, char ***names,
                       size_t *count) {
    size_t capacity = 0;
    bool whole = true;
    *names = NULL;
    *count = 0;
    int descriptor = open_beneath(walk, path, O_RDONLY | O_DIRECTORY);
    DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!folder) {
        cleanup_fd_function(&descriptor);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(folder)) && whole;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            (*name == '.' && !walk->sees_hidden))
            continue;
        whole = *room > 0;
        if (!whole)
            break;
        --*room;
        *mem_push(names, count, &capacity) = mem_strdup(name);
    }
    closedir(folder);
    if (*count)
        qsort(*names, *count, sizeof **names, text_compare);
    return whole;
}

static bool look_at(const struct walk *walk, struct queue *queue, const char *path) {
    struct stat info = {0};
    cleanup_fd int descriptor =
        open_beneath(walk, path, O_PATH | (walk->follows_links ? 0 : O_NOFOLLOW));
    if (descriptor >= 0 && fstat(descriptor, &info) != 0)
        return false;
    bool entered = walk->visit(walk->context, path, descriptor, &info);
    return !entered || !S_ISDIR(info.st_mode) || enqueue(queue, path, &info);
}

bool walk_folder(const struct walk *walk, size_t most_names) {
    cleanup_free struct queue *queue = mem_zalloc(sizeof *queue);
    struct stat info;
    bool whole = fstat(walk->root, &info) == 0 && enqueue(queue, ".", &info);
    for (size_t i = 0; i < queue->count; i++) {
        const char *folder = queue->paths[i];
        char **names;
        size_t count;
        whole &= list_names(walk, folder, &most_names, &names, &count);
        for (size_t k = 0; k < count; k++) {
            cleanup_free char *path =
                i ? file_join(folder, names[k]) : mem_strdup(names[k]); /* 0 is the root */
            whole &= look_at(walk, queue, path);
            free(names[k]);
        }
        free(names);
    }
    for (size_t i = 0; i < queue->count; i++)
        free(queue->paths[i]);
    return whole;
}

static bool copy_part(int from, int to, off_t at, off_t end) {
    if (lseek(to, at, SEEK_SET) < 0)
        return false;
    while (at < end) {
        ssize_t moved = sendfile(to, from, &at, (size_t)(end - at));
        if (moved == 0) {
            errno = EIO; /* it became shorter meanwhile */
            return false;
        }
        if (moved < 0 && errno != EINTR)
            return false;
    }
    return true;
}

bool walk_copy(int from, int to, uint64_t bytes) {
    off_t end = (off_t)bytes;
    for (off_t at = 0; at < end;) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            break; /* a hole up to the end */
        off_t hole = data < 0 ? -1 : lseek(from, data, SEEK_HOLE);
        if (hole < 0) { /* not every file system knows of holes */
            data = at;
            hole = end;
        }
        hole = hole < end ? hole : end;
        if (data < hole && !copy_part(from, to, data, hole))
            return false;
        at = hole > at ? hole : end;
    }
    return ftruncate(to, end) == 0;
}
