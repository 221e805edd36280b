/* Operands: from what the PTX says to offsets of lane vectors.
 *
 * Every source is a lane vector, an immediate too: it gets one in a pool that all warps share, so
 * that executors need no case for it. Results that are not used (`_`) go to a scratch vector. */
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool decode_cannot(struct decoder *decoder, const char *why) {
    snprintf(decoder->why, sizeof decoder->why, "%s", why);
    return false;
}

const struct ptx_operand *decode_operand_at(const struct decoder *decoder, unsigned index) {
    if (index >= decoder->instruction->operand_count)
        return NULL;
    return &decoder->module->operands[decoder->instruction->operand_start + index];
}

/* Registers narrower than 16 bits are kept in 16. */
static unsigned lane_bytes(enum ptx_type type) {
    unsigned bits = ptx_type_bits(type);
    return bits == 1 ? 0 : bits <= 16 ? 2 : bits / 8;
}

unsigned decode_register_bytes(const struct decoder *decoder, const struct ptx_operand *operand) {
    if (operand->kind != OPERAND_REGISTER)
        return 0;
    return lane_bytes(decoder->source->registers[operand->symbol].type);
}

uint32_t decode_constant(struct decoder *decoder, uint64_t bits, unsigned bytes) {
    struct program *program = decoder->program;
    unsigned char vector[WARP_LANES * 8];
    unsigned length = bytes * WARP_LANES;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        memcpy(vector + lane * bytes, &bits, bytes);
    for (size_t at = 0; at + length <= program->constant_bytes; at += 64)
        if (memcmp(program->constants + at, vector, length) == 0)
            return (uint32_t)at | OPERAND_CONSTANT;
    size_t at = program->constant_bytes;
    if (at + length > program->constant_capacity) {
        size_t capacity = program->constant_capacity ? 2 * program->constant_capacity : 1 << 14;
        unsigned char *grown = aligned_alloc(64, capacity);
        if (!grown) {
            decoder->failed = true;
            return 0;
        }
        if (at)
            memcpy(grown, program->constants, at);
        free(program->constants);
        program->constants = grown;
        program->constant_capacity = capacity;
    }
    memcpy(program->constants + at, vector, length);
    program->constant_bytes = at + (length + 63) / 64 * 64;
    return (uint32_t)at | OPERAND_CONSTANT;
}

uint32_t decode_register(struct decoder *decoder, int32_t number, bool write) {
    *mem_push(&decoder->uses, &decoder->use_count, &decoder->use_capacity) =
        (struct register_use){decoder->pc, number, write};
    return decoder->registers[number];
}

bool decode_destination(struct decoder *decoder, const struct ptx_operand *operand, unsigned bits,
                        uint32_t *offset) {
    if (!operand)
        return decode_cannot(decoder, "an operand is missing");
    if (operand->kind == OPERAND_SINK) {
        *offset = bits == 1 ? decoder->scratch_predicate : decoder->scratch;
        return true;
    }
    if (operand->kind != OPERAND_REGISTER)
        return decode_cannot(decoder, "the destination is not a register");
    unsigned have = ptx_type_bits(decoder->source->registers[operand->symbol].type);
    if (have != bits && !(have <= 16 && bits <= 16 && have > 1 && bits > 1))
        return decode_cannot(decoder, "the destination has another width than the instruction");
    *offset = decode_register(decoder, operand->symbol, true);
    return true;
}

static uint64_t float_bits(const struct ptx_operand *operand, enum ptx_type type) {
    double value;
    if (operand->kind == OPERAND_F64) {
        memcpy(&value, &operand->bits, 8);
    } else {
        uint32_t bits = (uint32_t)operand->bits;
        float narrow;
        memcpy(&narrow, &bits, 4);
        value = (double)narrow;
    }
    uint64_t bits = 0;
    float narrow = (float)value;
    _Float16 half = (_Float16)value;
    if (ptx_type_bits(type) == 64)
        memcpy(&bits, &value, 8);
    else if (ptx_type_bits(type) == 32)
        memcpy(&bits, &narrow, 4);
    else
        memcpy(&bits, &half, 2);
    return bits;
}

static bool symbol_bits(struct decoder *decoder, const struct ptx_operand *operand,
                        uint64_t *bits) {
    if (operand->symbol == PTX_NO_SYMBOL) {
        int32_t function = call_graph_find(decoder, operand->name, false);
        if (function < 0)
            return decode_cannot(decoder, "a name that is not declared");
        *bits = ADDRESS_OF(WINDOW_FUNCTION) + 16 * (uint64_t)function;
        return true;
    }
    if (!operand->global_symbol) {
        const struct ptx_variable *variable = &decoder->source->variables[operand->symbol];
        if (variable->space == SPACE_PARAM && decoder->slots[operand->symbol].entry_offset >= 0) {
            *bits = ADDRESS_OF(WINDOW_PARAM) +
                    (uint64_t)(decoder->slots[operand->symbol].entry_offset + operand->offset);
            return true;
        }
        if (variable->space == SPACE_LOCAL && decoder->source->is_entry) {
            /* the kernel's own frame is the bottom of the stack */
            *bits = decoder->locals[operand->symbol] + (uint64_t)operand->offset;
            return true;
        }
        if (variable->space != SPACE_SHARED)
            return decode_cannot(decoder, "the address of this variable cannot be taken here");
    }
    const struct placed_variable *placed = variable_layout_find(decoder, operand);
    if (!placed)
        return decode_cannot(decoder, "a variable without an address");
    *bits = placed->address + (uint64_t)operand->offset;
    return true;
}

bool decode_special(struct decoder *decoder, struct ptx_span name, enum special *special) {
    static const char *const names[] = {
#define SPECIAL(id, text, bytes) text,
#include "sandbox/simgpu/program/special.def"
#undef SPECIAL
    };
    for (unsigned i = 0; i < SPECIAL_COUNT; i++)
        if (ptx_span_is(name, names[i])) {
            *special = (enum special)i;
            return true;
        }
    static const char *const unset[] = {"%envreg", "%pm", "%reserved_smem_offset_"};
    for (unsigned i = 0; i < ARRAY_LENGTH(unset); i++)
        if (name.length > strlen(unset[i]) && name.length < strlen(unset[i]) + 6 &&
            memcmp(name.start, unset[i], strlen(unset[i])) == 0) {
            *special = SPECIAL_UNSET;
            return true;
        }
    snprintf(decoder->why, sizeof decoder->why, "the special register %.*s",
             name.length > 60 ? 60 : (int)name.length, name.start);
    return false;
}

static const uint8_t special_bytes[] = {
#define SPECIAL(id, text, bytes) bytes,
#include "sandbox/simgpu/program/special.def"
#undef SPECIAL
};

static bool special_source(struct decoder *decoder, const struct ptx_operand *operand,
                           unsigned bytes, uint32_t *offset) {
    enum special special;
    if (!decode_special(decoder, operand->name, &special))
        return false;
    if (special >= SPECIAL_CLOCK)
        return decode_cannot(decoder, "a clock as an operand of anything but mov");
    /* %tid and its kin were 16 bits wide once, %gridid had 32: they may still be read so (chapter
     * 10) */
    bool narrow =
        (bytes == 2 && special_bytes[special] == 4) || (bytes == 4 && special == SPECIAL_GRIDID);
    if (special_bytes[special] != bytes && !narrow)
        return decode_cannot(decoder, "a special register read with another width");
    uint32_t *place = &decoder->special_offsets[narrow][special];
    if (*place == OPERAND_NONE) {
        *place = decoder->register_bytes;
        decoder->register_bytes += 64 * ((WARP_LANES * bytes + 63) / 64);
        struct program *program = decoder->program;
        *mem_push(&program->specials, &program->special_count, &program->special_capacity) =
            (struct special_use){(uint16_t)special, *place, (uint8_t)bytes};
        decoder->function->special_count++;
    }
    *offset = *place;
    return true;
}

bool decode_source(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type,
                   uint32_t *offset) {
    if (!operand)
        return decode_cannot(decoder, "an operand is missing");
    unsigned bytes = lane_bytes(type);
    uint64_t bits = operand->bits;
    switch (operand->kind) {
    case OPERAND_REGISTER: {
        unsigned have = lane_bytes(decoder->source->registers[operand->symbol].type);
        if (have != bytes)
            return decode_cannot(decoder, "an operand has another width than the instruction");
        *offset = decode_register(decoder, operand->symbol, false);
        return true;
    }
    case OPERAND_SPECIAL:
        return special_source(decoder, operand, bytes, offset);
    case OPERAND_INTEGER:
        break;
    case OPERAND_F32:
        if (bytes == 8)
            bits = float_bits(operand, PTX_f64);
        break;
    case OPERAND_F64:
        if (bytes != 8)
            bits = float_bits(operand, type);
        break;
    case OPERAND_SYMBOL:
        if (!symbol_bits(decoder, operand, &bits))
            return false;
        break;
    default:
        return decode_cannot(decoder, "an operand of this kind");
    }
    *offset = decode_constant(decoder, bits, bytes ? bytes : 4);
    return true;
}

bool decode_predicate(struct decoder *decoder, const struct ptx_operand *operand, bool destination,
                      uint32_t *offset) {
    if (!operand)
        return decode_cannot(decoder, "a predicate is missing");
    if (operand->kind == OPERAND_SINK && destination) {
        *offset = decoder->scratch_predicate;
        return true;
    }
    if (operand->kind == OPERAND_INTEGER && !destination) {
        uint64_t all = operand->bits ? UINT32_MAX : 0;
        *offset = decode_constant(decoder, all, 4);
        return true;
    }
    if (operand->kind == OPERAND_SPECIAL && !destination &&
        ptx_span_is(operand->name, "%is_explicit_cluster")) {
        const struct ptx_function *kernel = decoder->sources[0].function;
        bool is_explicit = kernel->explicit_cluster || decoder->clusters != CLUSTERS_NONE;
        *offset = decode_constant(decoder, is_explicit ? UINT32_MAX : 0, 4);
        return true;
    }
    if (operand->kind != OPERAND_REGISTER ||
        decoder->source->registers[operand->symbol].type != PTX_pred)
        return decode_cannot(decoder, "an operand that should be a predicate");
    *offset = decode_register(decoder, operand->symbol, destination) |
              (operand->negated ? OPERAND_NEGATED : 0u);
    return true;
}

/* Slot 0 and the offset. type2 says whether the address register has 32 bits only. */
bool decode_address(struct decoder *decoder, const struct ptx_operand *operand, struct insn *insn) {
    if (!operand || operand->kind != OPERAND_ADDRESS)
        return decode_cannot(decoder, "an address is expected");
    insn->offset = operand->offset;
    if (operand->list_count == 0) {
        insn->operands[0] = decode_constant(decoder, 0, 8);
        return true;
    }
    const struct ptx_operand *base = &decoder->module->operands[operand->list_start];
    if (base->kind == OPERAND_REGISTER) {
        unsigned bytes = decode_register_bytes(decoder, base);
        if (bytes != 8 && bytes != 4)
            return decode_cannot(decoder, "an address register of 32 or 64 bits is expected");
        insn->operands[0] = decode_register(decoder, base->symbol, false);
        insn->address32 = bytes == 4;
        return true;
    }
    uint64_t bits;
    if (base->kind != OPERAND_SYMBOL || !symbol_bits(decoder, base, &bits))
        return base->kind == OPERAND_SYMBOL ? false
                                            : decode_cannot(decoder, "an address of this kind");
    insn->operands[0] = decode_constant(decoder, bits, 8);
    return true;
}
