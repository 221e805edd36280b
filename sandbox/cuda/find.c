/* Finds the driver's libraries without opening one.
 *
 * The driver is where the loader would find it: in LD_LIBRARY_PATH, in the folders that
 * /etc/ld.so.conf names, in the usual ones. Containers have theirs in folders that the container's
 * maker chose, all of which are named in one of these. cuBLAS belongs to a toolkit: it is looked
 * for beside NVRTC, then where the driver is looked for.
 *
 * libcuda opens sister libraries by name; those stand beside the file that libcuda.so.1 really is,
 * and a worker that cannot see them has a driver that breaks for good when it needs one. */
#include "sandbox/cuda/find.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIGURATION_MAX = 1 << 20 };

static const char usual_folders[] =
    "/usr/local/nvidia/lib64:/usr/local/nvidia/lib:/usr/lib/x86_64-linux-gnu:"
    "/usr/lib/aarch64-linux-gnu:/usr/lib64:/usr/lib:/run/opengl-driver/lib:/usr/lib/wsl/lib";

/* The lines of a loader's configuration file that name folders, as one more part of the list. */
static void add_configuration(const char *path, struct text *list) {
    cleanup_free char *lines = NULL;
    size_t length;
    if (file_read(path, CONFIGURATION_MAX, &lines, &length, NULL) != STATUS_OK)
        return;
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (line[0] == '/')
            text_printf(list, "%.*s:", (int)strcspn(line, " \t#"), line);
}

static char *library_folders(void) {
    struct text list = {0};
    const char *own = getenv("LD_LIBRARY_PATH");
    if (own && *own)
        text_printf(&list, "%s:", own);
    glob_t found = {0};
    if (glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_configuration(found.gl_pathv[i], &list);
    globfree(&found);
    add_configuration("/etc/ld.so.conf", &list);
    text_append(&list, usual_folders);
    return text_steal(&list);
}

/* The number after "NAME.so.", -1 where the file is called otherwise. */
static int version_of(const char *path, const char *name) {
    const char *base = file_base_name(path);
    size_t length = strlen(name);
    return strncmp(base, name, length) == 0 && isdigit((unsigned char)base[length])
               ? atoi(base + length)
               : -1;
}

/* The newest file NAMEn (NAME ends in ".so.") of a folder. */
static char *newest_in(const char *folder, const char *name) {
    cleanup_free char *pattern = mem_printf("%s/%s*", folder, name);
    glob_t found = {0};
    char *best = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (access(found.gl_pathv[i], R_OK) == 0 &&
                version_of(found.gl_pathv[i], name) > (best ? version_of(best, name) : -1)) {
                free(best);
                best = mem_strdup(found.gl_pathv[i]);
            }
    globfree(&found);
    return best;
}

/* In the first folder of the list that has it. */
static char *find_in(const char *list, char *(*look)(const char *folder, const char *name),
                     const char *name) {
    cleanup_free char *copy = mem_strdup(list);
    char *rest = NULL, *path = NULL;
    for (char *folder = strtok_r(copy, ":", &rest); folder && !path;
         folder = strtok_r(NULL, ":", &rest))
        if (folder[0] == '/')
            path = look(folder, name);
    return path;
}

/* The driver's libraries have never had another number than 1: a folder of thousands of files need
 * not be read for them, and a machine without a driver has all of them looked through. */
static char *named_in(const char *folder, const char *name) {
    char *path = file_join(folder, name);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *resolve(char *path) {
    char resolved[PATH_MAX];
    char *whole = mem_strdup(path && realpath(path, resolved) ? resolved : "");
    free(path);
    return whole;
}

/* A worker sees the system's folders anyhow. */
static void show(struct cuda_files *files, const char *path) {
    if (files->shown_count < FIND_MAX_FILES && strncmp(path, "/usr/lib/", 9) != 0 &&
        strncmp(path, "/usr/lib64/", 11) != 0)
        files->shown[files->shown_count++] = mem_strdup(path);
}

static void show_matching(struct cuda_files *files, const char *beside, const char *pattern) {
    int length = (int)(file_base_name(beside) - beside);
    cleanup_free char *whole = mem_printf("%.*s%s", length, beside, pattern);
    glob_t found = {0};
    if (*beside && glob(whole, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (access(found.gl_pathv[i], R_OK) == 0)
                show(files, found.gl_pathv[i]);
    globfree(&found);
}

static char *find_blas(const char *folders) {
    struct build_toolchain toolchain;
    build_toolchain_find(&toolchain, NULL);
    int length = (int)(file_base_name(toolchain.nvrtc_library) - toolchain.nvrtc_library);
    cleanup_free char *list =
        length ? mem_printf("%.*s:%.*s../../cublas/lib:%s", length, toolchain.nvrtc_library, length,
                            toolchain.nvrtc_library, folders)
               : mem_strdup(folders);
    return find_in(list, newest_in, "libcublas.so.");
}

void cuda_files_find(struct cuda_files *files) {
    static const char *const sisters[] = {"libnvidia-ptxjitcompiler.so.1", "libnvidia-nvvm*.so.*",
                                          "libnvidia-gpucomp.so.*"};
    *files = (struct cuda_files){0};
    cleanup_free char *folders = library_folders();
    files->driver = resolve(find_in(folders, named_in, "libcuda.so.1"));
    char *nvml = NULL, *blas = NULL;
    if (*files->driver) { /* which the others are of no use without */
        nvml = find_in(folders, named_in, "libnvidia-ml.so.1");
        blas = find_blas(folders);
        show(files, files->driver);
    }
    files->nvml = resolve(nvml);
    files->blas = blas ? blas : mem_strdup("");
    if (*files->nvml)
        show(files, files->nvml);
    for (size_t i = 0; i < sizeof sisters / sizeof *sisters; i++)
        show_matching(files, files->driver, sisters[i]);
    if (*files->blas) {
        show(files, files->blas);
        show_matching(files, files->blas, "libcublasLt.so.[0-9]*");
    }
}

void cuda_files_free(struct cuda_files *files) {
    for (size_t i = 0; i < files->shown_count; i++)
        free(files->shown[i]);
    free(files->driver);
    free(files->nvml);
    free(files->blas);
    *files = (struct cuda_files){0};
}
