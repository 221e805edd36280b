/* How many registers a thread of a kernel needs, about. PTX registers are virtual, and only the
 * assembler knows how many there will be; without it, this is the most that is live at one place,
 * where a value lives from its first to its last mention, and as long as a loop that it goes into.
 * Predicates have registers of their own. The assembler's number differs: it moves instructions,
 * and keeps values in constant memory. */
#include "sandbox/simgpu/launch/module.h"
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/program/program.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum {
    SMALLEST_VECTOR = 2 * WARP_LANES,
    KEPT_BACK = 2,   /* for addresses and what the system needs: eight kernels, on average 4 off */
    LEAST = 8,       /* the assembler gives no fewer ... */
    MOST = 255,      /* ... and no more */
    LOOP_PASSES = 4, /* loops in loops: more are rare, and change little */
};

struct life {
    uint32_t first, last; /* pcs */
};

/* One for each 64 bytes, the smallest vector. */
static size_t slot_of(uint32_t offset) {
    return offset / SMALLEST_VECTOR;
}

static void mention(const struct program_function *function, struct life *lives, uint32_t offset,
                    uint32_t pc) {
    if (offset < function->vector_starts[0] || offset >= function->vector_starts[VECTOR_CLASSES])
        return; /* a predicate, or the decoder's own */
    struct life *life = &lives[slot_of(offset)];
    life->first = pc < life->first ? pc : life->first;
    life->last = pc > life->last ? pc : life->last;
}

/* A value that is there before a loop, and is read in it, is there until it ends. */
static bool extend(const struct program *program, uint32_t from, uint32_t to, struct life *lives,
                   size_t count) {
    bool changed = false;
    for (uint32_t pc = from; pc < to; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow != FLOW_BRANCH || insn->target > pc || insn->target < from)
            continue;
        for (size_t i = 0; i < count; i++)
            if (lives[i].first < insn->target && lives[i].last >= insn->target &&
                lives[i].last < pc) {
                lives[i].last = pc;
                changed = true;
            }
    }
    return changed;
}

/* In registers of 32 bits. */
static int words_at(const struct program_function *function, size_t slot) {
    static const int words[VECTOR_CLASSES] = {1, 1, 2, 4};
    unsigned class = 0;
    while (class + 1 < VECTOR_CLASSES && slot >= slot_of(function->vector_starts[class + 1]))
        class ++;
    return words[class];
}

static unsigned most_live(const struct program_function *function, uint32_t from, uint32_t to,
                          const struct life *lives, size_t count) {
    int *change = mem_calloc(to - from + 1, sizeof *change);
    for (size_t i = 0; i < count; i++)
        if (lives[i].first < lives[i].last) {
            change[lives[i].first - from] += words_at(function, i);
            change[lives[i].last - from] -= words_at(function, i);
        }
    int live = 0, most = 0;
    for (uint32_t i = 0; i < to - from; i++) {
        live += change[i];
        most = live > most ? live : most;
    }
    free(change);
    return (unsigned)most;
}

unsigned register_pressure(const struct program *program) {
    const struct program_function *function = &program->functions[0];
    uint32_t from = function->entry_pc, to = program->function_count > 1
                                                 ? program->functions[1].entry_pc
                                                 : (uint32_t)program->length;
    size_t count = slot_of(function->vector_starts[VECTOR_CLASSES]) + 1;
    struct life *lives = mem_calloc(count, sizeof *lives);
    for (size_t i = 0; i < count; i++)
        lives[i].first = UINT32_MAX;
    for (uint32_t pc = from; pc < to; pc++) {
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++)
            mention(function, lives, values.sources[i], pc);
        for (unsigned i = 0; i < values.destination_count; i++)
            mention(function, lives, values.destinations[i], pc);
    }
    for (unsigned pass = 0; pass < LOOP_PASSES && extend(program, from, to, lives, count); pass++)
        ;
    unsigned registers = KEPT_BACK + most_live(function, from, to, lives, count);
    free(lives);
    return registers < LEAST ? LEAST : registers > MOST ? MOST : registers;
}
