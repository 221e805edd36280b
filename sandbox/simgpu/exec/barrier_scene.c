/* Who waits where, thread by thread: what a message says with two numbers, a picture shows. */
#include "sandbox/simgpu/exec/barrier_scene.h"

#include "sandbox/simgpu/state/limits.h"
#include "sandbox/simgpu/state/split.h"
#include "sandbox/simgpu/state/warp.h"

void barrier_scene(const struct block *block, uint32_t pc, struct hazard *hazard) {
    if (!hazard)
        return;
    struct hazard_scene *scene = &hazard->scene;
    *scene = (struct hazard_scene){.block_threads = block->thread_count};
    for (unsigned w = 0; w < block->warp_count && w < ENGINE_BLOCK_WARPS; w++) {
        const struct warp *warp = &block->warps[w];
        for (unsigned i = 0; i < warp->split_count; i++) {
            const struct split *split = &warp->splits[i];
            if (split->state != SPLIT_AT_BARRIER)
                continue;
            lane_mask *masks = split->pc == pc ? scene->waiting : scene->elsewhere;
            masks[w] |= split->lanes;
        }
    }
}
