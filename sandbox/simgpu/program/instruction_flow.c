/* Instructions that go elsewhere: calls with their arguments, branches, indexed branches. */
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/program/program.h"

#include <stdio.h>
#include <string.h>

static bool call_slot(struct decoder *decoder, const struct ptx_operand *operand,
                      const struct param_slot **slot) {
    if (operand->kind != OPERAND_SYMBOL || operand->symbol == PTX_NO_SYMBOL ||
        operand->global_symbol || decoder->source->variables[operand->symbol].space != SPACE_PARAM)
        return decode_cannot(decoder, "a call whose argument is not a .param variable");
    *slot = &decoder->slots[operand->symbol];
    return true;
}

/* What nvcc makes of <<<>>> in device code: calls of the device's runtime, one after the other, of
 * which this is the first. */
static bool launches_kernel(struct ptx_span name) {
    static const char *const firsts[] = {"cudaGetParameterBuffer", "__cudaCDP2GetParameterBuffer",
                                         "__cuda_syscall_cnpv2GetParameterBuffer"};
    for (size_t i = 0; i < ARRAY_LENGTH(firsts); i++)
        if (name.length >= strlen(firsts[i]) &&
            memcmp(name.start, firsts[i], strlen(firsts[i])) == 0)
            return true;
    return false;
}

static bool call_target(struct decoder *decoder, const struct ptx_operand *operand,
                        struct call_site *call) {
    if (operand->kind == OPERAND_REGISTER)
        return decode_source(decoder, operand, PTX_b64, &call->address);
    if (ptx_span_is(operand->name, "vprintf"))
        call->builtin = BUILTIN_VPRINTF;
    else if (ptx_span_is(operand->name, "__assertfail"))
        call->builtin = BUILTIN_ASSERTFAIL;
    else if (ptx_span_is(operand->name, "malloc"))
        call->builtin = BUILTIN_MALLOC;
    else if (ptx_span_is(operand->name, "free"))
        call->builtin = BUILTIN_FREE;
    if (call->builtin != BUILTIN_NONE)
        return true;
    call->function = call_graph_find(decoder, operand->name, true);
    if (call->function >= 0)
        return true;
    if (launches_kernel(operand->name))
        return decode_cannot(decoder, DYNAMIC_PARALLELISM);
    snprintf(decoder->why, sizeof decoder->why, "a call of %.*s, which has no body",
             operand->name.length > 100 ? 100 : (int)operand->name.length, operand->name.start);
    return false;
}

bool decode_call(struct decoder *decoder, const struct decoded_form *form) {
    struct program *program = decoder->program;
    struct insn *insn = decode_emit_form(decoder, form);
    insn->call = (int64_t)program->call_count;
    struct call_site *call =
        mem_push(&program->calls, &program->call_count, &program->call_capacity);
    call->function = -1;
    const struct param_slot *slot;
    unsigned next = 0;
    const struct ptx_operand *operand = decode_operand_at(decoder, next);
    if (operand && operand->kind == OPERAND_LIST) {
        if (operand->list_count != 1 ||
            !call_slot(decoder, &decoder->module->operands[operand->list_start], &slot))
            return decode_cannot(decoder, "a call with this list of results");
        call->has_result = true;
        call->result = slot->offset;
        call->result_bytes = slot->bytes;
        operand = decode_operand_at(decoder, ++next);
    }
    if (!operand)
        return decode_cannot(decoder, "a call of nothing");
    if (!call_target(decoder, operand, call))
        return false;
    operand = decode_operand_at(decoder, ++next);
    if (!operand || operand->kind != OPERAND_LIST)
        return true;
    if (operand->list_count > ARRAY_LENGTH(call->arguments))
        return decode_cannot(decoder, "a call with more than 16 arguments");
    for (uint32_t i = 0; i < operand->list_count; i++) {
        if (!call_slot(decoder, &decoder->module->operands[operand->list_start + i], &slot))
            return false;
        call->arguments[i] = slot->offset;
        call->argument_bytes[i] = slot->bytes;
    }
    call->argument_count = operand->list_count;
    return true;
}

/* The index goes to slot 0, the targets to program->targets: count, then instruction numbers that
 * decode.c turns into pcs. */
bool decode_brx(struct decoder *decoder, const struct decoded_form *form) {
    struct program *program = decoder->program;
    struct insn *insn = decode_emit_form(decoder, form);
    const struct ptx_operand *name = decode_operand_at(decoder, 1);
    if (!name ||
        !decode_source(decoder, decode_operand_at(decoder, 0), PTX_u32, &insn->operands[0]))
        return decode_cannot(decoder, "the operands of brx.idx");
    for (size_t t = 0; t < decoder->source->table_count; t++) {
        const struct ptx_table *table = &decoder->source->tables[t];
        if (table->name.length != name->name.length ||
            memcmp(table->name.start, name->name.start, table->name.length) != 0)
            continue;
        insn->targets = (int64_t)program->target_count;
        *mem_push(&program->targets, &program->target_count, &program->target_capacity) =
            table->operand_count;
        for (uint32_t i = 0; i < table->operand_count; i++) {
            uint32_t target;
            if (!decode_label(decoder, decoder->module->operands[table->operand_start + i].name,
                              &target))
                return false;
            *mem_push(&program->targets, &program->target_count, &program->target_capacity) =
                target;
        }
        return true;
    }
    return decode_cannot(decoder, "brx.idx with an unknown list of targets");
}

bool decode_bra(struct decoder *decoder, const struct decoded_form *form) {
    struct insn *insn = decode_emit_form(decoder, form);
    const struct ptx_operand *operand = decode_operand_at(decoder, 0);
    uint32_t target;
    if (!operand || !decode_label(decoder, operand->name, &target))
        return decode_cannot(decoder, "a branch to an unknown label");
    insn->target = target;
    return true;
}
