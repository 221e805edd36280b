/* cp.async, its groups and waits, cp.async.bulk (PTX ISA 9.7.9.25). What is in flight: async.c.
 *
 * Both ends of a copy are checked when it is issued, at its own line. Copies by bulk from shared to
 * global memory write at once: only the end of the kernel could tell the difference, because no
 * thread can read them in order before the wait. */
#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/async.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/mbarrier.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/copy_flags.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/saved_chunks.h"
#include "sandbox/simgpu/state/warp.h"

/* An address that belongs to no allocation, for one that does not fit its space. */
static const device_address nowhere = (device_address)1 << 63;

static void generic_addresses(device_address *addresses, bool shared) {
    FOR_EACH_LANE(lane) {
        uint64_t window = addresses[lane] >> ADDRESS_SHIFT;
        if (shared)
            addresses[lane] |= window == 0 ? ADDRESS_OF(WINDOW_SHARED) : nowhere;
        else if (window == WINDOW_SHARED || window == WINDOW_LOCAL)
            addresses[lane] |= nowhere;
    }
}

static void copy_addresses(const struct warp *warp, const struct insn *insn, device_address *to,
                           device_address *from) {
    int32_t to_offset = insn->copy.to_offset, from_offset = insn->copy.from_offset;
    bool to_global = insn->copy_flags & COPY_TO_GLOBAL;
    access_addresses(warp, insn->operands[0], insn->copy_flags & COPY_NARROW, to_offset, to);
    access_addresses(warp, insn->operands[1], insn->copy_flags & COPY_NARROW << 1, from_offset,
                     from);
    generic_addresses(to, !to_global);
    generic_addresses(from, to_global || insn->copy_flags & COPY_FROM_SHARED);
}

/* How many bytes each lane reads; the rest of its copy is zeros. */
static void source_sizes(const struct warp *warp, const struct insn *insn, uint32_t *sizes) {
    uint32_t size = insn->copy_bytes;
    const uint32_t *given =
        insn->copy_flags & COPY_SIZED ? lane_vector(warp, insn->operands[2]) : NULL;
    lane_mask ignored =
        insn->copy_flags & COPY_IGNORE ? read_predicate(warp, insn->operands[2]) : 0;
    FOR_EACH_LANE(lane)
    sizes[lane] = ignored >> lane & 1 ? 0 : given && given[lane] < size ? given[lane] : size;
}

/* What the lanes' copies bring: the bytes, and what shadow memory says of them. */
struct fetched {
    unsigned char data[WARP_LANES][16], shadow[WARP_LANES][16];
};

static void fetch(const struct warp *warp, unsigned lane, device_address from,
                  const unsigned char *bytes, uint32_t at, uint32_t size, struct fetched *fetched) {
    struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, from);
    memcpy(fetched->data[lane] + at, bytes, size);
    if (place.shadow && warp->block->launch->checks)
        memcpy(fetched->shadow[lane] + at, place.shadow, size);
}

/* Reads `sizes` bytes for each lane, whole accesses together and cut ones byte by byte. */
static lane_mask read_sources(struct warp *warp, const struct insn *insn, lane_mask lanes,
                              const device_address *from, const uint32_t *sizes,
                              struct fetched *fetched) {
    uint32_t size = insn->copy_bytes;
    unsigned char *places[WARP_LANES];
    lane_mask whole = 0, cut = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        *(sizes[lane] == size ? &whole : &cut) |= sizes[lane] ? rest & -rest : 0;
    }
    if (whole)
        whole = access_lanes(warp, insn, whole, from, size, false, places);
    for (lane_mask rest = whole; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        fetch(warp, lane, from[lane], places[lane], 0, size, fetched);
    }
    for (uint32_t byte = 0; byte < size && cut; byte++) {
        device_address at[WARP_LANES];
        lane_mask now = 0;
        FOR_EACH_LANE(lane) {
            at[lane] = from[lane] + byte;
            now |= cut & (byte < sizes[lane] ? (lane_mask)1 << lane : 0);
        }
        now = now ? access_lanes(warp, insn, now, at, 1, false, places) : 0;
        for (lane_mask rest = now; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            fetch(warp, lane, at[lane], places[lane], byte, 1, fetched);
        }
    }
    return whole | cut;
}

EXECUTOR(cp_async) {
    device_address to[WARP_LANES], from[WARP_LANES];
    uint32_t sizes[WARP_LANES], size = insn->copy_bytes;
    unsigned char packed[WARP_LANES * 16], shadow[WARP_LANES * 16];
    struct fetched fetched;
    memset(fetched.data, 0, sizeof fetched.data);
    memset(fetched.shadow, SHADOW_INITIALIZED, sizeof fetched.shadow);
    copy_addresses(warp, insn, to, from);
    source_sizes(warp, insn, sizes);
    lane_mask readers = read_sources(warp, insn, lanes, from, sizes, &fetched);
    lane_mask writers = memory_check(warp, insn, lanes, to, size, true);
    access_count(warp, insn, readers, from, size, false);
    access_count(warp, insn, writers, to, size, true);
    if (!writers)
        return;
    bool one = (writers & (writers - 1)) == 0;
    FOR_EACH_LANE(lane)
    if (!one || writers >> lane & 1) {
        memcpy(packed + (one ? 0 : (size_t)lane * size), fetched.data[lane], size);
        memcpy(shadow + (one ? 0 : (size_t)lane * size), fetched.shadow[lane], size);
    }
    async_add(warp, insn, writers, to, size, packed, shadow, NULL);
}

EXECUTOR(cp_async_commit) {
    (void)insn;
    async_commit(warp, lanes);
}

EXECUTOR(cp_async_wait) {
    if (insn->groups < 0)
        async_wait_all(warp, lanes);
    else
        async_wait_groups(warp, lanes, (uint32_t)insn->groups);
}

/* A bulk copy: `bytes` in one piece, by one thread. */
static bool check_bulk(struct warp *warp, const struct insn *insn, unsigned lane,
                       device_address address, uint32_t bytes, bool store,
                       struct memory_location *place) {
    struct access access = {
        .space = SPACE_GENERIC, .address = address, .bytes = bytes, .store = store};
    lane_mask bit = (lane_mask)1 << lane;
    *place = memory_locate(warp, SPACE_GENERIC, lane, address);
    if (place->space == SPACE_GLOBAL) {
        const struct allocation *allocation =
            &warp->block->launch->allocations[address >> ADDRESS_SHIFT];
        if (allocation->filled)
            lazy_buffer_touch(allocation, address & OFFSET_MASK, bytes);
        if (allocation->saved && store)
            saved_chunks_keep(allocation->saved, address & OFFSET_MASK, bytes);
    }
    enum hazard_kind kind = HAZARD_COUNT;
    bool checks = warp->block->launch->checks;
    if (place->space == SPACE_GENERIC || place->left < bytes)
        kind = HAZARD_OUT_OF_BOUNDS;
    else if (address % 16 || bytes % 16)
        kind = HAZARD_MISALIGNED;
    else if (store && place->read_only)
        kind = HAZARD_WRITE_TO_INPUT;
    for (uint32_t i = 0; kind == HAZARD_COUNT && checks && place->shadow && i < bytes; i++)
        if (place->shadow[i] == SHADOW_NOBODY)
            kind = HAZARD_OUT_OF_BOUNDS;
        else if (!store && place->space == SPACE_SHARED && place->shadow[i] != SHADOW_INITIALIZED) {
            kind = HAZARD_UNINITIALIZED_READ; /* it becomes output: all of it should be there */
            access.missing = i;
        }
    if (kind == HAZARD_MISALIGNED && address % 16 == 0) {
        hazard_report(warp, insn_pc(warp, insn), PC_NONE, kind, SEVERITY_ERROR, bit,
                      "a bulk copy of %u bytes: the size must be a multiple of 16", bytes);
        return false;
    }
    if (kind == HAZARD_MISALIGNED)
        access.bytes = 16; /* what the address must be a multiple of */
    if (kind != HAZARD_COUNT)
        hazard_access(warp, insn, kind, lane, bit, &access);
    return kind == HAZARD_COUNT || kind == HAZARD_UNINITIALIZED_READ;
}

static void tell_bulk_races(struct warp *warp, const struct insn *insn, unsigned lane,
                            device_address address, uint32_t bytes, bool store) {
    device_address addresses[WARP_LANES] = {0};
    addresses[lane] = address;
    race_access_slowly(warp, insn, (lane_mask)1 << lane, addresses, bytes, store);
}

/* The same place in the shared memory of the cluster's block of that rank. */
static device_address in_block(const struct warp *warp, device_address address, unsigned rank) {
    uint32_t size = warp->block->launch->cluster_size;
    if (rank >= size || address >> ADDRESS_SHIFT != WINDOW_SHARED)
        return address | nowhere;
    device_address window = address & ~OFFSET_MASK, offset = address & CLUSTER_OFFSET_MASK;
    return size == 1 ? address : window | (device_address)(rank + 1) << CLUSTER_SHIFT | offset;
}

/* One thread's copy into shared memory, and its bytes for the mbarrier. */
static void load_bulk(struct warp *warp, const struct insn *insn, unsigned lane,
                      const device_address *to, const struct memory_location *source,
                      uint32_t bytes, const device_address *barriers) {
    struct memory_location target;
    uint32_t sizes[WARP_LANES] = {0};
    lane_mask bit = (lane_mask)1 << lane;
    if (!check_bulk(warp, insn, lane, to[lane], bytes, true, &target))
        return;
    sizes[lane] = bytes;
    async_add(warp, insn, bit, to, bytes, source->bytes,
              warp->block->launch->checks ? source->shadow : NULL, barriers);
    mbarrier_complete_transactions(warp, insn, bit, barriers, sizes);
}

static void store_bulk(struct warp *warp, const struct insn *insn, unsigned lane, device_address to,
                       const struct memory_location *source, uint32_t bytes) {
    struct memory_location target;
    if (!check_bulk(warp, insn, lane, to, bytes, true, &target))
        return;
    tell_bulk_races(warp, insn, lane, to, bytes, true);
    memmove(target.bytes, source->bytes, bytes);
    if (target.shadow)
        memset(target.shadow, SHADOW_INITIALIZED, bytes);
}

EXECUTOR(cp_bulk) {
    device_address to[WARP_LANES], from[WARP_LANES], barriers[WARP_LANES] = {0};
    const uint32_t *sizes = lane_vector(warp, insn->operands[2]);
    bool to_global = insn->copy_flags & COPY_TO_GLOBAL;
    const uint16_t *blocks =
        insn_op(insn) == OP_cp_bulk_multicast ? lane_vector(warp, insn->operands[4]) : NULL;
    copy_addresses(warp, insn, to, from);
    if (!to_global) {
        access_addresses(warp, insn->operands[3], insn->copy_flags & COPY_NARROW << 3,
                         insn->barrier_offset, barriers);
        generic_addresses(barriers, true);
    }
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location source;
        uint32_t bytes = sizes[lane];
        if (!check_bulk(warp, insn, lane, from[lane], bytes, false, &source) || !bytes)
            continue;
        if (!(insn->copy_flags & COPY_FROM_SHARED))
            observe_bulk(warp, insn, to_global ? to[lane] : from[lane], bytes, to_global);
        tell_bulk_races(warp, insn, lane, from[lane], bytes, false);
        if (to_global)
            store_bulk(warp, insn, lane, to[lane], &source, bytes);
        else if (!blocks)
            load_bulk(warp, insn, lane, to, &source, bytes, barriers);
        device_address place = to[lane], barrier = barriers[lane];
        for (unsigned mask = blocks ? blocks[lane] : 0; mask; mask &= mask - 1) {
            to[lane] = in_block(warp, place, (unsigned)__builtin_ctz(mask));
            barriers[lane] = in_block(warp, barrier, (unsigned)__builtin_ctz(mask));
            load_bulk(warp, insn, lane, to, &source, bytes, barriers);
        }
    }
}
