/* One job while it is compiled: what compile.c and host_code.c share. Private to the room; runs in
 * the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_SESSION_H
#define WARPGRADE_SANDBOX_BUILD_SESSION_H

#include "sandbox/build/compile.h"

struct session {
    const struct build_job *job;
    const struct compiler *compiler;
    struct build_answer *answer;
    struct probe probe;
    bool kernel_wanted; /* the name expression of the kernel is part of the pass */
    bool alone;         /* the submission without includes and questions */
    struct diagnostic_list diagnostics;
    struct compile_result result;
    const char *whole_source;      /* the submission as it was handed in */
    struct build_job without_host; /* the job after host_code_leave_out() */
    struct text source;            /* ... whose it is */
};

/* Compiles until the submission and the remaining questions do, or its own errors are known: then
 * they are in the answer. */
bool session_settle(struct session *session);
/* Asks all questions again, as at the start. */
void session_restart(struct session *session);
void session_clear_result(struct compile_result *result);

/* The submission compiles, its kernels are in the answer. Calls of them without <<<>>>, which nvcc
 * refuses, become errors in the answer (kernel_call.c). */
void kernel_call_check(struct session *session);

#endif
