/* Submissions with host code: built by nvcc, run beside a simulated card; see grade_program.h.
 *
 * The program's process is given no expected result and is believed nothing: its outputs are what
 * the card's worker read from device memory, or saw copied to the host. */
#include "grader/grade/program/grade_program.h"

#include "grader/grade/program/grade_driver.h"
#include "grader/judge/judge.h"
#include "reports/message.h"
#include "reports/translate.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/card/card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program of the catalogue computes for milliseconds; its kernels run in another process. */
static const double cpu_share = 0.3; /* of the time limit */

enum { BUILD_SECONDS = 120, PRINTED_MAX = 64 << 10, SAID_MAX = 200 };

/* ---- building ---------------------------------------------------------------------------------
 */

/* Errors of the driver alone: the function is not there, or takes something else. */
static bool is_another_function(const struct build_result *build) {
    size_t errors = 0;
    for (size_t i = 0; i < build->diagnostic_count; i++) {
        if (build->diagnostics[i].severity != BUILD_ERROR)
            continue;
        errors++;
        if (strcmp(build->diagnostics[i].file, GRADE_DRIVER_FILE) != 0)
            return false;
    }
    return errors != 0;
}

static void explain_function(const struct exercise *exercise, const char *file,
                             enum language language, struct grade_kernel *kernel) {
    cleanup_text struct text signature = {0};
    grade_driver_signature(exercise, &signature);
    kernel->build.diagnostic_count = 0;
    kernel->message = mem_printf(WORDS(language, no_such_function), file, exercise->kernel);
    kernel->hint = mem_printf(WORDS(language, function_called_as), text_string(&signature));
}

static void explain_errors(const struct exercise *exercise, const char *file,
                           enum language language, struct grade_kernel *kernel) {
    struct build_result *build = &kernel->build;
    if (exercise->kind == EXERCISE_HOST && is_another_function(build)) {
        explain_function(exercise, file, language, kernel);
        return;
    }
    kernel->message =
        mem_strdup(*build->message ? build->message : WORDS(language, no_kernel_no_reason));
    kernel->hint = *build->hint ? mem_strdup(build->hint) : NULL;
}

enum status grade_program_build(const struct exercise *exercise, const struct grade_source *source,
                                enum language language, struct grade_kernel *kernel,
                                struct error *error) {
    static const char *const defines[] = {GRADE_DRIVER_DEFINE};
    bool has_driver = exercise->kind == EXERCISE_HOST;
    cleanup_free char *runtime = NULL;
    cleanup_free char *whole = has_driver ? grade_driver_append(exercise, source) : NULL;
    const char *file = file_base_name(source->file);
    enum status status = card_runtime_folder(&runtime, error);
    if (status != STATUS_OK)
        return status;
    const struct build_request request = {.file_name = file,
                                          .source = whole ? whole : source->text,
                                          .source_length = whole ? strlen(whole) : source->length,
                                          .defines = defines,
                                          .define_count = has_driver ? ARRAY_LENGTH(defines) : 0,
                                          .headers = exercise->headers,
                                          .header_count = exercise->header_count,
                                          .program_runtime = runtime};
    const struct worker_limits limits = {.wall_seconds = BUILD_SECONDS};
    status = build_compile(&request, &limits, &kernel->build, error);
    if (status != STATUS_OK)
        return status;
    if (kernel->build.compiled)
        return card_stage_make(kernel->build.ptx, kernel->build.ptx_length, NULL, NULL,
                               &kernel->stage, error);
    explain_errors(exercise, file, language, kernel);
    return STATUS_OK;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static int open_input(const struct exercise *exercise, const struct engine_launch *launch) {
    cleanup_free char *text = grade_program_input(exercise, launch);
    cleanup_fd int fd = memfd_create("warpgrade-input", MFD_CLOEXEC);
    if (fd < 0 || !file_write_all(fd, text, strlen(text)) || lseek(fd, 0, SEEK_SET) != 0)
        return -1;
    int opened = fd;
    fd = -1;
    return opened;
}

static char **make_words(const struct exercise *exercise, const struct engine_launch *launch) {
    size_t count = exercise->program.argument_count;
    char **words = mem_calloc(count + 1, sizeof *words);
    for (size_t i = 0; i < count; i++)
        words[i] = grade_program_word(exercise, exercise->program.arguments[i], launch);
    return words;
}

static void free_words(char **words) {
    for (size_t i = 0; words[i]; i++)
        free(words[i]);
    free(words);
}

static void end_with(struct engine_result *result, enum engine_end end, const char *message) {
    result->end = end;
    snprintf(result->message, sizeof result->message, "%s", message);
}

/* Where the signal came from, as our runtime saw it; else the first line of standard error, which
 * is often the program's own reason. */
static void append_reason(const struct card_result *card, enum language language, char *message,
                          size_t size) {
    bool is_known = card->crash.signal == card->host.signal && *card->crash.at.message;
    cleanup_free char *where = is_known ? translate_string(language, card->crash.at.message) : NULL;
    const char *said = where ? where : text_string(&card->host.messages);
    int length = (int)strcspn(said, "\n");
    size_t used = strlen(message);
    if (length)
        snprintf(message + used, size - used, ": %.*s", length < SAID_MAX ? length : SAID_MAX,
                 said);
}

static void take_limit(const struct card_result *card, struct engine_result *result) {
    static const enum engine_end ends[] = {[JAIL_LIMIT_WALL] = ENGINE_TIME_LIMIT,
                                           [JAIL_LIMIT_CPU] = ENGINE_TIME_LIMIT,
                                           [JAIL_LIMIT_MEMORY] = ENGINE_MEMORY_LIMIT,
                                           [JAIL_LIMIT_OUTPUT] = ENGINE_OUTPUT_LIMIT};
    enum jail_limit limit = card->host.limit;
    enum engine_end end = limit < ARRAY_LENGTH(ends) ? ends[limit] : ENGINE_COMPLETED;
    end_with(result, end == ENGINE_COMPLETED ? ENGINE_HOST_CRASHED : end, card->limit);
}

/* How the process ended; true where it did as it should. */
static bool take_end(const struct exercise *exercise, enum language language,
                     const struct card_result *card, struct engine_result *result) {
    char message[sizeof result->message];
    if (card->host.limit != JAIL_LIMIT_NONE) {
        take_limit(card, result);
        return false;
    }
    if (card->host.signal)
        snprintf(message, sizeof message, WORDS(language, program_signal), card->host.signal,
                 strsignal(card->host.signal));
    else if (exercise->kind == EXERCISE_HOST && !card->task.returned)
        snprintf(message, sizeof message, WORDS(language, function_does_not_return),
                 exercise->kernel, card->host.exit_code);
    else if (card->host.exit_code != 0)
        snprintf(message, sizeof message, WORDS(language, program_exit_code), card->host.exit_code);
    else
        return true;
    append_reason(card, language, message, sizeof message);
    end_with(result, ENGINE_HOST_CRASHED, message);
    return false;
}

static bool may_read_partly(const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->param_count; i++)
        if (exercise->params[i].read_partly)
            return true;
    return false;
}

/* Of parameter `number`, as far as it matters: what a function's outputs are, the card's worker
 * says; what a program prints, it has not seen. */
static enum card_origin origin_of(const struct grade_run *run, const struct engine_launch *launch,
                                  const struct card_result *card,
                                  const struct engine_result *result, size_t number) {
    const struct exercise *exercise = run->exercise;
    const struct exercise_param *param = &exercise->params[number];
    const struct card_task given = {.arguments = launch->arguments,
                                    .argument_count = launch->argument_count,
                                    .data = launch->data};
    enum card_origin origin = card->task.outputs[number].origin;
    if (!exercise_param_is_output(param) || param->computed_by_host)
        return CARD_FROM_KERNELS;
    if (exercise->kind == EXERCISE_PROGRAM && !run->program_card && /* which counts nothing */
        !card_reads_enough(&given, launch->data, &result->counters, number))
        origin = CARD_FROM_TOO_LITTLE;
    return origin == CARD_FROM_TOO_LITTLE && may_read_partly(exercise) ? CARD_FROM_KERNELS : origin;
}

static void tell_origin(const struct engine_argument *argument, enum language language,
                        enum card_origin origin, uint64_t offset, struct engine_result *result) {
    char message[sizeof result->message];
    cleanup_free char *index =
        judge_index_text(argument, offset / element_infos[argument->type].bytes);
    if (origin == CARD_FROM_TOO_LITTLE)
        snprintf(message, sizeof message, WORDS(language, output_from_too_little), argument->name,
                 result->counters.memory_instructions);
    else
        snprintf(message, sizeof message,
                 origin == CARD_FROM_HOST ? WORDS(language, output_from_host)
                                          : WORDS(language, output_not_from_card),
                 argument->name, index);
    end_with(result, ENGINE_HOST_WRONG, message);
}

static void take_outputs(const struct grade_run *run, const struct engine_launch *launch,
                         const struct card_result *card, struct engine_result *result) {
    const struct exercise *exercise = run->exercise;
    enum language language = run->session->options.language;
    char message[sizeof result->message];
    const struct card_task_result *task = &card->task;
    if (task->freed && task->freed <= exercise->param_count) {
        snprintf(message, sizeof message, WORDS(language, function_frees), exercise->kernel,
                 exercise->params[task->freed - 1].name);
        end_with(result, ENGINE_HOST_WRONG, message);
    }
    if (exercise->kind == EXERCISE_PROGRAM &&
        !grade_program_read(exercise, &card->host.response, &task->computed, language, launch,
                            message, sizeof message))
        end_with(result, ENGINE_HOST_WRONG, message);
    for (size_t i = 0; i < exercise->param_count; i++) {
        enum card_origin origin = origin_of(run, launch, card, result, i);
        if (origin == CARD_FROM_KERNELS)
            continue;
        tell_origin(&launch->arguments[i], language, origin, task->outputs[i].offset, result);
        return;
    }
}

static void take_result(const struct grade_run *run, const struct engine_launch *launch,
                        struct card_result *card, struct engine_result *result) {
    const struct text *printed = &card->host.response;
    size_t length = printed->length < PRINTED_MAX ? printed->length : PRINTED_MAX;
    *result = card->found;
    card->found = (struct engine_result){0};
    result->profile.estimate.ms = run->program_alone ? card->device_ms : card->modelled_ms;
    result->elapsed_ms = card->waited_ms;
    text_clear(&result->printed);
    text_append_bytes(&result->printed, text_string(printed), length);
    result->printed_cut = length < printed->length;
    if (result->end == ENGINE_COMPLETED &&
        take_end(run->exercise, run->session->options.language, card, result))
        take_outputs(run, launch, card, result);
}

static enum card_pointers pointers_of(const struct exercise *exercise) {
    return exercise->kind != EXERCISE_HOST ? CARD_NO_POINTERS
           : exercise->host_pointers       ? CARD_HOST_POINTERS
                                           : CARD_DEVICE_POINTERS;
}

static enum status device_of(const struct grade_run *run, struct device_profile *device,
                             struct error *error) {
    const char *own = run->exercise->device;
    *device = run->session->device;
    return run->session->has_device ? STATUS_OK
                                    : device_load(own ? own : GRADE_DEFAULT_DEVICE, device, error);
}

enum status grade_program_run(const struct grade_run *run, const struct engine_launch *launch,
                              const struct worker_limits *limits, struct engine_result *result,
                              struct error *error) {
    const struct exercise *exercise = run->exercise;
    struct device_profile device;
    enum status status = device_of(run, &device, error);
    if (status != STATUS_OK)
        return status;
    const struct card_task task = {.arguments = launch->arguments,
                                   .argument_count = launch->argument_count,
                                   .data = launch->data,
                                   .data_length = launch->data_length,
                                   .pointers = pointers_of(exercise)};
    cleanup_fd int input = exercise->kind == EXERCISE_PROGRAM ? open_input(exercise, launch) : -1;
    char **words = make_words(exercise, launch);
    const struct card_program program = {.program = run->kernel->stage.program,
                                         .arguments = (const char *const *)words,
                                         .input_fd = input > 0 ? input : 0,
                                         .runtime_folder = run->kernel->stage.folder,
                                         .file_name = run->file_name,
                                         .device = &device,
                                         .card = run->program_card,
                                         .alone = run->program_alone,
                                         .seed = launch->seed,
                                         .budget = launch->budget,
                                         .threads = launch->threads,
                                         .wall_seconds = limits->wall_seconds,
                                         .cpu_seconds = limits->wall_seconds * cpu_share,
                                         .memory_bytes = limits->memory_bytes,
                                         .task = &task};
    struct card_result card;
    status = card_run(&program, &card, error);
    if (status == STATUS_OK)
        take_result(run, launch, &card, result);
    card_result_free(&card);
    free_words(words);
    return status;
}
