/* What the host threads saw, put together: hazards in a fixed order, counters by launch and line.
 *
 * Counters are exact sums of what single instructions did, so they do not depend on which host
 * thread ran which block; a hazard's example is the one of the first block in grid order. */
#include "sandbox/simgpu/machine.h"

#include "grader/base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_hazards(const void *a, const void *b) {
    const struct hazard_record *x = a, *y = b;
    if (x->hazard.severity != y->hazard.severity)
        return x->hazard.severity < y->hazard.severity ? -1 : 1;
    if (x->hazard.line != y->hazard.line)
        return x->hazard.line < y->hazard.line ? -1 : 1;
    if (x->hazard.kind != y->hazard.kind)
        return x->hazard.kind < y->hazard.kind ? -1 : 1;
    if (x->hazard.other_line != y->hazard.other_line)
        return x->hazard.other_line < y->hazard.other_line ? -1 : 1;
    int files = strcmp(x->hazard.file, y->hazard.file);
    if (files)
        return files;
    return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1) : 0;
}

static void collect_hazards(const struct launch *launch, struct engine_result *result) {
    struct hazard_record *all = NULL;
    size_t count = 0, capacity = 0;
    for (unsigned h = 0; h < launch->host_count; h++)
        for (size_t i = 0; i < launch->hosts[h].hazard_count; i++) {
            const struct hazard_record *record = &launch->hosts[h].hazards[i];
            size_t known = 0;
            while (known < count && !hazard_same_place(&all[known], record))
                known++;
            if (known == count) {
                *mem_push(&all, &count, &capacity) = *record;
                continue;
            }
            uint64_t total = all[known].hazard.count + record->hazard.count;
            if (hazard_compare_examples(record, &all[known]) < 0)
                all[known] = *record;
            all[known].hazard.count = total;
        }
    if (count)
        qsort(all, count, sizeof *all, compare_hazards);
    result->hazard_count = count < ENGINE_MAX_HAZARDS ? count : ENGINE_MAX_HAZARDS;
    result->hazards = mem_calloc(result->hazard_count, sizeof *result->hazards);
    for (size_t i = 0; i < result->hazard_count; i++)
        result->hazards[i] = all[i].hazard;
    free(all);
}

static enum ptx_space space_of(const struct insn *insn, const struct insn_stats *stats) {
    return insn->space == SPACE_GENERIC ? (enum ptx_space)stats->space
                                        : (enum ptx_space)insn->space;
}

static void add_memory(const struct insn *insn, const struct insn_stats *stats,
                       struct counters *counters) {
    enum ptx_space space = space_of(insn, stats);
    bool store = insn->cost == COST_STORE;
    if (space == SPACE_GLOBAL) {
        *(store ? &counters->global_store_requests : &counters->global_load_requests) +=
            stats->requests;
        *(store ? &counters->global_store_sectors : &counters->global_load_sectors) += stats->units;
    } else if (space == SPACE_SHARED) {
        *(store ? &counters->shared_store_wavefronts : &counters->shared_load_wavefronts) +=
            stats->units;
        counters->shared_bank_conflicts += stats->conflicts;
    }
}

/* cp.async reads global memory and writes shared memory (or the other way round). */
static void add_copy(const struct insn_stats *stats, struct counters *counters) {
    bool to_global = stats->space == SPACE_SHARED;
    *(to_global ? &counters->global_store_requests : &counters->global_load_requests) +=
        stats->requests;
    *(to_global ? &counters->global_store_sectors : &counters->global_load_sectors) += stats->units;
    *(to_global ? &counters->shared_load_wavefronts : &counters->shared_store_wavefronts) +=
        stats->wavefronts;
    counters->shared_bank_conflicts += stats->conflicts;
}

static void add_insn(const struct insn *insn, const struct insn_stats *stats,
                     struct counters *counters) {
    static const unsigned flops[] = {
#define COST(id, count) count,
        COST_CLASSES(COST)
#undef COST
    };
    counters->warp_instructions += stats->warps;
    counters->thread_instructions += stats->threads;
    counters->flops += stats->threads * flops[insn->cost];
    if (insn->cost == COST_LOAD || insn->cost == COST_STORE)
        add_memory(insn, stats, counters);
    else if (insn->cost == COST_MATRIX)
        counters->flops += stats->units; /* counted by the executor: they depend on the shape */
    else if (insn->cost == COST_ASYNC)
        add_copy(stats, counters);
    else if (insn->cost == COST_ATOMIC)
        counters->atomic_requests += stats->requests;
    else if (insn->cost == COST_BARRIER)
        counters->barriers += stats->warps;
    else if (insn->flow == FLOW_BRANCH || insn->flow == FLOW_INDEXED)
        counters->divergent_branches += stats->conflicts;
}

static int compare_lines(const void *a, const void *b) {
    const struct line_counters *x = a, *y = b;
    int files = strcmp(x->file, y->file);
    if (files)
        return files;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : 0;
}

static struct line_counters *line_of(struct engine_result *result, size_t *capacity,
                                     const struct program *program,
                                     const struct insn_origin *origin) {
    const char *file = origin->file < program->file_count ? program->files[origin->file] : "";
    for (size_t i = result->line_count; i-- > 0;)
        if (result->lines[i].line == origin->line && strcmp(result->lines[i].file, file) == 0)
            return &result->lines[i];
    struct line_counters *line = mem_push(&result->lines, &result->line_count, capacity);
    line->line = origin->line;
    memcpy(line->file, file, strlen(file) + 1);
    return line;
}

static void collect_counters(const struct launch *launch, struct engine_result *result) {
    const struct program *program = launch->program;
    size_t capacity = 0;
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        struct insn_stats total = {0};
        for (unsigned h = 0; h < launch->host_count; h++) {
            const struct insn_stats *stats = &launch->hosts[h].stats[pc];
            total.warps += stats->warps;
            total.threads += stats->threads;
            total.requests += stats->requests;
            total.units += stats->units;
            total.conflicts += stats->conflicts;
            total.wavefronts += stats->wavefronts;
            total.space = stats->space ? stats->space : total.space;
        }
        if (insn->flow == FLOW_JOIN || !total.warps)
            continue;
        add_insn(insn, &total, &result->counters);
        if (program->origins[pc].line)
            add_insn(insn, &total,
                     &line_of(result, &capacity, program, &program->origins[pc])->counters);
    }
    if (result->line_count)
        qsort(result->lines, result->line_count, sizeof *result->lines, compare_lines);
}

static int compare_printed(const void *a, const void *b) {
    const struct printed_block *const *x = a, *const *y = b;
    return (*x)->block_index < (*y)->block_index ? -1 : (*x)->block_index > (*y)->block_index;
}

static void collect_printed(const struct launch *launch, struct engine_result *result) {
    size_t count = 0;
    for (unsigned h = 0; h < launch->host_count; h++)
        count += launch->hosts[h].printed_count;
    cleanup_free const struct printed_block **blocks = mem_calloc(count + 1, sizeof *blocks);
    count = 0;
    for (unsigned h = 0; h < launch->host_count; h++)
        for (size_t i = 0; i < launch->hosts[h].printed_count; i++)
            blocks[count++] = &launch->hosts[h].printed[i];
    qsort(blocks, count, sizeof *blocks, compare_printed);
    for (size_t i = 0; i < count; i++) {
        size_t room = PRINTED_LIMIT - result->printed.length, length = blocks[i]->text.length;
        result->printed_cut |= length > room;
        text_append_bytes(&result->printed, blocks[i]->text.data, length < room ? length : room);
    }
}

void launch_collect(struct launch *launch, struct engine_result *result) {
    collect_hazards(launch, result);
    collect_counters(launch, result);
    collect_printed(launch, result);
}
