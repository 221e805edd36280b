/* Which commit of a branch counts under a limit, and what is odd about it.
 *
 * From the branch's head we go back through the commits that are dated after the limit; the first
 * commits on each way that are not are the candidates. A candidate that is an ancestor of another
 * one falls, whatever its date; of the rest the newest counts, and of equal ones that on the first
 * parent's side. In a history whose dates only grow this is the newest commit by the committer's
 * date, and nearly always what `git rev-list -1 --before` prints. Dates that go backwards make
 * nothing vanish that was built on top: two clocks that differ must not cost a student the last
 * commit. What could be a trick is flagged instead, because git cannot prove when a commit was
 * made.
 *
 * Only the commits after the limit and the candidates are loaded; a history of any length costs
 * nothing where there is no limit, but for the look at the dates of the ancestors. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uthash.h>

struct repo_time_text repo_time(int64_t seconds) {
    struct repo_time_text out;
    time_t when = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&when, &parts) ||
        strftime(out.text, sizeof out.text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        snprintf(out.text, sizeof out.text, "second %" PRId64 " since 1970", seconds);
    return out;
}

/* ---- walking back ------------------------------------------------------------------------- */

struct visit {
    git_oid id;
    UT_hash_handle hh;
};

/* Commits still to be looked at, and those that were put there ever. The first parent's side comes
 * first. */
struct walk {
    const struct repo_source *source;
    git_oid *todo;
    size_t todo_count, todo_capacity;
    struct visit *visits;
    size_t visit_count;
    bool is_cut; /* a parent is not in a shallow repository, or there are too many commits */
};

static void walk_push(struct walk *walk, const git_oid *id) {
    struct visit *known;
    HASH_FIND(hh, walk->visits, id, sizeof *id, known);
    if (known)
        return;
    if (walk->visit_count == REPO_MAX_HISTORY) {
        walk->is_cut = true;
        return;
    }
    known = mem_zalloc(sizeof *known);
    known->id = *id;
    HASH_ADD(hh, walk->visits, id, sizeof known->id, known);
    walk->visit_count++;
    *mem_push(&walk->todo, &walk->todo_count, &walk->todo_capacity) = *id;
}

/* From 1.7 on libgit2 says of the commits at which a shallow clone is cut off that they have no
 * parents; their own text still names them. */
static bool is_cut_here(const struct walk *walk, const git_commit *commit) {
    const char *header = git_commit_raw_header(commit);
    return walk->source->shallow && git_commit_parentcount(commit) == 0 && header &&
           strstr(header, "\nparent ");
}

static void walk_push_parents(struct walk *walk, const git_commit *commit) {
    walk->is_cut |= is_cut_here(walk, commit);
    for (unsigned i = git_commit_parentcount(commit); i-- > 0;)
        walk_push(walk, git_commit_parent_id(commit, i));
}

/* The next commit, NULL at the end (and at an error). */
static git_commit *walk_next(struct walk *walk, enum status *status, struct error *error) {
    git_commit *commit = NULL;
    while (*status == STATUS_OK && !commit && walk->todo_count) {
        git_oid id = walk->todo[--walk->todo_count];
        if (walk->source->shallow && !git_odb_exists(walk->source->odb, &id))
            walk->is_cut = true;
        else
            *status = repo_load_commit(walk->source, &id, &commit, error);
    }
    return commit;
}

static void walk_free(struct walk *walk) {
    struct visit *known, *next;
    HASH_ITER(hh, walk->visits, known, next) {
        HASH_DEL(walk->visits, known);
        free(known);
    }
    free(walk->todo);
}
#define cleanup_walk __attribute__((cleanup(walk_free)))

bool repo_is_ancestor(const struct repo_source *source, const git_oid *ancestor,
                      const git_oid *descendant) {
    return git_oid_equal(ancestor, descendant) ||
           git_graph_descendant_of(source->repository, descendant, ancestor) == 1;
}

/* ---- the commit that counts --------------------------------------------------------------- */

struct candidate {
    git_oid id;
    int64_t time;
};

struct candidates {
    struct candidate *rows;
    size_t count, capacity;
};

static bool has_descendant(const struct repo_source *source, const struct candidates *candidates,
                           size_t which) {
    for (size_t i = 0; i < candidates->count; i++)
        if (i != which &&
            repo_is_ancestor(source, &candidates->rows[which].id, &candidates->rows[i].id))
            return true;
    return false;
}

static const struct candidate *pick(const struct repo_source *source,
                                    const struct candidates *candidates) {
    const struct candidate *best = NULL;
    for (size_t i = 0; i < candidates->count; i++)
        if ((!best || candidates->rows[i].time > best->time) &&
            !has_descendant(source, candidates, i))
            best = &candidates->rows[i];
    return best;
}

static void note_late(struct repo_choice *choice, size_t *capacity, const git_commit *commit) {
    int64_t time = git_commit_time(commit);
    if (choice->late_count == 0 || time < choice->first_late_at)
        choice->first_late_at = time;
    if (choice->late_count == 0 || time > choice->later_at)
        choice->later_at = time;
    *mem_push(&choice->late, &choice->late_count, capacity) = *git_commit_id(commit);
}

static enum status choose_before(const struct repo_source *source, struct repo_choice *choice) {
    struct walk cleanup_walk walk = {.source = source};
    struct candidates candidates = {0};
    size_t late_capacity = 0;
    enum status status = STATUS_OK;
    walk_push(&walk, &source->tip);
    for (git_commit *commit; (commit = walk_next(&walk, &status, &choice->error));) {
        if (git_commit_time(commit) <= choice->not_after) {
            *mem_push(&candidates.rows, &candidates.count, &candidates.capacity) =
                (struct candidate){*git_commit_id(commit), git_commit_time(commit)};
        } else {
            note_late(choice, &late_capacity, commit);
            walk_push_parents(&walk, commit);
        }
        git_commit_free(commit);
    }
    const struct candidate *best = status == STATUS_OK ? pick(source, &candidates) : NULL;
    choice->found = best != NULL;
    if (best)
        choice->id = best->id;
    free(candidates.rows);
    if (choice->late_count)
        choice->flags |= REPO_FLAG_LATER;
    if (status == STATUS_OK && !choice->found && walk.is_cut) {
        status = error_set(&choice->error, STATUS_INVALID,
                           "which commit counts cannot be told: the history of %s does not reach "
                           "back to %s",
                           source->branch, repo_time(choice->not_after).text);
        if (source->shallow)
            error_hint(&choice->error, "it is a shallow clone: git fetch --unshallow");
    }
    return status;
}

static enum status choose_pin(const struct repo_source *source, struct repo_choice *choice) {
    enum status status = repo_resolve_id(source, choice->pin, &choice->id, &choice->error);
    if (status != STATUS_OK) {
        error_hint(&choice->error, "it was pinned; give the id of a commit that was pushed");
        return status;
    }
    choice->found = true;
    choice->flags |= REPO_FLAG_PINNED;
    if (!repo_is_ancestor(source, &choice->id, &source->tip))
        choice->flags |= REPO_FLAG_OFF_BRANCH;
    return STATUS_OK;
}

void repo_describe_commit(const git_commit *commit, struct repo_commit *described) {
    git_oid_tostr(described->id, sizeof described->id, git_commit_id(commit));
    const git_signature *author = git_commit_author(commit);
    described->committed_at = git_commit_time(commit);
    described->authored_at = author ? author->when.time : described->committed_at;
}

/* Whether a commit that this one is built on is dated after it. Not only its parents: a second
 * commit on top of a backdated one must not hide it. */
static unsigned look_at_ancestors(const struct repo_source *source, const git_oid *id,
                                  int64_t time) {
    struct walk cleanup_walk walk = {.source = source};
    enum status status = STATUS_OK;
    unsigned flags = 0;
    walk_push(&walk, id);
    for (git_commit *commit; !flags && (commit = walk_next(&walk, &status, NULL));) {
        if (git_commit_time(commit) > time)
            flags = REPO_FLAG_BACKWARDS;
        walk_push_parents(&walk, commit);
        git_commit_free(commit);
    }
    return status == STATUS_OK ? flags : flags | REPO_FLAG_SHALLOW; /* objects are missing */
}

static enum status describe_choice(const struct repo_source *source, struct repo_choice *choice) {
    cleanup_git(git_commit) *commit = NULL;
    enum status status = repo_load_commit(source, &choice->id, &commit, &choice->error);
    if (status != STATUS_OK)
        return status;
    repo_describe_commit(commit, &choice->commit);
    if (choice->commit.committed_at > source->fetched_at ||
        choice->commit.authored_at > source->fetched_at)
        choice->flags |= REPO_FLAG_FUTURE;
    choice->flags |= look_at_ancestors(source, &choice->id, choice->commit.committed_at);
    return STATUS_OK;
}

void repo_choose(const struct repo_source *source, struct repo_choice *choice) {
    choice->flags = source->shallow ? REPO_FLAG_SHALLOW : 0;
    choice->status = choice->pin ? choose_pin(source, choice) : choose_before(source, choice);
    if (choice->status == STATUS_OK && choice->found)
        choice->status = describe_choice(source, choice);
}

/* ---- the commit that changed a file ------------------------------------------------------- */

/* The first parent with the same object at the path. */
static bool same_parent(const struct repo_source *source, const git_commit *commit,
                        const char *path, const git_oid *object, git_oid *same) {
    for (unsigned i = 0; i < git_commit_parentcount(commit); i++) {
        cleanup_git(git_tree) *root = NULL;
        struct repo_entry entry;
        *same = *git_commit_parent_id(commit, i);
        if (repo_load_root(source, same, &root, NULL) == STATUS_OK &&
            repo_follow_path(source, root, path, &entry, NULL) == STATUS_OK && entry.is_last &&
            git_oid_equal(&entry.id, object))
            return true;
    }
    return false;
}

void repo_find_change(const struct repo_source *source, const git_oid *start, const char *path,
                      const git_oid *object, struct repo_commit *changed) {
    git_oid at = *start;
    bool found = true;
    for (size_t steps = 0; found && steps < REPO_MAX_HISTORY; steps++) {
        cleanup_git(git_commit) *commit = NULL;
        if (repo_load_commit(source, &at, &commit, NULL) != STATUS_OK)
            return;
        repo_describe_commit(commit, changed);
        found = same_parent(source, commit, path, object, &at);
    }
}
