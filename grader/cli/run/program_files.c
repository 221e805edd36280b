/* The files that a program's arguments name: input.txt, --graph=data/input.txt.
 *
 * The program starts in a copy of its folder (card_files.h): a file below that is named by its
 * place there, so that it may be written to. The program's jail shows no other file but the
 * system's. Whoever names one as the program's argument wants it to be read: so it is shown,
 * read-only, at its own place, and a relative path becomes an absolute one. Folders elsewhere are
 * not shown: an argument may be called like one by chance, and what stands there nobody has named.
 */
#include "grader/cli/run/program_files.h"

#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMED_MAX = 64 << 20 }; /* bytes: what is larger is read where it stands */

/* The file's absolute path; caller frees; NULL: it is none. */
static char *find_file(const char *path) {
    struct stat info;
    char resolved[PATH_MAX];
    bool found = *path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    return found && realpath(path, resolved) ? mem_strdup(resolved) : NULL;
}

/* Where the file stands in the folder that is copied; NULL: not there, or too large to be. */
static const char *find_in_folder(const char *path, const char *folder) {
    struct stat info;
    size_t length = folder ? strlen(folder) : 0;
    if (!folder || strncmp(path, folder, length) != 0 || path[length] != '/' ||
        stat(path, &info) != 0 || info.st_size > NAMED_MAX)
        return NULL;
    return path + length + 1;
}

/* The argument as the program gets it; *path: the file that it names, or NULL. */
static char *resolve(const char *argument, const char *folder, char **path) {
    const char *value = strchr(argument, '=');
    bool is_option = *argument == '-' && value;
    *path = find_file(argument);
    if (!*path && is_option)
        *path = find_file(value + 1);
    else
        is_option = false;
    if (!*path)
        return mem_strdup(argument);
    const char *inside = find_in_folder(*path, folder);
    return mem_printf("%.*s%s", is_option ? (int)(value + 1 - argument) : 0, argument,
                      inside ? inside : *path);
}

void program_files_find(char *const *arguments, const char *folder, struct program_files *files) {
    size_t count = 0, found = 0, named = 0;
    while (arguments && arguments[count])
        count++;
    files->arguments = mem_calloc(count + 1, sizeof *files->arguments);
    files->paths = mem_calloc(count + 1, sizeof *files->paths);
    files->named = mem_calloc(count + 1, sizeof *files->named);
    for (size_t i = 0; i < count; i++) {
        char *path;
        files->arguments[i] = resolve(arguments[i], folder, &path);
        const char *inside = path ? find_in_folder(path, folder) : NULL;
        if (inside) {
            files->named[named++] = mem_strdup(inside);
            free(path);
        } else if (path) {
            files->paths[found++] = path;
        }
    }
}

static void free_list(const char **list) {
    for (size_t i = 0; list && list[i]; i++)
        free((char *)list[i]);
    free(list);
}

void program_files_free(struct program_files *files) {
    free_list(files->arguments);
    free_list(files->paths);
    free_list(files->named);
    *files = (struct program_files){0};
}
