/* Objects of a repository, looked at in the order header, size, content.
 *
 * git_odb_read_header() tells how large an object will be before anything is unpacked, so a huge
 * blob, or a tree with a million names, is refused without being loaded. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum status repo_git_error(struct error *error, const char *what) {
    const git_error *last = git_error_last();
    return error_set(error, STATUS_INVALID, "%s: %s", what,
                     last && last->message ? last->message : "unknown cause");
}

static enum status damage(const struct repo_source *source, enum status status) {
    if (source->is_damaged)
        *source->is_damaged = true;
    return status;
}

static enum status missing_object(const struct repo_source *source, const char *hex,
                                  struct error *error) {
    if (!source->partial && !source->shallow)
        return error_set(error, STATUS_INVALID, "the repository is damaged: object %s is missing",
                         hex);
    enum status status =
        error_set(error, STATUS_INVALID, "the repository is a %s clone: object %s is not in it",
                  source->partial ? "partial" : "shallow", hex);
    error_hint(error, "clone it again without %s", source->partial ? "--filter" : "--depth");
    return status;
}

enum status repo_check_object(const struct repo_source *source, const git_oid *id,
                              git_object_t type, size_t max_bytes, size_t *bytes,
                              struct error *error) {
    char hex[65];
    git_oid_tostr(hex, sizeof hex, id);
    git_object_t found;
    int code = git_odb_read_header(bytes, &found, source->odb, id);
    if (code == GIT_ENOTFOUND)
        return damage(source, missing_object(source, hex, error));
    if (code != 0)
        return damage(source, repo_git_error(error, "the repository is damaged"));
    if (found != type)
        return error_set(error, STATUS_INVALID,
                         "the repository is damaged: object %s is a %s, "
                         "not a %s",
                         hex, git_object_type2string(found), git_object_type2string(type));
    if (*bytes > max_bytes)
        return error_set(error, STATUS_INVALID, "the %s %s is too large: %zu bytes, at most %zu",
                         type == GIT_OBJECT_BLOB ? "file" : git_object_type2string(type), hex,
                         *bytes, max_bytes);
    return STATUS_OK;
}

enum status repo_load_tree(const struct repo_source *source, const git_oid *id, git_tree **tree,
                           struct error *error) {
    size_t bytes;
    enum status status =
        repo_check_object(source, id, GIT_OBJECT_TREE, REPO_MAX_TREE_BYTES, &bytes, error);
    if (status != STATUS_OK)
        return status;
    if (git_tree_lookup(tree, source->repository, id) != 0)
        return damage(source, repo_git_error(error, "a folder of the repository cannot be read"));
    return STATUS_OK;
}

enum status repo_load_commit(const struct repo_source *source, const git_oid *id,
                             git_commit **commit, struct error *error) {
    size_t bytes;
    *commit = NULL;
    enum status status =
        repo_check_object(source, id, GIT_OBJECT_COMMIT, REPO_MAX_COMMIT_BYTES, &bytes, error);
    if (status == STATUS_OK && git_commit_lookup(commit, source->repository, id) != 0)
        status = damage(source, repo_git_error(error, "the commit cannot be read"));
    return status;
}

enum status repo_load_root(const struct repo_source *source, const git_oid *id, git_tree **root,
                           struct error *error) {
    cleanup_git(git_commit) *commit = NULL;
    enum status status = repo_load_commit(source, id, &commit, error);
    *root = NULL;
    return status == STATUS_OK ? repo_load_tree(source, git_commit_tree_id(commit), root, error)
                               : status;
}

enum status repo_follow_path(const struct repo_source *source, const git_tree *root,
                             const char *path, struct repo_entry *found, struct error *error) {
    cleanup_git(git_tree) *folder = NULL;
    const git_tree *here = root;
    *found = (struct repo_entry){0};
    for (const char *part = path;;) {
        size_t length = strcspn(part, "/");
        bool last = part[length] == '\0';
        cleanup_free char *name = mem_strndup(part, length);
        const git_tree_entry *entry = git_tree_entry_byname(here, name);
        if (!entry)
            return STATUS_OK;
        git_filemode_t mode = git_tree_entry_filemode(entry);
        bool regular = mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
        if (!last && regular) /* "dot/dot.cu" where dot is a file: there is no such path */
            return STATUS_OK;
        if (last || mode != GIT_FILEMODE_TREE) {
            *found = (struct repo_entry){.exists = true,
                                         .is_last = last,
                                         .reached = (size_t)(part - path) + length,
                                         .mode = mode,
                                         .id = *git_tree_entry_id(entry)};
            return STATUS_OK;
        }
        git_tree *next = NULL;
        enum status status = repo_load_tree(source, git_tree_entry_id(entry), &next, error);
        if (status != STATUS_OK)
            return status;
        git_tree_free(folder);
        here = folder = next;
        part += length + 1;
    }
}

enum status repo_load_blob(const struct repo_source *source, const git_oid *id, git_blob **blob,
                           struct error *error) {
    if (git_blob_lookup(blob, source->repository, id) != 0)
        return damage(source, repo_git_error(error, "the file cannot be read"));
    return STATUS_OK;
}

void repo_source_free(struct repo_source *source) {
    git_odb_free(source->odb);
    git_repository_free(source->repository);
    free(source->branch);
    *source = (struct repo_source){0};
}
