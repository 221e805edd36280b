/* Pinned memory of the host, and guards: while a copy may still use it, its pages are closed, so
 * that an access of the host is a fault, which is reported to the card and then let through. A copy
 * that writes closes them altogether, one that reads closes them for writing.
 *
 * Only whole pages can be closed: those that lie in the copy's range, and of memory that is ours
 * the last one, too, where the copy goes up to its end. What shares a page with something else is
 * not guarded: a race may be missed, never invented. */
#include "sandbox/runtime/pinned.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, WRITE_FAULT = 2 };

struct range {
    uintptr_t start, end;
};
struct memory {
    struct range range;
    bool whole_pages; /* all of its last page is its own */
    struct memory *next;
};
struct guard {
    uint64_t number;
    struct range pages;
    bool writes;
    struct guard *next;
};

static struct {
    pthread_mutex_t mutex;
    struct memory *memory;
    struct guard *guards;
    struct sigaction before;
    bool watches;
} pinned = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct range range_of(const void *start, size_t bytes) {
    return (struct range){(uintptr_t)start, (uintptr_t)start + bytes};
}

static bool meet(struct range a, struct range b) {
    return a.start < b.end && b.start < a.end;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

void pinned_add(void *start, size_t bytes, bool whole_pages) {
    struct memory *memory = start ? malloc(sizeof *memory) : NULL;
    if (!memory)
        return;
    pthread_mutex_lock(&pinned.mutex);
    *memory = (struct memory){range_of(start, bytes), whole_pages, pinned.memory};
    pinned.memory = memory;
    pthread_mutex_unlock(&pinned.mutex);
}

void pinned_remove(void *start) {
    pthread_mutex_lock(&pinned.mutex);
    struct memory **at = &pinned.memory;
    while (*at && (*at)->range.start != (uintptr_t)start)
        at = &(*at)->next;
    struct memory *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&pinned.mutex);
    if (found)
        guard_lift(start, found->range.end - found->range.start);
    free(found);
}

static const struct memory *find_memory(struct range range) {
    const struct memory *memory = pinned.memory;
    while (memory && (range.start < memory->range.start || range.end > memory->range.end))
        memory = memory->next;
    return memory;
}

bool pinned_contains(const void *start, size_t bytes) {
    pthread_mutex_lock(&pinned.mutex);
    bool found = find_memory(range_of(start, bytes));
    pthread_mutex_unlock(&pinned.mutex);
    return found;
}

/* ---- guards -----------------------------------------------------------------------------------
 */

static struct range whole_pages(const struct memory *memory, struct range range) {
    bool to_end = memory->whole_pages && range.end == memory->range.end;
    struct range pages = {(range.start + PAGE - 1) / PAGE * PAGE,
                          (range.end + (to_end ? PAGE - 1 : 0)) / PAGE * PAGE};
    return pages;
}

static void protect(struct range pages, int protection) {
    if (pages.start < pages.end)
        mprotect((void *)pages.start, pages.end - pages.start, protection);
}

static void apply(const struct guard *guard) {
    protect(guard->pages, guard->writes ? PROT_NONE : PROT_READ);
}

/* Takes those away that `ends` says, opens their pages, and closes again what others guard. */
static void end_guards(bool (*ends)(const struct guard *guard, const void *what),
                       const void *what) {
    struct guard **at = &pinned.guards, *ended = NULL;
    while (*at) {
        struct guard *guard = *at;
        if (!ends(guard, what)) {
            at = &guard->next;
            continue;
        }
        *at = guard->next;
        guard->next = ended;
        ended = guard;
        protect(guard->pages, PROT_READ | PROT_WRITE);
    }
    while (ended) {
        struct guard *guard = ended;
        for (int writes = 0; writes <= 1; writes++)
            for (struct guard *other = pinned.guards; other; other = other->next)
                if (other->writes == writes && meet(other->pages, guard->pages))
                    apply(other);
        ended = guard->next;
        free(guard);
    }
}

static bool has_number(const struct guard *guard, const void *number) {
    return guard->number == *(const uint64_t *)number;
}

static bool meets_pages(const struct guard *guard, const void *range) {
    return meet(guard->pages, *(const struct range *)range);
}

void guard_end(uint64_t number) {
    pthread_mutex_lock(&pinned.mutex);
    end_guards(has_number, &number);
    pthread_mutex_unlock(&pinned.mutex);
}

void guard_lift(const void *start, size_t bytes) {
    struct range range = range_of(start, bytes);
    pthread_mutex_lock(&pinned.mutex);
    end_guards(meets_pages, &range);
    pthread_mutex_unlock(&pinned.mutex);
}

/* ---- faults -----------------------------------------------------------------------------------
 */

/* The guard whose page it is: its number; 0: none, but memory that another thread has just opened;
 * false: the fault is the program's own. */
static bool find_fault(uintptr_t address, uint64_t *number) {
    struct range byte = {address, address + 1};
    pthread_mutex_lock(&pinned.mutex);
    const struct guard *guard = pinned.guards;
    while (guard && !meet(guard->pages, byte))
        guard = guard->next;
    *number = guard ? guard->number : 0;
    const struct memory *memory = pinned.memory;
    while (!guard && memory && !meet(memory->range, byte))
        memory = memory->next;
    pthread_mutex_unlock(&pinned.mutex);
    return guard || memory;
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    bool writes = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;
    uintptr_t address = (uintptr_t)info->si_addr;
    uint64_t number;
    if (!find_fault(address, &number)) {
        sigaction(signal_number, &pinned.before, NULL); /* it comes again at once */
        return;
    }
    if (number) {
        link_ask(WIRE_HOST_ACCESS, number, writes, 0, NULL);
        guard_end(number);
    } else {
        protect((struct range){address / PAGE * PAGE, address / PAGE * PAGE + PAGE},
                PROT_READ | PROT_WRITE);
    }
}

static void watch(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (!pinned.watches)
        sigaction(SIGSEGV, &action, &pinned.before);
    pinned.watches = true;
}

cudaError_t guard_add(void *start, size_t bytes, bool writes) {
    uint64_t number = 0;
    struct range range = range_of(start, bytes);
    cudaError_t error = link_ask(WIRE_PINNED, range.start, bytes, writes, &number);
    struct guard *guard = error == cudaSuccess && number ? malloc(sizeof *guard) : NULL;
    if (!guard)
        return error;
    pthread_mutex_lock(&pinned.mutex);
    const struct memory *memory = find_memory(range);
    struct range pages = memory ? whole_pages(memory, range) : (struct range){0, 0};
    if (pages.start < pages.end) {
        *guard = (struct guard){number, pages, writes, pinned.guards};
        pinned.guards = guard;
        watch();
        apply(guard);
        guard = NULL;
    }
    pthread_mutex_unlock(&pinned.mutex);
    free(guard);
    return error;
}
