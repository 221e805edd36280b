/* List scheduling: in which order the assembler issues the operations of a region.
 *
 * Hardware issues a warp's instructions in order and waits where an operand is not there yet, so
 * that the order decides how many loads are on their way at a time. As the assembler does, the
 * operation with the longest way to the region's end goes first among those that could start;
 * loads are held back while registers for their results are short, of which what is computed of
 * other loads takes some until it is read. Nominal latencies are used: the assembler does not know
 * what hits a cache. */
#include "sandbox/simgpu/sass/sass_model.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/sass/write_combining.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOMINAL_ALU = 4,
    NOMINAL_SHARED = 30,
    NOMINAL_GLOBAL = 100,
    NOMINAL_SPECIAL = 20,
    NOMINAL_GUARD = 13, /* from a comparison to what has its predicate */
    UNKNOWN_REGISTERS = 40,
    LEAST_PENDING = 4,
    FEW_FREE = 8,   /* registers: what ptxas adds for them where it has to add any */
    PREDICATES = 7, /* of a thread */
};
#define UNLIMITED UINT_MAX /* registers */

struct edge {
    uint32_t to, next; /* operation, next edge of the same origin; 0 ends */
    uint32_t delay;
};

struct ordering {
    const struct sass_model *code;
    const struct operation *operations;
    uint32_t count;
    uint32_t *first_edge; /* by operation; 0: none */
    struct edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t *waits_for; /* operations that must come before and have not */
    uint64_t *height;    /* clocks to the region's end */
    uint64_t *ready;
    uint32_t *consumers; /* operations that read a result and have not come */
    uint32_t *writer;    /* by value: who wrote it last of those that have come; number + 1 */
    uint32_t *guarded;   /* by operation: the branch of the first if that has its predicate; + 1 */
    bool *paired;        /* by operation: a load that takes both registers of its address */
    bool *done;
};

static uint32_t nominal_latency(const struct operation *operation) {
    if (operation->kind == OPERATION_NAME || !operation->issue)
        return 0;
    if (operation->kind == OPERATION_LOAD || operation->kind == OPERATION_ATOMIC)
        return operation->space == SPACE_SHARED  ? NOMINAL_SHARED
               : operation->space == SPACE_CONST ? NOMINAL_SHARED
                                                 : NOMINAL_GLOBAL;
    if (operation->pipe == PIPE_SHUFFLE || operation->pipe == PIPE_MATRIX)
        return NOMINAL_SHARED;
    return (operation->alu + 2u * operation->fp64) * NOMINAL_ALU + operation->extra +
           (operation->special > 0 ? NOMINAL_SPECIAL : 0);
}

static unsigned load_width(const struct ordering *ordering, const struct operation *operation) {
    unsigned width = 0;
    if ((operation->kind != OPERATION_LOAD && operation->kind != OPERATION_ATOMIC) ||
        operation->space == SPACE_CONST) /* that has registers of its own */
        return 0;
    for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE; d++)
        width += ordering->code->wide[operation->destinations[d]] ? 2 : 1;
    return width == 1 && ordering->paired[operation - ordering->operations] ? 2 : width;
}

/* Whether a value is computed of what was loaded: addresses and the like are made again where
 * registers are short, or before. */
static bool is_data(const struct operation *operation) {
    static const bool pipes[PIPE_COUNT] = {
        [PIPE_FP32] = true,    [PIPE_FP16] = true,   [PIPE_FP64] = true,   [PIPE_SPECIAL] = true,
        [PIPE_CONVERT] = true, [PIPE_MATRIX] = true, [PIPE_SHUFFLE] = true};
    return operation->kind == OPERATION_COMPUTE && operation->issue && pipes[operation->pipe];
}

/* Registers that an operation's results take until the last one that reads them has come. */
static unsigned result_width(const struct ordering *ordering, const struct operation *operation) {
    if (!is_data(operation))
        return load_width(ordering, operation);
    unsigned width = 0;
    for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE; d++)
        width += ordering->code->wide[operation->destinations[d]] ? 2 : 1;
    return width;
}

/* Registers of values that the region finds there and reads. */
static unsigned registers_taken(const struct ordering *ordering) {
    const struct sass_model *code = ordering->code;
    cleanup_free bool *known = mem_calloc(code->value_count + 1, sizeof *known);
    unsigned taken = 0;
    for (uint32_t i = 0; i < ordering->count; i++) {
        const struct operation *operation = &ordering->operations[i];
        for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++) {
            uint16_t value = operation->sources[s];
            taken += known[value] ? 0 : code->wide[value] ? 2 : 1;
            known[value] = true;
        }
        for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE;
             d++)
            known[operation->destinations[d]] = true;
    }
    return taken;
}

/* Whether the operations are a loop's turn: what they find there lives through it. */
static bool is_turn(const struct ordering *ordering) {
    const struct operation *last = &ordering->operations[ordering->count - 1];
    const struct insn *insn = &ordering->code->program->code[last->pc];
    return last->kind == OPERATION_BRANCH && insn->flow == FLOW_BRANCH &&
           insn->target <= (int64_t)ordering->operations[0].pc;
}

/* Where what lives through a loop leaves hardly a register for anything else, the assembler puts
 * what is loaded into a register of its address, and leaves the other one of that pair alone until
 * the result has been read. `written`: by value; all false. */
static void find_paired(struct ordering *ordering, bool *written) {
    const bool *wide = ordering->code->wide;
    for (uint32_t i = 0; i < ordering->count; i++) {
        const struct operation *operation = &ordering->operations[i];
        for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
            ordering->paired[i] |= operation->kind == OPERATION_LOAD &&
                                   wide[operation->sources[s]] && written[operation->sources[s]];
        bool computes = operation->kind == OPERATION_COMPUTE && operation->issue;
        for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE;
             d++)
            written[operation->destinations[d]] = computes;
    }
}

static void add_edge(struct ordering *ordering, uint32_t from, uint32_t to, uint32_t delay) {
    if (!ordering->edge_count) /* number 0 means none */
        mem_push(&ordering->edges, &ordering->edge_count, &ordering->edge_capacity);
    *mem_push(&ordering->edges, &ordering->edge_count, &ordering->edge_capacity) =
        (struct edge){to, ordering->first_edge[from], delay};
    ordering->first_edge[from] = (uint32_t)ordering->edge_count - 1;
    ordering->waits_for[to]++;
}

/* A branch that is predicated. */
static bool is_jump(const struct ordering *ordering, const struct operation *operation) {
    return ordering->code->program->code[operation->pc].flow == FLOW_BRANCH;
}

struct value_reader {
    uint32_t operation, next;
};

struct readers { /* of values since they were written */
    struct value_reader *list;
    size_t count, capacity;
    uint32_t *first, *writer; /* by value: numbers + 1 */
};

/* Whether the operation is one for which the result of another has to be kept: the assembler makes
 * a comparison again for another if that goes by it. */
static bool keeps(const struct ordering *ordering, uint32_t from, const struct operation *reader,
                  bool guards) {
    if (!ordering->operations[from].predicate)
        return true;
    return guards ? ordering->guarded[from] == reader->branch + 1
                  : reader->kind != OPERATION_NAME || !is_jump(ordering, reader);
}

static void add_reader(struct ordering *ordering, struct readers *readers, uint32_t number,
                       uint16_t value, bool guards) {
    if (value == NO_VALUE)
        return;
    if (readers->writer[value]) {
        uint32_t from = readers->writer[value] - 1;
        uint32_t delay = nominal_latency(&ordering->operations[from]);
        add_edge(ordering, from, number, guards && delay < NOMINAL_GUARD ? NOMINAL_GUARD : delay);
        if (guards && !ordering->guarded[from])
            ordering->guarded[from] = ordering->operations[number].branch + 1;
        ordering->consumers[from] += keeps(ordering, from, &ordering->operations[number], guards);
    }
    *mem_push(&readers->list, &readers->count, &readers->capacity) =
        (struct value_reader){number, readers->first[value]};
    readers->first[value] = (uint32_t)readers->count;
}

/* Values are written and read in the program's order; results of loads are counted out. */
static void add_value_edges(struct ordering *ordering, unsigned value_count) {
    struct readers readers = {.first = mem_calloc(value_count + 1, sizeof *readers.first),
                              .writer = mem_calloc(value_count + 1, sizeof *readers.writer)};
    for (uint32_t i = 0; i < ordering->count; i++) {
        const struct operation *operation = &ordering->operations[i];
        for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
            add_reader(ordering, &readers, i, operation->sources[s], false);
        add_reader(ordering, &readers, i, operation->guard, true);
        for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE;
             d++) {
            uint16_t value = operation->destinations[d];
            for (uint32_t r = readers.first[value]; r; r = readers.list[r - 1].next)
                if (readers.list[r - 1].operation != i)
                    add_edge(ordering, readers.list[r - 1].operation, i, 0);
            readers.first[value] = 0;
            if (readers.writer[value] && readers.writer[value] - 1 != i)
                add_edge(ordering, readers.writer[value] - 1, i, 0);
            readers.writer[value] = i + 1;
        }
    }
    free(readers.list);
    free(readers.first);
    free(readers.writer);
}

/* Whether the assembler knows that two accesses do not meet: they begin at the same value. */
static bool is_apart(const struct ordering *ordering, const struct operation *a,
                     const struct operation *b) {
    const struct insn *code = ordering->code->program->code;
    return a->sources[0] == b->sources[0] && a->sources[0] != NO_VALUE &&
           write_combining_is_disjoint(&code[a->pc], &code[b->pc]);
}

/* Stores stay after the loads and stores of their space, and loads after its stores: the
 * assembler rarely knows that two addresses differ. */
static void add_memory_edges(struct ordering *ordering) {
    for (uint32_t i = 0; i < ordering->count; i++) {
        const struct operation *later = &ordering->operations[i];
        if (!operation_is_memory(later) && later->kind < OPERATION_BARRIER)
            continue;
        for (uint32_t j = i; j-- > 0;) {
            const struct operation *earlier = &ordering->operations[j];
            bool fixed = later->kind >= OPERATION_BARRIER || earlier->kind >= OPERATION_BARRIER;
            bool memory = operation_is_memory(earlier) && operation_is_memory(later) &&
                          earlier->space == later->space &&
                          (earlier->kind != OPERATION_LOAD || later->kind != OPERATION_LOAD) &&
                          !is_apart(ordering, earlier, later);
            if (fixed && (operation_is_memory(earlier) || earlier->kind >= OPERATION_BARRIER))
                memory = earlier->kind != OPERATION_BRANCH && later->kind != OPERATION_BRANCH;
            if (memory)
                add_edge(ordering, j, i, 0);
            if (earlier->kind >= OPERATION_BARRIER && earlier->kind != OPERATION_BRANCH)
                break;
        }
    }
    for (uint32_t i = 0; i < ordering->count; i++)
        for (uint32_t j = 0; ordering->operations[i].serial && j < ordering->count; j++)
            if (j != i)
                add_edge(ordering, j < i ? j : i, j < i ? i : j, 0);
    /* the branch that ends the region comes last */
    const struct operation *last = &ordering->operations[ordering->count - 1];
    if (last->kind >= OPERATION_BARRIER)
        for (uint32_t j = 0; j + 1 < ordering->count; j++)
            add_edge(ordering, j, ordering->count - 1, 0);
}

static void find_heights(struct ordering *ordering) {
    for (uint32_t i = ordering->count; i-- > 0;)
        for (uint32_t e = ordering->first_edge[i]; e; e = ordering->edges[e].next) {
            uint64_t height = ordering->height[ordering->edges[e].to] + ordering->edges[e].delay;
            if (height + ordering->operations[i].issue > ordering->height[i])
                ordering->height[i] = height + ordering->operations[i].issue;
        }
}

/* Registers that loads with a longer way to the end than `height` will want. */
static unsigned registers_wanted(const struct ordering *ordering, uint64_t height, uint32_t first) {
    unsigned wanted = 0;
    for (uint32_t i = first; i < ordering->count; i++)
        if (!ordering->done[i] && ordering->height[i] > height)
            wanted += load_width(ordering, &ordering->operations[i]);
    return wanted;
}

/* What operations find in one choice: predicates; registers for loads, and a height below which
 * none of them has any. */
struct rooms {
    unsigned predicates;
    unsigned room;
    uint64_t refused;
};

/* Whether the operation is the last one to read the result of one that makes a predicate. */
static bool ends_predicate(const struct ordering *ordering, const struct operation *operation) {
    for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++) {
        uint32_t from = ordering->writer[operation->sources[s]];
        if (from && ordering->operations[from - 1].predicate && ordering->consumers[from - 1] == 1)
            return true;
    }
    return false;
}

/* Whether there are registers enough for the operation and all loads that are to go before it. A
 * load of shared memory that is ready early would take those of loads from device memory whose
 * addresses are not there yet, and which take longer. */
static bool has_room(const struct ordering *ordering, uint32_t number, uint32_t first,
                     struct rooms *rooms) {
    const struct operation *operation = &ordering->operations[number];
    unsigned width = load_width(ordering, operation);
    if (operation->predicate && !rooms->predicates)
        return ends_predicate(ordering, operation);
    uint64_t height = ordering->height[number];
    if (!width || rooms->room == UNLIMITED)
        return true;
    if (!rooms->room || height < rooms->refused)
        return false;
    unsigned before = registers_wanted(ordering, height, first);
    if (before >= rooms->room) /* no more is left for those with a shorter way */
        rooms->refused = height + 1;
    return !before || width + before <= rooms->room;
}

/* The operation to issue at `clock`: ready, highest, first, where a load has room. Where there is
 * none, *next is when one gets ready. */
static uint32_t choose(const struct ordering *ordering, uint64_t clock, struct rooms rooms,
                       uint32_t first, uint64_t *next) {
    uint32_t best = UINT32_MAX;
    *next = UINT64_MAX;
    for (uint32_t i = first; i < ordering->count; i++) {
        if (ordering->done[i] || ordering->waits_for[i])
            continue;
        bool ready = ordering->ready[i] <= clock;
        bool better = ready ? best == UINT32_MAX || ordering->height[i] > ordering->height[best]
                            : best == UINT32_MAX && ordering->ready[i] < *next;
        if (!better || !has_room(ordering, i, first, &rooms))
            continue;
        if (ready)
            best = i;
        else
            *next = ordering->ready[i];
    }
    return best;
}

static void issue(struct ordering *ordering, uint32_t chosen, uint64_t clock) {
    ordering->done[chosen] = true;
    for (uint32_t e = ordering->first_edge[chosen]; e; e = ordering->edges[e].next) {
        const struct edge *edge = &ordering->edges[e];
        ordering->waits_for[edge->to]--;
        if (clock + edge->delay > ordering->ready[edge->to])
            ordering->ready[edge->to] = clock + edge->delay;
    }
}

/* Values that the region finds there: how often they are read before they are written in it, and
 * by whom they are written last; number + 1, 0: by none. */
struct entries {
    uint32_t *reads, *last_writer;
};

static struct entries find_entries(const struct ordering *ordering, unsigned value_count) {
    struct entries entries = {
        .reads = mem_calloc(value_count + 1, sizeof *entries.reads),
        .last_writer = mem_calloc(value_count + 1, sizeof *entries.last_writer),
    };
    for (uint32_t i = 0; i < ordering->count; i++) {
        const struct operation *operation = &ordering->operations[i];
        for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
            entries.reads[operation->sources[s]] += !entries.last_writer[operation->sources[s]];
        for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE;
             d++)
            entries.last_writer[operation->destinations[d]] = i + 1;
    }
    return entries;
}

static unsigned value_width(const struct ordering *ordering, uint16_t value) {
    return ordering->code->wide[value] ? 2 : 1;
}

/* The operation has read a result: whether it was the last one to. */
static bool is_last_reader(struct ordering *ordering, uint32_t from, const struct operation *reader,
                           bool guards, unsigned *predicates) {
    if (!from || !ordering->consumers[from - 1] || !keeps(ordering, from - 1, reader, guards) ||
        --ordering->consumers[from - 1] > 0)
        return false;
    *predicates -= ordering->operations[from - 1].predicate;
    return true;
}

/* Registers are free again when the last operation that reads their value has come; those of a
 * value that the region finds there and writes again, until it is written. */
static unsigned registers_freed(struct ordering *ordering, uint32_t chosen, struct entries *entries,
                                unsigned *predicates) {
    const struct operation *operation = &ordering->operations[chosen];
    unsigned freed = 0;
    for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++) {
        uint16_t value = operation->sources[s];
        uint32_t from = ordering->writer[value];
        if (is_last_reader(ordering, from, operation, false, predicates))
            freed += result_width(ordering, &ordering->operations[from - 1]);
        else if (!from && entries->last_writer[value] && --entries->reads[value] == 0)
            freed += value_width(ordering, value);
    }
    if (operation->guard != NO_VALUE)
        is_last_reader(ordering, ordering->writer[operation->guard], operation, true, predicates);
    for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE; d++)
        ordering->writer[operation->destinations[d]] = chosen + 1;
    *predicates += operation->predicate && ordering->consumers[chosen];
    return freed;
}

/* Registers that the operation's results take from now on. */
static unsigned registers_filled(const struct ordering *ordering, uint32_t chosen,
                                 const struct entries *entries, const bool *found) {
    const struct operation *operation = &ordering->operations[chosen];
    unsigned width = ordering->consumers[chosen] ? result_width(ordering, operation) : 0;
    for (unsigned d = 0; !width && d < OPERATION_DESTINATIONS; d++) {
        uint16_t value = operation->destinations[d];
        if (value == NO_VALUE)
            break;
        if (found[value] && entries->last_writer[value] == chosen + 1)
            width += value_width(ordering, value);
    }
    return width;
}

static void fill_order(struct ordering *ordering, unsigned value_count, unsigned limit,
                       unsigned taken, struct operation *ordered) {
    static const struct rooms unlimited = {PREDICATES, UNLIMITED, 0};
    struct entries entries = find_entries(ordering, value_count);
    cleanup_free bool *found = mem_calloc(value_count + 1, sizeof *found);
    for (unsigned value = 0; value < value_count; value++)
        found[value] = entries.reads[value] > 0;
    uint64_t clock = 0;
    unsigned pending = taken, predicates = 0;
    uint32_t first = 0;
    for (uint32_t filled = 0; filled < ordering->count; filled++) {
        uint64_t next, next_any;
        const struct rooms rooms = {predicates < PREDICATES ? PREDICATES - predicates : 0,
                                    pending < limit ? limit - pending : 0, 0};
        uint32_t chosen = choose(ordering, clock, rooms, first, &next);
        if (chosen == UINT32_MAX && next != UINT64_MAX) {
            clock = next;
            chosen = choose(ordering, clock, rooms, first, &next);
        }
        if (chosen == UINT32_MAX) { /* nothing is left that has room */
            chosen = choose(ordering, clock, unlimited, first, &next_any);
            if (chosen == UINT32_MAX) {
                clock = next_any;
                chosen = choose(ordering, clock, unlimited, first, &next_any);
            }
        }
        issue(ordering, chosen, clock);
        unsigned freed = registers_freed(ordering, chosen, &entries, &predicates);
        pending = pending > freed ? pending - freed : 0;
        pending += registers_filled(ordering, chosen, &entries, found);
        clock += ordering->operations[chosen].issue;
        ordered[filled] = ordering->operations[chosen];
        while (first < ordering->count && ordering->done[first])
            first++;
    }
    free(entries.reads);
    free(entries.last_writer);
}

void list_scheduler_order(const struct sass_model *code, struct operation *operations,
                          size_t count) {
    if (count < 2)
        return;
    unsigned value_count = code->value_count;
    struct ordering ordering = {
        .code = code,
        .operations = operations,
        .count = (uint32_t)count,
        .first_edge = mem_calloc(count, sizeof *ordering.first_edge),
        .waits_for = mem_calloc(count, sizeof *ordering.waits_for),
        .height = mem_calloc(count, sizeof *ordering.height),
        .ready = mem_calloc(count, sizeof *ordering.ready),
        .consumers = mem_calloc(count, sizeof *ordering.consumers),
        .writer = mem_calloc(value_count + 1, sizeof *ordering.writer),
        .guarded = mem_calloc(count, sizeof *ordering.guarded),
        .paired = mem_calloc(count, sizeof *ordering.paired),
        .done = mem_calloc(count, sizeof *ordering.done),
    };
    unsigned limit = code->registers ? code->registers : UNKNOWN_REGISTERS;
    unsigned taken = registers_taken(&ordering);
    if (limit < taken + FEW_FREE && is_turn(&ordering)) {
        cleanup_free bool *written = mem_calloc(value_count + 1, sizeof *written);
        find_paired(&ordering, written);
    }
    limit = limit > taken + LEAST_PENDING ? limit : taken + LEAST_PENDING;
    cleanup_free struct operation *ordered = mem_calloc(count, sizeof *ordered);
    add_value_edges(&ordering, value_count);
    add_memory_edges(&ordering);
    find_heights(&ordering);
    fill_order(&ordering, value_count, limit, taken, ordered);
    memcpy(operations, ordered, count * sizeof *ordered);
    free(ordering.first_edge);
    free(ordering.edges);
    free(ordering.waits_for);
    free(ordering.height);
    free(ordering.ready);
    free(ordering.consumers);
    free(ordering.writer);
    free(ordering.guarded);
    free(ordering.paired);
    free(ordering.done);
}
