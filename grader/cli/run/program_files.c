/* The files that a program's arguments name: input.txt, --graph=data/input.txt.
 *
 * The program's jail shows no files but the system's. Whoever names a file as the program's
 * argument wants it to be read: so it is shown, read-only, at its own place. The program starts in
 * a folder of its own, so that a relative path becomes an absolute one. Folders are not shown: an
 * argument may be called like one by chance, and what stands there nobody has named. */
#include "grader/cli/run/program_files.h"

#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file's absolute path; caller frees; NULL: it is none. */
static char *find_file(const char *path) {
    struct stat info;
    char resolved[PATH_MAX];
    bool found = *path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    return found && realpath(path, resolved) ? mem_strdup(resolved) : NULL;
}

/* The argument as the program gets it; *path: the file that it names, or NULL. */
static char *resolve(const char *argument, char **path) {
    const char *value = strchr(argument, '=');
    *path = find_file(argument);
    if (*path)
        return mem_strdup(*path);
    if (*argument != '-' || !value || !(*path = find_file(value + 1)))
        return mem_strdup(argument);
    return mem_printf("%.*s%s", (int)(value + 1 - argument), argument, *path);
}

void program_files_find(char *const *arguments, struct program_files *files) {
    size_t count = 0, found = 0;
    while (arguments && arguments[count])
        count++;
    files->arguments = mem_calloc(count + 1, sizeof *files->arguments);
    files->paths = mem_calloc(count + 1, sizeof *files->paths);
    for (size_t i = 0; i < count; i++) {
        char *path;
        files->arguments[i] = resolve(arguments[i], &path);
        if (path)
            files->paths[found++] = path;
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
    *files = (struct program_files){0};
}
