/* NVRTC in one process that compiles one text after another. A worker loads it anew for each, and
 * stands in a jail, which takes longer than a small kernel does: this is for tests that compile
 * hundreds of kernels of ours, and are not about compiling. What is compiled is kept where
 * build_compile() keeps it. */
#ifndef WARPGRADE_TESTS_SUPPORT_COMPILER_H
#define WARPGRADE_TESTS_SUPPORT_COMPILER_H

#include "sandbox/base/error.h"
#include "sandbox/build/answer.h"
#include "sandbox/build/build.h"

#include <sys/types.h>

struct compiler_process {
    struct build_toolchain toolchain;
    pid_t child;
    int requests, answers; /* -1: it does not run */
};

/* Call it before there are threads. */
enum status compiler_start(struct compiler_process *compiler, struct error *error);
void compiler_end(struct compiler_process *compiler);

/* As the worker of build_compile() answers, to a job without headers and questions.
 * STATUS_ENVIRONMENT where the process has ended. Release the answer with build_answer_free(). */
enum status compiler_run(struct compiler_process *compiler, const struct build_request *request,
                         struct build_answer *answer, struct error *error);

/* The frame with which a worker answers to the job, which is for NVRTC; nothing is kept. False
 * where the process has ended. */
bool compiler_ask(struct compiler_process *compiler, const struct build_job *job,
                  struct text *response);

#endif
