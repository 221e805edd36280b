/* See place.h. Permissions are those of the modes: an access control list that gives a user more
 * shows there as the group's. In a user namespace the owners that it does not know appear as the
 * overflow user; they are not told apart from root. */
#include "sandbox/place/place.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ENTRIES = 4096, OVERFLOW_USER = 65534 };

char *place_program(void) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length > 0 ? mem_strndup(path, (size_t)length) : NULL;
}

char *place_beside(const char *name) {
    cleanup_free char *program = place_program();
    if (!program)
        return NULL;
    return mem_printf("%.*s%s", (int)(file_base_name(program) - program), program, name);
}

char *place_data(void) {
    static const char *const places[] = {"share/warpgrade", "../share/warpgrade"};
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        char resolved[PATH_MAX];
        cleanup_free char *path = place_beside(places[i]);
        if (path && realpath(path, resolved))
            return mem_strdup(resolved);
    }
    return NULL;
}

/* ---- who can write --------------------------------------------------------------------------- */

static bool is_in_user_namespace(void) {
    unsigned long inside = 0, outside = 0, count = 0;
    FILE *map = fopen("/proc/self/uid_map", "re");
    int fields = map ? fscanf(map, "%lu %lu %lu", &inside, &outside, &count) : 0;
    if (map)
        fclose(map);
    return fields == 3 && !(inside == 0 && outside == 0 && count == 4294967295ul);
}

static bool is_trusted_owner(uid_t owner, const struct stat *program) {
    return owner == 0 || owner == geteuid() || owner == program->st_uid ||
           (owner == OVERFLOW_USER && is_in_user_namespace());
}

/* A group of the owner's name and of nobody else, as useradd makes it. */
static bool is_private_group(const struct stat *info) {
    char room[2][4096];
    struct passwd user, *found_user = NULL;
    struct group group, *found_group = NULL;
    if (info->st_gid == 0)
        return true;
    if (getpwuid_r(info->st_uid, &user, room[0], sizeof room[0], &found_user) != 0 || !found_user ||
        getgrgid_r(info->st_gid, &group, room[1], sizeof room[1], &found_group) != 0 ||
        !found_group || user.pw_gid != info->st_gid || strcmp(user.pw_name, group.gr_name) != 0)
        return false;
    for (char **member = group.gr_mem; *member; member++)
        if (strcmp(*member, user.pw_name) != 0)
            return false;
    return true;
}

static enum status refuse(const char *path, const char *why, const char *mend,
                          struct error *error) {
    error_set(error, STATUS_ENVIRONMENT, "%s decides about grades, but %s", path, why);
    error_hint(error,
               "`%s %s`; where the file system has no permissions, WARPGRADE_ANY_HOME=1 goes on.",
               mend, path);
    return STATUS_ENVIRONMENT;
}

static enum status check_one(const char *path, const struct stat *info, bool is_above,
                             enum place_trust trust, const struct stat *program,
                             struct error *error) {
    bool sticky = is_above && (info->st_mode & S_ISVTX);
    if ((info->st_mode & S_IWOTH) && !sticky)
        return refuse(path, "everybody can write to it", "chmod o-w", error);
    if (trust == PLACE_NAMED)
        return STATUS_OK;
    if (!is_trusted_owner(info->st_uid, program))
        return refuse(path, "it belongs to neither root, nor you, nor the program's owner",
                      "ls -ld", error);
    if ((info->st_mode & S_IWGRP) && !sticky && !is_private_group(info))
        return refuse(path, "its group can write to it", "chmod g-w", error);
    return STATUS_OK;
}

/* False where nothing is to be checked; see place.h. */
static bool find_program(struct stat *program) {
    const char *any = getenv("WARPGRADE_ANY_HOME");
    if (any && strcmp(any, "1") == 0)
        return false;
    return stat("/proc/self/exe", program) == 0 && !(program->st_mode & S_IWOTH);
}

enum status place_check(const char *path, enum place_trust trust, struct error *error) {
    char resolved[PATH_MAX];
    struct stat program, info;
    if (!find_program(&program))
        return STATUS_OK;
    if (!realpath(path, resolved))
        return error_set(error, STATUS_ENVIRONMENT, "cannot read %s: %s", path, strerror(errno));
    for (size_t length = strlen(resolved); length > 0;) {
        cleanup_free char *part = mem_strndup(resolved, length);
        if (lstat(part, &info) != 0)
            return error_set(error, STATUS_ENVIRONMENT, "cannot read %s: %s", part,
                             strerror(errno));
        bool is_above = resolved[length] != '\0';
        enum status status = check_one(part, &info, is_above, trust, &program, error);
        if (status != STATUS_OK || length == 1)
            return status;
        const char *slash = memrchr(resolved, '/', length);
        length = slash == resolved ? 1 : (size_t)(slash - resolved);
    }
    return STATUS_OK;
}

enum status place_check_files(const char *folder, enum place_trust trust, struct error *error) {
    struct stat program, info;
    if (!find_program(&program))
        return STATUS_OK;
    if (stat(folder, &info) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot read %s: %s", folder, strerror(errno));
    enum status status = check_one(folder, &info, false, trust, &program, error);
    DIR *directory = status == STATUS_OK ? opendir(folder) : NULL;
    size_t count = 0;
    for (struct dirent *entry;
         directory && status == STATUS_OK && count < MOST_ENTRIES && (entry = readdir(directory));
         count++) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        cleanup_free char *path = file_join(folder, entry->d_name);
        if (stat(path, &info) == 0)
            status = check_one(path, &info, false, trust, &program, error);
    }
    if (directory)
        closedir(directory);
    return status;
}
