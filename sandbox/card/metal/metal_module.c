/* Modules and kernels. A module's text becomes machine code on the trusted side, by ptxas in a jail
 * of its own: the driver's compiler would not be found here, and after that nothing else
 * (cuda/README.md). */
#include "sandbox/card/metal/metal.h"
#include "sandbox/card/metal/metal_wire.h"

#include "sandbox/base/memory.h"
#include "sandbox/cuda/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUfunction_attribute */
enum {
    MOST_THREADS = 0,
    STATIC_SHARED = 1,
    CONSTANT = 2,
    LOCAL = 3,
    REGISTERS = 4,
};

static void refuse(struct card *card, const char *why) {
    findings_add_unsupported(card, why);
}

static bool assemble(struct card *card, const struct text *ptx, struct metal_assembled *answer) {
    struct metal *metal = card->metal;
    cleanup_text struct text frame = {0};
    cleanup_message struct protocol_message message = {0};
    size_t count = 0;
    if (ptx->length >= METAL_EXCHANGE_BYTES)
        return false;
    memcpy(metal->exchange, text_string(ptx), ptx->length);
    return talk_send(metal->channel, metal_encode_assemble(ptx->length), NULL, 0, NULL, 0) &&
           talk_receive(metal->channel, -1, &frame, &message, NULL, 0, &count) == TALK_MESSAGE &&
           metal_decode_assembled(&message, answer) && answer->bytes < METAL_EXCHANGE_BYTES;
}

static enum card_error load(struct card *card, const struct text *ptx) {
    struct metal *metal = card->metal;
    struct metal_assembled code = {0};
    void *module = NULL;
    if (!assemble(card, ptx, &code) || !code.bytes) {
        refuse(card, *code.trouble ? code.trouble : "the program's PTX is too long");
        return CARD_INVALID_PTX;
    }
    cleanup_free char *image = mem_dup(metal->exchange, code.bytes + 1);
    enum card_error error = metal_result(card, metal->driver.cuModuleLoadData(&module, image));
    if (error == CARD_OK)
        error = metal_managed_fill(card, module);
    if (error != CARD_OK)
        return error;
    metal->targets[card->module_count] = card_target_of(ptx);
    metal_put(&metal->modules, card->module_count, module);
    return CARD_OK;
}

/* Of a module that is not loaded there are no managed variables. */
static enum card_error place_and_load(struct card *card, const struct text *ptx) {
    size_t before = card->metal->managed_count;
    cleanup_text struct text placed = {0};
    bool has_managed = strstr(text_string(ptx), ".managed");
    enum card_error error = has_managed ? metal_managed_place(card, ptx, &placed) : CARD_OK;
    if (error == CARD_OK)
        error = load(card, has_managed ? &placed : ptx);
    if (error != CARD_OK)
        card->metal->managed_count = before;
    return error;
}

/* Linked texts have no sections of debug information, where the names of inlined functions would
 * stand that .loc refers to. */
static void drop_inlined_names(struct text *ptx) {
    static const char name[] = ", function_name ";
    const char *at = text_string(ptx), *found = strstr(at, name);
    struct text kept = {0};
    if (!found || strstr(at, "$L__info_string0:"))
        return;
    for (; found; found = strstr(at, name)) {
        text_append_bytes(&kept, at, (size_t)(found - at));
        at = found + strcspn(found, "\n");
    }
    text_append(&kept, at);
    text_free(ptx);
    *ptx = kept;
}

enum card_error metal_do_MODULE(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    (void)request;
    cleanup_text struct text text = {0};
    enum card_error error = card_take_text(card, &text);
    drop_inlined_names(&text);
    if (error == CARD_OK)
        error = place_and_load(card, &text);
    if (error == CARD_OK)
        reply->head.value[0] = card->module_count++;
    return error;
}

/* What it takes, the driver says. */
static size_t ask_parameters(struct card *card, void *function, struct sim_parameter *parameters) {
    size_t count = 0, offset, bytes;
    while (count < SIM_MAX_PARAMETERS &&
           card->metal->driver.cuFuncGetParamInfo(function, count, &offset, &bytes) == DRIVER_OK &&
           offset + bytes <= SIM_MAX_PARAMETER_BYTES)
        parameters[count++] = (struct sim_parameter){(uint32_t)offset, (uint32_t)bytes};
    return count;
}

enum card_error metal_do_KERNEL(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    struct metal *metal = card->metal;
    struct sim_parameter parameters[SIM_MAX_PARAMETERS];
    void *function = NULL;
    if (!card_names_in_module(card, request) || card->kernel_count == CARD_MAX_NAMES)
        return CARD_INVALID_DEVICE_FUNCTION;
    int code = metal->driver.cuModuleGetFunction(
        &function, metal_get(&metal->modules, request->head.argument[0]), request->bytes);
    if (code == DRIVER_OK && metal->driver.cuFuncLoad)
        code = metal->driver.cuFuncLoad(function);
    if (code != DRIVER_OK) {
        metal_result(card, code);
        return card->fault ? card->fault : CARD_INVALID_DEVICE_FUNCTION;
    }
    size_t count = ask_parameters(card, function, parameters);
    *mem_push(&card->kernels, &card->kernel_count, &card->kernel_capacity) =
        (struct card_kernel){.name = mem_strdup(request->bytes),
                             .parameter_count = count,
                             .parameters = mem_dup(parameters, count * sizeof *parameters + 1)};
    metal_put(&metal->functions, card->kernel_count - 1, function);
    metal->kernel_targets[card->kernel_count - 1] = metal->targets[request->head.argument[0]];
    for (size_t i = 0; i < count; i++) {
        struct wire_parameter parameter = {parameters[i].offset, parameters[i].bytes};
        text_append_bytes(&reply->bytes, (const char *)&parameter, sizeof parameter);
    }
    reply->head.value[0] = card->kernel_count - 1;
    return CARD_OK;
}

enum card_error metal_do_VARIABLE(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    struct metal *metal = card->metal;
    gpu_address address = 0;
    size_t bytes = 0, number;
    if (!card_names_in_module(card, request))
        return CARD_INVALID_SYMBOL;
    const struct metal_managed *managed =
        metal_managed_find(card, request->head.argument[0], request->bytes);
    if (managed) {
        reply->head.value[0] = managed->address;
        reply->head.value[1] = managed->bytes;
        return CARD_OK;
    }
    if (metal->driver.cuModuleGetGlobal_v2(&address, &bytes,
                                           metal_get(&metal->modules, request->head.argument[0]),
                                           request->bytes) != DRIVER_OK ||
        !bytes)
        return CARD_INVALID_SYMBOL;
    if (!card_adopt(card, address, bytes, ENGINE_BLOCK_VARIABLE, &number))
        return CARD_OUT_OF_MEMORY;
    snprintf(card->blocks[number].about.name, sizeof card->blocks[number].about.name, "%.60s",
             request->bytes);
    reply->head.value[0] = address;
    reply->head.value[1] = bytes;
    return CARD_OK;
}

static uint64_t attribute(const struct card *card, void *function, int which) {
    int value = 0;
    return card->metal->driver.cuFuncGetAttribute(&value, which, function) == DRIVER_OK && value > 0
               ? (uint64_t)value
               : 0;
}

enum card_error metal_do_FUNCTION(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    void *handle = metal_get(&card->metal->functions, request->head.argument[0]);
    if (!handle)
        return CARD_INVALID_DEVICE_FUNCTION;
    struct wire_function function = {
        .static_shared = attribute(card, handle, STATIC_SHARED),
        .constant_bytes = attribute(card, handle, CONSTANT),
        .local_bytes = attribute(card, handle, LOCAL),
        .most_threads = (uint32_t)attribute(card, handle, MOST_THREADS),
        .registers = (uint32_t)attribute(card, handle, REGISTERS),
        .ptx_version = card->metal->kernel_targets[request->head.argument[0]]};
    for (int i = 0; i < 3; i++)
        function.cluster[i] = (uint32_t)attribute(card, handle, FUNCTION_CLUSTER_WIDTH + i);
    text_append_bytes(&reply->bytes, (const char *)&function, sizeof function);
    return CARD_OK;
}

enum card_error metal_do_OCCUPANCY(struct card *card, const struct card_request *request,
                                   struct card_reply *reply) {
    void *handle = metal_get(&card->metal->functions, request->head.argument[0]);
    uint64_t threads = request->head.argument[1], shared_bytes = request->head.argument[2];
    int blocks = 0;
    if (!handle)
        return CARD_INVALID_DEVICE_FUNCTION;
    if (threads > INT32_MAX || shared_bytes > INT32_MAX)
        return CARD_INVALID_VALUE;
    enum card_error error =
        metal_result(card, card->metal->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                               &blocks, handle, (int)threads, shared_bytes));
    reply->head.value[0] = (uint64_t)(blocks > 0 ? blocks : 0);
    return error;
}

enum card_error metal_do_CLUSTERS(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    const struct driver *driver = &card->metal->driver;
    struct wire_launch asked;
    struct driver_attribute attributes[2];
    struct driver_launch launch;
    if (request->head.inline_bytes != sizeof asked)
        return CARD_INVALID_VALUE;
    memcpy(&asked, request->bytes, sizeof asked);
    void *handle = metal_get(&card->metal->functions, asked.kernel);
    if (!handle)
        return CARD_INVALID_DEVICE_FUNCTION;
    if (asked.shared_bytes > INT32_MAX)
        return CARD_INVALID_VALUE;
    if (!driver->cuOccupancyMaxActiveClusters || !driver->cuOccupancyMaxPotentialClusterSize)
        return CARD_NOT_SUPPORTED;
    metal_clustered(&asked, NULL, attributes, &launch);
    int number = 0, code = asked.large_cluster
                               ? driver->cuFuncSetAttribute(handle, FUNCTION_LARGE_CLUSTER, 1)
                               : DRIVER_OK;
    if (code == DRIVER_OK)
        code = request->head.argument[0]
                   ? driver->cuOccupancyMaxPotentialClusterSize(&number, handle, &launch)
                   : driver->cuOccupancyMaxActiveClusters(&number, handle, &launch);
    reply->head.value[0] = (uint64_t)(number > 0 ? number : 0);
    return metal_result(card, code);
}
