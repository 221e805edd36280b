/* `y[i] = a * x[i] + y[i]` in a loop of which two threads have the same i: race_index.c cannot say
 * how the i comes about, and yet an atomic would add x[i] twice.
 *
 * What tells it from a sum that several threads are to add to is that the value is made of another
 * array's element with the same index: then the two threads do the same work, whoever they are. Two
 * indexes are the same here where they are sums and products of the same coordinates and of loop
 * variables with the same steps; their constants and the arrays' addresses do not matter. Shared
 * memory is left out: `sum[i] += part[i]` adds up what each block has of its own. */
#include "sandbox/simgpu/check/race_index.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/check/race_update.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <string.h>

enum { MAX_INSTRUCTIONS = 1 << 13, MAX_REGISTERS = 48, MAX_LEAVES = 16 };

/* What an index is made of in the end: a special register, or how far a loop variable goes in one
 * round (a constant's value, else the register of the step). */
struct leaf {
    enum { LEAF_SPECIAL, LEAF_STEP, LEAF_CONSTANT_STEP } kind;
    int64_t value;
};

struct slice {
    const struct program *program;
    const struct program_function *function;
    uint32_t first, end; /* pcs of the function */
    uint32_t slots[MAX_REGISTERS];
    size_t count;
    struct leaf leaves[MAX_LEAVES];
    size_t leaf_count;
};

static uint32_t slot_of(uint32_t operand) {
    return operand & ~(uint32_t)3;
}

static void add_register(struct slice *slice, uint32_t operand) {
    if (operand == OPERAND_NONE || operand & OPERAND_CONSTANT)
        return;
    for (size_t i = 0; i < slice->count && i < MAX_REGISTERS; i++)
        if (slice->slots[i] == slot_of(operand))
            return;
    if (slice->count < MAX_REGISTERS)
        slice->slots[slice->count] = slot_of(operand);
    slice->count++;
}

static bool has_leaf(const struct slice *slice, struct leaf leaf) {
    for (size_t i = 0; i < slice->leaf_count; i++)
        if (slice->leaves[i].kind == leaf.kind && slice->leaves[i].value == leaf.value)
            return true;
    return false;
}

static bool add_leaf(struct slice *slice, struct leaf leaf) {
    if (has_leaf(slice, leaf))
        return true;
    if (slice->leaf_count == MAX_LEAVES)
        return false;
    slice->leaves[slice->leaf_count++] = leaf;
    return true;
}

static bool is_special(const struct slice *slice, uint32_t slot, int64_t *special) {
    for (uint32_t i = 0; i < slice->function->special_count; i++) {
        const struct special_use *use =
            &slice->program->specials[slice->function->special_start + i];
        if (slot_of(use->offset) != slot)
            continue;
        *special = use->special;
        return true;
    }
    return false;
}

/* `i += step`: the step becomes a leaf. */
static bool add_step(struct slice *slice, const struct insn *insn, uint32_t slot) {
    bool is_first = slot_of(insn->operands[1]) == slot;
    uint32_t step = insn->operands[is_first ? 2 : 1];
    int64_t value;
    if (instruction_constant(slice->program, step, &value))
        return add_leaf(slice, (struct leaf){LEAF_CONSTANT_STEP, value});
    return add_leaf(slice, (struct leaf){LEAF_STEP, slot_of(step)});
}

static bool is_step(const struct insn *insn, uint32_t slot) {
    return insn_op(insn) == OP_add &&
           (slot_of(insn->operands[1]) == slot || slot_of(insn->operands[2]) == slot);
}

static bool writes(const struct instruction_values *values, uint32_t slot) {
    for (unsigned i = 0; i < values->destination_count; i++)
        if (slot_of(values->destinations[i]) == slot)
            return true;
    return false;
}

/* Adds what makes up an index's register. False: more than sums and products. */
static bool expand_index(struct slice *slice, uint32_t slot) {
    int64_t special;
    if (is_special(slice, slot, &special))
        return add_leaf(slice, (struct leaf){LEAF_SPECIAL, special});
    for (uint32_t pc = slice->first; pc < slice->end; pc++) {
        const struct insn *insn = &slice->program->code[pc];
        struct instruction_values values;
        instruction_values_of(slice->program, pc, &values);
        if (!writes(&values, slot) || (insn->cost == COST_LOAD && insn->space == SPACE_PARAM))
            continue;
        if (!race_index_is_sum(insn))
            return false;
        if (is_step(insn, slot)) {
            if (!add_step(slice, insn, slot))
                return false;
            continue;
        }
        for (unsigned i = 0; i < values.source_count; i++)
            add_register(slice, values.sources[i]);
    }
    return slice->count <= MAX_REGISTERS;
}

static struct slice begin(const struct slice *whole, uint32_t operand) {
    struct slice slice = {.program = whole->program,
                          .function = whole->function,
                          .first = whole->first,
                          .end = whole->end};
    add_register(&slice, operand);
    return slice;
}

/* Of the access at `pc`; false where it is not known, or made of nothing. */
static bool index_of(const struct slice *whole, uint32_t pc, struct slice *index) {
    *index = begin(whole, whole->program->code[pc].operands[0]);
    for (size_t i = 0; i < index->count; i++)
        if (!expand_index(index, index->slots[i]))
            return false;
    return index->leaf_count != 0;
}

static bool same_leaves(const struct slice *one, const struct slice *other) {
    if (one->leaf_count != other->leaf_count)
        return false;
    for (size_t i = 0; i < one->leaf_count; i++)
        if (!has_leaf(other, one->leaves[i]))
            return false;
    return true;
}

/* A load of another array's element with this index. */
static bool is_partner(const struct slice *whole, uint32_t store, const struct slice *index,
                       uint32_t load) {
    struct slice its;
    return whole->program->code[load].space == SPACE_GLOBAL &&
           race_update_same_address(whole->program, whole->first, load, store) != SAMENESS_SAME &&
           index_of(whole, load, &its) && same_leaves(index, &its);
}

/* Looks where the register comes from, as far as loads from memory. */
static bool comes_from_partner(struct slice *value, uint32_t store, const struct slice *index,
                               uint32_t slot) {
    for (uint32_t pc = value->first; pc < value->end; pc++) {
        const struct insn *insn = &value->program->code[pc];
        struct instruction_values values;
        instruction_values_of(value->program, pc, &values);
        if (!writes(&values, slot))
            continue;
        if (insn->cost == COST_LOAD) {
            if (is_partner(value, store, index, pc))
                return true;
            continue;
        }
        for (unsigned i = 0; i < values.source_count; i++)
            add_register(value, values.sources[i]);
    }
    return false;
}

bool race_index_is_elementwise(const struct program *program, uint32_t store) {
    const struct program_function *function =
        &program->functions[program_function_at(program, store)];
    struct slice whole = {.program = program,
                          .function = function,
                          .first = function->entry_pc,
                          .end = (uint32_t)program->length};
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].entry_pc > whole.first &&
            program->functions[i].entry_pc < whole.end)
            whole.end = program->functions[i].entry_pc;
    struct slice index;
    const struct insn *insn = &program->code[store];
    if (insn->space != SPACE_GLOBAL || insn->operands[0] & OPERAND_CONSTANT ||
        whole.end - whole.first > MAX_INSTRUCTIONS || !index_of(&whole, store, &index))
        return false;
    struct slice value = begin(&whole, insn->operands[1]);
    for (size_t i = 0; i < value.count && i < MAX_REGISTERS; i++)
        if (comes_from_partner(&value, store, &index, value.slots[i]))
            return true;
    return false;
}
