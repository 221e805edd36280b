/* build_assemble(): machine code, by ptxas. build_resources(): what `ptxas -v` says. PTX registers
 * are virtual; only the assembler knows how many a thread really gets, and whether some spill.
 *
 *     ptxas info    : Compiling entry function '_Z3dotPKf' for 'sm_80'
 *     ptxas info    : Function properties for _Z3dotPKf
 *         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *     ptxas info    : Used 12 registers, used 1 barriers, 64 bytes smem, 372 bytes cmem[0] */
#include "sandbox/build/build.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/cache.h"
#include "sandbox/build/request.h"
#include "sandbox/build/unresolved.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in front of `words` between text and end, 0 where it is not there. */
static uint64_t number_before(const char *text, const char *end, const char *words) {
    const char *at = memmem(text, (size_t)(end - text), words, strlen(words));
    while (at && at > text && at[-1] == ' ')
        at--;
    const char *digits = at;
    while (digits && digits > text && isdigit((unsigned char)digits[-1]))
        digits--;
    return digits && digits < at ? strtoull(digits, NULL, 10) : 0;
}

/* Functions that the kernel calls have their properties after its own. */
static uint64_t stack_of(const char *from, const char *end) {
    static const char words[] = "bytes stack frame";
    uint64_t bytes = 0;
    for (const char *at; (at = memmem(from, (size_t)(end - from), words, sizeof words - 1));
         from = at + sizeof words - 1)
        bytes += number_before(from, at + sizeof words - 1, words);
    return bytes;
}

static bool parse(const char *log, const char *kernel, struct build_resources *resources) {
    cleanup_free char *start = mem_printf("entry function '%s'", kernel);
    const char *from = strstr(log, start);
    if (!from)
        return false;
    const char *end = strstr(from + 1, "Compiling entry function");
    if (!end)
        end = from + strlen(from);
    const char *used = strstr(from, "Used ");
    if (!used || used > end)
        return false;
    const char *line_end = used + strcspn(used, "\n");
    *resources = (struct build_resources){
        .registers_per_thread = (unsigned)number_before(used, line_end, "registers"),
        .static_shared_bytes = number_before(used, line_end, "bytes smem"),
        .spill_store_bytes = number_before(from, used, "bytes spill stores"),
        .spill_load_bytes = number_before(from, used, "bytes spill loads"),
        .stack_bytes = stack_of(from, end),
    };
    return resources->registers_per_thread > 0;
}

bool build_arrays_in_registers(const struct build_resources *resources) {
    return resources->registers_per_thread && !resources->stack_bytes;
}

static struct sha256 key_of(const char *what, const struct build_job *job) {
    cleanup_text struct text key = {0};
    text_printf(&key, "warpgrade %s 1\n%s\n", what, job->architecture);
    build_cache_stamp(&key, job->tool);
    struct hash_part parts[] = {{key.data, key.length}, {job->source, job->source_length}};
    return hash_parts(parts, ARRAY_LENGTH(parts));
}

/* The line of the source from which a line of the PTX was made; 0: not known, or a header's. */
static unsigned long source_line(const char *ptx, size_t length, unsigned long ptx_line) {
    const char *at = ptx, *end = ptx + length;
    unsigned long file = 0, line = 0;
    for (; ptx_line > 1 && at < end; ptx_line--) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            return 0;
        char text[64];
        size_t shown = (size_t)(line_end - at);
        snprintf(text, sizeof text, "%.*s", (int)(shown < sizeof text ? shown : sizeof text - 1),
                 at);
        sscanf(text, " .loc %9lu %9lu", &file, &line);
        at = line_end + 1;
    }
    return file == 1 ? line : 0;
}

/* Of "ptxas FILE, line 43; error   : Instruction ... not supported": what it means to who wrote the
 * source. Other words are passed on as they are. */
static enum status tell_refusal(const struct build_job *job, const char *said,
                                struct error *error) {
    static const char unresolved[] = "Unresolved extern function '";
    const char *callee = strstr(said, unresolved);
    cleanup_text struct text plain = {0};
    if (callee) {
        callee += sizeof unresolved - 1;
        unresolved_append_plain(callee, strcspn(callee, "'\n"), &plain);
        return error_set(error, STATUS_INVALID,
                         "%s() is called and has no body: define it in this file",
                         text_string(&plain));
    }
    const char *mark = strstr(said, ", line ");
    const char *cause = mark ? strstr(mark, " : ") : NULL;
    if (!cause) {
        const char *words = strstr(said, " : ");
        words = words ? words + strlen(" : ") : said;
        unresolved_append_plain(words, strcspn(words, "\n"), &plain);
        return error_set(error, STATUS_INVALID, "ptxas refuses the kernel: %.300s",
                         text_string(&plain));
    }
    unsigned long ptx_line = strtoul(mark + strlen(", line "), NULL, 10);
    unsigned long line = source_line(job->source, job->source_length, ptx_line);
    cause += strlen(" : ");
    unresolved_append_plain(cause, strcspn(cause, "\n"), &plain);
    if (line)
        return error_set(error, STATUS_INVALID, "ptxas refuses the kernel, line %lu: %.300s", line,
                         text_string(&plain));
    return error_set(error, STATUS_INVALID,
                     "ptxas refuses the kernel: %.300s (line %lu of the PTX)", text_string(&plain),
                     ptx_line);
}

/* A worker that died says nothing of the kernel: another process may be the cause. */
static enum status tell_end(enum build_end end, const struct worker_limits *limits,
                            struct error *error) {
    if (end == BUILD_TIME_LIMIT)
        return error_set(error, STATUS_INVALID,
                         "ptxas did not end within %s s: the kernel is too much for it",
                         decimal(limits->cpu_seconds, 6).text);
    if (end == BUILD_MEMORY_LIMIT)
        return error_set(error, STATUS_INVALID,
                         "ptxas needs more than %llu MiB of memory for the kernel",
                         (unsigned long long)(limits->memory_bytes >> 20));
    if (end == BUILD_OUTPUT_LIMIT)
        return error_set(error, STATUS_INVALID, "ptxas makes more of the kernel than %llu MiB",
                         (unsigned long long)(limits->output_bytes >> 20));
    return error_set(error, STATUS_ENVIRONMENT, "ptxas did not end well: its worker died");
}

/* Into `log` what ptxas says, into `cubin` what it makes; NULL: not asked for. */
static enum status assemble(const struct build_job *job, const struct worker_limits *limits,
                            struct text *log, struct text *cubin, bool *gave_up,
                            struct error *error) {
    struct build_answer answer;
    enum build_end end = BUILD_DONE;
    struct worker_limits full = build_limits(limits);
    enum status status = build_run_job(job, &full, &end, &answer, NULL, error);
    if (status != STATUS_OK)
        return status;
    bool compiled = end == BUILD_DONE && answer.outcome == OUTCOME_COMPILED;
    if (compiled && log)
        text_append_bytes(log, answer.output.data, answer.output.length);
    if (compiled && cubin)
        text_append_bytes(cubin, answer.cubin.data, answer.cubin.length);
    if (end == BUILD_DONE && answer.outcome == OUTCOME_ERRORS)
        status = tell_refusal(job, text_string(&answer.output), error);
    else if (end == BUILD_DONE && !compiled)
        status = error_set(error, STATUS_ENVIRONMENT, "ptxas did not end well%s%.400s",
                           answer.trouble[0] ? ": " : "", answer.trouble);
    else if (end != BUILD_DONE)
        status = tell_end(end, &full, error);
    *gave_up = end != BUILD_DONE && status == STATUS_INVALID;
    build_answer_free(&answer);
    return status;
}

enum status build_need_ptxas(struct error *error) {
    error_set(error, STATUS_ENVIRONMENT, "ptxas is not on this machine");
    cleanup_free char *advice = build_toolchain_advice();
    error_hint(error, "%s", advice);
    return STATUS_ENVIRONMENT;
}

static enum status prepare(const char *ptx, size_t ptx_length, const char *architecture,
                           struct build_toolchain *toolchain, struct build_job *job,
                           struct error *error) {
    struct build_request check = {.architecture = architecture};
    build_toolchain_find(toolchain, NULL);
    if (!toolchain->ptxas[0])
        return build_need_ptxas(error);
    *job = (struct build_job){.method = METHOD_PTXAS,
                              .source = ptx,
                              .source_length = ptx_length,
                              .architecture = architecture,
                              .tool = toolchain->ptxas};
    return build_request_check(&check, error);
}

enum status build_resources(const char *ptx, size_t ptx_length, const char *lowered_kernel,
                            const char *architecture, const struct worker_limits *limits,
                            struct build_resources *resources, struct error *error) {
    *resources = (struct build_resources){0};
    struct build_toolchain toolchain;
    struct build_job job;
    enum status status = prepare(ptx, ptx_length, architecture, &toolchain, &job, error);
    if (status != STATUS_OK)
        return status;
    struct sha256 key = key_of("ptxas", &job);
    cleanup_text struct text log = {0};
    bool cached = build_cache_get(&key, &log);
    if (!cached)
        status = assemble(&job, limits, &log, NULL, &resources->gave_up, error);
    if (status != STATUS_OK)
        return status;
    if (!parse(text_string(&log), lowered_kernel, resources))
        return error_set(error, STATUS_INVALID, "ptxas knows no kernel %s", lowered_kernel);
    if (!cached)
        build_cache_put(&key, log.data, log.length);
    return STATUS_OK;
}

enum status build_assemble(const char *ptx, size_t ptx_length, const char *architecture,
                           const struct worker_limits *limits, struct text *cubin,
                           struct error *error) {
    struct build_toolchain toolchain;
    struct build_job job;
    bool gave_up;
    enum status status = prepare(ptx, ptx_length, architecture, &toolchain, &job, error);
    if (status != STATUS_OK)
        return status;
    struct sha256 key = key_of("assemble", &job);
    if (build_cache_get(&key, cubin))
        return STATUS_OK;
    status = assemble(&job, limits, NULL, cubin, &gave_up, error);
    if (status == STATUS_OK)
        build_cache_put(&key, cubin->data, cubin->length);
    return status;
}
