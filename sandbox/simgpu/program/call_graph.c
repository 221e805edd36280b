/* Which functions a launch uses: everything that the kernel can reach.
 *
 * A build without optimisation calls atomicAdd() and the like, functions of the toolkit's headers
 * that have no lines of the submission. What goes wrong in them goes wrong at the call, so each
 * call gets a copy of its own, whose instructions stand at the call's line; records, counters and
 * messages then need to know nothing of it. Functions whose address is taken, that call themselves
 * or that have shared variables stay one. */
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/program.h"

#include <string.h>

enum {
    MAX_COPY_DEPTH = 8,
    MAX_COPIES = 1024,
    MAX_COPIED_INSTRUCTIONS = 1 << 16, /* beyond that calls share one function again */
    MAX_LOOKED_AT = 1 << 22,
};

struct collector {
    struct decoder *decoder;
    size_t copies, copied_instructions, looked_at;
};

static const struct ptx_function *find_body(const struct decoder *decoder, struct ptx_span name) {
    const struct ptx_function *function = ptx_find_function(decoder->module, name);
    return function && function->has_body ? function : NULL;
}

static void add_shared(struct decoder *decoder, struct ptx_span name) {
    const struct ptx_function *used = find_body(decoder, name);
    for (size_t k = 0; k < decoder->source_count && used; k++)
        if (decoder->sources[k].function == used && decoder->sources[k].caller < 0)
            return;
    if (used)
        *mem_push(&decoder->sources, &decoder->source_count, &decoder->source_capacity) =
            (struct source){.function = used, .caller = -1, .location = -1};
}

/* No line of it is the submission's. */
static bool is_foreign(struct collector *collector, const struct ptx_function *function) {
    const struct decoder *decoder = collector->decoder;
    collector->looked_at += function->instruction_count + function->variable_count;
    if (collector->looked_at > MAX_LOOKED_AT)
        return false;
    for (size_t i = 0; i < function->instruction_count; i++)
        if (line_table_in_submission(decoder, function->instructions[i].location))
            return false;
    for (size_t i = 0; i < function->variable_count; i++)
        if (function->variables[i].space == SPACE_SHARED)
            return false;
    return !function->is_entry;
}

/* A copy of the called function for this call, where it should have one. */
static bool add_copy(struct collector *collector, size_t caller, size_t instruction,
                     struct ptx_span name) {
    struct decoder *decoder = collector->decoder;
    struct source from = decoder->sources[caller];
    const struct ptx_function *used = find_body(decoder, name);
    int32_t location =
        from.location >= 0 ? from.location : from.function->instructions[instruction].location;
    if (!used || from.depth >= MAX_COPY_DEPTH || collector->copies >= MAX_COPIES ||
        collector->copied_instructions + used->instruction_count > MAX_COPIED_INSTRUCTIONS ||
        !line_table_in_submission(decoder, location) || !is_foreign(collector, used))
        return false;
    for (int32_t outer = (int32_t)caller; outer >= 0; outer = decoder->sources[outer].caller)
        if (decoder->sources[outer].function == used)
            return false; /* recursion */
    collector->copies++;
    collector->copied_instructions += used->instruction_count;
    *mem_push(&decoder->sources, &decoder->source_count, &decoder->source_capacity) =
        (struct source){.function = used,
                        .caller = (int32_t)caller,
                        .instruction = instruction,
                        .location = location,
                        .depth = from.depth + 1};
    return true;
}

/* Every function with a body whose name stands in an operand of one that is used, or in the
 * initialiser of a variable (a table of virtual functions): calls, and addresses for indirect ones.
 */
void call_graph_collect(struct decoder *decoder, const struct ptx_function *kernel) {
    struct collector collector = {.decoder = decoder};
    *mem_push(&decoder->sources, &decoder->source_count, &decoder->source_capacity) =
        (struct source){.function = kernel, .caller = -1, .location = -1};
    for (size_t i = 0; i < decoder->module->variable_count; i++)
        for (size_t j = 0; j < decoder->module->variables[i].relocation_count; j++)
            add_shared(decoder, decoder->module->variables[i].relocations[j].name);
    for (size_t done = 0; done < decoder->source_count; done++) {
        const struct ptx_function *source = decoder->sources[done].function;
        for (size_t i = 0; i < source->instruction_count; i++) {
            const struct ptx_instruction *instruction = &source->instructions[i];
            bool call = instruction->mnemonic.length >= 4 &&
                        memcmp(instruction->mnemonic.start, "call", 4) == 0;
            for (uint32_t j = 0; j < instruction->operand_count; j++) {
                const struct ptx_operand *operand =
                    &decoder->module->operands[instruction->operand_start + j];
                if (operand->kind == OPERAND_SYMBOL && operand->symbol == PTX_NO_SYMBOL &&
                    !(call && add_copy(&collector, done, i, operand->name)))
                    add_shared(decoder, operand->name);
            }
        }
    }
}

int32_t call_graph_find(const struct decoder *decoder, struct ptx_span name, bool call) {
    int32_t caller = (int32_t)(decoder->place - decoder->sources);
    int32_t shared = -1;
    for (size_t i = 0; i < decoder->source_count; i++) {
        const struct source *source = &decoder->sources[i];
        struct ptx_span its = source->function->name;
        if (its.length != name.length || memcmp(its.start, name.start, name.length) != 0)
            continue;
        if (source->caller < 0 && shared < 0)
            shared = (int32_t)i;
        if (call && source->caller == caller &&
            &decoder->source->instructions[source->instruction] == decoder->instruction)
            return (int32_t)i;
    }
    return shared;
}
