/* What would order two accesses, or make an order needless.
 *
 * A barrier is advised only where it orders the two: none orders blocks, and none makes a load and
 * a store of one thread a single step. An atomic is advised only where several threads are to
 * update one element: where a wrong index brought them there, it would hide the mistake. */
#include "sandbox/simgpu/check/race_fix.h"

#include "sandbox/simgpu/check/race_update.h"

static bool is_same_line(const struct program *program, uint32_t pc, uint32_t other_pc) {
    const struct insn_origin *origins = program->origins;
    return pc == other_pc || (origins[pc].line && origins[pc].line == origins[other_pc].line &&
                              origins[pc].file == origins[other_pc].file);
}

/* Between blocks that no barrier of the grid can order. */
static bool is_apart(const struct program *program, enum race_span span) {
    return span == SPAN_GRID && !program->cooperative;
}

/* Both are halves of updates, each of an element of its own, in copies of one statement: a loop
 * that the compiler has unrolled. */
static enum race_update find_copies(const struct program *program, const struct race_pair *pair) {
    if (pair->strong || pair->other_strong || !is_same_line(program, pair->pc, pair->other_pc))
        return UPDATE_NONE;
    enum race_update one = pair->store ? race_update_of_store(program, pair->pc)
                                       : race_update_of_load(program, pair->pc);
    enum race_update other = pair->other_store ? race_update_of_store(program, pair->other_pc)
                                               : race_update_of_load(program, pair->other_pc);
    return one < other ? one : other;
}

static enum race_update find_update(const struct program *program, const struct race_pair *pair) {
    if (pair->strong || pair->other_strong)
        return UPDATE_NONE;
    if (pair->store && pair->other_store)
        return pair->pc == pair->other_pc ? race_update_of_store(program, pair->pc) : UPDATE_NONE;
    return pair->store ? race_update_find(program, pair->other_pc, pair->pc)
                       : race_update_find(program, pair->pc, pair->other_pc);
}

/* Both work on one element in one step of the source: one writer, an atomic, or another array for
 * the result. */
static enum hazard_fix fix_update(const struct program *program, const struct race_pair *pair,
                                  enum race_update update, bool one_address) {
    bool writes = pair->store && pair->other_store;
    if (one_address && pair->named)
        switch (race_index_judge(program, pair->pc, pair->thread, pair->other)) {
        case INDEX_WRONG:
            return FIX_ONE_WRITER;
        case INDEX_OF_AXES:
            return FIX_MEND_INDEX;
        case INDEX_SHARED:
            break;
        }
    uint32_t store = pair->store ? pair->pc : pair->other_pc;
    if (one_address && race_index_is_elementwise(program, store))
        return FIX_ONE_WRITER;
    if (update == UPDATE_GUARDED)
        return race_atomic_of_guard(program, store);
    if (update == UPDATE_VALUE || (writes && update == UPDATE_UNKNOWN))
        return race_atomic_of_value(program, store);
    if (writes)
        return FIX_ONE_WRITER; /* no order decides whose value is right */
    if (update == UPDATE_UNKNOWN)
        return is_apart(program, pair->span) ? FIX_UPDATE_BETWEEN_BLOCKS : FIX_UPDATE;
    return is_apart(program, pair->span) ? FIX_OTHER_ARRAY : FIX_READ_THEN_WRITE;
}

static enum hazard_fix fix_order(const struct program *program, const struct race_pair *pair) {
    if (pair->span == SPAN_GRID)
        return pair->shared           ? FIX_CLUSTER_BARRIER
               : program->cooperative ? FIX_GRID_BARRIER
                                      : FIX_BETWEEN_BLOCKS;
    return pair->span == SPAN_WARP ? FIX_WARP_BARRIER : FIX_BLOCK_BARRIER;
}

enum hazard_fix race_fix_choose(const struct program *program, const struct race_pair *pair) {
    bool writes = pair->store && pair->other_store;
    if (pair->strong != pair->other_strong &&
        program->code[pair->strong ? pair->pc : pair->other_pc].order != ORDER_VOLATILE)
        return is_apart(program, pair->span) ? FIX_BOTH_ATOMIC : FIX_ONE_IS_ATOMIC;
    enum race_update update = find_update(program, pair);
    bool one_address = update != UPDATE_NONE;
    update = one_address ? update : find_copies(program, pair);
    bool one_step =
        update != UPDATE_NONE || (writes ? pair->span == SPAN_GRID || pair->pc == pair->other_pc
                                         : is_same_line(program, pair->pc, pair->other_pc));
    return one_step ? fix_update(program, pair, update, one_address) : fix_order(program, pair);
}

enum hazard_fix race_fix_widen(const struct program *program, enum hazard_fix fix,
                               enum race_span span) {
    bool apart = is_apart(program, span);
    switch (fix) {
    case FIX_WARP_BARRIER:
    case FIX_BLOCK_BARRIER:
        return apart               ? FIX_BETWEEN_BLOCKS
               : span == SPAN_GRID ? FIX_GRID_BARRIER
               : span == SPAN_WARP ? fix
                                   : FIX_BLOCK_BARRIER;
    case FIX_READ_THEN_WRITE:
        return apart ? FIX_OTHER_ARRAY : fix;
    case FIX_UPDATE:
        return apart ? FIX_UPDATE_BETWEEN_BLOCKS : fix;
    case FIX_ONE_IS_ATOMIC:
        return apart ? FIX_BOTH_ATOMIC : fix;
    default:
        return fix;
    }
}
