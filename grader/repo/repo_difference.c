/* The child's side of change.h: two trees listed, sorted by path and laid side by side.
 *
 * Base and head are compared as git compares a pull request: the head against the last commit that
 * both share, so that what the base has done since then is nobody's change here. The rules come
 * from the base itself: an old commit to start from must not bring old rules back. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- a commit's files ------------------------------------------------------------------------ */

struct listed {
    char *path;
    git_filemode_t mode;
    git_oid id;
    bool used; /* of the base: a file of the head has come from here */
};

struct listing {
    const struct repo_source *source;
    const char *ending;
    struct listed *files;
    size_t count, capacity;
    size_t entries; /* names looked at */
    size_t left_out;
};

static bool has_ending(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static enum status list_tree(struct listing *listing, const git_tree *tree, const char *prefix,
                             unsigned depth, struct error *error);

static enum status list_folder(struct listing *listing, const git_tree_entry *entry,
                               const char *path, unsigned depth, struct error *error) {
    cleanup_git(git_tree) *folder = NULL;
    cleanup_free char *prefix = mem_printf("%s/", path);
    if (depth >= REPO_MAX_TREE_DEPTH || strlen(prefix) >= REPO_MAX_PATH) {
        listing->left_out++;
        return STATUS_OK;
    }
    enum status status = repo_load_tree(listing->source, git_tree_entry_id(entry), &folder, error);
    return status == STATUS_OK ? list_tree(listing, folder, prefix, depth + 1, error) : status;
}

static enum status list_entry(struct listing *listing, const git_tree_entry *entry,
                              const char *prefix, unsigned depth, struct error *error) {
    const char *name = git_tree_entry_name(entry);
    git_filemode_t mode = git_tree_entry_filemode(entry);
    cleanup_free char *path = mem_printf("%s%s", prefix, name);
    if (mode == GIT_FILEMODE_TREE)
        return list_folder(listing, entry, path, depth, error);
    if (!has_ending(name, listing->ending)) {
        listing->left_out += mode == GIT_FILEMODE_COMMIT;
        return STATUS_OK;
    }
    if (strlen(path) >= REPO_MAX_PATH) {
        listing->left_out++;
        return STATUS_OK;
    }
    if (listing->count >= REPO_MAX_CHANGES)
        return error_set(error, STATUS_INVALID,
                         "the repository has more than %d files that end in %s", REPO_MAX_CHANGES,
                         listing->ending);
    *mem_push(&listing->files, &listing->count, &listing->capacity) =
        (struct listed){.path = mem_strdup(path), .mode = mode, .id = *git_tree_entry_id(entry)};
    return STATUS_OK;
}

static enum status list_tree(struct listing *listing, const git_tree *tree, const char *prefix,
                             unsigned depth, struct error *error) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < git_tree_entrycount(tree) && status == STATUS_OK; i++) {
        if (++listing->entries > REPO_MAX_TREE_ENTRIES)
            return error_set(error, STATUS_INVALID, "the repository has more than %d files",
                             REPO_MAX_TREE_ENTRIES);
        status = list_entry(listing, git_tree_entry_byindex(tree, i), prefix, depth, error);
    }
    return status;
}

static int compare_listed(const void *left, const void *right) {
    return strcmp(((const struct listed *)left)->path, ((const struct listed *)right)->path);
}

static enum status list_commit(struct listing *listing, const git_oid *commit,
                               struct error *error) {
    cleanup_git(git_tree) *root = NULL;
    enum status status = repo_load_root(listing->source, commit, &root, error);
    if (status == STATUS_OK)
        status = list_tree(listing, root, "", 0, error);
    if (status == STATUS_OK && listing->count)
        qsort(listing->files, listing->count, sizeof *listing->files, compare_listed);
    return status;
}

static void listing_free(struct listing *listing) {
    while (listing->count)
        free(listing->files[--listing->count].path);
    free(listing->files);
}

/* ---- side by side ---------------------------------------------------------------------------- */

struct comparison {
    const struct repo_source *source;
    struct listing head, base;
    struct repo_changes *changes;
    size_t capacity, total_bytes;
};

static const struct listed *find_path(const struct listing *listing, const char *path) {
    struct listed wanted = {.path = (char *)(uintptr_t)path};
    return listing->count
               ? bsearch(&wanted, listing->files, listing->count, sizeof wanted, compare_listed)
               : NULL;
}

static struct repo_change *add_change(struct comparison *comparison, enum repo_change_kind kind,
                                      const char *was) {
    struct repo_changes *changes = comparison->changes;
    struct repo_change *change =
        mem_push(&changes->changes, &changes->change_count, &comparison->capacity);
    *change = (struct repo_change){.kind = kind, .was = mem_strdup(was)};
    return change;
}

/* A file of the base with this content that the head has no more. */
static struct listed *find_origin(struct comparison *comparison, const struct listed *file) {
    for (size_t i = 0; i < comparison->base.count; i++) {
        struct listed *old = &comparison->base.files[i];
        if (!old->used && git_oid_equal(&old->id, &file->id) && old->mode == file->mode &&
            !find_path(&comparison->head, old->path))
            return old;
    }
    return NULL;
}

/* What was left out of this clone is no fault of who committed it. */
static enum status take_file(struct comparison *comparison, const char *path,
                             const struct repo_entry *entry, struct repo_file *file,
                             struct error *error) {
    const struct repo_source *source = comparison->source;
    bool regular = entry->mode == GIT_FILEMODE_BLOB || entry->mode == GIT_FILEMODE_BLOB_EXECUTABLE;
    if (source->partial && entry->is_last && regular && !git_odb_exists(source->odb, &entry->id)) {
        error_set(error, STATUS_ENVIRONMENT, "this is a partial clone: %s is not in it", path);
        error_hint(error, "clone the whole repository, without --filter");
        return STATUS_ENVIRONMENT;
    }
    return repo_take_file(source, path, entry, &comparison->total_bytes, file, error);
}

static enum status compare_file(struct comparison *comparison, const struct listed *file,
                                struct error *error) {
    const struct listed *old = find_path(&comparison->base, file->path);
    struct listed *origin = old ? NULL : find_origin(comparison, file);
    bool same = old && git_oid_equal(&old->id, &file->id) && old->mode == file->mode;
    if (origin)
        origin->used = true;
    struct repo_change *change = add_change(comparison,
                                            same     ? REPO_CHANGE_NONE
                                            : old    ? REPO_CHANGE_MODIFIED
                                            : origin ? REPO_CHANGE_RENAMED
                                                     : REPO_CHANGE_ADDED,
                                            origin ? origin->path : "");
    const struct repo_entry entry = {.exists = true,
                                     .is_last = true,
                                     .reached = strlen(file->path),
                                     .mode = file->mode,
                                     .id = file->id};
    return take_file(comparison, file->path, &entry, &change->file, error);
}

static int compare_changes(const void *left, const void *right) {
    return strcmp(((const struct repo_change *)left)->file.path,
                  ((const struct repo_change *)right)->file.path);
}

/* What has changed is read first: the rest is refused where all is too large. */
static enum status compare_all(struct comparison *comparison, struct error *error) {
    const struct listing *head = &comparison->head, *base = &comparison->base;
    struct repo_changes *changes = comparison->changes;
    enum status status = STATUS_OK;
    for (unsigned round = 0; round < 2; round++)
        for (size_t i = 0; i < head->count && status == STATUS_OK; i++) {
            const struct listed *old = find_path(base, head->files[i].path);
            bool same = old && git_oid_equal(&old->id, &head->files[i].id);
            if (same == (round == 1))
                status = compare_file(comparison, &head->files[i], error);
        }
    for (size_t i = 0; i < base->count && status == STATUS_OK; i++)
        if (!base->files[i].used && !find_path(head, base->files[i].path)) {
            struct repo_change *change = add_change(comparison, REPO_CHANGE_DELETED, "");
            change->file.path = mem_strdup(base->files[i].path);
            repo_refuse_file(&change->file, REPO_FILE_MISSING, "deleted", "");
        }
    if (changes->change_count)
        qsort(changes->changes, changes->change_count, sizeof *changes->changes, compare_changes);
    return status;
}

/* ---- commits --------------------------------------------------------------------------------- */

static enum status describe(const struct repo_source *source, const git_oid *id,
                            struct repo_commit *described, struct error *error) {
    cleanup_git(git_commit) *commit = NULL;
    enum status status = repo_load_commit(source, id, &commit, error);
    if (status == STATUS_OK)
        repo_describe_commit(commit, described);
    return status;
}

static enum status find_entry(const struct repo_source *source, const git_oid *commit,
                              const char *path, struct repo_entry *entry, struct error *error) {
    cleanup_git(git_tree) *root = NULL;
    enum status status = repo_load_root(source, commit, &root, error);
    return status == STATUS_OK ? repo_follow_path(source, root, path, entry, error) : status;
}

static enum status read_rules(struct comparison *comparison, const git_oid *from, const char *path,
                              struct error *error) {
    const struct repo_source *source = comparison->source;
    struct repo_changes *changes = comparison->changes;
    struct repo_entry entry, now;
    enum status status = find_entry(source, from, path, &entry, error);
    if (status == STATUS_OK)
        status = find_entry(source, &source->tip, path, &now, error);
    if (status != STATUS_OK)
        return status;
    changes->rules_changed =
        entry.exists != now.exists ||
        (entry.exists && (entry.mode != now.mode || !git_oid_equal(&entry.id, &now.id)));
    if (entry.exists)
        return take_file(comparison, path, &entry, &changes->rules, error);
    changes->rules.path = mem_strdup(path);
    repo_refuse_file(&changes->rules, REPO_FILE_MISSING, "there is none", "");
    return STATUS_OK;
}

/* The commit to compare with: the last one that base and head share. */
static void find_fork(const struct repo_source *source, const git_oid *base, git_oid *fork,
                      struct repo_changes *changes) {
    cleanup_git(git_commit) *commit = NULL;
    changes->is_unrelated = git_merge_base(fork, source->repository, base, &source->tip) != 0 ||
                            repo_load_commit(source, fork, &commit, NULL) != STATUS_OK;
    if (changes->is_unrelated)
        *fork = *base;
}

static enum status compare_with(struct comparison *comparison,
                                const struct repo_change_request *request, bool has_base,
                                const git_oid *base, struct error *error) {
    const struct repo_source *source = comparison->source;
    struct repo_changes *changes = comparison->changes;
    git_oid fork;
    enum status status = describe(source, &source->tip, &changes->head, error);
    if (status == STATUS_OK && has_base) {
        find_fork(source, base, &fork, changes);
        status = describe(source, base, &changes->base, error);
        if (status == STATUS_OK)
            status = describe(source, &fork, &changes->fork, error);
        if (status == STATUS_OK)
            status = list_commit(&comparison->base, &fork, error);
    }
    if (status == STATUS_OK)
        status = list_commit(&comparison->head, &source->tip, error);
    if (status == STATUS_OK)
        status = read_rules(comparison, has_base ? base : &source->tip, request->rules, error);
    if (status == STATUS_OK)
        status = compare_all(comparison, error);
    changes->left_out = comparison->head.left_out;
    return status;
}

enum status repo_changes_here(const struct repo_change_request *request,
                              struct repo_changes *changes, struct error *error) {
    struct repo_source source = {0};
    git_oid base = {{0}};
    enum status status = repo_set_options(error);
    if (status == STATUS_OK)
        status = repo_open_local(request->location, &source, error);
    if (status == STATUS_OK)
        status = repo_resolve(&source, request->head, error);
    if (status == STATUS_OK)
        status = repo_find_base(&source, request->bases, request->base_count, &changes->base_index,
                                &base, error);
    changes->is_shallow = source.shallow;
    struct comparison comparison = {.source = &source,
                                    .head = {.source = &source, .ending = request->ending},
                                    .base = {.source = &source, .ending = request->ending},
                                    .changes = changes};
    if (status == STATUS_OK)
        status = compare_with(&comparison, request, changes->base_index < request->base_count,
                              &base, error);
    listing_free(&comparison.head);
    listing_free(&comparison.base);
    repo_source_free(&source);
    return status;
}
