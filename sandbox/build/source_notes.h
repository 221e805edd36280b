/* Writes the comments of sandbox/base/source_note.h. Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_SOURCE_NOTES_H
#define WARPGRADE_SANDBOX_BUILD_SOURCE_NOTES_H

#include "sandbox/base/text.h"
#include "sandbox/build/build.h"

/* Appends the lines of `source` that hold a `return`, where the PTX has a barrier: in PTX, a return
 * and an `if` that reaches to the end of the kernel are the same branch. */
void source_notes_returns(const char *source, struct text *ptx);

/* Marks the traps that stand where the source stores to constant memory, with the lines that the
 * compiler's warnings name; nothing where it gave no such warning. */
void source_notes_constant_stores(const struct build_diagnostic *diagnostics, size_t count,
                                  const char *file_name, struct text *ptx);

#endif
