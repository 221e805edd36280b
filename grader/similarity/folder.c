/* Submissions in a folder, without a gradebook: what an instructor has who collected files. */
#include "grader/similarity/collect.h"

#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 4, MOST_FILES = 50000 }; /* of a student's folder; of all */

struct walk {
    struct similarity_set *set;
    const char *origin;
    enum similarity_role role;
    char *known; /* the last id that was found in the catalogue */
    size_t files;
};

static bool is_source(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot != name && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".cuh") == 0);
}

static bool is_known(struct walk *walk, const char *id) {
    struct exercise *exercise;
    if (walk->known && strcmp(walk->known, id) == 0)
        return true;
    if (exercise_find(id, &exercise, NULL) != STATUS_OK)
        return false;
    exercise_free(exercise);
    free(walk->known);
    walk->known = mem_strdup(id);
    return true;
}

/* The exercise of a file: NULL where it is for another than the one that is asked for. */
static char *exercise_of(struct walk *walk, const char *path, const char *text, size_t length) {
    const char *only = walk->set->only;
    char *id = exercise_id_from_source(text, length);
    if (!id && only)
        return mem_strdup(only);
    if (!id)
        id = exercise_id_from_submission(path, text, length);
    if (only && strcmp(id, only) != 0) {
        free(id);
        return NULL;
    }
    if (!is_known(walk, id)) {
        free(id);
        return mem_strdup("");
    }
    return id;
}

static void add_file(struct walk *walk, const char *path, const char *student) {
    char *text = NULL;
    size_t length = 0;
    struct error error = {0};
    walk->files++;
    if (file_read_foreign(path, SIMILARITY_MAX_SOURCE, &text, &length, &error) != STATUS_OK) {
        text_printf(&walk->set->notes, "%s\n", error.message);
        return;
    }
    cleanup_free char *exercise = exercise_of(walk, path, text, length);
    if (!exercise) {
        free(text);
        return;
    }
    similarity_set_add(walk->set, exercise,
                       (struct similarity_item){.student = mem_strdup(student),
                                                .origin = mem_strdup(walk->origin),
                                                .file = mem_strdup(path),
                                                .text = text,
                                                .length = length,
                                                .role = walk->role});
}

static int compare_entries(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static void walk_entry(struct walk *walk, const char *folder, const char *name, const char *student,
                       unsigned depth);

static void walk_folder(struct walk *walk, const char *path, const char *student, unsigned depth) {
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, compare_entries);
    if (count < 0)
        text_printf(&walk->set->notes, "%s: cannot be read\n", path);
    for (int i = 0; i < count; i++) {
        walk_entry(walk, path, entries[i]->d_name, student, depth);
        free(entries[i]);
    }
    free(count < 0 ? NULL : entries);
}

static void walk_entry(struct walk *walk, const char *folder, const char *name, const char *student,
                       unsigned depth) {
    cleanup_free char *path = file_join(folder, name);
    struct stat about;
    if (name[0] == '.' || walk->files >= MOST_FILES || lstat(path, &about) != 0)
        return;
    if (S_ISDIR(about.st_mode) && depth < DEEPEST) {
        walk_folder(walk, path, student ? student : name, depth + 1);
    } else if (S_ISREG(about.st_mode) && is_source(name)) {
        cleanup_free char *own = mem_strndup(name, (size_t)(strrchr(name, '.') - name));
        add_file(walk, path, student ? student : own);
    }
}

enum status similarity_collect_folder(struct similarity_set *set, const char *path,
                                      enum similarity_role role, struct error *error) {
    struct stat about;
    struct walk walk = {.set = set, .origin = path, .role = role};
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return error_set(error, STATUS_INVALID, "%s is no folder", path);
    walk_folder(&walk, path, NULL, 0);
    free(walk.known);
    if (walk.files)
        return STATUS_OK;
    error_set(error, STATUS_INVALID, "there is no .cu file in %s", path);
    error_hint(error,
               "A folder holds a file or a folder for each submission: %s/STUDENT.cu or "
               "%s/STUDENT/EXERCISE.cu.",
               path, path);
    return STATUS_INVALID;
}
