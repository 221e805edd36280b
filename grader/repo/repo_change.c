/* The door of change.h: asks a child (repo_difference.c), and owns what it answers. */
#include "grader/repo/change.h"

#include "grader/repo/repo_private.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

/* In the child. */
static void read_changes(const void *context, double time_limit, struct text *out) {
    (void)time_limit;
    struct repo_changes changes = {0};
    struct error error = {0};
    enum status status = repo_changes_here(context, &changes, &error);
    repo_record_encode_changes(status, &error, &changes, out);
}

struct answer {
    size_t base_count;
    struct repo_changes *changes;
};

static bool decode(void *context, const void *data, size_t length, enum status *status,
                   struct error *error) {
    struct answer *answer = context;
    bool good = repo_record_decode_changes(data, length, answer->base_count, status,
                                           answer->changes, error);
    if (!good)
        repo_changes_free(answer->changes);
    return good;
}

enum status repo_changes_read(const struct repo_change_request *request,
                              struct repo_changes *changes, struct error *error) {
    struct repo_child *child;
    *changes = (struct repo_changes){0};
    enum status status =
        repo_child_start(read_changes, request, request->time_limit_seconds, &child, error);
    return status == STATUS_OK
               ? repo_child_finish(child, decode, &(struct answer){request->base_count, changes},
                                   error)
               : status;
}

void repo_changes_free(struct repo_changes *changes) {
    repo_file_free(&changes->rules);
    for (size_t i = 0; i < changes->change_count; i++) {
        free(changes->changes[i].was);
        repo_file_free(&changes->changes[i].file);
    }
    free(changes->changes);
    *changes = (struct repo_changes){0};
}
