/* The door's own side: requests go to a child (repo_child.c), which reads as a stranger's what
 * libgit2 shows it, and snapshots come back.
 *
 * A clone goes to a scratch folder that the parent removes, however the child ends. */
#include "grader/repo/repo.h"

#include "grader/repo/repo_private.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>

struct repo_fetch {
    struct repo_child *child;
    char *scratch;
    size_t want_count;
    struct repo_secrets secrets; /* that no message may hold */
};

struct job {
    const struct repo_request *request;
    const char *scratch;
};

/* In the child. */
static void read_all(const void *context, double time_limit, struct text *out) {
    const struct job *job = context;
    struct repo_snapshot snapshot = {0};
    struct error error = {0};
    enum status status = repo_read_here(job->request, job->scratch, time_limit, &snapshot, &error);
    repo_record_encode(status, &error, &snapshot, out);
}

static void fetch_free(struct repo_fetch *fetch) {
    if (fetch->scratch)
        repo_scratch_remove(fetch->scratch);
    free(fetch->scratch);
    repo_secrets_free(&fetch->secrets);
    free(fetch);
}

enum status repo_fetch_start(const struct repo_request *request, struct repo_fetch **out,
                             struct error *error) {
    *out = NULL;
    struct repo_fetch *fetch = mem_zalloc(sizeof *fetch);
    fetch->want_count = request->want_count;
    repo_secrets_of(request->location, &fetch->secrets);
    enum status status = STATUS_OK;
    if (!request->cache && repo_has_scheme(request->location))
        status = repo_scratch_make(&fetch->scratch, error);
    if (status == STATUS_OK)
        status = repo_child_start(read_all, &(struct job){request, fetch->scratch},
                                  request->time_limit_seconds, &fetch->child, error);
    if (status != STATUS_OK) {
        fetch_free(fetch);
        return status;
    }
    *out = fetch;
    return STATUS_OK;
}

bool repo_fetch_ready(const struct repo_fetch *fetch) {
    return repo_child_ready(fetch->child);
}

struct answer {
    size_t want_count;
    struct repo_snapshot *snapshot;
};

static bool decode(void *context, const void *data, size_t length, enum status *status,
                   struct error *error) {
    struct answer *answer = context;
    bool good =
        repo_record_decode(data, length, answer->want_count, status, answer->snapshot, error);
    if (!good)
        repo_snapshot_free(answer->snapshot);
    return good;
}

enum status repo_fetch_finish(struct repo_fetch *fetch, struct repo_snapshot *snapshot,
                              struct error *error) {
    *snapshot = (struct repo_snapshot){0};
    struct error cause = {0};
    enum status status = repo_child_finish(fetch->child, decode,
                                           &(struct answer){fetch->want_count, snapshot}, &cause);
    if (status != STATUS_OK) {
        cleanup_free char *message = repo_secrets_hide(&fetch->secrets, cause.message);
        cleanup_free char *hint = repo_secrets_hide(&fetch->secrets, cause.hint);
        error_set(error, status, "%s", message);
        error_hint(error, "%s", hint);
    }
    fetch_free(fetch);
    return status;
}

void repo_fetch_cancel(struct repo_fetch *fetch) {
    if (!fetch)
        return;
    repo_child_cancel(fetch->child);
    fetch_free(fetch);
}

enum status repo_read(const struct repo_request *request, struct repo_snapshot *snapshot,
                      struct error *error) {
    struct repo_fetch *fetch;
    *snapshot = (struct repo_snapshot){0};
    enum status status = repo_fetch_start(request, &fetch, error);
    return status == STATUS_OK ? repo_fetch_finish(fetch, snapshot, error) : status;
}

const char *repo_flag_word(enum repo_flag_bit bit) {
    static const char *const words[] = {
#define REPO_FLAG(name, word, sentence) word,
#include "grader/repo/repo_flag.def"
#undef REPO_FLAG
    };
    return words[bit];
}

const char *repo_flag_sentence(enum repo_flag_bit bit) {
    static const char *const sentences[] = {
#define REPO_FLAG(name, word, sentence) sentence,
#include "grader/repo/repo_flag.def"
#undef REPO_FLAG
    };
    return sentences[bit];
}

void repo_file_free(struct repo_file *file) {
    free(file->path);
    free(file->data);
    free(file->message);
    free(file->hint);
}

void repo_snapshot_free(struct repo_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->file_count; i++)
        repo_file_free(&snapshot->files[i]);
    free(snapshot->files);
    free(snapshot->branch);
    *snapshot = (struct repo_snapshot){0};
}
