/* See base.h. A pull request's base must be there: it decides by which rules the request is
 * graded. What a push has replaced may be gone (a forced push, the first push of a branch); then
 * the default branch is next, and on that branch itself there is nothing to compare with. */
#include "grader/ci/base.h"

#include "sandbox/base/memory.h"

#include <string.h>

static const struct source {
    const char *variable; /* NULL: `name` is tried where no variable says anything */
    const char *name;
    enum repo_base_kind kind;
    bool optional, is_parent;
} sources[] = {
    /* a pull or merge request: its target */
    {"GITHUB_BASE_REF", NULL, REPO_BASE_BRANCH, false, false},
    {"CI_MERGE_REQUEST_TARGET_BRANCH_SHA", NULL, REPO_BASE_ID, true, false},
    {"CI_MERGE_REQUEST_DIFF_BASE_SHA", NULL, REPO_BASE_ID, false, false},
    /* a push: what it has replaced */
    {"GITHUB_EVENT_BEFORE", NULL, REPO_BASE_ID, true, false},
    {"CI_COMMIT_BEFORE_SHA", NULL, REPO_BASE_ID, true, false},
    {"GITHUB_DEFAULT_BRANCH", NULL, REPO_BASE_BRANCH, true, true},
    {"CI_DEFAULT_BRANCH", NULL, REPO_BASE_BRANCH, true, true},
    /* a person at a terminal */
    {NULL, "HEAD", REPO_BASE_BRANCH, true, true},
    {NULL, "main", REPO_BASE_BRANCH, true, true},
    {NULL, "master", REPO_BASE_BRANCH, true, true},
};

/* Git's id of no commit, as the first push of a branch has it. */
static bool is_said(const char *value) {
    return value && *value && strspn(value, "0") != strlen(value);
}

static void add(struct ci_base *base, const char *said_by, struct repo_base row) {
    base->said_by[base->count] = said_by;
    base->bases[base->count++] = row;
}

void ci_base_choose(const char *option, ci_environment *environment, struct ci_base *base) {
    *base = (struct ci_base){0};
    if (option) {
        add(base, "--base", (struct repo_base){.kind = REPO_BASE_NAME, .name = option});
        return;
    }
    bool in_ci = false; /* some variable is set, also where it names no commit */
    for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
        const struct source *source = &sources[i];
        const char *value = source->variable ? environment(source->variable) : source->name;
        if (source->variable)
            in_ci |= value && *value;
        if (!is_said(value) || (!source->variable && in_ci))
            continue;
        add(base, source->variable ? source->variable : "origin",
            (struct repo_base){.kind = source->kind,
                               .name = value,
                               .optional = source->optional,
                               .is_parent = source->is_parent,
                               .is_guess = !source->variable});
        if (!source->optional)
            return;
    }
}
