/* What the host must not use before it has waited: pinned memory of a copy that may be on its way,
 * and managed or mapped memory of a kernel that may still run. The library closes the pages and
 * asks here when the host comes to one: a guard knows the work, and of a launch the very bytes.
 *
 * The host may read what a kernel only reads, on cards with concurrent access to managed memory;
 * and what a kernel writes for it to be seen while it runs, by volatile stores or those of system
 * scope, is no race. Nor is anything of a kernel that writes so and has a fence of that scope. */
#include "sandbox/card/card_private.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 4096,
    HOST_OBJECT = 1,
    MAX_GUARDS = 1 << 16,
    MAX_LAUNCHES = 1 << 10, /* of those; later ones go without: a race may be missed */
    MAX_RANGES = 1 << 20,   /* of all launches */
};

static struct card_guard *find(const struct card *card, uint64_t number) {
    struct card_guard *guard =
        number && number <= card->guard_count ? &card->guards[number - 1] : NULL;
    return guard && guard->live ? guard : NULL;
}

/* NULL: there are too many. */
static struct card_guard *make(struct card *card, const struct touch_work *work, bool writes) {
    size_t at = 0;
    while (at < card->guard_count && card->guards[at].live)
        at++;
    if (at == MAX_GUARDS || card->common->no_checks)
        return NULL;
    if (at == card->guard_count)
        mem_push(&card->guards, &card->guard_count, &card->guard_capacity);
    card->guards[at] = (struct card_guard){.live = true, .writes = writes, .work = *work};
    return &card->guards[at];
}

static void end(struct card *card, struct card_guard *guard) {
    card->guarded_launches -= guard->range_count != 0;
    card->guarded_ranges -= guard->range_count;
    free(guard->ranges);
    *guard = (struct card_guard){0};
}

void card_clear_guards(struct card *card) {
    for (size_t i = 0; i < card->guard_count; i++)
        free(card->guards[i].ranges);
    free(card->guards);
}

uint64_t guards_end(struct card *card, struct text *numbers) {
    enum { AT_ONCE = 512 };
    uint64_t ended = 0;
    for (size_t i = 0; i < card->guard_count && ended < AT_ONCE; i++) {
        struct card_guard *guard = &card->guards[i];
        if (!guard->live || !order_is_before(guard->work.stamp, &card->order->host))
            continue;
        end(card, guard);
        text_append_bytes(numbers, (const char *)&(uint64_t){i + 1}, sizeof(uint64_t));
        ended++;
    }
    while (card->guard_count && !card->guards[card->guard_count - 1].live)
        card->guard_count--;
    return ended;
}

enum card_error card_do_PINNED(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    uint64_t address = request->head.argument[0], bytes = request->head.argument[1];
    bool writes = request->head.argument[2];
    struct touch_work work;
    if (!bytes || bytes > UINT64_MAX - address ||
        !card_begin(card, request, writes ? "a copy to the host" : "a copy from the host", &work))
        return CARD_INVALID_VALUE;
    const struct engine_range range = {address, address + bytes,
                                       writes ? ENGINE_TOUCH_WRITE : ENGINE_TOUCH_READ};
    card_touch(card, &work, (uint64_t)HOST_OBJECT << 32, "the host's pinned memory", &range, 1);
    const struct card_guard *guard = make(card, &work, writes);
    reply->head.value[0] = guard ? (uint64_t)(guard - card->guards) + 1 : 0;
    return CARD_OK;
}

/* ---- launches ---------------------------------------------------------------------------------
 */

static bool writes_unseen(unsigned how) {
    return how & ENGINE_TOUCH_WRITE ||
           (how & ENGINE_TOUCH_ATOMIC_WRITE && !(how & ENGINE_TOUCH_FOR_HOST));
}

static bool is_for_host(unsigned how) {
    return how & ENGINE_TOUCH_FOR_HOST && !writes_unseen(how);
}

static bool is_closed(unsigned how) {
    return writes_unseen(how) || how & ENGINE_TOUCH_READ;
}

static bool touches_the_same(const struct card_guard *guard, const struct engine_touched *touched) {
    if (guard->range_count != touched->count)
        return false;
    for (size_t i = 0; i < touched->count; i++) {
        const struct engine_range *a = &guard->ranges[i], *b = &touched->ranges[i];
        if (a->low != b->low || a->high != b->high || a->how != b->how)
            return false;
    }
    return true;
}

/* The same work again, as in a loop: later than the first, and on the same bytes. */
static struct card_guard *find_launch(struct card *card, const struct touch_work *work,
                                      const struct engine_touched *touched) {
    for (size_t i = 0; i < card->guard_count; i++) {
        struct card_guard *guard = &card->guards[i];
        if (guard->live && guard->block == touched->number && guard->work.stream == work->stream &&
            guard->work.site == work->site && touches_the_same(guard, touched))
            return guard;
    }
    return NULL;
}

static struct card_guard *make_launch(struct card *card, const struct touch_work *work,
                                      const struct engine_touched *touched) {
    struct card_guard *guard = find_launch(card, work, touched);
    if (guard) {
        guard->work = *work;
        return guard;
    }
    if (card->guarded_launches == MAX_LAUNCHES || touched->count > MAX_RANGES ||
        card->guarded_ranges > MAX_RANGES - touched->count)
        return NULL;
    guard = make(card, work, false);
    if (!guard)
        return NULL;
    guard->block = touched->number;
    guard->ranges = mem_dup(touched->ranges, touched->count * sizeof *touched->ranges);
    guard->range_count = touched->count;
    card->guarded_launches++;
    card->guarded_ranges += touched->count;
    return guard;
}

static void append_pages(const struct wire_guard *pages, struct text *out) {
    if (pages->bytes && out->length < WIRE_GUARDS_MAX * sizeof *pages)
        text_append_bytes(out, (const char *)pages, sizeof *pages);
}

/* The pages of the guard's bytes: those in a row that are closed in the same way are one. */
static void name_pages(const struct card *card, const struct card_guard *guard, struct text *out) {
    struct wire_guard last = {0};
    uint64_t start = card_address_of(card, guard->block);
    for (size_t i = 0; i < guard->range_count; i++) {
        const struct engine_range *range = &guard->ranges[i];
        if (!is_closed(range->how))
            continue;
        uint64_t low = start + range->low / PAGE * PAGE;
        uint64_t high = start + (range->high + PAGE - 1) / PAGE * PAGE;
        bool writes = writes_unseen(range->how);
        if (last.bytes && last.address + last.bytes > low) { /* its last page is our first */
            if (writes && !last.writes) {
                last.bytes -= PAGE;
                append_pages(&last, out);
                last.bytes = 0;
            } else if (!writes && last.writes) {
                low += PAGE;
            }
        }
        if (low >= high)
            continue;
        if (last.bytes && last.writes == writes && low <= last.address + last.bytes) {
            last.bytes = high - last.address;
            continue;
        }
        append_pages(&last, out);
        last = (struct wire_guard){.number = (uint64_t)(guard - card->guards) + 1,
                                   .address = low,
                                   .bytes = high - low,
                                   .writes = writes};
    }
    append_pages(&last, out);
}

bool guards_need_touched(const struct card *card) {
    for (size_t i = 0; card->shared && i < ENGINE_HOST_BLOCKS; i++)
        if (card->shared[i].seen)
            return true;
    return false;
}

static bool is_shared(const struct card *card, const struct engine_touched *touched) {
    return card->shared && touched->number < ENGINE_HOST_BLOCKS &&
           card->shared[touched->number].seen;
}

/* A flag that the host looks for, behind a fence or by a release of system scope: who has seen it
 * may use whatever the kernel wrote before, and what that is nobody knows. */
static bool raises_flag(const struct card *card, const struct engine_memory *memory) {
    for (size_t i = 0; i < memory->touched_count && memory->tells_host; i++) {
        const struct engine_touched *touched = &memory->touched[i];
        for (size_t k = 0; k < touched->count && is_shared(card, touched); k++)
            if (is_for_host(touched->ranges[k].how))
                return true;
    }
    return false;
}

void guards_launch(struct card *card, const struct touch_work *work,
                   const struct engine_memory *memory, struct text *out) {
    bool all = raises_flag(card, memory);
    for (size_t i = 0; i < memory->touched_count; i++) {
        const struct engine_touched *touched = &memory->touched[i];
        bool shared = is_shared(card, touched);
        for (size_t k = 0; shared && k < touched->count; k++)
            if (all || is_for_host(touched->ranges[k].how))
                shared_show(card, touched->number, touched->ranges[k].low, touched->ranges[k].high);
        const struct card_guard *guard = shared && !all ? make_launch(card, work, touched) : NULL;
        if (guard)
            name_pages(card, guard, out);
    }
}

/* ---- the host comes ---------------------------------------------------------------------------
 */

static unsigned touch_of(const struct card *card, const struct card_guard *guard,
                         uint64_t address) {
    uint64_t offset = address - card_address_of(card, guard->block);
    for (size_t i = 0; i < guard->range_count; i++)
        if (offset >= guard->ranges[i].low && offset < guard->ranges[i].high)
            return guard->ranges[i].how;
    return 0;
}

enum card_error card_do_HOST_ACCESS(struct card *card, const struct card_request *request,
                                    struct card_reply *reply) {
    struct card_guard *guard = find(card, request->head.argument[0]);
    bool writes = request->head.argument[1];
    if (!guard)
        return CARD_INVALID_VALUE;
    struct hazard hazard = {
        .kind = HAZARD_HOST_RACE, .site = card->site, .other_site = guard->work.site};
    bool other_writes = guard->writes;
    if (guard->range_count) {
        unsigned how = touch_of(card, guard, request->head.argument[2]);
        other_writes = writes_unseen(how);
        if (!other_writes && !(writes && is_closed(how)))
            return CARD_OK;
        snprintf(hazard.variable, sizeof hazard.variable, "%s",
                 card->blocks[guard->block].about.name);
    }
    char name[32] = "the default stream";
    if (guard->work.stream)
        snprintf(name, sizeof name, "stream %" PRIu64, guard->work.stream);
    findings_add_host(card, hazard,
                      "the host %s memory that %s in %s %s; it has not waited for that",
                      writes ? "writes" : "reads", guard->work.what, name,
                      other_writes ? "may still be writing" : "may still be reading");
    if (guard->range_count)
        end(card, guard);
    reply->head.value[0] = 1;
    return CARD_OK;
}
