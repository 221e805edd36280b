/* A thread that waits reads the same address until it finds something else there. A load that no
 * way through the code leads back to with the address that it had, such as one look at each
 * neighbour in a graph, waits for nothing.
 *
 * The ways from the load back to itself are followed twice in a row, with a number for the value of
 * each register: what is computed from the same values in the same way has the same number, what is
 * loaded or exchanged has a new one. Where the numbers of the address agree the second and the
 * third time, the load may repeat. A guard and a selection go both ways, as branches do.
 *
 * Only registers that the address is computed from have numbers. Ways that meet again with the same
 * numbers go on as one: an unrolled loop has few such states, and more ways than can be counted. */

#include "sandbox/base/memory.h"
#include "sandbox/base/mix.h"
#include "sandbox/simgpu/program/instruction_values.h"

#include <stdlib.h>

enum {
    WAY_STEPS = 4096, /* of one load; a way that is longer is taken to lead back */
    MOST_VALUES = 1024,
    MOST_BRANCHES = 64,
    MOST_LOOPS = 64,
    KEPT_STATES = 512, /* a power of two */
};

struct known_value {
    uint32_t operand;
    uint64_t number;
};

/* A walk is a stack: a branch that is left takes the values that it gave with it. */
struct way_search {
    const struct program *program;
    uint32_t load;
    struct known_value values[MOST_VALUES];
    size_t value_count;
    uint64_t held;    /* of all values, whatever their order */
    uint8_t *matters; /* by register offset / 4: the address is computed from it */
    size_t slot_count;
    uint64_t states[KEPT_STATES]; /* at branches that have been followed; a later one may replace
                                     an earlier one */
    unsigned steps, depth;
    uint32_t loops[MOST_LOOPS]; /* branches backward on the way */
    unsigned loop_count;
};

/* Where a way has come to. */
struct way {
    uint32_t at;
    unsigned turn;    /* how often the load has been met */
    uint64_t address; /* its address then */
    unsigned loops;   /* those from here on were taken since then */
};

static uint64_t number_of(const struct way_search *search, uint32_t operand) {
    for (size_t i = search->value_count; i-- > 0;)
        if (search->values[i].operand == operand)
            return search->values[i].number;
    return mix_word(operand, 1);
}

static uint64_t operand_number(const struct way_search *search, uint32_t operand) {
    bool fixed = operand >= OPERAND_NONE || operand & OPERAND_CONSTANT;
    return fixed ? operand : number_of(search, operand);
}

static bool matters(const struct way_search *search, uint32_t operand) {
    return operand / 4 < search->slot_count && search->matters[operand / 4];
}

/* False where there are too many of them. */
static bool give(struct way_search *search, uint32_t operand, uint64_t number) {
    if (!matters(search, operand))
        return true;
    if (search->value_count == MOST_VALUES)
        return false;
    search->held ^= mix_word(operand, number_of(search, operand)) ^ mix_word(operand, number);
    search->values[search->value_count++] = (struct known_value){operand, number};
    return true;
}

static uint64_t result_number(const struct way_search *search, const struct insn *insn,
                              const struct instruction_values *values) {
    uint64_t number = mix_word((uint64_t)insn->form << 32 | (uint64_t)insn->type << 16 |
                                   (uint64_t)insn->type2 << 8 | insn->rounding,
                               (uint64_t)insn->offset);
    number = mix_word(number, (uint64_t)insn->compare << 8 | insn->boolean);
    for (unsigned i = 0; i < OPERAND_SLOTS; i++) /* constants: no register stands for them */
        if (insn->operands[i] >= OPERAND_NONE || insn->operands[i] & OPERAND_CONSTANT)
            number = mix_word(number, insn->operands[i]);
    for (unsigned i = 0; i < values->source_count; i++)
        number = mix_word(number, number_of(search, values->sources[i]));
    return number;
}

static bool leads_back(struct way_search *search, struct way way);

/* The same way, as if the instruction had given `number` to its result. */
static bool leads_back_with(struct way_search *search, struct way way, uint32_t operand,
                            uint64_t number) {
    size_t kept = search->value_count;
    uint64_t held = search->held;
    if (!matters(search, operand))
        return false;
    if (search->depth == MOST_BRANCHES || !give(search, operand, number))
        return true;
    search->depth++;
    way.at++;
    bool back = leads_back(search, way);
    search->depth--;
    search->value_count = kept;
    search->held = held;
    return back;
}

/* Of a value that no other one on the way equals: between two branches backward the way comes to an
 * instruction once. Ways that meet there give it the same number. */
static uint64_t new_number(const struct way_search *search, const struct way *way) {
    return mix_word((uint64_t)way->at << 32 | search->loop_count, UINT64_MAX);
}

/* Gives the instruction's results their numbers. True where one of its other outcomes leads back,
 * or where there are too many to follow. */
static bool execute(struct way_search *search, const struct way *way) {
    const struct insn *insn = &search->program->code[way->at];
    struct instruction_values values;
    instruction_values_of(search->program, way->at, &values);
    uint32_t result = values.destination_count ? values.destinations[0] : OPERAND_NONE;
    if (insn->guard != GUARD_NONE && values.destination_count && /* left out: the old value stays */
        leads_back_with(search, *way, result, number_of(search, result)))
        return true;
    bool selects = insn->form != FORM_NONE && insn_op(insn) == OP_selp;
    for (unsigned i = 1; i <= 2 && selects; i++)
        if (leads_back_with(search, *way, result, operand_number(search, insn->operands[i])))
            return true;
    bool pure = instruction_is_pure(insn);
    bool moves = pure && insn_has(insn, TRAIT_MOVES) && values.source_count == 1 &&
                 values.destination_count == 1;
    uint64_t number = moves  ? number_of(search, values.sources[0])
                      : pure ? result_number(search, insn, &values)
                             : new_number(search, way);
    for (unsigned i = 0; i < values.destination_count; i++)
        if (!give(search, values.destinations[i], number + i))
            return true;
    return false;
}

/* A branch backward is taken once between two visits of the load. */
static bool may_take(struct way_search *search, const struct way *way) {
    if (search->program->code[way->at].target > (int64_t)way->at)
        return true;
    for (unsigned i = way->loops; i < search->loop_count; i++)
        if (search->loops[i] == way->at)
            return false;
    if (search->loop_count == MOST_LOOPS)
        return false;
    search->loops[search->loop_count++] = way->at;
    return true;
}

/* Has a way with these numbers been followed from here? It did not lead back, or the search would
 * have ended. */
static bool is_known_state(struct way_search *search, const struct way *way) {
    uint64_t state = mix_word((uint64_t)way->at << 32 | way->turn, search->held);
    state = mix_word(state, way->turn ? way->address : 0);
    state = mix_word(state, search->loop_count);
    for (unsigned i = way->loops; i < search->loop_count; i++)
        state = mix_word(state, search->loops[i]);
    uint64_t *place = &search->states[state & (KEPT_STATES - 1)];
    bool known = *place == state;
    *place = state;
    return known;
}

/* The branch's taken side; true where it leads back. */
static bool take(struct way_search *search, struct way way) {
    if (search->depth == MOST_BRANCHES)
        return true;
    unsigned kept = search->loop_count;
    if (!may_take(search, &way))
        return false;
    search->depth++;
    way.at = (uint32_t)search->program->code[way.at].target;
    bool back = leads_back(search, way);
    search->depth--;
    search->loop_count = kept;
    return back;
}

/* Does a way from here come to the load with the address that it had in the turn before? */
static bool follow(struct way_search *search, struct way way) {
    for (; way.at < search->program->length; way.at++) {
        const struct insn *insn = &search->program->code[way.at];
        if (search->steps == 0)
            return true;
        search->steps--;
        if (way.at == search->load) {
            uint64_t now = number_of(search, insn->operands[0]);
            if (way.turn == 2)
                return now == way.address;
            way = (struct way){way.at, way.turn + 1, now, search->loop_count};
        }
        switch ((enum flow)insn->flow) {
        case FLOW_EXIT:
        case FLOW_RETURN:
        case FLOW_TRAP:
        case FLOW_UNSUPPORTED:
            if (insn->guard == GUARD_NONE)
                return false;
            break;
        case FLOW_INDEXED: /* not followed */
        case FLOW_CALL:
            return true;
        case FLOW_BRANCH:
            if (insn->guard == GUARD_NONE && !may_take(search, &way))
                return false;
            if (insn->guard == GUARD_NONE)
                way.at = (uint32_t)insn->target - 1;
            else if (is_known_state(search, &way))
                return false;
            else if (take(search, way))
                return true;
            break;
        default:
            if (execute(search, &way))
                return true;
        }
    }
    return false;
}

static bool leads_back(struct way_search *search, struct way way) {
    size_t values = search->value_count;
    uint64_t held = search->held;
    unsigned loops = search->loop_count;
    bool back = follow(search, way);
    search->value_count = values;
    search->held = held;
    search->loop_count = loops;
    return back;
}

/* Marks a register; false where it has been marked before. */
static bool mark(struct way_search *search, uint32_t operand) {
    uint32_t slot = operand / 4;
    if (operand >= OPERAND_NONE || operand & OPERAND_CONSTANT || slot >= search->slot_count ||
        search->matters[slot])
        return false;
    search->matters[slot] = true;
    return true;
}

/* One pass over the function; true when it has found more registers. */
static bool mark_sources(struct way_search *search, uint32_t first, uint32_t end) {
    bool grown = false;
    for (uint32_t pc = end; pc-- > first;) {
        struct instruction_values values;
        instruction_values_of(search->program, pc, &values);
        bool counts = false;
        for (unsigned i = 0; i < values.destination_count; i++)
            counts |= matters(search, values.destinations[i]);
        if (!counts || !instruction_is_pure(&search->program->code[pc]))
            continue; /* what is loaded is new, wherever it comes from */
        for (unsigned i = 0; i < values.source_count; i++)
            grown |= mark(search, values.sources[i]);
    }
    return grown;
}

/* False where the budget does not reach. */
static bool find_what_matters(struct way_search *search, uint64_t *budget) {
    const struct program *program = search->program;
    size_t f = program_function_at(program, search->load);
    uint32_t first = program->functions[f].entry_pc;
    uint32_t end = f + 1 < program->function_count ? program->functions[f + 1].entry_pc
                                                   : (uint32_t)program->length;
    search->slot_count = program->functions[f].register_bytes / 4;
    uint64_t pass = end - first + search->slot_count;
    if (*budget < pass)
        return false;
    search->matters = mem_calloc(search->slot_count + 1, 1);
    mark(search, program->code[search->load].operands[0]);
    do {
        if (*budget < pass)
            return false;
        *budget -= pass;
    } while (mark_sources(search, first, end));
    return true;
}

bool load_repeats(const struct program *program, uint32_t pc, uint64_t *budget) {
    if (*budget < WAY_STEPS)
        return true;
    cleanup_free struct way_search *search = mem_zalloc(sizeof *search);
    search->program = program;
    search->load = pc;
    search->steps = WAY_STEPS;
    bool back = !find_what_matters(search, budget) || leads_back(search, (struct way){.at = pc});
    free(search->matters);
    uint64_t steps = WAY_STEPS - search->steps;
    *budget -= steps < *budget ? steps : *budget;
    return back;
}
