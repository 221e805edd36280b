/* What a branch, a tag or a commit's id stands for in an open repository.
 *
 * A name is looked for among the branches, then among the tags; only then can it be an id. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED_NAMES = 128, NAMES_IN_HINT = 5, MAX_TAG_DEPTH = 8 };

enum status repo_no_branch(struct error *error, const char *branch, const char *const *names,
                           size_t count) {
    enum status status =
        error_set(error, STATUS_INVALID,
                  "the repository has no branch %s (and no such tag or commit)", branch);
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

enum status repo_peel(const struct repo_source *source, const git_oid *id, git_oid *commit,
                      struct error *error) {
    git_oid at = *id;
    for (unsigned depth = 0; depth < MAX_TAG_DEPTH; depth++) {
        size_t bytes;
        git_object_t type;
        if (git_odb_read_header(&bytes, &type, source->odb, &at) != 0 || type != GIT_OBJECT_TAG) {
            *commit = at; /* whatever it is: the one who loads it says so */
            return STATUS_OK;
        }
        enum status status =
            repo_check_object(source, &at, GIT_OBJECT_TAG, REPO_MAX_COMMIT_BYTES, &bytes, error);
        if (status != STATUS_OK)
            return status;
        cleanup_git(git_tag) *tag = NULL;
        if (git_tag_lookup(&tag, source->repository, &at) != 0)
            return repo_git_error(error, "the tag cannot be read");
        at = *git_tag_target_id(tag);
    }
    return error_set(error, STATUS_INVALID, "the tag leads to a tag, and so on, without an end");
}

bool repo_is_id(const char *name) {
    size_t length = strlen(name);
    return length >= REPO_MIN_ID_DIGITS && length <= GIT_OID_HEXSZ &&
           strspn(name, "0123456789abcdefABCDEF") == length;
}

enum status repo_resolve_id(const struct repo_source *source, const char *digits, git_oid *commit,
                            struct error *error) {
    git_oid begin, id;
    if (!repo_is_id(digits) || git_oid_fromstrn(&begin, digits, strlen(digits)) != 0)
        return error_set(error, STATUS_INVALID,
                         "%s is no commit's id: %d to %d hexadecimal digits are expected", digits,
                         REPO_MIN_ID_DIGITS, GIT_OID_HEXSZ);
    int code = git_odb_exists_prefix(&id, source->odb, &begin, strlen(digits));
    if (code == GIT_EAMBIGUOUS)
        return error_set(error, STATUS_INVALID, "several objects' ids begin with %s", digits);
    if (code != 0)
        return error_set(error, STATUS_INVALID, "the repository has no commit %s", digits);
    return repo_peel(source, &id, commit, error);
}

/* The reference `prefix``name`; GIT_ENOTFOUND also for a name that no reference can have. */
static int look_up(git_repository *repository, const char *prefix, const char *name,
                   git_reference **reference) {
    cleanup_free char *full = mem_printf("%s%s", prefix, name);
    int code = git_reference_lookup(reference, repository, full);
    return code == GIT_EINVALIDSPEC ? GIT_ENOTFOUND : code;
}

enum status repo_resolve(struct repo_source *source, const char *branch, struct error *error) {
    cleanup_git(git_reference) *reference = NULL;
    cleanup_git(git_reference) *direct = NULL;
    git_repository *repository = source->repository;
    int code = branch ? look_up(repository, "refs/heads/", branch, &reference)
                      : git_repository_head(&reference, repository);
    if (branch && code == GIT_ENOTFOUND)
        code = look_up(repository, "refs/tags/", branch, &reference);
    if (branch && code == GIT_ENOTFOUND && repo_is_id(branch) &&
        repo_resolve_id(source, branch, &source->tip, NULL) == STATUS_OK) {
        source->branch = mem_strdup(branch);
        return STATUS_OK;
    }
    if (code == GIT_EUNBORNBRANCH || code == GIT_ENOTFOUND)
        return no_local_branch(repository, branch, error);
    if (code != 0 || git_reference_resolve(&direct, reference) != 0)
        return repo_git_error(error, "the branch cannot be read");
    source->branch = mem_strdup(git_reference_shorthand(direct));
    return repo_peel(source, git_reference_target(direct), &source->tip, error);
}
