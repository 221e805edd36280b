/* Decoding of tex, tld4, txq, istypep, suld, sust, sured and suq (PTX ISA 9.7.10, 9.7.11).
 *
 * A texture or surface is named by a handle of 64 bits; the references of old code, which are
 * variables, cannot be bound by any runtime from CUDA 12 on. The operands go to a struct
 * texture_access, and the instruction holds its index; slot 0 is the handle. */
#include "sandbox/simgpu/program/decoder.h"
#include "sandbox/simgpu/program/texture_access.h"

#include "sandbox/base/memory.h"

static struct texture_access *emit(struct decoder *decoder, const struct decoded_form *form,
                                   struct insn **insn) {
    struct program *program = decoder->program;
    *insn = decode_emit_form(decoder, form);
    (*insn)->space = SPACE_GLOBAL; /* where texels lie */
    (*insn)->texture = (int64_t)program->texture_count;
    struct texture_access *access =
        mem_push(&program->textures, &program->texture_count, &program->texture_capacity);
    *access = (struct texture_access){.words = form->modifiers.texture};
    for (unsigned i = 0; i < TEXTURE_OPERANDS; i++)
        access->operands[i] = OPERAND_NONE;
    return access;
}

/* The elements of a list, or the operand alone. */
static const struct ptx_operand *items_of(const struct decoder *decoder,
                                          const struct ptx_operand *operand, unsigned *count) {
    *count = operand->kind == OPERAND_LIST ? operand->list_count : 1;
    return operand->kind == OPERAND_LIST ? &decoder->module->operands[operand->list_start]
                                         : operand;
}

static bool decode_handle(struct decoder *decoder, const struct ptx_operand *operand,
                          uint32_t *offset) {
    if (operand->kind == OPERAND_SYMBOL)
        return decode_cannot(decoder, "a texture or surface reference: CUDA 12 and later have "
                                      "texture and surface objects alone");
    if (operand->kind != OPERAND_REGISTER)
        return decode_cannot(decoder, "a handle is expected in a register");
    return decode_source(decoder, operand, PTX_b64, offset);
}

/* [handle, coordinates], [handle, sampler, coordinates], [handle]. */
static bool decode_place(struct decoder *decoder, unsigned index, struct insn *insn,
                         struct texture_access *access) {
    const struct ptx_operand *operand = decode_operand_at(decoder, index);
    if (!operand || operand->kind != OPERAND_ADDRESS || !operand->list_count)
        return decode_cannot(decoder, "a texture or surface in brackets is expected");
    const struct ptx_operand *parts = &decoder->module->operands[operand->list_start];
    if (!decode_handle(decoder, &parts[0], &insn->operands[0]))
        return false;
    unsigned geometry = access->words.geometry, last = operand->list_count - 1;
    if (!geometry)
        return last == 0 || decode_cannot(decoder, "coordinates of what has none");
    if (last == 2 && !decode_handle(decoder, &parts[1], &access->sampler))
        return false;
    unsigned count, layer = texture_has_layer(geometry);
    const struct ptx_operand *items = items_of(decoder, &parts[last], &count);
    unsigned needed = texture_dimensions(geometry) + layer;
    if (last == 0 || last > 2 || count < needed || count > (needed == 3 ? 4 : needed))
        return decode_cannot(decoder, "as many coordinates as the geometry has are expected");
    access->coordinate_count = (uint8_t)needed;
    for (unsigned i = 0; i < needed; i++)
        if (!decode_source(decoder, &items[i],
                           access->integers || (layer && i == 0) ? PTX_s32 : PTX_f32,
                           &access->coordinates[i]))
            return false;
    return true;
}

static bool decode_data(struct decoder *decoder, const struct ptx_operand *operand, bool store,
                        unsigned bytes, struct texture_access *access) {
    unsigned count;
    if (operand && operand->kind == OPERAND_PAIR) {
        /* {a, b, c, d}|p */
        operand = &decoder->module->operands[operand->list_start];
        if (!decode_predicate(decoder, operand + 1, true, &access->resident))
            return false;
    }
    if (!operand)
        return decode_cannot(decoder, "an operand is missing");
    const struct ptx_operand *items = items_of(decoder, operand, &count);
    if (count > 4)
        return decode_cannot(decoder, "a vector of more than four");
    access->data_count = (uint8_t)count;
    access->data_bytes = (uint8_t)bytes;
    enum ptx_type type = bytes == 8 ? PTX_b64 : bytes == 4 ? PTX_b32 : PTX_b16;
    for (unsigned i = 0; i < count; i++)
        if (store ? !decode_source(decoder, &items[i], type, &access->data[i])
                  : !decode_destination(decoder, &items[i], 8 * bytes, &access->data[i]))
            return false;
    return true;
}

static bool decode_numbers(struct decoder *decoder, unsigned index, enum ptx_type type,
                           unsigned most, uint32_t *offsets) {
    const struct ptx_operand *operand = decode_operand_at(decoder, index);
    unsigned count;
    if (!operand)
        return decode_cannot(decoder, "an operand is missing");
    const struct ptx_operand *items = items_of(decoder, operand, &count);
    for (unsigned i = 0; i < most; i++)
        if (i >= count || !decode_source(decoder, &items[i], type, &offsets[i]))
            return i >= count ? decode_cannot(decoder, "a vector that is too short") : false;
    return true;
}

bool decode_texture(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn;
    struct texture_access *access = emit(decoder, form, &insn);
    unsigned next = 2, dimensions = texture_dimensions(access->words.geometry);
    access->integers = form->types[1] == PTX_s32;
    insn->type2 = (uint8_t)form->types[1];
    bool known = form->types[0] == PTX_f32 || form->types[0] == PTX_u32 ||
                 form->types[0] == PTX_s32 || form->types[0] == PTX_f16x2;
    if (!known || (!access->integers && form->types[1] != PTX_f32) || !access->words.geometry)
        return decode_cannot(decoder, "this geometry or these types");
    if (!decode_data(decoder, decode_operand_at(decoder, 0), false, 4, access) ||
        !decode_place(decoder, 1, insn, access))
        return false;
    if (access->data_count != form->modifiers.vector)
        return decode_cannot(decoder, "the vector has another length than the instruction says");
    enum texture_lod lod = access->words.lod;
    if (lod == LOD_LEVEL &&
        !decode_numbers(decoder, next++, access->integers ? PTX_s32 : PTX_f32, 1, &access->level))
        return false;
    for (unsigned i = 0; i < 2 && lod == LOD_GRADIENT; i++)
        if (!decode_numbers(decoder, next++, PTX_f32, dimensions, access->gradient[i]))
            return false;
    const struct ptx_operand *more = decode_operand_at(decoder, next);
    if (more && more->kind != OPERAND_LIST)
        return decode_cannot(decoder, "a comparison with depths");
    if (more && !decode_numbers(decoder, next++, PTX_s32, dimensions, access->offsets))
        return false;
    return next >= decoder->instruction->operand_count ||
           decode_cannot(decoder, "too many operands");
}

bool decode_surface(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn;
    struct texture_access *access = emit(decoder, form, &insn);
    enum isa_op op = insn_op(insn);
    bool load = op == OP_suld;
    unsigned bits = ptx_type_bits(form->types[0]);
    access->integers = true;
    if (!access->words.geometry || access->words.geometry >= GEOMETRY_CUBE ||
        (op == OP_sured) != (access->words.operation != 0))
        return decode_cannot(decoder, "this geometry or operation of a surface");
    if (!decode_data(decoder, decode_operand_at(decoder, load ? 0 : 1), !load,
                     bits <= 16 ? 2 : bits / 8, access) ||
        !decode_place(decoder, load ? 1 : 0, insn, access))
        return false;
    if (access->data_count != form->modifiers.vector || access->data_count * bits > 128)
        return decode_cannot(decoder, "the vector has another length than the instruction says");
    return true;
}

bool decode_texture_query(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn;
    struct texture_access *access = emit(decoder, form, &insn);
    if (!access->words.query)
        return decode_cannot(decoder, "what is asked for");
    return decode_data(decoder, decode_operand_at(decoder, 0), false, 4, access) &&
           decode_place(decoder, 1, insn, access) &&
           (access->words.lod != LOD_LEVEL ||
            decode_numbers(decoder, 2, PTX_s32, 1, &access->level));
}

bool decode_istypep(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    insn->texture = form->modifiers.texture.reference;
    return decode_predicate(decoder, decode_operand_at(decoder, 0), true, &insn->operands[0]) &&
           decode_source(decoder, decode_operand_at(decoder, 1), PTX_b64, &insn->operands[1]);
}
