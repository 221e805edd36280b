/* The compiler's log as structured diagnostics. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_DIAGNOSTICS_H
#define WARPGRADE_SANDBOX_BUILD_DIAGNOSTICS_H

#include "sandbox/build/build.h"

struct diagnostic_list {
    struct build_diagnostic *items;
    size_t count, capacity;
};

/* Appends what the log of NVRTC, nvcc or ptxas says. `source` is the text of the file `file_name`:
 * a column is believed only where the echoed line is the source's own. */
void diagnostics_parse(const char *log, const char *file_name, const char *source,
                       struct diagnostic_list *list);
/* Of a parameter whose type is not known, the compiler says five errors, and last the cause: keeps
 * that one. */
void diagnostics_drop_consequences(struct diagnostic_list *list);
/* Keeps at most max: errors and their notes before warnings, in the compiler's order. */
void diagnostics_cap(struct diagnostic_list *list, size_t max);

#endif
