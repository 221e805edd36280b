/* An entry of a tree as a file that can be graded: its bytes, or why not.
 *
 * Only entries with the mode of a regular file are submissions: a link, a submodule or a folder of
 * the right name is refused by what it is. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <string.h>

static const char *mode_in_words(git_filemode_t mode) {
    switch (mode) {
    case GIT_FILEMODE_LINK:
        return "a symbolic link";
    case GIT_FILEMODE_COMMIT:
        return "a submodule";
    case GIT_FILEMODE_TREE:
        return "a folder";
    case GIT_FILEMODE_BLOB:
    case GIT_FILEMODE_BLOB_EXECUTABLE:
        return "a file";
    default:
        return "of an unknown kind";
    }
}

void repo_refuse_file(struct repo_file *file, enum repo_file_state state, const char *message,
                      const char *hint) {
    file->state = state;
    file->message = mem_strdup(message);
    file->hint = mem_strdup(hint);
}

/* The first line of what Git LFS commits in place of a file. */
static const char *const lfs_mark = "version https://git-lfs.github.com/spec/";

static enum status load_blob(const struct repo_source *source, const git_oid *id,
                             size_t *total_bytes, struct repo_file *file, struct error *error) {
    struct error cause = {0};
    size_t bytes;
    if (repo_check_object(source, id, GIT_OBJECT_BLOB, SIZE_MAX, &bytes, &cause) != STATUS_OK)
        return repo_refuse_file(file, REPO_FILE_REFUSED, cause.message, cause.hint), STATUS_OK;
    if (bytes > REPO_MAX_FILE_BYTES) {
        cleanup_free char *message = mem_printf("%s is too large: %zu bytes, at most %d",
                                                file->path, bytes, (int)REPO_MAX_FILE_BYTES);
        repo_refuse_file(file, REPO_FILE_REFUSED, message, "a kernel is a text of a few kilobytes");
        return STATUS_OK;
    }
    if (*total_bytes + bytes > REPO_MAX_TOTAL_BYTES)
        return repo_refuse_file(file, REPO_FILE_REFUSED,
                                "the files of this repository are too large together", ""),
               STATUS_OK;
    cleanup_git(git_blob) *blob = NULL;
    if (repo_load_blob(source, id, &blob, &cause) != STATUS_OK) {
        return repo_refuse_file(file, REPO_FILE_REFUSED, cause.message, ""), STATUS_OK;
    }
    if ((size_t)git_blob_rawsize(blob) != bytes)
        return error_set(error, STATUS_INVALID, "the repository is damaged: a size changed");
    if (bytes >= strlen(lfs_mark) &&
        memcmp(git_blob_rawcontent(blob), lfs_mark, strlen(lfs_mark)) == 0)
        return repo_refuse_file(
                   file, REPO_FILE_REFUSED,
                   "the file is in Git LFS; the repository holds a pointer only",
                   "commit the kernel itself: git lfs untrack, add and commit it again"),
               STATUS_OK;
    *total_bytes += bytes;
    file->state = REPO_FILE_FOUND;
    file->data = mem_alloc(bytes + 1);
    memcpy(file->data, git_blob_rawcontent(blob), bytes);
    file->data[bytes] = '\0';
    file->length = bytes;
    return STATUS_OK;
}

enum status repo_take_file(const struct repo_source *source, const char *path,
                           const struct repo_entry *entry, size_t *total_bytes,
                           struct repo_file *file, struct error *error) {
    file->path = mem_strdup(path);
    bool regular = entry->mode == GIT_FILEMODE_BLOB || entry->mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    if (!entry->is_last || !regular) {
        cleanup_free char *message =
            mem_printf("%.*s is %s, not a %s", (int)entry->reached, path,
                       mode_in_words(entry->mode), entry->is_last ? "file" : "folder");
        repo_refuse_file(file, REPO_FILE_REFUSED, message,
                         "commit the kernel itself as a regular file");
        return STATUS_OK;
    }
    return load_blob(source, &entry->id, total_bytes, file, error);
}
