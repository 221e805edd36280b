/* Which line of the program calls us: the return addresses on the stack that lie in the program's
 * own file, as offsets into it. Who reads debug information later decides which of them to name;
 * a wrapper's caller is the next one.
 *
 * Unwinding takes microseconds, too long for each call. So a way is remembered together with the
 * places on the stack from which its return addresses were read: where the innermost frame and all
 * of these words are the same again, it is the same way. The innermost frame is found without
 * unwinding, because this library is built with frame pointers.
 *
 * Frames that are not the program's (the C++ library's, that call back) end the way once it has
 * reached the program: what is further out did not write this call. */
#include "sandbox/runtime/host/site.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unwind.h>

enum {
    MOST_SITES = 1 << 14, /* more different ways stay unknown */
    BUCKETS = 1 << 15,    /* of the table of sites; a power of two */
    RECENT = 256,         /* ways remembered with their stack; likewise */
    MOST_STEPS = 48,      /* frames looked at */
};

struct way {
    uintptr_t pc, cfa; /* of the innermost frame that is not ours */
    uint32_t site;
    unsigned count;
    struct {
        const uintptr_t *slot; /* where on the stack ... */
        uintptr_t value;       /* ... this return address stood */
    } outer[WIRE_SITE_FRAMES];
};

struct stack {
    size_t count;
    uint64_t frames[WIRE_SITE_FRAMES];
};

struct range {
    uintptr_t start, end;
};

static struct {
    pthread_mutex_t mutex;
    bool mapped;
    struct range library, program;
    uintptr_t base; /* of the program: an address minus this is an offset into its file */
    struct way recent[RECENT];
    struct stack sites[MOST_SITES + 1]; /* by number */
    uint32_t count, buckets[BUCKETS];
} known = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct range range_of(const struct dl_phdr_info *object) {
    struct range range = {UINTPTR_MAX, 0};
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
        if (part->p_type != PT_LOAD)
            continue;
        range.start = start < range.start ? start : range.start;
        range.end = end > range.end ? end : range.end;
    }
    return range;
}

static bool is_in(struct range range, uintptr_t address) {
    return address >= range.start && address < range.end;
}

/* The first object is the program. */
static int map_object(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    bool *first = data;
    struct range range = range_of(object);
    if (*first) {
        known.program = range;
        known.base = object->dlpi_addr;
    }
    if (is_in(range, (uintptr_t)&map_object))
        known.library = range;
    *first = false;
    return 0;
}

/* ---- unwinding --------------------------------------------------------------------------------
 */

struct walk {
    struct way way;
    struct stack stack;
    unsigned steps;
    bool is_outside; /* of the library */
    bool is_regular; /* every return address was read where it stands */
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
    struct walk *walk = data;
    int is_interrupted = 0; /* at this address, by a signal; else a call stands before it */
    uintptr_t pc = (uintptr_t)_Unwind_GetIPInfo(context, &is_interrupted);
    if (++walk->steps > MOST_STEPS)
        return _URC_END_OF_STACK;
    if (!walk->is_outside && is_in(known.library, pc))
        return _URC_NO_REASON;
    walk->is_outside = true;
    if (is_in(known.program, pc)) {
        /* a return address stands after the call, perhaps on the next line */
        walk->stack.frames[walk->stack.count++] = pc - !is_interrupted - known.base;
    } else if (walk->stack.count) {
        return _URC_END_OF_STACK;
    }
    /* the CFA is that of the frame before, below which its return address stands: our pc */
    const uintptr_t *slot = (const uintptr_t *)_Unwind_GetCFA(context) - 1;
    walk->is_regular &= !is_interrupted && *slot == pc;
    walk->way.outer[walk->way.count].slot = slot;
    walk->way.outer[walk->way.count++].value = pc;
    bool full = walk->way.count == WIRE_SITE_FRAMES || walk->stack.count == WIRE_SITE_FRAMES;
    return full ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static uint32_t intern(const struct stack *stack) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < stack->count; i++)
        hash = (hash ^ (uint32_t)stack->frames[i]) * 16777619u;
    uint32_t *bucket = &known.buckets[hash % BUCKETS];
    while (*bucket && memcmp(&known.sites[*bucket], stack, sizeof *stack) != 0)
        bucket = bucket == &known.buckets[BUCKETS - 1] ? known.buckets : bucket + 1;
    if (!*bucket && known.count < MOST_SITES) {
        known.sites[++known.count] = *stack;
        *bucket = known.count;
    }
    return *bucket;
}

/* ---- the shorter way --------------------------------------------------------------------------
 */

struct frame {
    const struct frame *next;
    uintptr_t pc;
};

static bool is_same(const struct way *way, uintptr_t pc, uintptr_t cfa) {
    if (!way->site || way->pc != pc || way->cfa != cfa)
        return false;
    for (unsigned i = 0; i < way->count; i++)
        if (*way->outer[i].slot != way->outer[i].value)
            return false;
    return true;
}

static uint32_t find(const struct frame *inner) {
    if (!known.mapped) {
        bool first = true;
        dl_iterate_phdr(map_object, &first);
        known.mapped = true;
    }
    while (is_in(known.library, inner->pc))
        inner = inner->next;
    uintptr_t cfa = (uintptr_t)(inner + 1);
    struct way *way = &known.recent[(inner->pc ^ inner->pc >> 8 ^ cfa >> 4) % RECENT];
    if (is_same(way, inner->pc, cfa))
        return way->site;
    struct walk walk = {.way = {.pc = inner->pc, .cfa = cfa}, .is_regular = true};
    _Unwind_Backtrace(step, &walk);
    walk.way.site = walk.stack.count ? intern(&walk.stack) : 0;
    if (walk.is_regular)
        *way = walk.way;
    return walk.way.site;
}

__attribute__((noinline)) uint32_t site_here(void) {
    pthread_mutex_lock(&known.mutex);
    uint32_t site = find(__builtin_frame_address(0));
    pthread_mutex_unlock(&known.mutex);
    return site;
}

__attribute__((noinline)) uint32_t site_here_at_last(void) {
    if (pthread_mutex_trylock(&known.mutex) != 0)
        return 0;
    uint32_t site = find(__builtin_frame_address(0));
    pthread_mutex_unlock(&known.mutex);
    return site;
}

size_t site_frames(uint32_t site, uint64_t frames[WIRE_SITE_FRAMES]) {
    pthread_mutex_lock(&known.mutex);
    size_t count = site && site <= known.count ? known.sites[site].count : 0;
    memcpy(frames, known.sites[count ? site : 0].frames, count * sizeof *frames);
    pthread_mutex_unlock(&known.mutex);
    return count;
}
