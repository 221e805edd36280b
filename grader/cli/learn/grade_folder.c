/* Looks beside, below and above: at the names of at most MAX_NAMES files, one folder deep. */
#include "grader/cli/learn/grade_folder.h"

#include "grader/cli/learn/learn_cli.h"
#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 4096 };

static void free_strings(char **strings, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(strings[i]);
    free(strings);
}

static bool is_cuda_name(const char *name) {
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".cu") == 0;
}

struct names {
    char **items;
    size_t count, capacity;
};

/* The entries of a folder but hidden ones, sorted. */
static struct names names_in(const char *folder) {
    struct names names = {0};
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && names.count < MAX_NAMES)
            *mem_push(&names.items, &names.count, &names.capacity) = mem_strdup(entry->d_name);
    if (directory)
        closedir(directory);
    if (names.count)
        qsort(names.items, names.count, sizeof *names.items, text_compare);
    return names;
}

/* The first folder in this one that has `file`, or a file of its own name with the ending .cu where
 * it is NULL. Caller frees. */
static char *folder_with(const struct names *names, const char *file) {
    for (size_t i = 0; i < names->count; i++) {
        cleanup_free char *path = file_join(names->items[i], file);
        if (file_exists(path))
            return mem_strdup(names->items[i]);
    }
    return NULL;
}

static void hint_settings(struct error *error) {
    struct names names = names_in(".");
    const char *source = NULL;
    size_t sources = 0;
    for (size_t i = 0; i < names.count; i++)
        if (is_cuda_name(names.items[i])) {
            source = source ? source : names.items[i];
            sources++;
        }
    cleanup_free char *below = folder_with(&names, LEARN_SETTINGS_FILE);
    cleanup_text struct text word = {0};
    learn_append_word(&word, sources == 1 ? source : below ? below : "");
    if (sources == 1)
        error_hint(error, "`warpgrade grade %s` grades the file that is here.", text_string(&word));
    else if (sources > 1)
        error_hint(error,
                   "`warpgrade grade FILE` grades one of the %zu .cu files here, "
                   "`warpgrade grade .` all that name an exercise.",
                   sources);
    else if (below)
        error_hint(error, "`cd %s && warpgrade grade` grades what is in that folder.",
                   text_string(&word));
    else if (file_exists("../" LEARN_SETTINGS_FILE))
        error_hint(error, "`cd .. && warpgrade grade` grades what is in the folder above.");
    else
        error_hint(error, "`warpgrade next` says what to start with; `warpgrade new EXERCISE "
                          "EXERCISE` makes a folder for it.");
    free_strings(names.items, names.count);
}

enum status grade_folder_settings(struct learn_settings *settings, struct error *error) {
    char **ids;
    size_t count;
    *settings = (struct learn_settings){0};
    if (!file_exists(LEARN_SETTINGS_FILE)) {
        enum status status =
            error_set(error, STATUS_INVALID,
                      "which file? This folder has no " LEARN_SETTINGS_FILE " that says so");
        hint_settings(error);
        return status;
    }
    enum status status = exercise_ids(&ids, &count, error);
    if (status != STATUS_OK)
        return status;
    status = learn_settings_load(LEARN_SETTINGS_FILE, ids, count, settings, error);
    free_strings(ids, count);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *source = mem_printf("%s.cu", settings->exercise);
    if (file_exists(source))
        return STATUS_OK;
    status = error_set(error, STATUS_INVALID, LEARN_SETTINGS_FILE " is for %s, but there is no %s",
                       settings->exercise, source);
    error_hint(error,
               "`warpgrade new %s` writes it; `warpgrade grade -e %s FILE` grades a file of "
               "another name.",
               settings->exercise, settings->exercise);
    return status;
}

void grade_folder_hint(const char *path, struct error *error) {
    if (strchr(path, '/') || file_exists(path))
        return;
    struct names names = names_in(".");
    const char *closest = text_closest(path, (const char *const *)names.items, names.count);
    cleanup_free char *below = folder_with(&names, path);
    cleanup_text struct text word = {0};
    if (below)
        learn_append_word(&word, below);
    else if (closest)
        learn_append_word(&word, closest);
    if (below)
        error_hint(error, "there is one in the folder %s: `cd %s`.", below, text_string(&word));
    else if (closest && is_cuda_name(closest))
        error_hint(error, "did you mean `warpgrade grade %s`?", text_string(&word));
    else
        error_hint(error, "is this the folder that you mean? `warpgrade new EXERCISE` writes a "
                          "file to start from.");
    free_strings(names.items, names.count);
}
