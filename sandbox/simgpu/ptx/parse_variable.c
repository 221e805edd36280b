/* Declarations: registers, variables in all state spaces, and initialisers.
 *
 * An initialiser becomes the bytes that the variable holds at launch; an address inside it is kept
 * as a relocation, because addresses exist only when a launch lays memory out. */
#include "sandbox/simgpu/ptx/parser.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool parse_type(struct parser *parser, enum ptx_type *type) {
    *type = PTX_NO_TYPE;
    if (parser->token.kind == TOKEN_DIRECTIVE) {
        struct ptx_span name = {parser->token.span.start + 1, parser->token.span.length - 1};
        *type = ptx_type_from_span(name);
        /* a texture's or surface's handle: what uses it is unsupported, its declaration is not */
        if (ptx_span_is(name, "texref") || ptx_span_is(name, "samplerref") ||
            ptx_span_is(name, "surfref"))
            *type = PTX_b64;
    }
    if (*type == PTX_NO_TYPE)
        return parser_fail(parser, "a type is expected here, like .b32");
    parser_advance(parser);
    return true;
}

static bool declare_registers(struct parser *parser, enum ptx_type type, struct ptx_span name,
                              uint32_t count) {
    struct ptx_function *function = parser->function;
    uint32_t number = count ? count : 1;
    if (function->register_count + number > PTX_MAX_REGISTERS)
        return parser_fail(parser, "more than %d registers", PTX_MAX_REGISTERS);
    int32_t first = (int32_t)function->register_count;
    for (uint32_t i = 0; i < number; i++) {
        struct ptx_register *added =
            mem_push(&function->registers, &function->register_count, &function->register_capacity);
        *added = (struct ptx_register){name, i, type};
    }
    return parser_declare(parser, name, SYMBOL_REGISTERS, first, count);
}

bool parser_registers(struct parser *parser) {
    enum ptx_type type;
    if (!parse_type(parser, &type))
        return false;
    do {
        struct ptx_span name;
        if (!parser_expect_name(parser, &name))
            return false;
        int64_t count = 0;
        if (parser_accept_sign(parser, '<')) {
            if (!parser_expect_integer(parser, 1, PTX_MAX_REGISTERS, &count) ||
                !parser_expect_sign(parser, '>'))
                return false;
        }
        if (!declare_registers(parser, type, name, (uint32_t)count))
            return false;
    } while (parser_accept_sign(parser, ','));
    return parser_expect_sign(parser, ';');
}

bool parser_space_directive(struct parser *parser, enum ptx_space *space) {
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{".global", SPACE_GLOBAL},
                  {".const", SPACE_CONST},
                  {".shared", SPACE_SHARED},
                  {".local", SPACE_LOCAL},
                  {".param", SPACE_PARAM}};
    for (size_t i = 0; i < ARRAY_LENGTH(spaces); i++)
        if (parser_accept_directive(parser, spaces[i].name)) {
            *space = spaces[i].space;
            return true;
        }
    return false;
}

static void store_bits(struct ptx_variable *variable, uint64_t offset, uint64_t bits,
                       unsigned bytes) {
    if (offset + bytes <= variable->bytes)
        memcpy(variable->initial + offset, &bits, bytes);
}

static bool parse_address_initial(struct parser *parser, struct ptx_variable *variable,
                                  uint64_t offset) {
    struct ptx_relocation relocation = {.offset = (uint32_t)offset};
    if (!parser_expect_name(parser, &relocation.name))
        return false;
    if (ptx_span_is(relocation.name, "generic") && parser_accept_sign(parser, '(')) {
        relocation.generic = true;
        if (!parser_expect_name(parser, &relocation.name) || !parser_expect_sign(parser, ')'))
            return false;
    }
    if (parser_at_sign(parser, '+') || parser_at_sign(parser, '-')) {
        parser_accept_sign(parser, '+');
        if (!parser_expect_integer(parser, INT32_MIN, INT32_MAX, &relocation.addend))
            return false;
    }
    if (offset + 8 > variable->bytes)
        return parser_fail(parser, "an address does not fit into the variable it initialises");
    *mem_push(&variable->relocations, &variable->relocation_count, &variable->relocation_capacity) =
        relocation;
    return true;
}

static bool parse_initial_value(struct parser *parser, struct ptx_variable *variable,
                                uint64_t offset) {
    unsigned bytes = ptx_type_bits(variable->type) / 8;
    bool negative = parser_accept_sign(parser, '-');
    struct token token = parser->token;
    uint64_t bits = token.bits;
    switch (token.kind) {
    case TOKEN_NAME:
        return !negative && parse_address_initial(parser, variable, offset);
    case TOKEN_INTEGER:
        if (ptx_type_is_float(variable->type) && bytes >= 4) {
            double value = negative ? -(double)bits : (double)bits;
            float narrow = (float)value;
            if (bytes == 8)
                memcpy(&bits, &value, 8);
            else
                memcpy(&bits, &narrow, 4);
        } else if (negative) {
            bits = -bits;
        }
        break;
    case TOKEN_F32:
        if (negative)
            bits ^= 0x80000000u;
        break;
    case TOKEN_F64:
        if (negative)
            bits ^= (uint64_t)1 << 63;
        if (bytes == 4) {
            double value;
            memcpy(&value, &bits, 8);
            float narrow = (float)value;
            bits = 0;
            memcpy(&bits, &narrow, 4);
        }
        break;
    default:
        return parser_fail(parser, "an initialiser value is expected here");
    }
    parser_advance(parser);
    store_bits(variable, offset, bits, bytes);
    return true;
}

/* An array declared with [] has as many elements as its initialiser: room for the values so far. */
static bool grow_initial(struct parser *parser, struct ptx_variable *variable, uint64_t bytes,
                         uint64_t *capacity) {
    if (parser->initial_bytes + bytes > PTX_MAX_INITIAL)
        return parser_fail(parser, "more than %d MiB of initialised variables",
                           PTX_MAX_INITIAL >> 20);
    if (bytes > *capacity) {
        uint64_t grown = bytes > 2 * *capacity ? bytes : 2 * *capacity;
        variable->initial = mem_realloc(variable->initial, grown, 1);
        memset(variable->initial + *capacity, 0, grown - *capacity);
        *capacity = grown;
    }
    variable->bytes = bytes;
    return true;
}

/* Values fill the array in order; inner braces only group, because PTX pads no row. */
static bool parse_initialiser(struct parser *parser, struct ptx_variable *variable, bool sized) {
    if (sized && variable->bytes == 0)
        return parser_fail(parser, "a variable without a size cannot be initialised");
    uint64_t capacity = variable->bytes;
    if (parser->initial_bytes + capacity > PTX_MAX_INITIAL)
        return parser_fail(parser, "more than %d MiB of initialised variables",
                           PTX_MAX_INITIAL >> 20);
    variable->initial = mem_zalloc(variable->bytes + 1);
    unsigned element = ptx_type_bits(variable->type) / 8;
    uint64_t offset = 0;
    unsigned depth = 0;
    do {
        while (parser_accept_sign(parser, '{'))
            depth++;
        bool empty_list = parser_at_sign(parser, '}');
        if (!empty_list) {
            size_t relocations = variable->relocation_count;
            bool name = parser->token.kind == TOKEN_NAME && element < 8;
            if (!sized && !grow_initial(parser, variable, offset + (name ? 8 : element), &capacity))
                return false;
            if (!parse_initial_value(parser, variable, offset))
                return false;
            /* an address in a .b8 array takes the place of eight of its elements */
            bool address = variable->relocation_count > relocations;
            offset += address && element < 8 ? 8 : element;
        }
        while (depth && parser_accept_sign(parser, '}'))
            depth--;
    } while (depth && parser_accept_sign(parser, ','));
    return depth == 0 || parser_fail(parser, "a closing brace is missing in an initialiser");
}

static bool fail_too_large(struct parser *parser, const struct ptx_variable *variable) {
    return parser_fail(parser, "a variable of more than %d MiB: %.*s", PTX_MAX_VARIABLE >> 20,
                       (int)variable->name.length, variable->name.start);
}

static bool parse_extents(struct parser *parser, struct ptx_variable *variable, bool *sized) {
    uint64_t total = 1;
    *sized = true;
    while (parser_accept_sign(parser, '[')) {
        if (parser_accept_sign(parser, ']')) {
            *sized = false;
            continue;
        }
        int64_t extent;
        if (!parser_expect_integer(parser, 0, INT64_MAX, &extent) ||
            !parser_expect_sign(parser, ']'))
            return false;
        if (__builtin_mul_overflow(total, (uint64_t)extent, &total) || total > PTX_MAX_VARIABLE)
            return fail_too_large(parser, variable);
    }
    variable->element_count = *sized ? total : 0;
    variable->bytes = variable->element_count * (ptx_type_bits(variable->type) / 8);
    if (variable->bytes > PTX_MAX_VARIABLE)
        return fail_too_large(parser, variable);
    return true;
}

static bool parse_alignment(struct parser *parser, uint32_t *alignment) {
    int64_t value;
    if (!parser_expect_integer(parser, 1, 1 << 16, &value))
        return false;
    if (value & (value - 1))
        return parser_fail(parser, "an alignment is a power of two");
    *alignment = (uint32_t)value;
    return true;
}

/* .align, .ptr and its state space (of parameters), .v2/.v4 and the type, in any order. */
static bool parse_attributes(struct parser *parser, struct ptx_variable *variable,
                             unsigned *vector) {
    *vector = 1;
    while (parser->token.kind == TOKEN_DIRECTIVE) {
        enum ptx_space ignored_space;
        if (parser_accept_directive(parser, ".align")) {
            uint32_t alignment = 1;
            if (!parse_alignment(parser, &alignment))
                return false;
            if (variable->type == PTX_NO_TYPE) /* after the type: of the pointed-to memory */
                variable->alignment = alignment;
        } else if (parser_accept_directive(parser, ".v2")) {
            *vector = 2;
        } else if (parser_accept_directive(parser, ".v4")) {
            *vector = 4;
        } else if (parser_accept_directive(parser, ".ptr")) {
            continue;
        } else if (variable->type != PTX_NO_TYPE &&
                   parser_space_directive(parser, &ignored_space)) {
            continue;
        } else if (!parse_type(parser, &variable->type)) {
            return false;
        }
    }
    if (variable->type == PTX_NO_TYPE || variable->type == PTX_pred)
        return parser_fail(parser, "a variable needs a type, like .b32");
    return true;
}

bool parser_variable(struct parser *parser, enum ptx_space space, bool is_extern, bool is_list,
                     int32_t *index) {
    struct ptx_variable variable = {.space = space, .is_extern = is_extern};
    if (++parser->variable_count > PTX_MAX_DECLARATIONS)
        return parser_fail(parser, "more than %d variables", PTX_MAX_DECLARATIONS);
    unsigned vector;
    bool sized;
    if (!parse_attributes(parser, &variable, &vector) ||
        !parser_expect_name(parser, &variable.name) || !parse_extents(parser, &variable, &sized))
        return false;
    variable.bytes *= vector;
    uint32_t natural = ptx_type_bits(variable.type) / 8 * vector;
    if (variable.alignment < natural)
        variable.alignment = variable.alignment ? variable.alignment : natural;
    if (!is_list && parser_accept_sign(parser, '=')) {
        if (!parse_initialiser(parser, &variable, sized)) {
            free(variable.initial);
            free(variable.relocations);
            return false;
        }
        parser->initial_bytes += variable.bytes;
        sized = variable.bytes > 0;
        variable.element_count = variable.bytes / (ptx_type_bits(variable.type) / 8);
    }
    bool local = parser->function != NULL;
    struct ptx_module *module = parser->module;
    struct ptx_function *function = parser->function;
    *index = (int32_t)(local ? function->variable_count : module->variable_count);
    struct ptx_variable *added =
        local ? mem_push(&function->variables, &function->variable_count,
                         &function->variable_capacity)
              : mem_push(&module->variables, &module->variable_count, &module->variable_capacity);
    *added = variable;
    if (!sized && !is_extern && space != SPACE_PARAM)
        return parser_fail(parser, "a variable needs a size");
    return parser_declare(parser, variable.name,
                          local ? SYMBOL_LOCAL_VARIABLE : SYMBOL_MODULE_VARIABLE, *index, 0) &&
           (is_list || parser_expect_sign(parser, ';'));
}
