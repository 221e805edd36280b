/* Sectors, wavefronts, conflicts: the definitions.
 *
 * They were checked against Nsight Compute: a global request touches the distinct 32-byte segments
 * of its active lanes; a shared request needs, for each group of lanes, as many passes as the
 * fullest bank has distinct words, where 8-byte accesses form two groups and 16-byte accesses four,
 * and loads whose lanes agree in pairs form half as many. Local memory lies as the hardware lays
 * it: the 32 lanes' words of one index side by side, so that a warp that uses one index touches
 * four sectors. A constant load is repeated for each further address. Ideal sectors are those that
 * the request's distinct bytes would fill if they lay side by side. */
#include "sandbox/simgpu/memsys/count.h"

#include "sandbox/simgpu/memsys/distinct.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/stats.h"
#include "sandbox/simgpu/state/word_set.h"

unsigned count_sectors(const struct access_shape *shape, unsigned phase, unsigned bytes) {
    struct word_set set;
    word_set_clear(&set);
    unsigned sectors = 0;
    int64_t last = INT64_MIN;
    for (lane_mask rest = shape->lanes; rest; rest &= rest - 1) {
        int64_t from = (int64_t)phase + shape->delta[__builtin_ctz(rest)];
        for (int64_t sector = from >> 5; sector <= (from + bytes - 1) >> 5; sector++) {
            if (sector == last)
                continue;
            last = sector;
            sectors += word_set_add(&set, sector);
        }
    }
    return sectors;
}

unsigned count_sectors_apart(lane_mask lanes, const device_address *addresses, unsigned bytes) {
    struct word_set set;
    word_set_clear(&set);
    unsigned sectors = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        device_address from = addresses[__builtin_ctz(rest)];
        for (uint64_t sector = from >> 5; sector <= (from + bytes - 1) >> 5; sector++)
            sectors += word_set_add(&set, (int64_t)sector);
    }
    return sectors;
}

static bool pairs_agree(const struct access_shape *shape) {
    if (shape->lanes != UINT32_MAX)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane += 2)
        if (shape->delta[lane] != shape->delta[lane + 1])
            return false;
    return true;
}

/* Bank conflicts do not change when all addresses move by whole words: deltas and the phase inside
 * a word are enough. */
static unsigned wavefronts_of(const struct access_shape *shape, unsigned phase, unsigned bytes,
                              bool store, unsigned *groups) {
    unsigned group_lanes = bytes <= 4 ? 32 : 128 / bytes, wavefronts = 0;
    if (!store && bytes > 4 && pairs_agree(shape))
        group_lanes *= 2;
    for (unsigned first = 0; first < WARP_LANES; first += group_lanes) {
        uint8_t words_in_bank[32] = {0};
        struct word_set set;
        word_set_clear(&set);
        unsigned fullest = 0;
        for (unsigned lane = first; lane < first + group_lanes; lane++) {
            if (!(shape->lanes >> lane & 1))
                continue;
            int64_t from = (int64_t)phase + shape->delta[lane];
            for (int64_t word = from >> 2; word <= (from + bytes - 1) >> 2; word++)
                if (word_set_add(&set, word) && ++words_in_bank[word & 31] > fullest)
                    fullest = words_in_bank[word & 31];
        }
        wavefronts += fullest;
        *groups += fullest > 0;
    }
    return wavefronts; /* at most 32 a group's lanes: 32 in all */
}

void count_wavefronts(struct access_shape *shape, unsigned phase, unsigned bytes, bool store) {
    unsigned groups = 0;
    shape->wavefronts[phase] = (uint8_t)wavefronts_of(shape, phase, bytes, store, &groups);
    shape->groups = (uint8_t)groups;
}

unsigned count_wide_wavefronts(struct access_shape *shape, unsigned bytes) {
    uint8_t *wide = &shape->wide_wavefronts[bytes == 16];
    unsigned groups = 0;
    if (!*wide)
        *wide = (uint8_t)wavefronts_of(shape, 0, bytes, false, &groups);
    return *wide;
}

/* Word w of lane l lies at byte 128 w + 4 l: a sector is eight lanes' words of one index. */
static unsigned local_sectors(const struct access_shape *shape, unsigned phase, unsigned bytes) {
    struct word_set set;
    word_set_clear(&set);
    unsigned sectors = 0;
    for (unsigned word = 0; word <= (phase + bytes - 1) / 4; word++, word_set_clear(&set))
        for (lane_mask rest = shape->lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            int64_t index = (((int64_t)phase + shape->delta[lane]) >> 2) + word;
            bool more = (((int64_t)phase + shape->delta[lane] + bytes - 1) >> 2) >= index;
            sectors += more && word_set_add(&set, index * 4 + lane / 8);
        }
    return sectors;
}

void count_seldom(struct memory_stats *stats, struct access_shape *shape, enum ptx_space space,
                  unsigned phase, unsigned bytes) {
    if (space == SPACE_CONST) {
        stats->conflicts += shape->unique_count - 1u;
        return;
    }
    if (!shape->local_sectors[phase])
        shape->local_sectors[phase] = (uint16_t)local_sectors(shape, phase, bytes);
    stats->units += shape->local_sectors[phase];
}

void count_apart(const struct host_thread *host_thread, uint32_t pc, lane_mask lanes,
                 const device_address *addresses, unsigned bytes) {
    struct memory_stats *stats = memory_stats_of(host_thread, pc, SPACE_GLOBAL);
    unsigned fullest;
    unsigned distinct = distinct_count(lanes, addresses, &fullest) * bytes;
    stats->requests++;
    stats->units += count_sectors_apart(lanes, addresses, bytes);
    stats->ideal += (distinct + 31) / 32;
    stats->bytes += (unsigned)__builtin_popcount(lanes) * bytes;
}

/* Its shared side is contiguous: a wavefront for each 128 bytes. */
void count_bulk(const struct host_thread *host_thread, uint32_t pc, device_address global,
                uint32_t bytes) {
    struct memory_stats *stats = memory_stats_of(host_thread, pc, SPACE_GLOBAL);
    stats->requests++;
    stats->units += ((global & 31) + bytes + 31) / 32;
    stats->ideal += (bytes + 31) / 32;
    stats->bytes += bytes;
    stats = memory_stats_of(host_thread, pc, SPACE_SHARED);
    stats->requests++;
    stats->units += (bytes + 127) / 128;
}
