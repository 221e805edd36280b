/* build_compile(): check, look into the cache, ask a worker, explain.
 *
 * The worker that runs NVRTC may answer that the file carries host code; then, where there is nvcc,
 * a second worker runs that. What is cached is the last worker's raw answer, decoded again each
 * time. */
#include "sandbox/build/build.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/cache.h"
#include "sandbox/build/probe.h"
#include "sandbox/build/request.h"
#include "sandbox/build/shims.h"
#include "sandbox/isolation/reachable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Part of every key: raise it when the meaning of an answer changes. */
static const char cache_generation[] = "warpgrade build 3";
static const char default_architecture[] = "compute_80";

/* A name that can stand between quotes in a directive and as an argument of nvcc, and that no shim
 * has. */
static char *safe_name(const char *name) {
    struct text safe = {0};
    if (*name == '-' || build_shim_exists(name, strlen(name)) ||
        strncmp(name, "warpgrade-", 10) == 0)
        text_append_char(&safe, '_');
    for (; *name; name++)
        text_append_char(&safe,
                         strchr("\"\\/<>%", *name) || (unsigned char)*name < 0x20 ? '_' : *name);
    return text_steal(&safe);
}

/* Of the source and of the headers that come with it. */
static enum cache_source cache_source_of(const struct build_job *job,
                                         const struct build_toolchain *toolchain) {
    const struct cache_headers own = {job->header_names, job->header_count};
    const char *folder = toolchain->include_directory;
    enum cache_source kind = build_cache_source(job->source, job->source_length, &own, folder);
    if (job->method == METHOD_PROGRAM && kind == CACHE_SOURCE_UNSOUND)
        return CACHE_SOURCE_WITH_TOOLKIT; /* its jail shows what is stamped, and no more */
    for (size_t i = 0; i < job->header_count && kind != CACHE_SOURCE_UNSOUND; i++) {
        enum cache_source header =
            build_cache_source(job->header_texts[i], strlen(job->header_texts[i]), &own, folder);
        kind = header == CACHE_SOURCE_UNSOUND || header > kind ? header : kind;
    }
    return kind;
}

static struct sha256 cache_key(const struct build_job *job, const struct build_toolchain *toolchain,
                               enum cache_source kind) {
    cleanup_text struct text key = {0};
    text_printf(&key, "%s\n%s\n%s\n%s\n%d%d%d\n", cache_generation, job->file_name, job->kernel,
                job->architecture, job->device_debug, job->no_signature, job->no_shapes);
    for (size_t i = 0; i < job->constant_count; i++)
        text_printf(&key, "constant %s\n", job->constants[i]);
    for (size_t i = 0; i < job->define_count; i++)
        text_printf(&key, "define %s\n", job->defines[i]);
    for (size_t i = 0; i < job->option_count; i++)
        text_printf(&key, "option %s\n", job->options[i]);
    for (size_t i = 0; i < job->header_count; i++)
        text_printf(&key, "header %s %zu\n%s", job->header_names[i], strlen(job->header_texts[i]),
                    job->header_texts[i]);
    cleanup_free char *worker = worker_program();
    build_cache_stamp(&key, worker); /* shims, epilogue, decoding */
    build_cache_stamp(&key, toolchain->nvrtc_library);
    build_cache_stamp(&key, toolchain->include_directory);
    build_cache_stamp(&key, toolchain->nvcc);
    build_cache_stamp(&key, toolchain->ptxas); /* nvcc's PTX becomes machine code by it */
    build_cache_stamp(&key, "/usr/bin/g++");   /* whose headers nvcc takes */
    if (job->method == METHOD_PROGRAM) {
        text_append(&key, "program\n");
        build_cache_stamp(&key, "/usr/include");
        build_cache_stamp(&key, job->library);
    }
    if (kind == CACHE_SOURCE_WITH_TOOLKIT)
        build_cache_stamp_headers(&key, toolchain);
    struct hash_part parts[] = {{key.data, key.length}, {job->source, job->source_length}};
    return hash_parts(parts, ARRAY_LENGTH(parts));
}

/* nvcc gave PTX; its machine code is what ptxas makes of that. */
static enum status add_cubin(const struct build_job *job, const struct build_toolchain *toolchain,
                             const struct worker_limits *limits, enum build_end *end,
                             struct build_answer *answer, struct text *response,
                             struct error *error) {
    if (!toolchain->ptxas[0])
        return build_need_ptxas(error);
    struct build_job ptxas = {.method = METHOD_PTXAS,
                              .source = text_string(&answer->output),
                              .source_length = answer->output.length,
                              .architecture = job->architecture,
                              .tool = toolchain->ptxas};
    struct build_answer assembled;
    enum status status = build_run_job(&ptxas, limits, end, &assembled, NULL, error);
    if (status != STATUS_OK)
        return status;
    if (*end == BUILD_DONE && assembled.outcome == OUTCOME_COMPILED) {
        text_append_bytes(&answer->cubin, assembled.cubin.data, assembled.cubin.length);
        text_clear(response);
        build_answer_frame(answer, response);
    } else if (*end == BUILD_DONE) {
        answer->outcome = OUTCOME_TOOL_FAILED;
        snprintf(answer->trouble, sizeof answer->trouble, "ptxas: %.400s",
                 assembled.trouble[0] ? assembled.trouble : text_string(&assembled.output));
    }
    build_answer_free(&assembled);
    return status;
}

static enum status run_nvcc(const struct build_job *job, const struct build_toolchain *toolchain,
                            const struct worker_limits *limits, enum build_end *end,
                            struct build_answer *answer, struct text *response,
                            struct error *error) {
    const char *path = getenv("PATH");
    struct build_job nvcc = *job;
    nvcc.method = METHOD_NVCC;
    nvcc.tool = toolchain->nvcc;
    nvcc.path = path ? path : "/usr/bin:/bin";
    enum status status = build_run_job(&nvcc, limits, end, answer, response, error);
    if (status == STATUS_OK && *end == BUILD_DONE && answer->outcome == OUTCOME_COMPILED &&
        build_is_real(job->architecture))
        status = add_cubin(&nvcc, toolchain, limits, end, answer, response, error);
    return status;
}

/* What is cached: one byte that says which compiler, then the worker's frame. */
static bool take_cached(const struct sha256 *key, struct build_answer *answer, bool *used_nvcc) {
    cleanup_text struct text payload = {0};
    cleanup_message struct protocol_message message = {0};
    const char *culprit;
    if (!build_cache_get(key, &payload) || payload.length < 1 ||
        !protocol_parse(payload.data + 1, payload.length - 1, &message) ||
        !build_answer_decode(&message, answer, &culprit))
        return false;
    *used_nvcc = payload.data[0] == 'C';
    return true;
}

static void put_cached(const struct sha256 *key, const struct text *response, bool used_nvcc) {
    cleanup_text struct text payload = {0};
    text_append_char(&payload, used_nvcc ? 'C' : 'R');
    text_append_bytes(&payload, response->data, response->length);
    build_cache_put(key, payload.data, payload.length);
}

/* The runtime may stand in a tree that is closed to the compiler's user. */
static enum status link_program(const struct build_job *job, const struct worker_limits *limits,
                                enum build_end *end, struct build_answer *answer,
                                struct text *response, struct error *error) {
    static const char name[] = "libcudart.so";
    struct build_job program = *job;
    char *copy = NULL;
    enum status status = reachable_copy(job->library, name, &copy, error);
    if (status != STATUS_OK)
        return status;
    program.library = copy ? copy : job->library;
    status = build_run_job(&program, limits, end, answer, response, error);
    reachable_remove(copy, name);
    return status;
}

static enum status ask_workers(const struct build_job *job, const struct build_toolchain *toolchain,
                               const struct worker_limits *limits, struct build_result *result,
                               struct build_answer *answer, struct text *response,
                               struct error *error) {
    enum status status = job->method == METHOD_PROGRAM
                             ? link_program(job, limits, &result->end, answer, response, error)
                             : build_run_job(job, limits, &result->end, answer, response, error);
    if (status != STATUS_OK || result->end != BUILD_DONE)
        return status;
    if (answer->outcome == OUTCOME_HOST_CODE && toolchain->nvcc[0]) {
        build_answer_free(answer);
        text_clear(response);
        result->used_nvcc = true;
        status = run_nvcc(job, toolchain, limits, &result->end, answer, response, error);
    }
    if (status != STATUS_OK || result->end != BUILD_DONE || answer->outcome != OUTCOME_TOOL_FAILED)
        return status;
    bool refused = strstr(answer->trouble, "invalid value for --gpu-architecture") != NULL;
    int length = (int)strlen(answer->trouble);
    while (length && answer->trouble[length - 1] == '\n') /* it may be a log */
        length--;
    error_set(error, refused ? STATUS_INVALID : STATUS_ENVIRONMENT, "%s cannot be used: %.*s",
              answer->compiler[0] ? answer->compiler : job->library, length, answer->trouble);
    if (refused)
        error_hint(error, "This compiler does not know %s.", job->architecture);
    return refused ? STATUS_INVALID : STATUS_ENVIRONMENT;
}

/* Moves the answer into the result; file names become the user's again. */
static void take_answer(const struct build_request *request, const struct build_job *job,
                        struct build_answer *answer, struct build_result *result) {
    for (size_t i = 0; i < answer->diagnostic_count; i++)
        if (strcmp(answer->diagnostics[i].file, job->file_name) == 0)
            snprintf(answer->diagnostics[i].file, sizeof answer->diagnostics[i].file, "%s",
                     request->file_name);
    bool found = !request->kernel || (answer->kernel_state == KERNEL_FOUND &&
                                      answer->kernel_index < answer->kernel_count);
    result->compiled = result->end == BUILD_DONE && answer->outcome == OUTCOME_COMPILED && found;
    result->kernel_index =
        found && answer->kernel_index < answer->kernel_count ? answer->kernel_index : 0;
    for (size_t i = 0; i < result->constant_count && i < answer->constant_count; i++) {
        result->constants[i].known = answer->constants[i].known;
        result->constants[i].value = answer->constants[i].value;
    }
    snprintf(result->compiler, sizeof result->compiler, "%s", answer->compiler);
}

static void steal_answer(struct build_answer *answer, struct build_result *result) {
    result->diagnostics = steal_pointer(&answer->diagnostics);
    result->diagnostic_count = answer->diagnostic_count;
    answer->diagnostic_count = 0;
    result->kernels = steal_pointer(&answer->kernels);
    result->kernel_count = answer->kernel_count;
    answer->kernel_count = 0;
    if (result->compiled) {
        result->ptx_length = answer->output.length;
        result->ptx = text_steal(&answer->output);
        result->cubin_length = answer->cubin.length;
        result->cubin = text_steal(&answer->cubin);
    }
}

static void prepare_result(const struct build_request *request, struct build_result *result) {
    *result = (struct build_result){0};
    result->constant_count = request->constant_count;
    result->constants = mem_calloc(request->constant_count, sizeof *result->constants);
    for (size_t i = 0; i < request->constant_count; i++)
        snprintf(result->constants[i].name, sizeof result->constants[i].name, "%s",
                 request->constants[i]);
}

static void make_job(const struct build_request *request, const struct build_toolchain *toolchain,
                     const char *name, const char *source, size_t length, struct build_job *job) {
    const char *path = request->program_runtime ? getenv("PATH") : NULL;
    *job = (struct build_job){
        .method = request->program_runtime ? METHOD_PROGRAM : METHOD_NVRTC,
        .file_name = name,
        .source = source,
        .source_length = length,
        .kernel = request->kernel ? request->kernel : "",
        .constant_count = request->constant_count,
        .define_count = request->define_count,
        .option_count = request->option_count,
        .header_count = request->header_count,
        .architecture = request->architecture ? request->architecture : default_architecture,
        .device_debug = request->device_debug,
        .no_signature = request->no_signature,
        .no_shapes = request->no_shapes,
        .library = request->program_runtime ? request->program_runtime : toolchain->nvrtc_library,
        .include_directory = toolchain->include_directory,
        .tool = request->program_runtime ? toolchain->nvcc : NULL,
        .path = path || !request->program_runtime ? path : "/usr/bin:/bin",
    };
    for (size_t i = 0; i < request->constant_count; i++)
        job->constants[i] = request->constants[i];
    for (size_t i = 0; i < request->define_count; i++)
        job->defines[i] = request->defines[i];
    for (size_t i = 0; i < request->option_count; i++)
        job->options[i] = request->options[i];
    for (size_t i = 0; i < request->header_count; i++) {
        job->header_names[i] = request->headers[i].name;
        job->header_texts[i] = request->headers[i].text;
    }
}

static enum status compile(const struct build_request *request,
                           const struct build_toolchain *toolchain, const struct build_job *job,
                           const struct worker_limits *limits, struct build_result *result,
                           struct error *error) {
    struct build_answer answer = {0};
    struct worker_limits full = build_limits(limits);
    enum cache_source kind = cache_source_of(job, toolchain);
    bool cached = !request->no_cache && kind != CACHE_SOURCE_UNSOUND;
    struct sha256 key = cached ? cache_key(job, toolchain, kind) : (struct sha256){0};
    enum status status = STATUS_OK;
    result->from_cache = cached && take_cached(&key, &answer, &result->used_nvcc);
    if (!result->from_cache) {
        cleanup_text struct text response = {0};
        status = ask_workers(job, toolchain, &full, result, &answer, &response, error);
        if (status == STATUS_OK && result->end == BUILD_DONE && cached)
            put_cached(&key, &response, result->used_nvcc);
    }
    if (status == STATUS_OK) {
        take_answer(request, job, &answer, result);
        build_explain(request, &answer, &full, result);
        steal_answer(&answer, result);
    }
    build_answer_free(&answer);
    return status;
}

enum status build_compile(const struct build_request *request, const struct worker_limits *limits,
                          struct build_result *result, struct error *error) {
    double started = clock_ms();
    *result = (struct build_result){0};
    struct build_request named = *request;
    if (!named.file_name || !*named.file_name)
        named.file_name = "kernel.cu";
    named.file_name = file_base_name(named.file_name);
    enum status status = build_request_check(&named, error);
    struct build_toolchain toolchain;
    if (status != STATUS_OK)
        return status;
    prepare_result(&named, result);
    const char *source = named.source;
    size_t length = named.source_length;
    if (length >= 3 && memcmp(source, "\xef\xbb\xbf", 3) == 0) {
        source += 3; /* a byte order mark is no part of the program */
        length -= 3;
    }
    if (build_source_check(named.file_name, source, length, result)) {
        status = build_toolchain_find(&toolchain, error);
        if (status == STATUS_OK && named.program_runtime && !toolchain.nvcc[0])
            status = build_need_nvcc(error);
        if (status == STATUS_OK && named.program_runtime)
            status = build_need_host_compiler(getenv("PATH"), error);
        if (status == STATUS_OK) {
            cleanup_free char *name = safe_name(named.file_name);
            cleanup_free char *text = mem_strndup(source, length);
            struct build_job job;
            make_job(&named, &toolchain, name, text, length, &job);
            status = compile(&named, &toolchain, &job, limits, result, error);
        }
    }
    result->elapsed_ms = clock_ms() - started;
    if (status != STATUS_OK)
        build_result_free(result);
    return status;
}

void build_list_kernels(const char *ptx, struct build_result *result) {
    struct build_answer answer = {0};
    probe_entries(ptx, &answer);
    *result = (struct build_result){.kernels = steal_pointer(&answer.kernels),
                                    .kernel_count = answer.kernel_count};
    answer.kernel_count = 0;
    build_answer_free(&answer);
}

void build_result_free(struct build_result *result) {
    for (size_t i = 0; i < result->kernel_count; i++)
        build_kernel_clear(&result->kernels[i]);
    free(result->kernels);
    free(result->diagnostics);
    free(result->constants);
    free(result->ptx);
    free(result->cubin);
    *result = (struct build_result){0};
}
