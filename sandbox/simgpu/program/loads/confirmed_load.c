/* Loads that a later look confirms, as a sequence lock's reader does: it looks at a number, reads
 * what the number protects, and looks at the number again. Where both looks gave the same, what was
 * read in between belongs together; else it reads again.
 *
 * What is read may be written meanwhile, so that such a load is no race whatever becomes of its
 * value. What can be wrong is the order of the loads and looks: see race_message.c.
 *
 * The second look is found by a comparison for equality of two strong loads from one address. What
 * stands between them and is a strong load from another address is confirmed. Values are followed
 * through moves alone; where one gets lost, nothing is confirmed. */
#include "sandbox/simgpu/program/instruction_values.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum { MOST_LOOKED_AT = 16 << 20 }; /* instructions, in all; hostile programs are long */

struct search {
    struct program *program;
    uint32_t first, end; /* pcs of the function */
    uint32_t *loads;     /* its strong ones from outside of the block */
    size_t count, capacity;
    uint64_t looked_at;
};

static bool is_outside(const struct insn *insn) {
    return insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
}

static bool is_one_address(const struct insn *a, const struct insn *b) {
    return a->operands[0] == b->operands[0] && a->offset == b->offset && a->space == b->space;
}

/* Which instruction gave the operand its value, moves left out? PC_NONE: not one alone. */
static uint32_t source_of(struct search *search, uint32_t operand) {
    enum { MOST_MOVES = 8 };
    const struct program *program = search->program;
    for (unsigned moves = 0; moves < MOST_MOVES; moves++) {
        uint32_t found = PC_NONE;
        search->looked_at += search->end - search->first;
        if (operand == OPERAND_NONE || operand & OPERAND_CONSTANT ||
            search->looked_at > MOST_LOOKED_AT)
            return PC_NONE;
        for (uint32_t pc = search->first; pc < search->end; pc++) {
            struct instruction_values values;
            instruction_values_of(program, pc, &values);
            bool gives = false;
            for (unsigned i = 0; i < values.destination_count; i++)
                gives |= values.destinations[i] == (operand & ~(uint32_t)3);
            if (gives && found != PC_NONE)
                return PC_NONE;
            if (gives)
                found = pc;
        }
        if (found == PC_NONE || !insn_has(&program->code[found], TRAIT_MOVES))
            return found;
        operand = program->code[found].operands[1];
    }
    return PC_NONE;
}

static bool is_look(const struct search *search, uint32_t pc) {
    for (size_t i = 0; i < search->count; i++)
        if (search->loads[i] == pc)
            return true;
    return false;
}

static void confirm(struct search *search, uint32_t before, uint32_t after) {
    struct insn *code = search->program->code;
    for (size_t i = 0; i < search->count; i++) {
        uint32_t pc = search->loads[i];
        if (pc <= before || pc >= after || is_one_address(&code[pc], &code[after]))
            continue;
        code[pc].extra |= EXTRA_CONFIRMED;
        code[after].extra |= EXTRA_CONFIRMS;
    }
}

/* Are the two that are compared looks at one address? */
static void judge(struct search *search, uint32_t comparison) {
    const struct insn *code = search->program->code;
    struct instruction_values values;
    uint32_t pcs[2];
    instruction_values_of(search->program, comparison, &values);
    if (values.source_count != 2)
        return;
    for (unsigned i = 0; i < 2; i++) {
        pcs[i] = source_of(search, values.sources[i]);
        if (pcs[i] == PC_NONE || !is_look(search, pcs[i]))
            return;
    }
    if (pcs[0] == pcs[1] || !is_one_address(&code[pcs[0]], &code[pcs[1]]))
        return;
    confirm(search, pcs[0] < pcs[1] ? pcs[0] : pcs[1], pcs[0] < pcs[1] ? pcs[1] : pcs[0]);
}

static void judge_function(struct search *search) {
    const struct insn *code = search->program->code;
    enum { FEWEST = 3 }; /* two looks, and what they confirm */
    search->count = 0;
    for (uint32_t pc = search->first; pc < search->end; pc++)
        if (code[pc].cost == COST_LOAD && code[pc].order >= ORDER_VOLATILE && is_outside(&code[pc]))
            *mem_push(&search->loads, &search->count, &search->capacity) = pc;
    for (uint32_t pc = search->first; pc < search->end && search->count >= FEWEST; pc++)
        if (code[pc].form != FORM_NONE && insn_op(&code[pc]) == OP_setp &&
            (code[pc].compare == COMPARE_eq || code[pc].compare == COMPARE_ne))
            judge(search, pc);
}

void confirmed_load_find(struct program *program) {
    struct search search = {.program = program};
    for (size_t f = 0; f < program->function_count; f++) {
        search.first = program->functions[f].entry_pc;
        search.end = f + 1 < program->function_count ? program->functions[f + 1].entry_pc
                                                     : (uint32_t)program->length;
        judge_function(&search);
    }
    free(search.loads);
}
