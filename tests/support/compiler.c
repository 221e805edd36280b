/* The compiler of compiler.h: requests and answers are the workers' own frames, each after its
 * length. It is a process, and no function, because NVRTC never gives back all its memory, which a
 * sanitizer would report, and because one that dies says so. */
#include "tests/support/compiler.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/cache.h"
#include "sandbox/build/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAME_MAX = 256 << 20 };

/* ---- frames ---------------------------------------------------------------------------------- */

static bool read_bytes(int from, char *bytes, size_t length) {
    while (length) {
        ssize_t got = read(from, bytes, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got;
        length -= (size_t)got;
    }
    return true;
}

static bool read_frame(int from, struct text *frame) {
    size_t length;
    if (!read_bytes(from, (char *)&length, sizeof length) || length > FRAME_MAX)
        return false;
    cleanup_free char *bytes = mem_alloc(length);
    if (!read_bytes(from, bytes, length))
        return false;
    text_append_bytes(frame, bytes, length);
    return true;
}

static bool write_frame(int to, const struct text *frame) {
    return file_write_all(to, &frame->length, sizeof frame->length) &&
           file_write_all(to, frame->data, frame->length);
}

/* ---- the process ----------------------------------------------------------------------------- */

static bool serve(int requests, int answers) {
    cleanup_text struct text request = {0}, response = {0};
    cleanup_message struct protocol_message message = {0};
    struct build_job job;
    struct build_answer answer = {0};
    if (!read_frame(requests, &request) ||
        !protocol_parse(text_string(&request), request.length, &message) ||
        !build_job_decode(&message, &job))
        return false;
    compile_with_nvrtc(&job, &answer);
    build_answer_frame(&answer, &response);
    build_answer_free(&answer);
    return write_frame(answers, &response);
}

static _Noreturn void compile_until_end(int requests, int answers) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir("/") != 0) /* as in a worker's jail: the PTX names the folder */
        _exit(1);
    while (serve(requests, answers))
        ;
    _exit(0);
}

enum status compiler_start(struct compiler_process *compiler, struct error *error) {
    *compiler = (struct compiler_process){.child = -1, .requests = -1, .answers = -1};
    int requests[2], answers[2];
    enum status status = build_toolchain_find(&compiler->toolchain, error);
    if (status != STATUS_OK)
        return status;
    if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "no pipe to a compiler: %s", strerror(errno));
    compiler->child = fork();
    if (compiler->child == 0) {
        close(requests[1]);
        compile_until_end(requests[0], answers[1]);
    }
    close(requests[0]);
    close(answers[1]);
    compiler->requests = requests[1];
    compiler->answers = answers[0];
    signal(SIGPIPE, SIG_IGN); /* that it has ended shows in its answer */
    return STATUS_OK;
}

void compiler_end(struct compiler_process *compiler) {
    if (compiler->requests >= 0)
        close(compiler->requests);
    if (compiler->answers >= 0)
        close(compiler->answers);
    if (compiler->child > 0)
        waitpid(compiler->child, NULL, 0);
    compiler->child = compiler->requests = compiler->answers = -1;
}

/* ---- asking it ------------------------------------------------------------------------------- */

static bool take(const struct text *frame, struct build_answer *answer) {
    cleanup_message struct protocol_message message = {0};
    const char *culprit;
    return protocol_parse(text_string(frame), frame->length, &message) &&
           build_answer_decode(&message, answer, &culprit);
}

static struct sha256 key_of(const struct compiler_process *compiler, const struct text *request) {
    cleanup_text struct text key = {0};
    text_append(&key, "warpgrade tests' compiler 1\n");
    build_cache_stamp(&key, "/proc/self/exe");
    build_cache_stamp(&key, compiler->toolchain.nvrtc_library);
    build_cache_stamp_headers(&key, &compiler->toolchain);
    struct hash_part parts[] = {{key.data, key.length}, {request->data, request->length}};
    return hash_parts(parts, ARRAY_LENGTH(parts));
}

bool compiler_ask(struct compiler_process *compiler, const struct build_job *job,
                  struct text *response) {
    cleanup_text struct text frame = {0};
    protocol_frame(&frame, build_job_encode(job), job->source, job->source_length);
    return write_frame(compiler->requests, &frame) && read_frame(compiler->answers, response);
}

enum status compiler_run(struct compiler_process *compiler, const struct build_request *request,
                         struct build_answer *answer, struct error *error) {
    struct build_job job = {
        .method = METHOD_NVRTC,
        .file_name = request->file_name,
        .source = request->source,
        .source_length = request->source_length,
        .kernel = "",
        .define_count = request->define_count,
        .architecture = request->architecture ? request->architecture : "compute_80",
        .device_debug = request->device_debug,
        .no_signature = request->no_signature,
        .no_shapes = request->no_shapes,
        .library = compiler->toolchain.nvrtc_library,
        .include_directory = compiler->toolchain.include_directory,
    };
    for (size_t i = 0; i < request->define_count; i++)
        job.defines[i] = request->defines[i];
    cleanup_text struct text frame = {0}, response = {0};
    protocol_frame(&frame, build_job_encode(&job), job.source, job.source_length);
    struct sha256 key = key_of(compiler, &frame);
    *answer = (struct build_answer){0};
    if (build_cache_get(&key, &response) && take(&response, answer))
        return STATUS_OK;
    text_clear(&response);
    if (!write_frame(compiler->requests, &frame) || !read_frame(compiler->answers, &response) ||
        !take(&response, answer))
        return error_set(error, STATUS_ENVIRONMENT, "the compiler has ended at this file");
    if (answer->outcome != OUTCOME_TOOL_FAILED)
        build_cache_put(&key, response.data, response.length);
    return STATUS_OK;
}
