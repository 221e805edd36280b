/* A parsed module -> struct program: which functions are used, how their registers are laid out,
 * one dense instruction after the other.
 *
 * An instruction that isa.def does not know, or knows in another form, becomes FLOW_UNSUPPORTED
 * with its reason: a kernel is refused only when it really runs into one. */
#include "sandbox/simgpu/program/decoder.h"
#include "sandbox/simgpu/program/local_objects.h"
#include "sandbox/simgpu/program/matrix.h"
#include "sandbox/simgpu/program/texture_access.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Of one function; a thread of a launch has at most half a MiB (launch/setup.c). */
enum { MAX_FRAME_BYTES = 1 << 20, MAX_PARAMETER_BYTES = 32 << 10 };

struct form_entry {
    UT_hash_handle hh;
    struct decoded_form form;
};

static const struct decoded_form *find_form(struct form_entry **memo, struct ptx_span mnemonic) {
    struct form_entry *entry = NULL;
    HASH_FIND(hh, *memo, mnemonic.start, mnemonic.length, entry);
    if (!entry) {
        entry = mem_zalloc(sizeof *entry);
        isa_lookup(mnemonic, &entry->form);
        HASH_ADD_KEYPTR(hh, *memo, mnemonic.start, mnemonic.length, entry);
    }
    return &entry->form;
}

static void free_forms(struct form_entry **memo) {
    struct form_entry *entry, *next;
    HASH_ITER(hh, *memo, entry, next) {
        HASH_DEL(*memo, entry);
        free(entry);
    }
}

/* Predicates first (a mask each), then lane vectors by width, so that no two widths share a line.
 */
static void lay_out_registers(struct decoder *decoder) {
    const struct ptx_function *source = decoder->source;
    decoder->registers = mem_calloc(source->register_count, sizeof *decoder->registers);
    uint32_t offset = 0;
    for (size_t i = 0; i < source->register_count; i++)
        if (source->registers[i].type == PTX_pred) {
            decoder->registers[i] = offset;
            offset += 4;
        }
    decoder->scratch_predicate = offset;
    offset = (offset + 4 + 63) / 64 * 64;
    static const unsigned widths[VECTOR_CLASSES] = {2, 4, 8, 16};
    for (unsigned w = 0; w < VECTOR_CLASSES; w++) {
        decoder->function->vector_starts[w] = offset;
        for (size_t i = 0; i < source->register_count; i++) {
            unsigned bits = ptx_type_bits(source->registers[i].type);
            unsigned bytes = bits <= 16 ? 2 : bits / 8;
            if (source->registers[i].type == PTX_pred || bytes != widths[w])
                continue;
            decoder->registers[i] = offset;
            offset += WARP_LANES * bytes;
        }
    }
    decoder->function->vector_starts[VECTOR_CLASSES] = offset;
    decoder->scratch = offset;
    decoder->register_bytes = offset + WARP_LANES * 16;
    for (unsigned i = 0; i < SPECIAL_COUNT; i++)
        decoder->special_offsets[0][i] = decoder->special_offsets[1][i] = OPERAND_NONE;
}

/* .local variables and parameter slots. Call sequences reuse the names param0, retval0, ...: one
 * slot a name is enough, because call sequences do not nest. */
static bool lay_out_variables(struct decoder *decoder) {
    const struct ptx_function *source = decoder->source;
    struct program_function *function = decoder->function;
    decoder->slots = mem_calloc(source->variable_count, sizeof *decoder->slots);
    decoder->locals = mem_calloc(source->variable_count, sizeof *decoder->locals);
    uint64_t local = 0, area = 0;
    int64_t entry = 0;
    for (size_t i = 0; i < source->variable_count; i++) {
        const struct ptx_variable *variable = &source->variables[i];
        uint64_t alignment = variable->alignment ? variable->alignment : 1;
        struct param_slot *slot = &decoder->slots[i];
        *slot = (struct param_slot){.bytes = (uint32_t)variable->bytes, .entry_offset = -1};
        bool is_param = false;
        for (size_t p = 0; p < source->param_count; p++)
            is_param |= source->params[p] == (int32_t)i;
        if (variable->space == SPACE_LOCAL) {
            local = (local + alignment - 1) / alignment * alignment;
            decoder->locals[i] = (uint32_t)local;
            *mem_push(&decoder->areas, &decoder->area_count, &decoder->area_capacity) =
                (struct local_area){variable->name,
                                    (uint32_t)(function - decoder->program->functions),
                                    (uint32_t)local, (uint32_t)variable->bytes};
            local += variable->bytes;
        } else if (variable->space == SPACE_PARAM && source->is_entry && is_param) {
            entry = (entry + (int64_t)alignment - 1) / (int64_t)alignment * (int64_t)alignment;
            slot->entry_offset = (int32_t)entry;
            entry += (int64_t)variable->bytes;
        } else if (variable->space == SPACE_PARAM) {
            int64_t same = -1;
            for (size_t j = 0; j < i && same < 0; j++)
                if (source->variables[j].space == SPACE_PARAM &&
                    source->variables[j].name.length == variable->name.length &&
                    memcmp(source->variables[j].name.start, variable->name.start,
                           variable->name.length) == 0 &&
                    source->variables[j].bytes >= variable->bytes)
                    same = (int64_t)j;
            slot->offset = same >= 0 ? decoder->slots[same].offset : (uint32_t)area;
            if (same < 0)
                area += (variable->bytes + 15) / 16 * 16;
        }
        /* more than a thread can have: launch/setup.c refuses the launch of such a kernel, and
         * split_call() the call of such a function */
        local = local > MAX_FRAME_BYTES ? MAX_FRAME_BYTES : local;
        if (area > MAX_FRAME_BYTES || entry > MAX_PARAMETER_BYTES) {
            char name[256];
            variable_layout_display_name(source->name, name, sizeof name);
            error_set(decoder->error, STATUS_INVALID, "%s has more than %d KiB of parameters", name,
                      MAX_PARAMETER_BYTES >> 10);
            return false;
        }
    }
    function->local_bytes = (uint32_t)((local + 15) / 16 * 16);
    function->param_area_bytes = (uint32_t)area;
    function->param_count = (uint32_t)source->param_count;
    for (size_t p = 0; p < source->param_count && p < ARRAY_LENGTH(function->params); p++) {
        const struct param_slot *slot = &decoder->slots[source->params[p]];
        function->params[p] = source->is_entry ? (uint32_t)slot->entry_offset : slot->offset;
        function->param_bytes[p] = slot->bytes;
    }
    function->has_result = source->result_count > 0;
    if (function->has_result) {
        function->result = decoder->slots[source->results[0]].offset;
        function->result_bytes = decoder->slots[source->results[0]].bytes;
    }
    return true;
}

struct label {
    UT_hash_handle hh;
    uint32_t instruction;
};

/* The first of a name counts. */
static void collect_labels(struct decoder *decoder) {
    const struct ptx_function *source = decoder->source;
    for (size_t i = 0; i < source->instruction_count; i++) {
        struct ptx_span name = source->instructions[i].label;
        struct label *label = NULL;
        if (name.length)
            HASH_FIND(hh, decoder->labels, name.start, name.length, label);
        if (label || !name.length)
            continue;
        label = mem_zalloc(sizeof *label);
        label->instruction = (uint32_t)i;
        HASH_ADD_KEYPTR(hh, decoder->labels, name.start, name.length, label);
    }
}

static void free_labels(struct decoder *decoder) {
    struct label *label, *next;
    HASH_ITER(hh, decoder->labels, label, next) {
        HASH_DEL(decoder->labels, label);
        free(label);
    }
}

bool decode_label(struct decoder *decoder, struct ptx_span name, uint32_t *instruction) {
    struct label *label = NULL;
    HASH_FIND(hh, decoder->labels, name.start, name.length, label);
    if (label)
        *instruction = label->instruction;
    return label != NULL;
}

static void emit_unsupported(struct decoder *decoder, const char *why) {
    struct program *program = decoder->program;
    const struct ptx_instruction *instruction = decoder->instruction;
    struct insn *insn = decode_emit(decoder, FLOW_UNSUPPORTED);
    insn->cost = COST_CONTROL;
    insn->message = (int64_t)program->unsupported_count;
    char(*text)[256] = mem_push(&program->unsupported, &program->unsupported_count,
                                &program->unsupported_capacity);
    snprintf(*text, sizeof *text, "%.*s (PTX line %u)%s%s",
             instruction->mnemonic.length > 80 ? 80 : (int)instruction->mnemonic.length,
             instruction->mnemonic.start, instruction->ptx_line, why[0] ? ": " : "", why);
}

static void decode_one(struct decoder *decoder, struct form_entry **memo) {
    struct program *program = decoder->program;
    const struct ptx_instruction *instruction = decoder->instruction;
    size_t before = program->length, targets = program->target_count;
    size_t uses = decoder->use_count;
    const struct decoded_form *form = find_form(memo, instruction->mnemonic);
    decoder->why[0] = '\0';
    decoder->pc = (uint32_t)before;
    decoder->cost_row = form->cost_row;
    uint32_t guard = instruction->guard == PTX_NO_SYMBOL
                         ? 0
                         : decode_register(decoder, instruction->guard, false);
    bool decoded = form->row != FORM_NONE && decode_instruction(decoder, form);
    if (!decoded) {
        program->length = before;
        program->origin_count = before;
        decoder->use_count = uses;
        program->target_count = targets; /* half a list would be read as another one */
        emit_unsupported(decoder, decoder->why);
    }
    for (size_t pc = before; pc < program->length && instruction->guard != PTX_NO_SYMBOL; pc++)
        program->code[pc].guard = guard | (instruction->guard_negated ? OPERAND_NEGATED : 0u);
}

/* Branches hold instruction numbers until all pcs are known. */
static void resolve_branches(struct decoder *decoder, uint32_t first_pc, const uint32_t *pcs,
                             size_t first_target) {
    struct program *program = decoder->program;
    for (size_t pc = first_pc; pc < program->length; pc++)
        if (program->code[pc].flow == FLOW_BRANCH)
            program->code[pc].target = pcs[program->code[pc].target];
    for (size_t t = first_target; t < program->target_count;) {
        size_t count = program->targets[t++];
        for (size_t i = 0; i < count; i++, t++)
            program->targets[t] = pcs[program->targets[t]];
    }
}

static bool decode_function(struct decoder *decoder, size_t index, struct form_entry **memo) {
    struct program *program = decoder->program;
    const struct ptx_function *source = decoder->sources[index].function;
    decoder->source = source;
    decoder->place = &decoder->sources[index];
    decoder->function = &program->functions[index];
    decoder->shared = decoder->shared_maps[index];
    decoder->function->name = source->name;
    decoder->function->is_entry = source->is_entry;
    decoder->function->special_start = (uint32_t)program->special_count;
    uint32_t first_pc = (uint32_t)program->length;
    size_t first_target = program->target_count;
    decoder->function->entry_pc = first_pc;
    lay_out_registers(decoder);
    collect_labels(decoder);
    cleanup_free uint32_t *pcs = mem_calloc(source->instruction_count + 1, sizeof *pcs);
    bool decoded = lay_out_variables(decoder);
    for (size_t i = 0; decoded && i < source->instruction_count; i++) {
        decoder->instruction = &source->instructions[i];
        pcs[i] = (uint32_t)program->length;
        if (decoder->instruction->mnemonic.length)
            decode_one(decoder, memo);
        decoded = !decoder->failed;
    }
    if (decoded) {
        /* a body that runs off its end returns */
        decoder->instruction = NULL;
        pcs[source->instruction_count] = (uint32_t)program->length;
        struct insn *last = decode_emit(decoder, FLOW_RETURN);
        last->cost = COST_CONTROL;
        resolve_branches(decoder, first_pc, pcs, first_target);
        decoded = flow_reconverge(decoder, first_pc);
    }
    decoder->function->register_bytes = (decoder->register_bytes + 63) / 64 * 64;
    free_labels(decoder);
    decoder->use_count = 0;
    free(decoder->registers);
    free(decoder->slots);
    free(decoder->locals);
    decoder->registers = NULL;
    decoder->slots = NULL;
    decoder->locals = NULL;
    return decoded;
}

/* Whether the result in slot 1 of the instruction at pc is used. */
static bool is_read(const struct program *program, size_t pc, uint32_t operand) {
    if (operand == OPERAND_NONE) /* a reduction: of these there may be many */
        return false;
    for (size_t other = 0; other < program->length; other++)
        for (unsigned i = 0; i < OPERAND_SLOTS; i++)
            if ((other != pc || i != 1) && program->code[other].operands[i] == operand)
                return true;
    for (size_t texture = 0; texture < program->texture_count; texture++)
        for (unsigned i = 0; i < TEXTURE_OPERANDS; i++)
            if (program->textures[texture].operands[i] == operand)
                return true;
    return false;
}

/* Blocks may run side by side only where they cannot see each other: no atomic whose old value or
 * order matters, no volatile or ordered access, no fence. */
static bool is_order_sensitive(const struct decoder *decoder) {
    const struct program *program = decoder->program;
    if (decoder->clusters == CLUSTERS_OF_SEVERAL)
        return true;
    for (size_t i = 0; i < program->call_count; i++)
        if (program->calls[i].builtin == BUILTIN_MALLOC)
            return true; /* heap.c */
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool atomic = insn_operation(insn)->effect == EFFECT_ATOMIC;
        if (insn_has(insn, TRAIT_ORDERED) && !(atomic && insn->space == SPACE_SHARED))
            return true;
        if (insn->cost == COST_ATOMIC && insn->space != SPACE_SHARED) {
            if (ptx_type_is_float(insn->type) || is_read(program, pc, insn->operands[1]))
                return true;
        }
        if ((insn->cost == COST_LOAD || insn->cost == COST_STORE) && insn->order != ORDER_WEAK &&
            insn->space != SPACE_SHARED && insn->space != SPACE_LOCAL)
            return true;
        if (insn->order > ORDER_RELAXED)
            return true;
    }
    return false;
}

/* Can a block's way depend on whether another one runs? Through an atomic on global memory whose
 * old value it uses, an ordered access, a fence that reaches beyond the block, a barrier of the
 * grid or cluster, memory of another block, memory from malloc. Sums by atomics only change values.
 */
static bool blocks_communicate(const struct decoder *decoder) {
    const struct program *program = decoder->program;
    if (program->cooperative || decoder->clusters == CLUSTERS_OF_SEVERAL)
        return true;
    for (size_t i = 0; i < program->call_count; i++)
        if (program->calls[i].builtin == BUILTIN_MALLOC)
            return true;
    for (size_t pc = 0; pc < program->length; pc++) {
        const struct insn *insn = &program->code[pc];
        bool outside = insn->space != SPACE_SHARED && insn->space != SPACE_LOCAL;
        bool access = insn->cost == COST_LOAD || insn->cost == COST_STORE;
        if ((insn->cost == COST_ATOMIC && outside && is_read(program, pc, insn->operands[1])) ||
            (access && outside && insn->order != ORDER_WEAK) ||
            (insn_has(insn, TRAIT_BEYOND_BLOCK) && insn->scope != SCOPE_CTA))
            return true;
    }
    return false;
}

/* Atomics without a scope reach all threads of the GPU, volatile accesses those of the system. What
 * stands here reaches one block where it does not say otherwise: mbarriers (PTX ISA 9.7.13.15),
 * and fences that are no part of a release pattern (8.8). In clusters of several blocks an mbarrier
 * is for all of them, as libraries use it, and the scope of a cluster is taken for the device's. */
static void find_scopes(const struct decoder *decoder) {
    struct program *program = decoder->program;
    bool clusters = decoder->clusters == CLUSTERS_OF_SEVERAL;
    for (size_t pc = 0; pc < program->length; pc++) {
        struct insn *insn = &program->code[pc];
        if (insn_has(insn, TRAIT_OWN_BLOCK) && insn->scope == SCOPE_NONE)
            insn->scope = clusters ? SCOPE_GPU : SCOPE_CTA;
        if (clusters && insn->scope == SCOPE_CLUSTER)
            insn->scope = SCOPE_GPU;
        program->scoped |= insn_is_scope_cta(insn);
        program->tells_host |= insn_op(insn) == OP_membar_sys ||
                               (insn->scope == SCOPE_SYS &&
                                (insn_op(insn) == OP_fence || insn->order >= ORDER_RELEASE));
    }
}

enum status program_decode(const struct ptx_module *module, const struct ptx_function *kernel,
                           const char *source_file, uint64_t shared_bytes, struct program **result,
                           struct error *error) {
    return program_decode_clustered(module, kernel, source_file, shared_bytes, CLUSTERS_NONE,
                                    result, error);
}

enum status program_decode_clustered(const struct ptx_module *module,
                                     const struct ptx_function *kernel, const char *source_file,
                                     uint64_t shared_bytes, enum program_clusters clusters,
                                     struct program **result, struct error *error) {
    struct program *program = mem_zalloc(sizeof *program);
    struct decoder decoder = {
        .module = module, .program = program, .error = error, .clusters = clusters};
    decoder.main_file = line_table_main_file(module, source_file);
    struct form_entry *memo = NULL;
    call_graph_collect(&decoder, kernel);
    decoder.placed = mem_calloc(module->variable_count, sizeof *decoder.placed);
    memset(decoder.placed, 0xff, module->variable_count * sizeof *decoder.placed);
    program->functions = mem_calloc(decoder.source_count, sizeof *program->functions);
    program->function_count = decoder.source_count;
    bool decoded = variable_layout_place(&decoder, shared_bytes);
    for (size_t i = 0; decoded && i < decoder.source_count; i++)
        decoded = decode_function(&decoder, i, &memo);
    if (decoded) {
        line_table_resolve(&decoder);
        for (size_t i = 0; i < program->special_count; i++)
            program->cooperative |= program->specials[i].special == SPECIAL_ENVREG1;
        confirmed_load_find(program);
        guessed_load_find(program);
        load_intent_find(program);
        observed_value_find(program);
        find_scopes(&decoder);
        program->order_sensitive = is_order_sensitive(&decoder);
        program->blocks_communicate = blocks_communicate(&decoder);
        if (program->blocks_communicate)
            message_intent_find(program);
        program->local_objects =
            local_objects_find(program, module->text, decoder.areas, decoder.area_count);
        *result = program;
    } else {
        program_free(program);
    }
    free_forms(&memo);
    for (size_t i = 0; decoder.shared_maps && i < decoder.source_count; i++)
        free(decoder.shared_maps[i]);
    free(decoder.shared_maps);
    free(decoder.placed);
    free(decoder.areas);
    free(decoder.sources);
    free(decoder.uses);
    return decoded ? STATUS_OK : STATUS_INVALID;
}

size_t program_function_at(const struct program *program, uint32_t pc) {
    size_t function = 0;
    for (size_t i = 1; i < program->function_count; i++)
        if (program->functions[i].entry_pc <= pc &&
            program->functions[i].entry_pc >= program->functions[function].entry_pc)
            function = i;
    return function;
}

size_t program_bytes(const struct program *program) {
    return sizeof *program + program->capacity * sizeof *program->code +
           program->length * sizeof *program->touched +
           program->origin_capacity * sizeof *program->origins +
           program->function_count * sizeof *program->functions +
           program->call_capacity * sizeof *program->calls +
           program->target_capacity * sizeof *program->targets +
           program->special_capacity * sizeof *program->specials +
           program->range_capacity * sizeof *program->ranges +
           program->live_capacity * sizeof *program->lives + program->constant_capacity +
           program->file_capacity * sizeof *program->files +
           program->variable_capacity * sizeof *program->variables +
           program->unsupported_capacity * sizeof *program->unsupported +
           program->matrix_capacity * sizeof *program->matrices +
           program->texture_capacity * sizeof *program->textures;
}

void program_free(struct program *program) {
    if (!program)
        return;
    local_objects_free(program->local_objects);
    free(program->code);
    free(program->origins);
    free(program->functions);
    free(program->calls);
    free(program->targets);
    free(program->specials);
    free(program->ranges);
    free(program->lives);
    free(program->touched);
    free(program->constants);
    free(program->files);
    free(program->variables);
    free(program->unsupported);
    free(program->matrices);
    free(program->textures);
    free(program);
}
