/* What the assembler melts together in a region: see sass_model.h.
 *
 * Computations that nothing reads go away, divisions by the same number share its reciprocal, sums
 * and products become one instruction where only one reader needs them, and loads of neighbours in
 * shared memory become a wide one. */
#include "sandbox/simgpu/sass/sass_model_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHORT_DIVISION_PASSES = 8, /* those of 64 bits are calls */
    LONG_PRODUCT_ISSUE = 4,    /* of 64 bits */
    MOST_INPUTS = 3,           /* of a sum or a logic instruction */
    RECIPROCAL_ISSUE = 10,     /* instructions of an integer division that find the reciprocal, */
    SIGN_ISSUE = 1,            /* ... one more where the divisor has a sign */
};

/* The operation before `index` that wrote the value, if nothing else reads it. */
static struct operation *only_source(const struct sass_model *code, struct operation *operations,
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
    enum isa_op first;
    enum ptx_type first_type, first_other; /* in any order; PTX_NO_TYPE: any */
    enum isa_op second;
    enum ptx_type second_type;
    bool first_is_free; /* else the second one is */
    bool half;          /* both are of 64 bits of which 32 are computed: see demanded_bits.c */
    uint8_t pipe;       /* where only one can do both; PIPE_NONE: it stays the second one's */
} fusions[] = {
    {OP_shl, PTX_b64, PTX_NO_TYPE, OP_add, PTX_s64, false, false, PIPE_NONE},
    {OP_mul_lo, PTX_s32, PTX_NO_TYPE, OP_add, PTX_s32, true, false, PIPE_MULTIPLY},
    {OP_shl, PTX_b32, PTX_NO_TYPE, OP_add, PTX_s32, true, false, PIPE_NONE},
    {OP_add, PTX_s32, PTX_NO_TYPE, OP_add, PTX_s32, true, false, PIPE_INTEGER},
    {OP_add, PTX_s32, PTX_NO_TYPE, OP_sub, PTX_s32, true, false, PIPE_INTEGER},
    {OP_sub, PTX_s32, PTX_NO_TYPE, OP_add, PTX_s32, true, false, PIPE_INTEGER},
    {OP_sub, PTX_s32, PTX_NO_TYPE, OP_sub, PTX_s32, true, false, PIPE_INTEGER},
    {OP_cvt, PTX_s64, PTX_s32, OP_shl, PTX_b64, true, false, PIPE_NONE},
    {OP_cvt, PTX_s64, PTX_s32, OP_mul_lo, PTX_s64, true, false, PIPE_NONE},
    /* the choice is the predicate of one of the two: read off the instructions that sorting
     * networks execute (tests/bench/model: bitonic, sort_rows) */
    {OP_min, PTX_NO_TYPE, PTX_NO_TYPE, OP_selp, PTX_NO_TYPE, false, false, PIPE_NONE},
    {OP_max, PTX_NO_TYPE, PTX_NO_TYPE, OP_selp, PTX_NO_TYPE, false, false, PIPE_NONE},
    {OP_mul_lo, PTX_s64, PTX_NO_TYPE, OP_add, PTX_s64, true, true, PIPE_MULTIPLY},
    {OP_mul_lo, PTX_u64, PTX_NO_TYPE, OP_add, PTX_s64, true, true, PIPE_MULTIPLY},
    {OP_add, PTX_s64, PTX_NO_TYPE, OP_add, PTX_s64, true, true, PIPE_INTEGER},
};

/* An address is one IMAD.WIDE: the product's readers do the multiplication themselves. */
static void fuse_addresses(const struct sass_model *code, struct operation *operations,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct operation *sum = &operations[i];
        if (sum->kind != OPERATION_COMPUTE || sum->conditional ||
            !(sass_model_is(code, sum, OP_add, PTX_s64) ||
              sass_model_is(code, sum, OP_add, PTX_u64)))
            continue;
        for (size_t j = i; j-- > 0;) {
            struct operation *factor = &operations[j];
            bool feeds =
                factor->destinations[0] != NO_VALUE &&
                (factor->destinations[0] == sum->sources[0] ||
                 (sum->sources[0] != NO_VALUE && factor->destinations[0] == sum->sources[1]));
            if (!feeds || !sass_model_is(code, factor, OP_mul_wide, PTX_NO_TYPE))
                continue;
            sass_model_make_free(factor);
            sum->pipe = PIPE_WIDE;
            sum->issue = 1;
            sum->passes = 2;
            break;
        }
    }
}

/* The constant that the instruction has for an operand: whether there is one. Shifts go by numbers
 * of 32 bits. */
static bool has_constant(const struct program *program, uint32_t pc, uint64_t *constant) {
    const struct insn *insn = &program->code[pc];
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    if (insn_op(insn) == OP_shr)
        bytes = sizeof(uint32_t);
    for (unsigned slot = 1; slot < OPERAND_SLOTS; slot++) {
        uint32_t operand = insn->operands[slot], at = operand & ~(uint32_t)OPERAND_CONSTANT;
        if (operand == OPERAND_NONE || !(operand & OPERAND_CONSTANT) || bytes > sizeof *constant ||
            at + bytes > program->constant_bytes)
            continue;
        *constant = 0;
        memcpy(constant, program->constants + at, bytes);
        return true;
    }
    return false;
}

/* LOGIC: and, or, xor and not of one width. */
static unsigned logic_bits(const struct sass_model *code, const struct operation *operation) {
    const struct insn *insn = &code->program->code[operation->pc];
    enum isa_op op = insn_op(insn);
    bool logic = op == OP_and || op == OP_or || op == OP_xor || op == OP_not;
    return logic && insn->type != PTX_pred ? ptx_type_bits((enum ptx_type)insn->type) : 0;
}

/* Sums, and logic of any kind, are instructions of three inputs. */
static unsigned inputs_of(const struct sass_model *code, const struct operation *operation) {
    if (operation->inputs)
        return operation->inputs;
    return sass_model_is(code, operation, OP_not, PTX_NO_TYPE) ? 1 : 2;
}

/* The fusion of the two, of which the second reads the first's result, or NULL. */
static const struct fusion *fusion_of(const struct sass_model *code, const struct operation *first,
                                      const struct operation *second) {
    static const struct fusion logic = {.first_is_free = true, .pipe = PIPE_NONE};
    if (first->kind != OPERATION_COMPUTE || !first->issue)
        return NULL;
    unsigned bits = logic_bits(code, second);
    const struct fusion *found = bits && bits == logic_bits(code, first) ? &logic : NULL;
    for (size_t f = 0; f < ARRAY_LENGTH(fusions) && !found; f++)
        if (sass_model_is(code, second, fusions[f].second, fusions[f].second_type) &&
            sass_model_is(code, first, fusions[f].first, fusions[f].first_type) &&
            sass_model_is(code, first, fusions[f].first, fusions[f].first_other) &&
            (!fusions[f].half ||
             (demanded_bits_is_half(code, first) && demanded_bits_is_half(code, second))))
            found = &fusions[f];
    if (found && found->first_is_free &&
        inputs_of(code, first) + inputs_of(code, second) > MOST_INPUTS + 1)
        return NULL;
    return found;
}

/* An instruction of logic also says whether its result is zero, and shifts by a known number are
 * part of the sum after them (LEA.HI). */
static bool melts_into(const struct sass_model *code, const struct operation *first,
                       const struct operation *second) {
    const struct program *program = code->program;
    const struct insn *insn = &program->code[second->pc];
    uint64_t constant;
    if (first->kind != OPERATION_COMPUTE || !first->issue)
        return false;
    if (insn_is(insn, OP_add, PTX_s32))
        return inputs_of(code, second) == 2 &&
               (sass_model_is(code, first, OP_shr, PTX_u32) ||
                sass_model_is(code, first, OP_shr, PTX_s32)) &&
               has_constant(program, first->pc, &constant);
    if (insn_is(insn, OP_add, PTX_s64))
        return sass_model_is(code, first, OP_shr, PTX_u64) &&
               has_constant(program, first->pc, &constant) && constant >= 32;
    unsigned bits = ptx_type_bits((enum ptx_type)insn->type);
    return insn_op(insn) == OP_setp && !ptx_type_is_float((enum ptx_type)insn->type) &&
           (bits == 16 || bits == 32) &&
           (insn->compare == COMPARE_eq || insn->compare == COMPARE_ne) &&
           logic_bits(code, first) && has_constant(program, second->pc, &constant) && constant == 0;
}

/* A choice between a value and what one instruction makes of another: that instruction with a
 * predicate, where the value it is put in place of is not needed any more. */
static bool is_predicated(const struct sass_model *code, const struct operation *first,
                          const struct operation *choice) {
    const struct insn *insn = &code->program->code[choice->pc];
    bool matches = insn_op(insn) == OP_selp && ptx_type_bits((enum ptx_type)insn->type) == 32;
    if (!matches || first->kind != OPERATION_COMPUTE || first->issue != 1 ||
        first->destinations[1] != NO_VALUE || choice->sources[2] == NO_VALUE)
        return false;
    uint16_t other = choice->sources[choice->sources[0] == first->destinations[0]];
    bool feeds = false;
    for (unsigned s = 0; s < OPERATION_SOURCES && first->sources[s] != NO_VALUE; s++)
        feeds |= first->sources[s] == other;
    return code->uses[other] == 1u + feeds;
}

static void fuse(const struct sass_model *code, struct operation *operations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct operation *second = &operations[i];
        if (second->kind != OPERATION_COMPUTE || second->conditional)
            continue;
        for (unsigned s = 0; s < 2 && second->sources[s] != NO_VALUE; s++) {
            struct operation *first = only_source(code, operations, i, second->sources[s]);
            const struct fusion *fusion = first ? fusion_of(code, first, second) : NULL;
            if (first && !fusion && is_predicated(code, first, second)) {
                sass_model_make_free(second);
                break;
            }
            if (first && !fusion && melts_into(code, first, second)) {
                sass_model_make_free(first);
                second->inputs = MOST_INPUTS;
                second->pipe = PIPE_INTEGER;
                break;
            }
            if (!fusion)
                continue;
            if (fusion->first_is_free)
                second->inputs = (uint8_t)(inputs_of(code, first) + inputs_of(code, second) - 1);
            if (fusion->pipe != PIPE_NONE)
                second->pipe = fusion->pipe;
            sass_model_make_free(fusion->first_is_free ? first : second);
            break;
        }
    }
}

/* Of floating point, without a word for the rounding, which forbids it (PTX ISA 9.7.3: add, mul).
 */
static bool may_contract(const struct sass_model *code, const struct operation *operation,
                         enum isa_op op) {
    const struct insn *insn = &code->program->code[operation->pc];
    return operation->kind == OPERATION_COMPUTE && operation->issue && !operation->conditional &&
           insn_op(insn) == op && ptx_type_is_float((enum ptx_type)insn->type) &&
           (insn->rounding & ROUNDING_MODE) == ROUND_DEFAULT;
}

static unsigned times_read(const struct operation *operation, uint16_t value) {
    unsigned times = 0;
    for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
        times += operation->sources[s] == value;
    return times;
}

/* A product that only sums and differences read is made by each of them, which can make one. */
static void fuse_products(const struct sass_model *code, struct operation *operations,
                          size_t count) {
    cleanup_free bool *makes_one = mem_calloc(count + 1, sizeof *makes_one);
    for (size_t i = 0; i < count; i++) {
        uint16_t product = operations[i].destinations[0];
        if (product == NO_VALUE || !may_contract(code, &operations[i], OP_mul))
            continue;
        unsigned readers = 0;
        bool fused = true;
        for (size_t j = i + 1; j < count && fused && readers < code->uses[product]; j++) {
            unsigned times = times_read(&operations[j], product);
            readers += times;
            fused = !times || (times == 1 && !makes_one[j] &&
                               (may_contract(code, &operations[j], OP_add) ||
                                may_contract(code, &operations[j], OP_sub)));
        }
        if (!fused || !readers || readers != code->uses[product])
            continue;
        for (size_t j = i + 1; j < count; j++)
            makes_one[j] |= times_read(&operations[j], product) > 0;
        sass_model_make_free(&operations[i]);
    }
}

/* Scalar loads of neighbours in shared memory become one load of 8 or 16 bytes where the address is
 * a multiple of its width. */
static void merge_shared_loads(const struct sass_model *code, struct operation *operations,
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
                    operations[j].guard == lead->guard && other->operands[0] == insn->operands[0] &&
                    !operations[j].conditional && ptx_type_bits(other->type) == 8 * bytes &&
                    other->offset == insn->offset + bytes * (int64_t)words)
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

static bool divides(const struct sass_model *code, const struct operation *operation) {
    return sass_model_is(code, operation, OP_div, PTX_NO_TYPE) ||
           sass_model_is(code, operation, OP_rem, PTX_NO_TYPE);
}

/* Divisions by the same number share its reciprocal, which is found before a loop that does not
 * change it. */
static void share_reciprocals(const struct sass_model *code, const struct region *region) {
    const struct insn *branch = &code->program->code[region->last];
    bool loop = branch->flow == FLOW_BRANCH && branch->target == region->first;
    for (size_t i = 0; i < region->count; i++) {
        struct operation *division = &region->operations[i];
        if (!divides(code, division) || division->pipe != PIPE_MULTIPLY ||
            division->passes > SHORT_DIVISION_PASSES)
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
            bool same = other->pipe == PIPE_MULTIPLY && other->issue && divides(code, other) &&
                        (other->sources[1] == divisor ||
                         (other->sources[1] == NO_VALUE && other->sources[0] == divisor));
            known = (known && !writes) || same;
        }
        if (!known && !(loop && !changes))
            continue;
        division->special = 0;
        bool sign = code->program->code[division->pc].type == PTX_s32;
        division->issue = (uint8_t)(division->issue - RECIPROCAL_ISSUE - (sign ? SIGN_ISSUE : 0));
        division->alu = 8;
        division->extra = 8;
    }
}

static bool is_constant_address(const struct operation *operations, size_t count, uint16_t value) {
    for (size_t i = 0; i < count; i++)
        if (operations[i].kind == OPERATION_LOAD && operations[i].space == SPACE_CONST &&
            operations[i].sources[0] == value)
            return true;
    return false;
}

/* Of 64 bits, the half that is known to be nothing is not computed; a predicate that is compared
 * with a constant is that predicate, and the address of an array of constants is part of the load.
 */
static void use_constants(const struct sass_model *code, struct operation *operations,
                          size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct operation *operation = &operations[i];
        if (operation->kind != OPERATION_COMPUTE || !operation->issue)
            continue;
        uint64_t constant = 0;
        bool known = has_constant(code->program, operation->pc, &constant);
        bool half =
            (sass_model_is(code, operation, OP_and, PTX_b64) && known && constant <= UINT32_MAX) ||
            (sass_model_is(code, operation, OP_shr, PTX_u64) && known && constant >= 32);
        if (half) {
            operation->issue = 1;
            operation->passes = 1;
        }
        if ((sass_model_is(code, operation, OP_mul_lo, PTX_s64) ||
             sass_model_is(code, operation, OP_mul_lo, PTX_u64)) &&
            known && constant <= UINT32_MAX && operation->issue == LONG_PRODUCT_ISSUE)
            operation->issue--;
        bool fixed = known;
        for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
            fixed |= code->fixed[operation->sources[s]];
        if (fixed && (sass_model_is(code, operation, OP_xor, PTX_pred) ||
                      (demanded_bits_is_half(code, operation) &&
                       sass_model_is(code, operation, OP_add, PTX_NO_TYPE) &&
                       is_constant_address(operations, count, operation->destinations[0]))))
            sass_model_make_free(operation);
    }
}

/* What nothing reads is not computed. */
static void drop_unread(const struct sass_model *code, struct operation *operations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool read = operations[i].kind != OPERATION_COMPUTE;
        for (unsigned d = 0; d < OPERATION_DESTINATIONS && !read; d++) {
            if (operations[i].destinations[d] == NO_VALUE)
                break;
            read = code->uses[operations[i].destinations[d]] > 0;
        }
        if (!read)
            sass_model_make_free(&operations[i]);
    }
}

static bool joins_predicates(const struct sass_model *code, const struct operation *operation) {
    return operation->kind == OPERATION_COMPUTE &&
           (sass_model_is(code, operation, OP_and, PTX_pred) ||
            sass_model_is(code, operation, OP_or, PTX_pred));
}

/* A comparison that makes one predicate, for all its readers. */
static bool compares(const struct sass_model *code, const struct operation *operation) {
    uint16_t second = operation->destinations[1]; /* the opposite */
    return operation->kind == OPERATION_COMPUTE && operation->issue && !operation->conditional &&
           !operation->inputs && (second == NO_VALUE || !code->uses[second]) &&
           sass_model_is(code, operation, OP_setp, PTX_NO_TYPE);
}

enum { JOINED = 2 }; /* predicates, by one instruction */

struct joins {     /* by comparison: the instructions that join its predicate with another */
    size_t *first; /* number + 1 */
    struct fusion_join {
        size_t operation, next; /* next: number + 1 */
    } * list;
    size_t count;
    bool *compared; /* by instruction that joins: it is a comparison itself */
};

static void find_joins(const struct sass_model *code, const struct operation *operations,
                       size_t count, struct joins *joins) {
    cleanup_free size_t *writer = mem_calloc(code->value_count + 1, sizeof *writer);
    for (size_t i = 0; i < count; i++) {
        const struct operation *operation = &operations[i];
        for (unsigned s = 0; s < JOINED && joins_predicates(code, operation); s++) {
            size_t from = operation->sources[s] == NO_VALUE ? 0 : writer[operation->sources[s]];
            if (!from)
                continue;
            joins->list[joins->count++] = (struct fusion_join){i, joins->first[from - 1]};
            joins->first[from - 1] = joins->count;
        }
        for (unsigned d = 0; d < OPERATION_DESTINATIONS; d++) {
            if (operation->destinations[d] == NO_VALUE)
                break;
            writer[operation->destinations[d]] = compares(code, operation) ? i + 1 : 0;
        }
    }
}

/* Makes the comparison part of all that join its predicate with another one, if nothing else reads
 * it and none of them is one already. */
static void join_comparison(const struct sass_model *code, struct operation *comparison,
                            struct joins *joins, size_t first, bool single) {
    unsigned found = 0;
    for (size_t j = first; j; j = joins->list[j - 1].next, found++)
        if (joins->compared[joins->list[j - 1].operation])
            return;
    if (!found || found != code->uses[comparison->destinations[0]] || (found == 1) != single)
        return;
    for (size_t j = first; j; j = joins->list[j - 1].next)
        joins->compared[joins->list[j - 1].operation] = true;
    sass_model_make_free(comparison);
}

/* A comparison takes another predicate in (ISETP.OR): what joins the two is that comparison, which
 * is made again for each of them; those that are made for one first. */
static void join_predicates(const struct sass_model *code, struct operation *operations,
                            size_t count) {
    struct joins joins = {.first = mem_calloc(count + 1, sizeof *joins.first),
                          .list = mem_calloc(JOINED * count + 1, sizeof *joins.list),
                          .compared = mem_calloc(count + 1, sizeof *joins.compared)};
    find_joins(code, operations, count, &joins);
    for (unsigned single = 2; single-- > 0;)
        for (size_t i = 0; i < count; i++)
            if (joins.first[i])
                join_comparison(code, &operations[i], &joins, joins.first[i], single);
    free(joins.first);
    free(joins.list);
    free(joins.compared);
}

void sass_peephole_fuse(const struct sass_model *code, struct region *region) {
    drop_unread(code, region->operations, region->count);
    use_constants(code, region->operations, region->count);
    share_reciprocals(code, region);
    fuse_addresses(code, region->operations, region->count);
    fuse(code, region->operations, region->count);
    fuse_products(code, region->operations, region->count);
    join_predicates(code, region->operations, region->count);
    merge_shared_loads(code, region->operations, region->count);
}
