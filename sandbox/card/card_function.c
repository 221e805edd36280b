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

/* ---- clusters ---------------------------------------------------------------------------------
 */

enum {
    CLUSTERS_SINCE = 90,  /* compute capability */
    PORTABLE_CLUSTER = 8, /* blocks that every such card takes ... */
    LARGEST_CLUSTER = 16, /* ... and those that it takes where the program asks for it */
    SMS_OF_GROUP = 18,    /* a cluster runs on the SMs of one group of them */
};

/* Blocks of a cluster: what the launch says, or else the kernel; 0: no card takes so many. */
static uint64_t cluster_blocks(const struct sim_function *facts, const struct wire_launch *asked) {
    const uint32_t *size = asked->cluster[0] || !facts ? asked->cluster : facts->cluster;
    uint64_t count = 1;
    for (unsigned i = 0; i < 3 && size[0]; i++)
        count = size[i] <= LARGEST_CLUSTER ? count * size[i] : 0;
    return count > LARGEST_CLUSTER ? 0 : count;
}

static uint64_t largest_cluster(const struct card *card, const struct wire_launch *asked) {
    return card->common->device->compute_capability < CLUSTERS_SINCE ? 1
           : asked->large_cluster                                    ? LARGEST_CLUSTER
                                                                     : PORTABLE_CLUSTER;
}

bool card_takes_cluster(struct card *card, const struct wire_launch *asked) {
    uint64_t count = cluster_blocks(card_function(card, asked->kernel), asked);
    return count && count <= largest_cluster(card, asked);
}

/* On a card some groups lack an SM or two, which ones differs from card to card. */
enum card_error card_do_CLUSTERS(struct card *card, const struct card_request *request,
                                 struct card_reply *reply) {
    struct wire_launch asked;
    if (request->head.inline_bytes != sizeof asked)
        return CARD_INVALID_VALUE;
    memcpy(&asked, request->bytes, sizeof asked);
    const struct sim_function *facts = card_function(card, asked.kernel);
    if (!facts)
        return CARD_INVALID_DEVICE_FUNCTION;
    uint64_t threads = (uint64_t)asked.block[0] * asked.block[1], sms, groups;
    if (__builtin_mul_overflow(threads, asked.block[2], &threads) || !threads)
        return CARD_INVALID_VALUE;
    sms = (uint64_t)card->common->device->multiprocessors;
    groups = (sms + SMS_OF_GROUP - 1) / SMS_OF_GROUP;
    uint64_t room = sms / groups * blocks_per_sm(card, facts, threads, asked.shared_bytes);
    uint64_t most = largest_cluster(card, &asked), count = cluster_blocks(facts, &asked);
    if (request->head.argument[0]) {
        while (most > room) /* a power of two */
            most /= 2;
        reply->head.value[0] = most;
        return CARD_OK;
    }
    if (!count || count > most)
        return CARD_INVALID_CLUSTER;
    reply->head.value[0] = room / count * groups;
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
