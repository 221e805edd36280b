/* A program and what it is linked with, copied: the user that it runs as may not reach where they
 * stand (a home that is closed to others, in a container without namespaces). Of the libraries in
 * the program's own folder, and in those where it looks for them, those come along whose names the
 * program has, or one of them. */
#include "sandbox/card/card_stage.h"

#include "sandbox/card/library_folders.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/reachable.h"
#include "sandbox/place/place.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIBRARY_MAX = 256 << 20, LIBRARIES_MAX = 32 };

static const char runtime_name[] = "libcudart.so.13";

enum status card_runtime_folder(char **found, struct error *error) {
    static const char *const places[] = {"runtime", "../lib/warpgrade/runtime"};
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        char *folder = place_beside(places[i]);
        cleanup_free char *library = folder ? file_join(folder, runtime_name) : NULL;
        *found = folder;
        if (library && access(library, R_OK) == 0)
            return STATUS_OK;
        free(folder);
    }
    *found = NULL;
    error_set(error, STATUS_ENVIRONMENT, "warpgrade's CUDA runtime, %s, is not here", runtime_name);
    error_hint(error, "It is built with warpgrade, into the folder runtime/ beside it.");
    return STATUS_ENVIRONMENT;
}

static enum status put(const struct card_stage *stage, const char *name, const char *bytes,
                       size_t length, struct error *error) {
    cleanup_free char *path = file_join(stage->folder, name);
    enum status status = file_write(path, bytes, length, error);
    if (status == STATUS_OK && chmod(path, 0755) != 0)
        status = error_set(error, STATUS_ENVIRONMENT, "cannot make %s executable: %s", path,
                           strerror(errno));
    return status;
}

static enum status copy(const struct card_stage *stage, const char *folder, const char *name,
                        char **bytes, size_t *length, struct error *error) {
    cleanup_free char *path = file_join(folder, name);
    enum status status = file_read(path, LIBRARY_MAX, bytes, length, error);
    if (status == STATUS_OK && (*length < 4 || memcmp(*bytes, "\177ELF", 4) != 0))
        status = error_set(error, STATUS_INVALID, "%s is no library", path);
    return status == STATUS_OK ? put(stage, name, *bytes, *length, error) : status;
}

/* ---- the program's own libraries ----------------------------------------------------------------
 */

struct object {
    char *bytes; /* NULL: the program's, which are the caller's */
    const char *text;
    size_t length;
};
struct objects {
    struct object items[LIBRARIES_MAX + 1];
    size_t count;
};

static bool is_library(const char *name) {
    const char *end = strstr(name, ".so");
    return end && (end[3] == '\0' || end[3] == '.') && strcmp(name, runtime_name) != 0;
}

static bool is_named(const struct objects *objects, const char *name) {
    for (size_t i = 0; i < objects->count; i++)
        if (memmem(objects->items[i].text, objects->items[i].length, name, strlen(name) + 1))
            return true;
    return false;
}

/* Those of the folder that something asks for and that are not there yet; true where there were. */
static bool bring_from(const struct card_stage *stage, const char *home, struct objects *objects) {
    bool brought = false;
    DIR *folder = opendir(home);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        cleanup_free char *there = file_join(stage->folder, entry->d_name);
        char *bytes = NULL;
        size_t length;
        if (objects->count > LIBRARIES_MAX || !is_library(entry->d_name) ||
            access(there, F_OK) == 0 || !is_named(objects, entry->d_name) ||
            copy(stage, home, entry->d_name, &bytes, &length, NULL) != STATUS_OK) {
            free(bytes);
            continue;
        }
        objects->items[objects->count++] = (struct object){bytes, bytes, length};
        brought = true;
    }
    if (folder)
        closedir(folder);
    return brought;
}

/* Until nothing asks for one more: each that is found may ask for others, in folders of its own. */
static void bring_libraries(const struct card_stage *stage, const char *home, const char *shown,
                            struct objects *objects) {
    char resolved[PATH_MAX];
    struct library_folders folders = {.below = {realpath(home, resolved), shown}};
    const char *list = getenv("LD_LIBRARY_PATH");
    library_folders_add(&folders, objects->items[0].text, objects->items[0].length, home);
    if (list)
        library_folders_add_list(&folders, list, ".");
    for (bool brought = true; brought;) {
        brought = false;
        for (size_t i = 0; i < folders.count; i++) {
            size_t first = objects->count;
            brought |= bring_from(stage, folders.paths[i], objects);
            for (size_t k = first; k < objects->count; k++) {
                cleanup_free char *where = mem_strdup(folders.paths[i]);
                library_folders_add(&folders, objects->items[k].text, objects->items[k].length,
                                    where);
            }
        }
    }
    library_folders_free(&folders);
}

enum status card_stage_make(const char *program, size_t length, const char *home, const char *shown,
                            struct card_stage *stage, struct error *error) {
    cleanup_free char *where = reachable_temporary(), *runtime = NULL, *bytes = NULL;
    size_t runtime_length;
    enum status status = card_runtime_folder(&runtime, error);
    *stage = (struct card_stage){0};
    if (status != STATUS_OK)
        return status;
    *stage = (struct card_stage){.folder = mem_printf("%s/warpgrade-run-XXXXXX", where)};
    if (!mkdtemp(stage->folder) || chmod(stage->folder, 0755) != 0) {
        error_set(error, STATUS_ENVIRONMENT, "cannot make a folder for the program: %s",
                  strerror(errno));
        free(steal_pointer(&stage->folder));
        return STATUS_ENVIRONMENT;
    }
    stage->program = file_join(stage->folder, "program");
    status = put(stage, "program", program, length, error);
    if (status == STATUS_OK)
        status = copy(stage, runtime, runtime_name, &bytes, &runtime_length, error);
    struct objects objects = {.items = {{NULL, program, length}}, .count = 1};
    if (status == STATUS_OK && home)
        bring_libraries(stage, home, shown, &objects);
    for (size_t i = 0; i < objects.count; i++)
        free(objects.items[i].bytes);
    return status;
}

void card_stage_clear(struct card_stage *stage) {
    DIR *folder = stage->folder ? opendir(stage->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0); /* "." and ".." refuse */
    if (folder)
        closedir(folder);
    if (stage->folder)
        rmdir(stage->folder);
    free(stage->program);
    free(stage->folder);
    *stage = (struct card_stage){0};
}
