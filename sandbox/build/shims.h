/* Small stand-ins for the headers that a kernel's file includes out of habit: NVRTC has no host
 * headers of its own and knows most of what they declare without any. */
#ifndef WARPGRADE_SANDBOX_BUILD_SHIMS_H
#define WARPGRADE_SANDBOX_BUILD_SHIMS_H

#include <stdbool.h>
#include <stddef.h>

extern const char *const build_shim_names[]; /* "stdio.h" */
extern const char *const build_shim_texts[]; /* the same index */
extern const size_t build_shim_count;

bool build_shim_exists(const char *name, size_t length);

#endif
