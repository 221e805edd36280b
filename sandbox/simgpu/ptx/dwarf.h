/* Where an unoptimised build (-G) says its local variables lie: see dwarf.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PTX_DWARF_H
#define WARPGRADE_SANDBOX_SIMGPU_PTX_DWARF_H

#include "sandbox/simgpu/ptx/ptx.h"

struct dwarf_variable {
    struct ptx_span area; /* name of the .local variable that it is a part of */
    uint32_t offset, bytes;
    char name[64];
};

/* The variables of the text, in its order; *count is 0 where it says nothing or nothing that is
 * understood. The caller frees the result. */
struct dwarf_variable *dwarf_find_variables(struct ptx_span text, size_t *count);

#endif
