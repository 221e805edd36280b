/* Elements as the source names them, from the shapes after a PTX text: sandbox/base/shape.h. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_SHAPE_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_SHAPE_H

#include "sandbox/base/shape.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/ptx/ptx.h"

/* The shape of a variable of `bytes` bytes, in the text; length 0 where there is none that is well
 * formed and has this size. */
struct ptx_span shape_find(struct ptx_span text, struct ptx_span symbol, uint64_t bytes);

/* "tile[2][3]", "nodes[3].next": what of the variable an access of `bytes` bytes at `offset` means.
 * The first extent is no limit. False where a scalar is passed by, or the name does not fit. */
bool shape_name(struct ptx_span shape, const char *name, uint64_t offset, unsigned bytes,
                char *element, size_t size);

/* "tile[16][17]", appended; `bytes` are the variable's, for an extent that the launch decides. */
void shape_extents(struct ptx_span shape, const char *name, uint64_t bytes, struct text *out);

#endif
