/* The heads that a branch had at each reading, kept beside the cache: what dates cannot prove.
 *
 * A commit that is dated before a reading which did not find it was pushed, or made, after that
 * reading; and a head that is no ancestor of the next one was replaced by force. One line a head:
 * first and last time it was seen, its id, the branch. The file decides flags, never points; one
 * that cannot be read is an empty one. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SEEN_BYTES = 64 << 10 };

static bool parse_row(char *line, struct repo_sighting *row) {
    char hex[GIT_OID_HEXSZ + 1], branch[512];
    int used = 0;
    if (sscanf(line, "%" SCNd64 " %" SCNd64 " %40[0-9a-f] %511s%n", &row->first, &row->last, hex,
               branch, &used) != 4 ||
        line[used] != '\0' || git_oid_fromstr(&row->id, hex) != 0)
        return false;
    row->branch = mem_strdup(branch);
    return true;
}

void repo_seen_load(const char *path, struct repo_seen *seen) {
    cleanup_free char *text = NULL;
    size_t length;
    if (file_read_foreign(path, MAX_SEEN_BYTES, &text, &length, NULL) != STATUS_OK)
        return;
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) && seen->count < REPO_MAX_SIGHTINGS;)
        if (parse_row(line, &seen->rows[seen->count]))
            seen->count++;
}

void repo_seen_free(struct repo_seen *seen) {
    while (seen->count)
        free(seen->rows[--seen->count].branch);
}

static bool is_branch(const struct repo_sighting *row, const struct repo_source *source) {
    return strcmp(row->branch, source->branch) == 0;
}

/* Whether two heads that followed each other do so in the history, too. */
static bool is_rewritten(const struct repo_seen *seen, const struct repo_source *source) {
    const git_oid *before = NULL;
    for (size_t i = 0; i < seen->count; i++) {
        if (!is_branch(&seen->rows[i], source))
            continue;
        if (before && !repo_is_ancestor(source, before, &seen->rows[i].id))
            return true;
        before = &seen->rows[i].id;
    }
    return before && !repo_is_ancestor(source, before, &source->tip);
}

void repo_seen_flag(const struct repo_seen *seen, const struct repo_source *source,
                    struct repo_choice *choice) {
    if (is_rewritten(seen, source))
        choice->flags |= REPO_FLAG_REWRITTEN;
    for (size_t i = 0; choice->found && !choice->pin && i < seen->count; i++) {
        const struct repo_sighting *row = &seen->rows[i];
        if (!is_branch(row, source) || row->last <= choice->commit.committed_at ||
            !git_odb_exists(source->odb, &row->id) ||
            repo_is_ancestor(source, &choice->id, &row->id))
            continue;
        choice->flags |= REPO_FLAG_UNSEEN;
        choice->unseen_at = row->last;
    }
}

/* Makes room by forgetting the oldest. */
static struct repo_sighting *new_row(struct repo_seen *seen) {
    if (seen->count == REPO_MAX_SIGHTINGS) {
        free(seen->rows[0].branch);
        memmove(seen->rows, seen->rows + 1, (seen->count - 1) * sizeof seen->rows[0]);
        seen->count--;
    }
    return &seen->rows[seen->count++];
}

enum status repo_seen_save(const char *path, struct repo_seen *seen,
                           const struct repo_source *source, struct error *error) {
    struct repo_sighting *row = NULL;
    for (size_t i = 0; i < seen->count; i++)
        if (is_branch(&seen->rows[i], source))
            row = &seen->rows[i];
    if (!row || !git_oid_equal(&row->id, &source->tip)) {
        row = new_row(seen);
        *row = (struct repo_sighting){
            .first = source->fetched_at, .id = source->tip, .branch = mem_strdup(source->branch)};
    }
    row->last = source->fetched_at;
    cleanup_text struct text out = {0};
    for (size_t i = 0; i < seen->count; i++) {
        char hex[GIT_OID_HEXSZ + 1];
        text_printf(&out, "%" PRId64 " %" PRId64 " %s %s\n", seen->rows[i].first,
                    seen->rows[i].last, git_oid_tostr(hex, sizeof hex, &seen->rows[i].id),
                    seen->rows[i].branch);
    }
    return file_write(path, text_string(&out), out.length, error);
}
