/* Which lines and sectors a warp's request touches, each line once.
 *
 * A loop that walks along rows, a lane a row, asks for the same sectors again and again, with other
 * requests in between: the last few scattered requests are kept, by the allocation that they begin
 * in, and one with the same sectors takes what is known of it. All that is kept is the list, who is
 * known to have read it, and where its lines were last: never whether they still are. */
#include "sandbox/simgpu/memsys/cache_touched.h"

#include "sandbox/simgpu/memsys/footprint.h"
#include "sandbox/simgpu/memsys/mshr.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

enum { SCATTERED_LINES = 4 /* fewer are found as fast as remembered */ };

static void list_open(struct touched_list *list) {
    memset(list->newest, 255, sizeof list->newest);
    list->count = 0;
    list->reader = CAPTURE_NONE;
}

static void touch(struct touched_list *list, uint32_t line, uint32_t window, uint8_t sectors) {
    uint16_t *newest = &list->newest[(line ^ line >> 8 ^ line >> 16) & 255];
    if (*newest != TOUCHED_NONE &&
        list->lines[*newest].line != line) /* two lines with the same bits */
        for (unsigned i = 0; i < list->count; i++)
            if (list->lines[i].line == line)
                *newest = (uint16_t)i;
    if (*newest != TOUCHED_NONE && list->lines[*newest].line == line) {
        list->lines[*newest].sectors |= sectors;
        return;
    }
    *newest = (uint16_t)list->count;
    list->lines[list->count++] = (struct touched){line, window, 0, sectors};
}

static void touch_bytes(const struct memory_system *system, struct touched_list *list,
                        device_address address, unsigned bytes) {
    uint32_t window = (uint32_t)(address >> ADDRESS_SHIFT);
    if (window >= system->count || !system->footprints[window].length)
        return;
    const struct footprint *footprint = &system->footprints[window];
    uint64_t first = address & OFFSET_MASK, last = first + bytes - 1;
    if (first >= footprint->length) /* a hazard: the maps end with the allocation */
        return;
    last = last < footprint->length ? last : footprint->length - 1;
    for (uint64_t sector = first / SECTOR_BYTES; sector <= last / SECTOR_BYTES; sector++)
        touch(list, footprint->first_line + (uint32_t)(sector / 4), window,
              (uint8_t)(1 << sector % 4));
}

bool cache_touched_contiguous(lane_mask lanes, const device_address *addresses, unsigned bytes) {
    device_address difference = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        difference |= addresses[lane] ^ (addresses[0] + lane * bytes);
    return lanes == UINT32_MAX && difference == 0;
}

void cache_touched_span(const struct memory_system *system, struct touched_list *list,
                        device_address address, unsigned bytes) {
    list_open(list);
    touch_bytes(system, list, address, bytes);
}

/* ---- requests that come again ---------------------------------------------------------------- */

/* Each lane's bytes are aligned, and so in one sector. */
static bool is_same(const struct touched_request *request, lane_mask lanes,
                    const device_address *addresses, unsigned bytes) {
    uint64_t difference = 0, misaligned = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        difference |= addresses[lane] / SECTOR_BYTES ^ request->sectors[lane];
        misaligned |= addresses[lane];
    }
    return request->lanes == lanes && !difference && !(misaligned & (bytes - 1));
}

/* Sectors that lie in allocations as a whole, so that other bytes of them do, too. */
static bool may_come_again(const struct memory_system *system, lane_mask lanes,
                           const device_address *addresses, unsigned bytes) {
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        device_address address = addresses[__builtin_ctz(rest)];
        uint32_t window = (uint32_t)(address >> ADDRESS_SHIFT);
        if (window >= system->count || address & (bytes - 1) ||
            (address & OFFSET_MASK) / SECTOR_BYTES >=
                system->footprints[window].length / SECTOR_BYTES)
            return false;
    }
    return true;
}

struct touched_list *cache_touched_global(struct memory_system *system, struct touched_list *fresh,
                                          lane_mask lanes, const device_address *addresses,
                                          unsigned bytes) {
    bool may = lanes && bytes <= SECTOR_BYTES && !(bytes & (bytes - 1));
    device_address begin = may ? addresses[__builtin_ctz(lanes)] : 0;
    struct touched_request *kept = &system->touched[(begin >> ADDRESS_SHIFT) % TOUCHED_REQUESTS];
    if (may && is_same(kept, lanes, addresses, bytes))
        return &kept->list;
    list_open(fresh);
    for (lane_mask rest = lanes; rest; rest &= rest - 1)
        touch_bytes(system, fresh, addresses[__builtin_ctz(rest)], bytes);
    if (fresh->count < SCATTERED_LINES || !may || !may_come_again(system, lanes, addresses, bytes))
        return fresh;
    kept->lanes = lanes;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        kept->sectors[lane] = addresses[lane] / SECTOR_BYTES;
    memcpy(kept->list.lines, fresh->lines, fresh->count * sizeof *fresh->lines);
    kept->list.count = fresh->count;
    kept->list.reader = CAPTURE_NONE;
    return &kept->list;
}

/* ---- local memory ---------------------------------------------------------------------------- */

/* Word w of all lanes of a warp is one line; each resident warp has lines of its own. */
void cache_touched_local(const struct warp *warp, struct touched_list *list, lane_mask lanes,
                         const device_address *addresses, unsigned bytes) {
    const struct memory_system *system = warp->block->launch->caches;
    uint64_t words = warp->block->launch->local_bytes / 4 + 1;
    uint64_t resident = (uint64_t)warp->block->slot * warp->block->warp_count + warp->index;
    list_open(list);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t offset = addresses[lane] & OFFSET_MASK;
        for (uint64_t word = offset / 4; word <= (offset + bytes - 1) / 4; word++)
            touch(list, system->local_first_line + (uint32_t)(resident * words + word), 0,
                  (uint8_t)(1 << lane / 8));
    }
}
