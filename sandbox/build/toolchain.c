/* Finds NVRTC, the CUDA headers, nvcc and ptxas.
 *
 * Roots, in order: $WARPGRADE_CUDA_HOME, $CUDA_HOME, the private prefix .cuda/ of the source tree
 * that `bootstrap` fills, the places that fetch_cuda.sh fills for an installed program
 * (each_own_root()), /usr/local/cuda, /usr/local/cuda-* with the newest first, and what the loader
 * and the shell would find. The first root that has NVRTC gives everything it has, so that headers
 * and compiler are of one version; only what it lacks is taken from later roots.
 * $WARPGRADE_CUDA_HOME is an order: nothing else is looked at. A root is laid out like the toolkit,
 * like the multi-arch folders of distributions, or like NVIDIA's Python wheels. */
#include "sandbox/build/build.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/place/place.h"

#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const library_folders[] = {"lib64",
                                              "lib",
                                              "targets/x86_64-linux/lib",
                                              "targets/sbsa-linux/lib",
                                              "nvidia/cu13/lib",
                                              "nvidia/cuda_nvrtc/lib",
                                              "lib/x86_64-linux-gnu",
                                              "lib/aarch64-linux-gnu"};
static const char *const include_folders[] = {"include", "targets/x86_64-linux/include",
                                              "targets/sbsa-linux/include", "nvidia/cu13/include",
                                              "nvidia/cuda_runtime/include"};
static const char *const program_folders[] = {"bin", "nvidia/cu13/bin", "nvidia/cuda_nvcc/bin"};

static void keep(char *slot, size_t size, const char *path) {
    if (slot[0] == '\0' && strlen(path) < size)
        snprintf(slot, size, "%s", path);
}

/* The number after "libnvrtc.so.", -1 for names of other files (builtins, alt). */
static int library_version(const char *path) {
    static const char name[] = "libnvrtc.so";
    const char *rest = file_base_name(path);
    if (strncmp(rest, name, sizeof name - 1) != 0)
        return -1;
    rest += sizeof name - 1;
    if (*rest == '\0')
        return 0;
    return *rest == '.' && isdigit((unsigned char)rest[1]) ? atoi(rest + 1) : -1;
}

static void find_library(const char *folder, struct build_toolchain *toolchain) {
    cleanup_free char *pattern = file_join(folder, "libnvrtc.so*");
    glob_t found = {0};
    int best = -1;
    const char *path = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            int version = library_version(found.gl_pathv[i]);
            if (version > best && access(found.gl_pathv[i], R_OK) == 0) {
                best = version;
                path = found.gl_pathv[i];
            }
        }
    if (path)
        keep(toolchain->nvrtc_library, sizeof toolchain->nvrtc_library, path);
    globfree(&found);
}

static void find_program(const char *folder, const char *name, char *slot, size_t size) {
    cleanup_free char *path = file_join(folder, name);
    if (access(path, X_OK) == 0)
        keep(slot, size, path);
}

/* Fills what is still missing from one root. */
static void look_into(const char *root, struct build_toolchain *toolchain) {
    if (!root || root[0] != '/')
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(library_folders); i++) {
        cleanup_free char *folder = file_join(root, library_folders[i]);
        if (!toolchain->nvrtc_library[0])
            find_library(folder, toolchain);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(include_folders); i++) {
        cleanup_free char *folder = file_join(root, include_folders[i]);
        cleanup_free char *header = file_join(folder, "cuda_fp16.h");
        if (access(header, R_OK) == 0)
            keep(toolchain->include_directory, sizeof toolchain->include_directory, folder);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(program_folders); i++) {
        cleanup_free char *folder = file_join(root, program_folders[i]);
        find_program(folder, "nvcc", toolchain->nvcc, sizeof toolchain->nvcc);
        find_program(folder, "ptxas", toolchain->ptxas, sizeof toolchain->ptxas);
    }
}

/* Calls `look` with each part of a colon-separated list. */
static void each_part(const char *list, struct build_toolchain *toolchain,
                      void (*look)(const char *folder, struct build_toolchain *toolchain)) {
    cleanup_free char *copy = mem_strdup(list ? list : "");
    char *rest = NULL;
    for (char *part = strtok_r(copy, ":", &rest); part; part = strtok_r(NULL, ":", &rest))
        look(part, toolchain);
}

static void look_for_library(const char *folder, struct build_toolchain *toolchain) {
    if (folder[0] == '/' && !toolchain->nvrtc_library[0])
        find_library(folder, toolchain);
}

static void look_for_programs(const char *folder, struct build_toolchain *toolchain) {
    if (folder[0] != '/')
        return;
    find_program(folder, "nvcc", toolchain->nvcc, sizeof toolchain->nvcc);
    find_program(folder, "ptxas", toolchain->ptxas, sizeof toolchain->ptxas);
}

typedef void (*root_visitor)(const char *root, void *context);

/* What others can write to is no compiler of ours. A link may stand in a folder that a worker's
 * user cannot reach, and lead to one that it can. */
static void visit_own(const char *root, root_visitor visit, void *context) {
    char resolved[PATH_MAX];
    if (root && realpath(root, resolved) && access(resolved, X_OK) == 0 &&
        place_check(root, PLACE_FOUND, NULL) == STATUS_OK)
        visit(resolved, context);
}

/* Found beside the program, in the user's folder of data, in the system's. */
static void each_own_root(root_visitor visit, void *context) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    cleanup_free char *tree = place_data();
    cleanup_free char *private_prefix = tree ? file_join(tree, ".cuda") : NULL;
    cleanup_free char *beside = place_beside("../lib/warpgrade/cuda");
    cleanup_free char *own = data && *data == '/'   ? file_join(data, "warpgrade/cuda")
                             : home && *home == '/' ? file_join(home, ".local/share/warpgrade/cuda")
                                                    : NULL;
    visit_own(private_prefix, visit, context);
    visit_own(beside, visit, context);
    visit_own(own, visit, context);
    visit_own("/usr/local/lib/warpgrade/cuda", visit, context);
}

static void each_root(root_visitor visit, void *context) {
    const char *home = getenv("CUDA_HOME");
    if (home)
        visit(home, context);
    each_own_root(visit, context);
    visit("/usr/local/cuda", context);
    glob_t versions = {0};
    if (glob("/usr/local/cuda-*", 0, NULL, &versions) == 0)
        for (size_t i = versions.gl_pathc; i-- > 0;)
            visit(versions.gl_pathv[i], context);
    globfree(&versions);
}

/* First round: the first root that has NVRTC. */
static void take_if_complete(const char *root, void *context) {
    struct build_toolchain *toolchain = context, found = {0};
    if (toolchain->nvrtc_library[0])
        return;
    look_into(root, &found);
    if (found.nvrtc_library[0])
        *toolchain = found;
}

/* Second round: what is still missing. */
static void take_missing(const char *root, void *context) {
    look_into(root, context);
}

static bool is_complete(const struct build_toolchain *toolchain) {
    return toolchain->nvrtc_library[0] && toolchain->include_directory[0] && toolchain->nvcc[0] &&
           toolchain->ptxas[0];
}

/* Of cuda.h, which is a megabyte: its number stands behind the first comments and includes. */
static unsigned header_version(const char *header) {
    enum { HEAD_BYTES = 64 << 10 };
    cleanup_free char *text = mem_zalloc(HEAD_BYTES + 1);
    cleanup_fd int descriptor = open(header, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, text, HEAD_BYTES) : -1;
    const char *define = length > 0 ? strstr(text, "#define CUDA_VERSION ") : NULL;
    return define ? (unsigned)strtoul(define + 21, NULL, 10) : 0;
}

/* CUDA_VERSION of cuda.h, else the number in the library's name. */
static void find_version(struct build_toolchain *toolchain) {
    char resolved[PATH_MAX];
    const char *path =
        realpath(toolchain->nvrtc_library, resolved) ? resolved : toolchain->nvrtc_library;
    const char *numbers = strstr(file_base_name(path), ".so.");
    if (numbers)
        sscanf(numbers, ".so.%u.%u", &toolchain->version_major, &toolchain->version_minor);
    cleanup_free char *header = file_join(toolchain->include_directory, "cuda.h");
    unsigned version = header_version(header);
    if (version / 1000 &&
        (!toolchain->version_major || version / 1000 == toolchain->version_major)) {
        toolchain->version_major = version / 1000;
        toolchain->version_minor = version % 1000 / 10;
    }
}

static const char ordering[] = "WARPGRADE_CUDA_HOME"; /* this folder and no other */

char *build_toolchain_advice(void) {
    const char *ordered = getenv(ordering);
    char script[PATH_MAX];
    cleanup_free char *installed = place_beside("../libexec/warpgrade/fetch-cuda");
    const char *fetch = installed && realpath(installed, script) ? script : "./bootstrap build";
    if (ordered && *ordered)
        return mem_printf("%s is %s, and nothing is looked for elsewhere: let it name a CUDA "
                          "toolkit, or unset it; then `%s` fetches what is needed (no GPU is).",
                          ordering, ordered, fetch);
    return mem_printf("`%s` fetches it (it needs no GPU); or install a CUDA toolkit and set "
                      "CUDA_HOME.",
                      fetch);
}

enum status build_need_nvcc(struct error *error) {
    cleanup_free char *advice = build_toolchain_advice();
    error_set(error, STATUS_ENVIRONMENT,
              "nvcc, which compiles whole programs, is not on this machine");
    error_hint(error, "%s", advice);
    return STATUS_ENVIRONMENT;
}

enum status build_need_host_compiler(const char *path, struct error *error) {
    static const char *const programs[] = {"gcc", "g++"};
    for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
        cleanup_free char *found = file_find_program(path ? path : "/usr/bin:/bin", programs[i]);
        if (found)
            continue;
        error_set(error, STATUS_ENVIRONMENT,
                  "%s, which nvcc compiles a program's host code with, is not on this machine",
                  programs[i]);
        error_hint(error, "`apt-get install g++` installs it.");
        return STATUS_ENVIRONMENT;
    }
    return STATUS_OK;
}

enum status build_toolchain_find(struct build_toolchain *toolchain, struct error *error) {
    *toolchain = (struct build_toolchain){0};
    const char *ordered = getenv(ordering);
    if (ordered && *ordered) {
        look_into(ordered, toolchain);
    } else {
        each_root(take_if_complete, toolchain);
        if (!toolchain->nvrtc_library[0]) {
            each_part(getenv("LD_LIBRARY_PATH"), toolchain, look_for_library);
            each_part("/usr/local/lib:/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu:"
                      "/usr/lib64:/usr/lib",
                      toolchain, look_for_library);
            look_into("/usr", toolchain);
        }
        if (!is_complete(toolchain)) {
            each_root(take_missing, toolchain);
            each_part(getenv("PATH"), toolchain, look_for_programs);
        }
    }
    if (toolchain->nvrtc_library[0]) {
        find_version(toolchain);
        return STATUS_OK;
    }
    cleanup_free char *advice = build_toolchain_advice();
    error_set(error, STATUS_ENVIRONMENT, "NVRTC, NVIDIA's compiler for kernels, is not %s%s",
              ordered && *ordered ? "in " : "on this machine", ordered ? ordered : "");
    error_hint(error, "%s", advice);
    return STATUS_ENVIRONMENT;
}
