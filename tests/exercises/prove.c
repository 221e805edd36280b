/* `warpgrade validate` with one NVRTC for all that it compiles: prove [OPTION ...] EXERCISE ...
 *
 * A proof compiles some twenty small kernels, all of them ours, and to load NVRTC into a jail takes
 * longer than each of them. Here build_run_job() hands what is for NVRTC to a process that compiles
 * one text after another with the workers' own code (support/compiler.h; the linker's --wrap), and
 * gives the same answers bit for bit. All else is the program's: kernels run in its workers, in
 * their jails, beside which this program stands. That workers compile in a jail, and what
 * `warpgrade validate` says, is shown by the tests of the fixtures, of unit/build, attacks/ and
 * e2e/. */
#include "grader/cli/command.h"
#include "sandbox/build/request.h"
#include "sandbox/program/worker_main.h"
#include "tests/support/compiler.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

enum status __real_build_run_job(const struct build_job *job, const struct worker_limits *limits,
                                 enum build_end *end, struct build_answer *answer,
                                 struct text *response, struct error *error);
enum status __wrap_build_run_job(const struct build_job *job, const struct worker_limits *limits,
                                 enum build_end *end, struct build_answer *answer,
                                 struct text *response, struct error *error);

static struct compiler_process compiler;
static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;

enum status __wrap_build_run_job(const struct build_job *job, const struct worker_limits *limits,
                                 enum build_end *end, struct build_answer *answer,
                                 struct text *response, struct error *error) {
    if (job->method != METHOD_NVRTC)
        return __real_build_run_job(job, limits, end, answer, response, error);
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    const char *culprit;
    *answer = (struct build_answer){0};
    pthread_mutex_lock(&one_by_one);
    bool answered = compiler_ask(&compiler, job, &frame);
    pthread_mutex_unlock(&one_by_one);
    if (!answered || !protocol_parse(text_string(&frame), frame.length, &message) ||
        !build_answer_decode(&message, answer, &culprit))
        return error_set(error, STATUS_ENVIRONMENT, "the compiler has ended at %s", job->file_name);
    if (response)
        text_append_bytes(response, frame.data, frame.length);
    *end = BUILD_DONE;
    return STATUS_OK;
}

int main(int argc, char **argv) {
    static char name[] = "warpgrade validate";
    struct error error;
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    signal(SIGPIPE, SIG_IGN);
    enum status status = compiler_start(&compiler, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    argv[0] = name;
    code = command_validate(argc, argv);
    if (fflush(stdout) != 0 && code == 0)
        code = STATUS_ENVIRONMENT;
    compiler_end(&compiler);
    return code;
}
