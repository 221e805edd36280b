/* Loading tracks; see track.h.
 *
 * The form of a file is checked against exercise.def. Whether the order is possible takes all files
 * together: "dot after saxpy" in one and "saxpy after dot" in another is a circle that neither
 * shows. So every document is kept until the last check, which can then point at the line. */
#include "grader/exercise/track.h"

#include "grader/exercise/exercise_parts.h"
#include "grader/exercise/exercise_schema.h"
#include "grader/exercise/home.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRACKS = 256 };

/* All of a load: track number i comes from document number i. */
struct loading {
    struct yaml_document **documents;
    struct tracks tracks;
    char *const *ids;
    size_t id_count;
    struct error *error;
};

/* ---- building -------------------------------------------------------------------------------- */

static void build_step(const struct yaml_node *node, struct track_step *step) {
    const struct yaml_node *after = yaml_get(node, "after");
    step->id = mem_strdup(yaml_get(node, "id")->text);
    step->after_count = after ? after->count : 0;
    step->after = mem_calloc(step->after_count + 1, sizeof *step->after);
    for (size_t i = 0; i < step->after_count; i++)
        step->after[i] = mem_strdup(after->items[i]->text);
}

static void build_track(const struct yaml_document *document, struct track *track) {
    const struct yaml_node *root = document->root, *list = yaml_get(root, "exercises");
    track->id = mem_strdup(yaml_get(root, "id")->text);
    yaml_integer(document, yaml_get(root, "order"), "order", 1, 1000, &track->order, NULL);
    exercise_build_localized(yaml_get(root, "title"), track->title);
    exercise_build_localized(yaml_get(root, "about"), track->about);
    track->step_count = list->count;
    track->steps = mem_calloc(list->count, sizeof *track->steps);
    for (size_t i = 0; i < list->count; i++)
        build_step(list->items[i], &track->steps[i]);
}

/* ---- one file -------------------------------------------------------------------------------- */

static const struct yaml_node *step_node(const struct loading *loading, size_t track, size_t step) {
    return yaml_get(loading->documents[track]->root, "exercises")->items[step];
}

static enum status check_exercise(const struct loading *loading, size_t track,
                                  const struct yaml_node *node) {
    for (size_t i = 0; i < loading->id_count; i++)
        if (strcmp(loading->ids[i], node->text) == 0)
            return STATUS_OK;
    enum status status = yaml_error(loading->documents[track], node, loading->error,
                                    "there is no exercise %s", node->text);
    const char *closest =
        text_closest(node->text, (const char *const *)loading->ids, loading->id_count);
    if (closest)
        error_hint(loading->error, "did you mean %s?", closest);
    return status;
}

/* The step of an exercise in a track, or step_count. */
static size_t find_step(const struct track *track, const char *id) {
    size_t step = 0;
    while (step < track->step_count && strcmp(track->steps[step].id, id) != 0)
        step++;
    return step;
}

static enum status check_step(const struct loading *loading, size_t index, size_t step) {
    const struct track *track = &loading->tracks.items[index];
    const struct yaml_document *document = loading->documents[index];
    const struct yaml_node *node = step_node(loading, index, step);
    const struct yaml_node *id = yaml_get(node, "id"), *after = yaml_get(node, "after");
    enum status status = check_exercise(loading, index, id);
    if (status == STATUS_OK && find_step(track, id->text) != step)
        status = yaml_error(document, id, loading->error, "%s is twice in this track", id->text);
    for (size_t i = 0; status == STATUS_OK && after && i < after->count; i++) {
        const struct yaml_node *before = after->items[i];
        size_t place = find_step(track, before->text);
        status = check_exercise(loading, index, before);
        if (status == STATUS_OK && place == step)
            return yaml_error(document, before, loading->error, "%s cannot be solved before %s",
                              before->text, id->text);
        if (status == STATUS_OK && place > step && place < track->step_count) {
            status = yaml_error(document, before, loading->error,
                                "%s is to be solved before %s, but does not stand before it",
                                before->text, id->text);
            error_hint(loading->error, "The list is the order to work through: move one of them.");
        }
    }
    return status;
}

static enum status check_track(const struct loading *loading, size_t index) {
    const struct track *track = &loading->tracks.items[index];
    const struct yaml_document *document = loading->documents[index];
    const char *base = file_base_name(document->file);
    cleanup_free char *expected = mem_printf("%s.yaml", track->id);
    if (strcmp(base, expected) != 0)
        return yaml_error(document, yaml_get(document->root, "id"), loading->error,
                          "the id is %s, but the file is %s: they must be the same", track->id,
                          base);
    for (size_t i = 0; i < track->step_count; i++) {
        enum status status = check_step(loading, index, i);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* ---- circles --------------------------------------------------------------------------------- */

struct track_search {
    const struct loading *loading;
    const char *wanted;
    bool *seen;        /* by exercise */
    struct text chain; /* "dot after saxpy, after iota" */
};

static size_t id_index(const struct loading *loading, const char *id) {
    size_t index = 0;
    while (strcmp(loading->ids[index], id) != 0)
        index++;
    return index;
}

/* Whether `id` comes, over any number of steps, after the exercise searched for. */
static bool comes_after(struct track_search *search, const char *id) {
    size_t index = id_index(search->loading, id), length = search->chain.length;
    if (search->seen[index])
        return false;
    search->seen[index] = true;
    const struct tracks *tracks = &search->loading->tracks;
    for (size_t i = 0; i < tracks->count; i++) {
        size_t step = find_step(&tracks->items[i], id);
        if (step == tracks->items[i].step_count)
            continue;
        const struct track_step *found = &tracks->items[i].steps[step];
        for (size_t j = 0; j < found->after_count; j++) {
            text_printf(&search->chain, ", after %s", found->after[j]);
            if (strcmp(found->after[j], search->wanted) == 0 ||
                comes_after(search, found->after[j]))
                return true;
            search->chain.length = length;
        }
    }
    return false;
}

static enum status check_circle(const struct loading *loading, size_t track, size_t step,
                                size_t before) {
    const struct track_step *one = &loading->tracks.items[track].steps[step];
    cleanup_free bool *seen = mem_calloc(loading->id_count, sizeof *seen);
    struct track_search search = {.loading = loading, .wanted = one->id, .seen = seen};
    text_printf(&search.chain, "%s after %s", one->id, one->after[before]);
    enum status status = STATUS_OK;
    if (comes_after(&search, one->after[before])) {
        const struct yaml_node *node =
            yaml_get(step_node(loading, track, step), "after")->items[before];
        status = yaml_error(loading->documents[track], node, loading->error,
                            "no exercise can come first: %.900s", text_string(&search.chain));
    }
    text_free(&search.chain);
    return status;
}

static enum status check_circles(const struct loading *loading) {
    for (size_t i = 0; i < loading->tracks.count; i++)
        for (size_t j = 0; j < loading->tracks.items[i].step_count; j++)
            for (size_t k = 0; k < loading->tracks.items[i].steps[j].after_count; k++) {
                enum status status = check_circle(loading, i, j, k);
                if (status != STATUS_OK)
                    return status;
            }
    return STATUS_OK;
}

/* ---- the folder ------------------------------------------------------------------------------ */

static enum status load_file(struct loading *loading, const char *path) {
    struct tracks *tracks = &loading->tracks;
    struct yaml_document *document;
    enum status status = yaml_load(path, &document, loading->error);
    if (status != STATUS_OK)
        return status;
    status = schema_check(document, SCHEMA_track, loading->error);
    if (status != STATUS_OK) {
        yaml_document_free(document);
        return status;
    }
    loading->documents[tracks->count] = document;
    tracks->items[tracks->count] = (struct track){0};
    build_track(document, &tracks->items[tracks->count]);
    return check_track(loading, tracks->count++);
}

/* The files of the folder, sorted, so that the first mistake is the same everywhere. */
static enum status list_files(const char *folder, char ***files, size_t *count,
                              struct error *error) {
    size_t capacity = 0;
    *files = NULL;
    *count = 0;
    DIR *directory = opendir(folder);
    if (!directory && errno == ENOENT)
        return STATUS_OK;
    if (!directory)
        return error_set(error, STATUS_ENVIRONMENT, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *entry; *count < MAX_TRACKS && (entry = readdir(directory));) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (entry->d_name[0] != '.' && suffix && strcmp(suffix, ".yaml") == 0)
            *mem_push(files, count, &capacity) = mem_strdup(entry->d_name);
    }
    closedir(directory);
    if (*count)
        qsort(*files, *count, sizeof **files, text_compare);
    return STATUS_OK;
}

static int compare_tracks(const void *a, const void *b) {
    const struct track *first = a, *second = b;
    if (first->order != second->order)
        return first->order < second->order ? -1 : 1;
    return strcmp(first->id, second->id);
}

static bool is_loaded(const struct tracks *tracks, const char *file) {
    for (size_t i = 0; i < tracks->count; i++) {
        cleanup_free char *name = mem_printf("%s.yaml", tracks->items[i].id);
        if (strcmp(name, file) == 0)
            return true;
    }
    return false;
}

/* A track with the id of an earlier folder's is hidden by that, as an exercise is. */
static enum status load_folder(struct loading *loading, const char *folder) {
    struct tracks *tracks = &loading->tracks;
    char **files;
    size_t count;
    enum status status = list_files(folder, &files, &count, loading->error);
    size_t most = tracks->count + count + 1;
    loading->documents = mem_realloc(loading->documents, most, sizeof *loading->documents);
    tracks->items = mem_realloc(tracks->items, most, sizeof *tracks->items);
    for (size_t i = 0; i < count; i++) {
        cleanup_free char *path = file_join(folder, files[i]);
        if (status == STATUS_OK && !is_loaded(tracks, files[i]))
            status = load_file(loading, path);
        free(files[i]);
    }
    free(files);
    return status;
}

enum status tracks_load(const char *const *folders, size_t folder_count, char *const *ids,
                        size_t id_count, struct tracks *tracks, struct error *error) {
    *tracks = (struct tracks){0};
    struct loading loading = {.ids = ids, .id_count = id_count, .error = error};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < folder_count && status == STATUS_OK; i++)
        status = load_folder(&loading, folders[i]);
    if (status == STATUS_OK)
        status = check_circles(&loading);
    for (size_t i = 0; i < loading.tracks.count; i++)
        yaml_document_free(loading.documents[i]);
    free(loading.documents);
    if (status != STATUS_OK) {
        tracks_free(&loading.tracks);
        return status;
    }
    qsort(loading.tracks.items, loading.tracks.count, sizeof *loading.tracks.items, compare_tracks);
    *tracks = loading.tracks;
    return STATUS_OK;
}

enum status tracks_find(struct tracks *tracks, struct error *error) {
    struct homes homes;
    char **ids, **folders;
    size_t count;
    *tracks = (struct tracks){0};
    enum status status = homes_find(&homes, error);
    if (status == STATUS_OK && (status = exercise_ids(&ids, &count, error)) != STATUS_OK)
        homes_free(&homes);
    if (status != STATUS_OK)
        return status;
    folders = mem_calloc(homes.count, sizeof *folders);
    for (size_t i = 0; i < homes.count; i++)
        folders[i] = file_join(homes.items[i].folder, "exercises/courses");
    status = tracks_load((const char *const *)folders, homes.count, ids, count, tracks, error);
    for (size_t i = 0; i < homes.count; i++)
        free(folders[i]);
    free(folders);
    homes_free(&homes);
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    return status;
}

static void free_steps(struct track *track) {
    for (size_t i = 0; i < track->step_count; i++) {
        for (size_t j = 0; j < track->steps[i].after_count; j++)
            free(track->steps[i].after[j]);
        free(track->steps[i].after);
        free(track->steps[i].id);
    }
    free(track->steps);
}

void tracks_free(struct tracks *tracks) {
    for (size_t i = 0; i < tracks->count; i++) {
        struct track *track = &tracks->items[i];
        free_steps(track);
        free(track->id);
        for (size_t j = 0; j < LANGUAGE_COUNT; j++) {
            free(track->title[j]);
            free(track->about[j]);
        }
    }
    free(tracks->items);
    *tracks = (struct tracks){0};
}

enum status tracks_get(const struct tracks *tracks, const char *id, const struct track **track,
                       struct error *error) {
    const char *ids[MAX_TRACKS];
    for (size_t i = 0; i < tracks->count; i++) {
        ids[i] = tracks->items[i].id;
        if (strcmp(ids[i], id) == 0) {
            *track = &tracks->items[i];
            return STATUS_OK;
        }
    }
    error_set(error, STATUS_INVALID, "there is no track %.100s", id);
    const char *closest = text_closest(id, ids, tracks->count);
    if (closest)
        error_hint(error, "did you mean %s?", closest);
    else
        error_hint(error, "`warpgrade list` shows the tracks.");
    return STATUS_INVALID;
}
