/* From PTX to what the assembler would make of it: see sass_model.h.
 *
 * PTX names values, moves and addresses that cost nothing on the machine, and has instructions that
 * become twenty. instruction_cost.def says what one instruction becomes; here the program is cut
 * into regions that are scheduled as a whole (small ifs included, which the assembler predicates).
 * Instructions that melt together are melted (sass_peephole.c), counted loops are unrolled
 * (loop_unroll.c), and what is left is put in order (list_scheduler.c). Regions are made when a
 * path needs them. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/sass/atomic_aggregation.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRY_ISSUE =
        2, /* instructions before the first: the stack's address, the memory's description */
    SEQUENCE_ISSUE = 9, /* instructions of what is a division or a function's way of its own */
    MEETING_ISSUE = 2,  /* BSSY before a branch, BSYNC where its lanes meet again */
};

static const struct instruction_cost {
    uint8_t pipe, issue;
    double passes, special;
    uint8_t alu, fp64;
    uint16_t extra;
} costs[] = {
    [COST_ROW_NONE] = {PIPE_INTEGER, 1, 1, 0, 1, 0, 0},
#define INSTRUCTION_COST(words, pipe, issue, passes, special, alu, fp64, extra)                    \
    {PIPE_##pipe, issue, passes, special, alu, fp64, extra},
#include "sandbox/simgpu/program/instruction_cost.def"
#undef INSTRUCTION_COST
};

static enum operation_kind kind_of(const struct insn *insn, const struct insn_origin *origin,
                                   const struct instruction_cost *cost) {
    if (insn->flow == FLOW_BARRIER)
        return OPERATION_BARRIER;
    if (insn->flow != FLOW_EXECUTE && insn->flow != FLOW_WARP_SYNC)
        return OPERATION_BRANCH;
    if (origin->parameter)
        return cost->issue ? OPERATION_COMPUTE : OPERATION_NAME;
    switch (insn_op(insn)) {
    case OP_ld:
    case OP_ldu:
    case OP_ldmatrix:
    case OP_wmma_load:
        return OPERATION_LOAD;
    case OP_st:
    case OP_stmatrix:
    case OP_wmma_store:
        return OPERATION_STORE;
    case OP_cp_async_wait_group:
    case OP_cp_async_wait_all:
    case OP_cp_bulk_wait:
        return OPERATION_WAIT;
    case OP_cp_async:
    case OP_cp_bulk:
    case OP_cp_bulk_multicast:
    case OP_cp_bulk_store:
        return OPERATION_LOAD;
    case OP_cp_async_commit:
    case OP_cp_async_arrive:
    case OP_cp_async_arrive_noinc:
    case OP_cp_bulk_hint:
        return OPERATION_NAME;
    default:
        break;
    }
    if (insn_operation(insn)->effect == EFFECT_ATOMIC)
        return OPERATION_ATOMIC;
    if (insn->cost == COST_MATRIX)
        return OPERATION_COMPUTE;
    if (cost->pipe == PIPE_NONE)
        return cost->issue ? OPERATION_OTHER : OPERATION_NAME;
    return OPERATION_COMPUTE;
}

/* ---- values ---------------------------------------------------------------------------------- */

uint16_t sass_model_value_at(struct sass_model *code, size_t function, uint32_t offset) {
    if (offset == OPERAND_NONE || offset & OPERAND_CONSTANT)
        return NO_VALUE;
    uint32_t slot = (offset & ~(uint32_t)3) / 4;
    if (slot >= code->program->functions[function].register_bytes / 4)
        return NO_VALUE;
    uint16_t *value = &code->values[code->value_start[function] + slot];
    if (*value == NO_VALUE && code->value_count < VALUE_LIMIT)
        *value = (uint16_t)code->value_count++;
    return *value;
}

void sass_model_add_source(struct operation *operation, uint16_t value) {
    unsigned count = 0;
    while (count < OPERATION_SOURCES && operation->sources[count] != NO_VALUE)
        count++;
    if (count == OPERATION_SOURCES || value == NO_VALUE)
        return;
    operation->sources[count] = value;
    if (count + 1 < OPERATION_SOURCES)
        operation->sources[count + 1] = NO_VALUE;
}

void sass_model_add_destination(struct operation *operation, uint16_t value) {
    unsigned count = 0;
    while (count < OPERATION_DESTINATIONS && operation->destinations[count] != NO_VALUE)
        count++;
    if (count == OPERATION_DESTINATIONS || value == NO_VALUE)
        return;
    operation->destinations[count] = value;
    if (count + 1 < OPERATION_DESTINATIONS)
        operation->destinations[count + 1] = NO_VALUE;
}

uint16_t sass_model_new_value(struct sass_model *code) {
    if (code->value_count >= VALUE_LIMIT)
        return NO_VALUE;
    code->uses[code->value_count] = 2;
    return (uint16_t)code->value_count++;
}

/* Where the lanes of an if meet again there is a barrier for them, which they name before they
 * part; an if inside it that ends at the same point has none of its own. Those that end with the
 * kernel need none, and for loops it is one in all turns. */
static void find_meetings(struct sass_model *code) {
    const struct program *program = code->program;
    cleanup_free bool *divided = atomic_aggregation_find_branches(program);
    cleanup_free bool *taken = mem_calloc(program->length + 1, sizeof *taken);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (!divided[pc] || insn->reconverge == PC_NONE || insn->target <= (int64_t)pc ||
            insn->reconverge + 1 >= program->length || taken[insn->reconverge])
            continue;
        uint8_t behind = program->code[insn->reconverge + 1].flow;
        taken[insn->reconverge] = true;
        code->reconverges[pc] = behind != FLOW_EXIT && behind != FLOW_RETURN;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

/* %tid, %ctaid and their kin are read by an instruction; %ntid stands among the parameters, and
 * costs as much. */
static bool reads_special(const struct program *program, uint32_t pc, size_t function) {
    const struct program_function *of = &program->functions[function];
    if (!insn_has(&program->code[pc], TRAIT_MOVES))
        return false;
    for (uint32_t i = 0; i < of->special_count; i++)
        if (program->code[pc].operands[1] == program->specials[of->special_start + i].offset)
            return true;
    return false;
}

/* What an instruction costs; the parameters of a function that is called are in registers. A
 * special register is taken to come as late as what is loaded from constant memory. */
static const struct instruction_cost *cost_of(const struct program *program, uint32_t pc,
                                              size_t function) {
    static const struct instruction_cost nothing = {PIPE_NONE, 0, 0, 0, 0, 0, 0};
    static const struct instruction_cost special = {PIPE_CONSTANT, 1, 0, 0, 0, 0, 30};
    const struct insn_origin *origin = &program->origins[pc];
    if (reads_special(program, pc, function))
        return &special;
    if (origin->parameter && function != program->kernel)
        return &nothing;
    return &costs[origin->cost_row];
}

/* Instructions have room for 32 bits of a number: a double whose lower half is not zero is moved to
 * two registers first. */
static bool is_long_double(const struct program *program, uint32_t pc) {
    const struct insn *insn = &program->code[pc];
    uint32_t operand = insn->operands[1], low;
    uint32_t at = operand & ~(uint32_t)OPERAND_CONSTANT;
    if (!insn_has(insn, TRAIT_MOVES) || insn->type != PTX_f64 || operand == OPERAND_NONE ||
        !(operand & OPERAND_CONSTANT) || at + sizeof low > program->constant_bytes)
        return false;
    memcpy(&low, program->constants + at, sizeof low);
    return low != 0;
}

/* A constant is part of the instructions that read it, but not where something else may write the
 * value, too: a sum that begins with nought, or what an if leaves as it was. */
static bool is_first_value(struct sass_model *code, uint32_t pc, size_t function) {
    const struct insn *insn = &code->program->code[pc];
    uint16_t value = sass_model_value_at(code, function, insn->operands[0]);
    return insn_has(insn, TRAIT_MOVES) && insn->operands[1] != OPERAND_NONE &&
           insn->operands[1] & OPERAND_CONSTANT && value != NO_VALUE && code->uses[value] &&
           !code->fixed[value];
}

/* Quotients and roots that are rounded right have a slow path for operands that are rare: a branch,
 * around which the assembler moves nothing. Those of 64 bits are calls. */
static bool has_slow_path(const struct insn *insn) {
    enum isa_op op = insn_op(insn);
    bool call = insn->type == PTX_u64 || insn->type == PTX_s64;
    bool rounded = (insn->rounding & ROUNDING_MODE) == ROUND_RN;
    return ((op == OP_div || op == OP_rem) && call) ||
           ((op == OP_div || op == OP_rcp || op == OP_sqrt) && rounded);
}

unsigned sass_model_weight(const struct program *program, uint32_t pc) {
    const struct instruction_cost *cost = &costs[program->origins[pc].cost_row];
    if (has_slow_path(&program->code[pc]) || (cost->pipe == PIPE_NONE && cost->issue))
        return SASS_NEVER_SHORT;
    return cost->issue < SEQUENCE_ISSUE ? cost->issue > 0 : cost->issue;
}

/* Does anything read what was there before? */
static bool is_asked(struct sass_model *code, uint32_t pc, size_t function) {
    uint16_t old = sass_model_value_at(code, function, code->program->code[pc].operands[1]);
    return old != NO_VALUE && code->uses[old];
}

static struct operation make_operation(struct sass_model *code, uint32_t pc, bool predicated) {
    const struct program *program = code->program;
    const struct insn *insn = &program->code[pc];
    bool parameter = program->origins[pc].parameter;
    size_t function = program_function_at(program, pc);
    const struct instruction_cost *cost = cost_of(program, pc, function);
    struct operation operation = {.pc = pc,
                                  .kind = (uint8_t)kind_of(insn, &program->origins[pc], cost),
                                  .pipe = cost->pipe,
                                  .space = insn->space ? insn->space : SPACE_GLOBAL,
                                  .issue = cost->issue,
                                  .passes = (float)cost->passes,
                                  .special = (float)cost->special,
                                  .alu = cost->alu,
                                  .fp64 = cost->fp64,
                                  .extra = cost->extra,
                                  .merged = 1,
                                  .conditional = insn->guard != GUARD_NONE,
                                  .serial = has_slow_path(insn)};
    operation.parameter = operation.kind == OPERATION_COMPUTE && parameter;
    if (operation.kind == OPERATION_LOAD || operation.kind == OPERATION_STORE ||
        operation.kind == OPERATION_ATOMIC) {
        operation.pipe = PIPE_NONE;
        operation.issue = 1;
        if (insn_op(insn) == OP_ldmatrix || insn_op(insn) == OP_stmatrix)
            operation.space = SPACE_SHARED;
        struct aggregation_cost merge = atomic_aggregation_cost((enum atomic_merge)code->merges[pc],
                                                                is_asked(code, pc, function));
        operation.issue = (uint8_t)(1 + merge.issue);
        operation.extra = merge.clocks;
        operation.asked = operation.kind == OPERATION_ATOMIC && is_asked(code, pc, function);
        operation.handed = code->merges[pc] && operation.asked;
    }
    if (operation.kind == OPERATION_LOAD && insn->space == SPACE_CONST &&
        insn->operands[0] & OPERAND_CONSTANT) { /* an operand of its readers */
        operation.kind = OPERATION_NAME;
        operation.issue = 0;
    }
    if (insn->cost == COST_MATRIX && operation.kind == OPERATION_COMPUTE)
        operation.pipe = PIPE_MATRIX;
    operation.guard = NO_VALUE;
    operation.predicate =
        operation.kind == OPERATION_COMPUTE && (insn_op(insn) == OP_setp || insn->type == PTX_pred);
    if (predicated && operation.kind == OPERATION_BRANCH) {
        operation.kind = OPERATION_NAME;
        operation.issue = 0;
    }
    if (operation.kind == OPERATION_BRANCH && code->reconverges[pc])
        operation.issue = (uint8_t)(operation.issue + MEETING_ISSUE);
    if (pc == program->functions[program->kernel].entry_pc && operation.kind != OPERATION_NAME)
        operation.issue = (uint8_t)(operation.issue + ENTRY_ISSUE);
    unsigned moves = is_long_double(program, pc) ? 2 : is_first_value(code, pc, function) ? 1 : 0;
    if (moves) {
        operation.kind = OPERATION_COMPUTE;
        operation.pipe = PIPE_EITHER;
        operation.issue = (uint8_t)moves;
        operation.passes = (float)moves;
        operation.alu = 1;
    }
    struct instruction_values values;
    instruction_values_of(program, pc, &values);
    unsigned count = 0;
    for (unsigned i = 0; i < values.source_count && count < OPERATION_SOURCES; i++) {
        uint16_t value = sass_model_value_at(code, function, values.sources[i]);
        if (value != NO_VALUE)
            operation.sources[count++] = value;
    }
    while (count < OPERATION_SOURCES) /* so that any of them can be asked for by itself */
        operation.sources[count++] = NO_VALUE;
    count = 0;
    for (unsigned i = 0; i < values.destination_count && count < OPERATION_DESTINATIONS; i++) {
        uint16_t value = sass_model_value_at(code, function, values.destinations[i]);
        if (value != NO_VALUE)
            operation.destinations[count++] = value;
    }
    if (count < OPERATION_DESTINATIONS)
        operation.destinations[count] = NO_VALUE;
    bool wide = ptx_type_bits((enum ptx_type)insn->type) == 64 || insn_op(insn) == OP_mul_wide;
    for (unsigned d = 0; d < count; d++)
        code->wide[operation.destinations[d]] |= wide &&
                                                 !code->low_half[operation.destinations[d]] &&
                                                 !demanded_bits_is_half(code, &operation);
    demanded_bits_halve(code, &operation);
    return operation;
}

/* Counts who reads values, and finds those that only moves of constants write. */
static void count_uses(struct sass_model *code) {
    cleanup_free bool *written = mem_calloc(VALUE_LIMIT, sizeof *written);
    for (uint32_t pc = 0; pc < code->program->length; pc++) {
        struct instruction_values values;
        size_t function = program_function_at(code->program, pc);
        instruction_values_of(code->program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++) {
            uint16_t value = sass_model_value_at(code, function, values.sources[i]);
            if (value != NO_VALUE && code->uses[value] < UINT16_MAX)
                code->uses[value]++;
        }
        for (unsigned i = 0; i < values.destination_count; i++) {
            uint16_t value = sass_model_value_at(code, function, values.destinations[i]);
            if (value == NO_VALUE)
                continue;
            bool constant = !values.source_count && code->program->code[pc].guard == GUARD_NONE &&
                            insn_has(&code->program->code[pc], TRAIT_MOVES) &&
                            !reads_special(code->program, pc, function);
            code->fixed[value] = constant && (!written[value] || code->fixed[value]);
            written[value] = true;
        }
    }
}

void sass_model_make_free(struct operation *operation) {
    operation->kind = OPERATION_NAME;
    operation->issue = 0;
    operation->passes = operation->special = 0;
    operation->predicate = false;
}

/* ---- the door -------------------------------------------------------------------------------- */

/* The predicate of the small if in which the instruction stands. */
struct guard {
    uint16_t value;
    uint32_t branch, end; /* end: first instruction after the if */
};

static void note_guard(struct sass_model *code, struct guard *guard, uint32_t pc) {
    if (code->if_end[pc])
        *guard = (struct guard){sass_model_value_at(code, program_function_at(code->program, pc),
                                                    code->program->code[pc].guard),
                                pc, code->if_end[pc]};
}

static struct region *make_region(struct sass_model *code, uint32_t first) {
    const struct program *program = code->program;
    struct guard guard = {NO_VALUE, 0, 0};
    struct region *region = mem_zalloc(sizeof *region);
    region->first = region->last = first;
    while (region->last + 1 < program->length && code->region_first[region->last + 1] == first)
        region->last++;
    for (uint32_t pc = region->first; pc <= region->last; pc++) {
        if (program->code[pc].flow == FLOW_JOIN)
            continue;
        struct operation operation = make_operation(code, pc, pc < region->last);
        if (pc < guard.end && operation.kind != OPERATION_NAME) {
            operation.guard = guard.value;
            operation.branch = guard.branch;
        }
        note_guard(code, &guard, pc);
        if (!sass_matrix_expand(code, region, &operation))
            *mem_push(&region->operations, &region->count, &region->capacity) = operation;
    }
    sass_peephole_fuse(code, region);
    loop_unroll_region(code, region);
    list_scheduler_order(code, region->operations, region->count);
    list_scheduler_order(code, region->unrolled, region->unrolled_count);
    return region;
}

const struct region *sass_model_region(struct sass_model *code, uint32_t pc) {
    uint32_t first = code->region_first[pc];
    if (!code->regions[first])
        code->regions[first] = make_region(code, first);
    return code->regions[first];
}

struct sass_model *sass_model_create(const struct program *program,
                                     const struct engine_launch *request) {
    struct sass_model *code = mem_zalloc(sizeof *code);
    code->program = program;
    code->registers = request->registers;
    code->merges = atomic_aggregation_find(program, (unsigned)request->device->compute_capability);
    code->value_start = mem_calloc(program->function_count, sizeof *code->value_start);
    uint32_t slots = 0;
    for (size_t i = 0; i < program->function_count; i++) {
        code->value_start[i] = slots;
        slots += program->functions[i].register_bytes / 4 + 1;
    }
    code->values = mem_calloc(slots, sizeof *code->values);
    memset(code->values, 0xff, slots * sizeof *code->values);
    code->uses = mem_calloc(VALUE_LIMIT, sizeof *code->uses);
    code->wide = mem_calloc(VALUE_LIMIT, sizeof *code->wide);
    code->low_half = mem_calloc(VALUE_LIMIT, sizeof *code->low_half);
    code->fixed = mem_calloc(VALUE_LIMIT, sizeof *code->fixed);
    code->reconverges = mem_calloc(program->length + 1, sizeof *code->reconverges);
    code->if_end = mem_calloc(program->length + 1, sizeof *code->if_end);
    code->region_first = if_conversion_regions(program, code->if_end);
    code->regions = mem_calloc(program->length + 1, sizeof(struct region *));
    count_uses(code);
    demanded_bits_find(code);
    find_meetings(code);
    return code;
}

void sass_model_free(struct sass_model *code) {
    if (!code)
        return;
    for (size_t i = 0; i < code->program->length; i++) {
        struct region *region = code->regions[i];
        if (!region)
            continue;
        free(region->operations);
        free(region->unrolled);
        free(region);
    }
    free(code->value_start);
    free(code->values);
    free(code->uses);
    free(code->merges);
    free(code->wide);
    free(code->low_half);
    free(code->fixed);
    free(code->reconverges);
    free(code->if_end);
    free(code->region_first);
    free(code->regions);
    free(code);
}
