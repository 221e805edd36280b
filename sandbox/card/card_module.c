/* Modules, and what the host calls by name in them. A module comes as one text, or as several that
 * are linked here: those of a program with relocatable device code. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/ptx/link_texts.h"

#include <stdlib.h>
#include <string.h>

static void module_free(struct card_module *module) {
    for (size_t i = 0; i < module->variable_count; i++)
        free(module->variables[i]);
    free(module->variables);
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
    free(card->variables);
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

static enum card_error open_module(struct card *card, struct card_module *module, size_t length,
                                   struct card_reply *reply) {
    struct error error;
    module->sim = sim_prepare(module->text ? module->text : "", length);
    if (!sim_module_is_valid(module->sim, &error)) {
        findings_add_unsupported(card, error.message);
        module_free(module);
        return CARD_INVALID_PTX;
    }
    module->variable_count = sim_module_variable_count(module->sim);
    module->variables = mem_calloc(module->variable_count + 1, sizeof *module->variables);
    reply->head.value[0] = card->module_count;
    card->modules[card->module_count++] = module;
    return CARD_OK;
}

enum card_error card_do_MODULE(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    (void)request;
    struct text text = {0};
    struct error error;
    enum card_error result =
        card->module_count == CARD_MAX_MODULES ? CARD_OUT_OF_MEMORY : end_text(card);
    if (result == CARD_OK && link_parts(card, &text, &error) != STATUS_OK) {
        findings_add_unsupported(card, error.message);
        result = CARD_INVALID_PTX;
    }
    drop_parts(card);
    if (result != CARD_OK) {
        text_free(&text);
        return result;
    }
    struct card_module *module = mem_zalloc(sizeof *module);
    size_t length = text.length;
    module->text = text_steal(&text);
    return open_module(card, module, length, reply);
}

size_t card_module_number(const struct card *card, const struct card_module *module) {
    size_t number = 0;
    while (number < card->module_count && card->modules[number] != module)
        number++;
    return number;
}

static struct card_module *find_module(struct card *card, const struct card_request *request) {
    uint64_t number = request->head.argument[0];
    bool sound = number < card->module_count && request->head.inline_bytes < WIRE_NAME_MAX &&
                 strlen(request->bytes) == request->head.inline_bytes;
    return sound ? card->modules[number] : NULL;
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
    if (!module || card->variable_count == CARD_MAX_NAMES ||
        !sim_module_variable(module->sim, request->bytes, &variable))
        return CARD_INVALID_SYMBOL;
    *mem_push(&card->variables, &card->variable_count, &card->variable_capacity) =
        (struct card_variable){module, variable};
    reply->head.value[0] = card->variable_count - 1;
    reply->head.value[1] = variable.bytes;
    return CARD_OK;
}

/* Constant memory is read by kernels unseen. */
static void touch_variable(struct card *card, const struct card_request *request,
                           const struct touch_work *work, enum engine_touch how) {
    const struct card_variable *variable = &card->variables[request->head.argument[0]];
    uint64_t object = (uint64_t)(2 + card_module_number(card, variable->module)) << 32,
             offset = request->head.argument[1];
    const struct engine_range range = {offset, offset + request->head.argument[2], how};
    card_touch(card, work, object + variable->sim.number, "a variable of the module", &range,
               request->head.argument[2] != 0);
}

/* Where the variable's bytes are from now on; NULL: the range is wrong. */
static unsigned char *variable_bytes(struct card *card, const struct card_request *request) {
    uint64_t number = request->head.argument[0], offset = request->head.argument[1],
             bytes = request->head.argument[2];
    if (number >= card->variable_count || bytes > WIRE_WINDOW)
        return NULL;
    const struct card_variable *variable = &card->variables[number];
    if (offset > variable->sim.bytes || bytes > variable->sim.bytes - offset)
        return NULL;
    unsigned char **kept = &variable->module->variables[variable->sim.number];
    if (!*kept && variable->sim.initial)
        *kept = mem_dup(variable->sim.initial, variable->sim.bytes);
    else if (!*kept)
        *kept = mem_zalloc(variable->sim.bytes + 1);
    return *kept + offset;
}

enum card_error card_do_WRITE_VARIABLE(struct card *card, const struct card_request *request,
                                       struct card_reply *reply) {
    (void)reply;
    struct touch_work work;
    unsigned char *bytes = variable_bytes(card, request);
    if (!bytes)
        return CARD_INVALID_VALUE;
    if (!card_begin(card, request, "a copy to a variable", &work))
        return CARD_INVALID_HANDLE;
    touch_variable(card, request, &work, ENGINE_TOUCH_WRITE);
    memcpy(bytes, card->window, request->head.argument[2]);
    card_spend(card, &work, WORK_TO_CARD, card_bytes_ns(card, request->head.argument[2]), 0);
    return CARD_OK;
}

enum card_error card_do_READ_VARIABLE(struct card *card, const struct card_request *request,
                                      struct card_reply *reply) {
    (void)reply;
    struct touch_work work;
    const unsigned char *bytes = variable_bytes(card, request);
    if (!bytes)
        return CARD_INVALID_VALUE;
    if (!card_begin(card, request, "a copy of a variable", &work))
        return CARD_INVALID_HANDLE;
    touch_variable(card, request, &work, ENGINE_TOUCH_READ);
    memcpy(card->window, bytes, request->head.argument[2]);
    card_spend(card, &work, WORK_FROM_CARD, card_bytes_ns(card, request->head.argument[2]), 0);
    return CARD_OK;
}
