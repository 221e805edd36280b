/* Work in a process of its own, whose crash, growth or endlessness costs its answer and no more.
 * Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_ASIDE_H
#define WARPGRADE_SANDBOX_BUILD_ASIDE_H

#include "sandbox/base/text.h"

#include <stdbool.h>

/* Appends to `out` what work() has written. False, with nothing appended, where it did not end by
 * itself, within seconds on the CPU and with at most some MiB. */
bool aside_run(void (*work)(void *context, struct text *out), void *context, struct text *out);

#endif
