/* What the executors say of what happens, and all that they know of counters and the cost model:
 * they tell, the model looks. What only the model wants does nothing where the launch has no
 * device. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_MEMSYS_OBSERVE_H
#define WARPGRADE_SANDBOX_SIMGPU_MEMSYS_OBSERVE_H

#include "sandbox/simgpu/memsys/access_example.h"
#include "sandbox/simgpu/memsys/count.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

/* observe.c: the parts of a launch with a device. */
void observe_caches(struct warp *warp, const struct insn *insn, enum ptx_space space,
                    lane_mask lanes, const device_address *addresses, unsigned bytes, bool store);
void observe_shared_load(const struct warp *warp, uint32_t pc, struct access_shape *shape,
                         unsigned bytes);
void observe_device_division(const struct warp *warp, uint32_t pc, lane_mask lanes,
                             const float *dividends, const float *divisors);
void observe_line_start(struct warp *warp, uint32_t pc);
void observe_line_end(struct warp *warp, uint32_t first, uint32_t last, bool parts);

static inline bool observe_has_device(const struct warp *warp) {
    return warp->block->launch->caches != NULL;
}

/* One request of a load or store, of lanes that have a shape, in one space. `addresses`, but for
 * the first lane's, are looked at only where there is a device. */
static inline void observe_request(struct warp *warp, const struct insn *insn,
                                   struct access_shape *shape, enum ptx_space space,
                                   device_address first, const device_address *addresses,
                                   unsigned bytes, bool store) {
    count_request(warp->host_thread, insn_pc(warp, insn), shape, space, first, bytes, store);
    if (observe_has_device(warp)) {
        access_example_note(warp->host_thread, insn_pc(warp, insn), shape, space, addresses, bytes,
                            store);
        observe_caches(warp, insn, space, shape->lanes, addresses, bytes, store);
    }
}

/* The same of an ld or st: loads of neighbours in shared memory may become one. */
static inline void observe_access(struct warp *warp, const struct insn *insn,
                                  struct access_shape *shape, enum ptx_space space,
                                  device_address first, const device_address *addresses,
                                  unsigned bytes, bool store) {
    observe_request(warp, insn, shape, space, first, addresses, bytes, store);
    if (observe_has_device(warp) && space == SPACE_SHARED && !store && bytes < 16)
        observe_shared_load(warp, insn_pc(warp, insn), shape, bytes);
}

/* The same of lanes that lie too far apart to have a shape. */
void observe_apart(struct warp *warp, const struct insn *insn, enum ptx_space space,
                   lane_mask lanes, const device_address *addresses, unsigned bytes, bool store);
/* One request of an atomic, in one space. */
void observe_atomic(struct warp *warp, const struct insn *insn, enum ptx_space space,
                    lane_mask lanes, const device_address *addresses, unsigned bytes);
/* One request of a texture or surface instruction, which touches so many sectors. */
static inline void observe_texture(struct warp *warp, const struct insn *insn, size_t sectors) {
    struct memory_stats *stats =
        memory_stats_of(warp->host_thread, insn_pc(warp, insn), SPACE_GLOBAL);
    stats->requests++;
    stats->units += sectors;
}
/* A copy in one piece between shared memory and this global address. */
void observe_bulk(struct warp *warp, const struct insn *insn, device_address global, uint32_t bytes,
                  bool store);

static inline void observe_division(const struct warp *warp, const struct insn *insn,
                                    lane_mask lanes, const float *dividends,
                                    const float *divisors) {
    if (observe_has_device(warp))
        observe_device_division(warp, insn_pc(warp, insn), lanes, dividends, divisors);
}

/* A block starts. */
void observe_block(struct block *block);

/* The running split begins a straight line at pc, which is returned. */
static inline uint32_t observe_line(struct warp *warp, uint32_t pc) {
    if (__builtin_expect(warp->path != NULL, 0))
        observe_line_start(warp, pc);
    return pc;
}

/* It has executed first..last and now leaves the straight line. */
static inline void observe_path(struct warp *warp, uint32_t first, uint32_t last) {
    if (__builtin_expect(warp->path != NULL, 0) && first <= last)
        observe_line_end(warp, first, last, false);
}

/* ... and leaves some of its lanes behind, with which another split goes elsewhere. */
static inline void observe_divergence(struct warp *warp, uint32_t first, uint32_t last) {
    if (__builtin_expect(warp->path != NULL, 0) && first <= last)
        observe_line_end(warp, first, last, true);
}

#endif
