/* Which local variable an access is meant for.
 *
 * The compiler puts all local variables of a function side by side, so that running off one of them
 * hits another one. In an unoptimised build the text says where each of them lies (dwarf.c), and
 * addresses are computed from the variable's own: `add.u64 %rd1, %SP, 16` and then the index. The
 * registers of an access are followed back to such an addition; a register with several
 * definitions (a pointer that a loop moves, or chosen by a branch), a pointer that came through
 * memory or a call, and a constant that is not a variable's beginning leave the access unchecked,
 * as do variables that share bytes. What is accessed at a constant place is the compiler's own
 * work. */
#include "sandbox/simgpu/program/local_objects.h"

#include "sandbox/simgpu/program/value_index.h"
#include "sandbox/simgpu/ptx/dwarf.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_OBJECTS = 1 << 14, MAX_AREAS = 1 << 12, MAX_STEPS = 1 << 20 };

/* ---- objects ------------------------------------------------------------------------------------
 */

static int compare_objects(const void *left, const void *right) {
    const struct local_object *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end != b->end ? (a->end < b->end ? -1 : 1) : strcmp(a->name, b->name);
}

static bool is_named(struct ptx_span name, struct ptx_span other) {
    return name.length == other.length && memcmp(name.start, other.start, name.length) == 0;
}

/* Those that overlap others are dropped, for no one can say whose a byte is. */
static void drop_overlapping(struct local_objects *found) {
    struct local_object *objects = found->objects;
    size_t kept = 0;
    cleanup_free bool *shares = mem_calloc(found->object_count + 1, sizeof *shares);
    for (size_t i = 0, last = 0; i < found->object_count; i++) {
        bool same = i > 0 && objects[last].function == objects[i].function;
        if (same && objects[last].end > objects[i].start)
            shares[last] = shares[i] = true;
        if (!same || objects[i].end > objects[last].end)
            last = i;
    }
    for (size_t i = 0; i < found->object_count; i++)
        if (!shares[i])
            objects[kept++] = objects[i];
    found->object_count = kept;
}

static void add_objects(struct local_objects *found, const struct dwarf_variable *variable,
                        const struct local_area *areas, size_t area_count) {
    for (size_t i = 0; i < area_count && found->object_count < MAX_OBJECTS; i++) {
        if (!is_named(areas[i].name, variable->area) || variable->offset > areas[i].bytes ||
            variable->bytes > areas[i].bytes - variable->offset)
            continue;
        struct local_object *object =
            mem_push(&found->objects, &found->object_count, &found->object_capacity);
        *object =
            (struct local_object){.function = areas[i].function,
                                  .start = areas[i].offset + variable->offset,
                                  .end = areas[i].offset + variable->offset + variable->bytes};
        memcpy(object->name, variable->name, sizeof object->name);
    }
}

const struct local_object *local_objects_at(const struct local_objects *found, uint32_t function,
                                            int64_t from, int64_t to) {
    size_t low = 0, high = found->object_count; /* the first one that begins after `from` */
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct local_object *object = &found->objects[middle];
        if (object->function < function || (object->function == function && object->start <= from))
            low = middle + 1;
        else
            high = middle;
    }
    const struct local_object *object = low ? &found->objects[low - 1] : NULL;
    return object && object->function == function && to <= object->end ? object : NULL;
}

/* ---- accesses -----------------------------------------------------------------------------------
 */

struct origin {
    bool known, indexed; /* indexed: something that is no constant has been added */
    int64_t offset;      /* in the frame, of what it was added to */
};

struct trace {
    const struct program *program;
    const struct value_index *index;
    uint32_t first, end; /* pcs of the function */
    uint32_t *steps;     /* that may still be taken, for the program */
};

static struct origin find_origin(const struct trace *trace, uint32_t operand, unsigned depth);

static struct origin add_up(const struct trace *trace, const struct insn *insn, unsigned depth) {
    struct origin one = find_origin(trace, insn->operands[1], depth + 1);
    struct origin other = find_origin(trace, insn->operands[2], depth + 1);
    if (one.known == other.known)
        return (struct origin){0};
    struct origin sum = one.known ? one : other;
    uint32_t added = insn->operands[one.known ? 2 : 1];
    int64_t constant;
    if (!instruction_constant(trace->program, added, &constant))
        sum.indexed = true;
    else if (!sum.indexed)
        sum.offset += constant;
    return sum;
}

static struct origin find_origin(const struct trace *trace, uint32_t operand, unsigned depth) {
    if (depth == MAX_DEPTH || *trace->steps == 0 || operand == OPERAND_NONE ||
        operand & OPERAND_CONSTANT)
        return (struct origin){0};
    --*trace->steps;
    const struct insn *insn =
        value_definition(trace->index, trace->program, operand, trace->first, trace->end);
    if (!insn || insn->form == FORM_NONE || insn->guard != GUARD_NONE)
        return (struct origin){0};
    if (insn_op(insn) == OP_mov_local)
        return (struct origin){.known = true, .offset = insn->offset};
    if (insn_has(insn, TRAIT_MOVES) || insn_op(insn) == OP_cvta)
        return find_origin(trace, insn->operands[1], depth + 1);
    bool adds = insn_op(insn) == OP_add && ptx_type_bits((enum ptx_type)insn->type) == 64 &&
                !ptx_type_is_float((enum ptx_type)insn->type);
    return adds ? add_up(trace, insn, depth) : (struct origin){0};
}

static void find_accesses(struct local_objects *found, struct trace *trace, uint32_t function) {
    for (uint32_t pc = trace->first; pc < trace->end; pc++) {
        const struct insn *insn = &trace->program->code[pc];
        bool access = insn->form != FORM_NONE && (insn_op(insn) == OP_ld || insn_op(insn) == OP_st);
        if (!access || (insn->space != SPACE_GENERIC && insn->space != SPACE_LOCAL))
            continue;
        struct origin origin = find_origin(trace, insn->operands[0], 0);
        const struct local_object *object =
            origin.known && origin.indexed
                ? local_objects_at(found, function, origin.offset, origin.offset + 1)
                : NULL;
        if (object && object->start == origin.offset)
            *mem_push(&found->accesses, &found->access_count, &found->access_capacity) =
                (struct local_access){.pc = pc, .object = (uint32_t)(object - found->objects)};
    }
}

struct local_objects *local_objects_find(const struct program *program, struct ptx_span text,
                                         const struct local_area *areas, size_t area_count) {
    size_t count = 0;
    bool searched = area_count && area_count <= MAX_AREAS;
    struct dwarf_variable *variables = searched ? dwarf_find_variables(text, &count) : NULL;
    struct local_objects *found = mem_zalloc(sizeof *found);
    for (size_t i = 0; i < count; i++)
        add_objects(found, &variables[i], areas, area_count);
    free(variables);
    if (found->object_count) {
        qsort(found->objects, found->object_count, sizeof *found->objects, compare_objects);
        drop_overlapping(found);
        struct value_index index;
        uint32_t steps = MAX_STEPS;
        value_index_open(&index, program);
        for (uint32_t f = 0; f < program->function_count; f++) {
            struct trace trace = {program, &index, program->functions[f].entry_pc,
                                  f + 1 < program->function_count
                                      ? program->functions[f + 1].entry_pc
                                      : (uint32_t)program->length,
                                  &steps};
            find_accesses(found, &trace, f);
        }
        value_index_close(&index);
    }
    if (found->access_count)
        return found;
    local_objects_free(found);
    return NULL;
}

void local_objects_free(struct local_objects *found) {
    if (!found)
        return;
    free(found->objects);
    free(found->accesses);
    free(found);
}

const struct local_access *local_objects_access(const struct local_objects *found, uint32_t pc) {
    size_t low = 0, high = found->access_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (found->accesses[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return &found->accesses[low];
}
