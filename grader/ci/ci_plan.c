/* Which files are submissions, of which exercise, and which of them are graded.
 *
 * The course's word goes first: a path that its rules give to an exercise, then a file's name where
 * the rules list that exercise. Only what they do not speak of is asked for its first comment, and
 * then for its name, as `grade` does. So a first comment cannot make an easier exercise of a
 * required one. */
#include "grader/ci/ci.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static bool matches(char *const *patterns, size_t count, const char *path, int flags) {
    for (size_t i = 0; i < count; i++)
        if (fnmatch(patterns[i], path, flags) == 0)
            return true;
    return false;
}

/* ID of "folder/ID.cu". Caller frees. */
static char *name_of(const char *path) {
    const char *base = file_base_name(path);
    return mem_strndup(base, strlen(base) - strlen(".cu"));
}

/* The exercise that the rules give this path to; NULL: none. */
static const struct ci_exercise *find_ruled(const struct ci_rules *rules, const char *path) {
    cleanup_free char *name = name_of(path);
    for (size_t i = 0; i < rules->exercise_count; i++)
        if (matches(rules->exercises[i].paths, rules->exercises[i].path_count, path, FNM_PATHNAME))
            return &rules->exercises[i];
    for (size_t i = 0; i < rules->exercise_count; i++)
        if (!rules->exercises[i].path_count && strcmp(rules->exercises[i].exercise->id, name) == 0)
            return &rules->exercises[i];
    return NULL;
}

static const struct ci_exercise *find_listed(const struct ci_rules *rules, const char *id) {
    for (size_t i = 0; i < rules->exercise_count; i++)
        if (strcmp(rules->exercises[i].exercise->id, id) == 0)
            return &rules->exercises[i];
    return NULL;
}

/* ---- exercises that the rules do not list ---------------------------------------------------- */

struct planner {
    struct ci *ci;
    char **ids; /* of all exercises there are */
    size_t id_count;
};

static bool is_known(const struct planner *planner, const char *id) {
    for (size_t i = 0; i < planner->id_count; i++)
        if (strcmp(planner->ids[i], id) == 0)
            return true;
    return false;
}

static enum status load(struct ci *ci, const char *id, const struct exercise **exercise,
                        struct error *error) {
    struct exercise *fresh;
    for (size_t i = 0; i < ci->loaded_count; i++)
        if (strcmp(ci->loaded[i]->id, id) == 0) {
            *exercise = ci->loaded[i];
            return STATUS_OK;
        }
    enum status status = exercise_find(id, &fresh, error);
    if (status != STATUS_OK)
        return status;
    if (ci->rules.has_pass_mark)
        fresh->pass_mark_percent = ci->rules.pass_mark;
    *mem_push(&ci->loaded, &ci->loaded_count, &ci->loaded_capacity) = fresh;
    *exercise = fresh;
    return STATUS_OK;
}

/* ---- a file ---------------------------------------------------------------------------------- */

static struct ci_item *add_item(struct ci *ci, enum ci_state state, const char *path) {
    struct ci_item *item = mem_push(&ci->items, &ci->item_count, &ci->item_capacity);
    *item = (struct ci_item){.state = state, .path = mem_strdup(path)};
    if (state != CI_GRADED && state != CI_UNCHANGED)
        item->status = STATUS_BELOW_MARK;
    return item;
}

static struct ci_item *add_file(struct ci *ci, const struct repo_change *change) {
    bool found = change->file.state == REPO_FILE_FOUND;
    bool changed = change->kind != REPO_CHANGE_NONE || ci->options.all || ci->rules.grades_all;
    struct ci_item *item = add_item(ci,
                                    found && changed ? CI_GRADED
                                    : found          ? CI_UNCHANGED
                                                     : CI_REFUSED,
                                    change->file.path);
    item->change = change;
    if (!found) {
        item->note = mem_strdup(change->file.message);
        item->hint = mem_strdup(change->file.hint);
    }
    return item;
}

static void note_other_comment(struct ci_item *item) {
    const struct repo_file *file = &item->change->file;
    if (file->state != REPO_FILE_FOUND)
        return;
    cleanup_free char *named = exercise_id_from_source(file->data, file->length);
    if (named && strcmp(named, item->exercise->id) != 0)
        item->note =
            mem_printf("its first comment names %s; here it is %s", named, item->exercise->id);
}

static void add_unknown(struct planner *planner, const struct repo_change *change, const char *id) {
    struct ci_item *item = add_file(planner->ci, change);
    if (item->state != CI_GRADED) { /* its own change to it has said so */
        item->state = CI_UNCHANGED;
        return;
    }
    const char *closest = text_closest(id, (const char *const *)planner->ids, planner->id_count);
    item->state = CI_UNKNOWN;
    item->status = STATUS_BELOW_MARK;
    item->note = mem_printf("its first comment names %s, which is no exercise", id);
    if (closest)
        item->hint = mem_printf("did you mean %s?", closest);
}

/* Nothing of the rules speaks of this file. */
static enum status plan_unruled(struct planner *planner, const struct repo_change *change,
                                struct error *error) {
    struct ci *ci = planner->ci;
    const struct repo_file *file = &change->file;
    bool found = file->state == REPO_FILE_FOUND;
    cleanup_free char *named = found ? exercise_id_from_source(file->data, file->length) : NULL;
    cleanup_free char *id = named ? mem_strdup(named) : name_of(file->path);
    const struct ci_exercise *listed = find_listed(&ci->rules, id);
    const struct exercise *exercise = listed ? listed->exercise : NULL;
    if (named && !is_known(planner, named)) {
        add_unknown(planner, change, named);
        return STATUS_OK;
    }
    /* One with paths stands there and nowhere else. */
    if (!is_known(planner, id) || (listed && listed->path_count)) {
        ci->other_count++;
        return STATUS_OK;
    }
    enum status status = exercise ? STATUS_OK : load(ci, id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    struct ci_item *item = add_file(ci, change);
    item->exercise = exercise;
    item->required = listed && listed->required;
    return STATUS_OK;
}

/* What is no file and has not changed is nothing to grade; where it is required it is missing. */
static enum status plan_file(struct planner *planner, const struct repo_change *change,
                             struct error *error) {
    struct ci *ci = planner->ci;
    const char *path = change->file.path;
    if (change->kind == REPO_CHANGE_DELETED ||
        (change->kind == REPO_CHANGE_NONE && change->file.state != REPO_FILE_FOUND) ||
        matches(ci->rules.ignored, ci->rules.ignored_count, path, FNM_PATHNAME | FNM_LEADING_DIR))
        return STATUS_OK;
    const struct ci_exercise *ruled = find_ruled(&ci->rules, path);
    if (!ruled)
        return plan_unruled(planner, change, error);
    struct ci_item *item = add_file(ci, change);
    item->exercise = ruled->exercise;
    item->required = ruled->required;
    if (!item->note)
        note_other_comment(item);
    return STATUS_OK;
}

/* ---- what is not there ----------------------------------------------------------------------- */

static bool is_there(const struct ci *ci, const struct ci_exercise *entry) {
    for (size_t i = 0; i < ci->item_count; i++)
        if (ci->items[i].exercise == entry->exercise)
            return true;
    return false;
}

/* Where the base had it; NULL: nowhere. */
static const char *find_deleted(const struct ci *ci, const struct ci_exercise *entry) {
    for (size_t i = 0; i < ci->changes.change_count; i++) {
        const struct repo_change *change = &ci->changes.changes[i];
        if (change->kind == REPO_CHANGE_DELETED &&
            find_ruled(&ci->rules, change->file.path) == entry)
            return change->file.path;
    }
    return NULL;
}

/* What stands in its place and is no file; NULL: nothing. */
static const struct repo_file *find_refused(const struct ci *ci, const struct ci_exercise *entry) {
    for (size_t i = 0; i < ci->changes.change_count; i++) {
        const struct repo_file *file = &ci->changes.changes[i].file;
        if (file->state == REPO_FILE_REFUSED && find_ruled(&ci->rules, file->path) == entry)
            return file;
    }
    return NULL;
}

/* A file of its name that stands where the rules do not have it. */
static const char *find_elsewhere(const struct ci *ci, const struct ci_exercise *entry) {
    for (size_t i = 0; i < ci->changes.change_count; i++) {
        const struct repo_change *change = &ci->changes.changes[i];
        cleanup_free char *name = name_of(change->file.path);
        if (change->kind != REPO_CHANGE_DELETED && strcasecmp(name, entry->exercise->id) == 0)
            return change->file.path;
    }
    return NULL;
}

static void add_missing(struct ci *ci, const struct ci_exercise *entry) {
    const struct repo_file *refused = find_refused(ci, entry);
    const char *deleted = find_deleted(ci, entry), *elsewhere = find_elsewhere(ci, entry);
    const char *id = entry->exercise->id;
    cleanup_free char *path =
        entry->path_count ? mem_strdup(entry->paths[0]) : mem_printf("%s.cu", id);
    struct ci_item *item = add_item(ci, CI_MISSING, path);
    item->exercise = entry->exercise;
    item->required = true;
    if (refused)
        item->note = mem_printf("%s is required, and %s", id, refused->message);
    else if (deleted)
        item->note = mem_printf("%s is required, and %s has been deleted", id, deleted);
    else
        item->note = mem_printf("%s is required, and there is no %s%s", id, path,
                                entry->path_count ? "" : " in any folder");
    if (refused)
        item->hint = mem_strdup(refused->hint);
    else if (elsewhere)
        item->hint = mem_printf("there is %s: was it meant?", elsewhere);
    else
        item->hint = mem_printf("`warpgrade new %s` writes the file to fill in", id);
}

enum status ci_plan(struct ci *ci, struct error *error) {
    struct planner planner = {.ci = ci};
    enum status status = exercise_ids(&planner.ids, &planner.id_count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < ci->changes.change_count && status == STATUS_OK; i++)
        status = plan_file(&planner, &ci->changes.changes[i], error);
    for (size_t i = 0; i < ci->rules.exercise_count && status == STATUS_OK; i++)
        if (ci->rules.exercises[i].required && !is_there(ci, &ci->rules.exercises[i]))
            add_missing(ci, &ci->rules.exercises[i]);
    while (planner.id_count)
        free(planner.ids[--planner.id_count]);
    free(planner.ids);
    return status;
}
