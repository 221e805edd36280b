/* Which commit of a clone a base stands for.
 *
 * In a clone that a CI system has made, only the course moves the branches of `origin`. Any push
 * brings tags, so that a tag called origin/main must not stand for the branch: branches go before
 * tags here, other than in git. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS_BACK = 1000 };

/* False: there is no such reference. */
static bool look_up(const struct repo_source *source, const char *prefix, const char *name,
                    git_oid *commit) {
    cleanup_free char *full = mem_printf("%s%s", prefix, name);
    cleanup_git(git_reference) *reference = NULL;
    cleanup_git(git_reference) *direct = NULL;
    return git_reference_lookup(&reference, source->repository, full) == 0 &&
           git_reference_resolve(&direct, reference) == 0 &&
           repo_peel(source, git_reference_target(direct), commit, NULL) == STATUS_OK;
}

static bool look_up_any(const struct repo_source *source, const char *const *prefixes, size_t count,
                        const char *name, git_oid *commit) {
    for (size_t i = 0; i < count; i++)
        if (look_up(source, prefixes[i], name, commit))
            return true;
    return false;
}

static bool find_branch(const struct repo_source *source, const char *name, git_oid *commit) {
    static const char *const prefixes[] = {"refs/remotes/origin/", "refs/heads/"};
    return look_up_any(source, prefixes, ARRAY_LENGTH(prefixes), name, commit);
}

static bool find_plain_name(const struct repo_source *source, const char *name, git_oid *commit) {
    static const char *const prefixes[] = {"refs/remotes/", "refs/heads/", "refs/remotes/origin/",
                                           "refs/tags/"};
    cleanup_git(git_reference) *head = NULL;
    if (strcmp(name, "HEAD") == 0)
        return git_repository_head(&head, source->repository) == 0 &&
               repo_peel(source, git_reference_target(head), commit, NULL) == STATUS_OK;
    if (strncmp(name, "refs/", 5) == 0)
        return look_up(source, "", name, commit);
    if (look_up_any(source, prefixes, ARRAY_LENGTH(prefixes), name, commit))
        return true;
    return repo_is_id(name) && repo_resolve_id(source, name, commit, NULL) == STATUS_OK;
}

/* The commit `steps` before, always by the first parent. */
static bool step_back(const struct repo_source *source, size_t steps, git_oid *commit) {
    for (; steps; steps--) {
        cleanup_git(git_commit) *here = NULL;
        if (repo_load_commit(source, commit, &here, NULL) != STATUS_OK ||
            git_commit_parentcount(here) == 0)
            return false;
        *commit = *git_commit_parent_id(here, 0);
    }
    return true;
}

/* The ^ and ~N at a name's end, which they are cut from; false: not as git writes them. */
static bool cut_steps(char *name, size_t *steps) {
    char *end = name + strcspn(name, "~^");
    *steps = 0;
    for (const char *at = end; *at;) {
        bool counted = *at == '~' && isdigit((unsigned char)at[1]);
        if (*at != '~' && *at != '^')
            return false;
        *steps += counted ? strtoul(at + 1, NULL, 10) : 1;
        at++;
        while (counted && isdigit((unsigned char)*at))
            at++;
        if (*steps > MAX_STEPS_BACK)
            return false;
    }
    *end = '\0';
    return true;
}

static bool find_name(const struct repo_source *source, const char *typed, git_oid *commit) {
    cleanup_free char *name = mem_strdup(typed);
    size_t steps;
    return cut_steps(name, &steps) && find_plain_name(source, name, commit) &&
           step_back(source, steps, commit);
}

static bool find_id(const struct repo_source *source, const char *name, git_oid *commit) {
    return strlen(name) == GIT_OID_HEXSZ &&
           repo_resolve_id(source, name, commit, NULL) == STATUS_OK;
}

static bool find_base(const struct repo_source *source, const struct repo_base *base,
                      git_oid *commit) {
    cleanup_git(git_commit) *loaded = NULL;
    bool found = base->kind == REPO_BASE_NAME     ? find_name(source, base->name, commit)
                 : base->kind == REPO_BASE_BRANCH ? find_branch(source, base->name, commit)
                                                  : find_id(source, base->name, commit);
    return found && repo_load_commit(source, commit, &loaded, NULL) == STATUS_OK;
}

static enum status no_base(const struct repo_source *source, const struct repo_base *base,
                           struct error *error) {
    bool typed = base->kind == REPO_BASE_NAME;
    enum status status =
        error_set(error, typed && !source->shallow ? STATUS_INVALID : STATUS_ENVIRONMENT,
                  "%s, with which this is compared, is not in this %sclone", base->name,
                  source->shallow ? "shallow " : "");
    if (source->shallow)
        error_hint(error, "clone the whole history: `fetch-depth: 0` of actions/checkout, "
                          "`GIT_DEPTH: 0` in GitLab, or `git fetch --unshallow`");
    else if (typed)
        error_hint(error, "--base takes a branch, origin/main for example, a tag or a commit's id");
    else
        error_hint(error, "fetch it before: git fetch origin %s", base->name);
    return status;
}

enum status repo_find_base(const struct repo_source *source, const struct repo_base *bases,
                           size_t count, size_t *index, git_oid *commit, struct error *error) {
    const struct repo_base *lacking = NULL; /* the first that is not there */
    for (*index = 0; *index < count; ++*index) {
        const struct repo_base *base = &bases[*index];
        if (find_base(source, base, commit)) {
            if (!base->is_parent || !repo_is_ancestor(source, &source->tip, commit))
                return STATUS_OK;
        } else if (!base->optional) {
            return no_base(source, base, error);
        } else if (!lacking && !base->is_guess) {
            lacking = base;
        }
    }
    /* In a shallow clone it is not known to be gone. */
    return lacking && source->shallow ? no_base(source, lacking, error) : STATUS_OK;
}
