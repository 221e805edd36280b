/* Modules, and what the host calls by name in them. A module comes as one text, or as several that
 * are linked here: those of a program with relocatable device code. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/ptx/link_texts.h"

#include <stdlib.h>
#include <string.h>

static void module_free(struct card_module *module) {
    sim_module_free(module->sim);
    free(module->text);
    free(module);
}

static void drop_parts(struct card *card) {
    for (size_t i = 0; i < card->part_count; i++)
        text_free(&card->parts[i]);
    card->part_count = 0;
    text_free(&card->pending);
}

void card_clear_modules(struct card *card) {
    for (size_t i = 0; i < card->kernel_count; i++) {
        free(card->kernels[i].name);
        free(card->kernels[i].parameters);
    }
    for (size_t i = 0; i < card->module_count; i++)
        module_free(card->modules[i]);
    free(card->kernels);
    drop_parts(card);
    free(card->parts);
}

enum card_error card_do_TEXT(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)reply;
    uint64_t bytes = request->head.argument[0];
    if (bytes > WIRE_WINDOW || card->text_bytes + bytes > CARD_TEXT_MAX)
        return CARD_INVALID_VALUE;
    card->text_bytes += bytes;
    text_append_bytes(&card->pending, (const char *)card->window, bytes);
    return CARD_OK;
}

/* Keeps what was sent as one more text of the module. */
static enum card_error end_text(struct card *card) {
    if (card->part_count == CARD_MAX_MODULES)
        return CARD_INVALID_VALUE;
    *mem_push(&card->parts, &card->part_count, &card->part_capacity) = card->pending;
    card->pending = (struct text){0};
    return CARD_OK;
}

uint32_t card_target_of(const struct text *ptx) {
    static const char before[] = ".target sm_";
    const char *at = strstr(text_string(ptx), before);
    return at ? (uint32_t)strtoul(at + strlen(before), NULL, 10) : 0;
}

/* Of nvcc's own libraries a program has machine code for each card, but PTX only for the newest
 * one. What a program compiled itself stays, or there is nothing. */
static void drop_newer_parts(struct card *card) {
    size_t kept = 0;
    for (size_t i = 0; i < card->part_count; i++) {
        bool is_last = i + 1 == card->part_count && !kept;
        if (card->newest_target && card_target_of(&card->parts[i]) > card->newest_target &&
            !is_last)
            text_free(&card->parts[i]);
        else
            card->parts[kept++] = card->parts[i];
    }
    card->part_count = kept;
}

static enum status link_parts(struct card *card, struct text *text, struct error *error) {
    if (card->part_count == 1) {
        *text = card->parts[0];
        card->parts[0] = (struct text){0};
        return STATUS_OK;
    }
    cleanup_free struct ptx_span *spans = mem_calloc(card->part_count, sizeof *spans);
    for (size_t i = 0; i < card->part_count; i++)
        spans[i] = (struct ptx_span){text_string(&card->parts[i]), (uint32_t)card->parts[i].length};
    return ptx_link_texts(spans, card->part_count, text, error);
}

enum card_error card_do_PART(struct card *card, const struct card_request *request,
                             struct card_reply *reply) {
    (void)request, (void)reply;
    enum card_error error = end_text(card);
    if (error != CARD_OK)
        drop_parts(card);
    return error;
}

/* Each variable is a block that stays, so that its address is the same in all kernels and for the
 * host. */
static bool place_variables(struct card *card, struct card_module *module) {
    size_t count = sim_module_variable_count(module->sim);
    cleanup_free unsigned char **bytes = mem_calloc(count + 1, sizeof *bytes);
    for (size_t i = 0; i < count; i++) {
        struct sim_variable variable;
        size_t number;
        if (!sim_module_variable(module->sim, i, &variable))
            continue;
        uint64_t room = variable.bytes ? variable.bytes : 1;
        if (!(variable.is_managed ? card_share(card, room, ENGINE_BLOCK_VARIABLE, &number)
                                  : card_allocate(card, room,
                                                  variable.is_constant ? ENGINE_BLOCK_CONSTANT
                                                                       : ENGINE_BLOCK_VARIABLE,
                                                  &number)))
            return false;
        struct engine_block *block = &card->blocks[number];
        memcpy(block->about.name, variable.name, sizeof variable.name);
        sim_module_place_variable(module->sim, i, sim_block_address(number));
        bytes[i] = block->bytes;
    }
    sim_module_initialise(module->sim, bytes);
    card->unseen = true;
    shared_give(card);
    return true;
}

static enum card_error open_module(struct card *card, struct card_module *module, size_t length,
                                   struct card_reply *reply) {
    struct error error;
    module->sim = sim_prepare(module->text ? module->text : "", length);
    if (!sim_module_is_valid(module->sim, &error)) {
        findings_add_unsupported(card, error.message);
        module_free(module);
        return CARD_INVALID_PTX;
    }
    if (!place_variables(card, module)) {
        module_free(module);
        return CARD_OUT_OF_MEMORY;
    }
    reply->head.value[0] = card->module_count;
    card->modules[card->module_count++] = module;
    return CARD_OK;
}

enum card_error card_take_text(struct card *card, struct text *text) {
    struct error error;
    enum card_error result =
        card->module_count == CARD_MAX_MODULES ? CARD_OUT_OF_MEMORY : end_text(card);
    drop_newer_parts(card);
    if (result == CARD_OK && link_parts(card, text, &error) != STATUS_OK) {
        findings_add_unsupported(card, error.message);
        result = CARD_INVALID_PTX;
    }
    drop_parts(card);
    return result;
}

enum card_error card_do_MODULE(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    (void)request;
    struct text text = {0};
    enum card_error result = card_take_text(card, &text);
    if (result != CARD_OK) {
        text_free(&text);
        return result;
    }
    struct card_module *module = mem_zalloc(sizeof *module);
    size_t length = text.length;
    module->text = text_steal(&text);
    return open_module(card, module, length, reply);
}

bool card_names_in_module(const struct card *card, const struct card_request *request) {
    return request->head.argument[0] < card->module_count &&
           request->head.inline_bytes < WIRE_NAME_MAX &&
           strlen(request->bytes) == request->head.inline_bytes;
}

static struct card_module *find_module(struct card *card, const struct card_request *request) {
    return card_names_in_module(card, request) ? card->modules[request->head.argument[0]] : NULL;
}

enum card_error card_do_KERNEL(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    struct card_module *module = find_module(card, request);
    struct sim_parameter parameters[SIM_MAX_PARAMETERS];
    size_t count;
    if (!module || card->kernel_count == CARD_MAX_NAMES ||
        !sim_module_parameters(module->sim, request->bytes, parameters, &count))
        return CARD_INVALID_DEVICE_FUNCTION;
    *mem_push(&card->kernels, &card->kernel_count, &card->kernel_capacity) =
        (struct card_kernel){.module = module,
                             .name = mem_strdup(request->bytes),
                             .parameter_count = count,
                             .parameters = mem_dup(parameters, count * sizeof *parameters + 1)};
    for (size_t i = 0; i < count; i++) {
        struct wire_parameter parameter = {parameters[i].offset, parameters[i].bytes};
        text_append_bytes(&reply->bytes, (const char *)&parameter, sizeof parameter);
    }
    reply->head.value[0] = card->kernel_count - 1;
    return CARD_OK;
}

enum card_error card_do_VARIABLE(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    struct card_module *module = find_module(card, request);
    struct sim_variable variable;
    size_t number = module ? sim_module_find_variable(module->sim, request->bytes) : SIZE_MAX;
    if (number == SIZE_MAX || !sim_module_variable(module->sim, number, &variable))
        return CARD_INVALID_SYMBOL;
    reply->head.value[0] = variable.address;
    reply->head.value[1] = variable.bytes;
    return CARD_OK;
}
