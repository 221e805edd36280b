/* Where variables live: .shared by offset with unused space between them, .global and .const in
 * allocations of their own, so that running off a variable is seen, not silently another variable.
 *
 * Bank conflicts depend on a variable's offset modulo 128 bytes. The gaps are therefore chosen so
 * that each variable has the bank it would have if all were packed, as the hardware packs them. */
#include "sandbox/simgpu/program/decoder.h"
#include "sandbox/simgpu/program/shape.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "_ZZ3dotPKfS0_PfiE1s" is s: the last "<length><name>" that reaches the end of the mangled name,
 * or the "_<n>" with which the compiler tells apart variables of one name in one function. */
void variable_layout_display_name(struct ptx_span mangled, char *name, size_t size) {
    const char *end = mangled.start + mangled.length;
    const char *best = mangled.start;
    size_t best_length = mangled.length;
    bool is_mangled = mangled.length > 2 && mangled.start[0] == '_' && mangled.start[1] == 'Z';
    for (const char *at = mangled.start; is_mangled && at < end; at++) {
        if (*at < '1' || *at > '9' || (at > mangled.start && at[-1] >= '0' && at[-1] <= '9'))
            continue;
        size_t length = 0;
        const char *digits = at;
        while (digits < end && *digits >= '0' && *digits <= '9' && length < 10000)
            length = length * 10 + (size_t)(*digits++ - '0');
        if (length > (size_t)(end - digits))
            continue;
        const char *rest = digits + length;
        bool discriminator = rest < end && *rest == '_';
        for (const char *c = rest; c < end && discriminator; c++)
            discriminator = *c == '_' || (*c >= '0' && *c <= '9');
        if (rest == end || discriminator || (rest + 1 == end && *rest == 'E')) {
            best = digits;
            best_length = length;
            break;
        }
    }
    snprintf(name, size, "%.*s", (int)best_length, best);
}

static int32_t place_shared(struct decoder *decoder, const struct ptx_variable *variable,
                            uint64_t *packed, uint64_t bytes) {
    struct program *program = decoder->program;
    uint64_t offset = number_round_up(*packed, variable->alignment ? variable->alignment : 1);
    /* the simulated address is congruent to the packed one modulo 128 and after all others */
    uint64_t behind = program->shared_window_bytes;
    uint64_t address = number_round_up(behind > offset ? behind - offset : 0, 128) + offset;
    struct placed_variable *placed =
        mem_push(&program->variables, &program->variable_count, &program->variable_capacity);
    *placed = (struct placed_variable){.space = SPACE_SHARED,
                                       .address = address,
                                       .bytes = bytes,
                                       .element_bytes = ptx_type_bits(variable->type) / 8,
                                       .alignment = variable->alignment,
                                       .packed_offset = offset};
    variable_layout_display_name(variable->name, placed->name, sizeof placed->name);
    placed->shape = shape_find(decoder->module->text, variable->name, bytes);
    *packed = offset + bytes;
    program->shared_window_bytes = address + bytes + SHARED_GAP;
    return (int32_t)(program->variable_count - 1);
}

static bool place_global(struct decoder *decoder, size_t index) {
    struct program *program = decoder->program;
    const struct ptx_variable *variable = &decoder->module->variables[index];
    uint64_t window = WINDOW_FIRST_VARIABLE + program->variable_count;
    if (!variable->address && window >= WINDOW_LIMIT - ENGINE_MAX_ARGUMENTS) {
        error_set(decoder->error, STATUS_INVALID, "the kernel uses more than %d variables",
                  WINDOW_LIMIT - ENGINE_MAX_ARGUMENTS - WINDOW_FIRST_VARIABLE);
        return false;
    }
    struct placed_variable *placed =
        mem_push(&program->variables, &program->variable_count, &program->variable_capacity);
    *placed = (struct placed_variable){.space = variable->space,
                                       .address = variable->address ? variable->address
                                                                    : ADDRESS_OF(window),
                                       .bytes = variable->bytes,
                                       .element_bytes = ptx_type_bits(variable->type) / 8,
                                       .alignment = variable->alignment,
                                       .packed_offset = index};
    variable_layout_display_name(variable->name, placed->name, sizeof placed->name);
    placed->shape = shape_find(decoder->module->text, variable->name, variable->bytes);
    decoder->placed[index] = (int32_t)(program->variable_count - 1);
    return true;
}

static bool place_module_variable(struct decoder *decoder, size_t index, uint64_t *packed) {
    const struct ptx_variable *variable = &decoder->module->variables[index];
    if (decoder->placed[index] >= 0)
        return true;
    if (variable->space == SPACE_SHARED) {
        if (!variable->is_extern || variable->bytes)
            decoder->placed[index] = place_shared(decoder, variable, packed, variable->bytes);
        return true;
    }
    if (variable->is_extern) {
        error_set(decoder->error, STATUS_INVALID,
                  "the variable %.*s is declared extern and not defined",
                  (int)variable->name.length, variable->name.start);
        return false;
    }
    if (!place_global(decoder, index))
        return false;
    for (size_t i = 0; i < variable->relocation_count; i++)
        for (size_t j = 0; j < decoder->module->variable_count; j++) {
            const struct ptx_variable *other = &decoder->module->variables[j];
            if (other->name.length == variable->relocations[i].name.length &&
                memcmp(other->name.start, variable->relocations[i].name.start,
                       other->name.length) == 0 &&
                !place_module_variable(decoder, j, packed))
                return false;
        }
    return true;
}

/* What the system keeps for cooperative groups, whose headers find it by a special register. */
static void place_groups(struct decoder *decoder) {
    struct program *program = decoder->program;
    if (decoder->groups_placed)
        return;
    decoder->groups_placed = true;
    struct placed_variable *placed =
        mem_push(&program->variables, &program->variable_count, &program->variable_capacity);
    *placed = (struct placed_variable){.space = SPACE_SHARED,
                                       .address = GROUPS_START,
                                       .bytes = GROUPS_BYTES,
                                       .element_bytes = 4,
                                       .zeroed_bytes = GROUPS_ZEROED_BYTES};
    snprintf(placed->name, sizeof placed->name, "block_tile_memory");
    if (program->shared_window_bytes == SHARED_START) /* nothing but this is not nothing */
        program->shared_window_bytes += SHARED_GAP;
}

static bool place_operand_variable(struct decoder *decoder, const struct ptx_operand *operand,
                                   uint64_t *packed, unsigned depth) {
    if (operand->kind == OPERAND_SYMBOL && operand->symbol != PTX_NO_SYMBOL &&
        operand->global_symbol)
        return place_module_variable(decoder, (size_t)operand->symbol, packed);
    if (operand->kind == OPERAND_SPECIAL && ptx_span_is(operand->name, RESERVED_GROUPS))
        place_groups(decoder);
    for (uint32_t i = 0; i < operand->list_count && depth < 6; i++)
        if (!place_operand_variable(decoder, &decoder->module->operands[operand->list_start + i],
                                    packed, depth + 1))
            return false;
    return true;
}

static bool place_used_by(struct decoder *decoder, const struct ptx_function *source,
                          uint64_t *packed) {
    for (size_t i = 0; i < source->instruction_count; i++) {
        const struct ptx_instruction *instruction = &source->instructions[i];
        for (uint32_t j = 0; j < instruction->operand_count; j++)
            if (!place_operand_variable(
                    decoder, &decoder->module->operands[instruction->operand_start + j], packed, 0))
                return false;
    }
    return true;
}

static bool place_static_shared(struct decoder *decoder, uint64_t *packed) {
    decoder->shared_maps = mem_calloc(decoder->source_count, sizeof *decoder->shared_maps);
    for (size_t f = 0; f < decoder->source_count; f++) {
        const struct ptx_function *source = decoder->sources[f].function;
        decoder->shared_maps[f] = mem_calloc(source->variable_count, sizeof **decoder->shared_maps);
        for (size_t i = 0; i < source->variable_count; i++) {
            const struct ptx_variable *variable = &source->variables[i];
            decoder->shared_maps[f][i] =
                variable->space == SPACE_SHARED && !variable->is_extern
                    ? place_shared(decoder, variable, packed, variable->bytes)
                    : -1;
        }
        if (!place_used_by(decoder, source, packed))
            return false;
        if (decoder->program->variable_count > WINDOW_LIMIT) {
            error_set(decoder->error, STATUS_INVALID,
                      "the kernel uses more than %d shared and other variables", WINDOW_LIMIT);
            return false;
        }
    }
    return true;
}

static bool is_dynamic(const struct ptx_variable *variable) {
    return variable->space == SPACE_SHARED && variable->is_extern && !variable->bytes;
}

static void place_dynamic_shared(struct decoder *decoder, uint64_t *packed, uint64_t bytes) {
    int32_t dynamic = -1;
    for (size_t i = 0; i < decoder->module->variable_count; i++) {
        const struct ptx_variable *variable = &decoder->module->variables[i];
        if (!is_dynamic(variable))
            continue;
        if (dynamic < 0) {
            dynamic = place_shared(decoder, variable, packed, bytes);
            decoder->program->variables[dynamic].dynamic = true;
        }
        decoder->placed[i] = dynamic; /* all extern arrays begin at one address */
    }
}

/* A shared address is 32 bits wide, and the host allocates as much for each block. */
static bool check_packed(uint64_t packed, struct error *error) {
    if (packed <= (64u << 20))
        return true;
    error_set(error, STATUS_INVALID,
              "the kernel's shared variables take %llu bytes; no GPU has that much",
              (unsigned long long)packed);
    return false;
}

bool variable_layout_place(struct decoder *decoder, uint64_t shared_bytes) {
    struct program *program = decoder->program;
    uint64_t packed = 0;
    program->shared_window_bytes = SHARED_START;
    if (!place_static_shared(decoder, &packed))
        return false;
    program->static_shared_bytes = packed;
    place_dynamic_shared(decoder, &packed, shared_bytes);
    return check_packed(packed, decoder->error);
}

/* All addresses stay: nothing lies after the dynamic variable. */
static void resize_dynamic(struct program *program, struct placed_variable *dynamic,
                           const struct ptx_module *module, uint64_t bytes) {
    const struct ptx_variable *source = module->variables;
    while (!is_dynamic(source)) /* the first one, as place_dynamic_shared() chose */
        source++;
    dynamic->bytes = bytes;
    dynamic->shape = shape_find(module->text, source->name, bytes);
    program->shared_window_bytes = dynamic->address + bytes + SHARED_GAP;
}

enum status program_lay_out(const struct program *program, const struct ptx_module *module,
                            uint64_t shared_bytes, struct program *laid_out, struct error *error) {
    size_t bytes = program->variable_count * sizeof *program->variables;
    *laid_out = *program;
    laid_out->variables = bytes ? mem_dup(program->variables, bytes) : NULL;
    for (size_t i = 0; i < laid_out->variable_count; i++) {
        struct placed_variable *variable = &laid_out->variables[i];
        if (!variable->dynamic)
            continue;
        if (variable->bytes != shared_bytes)
            resize_dynamic(laid_out, variable, module, shared_bytes);
        if (!check_packed(variable->packed_offset + shared_bytes, error))
            return STATUS_INVALID;
    }
    return STATUS_OK;
}

void program_lay_out_free(struct program *laid_out) {
    free(laid_out->variables);
    *laid_out = (struct program){0};
}

const struct placed_variable *variable_layout_find(const struct decoder *decoder,
                                                   const struct ptx_operand *operand) {
    int32_t place = operand->global_symbol ? decoder->placed[operand->symbol]
                                           : decoder->shared[operand->symbol];
    return place < 0 ? NULL : &decoder->program->variables[place];
}
