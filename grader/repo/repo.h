/* The door to students' git repositories: the files of a branch's head, straight from the objects.
 *
 * Nothing is checked out: no hook, filter, submodule or symbolic link of the repository is ever
 * followed, and no file of it reaches the disk by its own name. libgit2 runs in a forked child with
 * limits on time, memory and file size, so that a damaged, hostile or unreachable repository costs
 * its owner's row and nothing else; what the child says is decoded as hostile bytes.
 *
 * Locations: a folder (bare, with a work tree, or a linked work tree), file:///folder,
 * https://host/..., ssh://user@host/... (keys from the SSH agent, host keys from known_hosts). */
#ifndef WARPGRADE_GRADER_COURSE_REPO_H
#define WARPGRADE_GRADER_COURSE_REPO_H

#include "sandbox/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    REPO_MAX_FILE_BYTES = 4 << 20,   /* one file */
    REPO_MAX_TOTAL_BYTES = 64 << 20, /* all files of one request */
    REPO_MAX_CANDIDATES = 4,
    REPO_MAX_WANTS = 256,
    REPO_MAX_PATH = 512,
};

/* One file that is asked for, under the paths where it may stand; the first that exists wins. */
struct repo_want {
    const char *candidates[REPO_MAX_CANDIDATES];
    size_t candidate_count;
};

struct repo_request {
    const char *location; /* a path (relative to the working directory) or a URL */
    const char *branch;   /* NULL: the repository's HEAD */
    const struct repo_want *wants;
    size_t want_count;
    double time_limit_seconds; /* 0: the default, 60 */
};

enum repo_file_state {
    REPO_FILE_FOUND,
    REPO_FILE_MISSING, /* no candidate exists */
    REPO_FILE_REFUSED, /* there, but not a file that can be graded: a link, a submodule, too large
                        */
};

struct repo_file {
    enum repo_file_state state;
    char *path; /* the candidate meant; "" where MISSING */
    char *data; /* FOUND: the content, NUL-terminated after length; else NULL */
    size_t length;
    char *message; /* not FOUND: one sentence; may hold untrusted text */
    char *hint;    /* not FOUND: what to do; may be "" */
};

struct repo_snapshot {
    char commit[65];      /* hexadecimal */
    int64_t committed_at; /* seconds since 1970, as the committer's clock said: it can be forged */
    char *branch;         /* short name, or "HEAD" where it is detached */
    struct repo_file *files; /* one for each want, in their order */
    size_t file_count;
};

/* A fetch in flight, so that the next repository is read while one is graded. Start it while no
 * other thread runs. request and all it points to is copied by the fork and may go. */
struct repo_fetch;
enum status repo_fetch_start(const struct repo_request *request, struct repo_fetch **fetch,
                             struct error *error);
/* Waits and frees the fetch. STATUS_INVALID: this repository cannot be read; the message says why
 * and never holds a password of the URL. STATUS_ENVIRONMENT: no child could be started. */
enum status repo_fetch_finish(struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                              struct error *error);
/* Ends it without looking at the result; NULL is allowed. */
void repo_fetch_cancel(struct repo_fetch *fetch);

/* Both steps at once. */
enum status repo_read(const struct repo_request *request, struct repo_snapshot *snapshot,
                      struct error *error);
void repo_snapshot_free(struct repo_snapshot *snapshot);

/* The location for people: without the password, or token, that a URL may carry. Caller frees. */
char *repo_display_location(const char *location);
/* A relative path is relative to `directory`; URLs and absolute paths stay. Caller frees. */
char *repo_resolve_location(const char *directory, const char *location);
/* A path inside a repository as a want may name it: relative, valid UTF-8 without control
 * characters, no empty, ".", ".." or ".git" part. NULL: fine; else why not. */
const char *repo_path_problem(const char *path);

#endif
