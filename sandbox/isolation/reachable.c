/* As root, workers run as users of their own: see reachable.h. */
#include "sandbox/isolation/reachable.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_MAX = 64 << 20 };

bool reachable_path(const char *path) {
    char resolved[PATH_MAX];
    if (geteuid() != 0)
        return true;
    snprintf(resolved, sizeof resolved, "%s", path);
    for (char *slash; (slash = strrchr(resolved, '/')) && slash > resolved;) {
        struct stat info;
        *slash = '\0';
        if (stat(resolved, &info) != 0 || !(info.st_mode & S_IXOTH))
            return false;
    }
    return true;
}

char *reachable_temporary(void) {
    const char *chosen = getenv("TMPDIR");
    cleanup_free char *inside = chosen && *chosen == '/' ? file_join(chosen, "inside") : NULL;
    return mem_strdup(inside && reachable_path(inside) ? chosen : "/tmp");
}

static enum status copy_file(const char *from, const char *to, struct error *error) {
    cleanup_free char *bytes = NULL;
    size_t length;
    enum status status = file_read(from, COPY_MAX, &bytes, &length, error);
    if (status == STATUS_OK)
        status = file_write(to, bytes, length, error);
    if (status == STATUS_OK && chmod(to, 0644) != 0)
        status = error_set(error, STATUS_ENVIRONMENT, "%s cannot be opened to all: %s", to,
                           strerror(errno));
    return status;
}

enum status reachable_copy(const char *folder, const char *name, char **copy, struct error *error) {
    *copy = NULL;
    if (geteuid() != 0)
        return STATUS_OK;
    cleanup_free char *temporary = reachable_temporary();
    cleanup_free char *made = mem_printf("%s/warpgrade-link-XXXXXX", temporary);
    if (!mkdtemp(made))
        return error_set(error, STATUS_ENVIRONMENT, "cannot make the folder %s: %s", made,
                         strerror(errno));
    cleanup_free char *from = file_join(folder, name), *to = file_join(made, name);
    enum status status = copy_file(from, to, error);
    if (status == STATUS_OK && chmod(made, 0755) != 0)
        status = error_set(error, STATUS_ENVIRONMENT, "%s cannot be opened to all: %s", made,
                           strerror(errno));
    *copy = steal_pointer(&made);
    if (status != STATUS_OK) {
        reachable_remove(*copy, name);
        *copy = NULL;
    }
    return status;
}

void reachable_remove(char *copy, const char *name) {
    cleanup_free char *file = copy ? file_join(copy, name) : NULL;
    if (!copy)
        return;
    unlink(file);
    rmdir(copy);
    free(copy);
}
