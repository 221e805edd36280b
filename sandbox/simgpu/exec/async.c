/* Asynchronous copies: cp.async and cp.async.bulk into shared memory (PTX ISA 9.7.9.25).
 *
 * A copy reads its source when it is issued and is kept here until something waits for it: a group,
 * all of a thread's copies, or a phase of an mbarrier. Until then its destination is PENDING in
 * shadow memory, so that a read before the wait, which would find old bytes on a card on some days,
 * is found every time. Bytes that were never written arrive as such: a row may be copied with its
 * padding. Cards may complete a copy at any moment in between; both ends of that time
 * are reported to the race detector as writes of the issuing thread, at the line of the copy. */
#include "sandbox/simgpu/exec/async.h"

#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_IN_FLIGHT = 4096 }; /* of a warp; the oldest arrive when there are more */

struct copy {
    uint32_t pc, bytes;
    lane_mask lanes; /* still to arrive */
    lane_mask bound; /* of them: with a phase of barriers[lane] */
    bool one_lane;
    uint32_t group[WARP_LANES];
    device_address to[WARP_LANES], barriers[WARP_LANES];
    unsigned char *data, *shadow; /* NULL: all initialised */
};

struct async {
    struct copy **copies; /* oldest first */
    size_t count, capacity;
    uint32_t committed[WARP_LANES]; /* groups so far */
};

static void copy_free(struct copy *copy) {
    free(copy->data);
    free(copy->shadow);
    free(copy);
}

static void tell_races(struct warp *warp, const struct copy *copy, lane_mask lanes) {
    race_access_slowly(warp, &warp->block->launch->program->code[copy->pc], lanes, copy->to,
                       copy->bytes, true);
}

static void arrive(struct warp *warp, struct copy *copy, lane_mask lanes) {
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, copy->to[lane]);
        if (place.space == SPACE_GENERIC || place.left < copy->bytes)
            continue;
        size_t from = copy->one_lane ? 0 : (size_t)lane * copy->bytes;
        memcpy(place.bytes, copy->data + from, copy->bytes);
        if (place.shadow && copy->shadow)
            memcpy(place.shadow, copy->shadow + from, copy->bytes);
        else if (place.shadow)
            memset(place.shadow, SHADOW_INITIALIZED, copy->bytes);
    }
    copy->lanes &= ~lanes;
}

/* Forgets the copies of which every lane has arrived. */
static void sweep(struct async *async) {
    size_t kept = 0;
    for (size_t i = 0; i < async->count; i++)
        if (async->copies[i]->lanes)
            async->copies[kept++] = async->copies[i];
        else
            copy_free(async->copies[i]);
    async->count = kept;
}

void async_add(struct warp *warp, const struct insn *insn, lane_mask lanes,
               const device_address *to, uint32_t bytes, const unsigned char *data,
               const unsigned char *shadow, const device_address *barriers) {
    if (!warp->async)
        warp->async = mem_zalloc(sizeof *warp->async);
    struct async *async = warp->async;
    if (async->count == MAX_IN_FLIGHT) {
        for (size_t i = 0; i < MAX_IN_FLIGHT / 2; i++)
            arrive(warp, async->copies[i], async->copies[i]->lanes);
        sweep(async);
    }
    struct copy *copy = mem_alloc(sizeof *copy);
    copy->pc = insn_pc(warp, insn);
    copy->bytes = bytes;
    copy->lanes = lanes;
    copy->bound = barriers ? lanes : 0;
    copy->one_lane = (lanes & (lanes - 1)) == 0;
    size_t length = (copy->one_lane ? 1 : (size_t)WARP_LANES) * bytes;
    copy->data = mem_alloc(length);
    memcpy(copy->data, data, length);
    bool whole = true;
    for (size_t i = 0; shadow && i < length && whole; i++)
        whole = shadow[i] == SHADOW_INITIALIZED;
    copy->shadow = whole ? NULL : mem_alloc(length);
    if (copy->shadow)
        memcpy(copy->shadow, shadow, length);
    memcpy(copy->to, to, sizeof copy->to);
    memcpy(copy->group, async->committed, sizeof copy->group);
    for (lane_mask rest = copy->bound; rest; rest &= rest - 1)
        copy->barriers[__builtin_ctz(rest)] =
            cluster_address(warp->block, barriers[__builtin_ctz(rest)]);
    tell_races(warp, copy, lanes);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, to[lane]);
        if (place.shadow && place.left >= bytes)
            memset(place.shadow, SHADOW_PENDING, bytes);
    }
    *mem_push(&async->copies, &async->count, &async->capacity) = copy;
}

void async_commit(struct warp *warp, lane_mask lanes) {
    if (!warp->async)
        return; /* groups of nothing are complete whatever their number */
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        warp->async->committed[__builtin_ctz(rest)]++;
}

static void wait(struct warp *warp, lane_mask lanes, bool all, uint32_t groups) {
    struct async *async = warp->async;
    if (!async)
        return;
    for (size_t i = 0; i < async->count; i++) {
        struct copy *copy = async->copies[i];
        lane_mask ready = 0;
        for (lane_mask rest = copy->lanes & ~copy->bound & lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (all || (uint64_t)copy->group[lane] + groups < async->committed[lane])
                ready |= rest & -rest;
        }
        if (!ready)
            continue;
        tell_races(warp, copy, ready);
        arrive(warp, copy, ready);
    }
    sweep(async);
}

void async_wait_groups(struct warp *warp, lane_mask lanes, uint32_t groups) {
    wait(warp, lanes, false, groups);
}

void async_wait_all(struct warp *warp, lane_mask lanes) {
    wait(warp, lanes, true, 0);
}

void async_bind(struct warp *warp, lane_mask lanes, const device_address *barriers) {
    struct async *async = warp->async;
    for (size_t i = 0; async && i < async->count; i++) {
        struct copy *copy = async->copies[i];
        lane_mask mine = copy->lanes & ~copy->bound & lanes;
        if (!mine)
            continue;
        /* The mbarrier passes on what the thread has done before it arrives. */
        tell_races(warp, copy, mine);
        copy->bound |= mine;
        for (lane_mask rest = mine; rest; rest &= rest - 1)
            copy->barriers[__builtin_ctz(rest)] =
                cluster_address(warp->block, barriers[__builtin_ctz(rest)]);
    }
}

static void complete_phase(struct block *block, device_address barrier) {
    for (unsigned w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        struct async *async = warp->async;
        for (size_t i = 0; async && i < async->count; i++) {
            struct copy *copy = async->copies[i];
            lane_mask ready = 0;
            for (lane_mask rest = copy->lanes & copy->bound; rest; rest &= rest - 1)
                if (copy->barriers[__builtin_ctz(rest)] == barrier)
                    ready |= rest & -rest;
            arrive(warp, copy, ready);
        }
        if (async)
            sweep(async);
    }
}

void async_complete_phase(struct block *block, device_address barrier) {
    const struct cluster *cluster = block->cluster;
    barrier = cluster_address(block, barrier);
    for (unsigned rank = 0; cluster && rank < cluster->size; rank++)
        complete_phase(cluster->blocks[rank], barrier);
    if (!cluster)
        complete_phase(block, barrier);
}

void async_reset(struct warp *warp) {
    struct async *async = warp->async;
    if (!async)
        return;
    for (size_t i = 0; i < async->count; i++)
        copy_free(async->copies[i]);
    async->count = 0;
    memset(async->committed, 0, sizeof async->committed);
}

void async_free(struct warp *warp) {
    if (!warp->async)
        return;
    async_reset(warp);
    free(warp->async->copies);
    free(warp->async);
    warp->async = NULL;
}
