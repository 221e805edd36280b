/* Which request of a warp a report shows as a picture.
 *
 * Every instruction keeps one. Of those in the submission's own file that instruction is shown
 * whose requests, in the whole launch, take most sectors or passes beyond the necessary. A launch
 * with a device runs on one host thread, so that the choice is always the same. */
#include "sandbox/simgpu/memsys/access_example.h"

#include "sandbox/simgpu/memsys/tally.h"

#include <stdio.h>
#include <string.h>

enum { BANK_ROW_BYTES = 128, SECTOR_BYTES = 32 };

void access_example_keep(struct access_example *example, unsigned units,
                         const struct access_shape *shape, enum ptx_space space,
                         const device_address *addresses, unsigned bytes, bool store) {
    example->units = (uint8_t)(units < UINT8_MAX ? units : UINT8_MAX);
    example->bytes = (uint8_t)bytes;
    example->shared = space == SPACE_SHARED;
    example->store = store;
    example->lanes = shape->lanes;
    memcpy(example->addresses, addresses, sizeof example->addresses);
}

static uint64_t beyond(uint64_t found, uint64_t enough) {
    return found > enough ? found - enough : 0;
}

/* What the instruction wastes comes first, then how much it asks for. */
static uint64_t badness(const struct counters *c, bool shared, bool wasted) {
    if (shared)
        return wasted ? c->shared_bank_conflicts
                      : c->shared_load_wavefronts + c->shared_store_wavefronts;
    return wasted ? beyond(c->global_load_sectors, c->global_load_ideal_sectors) +
                        beyond(c->global_store_sectors, c->global_store_ideal_sectors)
                  : c->global_load_sectors + c->global_store_sectors;
}

/* A request of the submission's own file, not of a header. */
static bool is_candidate(const struct launch *launch, uint32_t pc, bool shared) {
    const struct access_example *example = &launch->host_thread_pool[0].examples[pc];
    const struct insn_origin *origin = &launch->program->origins[pc];
    const char *own = launch->request->file_name;
    return example->units && example->shared == shared && origin->line &&
           origin->file < launch->program->file_count && own &&
           strcmp(launch->program->files[origin->file], own) == 0;
}

static uint32_t find_worst(const struct launch *launch, bool shared, bool wasted) {
    uint32_t worst = PC_NONE;
    uint64_t most = 0;
    for (uint32_t pc = 0; pc < launch->program->length; pc++) {
        struct counters counters = {0};
        if (!is_candidate(launch, pc, shared))
            continue;
        launch_tally(launch, pc, &counters);
        uint64_t bad = badness(&counters, shared, wasted);
        if (bad <= most)
            continue;
        most = bad;
        worst = pc;
    }
    return worst;
}

static void take(const struct launch *launch, uint32_t pc, struct warp_access *out) {
    const struct program *program = launch->program;
    const struct access_example *example = &launch->host_thread_pool[0].examples[pc];
    const struct insn_origin *origin = &program->origins[pc];
    device_address lowest = UINT64_MAX;
    for (lane_mask rest = example->lanes; rest; rest &= rest - 1) {
        device_address address = example->addresses[__builtin_ctz(rest)];
        lowest = address < lowest ? address : lowest;
    }
    device_address start = lowest / (example->shared ? BANK_ROW_BYTES : SECTOR_BYTES) *
                           (example->shared ? BANK_ROW_BYTES : SECTOR_BYTES);
    *out = (struct warp_access){.line = origin->line,
                                .is_shared = example->shared,
                                .is_store = example->store,
                                .bytes = example->bytes,
                                .lanes = example->lanes};
    snprintf(out->file, sizeof out->file, "%s", program->files[origin->file]);
    for (lane_mask rest = example->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        out->offsets[lane] = (uint32_t)(example->addresses[lane] - start);
    }
}

void access_example_choose(const struct launch *launch, struct engine_result *result) {
    if (!launch->request->device || !launch->host_thread_pool[0].examples)
        return;
    for (unsigned shared = 0; shared < 2; shared++) {
        uint32_t worst = find_worst(launch, shared, true);
        if (worst == PC_NONE)
            worst = find_worst(launch, shared, false);
        if (worst != PC_NONE)
            take(launch, worst, &result->accesses[result->access_count++]);
    }
}
