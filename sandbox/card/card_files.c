/* Before a run: copies of the files that a program may open by a name of its own. Copies, so that
 * it may write to them, and so that nothing of the folder but these is in its reach. What is small
 * and stands at the top comes first; what does not fit is counted and left out. */
#include "sandbox/card/card_files.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/card/card_files_private.h"
#include "sandbox/card/card_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMES = 20000 };

struct filling {
    struct card_files *files;
    int to;
    int trouble; /* errno: the copies' own place refuses them */
};

int card_file_compare(const void *left, const void *right) {
    const struct card_file *a = left, *b = right;
    return strcmp(a->path, b->path);
}

static bool is_known(const struct card_files *files, const char *path) {
    for (size_t i = 0; i < files->copied_count; i++)
        if (strcmp(files->copied[i].path, path) == 0)
            return true;
    return false;
}

/* The folders above a file, in the copy. */
static bool make_parents(int to, const char *path) {
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        cleanup_free char *folder = mem_strndup(path, (size_t)(slash - path));
        if (mkdirat(to, folder, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

/* False where the file cannot be read, which is left out, or the copy not be written. */
static bool copy_file(struct filling *filling, const char *path, int descriptor,
                      const struct stat *info) {
    struct card_files *files = filling->files;
    cleanup_fd int from = walk_open(descriptor);
    if (from < 0)
        return false;
    cleanup_fd int to =
        make_parents(filling->to, path)
            ? openat(filling->to, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
            : -1;
    const struct timespec times[2] = {info->st_atim, info->st_mtim};
    struct stat made;
    if (to < 0 || !walk_copy(from, to, (uint64_t)info->st_size) || futimens(to, times) != 0 ||
        fstat(to, &made) != 0) {
        /* someone writes to it at this moment, or there is no room for it */
        bool is_left_out = to >= 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT);
        filling->trouble = is_left_out ? 0 : errno;
        unlinkat(filling->to, path, 0);
        return false;
    }
    *mem_push(&files->copied, &files->copied_count, &files->copied_capacity) =
        (struct card_file){mem_strdup(path), made.st_ino, (uint64_t)info->st_size, info->st_mtim};
    files->copied_bytes += (uint64_t)info->st_size;
    return true;
}

static bool visit(void *context, const char *path, int descriptor, const struct stat *info) {
    struct filling *filling = context;
    struct card_files *files = filling->files;
    if (S_ISDIR(info->st_mode))
        return true;
    if (descriptor >= 0 && !S_ISREG(info->st_mode))
        return false;
    if (filling->trouble || is_known(files, path))
        return false;
    bool fits = descriptor >= 0 && files->copied_count < CARD_FILES_MOST &&
                (uint64_t)info->st_size <= CARD_FILES_BYTES - files->copied_bytes;
    if (!fits || !copy_file(filling, path, descriptor, info))
        files->left_out++;
    return false;
}

/* The exercise's answers stand beside its description. */
static bool has_exercise(int folder) {
    return faccessat(folder, "exercise.yaml", F_OK, 0) == 0;
}

struct entering {
    struct filling *filling;
    int from;
};

static bool visit_unless_exercise(void *context, const char *path, int descriptor,
                                  const struct stat *info) {
    const struct entering *entering = context;
    if (S_ISDIR(info->st_mode)) {
        cleanup_fd int folder = walk_open(descriptor);
        return folder >= 0 && !has_exercise(folder);
    }
    return visit(entering->filling, path, descriptor, info);
}

/* What the user has named comes first, wherever it stands below the folder. */
static void copy_named(struct filling *filling, int from) {
    for (const char *const *path = filling->files->named; path && *path; path++) {
        struct stat info;
        cleanup_fd int file = walk_find(from, *path);
        if (file >= 0 && fstat(file, &info) == 0)
            visit(filling, *path, file, &info);
    }
}

static enum status fill(void *context, int folder, struct error *error) {
    struct filling filling = {.files = context, .to = folder};
    struct card_files *files = context;
    if (!files->from)
        return STATUS_OK;
    cleanup_fd int from = open(files->from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (from < 0)
        return error_set(error, STATUS_INVALID, "cannot read the folder %s: %s", files->from,
                         strerror(errno));
    copy_named(&filling, from);
    if (!has_exercise(from)) {
        struct entering entering = {&filling, from};
        const struct walk walk = {.root = from,
                                  .follows_links = true,
                                  .visit = visit_unless_exercise,
                                  .context = &entering};
        files->cut = !walk_folder(&walk, MOST_NAMES);
    }
    if (files->copied_count)
        qsort(files->copied, files->copied_count, sizeof *files->copied, card_file_compare);
    return filling.trouble ? error_set(error, STATUS_ENVIRONMENT,
                                       "cannot copy the files of %s for the program: %s",
                                       files->from, strerror(filling.trouble))
                           : STATUS_OK;
}

static void collect(void *context, int folder) {
    card_written_collect(context, folder);
}

struct jail_folder card_files_folder(struct card_files *files) {
    return (struct jail_folder){fill, collect, files};
}

void card_files_free(struct card_files *files) {
    for (size_t i = 0; i < files->copied_count; i++)
        free(files->copied[i].path);
    for (size_t i = 0; i < files->written_count; i++)
        free(files->written[i].path);
    free(files->copied);
    free(files->written);
    *files = (struct card_files){0};
}
