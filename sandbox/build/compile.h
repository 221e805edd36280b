/* From a job to an answer: which programs to compile, and what to make of what the compiler says.
 * Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_COMPILE_H
#define WARPGRADE_SANDBOX_BUILD_COMPILE_H

#include "sandbox/build/answer.h"
#include "sandbox/build/diagnostics.h"
#include "sandbox/build/probe.h"

/* A macro with which cooperative_groups.h brings traits and operators of its own instead of
 * libcu++'s, which take NVRTC 0.2 s and nvcc two. */
#define BUILD_SMALL_GROUPS "_CG_LIMIT_INCLUDED_DEPENDENCIES"

/* One run of a compiler. */
struct compile_pass {
    const char *program; /* what is compiled; it may include the submission by its name */
    const char
        *name_expression; /* a kernel to instantiate and whose lowered name is asked for, or NULL */
    bool strict_host;     /* refuse functions without __device__ instead of adopting them */
};

struct compile_result {
    bool compiled;
    struct text log, ptx;
    struct text cubin; /* where the architecture is a real one and the compiler makes them itself */
    char lowered[512]; /* of name_expression; empty where unknown */
};

/* A compiler: false where the tool itself failed, with trouble filled. */
struct compiler {
    bool (*run)(void *context, const struct build_job *job, const struct compile_pass *pass,
                struct compile_result *result, char *trouble, size_t trouble_size);
    void *context;
    bool takes_host_code;
    bool has_name_expressions;
};

void compile_submission(const struct build_job *job, const struct compiler *compiler,
                        struct build_answer *answer);

/* The two compilers and ptxas, each for one job. */
void compile_with_nvrtc(const struct build_job *job, struct build_answer *answer);
void compile_with_nvcc(const struct build_job *job, struct build_answer *answer);
void compile_assemble_with_ptxas(const struct build_job *job, struct build_answer *answer);
/* Host code, too: the answer's output is an ELF file. */
void compile_program(const struct build_job *job, struct build_answer *answer);

#endif
