/* With what a repository is compared: what the options say, else what the CI system's environment
 * says, else the branch of the remote that work usually goes to. Pure. */
#ifndef WARPGRADE_GRADER_CI_BASE_H
#define WARPGRADE_GRADER_CI_BASE_H

#include "grader/repo/change.h"

/* As getenv(). */
typedef const char *ci_environment(const char *name);

struct ci_base {
    struct repo_base bases[REPO_MAX_BASES];
    const char *said_by[REPO_MAX_BASES]; /* "--base", "GITHUB_BASE_REF" */
    size_t count;
};

/* `option` is --base, or NULL. Names belong to the environment. */
void ci_base_choose(const char *option, ci_environment *environment, struct ci_base *base);

#endif
