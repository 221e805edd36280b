/* Which registers a function may read before it has written them: by liveness, backwards over its
 * control flow (what is live at the entry has no value there).
 *
 * A register that every path writes first needs no clearing when a block starts, and most are such.
 * Cleared are those that some path may read unset, so that they hold the same in every run; those
 * that an instruction may leave unwritten when it is refused (an atomic out of bounds); and those
 * that other lanes read, which may not have come by the write. What is live where a loop turns is
 * kept, too: spin_deadlock.c compares it. */
#include "sandbox/simgpu/program/flow.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/program.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_WORDS = 1 << 22, /* of all sets; functions beyond are cleared as a whole */
    MAX_PASSES = 64,
    MAX_LIVE_RANGES = 1 << 18, /* of a program; loops beyond have no set */
};

struct liveness {
    const struct decoder *decoder;
    const struct graph *graph;
    uint32_t words;   /* of a set of registers */
    uint64_t *live;   /* [block]: at its beginning */
    uint64_t *killed; /* [block]: written in it whatever happens */
    bool *always;     /* [register]: to be cleared anyway */
};

static bool is_total(const struct insn *insn) {
    switch ((enum cost_class)insn->cost) {
    case COST_ATOMIC:
    case COST_ASYNC:
    case COST_MATRIX:
    case COST_WARP:
    case COST_BARRIER:
        return false;
    case COST_LOAD:
        return insn->flow == FLOW_EXECUTE; /* not matrix loads */
    default:
        return true;
    }
}

static void note_use(struct liveness *liveness, const struct register_use *use) {
    const struct insn *insn = &liveness->decoder->program->code[use->pc];
    uint32_t block = liveness->graph->block_of[use->pc - liveness->graph->first_pc];
    size_t word = (size_t)block * liveness->words + (uint32_t)use->number / 64;
    uint64_t bit = (uint64_t)1 << ((uint32_t)use->number & 63);
    if (use->write ? !is_total(insn) : insn->flow == FLOW_WARP_SYNC || insn->cost == COST_MATRIX)
        liveness->always[use->number] = true;
    if (!use->write)
        liveness->live[word] |= liveness->killed[word] & bit ? 0 : bit;
    else if (insn->guard == GUARD_NONE)
        liveness->killed[word] |= bit;
}

/* Within an instruction reads come before writes, in whatever order its operands stand. */
static void note_uses(struct liveness *liveness) {
    const struct decoder *decoder = liveness->decoder;
    for (size_t from = 0, to; from < decoder->use_count; from = to) {
        for (to = from; to < decoder->use_count && decoder->uses[to].pc == decoder->uses[from].pc;
             to++)
            if (!decoder->uses[to].write)
                note_use(liveness, &decoder->uses[to]);
        for (size_t i = from; i < to; i++)
            if (decoder->uses[i].write)
                note_use(liveness, &decoder->uses[i]);
    }
}

static bool flow_back(struct liveness *liveness) {
    const struct graph *graph = liveness->graph;
    bool changed = true;
    for (unsigned pass = 0; pass < MAX_PASSES && changed; pass++) {
        changed = false;
        for (uint32_t b = graph->count; b-- > 0;) {
            uint64_t *live = liveness->live + (size_t)b * liveness->words;
            const uint64_t *killed = liveness->killed + (size_t)b * liveness->words;
            for (uint32_t s = 0; s < graph->blocks[b].successor_count; s++) {
                uint32_t successor = graph->blocks[b].successors[s];
                if (successor >= graph->count)
                    continue;
                const uint64_t *next = liveness->live + (size_t)successor * liveness->words;
                for (uint32_t w = 0; w < liveness->words; w++) {
                    uint64_t fresh = next[w] & ~killed[w] & ~live[w];
                    live[w] |= fresh;
                    changed |= fresh != 0;
                }
            }
        }
    }
    return !changed;
}

static struct register_range range_of(const struct decoder *decoder, size_t number) {
    unsigned bits = ptx_type_bits(decoder->source->registers[number].type);
    unsigned bytes = bits == 1 ? 4 : bits <= 16 ? 2 * WARP_LANES : bits / 8 * WARP_LANES;
    return (struct register_range){decoder->registers[number], bytes};
}

static void add_range(struct program *program, struct register_range range) {
    *mem_push(&program->ranges, &program->range_count, &program->range_capacity) = range;
}

static int compare_ranges(const void *a, const void *b) {
    const struct register_range *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Neighbours become one. */
static void join_ranges(struct program *program, struct program_function *function) {
    size_t count = program->range_count - function->clear_start, kept = 0;
    function->clear_count = 0;
    if (!count)
        return; /* there may be no array at all */
    struct register_range *ranges = program->ranges + function->clear_start;
    qsort(ranges, count, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i < count; i++)
        if (kept && ranges[kept - 1].offset + ranges[kept - 1].bytes == ranges[i].offset)
            ranges[kept - 1].bytes += ranges[i].bytes;
        else
            ranges[kept++] = ranges[i];
    function->clear_count = (uint32_t)kept;
    program->range_count = function->clear_start + kept;
}

/* What a loop goes on from: see spin_deadlock.c. */
static void note_loops(const struct liveness *liveness) {
    const struct graph *graph = liveness->graph;
    struct program *program = liveness->decoder->program;
    cleanup_free bool *loops = mem_calloc((size_t)graph->count + 1, sizeof *loops);
    for (uint32_t b = 0; b < graph->count; b++)
        for (uint32_t s = 0; s < graph->blocks[b].successor_count; s++)
            loops[graph->blocks[b].successors[s]] |= graph->blocks[b].successors[s] <= b;
    for (uint32_t b = 0; b < graph->count; b++) {
        if (!loops[b] || program->range_count > MAX_LIVE_RANGES)
            continue;
        struct live_set set = {graph->blocks[b].first, (uint32_t)program->range_count, 0};
        const uint64_t *live = liveness->live + (size_t)b * liveness->words;
        for (size_t i = 0; i < liveness->decoder->source->register_count; i++)
            if (live[i / 64] >> (i & 63) & 1)
                add_range(program, range_of(liveness->decoder, i));
        set.range_count = (uint32_t)(program->range_count - set.range_start);
        *mem_push(&program->lives, &program->live_count, &program->live_capacity) = set;
    }
}

void liveness_find(struct decoder *decoder, const struct graph *graph) {
    struct program *program = decoder->program;
    struct program_function *function = decoder->function;
    size_t registers = decoder->source->register_count;
    uint32_t words = (uint32_t)((registers + 63) / 64);
    function->live_in_start = function->clear_start = (uint32_t)program->range_count;
    if (graph->count == 0 || registers == 0)
        return;
    if ((uint64_t)words * graph->count > MAX_WORDS) {
        function->clear_count = 1;
        add_range(program, (struct register_range){0, decoder->register_bytes});
        return;
    }
    size_t size = (size_t)words * graph->count;
    cleanup_free uint64_t *live = mem_calloc(size, sizeof *live);
    cleanup_free uint64_t *killed = mem_calloc(size, sizeof *killed);
    cleanup_free bool *always = mem_calloc(registers, sizeof *always);
    struct liveness liveness = {decoder, graph, words, live, killed, always};
    note_uses(&liveness);
    bool known = flow_back(&liveness);
    for (size_t i = 0; i < registers && known; i++)
        if (live[i / 64] >> (i & 63) & 1)
            add_range(program, range_of(decoder, i));
    function->live_in_count = (uint32_t)(program->range_count - function->live_in_start);
    function->clear_start = (uint32_t)program->range_count;
    for (size_t i = 0; i < registers; i++)
        if (!known || always[i] || live[i / 64] >> (i & 63) & 1)
            add_range(program, range_of(decoder, i));
    join_ranges(program, function);
    if (known)
        note_loops(&liveness);
}
