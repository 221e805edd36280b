/* Repositories at a URL: one branch is fetched into a bare repository in a scratch folder.
 *
 * The remote says which branches it has before anything is downloaded, so that an empty repository
 * and a wrong branch name are distinguished from a failing network. Only the branch's own history
 * comes over, without tags. libgit2 1.5 cannot fetch shallow; a cap on the bytes stands in. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_BRANCHES = 1024 };

struct transfer {
    unsigned key_offers;
    bool too_large;
    bool needs_login;
};

/* A user name, then the SSH agent's keys, once. A user name and password (or token) in an https URL
 * are used by libgit2 itself before it asks here. */
static int offer_credentials(git_credential **out, const char *url, const char *user,
                             unsigned allowed, void *payload) {
    (void)url;
    struct transfer *transfer = payload;
    const char *name = user ? user : "git";
    if (allowed & GIT_CREDENTIAL_USERNAME)
        return git_credential_username_new(out, name);
    if ((allowed & GIT_CREDENTIAL_SSH_KEY) && transfer->key_offers++ == 0)
        return git_credential_ssh_key_from_agent(out, name);
    transfer->needs_login = true;
    return GIT_EUSER;
}

static int watch_size(const git_indexer_progress *progress, void *payload) {
    struct transfer *transfer = payload;
    transfer->too_large = progress->received_bytes > (size_t)REPO_MAX_FETCH_BYTES;
    return transfer->too_large ? GIT_EUSER : 0;
}

static enum status transfer_error(const struct transfer *transfer, struct error *error) {
    if (transfer->needs_login) {
        enum status status = error_set(error, STATUS_INVALID, "the server wants a login");
        error_hint(error, "private repositories: an SSH key in the agent for ssh://, or "
                          "https://user:token@host/...");
        return status;
    }
    if (transfer->too_large)
        return error_set(error, STATUS_INVALID,
                         "the repository is too large to fetch: more than %d MiB",
                         REPO_MAX_FETCH_BYTES >> 20);
    return repo_git_error(error, "the repository cannot be fetched");
}

static const char *const branch_prefix = "refs/heads/";

/* Finds the requested head in the remote's list; *name is the full reference or "HEAD". */
static enum status choose_head(const git_remote_head **heads, size_t count, const char *branch,
                               const git_remote_head **chosen, struct error *error) {
    const char *names[MAX_BRANCHES];
    size_t name_count = 0;
    const git_remote_head *head = NULL;
    *chosen = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *name = heads[i]->name;
        if (strcmp(name, "HEAD") == 0)
            head = heads[i];
        if (strncmp(name, branch_prefix, strlen(branch_prefix)) != 0)
            continue;
        if (branch && strcmp(name + strlen(branch_prefix), branch) == 0)
            *chosen = heads[i];
        if (name_count < MAX_BRANCHES)
            names[name_count++] = name + strlen(branch_prefix);
    }
    if (branch && !*chosen)
        return repo_no_branch(error, branch, names, name_count);
    if (!branch && !head)
        return repo_no_commit(error, name_count);
    for (size_t i = 0; !branch && head->symref_target && i < count; i++)
        if (strcmp(heads[i]->name, head->symref_target) == 0)
            *chosen = heads[i];
    if (!*chosen) /* detached, or a server that does not say what HEAD stands for */
        *chosen = head;
    return STATUS_OK;
}

static enum status download(git_remote *remote, const char *branch, git_fetch_options *options,
                            git_oid *commit, char **branch_name, struct error *error) {
    struct transfer *transfer = options->callbacks.payload;
    const git_remote_head **heads;
    size_t count;
    if (git_remote_connect(remote, GIT_DIRECTION_FETCH, &options->callbacks, &options->proxy_opts,
                           NULL) != 0 ||
        git_remote_ls(&heads, &count, remote) != 0)
        return transfer_error(transfer, error);
    const git_remote_head *chosen;
    enum status status = choose_head(heads, count, branch, &chosen, error);
    if (status != STATUS_OK)
        return status;
    /* The list belongs to the connection, which the download may renew. */
    git_oid_cpy(commit, &chosen->oid);
    cleanup_free char *name = mem_strdup(chosen->name);
    bool is_branch = strncmp(name, branch_prefix, strlen(branch_prefix)) == 0;
    *branch_name = mem_strdup(is_branch ? name + strlen(branch_prefix) : name);
    cleanup_free char *refspec = mem_printf("+%s:refs/heads/graded", name);
    git_strarray refspecs = {&refspec, 1};
    if (git_remote_download(remote, &refspecs, options) != 0)
        return transfer_error(transfer, error);
    return STATUS_OK;
}

enum status repo_fetch_remote(const char *url, const struct repo_request *request,
                              const char *folder, struct repo_source *source, struct error *error) {
    cleanup_git(git_remote) *remote = NULL;
    if (git_repository_init(&source->repository, folder, 1) != 0 ||
        git_repository_odb(&source->odb, source->repository) != 0 ||
        git_remote_create_anonymous(&remote, source->repository, url) != 0)
        return repo_git_error(error, "the repository cannot be fetched");
    struct transfer transfer = {0};
    git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
    options.proxy_opts.type = GIT_PROXY_AUTO;
    options.callbacks.credentials = offer_credentials;
    options.callbacks.transfer_progress = watch_size;
    options.callbacks.payload = &transfer;
    source->fetched_at = time(NULL);
    enum status status =
        download(remote, request->branch, &options, &source->tip, &source->branch, error);
    git_remote_disconnect(remote);
    return status;
}
