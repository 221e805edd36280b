/* Undefined values that cross a call: parameters of functions (structs go there with their
 * padding), calls through pointers, and what printf prints. */
#include "sandbox/simgpu/check/undef_private.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"

static uint32_t parameter_at(uint64_t offset) {
    return offset < MAX_PARAMETER ? MARK_PARAMETER | (uint32_t)offset << 2 : OPERAND_NONE;
}

void undef_store_parameter(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        struct undef_outcome outcome = {
            .operand = parameter_at((uint64_t)insn->offset + (uint64_t)i * bytes)};
        const struct undef_value *undefined = undef_find(warp, insn->operands[1 + i]);
        for (lane_mask rest = undefined ? undefined->lanes & lanes : 0; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            outcome.lane[lane] = undefined->lane[lane];
            outcome.lane[lane].unset &= bytes == 16 ? UINT64_MAX : mark_ones(8 * bytes);
            outcome.lanes |= outcome.lane[lane].unset ? rest & -rest : 0;
        }
        undef_set(warp, &outcome, lanes);
    }
}

/* Structs need not be read in the pieces in which they were written. */
void undef_load_parameter(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    int bytes = (int)(ptx_type_bits((enum ptx_type)insn->type) / 8);
    for (int i = 0; i < insn->vector; i++) {
        int64_t from = insn->offset + (int64_t)i * bytes;
        struct undef_outcome outcome = {.operand = insn->operands[1 + i]};
        for (int distance = -7; distance < bytes && distance < 8; distance++) {
            const struct undef_value *piece =
                from + distance < 0 ? NULL
                                    : undef_find(warp, parameter_at((uint64_t)(from + distance)));
            for (lane_mask rest = piece ? piece->lanes & lanes : 0; rest; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                uint64_t unset = piece->lane[lane].unset;
                unset = distance < 0 ? unset >> -8 * distance : unset << 8 * distance;
                unset &= mark_ones(8 * (unsigned)bytes);
                if (!unset)
                    continue;
                uint64_t before = outcome.lanes >> lane & 1 ? outcome.lane[lane].unset : 0;
                outcome.lane[lane] = piece->lane[lane];
                outcome.lane[lane].unset = before | unset;
                outcome.lanes |= rest & -rest;
            }
        }
        undef_set(warp, &outcome, lanes);
    }
}

static bool is_parameter(const struct undef_value *undefined, const struct frame *frame,
                         uint32_t from, uint32_t bytes) {
    uint32_t offset = (undefined->offset & ~(uint32_t)MARK_PARAMETER) >> 2;
    return undefined->frame == frame && undefined->offset & MARK_PARAMETER &&
           undefined->offset != MARK_CARRY && offset >= from && offset - from < bytes;
}

void undef_pass(struct warp *warp, lane_mask lanes, const struct undef_parameters *to,
                const struct undef_parameters *from, uint32_t bytes) {
    size_t count = warp->undef_count;
    for (size_t i = 0; i < count; i++) /* what an earlier call left there */
        if (is_parameter(&warp->undef_values[i], to->frame, to->offset, bytes))
            warp->undef_values[i].lanes &= ~lanes;
    for (size_t i = 0; i < count; i++) {
        struct undef_value copy = warp->undef_values[i];
        copy.lanes &= lanes;
        if (!is_parameter(&copy, from->frame, from->offset, bytes) || !copy.lanes)
            continue;
        uint32_t offset = copy.offset + ((to->offset - from->offset) << 2);
        struct undef_value *passed =
            undef_find_in(warp, to->frame, offset); /* of lanes that stayed away */
        if (!passed)
            passed = undef_add(warp, to->frame, offset);
        passed->lanes |= copy.lanes;
        for (lane_mask rest = copy.lanes; rest; rest &= rest - 1)
            passed->lane[__builtin_ctz(rest)] = copy.lane[__builtin_ctz(rest)];
    }
    undef_drop_empty(warp);
}

void undef_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
                lane_mask lanes) {
    if (call->builtin == BUILTIN_NONE) {
        if (call->function < 0)
            undef_use(warp, insn, call->address, lanes);
        undef_drop_empty(warp);
        return;
    }
    for (size_t i = 0; i < warp->undef_count; i++) {
        struct undef_value *undefined = &warp->undef_values[i];
        for (uint32_t j = 0; j < call->argument_count && undefined->lanes & lanes; j++)
            if (is_parameter(undefined, warp->frame, call->arguments[j], call->argument_bytes[j])) {
                undef_report(warp, insn, undefined->lane, undefined->lanes & lanes);
                undefined->lanes &= ~lanes;
            }
        if (call->has_result &&
            is_parameter(undefined, warp->frame, call->result, call->result_bytes))
            undefined->lanes &= ~lanes;
    }
    undef_drop_empty(warp);
}

void undef_print(struct warp *warp, const struct insn *insn, unsigned lane, device_address address,
                 unsigned bytes) {
    struct memory_location place = memory_locate(warp, SPACE_GENERIC, lane, address);
    if (!warp->block->launch->checks || !place.shadow || place.left < bytes)
        return;
    struct mark_lane lanes[WARP_LANES] = {{0}};
    for (unsigned i = 0; i < bytes; i++) {
        const struct block *keeper = memory_keeper(warp, &place);
        const struct tracked *tracked = undef_tracked(keeper, place.shadow + i);
        if (!tracked || !undef_tracked_bits(keeper, place.shadow + i))
            continue;
        lanes[lane] = tracked->origin;
        undef_report(warp, insn, lanes, (lane_mask)1 << lane);
        return;
    }
}
