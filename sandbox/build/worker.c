/* The build workers' main(): one request, one answer, one method of three. NVRTC has a worker that
 * can execute nothing, the toolkit's programs have another.
 *
 * It ends with _exit(): NVRTC's destructors cost a millisecond and have nothing to save. */
#include "sandbox/build/compile.h"

#include "sandbox/base/file.h"

#include <stdio.h>
#include <unistd.h>

enum { REQUEST_MAX = 256 << 20 };

static void (*const methods[METHOD_COUNT])(const struct build_job *, struct build_answer *) = {
    [METHOD_NVRTC] = compile_with_nvrtc,
    [METHOD_NVCC] = compile_with_nvcc,
    [METHOD_PTXAS] = compile_assemble_with_ptxas,
};

static int worker_run_job(bool executes) {
    struct text request = {0}, response = {0};
    struct protocol_message message;
    struct build_job job;
    if (!worker_read_request(REQUEST_MAX, &request) ||
        !protocol_parse(text_string(&request), request.length, &message) ||
        !build_job_decode(&message, &job) || executes != (job.method != METHOD_NVRTC)) {
        fputs("the request is not valid\n", stderr);
        return WORKER_EXIT_REFUSED;
    }
    struct build_answer answer = {0};
    methods[job.method](&job, &answer);
    build_answer_frame(&answer, &response);
    _exit(file_write_all(STDOUT_FILENO, response.data, response.length) ? 0 : WORKER_EXIT_REFUSED);
}

int build_worker_main(void) {
    jail_enter(JAIL_COMPILER);
    return worker_run_job(false);
}

int build_tools_worker_main(void) {
    jail_enter(JAIL_TOOLS);
    return worker_run_job(true);
}
