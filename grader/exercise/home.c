/* See home.h. Nothing is kept between calls: what is asked is a few dozen stat(). */
#include "grader/exercise/home.h"

#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_EXERCISES = 4096, MAX_ID = 63, MAX_HOMES = 32 };

static const char variable[] = "WARPGRADE_HOME";

static bool is_folder(const char *directory, const char *name) {
    cleanup_free char *path = file_join(directory, name);
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- the list -------------------------------------------------------------------------------- */

static enum status add_own(struct homes *homes, struct error *error) {
    cleanup_free char *data = place_data();
    if (!data || !is_folder(data, "exercises")) {
        error_set(error, STATUS_ENVIRONMENT,
                  "the exercises are not where the program expects them, in share/warpgrade beside "
                  "its folder");
        error_hint(error, "Move the program together with its share/, or set WARPGRADE_HOME to the "
                          "folder that holds exercises/ and reference/.");
        return STATUS_ENVIRONMENT;
    }
    homes->items[homes->count++] =
        (struct home){.folder = steal_pointer(&data), .trust = PLACE_FOUND};
    return STATUS_OK;
}

static enum status add_named(struct homes *homes, const char *folder, struct error *error) {
    if (!is_folder(folder, "exercises") && !is_folder(folder, "reference")) {
        error_set(error, STATUS_INVALID,
                  "%s, named by --home or WARPGRADE_HOME, has no folder exercises", folder);
        error_hint(error, "Point it at the folder that holds exercises/ and reference/.");
        return STATUS_INVALID;
    }
    homes->items[homes->count++] =
        (struct home){.folder = mem_strdup(folder), .trust = PLACE_NAMED};
    return STATUS_OK;
}

static enum status check_home(const struct home *home, struct error *error) {
    static const char *const parts[] = {"exercises", "reference"};
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        cleanup_free char *path = file_join(home->folder, parts[i]);
        if (!is_folder(home->folder, parts[i]))
            continue;
        enum status status = place_check(path, home->trust, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status read_list(const char *list, struct homes *homes, struct error *error) {
    enum status status = STATUS_OK;
    for (const char *at = list; status == STATUS_OK && homes->count < MAX_HOMES;) {
        const char *end = strchrnul(at, ':');
        cleanup_free char *folder = mem_strndup(at, (size_t)(end - at));
        status = *folder ? add_named(homes, folder, error) : add_own(homes, error);
        if (!*end)
            break;
        at = end + 1;
    }
    return status;
}

enum status homes_find(struct homes *homes, struct error *error) {
    const char *list = getenv(variable);
    *homes = (struct homes){.items = mem_calloc(MAX_HOMES, sizeof *homes->items)};
    enum status status = read_list(list ? list : "", homes, error);
    for (size_t i = 0; i < homes->count && status == STATUS_OK; i++)
        status = check_home(&homes->items[i], error);
    if (status != STATUS_OK)
        homes_free(homes);
    return status;
}

void homes_free(struct homes *homes) {
    for (size_t i = 0; i < homes->count; i++)
        free(homes->items[i].folder);
    free(homes->items);
    *homes = (struct homes){0};
}

void homes_add(const char *folders) {
    const char *before = getenv(variable);
    cleanup_free char *list = mem_printf("%s:%s", folders, before ? before : "");
    setenv(variable, list, 1);
}

/* ---- an exercise ----------------------------------------------------------------------------- */

bool exercise_is_id(const char *id, size_t length) {
    if (length == 0 || length > MAX_ID || id[0] == '-')
        return false;
    for (size_t i = 0; i < length; i++)
        if (!(id[i] == '-' || (id[i] >= 'a' && id[i] <= 'z') || (id[i] >= '0' && id[i] <= '9')))
            return false;
    return true;
}

static bool has_exercise(const struct home *home, const char *id) {
    cleanup_free char *path = mem_printf("%s/exercises/%s/exercise.yaml", home->folder, id);
    return file_exists(path);
}

static enum status unknown_id(const char *id, struct error *error) {
    char **ids = NULL;
    size_t count = 0;
    enum status status = exercise_ids(&ids, &count, error);
    if (status != STATUS_OK)
        return status;
    error_set(error, STATUS_INVALID, "there is no exercise %.100s", id);
    const char *closest = text_closest(id, (const char *const *)ids, count);
    if (closest)
        error_hint(error, "did you mean %s?", closest);
    else
        error_hint(error, "`warpgrade list` shows the exercises.");
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    return STATUS_INVALID;
}

/* In the exercise's own home, else in one that has no exercise of this id. */
static const struct home *home_of_reference(const struct homes *homes, size_t own, const char *id) {
    cleanup_free char *name = mem_printf("reference/%s", id);
    if (is_folder(homes->items[own].folder, name))
        return &homes->items[own];
    for (size_t i = 0; i < homes->count; i++)
        if (!has_exercise(&homes->items[i], id) && is_folder(homes->items[i].folder, name))
            return &homes->items[i];
    return NULL;
}

enum status exercise_locate(const struct homes *homes, const char *id, struct exercise_place *place,
                            struct error *error) {
    size_t home = 0;
    *place = (struct exercise_place){0};
    if (!exercise_is_id(id, strlen(id)))
        return unknown_id(id, error);
    while (home < homes->count && !has_exercise(&homes->items[home], id))
        home++;
    if (home == homes->count)
        return unknown_id(id, error);
    place->home = home;
    place->directory = mem_printf("%s/exercises/%s", homes->items[home].folder, id);
    enum status status = place_check_files(place->directory, homes->items[home].trust, error);
    const struct home *reference = home_of_reference(homes, home, id);
    if (reference && status == STATUS_OK) {
        place->reference = mem_printf("%s/reference/%s", reference->folder, id);
        status = place_check_files(place->reference, reference->trust, error);
    }
    if (status != STATUS_OK)
        exercise_place_free(place);
    return status;
}

void exercise_place_free(struct exercise_place *place) {
    free(place->directory);
    free(place->reference);
    *place = (struct exercise_place){0};
}

enum status exercise_find(const char *id, struct exercise **exercise, struct error *error) {
    struct homes homes;
    struct exercise_place place;
    enum status status = homes_find(&homes, error);
    if (status != STATUS_OK)
        return status;
    status = exercise_locate(&homes, id, &place, error);
    homes_free(&homes);
    if (status != STATUS_OK)
        return status;
    status = exercise_load(place.directory, place.reference, exercise, error);
    exercise_place_free(&place);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

enum status home_ids(const struct home *home, char ***ids, size_t *count, struct error *error) {
    cleanup_free char *folder = file_join(home->folder, "exercises");
    size_t capacity = 0;
    *ids = NULL;
    *count = 0;
    DIR *directory = opendir(folder);
    if (!directory && errno == ENOENT)
        return STATUS_OK; /* it has references alone */
    if (!directory)
        return error_set(error, STATUS_ENVIRONMENT, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *entry; *count < MAX_EXERCISES && (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && has_exercise(home, entry->d_name))
            *mem_push(ids, count, &capacity) = mem_strdup(entry->d_name);
    closedir(directory);
    if (*count)
        qsort(*ids, *count, sizeof **ids, text_compare);
    return STATUS_OK;
}

/* Sorted, so that the same id of two homes stands side by side. */
static size_t drop_repeated(char **ids, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && strcmp(ids[kept - 1], ids[i]) == 0)
            free(ids[i]);
        else
            ids[kept++] = ids[i];
    }
    return kept;
}

enum status exercise_ids(char ***ids, size_t *count, struct error *error) {
    struct homes homes;
    char **all = NULL;
    size_t used = 0, capacity = 0;
    enum status status = homes_find(&homes, error);
    for (size_t i = 0; i < homes.count && status == STATUS_OK; i++) {
        char **own;
        size_t own_count;
        status = home_ids(&homes.items[i], &own, &own_count, error);
        for (size_t j = 0; status == STATUS_OK && j < own_count; j++)
            *mem_push(&all, &used, &capacity) = own[j];
        if (status == STATUS_OK)
            free(own);
    }
    homes_free(&homes);
    if (used)
        qsort(all, used, sizeof *all, text_compare);
    used = drop_repeated(all, used);
    if (status != STATUS_OK) {
        while (used)
            free(all[--used]);
        free(all);
        return status;
    }
    *ids = all;
    *count = used;
    return STATUS_OK;
}
