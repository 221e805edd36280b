/* Accesses that are made only because of what an atomic has found: `if (atomicAdd(&n, 1) == last)
 * n = 0;`. The race checker asks for them where an access follows what its thread has observed: an
 * order that the value has decided holds in every schedule, another one holds by chance.
 *
 * Values are followed through the registers of all functions, through shared and local memory, each
 * as a whole but for shared variables that are named where they are accessed, through what
 * functions return, and to what is computed only on one way of a branch:
 * -G does so for `last && tid == 0`. That is coarse where a value leaves registers, and it is asked
 * only of two accesses that something else orders in this run. */
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/program/loads/guarding_load.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum {
    CALL_WORDS = 64, /* instructions between a call and its arguments and results */
    PLACES = 16,     /* shared variables that a value is stored in; more are all there are */
};

struct observed_value {
    const struct program *program;
    uint32_t observing;
    uint32_t *base; /* of a function: its first mark */
    bool *marks;    /* registers that the value has come to */
    bool *returns;  /* functions that return it */
    bool *branches; /* by pc: what depends on them is marked */
    uint64_t *budget;
    bool shared, local;
    int64_t places[PLACES]; /* words of shared memory, where not all of it */
    size_t place_count;
    bool grown;
};

static uint32_t find_mark(const struct observed_value *value, size_t function, uint32_t operand) {
    uint32_t slot = operand / 4;
    bool none = operand >= OPERAND_NONE || operand & OPERAND_CONSTANT ||
                slot >= value->program->functions[function].register_bytes / 4;
    return none ? 0 : value->base[function] + slot;
}

static void set(struct observed_value *value, bool *mark) {
    value->grown |= !*mark;
    *mark = true;
}

/* The call whose results are read here, or PC_NONE. */
static uint32_t find_call(const struct program *program, uint32_t pc) {
    for (unsigned i = 0; i < CALL_WORDS && pc-- > 0; i++)
        if (program->code[pc].flow == FLOW_CALL)
            return pc;
    return PC_NONE;
}

static bool is_result(const struct observed_value *value, uint32_t pc) {
    uint32_t call = find_call(value->program, pc);
    int32_t callee =
        call == PC_NONE ? -1 : value->program->calls[value->program->code[call].call].function;
    return callee >= 0 && value->returns[callee];
}

/* Is it stored for the caller, not for a function that is called next? */
static bool is_returned(const struct program *program, uint32_t pc) {
    for (unsigned i = 0; i < CALL_WORDS && ++pc < program->length; i++)
        if (program->code[pc].flow == FLOW_CALL || program->code[pc].flow == FLOW_RETURN)
            return program->code[pc].flow == FLOW_RETURN;
    return false;
}

/* The word of shared memory that is accessed; false: not known, or there are several. */
static bool find_place(const struct program *program, const struct insn *insn, int64_t *word) {
    int64_t base;
    bool known = insn->space == SPACE_SHARED && insn->operands[2] == OPERAND_NONE &&
                 insn->register_bytes <= 4 &&
                 instruction_constant(program, insn->operands[0], &base);
    *word = known ? ((uint32_t)base + insn->offset) / 4 : 0;
    return known;
}

static bool is_in_place(const struct observed_value *value, const struct insn *insn) {
    int64_t word;
    if (value->shared || !find_place(value->program, insn, &word))
        return value->shared || value->place_count;
    for (size_t i = 0; i < value->place_count; i++)
        if (value->places[i] == word)
            return true;
    return false;
}

static bool is_held(const struct observed_value *value, const struct insn *insn) {
    bool generic = insn->space == SPACE_GENERIC;
    return ((generic || insn->space == SPACE_SHARED) && is_in_place(value, insn)) ||
           (value->local && (generic || insn->space == SPACE_LOCAL));
}

static void store_shared(struct observed_value *value, const struct insn *insn) {
    int64_t word;
    bool known = find_place(value->program, insn, &word);
    if (!known || value->place_count == PLACES)
        set(value, &value->shared);
    else if (!is_in_place(value, insn)) {
        value->places[value->place_count++] = word;
        value->grown = true;
    }
}

static void store(struct observed_value *value, size_t function, const struct insn *insn) {
    bool data = false, generic = insn->space == SPACE_GENERIC;
    for (unsigned i = 1; i < OPERAND_SLOTS; i++)
        data |= value->marks[find_mark(value, function, insn->operands[i])];
    if (data && (generic || insn->space == SPACE_SHARED))
        store_shared(value, insn);
    if (data && (generic || insn->space == SPACE_LOCAL))
        set(value, &value->local);
}

static void follow(struct observed_value *value, size_t function, uint32_t pc) {
    const struct insn *insn = &value->program->code[pc];
    bool memory = insn->cost == COST_LOAD || insn->cost == COST_STORE || insn->cost == COST_ATOMIC;
    struct instruction_values values;
    instruction_values_of(value->program, pc, &values);
    bool comes = pc == value->observing || (insn->cost == COST_LOAD && is_held(value, insn)) ||
                 (insn_op(insn) == OP_ld_param_frame && is_result(value, pc));
    for (unsigned i = 0; i < values.source_count && !memory; i++)
        comes |= value->marks[find_mark(value, function, values.sources[i])];
    if (insn->cost == COST_STORE)
        store(value, function, insn);
    if (comes && insn_op(insn) == OP_st_param_frame && is_returned(value->program, pc))
        set(value, &value->returns[function]);
    for (unsigned i = 0; comes && i < values.destination_count; i++) {
        uint32_t mark = find_mark(value, function, values.destinations[i]);
        if (mark)
            set(value, &value->marks[mark]);
    }
}

/* What comes only on one of the branch's ways. */
static void follow_ways(struct observed_value *value, size_t function, uint32_t branch) {
    const struct program *program = value->program;
    const struct guarded_function whole = guarded_function_of(program, branch, value->budget);
    const struct insn *insn = &program->code[branch];
    cleanup_free bool *here = mem_calloc(whole.end - whole.first, sizeof *here);
    cleanup_free bool *there = mem_calloc(whole.end - whole.first, sizeof *there);
    value->branches[branch] = true;
    if (guarded_visit(&whole, branch + 1, PC_NONE, insn->reconverge, here) ||
        guarded_visit(&whole, (uint32_t)insn->target, PC_NONE, insn->reconverge, there))
        return;
    for (uint32_t pc = whole.first; pc < whole.end; pc++) {
        struct instruction_values values;
        if (program->code[pc].flow != FLOW_EXECUTE ||
            here[pc - whole.first] == there[pc - whole.first])
            continue;
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.destination_count; i++) {
            uint32_t mark = find_mark(value, function, values.destinations[i]);
            if (mark)
                set(value, &value->marks[mark]);
        }
    }
}

static bool is_guarded(const struct observed_value *value, size_t function, uint32_t pc) {
    uint32_t guard = value->program->code[pc].guard;
    return guard != GUARD_NONE && value->marks[find_mark(value, function, guard & ~(uint32_t)3)];
}

/* False where the budget ends. */
static bool spread(struct observed_value *value) {
    const struct program *program = value->program;
    for (value->grown = true; value->grown;) {
        value->grown = false;
        if (*value->budget < program->length)
            return false;
        *value->budget -= program->length;
        size_t function = 0;
        for (uint32_t pc = 0; pc < program->length; pc++) {
            while (function + 1 < program->function_count &&
                   program->functions[function + 1].entry_pc <= pc)
                function++;
            follow(value, function, pc);
            if (program->code[pc].flow == FLOW_BRANCH && !value->branches[pc] &&
                is_guarded(value, function, pc))
                follow_ways(value, function, pc);
        }
    }
    return true;
}

/* Where the function of the branch gets the value: from there on it is another one. */
static uint32_t find_source(const struct observed_value *value, uint32_t branch, uint32_t first) {
    const struct program *program = value->program;
    for (uint32_t pc = branch; pc-- > first;)
        if (program->code[pc].flow == FLOW_CALL) {
            int32_t callee = program->calls[program->code[pc].call].function;
            if (callee >= 0 && value->returns[callee])
                return pc;
        }
    return value->observing;
}

static bool decides(const struct observed_value *value, uint32_t other) {
    const struct program *program = value->program;
    const struct guarded_function function = guarded_function_of(program, other, value->budget);
    size_t index = program_function_at(program, other);
    for (uint32_t pc = function.first; pc < function.end; pc++) {
        const struct insn *insn = &program->code[pc];
        if (!is_guarded(value, index, pc))
            continue;
        if (pc == other)
            return true;
        uint32_t past = insn->flow == FLOW_BRANCH ? find_source(value, pc, function.first) : 0;
        if (insn->flow == FLOW_BRANCH &&
            guarded_reaches(&function, pc + 1, other, past) !=
                guarded_reaches(&function, (uint32_t)insn->target, other, past))
            return *value->budget > 0;
    }
    return false;
}

bool observed_value_decides(const struct program *program, uint32_t observing, uint32_t other,
                            uint64_t *budget) {
    size_t count = program->function_count;
    cleanup_free uint32_t *base = mem_calloc(count + 1, sizeof *base);
    cleanup_free bool *returns = mem_calloc(count + 1, sizeof *returns);
    base[0] = 1; /* mark 0 is of what is no register */
    for (size_t i = 0; i < count; i++)
        base[i + 1] = base[i] + program->functions[i].register_bytes / 4;
    cleanup_free bool *marks = mem_calloc(base[count], sizeof *marks);
    cleanup_free bool *branches = mem_calloc(program->length, sizeof *branches);
    struct observed_value value = {.program = program,
                                   .observing = observing,
                                   .base = base,
                                   .marks = marks,
                                   .returns = returns,
                                   .branches = branches,
                                   .budget = budget};
    return observing != other && spread(&value) && decides(&value, other);
}

/* Does any instruction of the function read the register? */
static void note_reads(const struct program *program, uint32_t first, uint32_t end, uint32_t slots,
                       bool *read) {
    for (uint32_t pc = first; pc < end; pc++) {
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++)
            if (values.sources[i] / 4 < slots)
                read[values.sources[i] / 4] = true;
    }
}

static bool can_observe(const struct insn *insn) {
    return insn->cost == COST_ATOMIC
               ? insn->operands[1] != OPERAND_NONE
               : insn->cost == COST_LOAD && insn_is_strong(insn) && insn->order != ORDER_GUESS;
}

void observed_value_find(struct program *program) {
    uint64_t unlimited = UINT64_MAX;
    for (size_t f = 0; f < program->function_count; f++) {
        const struct guarded_function function =
            guarded_function_of(program, program->functions[f].entry_pc, &unlimited);
        cleanup_free bool *read = NULL;
        for (uint32_t pc = function.first; pc < function.end; pc++) {
            struct insn *insn = &program->code[pc];
            if (!can_observe(insn))
                continue;
            if (!read) {
                read = mem_calloc((size_t)function.slots + 1, sizeof *read);
                note_reads(program, function.first, function.end, function.slots, read);
            }
            struct instruction_values values;
            instruction_values_of(program, pc, &values);
            for (unsigned i = 0; i < values.destination_count; i++)
                if (values.destinations[i] / 4 < function.slots && read[values.destinations[i] / 4])
                    insn->extra |= EXTRA_OBSERVES;
        }
    }
}
