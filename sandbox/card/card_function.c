/* Kernels as the host asks for them: what they take, how many blocks fit, and what launches have.
 */
#include "sandbox/card/card_private.h"

#include "sandbox/base/occupancy.h"

#include <string.h>

const struct sim_function *card_function(struct card *card, uint64_t number) {
    struct error error;
    if (number >= card->kernel_count)
        return NULL;
    struct card_kernel *kernel = &card->kernels[number];
    if (!kernel->has_facts)
        kernel->has_facts = sim_module_function(kernel->module->sim, kernel->name,
                                                card->common->file_name, &kernel->facts, &error);
    return kernel->has_facts ? &kernel->facts : NULL;
}

enum card_error card_do_FUNCTION(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    const struct sim_function *facts = card_function(card, request->head.argument[0]);
    if (!facts)
        return CARD_INVALID_DEVICE_FUNCTION;
    struct wire_function function = {.static_shared = facts->static_shared_bytes,
                                     .constant_bytes = facts->constant_bytes,
                                     .local_bytes = facts->local_bytes,
                                     .most_threads = facts->most_threads,
                                     .registers = facts->registers,
                                     .ptx_version = facts->ptx_version};
    memcpy(function.cluster, facts->cluster, sizeof function.cluster);
    text_append_bytes(&reply->bytes, (const char *)&function, sizeof function);
    return CARD_OK;
}

static uint64_t blocks_per_sm(struct card *card, const struct sim_function *facts, uint64_t threads,
                              uint64_t dynamic_shared) {
    struct occupancy_capacity capacity = occupancy_capacity_of(card->common->device);
    if (!threads || threads > facts->most_threads || dynamic_shared > capacity.shared_block_bytes)
        return 0;
    return occupancy_compute(&capacity, (unsigned)threads, facts->registers,
                             facts->static_shared_bytes + dynamic_shared)
        .blocks_per_sm;
}

uint64_t card_function_blocks(struct card *card, const struct sim_function *facts, uint64_t threads,
                              uint64_t dynamic_shared) {
    return blocks_per_sm(card, facts, threads, dynamic_shared) *
           (uint64_t)card->common->device->multiprocessors;
}

enum card_error card_do_OCCUPANCY(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    const struct sim_function *facts = card_function(card, request->head.argument[0]);
    if (!facts)
        return CARD_INVALID_DEVICE_FUNCTION;
    reply->head.value[0] =
        blocks_per_sm(card, facts, request->head.argument[1], request->head.argument[2]);
    return CARD_OK;
}

enum card_error card_do_LIMIT(struct card *card, const struct card_request *request,
                              struct card_reply *reply) {
    (void)reply;
    uint64_t bytes = request->head.argument[1];
    if (bytes > card->capacity_bytes)
        return CARD_OUT_OF_MEMORY;
    *(request->head.argument[0] ? &card->stack_bytes : &card->heap_bytes) = bytes;
    return CARD_OK;
}
