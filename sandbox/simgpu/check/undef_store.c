/* Values that were never written, on their way to memory: a use, or only a copy?
 *
 * Stores to shared and local memory carry marks into the shadow (undef_memory.c). In global memory
 * a copy may still be padding, and so a store is a use where more than copying was done with the
 * value, or where all of it is missing. */
#include "sandbox/simgpu/check/undef_private.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

enum store_verdict { VERDICT_COPY, VERDICT_ALL_MISSING, VERDICT_USE };

/* Is the value that goes to global memory a result, or a piece of something that is copied? A piece
 * keeps its width and its position, and what is missing in it has neighbours that are there. */
static enum store_verdict judge_output(const struct warp *warp, const struct mark_lane *mark,
                                       unsigned bytes, device_address address) {
    uint64_t all = bytes == 16 ? UINT64_MAX : mark_ones(8 * bytes), unset = mark->unset & all;
    if (!unset)
        return VERDICT_COPY;
    if (mark->flags & MARK_COMPUTED || (mark->flags & MARK_MASKED && mark->address != address))
        return VERDICT_USE;
    if (mark->flags & MARK_SHIFTED && (unset & 0xff) == 0xff)
        return VERDICT_USE; /* padding never comes first */
    const struct insn *load =
        mark->flags & MARK_ORIGINS ? NULL : &warp->block->launch->program->code[mark->pc];
    if (load && ptx_type_bits((enum ptx_type)load->type) * load->vector < 8 * bytes &&
        !(mark->flags & MARK_SHIFTED) && unset != all)
        return VERDICT_USE; /* a narrow number that became a wide one */
    return unset == all && !(mark->flags & MARK_NEIGHBOURS) ? VERDICT_ALL_MISSING : VERDICT_COPY;
}

/* A part of a vector that is all missing: it is no padding where it is a number by its type, or has
 * come on its own. */
static bool is_number(const struct warp *warp, const struct insn *insn, unsigned bytes,
                      const struct mark_lane *mark) {
    if (ptx_type_is_float((enum ptx_type)insn->type) || mark->flags & MARK_ORIGINS || bytes < 4)
        return bytes >= 4;
    const struct insn *load = &warp->block->launch->program->code[mark->pc];
    return ptx_type_bits((enum ptx_type)load->type) * load->vector <= 8 * bytes;
}

/* Of a vector's elements those others that are all missing count only where all are: else they are
 * the padding of a struct that is copied in one piece. */
static void report_output(struct warp *warp, const struct insn *insn, lane_mask lanes,
                          const device_address *addresses) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    lane_mask missing = lanes;
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct undef_value *undefined = undef_find(warp, insn->operands[1 + i]);
        lane_mask used = 0, all = 0, marked = undefined ? undefined->lanes & lanes : 0;
        for (lane_mask rest = marked; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            enum store_verdict verdict =
                judge_output(warp, &undefined->lane[lane], bytes, addresses[lane] + i * bytes);
            if (verdict == VERDICT_ALL_MISSING &&
                is_number(warp, insn, bytes, &undefined->lane[lane]))
                verdict = VERDICT_USE;
            used |= verdict == VERDICT_USE ? rest & -rest : 0;
            all |= verdict == VERDICT_ALL_MISSING ? rest & -rest : 0;
        }
        missing &= all | used;
        if (used)
            undef_use(warp, insn, insn->operands[1 + i], used);
    }
    for (unsigned i = 0; i < insn->vector; i++)
        if (missing)
            undef_use(warp, insn, insn->operands[1 + i], missing);
}

/* What a store has carried into memory is as little written as it was before. Lanes that store to
 * one location do so in their order. */
static void carry(struct warp *warp, const struct insn *insn, lane_mask lanes,
                  const device_address *addresses) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8, width = mark_byte_bits(bytes);
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct undef_value *undefined = undef_find(warp, insn->operands[1 + i]);
        for (lane_mask rest = undefined ? lanes : 0; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            struct memory_location place = memory_locate(warp, (enum ptx_space)insn->space, lane,
                                                         addresses[lane] + (uint64_t)i * bytes);
            const struct mark_lane *mark = &undefined->lane[lane];
            uint64_t unset = undefined->lanes >> lane & 1 ? mark->unset : 0;
            for (unsigned byte = 0; place.shadow && byte < bytes && byte < place.left; byte++) {
                unsigned bits = (unsigned)(unset >> (width * byte)) & ((1u << width) - 1);
                unsigned char *shadow = place.shadow + byte;
                if (*shadow == SHADOW_NOBODY || place.space == SPACE_CONST)
                    continue;
                if (place.space == SPACE_GLOBAL)
                    *shadow = bits == (1u << width) - 1 ? SHADOW_UNINITIALIZED : *shadow;
                else if (bits)
                    undef_track(memory_keeper(warp, &place), shadow,
                                width == 8 ? (uint8_t)bits : UINT8_MAX, mark);
                else
                    *shadow = SHADOW_INITIALIZED;
            }
        }
    }
}

void undef_store(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    device_address addresses[WARP_LANES];
    undef_use(warp, insn, insn->operands[0], lanes);
    access_addresses(warp, insn->operands[0], insn->address32, insn->offset, addresses);
    lane_mask global = access_in_space(warp, insn, lanes, addresses, SPACE_GLOBAL);
    if (global)
        report_output(warp, insn, global, addresses);
    insn->execute(warp, insn, lanes);
    carry(warp, insn, lanes, addresses);
}
