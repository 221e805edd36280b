/* From debug information to the shapes of variables. Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_SHAPES_H
#define WARPGRADE_SANDBOX_BUILD_SHAPES_H

#include "sandbox/base/text.h"

#include <stdbool.h>

/* Could the PTX have variables whose elements are named wrongly by counting accesses alone? Else
 * the debug build is not worth its time. */
bool shapes_are_wanted(const char *source, const char *ptx);

/* The program whose -G build tells the types, and the submission as it must be included there. Both
 * are appended. */
void shapes_program(const char *file_name, const char *source, struct text *program,
                    struct text *rewritten);

/* Appends the lines of sandbox/base/shape.h for the variables that the debug sections of
 * `debug_ptx` describe and `ptx` mentions; nothing where they are missing or not understood. */
void shapes_append(const char *debug_ptx, const char *ptx, struct text *out);

#endif
