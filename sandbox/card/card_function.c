/* Kernels as the host asks for them: what they take, how many blocks fit, and what launches have.
 */
#include "sandbox/card/card_private.h"

#include "sandbox/base/occupancy.h"

#include <string.h>

static bool find(struct card *card, const struct card_request *request,
                 struct sim_function *facts) {
    struct error error;
    uint64_t number = request->head.argument[0];
    if (number >= card->kernel_count)
        return false;
    const struct card_kernel *kernel = &card->kernels[number];
    return sim_module_function(kernel->module->sim, kernel->name, card->common->file_name, facts,
                               &error);
}

enum card_error card_do_FUNCTION(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    struct sim_function facts;
    if (!find(card, request, &facts))
        return CARD_INVALID_DEVICE_FUNCTION;
    struct wire_function function = {.static_shared = facts.static_shared_bytes,
                                     .constant_bytes = facts.constant_bytes,
                                     .local_bytes = facts.local_bytes,
                                     .most_threads = facts.most_threads,
                                     .registers = facts.registers,
                                     .ptx_version = facts.ptx_version};
    memcpy(function.cluster, facts.cluster, sizeof function.cluster);
    text_append_bytes(&reply->bytes, (const char *)&function, sizeof function);
    return CARD_OK;
}

enum card_error card_do_OCCUPANCY(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    struct sim_function facts;
    uint64_t threads = request->head.argument[1], dynamic = request->head.argument[2];
    if (!find(card, request, &facts))
        return CARD_INVALID_DEVICE_FUNCTION;
    if (!threads || threads > facts.most_threads)
        return CARD_OK;
    struct occupancy_capacity capacity = occupancy_capacity_of(card->common->device);
    bool is_sound = dynamic <= capacity.shared_block_bytes;
    if (is_sound)
        reply->head.value[0] = occupancy_compute(&capacity, (unsigned)threads, facts.registers,
                                                 facts.static_shared_bytes + dynamic)
                                   .blocks_per_sm;
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
