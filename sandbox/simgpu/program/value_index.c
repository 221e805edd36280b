/* Which instructions read a register, and which write it: asked once of each instruction, so that
 * passes that follow values through long kernels look at those alone that use them.
 *
 * Reads and writes are two sorted arrays; an instruction that reads a register twice stands there
 * once. Joins use nothing (instruction_values.c). */
#include "sandbox/simgpu/program/value_index.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

static int compare_uses(const void *a, const void *b) {
    const struct value_use *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void add_uses(struct value_uses *uses, const uint32_t *values, unsigned count, uint32_t pc) {
    for (unsigned i = 0; i < count; i++) {
        if (uses->count == uses->capacity) {
            uses->capacity = uses->capacity ? 2 * uses->capacity : 256;
            uses->items = mem_realloc(uses->items, uses->capacity, sizeof *uses->items);
        }
        uses->items[uses->count++] = (struct value_use){values[i], pc};
    }
}

static void sort_uses(struct value_uses *uses) {
    size_t kept = 0;
    if (uses->count)
        qsort(uses->items, uses->count, sizeof *uses->items, compare_uses);
    for (size_t i = 0; i < uses->count; i++)
        if (!kept || compare_uses(&uses->items[kept - 1], &uses->items[i]) != 0)
            uses->items[kept++] = uses->items[i];
    uses->count = kept;
}

void value_index_open(struct value_index *index, const struct program *program) {
    *index = (struct value_index){0};
    for (uint32_t pc = 0; pc < program->length; pc++) {
        struct instruction_values values;
        instruction_values_of(program, pc, &values);
        add_uses(&index->reads, values.sources, values.source_count, pc);
        add_uses(&index->writes, values.destinations, values.destination_count, pc);
    }
    sort_uses(&index->reads);
    sort_uses(&index->writes);
}

void value_index_close(struct value_index *index) {
    free(index->reads.items);
    free(index->writes.items);
    *index = (struct value_index){0};
}

size_t value_uses_from(const struct value_uses *uses, uint32_t value, uint32_t pc) {
    const struct value_use wanted = {value, pc};
    size_t low = 0, high = uses->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_uses(&uses->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool value_uses_within(const struct value_uses *uses, uint32_t value, uint32_t first,
                       uint32_t last) {
    size_t at = value_uses_from(uses, value, first);
    return at < uses->count && uses->items[at].value == value && uses->items[at].pc <= last;
}

const struct insn *value_definition(const struct value_index *index, const struct program *program,
                                    uint32_t operand, uint32_t first, uint32_t end) {
    const struct value_uses *writes = &index->writes;
    uint32_t value = operand & ~(uint32_t)3;
    size_t at = value_uses_from(writes, value, first);
    if (at >= writes->count || writes->items[at].value != value || writes->items[at].pc >= end)
        return NULL;
    bool again = at + 1 < writes->count && writes->items[at + 1].value == value &&
                 writes->items[at + 1].pc < end;
    return again ? NULL : &program->code[writes->items[at].pc];
}
