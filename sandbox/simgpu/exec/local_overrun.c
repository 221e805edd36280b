/* Local variables that are run off.
 *
 * A thread's local memory is one piece, so that past one variable there is the next one, and
 * memory.c sees nothing wrong. The instructions of which local_objects.c knows the variable have an
 * executor of their own, which looks at their addresses first; all others cost nothing.
 *
 * A pointer past the end of a variable, from which a program may count down, is the beginning of
 * the next one. An access from there to the variable before is therefore right. */
#include "sandbox/simgpu/exec/local_overrun.h"

#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/local_objects.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"

#include <stdio.h>

static bool holds(const struct local_object *object, int64_t from, int64_t to) {
    return from >= object->start && to <= object->end;
}

static void report(struct warp *warp, const struct insn *insn, lane_mask lanes,
                   const struct local_object *object, const struct local_object *holder,
                   int64_t from, unsigned bytes) {
    struct dim3 thread = special_thread_index(warp, (unsigned)__builtin_ctz(lanes));
    struct dim3 block = warp->block->id;
    uint32_t length = object->end - object->start;
    bool before = from < object->start;
    char where[160] = "";
    if (holder)
        snprintf(where, sizeof where, ": it hits the local variable %s", holder->name);
    struct hazard *hazard = hazard_report(
        warp, insn_pc(warp, insn), PC_NONE, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, lanes,
        "%s of %u byte%s, %lld bytes %s the local variable %s, which has %u byte%s, by thread (%u, "
        "%u, %u) of block (%u, %u, %u)%s",
        insn->cost == COST_STORE ? "write" : "read", bytes, bytes == 1 ? "" : "s",
        (long long)(before ? object->start - from : from - object->start),
        before ? "before the beginning of" : "after the beginning of", object->name, length,
        length == 1 ? "" : "s", thread.x, thread.y, thread.z, block.x, block.y, block.z, where);
    if (hazard)
        snprintf(hazard->variable, sizeof hazard->variable, "%s", object->name);
}

static void check(struct warp *warp, const struct insn *insn, lane_mask lanes,
                  const struct local_objects *objects, const struct local_object *object) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8 * insn->vector;
    int64_t base = warp->frame->local_base, first = 0;
    const struct local_object *hit = NULL;
    lane_mask wrong = 0;
    device_address addresses[WARP_LANES];
    access_addresses(warp, insn->operands[0], insn->address32, insn->offset, addresses);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        int64_t from = (int64_t)(addresses[lane] & OFFSET_MASK) - base, to = from + bytes;
        if (holds(object, from, to))
            continue;
        const struct local_object *holder = local_objects_at(objects, object->function, from, to);
        if (holder && holder->end == object->start)
            continue;
        if (!wrong) {
            first = from;
            hit = holder;
        }
        wrong |= rest & -rest;
    }
    if (wrong)
        report(warp, insn, wrong, object, hit, first, bytes);
}

static void execute_checked(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const struct launch *launch = warp->block->launch;
    const struct local_objects *objects = launch->program->local_objects;
    const struct local_access *access = local_objects_access(objects, insn_pc(warp, insn));
    if (launch->checks)
        check(warp, insn, lanes, objects, &objects->objects[access->object]);
    access->execute(warp, insn, lanes);
}

void local_overrun_link(struct program *program) {
    struct local_objects *objects = program->local_objects;
    for (size_t i = 0; objects && i < objects->access_count; i++) {
        struct insn *insn = &program->code[objects->accesses[i].pc];
        objects->accesses[i].execute = insn->execute;
        insn->execute = execute_checked;
    }
}
