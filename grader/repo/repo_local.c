/* Repositories of this file system: opening them, and making sure that they hold what they show.
 *
 * The grader may read more than the student who owns a repository. Anyone who can write to a .git
 * folder could therefore try to have another student's work graded as their own: by a .git file or
 * a link that leads into the other repository, or by borrowing its objects. So a repository is
 * refused when its folders belong to different users, when HEAD, refs, packed-refs or objects hold
 * a symbolic link or anything but files and folders, and when it borrows objects (alternates). */
#include "grader/repo/repo_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_CHECKED_ENTRIES = 2000000 };

static enum status check_entry(const FTSENT *entry, struct error *error) {
    if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
        return error_set(error, STATUS_INVALID, "cannot read %s: %s", entry->fts_path,
                         strerror(entry->fts_errno));
    if (entry->fts_info == FTS_D || entry->fts_info == FTS_DP || entry->fts_info == FTS_F)
        return STATUS_OK;
    enum status status =
        error_set(error, STATUS_INVALID, "%s is %s: git never makes one there", entry->fts_path,
                  S_ISLNK(entry->fts_statp->st_mode) ? "a symbolic link" : "not a regular file");
    error_hint(error,
               "a repository that reaches outside itself is not graded: push to a fresh one");
    return status;
}

/* Every entry below (and including) a part of the git folder is a file or a folder. */
static enum status check_part(const char *directory, const char *part, struct error *error) {
    cleanup_free char *path = mem_printf("%s%s", directory, part);
    struct stat info;
    if (lstat(path, &info) != 0)
        return errno == ENOENT
                   ? STATUS_OK
                   : error_set(error, STATUS_INVALID, "cannot read %s: %s", path, strerror(errno));
    char *roots[] = {path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk)
        return error_set(error, STATUS_INVALID, "cannot read %s: %s", path, strerror(errno));
    enum status status = STATUS_OK;
    const FTSENT *entry;
    size_t count = 0;
    while (status == STATUS_OK && (entry = fts_read(walk))) {
        if (++count > MAX_CHECKED_ENTRIES)
            status = error_set(error, STATUS_INVALID, "%s holds too many files", path);
        else
            status = check_entry(entry, error);
    }
    fts_close(walk);
    return status;
}

static enum status check_owner(const char *path, uid_t owner, struct error *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return error_set(error, STATUS_INVALID, "cannot read %s: %s", path, strerror(errno));
    if (info.st_uid == owner)
        return STATUS_OK;
    enum status status = error_set(
        error, STATUS_INVALID, "%s belongs to another user than the folder of the roster", path);
    error_hint(error, "a repository that leads into another user's is not graded");
    return status;
}

static enum status check_repository(git_repository *repository, uid_t owner, struct error *error) {
    static const char *const parts[] = {"HEAD", "packed-refs", "refs", "objects", "config"};
    const char *folder = git_repository_path(repository);
    const char *common = git_repository_commondir(repository);
    enum status status = check_owner(folder, owner, error);
    if (status == STATUS_OK)
        status = check_owner(common, owner, error);
    if (status == STATUS_OK && strcmp(folder, common) != 0)
        status = check_part(folder, "HEAD", error);
    for (size_t i = 0; i < ARRAY_LENGTH(parts) && status == STATUS_OK; i++)
        status = check_part(common, parts[i], error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *alternates = mem_printf("%sobjects/info/alternates", common);
    struct stat info;
    if (stat(alternates, &info) == 0 && info.st_size > 0) {
        status = error_set(error, STATUS_INVALID,
                           "the repository borrows objects from another one "
                           "(objects/info/alternates)");
        error_hint(error, "make it whole: git repack -a -d && rm %s", alternates);
    }
    return status;
}

/* A clone with --filter: its configuration has a remote that promises what was left out. */
static bool is_partial(git_config *config) {
    git_config_iterator *entries;
    git_config_entry *entry;
    bool found = false;
    if (git_config_iterator_glob_new(&entries, config,
                                     "^(extensions\\.partialclone|remote\\..*\\.promisor)$") != 0)
        return false;
    while (!found && git_config_next(&entry, entries) == 0)
        found = strcmp(entry->value, "false") != 0;
    git_config_iterator_free(entries);
    return found;
}

/* libgit2 does not open what it cannot read; the configuration tells which it was. */
static enum status cannot_open(const char *path, struct error *error) {
    enum status status = repo_git_error(error, "the repository cannot be opened");
    for (unsigned bare = 0; bare < 2; bare++) {
        cleanup_git(git_config) *config = NULL;
        git_buf format = {0};
        cleanup_free char *file = mem_printf("%s%s/config", path, bare ? "" : "/.git");
        if (git_config_open_ondisk(&config, file) != 0 ||
            git_config_get_string_buf(&format, config, "extensions.objectformat") != 0)
            continue;
        if (strcmp(format.ptr, "sha256") == 0)
            status = repo_is_sha256(error);
        git_buf_dispose(&format);
    }
    return status;
}

enum status repo_is_sha256(struct error *error) {
    enum status status = error_set(error, STATUS_INVALID,
                                   "the repository has SHA-256 object ids, which the libgit2 of "
                                   "this program cannot read");
    error_hint(error, "push the work to a repository that git init makes without --object-format");
    return status;
}

enum status repo_open_local(const char *path, struct repo_source *source, struct error *error) {
    struct stat info;
    if (stat(path, &info) != 0) {
        enum status status =
            error_set(error, STATUS_INVALID, "cannot open %s: %s", path, strerror(errno));
        const char *colon = strchr(path, ':');
        const char *slash = strchr(path, '/');
        if (errno == ENOENT && strchr(path, '@') && colon && (!slash || colon < slash))
            error_hint(error, "write an SSH address as ssh://user@host/path");
        return status;
    }
    if (!S_ISDIR(info.st_mode))
        return error_set(error, STATUS_INVALID, "%s is not a folder", path);
    int code =
        git_repository_open_ext(&source->repository, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
    if (code == GIT_ENOTFOUND) {
        enum status status = error_set(error, STATUS_INVALID, "%s is not a git repository", path);
        error_hint(error, "it must hold .git, or be a bare repository itself");
        return status;
    }
    if (code != 0)
        return cannot_open(path, error);
    enum status status = check_repository(source->repository, info.st_uid, error);
    if (status != STATUS_OK)
        return status;
    if (git_repository_odb(&source->odb, source->repository) != 0)
        return repo_git_error(error, "the repository's objects cannot be read");
    source->shallow = git_repository_is_shallow(source->repository) == 1;
    cleanup_git(git_config) *config = NULL;
    cleanup_free char *file = mem_printf("%sconfig", git_repository_commondir(source->repository));
    if (git_config_open_ondisk(&config, file) == 0)
        source->partial = is_partial(config);
    return STATUS_OK;
}
