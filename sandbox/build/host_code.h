/* Functions for the host in a file of kernels. Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_HOST_CODE_H
#define WARPGRADE_SANDBOX_BUILD_HOST_CODE_H

#include "sandbox/build/session.h"

/* The submission does not compile: its errors are in the answer. Where they stand in functions for
 * the host, compiles it without the bodies of those. True where it compiles then; else the answer
 * holds the errors to show, and its outcome says whether host code is the reason. */
bool host_code_leave_out(struct session *session);

/* The submission compiles, its PTX is in the answer. Calls that nvcc or its linker refuses, and
 * NVRTC does not, become errors in the answer: of functions without a body, and of functions for
 * the host, which NVRTC adopts as device functions (-default-device). */
void host_code_check_calls(struct session *session);

#endif
