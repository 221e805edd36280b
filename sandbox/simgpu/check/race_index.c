/* `y[i] += x[i]` with an i that two threads have, because blockIdx or a factor is missing, races as
 * a histogram does, and an atomic would only make its wrong result repeatable.
 *
 * What the two are is read from how the address is computed. An index that is looked up, divided or
 * masked is meant to be shared: a bin, a group. One made of the coordinates of the thread alone, by
 * sums and products, is meant to be another for each thread that differs in these coordinates. So
 * the formula is wrong where the two threads differ in no coordinate but those that the address is
 * made of. Of two axes it may still be meant, as in `c[i + j] += a[i] * b[j]`. A coordinate that
 * the kernel reads nowhere counts as such: threads that differ in it alone do the same work twice.
 * Where it is read elsewhere, as blockIdx.x in `sum[threadIdx.x] += x[i]`, several threads are to
 * update the element. Of a
 * register that is written in several places nothing is concluded, unless it is the variable of a
 * loop in steps of blockDim or gridDim, each of which gives every thread another element: then its
 * first value counts. */
#include "sandbox/simgpu/check/race_index.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <string.h>

enum { MAX_INSTRUCTIONS = 1 << 13, MAX_REGISTERS = 64, MAX_STEP_DEPTH = 4 };

static const enum special coordinates[] = {SPECIAL_TID_X,   SPECIAL_TID_Y,   SPECIAL_TID_Z,
                                           SPECIAL_CTAID_X, SPECIAL_CTAID_Y, SPECIAL_CTAID_Z};

static unsigned differing(struct race_thread a, struct race_thread b) {
    const unsigned x[] = {a.thread.x, a.thread.y, a.thread.z, a.block.x, a.block.y, a.block.z};
    const unsigned y[] = {b.thread.x, b.thread.y, b.thread.z, b.block.x, b.block.y, b.block.z};
    unsigned set = 0;
    for (unsigned i = 0; i < ARRAY_LENGTH(coordinates); i++)
        set |= (unsigned)(x[i] != y[i]) << i;
    return set;
}

static unsigned coordinate_bit(unsigned special) {
    for (unsigned i = 0; i < ARRAY_LENGTH(coordinates); i++)
        if (coordinates[i] == special)
            return 1u << i;
    return 0;
}

static unsigned read_anywhere(const struct program *program) {
    unsigned set = 0;
    for (size_t i = 0; i < program->special_count; i++)
        set |= coordinate_bit(program->specials[i].special);
    return set;
}

static uint32_t slot_of(uint32_t operand) {
    return operand & ~(uint32_t)3;
}

bool race_index_is_sum(const struct insn *insn) {
    switch (insn_op(insn)) {
    case OP_add:
    case OP_sub:
    case OP_neg:
    case OP_mul_lo:
    case OP_mul_wide:
    case OP_mad_lo:
    case OP_mad_wide:
    case OP_shl:
    case OP_cvt:
    case OP_cvta:
        return true;
    default:
        return insn_has(insn, TRAIT_MOVES);
    }
}

/* The registers that an address is made of. */
struct formula {
    const struct program *program;
    const struct program_function *function;
    uint32_t first, end; /* pcs of the function */
    uint32_t slots[MAX_REGISTERS];
    size_t count;
    unsigned coordinates;
};

static void add_register(struct formula *formula, uint32_t operand) {
    uint32_t slot = slot_of(operand);
    for (size_t i = 0; i < formula->count; i++)
        if (formula->slots[i] == slot)
            return;
    if (formula->count < MAX_REGISTERS)
        formula->slots[formula->count] = slot;
    formula->count++;
}

static bool is_special(struct formula *formula, uint32_t slot) {
    const struct program *program = formula->program;
    const struct program_function *function = formula->function;
    for (uint32_t i = 0; i < function->special_count; i++) {
        const struct special_use *use = &program->specials[function->special_start + i];
        if (slot_of(use->offset) != slot)
            continue;
        formula->coordinates |= coordinate_bit(use->special);
        return true;
    }
    return false;
}

/* The instructions that write a register, in order. */
enum { MAX_DEFINITIONS = 2 };
struct definitions {
    uint32_t pcs[MAX_DEFINITIONS];
    size_t count; /* MAX_DEFINITIONS + 1: more, or one under a condition */
};

static struct definitions find_definitions(const struct formula *formula, uint32_t slot) {
    struct definitions found = {.count = 0};
    for (uint32_t pc = formula->first; pc < formula->end; pc++) {
        struct instruction_values values;
        instruction_values_of(formula->program, pc, &values);
        for (unsigned i = 0; i < values.destination_count; i++) {
            if (slot_of(values.destinations[i]) != slot)
                continue;
            bool sure = formula->program->code[pc].guard == GUARD_NONE;
            if (!sure || found.count == MAX_DEFINITIONS)
                return (struct definitions){.count = MAX_DEFINITIONS + 1};
            found.pcs[found.count++] = pc;
        }
    }
    return found;
}

static bool is_extent(const struct formula *formula, uint32_t slot) {
    const struct program_function *function = formula->function;
    for (uint32_t i = 0; i < function->special_count; i++) {
        const struct special_use *use = &formula->program->specials[function->special_start + i];
        if (slot_of(use->offset) == slot)
            return (use->special >= SPECIAL_NTID_X && use->special <= SPECIAL_NTID_Z) ||
                   (use->special >= SPECIAL_NCTAID_X && use->special <= SPECIAL_NCTAID_Z);
    }
    return false;
}

/* Is the value made of the extents of the block or grid? */
static bool is_of_extents(const struct formula *formula, uint32_t operand, unsigned depth) {
    uint32_t slot = slot_of(operand);
    if (operand & OPERAND_CONSTANT || depth == MAX_STEP_DEPTH)
        return false;
    if (is_extent(formula, slot))
        return true;
    struct definitions found = find_definitions(formula, slot);
    if (found.count != 1 || !race_index_is_sum(&formula->program->code[found.pcs[0]]))
        return false;
    struct instruction_values values;
    instruction_values_of(formula->program, found.pcs[0], &values);
    for (unsigned i = 0; i < values.source_count; i++)
        if (is_of_extents(formula, values.sources[i], depth + 1))
            return true;
    return false;
}

/* `i += blockDim.x * gridDim.x`, of the register itself. */
static bool is_stride(const struct formula *formula, uint32_t slot, uint32_t pc) {
    struct instruction_values values;
    instruction_values_of(formula->program, pc, &values);
    if (insn_op(&formula->program->code[pc]) != OP_add || values.source_count != 2)
        return false;
    bool first = slot_of(values.sources[0]) == slot;
    return (first || slot_of(values.sources[1]) == slot) &&
           is_of_extents(formula, values.sources[first], 0);
}

/* The instruction that gives the register its value, or its first one; PC_NONE: not known. */
static uint32_t first_definition(const struct formula *formula, uint32_t slot) {
    struct definitions found = find_definitions(formula, slot);
    if (found.count == 1)
        return found.pcs[0];
    return found.count == 2 && is_stride(formula, slot, found.pcs[1]) ? found.pcs[0] : PC_NONE;
}

/* Adds what the register is computed of. False: it is more than sums and products. */
static bool expand(struct formula *formula, uint32_t slot) {
    if (is_special(formula, slot))
        return true;
    uint32_t pc = first_definition(formula, slot);
    if (pc == PC_NONE)
        return false;
    const struct insn *insn = &formula->program->code[pc];
    if (insn->cost == COST_LOAD && insn->space == SPACE_PARAM)
        return true;
    if (!race_index_is_sum(insn))
        return false;
    struct instruction_values values;
    instruction_values_of(formula->program, pc, &values);
    for (unsigned i = 0; i < values.source_count; i++)
        add_register(formula, values.sources[i]);
    return formula->count <= MAX_REGISTERS;
}

static uint32_t end_of(const struct program *program, uint32_t entry) {
    uint32_t end = (uint32_t)program->length;
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].entry_pc > entry && program->functions[i].entry_pc < end)
            end = program->functions[i].entry_pc;
    return end;
}

enum race_index race_index_judge(const struct program *program, uint32_t pc, struct race_thread one,
                                 struct race_thread other) {
    const struct program_function *function = &program->functions[program_function_at(program, pc)];
    struct formula formula = {.program = program,
                              .function = function,
                              .first = function->entry_pc,
                              .end = end_of(program, function->entry_pc)};
    uint32_t address = program->code[pc].operands[0];
    if (address & OPERAND_CONSTANT || formula.end - formula.first > MAX_INSTRUCTIONS)
        return INDEX_SHARED;
    add_register(&formula, address);
    for (size_t i = 0; i < formula.count; i++)
        if (!expand(&formula, formula.slots[i]))
            return INDEX_SHARED;
    /* a number drawn from an atomic tells blocks apart, too */
    unsigned unread = program->draws_numbers ? 0 : ~read_anywhere(program);
    unsigned apart = differing(one, other);
    if (!formula.coordinates || apart & ~(formula.coordinates | unread))
        return INDEX_SHARED;
    unsigned axes = (apart | apart >> 3) & 7;
    return apart & ~unread && axes & (axes - 1) ? INDEX_OF_AXES : INDEX_WRONG;
}
