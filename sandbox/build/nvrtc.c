/* Loads NVRTC by its absolute path, so that neither the program's start nor its own library search
 * depends on a CUDA toolkit. NVRTC opens libnvrtc-builtins by its bare name, which the loader finds
 * only where the toolkit is in its cache (NVRTC has no run path); a library of that name that is
 * loaded already is taken in its place, so those beside NVRTC are loaded first. */
#include "sandbox/build/nvrtc.h"

#include "sandbox/base/memory.h"
#include "sandbox/worker/worker.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *symbol;
    size_t offset;
    bool may_miss;
} functions[] = {
    {"nvrtcVersion", offsetof(struct nvrtc, version)},
    {"nvrtcGetErrorString", offsetof(struct nvrtc, error_string)},
    {"nvrtcCreateProgram", offsetof(struct nvrtc, create)},
    {"nvrtcDestroyProgram", offsetof(struct nvrtc, destroy)},
    {"nvrtcCompileProgram", offsetof(struct nvrtc, compile)},
    {"nvrtcGetProgramLogSize", offsetof(struct nvrtc, log_size)},
    {"nvrtcGetProgramLog", offsetof(struct nvrtc, log)},
    {"nvrtcGetPTXSize", offsetof(struct nvrtc, ptx_size)},
    {"nvrtcGetPTX", offsetof(struct nvrtc, ptx)},
    {"nvrtcGetCUBINSize", offsetof(struct nvrtc, cubin_size), true},
    {"nvrtcGetCUBIN", offsetof(struct nvrtc, cubin), true},
    {"nvrtcAddNameExpression", offsetof(struct nvrtc, add_name)},
    {"nvrtcGetLoweredName", offsetof(struct nvrtc, lowered_name)},
};

/* One that cannot be loaded is left for NVRTC to complain about. */
static void load_builtins(const char *nvrtc_path) {
    const char *slash = strrchr(nvrtc_path, '/');
    cleanup_free char *pattern = mem_printf("%.*slibnvrtc-builtins.so.*",
                                            slash ? (int)(slash + 1 - nvrtc_path) : 0, nvrtc_path);
    glob_t found = {0};
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            dlopen(found.gl_pathv[i], RTLD_LAZY | RTLD_LOCAL);
    globfree(&found);
}

bool nvrtc_load(struct nvrtc *nvrtc, const char *path, char *trouble, size_t trouble_size) {
    load_builtins(path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(trouble, trouble_size, "%s", dlerror());
        /* The loader's words where its mmap() is refused: the limit is too low even for the
         * library. */
        if (strstr(trouble, "cannot map zero-fill pages") ||
            strstr(trouble, "failed to map segment") || strstr(trouble, "cannot allocate memory"))
            _exit(WORKER_EXIT_MEMORY);
        return false;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(functions); i++) {
        void *function = dlsym(library, functions[i].symbol);
        if (!function && !functions[i].may_miss) {
            snprintf(trouble, trouble_size, "%s has no function %s: it is too old", path,
                     functions[i].symbol);
            return false;
        }
        memcpy((char *)nvrtc + functions[i].offset, &function, sizeof function);
    }
    return true;
}
