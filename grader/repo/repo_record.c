/* What the child says to its parent: length-prefixed fields, decoded with every length checked.
 *
 * The child has read bytes of a stranger with a large library; its record is read as if it were
 * written by that stranger. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void put_word(struct text *out, uint64_t value) {
    text_append_bytes(out, &value, sizeof value);
}

static void put_bytes(struct text *out, const char *data, size_t length) {
    put_word(out, length);
    text_append_bytes(out, data, length);
}

static void put_string(struct text *out, const char *string) {
    put_bytes(out, string ? string : "", string ? strlen(string) : 0);
}

static void put_commit(struct text *out, const struct repo_commit *commit) {
    put_string(out, commit->id);
    put_word(out, (uint64_t)commit->authored_at);
    put_word(out, (uint64_t)commit->committed_at);
}

static void put_file(struct text *out, const struct repo_file *file) {
    put_word(out, (uint64_t)file->state);
    put_string(out, file->path);
    put_bytes(out, file->data, file->length);
    put_string(out, file->message);
    put_string(out, file->hint);
    put_commit(out, &file->commit);
    put_commit(out, &file->changed);
    put_word(out, file->flags);
    put_word(out, (uint64_t)file->late_at);
    put_word(out, (uint64_t)file->later_at);
    put_word(out, (uint64_t)file->unseen_at);
}

/* What the child returned; true where a result follows. */
static bool put_status(struct text *out, enum status status, const struct error *error) {
    put_word(out, (uint64_t)status);
    if (status == STATUS_OK)
        return true;
    put_string(out, error->message);
    put_string(out, error->hint);
    return false;
}

void repo_record_encode(enum status status, const struct error *error,
                        const struct repo_snapshot *snapshot, struct text *out) {
    if (!put_status(out, status, error))
        return;
    put_commit(out, &snapshot->head);
    put_word(out, (uint64_t)snapshot->fetched_at);
    put_string(out, snapshot->branch);
    put_word(out, snapshot->file_count);
    for (size_t i = 0; i < snapshot->file_count; i++)
        put_file(out, &snapshot->files[i]);
}

void repo_record_encode_changes(enum status status, const struct error *error,
                                const struct repo_changes *changes, struct text *out) {
    if (!put_status(out, status, error))
        return;
    put_commit(out, &changes->head);
    put_word(out, changes->base_index);
    put_commit(out, &changes->base);
    put_commit(out, &changes->fork);
    put_word(out, changes->is_unrelated);
    put_word(out, changes->is_shallow);
    put_file(out, &changes->rules);
    put_word(out, changes->rules_changed);
    put_word(out, changes->left_out);
    put_word(out, changes->change_count);
    for (size_t i = 0; i < changes->change_count; i++) {
        put_word(out, (uint64_t)changes->changes[i].kind);
        put_string(out, changes->changes[i].was);
        put_file(out, &changes->changes[i].file);
    }
}

struct repo_cursor {
    const char *next;
    size_t left;
    bool bad;
};

static uint64_t get_word(struct repo_cursor *cursor) {
    uint64_t value = 0;
    if (cursor->bad || cursor->left < sizeof value) {
        cursor->bad = true;
        return 0;
    }
    memcpy(&value, cursor->next, sizeof value);
    cursor->next += sizeof value;
    cursor->left -= sizeof value;
    return value;
}

/* NUL-terminated after its length; "" when the record is bad. */
static char *get_bytes(struct repo_cursor *cursor, size_t max_length, size_t *length) {
    uint64_t announced = get_word(cursor);
    if (cursor->bad || announced > max_length || announced > cursor->left) {
        cursor->bad = true;
        announced = 0;
    }
    char *data = mem_alloc((size_t)announced + 1);
    memcpy(data, cursor->next, (size_t)announced);
    data[announced] = '\0';
    cursor->next += announced;
    cursor->left -= (size_t)announced;
    *length = (size_t)announced;
    return data;
}

static char *get_string(struct repo_cursor *cursor, size_t max_length) {
    size_t length;
    char *string = get_bytes(cursor, max_length, &length);
    if (strlen(string) != length)
        cursor->bad = true;
    return string;
}

static void get_commit(struct repo_cursor *cursor, struct repo_commit *commit) {
    cleanup_free char *id = get_string(cursor, sizeof commit->id - 1);
    cursor->bad |= strspn(id, "0123456789abcdef") != strlen(id);
    memcpy(commit->id, id, strlen(id) + 1);
    commit->authored_at = (int64_t)get_word(cursor);
    commit->committed_at = (int64_t)get_word(cursor);
}

static void get_file(struct repo_cursor *cursor, struct repo_file *file) {
    uint64_t state = get_word(cursor);
    cursor->bad |= state > REPO_FILE_LATE;
    file->state = cursor->bad ? REPO_FILE_REFUSED : (enum repo_file_state)state;
    file->path = get_string(cursor, REPO_MAX_PATH);
    file->data = get_bytes(cursor, REPO_MAX_FILE_BYTES, &file->length);
    file->message = get_string(cursor, 64 << 10);
    file->hint = get_string(cursor, 64 << 10);
    get_commit(cursor, &file->commit);
    get_commit(cursor, &file->changed);
    uint64_t flags = get_word(cursor);
    cursor->bad |= flags >> REPO_FLAG_COUNT != 0;
    file->flags = cursor->bad ? 0 : (unsigned)flags;
    file->late_at = (int64_t)get_word(cursor);
    file->later_at = (int64_t)get_word(cursor);
    file->unseen_at = (int64_t)get_word(cursor);
}

/* False: there is no result; *good says whether that was said as it must be. */
static bool get_status(struct repo_cursor *cursor, enum status *status, struct error *error,
                       bool *good) {
    uint64_t code = get_word(cursor);
    if (code == STATUS_OK)
        return true;
    cleanup_free char *message = get_string(cursor, sizeof error->message);
    cleanup_free char *hint = get_string(cursor, sizeof error->hint);
    *status = code == STATUS_ENVIRONMENT ? STATUS_ENVIRONMENT : STATUS_INVALID;
    error_set(error, *status, "%s", message);
    error_hint(error, "%s", hint);
    *good = !cursor->bad;
    return false;
}

bool repo_record_decode(const void *data, size_t length, size_t want_count, enum status *status,
                        struct repo_snapshot *snapshot, struct error *error) {
    struct repo_cursor cursor = {.next = data, .left = length};
    bool good;
    if (!get_status(&cursor, status, error, &good))
        return good;
    get_commit(&cursor, &snapshot->head);
    snapshot->fetched_at = (int64_t)get_word(&cursor);
    snapshot->branch = get_string(&cursor, 4096);
    if (get_word(&cursor) != want_count || cursor.bad)
        return false;
    snapshot->files = mem_calloc(want_count, sizeof *snapshot->files);
    snapshot->file_count = want_count;
    for (size_t i = 0; i < want_count; i++)
        get_file(&cursor, &snapshot->files[i]);
    *status = STATUS_OK;
    return !cursor.bad && cursor.left == 0;
}

static bool get_flag(struct repo_cursor *cursor) {
    uint64_t value = get_word(cursor);
    cursor->bad |= value > 1;
    return value == 1;
}

static void get_change(struct repo_cursor *cursor, struct repo_change *change) {
    uint64_t kind = get_word(cursor);
    cursor->bad |= kind >= REPO_CHANGE_KIND_COUNT;
    change->kind = cursor->bad ? REPO_CHANGE_NONE : (enum repo_change_kind)kind;
    change->was = get_string(cursor, REPO_MAX_PATH);
    get_file(cursor, &change->file);
    cursor->bad |= change->file.state == REPO_FILE_LATE;
}

bool repo_record_decode_changes(const void *data, size_t length, size_t base_count,
                                enum status *status, struct repo_changes *changes,
                                struct error *error) {
    struct repo_cursor cursor = {.next = data, .left = length};
    bool good;
    if (!get_status(&cursor, status, error, &good))
        return good;
    get_commit(&cursor, &changes->head);
    changes->base_index = get_word(&cursor);
    get_commit(&cursor, &changes->base);
    get_commit(&cursor, &changes->fork);
    changes->is_unrelated = get_flag(&cursor);
    changes->is_shallow = get_flag(&cursor);
    get_file(&cursor, &changes->rules);
    changes->rules_changed = get_flag(&cursor);
    changes->left_out = get_word(&cursor);
    size_t count = get_word(&cursor);
    if (cursor.bad || count > (size_t)2 * REPO_MAX_CHANGES || changes->base_index > base_count)
        return false;
    changes->changes = mem_calloc(count + 1, sizeof *changes->changes);
    changes->change_count = count;
    for (size_t i = 0; i < count; i++)
        get_change(&cursor, &changes->changes[i]);
    *status = STATUS_OK;
    return !cursor.bad && cursor.left == 0;
}
