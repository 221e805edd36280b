/* The door to students' git repositories: files of the commits that count, straight from the
 * objects.
 *
 * Nothing is checked out: no hook, filter, submodule or symbolic link of the repository is ever
 * followed, and no file of it reaches the disk by its own name. libgit2 runs in a forked child with
 * limits on time, memory and file size, so that a damaged, hostile or unreachable repository costs
 * its owner's row and nothing else; what the child says is decoded as hostile bytes.
 *
 * Locations: a folder (bare, with a work tree, or a linked work tree), which is read where it is;
 * file:///folder, https://host/... and ssh://user@host/..., which are fetched. README.md beside
 * this file says which commit counts, where credentials come from and what a cache folder holds. */
#ifndef WARPGRADE_GRADER_REPO_REPO_H
#define WARPGRADE_GRADER_REPO_REPO_H

#include "sandbox/base/error.h"
#include "sandbox/base/file.h"

#include <stddef.h>
#include <stdint.h>

enum {
    REPO_MAX_FILE_BYTES = FILE_MAX_SUBMISSION_BYTES,
    REPO_MAX_TOTAL_BYTES = 64 << 20, /* all files of one request */
    REPO_MAX_CANDIDATES = 4,
    REPO_MAX_WANTS = 256,
    REPO_MAX_PATH = 512,
};

/* One file that is asked for, under the paths where it may stand; the first that exists wins. */
struct repo_want {
    const char *candidates[REPO_MAX_CANDIDATES];
    size_t candidate_count;
    int64_t
        not_after; /* seconds since 1970, by the committer's clock; INT64_MAX: the branch's head */
    const char *pin; /* a commit's id, at least 7 digits of it: this one and no other; NULL: none */
};

struct repo_request {
    const char *location; /* a path (relative to the working directory) or a URL */
    const char *branch;   /* or a tag, or a commit's id; NULL: the repository's HEAD */
    const struct repo_want *wants;
    size_t want_count;
    double time_limit_seconds; /* 0: the default, 60 */
    const char *cache;         /* a folder that fetches keep their objects in; NULL: none is kept */
    const char *ssh_key;     /* a private key's file; NULL: the agent's keys and ssh's own choice */
    const char *known_hosts; /* the only file of host keys to believe; NULL: ssh's own ones */
    const char *ca_file;     /* certificates to trust instead of the system's; NULL: those that
                                GIT_SSL_CAINFO or SSL_CERT_FILE names, else the system's */
};

enum repo_file_state {
    REPO_FILE_FOUND,
    REPO_FILE_MISSING, /* no candidate exists in the commit that counts, nor after it */
    REPO_FILE_REFUSED, /* there, but not a file that can be graded: a link, a submodule, too large;
                          or the commit that counts cannot be told */
    REPO_FILE_LATE,    /* only commits after the limit have it; late_at is the first one's time */
};

/* Bits of repo_file.flags; repo_flag.def says what each means. */
enum repo_flag_bit {
#define REPO_FLAG(name, word, sentence) REPO_FLAG_BIT_##name,
#include "grader/repo/repo_flag.def"
#undef REPO_FLAG
    REPO_FLAG_COUNT,
};
enum repo_flag {
#define REPO_FLAG(name, word, sentence) REPO_FLAG_##name = 1 << REPO_FLAG_BIT_##name,
#include "grader/repo/repo_flag.def"
#undef REPO_FLAG
};
const char *repo_flag_word(enum repo_flag_bit bit);     /* "future", as files name it */
const char *repo_flag_sentence(enum repo_flag_bit bit); /* for people */

/* Times are seconds since 1970, as the clock of the person who committed said: they can be forged.
 */
struct repo_commit {
    char id[65]; /* hexadecimal; "" where there is none */
    int64_t authored_at;
    int64_t committed_at;
};

struct repo_file {
    enum repo_file_state state;
    char *path; /* the candidate meant; "" where MISSING */
    char *data; /* FOUND: the content, NUL-terminated after length; else NULL */
    size_t length;
    char *message;              /* not FOUND: one sentence; may hold untrusted text */
    char *hint;                 /* not FOUND: what to do; may be "" */
    struct repo_commit commit;  /* the one that counts; none where all are LATE */
    struct repo_commit changed; /* FOUND: where the file got this content: `commit` or before it */
    unsigned flags;             /* enum repo_flag */
    int64_t late_at;            /* LATE: of the first commit after the limit that has the file */
    int64_t later_at;           /* FLAG_LATER: of the newest commit after the limit */
    int64_t unseen_at;          /* FLAG_UNSEEN: the last reading that did not find the commit */
};

struct repo_snapshot {
    struct repo_commit head; /* of the branch, whatever the limits */
    int64_t fetched_at;      /* when the remote, or the folder, was asked */
    char *branch;            /* short name of branch or tag, an id, or "HEAD" where detached */
    struct repo_file *files; /* one for each want, in their order */
    size_t file_count;
};

/* A fetch in flight, so that the next repository is read while one is graded. Start it while no
 * other thread runs. request and all it points to is copied by the fork and may go. */
struct repo_fetch;
enum status repo_fetch_start(const struct repo_request *request, struct repo_fetch **fetch,
                             struct error *error);
/* Has it ended, so that repo_fetch_finish() does not wait? */
bool repo_fetch_ready(const struct repo_fetch *fetch);
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
/* The environment without the tokens, for a program that has no need of them. Caller frees the
 * array; its strings are environ's. */
char **repo_environment_without_tokens(void);
/* A relative path is relative to `directory`; URLs and absolute paths stay. Caller frees. */
char *repo_resolve_location(const char *directory, const char *location);
/* A path inside a repository as a want may name it: relative, valid UTF-8 without control
 * characters, no empty, ".", ".." or ".git" part. NULL: fine; else why not. */
const char *repo_path_problem(const char *path);
/* Fit to be shown as it is: UTF-8, no control characters, no bidirectional overrides. */
bool repo_name_is_clean(const char *name);

#endif
