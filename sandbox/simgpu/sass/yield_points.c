/* Where warps wait for loads, and others have their turn.
 *
 * A warp asks for all that the assembler has it ask for before the first instruction that needs a
 * result of it; then others do. So a turn ends before the first load that the assembler puts after
 * such an instruction, but for one between stores that go together, and where the piece of code
 * ends; before a load that has to stay after a store, too (write_combining.c). The end of a loop's
 * pass ends a turn by itself (warp.c), and so does a barrier. Of blocks that wait for each other
 * each goes as far as it can: how long that takes is up to block_dependency.c. */
#include "sandbox/simgpu/sass/yield_points.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/sass/write_combining.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = UINT16_MAX + 1 };
#define NOT_ASKED UINT32_MAX /* it is computed */

struct yield_search {
    struct sass_model *code;
    bool *loaded;    /* by value: of global memory, somewhere */
    uint32_t *asked; /* by value: after how many waits of the program it was last asked for */
    uint32_t waits;  /* so far */
    uint32_t first;  /* ... at the beginning of this piece of code */
    bool waited;     /* since the last load or turn */
    bool *inside;    /* by pc: between stores that go to the L2 together */
    uint8_t *yield_points;
};

static bool is_load(const struct operation *operation) {
    bool global = operation->space == SPACE_GLOBAL || operation->space == SPACE_GENERIC;
    return global && (operation->kind == OPERATION_LOAD || operation->kind == OPERATION_ATOMIC);
}

static void note_results(struct yield_search *search, const struct operation *operation,
                         bool loaded, uint32_t asked) {
    for (unsigned d = 0; d < OPERATION_DESTINATIONS && operation->destinations[d] != NO_VALUE;
         d++) {
        search->loaded[operation->destinations[d]] |= loaded;
        search->asked[operation->destinations[d]] = asked;
    }
}

/* Whether the value has been asked for since the last wait; what other pieces of code have asked
 * for is there after the first one. */
static bool is_load_used(const struct yield_search *search, uint16_t value) {
    uint32_t asked = search->asked[value];
    return search->loaded[value] &&
           (asked == search->waits || (asked < search->first && search->waits == search->first));
}

static bool awaits(const struct yield_search *search, const struct operation *operation) {
    for (unsigned s = 0; s < OPERATION_SOURCES && operation->sources[s] != NO_VALUE; s++)
        if (is_load_used(search, operation->sources[s]))
            return true;
    return false;
}

/* At the end of a piece of code after a wait: the turn ends before a branch, for there are none
 * after it; where code goes on, before its next load. Some instructions end a turn anyway. */
static void end_piece(struct yield_search *search, uint32_t pc) {
    const struct insn *insn = &search->code->program->code[pc];
    search->waited = insn->flow == FLOW_EXECUTE;
    if (insn->flow == FLOW_BRANCH)
        search->yield_points[pc] |= insn->target > (int64_t)pc;
    if (insn->flow == FLOW_EXIT || insn->flow == FLOW_RETURN)
        search->yield_points[pc] |= insn->guard != GUARD_NONE;
}

/* Stores of what was loaded block nothing: the assembler moves them down. */
static void find_in_region(struct yield_search *search, const struct region *region) {
    search->first = ++search->waits;
    for (size_t i = 0; i < region->count; i++) {
        const struct operation *operation = &region->operations[i];
        bool pending = awaits(search, operation);
        if (operation->kind == OPERATION_NAME) {
            note_results(search, operation, pending, pending ? search->waits : NOT_ASKED);
            continue;
        }
        if (pending && operation->kind != OPERATION_STORE) {
            search->waits++;
            search->waited = true;
        }
        bool load = is_load(operation);
        if (load && search->waited) {
            search->yield_points[operation->pc] |= !search->inside[operation->pc];
            search->waited = false;
        }
        note_results(search, operation, load, load ? search->waits : NOT_ASKED);
    }
    if (search->waited)
        end_piece(search, region->last);
}

static void mark_loads(struct yield_search *search, const struct region *region) {
    for (size_t i = 0; i < region->count; i++)
        if (is_load(&region->operations[i]))
            note_results(search, &region->operations[i], true, 0);
}

/* Other warps' stores come between those of a run only where it ends. */
static bool *find_inside(const struct program *program) {
    bool *inside = mem_calloc(program->length + 1, sizeof *inside);
    cleanup_free uint32_t *runs = write_combining_find_runs(program);
    uint32_t last = 0; /* the last store, plus one */
    for (uint32_t pc = 0; pc < program->length; pc++) {
        if (!runs[pc])
            continue;
        for (uint32_t at = last; last && runs[last - 1] == runs[pc] && at < pc; at++)
            inside[at] = true;
        last = pc + 1;
    }
    return inside;
}

uint8_t *yield_points_find(struct sass_model *code) {
    const struct program *program = code->program;
    uint8_t *yield_points = write_combining_followers(program);
    if (program->blocks_communicate)
        return yield_points;
    struct yield_search search = {
        .code = code,
        .loaded = mem_calloc(VALUES, sizeof *search.loaded),
        .asked = mem_calloc(VALUES, sizeof *search.asked),
        .inside = find_inside(program),
        .yield_points = yield_points,
    };
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t pc = 0; pc < program->length;) {
            const struct region *region = sass_model_region(search.code, pc);
            if (round)
                find_in_region(&search, region);
            else
                mark_loads(&search, region);
            pc = region->last + 1;
        }
    free(search.loaded);
    free(search.asked);
    free(search.inside);
    return yield_points;
}
