/* Operands of an instruction: registers, immediates, addresses, lists, pairs.
 *
 * Names are looked up at once: a register or a variable must have been declared before. What is not
 * declared stays a name (a label or a function) for the decoder. */
#include "sandbox/simgpu/ptx/parser.h"

#include "sandbox/base/memory.h"

/* "%r12" is register 12 of the family "%r"; a name declared whole wins. */
bool parser_find_register(struct parser *parser, struct ptx_span name, int32_t *index) {
    struct symbol *symbol = parser_find(parser, name);
    if (symbol && symbol->kind == SYMBOL_REGISTERS && symbol->count == 0) {
        *index = symbol->index;
        return true;
    }
    uint32_t length = name.length;
    while (length > 1 && name.start[length - 1] >= '0' && name.start[length - 1] <= '9')
        length--;
    if (length == name.length || name.length - length > 7)
        return false;
    uint32_t number = 0;
    for (uint32_t i = length; i < name.length; i++)
        number = number * 10 + (uint32_t)(name.start[i] - '0');
    symbol = parser_find(parser, (struct ptx_span){name.start, length});
    if (!symbol || symbol->kind != SYMBOL_REGISTERS || number >= symbol->count)
        return false;
    *index = symbol->index + (int32_t)number;
    return true;
}

static void name_operand(struct parser *parser, struct ptx_span name, struct ptx_operand *operand) {
    operand->name = name;
    operand->symbol = PTX_NO_SYMBOL;
    struct symbol *symbol = parser_find(parser, name);
    if (symbol && symbol->kind != SYMBOL_REGISTERS) {
        operand->kind = OPERAND_SYMBOL;
        operand->symbol = symbol->index;
        operand->global_symbol = symbol->kind == SYMBOL_MODULE_VARIABLE;
    } else if (parser_find_register(parser, name, &operand->symbol)) {
        operand->kind = OPERAND_REGISTER;
    } else if (ptx_span_is(name, "WARP_SZ")) { /* section 4.5: a constant with a name */
        operand->kind = OPERAND_INTEGER;
        operand->bits = WARP_LANES;
    } else {
        operand->kind = name.start[0] == '%' ? OPERAND_SPECIAL : OPERAND_SYMBOL;
    }
}

static bool parse_operand(struct parser *parser, struct ptx_operand *operand, unsigned depth);

static void push_list(struct parser *parser, const struct ptx_operand *items, size_t count,
                      struct ptx_operand *operand) {
    struct ptx_module *module = parser->module;
    if (module->operand_count + count > PTX_MAX_OPERANDS) {
        parser_fail(parser, "more than %d operands in the module", PTX_MAX_OPERANDS);
        return;
    }
    operand->list_start = (uint32_t)module->operand_count;
    operand->list_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        *mem_push(&module->operands, &module->operand_count, &module->operand_capacity) = items[i];
}

static bool parse_list(struct parser *parser, char close, struct ptx_operand *operand,
                       unsigned depth) {
    struct ptx_operand items[256];
    size_t count = 0;
    operand->kind = OPERAND_LIST;
    while (!parser_at_sign(parser, close)) {
        if (count == ARRAY_LENGTH(items))
            return parser_fail(parser, "more than %zu operands in a list", ARRAY_LENGTH(items));
        if (!parse_operand(parser, &items[count++], depth + 1))
            return false;
        if (!parser_accept_sign(parser, ','))
            break;
    }
    push_list(parser, items, count, operand);
    return parser_expect_sign(parser, close);
}

bool parser_offset(struct parser *parser, int64_t *offset) {
    *offset = 0;
    if (parser_accept_sign(parser, '+'))
        return parser_expect_integer(parser, -((int64_t)1 << 40), (int64_t)1 << 40, offset);
    if (parser_at_sign(parser, '-'))
        return parser_expect_integer(parser, -((int64_t)1 << 40), 0, offset);
    return true;
}

static bool parse_address(struct parser *parser, struct ptx_operand *operand) {
    operand->kind = OPERAND_ADDRESS;
    operand->symbol = PTX_NO_SYMBOL;
    struct ptx_operand parts[3] = {{0}};
    size_t count = 1;
    if (parser->token.kind == TOKEN_INTEGER) {
        operand->offset = (int64_t)parser->token.bits;
        parser_advance(parser);
        return parser_expect_sign(parser, ']');
    }
    struct ptx_span name;
    if (!parser_expect_name(parser, &name))
        return false;
    name_operand(parser, name, &parts[0]);
    if (!parser_offset(parser, &operand->offset))
        return false;
    /* a sampler, coordinates of a texture, cluster addresses */
    while (count < ARRAY_LENGTH(parts) && parser_accept_sign(parser, ','))
        if (!parse_operand(parser, &parts[count++], 1))
            return false;
    push_list(parser, parts, count, operand);
    return parser_expect_sign(parser, ']');
}

static bool parse_immediate(struct parser *parser, struct ptx_operand *operand, bool negative) {
    switch (parser->token.kind) {
    case TOKEN_INTEGER:
        operand->kind = OPERAND_INTEGER;
        operand->bits = negative ? -parser->token.bits : parser->token.bits;
        break;
    case TOKEN_F32:
        operand->kind = OPERAND_F32;
        operand->bits = parser->token.bits ^ (negative ? 0x80000000u : 0);
        break;
    case TOKEN_F64:
        operand->kind = OPERAND_F64;
        operand->bits = parser->token.bits ^ (negative ? (uint64_t)1 << 63 : 0);
        break;
    default:
        return parser_fail(parser, "an operand is expected here");
    }
    parser_advance(parser);
    return true;
}

/* What follows `first|`: a predicate. Both are a pair then. */
static bool parse_second(struct parser *parser, struct ptx_operand *operand) {
    if (!parser_accept_sign(parser, '|'))
        return true;
    struct ptx_span name;
    struct ptx_operand pair[2] = {*operand, {0}};
    if (!parser_expect_name(parser, &name))
        return false;
    if (ptx_span_is(name, "_"))
        pair[1].kind = OPERAND_SINK;
    else
        name_operand(parser, name, &pair[1]);
    *operand = (struct ptx_operand){.kind = OPERAND_PAIR};
    push_list(parser, pair, 2, operand);
    return true;
}

static bool parse_named_operand(struct parser *parser, struct ptx_operand *operand) {
    struct ptx_span name;
    if (!parser_expect_name(parser, &name))
        return false;
    if (ptx_span_is(name, "_"))
        operand->kind = OPERAND_SINK;
    else
        name_operand(parser, name, operand);
    if (operand->kind == OPERAND_SYMBOL && !parser_offset(parser, &operand->offset))
        return false;
    return parse_second(parser, operand);
}

static bool parse_operand(struct parser *parser, struct ptx_operand *operand, unsigned depth) {
    *operand = (struct ptx_operand){.symbol = PTX_NO_SYMBOL};
    if (depth > 4)
        return parser_fail(parser, "operands nest too deep");
    if (parser_accept_sign(parser, '['))
        return parse_address(parser, operand);
    if (parser_accept_sign(parser, '{'))
        return parse_list(parser, '}', operand, depth) && parse_second(parser, operand);
    if (parser_accept_sign(parser, '('))
        return parse_list(parser, ')', operand, depth);
    if (parser_accept_sign(parser, '!')) {
        if (!parse_named_operand(parser, operand))
            return false;
        operand->negated = true;
        return true;
    }
    if (parser->token.kind == TOKEN_NAME)
        return parse_named_operand(parser, operand);
    bool negative = parser_accept_sign(parser, '-');
    if (negative && parser->may_negate && parser->token.kind == TOKEN_NAME) {
        if (!parse_named_operand(parser, operand))
            return false;
        operand->negated = true;
        return true;
    }
    return parse_immediate(parser, operand, negative);
}

/* The operands up to the semicolon, in one run of module->operands. */
bool parser_operands(struct parser *parser, uint32_t *start, uint32_t *count) {
    struct ptx_operand list = {0}, items[32];
    size_t number = 0;
    if (!parser_at_sign(parser, ';'))
        do {
            if (number == ARRAY_LENGTH(items))
                return parser_fail(parser, "more than %zu operands", ARRAY_LENGTH(items));
            if (!parse_operand(parser, &items[number++], 0))
                return false;
        } while (parser_accept_sign(parser, ','));
    push_list(parser, items, number, &list);
    *start = list.list_start;
    *count = list.list_count;
    return parser_expect_sign(parser, ';');
}
