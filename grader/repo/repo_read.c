/* The child's side of repo.c: each wanted file is taken from the commit that counts for it.
 *
 * Only entries with the mode of a regular file are submissions: a link, a submodule or a folder of
 * the right name is refused by what it is. Names that come from the tree reach a message only when
 * they are clean. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MAX_LISTED_FOLDERS = 32,
    MAX_LISTED_NAMES = 128,
    NAMES_IN_HINT = 5,
    MAX_LATE_LOOKED_AT = 4096, /* commits after a limit, for the first one with the file */
};

/* ---- libgit2's settings ------------------------------------------------------------------- */

enum status repo_set_options(struct error *error) {
#ifdef WARPGRADE_HAVE_GIT_OWNER_VALIDATION
    /* libgit2 refuses repositories of another user because their configuration could make git run
     * programs. Nothing here runs one (no hooks, filters, checkouts, diffs), and the repositories
     * of a class do belong to other users; repo_open_local() checks what does matter. */
    if (git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0) != 0)
        return repo_git_error(error, "libgit2 cannot be set up");
#endif
#ifdef WARPGRADE_HAVE_GIT_EXTENSIONS
    /* What a clone with --sparse has in its configuration; it changes nothing about objects. */
    static const char *const extensions[] = {"worktreeconfig"};
    if (git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, ARRAY_LENGTH(extensions)) != 0)
        return repo_git_error(error, "libgit2 cannot be set up");
#endif
    /* Whatever this user's configuration says of addresses, hosts and proxies stays out of it. */
    static const int levels[] = {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                                 GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
    for (size_t i = 0; i < ARRAY_LENGTH(levels); i++)
        if (git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "") != 0)
            return repo_git_error(error, "libgit2 cannot be set up");
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

/* ---- one file ----------------------------------------------------------------------------- */

struct reading {
    struct repo_source source;
    struct repo_choice choices[REPO_MAX_WANTS]; /* of each limit and pin once */
    size_t choice_count;
    size_t total_bytes;
    struct repo_cache cache; /* of a request that names one */
    struct repo_seen seen;
    bool is_damaged;
};

/* The first candidate that stands in the commit, whatever it is. */
static enum status find_candidate(const struct repo_source *source, const git_oid *commit,
                                  const struct repo_want *want, const char **path,
                                  struct repo_entry *entry, struct error *error) {
    cleanup_git(git_tree) *root = NULL;
    enum status status = repo_load_root(source, commit, &root, error);
    *path = NULL;
    for (size_t k = 0; k < want->candidate_count && status == STATUS_OK && !*path; k++) {
        status = repo_follow_path(source, root, want->candidates[k], entry, error);
        if (status == STATUS_OK && entry->exists)
            *path = want->candidates[k];
    }
    return status;
}

/* The file is at `path` in the commit that counts. */
static enum status take_file(struct reading *reading, const struct repo_choice *choice,
                             const char *path, const struct repo_entry *entry,
                             struct repo_file *file, struct error *error) {
    enum status status =
        repo_take_file(&reading->source, path, entry, &reading->total_bytes, file, error);
    file->changed = file->commit;
    if (status == STATUS_OK && file->state == REPO_FILE_FOUND)
        repo_find_change(&reading->source, &choice->id, path, &entry->id, &file->changed);
    return status;
}

/* ---- what is late ------------------------------------------------------------------------- */

/* The earliest-dated commit after the limit that has the file. */
static bool find_late(const struct repo_source *source, const struct repo_choice *choice,
                      const struct repo_want *want, const char **path, int64_t *late_at) {
    bool found = false;
    for (size_t i = 0; i < choice->late_count && i < MAX_LATE_LOOKED_AT; i++) {
        struct repo_entry entry;
        const char *there;
        cleanup_git(git_commit) *commit = NULL;
        if (find_candidate(source, &choice->late[i], want, &there, &entry, NULL) != STATUS_OK ||
            !there || repo_load_commit(source, &choice->late[i], &commit, NULL) != STATUS_OK ||
            (found && git_commit_time(commit) >= *late_at))
            continue;
        found = true;
        *path = there;
        *late_at = git_commit_time(commit);
    }
    return found;
}

static void describe_late(const struct repo_source *source, const struct repo_choice *choice,
                          const char *path, struct repo_file *file) {
    struct repo_time_text limit = repo_time(choice->not_after), first = repo_time(file->late_at);
    cleanup_free char *message =
        choice->found ? mem_printf("%s is in %s only since %s, after the limit of %s", path,
                                   source->branch, first.text, limit.text)
                      : mem_printf("no commit of %s is dated %s or before; the first is of %s",
                                   source->branch, limit.text, first.text);
    file->path = mem_strdup(path);
    repo_refuse_file(file, REPO_FILE_LATE, message, "");
}

/* ---- what there is instead ---------------------------------------------------------------- */

struct repo_listing {
    char *names[MAX_LISTED_NAMES];
    size_t count;
};

/* The .cu files of a tree and, in the root, of its folders, for "did you mean". */
static void list_sources(const struct repo_source *source, const git_tree *tree, const char *prefix,
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
            if (repo_load_tree(source, git_tree_entry_id(entry), &folder, NULL) == STATUS_OK)
                list_sources(source, folder, below, listing);
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

static const char *same_but_case(const struct repo_want *want, const char *name) {
    for (size_t k = 0; k < want->candidate_count; k++)
        if (strcasecmp(want->candidates[k], name) == 0)
            return want->candidates[k];
    return NULL;
}

static void describe_missing(const struct repo_source *source, const git_tree *root,
                             const struct repo_want *want, struct repo_file *file) {
    cleanup_text struct text message = {0};
    text_append(&message, "there is no ");
    for (size_t i = 0; i < want->candidate_count; i++)
        text_printf(&message, "%s%s", i ? " and no " : "", want->candidates[i]);
    text_printf(&message, " in %s (commit %.10s)", source->branch, file->commit.id);
    struct repo_listing listing = {0};
    list_sources(source, root, "", &listing);
    const char *closest = closest_source(want, &listing);
    cleanup_text struct text hint = {0};
    const char *wanted = closest ? same_but_case(want, closest) : NULL;
    if (wanted)
        text_printf(&hint, "there is %s: capital and small letters differ, rename it to %s",
                    closest, wanted);
    else if (closest)
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

/* The file is not in the commit that counts, or no commit counts. */
static enum status note_absence(const struct repo_source *source, const struct repo_choice *choice,
                                const struct repo_want *want, struct repo_file *file,
                                struct error *error) {
    const char *path = NULL;
    if (find_late(source, choice, want, &path, &file->late_at)) {
        describe_late(source, choice, path, file);
        return STATUS_OK;
    }
    if (!choice->found) {
        file->late_at = choice->first_late_at;
        describe_late(source, choice, "", file);
        return STATUS_OK;
    }
    cleanup_git(git_tree) *root = NULL;
    enum status status = repo_load_root(source, &choice->id, &root, error);
    if (status == STATUS_OK)
        describe_missing(source, root, want, file);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool same_string(const char *left, const char *right) {
    return left == right || (left && right && strcmp(left, right) == 0);
}

static const struct repo_choice *choice_for(struct reading *reading, const struct repo_want *want) {
    for (size_t i = 0; i < reading->choice_count; i++)
        if (same_string(reading->choices[i].pin, want->pin) &&
            (want->pin || reading->choices[i].not_after == want->not_after))
            return &reading->choices[i];
    struct repo_choice *choice = &reading->choices[reading->choice_count++];
    *choice = (struct repo_choice){.not_after = want->not_after, .pin = want->pin};
    repo_choose(&reading->source, choice);
    repo_seen_flag(&reading->seen, &reading->source, choice);
    return choice;
}

static enum status read_file(struct reading *reading, const struct repo_want *want,
                             struct repo_file *file, struct error *error) {
    const struct repo_choice *choice = choice_for(reading, want);
    file->commit = choice->commit;
    file->flags = choice->flags;
    file->later_at = choice->later_at;
    file->unseen_at = choice->unseen_at;
    if (choice->status != STATUS_OK && !choice->pin && choice->not_after == INT64_MAX) {
        *error = choice->error; /* the head itself cannot be read */
        return choice->status;
    }
    if (choice->status != STATUS_OK) {
        repo_refuse_file(file, REPO_FILE_REFUSED, choice->error.message, choice->error.hint);
        return STATUS_OK;
    }
    const char *path = NULL;
    struct repo_entry entry;
    enum status status = STATUS_OK;
    if (choice->found)
        status = find_candidate(&reading->source, &choice->id, want, &path, &entry, error);
    if (status != STATUS_OK)
        return status;
    return path ? take_file(reading, choice, path, &entry, file, error)
                : note_absence(&reading->source, choice, want, file, error);
}

static enum status read_files(struct reading *reading, const struct repo_request *request,
                              struct repo_snapshot *snapshot, struct error *error) {
    cleanup_git(git_commit) *head = NULL;
    enum status status = repo_load_commit(&reading->source, &reading->source.tip, &head, error);
    if (status != STATUS_OK)
        return status;
    repo_describe_commit(head, &snapshot->head);
    snapshot->fetched_at = reading->source.fetched_at;
    snapshot->branch = mem_strdup(reading->source.branch);
    snapshot->files = mem_calloc(request->want_count, sizeof *snapshot->files);
    snapshot->file_count = request->want_count;
    for (size_t i = 0; i < request->want_count && status == STATUS_OK; i++)
        status = read_file(reading, &request->wants[i], &snapshot->files[i], error);
    return status;
}

static enum status open_fetched(const char *url, const struct repo_request *request,
                                const char *scratch, struct reading *reading, struct error *error) {
    struct repo_source *source = &reading->source;
    enum status status = STATUS_OK;
    if (!request->cache) {
        status = repo_cache_init(scratch, &source->repository, error);
    } else if (!repo_cache_reopen(&reading->cache, &source->repository)) {
        status = repo_cache_discard(&reading->cache, error);
        if (status == STATUS_OK)
            status = repo_cache_init(reading->cache.git, &source->repository, error);
    }
    return status == STATUS_OK ? repo_fetch_remote(url, request, source, error) : status;
}

static enum status open_source(const struct repo_request *request, const char *scratch,
                               struct reading *reading, struct error *error) {
    struct repo_source *source = &reading->source;
    enum repo_scheme scheme;
    cleanup_free char *path = NULL;
    enum status status = repo_location_parse(request->location, &scheme, &path, error);
    if (status == STATUS_OK && scheme != REPO_SCHEME_NETWORK)
        status = repo_open_local(path, source, error);
    if (status == STATUS_OK && scheme == REPO_SCHEME_PATH) {
        source->fetched_at = time(NULL);
        source->is_unreachable = true; /* its damage is its own, not the cache's */
        return repo_resolve(source, request->branch, error);
    }
    if (status != STATUS_OK) {
        source->is_unreachable = true;
        return status;
    }
    repo_source_free(source);
    source->is_damaged = &reading->is_damaged;
    return open_fetched(path ? path : request->location, request, scratch, reading, error);
}

static void forget(struct reading *reading, struct repo_snapshot *snapshot) {
    while (reading->choice_count)
        free(reading->choices[--reading->choice_count].late);
    repo_source_free(&reading->source);
    repo_snapshot_free(snapshot);
    reading->total_bytes = 0;
    reading->is_damaged = false;
}

/* Once more from nothing where what was kept turns out to be bad. */
static enum status read_source(const struct repo_request *request, const char *scratch,
                               struct reading *reading, struct repo_snapshot *snapshot,
                               struct error *error) {
    for (bool again = true;; again = false) {
        bool was_fresh = !request->cache || reading->cache.is_fresh;
        enum status status = open_source(request, scratch, reading, error);
        bool kept = !was_fresh && !reading->cache.is_fresh && !reading->source.is_unreachable;
        if (status == STATUS_OK)
            status = read_files(reading, request, snapshot, error);
        if (!again || !kept || (status == STATUS_OK && !reading->is_damaged))
            return status;
        forget(reading, snapshot);
        status = repo_cache_discard(&reading->cache, error);
        if (status != STATUS_OK)
            return status;
    }
}

/* The parent has started it. Its random numbers for TLS would then be the same in all children, so
 * that one which talks to a server starts it anew. */
static int start_libgit2(const char *location) {
    while (strncmp(location, "https://", 8) == 0 && git_libgit2_shutdown() > 0)
        ;
    return git_libgit2_init();
}

enum status repo_read_here(const struct repo_request *request, const char *scratch,
                           double time_limit, struct repo_snapshot *snapshot, struct error *error) {
    if (start_libgit2(request->location) < 0)
        return repo_git_error(error, "libgit2 cannot be started");
    if (request->want_count > REPO_MAX_WANTS)
        return error_set(error, STATUS_INVALID, "too many files are asked for");
    struct reading *reading = mem_zalloc(sizeof *reading);
    reading->cache.lock = -1;
    enum status status = repo_set_options(error);
    if (status == STATUS_OK && request->cache)
        status = repo_cache_open(request->cache, request->location, time_limit * 0.9,
                                 &reading->cache, error);
    if (status == STATUS_OK && request->cache)
        repo_seen_load(reading->cache.seen, &reading->seen);
    if (status == STATUS_OK)
        status = read_source(request, scratch, reading, snapshot, error);
    if (status == STATUS_OK && request->cache)
        status = repo_seen_save(reading->cache.seen, &reading->seen, &reading->source, error);
    repo_cache_close(&reading->cache);
    repo_seen_free(&reading->seen);
    while (reading->choice_count)
        free(reading->choices[--reading->choice_count].late);
    repo_source_free(&reading->source);
    free(reading);
    return status;
}
