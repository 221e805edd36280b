/* Pinned memory of the host, and guards: while a copy may still use it, its pages are closed, so
 * that an access of the host is a fault, which is reported to the card and then let through. A copy
 * that writes closes them altogether, one that reads closes them for writing. The same goes for
 * managed or mapped memory and kernels; these touch some bytes of a page, and the card says whether
 * the host's was one of them. If not, the page is open from then on.
 *
 * Only whole pages can be closed: those that lie in the copy's range, and of memory that is ours
 * the last one, too, where the copy goes up to its end. What shares a page with something else is
 * not guarded: a race may be missed, never invented. */
#include "sandbox/runtime/pinned.h"

#include "sandbox/runtime/shared.h"
#include "sandbox/runtime/stream.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, WRITE_FAULT = 2, AT_ONE_BYTE = 16 };

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

/* Closes again what guards say of these pages: what one closes altogether is not to be readable. */
static void apply_all(struct range pages) {
    for (int writes = 0; writes <= 1; writes++)
        for (const struct guard *guard = pinned.guards; guard; guard = guard->next)
            if (guard->writes == writes && meet(guard->pages, pages))
                apply(guard);
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
        apply_all(guard->pages);
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

/* The guards whose page it is: their numbers; none: memory that another thread has just opened;
 * false: the fault is the program's own. */
static bool find_fault(uintptr_t address, uint64_t numbers[static AT_ONE_BYTE], size_t *count) {
    struct range byte = {address, address + 1};
    *count = 0;
    pthread_mutex_lock(&pinned.mutex);
    for (const struct guard *guard = pinned.guards; guard && *count < AT_ONE_BYTE;
         guard = guard->next)
        if (meet(guard->pages, byte))
            numbers[(*count)++] = guard->number;
    const struct memory *memory = pinned.memory;
    while (memory && !meet(memory->range, byte))
        memory = memory->next;
    pthread_mutex_unlock(&pinned.mutex);
    return *count || memory || is_shared((void *)address);
}

/* Says so to the card, and lets the host through. */
static void host_comes(uintptr_t address, bool writes, const uint64_t *numbers, size_t count) {
    /* A function of the host in a stream comes after the work before it, which is all there is. */
    for (size_t i = 0; i < count && !callback_is_thread(); i++) {
        uint64_t is_race = 0;
        link_ask(WIRE_HOST_ACCESS, numbers[i], writes, address, &is_race);
        if (is_race)
            guard_end(numbers[i]);
    }
    protect((struct range){address / PAGE * PAGE, address / PAGE * PAGE + PAGE},
            PROT_READ | PROT_WRITE);
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    bool writes = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;
    uintptr_t address = (uintptr_t)info->si_addr;
    uint64_t numbers[AT_ONE_BYTE];
    size_t count;
    if (!find_fault(address, numbers, &count)) {
        sigaction(signal_number, &pinned.before, NULL); /* it comes again at once */
        return;
    }
    host_comes(address, writes, numbers, count);
}

static bool is_guarded(uintptr_t address, bool writes) {
    struct range byte = {address, address + 1};
    pthread_mutex_lock(&pinned.mutex);
    const struct guard *guard = pinned.guards;
    while (guard && !(meet(guard->pages, byte) && (guard->writes || writes)))
        guard = guard->next;
    pthread_mutex_unlock(&pinned.mutex);
    return guard;
}

void guard_use(const void *start, size_t bytes, bool writes) {
    uintptr_t end = (uintptr_t)start + bytes, page = (uintptr_t)start / PAGE * PAGE;
    if (!__atomic_load_n(&pinned.guards, __ATOMIC_RELAXED) || end < (uintptr_t)start)
        return;
    for (uintptr_t at = (uintptr_t)start; at < end; at = page += PAGE) {
        uint64_t numbers[AT_ONE_BYTE];
        size_t count;
        if (is_guarded(at, writes) && find_fault(at, numbers, &count))
            host_comes(at, writes, numbers, count);
    }
}

static void watch(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (!pinned.watches)
        sigaction(SIGSEGV, &action, &pinned.before);
    pinned.watches = true;
}

/* The mutex is held. */
static void add(struct guard guard) {
    struct guard *added = malloc(sizeof *added);
    if (!added)
        return;
    *added = guard;
    added->next = pinned.guards;
    pinned.guards = added;
    watch();
    apply_all(added->pages);
}

void guard_close(const struct wire_guard *pages) {
    struct range range = {pages->address, pages->address + pages->bytes};
    const struct shared_range *shared = shared_find((void *)range.start, 1);
    if (!shared || shared->kind == SHARED_REGISTERED) /* its pages hold other things, too */
        return;
    pthread_mutex_lock(&pinned.mutex);
    const struct guard *guard = pinned.guards;
    while (guard && (guard->number != pages->number || guard->pages.start != range.start ||
                     guard->pages.end != range.end))
        guard = guard->next;
    if (guard)
        apply_all(range);
    else
        add((struct guard){.number = pages->number, .pages = range, .writes = pages->writes});
    pthread_mutex_unlock(&pinned.mutex);
}

cudaError_t guard_add(void *start, size_t bytes, bool writes) {
    uint64_t number = 0;
    struct range range = range_of(start, bytes);
    cudaError_t error = link_ask(WIRE_PINNED, range.start, bytes, writes, &number);
    if (error != cudaSuccess || !number)
        return error;
    pthread_mutex_lock(&pinned.mutex);
    const struct memory *memory = find_memory(range);
    struct range pages = memory ? whole_pages(memory, range) : (struct range){0, 0};
    if (pages.start < pages.end)
        add((struct guard){.number = number, .pages = pages, .writes = writes});
    pthread_mutex_unlock(&pinned.mutex);
    return error;
}
