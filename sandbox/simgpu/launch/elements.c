/* What became of some elements of a large launch.
 *
 * Of a launch with buffers that are made on demand the results are too many to send, and most of
 * them were never computed. A sample of what its blocks wrote can be compared with what another
 * kernel makes of the same elements: that kernel is launched with probes, and only blocks run that
 * may write them. Which block writes an element is guessed by the caller; where the guess was wrong
 * the next one is tried, and what was right once is tried first from then on.
 *
 * An output begins as a rule makes it, so that an element that differs from the rule was written.
 * Where blocks can add to what others write, an element may be half done: of such kernels nothing
 * is known unless all their blocks ran. */
#include "sandbox/simgpu/launch/elements.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/exec/block.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/lazy_buffer.h"

#include <stdlib.h>

enum {
    RUNS = 32,      /* of neighbours; a block of the other kernel makes several of them at once */
    RUNS_STEP = 13, /* coprime to RUNS: those that come first are from everywhere, too */
};

/* Only plain stores to what others see. */
static bool stores_plainly(const struct program *program) {
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool outside = insn->space != SPACE_SHARED && insn->space != SPACE_LOCAL;
        if (insn->cost == COST_ATOMIC && outside)
            return false;
    }
    return !program->blocks_communicate;
}

/* NULL where the argument is no buffer that is made on demand. */
static const struct allocation *allocation_of(const struct launch *launch, unsigned argument) {
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        if (allocation->filled && allocation->argument == &launch->request->arguments[argument])
            return allocation;
    }
    return NULL;
}

static struct engine_element look(const struct launch *launch, unsigned argument, uint64_t index) {
    struct engine_element element = {.argument = argument, .index = index};
    const struct allocation *allocation = allocation_of(launch, argument);
    element.written = lazy_buffer_element(allocation, index, &element.bits);
    return element;
}

/* ---- probes ---------------------------------------------------------------------------------- */

struct probing {
    struct launch *launch;
    struct block *block;
    uint64_t *done; /* blocks that ran */
    size_t done_count, done_capacity;
    uint64_t executed, dearest; /* thread instructions: of all blocks, of one */
    unsigned likeliest;         /* of a probe's blocks */
    bool stopped;
};

static bool has_run(const struct probing *probing, uint64_t index) {
    for (size_t i = 0; i < probing->done_count; i++)
        if (probing->done[i] == index)
            return true;
    return false;
}

static void run_block(struct probing *probing, uint64_t index) {
    struct launch *launch = probing->launch;
    uint64_t left = launch->budget - probing->executed;
    enum block_state state;
    block_start(probing->block, index, left);
    while (block_goes_on(state = block_run(probing->block)) && !atomic_load(&launch->stopped))
        ;
    uint64_t cost = probing->block->executed;
    probing->executed += cost < left ? cost : left;
    probing->dearest = cost > probing->dearest ? cost : probing->dearest;
    if (state == BLOCK_ENDED && cost > left)
        hazard_budget(&probing->block->warps[0], launch->program->functions[0].entry_pc, 1);
    probing->stopped |= state != BLOCK_ENDED || cost > left;
}

static void make_element(struct probing *probing, const struct engine_probe *probe) {
    const struct launch *launch = probing->launch;
    for (unsigned i = 0; i < probe->block_count && !probing->stopped; i++) {
        unsigned which = (probing->likeliest + i) % probe->block_count;
        uint64_t index = probe->blocks[which];
        if (look(launch, probe->argument, probe->index).written)
            return;
        if (index >= launch->block_count || has_run(probing, index) ||
            probing->executed + probing->dearest > launch->request->probe_budget)
            continue;
        *mem_push(&probing->done, &probing->done_count, &probing->done_capacity) = index;
        run_block(probing, index);
        if (look(launch, probe->argument, probe->index).written)
            probing->likeliest = which;
    }
}

static bool are_valid(const struct launch *launch) {
    const struct engine_launch *request = launch->request;
    for (size_t i = 0; i < request->probe_count; i++) {
        const struct engine_probe *probe = &request->probes[i];
        if (probe->argument >= request->argument_count || !allocation_of(launch, probe->argument) ||
            probe->index >= request->arguments[probe->argument].count)
            return false;
    }
    return true;
}

void elements_probe(struct host_thread *host_thread, struct engine_result *result) {
    struct launch *launch = host_thread->launch;
    const struct engine_launch *request = launch->request;
    const struct program *program = launch->program;
    bool all = request->probe_budget == UINT64_MAX;
    if (!are_valid(launch) || program->blocks_communicate || (!all && !stores_plainly(program)))
        return;
    struct probing probing = {.launch = launch, .block = block_create(host_thread, NULL)};
    for (uint64_t i = 0; i < launch->block_count && all && !probing.stopped; i++)
        run_block(&probing, i);
    for (size_t i = 0; i < request->probe_count && !all && !probing.stopped; i++)
        make_element(&probing, &request->probes[i]);
    block_free(probing.block);
    free(probing.done);
    if (probing.stopped)
        return;
    result->element_count = request->probe_count;
    result->elements = mem_calloc(request->probe_count, sizeof *result->elements);
    for (size_t i = 0; i < request->probe_count; i++)
        result->elements[i] = look(launch, request->probes[i].argument, request->probes[i].index);
}

/* ---- a sample -------------------------------------------------------------------------------- */

static bool is_output(const struct allocation *allocation) {
    return allocation->filled && !allocation->read_only;
}

static uint64_t count_chunks(const struct allocation *allocation) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < lazy_buffer_bitmap_words(allocation->length); i++)
        count += (uint64_t)__builtin_popcountll(allocation->filled[i]);
    return count;
}

/* The chunk that is number `rank` of those that are there. */
static uint64_t find_chunk(const struct allocation *allocation, uint64_t rank) {
    uint64_t word = 0, count;
    while (rank >= (count = (uint64_t)__builtin_popcountll(allocation->filled[word]))) {
        rank -= count;
        word++;
    }
    uint64_t rest = allocation->filled[word];
    while (rank--)
        rest &= rest - 1;
    return 64 * word + (uint64_t)__builtin_ctzll(rest);
}

/* Elements of a chunk that were written, the first `most` from one on that `draw` chooses; returns
 * how many there are. */
static unsigned take_chunk(const struct launch *launch, const struct allocation *allocation,
                           uint64_t chunk, uint64_t draw, size_t most,
                           struct engine_result *result) {
    unsigned argument = (unsigned)(allocation->argument - launch->request->arguments), written = 0;
    unsigned width = element_infos[allocation->argument->type].bytes;
    uint64_t each = LAZY_BUFFER_CHUNK / width, first = chunk * each;
    uint64_t left = allocation->argument->count - first, count = left < each ? left : each;
    for (uint64_t i = 0; i < count; i++) {
        struct engine_element element = look(launch, argument, first + (draw + i) % count);
        if (element.written && written++ < most)
            result->elements[result->element_count++] = element;
    }
    return written;
}

/* Run number `run` of those whose places are chosen evenly among all chunks. */
static void take_run(const struct launch *launch, uint64_t chunks, uint64_t run, size_t most,
                     struct engine_result *result) {
    uint64_t draw = mix_word(launch->request->seed, run + 1);
    uint64_t from = chunks * run / RUNS, to = chunks * (run + 1) / RUNS;
    if (from == to)
        return;
    uint64_t rank = from + draw % (to - from);
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        uint64_t count = is_output(allocation) ? count_chunks(allocation) : 0;
        if (rank < count) {
            unsigned written = take_chunk(launch, allocation, find_chunk(allocation, rank),
                                          draw >> 32, most, result);
            result->written_elements += (double)written * (double)(to - from);
            return;
        }
        rank -= count;
    }
}

void elements_sample(const struct launch *launch, struct engine_result *result) {
    size_t wanted = launch->request->wanted_elements, each = wanted / RUNS;
    uint64_t chunks = 0;
    if (!each || !stores_plainly(launch->program) || atomic_load(&launch->stopped))
        return;
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++)
        if (is_output(&launch->allocations[i]))
            chunks += count_chunks(&launch->allocations[i]);
    result->elements = mem_calloc(wanted, sizeof *result->elements);
    for (uint64_t i = 0; i < RUNS; i++)
        take_run(launch, chunks, i * RUNS_STEP % RUNS, each, result);
}
