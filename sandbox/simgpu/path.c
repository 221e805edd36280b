/* Paths of traced blocks: what each warp executed, as runs of instructions.
 *
 * A path is a list of straight runs, each with a repeat count, so that a loop without branches is
 * one entry. Splits of a diverged warp append in the order in which they run, which is how the
 * hardware executes them, too. Only a few blocks are traced, chosen by their numbers alone: the
 * result is the same for any number of host threads, since a block is run by one of them. A kernel
 * may leave its work to one block that is not among them (`if (i == 0)` before the loop): it is
 * noticed by what blocks execute, and run once more to be traced. */
#include "sandbox/simgpu/path.h"

#include "grader/base/memory.h"
#include "sandbox/simgpu/sample.h"

#include <stdlib.h>

enum { TRACED_BLOCKS = 16, MAX_SEGMENTS = 4 << 20 };

static const double OUT_OF_PROPORTION = 2, FAR_OFF = 1.5;

/* Evenly over the grid; of a sample, over the blocks that its blocks stand for. */
static void choose_blocks(const struct launch *launch, struct trace *trace) {
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

struct trace *trace_create(const struct launch *launch) {
    const struct engine_launch *request = launch->request;
    uint64_t simulated = launch->sample ? launch->sample->count : launch->block_count;
    if (!request->device || simulated == 0)
        return NULL;
    struct trace *trace = mem_zalloc(sizeof *trace);
    trace->block_count = simulated < TRACED_BLOCKS ? (size_t)simulated : TRACED_BLOCKS;
    trace->blocks = mem_calloc(trace->block_count, sizeof *trace->blocks);
    choose_blocks(launch, trace);
    uint64_t threads = (uint64_t)request->block.x * request->block.y * request->block.z;
    trace->warps_per_block = (unsigned)((threads + WARP_LANES - 1) / WARP_LANES);
    trace->segment_limit = MAX_SEGMENTS / (trace->block_count * trace->warps_per_block);
    return trace;
}

static void free_paths(const struct trace *trace, struct path *paths) {
    for (unsigned warp = 0; paths && warp < trace->warps_per_block; warp++)
        free(paths[warp].segments);
    free(paths);
}

void trace_free(struct trace *trace) {
    if (!trace)
        return;
    for (size_t i = 0; i < trace->block_count; i++)
        free_paths(trace, trace->blocks[i].paths);
    free_paths(trace, trace->heaviest.paths);
    free(trace->blocks);
    free(trace);
}

static struct traced_block *find_block(struct trace *trace, uint64_t index) {
    for (size_t i = 0; i < trace->block_count; i++)
        if (trace->blocks[i].index == index)
            return &trace->blocks[i];
    return trace->complete && trace->heaviest.index == index ? &trace->heaviest : NULL;
}

void trace_start_block(struct block *block) {
    struct trace *trace = block->launch->trace;
    struct traced_block *traced = trace ? find_block(trace, block->index) : NULL;
    struct path *paths = NULL;
    if (traced && !traced->paths)
        traced->paths = mem_calloc(trace->warps_per_block, sizeof *traced->paths);
    if (traced)
        paths = traced->paths;
    for (unsigned i = 0; i < block->warp_count; i++) {
        block->warps[i].path = paths ? &paths[i] : NULL;
        if (!paths)
            continue;
        paths[i].count = 0; /* a launch that is repeated on one host thread starts again */
        paths[i].limit = trace->segment_limit;
        paths[i].cut = false;
    }
}

void path_append(struct path *path, uint32_t first, uint32_t last) {
    struct path_segment *end = path->count ? &path->segments[path->count - 1] : NULL;
    if (end && !path->cut && end->first == first && end->last == last && end->times < UINT32_MAX) {
        end->times++;
        return;
    }
    path->cut |= path->count >= path->limit;
    if (path->cut)
        return;
    *mem_push(&path->segments, &path->count, &path->capacity) =
        (struct path_segment){first, last, 1};
}

void trace_end_block(const struct block *block) {
    struct trace *trace = block->launch->trace;
    double executed = (double)block->executed * block->weight;
    if (!trace)
        return;
    trace->all += executed;
    trace->all_weight += block->weight;
    if (find_block(trace, block->index)) {
        trace->traced += executed;
        trace->traced_weight += block->weight;
    } else if (block->executed > trace->most) {
        trace->most = block->executed;
        trace->heaviest.index = block->index;
    }
}

bool trace_wants_heaviest(const struct trace *trace) {
    return trace->traced > 0 &&
           (double)trace->most * trace->traced_weight > OUT_OF_PROPORTION * trace->traced;
}

double trace_shortfall(const struct trace *trace) {
    double ratio = trace->traced > 0
                       ? trace->all / trace->all_weight * trace->traced_weight / trace->traced
                       : 1;
    return ratio > FAR_OFF ? ratio : 1;
}
