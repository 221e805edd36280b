/* The modelled time of a launch: see cost.h.
 *
 * The busiest multiprocessor's time comes from replaying traced paths (replay.c) through the
 * machine code that the assembler would make of the program (sass_model.c), with each
 * instruction's average demand of memory as the counters have it. The SM gets as much of the
 * device's bandwidth as it has of the grid's blocks; no launch is shorter than its heaviest block
 * is by itself. Atomics on one address take turns with those of all SMs, and the rate at which
 * blocks are handed out is a lower bound; the launch itself is added. */
#include "sandbox/simgpu/time/cost.h"

#include "sandbox/simgpu/memsys/tally.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/memsys/atomic_traffic.h"
#include "sandbox/simgpu/memsys/sample.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/time/block_load_balance.h"
#include "sandbox/simgpu/time/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BUSY_SHARE = 0.6; /* of the time, for a part to be what limits it */

static const double MIN_RUNS_PER_WARP = 4; /* executions of a warp */

/* What an instruction did in one kind of memory; it mostly reaches only one. */
struct request_mix {
    uint8_t space;
    uint64_t requests;
    double units; /* a request: sectors, wavefronts or addresses */
};

static struct request_mix asked_of(const struct counters *counters) {
    const struct {
        uint8_t space;
        uint64_t requests, units;
    } kinds[] = {
        {SPACE_GLOBAL, counters->global_load_requests, counters->global_load_sectors},
        {SPACE_GLOBAL, counters->global_store_requests, counters->global_store_sectors},
        {SPACE_GLOBAL, counters->global_atomic_requests, counters->global_atomic_sectors},
        {SPACE_SHARED, counters->shared_load_requests, counters->shared_load_wavefronts},
        {SPACE_SHARED, counters->shared_store_requests, counters->shared_store_wavefronts},
        {SPACE_SHARED, counters->shared_atomic_requests, counters->shared_atomic_passes},
        {SPACE_CONST, counters->constant_requests,
         counters->constant_requests + counters->constant_replays},
        {SPACE_LOCAL, counters->local_load_requests, counters->local_load_sectors},
        {SPACE_LOCAL, counters->local_store_requests, counters->local_store_sectors},
    };
    size_t most = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
        if (kinds[i].requests > kinds[most].requests)
            most = i;
    return (struct request_mix){
        kinds[most].space, kinds[most].requests,
        kinds[most].requests ? (double)kinds[most].units / (double)kinds[most].requests : 0};
}

static double share_of(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0;
}

/* Words of a sector that one request changes more than once cost the L2 as many turns, but one
 * where a lane asks for all. */
static double atomic_turns(const struct counters *counters, double joined) {
    double lanes = (double)counters->global_atomic_lanes;
    double distinct = lanes - (double)counters->global_atomic_conflicts;
    return distinct > 0 ? joined + (1 - joined) * lanes / distinct : 1;
}

/* Which requests wait for device memory: those that fetch from there, those of the same block for
 * what they fetch, and for the rest of the time those of other blocks that come meanwhile. What a
 * sample fetches, another block may have fetched in the whole grid. */
static void describe_fetches(const struct request_stats *requests, double fetched_share,
                             const struct block_pace *pace, double sharers,
                             struct memory_demand *demand) {
    double fetching = share_of(requests->fetching + requests->following_fetch, requests->missing);
    double shared = share_of(requests->shared, requests->missing);
    double inflight_sharing = inflight_sharing_time_left(&requests->inflight_sharing,
                                                         (double)requests->shared, sharers, pace);
    double others = fetching * (1 - fetched_share) + shared;
    demand->dram_share = fmin(1, fetching * fetched_share + others * inflight_sharing);
}

/* What a request costs the L2, of whose stored sectors the share `full` is changed: lines are
 * looked up one by one, and what is stored comes in packets, a sector each, and one more for a line
 * of which sectors are changed in parts; of such a sector that is half, by this count. Beside that,
 * of what is stored or comes from device memory, half crosses between the partitions. */
static void describe_l2(const struct device_profile *device, const struct counters *counters,
                        const struct request_stats *requests, double full,
                        struct memory_demand *demand) {
    double lines = share_of(requests->l2_lines, requests->missing), far = device->l2_far_factor;
    if (counters->global_store_requests || counters->local_store_requests) {
        double parts = fmin(1, 2 * (1 - full)) * demand->l2_sectors;
        double packets = demand->l2_sectors + fmin(lines, parts);
        demand->l2_work[L2_IN] = device->l2_packet_sectors * packets;
        demand->l2_work[L2_FABRIC] = device->l2_fabric_sectors * demand->l2_sectors;
    } else {
        double fetched = fmin((double)counters->dram_read_sectors, (double)counters->l2_sectors);
        far = 1 + (far - 1) * fetched / (double)counters->l2_sectors;
        demand->l2_work[L2_OUT] = far * demand->l2_sectors;
        demand->l2_work[L2_FABRIC] =
            device->l2_fabric_sectors * fetched / (double)counters->l2_sectors * demand->l2_sectors;
    }
    demand->l2_work[L2_LOOKUP] = far * device->l2_line_sectors * lines;
}

/* What a store costs the L2 that could go there with one before it, and does not: a packet a sector
 * and, where it changes sectors in parts, one more a line. */
static void describe_alone(const struct device_profile *device, const struct counters *counters,
                           const struct request_stats *requests, struct memory_demand *demand) {
    double sectors =
        share_of(counters->global_store_sectors, (uint64_t)counters->global_store_requests);
    double lines = share_of(requests->stored_lines, requests->requests);
    bool parts = counters->global_store_bytes < 32 * counters->global_store_sectors;
    demand->joined = 1 - demand->miss_share;
    demand->stored_lines = lines;
    demand->alone_sectors = sectors;
    demand->alone_work[L2_IN] = device->l2_packet_sectors * (sectors + (parts ? lines : 0));
    demand->alone_work[L2_LOOKUP] = device->l2_far_factor * device->l2_line_sectors * lines;
}

static void describe_demand(const struct device_profile *device, const struct counters *counters,
                            const struct request_stats *requests, double grid_warps,
                            double fetched_share, double full, const struct block_pace *pace,
                            double sharers, struct memory_demand *demand) {
    struct request_mix asked = asked_of(counters);
    double warps = (double)counters->warp_instructions;
    demand->space = asked.space;
    demand->slow_issue = share_of(requests->slow_issue, requests->divisions);
    demand->slow_clocks = share_of(requests->slow_clocks, requests->divisions);
    if (!asked.requests)
        return;
    double count = (double)asked.requests;
    demand->requests = count / warps < 1 ? count / warps : 1;
    demand->wavefronts = asked.units;
    demand->atomic_passes = asked.units;
    for (unsigned w = 0; w < ARRAY_LENGTH(demand->wide_wavefronts); w++)
        demand->wide_wavefronts[w] = share_of(requests->wide[w], requests->requests);
    if (asked.space == SPACE_SHARED && counters->shared_atomic_requests) {
        demand->wavefronts = share_of(requests->passes, requests->requests);
        demand->contended = share_of(requests->contended, requests->following);
    }
    if (asked.space == SPACE_SHARED || asked.space == SPACE_CONST)
        return;
    demand->wavefronts = share_of(requests->passes, requests->requests);
    demand->miss_share = share_of(requests->missing, requests->requests);
    demand->found = share_of(requests->found, requests->requests);
    demand->found_far = 2 * requests->found_far > requests->found;
    demand->found_other = share_of(requests->found_other, requests->requests);
    describe_fetches(requests, fetched_share, pace, sharers, demand);
    demand->often = warps / grid_warps >= MIN_RUNS_PER_WARP;
    demand->repeated = demand->miss_share * warps / grid_warps >= 1;
    double missing = count * demand->miss_share, waiting = missing * demand->dram_share;
    if (counters->local_store_requests) /* words of lanes whose indices differ lie apart */
        full =
            (double)counters->thread_instructions * 4 / 32 / (double)counters->local_store_sectors;
    if (counters->global_store_requests)
        describe_alone(device, counters, requests, demand);
    if (missing > 0) {
        demand->l2_sectors = (double)counters->l2_sectors / missing;
        describe_l2(device, counters, requests, full, demand);
    }
    if (waiting > 0)
        demand->dram_work =
            device->dram_line_sectors * fetched_share * (double)requests->dram_lines /
                ((double)requests->missing * demand->dram_share) +
            (1 - device->dram_line_sectors / 4) * (double)counters->dram_read_sectors / waiting;
    demand->written_work = device->dram_write_factor * (double)counters->dram_write_sectors / count;
    demand->atomic_sectors =
        asked.units * atomic_turns(counters, share_of(requests->joined, requests->requests));
}

/* What the L2 gets of a sector at a time, on average, from a run of stores whose first one is at
 * pc: all stores after it are of later runs or of this one. */
static double stored_at_a_time(const struct launch *launch, uint32_t pc) {
    const uint32_t *runs = memory_system_combining_runs(launch->caches);
    double bytes = 0, sectors = 0;
    for (uint32_t at = pc; at < launch->program->length && runs[at] <= runs[pc]; at++) {
        struct counters counters = {0};
        if (runs[at] != runs[pc])
            continue;
        launch_tally(launch, at, &counters);
        bytes += (double)counters.global_store_bytes;
        sectors += (double)counters.l2_sectors;
    }
    return bytes > 0 && sectors > 0 ? fmin(1, bytes / 32 / sectors) : 1;
}

/* What lines that go back to device memory without the one beside them take more than others, as a
 * share: 12.5 to 12.7 us for 256 MiB, whose stores take it 70.4 (probe places). */
static const double LONE_LINE_MORE = 0.18;

/* Of what atomics change, sectors that go back to device memory in parts of lines cost it what
 * words do that are stored there, for which it is read, too: what has been fetched of these is part
 * of that (atomic_far/..1024 beside scatter/dram_write). Atomics wait for what they fetch
 * themselves; whether they do for what others are about to, as loads, was not measured. */
static void describe_changes(const struct launch *launch, uint32_t pc, double fetched_share,
                             double known_whole, struct memory_demand *demand) {
    const struct device_profile *device = launch->request->device;
    const struct request_stats *requests = &memory_system_requests(launch->caches)[pc];
    struct counters counters = {0};
    launch_tally(launch, pc, &counters);
    if (!counters.global_atomic_requests)
        return;
    double parts = 1 - known_whole;
    demand->written_work = device->dram_write_factor * (double)counters.dram_write_sectors /
                           (double)counters.global_atomic_requests *
                           (1 + (device->dram_partial_factor - 1) * parts);
    double fetched = demand->dram_share * demand->dram_work;
    demand->dram_share = fmin(1, share_of(requests->fetching, requests->missing) * fetched_share);
    if (fetched > 0 && demand->dram_share > 0)
        demand->dram_work =
            fetched / demand->dram_share * (1 - parts * fmin(1, demand->written_work / fetched));
    for (unsigned i = 0; i < L2_SERVERS; i++)
        demand->l2_work[i] = 0;
    demand->l2_work[L2_FABRIC] = device->l2_fabric_sectors * demand->l2_sectors;
}

/* What writing a sector in parts costs more than writing it whole: of an array of structs the lines
 * beside each other go back one after the other, of which device memory has the page open. */
static double partial_more(const struct device_profile *device,
                           const struct request_stats *requests) {
    double beside = share_of(requests->stored_beside, requests->stored_lines);
    return beside * device->dram_partial_near_factor + (1 - beside) * device->dram_partial_factor -
           1;
}

/* What each instruction asked of memory, on average. */
static struct memory_demand *find_demands(const struct launch *launch,
                                          const struct block_pace *pace, unsigned *count) {
    const struct program *program = launch->program;
    struct memory_demand *demands = mem_calloc(program->length + 1, sizeof *demands);
    const struct request_stats *requests = memory_system_requests(launch->caches);
    double warps = (double)launch->block_count * launch->trace->warps_per_block;
    const uint32_t *runs = memory_system_combining_runs(launch->caches);
    cleanup_free double *sharers = inflight_sharing_sharers(launch);
    double stored = 0, written = 0; /* sectors */
    double full = 1;                /* the share of a sector that a store changes */
    uint32_t run = 0;
    *count = 0;
    for (uint32_t pc = 0; pc < program->length; pc++) {
        struct counters counters = {0};
        launch_tally(launch, pc, &counters);
        demands[pc].number = *count;
        if (!counters.warp_instructions)
            continue;
        stored += (double)counters.global_store_bytes / 32;
        written += (double)counters.dram_write_sectors;
        double fetched_share = launch->sample ? sample_fetched_share(launch->sample, pc) : 1;
        if (runs[pc] > run) {
            run = runs[pc];
            full = stored_at_a_time(launch, pc);
        }
        describe_demand(launch->request->device, &counters, &requests[pc], warps, fetched_share,
                        runs[pc] ? full : 1, pace,
                        sharers ? sharers[launch->sample->insns[pc].window] : 0, &demands[pc]);
        *count += demands[pc].requests > 0;
    }
    /* sectors that go to device memory in parts; which store filled them up is not known */
    double whole = stored > 0 && written > 0 ? fmin(1, stored / written) : 1;
    double known_whole = memory_system_whole_share(launch->caches); /* goes over all memory */
    whole = fmax(whole, known_whole);
    for (uint32_t pc = 0; pc < program->length; pc++)
        if (requests[pc].other_pc)
            demands[pc].other = demands[requests[pc].other_pc - 1].number;
    double lone = LONE_LINE_MORE * memory_system_lone_share(launch->caches);
    for (uint32_t pc = 0; pc < program->length; pc++)
        demands[pc].written_work *=
            1 + partial_more(launch->request->device, &requests[pc]) * (1 - whole) + lone * whole;
    for (uint32_t pc = 0; pc < program->length; pc++)
        describe_changes(launch, pc, launch->sample ? sample_fetched_share(launch->sample, pc) : 1,
                         known_whole, &demands[pc]);
    return demands;
}

/* Each line's share: what its instructions made schedulers wait or issue. */
static void share_by_line(const struct launch *launch, const double *blame, double total,
                          struct engine_result *result) {
    const struct program *program = launch->program;
    double sum = 0;
    for (size_t pc = 0; pc < program->length; pc++)
        sum += blame[pc];
    for (size_t pc = 0; pc < program->length && sum > 0; pc++) {
        const struct insn_origin *origin = &program->origins[pc];
        const char *file = origin->file < program->file_count ? program->files[origin->file] : "";
        for (size_t i = 0; blame[pc] > 0 && origin->line && i < result->line_count; i++)
            if (result->lines[i].line == origin->line && strcmp(result->lines[i].file, file) == 0)
                result->lines[i].modelled_ms += total * blame[pc] / sum;
    }
}

static struct replay_result replay_of(const struct launch *launch,
                                      const struct replay_input *input) {
    struct replay_result result = {.blame =
                                       mem_calloc(launch->program->length + 1, sizeof(double))};
    replay_run(input, &result);
    return result;
}

/* What comes from few SMs does not keep all slices of the L2 busy that it goes to: a request waits
 * for one while another has nothing to do. Measured: 256 words in two slices, 10 % longer from 2 to
 * 8 SMs, 5 from 16, 3 from 33, 1 from 66 (probe swaps). */
static double fed_by(const struct launch *launch, double sms) {
    static const double UNEVEN = 0.2;
    const struct atomic_traffic *traffic = memory_system_atomics(launch->caches);
    double most = launch->request->device->multiprocessors;
    if (!atomic_traffic_meets_in_slices(traffic))
        return 1;
    return 1 + UNEVEN * (1 / sqrt(fmax(sms, 1)) - 1 / sqrt(most));
}

/* How much longer the launch lasts than the average SM because its blocks differ: without the
 * atomics of other SMs, which those that go on longest do not meet. */
static double imbalance_of(const struct launch *launch, const struct replay_input *input,
                           const struct replay_result *average, double alone) {
    const struct warp_trace *all = launch->trace;
    const struct block_load_balance_input dispatch = {
        .trace = all,
        .sms = (unsigned)input->device->multiprocessors,
        .resident = input->resident_blocks,
        .blocks = launch->block_count,
        .rate = all->work / all->weight * (double)input->sm_blocks / average->clocks,
        .alone = alone,
    };
    return block_load_balance_factor(&dispatch);
}

/* The average SM's time, or that of the block that executed most by itself: a launch lasts at least
 * as long. `serial`: clocks of atomics that meet, which are more where few SMs have them. */
static struct replay_result replay_longest(const struct launch *launch,
                                           const struct replay_input *input, double *serial) {
    const struct warp_trace *all = launch->trace;
    double sms = fmin(input->device->multiprocessors, (double)launch->block_count);
    if (!all->outlier.paths || (double)all->outlier.instructions * all->weight <= all->work) {
        *serial *= fed_by(launch, sms);
        return replay_of(launch, input);
    }
    struct traced_block outlier = all->outlier;
    struct warp_trace trace = *all;
    trace.blocks = &outlier;
    trace.block_count = 1;
    struct replay_input own = *input;
    own.atomic_turn *= own.share; /* as if no other SM had atomics */
    struct replay_input one = own;
    one.trace = &trace;
    one.alone = true;
    one.roles = NULL;
    one.resident_blocks = one.most_blocks = 1;
    one.sm_blocks = 1;
    one.share = 1;
    struct replay_result longest = replay_of(launch, &one);
    own.roles = own.atomic_turn > 0 ? NULL : input->roles; /* it is but tried */
    struct replay_result average = replay_of(launch, &own);
    double imbalance =
        imbalance_of(launch, input, &average, (double)outlier.instructions / longest.clocks);
    if (own.atomic_turn > 0 && average.atomics > 0 && longest.atomics > 0) {
        /* the turns of all SMs are spread over the whole launch */
        free(average.blame);
        double requests = *serial / own.atomic_turn; /* of the grid */
        *serial *= fed_by(launch, fmin(sms, requests / longest.atomics));
        own.atomic_turn = *serial / (average.atomics * imbalance);
        own.roles = input->roles;
        average = replay_of(launch, &own);
    }
    average.clocks *= imbalance;
    bool longer = longest.clocks > average.clocks;
    free(longer ? average.blame : longest.blame);
    return longer ? longest : average;
}

/* A block keeps its slot and its shared memory to its end, but a warp that has ended leaves its
 * slot and its registers to those of other blocks. */
static unsigned most_blocks(const struct occupancy *occupancy) {
    unsigned places = occupancy->limits[LIMIT_BLOCKS], shared = occupancy->limits[LIMIT_SHARED];
    return places < shared ? places : shared;
}

/* Atomics on the same words take turns, those of all SMs together: how long one of an SM takes
 * while the others do what it does. Where blocks add up their results at their end, those of the
 * last wave take theirs when nothing else is left to do. */
static double atomic_turn(const struct launch *launch, double serial, double share) {
    double requests = 0;
    for (uint32_t pc = 0; pc < launch->program->length; pc++) {
        struct counters counters = {0};
        launch_tally(launch, pc, &counters);
        requests += (double)counters.global_atomic_requests;
    }
    return requests > 0 ? serial / (requests * share) : 0;
}

/* Clocks that the launch lasts longer because blocks wait for each other, which goes to the line
 * that waits. */
static double waiting_of(const struct launch *launch, const struct replay_input *input,
                         struct replay_result *replay) {
    const struct device_profile *device = input->device;
    if (!input->roles)
        return 0;
    const struct dependency_device dependency = {.seen_cycles = device->seen_cycles,
                                                 .l2_cycles = device->l2_cycles,
                                                 .block_cycles = device->block_cycles,
                                                 .places = (uint64_t)device->multiprocessors *
                                                           input->resident_blocks};
    uint32_t pc;
    double clocks = block_dependency_wait(launch->dependency, input->pace, &dependency, &pc);
    replay->blame[pc] += clocks;
    return clocks;
}

static void model(const struct launch *launch, struct engine_result *result) {
    struct launch_profile *profile = &result->profile;
    const struct engine_launch *request = launch->request;
    const struct device_profile *device = request->device;
    struct replay_input input = {.device = device,
                                 .code = launch->sass,
                                 .trace = launch->trace,
                                 .resident_blocks = profile->occupancy.blocks_per_sm,
                                 .most_blocks = most_blocks(&profile->occupancy)};
    uint64_t sms = (uint64_t)device->multiprocessors;
    input.sm_blocks = (profile->blocks + sms - 1) / sms;
    input.share = (double)input.sm_blocks / (double)profile->blocks;
    double running = (double)sms * profile->occupancy.blocks_per_sm;
    warp_trace_settle(launch->trace);
    struct block_pace pace = inflight_sharing_pace(launch, running);
    struct memory_demand *demands = find_demands(launch, &pace, &input.demand_count);
    input.demands = demands;
    struct dependency_pace between = block_dependency_pace_create(launch->program->length);
    input.pace = &between;
    input.roles = launch->dependency ? block_dependency_roles(launch->dependency) : NULL;
    double serial = atomic_traffic_contention(memory_system_atomics(launch->caches));
    input.atomic_turn = atomic_turn(launch, serial, input.share);
    struct replay_result replay = replay_longest(launch, &input, &serial);
    double waiting = waiting_of(launch, &input, &replay);
    replay.clocks += waiting;
    block_dependency_pace_free(&between);
    struct cost_estimate *estimate = &profile->estimate;
    double clocks_per_ms = device->clock_mhz * 1000;
    for (unsigned part = 0; part < COST_PART_COUNT; part++)
        estimate->part_ms[part] = replay.busy[part] / clocks_per_ms;
    /* what no SM sees by itself */
    estimate->part_ms[PART_blocks] = waiting / clocks_per_ms;
    double starts = (double)profile->blocks * device->block_interval_cycles;
    estimate->part_ms[PART_atomics] = fmax(estimate->part_ms[PART_atomics], serial / clocks_per_ms);
    estimate->part_ms[PART_launch] = device->launch_us / 1000 + starts / clocks_per_ms;
    double clocks = fmax(replay.clocks, fmax(serial, starts));
    estimate->ms = clocks / clocks_per_ms + device->launch_us / 1000;
    /* what keeps nothing busy for most of the time is waiting */
    estimate->limiter = PART_latency;
    estimate->part_ms[PART_latency] = 0;
    double most = 0;
    for (unsigned part = 0; part < COST_PART_COUNT; part++)
        if (part != PART_latency && estimate->part_ms[part] > most) {
            most = estimate->part_ms[part];
            estimate->limiter = (enum cost_part)part;
        }
    estimate->part_ms[PART_latency] = fmax(0, estimate->ms - most);
    if (most < BUSY_SHARE * estimate->ms)
        estimate->limiter = PART_latency;
    share_by_line(launch, replay.blame, estimate->ms, result);
    free(demands);
    free(replay.blame);
}

void cost_profile(const struct launch *launch, struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    if (!request->device)
        return;
    struct launch_profile *profile = &result->profile;
    struct occupancy_capacity capacity = occupancy_capacity_of(request->device);
    profile->present = true;
    profile->blocks = launch->block_count;
    profile->blocks_simulated = launch->sample ? launch->sample->count : launch->block_count;
    profile->sampling = launch->sampling;
    if (launch->sample)
        sample_errors(launch->sample, profile->errors);
    profile->occupancy = occupancy_compute(
        &capacity, request->block.x * request->block.y * request->block.z, request->registers,
        launch->program->static_shared_bytes + request->shared_bytes);
    if (launch->trace && profile->occupancy.blocks_per_sm && profile->blocks)
        model(launch, result);
}
