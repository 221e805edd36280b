/* A sorted list of ranges of pages, which are mapped without access. They stay so: the card gives
 * an address that was freed to the next allocation. */
#include "sandbox/runtime/host/place.h"

#include "sandbox/runtime/link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE = 4096 };

struct range {
    uint64_t start, end;
};

static struct {
    pthread_rwlock_t lock;
    struct range *ranges; /* ascending, apart */
    size_t count, capacity;
} kept = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* The first range that ends after the address. */
static size_t first_after(uint64_t address) {
    size_t low = 0, high = kept.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (kept.ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool reserve(uint64_t start, uint64_t end) {
    void *at = (void *)start, *mapped = MAP_FAILED;
    if (start < end)
        mapped = mmap(at, end - start, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped != MAP_FAILED && mapped != at)
        munmap(mapped, end - start);
    return start >= end || mapped == at;
}

/* What lies between the ranges from `at` on, one gap after the other; which were made before one
 * fails stay, and are tried again in vain: an address that is kept for nothing does no harm. */
static bool fill_gaps(size_t at, uint64_t start, uint64_t end) {
    for (; start < end; at++) {
        bool last = at == kept.count || kept.ranges[at].start >= end;
        if (!reserve(start, last ? end : kept.ranges[at].start))
            return false;
        start = last ? end : kept.ranges[at].end;
    }
    return true;
}

static void add(size_t at, uint64_t start, uint64_t end) {
    size_t last = at;
    while (last < kept.count && kept.ranges[last].start <= end)
        last++;
    if (last > at) { /* one range for all that it touches */
        start = kept.ranges[at].start < start ? kept.ranges[at].start : start;
        end = kept.ranges[last - 1].end > end ? kept.ranges[last - 1].end : end;
    } else if (kept.count == kept.capacity) {
        kept.capacity = 2 * kept.capacity + 64;
        kept.ranges = realloc(kept.ranges, kept.capacity * sizeof *kept.ranges);
        if (!kept.ranges)
            link_give_up("out of memory");
    }
    size_t gone = last > at ? last - at : 0;
    memmove(&kept.ranges[at + 1], &kept.ranges[at + gone],
            (kept.count - at - gone) * sizeof *kept.ranges);
    kept.ranges[at] = (struct range){start, end};
    kept.count = kept.count + 1 - gone;
}

bool place_keep(uint64_t address, uint64_t bytes) {
    if (address >> 47)
        return true;
    uint64_t start = address / PAGE * PAGE, end = (address + bytes + PAGE - 1) / PAGE * PAGE;
    pthread_rwlock_wrlock(&kept.lock);
    size_t at = first_after(start);
    bool done = fill_gaps(at, start, end);
    if (done)
        add(at, start, end);
    pthread_rwlock_unlock(&kept.lock);
    return done;
}

bool place_is_kept(uint64_t address) {
    pthread_rwlock_rdlock(&kept.lock);
    size_t at = first_after(address);
    bool found = at < kept.count && kept.ranges[at].start <= address;
    pthread_rwlock_unlock(&kept.lock);
    return found;
}
