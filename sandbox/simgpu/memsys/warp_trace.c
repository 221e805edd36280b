/* Paths of traced blocks: what each warp executed, as runs of instructions.
 *
 * A path is a list of straight runs, each with a repeat count, so that a loop without branches is
 * one entry. Splits of a diverged warp append in the order in which they run, which is how the
 * hardware executes them, too. The grid is cut into parts; the block in the middle of each is
 * chosen to stand for it. Which blocks do the most work is known only at their ends, so that all
 * are traced, as far as a pool of segments goes, and the heaviest of each part is kept: it stands
 * for the part where it did clearly more than the chosen one and most of the part's work is done in
 * blocks that are more like it, and the heaviest of all bounds the time from below. Work that is
 * not replayed is made up for by the instructions that all blocks executed (replay.c). All of it
 * happens on one host thread, in an order that is always the same. */
#include "sandbox/simgpu/memsys/warp_trace.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/sample.h"
#include "sandbox/simgpu/sass/load_use.h"
#include "sandbox/simgpu/sass/sass_model.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { TRACED_BLOCKS = 16, MAX_SEGMENTS = 4 << 20, FREE_SEGMENTS = 32 };
static const double MIN_SKEW = 1.1; /* so much more work is another kind of block */

/* Evenly over the grid; of a sample, over the blocks that its blocks stand for. */
static void choose_blocks(const struct launch *launch, struct warp_trace *trace) {
    const struct sample *sample = launch->sample;
    double step = (double)launch->block_count / (double)trace->block_count, before = 0;
    uint64_t next = 0;
    for (size_t i = 0; i < trace->block_count; i++) {
        double place = step * ((double)i + 0.5);
        uint64_t left = trace->block_count - i; /* each of them is another block */
        while (sample && sample->count - next > left &&
               before + sample->blocks[next].weight <= place)
            before += sample->blocks[next++].weight;
        trace->blocks[i].index = sample ? sample->blocks[next].index : (uint64_t)place;
        if (sample)
            before += sample->blocks[next++].weight;
    }
}

struct warp_trace *warp_trace_create(const struct launch *launch) {
    const struct engine_launch *request = launch->request;
    uint64_t simulated = launch->sample ? launch->sample->count : launch->block_count;
    if (!request->device || simulated == 0)
        return NULL;
    struct warp_trace *trace = mem_zalloc(sizeof *trace);
    trace->block_count = simulated < TRACED_BLOCKS ? (size_t)simulated : TRACED_BLOCKS;
    trace->blocks = mem_calloc(trace->block_count, sizeof *trace->blocks);
    choose_blocks(launch, trace);
    uint64_t threads = (uint64_t)request->block.x * request->block.y * request->block.z;
    trace->warps_per_block = (unsigned)((threads + WARP_LANES - 1) / WARP_LANES);
    trace->segment_limit = MAX_SEGMENTS / (trace->block_count * trace->warps_per_block);
    trace->pool = MAX_SEGMENTS;
    trace->regions = sass_model_regions(launch->program);
    trace->waits = load_use_find(launch->program, trace->regions);
    return trace;
}

static void free_path(struct warp_path *path) {
    free(path->segments);
    free(path->off);
}

void warp_trace_free(struct warp_trace *trace) {
    if (!trace)
        return;
    for (struct path_set *set = trace->all, *next; set; set = next) {
        next = set->next;
        for (unsigned warp = 0; warp < trace->warps_per_block; warp++)
            free_path(&set->paths[warp]);
        free(set);
    }
    free(trace->blocks);
    free(trace->works);
    free(trace->regions);
    free(trace->waits);
    free(trace);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static struct traced_block *chosen_block(struct warp_trace *trace, uint64_t index) {
    for (size_t i = 0; i < trace->block_count; i++)
        if (trace->blocks[i].index == index)
            return &trace->blocks[i];
    return NULL;
}

static struct path_set *take_set(struct warp_trace *trace) {
    struct path_set *set = trace->spare;
    if (set) {
        trace->spare = set->next_spare;
        return set;
    }
    set = mem_zalloc(sizeof *set + trace->warps_per_block * sizeof *set->paths);
    set->next = trace->all;
    trace->all = set;
    return set;
}

/* Short paths keep their memory: most blocks of large grids have no others. */
static void give_back_set(struct warp_trace *trace, struct path_set *set) {
    for (unsigned i = 0; i < trace->warps_per_block; i++) {
        struct warp_path *path = &set->paths[i];
        if (path->limit <= FREE_SEGMENTS)
            continue;
        trace->pool += path->pool ? path->limit - FREE_SEGMENTS : 0;
        free_path(path);
        *path = (struct warp_path){0};
    }
    set->next_spare = trace->spare;
    trace->spare = set;
}

void warp_trace_start_block(struct block *block) {
    struct warp_trace *trace = block->launch->trace;
    struct path_set *set = NULL;
    if (trace) {
        bool chosen = chosen_block(trace, block->index) != NULL;
        set = take_set(trace);
        set->block = block->index;
        for (unsigned i = 0; i < trace->warps_per_block; i++) {
            struct warp_path *path = &set->paths[i];
            path->count = 0;
            path->instructions = path->waits = 0;
            path->cut = path->joined = false;
            path->limit = chosen ? trace->segment_limit : FREE_SEGMENTS;
            path->pool = chosen ? NULL : &trace->pool;
        }
    }
    for (unsigned i = 0; i < block->warp_count; i++)
        block->warps[i].path = set ? &set->paths[i] : NULL;
}

void warp_trace_end_block(const struct block *block) {
    struct warp_trace *trace = block->launch->trace;
    if (!trace || !block->warps[0].path)
        return;
    struct path_set *set =
        (struct path_set *)((char *)block->warps[0].path - offsetof(struct path_set, paths));
    set->instructions = 0;
    for (unsigned i = 0; i < trace->warps_per_block; i++)
        set->instructions += set->paths[i].instructions;
    trace->work += block->weight * (double)set->instructions;
    trace->weight += block->weight;
    *mem_push(&trace->works, &trace->work_count, &trace->work_capacity) =
        (struct block_work){block->index, set->instructions, block->weight};
    struct traced_block *chosen = chosen_block(trace, block->index);
    struct traced_block *part =
        &trace->blocks[(size_t)((double)block->index / (double)block->launch->block_count *
                                (double)trace->block_count)];
    double work = block->weight * (double)set->instructions;
    part->work += work;
    part->squares += work * (double)set->instructions;
    if (chosen) {
        chosen->chosen = set;
        return;
    }
    struct path_set **heaviest = &part->heaviest, *lighter = set;
    if (!*heaviest || set->instructions > (*heaviest)->instructions) {
        lighter = *heaviest;
        *heaviest = set;
    }
    if (lighter)
        give_back_set(trace, lighter);
}

static void stand_for(struct traced_block *part, struct path_set *set) {
    part->paths = set->paths;
    part->instructions = set->instructions;
}

static void note_outlier(struct warp_trace *trace, struct path_set *set) {
    if (set->instructions > trace->outlier.instructions)
        stand_for(&trace->outlier, set);
}

void warp_trace_settle(struct warp_trace *trace) {
    for (size_t i = 0; i < trace->block_count; i++) {
        struct traced_block *part = &trace->blocks[i];
        double chosen = part->chosen ? (double)part->chosen->instructions : 0;
        if (part->chosen)
            stand_for(part, part->chosen);
        /* what is extrapolated is work: of the block in which any of the instructions is */
        double mean = part->work > 0 ? part->squares / part->work : 0;
        double heaviest = part->heaviest ? (double)part->heaviest->instructions : 0;
        if (heaviest > MIN_SKEW * chosen) {
            if (!part->chosen || heaviest - mean < fabs(mean - chosen))
                stand_for(part, part->heaviest);
            note_outlier(trace, part->heaviest);
        }
        if (part->chosen)
            note_outlier(trace, part->chosen);
    }
}

/* More room from the pool, twice as much as before; false: there is none. */
static bool path_grow(struct warp_path *path) {
    size_t more = path->limit;
    if (!path->pool || *path->pool < more)
        return false;
    *path->pool -= more;
    path->limit += more;
    return true;
}

void warp_trace_append(const struct warp_trace *trace, struct warp_path *path, uint32_t first,
                       uint32_t last, bool parts) {
    struct path_segment *end = path->count ? &path->segments[path->count - 1] : NULL;
    path->instructions += last - first + 1;
    path->waits += trace->waits[last + 1] - trace->waits[first];
    if (end && !path->cut && end->first == first && end->last == last && end->parts == parts &&
        end->times < UINT32_MAX) {
        end->times++;
        return;
    }
    path->cut |= path->count >= path->limit && !path_grow(path);
    if (path->cut)
        return;
    *mem_push(&path->segments, &path->count, &path->capacity) =
        (struct path_segment){.first = first, .last = last, .times = 1, .parts = parts};
}
