/* Counted loops, unrolled as ptxas does where `.pragma "nounroll"` does not forbid it: see
 * sass_model.h. A loop is counted where its condition compares a counter, to which it adds a
 * constant, with something that does not change in it.
 *
 * Only short ones are, by PTX's instructions before any of them melt together: those that load from
 * device memory may have 46, others 18 and 5 more for each load from shared memory, without the
 * three that count and branch. Found out by trying, one instruction more at a time (ptxas 13.0,
 * sm_90; tests/bench/model/README.md). How many turns a loop has does not matter here, though
 * ptxas unrolls some altogether whose number is a constant. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"

enum {
    UNROLL_FACTOR = 4, /* of ptxas */
    /* instructions of a loop that is unrolled */
    CONTROL = 3, /* beside these: the counter's sum, the condition and the branch */
    UNROLL_LIMIT = 18,
    SHARED_MORE = 5, /* for a load from shared memory */
    GLOBAL_LIMIT = 46,
};

/* What ptxas finds short enough, as it weighs it: an access at an offset is a sum and an access. */
static bool is_short(const struct program *program, const struct region *region) {
    unsigned weight = 0, shared = 0;
    bool global = false;
    for (uint32_t pc = region->first; pc <= region->last; pc++) {
        const struct insn *insn = &program->code[pc];
        bool load = insn->cost == COST_LOAD;
        if (insn->flow == FLOW_JOIN || insn_has(insn, TRAIT_MOVES) || insn_op(insn) == OP_cvta)
            continue;
        weight++;
        weight += (insn->cost == COST_LOAD || insn->cost == COST_STORE) && insn->offset != 0;
        shared += load && insn->space == SPACE_SHARED;
        global |= load && (insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC);
    }
    return weight <= CONTROL + (global ? GLOBAL_LIMIT : UNROLL_LIMIT + SHARED_MORE * shared);
}

/* v = v + constant */
static bool is_counter(const struct sass_model *code, const struct operation *operation) {
    return operation->kind == OPERATION_COMPUTE && operation->destinations[0] != NO_VALUE &&
           operation->sources[0] == operation->destinations[0] &&
           operation->sources[1] == NO_VALUE && !operation->conditional &&
           sass_model_is(code, operation, OP_add, PTX_NO_TYPE);
}

/* The loop's condition compares a counter with something that does not change in the loop. */
static bool is_counted_loop(const struct sass_model *code, const struct region *region) {
    const struct program *program = code->program;
    const struct insn *branch = &program->code[region->last];
    if (branch->flow != FLOW_BRANCH || branch->guard == GUARD_NONE ||
        branch->target != region->first || region->count < 2 || !is_short(program, region))
        return false;
    for (uint32_t pc = region->first; pc < region->last; pc++)
        if (program->origins[pc].no_unroll || program->code[pc].flow == FLOW_WARP_SYNC ||
            program->code[pc].cost == COST_ATOMIC || program->code[pc].flow == FLOW_BRANCH)
            return false;
    const struct operation *last = &region->operations[region->count - 1];
    const struct operation *condition = NULL;
    for (size_t i = 0; i < region->count; i++)
        if (last->sources[0] != NO_VALUE &&
            region->operations[i].destinations[0] == last->sources[0])
            condition = &region->operations[i];
    if (!condition || !sass_model_is(code, condition, OP_setp, PTX_NO_TYPE))
        return false;
    unsigned counters = 0, others = 0;
    for (unsigned s = 0; s < OPERATION_SOURCES && condition->sources[s] != NO_VALUE; s++) {
        bool counter = false, changes = false;
        for (size_t i = 0; i < region->count; i++) {
            if (region->operations[i].destinations[0] != condition->sources[s])
                continue;
            changes = true;
            counter |= is_counter(code, &region->operations[i]);
        }
        counters += counter;
        others += changes && !counter;
    }
    return counters == 1 && !others;
}

/* One turn after the other; values that pass from turn to turn get a name for each. Counters are
 * added up once, and only the last turn asks whether to go on. */
void loop_unroll_region(struct sass_model *code, struct region *region) {
    if (!is_counted_loop(code, region) ||
        code->value_count + UNROLL_FACTOR * region->count * OPERATION_DESTINATIONS > VALUE_LIMIT)
        return;
    const struct operation *condition_reader = &region->operations[region->count - 1];
    cleanup_free uint16_t *names = mem_calloc(code->value_count + 1, sizeof *names);
    unsigned originals = code->value_count;
    for (unsigned i = 0; i < originals; i++)
        names[i] = (uint16_t)i;
    region->unrolled = mem_calloc(UNROLL_FACTOR * region->count, sizeof *region->unrolled);
    for (unsigned turn = 0; turn < UNROLL_FACTOR; turn++) {
        bool final = turn + 1 == UNROLL_FACTOR;
        for (size_t i = 0; i < region->count; i++) {
            struct operation operation = region->operations[i];
            bool counter = is_counter(code, &operation);
            bool condition = operation.destinations[0] != NO_VALUE &&
                             operation.destinations[0] == condition_reader->sources[0];
            if (!final && (counter || condition || operation.kind == OPERATION_BRANCH))
                sass_model_make_free(&operation);
            for (unsigned s = 0; s < OPERATION_SOURCES && operation.sources[s] != NO_VALUE; s++)
                operation.sources[s] = names[operation.sources[s]];
            if (operation.guard != NO_VALUE)
                operation.guard = names[operation.guard];
            for (unsigned d = 0;
                 d < OPERATION_DESTINATIONS && operation.destinations[d] != NO_VALUE; d++) {
                uint16_t value = operation.destinations[d];
                names[value] = final ? value : (uint16_t)code->value_count++;
                code->wide[names[value]] = code->wide[value];
                operation.destinations[d] = names[value];
            }
            region->unrolled[region->unrolled_count++] = operation;
        }
    }
    region->factor = UNROLL_FACTOR;
}
