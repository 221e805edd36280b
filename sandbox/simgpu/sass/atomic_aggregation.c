/* Which atomics of a warp ptxas joins before they go to memory.
 *
 * Where it can see that all lanes have one address, one lane asks for all of them. The rules were
 * read from what ptxas 13.0 writes for sm_75 to sm_90. The address must come from parameters,
 * constants, the block's number and what is loaded from such addresses, in control flow that lanes
 * do not leave apart; anything from a lane's number, a shuffle or an atomic differs, and so may a
 * value that lanes reach a different number of times. What is not sure counts as different: a merge
 * that is missed makes a kernel look slower, and says why. */
#include "sandbox/simgpu/sass/atomic_aggregation.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 32, /* through the program until nothing changes; then everything differs */
    REDUX_CAPABILITY = 80,
    NO_SLOT = UINT32_MAX,
};

struct uniformity {
    const struct program *program;
    uint32_t *starts; /* by function: its first register below */
    bool *differs;    /* by register: from lane to lane, perhaps */
    uint8_t *writes;  /* by register; 2: twice or more */
    bool *read;       /* by register */
    int32_t *borders; /* by pc: where reaches of divergent branches begin, less where they end */
    bool changed;
};

static uint32_t slot_of(const struct uniformity *k, size_t function, uint32_t offset) {
    if (offset == OPERAND_NONE || offset & OPERAND_CONSTANT)
        return NO_SLOT;
    uint32_t slot = (offset & ~(uint32_t)3) / 4;
    return slot < k->program->functions[function].register_bytes / 4 ? k->starts[function] + slot
                                                                     : NO_SLOT;
}

/* Without operands that differ, a constant and what a block has in common are the same; what cannot
 * be known counts as different. */
static bool differs_by_itself(const struct insn *insn) {
    bool load = insn_operation(insn)->effect == EFFECT_LOAD;
    return insn_has(insn, TRAIT_DIFFERS) ||
           (load && (insn->space == SPACE_LOCAL || insn->space == SPACE_GENERIC));
}

static bool is_uniform_special(unsigned special) {
    return (special >= SPECIAL_NTID_X && special <= SPECIAL_NCTAID_Z) || special == SPECIAL_SMID ||
           special == SPECIAL_NSMID || special == SPECIAL_GRIDID ||
           special == SPECIAL_DYNAMIC_SMEM || special == SPECIAL_TOTAL_SMEM;
}

static void note_specials(struct uniformity *k, size_t function) {
    const struct program_function *of = &k->program->functions[function];
    for (uint32_t i = 0; i < of->special_count; i++) {
        const struct special_use *use = &k->program->specials[of->special_start + i];
        uint32_t slot = slot_of(k, function, use->offset);
        if (slot != NO_SLOT && !is_uniform_special(use->special))
            k->differs[slot] = true;
    }
}

static void note_uses(struct uniformity *k, uint32_t pc) {
    struct instruction_values values;
    size_t function = program_function_at(k->program, pc);
    instruction_values_of(k->program, pc, &values);
    for (unsigned i = 0; i < values.source_count; i++) {
        uint32_t slot = slot_of(k, function, values.sources[i]);
        if (slot != NO_SLOT)
            k->read[slot] = true;
    }
    for (unsigned i = 0; i < values.destination_count; i++) {
        uint32_t slot = slot_of(k, function, values.destinations[i]);
        if (slot != NO_SLOT && k->writes[slot] < 2)
            k->writes[slot]++;
    }
}

static bool operand_differs(const struct uniformity *k, uint32_t pc, uint32_t operand) {
    uint32_t slot = slot_of(k, program_function_at(k->program, pc), operand);
    return slot != NO_SLOT && k->differs[slot];
}

/* From a branch that lanes may leave apart to where they may still be: what is written in between
 * and elsewhere, too, has two values at once. */
static void find_borders(struct uniformity *k) {
    const struct program *program = k->program;
    memset(k->borders, 0, (program->length + 1) * sizeof *k->borders);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_INDEXED && operand_differs(k, pc, insn->operands[0])) {
            k->borders[0]++; /* anywhere */
            continue;
        }
        if (insn->flow != FLOW_BRANCH || insn->guard == GUARD_NONE ||
            !operand_differs(k, pc, insn->guard & ~(uint32_t)OPERAND_NEGATED))
            continue;
        uint32_t target = (uint32_t)insn->target;
        k->borders[target > pc ? pc : target]++;
        k->borders[target > pc ? target : pc + 1]--;
    }
}

static void spread(struct uniformity *k, uint32_t pc, bool divided) {
    const struct insn *insn = &k->program->code[pc];
    struct instruction_values values;
    size_t function = program_function_at(k->program, pc);
    instruction_values_of(k->program, pc, &values);
    bool differs = differs_by_itself(insn);
    for (unsigned i = 0; i < values.source_count; i++) {
        uint32_t slot = slot_of(k, function, values.sources[i]);
        differs |= slot != NO_SLOT && k->differs[slot];
    }
    for (unsigned i = 0; i < values.destination_count; i++) {
        uint32_t slot = slot_of(k, function, values.destinations[i]);
        if (slot == NO_SLOT || k->differs[slot] || !(differs || (divided && k->writes[slot] > 1)))
            continue;
        k->differs[slot] = true;
        k->changed = true;
    }
}

/* False: it takes too long, and nothing is known. */
static bool find_differences(struct uniformity *k) {
    for (unsigned round = 0; round < ROUNDS; round++) {
        k->changed = false;
        find_borders(k);
        int32_t inside = 0;
        for (uint32_t pc = 0; pc < k->program->length; pc++) {
            inside += k->borders[pc];
            spread(k, pc, inside > 0);
        }
        if (!k->changed)
            return true;
    }
    return false;
}

/* Sums of a value that all lanes have need but the number of lanes; others a reduction, which there
 * is one instruction for since capability 8.0, and a scan where the old value is asked for. Of 64
 * bits, only the first. An increment in shared memory is counted by the memory itself
 * (ATOMS.POPC.INC). */
static enum atomic_merge merge_of(const struct uniformity *k, uint32_t pc, unsigned capability) {
    const struct insn *insn = &k->program->code[pc];
    uint32_t old = slot_of(k, program_function_at(k->program, pc), insn->operands[1]);
    bool asked = old != NO_SLOT && k->read[old], constant = insn->operands[2] & OPERAND_CONSTANT;
    if (insn->cost != COST_ATOMIC || ptx_type_is_float((enum ptx_type)insn->type) ||
        operand_differs(k, pc, insn->operands[0]))
        return ATOMIC_APART;
    unsigned bits = ptx_type_bits((enum ptx_type)insn->type);
    enum atomic_merge joined =
        !asked && capability >= REDUX_CAPABILITY ? ATOMIC_REDUCED : ATOMIC_TOGETHER_IF_WHOLE;
    switch (insn_op(insn)) {
    case OP_atomic_add: {
        bool counted_by_memory = insn->space == SPACE_SHARED && constant && !asked;
        if (!operand_differs(k, pc, insn->operands[2]))
            return counted_by_memory ? ATOMIC_APART : ATOMIC_COUNTED;
        return bits == 32 ? joined : ATOMIC_APART;
    }
    case OP_atomic_min:
    case OP_atomic_max:
    case OP_atomic_and:
    case OP_atomic_or:
    case OP_atomic_xor:
        return bits == 32 && !asked ? joined : ATOMIC_APART;
    default:
        return ATOMIC_APART;
    }
}

static void uniformity_close(struct uniformity *k) {
    free(k->starts);
    free(k->differs);
    free(k->writes);
    free(k->read);
    free(k->borders);
}

/* False: nothing is known. What a function returns is not followed. */
static bool uniformity_open(struct uniformity *k, const struct program *program) {
    size_t slots = 0;
    *k = (struct uniformity){.program = program,
                             .starts = mem_calloc(program->function_count + 1, sizeof *k->starts),
                             .borders = mem_calloc(program->length + 1, sizeof *k->borders)};
    for (size_t i = 0; i < program->function_count; i++) {
        k->starts[i] = (uint32_t)slots;
        slots += program->functions[i].register_bytes / 4 + 1;
    }
    k->differs = mem_calloc(slots + 1, sizeof *k->differs);
    k->read = mem_calloc(slots + 1, sizeof *k->read);
    k->writes = mem_calloc(slots + 1, sizeof *k->writes);
    for (size_t i = 0; i < program->function_count; i++)
        note_specials(k, i);
    for (uint32_t pc = 0; pc < program->length; pc++)
        note_uses(k, pc);
    return !program->call_count && find_differences(k);
}

uint8_t *atomic_aggregation_find(const struct program *program, unsigned capability) {
    uint8_t *merges = mem_calloc(program->length + 1, sizeof *merges);
    bool atomics = false;
    for (uint32_t pc = 0; pc < program->length; pc++)
        atomics |= program->code[pc].cost == COST_ATOMIC;
    if (!atomics)
        return merges;
    struct uniformity k;
    if (uniformity_open(&k, program))
        for (uint32_t pc = 0; pc < program->length; pc++)
            merges[pc] = (uint8_t)merge_of(&k, pc, capability);
    uniformity_close(&k);
    return merges;
}

bool *atomic_aggregation_find_branches(const struct program *program) {
    bool *divided = mem_calloc(program->length + 1, sizeof *divided);
    struct uniformity k;
    if (uniformity_open(&k, program))
        for (uint32_t pc = 0; pc < program->length; pc++) {
            const struct insn *insn = &program->code[pc];
            divided[pc] = insn->flow == FLOW_BRANCH && insn->guard != GUARD_NONE &&
                          operand_differs(&k, pc, insn->guard & ~(uint32_t)OPERAND_NEGATED);
        }
    uniformity_close(&k);
    return divided;
}

struct aggregation_cost atomic_aggregation_cost(enum atomic_merge merge, bool asked) {
    /* counted in what ptxas writes; clocks: shuffles, reductions and counts of 20 to 25 each in a
     * row */
    static const struct aggregation_cost costs[][2] = {
        [ATOMIC_APART] = {{0, 0}, {0, 0}},
        [ATOMIC_COUNTED] = {{5, 30}, {10, 60}},
        [ATOMIC_REDUCED] = {{6, 30}, {6, 30}},
        [ATOMIC_TOGETHER_IF_WHOLE] = {{14, 135}, {24, 190}},
    };
    return costs[merge][asked];
}
