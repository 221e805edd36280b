/* How much the race detector may remember: at most four bytes for a byte that the launch touches.
 *
 * Cells and records grow with what a kernel does. When they have grown beyond their share, all host
 * threads stop where they hold no cell, and one of them looks through the cells: records that no
 * cell leads to are given out again. Where that is not enough (every byte written and read by
 * another thread has more to be remembered than four bytes hold), the run is given up, and launch.c
 * begins anew with runs that follow a part of the memory each: slower, but as exact.
 *
 * This file counts; what cells mean is said in race_cells.c and race.c. */
#include "sandbox/simgpu/check/race_budget.h"

#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/host.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/race_state.h"

#include "sandbox/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECORD_WORDS = (1 << RECORD_BITS) / 64,
    RECORDS_BYTES = (1 << RECORD_BITS) * sizeof(struct access_record),
    LINKS_BYTES = (1 << RECORD_BITS) * sizeof(struct record_link),
    ALLOWANCE = 512 << 10, /* bytes that every launch may take, however little it touches */
    RESERVE_WORDS = 32,    /* of `live` a host, left for accesses that are on their way */
};

struct shadow_memory {
    struct record_link *links;     /* NULL: none is needed yet */
    uint64_t *live;                /* a bit a record: in use when the cells were looked through;
                                      NULL: they have not been */
    bool recycled;                 /* numbers do not grow with time any more */
    _Atomic uint32_t cursor;       /* word of `live` to be given to the next host */
    _Atomic uint64_t record_bytes; /* of the records given to hosts */
    _Atomic uint64_t split_bytes;  /* of cells of single bytes */
    _Atomic uint64_t limit;        /* of both, until the cells are looked through */
    pthread_mutex_t mutex;         /* of all that follows */
    pthread_cond_t resumed;
    unsigned running, waiting; /* hosts */
    uint64_t pauses;
    _Atomic bool paused;
    uint32_t wanted_slices; /* 0: as many as now */
    bool full;              /* no slices help: from now on nothing is remembered */
};

static uint32_t word_limit(const struct launch *launch) {
    return launch->limits->records / 64;
}

/* Of what there are numbers for, without those that accesses on their way may take. */
static uint32_t words_to_use(const struct launch *launch) {
    uint32_t all = word_limit(launch), reserve = RESERVE_WORDS * launch->host_count;
    return all > 2 * reserve ? all - reserve : all / 2;
}

void shadow_count_bytes(struct launch *launch, uint64_t bytes) {
    atomic_fetch_add_explicit(&launch->shadow->split_bytes, bytes, memory_order_relaxed);
}

uint32_t shadow_wants_slices(const struct launch *launch) {
    return launch->shadow ? launch->shadow->wanted_slices : 0;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void shadow_free(struct launch *launch) {
    struct shadow_memory *shadow = launch->shadow;
    if (!shadow)
        return;
    mem_unmap(launch->records, RECORDS_BYTES);
    mem_unmap(shadow->links, LINKS_BYTES);
    free(shadow->live);
    pthread_mutex_destroy(&shadow->mutex);
    pthread_cond_destroy(&shadow->resumed);
    free(shadow);
    launch->shadow = NULL;
}

void shadow_start(struct launch *launch) {
    shadow_free(launch);
    if (!launch->checks)
        return;
    struct shadow_memory *shadow = launch->shadow = mem_zalloc(sizeof *launch->shadow);
    pthread_mutex_init(&shadow->mutex, NULL);
    pthread_cond_init(&shadow->resumed, NULL);
    launch->records = mem_map(RECORDS_BYTES);
    shadow->running = launch->host_count;
    atomic_store(&shadow->limit, ALLOWANCE);
}

/* ---- records ------------------------------------------------------------------------------------
 */

struct record_link shadow_link(const struct launch *launch, uint32_t number) {
    const struct record_link *links = __atomic_load_n(&launch->shadow->links, __ATOMIC_ACQUIRE);
    return links ? links[number] : (struct record_link){0};
}

static struct record_link *want_links(struct shadow_memory *shadow) {
    struct record_link *there = __atomic_load_n(&shadow->links, __ATOMIC_ACQUIRE);
    if (there)
        return there;
    struct record_link *fresh = mem_map(LINKS_BYTES);
    if (__atomic_compare_exchange_n(&shadow->links, &there, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    mem_unmap(fresh, LINKS_BYTES);
    return there;
}

/* Numbers are given to hosts 64 at a time. */
static bool take_numbers(struct host *host) {
    struct shadow_memory *shadow = host->launch->shadow;
    const uint32_t limit = word_limit(host->launch);
    while (!host->free_records) {
        if (atomic_load(&shadow->cursor) >= limit)
            return false;
        uint32_t word = atomic_fetch_add(&shadow->cursor, 1);
        if (word >= limit)
            return false;
        host->free_base = word * 64;
        host->free_records = shadow->live ? ~shadow->live[word] : UINT64_MAX;
        if (word == 0)
            host->free_records &= ~(uint64_t)1; /* number 0 means nobody */
    }
    atomic_fetch_add(&shadow->record_bytes, (uint64_t)__builtin_popcountll(host->free_records) *
                                                sizeof(struct access_record));
    return true;
}

uint32_t shadow_new_record(struct host *host, struct access_record record,
                           struct record_link link) {
    struct shadow_memory *shadow = host->launch->shadow;
    if (!host->free_records && !take_numbers(host)) {
        atomic_store_explicit(&host->launch->incomplete, true, memory_order_relaxed);
        return 0;
    }
    uint32_t number = host->free_base + (uint32_t)__builtin_ctzll(host->free_records);
    host->free_records &= host->free_records - 1;
    host->launch->records[number] = record;
    if (link.older)
        want_links(shadow)[number] = link;
    else if (__atomic_load_n(&shadow->links, __ATOMIC_ACQUIRE))
        shadow->links[number] = link;
    return number;
}

/* ---- looking through the cells ------------------------------------------------------------------
 */

struct census {
    uint64_t cell_bytes, touched_bytes, initial_bytes, live;
    uint64_t words[2]; /* read, written */
    uint32_t old;      /* cells below are from before a barrier of the whole grid */
};

static void forget_live(struct shadow_memory *shadow) {
    if (!shadow->live)
        shadow->live = mem_alloc(RECORD_WORDS * sizeof *shadow->live);
    memset(shadow->live, 0, RECORD_WORDS * sizeof *shadow->live);
}

static void mark(struct shadow_memory *shadow, struct census *census, uint32_t cell) {
    while (cell >= census->old && cell >> CELL_SHIFT) {
        uint32_t number = cell >> CELL_SHIFT;
        uint64_t bit = (uint64_t)1 << (number & 63);
        if (shadow->live[number / 64] & bit)
            return;
        shadow->live[number / 64] |= bit;
        census->live++;
        cell = shadow->links ? shadow->links[number].older : 0;
    }
}

/* Old cells go, so that all that is left counts. */
static bool look_at(struct shadow_memory *shadow, struct race_cells *cells, uint64_t at,
                    struct census *census) {
    uint32_t word = cells->words[at], expanded[4];
    if (!word)
        return false; /* nor is it written: the page may not be there */
    if (word < census->old) {
        cells->words[at] = 0;
        return false;
    }
    if ((word & CELL_PATTERN) != CELL_SPLIT) {
        mark(shadow, census, word);
        return true;
    }
    cells_expand(cells, at, word, census->old, expanded);
    for (unsigned b = 0; b < 4; b++) {
        cells->bytes[4 * at + b] = expanded[b];
        mark(shadow, census, expanded[b]);
    }
    return true;
}

static bool look_at_previous(struct shadow_memory *shadow, struct race_cells *cells, uint64_t at,
                             struct census *census) {
    uint32_t cell = cells->previous ? cells->previous[at] : 0;
    if (!cell)
        return false;
    if (cell < census->old || !cells->words[at])
        cells->previous[at] = 0;
    else
        mark(shadow, census, cell);
    return true;
}

/* Words are looked at one by one; memory is taken, and counts as touched, page by page. */
static void look_at_page(struct launch *launch, struct allocation *allocation, uint64_t first,
                         uint64_t end, struct census *census) {
    struct shadow_memory *shadow = launch->shadow;
    struct race_cells *cells[2] = {&allocation->reads, &allocation->writes};
    uint64_t words[2] = {0}, joined[2] = {0};
    for (uint64_t at = first; at < end; at++)
        for (unsigned i = 0; i < 2; i++) {
            if (!cells[i]->words[at])
                continue;
            words[i] += look_at(shadow, cells[i], at, census);
            joined[i] += look_at_previous(shadow, cells[i], at, census);
        }
    uint64_t bytes = words[0] || words[1] ? (end - first) * 4 : 0;
    for (unsigned i = 0; i < 2; i++) {
        census->words[i] += words[i];
        census->cell_bytes += (words[i] ? bytes : 0) + (joined[i] ? bytes : 0);
    }
    census->touched_bytes += bytes;
    census->initial_bytes += allocation->shadow ? bytes : 0;
}

static void look_through(struct launch *launch, struct allocation *allocation,
                         struct census *census) {
    const uint64_t words = allocation->length / 4 + 1, page = (uint64_t)1 << (SLICE_SHIFT - 2);
    for (uint64_t first = 0; first < words; first += page)
        look_at_page(launch, allocation, first, first + page < words ? first + page : words,
                     census);
}

bool shadow_slice_is_empty(const struct launch *launch) {
    if (launch->heap)
        return false; /* who knows what the next run will allocate */
    for (uint32_t i = 0; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        for (uint64_t at = 0; allocation->writes.words && at < allocation->length;
             at += (uint64_t)1 << SLICE_SHIFT)
            if (shadow_follows(launch, i, at))
                return false;
    }
    return true;
}

static struct census take_census(struct launch *launch) {
    struct census census = {.old = launch->first_global << CELL_SHIFT};
    forget_live(launch->shadow);
    for (uint32_t i = 0; i < launch->allocation_count; i++)
        if (launch->allocations[i].writes.words)
            look_through(launch, &launch->allocations[i], &census);
    return census;
}

/* Every host forgets which records it made and which numbers it may give away. */
static void restart_numbers(struct launch *launch, uint64_t live) {
    struct shadow_memory *shadow = launch->shadow;
    for (unsigned h = 0; h < launch->host_count; h++) {
        struct host *host = &launch->hosts[h];
        host->free_records = 0;
        memset(host->sites, 0, launch->program->length * sizeof *host->sites);
    }
    shadow->recycled = true;
    launch->first_global = 1;
    atomic_store(&shadow->cursor, 0);
    atomic_store(&shadow->record_bytes, live * sizeof(struct access_record));
}

static void count_fresh_again(struct launch *launch, const struct census *census) {
    for (unsigned h = 0; h < launch->host_count; h++)
        for (unsigned store = 0; store < 2; store++)
            launch->hosts[h].fresh_words[store] = h == 0 ? census->words[store] : 0;
}

/* An access that got no number would be forgotten, and with it a race. */
static bool is_out_of_numbers(const struct launch *launch) {
    return atomic_load_explicit(&launch->shadow->cursor, memory_order_relaxed) >=
           words_to_use(launch);
}

/* What records and the cells of single bytes may take: less than there is room for, because records
 * wait in the hands of hosts, and pages are used in part. */
static uint64_t room_for(const struct launch *launch, const struct census *census) {
    uint64_t allowed = census->touched_bytes * launch->slices * 7 / 2;
    uint64_t taken = census->cell_bytes + census->initial_bytes * launch->slices;
    uint64_t room = allowed > taken ? allowed - taken : 0;
    return room > ALLOWANCE ? room : ALLOWANCE;
}

/* Without looking through the cells: what the hosts have counted is touched at least. */
static bool makes_do(struct launch *launch) {
    struct shadow_memory *shadow = launch->shadow;
    uint64_t words[2] = {0};
    for (unsigned h = 0; h < launch->host_count; h++)
        for (unsigned store = 0; store < 2; store++)
            words[store] += __atomic_load_n(&launch->hosts[h].fresh_words[store], __ATOMIC_RELAXED);
    uint64_t touched = 4 * (words[0] > words[1] ? words[0] : words[1]);
    struct census census = {.cell_bytes = 4 * (words[0] + words[1]),
                            .touched_bytes = touched,
                            .initial_bytes = touched};
    uint64_t used = atomic_load(&shadow->record_bytes) + atomic_load(&shadow->split_bytes);
    uint64_t room = room_for(launch, &census);
    if (used >= room || is_out_of_numbers(launch))
        return false;
    if (atomic_load(&shadow->limit) < room)
        atomic_store(&shadow->limit, room);
    return true;
}

/* In so many slices it fits, if the rest of the memory is like what was touched so far. */
static uint32_t fitting_slices(const struct launch *launch, const struct census *census,
                               uint64_t used) {
    const uint32_t most = launch->limits->slices;
    uint32_t slices = 2 * launch->slices;
    uint64_t touched = census->touched_bytes * launch->slices;
    uint64_t room = touched * 3 - census->initial_bytes * launch->slices;
    while (slices < MEMORY_SLICES && slices < most &&
           (census->cell_bytes + used) * launch->slices / slices > room)
        slices *= 2;
    return slices;
}

static void stop_run(struct launch *launch) {
    atomic_store(&launch->stopped, true);
    for (unsigned h = 0; h < launch->host_count; h++)
        launch->hosts[h].stop = true;
}

/* There are as many slices as there can be. How many records several hosts need depends on how they
 * meet; whether all is followed, and which part, must not: blocks in turns find out, long before
 * those side by side run out. */
static void give_up(struct launch *launch, uint64_t live) {
    const uint64_t room = (uint64_t)words_to_use(launch) * 64;
    if (!launch->in_turns && live > room / 8 * 5) {
        stop_run(launch);
    } else if (live > room / 8 * 7) {
        launch->shadow->full = true;
        atomic_store(&launch->incomplete, true);
    }
}

static void relieve(struct launch *launch) {
    struct shadow_memory *shadow = launch->shadow;
    struct census census = take_census(launch);
    restart_numbers(launch, census.live);
    count_fresh_again(launch, &census);
    uint64_t used = atomic_load(&shadow->record_bytes) + atomic_load(&shadow->split_bytes);
    uint64_t room = room_for(launch, &census);
    bool few_numbers = census.live > launch->limits->records / 2;
    uint32_t most = few_numbers ? launch->limits->slices : MEMORY_SLICES;
    if ((used >= room || few_numbers) && launch->slices < most &&
        launch->slices < launch->limits->slices) {
        shadow->wanted_slices = fitting_slices(launch, &census, used);
        stop_run(launch);
    } else if (few_numbers) {
        give_up(launch, census.live);
    }
    atomic_store(&shadow->limit, room > used + used / 4 ? room : used + used / 4);
}

/* ---- pauses -------------------------------------------------------------------------------------
 */

static bool is_over_limit(const struct launch *launch) {
    const struct shadow_memory *shadow = launch->shadow;
    return is_out_of_numbers(launch) ||
           atomic_load_explicit(&shadow->record_bytes, memory_order_relaxed) +
                   atomic_load_explicit(&shadow->split_bytes, memory_order_relaxed) >
               atomic_load_explicit(&shadow->limit, memory_order_relaxed);
}

static void resume(struct launch *launch) {
    struct shadow_memory *shadow = launch->shadow;
    if (!shadow->wanted_slices)
        relieve(launch);
    shadow->waiting = 0;
    shadow->pauses++;
    atomic_store(&shadow->paused, false);
    pthread_cond_broadcast(&shadow->resumed);
}

bool shadow_make_room(struct host *host) {
    struct launch *launch = host->launch;
    struct shadow_memory *shadow = launch->shadow;
    bool paused = atomic_load_explicit(&shadow->paused, memory_order_relaxed);
    if (!paused && (!is_over_limit(launch) || makes_do(launch)))
        return true;
    if (shadow->full)
        return false;
    pthread_mutex_lock(&shadow->mutex);
    if (atomic_load(&shadow->paused) || (is_over_limit(launch) && !shadow->wanted_slices)) {
        uint64_t pause = shadow->pauses;
        atomic_store(&shadow->paused, true);
        if (++shadow->waiting == shadow->running)
            resume(launch);
        while (shadow->pauses == pause)
            pthread_cond_wait(&shadow->resumed, &shadow->mutex);
    }
    bool goes_on = !shadow->wanted_slices && !shadow->full;
    pthread_mutex_unlock(&shadow->mutex);
    return goes_on;
}

void shadow_host_ends(struct host *host) {
    struct shadow_memory *shadow = host->launch->shadow;
    if (!shadow)
        return;
    pthread_mutex_lock(&shadow->mutex);
    shadow->running--;
    if (atomic_load(&shadow->paused) && shadow->waiting == shadow->running && shadow->running)
        resume(host->launch);
    pthread_mutex_unlock(&shadow->mutex);
}

/* The barrier comes when nobody is in an access. Where numbers do not tell the time any more, old
 * cells must go. */
void shadow_pass_grid_barrier(struct host *host) {
    struct launch *launch = host->launch;
    struct shadow_memory *shadow = launch->shadow;
    if (!shadow->recycled) {
        launch->first_global = host->free_records
                                   ? host->free_base + (uint32_t)__builtin_ctzll(host->free_records)
                                   : atomic_load(&shadow->cursor) * 64;
        if (launch->first_global == 0)
            launch->first_global = 1;
        return;
    }
    for (uint32_t i = 0; i < launch->allocation_count; i++) {
        struct allocation *allocation = &launch->allocations[i];
        if (!allocation->writes.words)
            continue;
        cells_forget(&allocation->writes);
        cells_forget(&allocation->reads);
    }
    forget_live(shadow);
    atomic_store(&shadow->split_bytes, 0);
    restart_numbers(launch, 0);
}
