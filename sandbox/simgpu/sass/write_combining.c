/* Runs of stores.
 *
 * A warp's stores go to the L2 at once, but what is still on the way out of its L1 takes what the
 * next store changes of the same sectors with it (counted: lts__t_sectors_op_write of kernels whose
 * lanes store several words of a record one after the other, beside l1tex__t_sectors of their
 * stores). A run is stores of one straight piece of code with no load in between that the warp
 * would have to wait for: a load ends it, but for one that the assembler can move up before the
 * stores, because it begins at the same register and reads other bytes. How many turns a run may
 * take is known where the requests are watched (cache.c). */
#include "sandbox/simgpu/sass/write_combining.h"

#include "sandbox/base/memory.h"

static int64_t bytes_of(const struct insn *insn) {
    return (int64_t)ptx_type_bits((enum ptx_type)insn->type) / 8 *
           (insn->vector ? insn->vector : 1);
}

bool write_combining_is_disjoint(const struct insn *a, const struct insn *b) {
    if (a->operands[0] != b->operands[0] || a->operands[0] == OPERAND_NONE ||
        a->operands[0] & OPERAND_CONSTANT)
        return false;
    return a->offset + bytes_of(a) <= b->offset || b->offset + bytes_of(b) <= a->offset;
}

static bool is_global(const struct insn *insn) {
    return insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
}

/* Is it of any of these kinds, so that no run continues after it? */
static bool ends_run(const struct insn *insn, const struct insn *store) {
    if (insn->flow != FLOW_EXECUTE)
        return true;
    if (insn->cost == COST_LOAD && is_global(insn))
        return !store || !write_combining_is_disjoint(insn, store);
    return insn->cost == COST_ATOMIC || insn->cost == COST_ASYNC;
}

uint32_t *write_combining_find_runs(const struct program *program) {
    uint32_t *runs = mem_calloc(program->length + 1, sizeof *runs);
    const struct insn *store = NULL; /* the last one of the run */
    uint32_t run = 0;
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (ends_run(insn, store))
            store = NULL;
        if (insn->flow != FLOW_EXECUTE || insn->cost != COST_STORE || !is_global(insn))
            continue;
        run += !store;
        store = insn;
        runs[pc] = run;
    }
    return runs;
}

uint8_t *write_combining_followers(const struct program *program) {
    uint8_t *followers = mem_calloc(program->length + 1, sizeof *followers);
    const struct insn *store = NULL; /* the last one that a load may not go before */
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow != FLOW_EXECUTE)
            store = NULL;
        else if (insn->cost == COST_STORE && is_global(insn))
            store = insn;
        else if (insn->cost == COST_LOAD && is_global(insn) && store &&
                 !write_combining_is_disjoint(insn, store)) {
            followers[pc] = 1;
            store = NULL;
        }
    }
    return followers;
}
