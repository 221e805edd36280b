/* What the host threads saw, put together: hazards in a fixed order, counters by launch and line.
 *
 * Counters are exact sums of what single instructions did, so they do not depend on which host
 * thread ran which block; a hazard's example is the one of the first block in grid order. */
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race_fix.h"
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/launch/residency.h"
#include "sandbox/simgpu/memsys/access_example.h"
#include "sandbox/simgpu/memsys/sample.h"
#include "sandbox/simgpu/memsys/tally.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
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
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return strcmp(x->hazard.message, y->hazard.message);
}

/* No line is to blame: so it comes first, and always fits into the result. */
static struct hazard_record incomplete_checks(const char *why) {
    struct hazard_record record = {.pc = PC_NONE, .other_pc = PC_NONE};
    struct hazard *hazard = &record.hazard;
    hazard->kind = HAZARD_UNSUPPORTED;
    hazard->severity = SEVERITY_ERROR;
    hazard->count = 1;
    hazard->fix = FIX_CHECKED_IN_PART;
    snprintf(hazard->message, sizeof hazard->message, "%s", why);
    return record;
}
static const char races_incomplete[] =
    "the launch makes more accesses than the race detector can remember, so that it may have "
    "missed a data race; what else is reported is true. A smaller grid or smaller buffers can be "
    "checked to the end";
static const char values_incomplete[] =
    "a block keeps more values of which some bits were never written than can be followed, so that "
    "the use of one may have been missed; what else is reported is true. A smaller block can be "
    "checked to the end";

static bool is_same_pair(const struct hazard *a, const struct hazard *b) {
    bool straight = a->line == b->line && a->other_line == b->other_line;
    bool crossed = a->line == b->other_line && a->other_line == b->line;
    return a->kind == b->kind && strcmp(a->file, b->file) == 0 && (straight || crossed);
}

/* Two lines whose accesses race inside a warp and between warps are helped by one barrier. */
static void widen_fixes(struct engine_result *result) {
    for (size_t i = 0; i < result->hazard_count; i++)
        for (size_t j = 0; j < result->hazard_count; j++)
            if (result->hazards[i].fix == FIX_WARP_BARRIER &&
                result->hazards[j].fix == FIX_BLOCK_BARRIER &&
                is_same_pair(&result->hazards[i], &result->hazards[j]))
                result->hazards[i].fix = FIX_BLOCK_BARRIER;
}

static void collect_hazards(const struct launch *launch, struct engine_result *result) {
    struct hazard_record *all = NULL;
    size_t count = 0, capacity = 0;
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        for (size_t i = 0; i < launch->host_thread_pool[h].hazard_count; i++) {
            const struct hazard_record *record = &launch->host_thread_pool[h].hazards[i];
            size_t known = 0;
            while (known < count && !hazard_same_place(&all[known], record))
                known++;
            if (known == count) {
                *mem_push(&all, &count, &capacity) = *record;
                continue;
            }
            uint64_t total = all[known].hazard.count + record->hazard.count;
            enum race_span span = all[known].span;
            if (hazard_compare_examples(record, &all[known]) < 0)
                all[known] = *record;
            all[known].hazard.count = total;
            hazard_note_span(&all[known], span > record->span ? span : record->span);
        }
    if (atomic_load(&launch->incomplete))
        *mem_push(&all, &count, &capacity) = incomplete_checks(races_incomplete);
    if (atomic_load(&launch->unfollowed))
        *mem_push(&all, &count, &capacity) = incomplete_checks(values_incomplete);
    if (count)
        qsort(all, count, sizeof *all, compare_hazards);
    result->hazard_count = count < ENGINE_MAX_HAZARDS ? count : ENGINE_MAX_HAZARDS;
    result->hazards = mem_calloc(result->hazard_count, sizeof *result->hazards);
    for (size_t i = 0; i < result->hazard_count; i++) {
        result->hazards[i] = all[i].hazard;
        result->hazards[i].fix = race_fix_widen(launch->program, all[i].hazard.fix, all[i].span);
    }
    widen_fixes(result);
    free(all);
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

static void add_counters(struct counters *sum, const struct counters *more) {
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(sum, i) += counter_value(more, i);
}

static void collect_counters(const struct launch *launch, struct engine_result *result) {
    const struct program *program = launch->program;
    size_t capacity = 0;
    if (launch->sample)
        sample_settle(launch);
    for (uint32_t pc = 0; pc < program->length; pc++) {
        struct counters insn = {0};
        launch_tally(launch, pc, &insn);
        if (!insn.warp_instructions)
            continue;
        add_counters(&result->counters, &insn);
        if (program->origins[pc].line)
            add_counters(&line_of(result, &capacity, program, &program->origins[pc])->counters,
                         &insn);
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
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        count += launch->host_thread_pool[h].printed_count;
    cleanup_free const struct printed_block **blocks = mem_calloc(count + 1, sizeof *blocks);
    count = 0;
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        for (size_t i = 0; i < launch->host_thread_pool[h].printed_count; i++)
            blocks[count++] = &launch->host_thread_pool[h].printed[i];
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
    access_example_choose(launch, result);
    collect_printed(launch, result);
}
