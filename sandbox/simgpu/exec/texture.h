/* Textures and surfaces of a warp: handles, the way to the texels, and all checks on it. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_TEXTURE_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_TEXTURE_H

#include "sandbox/simgpu/program/texture_access.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/warp.h"

struct engine_texture;

/* tex and tld4, with their results. */
void texture_fetch(struct warp *warp, const struct insn *insn, lane_mask lanes);
void texture_query(struct warp *warp, const struct insn *insn, lane_mask lanes);
/* suld, sust, sured. */
void surface_load(struct warp *warp, const struct insn *insn, lane_mask lanes);
void surface_store(struct warp *warp, const struct insn *insn, lane_mask lanes);
void surface_reduce(struct warp *warp, const struct insn *insn, lane_mask lanes);

/* ---- between texture.c, texture_coherence.c and surface.c ---- */

static inline const struct texture_access *texture_access_of(const struct warp *warp,
                                                             const struct insn *insn) {
    return &warp->block->launch->program->textures[insn->texture];
}
/* What a handle stands for; NULL: nothing. */
const struct engine_texture *texture_of_handle(const struct warp *warp, uint64_t handle);
/* What each lane's handle stands for. Lanes whose handle stands for nothing of the kind are
 * reported and left out of the result. */
lane_mask texture_find(struct warp *warp, const struct insn *insn, lane_mask lanes,
                       uint32_t operand, bool surface, const struct engine_texture **found);
/* Counts a request: `sectors` holds `count` numbers, equal ones for the same sector. */
void texture_count(struct warp *warp, const struct insn *insn, uint64_t *sectors, size_t count);
/* Texels that are read: each lane's place, NULL where it may not be read. Reports what this launch
 * has written, which the caches of textures and surfaces need not see. */
lane_mask texture_read_lanes(struct warp *warp, const struct insn *insn, lane_mask lanes,
                             const device_address *addresses, unsigned bytes,
                             unsigned char **places);
/* texture_coherence.c: reports texels that this launch has written itself. After the access. */
void texture_check_coherence(struct warp *warp, const struct insn *insn, lane_mask lanes,
                             const device_address *addresses, unsigned bytes);

#endif
