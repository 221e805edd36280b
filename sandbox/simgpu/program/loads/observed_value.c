/* Accesses that are made only because of what an atomic has found: `if (atomicAdd(&n, 1) == last)
 * n = 0;`. The race checker asks for them where an access follows what its thread has observed: an
 * order that the value has decided holds in every schedule, another one holds by chance.
 *
 * Values are followed through the registers of all functions, through shared and local memory, each
 * as a whole but for shared variables that are named where they are accessed, through what
 * functions are given and return, and to what is computed only on one way of a branch: -G does so
 * for `last && tid == 0`. In a function, what is made of a parameter is kept apart from the value:
 * it is the value where each of its calls gives that, and what a call returns is the value where
 * this call has given it. That is coarse where a value leaves registers, and it is asked only of
 * two accesses that something else orders in this run. */
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/program/loads/guarding_load.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum {
    CALL_WORDS = 64, /* instructions between a call and its arguments and results */
    PLACES = 16,     /* shared variables that a value is stored in; more are all there are */
    WORDS = 31,      /* of four bytes, of a function's parameters together; so many bits are left */
    SLOTS = ARRAY_LENGTH(((struct call_site *)NULL)->arguments),
    MAX_MOVES = 4, /* from a variable's name to the register that addresses it */
};

/* What something is made of: the value, or words of the parameters of the function that it stands
 * in. What is made of one member of a structure is not made of the others. */
typedef uint32_t origins;
#define ORIGIN_VALUE   ((origins)1)
#define ORIGIN_WORD(i) ((origins)2 << (i))

/* A function that is called. */
struct callee {
    origins returned[WORDS];
    origins given; /* the words of which some call gives something: only they are followed */
    origins sure;  /* those that are the value in each call, and ORIGIN_VALUE */
    bool called, within;
};

struct observed_value {
    const struct program *program;
    uint32_t observing;
    uint32_t *base;         /* of a function: its first mark */
    origins *marks;         /* of registers */
    uint32_t *writers;      /* of registers: 1 + pc of the one instruction, 0: none, or several */
    struct callee *callees; /* by function */
    origins *arguments;     /* WORDS of each call */
    origins *branches;      /* by pc: what depends on them is marked so */
    uint64_t *budget;
    bool shared, local;
    bool indirect;          /* a call may be of any function */
    int64_t places[PLACES]; /* words of shared memory, where not all of it */
    size_t place_count;
    bool grown;
};

/* The function of an instruction behind one of `function`. */
static size_t function_from(const struct program *program, size_t function, uint32_t pc) {
    while (function + 1 < program->function_count &&
           program->functions[function + 1].entry_pc <= pc)
        function++;
    return function;
}

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

static void add(struct observed_value *value, origins *mark, origins more) {
    value->grown |= (more & ~*mark) != 0;
    *mark |= more;
}

/* Is something of the function the value, in each of its calls? */
static bool is_sure(const struct observed_value *value, size_t function, origins made_of) {
    return made_of & value->callees[function].sure;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const struct call_site *call_at(const struct program *program, uint32_t pc) {
    return program->code[pc].flow == FLOW_CALL ? &program->calls[program->code[pc].call] : NULL;
}

/* Bytes that an instruction accesses in the area of parameters. */
struct area {
    int64_t start, end;
};

static struct area area_of(const struct insn *insn, unsigned element) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    int64_t start = insn->offset + (int64_t)element * bytes;
    return (struct area){start, start + bytes};
}

/* Of the words of several slots, which are numbered one slot after the other, those that the area
 * has a part of: a bit each. */
static uint32_t find_words(struct area area, const uint32_t *starts, const uint32_t *bytes,
                           size_t count) {
    uint32_t words = 0;
    unsigned number = 0;
    for (size_t i = 0; i < count && i < SLOTS; i++)
        for (uint32_t at = 0; at < bytes[i] && number < WORDS; at += 4, number++) {
            int64_t start = (int64_t)starts[i] + at;
            if (start < area.end && start + 4 > area.start)
                words |= (uint32_t)1 << number;
        }
    return words;
}

static origins *arguments_of(const struct observed_value *value, const struct call_site *call) {
    return value->arguments + (size_t)WORDS * (size_t)(call - value->program->calls);
}

/* What the words of its result are that the call gives back, in terms of its caller. */
static origins returned_by(const struct observed_value *value, const struct call_site *call,
                           uint32_t words) {
    if (call->function < 0)
        return 0;
    origins returned = 0;
    for (unsigned i = 0; i < WORDS; i++)
        returned |= words >> i & 1 ? value->callees[call->function].returned[i] : 0;
    origins made_of = returned & ORIGIN_VALUE;
    for (unsigned i = 0; i < WORDS; i++)
        made_of |= returned & ORIGIN_WORD(i) ? arguments_of(value, call)[i] : 0;
    return made_of;
}

/* What is read: the result of the call before it, or a parameter of the function. */
static origins read_area(const struct observed_value *value, size_t number, uint32_t pc,
                         struct area area) {
    const struct program *program = value->program;
    const struct program_function *function = &program->functions[number];
    for (uint32_t i = 0, at = pc; i < CALL_WORDS && at-- > function->entry_pc; i++) {
        const struct call_site *call = call_at(program, at);
        uint32_t words =
            call && call->has_result ? find_words(area, &call->result, &call->result_bytes, 1) : 0;
        if (words)
            return returned_by(value, call, words);
        if (call)
            break;
    }
    if (function->is_entry)
        return 0;
    uint32_t words =
        find_words(area, function->params, function->param_bytes, function->param_count);
    return words << 1 & value->callees[number].given;
}

/* What is stored for the call behind it, or for the caller. */
static void write_area(struct observed_value *value, size_t number, uint32_t pc, struct area area,
                       origins made_of) {
    const struct program *program = value->program;
    const struct program_function *function = &program->functions[number];
    if (!made_of)
        return;
    uint32_t words =
        function->has_result ? find_words(area, &function->result, &function->result_bytes, 1) : 0;
    for (unsigned i = 0; i < WORDS; i++)
        if (words >> i & 1)
            add(value, &value->callees[number].returned[i], made_of);
    for (unsigned i = 0; i < CALL_WORDS && ++pc < program->length; i++) {
        const struct call_site *call = call_at(program, pc);
        words = call ? find_words(area, call->arguments, call->argument_bytes, call->argument_count)
                     : 0;
        for (unsigned j = 0; j < WORDS; j++)
            if (words >> j & 1)
                add(value, &arguments_of(value, call)[j], made_of);
        if (call || program->code[pc].flow == FLOW_RETURN)
            return;
    }
}

/* Takes from `sure` what some call does not give. True where there was something. What a recursive
 * function passes on to itself is as sure as what it was given. */
static bool take_unsure(const struct observed_value *value, origins *sure) {
    const struct program *program = value->program;
    size_t caller = 0;
    bool taken = false;
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct call_site *call = call_at(program, pc);
        caller = function_from(program, caller, pc);
        for (unsigned i = 0; call && call->function >= 0 && i < WORDS; i++) {
            origins *callee = &sure[call->function];
            bool unsure =
                *callee & ORIGIN_WORD(i) && !(arguments_of(value, call)[i] & sure[caller]);
            *callee &= unsure ? ~ORIGIN_WORD(i) : UINT32_MAX;
            taken |= unsure;
        }
    }
    return taken;
}

/* What the functions' parameters are. */
static void follow_calls(struct observed_value *value) {
    const struct program *program = value->program;
    cleanup_free origins *sure = mem_calloc(program->function_count + 1, sizeof *sure);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct call_site *call = call_at(program, pc);
        for (unsigned i = 0; call && call->function >= 0 && i < WORDS; i++)
            if (arguments_of(value, call)[i])
                add(value, &value->callees[call->function].given, ORIGIN_WORD(i));
    }
    for (size_t i = 0; i < program->function_count; i++)
        sure[i] = value->callees[i].called && !value->indirect
                      ? value->callees[i].given | ORIGIN_VALUE
                      : ORIGIN_VALUE;
    while (take_unsure(value, sure))
        ;
    for (size_t i = 0; i < program->function_count; i++)
        add(value, &value->callees[i].sure, sure[i]);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The address itself, or what is moved to its register and nothing else ever is. */
static bool find_address(const struct observed_value *value, size_t function, uint32_t operand,
                         int64_t *base) {
    const struct program *program = value->program;
    for (unsigned i = 0; i < MAX_MOVES; i++) {
        if (instruction_constant(program, operand, base))
            return true;
        uint32_t writer = value->writers[find_mark(value, function, operand)];
        const struct insn *insn = writer ? &program->code[writer - 1] : NULL;
        if (!insn || insn_op(insn) != OP_mov || insn->guard != GUARD_NONE)
            return false;
        operand = insn->operands[1];
    }
    return false;
}

/* The word of shared memory that is accessed; false: not known, or there are several. */
static bool find_place(const struct observed_value *value, size_t function, const struct insn *insn,
                       int64_t *word) {
    int64_t base;
    bool one = insn->cost == COST_ATOMIC || insn->operands[2] == OPERAND_NONE;
    bool known = insn->space == SPACE_SHARED && one && insn->register_bytes <= 4 &&
                 find_address(value, function, insn->operands[0], &base);
    *word = known ? ((uint32_t)base + insn->offset) / 4 : 0;
    return known;
}

static bool is_in_place(const struct observed_value *value, size_t function,
                        const struct insn *insn) {
    int64_t word;
    if (value->shared || !find_place(value, function, insn, &word))
        return value->shared || value->place_count;
    for (size_t i = 0; i < value->place_count; i++)
        if (value->places[i] == word)
            return true;
    return false;
}

static bool is_held(const struct observed_value *value, size_t function, const struct insn *insn) {
    bool generic = insn->space == SPACE_GENERIC;
    return ((generic || insn->space == SPACE_SHARED) && is_in_place(value, function, insn)) ||
           (value->local && (generic || insn->space == SPACE_LOCAL));
}

/* An atomic whose word nobody knows counts things: what it adds is no flag. */
static void store_shared(struct observed_value *value, size_t function, const struct insn *insn) {
    int64_t word;
    bool known = find_place(value, function, insn, &word);
    if (!known && insn->cost == COST_ATOMIC)
        return;
    if (!known || value->place_count == PLACES)
        set(value, &value->shared);
    else if (!is_in_place(value, function, insn)) {
        value->places[value->place_count++] = word;
        value->grown = true;
    }
}

static void store(struct observed_value *value, size_t function, const struct insn *insn) {
    bool atomic = insn->cost == COST_ATOMIC, generic = insn->space == SPACE_GENERIC;
    origins data = 0;
    for (unsigned i = atomic ? 2 : 1; i < OPERAND_SLOTS; i++)
        data |= value->marks[find_mark(value, function, insn->operands[i])];
    if (is_sure(value, function, data) && (generic || insn->space == SPACE_SHARED))
        store_shared(value, function, insn);
    if (data && !atomic && (generic || insn->space == SPACE_LOCAL))
        set(value, &value->local); /* sure or not: constructors fill other objects, too */
}

/* ---- registers ------------------------------------------------------------------------------- */

static void mark_results(struct observed_value *value, size_t function,
                         const struct instruction_values *values, origins made_of) {
    for (unsigned i = 0; made_of && i < values->destination_count; i++) {
        uint32_t mark = find_mark(value, function, values->destinations[i]);
        if (mark)
            add(value, &value->marks[mark], made_of);
    }
}

/* Loads and stores of the area of parameters: each element has a register of its own. */
static void follow_area(struct observed_value *value, size_t function, uint32_t pc) {
    const struct insn *insn = &value->program->code[pc];
    for (unsigned i = 0; i < insn->vector; i++) {
        uint32_t mark = find_mark(value, function, insn->operands[1 + i]);
        struct area area = area_of(insn, i);
        if (insn_op(insn) == OP_st_param_frame)
            write_area(value, function, pc, area, value->marks[mark]);
        else if (mark)
            add(value, &value->marks[mark], read_area(value, function, pc, area));
    }
}

static void follow(struct observed_value *value, size_t function, uint32_t pc) {
    const struct insn *insn = &value->program->code[pc];
    bool atomic = insn->cost == COST_ATOMIC && insn->space == SPACE_SHARED;
    bool loads = insn->cost == COST_LOAD || atomic;
    bool stores = insn->cost == COST_STORE || insn->cost == COST_ATOMIC;
    if (insn_op(insn) == OP_ld_param_frame || insn_op(insn) == OP_st_param_frame) {
        follow_area(value, function, pc);
        return;
    }
    struct instruction_values values;
    instruction_values_of(value->program, pc, &values);
    origins made_of =
        pc == value->observing || (loads && is_held(value, function, insn)) ? ORIGIN_VALUE : 0;
    for (unsigned i = 0; i < values.source_count && !loads && !stores; i++)
        made_of |= value->marks[find_mark(value, function, values.sources[i])];
    if (stores)
        store(value, function, insn);
    mark_results(value, function, &values, made_of);
}

/* What comes only on one of the branch's ways is made of `made_of`. */
static void follow_ways(struct observed_value *value, size_t function, uint32_t branch,
                        origins made_of) {
    const struct program *program = value->program;
    const struct guarded_function whole = guarded_function_of(program, branch, value->budget);
    const struct insn *insn = &program->code[branch];
    cleanup_free bool *here = mem_calloc(whole.end - whole.first, sizeof *here);
    cleanup_free bool *there = mem_calloc(whole.end - whole.first, sizeof *there);
    value->branches[branch] |= made_of;
    if (guarded_visit(&whole, branch + 1, PC_NONE, insn->reconverge, here) ||
        guarded_visit(&whole, (uint32_t)insn->target, PC_NONE, insn->reconverge, there))
        return;
    for (uint32_t pc = whole.first; pc < whole.end; pc++) {
        struct instruction_values values;
        if (program->code[pc].flow != FLOW_EXECUTE ||
            here[pc - whole.first] == there[pc - whole.first])
            continue;
        instruction_values_of(program, pc, &values);
        mark_results(value, function, &values, made_of);
    }
}

static origins guard_of(const struct observed_value *value, size_t function, uint32_t pc) {
    uint32_t guard = value->program->code[pc].guard;
    return guard == GUARD_NONE ? 0 : value->marks[find_mark(value, function, guard & ~(uint32_t)3)];
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
            function = function_from(program, function, pc);
            follow(value, function, pc);
            origins guard = guard_of(value, function, pc);
            if (program->code[pc].flow == FLOW_BRANCH && guard & ~value->branches[pc])
                follow_ways(value, function, pc, guard);
        }
        follow_calls(value);
    }
    return true;
}

/* ---- the answer ------------------------------------------------------------------------------ */

/* Where the function of the branch gets the value: from there on it is another one. */
static uint32_t find_source(const struct observed_value *value, size_t function, uint32_t branch,
                            uint32_t first) {
    for (uint32_t pc = branch; pc-- > first;) {
        const struct call_site *call = call_at(value->program, pc);
        if (call && is_sure(value, function, returned_by(value, call, UINT32_MAX)))
            return pc;
    }
    return value->observing;
}

/* Does the access come only on one way of the branch, from where the function has the value? In a
 * loop the other way may come to the branch again, with the same value. */
static bool is_on_one_way(const struct observed_value *value,
                          const struct guarded_function *function, size_t index, uint32_t branch,
                          uint32_t other) {
    uint32_t ways[] = {branch + 1, (uint32_t)value->program->code[branch].target};
    uint32_t source = find_source(value, index, branch, function->first);
    if (guarded_reaches(function, ways[0], other, source) !=
        guarded_reaches(function, ways[1], other, source))
        return true;
    bool inside = source >= function->first && source < function->end;
    return !guarded_reaches(function, inside ? source + 1 : function->first, other, branch) &&
           guarded_reaches(function, ways[0], other, branch) !=
               guarded_reaches(function, ways[1], other, branch);
}

static bool decides_in_function(const struct observed_value *value, size_t index, uint32_t other) {
    const struct program *program = value->program;
    const struct guarded_function function = guarded_function_of(program, other, value->budget);
    for (uint32_t pc = function.first; pc < function.end; pc++) {
        if (!is_sure(value, index, guard_of(value, index, pc)))
            continue;
        if (pc == other)
            return true;
        if (program->code[pc].flow == FLOW_BRANCH &&
            is_on_one_way(value, &function, index, pc, other))
            return *value->budget > 0;
    }
    return false;
}

/* Does the value decide about the instruction, or about each call of its function? */
static bool decides(const struct observed_value *value, uint32_t other) {
    const struct program *program = value->program;
    size_t index = program_function_at(program, other);
    struct callee *callee = &value->callees[index];
    if (decides_in_function(value, index, other))
        return true;
    if (callee->within) /* by itself: the other calls say it */
        return true;
    if (!callee->called || value->indirect || *value->budget < program->length)
        return false;
    *value->budget -= program->length;
    bool decided = callee->within = true;
    for (uint32_t pc = 0; decided && pc < program->length; pc++) {
        const struct call_site *call = call_at(program, pc);
        if (call && call->function == (int32_t)index)
            decided = decides(value, pc);
    }
    callee->within = false;
    return decided;
}

static void note_calls(struct observed_value *value) {
    const struct program *program = value->program;
    for (size_t i = 0; i < program->call_count; i++) {
        const struct call_site *call = &program->calls[i];
        value->indirect |= call->function < 0 && call->builtin == BUILTIN_NONE;
        if (call->function >= 0)
            value->callees[call->function].called = true;
    }
    for (size_t i = 0; i < program->function_count; i++)
        value->callees[i].sure = ORIGIN_VALUE;
}

static void note_writers(struct observed_value *value, bool *several) {
    const struct program *program = value->program;
    size_t function = 0;
    for (uint32_t pc = 0; pc < program->length; pc++) {
        struct instruction_values values;
        function = function_from(program, function, pc);
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.destination_count; i++) {
            uint32_t mark = find_mark(value, function, values.destinations[i]);
            several[mark] |= mark == 0 || value->writers[mark];
            value->writers[mark] = several[mark] ? 0 : pc + 1;
        }
    }
}

bool observed_value_decides(const struct program *program, uint32_t observing, uint32_t other,
                            uint64_t *budget) {
    size_t count = program->function_count;
    cleanup_free uint32_t *base = mem_calloc(count + 1, sizeof *base);
    cleanup_free struct callee *callees = mem_calloc(count + 1, sizeof *callees);
    base[0] = 1; /* mark 0 is of what is no register */
    for (size_t i = 0; i < count; i++)
        base[i + 1] = base[i] + program->functions[i].register_bytes / 4;
    cleanup_free origins *marks = mem_calloc(base[count], sizeof *marks);
    cleanup_free uint32_t *writers = mem_calloc(base[count], sizeof *writers);
    cleanup_free bool *several = mem_calloc(base[count], sizeof *several);
    cleanup_free origins *arguments =
        mem_calloc(WORDS * program->call_count + 1, sizeof *arguments);
    cleanup_free origins *branches = mem_calloc(program->length, sizeof *branches);
    struct observed_value value = {.program = program,
                                   .observing = observing,
                                   .base = base,
                                   .marks = marks,
                                   .writers = writers,
                                   .callees = callees,
                                   .arguments = arguments,
                                   .branches = branches,
                                   .budget = budget};
    note_calls(&value);
    note_writers(&value, several);
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
