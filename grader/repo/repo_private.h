/* What the files of the repository reader share; not a door. */
#ifndef WARPGRADE_GRADER_COURSE_REPO_PRIVATE_H
#define WARPGRADE_GRADER_COURSE_REPO_PRIVATE_H

#include "grader/repo/repo.h"

#include <git2.h>

enum {
    REPO_MAX_TREE_BYTES = 8 << 20,    /* one folder: about 200 000 entries */
    REPO_MAX_COMMIT_BYTES = 1 << 20,  /* a commit's text */
    REPO_MAX_FETCH_BYTES = 512 << 20, /* what a clone may bring over the network */
};

/* In the child: reads in this process. `scratch` is an empty folder for a clone, or NULL where the
 * location is a path. */
enum status repo_read_here(const struct repo_request *request, const char *scratch,
                           struct repo_snapshot *snapshot, struct error *error);

/* An empty folder that only this user can enter, and its removal with all that is in it. */
enum status repo_scratch_make(char **path, struct error *error);
void repo_scratch_remove(const char *path);
/* Opens a repository of this file system and refuses one that reaches outside itself. */
enum status repo_open_local(const char *path, git_repository **repository, struct error *error);
/* Fetches one branch (NULL: the remote's HEAD) into a bare repository made in `scratch`. */
enum status repo_fetch_remote(const char *url, const char *branch, const char *scratch,
                              git_repository **repository, git_oid *commit, char **branch_name,
                              struct error *error);
/* STATUS_INVALID with "what: libgit2's message". */
enum status repo_git_error(struct error *error, const char *what);
/* No such branch; names are the branches there are. */
enum status repo_no_branch(struct error *error, const char *branch, const char *const *names,
                           size_t count);
/* HEAD leads to no commit. */
enum status repo_no_commit(struct error *error, size_t branch_count);
/* Fit to be shown as it is: UTF-8, no control characters, no bidirectional overrides. */
bool repo_name_is_clean(const char *name);

enum repo_scheme { REPO_SCHEME_PATH, REPO_SCHEME_FILE, REPO_SCHEME_NETWORK };
/* For REPO_SCHEME_FILE *path is the decoded path; for REPO_SCHEME_PATH a copy; else NULL. */
enum status repo_location_parse(const char *location, enum repo_scheme *scheme, char **path,
                                struct error *error);

#define REPO_GIT_CLEANUP(type)                                                                     \
    static inline void type##_cleanup(type **pointer) {                                            \
        type##_free(*pointer);                                                                     \
    }
REPO_GIT_CLEANUP(git_repository)
REPO_GIT_CLEANUP(git_reference)
REPO_GIT_CLEANUP(git_remote)
REPO_GIT_CLEANUP(git_commit)
REPO_GIT_CLEANUP(git_tree)
REPO_GIT_CLEANUP(git_blob)
REPO_GIT_CLEANUP(git_odb)
REPO_GIT_CLEANUP(git_branch_iterator)
#undef REPO_GIT_CLEANUP
#define cleanup_git(type) __attribute__((cleanup(type##_cleanup))) type

#endif
