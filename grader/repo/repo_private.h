/* What the files of the repository reader share; not a door. */
#ifndef WARPGRADE_GRADER_REPO_PRIVATE_H
#define WARPGRADE_GRADER_REPO_PRIVATE_H

#include "grader/repo/change.h"
#include "grader/repo/repo.h"
#include "sandbox/base/text.h"

#include <git2.h>
#include <stdbool.h>

enum {
    REPO_MAX_TREE_BYTES = 8 << 20,    /* one folder: about 200 000 entries */
    REPO_MAX_COMMIT_BYTES = 1 << 20,  /* a commit's text, or a tag's */
    REPO_MAX_FETCH_BYTES = 512 << 20, /* what a fetch may bring, and what a cache entry may hold */
    REPO_MAX_HISTORY = 100000,        /* commits that one question about a history looks at */
    REPO_MIN_ID_DIGITS = 7,
};

/* ---- locations (repo_location.c) ---------------------------------------------------------- */

bool repo_has_scheme(const char *location);
/* The password, or token, in a URL; NULL: none. Caller frees. */
char *repo_find_secret(const char *location);
/* `string` with each occurrence of the secret (NULL: none) replaced. Caller frees. */
char *repo_without_secret(const char *string, const char *secret);

/* Without %-escapes; one that is wrong stays as it is. Caller frees. */
char *repo_percent_decoded(const char *string);

enum repo_scheme { REPO_SCHEME_PATH, REPO_SCHEME_FILE, REPO_SCHEME_NETWORK };
/* For REPO_SCHEME_FILE *path is the decoded path; for REPO_SCHEME_PATH a copy; else NULL. */
enum status repo_location_parse(const char *location, enum repo_scheme *scheme, char **path,
                                struct error *error);

/* ---- between child and parent (repo_record.c) --------------------------------------------- */

enum { REPO_MAX_RECORD_BYTES = REPO_MAX_TOTAL_BYTES + (4 << 20) };
void repo_record_encode(enum status status, const struct error *error,
                        const struct repo_snapshot *snapshot, struct text *out);
/* False: malformed, with nothing to free but the snapshot. *status is what the child returned. */
bool repo_record_decode(const void *data, size_t length, size_t want_count, enum status *status,
                        struct repo_snapshot *snapshot, struct error *error);

void repo_record_encode_changes(enum status status, const struct error *error,
                                const struct repo_changes *changes, struct text *out);
bool repo_record_decode_changes(const void *data, size_t length, size_t base_count,
                                enum status *status, struct repo_changes *changes,
                                struct error *error);

/* ---- the process that reads (repo_child.c) ------------------------------------------------ */

/* In the child: reads, and says what it has found. context is as the parent had it. */
typedef void repo_child_job(const void *context, double time_limit, struct text *out);
/* False: malformed, with nothing to free. *status is what the child returned. */
typedef bool repo_child_decoder(void *context, const void *data, size_t length, enum status *status,
                                struct error *error);
struct repo_child;
/* time_limit in seconds; 0: the default. While no other thread runs. */
enum status repo_child_start(repo_child_job *job, const void *context, double time_limit,
                             struct repo_child **child, struct error *error);
bool repo_child_ready(const struct repo_child *child);
/* Both end and free it. */
enum status repo_child_finish(struct repo_child *child, repo_child_decoder *decode, void *context,
                              struct error *error);
void repo_child_cancel(struct repo_child *child);

/* ---- folders (repo_scratch.c) ------------------------------------------------------------- */

/* An empty folder that only this user can enter, and its removal with all that is in it. */
enum status repo_scratch_make(char **path, struct error *error);
void repo_scratch_remove(const char *path);

/* ---- in the child ------------------------------------------------------------------------- */

/* Reads in this process. `scratch` is an empty folder for a clone, or NULL where none is needed. */
enum status repo_read_here(const struct repo_request *request, const char *scratch,
                           double time_limit, struct repo_snapshot *snapshot, struct error *error);

/* libgit2's settings, once a child. */
enum status repo_set_options(struct error *error);

/* An open repository, and the commit that the request's branch names. */
struct repo_source {
    git_repository *repository;
    git_odb *odb;
    char *branch; /* short name of branch or tag, an id, or "HEAD" */
    git_oid tip;
    int64_t fetched_at;
    bool shallow;
    bool partial;        /* a clone that was told to leave objects out */
    bool is_unreachable; /* the remote was not reached, or has no such branch */
    bool *is_damaged;    /* set where an object cannot be read; may be NULL */
};
void repo_source_free(struct repo_source *source);

/* Opens a repository of this file system and refuses one that reaches outside itself. */
enum status repo_open_local(const char *path, struct repo_source *source, struct error *error);
/* Finds what `branch` names in an open repository: source->tip and source->branch. */
enum status repo_resolve(struct repo_source *source, const char *branch, struct error *error);
/* A commit by its id or the beginning of it (at least REPO_MIN_ID_DIGITS); a tag is followed. */
enum status repo_resolve_id(const struct repo_source *source, const char *digits, git_oid *commit,
                            struct error *error);
bool repo_is_id(const char *name);
/* The commit that a commit or tag leads to. */
enum status repo_peel(const struct repo_source *source, const git_oid *id, git_oid *commit,
                      struct error *error);
/* Fetches what `branch` names, and the pinned commits, into the bare source->repository. */
enum status repo_fetch_remote(const char *url, const struct repo_request *request,
                              struct repo_source *source, struct error *error);

/* ---- https and ssh (repo_login.c, repo_ssh.c) --------------------------------------------- */

/* One connection's credentials for https, and why it ended. */
struct repo_login {
    char *host;        /* the location's */
    char *variable;    /* of the environment, for a token of this host */
    const char *token; /* of the environment; NULL: none is for this host */
    bool url_has_secret, offered, refused, untrusted;
    char *redirected; /* the other host that it would have gone to; NULL: none */
};
void repo_login_for(const char *url, struct repo_login *login);
void repo_login_free(struct repo_login *login);
/* libgit2's callbacks. */
int repo_login_offer(git_credential **out, const char *url, const char *user, unsigned allowed,
                     struct repo_login *login);
int repo_login_certificate(int valid, const char *host, struct repo_login *login);
/* Says why the connection ended, where that was the login's doing; else STATUS_OK. */
enum status repo_login_error(const struct repo_login *login, struct error *error);
/* Certificates to trust instead of the system's, where the request or the environment names some.
 */
enum status repo_login_trust(const char *ca_file, struct error *error);

/* What must not be shown: the URL's password, as it stands there and decoded, and the tokens. */
enum { REPO_MAX_SECRETS = 64 };
struct repo_secrets {
    char *values[REPO_MAX_SECRETS];
    size_t count;
};
void repo_secrets_of(const char *location, struct repo_secrets *secrets);
char *repo_secrets_hide(const struct repo_secrets *secrets, const char *string); /* caller frees */
void repo_secrets_free(struct repo_secrets *secrets);
/* Takes the tokens out of this process's environment. */
void repo_secrets_leave_environment(void);

struct repo_ssh {
    int messages; /* a memory file for what ssh writes to standard error */
    const char *key, *known_hosts;
};
/* A git_transport_cb whose payload is a struct repo_ssh. */
int repo_ssh_transport(git_transport **out, git_remote *owner, void *settings);
/* Says why ssh failed, where its messages tell; else STATUS_OK. */
enum status repo_ssh_error(const struct repo_ssh *settings, struct error *error);

/* ---- the cache (repo_cache.c, repo_seen.c) ------------------------------------------------ */

/* The locked entry of a location. */
struct repo_cache {
    char *entry, *git, *busy, *seen; /* paths */
    int lock;
    bool is_fresh; /* git/ holds nothing of earlier readings */
    bool is_busy;
};
enum status repo_cache_open(const char *folder, const char *location, double patience_seconds,
                            struct repo_cache *cache, struct error *error);
/* Removes git/. */
enum status repo_cache_discard(struct repo_cache *cache, struct error *error);
void repo_cache_close(struct repo_cache *cache); /* also after a failed repo_cache_open() */
/* Opens what earlier readings left; false: there is nothing, or nothing of ours. */
bool repo_cache_reopen(const struct repo_cache *cache, git_repository **repository);
/* Makes an empty bare repository. */
enum status repo_cache_init(const char *git, git_repository **repository, struct error *error);

struct repo_choice;
enum { REPO_MAX_SIGHTINGS = 64 };
struct repo_seen {
    struct repo_sighting {
        int64_t first, last;
        git_oid id;
        char *branch;
    } rows[REPO_MAX_SIGHTINGS];
    size_t count;
};
void repo_seen_load(const char *path, struct repo_seen *seen);
void repo_seen_free(struct repo_seen *seen);
/* Adds the flags REWRITTEN and UNSEEN. */
void repo_seen_flag(const struct repo_seen *seen, const struct repo_source *source,
                    struct repo_choice *choice);
/* Adds this reading's head and writes the file. */
enum status repo_seen_save(const char *path, struct repo_seen *seen,
                           const struct repo_source *source, struct error *error);

/* ---- objects (repo_object.c) -------------------------------------------------------------- */

/* Whether an object is there, of this type and at most max_bytes; *bytes is its size. */
enum status repo_check_object(const struct repo_source *source, const git_oid *id,
                              git_object_t type, size_t max_bytes, size_t *bytes,
                              struct error *error);
enum status repo_load_tree(const struct repo_source *source, const git_oid *id, git_tree **tree,
                           struct error *error);
enum status repo_load_commit(const struct repo_source *source, const git_oid *id,
                             git_commit **commit, struct error *error);
/* Of any size: look at the object first. */
enum status repo_load_blob(const struct repo_source *source, const git_oid *id, git_blob **blob,
                           struct error *error);
/* A commit's root folder. */
enum status repo_load_root(const struct repo_source *source, const git_oid *commit, git_tree **root,
                           struct error *error);
/* What stands at a path: nothing, its last part, or a part before it that is no folder. */
struct repo_entry {
    bool exists, is_last;
    size_t reached; /* bytes of the path that lead there */
    git_filemode_t mode;
    git_oid id;
};
enum status repo_follow_path(const struct repo_source *source, const git_tree *root,
                             const char *path, struct repo_entry *found, struct error *error);

/* ---- files (repo_file.c) ------------------------------------------------------------------ */

/* Path and content of what stands there, or REPO_FILE_REFUSED with the reason. *total_bytes is what
 * all files of a request have together. */
enum status repo_take_file(const struct repo_source *source, const char *path,
                           const struct repo_entry *entry, size_t *total_bytes,
                           struct repo_file *file, struct error *error);
void repo_refuse_file(struct repo_file *file, enum repo_file_state state, const char *message,
                      const char *hint);

void repo_file_free(struct repo_file *file);

/* ---- changes (repo_difference.c, repo_base.c) --------------------------------------------- */

/* In this process, which has limits. */
enum status repo_changes_here(const struct repo_change_request *request,
                              struct repo_changes *changes, struct error *error);
/* The base to compare source->tip with; *index is `count` where there is none. */
enum status repo_find_base(const struct repo_source *source, const struct repo_base *bases,
                           size_t count, size_t *index, git_oid *commit, struct error *error);

/* ---- history (repo_history.c) ------------------------------------------------------------- */

/* Which commit counts under one limit or pin. */
struct repo_choice {
    int64_t not_after;
    const char *pin;
    enum status status; /* INVALID: it cannot be told, and `error` says why */
    struct error error;
    bool found;
    git_oid id;
    struct repo_commit commit;
    unsigned flags;
    int64_t later_at, first_late_at, unseen_at;
    git_oid *late; /* the commits after the limit; caller frees */
    size_t late_count;
};
void repo_choose(const struct repo_source *source, struct repo_choice *choice);
void repo_describe_commit(const git_commit *commit, struct repo_commit *described);
/* The oldest commit on the way back from `commit` that still has this object at this path. */
void repo_find_change(const struct repo_source *source, const git_oid *commit, const char *path,
                      const git_oid *object, struct repo_commit *changed);
bool repo_is_ancestor(const struct repo_source *source, const git_oid *ancestor,
                      const git_oid *descendant);
/* "2026-11-23 18:00:00 UTC" */
struct repo_time_text {
    char text[48];
};
struct repo_time_text repo_time(int64_t seconds);

/* ---- errors ------------------------------------------------------------------------------- */

/* STATUS_INVALID with "what: libgit2's message". */
enum status repo_git_error(struct error *error, const char *what);
/* No such branch; names are the branches there are. */
enum status repo_no_branch(struct error *error, const char *branch, const char *const *names,
                           size_t count);
/* It has ids of 64 digits. */
enum status repo_is_sha256(struct error *error);
/* HEAD leads to no commit. */
enum status repo_no_commit(struct error *error, size_t branch_count);

#define REPO_GIT_CLEANUP(type)                                                                     \
    static inline void type##_cleanup(type **pointer) {                                            \
        type##_free(*pointer);                                                                     \
    }
REPO_GIT_CLEANUP(git_repository)
REPO_GIT_CLEANUP(git_reference)
REPO_GIT_CLEANUP(git_remote)
REPO_GIT_CLEANUP(git_commit)
REPO_GIT_CLEANUP(git_config)
REPO_GIT_CLEANUP(git_tag)
REPO_GIT_CLEANUP(git_tree)
REPO_GIT_CLEANUP(git_blob)
REPO_GIT_CLEANUP(git_branch_iterator)
#undef REPO_GIT_CLEANUP
#define cleanup_git(type) __attribute__((cleanup(type##_cleanup))) type

#endif
