/* Kernels that are called like functions. Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_KERNEL_CALL_H
#define WARPGRADE_SANDBOX_BUILD_KERNEL_CALL_H

#include "sandbox/build/session.h"

/* The submission compiles, its kernels are in the answer. Calls of them without <<<>>>, which nvcc
 * refuses, become errors in the answer. */
void kernel_call_check(struct session *session);

#endif
