/* The build workers' roles: one request, one answer, one method of four. NVRTC has a worker that
 * can execute nothing, the toolkit's programs have another. */
#include "sandbox/worker/worker.h"
#include "sandbox/build/build.h"
#include "sandbox/build/compile.h"
#include "sandbox/worker/entry.h"

#include <stdio.h>

enum { REQUEST_MAX = 256 << 20 };

static void (*const methods[METHOD_COUNT])(const struct build_job *, struct build_answer *) = {
    [METHOD_NVRTC] = compile_with_nvrtc,
    [METHOD_NVCC] = compile_with_nvcc,
    [METHOD_PTXAS] = compile_assemble_with_ptxas,
    [METHOD_PROGRAM] = compile_program,
};

static int run_job(const struct worker_entry *entry, bool executes, struct text *response) {
    struct build_job job;
    if (!build_job_decode(worker_request(entry), &job) ||
        executes != (job.method != METHOD_NVRTC)) {
        fputs("the request is not valid\n", stderr);
        return WORKER_EXIT_REFUSED;
    }
    struct build_answer answer = {0};
    methods[job.method](&job, &answer);
    build_answer_frame(&answer, response);
    return 0;
}

static int run_compiler(const struct worker_entry *entry, struct text *response) {
    return run_job(entry, false, response);
}

static int run_tools(const struct worker_entry *entry, struct text *response) {
    return run_job(entry, true, response);
}

/* NVRTC has 20 to 30 MB of heap for a small kernel, and gives none of it back before it ends. */
static void expect_heap(void) {
    worker_expect_heap(16 << 20, 32 << 20);
}

const struct worker_role build_role = {.name = "build",
                                       .profile = JAIL_COMPILER,
                                       .request_max = REQUEST_MAX,
                                       .prepare = expect_heap,
                                       .run = run_compiler};
const struct worker_role build_tools_role = {
    .name = "tools", .profile = JAIL_TOOLS, .request_max = REQUEST_MAX, .run = run_tools};
