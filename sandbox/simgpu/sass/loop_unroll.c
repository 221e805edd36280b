/* Counted loops, unrolled as ptxas does where `.pragma "nounroll"` does not forbid it: see
 * sass_model.h. A loop is counted where its condition compares a counter, to which it adds a
 * constant, with something that does not change in it.
 *
 * Loops of up to 64 instructions are unrolled. The limit of ptxas is lower and depends on what the
 * loop loads; to model it changed no pair of the benchmark (tests/bench/model/README.md). */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"

enum {
    UNROLL_FACTOR = 4, /* of ptxas */
    UNROLL_LIMIT = 64, /* instructions of PTX of a loop that is unrolled */
};

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
        branch->target != region->first || region->count < 2 ||
        region->last - region->first >= UNROLL_LIMIT)
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
