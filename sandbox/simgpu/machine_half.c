/* Integers of 64 bits of which only the lower half is ever asked for.
 *
 * PTX computes the places of arrays in shared memory with 64 bits, as it does those of global
 * memory, but they have no more than 32: the assembler drops upper halves that nobody reads. A
 * value's upper half is read unless all its readers are addresses of shared memory, or sums,
 * products and the like whose own upper half is not. */
#include "sandbox/simgpu/machine_code_private.h"

#include "grader/base/memory.h"
#include "sandbox/simgpu/instruction_values.h"

#include <string.h>

/* What has a lower half that follows from lower halves, and what takes its place. */
static const struct half {
    const char *words, *narrow;
} halves[] = {
    {"add.s64", "add.s32"},         {"add.u64", "add.u32"},       {"sub.s64", "sub.s32"},
    {"sub.u64", "sub.u32"},         {"mul.lo.s64", "mul.lo.s32"}, {"mul.lo.u64", "mul.lo.u32"},
    {"mad.lo.s64", "mad.lo.s32"},   {"mad.lo.u64", "mad.lo.u32"}, {"shl.b64", "shl.b32"},
    {"and.b64", "and.b32"},         {"or.b64", "or.b32"},         {"xor.b64", "xor.b32"},
    {"not.b64", "not.b32"},         {"mov.u64", "mov.u32"},       {"mov.b64", "mov.b32"},
    {"cvt.s64.s32", "cvt.u64.u32"},
};

static const struct half *half_of(const struct program *program, uint32_t pc) {
    for (size_t i = 0; i < ARRAY_LENGTH(halves); i++)
        if (machine_words_match(halves[i].words, program->origins[pc].mnemonic))
            return &halves[i];
    return NULL;
}

/* Whether somebody reads the upper half of what the instruction makes, as far as is known. */
static bool is_whole(struct machine_code *code, size_t function,
                     const struct instruction_values *values) {
    for (unsigned i = 0; i < values->destination_count; i++) {
        uint16_t value = machine_value_at(code, function, values->destinations[i]);
        if (value != NO_VALUE && code->whole[value])
            return true;
    }
    return false;
}

/* One pass over all readers; true where it has found a half that is read. */
static bool follow_readers(struct machine_code *code) {
    const struct program *program = code->program;
    bool found = false;
    for (size_t pc = program->length; pc-- > 0;) {
        const struct insn *insn = &program->code[pc];
        size_t function = program_function_at(program, (uint32_t)pc);
        struct instruction_values values;
        instruction_values_of(program, (uint32_t)pc, &values);
        bool address =
            insn->space == SPACE_SHARED && (insn->cost == COST_LOAD || insn->cost == COST_STORE);
        if (half_of(program, (uint32_t)pc) && !is_whole(code, function, &values))
            continue;
        for (unsigned i = 0; i < values.source_count; i++) {
            uint16_t value = machine_value_at(code, function, values.sources[i]);
            if (value == NO_VALUE || code->whole[value] ||
                (address && values.sources[i] == insn->operands[0]))
                continue;
            code->whole[value] = found = true;
        }
    }
    return found;
}

void machine_find_halves(struct machine_code *code) {
    while (follow_readers(code))
        ;
}

const char *machine_half(struct machine_code *code, uint32_t pc) {
    const struct half *half = half_of(code->program, pc);
    struct instruction_values values;
    instruction_values_of(code->program, pc, &values);
    if (!half || !values.destination_count ||
        is_whole(code, program_function_at(code->program, pc), &values))
        return NULL;
    return half->narrow;
}
