/* Which blocks of a large grid are simulated, and what the others are worth. See sample.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SAMPLE_H
#define WARPGRADE_SANDBOX_SIMGPU_SAMPLE_H

#include "sandbox/simgpu/cache.h"

enum { SAMPLE_STRATA = 27, SAMPLE_JUDGED = 4 };

struct sample_block {
    uint64_t index;
    double weight; /* blocks of the grid that it stands for */
    uint8_t stratum;
};

/* What an instruction did in all blocks of the sample, each by its weight. */
struct sample_insn {
    double counters[COUNTER_COUNT];
    double l1_sectors, l1_hits, l2_sectors, l2_hits, read_first, read_again, written_first,
        written_again, ideal_bytes;
};

struct sample {
    struct sample_block *blocks; /* by index */
    uint64_t count, population;
    struct {
        uint64_t population, taken;
        double sums[SAMPLE_JUDGED], squares[SAMPLE_JUDGED];
    } strata[SAMPLE_STRATA];
    struct sample_insn *insns; /* by pc */
};

/* A sample of about `wanted` blocks; NULL where it would be all of them. */
struct sample *sample_create(const struct launch *launch, uint64_t wanted);
void sample_free(struct sample *sample);
/* A block has ended: what it did goes into the sums, and its statistics begin anew. */
void sample_take(struct sample *sample, const struct sample_block *taken, const struct host *host);
/* The largest standard error, as a share, of instructions, global sectors and wavefronts. */
double sample_error(const struct sample *sample);
/* The counters of the instruction for the whole grid. */
void sample_tally(const struct launch *launch, const struct memory_totals *totals, uint32_t pc,
                  struct counters *counters);
/* Factor from the dirty sectors of the sample to those that the whole grid would flush. */
double sample_flushed_share(const struct launch *launch, const struct memory_totals *totals);

#endif
