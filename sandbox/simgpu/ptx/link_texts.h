/* Several PTX texts that are one program (nvcc -rdc=true), as one text. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PTX_LINK_TEXTS_H
#define WARPGRADE_SANDBOX_SIMGPU_PTX_LINK_TEXTS_H

#include "sandbox/base/text.h"
#include "sandbox/simgpu/ptx/ptx.h"

/* Appends the linked text to *linked. An error names the symbol. Hostile input. */
enum status ptx_link_texts(const struct ptx_span *texts, size_t count, struct text *linked,
                           struct error *error);

#endif
