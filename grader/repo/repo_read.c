/* The child's side of repo.c: a branch's head is resolved and single files are taken from its tree.
 *
 * Objects are looked at in the order header, size, content: git_odb_read_header() tells how large
 * an object will be before anything is unpacked, so a huge blob, or a tree with a million names, is
 * refused without being loaded. Only entries with the mode of a regular file are submissions: a
 * link, a submodule or a folder of the right name is refused by what it is. Names that come from
 * the tree reach a message only when they are clean. */
#include "grader/repo/repo_private.h"

#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED_FOLDERS = 32, MAX_LISTED_NAMES = 128, NAMES_IN_HINT = 5 };

enum status repo_git_error(struct error *error, const char *what) {
    const git_error *last = git_error_last();
    return error_set(error, STATUS_INVALID, "%s: %s", what,
                     last && last->message ? last->message : "unknown cause");
}

bool repo_name_is_clean(const char *name) {
    cleanup_text struct text shown = {0};
    escape_terminal(&shown, name, strlen(name), true);
    return strcmp(text_string(&shown), name) == 0 && !strchr(name, '\t');
}

/* ---- libgit2's settings ------------------------------------------------------------------- */

static enum status set_options(struct error *error) {
#ifdef WARPGRADE_HAVE_GIT_OWNER_VALIDATION
    /* libgit2 refuses repositories of another user because their configuration could make git run
     * programs. Nothing here runs one (no hooks, filters, checkouts, diffs), and the repositories
     * of a class do belong to other users; repo_open_local() checks what does matter. */
    if (git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0) != 0)
        return repo_git_error(error, "libgit2 cannot be set up");
#endif
    if (git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)32 << 20) != 0 ||
        git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)512 << 20) != 0)
        return repo_git_error(error, "libgit2 cannot be set up");
#ifdef WARPGRADE_HAVE_GIT_PACK_MAX_OBJECT_SIZE
    /* Without it the child's memory limit is what stops an object that unpacks to gigabytes. */
    if (git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECT_SIZE, (size_t)256 << 20) != 0)
        return repo_git_error(error, "libgit2 cannot be set up");
#endif
    return STATUS_OK;
}

/* ---- branches ----------------------------------------------------------------------------- */

enum status repo_no_branch(struct error *error, const char *branch, const char *const *names,
                           size_t count) {
    enum status status =
        error_set(error, STATUS_INVALID, "the repository has no branch %s", branch);
    cleanup_text struct text list = {0};
    size_t shown = 0;
    for (size_t i = 0; i < count && shown < NAMES_IN_HINT; i++)
        if (repo_name_is_clean(names[i]))
            text_printf(&list, "%s%s", shown++ ? ", " : "", names[i]);
    if (shown)
        error_hint(error, "its branches: %s%s", text_string(&list), count > shown ? ", ..." : "");
    else if (count == 0)
        error_hint(error, "it has no branches at all: nothing has been pushed");
    return status;
}

enum status repo_no_commit(struct error *error, size_t branch_count) {
    enum status status = error_set(error, STATUS_INVALID, "the repository has no commit yet");
    if (branch_count)
        error_hint(error, "its HEAD names a branch that does not exist: give the branch");
    else
        error_hint(error, "nothing has been pushed");
    return status;
}

/* The local branches' short names, at most MAX_LISTED_NAMES; caller frees each. */
static size_t list_branches(git_repository *repository, char *names[MAX_LISTED_NAMES]) {
    size_t count = 0;
    cleanup_git(git_branch_iterator) *branches = NULL;
    git_branch_iterator_new(&branches, repository, GIT_BRANCH_LOCAL);
    git_reference *reference;
    git_branch_t type;
    while (branches && count < MAX_LISTED_NAMES &&
           git_branch_next(&reference, &type, branches) == 0) {
        names[count++] = mem_strdup(git_reference_shorthand(reference));
        git_reference_free(reference);
    }
    return count;
}

/* The branch is not there, or (NULL) HEAD names one that is not. */
static enum status no_local_branch(git_repository *repository, const char *branch,
                                   struct error *error) {
    char *names[MAX_LISTED_NAMES] = {0};
    size_t count = list_branches(repository, names);
    enum status status = branch ? repo_no_branch(error, branch, (const char *const *)names, count)
                                : repo_no_commit(error, count);
    while (count)
        free(names[--count]);
    return status;
}

static enum status resolve_head(git_repository *repository, const char *branch, git_oid *commit,
                                char **branch_name, struct error *error) {
    cleanup_git(git_reference) *reference = NULL;
    cleanup_git(git_reference) *direct = NULL;
    int code = branch ? git_branch_lookup(&reference, repository, branch, GIT_BRANCH_LOCAL)
                      : git_repository_head(&reference, repository);
    if (code == GIT_EUNBORNBRANCH || code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC)
        return no_local_branch(repository, branch, error);
    if (code != 0 || git_reference_resolve(&direct, reference) != 0)
        return repo_git_error(error, "the branch cannot be read");
    git_oid_cpy(commit, git_reference_target(direct));
    *branch_name = mem_strdup(git_reference_shorthand(direct));
    return STATUS_OK;
}

/* ---- objects ------------------------------------------------------------------------------ */

struct head {
    git_repository *repository;
    git_odb *odb;
    const char *branch; /* for messages */
    const char *commit;
    size_t total_bytes;
};

/* Whether an object is there, of this type and at most max_bytes; *bytes is its size. */
static enum status check_object(const struct head *head, const git_oid *id, git_object_t type,
                                size_t max_bytes, size_t *bytes, struct error *error) {
    char hex[65];
    git_oid_tostr(hex, sizeof hex, id);
    git_object_t found;
    int code = git_odb_read_header(bytes, &found, head->odb, id);
    if (code == GIT_ENOTFOUND)
        return error_set(error, STATUS_INVALID, "the repository is damaged: object %s is missing",
                         hex);
    if (code != 0)
        return repo_git_error(error, "the repository is damaged");
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

static enum status load_tree(const struct head *head, const git_oid *id, git_tree **tree,
                             struct error *error) {
    size_t bytes;
    enum status status =
        check_object(head, id, GIT_OBJECT_TREE, REPO_MAX_TREE_BYTES, &bytes, error);
    if (status != STATUS_OK)
        return status;
    if (git_tree_lookup(tree, head->repository, id) != 0)
        return repo_git_error(error, "a folder of the repository cannot be read");
    return STATUS_OK;
}

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

static enum status refuse_file(struct repo_file *file, const char *message, const char *hint) {
    file->state = REPO_FILE_REFUSED;
    file->message = mem_strdup(message);
    file->hint = mem_strdup(hint);
    return STATUS_OK;
}

/* The first line of what Git LFS commits in place of a file. */
static const char *const lfs_mark = "version https://git-lfs.github.com/spec/";

static enum status load_blob(struct head *head, const git_oid *id, struct repo_file *file,
                             struct error *error) {
    struct error cause;
    size_t bytes;
    if (check_object(head, id, GIT_OBJECT_BLOB, SIZE_MAX, &bytes, &cause) != STATUS_OK)
        return refuse_file(file, cause.message, cause.hint);
    if (bytes > REPO_MAX_FILE_BYTES) {
        cleanup_free char *message = mem_printf("%s is too large: %zu bytes, at most %d",
                                                file->path, bytes, (int)REPO_MAX_FILE_BYTES);
        return refuse_file(file, message, "a kernel is a text of a few kilobytes");
    }
    if (head->total_bytes + bytes > REPO_MAX_TOTAL_BYTES)
        return refuse_file(file, "the files of this repository are too large together", "");
    cleanup_git(git_blob) *blob = NULL;
    if (git_blob_lookup(&blob, head->repository, id) != 0) {
        repo_git_error(&cause, file->path);
        return refuse_file(file, cause.message, "");
    }
    if ((size_t)git_blob_rawsize(blob) != bytes)
        return error_set(error, STATUS_INVALID, "the repository is damaged: a size changed");
    if (bytes >= strlen(lfs_mark) &&
        memcmp(git_blob_rawcontent(blob), lfs_mark, strlen(lfs_mark)) == 0)
        return refuse_file(file, "the file is in Git LFS; the repository holds a pointer only",
                           "commit the kernel itself: git lfs untrack, add and commit it again");
    head->total_bytes += bytes;
    file->state = REPO_FILE_FOUND;
    file->data = mem_alloc(bytes + 1);
    memcpy(file->data, git_blob_rawcontent(blob), bytes);
    file->data[bytes] = '\0';
    file->length = bytes;
    return STATUS_OK;
}

/* Follows one path down the tree. *found tells whether the path exists; file is filled then. */
static enum status find_path(struct head *head, const git_tree *root, const char *path,
                             struct repo_file *file, bool *found, struct error *error) {
    cleanup_git(git_tree) *folder = NULL;
    const git_tree *here = root;
    *found = false;
    for (const char *part = path;;) {
        const char *slash = strchr(part, '/');
        size_t length = slash ? (size_t)(slash - part) : strlen(part);
        cleanup_free char *name = mem_strndup(part, length);
        const git_tree_entry *entry = git_tree_entry_byname(here, name);
        if (!entry)
            return STATUS_OK;
        git_filemode_t mode = git_tree_entry_filemode(entry);
        bool regular = mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
        if (slash && regular) /* "dot/dot.cu" where dot is a file: there is no such path */
            return STATUS_OK;
        bool as_wanted = slash ? mode == GIT_FILEMODE_TREE : regular;
        if (!slash || !as_wanted) {
            *found = true;
            file->path = mem_strdup(path);
        }
        if (!as_wanted) {
            cleanup_free char *message =
                mem_printf("%.*s is %s, not a %s", (int)(part - path + (long)length), path,
                           mode_in_words(mode), slash ? "folder" : "file");
            return refuse_file(file, message, "commit the kernel itself as a regular file");
        }
        if (!slash)
            return load_blob(head, git_tree_entry_id(entry), file, error);
        git_tree *next = NULL;
        enum status status = load_tree(head, git_tree_entry_id(entry), &next, error);
        if (status != STATUS_OK)
            return status;
        git_tree_free(folder);
        here = folder = next;
        part = slash + 1;
    }
}

/* ---- what there is instead ---------------------------------------------------------------- */

struct repo_listing {
    char *names[MAX_LISTED_NAMES];
    size_t count;
};

/* The .cu files of a tree and, in the root, of its folders, for "did you mean". */
static void list_sources(const struct head *head, const git_tree *tree, const char *prefix,
                         struct repo_listing *listing) {
    size_t folders = 0;
    for (size_t i = 0; i < git_tree_entrycount(tree) && listing->count < MAX_LISTED_NAMES; i++) {
        const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
        const char *name = git_tree_entry_name(entry);
        size_t length = strlen(name);
        if (length > 128 || !repo_name_is_clean(name))
            continue;
        if (git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE && !*prefix &&
            folders++ < MAX_LISTED_FOLDERS) {
            cleanup_git(git_tree) *folder = NULL;
            cleanup_free char *below = mem_printf("%s/", name);
            if (load_tree(head, git_tree_entry_id(entry), &folder, NULL) == STATUS_OK)
                list_sources(head, folder, below, listing);
        } else if (length > 3 && strcasecmp(name + length - 3, ".cu") == 0 &&
                   listing->count < MAX_LISTED_NAMES) {
            listing->names[listing->count++] = mem_printf("%s%s", prefix, name);
        }
    }
}

/* The one that was probably meant: the same name elsewhere or in other letters, else a near one. */
static const char *closest_source(const struct repo_want *want,
                                  const struct repo_listing *listing) {
    const char *names[MAX_LISTED_NAMES];
    for (size_t i = 0; i < listing->count; i++)
        names[i] = file_base_name(listing->names[i]);
    for (size_t k = 0; k < want->candidate_count; k++) {
        const char *wanted = file_base_name(want->candidates[k]);
        for (size_t i = 0; i < listing->count; i++)
            if (strcasecmp(names[i], wanted) == 0)
                return listing->names[i];
        const char *near = text_closest(wanted, names, listing->count);
        for (size_t i = 0; i < listing->count; i++)
            if (names[i] == near)
                return listing->names[i];
    }
    return NULL;
}

static void describe_missing(const struct head *head, const git_tree *root,
                             const struct repo_want *want, struct repo_file *file) {
    cleanup_text struct text message = {0};
    text_append(&message, "there is no ");
    for (size_t i = 0; i < want->candidate_count; i++)
        text_printf(&message, "%s%s", i ? " and no " : "", want->candidates[i]);
    text_printf(&message, " in %s (commit %.10s)", head->branch, head->commit);
    struct repo_listing listing = {0};
    list_sources(head, root, "", &listing);
    const char *closest = closest_source(want, &listing);
    cleanup_text struct text hint = {0};
    if (closest)
        text_printf(&hint, "there is %s: was it meant?", closest);
    else if (listing.count == 0)
        text_append(&hint, "there is no .cu file at all in its upper folders");
    else
        text_append(&hint, "there is ");
    for (size_t i = 0; !closest && i < listing.count && i < NAMES_IN_HINT; i++)
        text_printf(&hint, "%s%s", i ? ", " : "", listing.names[i]);
    if (!closest && listing.count > NAMES_IN_HINT)
        text_append(&hint, ", ...");
    file->state = REPO_FILE_MISSING;
    file->message = text_steal(&message);
    file->hint = text_steal(&hint);
    while (listing.count)
        free(listing.names[--listing.count]);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static enum status read_files(struct head *head, const git_tree *root,
                              const struct repo_request *request, struct repo_snapshot *snapshot,
                              struct error *error) {
    snapshot->files = mem_calloc(request->want_count, sizeof *snapshot->files);
    snapshot->file_count = request->want_count;
    for (size_t i = 0; i < request->want_count; i++) {
        const struct repo_want *want = &request->wants[i];
        struct repo_file *file = &snapshot->files[i];
        bool found = false;
        for (size_t k = 0; k < want->candidate_count && !found; k++) {
            enum status status = find_path(head, root, want->candidates[k], file, &found, error);
            if (status != STATUS_OK)
                return status;
        }
        if (!found)
            describe_missing(head, root, want, file);
    }
    return STATUS_OK;
}

static enum status read_commit(git_repository *repository, const git_oid *id,
                               const struct repo_request *request, struct repo_snapshot *snapshot,
                               struct error *error) {
    cleanup_git(git_odb) *odb = NULL;
    if (git_repository_odb(&odb, repository) != 0)
        return repo_git_error(error, "the repository's objects cannot be read");
    git_oid_tostr(snapshot->commit, sizeof snapshot->commit, id);
    struct head head = {.repository = repository,
                        .odb = odb,
                        .branch = snapshot->branch,
                        .commit = snapshot->commit};
    size_t bytes;
    enum status status =
        check_object(&head, id, GIT_OBJECT_COMMIT, REPO_MAX_COMMIT_BYTES, &bytes, error);
    if (status != STATUS_OK)
        return status;
    cleanup_git(git_commit) *commit = NULL;
    if (git_commit_lookup(&commit, repository, id) != 0)
        return repo_git_error(error, "the commit cannot be read");
    snapshot->committed_at = git_commit_time(commit);
    cleanup_git(git_tree) *root = NULL;
    status = load_tree(&head, git_commit_tree_id(commit), &root, error);
    if (status != STATUS_OK)
        return status;
    return read_files(&head, root, request, snapshot, error);
}

enum status repo_read_here(const struct repo_request *request, const char *scratch,
                           struct repo_snapshot *snapshot, struct error *error) {
    if (git_libgit2_init() < 0)
        return repo_git_error(error, "libgit2 cannot be started");
    enum repo_scheme scheme;
    cleanup_free char *path = NULL;
    cleanup_git(git_repository) *repository = NULL;
    git_oid commit;
    enum status status = set_options(error);
    if (status == STATUS_OK)
        status = repo_location_parse(request->location, &scheme, &path, error);
    if (status == STATUS_OK && scheme != REPO_SCHEME_NETWORK)
        status = repo_open_local(path, &repository, error);
    if (status != STATUS_OK)
        return status;
    if (scheme == REPO_SCHEME_PATH)
        status = resolve_head(repository, request->branch, &commit, &snapshot->branch, error);
    else
        status = repo_fetch_remote(path ? path : request->location, request->branch, scratch,
                                   &repository, &commit, &snapshot->branch, error);
    if (status != STATUS_OK)
        return status;
    return read_commit(repository, &commit, request, snapshot, error);
}
