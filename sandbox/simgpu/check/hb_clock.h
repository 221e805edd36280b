/* Who has published at which address last, for a quick answer where a lock orders all accesses.
 * Everything that is published at an address stays known to those who look there later, so that one
 * comparison replaces a search along all who have held the lock in between (hb_graph.c). */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_CLOCK_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_HB_CLOCK_H

#include "sandbox/simgpu/check/hb_graph.h"

struct hb_clock;

struct hb_clock *hb_clock_create(uint32_t block_warps);
void hb_clock_free(struct hb_clock *clock);
/* Of a lane that looks at the address: after all publications before it. */
struct hb_look hb_clock_look(struct hb_clock *clock, device_address address);
/* The lanes publish a fence at the address: `known.lanes`, what they did before `known.until`. */
void hb_clock_publish(struct hb_clock *clock, const struct hb_lanes *known, device_address address);
/* Those of the asked lanes that had published at the address before the look, and after the
 * accesses that are asked for. The others have not, or it is not known any more. */
lane_mask hb_clock_ordered(const struct hb_clock *clock, const struct hb_look *look,
                           const struct hb_lanes *asked);

#endif
