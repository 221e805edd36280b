/* The race detector's cells say of each word who was there last; so they say who was there at all,
 * and nothing need be noted while the launch runs.
 *
 * Where the detector has followed the memory in slices, the last slice alone is told: whoever looks
 * for races with other launches may miss one, and never sees one that is none. */
#include "sandbox/simgpu/launch/touched.h"

#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/state/allocation.h"

#include "sandbox/base/memory.h"

#include <string.h>

struct collector {
    const struct launch *launch;
    struct engine_touched touched;
    size_t capacity;
};

/* How the access of a cell's record touches: `plain` or `atomic`. */
static unsigned touch_of(const struct launch *launch, uint32_t cell, unsigned plain,
                         unsigned atomic) {
    if (!cell)
        return 0;
    const struct access_record *record = &launch->records[cell >> CELL_SHIFT];
    if (!record->strong)
        return plain;
    const struct insn *insn = &launch->program->code[record->pc];
    bool is_volatile = insn->cost != COST_ATOMIC && insn->scope == SCOPE_NONE;
    return atomic |
           (atomic == ENGINE_TOUCH_ATOMIC_WRITE && (is_volatile || insn->scope == SCOPE_SYS)
                ? ENGINE_TOUCH_FOR_HOST
                : 0);
}

static void add(struct collector *collector, uint64_t low, uint64_t high, unsigned how) {
    struct engine_touched *touched = &collector->touched;
    struct engine_range *last = touched->count ? &touched->ranges[touched->count - 1] : NULL;
    if (!how)
        return;
    if (last && last->high == low && last->how == how)
        last->high = high;
    else
        *mem_push(&touched->ranges, &touched->count, &collector->capacity) =
            (struct engine_range){low, high, how};
}

static void add_word(struct collector *collector, const struct allocation *allocation,
                     uint64_t at) {
    const struct launch *launch = collector->launch;
    uint32_t write = allocation->writes.words[at], read = allocation->reads.words[at];
    uint32_t writes[4], reads[4];
    if (!((write | read) & CELL_PATTERN)) {
        add(collector, 4 * at, 4 * at + 4,
            touch_of(launch, write, ENGINE_TOUCH_WRITE, ENGINE_TOUCH_ATOMIC_WRITE) |
                touch_of(launch, read, ENGINE_TOUCH_READ, ENGINE_TOUCH_ATOMIC_READ));
        return;
    }
    cells_expand(&allocation->writes, at, write, 0, writes);
    cells_expand(&allocation->reads, at, read, 0, reads);
    for (unsigned b = 0; b < 4; b++)
        add(collector, 4 * at + b, 4 * at + b + 1,
            touch_of(launch, writes[b], ENGINE_TOUCH_WRITE, ENGINE_TOUCH_ATOMIC_WRITE) |
                touch_of(launch, reads[b], ENGINE_TOUCH_READ, ENGINE_TOUCH_ATOMIC_READ));
}

static void collect(struct collector *collector, const struct allocation *allocation) {
    const uint32_t *writes = allocation->writes.words, *reads = allocation->reads.words;
    uint64_t words = (allocation->length + 3) / 4;
    for (uint64_t at = 0; at < words; at++)
        if (writes[at] | reads[at])
            add_word(collector, allocation, at);
    struct engine_touched *touched = &collector->touched;
    if (touched->count && touched->ranges[touched->count - 1].high > allocation->length)
        touched->ranges[touched->count - 1].high = allocation->length;
}

void touched_collect(const struct launch *launch) {
    struct engine_memory *memory = launch->request->memory;
    size_t capacity = 0;
    if (!memory || !(memory->wants_touched || memory->wants_host_touched) || !launch->checks ||
        !launch->records)
        return;
    memory->tells_host = launch->program->tells_host;
    for (uint32_t i = WINDOW_FIRST_BLOCK; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        if (!allocation->writes.words || !allocation->reads.words || allocation->on_heap ||
            (!memory->wants_touched && i - WINDOW_FIRST_BLOCK >= ENGINE_HOST_BLOCKS))
            continue;
        struct collector collector = {launch, {.number = i - WINDOW_FIRST_BLOCK}, 0};
        collect(&collector, allocation);
        if (collector.touched.count)
            *mem_push(&memory->touched, &memory->touched_count, &capacity) = collector.touched;
    }
}
