/* NVRTC as a table of functions in a library that is loaded when it is needed. Private to the room;
 * used by workers only. */
#ifndef WARPGRADE_SANDBOX_BUILD_NVRTC_H
#define WARPGRADE_SANDBOX_BUILD_NVRTC_H

#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct nvrtc_program;
typedef struct nvrtc_program *nvrtc_handle;

/* The part of NVRTC's interface that is used here; unchanged since CUDA 8, cubins since 11.1. */
struct nvrtc {
    int (*version)(int *major, int *minor);
    const char *(*error_string)(int code);
    int (*create)(nvrtc_handle *program, const char *source, const char *name, int header_count,
                  const char *const *headers, const char *const *names);
    int (*destroy)(nvrtc_handle *program);
    int (*compile)(nvrtc_handle program, int option_count, const char *const *options);
    int (*log_size)(nvrtc_handle program, size_t *size);
    int (*log)(nvrtc_handle program, char *log);
    int (*ptx_size)(nvrtc_handle program, size_t *size);
    int (*ptx)(nvrtc_handle program, char *ptx);
    int (*cubin_size)(nvrtc_handle program, size_t *size); /* NULL in older ones */
    int (*cubin)(nvrtc_handle program, char *cubin);       /* likewise */
    int (*add_name)(nvrtc_handle program, const char *expression);
    int (*lowered_name)(nvrtc_handle program, const char *expression, const char **lowered);
};

/* On failure `trouble` says why. The library stays loaded. */
bool nvrtc_load(struct nvrtc *nvrtc, const char *path, char *trouble, size_t trouble_size);

#endif
