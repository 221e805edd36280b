/* Launches: simulated when they are asked for, one after the other, in the memory that stays.
 *
 * What a kernel does wrong is a finding; what would have stopped it on a card is besides an error
 * that every later call answers, as the CUDA runtime's "sticky" errors are. A configuration that no
 * card accepts is refused as a card does it, and the finding is a warning: a program may try. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double least_seconds = 0.05;

/* What a launch has waited for a processor is not of the program's time. */
static void simulate(struct card *card, const struct card_kernel *kernel,
                     struct engine_launch *launch, struct engine_result *result) {
    double now = clock_ms(), worked = clock_processor_ms();
    launch->wall_seconds = fmax((card->ends_ms - now) * 1e-3, least_seconds);
    launch->most_seconds = fmax((card->last_ms - now) * 1e-3, launch->wall_seconds);
    sim_launch(kernel->module->sim, launch, result);
    card->ends_ms += fmax(clock_ms() - now - (clock_processor_ms() - worked), 0);
}

/* Findings name a block by the argument that points to it. */
static void name_blocks(struct card *card, const struct card_kernel *kernel,
                        const unsigned char *parameters) {
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        uint64_t address, offset;
        if (kernel->parameters[i].bytes != sizeof address)
            continue;
        memcpy(&address, parameters + kernel->parameters[i].offset, sizeof address);
        size_t number = sim_block_of(address, &offset);
        if (number >= card->block_count || offset || card_task_names(card, number) ||
            card->blocks[number].kind >= ENGINE_BLOCK_VARIABLE)
            continue;
        struct engine_argument *about = &card->blocks[number].about;
        snprintf(about->name, sizeof about->name, "argument %zu", i + 1);
    }
}

/* What the runtime would say to the worst of a launch's hazards. */
static enum card_error fault_of(const struct hazard *hazard) {
    if (hazard->severity != SEVERITY_ERROR)
        return CARD_OK;
    switch (hazard->kind) {
    case HAZARD_OUT_OF_BOUNDS:
    case HAZARD_USE_AFTER_FREE:
        return CARD_ILLEGAL_ADDRESS;
    case HAZARD_MISALIGNED:
        return CARD_MISALIGNED;
    case HAZARD_DEADLOCK:
    case HAZARD_INSTRUCTION_BUDGET:
        return CARD_LAUNCH_TIMEOUT;
    case HAZARD_TRAP:
        return strstr(hazard->message, "assert") ? CARD_ASSERT : CARD_LAUNCH_FAILURE;
    case HAZARD_STACK_OVERFLOW:
        return CARD_LAUNCH_FAILURE;
    case HAZARD_UNSUPPORTED:
        return CARD_NOT_SUPPORTED;
    default:
        return CARD_OK;
    }
}

/* Of a launch that cannot be made: the error of the call itself. */
static enum card_error refusal_of(struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++) {
        struct hazard *hazard = &result->hazards[i];
        if (hazard->kind != HAZARD_INVALID_LAUNCH)
            continue;
        hazard->severity = SEVERITY_WARNING;
        return strstr(hazard->message, "clusters of") ? CARD_INVALID_CLUSTER
               : strstr(hazard->message, "grid-wide") ? CARD_TOO_LARGE
               : strstr(hazard->message, "registers") ? CARD_OUT_OF_RESOURCES
                                                      : CARD_INVALID_VALUE; /* an H200's answer */
    }
    return CARD_OK;
}

static void take_printed(struct card *card, const struct engine_result *result) {
    enum { BUFFER = 1 << 20 }; /* as large as a card's */
    size_t room = BUFFER - card->printed.length, length = result->printed.length;
    text_append_bytes(&card->printed, text_string(&result->printed), length < room ? length : room);
}

/* Thrust and CUB order blocks by what a relaxed store carries, and read shared memory that they
 * throw away: right on every card, and nothing that the program could mend. What they read of the
 * program's memory is the program's. */
static bool is_of_library(const struct card_module *module, const struct hazard *hazard) {
    static const char *const blocks[] = {"argument ", "allocation ", "managed memory ",
                                         "the host's memory "};
    if (!sim_module_is_library(module->sim, hazard->file))
        return false;
    if (hazard->kind == HAZARD_GLOBAL_RACE || hazard->kind == HAZARD_SHARED_RACE)
        return sim_module_is_library(module->sim, hazard->other_file);
    bool is_block = false;
    for (size_t i = 0; i < ARRAY_LENGTH(blocks); i++)
        is_block |= strncmp(hazard->variable, blocks[i], strlen(blocks[i])) == 0;
    return hazard->kind == HAZARD_UNINITIALIZED_READ && !is_block;
}

static void drop_library_hazards(const struct card_module *module, struct engine_result *result) {
    size_t kept = 0;
    for (size_t i = 0; i < result->hazard_count; i++)
        if (!is_of_library(module, &result->hazards[i]))
            result->hazards[kept++] = result->hazards[i];
    result->hazard_count = kept;
}

/* "scale" of "_Z5scalePfi", "_ZN2my5scaleIfEEvPT_": the last name of them. */
void card_plain_name(const char *lowered, char *name, size_t room) {
    const char *at = strncmp(lowered, "_ZN", 3) == 0 ? lowered + 3 : lowered + 2;
    snprintf(name, room, "%s", lowered);
    while (strncmp(lowered, "_Z", 2) == 0 && *at >= '1' && *at <= '9') {
        char *start;
        size_t length = strtoul(at, &start, 10);
        if (length > strlen(start))
            return;
        snprintf(name, room, "%.*s", (int)length, start);
        at = start + length;
    }
}

static enum card_error take_result(struct card *card, const struct card_launched *launched,
                                   const struct engine_launch *launch,
                                   struct engine_result *result) {
    drop_library_hazards(launched->kernel->module, result);
    enum card_error refused = refusal_of(result);
    checks_explain_launch(card, launched, result->hazards, result->hazard_count);
    findings_add(card, result->hazards, result->hazard_count);
    findings_add_counters(card, &result->counters);
    card->result.found.order_sensitive |= result->order_sensitive;
    take_printed(card, result);
    for (size_t i = 0; i < result->hazard_count && !card->fault; i++)
        card->fault = fault_of(&result->hazards[i]);
    if (result->end == ENGINE_TIME_LIMIT) {
        card->fault = CARD_LAUNCH_TIMEOUT;
        card->result.found.end = ENGINE_TIME_LIMIT;
        char name[64];
        card_plain_name(launch->kernel, name, sizeof name);
        snprintf(card->result.found.message, sizeof card->result.found.message,
                 "a launch of %s did not end within the time limit", name);
    } else if (result->end != ENGINE_COMPLETED) {
        findings_add_unsupported(card, result->message);
        card->fault = CARD_NOT_SUPPORTED;
    }
    return refused;
}

static void touch_memory(struct card *card, const struct touch_work *work,
                         const struct engine_memory *memory) {
    for (size_t i = 0; i < memory->touched_count; i++) {
        const struct engine_touched *touched = &memory->touched[i];
        card_touch(card, work, touched->number, card->blocks[touched->number].about.name,
                   touched->ranges, touched->count);
    }
}

static uint32_t parameter_end(const struct card_kernel *kernel) {
    if (!kernel->parameter_count)
        return 0;
    const struct sim_parameter *last = &kernel->parameters[kernel->parameter_count - 1];
    return last->offset + last->bytes;
}

/* All blocks of a cooperative launch run at the same time. What no card takes at all is refused
 * for that reason. */
static bool fits_at_once(struct card *card, const struct wire_launch *asked) {
    const struct sim_function *facts = card_function(card, asked->kernel);
    uint64_t threads = (uint64_t)asked->block[0] * asked->block[1] * asked->block[2];
    uint64_t fit =
        facts ? card_function_blocks(card, facts, threads, asked->shared_bytes) : UINT64_MAX;
    uint64_t blocks;
    return !fit || (!__builtin_mul_overflow((uint64_t)asked->grid[0] * asked->grid[1],
                                            asked->grid[2], &blocks) &&
                    blocks <= fit);
}

enum card_error card_do_LAUNCH(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    struct wire_launch asked;
    if (request->head.inline_bytes < sizeof asked)
        return CARD_INVALID_VALUE;
    memcpy(&asked, request->bytes, sizeof asked);
    const unsigned char *parameters = (const unsigned char *)request->bytes + sizeof asked;
    if (asked.kernel >= card->kernel_count ||
        asked.parameter_bytes != request->head.inline_bytes - sizeof asked)
        return CARD_INVALID_DEVICE_FUNCTION;
    const struct card_kernel *kernel = &card->kernels[asked.kernel];
    if (asked.parameter_bytes < parameter_end(kernel))
        return CARD_INVALID_VALUE;
    if (asked.cooperative && !fits_at_once(card, &asked))
        return CARD_TOO_LARGE;
    if (!card_takes_cluster(card, &asked))
        return CARD_INVALID_CLUSTER;
    name_blocks(card, kernel, parameters);
    struct touch_work work;
    char what[sizeof work.what], name[64];
    card_plain_name(kernel->name, name, sizeof name);
    snprintf(what, sizeof what, "the kernel %s", name);
    if (!card_begin(card, request, what, &work))
        return CARD_INVALID_HANDLE;
    card_task_passed(card, parameters, asked.parameter_bytes);
    struct engine_memory memory = {.blocks = card->blocks,
                                   .block_count = card->block_count,
                                   .parameters = parameters,
                                   .parameter_bytes = asked.parameter_bytes,
                                   .heap = &card->heap,
                                   .heap_bytes = card->heap_bytes,
                                   .stack_bytes = card->stack_bytes,
                                   .wants_touched = order_is_concurrent(card->order),
                                   .wants_host_touched = guards_need_touched(card)};
    struct engine_launch launch = *card->common;
    launch.kernel = kernel->name;
    launch.grid = (struct dim3){asked.grid[0], asked.grid[1], asked.grid[2]};
    launch.block = (struct dim3){asked.block[0], asked.block[1], asked.block[2]};
    launch.cluster = (struct dim3){asked.cluster[0], asked.cluster[1], asked.cluster[2]};
    launch.shared_bytes = asked.shared_bytes;
    launch.is_plain = !asked.cooperative;
    launch.device = NULL; /* every block is checked */
    launch.memory = &memory;
    launch.textures = card->textures;
    launch.texture_count = card->texture_count;
    struct card_launched launched = {.kernel = kernel, .parameters = parameters};
    struct engine_result result;
    shared_take(card);
    simulate(card, kernel, &launch, &result);
    enum card_error error = take_result(card, &launched, &launch, &result);
    if (!error && !card->fault)
        checks_arguments(card, &launched);
    card->result.launches += !error;
    touch_memory(card, &work, &memory);
    if (!error && !card->fault)
        guards_launch(card, &work, &memory, &reply->bytes);
    if (!error)
        card_spend(card, &work, WORK_KERNEL,
                   card_launch_ns(card, kernel->module->sim, &launch, &result),
                   card_launch_share(card, &launch));
    engine_touched_free(&memory);
    engine_result_free(&result);
    return error;
}

/* As the device prints it: "a.cu:5: void check(int): block: [0,0,0], thread: [3,0,0] Assertion `x`
 * failed." The finding says the same in its own words (exec/print.c). */
static void say_assertion(const struct hazard *hazard, struct text *out) {
    static const char start[] = "assertion failed: `", before[] = "` in ", after[] = ", line ";
    const char *condition = hazard->message + strlen(start), *function = NULL, *end = NULL;
    if (strncmp(hazard->message, start, strlen(start)) == 0)
        function = strstr(condition, before);
    if (function)
        end = strstr(function, after);
    if (!end || !hazard->thread_count)
        return;
    const struct dim3 *block = &hazard->threads[0].block, *thread = &hazard->threads[0].thread;
    int name_length = (int)(end - function - (ptrdiff_t)strlen(before));
    text_printf(out,
                "%s:%lu: %.*s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.*s` failed.\n",
                hazard->file, strtoul(end + strlen(after), NULL, 10), name_length,
                function + strlen(before), block->x, block->y, block->z, thread->x, thread->y,
                thread->z, (int)(function - condition), condition);
}

enum card_error card_do_ASSERTED(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    (void)request;
    const struct engine_result *found = &card->result.found;
    for (size_t i = 0; i < found->hazard_count && !reply->bytes.length; i++)
        if (found->hazards[i].kind == HAZARD_TRAP)
            say_assertion(&found->hazards[i], &reply->bytes);
    return CARD_OK;
}

enum card_error card_do_CLOCK(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)request;
    reply->head.value[0] = (uint64_t)card->clock_ns;
    reply->head.value[1] = card->used_bytes;
    return CARD_OK;
}

enum card_error card_do_MISSING(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    (void)reply;
    struct engine_result *found = &card->result.found;
    found->end = ENGINE_REFUSED;
    snprintf(found->message, sizeof found->message,
             "the program calls %.100s(), which warpgrade's CUDA runtime does not have yet",
             request->bytes);
    return CARD_OK;
}
