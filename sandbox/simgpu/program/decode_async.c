/* Decoding of cp.async, cp.async.bulk and mbarrier (PTX ISA 9.7.9.25, 9.7.13.15).
 *
 * A copy has two or three addresses: their offsets stand in `copy` and `barrier_offset`, which of
 * the address registers have 32 bits in `copy_flags`. Slots: 0 destination, 1 source, 2 size, 3
 * mbarrier. */
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/simgpu/program/copy_flags.h"
#include "sandbox/simgpu/program/program.h"

static bool decode_copy_address(struct decoder *decoder, unsigned index, unsigned slot,
                                struct insn *insn, int32_t *offset) {
    struct insn address = {0};
    if (!decode_address(decoder, decode_operand_at(decoder, index), &address))
        return false;
    if (address.offset < INT32_MIN || address.offset > INT32_MAX)
        return decode_cannot(decoder, "an offset of more than 32 bits");
    insn->operands[slot] = address.operands[0];
    if (address.address32)
        insn->copy_flags |= (uint8_t)(COPY_NARROW << slot);
    *offset = (int32_t)address.offset;
    return true;
}

static bool decode_number(struct decoder *decoder, unsigned index, uint64_t *number) {
    const struct ptx_operand *operand = decode_operand_at(decoder, index);
    if (!operand || operand->kind != OPERAND_INTEGER)
        return decode_cannot(decoder, "a number is expected");
    *number = operand->bits;
    return true;
}

static bool is_predicate(const struct decoder *decoder, const struct ptx_operand *operand) {
    return operand->kind == OPERAND_REGISTER &&
           decoder->source->registers[operand->symbol].type == PTX_pred;
}

/* cp.async [dst], [src], size{, src-size | ignore-src}{, cache-policy}; */
static bool decode_copy(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    int32_t to, from;
    uint64_t size = 0;
    insn->space = SPACE_GENERIC; /* source and destination are told apart by their windows */
    insn->copy_flags = 0;
    if (!decode_copy_address(decoder, 0, 0, insn, &to) ||
        !decode_copy_address(decoder, 1, 1, insn, &from) || !decode_number(decoder, 2, &size))
        return false;
    if (size != 4 && size != 8 && size != 16)
        return decode_cannot(decoder, "a copy of this size");
    insn->copy.to_offset = to;
    insn->copy.from_offset = from;
    insn->copy_bytes = (uint8_t)size;
    const struct ptx_operand *source_size = decode_operand_at(decoder, 3);
    bool hint = form->modifiers.extra & EXTRA_CACHE_POLICY;
    if (!source_size || (hint && decoder->instruction->operand_count == 4))
        return true;
    if (is_predicate(decoder, source_size)) {
        insn->copy_flags |= COPY_IGNORE;
        return decode_predicate(decoder, source_size, false, &insn->operands[2]);
    }
    insn->copy_flags |= COPY_SIZED;
    return decode_source(decoder, source_size, PTX_b32, &insn->operands[2]);
}

/* cp.async.bulk [dst], [src], size, [mbar]{, mask of blocks}; and to global memory without an
 * mbarrier. The source is in global memory, or in shared memory for a copy to another block of the
 * cluster. */
static bool decode_bulk(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    bool several = insn_op(insn) == OP_cp_bulk_multicast;
    bool loads = insn_op(insn) == OP_cp_bulk || several;
    int32_t to, from, barrier = 0;
    insn->space = SPACE_GENERIC;
    insn->copy_flags = !loads                                  ? COPY_TO_GLOBAL
                       : form->modifiers.space == SPACE_GLOBAL ? 0
                                                               : COPY_FROM_SHARED;
    if (!decode_copy_address(decoder, 0, 0, insn, &to) ||
        !decode_copy_address(decoder, 1, 1, insn, &from) ||
        !decode_source(decoder, decode_operand_at(decoder, 2), PTX_b32, &insn->operands[2]) ||
        (loads && !decode_copy_address(decoder, 3, 3, insn, &barrier)) ||
        (several &&
         !decode_source(decoder, decode_operand_at(decoder, 4), PTX_b16, &insn->operands[4])))
        return false;
    insn->copy.to_offset = to;
    insn->copy.from_offset = from;
    insn->barrier_offset = barrier;
    return true;
}

bool decode_cp(struct decoder *decoder, const struct decoded_form *form) {
    enum isa_op op = (enum isa_op)isa_forms[form->row].op;
    if (op == OP_cp_async)
        return decode_copy(decoder, form);
    if (op == OP_cp_bulk || op == OP_cp_bulk_multicast || op == OP_cp_bulk_store)
        return decode_bulk(decoder, form);
    struct insn *insn = decode_emit_form(decoder, form);
    if (op == OP_cp_async_arrive || op == OP_cp_async_arrive_noinc) {
        insn->grow = op == OP_cp_async_arrive; /* what the pending count grows by first */
        return decode_address(decoder, decode_operand_at(decoder, 0), insn);
    }
    insn->groups = -1; /* all */
    uint64_t groups = 0;
    if (op != OP_cp_async_wait_group && op != OP_cp_bulk_wait)
        return true;
    if (!decode_number(decoder, 0, &groups))
        return false;
    insn->groups = groups > INT32_MAX ? INT32_MAX : (int64_t)groups;
    return true;
}

/* Slot 0 the address, 1 the state or predicate, 2 count, transactions, state or parity. */
bool decode_mbarrier(struct decoder *decoder, const struct decoded_form *form) {
    static const uint8_t flags[OP_COUNT] = {
        [OP_mbarrier_arrive] = MBARRIER_ARRIVE,
        [OP_mbarrier_arrive_no_complete] = MBARRIER_ARRIVE | MBARRIER_NO_COMPLETE,
        [OP_mbarrier_arrive_expect] = MBARRIER_ARRIVE | MBARRIER_EXPECT,
        [OP_mbarrier_drop] = MBARRIER_ARRIVE | MBARRIER_DROP,
        [OP_mbarrier_drop_no_complete] = MBARRIER_ARRIVE | MBARRIER_DROP | MBARRIER_NO_COMPLETE,
        [OP_mbarrier_drop_expect] = MBARRIER_ARRIVE | MBARRIER_DROP | MBARRIER_EXPECT,
        [OP_mbarrier_expect] = MBARRIER_EXPECT,
        [OP_mbarrier_wait_parity] = MBARRIER_PARITY,
    };
    struct insn *insn = decode_emit_form(decoder, form);
    enum isa_op op = insn_op(insn);
    insn->mbarrier_flags = flags[op];
    insn->register_bytes = 8;
    if (op == OP_mbarrier_pending_count)
        return decode_destination(decoder, decode_operand_at(decoder, 0), 32, &insn->operands[0]) &&
               decode_source(decoder, decode_operand_at(decoder, 1), PTX_b64, &insn->operands[1]);
    if (op == OP_mbarrier_wait || op == OP_mbarrier_wait_parity)
        return decode_predicate(decoder, decode_operand_at(decoder, 0), true, &insn->operands[1]) &&
               decode_address(decoder, decode_operand_at(decoder, 1), insn) &&
               decode_source(decoder, decode_operand_at(decoder, 2),
                             insn->mbarrier_flags & MBARRIER_PARITY ? PTX_b32 : PTX_b64,
                             &insn->operands[2]);
    unsigned next = 0;
    bool arrives = insn->mbarrier_flags & MBARRIER_ARRIVE;
    if (arrives &&
        !decode_destination(decoder, decode_operand_at(decoder, next++), 64, &insn->operands[1]))
        return false;
    if (!decode_address(decoder, decode_operand_at(decoder, next++), insn))
        return false;
    const struct ptx_operand *count = decode_operand_at(decoder, next);
    if (count)
        return decode_source(decoder, count, PTX_b32, &insn->operands[2]);
    return op == OP_mbarrier_inval || (arrives && !(insn->mbarrier_flags & MBARRIER_NO_COMPLETE)) ||
           decode_cannot(decoder, "a count is missing");
}
