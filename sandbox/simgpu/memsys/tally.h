/* What instructions did, as counters. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_TALLY_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_TALLY_H

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/stats.h"

/* Adds one instruction's statistics to the counters; `memory` has MEMORY_CLASS_COUNT rows. */
void tally_insn(const struct insn *insn, const struct insn_stats *stats,
                const struct memory_stats *memory, struct counters *counters);
/* Adds what one instruction did to the caches. */
void tally_cache(const struct cache_stats *cache, struct counters *counters);
/* Adds what one instruction did on one host thread to what it did on others. */
void tally_merge(struct insn_stats *stats, struct memory_stats *memory,
                 const struct insn_stats *more_stats, const struct memory_stats *more_memory);

/* Adds what one instruction did in the whole launch: on all host threads, or scaled from the
 * sample. */
void launch_tally(const struct launch *launch, uint32_t pc, struct counters *counters);

#endif
