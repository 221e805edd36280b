/* What a load is for, where the race detector has to know.
 *
 * A plain load may begin a loop of compare-and-swaps: a guess, which the loop corrects. And a
 * volatile load may be a flag or mere data. Volatile makes the compiler really load; it orders
 * nothing, and lanes of a warp do not run in step. A flag is polled or decides where to go, and is
 * right to be read while another thread writes it. In `volatile float *s; s[t] += s[t + 16];`, the
 * reduction of old textbooks, the value is only computed with: it is right only if the other thread
 * has written it, so that such a load needs an order as a plain one does. What the value decides
 * is found by following it through the registers of the function; where it gets lost (calls,
 * local memory, unoptimised code) the load counts as a flag. */
#include "sandbox/simgpu/instruction_values.h"

#include "grader/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- guesses --------------------------------------------------------------------------------- */

/* Does what the load finds become, by moves alone, what the compare-and-swap compares with? */
static bool becomes_guess(const struct program *program, uint32_t load, uint32_t cas) {
    enum { MAX_COPIES = 16 };
    uint32_t copies[MAX_COPIES] = {program->code[load].operands[1]};
    size_t count = 1;
    for (size_t i = 0; i < count; i++) {
        if (copies[i] == program->code[cas].operands[2])
            return true;
        for (uint32_t pc = 0; pc < program->length && count < MAX_COPIES; pc++) {
            const struct insn *insn = &program->code[pc];
            bool known = insn->cost != COST_MOVE || insn->operands[1] != copies[i] ||
                         program_function_at(program, pc) != program_function_at(program, load);
            for (size_t j = 0; j < count && !known; j++)
                known = copies[j] == insn->operands[0];
            if (!known)
                copies[count++] = insn->operands[0];
        }
    }
    return false;
}

/* `old = *p; do { assumed = old; old = atomicCAS(p, assumed, ...) } while (old != assumed)` begins
 * with a plain load that may meet others' atomics. It is right, because the loop repeats until the
 * guess was. Such a load, of the address that a compare-and-swap of the function works on and of
 * the value that it compares with, does not race with it; but whoever makes it has learnt nothing
 * of others. Of a variable at a fixed address, one instruction names it and the other may have it
 * in a register. */
static void find_guesses(struct program *program) {
    for (uint32_t pc = 0; pc < program->length; pc++) {
        const struct insn *cas = &program->code[pc];
        struct ptx_span name = program->origins[pc].mnemonic;
        if (cas->cost != COST_ATOMIC || !memmem(name.start, name.length, ".cas", 4))
            continue;
        for (uint32_t other = 0; other < program->length; other++) {
            struct insn *load = &program->code[other];
            bool fixed = load->operands[0] & OPERAND_CONSTANT && load->space == cas->space;
            bool same = load->operands[0] == cas->operands[0] && load->immediate == cas->immediate;
            if (load->cost == COST_LOAD && load->order == ORDER_WEAK && load->vector == 1 &&
                (fixed || same) &&
                program_function_at(program, other) == program_function_at(program, pc) &&
                becomes_guess(program, other, pc))
                load->order = ORDER_GUESS;
        }
    }
}

/* ---- volatile loads -------------------------------------------------------------------------- */

enum {
    MAX_FOLLOWED = 64,       /* registers that one value spreads to */
    MAX_LOOKED_AT = 4 << 20, /* instructions, in all; hostile programs are long */
};

struct following {
    const struct program *program;
    uint32_t first, end; /* pcs of the function */
    uint32_t registers[MAX_FOLLOWED];
    unsigned count;
    uint64_t looked_at;
    bool used;
};

static bool follows(const struct following *following, uint32_t number) {
    for (unsigned i = 0; i < following->count; i++)
        if (following->registers[i] == number)
            return true;
    return false;
}

static bool name_begins(struct ptx_span name, const char *word) {
    return name.length >= strlen(word) && memcmp(name.start, word, strlen(word)) == 0;
}

/* Does an instruction that reads the value decide by it, or hand it to where it cannot be followed?
 * Arithmetic, selections, shuffles and stores to global and shared memory do not. */
static bool decides(const struct following *following, const struct insn *insn,
                    struct ptx_span name) {
    static const char *const deciding[] = {"set", "slct", "testp"};
    for (size_t i = 0; i < ARRAY_LENGTH(deciding); i++)
        if (name_begins(name, deciding[i]))
            return true;
    bool address =
        insn->operands[0] != OPERAND_NONE && follows(following, insn->operands[0] & ~(uint32_t)3);
    switch ((enum cost_class)insn->cost) {
    case COST_STORE:
        return address || (insn->space != SPACE_SHARED && insn->space != SPACE_GLOBAL);
    case COST_ATOMIC:
        return address || memmem(name.start, name.length, ".cas", 4);
    case COST_LOAD:
        return true;
    default:
        return insn->flow != FLOW_EXECUTE && !name_begins(name, "shfl");
    }
}

/* One pass over the function. True: the value decides something. */
static bool spread(struct following *following) {
    for (uint32_t pc = following->first; pc < following->end; pc++) {
        struct instruction_values values;
        instruction_values_of(following->program, pc, &values);
        bool reads = false;
        for (unsigned i = 0; i < values.source_count && !reads; i++)
            reads = follows(following, values.sources[i]);
        if (!reads)
            continue;
        following->used = true;
        if (decides(following, &following->program->code[pc],
                    following->program->origins[pc].mnemonic))
            return true;
        for (unsigned i = 0; i < values.destination_count; i++)
            if (!follows(following, values.destinations[i])) {
                if (following->count == MAX_FOLLOWED)
                    return true;
                following->registers[following->count++] = values.destinations[i];
            }
    }
    following->looked_at += following->end - following->first;
    return false;
}

static bool is_data(struct following *following, uint32_t load) {
    struct instruction_values values;
    instruction_values_of(following->program, load, &values);
    following->count = 0;
    following->used = false;
    for (unsigned i = 0; i < values.destination_count; i++)
        following->registers[following->count++] = values.destinations[i];
    for (unsigned before = 0; before != following->count;) {
        before = following->count;
        if (following->looked_at > MAX_LOOKED_AT || spread(following))
            return false;
    }
    return following->used; /* nobody can be misled by a value that is dropped */
}

static void find_volatile_data(struct program *program) {
    struct following following = {.program = program};
    for (uint32_t pc = 0; pc < program->length; pc++) {
        struct insn *insn = &program->code[pc];
        if (insn->cost != COST_LOAD || insn->order != ORDER_VOLATILE)
            continue;
        size_t function = program_function_at(program, pc);
        following.first = program->functions[function].entry_pc;
        following.end = function + 1 < program->function_count
                            ? program->functions[function + 1].entry_pc
                            : (uint32_t)program->length;
        if (is_data(&following, pc))
            insn->order = ORDER_DATA;
    }
}

void load_intent_find(struct program *program) {
    find_guesses(program);
    find_volatile_data(program);
}
