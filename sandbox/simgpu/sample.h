/* Which blocks of a large grid are simulated, and what the others are worth. See sample.c. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SAMPLE_H
#define WARPGRADE_SANDBOX_SIMGPU_SAMPLE_H

#include "sandbox/simgpu/cache.h"

enum { SAMPLE_JUDGED = 5 };

struct sample_block {
    uint64_t index;
    double weight; /* blocks of the grid that it stands for */
    uint8_t stratum;
};

/* What an instruction did in all blocks of the sample, each by its weight. */
struct sample_insn {
    double counters[COUNTER_COUNT];
    double l1_sectors, l1_hits, l2_sectors, l2_hits, read_first, read_again, written_first,
        written_again, read_shared, written_shared, ideal_bytes;
    double read_by_sample; /* of device memory, before it was found what other blocks had read */
    uint64_t window;
};

struct sample {
    struct sample_block *blocks; /* by index */
    uint64_t count, population;
    struct capture_stratum strata[SAMPLE_STRATA];
    struct {
        double sums[SAMPLE_JUDGED], squares[SAMPLE_JUDGED];
    } judged[SAMPLE_STRATA];
    struct sample_insn *insns; /* by pc */
    double flushed_share;      /* of what became dirty, what the whole grid would flush */
};

/* A sample of about `wanted` blocks; NULL where it would be all of them. */
struct sample *sample_create(const struct launch *launch, uint64_t wanted);
void sample_free(struct sample *sample);
/* A block has ended: what it did goes into the sums, and its statistics begin anew. */
void sample_take(struct sample *sample, const struct sample_block *taken, const struct host *host);
/* The largest standard error, as a share, of instructions, sectors of global memory and of the L2,
 * and wavefronts. */
double sample_error(const struct sample *sample);
/* Once, when all blocks have ended: makes the sums those of the whole grid. */
void sample_settle(const struct launch *launch);
/* Of the sectors that the instruction read from device memory in the sample, the share that it
 * would in the whole grid. Settled. */
double sample_fetched_share(const struct sample *sample, uint32_t pc);
/* The counters of the instruction for the whole grid. */
void sample_tally(const struct sample *sample, uint32_t pc, struct counters *counters);

#endif
