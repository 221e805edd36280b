/* One PTX instruction -> one dense instruction.
 *
 * Most forms say all about their operands in isa.def, by letters. The others ("n") have a decoder
 * of their own, which the row of their operation names. */
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>

struct insn *decode_emit(struct decoder *decoder, enum flow flow) {
    struct program *program = decoder->program;
    struct insn_origin *origin =
        mem_push(&program->origins, &program->origin_count, &program->origin_capacity);
    struct insn *insn = mem_push(&program->code, &program->length, &program->capacity);
    insn->flow = (uint8_t)flow;
    insn->guard = GUARD_NONE;
    insn->reconverge = PC_NONE;
    insn->vector = 1;
    for (unsigned i = 0; i < OPERAND_SLOTS; i++)
        insn->operands[i] = OPERAND_NONE;
    if (decoder->instruction) {
        origin->ptx_line = decoder->instruction->ptx_line;
        origin->no_unroll = decoder->instruction->no_unroll;
        int32_t call = decoder->place->location; /* resolved by line_table.c */
        origin->line = (uint32_t)(call >= 0 ? call : decoder->instruction->location);
        origin->cost_row = decoder->cost_row;
    } else {
        origin->line = UINT32_MAX;
    }
    return insn;
}

struct insn *decode_emit_form(struct decoder *decoder, const struct decoded_form *form) {
    const struct isa_form *row = &isa_forms[form->row];
    struct insn *insn = decode_emit(decoder, row->flow);
    const struct modifiers *modifiers = &form->modifiers;
    bool general = modifiers->rounding > ROUND_RN || modifiers->ftz || modifiers->sat ||
                   modifiers->integral || (modifiers->extra & ~EXTRA_PAST_L1);
    insn->form = form->row;
    insn->definedness = insn_operation(insn)->definedness;
    insn->cost = (uint8_t)row->cost;
    insn->type = (uint8_t)form->types[0];
    insn->type2 = (uint8_t)form->types[1];
    /* one byte for all that only general executors look at */
    insn->rounding = (uint8_t)(modifiers->rounding | (modifiers->ftz ? 16 : 0) |
                               (modifiers->sat ? 32 : 0) | (modifiers->integral ? 64 : 0) |
                               (modifiers->approx ? 128 : 0) | (general ? ROUNDING_GENERAL : 0));
    insn->compare = modifiers->compare;
    insn->boolean = modifiers->boolean;
    insn->space = modifiers->space;
    insn->order = modifiers->order;
    insn->scope = modifiers->scope;
    insn->extra = modifiers->extra;
    insn->vector = modifiers->vector;
    return insn;
}

struct insn *decode_emit_as(struct decoder *decoder, const struct decoded_form *form,
                            enum isa_op op) {
    struct decoded_form other = *form;
    other.row = isa_row_of(op);
    return decode_emit_form(decoder, &other);
}

static enum isa_op op_of(const struct decoded_form *form) {
    return (enum isa_op)isa_forms[form->row].op;
}

/* Bytes that any space can take; and where global memory takes WIDEST_ACCESS (9.7.9.9). */
enum { WIDE_ACCESS = 16, FIRST_WIDER_TARGET = 100 };

/* Data operands of ld and st: one register or a list, from slot 1 on. */
static bool decode_vector(struct decoder *decoder, const struct ptx_operand *operand, bool store,
                          struct insn *insn) {
    const struct ptx_operand *items = operand;
    unsigned count = 1;
    if (operand->kind == OPERAND_LIST) {
        items = &decoder->module->operands[operand->list_start];
        count = operand->list_count;
    }
    if (count != insn->vector || count > 4)
        return decode_cannot(decoder, "the vector has another length than the instruction says");
    unsigned type_bytes = ptx_type_bits(insn->type) / 8;
    if (count * type_bytes > WIDEST_ACCESS)
        return decode_cannot(decoder, "a vector of more than 32 bytes");
    if (count * type_bytes > WIDE_ACCESS &&
        (insn->space != SPACE_GLOBAL || decoder->module->target < FIRST_WIDER_TARGET))
        return decode_cannot(decoder,
                             "a vector of more than 16 bytes, which is for .global of sm_100 "
                             "and newer alone");
    for (unsigned i = 0; i < count; i++) {
        unsigned bytes = decode_register_bytes(decoder, &items[i]);
        if (items[i].kind == OPERAND_SINK) {
            insn->operands[1 + i] = decoder->scratch;
            bytes = insn->register_bytes ? insn->register_bytes : type_bytes < 2 ? 2 : type_bytes;
        } else if (items[i].kind == OPERAND_REGISTER) {
            if (bytes < type_bytes)
                return decode_cannot(decoder, "a register narrower than the access");
            insn->operands[1 + i] = decode_register(decoder, items[i].symbol, !store);
        } else if (store) {
            bytes = insn->register_bytes ? insn->register_bytes : type_bytes < 2 ? 2 : type_bytes;
            enum ptx_type type = bytes == 8 ? PTX_b64 : bytes == 4 ? PTX_b32 : PTX_b16;
            if (ptx_type_is_float(insn->type))
                type = insn->type;
            if (!decode_source(decoder, &items[i], type, &insn->operands[1 + i]))
                return false;
        } else {
            return decode_cannot(decoder, "the destination is not a register");
        }
        if (i && bytes != insn->register_bytes)
            return decode_cannot(decoder, "registers of different widths in one vector");
        insn->register_bytes = (uint8_t)bytes;
    }
    return true;
}

/* The letters of isa.def. With an address among them, slot 0 is the address's. */
static bool decode_by_letters(struct decoder *decoder, const char *letters, struct insn *insn) {
    unsigned slot = strchr(letters, 'm') ? 1 : 0, next = 0;
    unsigned bits = ptx_type_bits(insn->type);
    static const enum ptx_type widened[] = {
        [PTX_u16] = PTX_u32, [PTX_s16] = PTX_s32, [PTX_u32] = PTX_u64, [PTX_s32] = PTX_s64};
    for (const char *letter = letters; *letter; letter++) {
        const struct ptx_operand *operand = decode_operand_at(decoder, next);
        uint32_t *offset = &insn->operands[slot < OPERAND_SLOTS ? slot : OPERAND_SLOTS - 1];
        bool fits = true;
        if (*letter != 'o' && !operand)
            return decode_cannot(decoder, "an operand is missing");
        switch (*letter) {
        case 'D':
            insn->register_bytes = (uint8_t)(bits / 8);
            fits = bits == 1 ? decode_predicate(decoder, operand, true, offset)
                             : decode_destination(decoder, operand, bits, offset);
            break;
        case 'E':
            fits = decode_destination(decoder, operand, 2 * bits, offset);
            break;
        case 'U':
            fits = decode_destination(decoder, operand, 32, offset);
            break;
        case 'P': {
            const struct ptx_operand *first = operand, *second = NULL;
            if (operand->kind == OPERAND_PAIR) {
                first = &decoder->module->operands[operand->list_start];
                second = first + 1;
            }
            fits = decode_predicate(decoder, first, true, offset);
            insn->operands[++slot] = decoder->scratch_predicate;
            if (fits && second)
                fits = decode_predicate(decoder, second, true, &insn->operands[slot]);
            break;
        }
        case 'a':
            fits = decode_source(decoder, operand, insn->type, offset);
            break;
        case 'b':
            fits = decode_source(decoder, operand, insn->type2, offset);
            break;
        case 'e':
            fits = decode_source(decoder, operand, widened[insn->type], offset);
            break;
        case 'u':
            fits = decode_source(decoder, operand, PTX_u32, offset);
            break;
        case 'p':
            fits = decode_predicate(decoder, operand, false, offset);
            break;
        case 'o':
            if (insn->boolean)
                fits = decode_predicate(decoder, operand, false, offset);
            else if (operand)
                return decode_cannot(decoder, "a predicate without a boolean operator");
            break;
        case 'm':
            fits = decode_address(decoder, operand, insn);
            slot--;
            break;
        case 'V':
        case 'v':
            fits = decode_vector(decoder, operand, *letter == 'v', insn);
            break;
        case 'L':
            break;
        default:
            return decode_cannot(decoder, "a form that isa.def describes wrongly");
        }
        if (!fits)
            return false;
        slot++;
        next++;
    }
    unsigned policy = insn->extra & EXTRA_CACHE_POLICY ? 1 : 0; /* says nothing to a simulation */
    return next + policy >= decoder->instruction->operand_count ||
           decode_cannot(decoder, "too many operands");
}

/* Where the operand lies in its function's frame: a local variable, or a parameter of a function,
 * whose address is taken where it is too large for registers (a structure by value). */
static bool find_in_frame(struct decoder *decoder, const struct ptx_operand *operand,
                          int64_t *offset) {
    if (operand->kind != OPERAND_SYMBOL || operand->symbol == PTX_NO_SYMBOL ||
        operand->global_symbol)
        return false;
    const struct param_slot *slot = &decoder->slots[operand->symbol];
    enum ptx_space space = decoder->source->variables[operand->symbol].space;
    bool parameter = space == SPACE_PARAM && slot->entry_offset < 0;
    *offset = space == SPACE_LOCAL ? (int64_t)decoder->locals[operand->symbol]
                                   : (int64_t)decoder->function->local_bytes + slot->offset;
    decoder->function->has_parameter_addresses |= parameter;
    return space == SPACE_LOCAL || parameter;
}

static bool decode_mov(struct decoder *decoder, const struct decoded_form *form) {
    const struct ptx_operand *to = decode_operand_at(decoder, 0);
    const struct ptx_operand *from = decode_operand_at(decoder, 1);
    if (!to || !from)
        return decode_cannot(decoder, "an operand is missing");
    enum special special;
    bool unpack = to->kind == OPERAND_LIST, pack = from->kind == OPERAND_LIST;
    if (unpack || pack) {
        struct insn *insn = decode_emit_as(decoder, form, unpack ? OP_mov_unpack : OP_mov_pack);
        const struct ptx_operand *list = unpack ? to : from, *whole = unpack ? from : to;
        unsigned bits = ptx_type_bits(form->types[0]);
        insn->vector = (uint8_t)list->list_count;
        insn->register_bytes = (uint8_t)(bits / 8);
        if (list->list_count < 2 || list->list_count > 4 || bits % list->list_count)
            return decode_cannot(decoder, "a list of this length");
        unsigned part = bits / list->list_count;
        if (part < 8)
            return decode_cannot(decoder, "parts of this width");
        enum ptx_type part_type = part == 64   ? PTX_b64
                                  : part == 32 ? PTX_b32
                                  : part == 16 ? PTX_b16
                                               : PTX_b8;
        for (unsigned i = 0; i < list->list_count; i++) {
            const struct ptx_operand *item = &decoder->module->operands[list->list_start + i];
            if (unpack ? !decode_destination(decoder, item, part, &insn->operands[1 + i])
                       : !decode_source(decoder, item, part_type, &insn->operands[1 + i]))
                return false;
        }
        return unpack ? decode_source(decoder, whole, form->types[0], &insn->operands[0])
                      : decode_destination(decoder, whole, bits, &insn->operands[0]);
    }
    if (from->kind == OPERAND_SPECIAL && decode_special(decoder, from->name, &special) &&
        special >= SPECIAL_CLOCK) {
        struct insn *insn = decode_emit_as(decoder, form, OP_mov_clock);
        insn->register_bytes = (uint8_t)(ptx_type_bits(form->types[0]) / 8);
        insn->special = special;
        return decode_destination(decoder, to, ptx_type_bits(form->types[0]), &insn->operands[0]);
    }
    int64_t frame_offset;
    if (find_in_frame(decoder, from, &frame_offset)) {
        struct insn *insn = decode_emit_as(decoder, form, OP_mov_local);
        insn->register_bytes = (uint8_t)(ptx_type_bits(form->types[0]) / 8);
        insn->offset = frame_offset + from->offset;
        return decode_destination(decoder, to, ptx_type_bits(form->types[0]), &insn->operands[0]);
    }
    struct insn *insn = decode_emit_form(decoder, form);
    return decode_by_letters(decoder, isa_forms[form->row].operands, insn);
}

static bool is_pair(enum ptx_type type) {
    return type == PTX_f16x2 || type == PTX_bf16x2 || type == PTX_e4m3x2 || type == PTX_e5m2x2 ||
           type == PTX_e2m3x2 || type == PTX_e3m2x2;
}

/* Pairs are made of two f32 or of another pair. */
static bool decode_cvt_pair(struct decoder *decoder, const struct decoded_form *form) {
    const enum ptx_type *types = form->types;
    if (!is_pair(types[0]) || (types[1] != PTX_f32 && !is_pair(types[1])))
        return decode_cannot(decoder, "a conversion between these types");
    struct insn *insn = op_of(form) == OP_cvt_pair ? decode_emit_form(decoder, form)
                                                   : decode_emit_as(decoder, form, OP_cvt_pair);
    for (unsigned slot = 1; slot <= (types[1] == PTX_f32 ? 2u : 1u); slot++)
        if (!decode_source(decoder, decode_operand_at(decoder, slot), types[1],
                           &insn->operands[slot]))
            return false;
    return decode_destination(decoder, decode_operand_at(decoder, 0), ptx_type_bits(types[0]),
                              &insn->operands[0]);
}

/* Sources and destinations of cvt may be wider than their types. */
static bool decode_cvt(struct decoder *decoder, const struct decoded_form *form) {
    const struct ptx_operand *to = decode_operand_at(decoder, 0);
    const struct ptx_operand *from = decode_operand_at(decoder, 1);
    if (!to || !from)
        return decode_cannot(decoder, "an operand is missing");
    if (op_of(form) == OP_cvt_pack)
        return decode_by_letters(decoder, isa_forms[form->row].operands,
                                 decode_emit_form(decoder, form));
    if (is_pair(form->types[0]) || is_pair(form->types[1]))
        return decode_cvt_pair(decoder, form);
    if (form->types[0] == PTX_b128 || form->types[1] == PTX_b128)
        return decode_cannot(decoder, "a conversion between these types");
    struct insn *insn = decode_emit_form(decoder, form);
    unsigned to_bytes = decode_register_bytes(decoder, to);
    if (to->kind != OPERAND_REGISTER || to_bytes * 8 < ptx_type_bits(form->types[0]))
        return decode_cannot(decoder, "the destination is narrower than the type");
    insn->operands[0] = decode_register(decoder, to->symbol, true);
    insn->register_bytes = (uint8_t)to_bytes;
    unsigned from_bytes = ptx_type_bits(form->types[1]) / 8;
    if (from->kind == OPERAND_REGISTER) {
        from_bytes = decode_register_bytes(decoder, from);
        if (from_bytes * 8 < ptx_type_bits(form->types[1]))
            return decode_cannot(decoder, "the source is narrower than the type");
        insn->operands[1] = decode_register(decoder, from->symbol, false);
    } else if (!decode_source(decoder, from, form->types[1], &insn->operands[1])) {
        return false;
    }
    insn->source_bytes = (uint8_t)(from_bytes < 2 ? 2 : from_bytes);
    bool plain = to_bytes * 8 == ptx_type_bits(form->types[0]) &&
                 insn->source_bytes * 8 == (int)ptx_type_bits(form->types[1]);
    if (!plain)
        insn->rounding |= ROUNDING_GENERAL;
    return true;
}

/* min and max of three numbers have a row of their own. */
static bool decode_minmax(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn;
    bool three = form->types[0] == PTX_f32 && decoder->instruction->operand_count == 4;
    if (three)
        insn = decode_emit_as(decoder, form, op_of(form) == OP_min ? OP_min_three : OP_max_three);
    else
        insn = decode_emit_form(decoder, form);
    return decode_by_letters(decoder, three ? "Daaa" : isa_forms[form->row].operands, insn);
}

static bool decode_isspacep(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    const struct ptx_operand *from = decode_operand_at(decoder, 1);
    return decode_predicate(decoder, decode_operand_at(decoder, 0), true, &insn->operands[0]) &&
           decode_source(decoder, from, PTX_u64, &insn->operands[1]);
}

/* ld and st: parameters are not memory but slots of the frame or the kernel's block. */
static bool decode_memory(struct decoder *decoder, const struct decoded_form *form) {
    bool store = op_of(form) == OP_st;
    const struct ptx_operand *address = decode_operand_at(decoder, store ? 0 : 1);
    const struct ptx_operand *data = decode_operand_at(decoder, store ? 1 : 0);
    if (!address || !data || address->kind != OPERAND_ADDRESS)
        return decode_cannot(decoder, "an address is expected");
    if (form->modifiers.space != SPACE_PARAM)
        return decode_by_letters(decoder, isa_forms[form->row].operands,
                                 decode_emit_form(decoder, form));
    const struct ptx_operand *base =
        address->list_count ? &decoder->module->operands[address->list_start] : NULL;
    if (!base || base->kind != OPERAND_SYMBOL || base->symbol == PTX_NO_SYMBOL ||
        base->global_symbol || decoder->source->variables[base->symbol].space != SPACE_PARAM) {
        struct decoded_form generic = *form; /* through an address in a register */
        generic.modifiers.space = SPACE_GENERIC;
        struct insn *insn = decode_emit_form(decoder, &generic);
        decoder->program->origins[decoder->program->length - 1].parameter = true;
        return decode_by_letters(decoder, isa_forms[form->row].operands, insn);
    }
    const struct param_slot *slot = &decoder->slots[base->symbol];
    unsigned bytes = ptx_type_bits(form->types[0]) / 8 * form->modifiers.vector;
    if (address->offset < 0 || (uint64_t)address->offset + bytes > slot->bytes)
        return decode_cannot(decoder, "an access past a parameter");
    bool entry = slot->entry_offset >= 0;
    if (entry && store)
        return decode_cannot(decoder, "a store to a kernel parameter");
    struct insn *insn = decode_emit_as(decoder, form,
                                       entry   ? OP_ld_param_entry
                                       : store ? OP_st_param_frame
                                               : OP_ld_param_frame);
    decoder->program->origins[decoder->program->length - 1].parameter = true;
    insn->offset = (entry ? slot->entry_offset : (int64_t)slot->offset) + address->offset;
    return decode_vector(decoder, data, store, insn);
}

enum { FIRST_INDEPENDENT_TARGET = 70 }; /* sm_70: each thread has a program counter of its own */

/* bar.sync a[, b]; bar.red d, a[, b], p: slots d, a, b, p. */
static bool decode_barrier(struct decoder *decoder, const struct decoded_form *form) {
    if (isa_forms[form->row].flow == FLOW_WARP_SYNC) {
        struct insn *insn = decode_emit_form(decoder, form);
        insn->sync_anywhere = decoder->module->target >= FIRST_INDEPENDENT_TARGET;
        return decode_source(decoder, decode_operand_at(decoder, 0), PTX_b32, &insn->operands[5]);
    }
    static const uint8_t kinds[OP_COUNT] = {
        [OP_bar_arrive] = BARRIER_ARRIVE,
        [OP_bar_red_popc] = BARRIER_RED_POPC,
        [OP_bar_red_and] = BARRIER_RED_AND,
        [OP_bar_red_or] = BARRIER_RED_OR,
        [OP_cluster_arrive] = BARRIER_CLUSTER_ARRIVE,
        [OP_cluster_wait] = BARRIER_CLUSTER_WAIT,
    };
    struct insn *insn = decode_emit_form(decoder, form);
    unsigned count = decoder->instruction->operand_count, next = 0, last = count;
    insn->barrier = kinds[op_of(form)];
    if (insn->barrier >= BARRIER_CLUSTER_ARRIVE)
        return true;
    if (insn->barrier >= BARRIER_RED_POPC) {
        const struct ptx_operand *to = decode_operand_at(decoder, next++);
        bool decoded = insn->barrier == BARRIER_RED_POPC
                           ? decode_destination(decoder, to, 32, &insn->operands[0])
                           : decode_predicate(decoder, to, true, &insn->operands[0]);
        if (!decoded || count < 3 ||
            !decode_predicate(decoder, decode_operand_at(decoder, --last), false,
                              &insn->operands[3]))
            return decode_cannot(decoder, "the operands of a barrier reduction");
    }
    if (!decode_source(decoder, decode_operand_at(decoder, next++), PTX_b32, &insn->operands[1]))
        return false;
    if (next < last)
        return decode_source(decoder, decode_operand_at(decoder, next), PTX_b32,
                             &insn->operands[2]);
    return insn->barrier != BARRIER_ARRIVE || decode_cannot(decoder, "bar.arrive without a count");
}

/* vote, match, redux, shfl: destination(s) in slots 0 and 1, then the sources, the mask in slot 5.
 */
static bool decode_warp(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    enum isa_op op = op_of(form);
    bool votes = op == OP_vote_all || op == OP_vote_any || op == OP_vote_uni;
    const struct ptx_operand *to = decode_operand_at(decoder, 0);
    if (!to)
        return decode_cannot(decoder, "an operand is missing");
    insn->operands[1] = decoder->scratch_predicate;
    if (to->kind == OPERAND_PAIR) {
        to = &decoder->module->operands[to->list_start];
        if (!decode_predicate(decoder, to + 1, true, &insn->operands[1]))
            return false;
    }
    unsigned next = 1;
    if (op == OP_elect) {
        if (!decode_destination(decoder, to, 32, &insn->operands[0]))
            return false;
    } else if (votes || op == OP_vote_ballot) {
        if (!(votes ? decode_predicate(decoder, to, true, &insn->operands[0])
                    : decode_destination(decoder, to, 32, &insn->operands[0])) ||
            !decode_predicate(decoder, decode_operand_at(decoder, next++), false,
                              &insn->operands[2]))
            return false;
    } else {
        if (!decode_destination(decoder, to, 32, &insn->operands[0]) ||
            !decode_source(decoder, decode_operand_at(decoder, next++), form->types[0],
                           &insn->operands[2]))
            return false;
        for (unsigned slot = 3; op == OP_shfl && slot < 5; slot++)
            if (!decode_source(decoder, decode_operand_at(decoder, next++), PTX_b32,
                               &insn->operands[slot]))
                return false;
    }
    if (isa_forms[form->row].flow != FLOW_WARP_SYNC) {
        insn->operands[5] = decode_constant(decoder, UINT32_MAX, 4);
        return true;
    }
    return decode_source(decoder, decode_operand_at(decoder, next), PTX_b32, &insn->operands[5]);
}

static bool decode_lop3_any(struct decoder *decoder, const struct decoded_form *form) {
    if (form->modifiers.boolean != BOOLEAN_NONE)
        return decode_lop3(decoder, form);
    return decode_by_letters(decoder, isa_forms[form->row].operands,
                             decode_emit_form(decoder, form));
}

/* Vector forms are atomic element by element (9.7.13.3): they become one instruction each. */
/* Slot 0 the address, 1 the destination (none for red), 2 and on the sources. */
static bool decode_atom(struct decoder *decoder, const struct decoded_form *form) {
    const char *letters = isa_forms[form->row].operands;
    unsigned count = form->modifiers.vector, bytes = ptx_type_bits(form->types[0]) / 8;
    struct decoded_form element = *form;
    element.modifiers.vector = 1;
    bool returns = letters[0] == 'D';
    if (count == 1) {
        struct insn *insn = decode_emit_form(decoder, &element);
        if (!decode_by_letters(decoder, letters, insn))
            return false;
        if (!returns) {
            insn->operands[2] = insn->operands[1];
            insn->operands[1] = OPERAND_NONE;
        }
        return true;
    }
    const struct ptx_operand *to = decode_operand_at(decoder, 0);
    const struct ptx_operand *address = decode_operand_at(decoder, returns ? 1 : 0);
    const struct ptx_operand *from = decode_operand_at(decoder, returns ? 2 : 1);
    if (!from || from->kind != OPERAND_LIST || from->list_count != count ||
        (returns && (to->kind != OPERAND_LIST || to->list_count != count)))
        return decode_cannot(decoder, "vectors of the length that the instruction says");
    for (unsigned i = 0; i < count; i++) {
        struct insn *insn = decode_emit_form(decoder, &element);
        const struct ptx_operand *items = decoder->module->operands;
        if (!decode_address(decoder, address, insn) ||
            (returns && !decode_destination(decoder, &items[to->list_start + i], 8 * bytes,
                                            &insn->operands[1])) ||
            !decode_source(decoder, &items[from->list_start + i], form->types[0],
                           &insn->operands[2]))
            return false;
        insn->offset += i * bytes;
    }
    return true;
}

/* createpolicy d, ...: what it says does not matter. */
static bool decode_createpolicy(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    return decode_destination(decoder, decode_operand_at(decoder, 0), 64, &insn->operands[0]);
}

static bool decode_nothing(struct decoder *decoder, const struct decoded_form *form) {
    decode_emit_form(decoder, form);
    return true;
}

static bool decode_getctarank(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    return decode_destination(decoder, decode_operand_at(decoder, 0), 32, &insn->operands[0]) &&
           decode_source(decoder, decode_operand_at(decoder, 1), (enum ptx_type)insn->type,
                         &insn->operands[1]);
}

static bool decode_letters(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    return decode_by_letters(decoder, isa_forms[form->row].operands, insn);
}

typedef bool decode_operation(struct decoder *decoder, const struct decoded_form *form);
static decode_operation *const decoders[OP_COUNT] = {
#define OPERATION(op, decoder, results, definedness, effect, traits) [OP_##op] = decode_##decoder,
#include "sandbox/simgpu/program/isa.def"
};

bool decode_instruction(struct decoder *decoder, const struct decoded_form *form) {
    return decoders[op_of(form)](decoder, form);
}
