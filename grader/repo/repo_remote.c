/* Repositories at a URL: what is asked for is fetched into a bare repository, in a cache's entry or
 * in a scratch folder.
 *
 * The remote says which branches it has before anything is downloaded, so that an empty repository
 * and a wrong branch name are distinguished from a failing network, and so that a head that is here
 * already costs that one question. Only the branch's own history comes over, unless a commit is
 * named that is not here: then every branch and tag does, because libgit2 cannot ask for a commit
 * that the remote does not announce. libgit2 1.5 cannot fetch shallow; a cap on the bytes stands
 * in. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <errno.h>
#include <git2/sys/transport.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MAX_BRANCHES = 1024 };

static const char *const branch_prefix = "refs/heads/";
static const char *const tag_prefix = "refs/tags/";

struct transfer {
    struct repo_login login;
    struct repo_ssh ssh;
    bool too_large;
};

static int offer_credentials(git_credential **out, const char *url, const char *user,
                             unsigned allowed, void *payload) {
    return repo_login_offer(out, url, user, allowed, &((struct transfer *)payload)->login);
}

static int check_certificate(git_cert *certificate, int valid, const char *host, void *payload) {
    (void)certificate;
    return repo_login_certificate(valid, host, &((struct transfer *)payload)->login);
}

static int watch_size(const git_indexer_progress *progress, void *payload) {
    struct transfer *transfer = payload;
    transfer->too_large = progress->received_bytes > (size_t)REPO_MAX_FETCH_BYTES;
    return transfer->too_large ? GIT_EUSER : 0;
}

static enum status transfer_error(const struct transfer *transfer, struct error *error) {
    if (transfer->too_large)
        return error_set(error, STATUS_INVALID,
                         "the repository is too large to fetch: more than %d MiB",
                         REPO_MAX_FETCH_BYTES >> 20);
    enum status status = repo_login_error(&transfer->login, error);
    if (status == STATUS_OK && transfer->ssh.messages >= 0)
        status = repo_ssh_error(&transfer->ssh, error);
    return status == STATUS_OK ? repo_git_error(error, "the repository cannot be fetched") : status;
}

/* ---- what the remote has ------------------------------------------------------------------ */

static bool begins_with(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static const git_remote_head *find_head(const git_remote_head **heads, size_t count,
                                        const char *prefix, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (begins_with(heads[i]->name, prefix) &&
            strcmp(heads[i]->name + strlen(prefix), name) == 0)
            return heads[i];
    return NULL;
}

static enum status no_branch(const git_remote_head **heads, size_t count, const char *branch,
                             struct error *error) {
    const char *names[MAX_BRANCHES];
    size_t name_count = 0;
    for (size_t i = 0; i < count && name_count < MAX_BRANCHES; i++)
        if (begins_with(heads[i]->name, branch_prefix))
            names[name_count++] = heads[i]->name + strlen(branch_prefix);
    return branch ? repo_no_branch(error, branch, names, name_count)
                  : repo_no_commit(error, name_count);
}

/* Finds what `branch` names in the remote's list; NULL: it can only be a commit's id. */
static enum status choose_head(const git_remote_head **heads, size_t count, const char *branch,
                               const git_remote_head **chosen, struct error *error) {
    if (!branch) {
        *chosen = find_head(heads, count, "", "HEAD");
        const git_remote_head *target = *chosen && (*chosen)->symref_target
                                            ? find_head(heads, count, "", (*chosen)->symref_target)
                                            : NULL;
        if (target) /* else detached, or a server that does not say what HEAD stands for */
            *chosen = target;
        return *chosen ? STATUS_OK : no_branch(heads, count, NULL, error);
    }
    *chosen = find_head(heads, count, branch_prefix, branch);
    if (!*chosen)
        *chosen = find_head(heads, count, tag_prefix, branch);
    return *chosen || repo_is_id(branch) ? STATUS_OK : no_branch(heads, count, branch, error);
}

static bool is_here(const struct repo_source *source, const char *id) {
    git_oid commit;
    return repo_resolve_id(source, id, &commit, NULL) == STATUS_OK;
}

static bool needs_all_branches(const struct repo_source *source, const struct repo_request *request,
                               const git_remote_head *chosen) {
    if (!chosen && !is_here(source, request->branch))
        return true;
    for (size_t i = 0; i < request->want_count; i++) {
        const char *pin = request->wants[i].pin;
        if (pin && repo_is_id(pin) && !is_here(source, pin))
            return true;
    }
    return false;
}

/* ---- the fetch ---------------------------------------------------------------------------- */

static const char *short_name(const char *name) {
    if (begins_with(name, branch_prefix))
        return name + strlen(branch_prefix);
    return begins_with(name, tag_prefix) ? name + strlen(tag_prefix) : name;
}

/* So that the next fetch can say what is here already: that is how git names it. */
static void keep_reference(const struct repo_source *source) {
    cleanup_git(git_reference) *reference = NULL;
    char hex[GIT_OID_HEXSZ + 1];
    cleanup_free char *name =
        mem_printf("refs/graded/%s", git_oid_tostr(hex, sizeof hex, &source->tip));
    git_reference_create(&reference, source->repository, name, &source->tip, 1, NULL);
}

static enum status download(git_remote *remote, const struct repo_request *request,
                            git_fetch_options *options, const git_remote_head *chosen,
                            struct repo_source *source, struct error *error) {
    bool all = needs_all_branches(source, request, chosen);
    git_oid tip = {0};
    if (chosen)
        git_oid_cpy(&tip, &chosen->oid);
    source->branch = mem_strdup(chosen ? short_name(chosen->name) : request->branch);
    if (all || (chosen && !git_odb_exists(source->odb, &tip))) {
        /* The list of heads belongs to the connection, which the download may renew. */
        cleanup_free char *one = chosen ? mem_printf("+%s:refs/fetched", chosen->name) : NULL;
        char *every[] = {(char *)(uintptr_t) "+refs/heads/*:refs/fetched/heads/*",
                         (char *)(uintptr_t) "+refs/tags/*:refs/fetched/tags/*"};
        git_strarray refspecs = {all ? every : &one, all ? 2 : 1};
        if (git_remote_download(remote, &refspecs, options) != 0)
            return transfer_error(options->callbacks.payload, error);
        git_odb_refresh(source->odb);
    }
    enum status status = chosen ? repo_peel(source, &tip, &source->tip, error)
                                : repo_resolve_id(source, request->branch, &source->tip, error);
    if (status == STATUS_OK)
        keep_reference(source);
    return status;
}

/* libgit2 knows ids of 40 digits only: 1.5 cannot parse a line with a longer one, 1.7 reads the
 * name of the format. */
static enum status list_error(const struct transfer *transfer, struct error *error) {
    const git_error *last = git_error_last();
    if (last && last->message &&
        (strstr(last->message, "parsing REF pkt-line") || strstr(last->message, "object format")))
        return repo_is_sha256(error);
    return transfer_error(transfer, error);
}

static enum status connect_and_download(git_remote *remote, const struct repo_request *request,
                                        git_fetch_options *options, struct repo_source *source,
                                        struct error *error) {
    const git_remote_head **heads;
    const git_remote_head *chosen;
    size_t count;
    source->is_unreachable = true;
    git_error_clear();
    if (git_remote_connect(remote, GIT_DIRECTION_FETCH, &options->callbacks, &options->proxy_opts,
                           NULL) != 0 ||
        git_remote_ls(&heads, &count, remote) != 0)
        return list_error(options->callbacks.payload, error);
    source->fetched_at = time(NULL);
    enum status status = choose_head(heads, count, request->branch, &chosen, error);
    if (status != STATUS_OK)
        return status;
    source->is_unreachable = false;
    return download(remote, request, options, chosen, source, error);
}

enum status repo_fetch_remote(const char *url, const struct repo_request *request,
                              struct repo_source *source, struct error *error) {
    cleanup_git(git_remote) *remote = NULL;
    git_remote_create_options create = GIT_REMOTE_CREATE_OPTIONS_INIT;
    create.repository = source->repository;
    create.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF | GIT_REMOTE_CREATE_SKIP_DEFAULT_FETCHSPEC;
    if (git_repository_odb(&source->odb, source->repository) != 0 ||
        git_remote_create_with_opts(&remote, url, &create) != 0)
        return repo_git_error(error, "the repository cannot be fetched");
    struct transfer transfer = {
        .ssh = {.messages = -1, .key = request->ssh_key, .known_hosts = request->known_hosts}};
    git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
    options.proxy_opts.type = GIT_PROXY_AUTO;
    options.follow_redirects = GIT_REMOTE_REDIRECT_INITIAL;
    options.callbacks.transfer_progress = watch_size;
    options.callbacks.payload = &transfer;
    enum status status = STATUS_OK;
    repo_login_for(url, &transfer.login);
    if (begins_with(url, "https://")) {
        options.callbacks.credentials = offer_credentials;
        options.callbacks.certificate_check = check_certificate;
        status = repo_login_trust(request->ca_file, error);
    } else if (begins_with(url, "ssh://")) {
        transfer.ssh.messages = memfd_create("warpgrade-ssh", MFD_CLOEXEC);
        if (transfer.ssh.messages < 0 ||
            git_transport_register("ssh", repo_ssh_transport, &transfer.ssh) != 0)
            status =
                error_set(error, STATUS_ENVIRONMENT, "ssh cannot be used: %s", strerror(errno));
    }
    if (status == STATUS_OK)
        status = connect_and_download(remote, request, &options, source, error);
    git_remote_disconnect(remote);
    if (transfer.ssh.messages >= 0)
        close(transfer.ssh.messages);
    repo_login_free(&transfer.login);
    return status;
}
