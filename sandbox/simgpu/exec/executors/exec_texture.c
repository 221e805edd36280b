/* Textures and surfaces: doors to exec/texture.c and exec/surface.c, which no instruction set of
 * the host makes faster. */
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/texture.h"
#include "sandbox/simgpu/state/launch.h"

#include "sandbox/simgpu/state/texture_image.h"

EXECUTOR(tex) {
    texture_fetch(warp, insn, lanes);
}

EXECUTOR(tld4) {
    texture_fetch(warp, insn, lanes);
}

EXECUTOR(txq) {
    texture_query(warp, insn, lanes);
}

EXECUTOR(suq) {
    texture_query(warp, insn, lanes);
}

EXECUTOR(suld) {
    surface_load(warp, insn, lanes);
}

EXECUTOR(sust) {
    surface_store(warp, insn, lanes);
}

EXECUTOR(sured) {
    surface_reduce(warp, insn, lanes);
}

EXECUTOR(istypep) {
    const uint64_t *a = VECTOR_AT(uint64_t, 1);
    lane_mask is = 0;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct engine_texture *found = texture_of_handle(warp, a[lane]);
        bool surface = insn->texture == REFERENCE_SURFACE;
        is |= found && found->is_surface == surface ? rest & -rest : 0;
    }
    write_predicate(warp, insn->operands[0], is, lanes);
}
