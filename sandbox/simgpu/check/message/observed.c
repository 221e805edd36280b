/* What an atomic has read orders what its thread does at the same place.
 *
 * PTX ISA 8.9.5: X precedes Y in causality order, too, where X precedes some Z in observation order
 * and Z precedes Y in base causality order, of which program order is a part. A write precedes a
 * read in observation order where it reads its value, or that of an atomic which does; both must be
 * strong and reach each other. So after `if (atomicAdd(&n, 1) == last)` the thread may write n as
 * it likes: no fence is needed for that, but for whatever else the others did before their atomics.
 * The others' plain accesses, and strong ones that have come since, are in no such order.
 *
 * Of the words where a strong access has read last, a table knows who that was, and which of their
 * bytes; another strong write makes it nobody, as does another word that takes the place. A strong
 * store reads nothing: what was before it is not observed. An access that the value has not decided
 * about follows the others' atomics by chance (observed_value.c), and is no less a race than in the
 * schedule where it comes first.
 *
 * It counts only where no other host thread is at the cells, so that the answer is always the same.
 */
#include "sandbox/simgpu/check/race_join.h"

#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"

enum { MOST_STEPS = 1 << 22, OBSERVATIONS = 1 << 11 };

struct observation {
    const struct race_cells *cells; /* NULL: nobody */
    uint64_t word;
    unsigned mask;            /* of its bytes */
    struct access_record who; /* of one lane */
};

static struct observation *place_of(const struct race_walk *walk, uint64_t word) {
    const struct race_cells *cells = walk->window->writes;
    uint64_t place = mix_word(word, (uintptr_t)walk->window->allocation) % OBSERVATIONS;
    struct observation *there = &walk->warp->host_thread->observations[place];
    return (walk->insn->extra & EXTRA_OBSERVES && walk->strong) ||
                   (there->cells == cells && there->word == word)
               ? there
               : NULL;
}

static bool is_own(const struct race_walk *walk, const struct access_record *who, unsigned lane) {
    return who->lanes == (lane_mask)1 << lane && who->warp == (walk->warp->index & 31) &&
           who->block == (uint32_t)walk->warp->block->index;
}

static void note(const struct race_walk *walk, unsigned lane, uint64_t word, unsigned mask) {
    struct observation *there = place_of(walk, word);
    if (walk->insn->extra & EXTRA_OBSERVES) {
        *there =
            (struct observation){walk->window->writes, word, mask,
                                 *race_record_at(walk->warp, walk->window->shared, walk->number)};
        there->who.lanes = (lane_mask)1 << lane;
    } else if (there && walk->store && !is_own(walk, &there->who, lane)) {
        there->cells = NULL;
    }
}

void race_observed_note(const struct race_walk *walk, lane_mask lanes, const uint64_t *offsets,
                        unsigned bytes) {
    struct host_thread *host_thread = walk->warp->host_thread;
    if (!walk->window->alone)
        return;
    if (!host_thread->observations)
        host_thread->observations = mem_calloc(OBSERVATIONS, sizeof *host_thread->observations);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        unsigned first = offsets[lane] % 4, mask = bytes < 4 ? ((1U << bytes) - 1) << first : 15;
        for (uint64_t at = offsets[lane] / 4; at <= (offsets[lane] + bytes - 1) / 4; at++)
            note(walk, lane, at, mask);
    }
}

static bool decides(const struct race_walk *walk, uint32_t observing) {
    const struct program *program = walk->warp->block->launch->program;
    uint32_t other = insn_pc(walk->warp, walk->insn);
    struct observed_pair *known = walk->warp->host_thread->observed;
    known += (observing + other) % ARRAY_LENGTH(walk->warp->host_thread->observed);
    uint64_t budget = MOST_STEPS;
    if (known->observing != observing || known->other != other)
        *known = (struct observed_pair){observing, other,
                                        observed_value_decides(program, observing, other, &budget)};
    return known->decides;
}

static bool is_scope_cta(const struct program *program, const struct access_record *record) {
    return insn_is_scope_cta(&program->code[record->pc]);
}

bool race_observed(const struct race_walk *walk, unsigned lane, uint64_t word, unsigned mask,
                   const struct access_record *other) {
    const struct race_window *window = walk->window;
    const struct program *program = walk->warp->block->launch->program;
    bool known = window->alone && walk->warp->host_thread->observations;
    const struct observation *there = known ? place_of(walk, word) : NULL;
    if (!there || mask & ~there->mask || !other->strong || !other->store)
        return false;
    const struct access_record *who = &there->who;
    if (window->shared && who->block != other->block)
        return false; /* of the block that had this memory before */
    bool mutual = !program->scoped || who->block == other->block ||
                  !(is_scope_cta(program, who) || is_scope_cta(program, other));
    bool before =
        is_own(walk, who, lane) || !race_unordered(walk->warp, lane, who, who->lanes, true);
    return mutual && before && decides(walk, who->pc);
}
