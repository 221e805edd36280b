/* The cost model's time of a launch: its blocks are simulated a second time, a sample of them, as
 * the device would run them (simgpu/time), on a copy of the memory as the launch has left it.
 *
 * That is not done for each launch: launches of one kernel with the same grid and about the same
 * counters take the same time, and after a few different ones, or when the model has had its share
 * of all instructions, the others' times follow from their lower bounds. Instructions are counted
 * and not seconds, so that the times are the same on every machine. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_OF_A_KERNEL = 4,         /* modelled launches of one shape */
    MOST_BYTES = 128 << 20,       /* of memory: a copy of it is made */
    SAMPLE_BUDGET = 2 << 20,      /* thread instructions of one launch, about */
    LEAST_BUDGET = 1 << 20,       /* likewise, what it may take at most beside four times its own */
    FREE_INSTRUCTIONS = 32 << 20, /* of all models, beside ... */
    SHARE = 4,                    /* ... the part of what the checks have executed */
};
static const double about_the_same = 0.02;

struct modelled {
    const struct sim_module *module;
    const char *kernel;
    struct dim3 grid, block;
    uint64_t shared_bytes;
    double bound_ns, ns;
};

static bool is_shape(const struct modelled *modelled, const struct sim_module *module,
                     const struct engine_launch *launch) {
    return modelled->module == module && strcmp(modelled->kernel, launch->kernel) == 0 &&
           memcmp(&modelled->grid, &launch->grid, sizeof launch->grid) == 0 &&
           memcmp(&modelled->block, &launch->block, sizeof launch->block) == 0 &&
           modelled->shared_bytes == launch->shared_bytes;
}

/* Blocks of its own, which the model may change. */
static struct engine_block *copy_blocks(const struct card *card) {
    struct engine_block *blocks = mem_calloc(card->block_count + 1, sizeof *blocks);
    for (size_t i = 0; i < card->block_count; i++) {
        const struct engine_block *block = &card->blocks[i];
        blocks[i] = *block;
        if (!block->bytes)
            continue;
        blocks[i].bytes = mem_zalloc(block->about.count + ENGINE_BLOCK_SLACK);
        memcpy(blocks[i].bytes, block->bytes, block->about.count);
    }
    return blocks;
}

static void free_blocks(struct engine_block *blocks, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(blocks[i].bytes);
    free(blocks);
}

/* 0: the model cannot say. On memory as the launch has left it, without what it has from the
 * device's malloc, a kernel may do another thing than it did, and a loop never end: what takes far
 * more instructions than the launch is given up. */
static double simulate(const struct card *card, struct sim_module *module,
                       const struct engine_launch *launch, uint64_t executed) {
    struct sim_function facts = {0};
    struct error error;
    struct engine_memory memory = *launch->memory;
    struct engine_launch again = *launch;
    struct engine_result result;
    if (!sim_module_function(module, launch->kernel, launch->file_name, &facts, &error))
        return 0;
    memory.blocks = copy_blocks(card);
    memory.heap = NULL; /* what the launch has left there stays as it is */
    memory.wants_touched = memory.wants_host_touched = false;
    memory.touched = NULL;
    memory.touched_count = 0;
    again.memory = &memory;
    again.device = card->common->device;
    again.registers = facts.registers;
    again.sample_budget = SAMPLE_BUDGET;
    again.no_checks = true;
    if (executed < UINT64_MAX / 4 && (!again.budget || again.budget > 4 * executed + LEAST_BUDGET))
        again.budget = 4 * executed + LEAST_BUDGET;
    sim_launch(module, &again, &result);
    double ns = result.end == ENGINE_COMPLETED && !result.hazard_count && result.profile.present
                    ? result.profile.estimate.ms * 1e6
                    : 0;
    engine_result_free(&result);
    free_blocks(memory.blocks, card->block_count);
    return ns;
}

double card_model_ns(struct card *card, struct sim_module *module,
                     const struct engine_launch *launch, const struct engine_result *result,
                     double bound_ns) {
    const struct modelled *last = NULL;
    size_t known = 0;
    card->executed += result->counters.thread_instructions;
    for (size_t i = 0; i < card->modelled_count; i++) {
        const struct modelled *modelled = &card->modelled[i];
        if (!is_shape(modelled, module, launch))
            continue;
        known++;
        last = modelled;
        double ratio = bound_ns / modelled->bound_ns;
        if (ratio > 1 - about_the_same && ratio < 1 + about_the_same)
            return modelled->ns;
    }
    bool may = known < MOST_OF_A_KERNEL && card->used_bytes < MOST_BYTES &&
               card->modelled_instructions < FREE_INSTRUCTIONS + card->executed / SHARE &&
               !result->hazard_count && result->end == ENGINE_COMPLETED;
    if (!may)
        return last ? last->ns * bound_ns / last->bound_ns : bound_ns;
    uint64_t all = result->counters.thread_instructions;
    double ns = simulate(card, module, launch, all);
    card->modelled_instructions += all < 2 * SAMPLE_BUDGET ? all : 2 * SAMPLE_BUDGET;
    ns = ns > bound_ns ? ns : bound_ns;
    *mem_push(&card->modelled, &card->modelled_count, &card->modelled_capacity) = (struct modelled){
        module, launch->kernel, launch->grid, launch->block, launch->shared_bytes, bound_ns, ns};
    return ns;
}
