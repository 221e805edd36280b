/* Places for registers that are not needed at the same time.
 *
 * PTX names each value anew: an unrolled kernel has hundreds of registers, and a handful of them
 * are needed at a time. With a place for each, a warp takes 10 to 200 kB, and hundreds of blocks
 * are resident where a device is simulated: most of such a launch's time would be the system's,
 * which clears these pages, and the processor's, which waits for them.
 *
 * A register lives from its first use to its last one in the order of the code, and through every
 * loop that it has a part in, unless all its uses are in one straight line. Registers whose lives
 * do not meet, not even in one instruction, get one place by linear scan. A place of their own,
 * from the beginning to the end, have
 *
 *   - those that the launch clears (liveness.c): they may be read before they are written, be left
 *     unwritten, or be read by other lanes;
 *   - those that are not certainly written where they first occur;
 *   - what polls go by: poll.c looks at addresses and comparisons of a loop when the loop is not
 *     there, and knows a value by its place;
 *   - predicates (four bytes each), special registers and what nothing reads. */
#include "sandbox/simgpu/launch/register_slots.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/instruction_values.h"
#include "sandbox/simgpu/program/texture_access.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNIT = 2 * WARP_LANES, /* of a lane vector's bytes and offset */
    MAX_VECTORS = 1 << 13,
    MAX_TRIES = 1 << 22, /* of a register with a loop, or with a place; hostile code is long */
};

struct life {
    uint32_t first, last; /* pcs, inclusive */
    bool used, whole;     /* whole: it has its place to itself */
    uint32_t slot;
};

struct jump_back {
    uint32_t target, pc;
};

struct sharing {
    const struct program *program;
    const struct program_function *function;
    uint32_t start, end; /* offsets of the lane vectors that can share */
    uint32_t *number_at; /* (offset - start) / UNIT -> vector */
    struct life *lives;  /* by vector */
    uint32_t count;      /* vectors */
    uint32_t *lines;     /* [pc]: straight lines that begin up to there */
    struct jump_back *jumps;
    size_t jump_count, jump_capacity;
    uint32_t class_first[VECTOR_CLASSES + 1]; /* vectors */
    uint32_t class_offset[VECTOR_CLASSES];    /* in the new layout */
    uint32_t new_end;
};

static uint32_t class_bytes(unsigned class) {
    return (uint32_t)UNIT << class;
}

static bool can_share(const struct sharing *sharing, uint32_t operand) {
    return !(operand & OPERAND_CONSTANT) && operand >= sharing->start && operand < sharing->end;
}

static struct life *life_of(const struct sharing *sharing, uint32_t operand) {
    return can_share(sharing, operand)
               ? &sharing->lives[sharing->number_at[(operand - sharing->start) / UNIT]]
               : NULL;
}

static void number_vectors(struct sharing *sharing) {
    const uint32_t *starts = sharing->function->vector_starts;
    size_t units = (sharing->end - sharing->start) / UNIT;
    sharing->number_at = mem_calloc(units + 1, sizeof *sharing->number_at);
    for (unsigned class = 0; class < VECTOR_CLASSES; class ++) {
        sharing->class_first[class] = sharing->count;
        for (uint32_t at = starts[class]; at < starts[class + 1]; at += class_bytes(class)) {
            for (uint32_t unit = 0; unit < class_bytes(class) / UNIT; unit++)
                sharing->number_at[(at - sharing->start) / UNIT + unit] = sharing->count;
            sharing->count++;
        }
    }
    sharing->class_first[VECTOR_CLASSES] = sharing->count;
    sharing->lives = mem_calloc(sharing->count + 1, sizeof *sharing->lives);
}

/* ---- lives ----------------------------------------------------------------------------------- */

static void use(struct life *life, uint32_t pc, bool writes) {
    if (!life)
        return;
    if (!life->used)
        *life = (struct life){.first = pc, .used = true, .whole = life->whole || !writes};
    life->last = pc;
}

/* Atomics, and all loads and stores whose order may matter. */
static bool may_poll(const struct insn *insn) {
    return insn->cost == COST_ATOMIC || insn->order != ORDER_WEAK;
}

static void note_lives(struct sharing *sharing) {
    const struct program *program = sharing->program;
    bool polls = false;
    for (uint32_t pc = 0; pc < program->length; pc++)
        polls |= may_poll(&program->code[pc]);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool whole =
            may_poll(insn) || (polls && insn->form != FORM_NONE && insn_op(insn) == OP_setp);
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        for (unsigned i = 0; i < values.source_count; i++)
            use(life_of(sharing, values.sources[i]), pc, false);
        for (unsigned i = 0; i < values.destination_count; i++)
            use(life_of(sharing, values.destinations[i]), pc, insn->guard == GUARD_NONE);
        for (unsigned i = 0; i < OPERAND_SLOTS; i++) {
            struct life *life = life_of(sharing, insn->operands[i]);
            bool unknown = life && (!life->used || life->last != pc); /* of uses: be careful */
            if (life && (whole || unknown))
                life->whole = true;
        }
    }
}

static void keep_cleared(struct sharing *sharing) {
    const struct program_function *function = sharing->function;
    for (uint32_t i = 0; i < function->clear_count; i++) {
        const struct register_range *range = &sharing->program->ranges[function->clear_start + i];
        for (uint32_t at = range->offset / UNIT * UNIT; at < range->offset + range->bytes;
             at += UNIT) {
            struct life *life = life_of(sharing, at);
            if (life)
                life->whole = true;
        }
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void note_target(struct sharing *sharing, uint32_t pc, uint64_t target) {
    if (target < sharing->program->length)
        sharing->lines[target] = 1;
    if (target <= pc)
        *mem_push(&sharing->jumps, &sharing->jump_count, &sharing->jump_capacity) =
            (struct jump_back){(uint32_t)target, pc};
}

static void note_jumps(struct sharing *sharing) {
    const struct program *program = sharing->program;
    sharing->lines = mem_calloc(program->length + 1, sizeof *sharing->lines);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        if (insn->flow == FLOW_BRANCH)
            note_target(sharing, pc, (uint64_t)insn->target);
        for (uint32_t i = 0; insn->flow == FLOW_INDEXED && i < program->targets[insn->targets]; i++)
            note_target(sharing, pc, program->targets[insn->targets + 1 + i]);
        if (insn->flow != FLOW_EXECUTE)
            sharing->lines[pc + 1] = 1;
    }
    for (uint32_t pc = 1; pc <= program->length; pc++)
        sharing->lines[pc] += sharing->lines[pc - 1];
}

/* A value that goes round a loop, or into one, is needed in all of it. */
static void extend(const struct sharing *sharing, struct life *life) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < sharing->jump_count; i++) {
            const struct jump_back *jump = &sharing->jumps[i];
            if (jump->target > life->last || jump->pc < life->first ||
                (jump->target >= life->first && jump->pc <= life->last))
                continue;
            life->first = jump->target < life->first ? jump->target : life->first;
            life->last = jump->pc > life->last ? jump->pc : life->last;
            changed = true;
        }
    }
}

static bool extend_lives(struct sharing *sharing) {
    if ((uint64_t)sharing->count * sharing->jump_count > MAX_TRIES)
        return false;
    for (uint32_t i = 0; i < sharing->count; i++) {
        struct life *life = &sharing->lives[i];
        if (!life->whole && sharing->lines[life->first] != sharing->lines[life->last])
            extend(sharing, life);
    }
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

static int compare_lives(const void *a, const void *b) {
    const struct life *x = *(struct life *const *)a, *y = *(struct life *const *)b;
    if (x->whole != y->whole)
        return x->whole ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Places of the registers of one width, by linear scan. False where it takes too long. */
static bool give_slots(struct sharing *sharing, unsigned class, uint32_t *slot_count) {
    uint32_t first = sharing->class_first[class], end = sharing->class_first[class + 1];
    struct life **order = mem_calloc(end - first + 1, sizeof *order);
    cleanup_free void *owned = order;
    cleanup_free uint32_t *ends = mem_calloc(end - first + 1, sizeof *ends);
    uint32_t count = 0, slots = 0, tries = 0;
    for (uint32_t i = first; i < end; i++)
        if (sharing->lives[i].used || sharing->lives[i].whole)
            order[count++] = &sharing->lives[i];
    qsort(order, count, sizeof *order, compare_lives);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = 0;
        while (slot < slots && ends[slot] >= order[i]->first)
            slot++;
        tries += slot;
        if (order[i]->whole || slot == slots)
            slot = slots++;
        ends[slot] = order[i]->whole ? UINT32_MAX : order[i]->last;
        order[i]->slot = slot;
    }
    *slot_count = slots;
    return tries <= MAX_TRIES;
}

static bool give_places(struct sharing *sharing) {
    uint32_t offset = sharing->start;
    for (unsigned class = 0; class < VECTOR_CLASSES; class ++) {
        uint32_t slots;
        if (!give_slots(sharing, class, &slots))
            return false;
        sharing->class_offset[class] = offset;
        offset += slots * class_bytes(class);
    }
    sharing->new_end = offset;
    return true;
}

static unsigned class_of(const struct sharing *sharing, uint32_t number) {
    unsigned class = 0;
    while (number >= sharing->class_first[class + 1])
        class ++;
    return class;
}

/* Of an offset, with the bits below it. */
static uint32_t place_of(const struct sharing *sharing, uint32_t operand) {
    if (operand >= OPERAND_NONE || (operand & OPERAND_CONSTANT) || operand < sharing->start)
        return operand;
    if (operand >= sharing->end)
        return operand - sharing->end + sharing->new_end;
    uint32_t number = sharing->number_at[(operand - sharing->start) / UNIT];
    unsigned class = class_of(sharing, number);
    uint32_t within = (operand - sharing->start) -
                      (sharing->function->vector_starts[class] - sharing->start) -
                      (number - sharing->class_first[class]) * class_bytes(class);
    return sharing->class_offset[class] + sharing->lives[number].slot * class_bytes(class) + within;
}

/* ---- the program ----------------------------------------------------------------------------- */

static struct insn *new_code(const struct sharing *sharing) {
    const struct program *program = sharing->program;
    struct insn *code = mem_dup(program->code, program->length * sizeof *code);
    for (size_t pc = 0; pc < program->length; pc++)
        for (unsigned i = 0; i < OPERAND_SLOTS; i++)
            code[pc].operands[i] = place_of(sharing, code[pc].operands[i]);
    return code;
}

/* Piece by piece: what lay side by side need not any more. */
static struct register_range *new_ranges(const struct sharing *sharing,
                                         struct program_function *function) {
    struct register_range *ranges = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < function->clear_count; i++) {
        const struct register_range *range = &sharing->program->ranges[function->clear_start + i];
        for (uint32_t at = range->offset, step; at < range->offset + range->bytes; at += step) {
            uint32_t left = range->offset + range->bytes - at, to = place_of(sharing, at);
            step = UNIT - at % UNIT < left ? UNIT - at % UNIT : left;
            if (count && ranges[count - 1].offset + ranges[count - 1].bytes == to)
                ranges[count - 1].bytes += step;
            else
                *mem_push(&ranges, &count, &capacity) = (struct register_range){to, step};
        }
    }
    function->clear_start = function->live_in_start = function->live_in_count = 0;
    function->clear_count = (uint32_t)count;
    return ranges;
}

static struct special_use *new_specials(const struct sharing *sharing) {
    const struct program *program = sharing->program;
    struct special_use *specials =
        mem_dup(program->specials, program->special_count * sizeof *specials);
    for (size_t i = 0; i < program->special_count; i++)
        specials[i].offset = place_of(sharing, specials[i].offset);
    return specials;
}

/* Operands of textures and surfaces are not in the code. */
static struct texture_access *new_textures(const struct sharing *sharing) {
    const struct program *program = sharing->program;
    struct texture_access *textures =
        mem_dup(program->textures, program->texture_count * sizeof *textures);
    for (size_t i = 0; i < program->texture_count; i++)
        for (unsigned j = 0; j < TEXTURE_OPERANDS; j++)
            textures[i].operands[j] = place_of(sharing, textures[i].operands[j]);
    return textures;
}

static void replace(const struct sharing *sharing, struct program *program,
                    struct register_slots *slots) {
    *slots = (struct register_slots){true,
                                     program->code,
                                     program->functions,
                                     program->ranges,
                                     program->specials,
                                     program->textures};
    struct program_function *function = mem_dup(program->functions, sizeof *program->functions);
    struct insn *code = new_code(sharing);
    struct special_use *specials = new_specials(sharing);
    struct texture_access *textures = new_textures(sharing);
    function->register_bytes -= sharing->end - sharing->new_end;
    program->ranges = new_ranges(sharing, function);
    program->code = code;
    program->functions = function;
    program->specials = specials;
    program->textures = textures;
}

/* The register with the address is not in the code. */
static bool calls_indirectly(const struct program *program) {
    for (size_t i = 0; i < program->call_count; i++)
        if (program->calls[i].function < 0 && program->calls[i].builtin == BUILTIN_NONE)
            return true;
    return false;
}

void register_slots_share(struct program *program, struct register_slots *slots) {
    *slots = (struct register_slots){0};
    if (program->function_count != 1 || program->matrix_count || calls_indirectly(program))
        return;
    struct sharing sharing = {.program = program,
                              .function = &program->functions[0],
                              .start = program->functions[0].vector_starts[0],
                              .end = program->functions[0].vector_starts[VECTOR_CLASSES]};
    number_vectors(&sharing);
    note_jumps(&sharing);
    note_lives(&sharing);
    keep_cleared(&sharing);
    if (sharing.count <= MAX_VECTORS && extend_lives(&sharing) && give_places(&sharing))
        replace(&sharing, program, slots);
    free(sharing.number_at);
    free(sharing.lives);
    free(sharing.lines);
    free(sharing.jumps);
}

void register_slots_restore(struct program *program, struct register_slots *slots) {
    if (!slots->shared)
        return;
    free(program->code);
    free(program->functions);
    free(program->ranges);
    free(program->specials);
    free(program->textures);
    program->code = slots->code;
    program->functions = slots->functions;
    program->ranges = slots->ranges;
    program->specials = slots->specials;
    program->textures = slots->textures;
    slots->shared = false;
}
