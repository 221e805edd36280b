/* Blocks that read the same at about the same time: see inflight_sharing.h.
 *
 * The blocks with which a launch begins start together. Later ones start when others end, and these
 * do not end together: soon the next block starts about as often as it takes a block's life over
 * the blocks that run (probe starts: of 9216 blocks, 528 at a time, those of the second wave
 * start 5 clocks apart, of the third 220, of later ones 160 to 570, and a block's life
 * is 125,000). A block that starts later reaches what the blocks share later by the same time: the
 * more blocks share it, the fewer of them find it on its way. Sharers are taken to be neighbours,
 * of which a sample has but some. That a later block may also meet one that follows it on its path
 * more often than if both had started together is left out.
 *
 * A block's life is taken from its path, as are the times at which it comes to what it reads, so
 * that it is too short where something else than waiting takes the time. */
#include "sandbox/simgpu/memsys/inflight_sharing.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/mshr.h"
#include "sandbox/simgpu/memsys/sample.h"
#include "sandbox/simgpu/state/launch.h"

#include <math.h>

static double pace_clocks(unsigned pace) {
    return (double)(1u << pace);
}

static double left_of(double behind, double fetch_clocks) {
    return fmax(0, 1 - fabs(behind) / fetch_clocks);
}

void inflight_sharing_note(struct inflight_sharing *inflight_sharing, double together,
                           double behind, double blocks, double fetch_clocks) {
    inflight_sharing->together += left_of(together, fetch_clocks);
    inflight_sharing->blocks += fabs(blocks);
    for (unsigned pace = 0; pace < INFLIGHT_PACES; pace++)
        inflight_sharing->paces[pace] += left_of(behind + blocks * pace_clocks(pace), fetch_clocks);
}

struct block_pace inflight_sharing_pace(const struct launch *launch, double running) {
    const struct warp_trace *trace = launch->trace;
    const struct device_profile *device = launch->request->device;
    double lives = 0, blocks = 0;
    for (size_t i = 0; i < trace->block_count; i++) {
        double life = 0;
        for (unsigned w = 0; trace->blocks[i].paths && w < trace->warps_per_block; w++)
            life = fmax(life, mshr_elapsed_clocks(device, (double)trace->blocks[i].paths[w].waits,
                                                  (double)trace->blocks[i].paths[w].instructions));
        lives += life;
        blocks += trace->blocks[i].paths != NULL;
    }
    double clocks = blocks > 0 ? lives / blocks / running : 0;
    return (struct block_pace){.clocks = fmax(clocks, device->block_interval_cycles),
                               .together = fmin(1, running / (double)launch->block_count)};
}

double *inflight_sharing_sharers(const struct launch *launch) {
    const struct sample *sample = launch->sample;
    if (!sample)
        return NULL;
    double *sharers = mem_calloc(launch->allocation_count + 1, sizeof *sharers);
    const struct request_stats *requests = memory_system_requests(launch->caches);
    for (size_t pc = 0; pc < launch->program->length; pc++)
        if (requests[pc].asked)
            sharers[sample->insns[pc].window] += sample->insns[pc].traffic.l2_sectors;
    for (uint32_t i = 0; i < launch->allocation_count; i++) {
        double sectors = memory_system_window(launch->caches, i)->read_sectors;
        sharers[i] = sectors > 0 ? sharers[i] / sectors : 0;
    }
    return sharers;
}

/* The sum where blocks start this many clocks apart. */
static double sum_at(const struct inflight_sharing *inflight_sharing, double clocks) {
    unsigned pace = 0;
    while (pace + 1 < INFLIGHT_PACES && pace_clocks(pace + 1) <= clocks)
        pace++;
    double sum = inflight_sharing->paces[pace], part = clocks / pace_clocks(pace) - 1;
    if (pace + 1 == INFLIGHT_PACES || part <= 0)
        return sum;
    return sum + part * (inflight_sharing->paces[pace + 1] - sum);
}

double inflight_sharing_time_left(const struct inflight_sharing *inflight_sharing, double requests,
                                  double sharers, const struct block_pace *pace) {
    if (requests <= 0)
        return 0;
    /* how much further apart the grid's sharers are than the sample's: from the first, on average
     */
    double further =
        inflight_sharing->blocks > 0 ? sharers / 2 * requests / inflight_sharing->blocks : 1;
    double later =
        fmin(sum_at(inflight_sharing, pace->clocks * fmax(1, further)), inflight_sharing->together);
    return (pace->together * inflight_sharing->together + (1 - pace->together) * later) / requests;
}
