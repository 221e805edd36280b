/* Running one of the toolkit's programs from inside a worker. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_TOOL_H
#define WARPGRADE_SANDBOX_BUILD_TOOL_H

#include "sandbox/base/text.h"

#include <stdbool.h>

enum { TOOL_OUTPUT_MAX = 8 << 20 };

/* Runs argv[0] with the environment given, in `directory`, and appends what it writes to its
 * standard output and error to `output`. Returns its wait status; -1 where it could not be started.
 */
int tool_run(char *const argv[], char *const environment[], const char *directory,
             struct text *output);

#endif
