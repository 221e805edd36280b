/* The way of a warp through its path: which operation comes next, and when it can be issued.
 *
 * A warp issues in order, with a scoreboard of values. A predicate is there for what it guards
 * later than for what computes with it. Parameters are loaded by the assembler where they are first
 * read after the branches before: a piece of code that reads some waits for all of them together,
 * once. What issuing does is up to replay.c. */
#include "sandbox/simgpu/time/replay_private.h"

static void enter_region(struct replay *replay, struct walker *walker, uint32_t pc) {
    const struct path_segment *segment = &walker->path->segments[walker->segment];
    const struct region *region = sass_model_region(replay->input->code, pc);
    walker->low = pc;
    walker->high = segment->last < region->last ? segment->last : region->last;
    walker->off = segment->off_count ? &walker->path->off[segment->off] : NULL;
    walker->off_count = segment->off_count;
    walker->after = walker->high + 1;
    walker->next = 0;
    walker->operations = region->operations;
    walker->count = region->count;
    uint32_t length = walker->high - walker->low + 1;
    walker->budget = walker->budget > length ? walker->budget - length : 0;
    bool whole = segment->first == region->first && segment->last == region->last;
    if (whole && region->unrolled && walker->turns_left >= region->factor) {
        walker->operations = region->unrolled;
        walker->count = region->unrolled_count;
        walker->turns_left -= region->factor - 1;
        uint64_t more = (uint64_t)length * (region->factor - 1);
        walker->budget = walker->budget > more ? walker->budget - more : 0;
    }
}

/* The next operation of the path; NULL at its end. */
static const struct operation *next_operation(struct replay *replay, struct walker *walker) {
    const struct warp_path *path = walker->path;
    for (;;) {
        while (walker->next < walker->count) {
            const struct operation *operation = &walker->operations[walker->next++];
            if (operation->pc >= walker->low && operation->pc <= walker->high)
                return operation;
        }
        if (walker->segment >= path->count || walker->budget == 0)
            return NULL;
        const struct path_segment *segment = &path->segments[walker->segment];
        if (walker->count && walker->after <= segment->last) {
            enter_region(replay, walker, walker->after);
            continue;
        }
        if (walker->count && --walker->turns_left == 0) {
            if (++walker->segment >= path->count)
                return NULL;
            segment++;
            walker->turns_left = segment->times;
        }
        enter_region(replay, walker, segment->first);
    }
}

static bool is_elsewhere(const struct walker *walker, const struct operation *operation) {
    for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
        if (walker->values[operation->sources[s]] == REPLAY_ELSEWHERE)
            return true;
    return false;
}

static double sources_ready(struct walker *walker, const struct operation *operation,
                            uint32_t *culprit) {
    double ready = 0;
    for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++) {
        uint16_t value = operation->sources[s];
        if (walker->values[value] == REPLAY_ELSEWHERE)
            walker->values[value] = walker->entered + walker->parameter_clocks;
        if (walker->values[value] > ready) {
            ready = walker->values[value];
            *culprit = walker->producers[value];
        }
    }
    return ready;
}

void replay_set_results(struct walker *walker, const struct operation *operation, double ready,
                        uint32_t producer) {
    for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE;
         d++) {
        walker->values[operation->destinations[d]] = ready;
        walker->producers[operation->destinations[d]] = producer;
    }
}

/* When the predicate is there that guards the operation: later than for those that compute with it,
 * by which the assembler keeps the two apart. */
static double guard_ready(const struct replay *replay, const struct walker *walker,
                          const struct operation *operation, uint32_t *culprit) {
    const struct device_profile *device = replay->input->device;
    uint16_t guard = operation->conditional ? operation->sources[0] : operation->guard;
    if (guard == NO_VALUE)
        return 0;
    *culprit = walker->producers[guard];
    return walker->values[guard] + device->predicate_cycles - device->alu_cycles;
}

void replay_advance(struct replay *replay, struct walker *walker) {
    for (;;) {
        const struct operation *operation = next_operation(replay, walker);
        uint32_t culprit = operation ? operation->pc : 0;
        walker->operation = operation;
        if (!operation)
            return;
        if (operation->kind == OPERATION_NAME && is_elsewhere(walker, operation)) {
            replay_set_results(walker, operation, REPLAY_ELSEWHERE, culprit);
            continue;
        }
        double ready = sources_ready(walker, operation, &culprit);
        if (operation->kind == OPERATION_NAME) {
            replay_set_results(walker, operation, ready, culprit);
            continue;
        }
        if (operation->kind == OPERATION_WAIT && walker->async > ready)
            ready = walker->async;
        uint32_t guard_culprit = culprit;
        double guard = guard_ready(replay, walker, operation, &guard_culprit);
        if (guard > ready) {
            ready = guard;
            culprit = guard_culprit;
        }
        walker->ready = walker->last_issue;
        walker->culprit = operation->pc;
        if (ready > walker->ready) {
            walker->ready = ready;
            walker->culprit = culprit;
        }
        return;
    }
}

/* Whether the warp goes on elsewhere than after the piece of code that its branch ends. */
static bool is_taken(const struct walker *walker) {
    const struct path_segment *segment = &walker->path->segments[walker->segment];
    if (walker->next < walker->count || walker->after <= segment->last)
        return false;
    if (walker->turns_left > 1)
        return segment->first != walker->after;
    return walker->segment + 1 < walker->path->count && segment[1].first != walker->after;
}

void replay_branch(struct replay *replay, struct walker *walker) {
    const struct device_profile *device = replay->input->device;
    walker->last_issue += is_taken(walker) ? device->jump_cycles : device->branch_cycles;
    walker->entered = walker->last_issue;
    replay_advance(replay, walker);
}
