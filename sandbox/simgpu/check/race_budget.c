/* How much the race detector may remember: at most four bytes for a byte that the launch touches.
 *
 * Cells and records grow with what a kernel does. When they have grown beyond their share, all host
 * threads stop where they hold no cell, and one of them looks through the cells: records that no
 * cell leads to are given out again. Where that is not enough (every byte written and read by
 * another thread has more to be remembered than four bytes hold), the run is given up, and launch.c
 * starts again with runs that follow a part of the memory each: slower, but as exact.
 *
 * This file counts; what cells mean is said in race_cells.c and race.c. */
#include "sandbox/simgpu/check/race_budget.h"

#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/host_thread.h"
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
    RESERVE_WORDS =
        32, /* of `live` for each host thread, left for accesses that are on their way */
};

struct race_budget {
    struct record_link *links;     /* NULL: none is needed yet */
    uint64_t *live;                /* a bit a record: in use when the cells were looked through;
                                      NULL: they have not been */
    bool recycled;                 /* numbers do not grow with time any more */
    _Atomic uint32_t cursor;       /* word of `live` to be given to the next host thread */
    _Atomic uint64_t record_bytes; /* of the records given to host threads */
    _Atomic uint64_t split_bytes;  /* of cells of single bytes */
    _Atomic uint64_t limit;        /* of both, until the cells are looked through */
    pthread_mutex_t mutex;         /* of all that follows */
    pthread_cond_t resumed;
    unsigned running, waiting; /* host threads */
    uint64_t pauses;
    _Atomic bool paused;
    uint32_t needed_slices; /* 0: as many as now */
    bool full;              /* no slices help: from now on nothing is remembered */
};

static uint32_t word_limit(const struct launch *launch) {
    return launch->limits->records / 64;
}

/* Of what there are numbers for, without those that accesses on their way may take. */
static uint32_t words_to_use(const struct launch *launch) {
    uint32_t all = word_limit(launch), reserve = RESERVE_WORDS * launch->host_thread_count;
    return all > 2 * reserve ? all - reserve : all / 2;
}

void race_budget_count_bytes(struct launch *launch, uint64_t bytes) {
    atomic_fetch_add_explicit(&launch->race_budget->split_bytes, bytes, memory_order_relaxed);
}

uint32_t race_budget_needs_slices(const struct launch *launch) {
    return launch->race_budget ? launch->race_budget->needed_slices : 0;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

void race_budget_free(struct launch *launch) {
    struct race_budget *budget = launch->race_budget;
    if (!budget)
        return;
    mem_unmap(launch->records, RECORDS_BYTES);
    mem_unmap(budget->links, LINKS_BYTES);
    free(budget->live);
    pthread_mutex_destroy(&budget->mutex);
    pthread_cond_destroy(&budget->resumed);
    free(budget);
    launch->race_budget = NULL;
}

void race_budget_start(struct launch *launch) {
    race_budget_free(launch);
    if (!launch->checks)
        return;
    struct race_budget *budget = launch->race_budget = mem_zalloc(sizeof *launch->race_budget);
    pthread_mutex_init(&budget->mutex, NULL);
    pthread_cond_init(&budget->resumed, NULL);
    launch->records = mem_map(RECORDS_BYTES);
    budget->running = launch->host_thread_count;
    atomic_store(&budget->limit, ALLOWANCE);
}

/* ---- records ------------------------------------------------------------------------------------
 */

struct record_link race_budget_link(const struct launch *launch, uint32_t number) {
    const struct record_link *links =
        __atomic_load_n(&launch->race_budget->links, __ATOMIC_ACQUIRE);
    return links ? links[number] : (struct record_link){0};
}

static struct record_link *want_links(struct race_budget *budget) {
    struct record_link *there = __atomic_load_n(&budget->links, __ATOMIC_ACQUIRE);
    if (there)
        return there;
    struct record_link *fresh = mem_map(LINKS_BYTES);
    if (__atomic_compare_exchange_n(&budget->links, &there, fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return fresh;
    mem_unmap(fresh, LINKS_BYTES);
    return there;
}

/* Numbers are given to host threads 64 at a time. */
static bool take_numbers(struct host_thread *host_thread) {
    struct race_budget *budget = host_thread->launch->race_budget;
    const uint32_t limit = word_limit(host_thread->launch);
    while (!host_thread->free_records) {
        if (atomic_load(&budget->cursor) >= limit)
            return false;
        uint32_t word = atomic_fetch_add(&budget->cursor, 1);
        if (word >= limit)
            return false;
        host_thread->free_base = word * 64;
        host_thread->free_records = budget->live ? ~budget->live[word] : UINT64_MAX;
        if (word == 0)
            host_thread->free_records &= ~(uint64_t)1; /* number 0 means no thread */
    }
    atomic_fetch_add(&budget->record_bytes,
                     (uint64_t)__builtin_popcountll(host_thread->free_records) *
                         sizeof(struct access_record));
    return true;
}

uint32_t race_budget_new_record(struct host_thread *host_thread, struct access_record record,
                                struct record_link link) {
    struct race_budget *budget = host_thread->launch->race_budget;
    if (!host_thread->free_records && !take_numbers(host_thread)) {
        atomic_store_explicit(&host_thread->launch->incomplete, true, memory_order_relaxed);
        return 0;
    }
    uint32_t number = host_thread->free_base + (uint32_t)__builtin_ctzll(host_thread->free_records);
    host_thread->free_records &= host_thread->free_records - 1;
    host_thread->launch->records[number] = record;
    if (link.older)
        want_links(budget)[number] = link;
    else if (__atomic_load_n(&budget->links, __ATOMIC_ACQUIRE))
        budget->links[number] = link;
    return number;
}

/* ---- looking through the cells ------------------------------------------------------------------
 */

struct census {
    uint64_t cell_bytes, touched_bytes, initial_bytes, live;
    uint64_t words[2]; /* read, written */
    uint32_t old;      /* cells below are from before a barrier of the whole grid */
};

static void forget_live(struct race_budget *budget) {
    if (!budget->live)
        budget->live = mem_alloc(RECORD_WORDS * sizeof *budget->live);
    memset(budget->live, 0, RECORD_WORDS * sizeof *budget->live);
}

static void mark(struct race_budget *budget, struct census *census, uint32_t cell) {
    while (cell >= census->old && cell >> CELL_SHIFT) {
        uint32_t number = cell >> CELL_SHIFT;
        uint64_t bit = (uint64_t)1 << (number & 63);
        if (budget->live[number / 64] & bit)
            return;
        budget->live[number / 64] |= bit;
        census->live++;
        cell = budget->links ? budget->links[number].older : 0;
    }
}

/* Old cells go, so that all that is left counts. */
static bool look_at(struct race_budget *budget, struct race_cells *cells, uint64_t at,
                    struct census *census) {
    uint32_t word = cells->words[at], expanded[4];
    if (!word)
        return false; /* nor is it written: the page may not be there */
    if (word < census->old) {
        cells->words[at] = 0;
        return false;
    }
    if ((word & CELL_PATTERN) != CELL_SPLIT) {
        mark(budget, census, word);
        return true;
    }
    cells_expand(cells, at, word, census->old, expanded);
    for (unsigned b = 0; b < 4; b++) {
        cells->bytes[4 * at + b] = expanded[b];
        mark(budget, census, expanded[b]);
    }
    return true;
}

static bool look_at_previous(struct race_budget *budget, struct race_cells *cells, uint64_t at,
                             struct census *census) {
    uint32_t cell = cells->previous ? cells->previous[at] : 0;
    if (!cell)
        return false;
    if (cell < census->old || !cells->words[at])
        cells->previous[at] = 0;
    else
        mark(budget, census, cell);
    return true;
}

/* Words are looked at one by one; memory is taken, and counts as touched, page by page. */
static void look_at_page(struct launch *launch, struct allocation *allocation, uint64_t first,
                         uint64_t end, struct census *census) {
    struct race_budget *budget = launch->race_budget;
    struct race_cells *cells[2] = {&allocation->reads, &allocation->writes};
    uint64_t words[2] = {0}, joined[2] = {0};
    for (uint64_t at = first; at < end; at++)
        for (unsigned i = 0; i < 2; i++) {
            if (!cells[i]->words[at])
                continue;
            words[i] += look_at(budget, cells[i], at, census);
            joined[i] += look_at_previous(budget, cells[i], at, census);
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

bool race_budget_slice_is_empty(const struct launch *launch) {
    if (launch->heap || launch->cluster_size > 1)
        return false; /* who knows what the next run will allocate */
    for (uint32_t i = 0; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        for (uint64_t at = 0; allocation->writes.words && at < allocation->length;
             at += (uint64_t)1 << SLICE_SHIFT)
            if (race_budget_follows(launch, i, at))
                return false;
    }
    return true;
}

static struct census take_census(struct launch *launch) {
    struct census census = {.old = launch->first_global << CELL_SHIFT};
    forget_live(launch->race_budget);
    for (uint32_t i = 0; i < launch->allocation_count; i++)
        if (launch->allocations[i].writes.words)
            look_through(launch, &launch->allocations[i], &census);
    for (uint32_t i = 0; i < launch->cluster_memory_count; i++)
        if (launch->cluster_memory[i].writes.words)
            look_through(launch, &launch->cluster_memory[i], &census);
    return census;
}

/* Every host thread forgets which records it made and which numbers it may give away. */
static void restart_numbers(struct launch *launch, uint64_t live) {
    struct race_budget *budget = launch->race_budget;
    for (unsigned h = 0; h < launch->host_thread_count; h++) {
        struct host_thread *host_thread = &launch->host_thread_pool[h];
        host_thread->free_records = 0;
        memset(host_thread->sites, 0, launch->program->length * sizeof *host_thread->sites);
    }
    budget->recycled = true;
    launch->first_global = 1;
    atomic_store(&budget->cursor, 0);
    atomic_store(&budget->record_bytes, live * sizeof(struct access_record));
}

static void count_fresh_again(struct launch *launch, const struct census *census) {
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        for (unsigned store = 0; store < 2; store++)
            launch->host_thread_pool[h].fresh_words[store] = h == 0 ? census->words[store] : 0;
}

/* Without a number the access, and a race with it, would be missed. */
static bool is_out_of_numbers(const struct launch *launch) {
    return atomic_load_explicit(&launch->race_budget->cursor, memory_order_relaxed) >=
           words_to_use(launch);
}

/* What records and the cells of single bytes may take: less than there is room for, because records
 * wait in the hands of host threads, and pages are used in part. */
static uint64_t room_for(const struct launch *launch, const struct census *census) {
    uint64_t allowed = census->touched_bytes * launch->slices * 7 / 2;
    uint64_t taken = census->cell_bytes + census->initial_bytes * launch->slices;
    uint64_t room = allowed > taken ? allowed - taken : 0;
    return room > ALLOWANCE ? room : ALLOWANCE;
}

/* Without looking through the cells: what the host threads have counted is touched at least. */
static bool makes_do(struct launch *launch) {
    struct race_budget *budget = launch->race_budget;
    uint64_t words[2] = {0};
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        for (unsigned store = 0; store < 2; store++)
            words[store] +=
                __atomic_load_n(&launch->host_thread_pool[h].fresh_words[store], __ATOMIC_RELAXED);
    uint64_t touched = 4 * (words[0] > words[1] ? words[0] : words[1]);
    struct census census = {.cell_bytes = 4 * (words[0] + words[1]),
                            .touched_bytes = touched,
                            .initial_bytes = touched};
    uint64_t used = atomic_load(&budget->record_bytes) + atomic_load(&budget->split_bytes);
    uint64_t room = room_for(launch, &census);
    if (used >= room || is_out_of_numbers(launch))
        return false;
    if (atomic_load(&budget->limit) < room)
        atomic_store(&budget->limit, room);
    return true;
}

/* With this many slices it fits, if the rest of the memory is like what was touched so far. */
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
    for (unsigned h = 0; h < launch->host_thread_count; h++)
        launch->host_thread_pool[h].stop = true;
}

/* There are as many slices as there can be. How many records several host threads need depends on
 * how they meet; whether all is followed, and which part, must not: blocks in turns find out, long
 * before those side by side run out. */
static void give_up(struct launch *launch, uint64_t live) {
    const uint64_t room = (uint64_t)words_to_use(launch) * 64;
    if (!launch->in_turns && live > room / 8 * 5) {
        stop_run(launch);
    } else if (live > room / 8 * 7) {
        launch->race_budget->full = true;
        atomic_store(&launch->incomplete, true);
    }
}

static void relieve(struct launch *launch) {
    struct race_budget *budget = launch->race_budget;
    struct census census = take_census(launch);
    /* Numbers begin anew: what was settled before a grid barrier would seem to be of today. */
    for (uint32_t i = 0; launch->first_global != 1 && i < launch->allocation_count; i++)
        cells_unsettle(&launch->allocations[i].reads);
    restart_numbers(launch, census.live);
    count_fresh_again(launch, &census);
    uint64_t used = atomic_load(&budget->record_bytes) + atomic_load(&budget->split_bytes);
    uint64_t room = room_for(launch, &census);
    bool few_numbers = census.live > launch->limits->records / 2;
    uint32_t most = few_numbers ? launch->limits->slices : MEMORY_SLICES;
    if ((used >= room || few_numbers) && launch->slices < most &&
        launch->slices < launch->limits->slices) {
        budget->needed_slices = fitting_slices(launch, &census, used);
        stop_run(launch);
    } else if (few_numbers) {
        give_up(launch, census.live);
    }
    atomic_store(&budget->limit, room > used + used / 4 ? room : used + used / 4);
}

/* ---- pauses -------------------------------------------------------------------------------------
 */

static bool is_over_limit(const struct launch *launch) {
    const struct race_budget *budget = launch->race_budget;
    return is_out_of_numbers(launch) ||
           atomic_load_explicit(&budget->record_bytes, memory_order_relaxed) +
                   atomic_load_explicit(&budget->split_bytes, memory_order_relaxed) >
               atomic_load_explicit(&budget->limit, memory_order_relaxed);
}

static void resume(struct launch *launch) {
    struct race_budget *budget = launch->race_budget;
    if (!budget->needed_slices)
        relieve(launch);
    budget->waiting = 0;
    budget->pauses++;
    atomic_store(&budget->paused, false);
    pthread_cond_broadcast(&budget->resumed);
}

bool race_budget_make_room(struct host_thread *host_thread) {
    struct launch *launch = host_thread->launch;
    struct race_budget *budget = launch->race_budget;
    bool paused = atomic_load_explicit(&budget->paused, memory_order_relaxed);
    if (!paused && (!is_over_limit(launch) || makes_do(launch)))
        return true;
    if (budget->full)
        return false;
    pthread_mutex_lock(&budget->mutex);
    if (atomic_load(&budget->paused) || (is_over_limit(launch) && !budget->needed_slices)) {
        uint64_t pause = budget->pauses;
        atomic_store(&budget->paused, true);
        if (++budget->waiting == budget->running)
            resume(launch);
        while (budget->pauses == pause)
            pthread_cond_wait(&budget->resumed, &budget->mutex);
    }
    bool goes_on = !budget->needed_slices && !budget->full;
    pthread_mutex_unlock(&budget->mutex);
    return goes_on;
}

void race_budget_thread_ends(struct host_thread *host_thread) {
    struct race_budget *budget = host_thread->launch->race_budget;
    if (!budget)
        return;
    pthread_mutex_lock(&budget->mutex);
    budget->running--;
    if (atomic_load(&budget->paused) && budget->waiting == budget->running && budget->running)
        resume(host_thread->launch);
    pthread_mutex_unlock(&budget->mutex);
}

/* The barrier comes when no thread is in an access. Where numbers do not tell the time any more,
 * old cells must go. */
void race_budget_pass_grid_barrier(struct host_thread *host_thread) {
    struct launch *launch = host_thread->launch;
    struct race_budget *budget = launch->race_budget;
    if (!budget->recycled) {
        launch->first_global =
            host_thread->free_records
                ? host_thread->free_base + (uint32_t)__builtin_ctzll(host_thread->free_records)
                : atomic_load(&budget->cursor) * 64;
        if (launch->first_global == 0)
            launch->first_global = 1;
        return;
    }
    for (uint32_t i = 0; i < launch->allocation_count + launch->cluster_memory_count; i++) {
        struct allocation *allocation = i < launch->allocation_count
                                            ? &launch->allocations[i]
                                            : &launch->cluster_memory[i - launch->allocation_count];
        if (!allocation->writes.words)
            continue;
        cells_forget(&allocation->writes);
        cells_forget(&allocation->reads);
    }
    forget_live(budget);
    atomic_store(&budget->split_bytes, 0);
    restart_numbers(launch, 0);
}
