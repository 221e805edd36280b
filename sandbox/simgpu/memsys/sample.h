/* Which blocks of a large grid are simulated, and what the others are worth. See sample.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_SAMPLE_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_SAMPLE_H

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"

#include "sandbox/base/profile.h"

enum { SAMPLE_JUDGED = SAMPLED_l2_sectors + 1 }; /* the figures that are blocks' own */

struct sample_block {
    uint64_t index;
    double weight; /* blocks of the grid that it stands for */
    uint8_t stratum;
};

struct sample_traffic {
    double l1_sectors, l1_hits, l2_sectors, l2_hits, read_first, read_again, written_first,
        written_again, read_shared, written_shared, read_met, ideal_bytes;
};

/* What an instruction did in all blocks of the sample, each by its weight. */
struct sample_insn {
    double counters[COUNTER_COUNT];
    struct sample_traffic traffic, without[CAPTURE_GROUPS]; /* ... if that group were not in it */
    double read_by_sample; /* of device memory, before it was found what other blocks had read */
    uint64_t window;
};

/* What the whole grid asks the caches and device memory for. */
struct sample_figures {
    double l1_sectors, l1_hits, l2_sectors, l2_hits, dram_sectors, ideal_bytes;
};

struct sample {
    struct sample_block *blocks; /* by index */
    uint8_t *groups;             /* by block, see struct capture_sample */
    uint64_t count, population;
    struct capture_stratum strata[SAMPLE_STRATA], without[CAPTURE_GROUPS][SAMPLE_STRATA];
    struct {
        double sums[SAMPLE_JUDGED], squares[SAMPLE_JUDGED];
    } judged[SAMPLE_STRATA];
    struct sample_insn *insns; /* by pc */
    double flushed_share;      /* of what became dirty, what the whole grid would flush */
    struct sample_figures figures, figures_without[CAPTURE_GROUPS];
};

/* A sample of about `wanted` blocks; NULL where it would be all of them. */
struct sample *sample_create(const struct launch *launch, uint64_t wanted);
void sample_free(struct sample *sample);
/* A block has ended: what it did goes into the sums, and its statistics start again. */
void sample_take(struct sample *sample, const struct sample_block *taken,
                 const struct host_thread *host_thread);
/* Once, when all blocks have ended: makes the sums those of the whole grid. */
void sample_settle(const struct launch *launch);
/* The standard error of each figure, as a share. Settled. */
void sample_errors(const struct sample *sample, double errors[SAMPLED_FIGURE_COUNT]);
/* Of the sectors that the instruction read from device memory in the sample, the share that it
 * would in the whole grid. Settled. */
double sample_fetched_share(const struct sample *sample, uint32_t pc);
/* The counters of the instruction for the whole grid. Settled. */
void sample_tally(const struct sample *sample, uint32_t pc, struct counters *counters);

#endif
