/* From PTX to what the assembler would make of it: see machine_code.h.
 *
 * PTX names values, moves and addresses that cost nothing on the machine, and has instructions that
 * become twenty. instruction_cost.def says what one instruction becomes; here the program is cut
 * into regions that are scheduled as a whole (small ifs included, which the assembler predicates),
 * instructions that melt together are melted, and counted loops are unrolled four times, as ptxas
 * does where `.pragma "nounroll"` does not forbid it. Regions are made when a path needs them. */
#include "sandbox/simgpu/machine_code.h"

#include "grader/base/memory.h"
#include "sandbox/simgpu/instruction_values.h"
#include "sandbox/simgpu/merged_atomic.h"

#include <stdlib.h>
#include <string.h>

enum {
    REGION_LIMIT = 768,   /* instructions */
    PREDICATED_LIMIT = 8, /* instructions of an if that becomes predicated */
    UNROLL_FACTOR = 4,    /* of ptxas */
    UNROLL_LIMIT = 64,    /* instructions of a loop that is unrolled */
    VALUE_LIMIT = 60000,
    ENTRY_ISSUE =
        2, /* instructions before the first: the stack's address, the memory's description */
    SHORT_DIVISION_PASSES = 8, /* those of 64 bits are calls */
    RECIPROCAL_ISSUE = 7,      /* instructions of an integer division that find the reciprocal */
};

/* Of the row for reads of special registers. */
#define SPECIAL_WORDS "special register"

static const struct instruction_cost {
    const char *words;
    uint8_t pipe, issue;
    double passes, special;
    uint8_t alu, fp64;
    uint16_t extra;
} costs[] = {
#define INSTRUCTION_COST(words, pipe, issue, passes, special, alu, fp64, extra)                    \
    {words, PIPE_##pipe, issue, passes, special, alu, fp64, extra},
#include "sandbox/simgpu/instruction_cost.def"
#undef INSTRUCTION_COST
};

/* Is this one of the words of the mnemonic, behind its first dot? */
static bool has_word(struct ptx_span mnemonic, const char *word, size_t length) {
    const char *end = mnemonic.start + mnemonic.length;
    const char *at = memchr(mnemonic.start, '.', mnemonic.length);
    while (at) {
        at++;
        const char *dot = memchr(at, '.', (size_t)(end - at));
        if ((size_t)((dot ? dot : end) - at) == length && memcmp(at, word, length) == 0)
            return true;
        at = dot;
    }
    return false;
}

static bool words_match(const char *words, struct ptx_span mnemonic) {
    size_t base = strcspn(words, ".");
    if (mnemonic.length < base || memcmp(mnemonic.start, words, base) != 0 ||
        (mnemonic.length > base && mnemonic.start[base] != '.'))
        return false;
    for (const char *at = words + base; *at;) {
        at++;
        size_t length = strcspn(at, ".");
        if (!has_word(mnemonic, at, length))
            return false;
        at += length;
    }
    return true;
}

static const struct instruction_cost *find_cost(struct ptx_span mnemonic) {
    static const struct instruction_cost other = {"", PIPE_INTEGER, 1, 1, 0, 1, 0, 0};
    for (size_t i = 0; i < ARRAY_LENGTH(costs); i++)
        if (words_match(costs[i].words, mnemonic))
            return &costs[i];
    return &other;
}

static enum operation_kind kind_of(const struct insn *insn, struct ptx_span mnemonic,
                                   const struct instruction_cost *cost) {
    static const struct {
        const char *words;
        enum operation_kind kind;
    } memory[] = {
        {"st.param", OPERATION_NAME},  {"ld", OPERATION_LOAD},
        {"ldu", OPERATION_LOAD},       {"st", OPERATION_STORE},
        {"atom", OPERATION_ATOMIC},    {"red", OPERATION_ATOMIC},
        {"ldmatrix", OPERATION_LOAD},  {"stmatrix", OPERATION_STORE},
        {"wmma.load", OPERATION_LOAD}, {"wmma.store", OPERATION_STORE},
    };
    if (insn->flow == FLOW_BARRIER)
        return OPERATION_BARRIER;
    if (insn->flow != FLOW_EXECUTE && insn->flow != FLOW_WARP_SYNC)
        return OPERATION_BRANCH;
    if (words_match("ld.param", mnemonic))
        return cost->issue ? OPERATION_COMPUTE : OPERATION_NAME;
    for (size_t i = 0; i < ARRAY_LENGTH(memory); i++)
        if (words_match(memory[i].words, mnemonic))
            return memory[i].kind;
    if (words_match("cp.async.wait_group", mnemonic) || words_match("cp.async.wait_all", mnemonic))
        return OPERATION_WAIT;
    if (words_match("cp.async", mnemonic))
        return insn->cost == COST_ASYNC ? OPERATION_LOAD : OPERATION_NAME;
    if (insn->cost == COST_MATRIX)
        return OPERATION_COMPUTE;
    if (cost->pipe == PIPE_NONE)
        return cost->issue ? OPERATION_OTHER : OPERATION_NAME;
    return OPERATION_COMPUTE;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint16_t value_at(struct machine_code *code, size_t function, uint32_t offset) {
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

/* ---- regions --------------------------------------------------------------------------------- */

static void mark_targets(const struct program *program, uint32_t *targets) {
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH)
            targets[insn->immediate]++;
        if (insn->flow == FLOW_INDEXED)
            for (uint32_t t = 0; t < program->targets[insn->immediate]; t++)
                targets[program->targets[insn->immediate + 1 + t]] += 2;
    }
    for (size_t i = 0; i < program->function_count; i++)
        targets[program->functions[i].entry_pc] += 2;
}

/* A branch over a few instructions that nothing else jumps into: the assembler predicates them. */
static bool is_small_if(const struct program *program, const uint32_t *targets, uint32_t pc) {
    const struct insn *branch = &program->code[pc];
    if (branch->flow != FLOW_BRANCH || branch->guard == GUARD_NONE ||
        branch->immediate <= (int64_t)pc || targets[branch->immediate] != 1)
        return false;
    unsigned instructions = 0;
    for (uint32_t i = pc + 1; i < (uint32_t)branch->immediate; i++) {
        const struct insn *insn = &program->code[i];
        instructions += insn->flow != FLOW_JOIN;
        if ((insn->flow != FLOW_EXECUTE && insn->flow != FLOW_JOIN) || targets[i])
            return false;
    }
    return instructions <= PREDICATED_LIMIT;
}

static void find_regions(struct machine_code *code) {
    const struct program *program = code->program;
    cleanup_free uint32_t *targets = mem_calloc(program->length + 1, sizeof *targets);
    mark_targets(program, targets);
    uint32_t first = 0, inside = 0; /* up to `inside`, targets are of small ifs */
    for (uint32_t pc = 0; pc < program->length; pc++) {
        bool leader = targets[pc] && pc > inside;
        if (leader || pc - first >= REGION_LIMIT)
            first = pc;
        code->region_first[pc] = first;
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_EXECUTE || insn->flow == FLOW_JOIN || insn->flow == FLOW_WARP_SYNC)
            continue;
        if (is_small_if(program, targets, pc))
            inside = (uint32_t)insn->immediate;
        else if (pc >= inside)
            first = pc + 1;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

/* %tid, %ctaid and their kin are read by an instruction; %ntid stands among the parameters, and
 * costs as much. */
static bool reads_special(const struct program *program, uint32_t pc, size_t function) {
    const struct program_function *of = &program->functions[function];
    if (!words_match("mov", program->origins[pc].mnemonic))
        return false;
    for (uint32_t i = 0; i < of->special_count; i++)
        if (program->code[pc].operands[1] == program->specials[of->special_start + i].offset)
            return true;
    return false;
}

/* What an instruction costs; the parameters of a function that is called are in registers. */
static const struct instruction_cost *cost_of(const struct program *program, uint32_t pc,
                                              size_t function) {
    static const struct instruction_cost nothing = {"", PIPE_NONE, 0, 0, 0, 0, 0, 0};
    struct ptx_span mnemonic = program->origins[pc].mnemonic;
    if (reads_special(program, pc, function))
        return find_cost((struct ptx_span){SPECIAL_WORDS, sizeof SPECIAL_WORDS - 1});
    if (words_match("ld.param", mnemonic) && function != program->kernel)
        return &nothing;
    return find_cost(mnemonic);
}

/* Instructions have room for 32 bits of a number: a double whose lower half is not zero is moved to
 * two registers first. */
static bool is_long_double(const struct program *program, uint32_t pc, struct ptx_span mnemonic) {
    uint32_t operand = program->code[pc].operands[1], low;
    uint32_t at = operand & ~(uint32_t)OPERAND_CONSTANT;
    if (!words_match("mov.f64", mnemonic) || operand == OPERAND_NONE ||
        !(operand & OPERAND_CONSTANT) || at + sizeof low > program->constant_bytes)
        return false;
    memcpy(&low, program->constants + at, sizeof low);
    return low != 0;
}

static struct operation make_operation(struct machine_code *code, uint32_t pc, bool predicated) {
    const struct program *program = code->program;
    const struct insn *insn = &program->code[pc];
    struct ptx_span mnemonic = program->origins[pc].mnemonic;
    size_t function = program_function_at(program, pc);
    const struct instruction_cost *cost = cost_of(program, pc, function);
    struct operation operation = {.pc = pc,
                                  .kind = (uint8_t)kind_of(insn, mnemonic, cost),
                                  .pipe = cost->pipe,
                                  .space = insn->space ? insn->space : SPACE_GLOBAL,
                                  .issue = cost->issue,
                                  .passes = (float)cost->passes,
                                  .special = (float)cost->special,
                                  .alu = cost->alu,
                                  .fp64 = cost->fp64,
                                  .extra = cost->extra,
                                  .merged = 1,
                                  .conditional = insn->guard != GUARD_NONE};
    if (operation.kind == OPERATION_LOAD || operation.kind == OPERATION_STORE ||
        operation.kind == OPERATION_ATOMIC) {
        operation.pipe = PIPE_NONE;
        operation.issue = 1;
        if (words_match("ldmatrix", mnemonic) || words_match("stmatrix", mnemonic) ||
            words_match("wmma", mnemonic))
            operation.space = SPACE_SHARED;
        struct merge_cost merge = merged_atomic_cost((enum atomic_merge)code->merges[pc],
                                                     insn->operands[1] != OPERAND_NONE);
        operation.issue = (uint8_t)(1 + merge.issue);
        operation.extra = merge.clocks;
    }
    if (operation.kind == OPERATION_LOAD && insn->space == SPACE_CONST &&
        insn->operands[0] & OPERAND_CONSTANT) { /* an operand of its readers */
        operation.kind = OPERATION_NAME;
        operation.issue = 0;
    }
    if (insn->cost == COST_MATRIX && operation.kind == OPERATION_COMPUTE)
        operation.pipe = PIPE_MATRIX;
    if (predicated && operation.kind == OPERATION_BRANCH) {
        operation.kind = OPERATION_NAME;
        operation.issue = 0;
    }
    if (pc == program->functions[program->kernel].entry_pc && operation.kind != OPERATION_NAME)
        operation.issue = (uint8_t)(operation.issue + ENTRY_ISSUE);
    if (is_long_double(program, pc, mnemonic)) {
        operation.kind = OPERATION_COMPUTE;
        operation.pipe = PIPE_EITHER;
        operation.issue = 2;
        operation.passes = 2;
        operation.alu = 1;
    }
    struct instruction_values values;
    instruction_values_of(program, pc, &values);
    unsigned count = 0;
    for (unsigned i = 0; i < values.source_count && count < OPERATION_SOURCES; i++) {
        uint16_t value = value_at(code, function, values.sources[i]);
        if (value != NO_VALUE)
            operation.sources[count++] = value;
    }
    if (count < OPERATION_SOURCES)
        operation.sources[count] = NO_VALUE;
    count = 0;
    for (unsigned i = 0; i < values.destination_count && count < OPERATION_DESTINATIONS; i++) {
        uint16_t value = value_at(code, function, values.destinations[i]);
        if (value != NO_VALUE)
            operation.destinations[count++] = value;
    }
    if (count < OPERATION_DESTINATIONS)
        operation.destinations[count] = NO_VALUE;
    bool wide = ptx_type_bits((enum ptx_type)insn->type) == 64 || words_match("mul.wide", mnemonic);
    for (unsigned d = 0; d < count; d++)
        code->wide[operation.destinations[d]] |= wide;
    return operation;
}

static void count_uses(struct machine_code *code) {
    for (uint32_t pc = 0; pc < code->program->length; pc++) {
        struct instruction_values values;
        size_t function = program_function_at(code->program, pc);
        instruction_values_of(code->program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++) {
            uint16_t value = value_at(code, function, values.sources[i]);
            if (value != NO_VALUE && code->uses[value] < UINT16_MAX)
                code->uses[value]++;
        }
    }
}

static void make_free(struct operation *operation) {
    operation->kind = OPERATION_NAME;
    operation->issue = 0;
    operation->passes = operation->special = 0;
}

/* The operation before `index` that wrote the value, if nothing else reads it. */
static struct operation *only_source(const struct machine_code *code, struct operation *operations,
                                     size_t index, uint16_t value) {
    if (value == NO_VALUE || code->uses[value] != 1)
        return NULL;
    for (size_t i = index; i-- > 0;)
        for (unsigned d = 0; d < OPERATION_DESTINATIONS; d++) {
            if (operations[i].destinations[d] == NO_VALUE)
                break;
            if (operations[i].destinations[d] == value)
                return operations[i].conditional ? NULL : &operations[i];
        }
    return NULL;
}

/* FUSION: an instruction whose only reader can do its work at the same time. */
static const struct fusion {
    const char *first, *second;
    bool first_is_free; /* else the second one is */
} fusions[] = {
    {"shl.b64", "add.s64", false},       {"mul.lo.s32", "add.s32", true},
    {"shl.b32", "add.s32", true},        {"add.s32", "add.s32", true},
    {"and.b32", "or.b32", true},         {"and.b32", "xor.b32", true},
    {"xor.b32", "xor.b32", true},        {"and.b32", "and.b32", true},
    {"or.b32", "or.b32", true},          {"xor.b32", "and.b32", true},
    {"not.b32", "and.b32", true},        {"cvt.s64.s32", "shl.b64", true},
    {"cvt.s64.s32", "mul.lo.s64", true},
};

/* An address is one IMAD.WIDE: the product's readers do the multiplication themselves. */
static void fuse_addresses(const struct machine_code *code, struct operation *operations,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct operation *sum = &operations[i];
        if (sum->kind != OPERATION_COMPUTE || sum->conditional ||
            !(words_match("add.s64", code->program->origins[sum->pc].mnemonic) ||
              words_match("add.u64", code->program->origins[sum->pc].mnemonic)))
            continue;
        for (size_t j = i; j-- > 0;) {
            struct operation *factor = &operations[j];
            bool feeds =
                factor->destinations[0] != NO_VALUE &&
                (factor->destinations[0] == sum->sources[0] ||
                 (sum->sources[0] != NO_VALUE && factor->destinations[0] == sum->sources[1]));
            if (!feeds || !words_match("mul.wide", code->program->origins[factor->pc].mnemonic))
                continue;
            make_free(factor);
            sum->pipe = PIPE_MULTIPLY;
            sum->issue = 1;
            sum->passes = 1;
            break;
        }
    }
}

static void fuse(const struct machine_code *code, struct operation *operations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct operation *second = &operations[i];
        struct ptx_span name = code->program->origins[second->pc].mnemonic;
        if (second->kind != OPERATION_COMPUTE || second->conditional)
            continue;
        for (size_t f = 0; f < ARRAY_LENGTH(fusions); f++) {
            if (!words_match(fusions[f].second, name))
                continue;
            struct operation *first = NULL;
            for (unsigned s = 0; s < 2 && !first && second->sources[s] != NO_VALUE; s++) {
                first = only_source(code, operations, i, second->sources[s]);
                if (first &&
                    (first->kind != OPERATION_COMPUTE || !first->issue ||
                     !words_match(fusions[f].first, code->program->origins[first->pc].mnemonic)))
                    first = NULL;
            }
            if (!first)
                continue;
            make_free(fusions[f].first_is_free ? first : second);
            break;
        }
    }
}

/* Scalar loads of neighbours in shared memory become one load of 8 or 16 bytes where the address is
 * a multiple of its width. */
static void merge_shared_loads(const struct machine_code *code, struct operation *operations,
                               size_t count) {
    const struct program *program = code->program;
    for (size_t i = 0; i < count; i++) {
        struct operation *lead = &operations[i];
        const struct insn *insn = &program->code[lead->pc];
        if (lead->kind != OPERATION_LOAD || lead->space != SPACE_SHARED || lead->merged != 1 ||
            insn->vector != 1 || ptx_type_bits(insn->type) < 32 || lead->conditional ||
            insn->flow != FLOW_EXECUTE || insn->cost != COST_LOAD)
            continue;
        unsigned aligned = instruction_alignment(program, lead->pc);
        unsigned bytes = ptx_type_bits(insn->type) / 8;
        for (unsigned width = 16 / bytes; width > 1 && lead->merged == 1; width /= 2) {
            size_t found[4] = {i};
            unsigned words = 1;
            if (aligned % (bytes * width))
                continue;
            for (size_t j = i + 1; j < count && words < width; j++) {
                const struct insn *other = &program->code[operations[j].pc];
                if (operations[j].kind == OPERATION_BARRIER ||
                    operations[j].kind == OPERATION_STORE)
                    break;
                if (operations[j].kind == OPERATION_LOAD && operations[j].merged == 1 &&
                    operations[j].space == SPACE_SHARED && other->vector == 1 &&
                    other->operands[0] == insn->operands[0] && !operations[j].conditional &&
                    ptx_type_bits(other->type) == 8 * bytes &&
                    other->immediate == insn->immediate + bytes * (int64_t)words)
                    found[words++] = j;
            }
            if (words < width)
                continue;
            for (unsigned w = 1; w < width; w++) {
                struct operation *part = &operations[found[w]];
                lead->destinations[w] = part->destinations[0];
                part->destinations[0] = NO_VALUE;
                part->merged = 0;
                part->issue = 0;
                part->kind = OPERATION_NAME;
            }
            if (width < OPERATION_DESTINATIONS)
                lead->destinations[width] = NO_VALUE;
            lead->merged = (uint8_t)width;
        }
    }
}

/* Divisions by the same number share its reciprocal, which is found before a loop that does not
 * change it. */
static void share_reciprocals(const struct machine_code *code, const struct region *region) {
    const struct insn *branch = &code->program->code[region->last];
    bool loop = branch->flow == FLOW_BRANCH && branch->immediate == region->first;
    for (size_t i = 0; i < region->count; i++) {
        struct operation *division = &region->operations[i];
        struct ptx_span name = code->program->origins[division->pc].mnemonic;
        if (!(words_match("div", name) || words_match("rem", name)) ||
            division->pipe != PIPE_MULTIPLY || division->passes > SHORT_DIVISION_PASSES)
            continue;
        uint16_t divisor =
            division->sources[1] == NO_VALUE ? division->sources[0] : division->sources[1];
        bool known = false, changes = false;
        for (size_t j = 0; j < region->count; j++) {
            const struct operation *other = &region->operations[j];
            bool writes = other->destinations[0] == divisor;
            changes |= writes;
            if (j >= i)
                continue;
            struct ptx_span earlier = code->program->origins[other->pc].mnemonic;
            bool divides = other->pipe == PIPE_MULTIPLY && other->issue &&
                           (words_match("div", earlier) || words_match("rem", earlier)) &&
                           (other->sources[1] == divisor ||
                            (other->sources[1] == NO_VALUE && other->sources[0] == divisor));
            known = (known && !writes) || divides;
        }
        if (!known && !(loop && !changes))
            continue;
        division->special = 0;
        division->issue = (uint8_t)(division->issue - RECIPROCAL_ISSUE);
        division->alu = 8;
        division->extra = 8;
    }
}

/* What nobody reads is not computed. */
static void drop_unread(const struct machine_code *code, struct operation *operations,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool read = operations[i].kind != OPERATION_COMPUTE;
        for (unsigned d = 0; d < OPERATION_DESTINATIONS && !read; d++) {
            if (operations[i].destinations[d] == NO_VALUE)
                break;
            read = code->uses[operations[i].destinations[d]] > 0;
        }
        if (!read)
            make_free(&operations[i]);
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* v = v + constant */
static bool is_counter(const struct machine_code *code, const struct operation *operation) {
    return operation->kind == OPERATION_COMPUTE && operation->destinations[0] != NO_VALUE &&
           operation->sources[0] == operation->destinations[0] &&
           operation->sources[1] == NO_VALUE && !operation->conditional &&
           words_match("add", code->program->origins[operation->pc].mnemonic);
}

/* The loop's condition compares a counter with something that does not change in the loop. */
static bool is_counted_loop(const struct machine_code *code, const struct region *region) {
    const struct program *program = code->program;
    const struct insn *branch = &program->code[region->last];
    if (branch->flow != FLOW_BRANCH || branch->guard == GUARD_NONE ||
        branch->immediate != region->first || region->count < 2 || region->count > UNROLL_LIMIT)
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
    if (!condition || !words_match("setp", program->origins[condition->pc].mnemonic))
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

/* One turn behind the other; values that pass from turn to turn get a name for each. Counters are
 * added up once, and only the last turn asks whether to go on. */
static void unroll(struct machine_code *code, struct region *region) {
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
                make_free(&operation);
            for (unsigned s = 0; s < OPERATION_SOURCES && operation.sources[s] != NO_VALUE; s++)
                operation.sources[s] = names[operation.sources[s]];
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

static struct region *make_region(struct machine_code *code, uint32_t first) {
    const struct program *program = code->program;
    struct region *region = mem_zalloc(sizeof *region);
    region->first = region->last = first;
    while (region->last + 1 < program->length && code->region_first[region->last + 1] == first)
        region->last++;
    region->operations = mem_calloc(region->last - region->first + 1, sizeof *region->operations);
    for (uint32_t pc = region->first; pc <= region->last; pc++)
        if (program->code[pc].flow != FLOW_JOIN)
            region->operations[region->count++] = make_operation(code, pc, pc < region->last);
    drop_unread(code, region->operations, region->count);
    share_reciprocals(code, region);
    fuse_addresses(code, region->operations, region->count);
    fuse(code, region->operations, region->count);
    merge_shared_loads(code, region->operations, region->count);
    unroll(code, region);
    machine_code_order(code, region->operations, region->count);
    machine_code_order(code, region->unrolled, region->unrolled_count);
    return region;
}

const struct region *machine_code_region(struct machine_code *code, uint32_t pc) {
    uint32_t first = code->region_first[pc];
    if (!code->regions[first])
        code->regions[first] = make_region(code, first);
    return code->regions[first];
}

struct machine_code *machine_code_create(const struct program *program, unsigned registers,
                                         const uint8_t *merges) {
    struct machine_code *code = mem_zalloc(sizeof *code);
    code->program = program;
    code->registers = registers;
    code->merges = merges;
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
    code->region_first = mem_calloc(program->length + 1, sizeof *code->region_first);
    code->regions = mem_calloc(program->length + 1, sizeof(struct region *));
    count_uses(code);
    find_regions(code);
    return code;
}

void machine_code_free(struct machine_code *code) {
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
    free(code->wide);
    free(code->region_first);
    free(code->regions);
    free(code);
}
