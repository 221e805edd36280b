/* Decoding of video instructions (PTX ISA 9.7.17) and of lop3 with a predicate.
 *
 * Operands may name parts: `d.b0`, `a.h1`, `b.b7531`. The parser takes such a name whole, so that
 * the register is looked up here. */
#include "sandbox/simgpu/program/decoder.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/program/video.h"

#include <stdlib.h>
#include <string.h>

static bool is_register(const struct ptx_register *reg, struct ptx_span name) {
    uint32_t prefix = reg->name.length;
    if (name.length < prefix || memcmp(reg->name.start, name.start, prefix) != 0)
        return false;
    if (name.length == prefix)
        return true;
    uint32_t number = 0;
    for (uint32_t i = prefix; i < name.length; i++) {
        if (name.start[i] < '0' || name.start[i] > '9' || number > PTX_MAX_REGISTERS)
            return false;
        number = 10 * number + (uint32_t)(name.start[i] - '0');
    }
    return number == reg->number;
}

/* Splits "%r1.b0" into its register and "b0"; a plain operand has no parts. */
static struct ptx_operand without_parts(const struct decoder *decoder,
                                        const struct ptx_operand *operand, struct ptx_span *parts) {
    *parts = (struct ptx_span){NULL, 0};
    struct ptx_operand plain = *operand;
    plain.negated = false;
    if (operand->kind != OPERAND_SPECIAL && operand->kind != OPERAND_SYMBOL)
        return plain;
    const char *dot = memrchr(operand->name.start, '.', operand->name.length);
    if (!dot)
        return plain;
    struct ptx_span name = {operand->name.start, (uint32_t)(dot - operand->name.start)};
    for (size_t i = 0; i < decoder->source->register_count; i++)
        if (is_register(&decoder->source->registers[i], name)) {
            plain.kind = OPERAND_REGISTER;
            plain.symbol = (int32_t)i;
            *parts = (struct ptx_span){dot + 1, operand->name.length - name.length - 1};
            break;
        }
    return plain;
}

/* "b3", "h1" of a scalar form. */
static bool scalar_part(struct ptx_span text, unsigned *part) {
    *part = PART_WORD;
    if (text.length == 0)
        return true;
    if (text.length != 2)
        return false;
    unsigned number = (unsigned)(text.start[1] - '0');
    *part = (text.start[0] == 'b' ? PART_B0 : PART_H0) + number;
    return (text.start[0] == 'b' && number < 4) || (text.start[0] == 'h' && number < 2);
}

/* "b7531", "h10" of a SIMD form, the last digit for part 0: four bits a part. */
static bool simd_parts(struct ptx_span text, unsigned count, unsigned standard, unsigned *parts) {
    *parts = standard;
    if (text.length == 0)
        return true;
    if (text.length != count + 1 || text.start[0] != (count == 2 ? 'h' : 'b'))
        return false;
    *parts = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned digit = (unsigned)(text.start[1 + i] - '0');
        if (digit >= 2 * count)
            return false;
        *parts = *parts << 4 | digit;
    }
    return true;
}

/* "b20": the parts of the destination that are written. */
static bool simd_mask(struct ptx_span text, unsigned count, unsigned *mask) {
    *mask = (1u << count) - 1;
    if (text.length == 0)
        return true;
    *mask = 0;
    for (uint32_t i = 1; i < text.length; i++) {
        unsigned digit = (unsigned)(text.start[i] - '0');
        if (digit >= count)
            return false;
        *mask |= 1u << digit;
    }
    return text.start[0] == (count == 2 ? 'h' : 'b') && *mask;
}

/* vmad: either the product or c, and neither of them with .po (ptxas refuses both at once). */
static bool negations(struct decoder *decoder, const struct decoded_form *form,
                      struct video *video) {
    bool negated[4] = {false};
    for (unsigned i = 1; i < 4; i++) {
        const struct ptx_operand *operand = decode_operand_at(decoder, i);
        negated[i] = operand && operand->negated;
    }
    if (negated[1] != negated[2])
        video->negate |= NEGATE_PRODUCT;
    if (negated[3])
        video->negate |= NEGATE_C;
    bool both = video->negate == (NEGATE_PRODUCT | NEGATE_C);
    bool plus_one =
        form->modifiers.extra & EXTRA_PLUS_ONE && (negated[1] || negated[2] || negated[3]);
    return (!both && !plus_one) ||
           decode_cannot(decoder, "negations of a product and of c at once");
}

bool decode_video(struct decoder *decoder, const struct decoded_form *form) {
    enum isa_op op = (enum isa_op)isa_forms[form->row].op;
    unsigned count = decoder->instruction->operand_count;
    unsigned simd = op == OP_video2 || op == OP_video2_set   ? 2
                    : op == OP_video4 || op == OP_video4_set ? 4
                                                             : 0;
    bool is_set = op == OP_video_set || op == OP_video2_set ||
                  op == OP_video4_set; /* no type of its destination: it is unsigned */
    if (form->type_count != (is_set ? 2 : 3) || count < 3 || count > 4 || (simd && count != 4))
        return decode_cannot(decoder, "other types or operands than a video instruction has");
    struct insn *insn = decode_emit_form(decoder, form);
    struct video video = {.secondary = form->modifiers.secondary, .scale = form->modifiers.scale};
    for (unsigned i = 0; i < form->type_count; i++)
        video.signs |= (uint8_t)(ptx_type_is_signed(form->types[i]) << (i + (is_set ? 1 : 0)));
    if (op == OP_video_mad && !negations(decoder, form, &video))
        return false;
    unsigned selected[3];
    for (unsigned i = 0; i < 3; i++) {
        struct ptx_span parts;
        struct ptx_operand plain = without_parts(decoder, decode_operand_at(decoder, i), &parts);
        bool known =
            !simd    ? scalar_part(parts, &selected[i])
            : i == 0 ? simd_mask(parts, simd, &selected[i])
                     : simd_parts(parts, simd,
                                  simd == 4 ? (i == 1 ? 0x3210 : 0x7654) : (i == 1 ? 0x10 : 0x32),
                                  &selected[i]);
        if (!known)
            return decode_cannot(decoder, "parts of an operand");
        if (!(i == 0 ? decode_destination(decoder, &plain, 32, &insn->operands[0])
                     : decode_source(decoder, &plain, PTX_u32, &insn->operands[i])))
            return false;
    }
    video.merge = (uint8_t)selected[0];
    video.a_parts = (uint16_t)selected[1];
    video.b_parts = (uint16_t)selected[2];
    insn->video = video_pack(video);
    bool needs_c = video.secondary || video.merge != PART_WORD || op == OP_video_mad;
    if (count < 4)
        return !needs_c || decode_cannot(decoder, "an operand is missing");
    return decode_source(decoder, decode_operand_at(decoder, 3), PTX_u32, &insn->operands[3]);
}

/* lop3.BoolOp d|p, a, b, c, table, q. */
bool decode_lop3(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_as(decoder, form, OP_lop3_predicate);
    const struct ptx_operand *to = decode_operand_at(decoder, 0);
    const struct ptx_operand *table = decode_operand_at(decoder, 4);
    if (!to || to->kind != OPERAND_PAIR || !table || table->kind != OPERAND_INTEGER ||
        table->bits > 255)
        return decode_cannot(decoder, "the operands of lop3 with a predicate");
    to = &decoder->module->operands[to->list_start];
    insn->table = (int64_t)table->bits;
    if (!decode_destination(decoder, to, 32, &insn->operands[0]) ||
        !decode_predicate(decoder, to + 1, true, &insn->operands[1]))
        return false;
    for (unsigned i = 1; i < 4; i++)
        if (!decode_source(decoder, decode_operand_at(decoder, i), PTX_b32, &insn->operands[1 + i]))
            return false;
    return decode_predicate(decoder, decode_operand_at(decoder, 5), false, &insn->operands[5]);
}
