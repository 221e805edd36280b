/* A cache folder: what was fetched from each location, so that the next fetch brings what is new.
 *
 *     CACHE/<SHA-256 of the location>/lock    held while one process reads or fetches
 *                                     busy    there while it does so; left behind: it was killed
 *                                     git/    a bare repository (fetched locations only)
 *                                     seen    the branch's heads of all readings (repo_seen.c)
 *
 * Nothing in it is believed more than the remote: which commit is the branch's head is asked each
 * time, and the objects are read with their ids checked by the same limited child as any others. An
 * entry that was left busy, that we did not make, that has grown too large or that turns out to be
 * damaged is thrown away and fetched anew; so whatever moment a program is killed at, the next one
 * works. Deleting the folder is always safe, and costs the memory of forced pushes. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_KEPT_FILES = 1024 }; /* many small packs are slower than one fetch */

/* The configuration of git/: another one is not ours, and could lead elsewhere. */
static const char *const git_config_text = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";

static enum status cannot_use(const char *path, struct error *error) {
    enum status status = error_set(error, STATUS_ENVIRONMENT, "the cache %s cannot be used: %s",
                                   path, strerror(errno));
    error_hint(error, "it must be a folder that this user can write to");
    return status;
}

/* The name of a location's entry: without its password, a folder by its real path. */
static char *entry_name(const char *location) {
    cleanup_free char *real = repo_has_scheme(location) ? NULL : realpath(location, NULL);
    cleanup_free char *shown = repo_display_location(real ? real : location);
    struct sha256 hash = hash_bytes(shown, strlen(shown));
    char hex[65];
    hash_hex(&hash, hex);
    return mem_strdup(hex);
}

static enum status make_entry(const char *path, struct error *error) {
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid())
        return STATUS_OK;
    repo_scratch_remove(path);
    return mkdir(path, 0700) == 0 || errno == EEXIST ? STATUS_OK : cannot_use(path, error);
}

static enum status take_lock(struct repo_cache *cache, double patience_seconds,
                             struct error *error) {
    cleanup_free char *path = file_join(cache->entry, "lock");
    cache->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (cache->lock < 0)
        return cannot_use(path, error);
    double deadline = clock_ms() + patience_seconds * 1e3;
    while (flock(cache->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return cannot_use(path, error);
        if (clock_ms() > deadline)
            return error_set(error, STATUS_INVALID,
                             "another program is reading this repository into the same cache");
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return STATUS_OK;
}

enum status repo_cache_discard(struct repo_cache *cache, struct error *error) {
    repo_scratch_remove(cache->git);
    cache->is_fresh = !file_exists(cache->git);
    errno = EEXIST; /* another user's file in it, say */
    return cache->is_fresh ? STATUS_OK : cannot_use(cache->git, error);
}

enum status repo_cache_open(const char *folder, const char *location, double patience_seconds,
                            struct repo_cache *cache, struct error *error) {
    cleanup_free char *name = entry_name(location);
    *cache = (struct repo_cache){.entry = file_join(folder, name), .lock = -1};
    cache->git = file_join(cache->entry, "git");
    cache->busy = file_join(cache->entry, "busy");
    cache->seen = file_join(cache->entry, "seen");
    enum status status = file_make_directories(folder, error);
    if (status == STATUS_OK)
        status = make_entry(cache->entry, error);
    if (status == STATUS_OK)
        status = take_lock(cache, patience_seconds, error);
    if (status != STATUS_OK)
        return status;
    cache->is_fresh = !file_exists(cache->git);
    if (file_exists(cache->busy))
        status = repo_cache_discard(cache, error);
    if (status != STATUS_OK)
        return status;
    int busy = open(cache->busy, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (busy < 0)
        return cannot_use(cache->busy, error);
    close(busy);
    cache->is_busy = true;
    return STATUS_OK;
}

void repo_cache_close(struct repo_cache *cache) {
    if (cache->is_busy)
        unlink(cache->busy);
    if (cache->lock >= 0)
        close(cache->lock);
    free(cache->entry);
    free(cache->git);
    free(cache->busy);
    free(cache->seen);
    *cache = (struct repo_cache){.lock = -1};
}

/* Files and folders of this user only, not too many and not too large together. */
static bool is_ours(const char *path) {
    cleanup_free char *copy = mem_strdup(path);
    char *roots[] = {copy, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    const FTSENT *entry;
    bool good = walk != NULL;
    size_t files = 0;
    int64_t bytes = 0;
    while (good && (entry = fts_read(walk))) {
        if (entry->fts_info == FTS_F) {
            files++;
            bytes += entry->fts_statp->st_size;
        }
        good =
            (entry->fts_info == FTS_F || entry->fts_info == FTS_D || entry->fts_info == FTS_DP) &&
            entry->fts_statp->st_uid == geteuid() && files <= MAX_KEPT_FILES &&
            bytes <= REPO_MAX_FETCH_BYTES;
    }
    if (walk)
        fts_close(walk);
    return good;
}

static bool has_our_config(const char *git) {
    cleanup_free char *path = file_join(git, "config");
    cleanup_free char *text = NULL;
    size_t length;
    return file_read_foreign(path, 4096, &text, &length, NULL) == STATUS_OK &&
           strcmp(text, git_config_text) == 0;
}

bool repo_cache_reopen(const struct repo_cache *cache, git_repository **repository) {
    cleanup_free char *alternates = file_join(cache->git, "objects/info/alternates");
    return !cache->is_fresh && is_ours(cache->git) && has_our_config(cache->git) &&
           !file_exists(alternates) && git_repository_open_bare(repository, cache->git) == 0;
}

enum status repo_cache_init(const char *git, git_repository **repository, struct error *error) {
    cleanup_free char *config = file_join(git, "config");
    if (git_repository_init(repository, git, 1) != 0)
        return repo_git_error(error, "the repository cannot be fetched");
    git_repository_free(*repository);
    *repository = NULL;
    enum status status = file_write(config, git_config_text, strlen(git_config_text), error);
    if (status == STATUS_OK && git_repository_open_bare(repository, git) != 0)
        status = repo_git_error(error, "the repository cannot be fetched");
    return status;
}
