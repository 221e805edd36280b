/* PTX text -> struct ptx_module: a recursive-descent parser over one token of look-ahead.
 *
 * It accepts what NVRTC and nvcc write and what people put into inline assembly, keeps mnemonics
 * whole (the decoder takes them apart by isa.def) and resolves registers and variables on the spot.
 * The first mistake ends it: parser->failed is sticky and every loop looks at it. */
#include "sandbox/simgpu/ptx/parser.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool parser_fail(struct parser *parser, const char *format, ...) {
    if (parser->failed)
        return false;
    parser->failed = true;
    struct error *error = parser->error;
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    int shown = parser->token.span.length > 40 ? 40 : (int)parser->token.span.length;
    error_set(error, STATUS_INVALID, "PTX line %u, at '%.*s': %s", parser->token.line, shown,
              parser->token.span.start, message);
    if (error)
        error->line = parser->token.line;
    return false;
}

void parser_advance(struct parser *parser) {
    parser->token = lex_next(&parser->lexer);
    if (parser->token.kind == TOKEN_BAD)
        parser_fail(parser, "this is not a PTX token");
}

bool parser_at_sign(const struct parser *parser, char sign) {
    return parser->token.kind == TOKEN_SIGN && parser->token.sign == sign;
}

bool parser_accept_sign(struct parser *parser, char sign) {
    if (!parser_at_sign(parser, sign))
        return false;
    parser_advance(parser);
    return true;
}

bool parser_expect_sign(struct parser *parser, char sign) {
    return parser_accept_sign(parser, sign) || parser_fail(parser, "'%c' is expected here", sign);
}

bool parser_at_directive(const struct parser *parser, const char *name) {
    return parser->token.kind == TOKEN_DIRECTIVE && ptx_span_is(parser->token.span, name);
}

bool parser_accept_directive(struct parser *parser, const char *name) {
    if (!parser_at_directive(parser, name))
        return false;
    parser_advance(parser);
    return true;
}

bool parser_expect_name(struct parser *parser, struct ptx_span *name) {
    if (parser->token.kind != TOKEN_NAME)
        return parser_fail(parser, "a name is expected here");
    *name = parser->token.span;
    parser_advance(parser);
    return true;
}

bool parser_expect_integer(struct parser *parser, int64_t low, int64_t high, int64_t *value) {
    bool negative = parser_accept_sign(parser, '-');
    if (parser->token.kind != TOKEN_INTEGER || parser->token.bits > INT64_MAX)
        return parser_fail(parser, "a whole number is expected here");
    *value = negative ? -(int64_t)parser->token.bits : (int64_t)parser->token.bits;
    if (*value < low || *value > high)
        return parser_fail(parser, "a number between %lld and %lld is expected here",
                           (long long)low, (long long)high);
    parser_advance(parser);
    return true;
}

struct symbol *parser_find(struct parser *parser, struct ptx_span name) {
    struct symbol *symbol = NULL;
    HASH_FIND(hh, parser->symbols, name.start, name.length, symbol);
    return symbol;
}

bool parser_declare(struct parser *parser, struct ptx_span name, enum symbol_kind kind,
                    int32_t index, uint32_t count) {
    struct symbol *symbol = mem_zalloc(sizeof *symbol);
    struct symbol *outer = parser_find(parser, name);
    *symbol = (struct symbol){.name = name,
                              .kind = kind,
                              .index = index,
                              .count = count,
                              .shadowed = outer,
                              .previous = parser->declared,
                              .depth = parser->depth};
    if (outer)
        HASH_DEL(parser->symbols, outer);
    HASH_ADD_KEYPTR(hh, parser->symbols, symbol->name.start, symbol->name.length, symbol);
    parser->declared = symbol;
    return true;
}

void parser_leave_scope(struct parser *parser, unsigned depth) {
    while (parser->declared && parser->declared->depth > depth) {
        struct symbol *symbol = parser->declared;
        parser->declared = symbol->previous;
        HASH_DEL(parser->symbols, symbol);
        struct symbol *outer = symbol->shadowed;
        if (outer)
            HASH_ADD_KEYPTR(hh, parser->symbols, outer->name.start, outer->name.length, outer);
        free(symbol);
    }
}

static bool parse_instruction(struct parser *parser) {
    struct ptx_instruction instruction = {.guard = PTX_NO_SYMBOL, .location = parser->location};
    if (parser_accept_sign(parser, '@')) {
        instruction.guard_negated = parser_accept_sign(parser, '!');
        struct ptx_span guard;
        if (!parser_expect_name(parser, &guard))
            return false;
        if (!parser_find_register(parser, guard, &instruction.guard))
            return parser_fail(parser, "an undeclared predicate guards this instruction");
    }
    if (++parser->instruction_count > PTX_MAX_INSTRUCTIONS)
        return parser_fail(parser, "more than %d instructions", PTX_MAX_INSTRUCTIONS);
    instruction.ptx_line = parser->token.line;
    struct ptx_span name;
    if (!parser_expect_name(parser, &name))
        return false;
    struct ptx_function *function = parser->function;
    if (parser_accept_sign(parser, ':')) {
        instruction.label = name;
        if (parser_accept_directive(parser, ".branchtargets") ||
            parser_accept_directive(parser, ".calltargets")) {
            struct ptx_table table = {.name = name};
            if (!parser_operands(parser, &table.operand_start, &table.operand_count))
                return false;
            *mem_push(&function->tables, &function->table_count, &function->table_capacity) = table;
            return true;
        }
        if (parser_accept_directive(parser, ".callprototype")) {
            while (!parser->failed && !parser_at_sign(parser, ';') &&
                   parser->token.kind != TOKEN_END)
                parser_advance(parser);
            return parser_expect_sign(parser, ';');
        }
    } else {
        instruction.mnemonic = name;
        instruction.no_unroll = parser->no_unroll;
        parser->no_unroll = false;
        parser->may_negate = name.length > 5 && memcmp(name.start, "vmad.", 5) == 0;
        if (!parser_operands(parser, &instruction.operand_start, &instruction.operand_count))
            return false;
    }
    *mem_push(&function->instructions, &function->instruction_count,
              &function->instruction_capacity) = instruction;
    return true;
}

/* .loc file line column[, function_name label[+n], inlined_at file line column] (ISA 11.5.3) */
static bool parse_location(struct parser *parser) {
    struct ptx_location location = {0};
    int64_t numbers[3];
    for (unsigned i = 0; i < 3; i++)
        if (!parser_expect_integer(parser, 0, UINT32_MAX, &numbers[i]))
            return false;
    location.file = (uint32_t)numbers[0];
    location.line = (uint32_t)numbers[1];
    location.column = (uint32_t)numbers[2];
    while (parser_accept_sign(parser, ',')) {
        struct ptx_span word;
        if (!parser_expect_name(parser, &word))
            return false;
        if (ptx_span_is(word, "function_name")) {
            int64_t ignored;
            if (!parser_expect_name(parser, &word) || !parser_offset(parser, &ignored))
                return false;
        } else if (ptx_span_is(word, "inlined_at")) {
            for (unsigned i = 0; i < 3; i++)
                if (!parser_expect_integer(parser, 0, UINT32_MAX, &numbers[i]))
                    return false;
            location.inlined = true;
            location.inlined_file = (uint32_t)numbers[0];
            location.inlined_line = (uint32_t)numbers[1];
            location.inlined_column = (uint32_t)numbers[2];
        } else {
            return parser_fail(parser, "unknown attribute of .loc");
        }
    }
    struct ptx_module *module = parser->module;
    if (module->location_count == PTX_MAX_INSTRUCTIONS)
        return parser_fail(parser, "more than %d lines of debug information", PTX_MAX_INSTRUCTIONS);
    parser->location = (int32_t)module->location_count;
    *mem_push(&module->locations, &module->location_count, &module->location_capacity) = location;
    return true;
}

static bool parse_file(struct parser *parser) {
    int64_t number;
    if (!parser_expect_integer(parser, 0, UINT32_MAX, &number))
        return false;
    if (parser->token.kind != TOKEN_STRING)
        return parser_fail(parser, "a file name in quotes is expected here");
    struct ptx_module *module = parser->module;
    if (module->file_count == PTX_MAX_DECLARATIONS)
        return parser_fail(parser, "more than %d files", PTX_MAX_DECLARATIONS);
    *mem_push(&module->files, &module->file_count, &module->file_capacity) =
        (struct ptx_file){(uint32_t)number, parser->token.span};
    parser_advance(parser);
    while (parser_accept_sign(parser, ',')) /* time stamp, size */
        parser_advance(parser);
    return true;
}

static bool skip_braces(struct parser *parser) {
    unsigned depth = 0;
    do {
        if (parser_at_sign(parser, '{'))
            depth++;
        else if (parser_at_sign(parser, '}'))
            depth--;
        else if (parser->token.kind == TOKEN_END)
            return parser_fail(parser, "a closing brace is missing");
        parser_advance(parser);
    } while (depth && !parser->failed);
    return !parser->failed;
}

static bool parse_body_directive(struct parser *parser) {
    enum ptx_space space;
    int32_t ignored;
    if (parser_accept_directive(parser, ".reg"))
        return parser_registers(parser);
    if (parser_accept_directive(parser, ".loc"))
        return parse_location(parser);
    if (parser_accept_directive(parser, ".pragma")) {
        parser->no_unroll |=
            parser->token.kind == TOKEN_STRING && ptx_span_is(parser->token.span, "nounroll");
        parser_advance(parser);
        return parser_expect_sign(parser, ';');
    }
    bool is_extern = parser_accept_directive(parser, ".extern");
    if (parser_space_directive(parser, &space))
        return parser_variable(parser, space, is_extern, false, &ignored);
    return parser_fail(parser, "this directive is not known inside a function");
}

static bool parse_body(struct parser *parser) {
    if (!parser_expect_sign(parser, '{'))
        return false;
    unsigned outside = parser->depth++;
    while (parser->depth > outside && !parser->failed) {
        if (parser->token.kind == TOKEN_END)
            return parser_fail(parser, "the text ends inside a function");
        if (parser_accept_sign(parser, '{')) {
            parser->depth++;
        } else if (parser_accept_sign(parser, '}')) {
            parser->depth--;
            parser_leave_scope(parser, parser->depth);
        } else if (parser->token.kind == TOKEN_DIRECTIVE) {
            parse_body_directive(parser);
        } else if (!parser_accept_sign(parser, ';')) {
            parse_instruction(parser);
        }
    }
    return !parser->failed;
}

static bool parse_parameter_list(struct parser *parser, int32_t **list, size_t *count,
                                 size_t *capacity) {
    if (!parser_expect_sign(parser, '('))
        return false;
    while (!parser_at_sign(parser, ')')) {
        int32_t index;
        enum ptx_space space;
        bool is_register = parser_accept_directive(parser, ".reg");
        if (!is_register && (!parser_space_directive(parser, &space) || space != SPACE_PARAM))
            return parser_fail(parser, "a .param is expected here");
        if (is_register)
            return parser_fail(parser, "parameters in registers are not supported");
        if (!parser_variable(parser, SPACE_PARAM, false, true, &index))
            return false;
        *mem_push(list, count, capacity) = index;
        if (!parser_accept_sign(parser, ','))
            break;
    }
    return parser_expect_sign(parser, ')');
}

static bool parse_bounds(struct parser *parser, uint32_t bounds[3]) {
    unsigned i = 0;
    do {
        int64_t value;
        if (i == 3 || !parser_expect_integer(parser, 1, 1 << 20, &value))
            return parser_fail(parser, "one to three extents are expected here");
        bounds[i++] = (uint32_t)value;
    } while (parser_accept_sign(parser, ','));
    while (i < 3)
        bounds[i++] = 1;
    return true;
}

static bool parse_function_attributes(struct parser *parser) {
    while (parser->token.kind == TOKEN_DIRECTIVE) {
        int64_t ignored;
        if (parser_accept_directive(parser, ".maxntid")) {
            if (!parse_bounds(parser, parser->function->max_threads))
                return false;
        } else if (parser_accept_directive(parser, ".reqntid")) {
            if (!parse_bounds(parser, parser->function->required_threads))
                return false;
        } else if (parser_accept_directive(parser, ".reqnctapercluster")) {
            if (!parse_bounds(parser, parser->function->cluster_blocks))
                return false;
        } else if (parser_accept_directive(parser, ".explicitcluster")) {
            parser->function->explicit_cluster = true;
        } else if (parser_accept_directive(parser, ".minnctapersm") ||
                   parser_accept_directive(parser, ".maxnctapersm") ||
                   parser_accept_directive(parser, ".maxnreg") ||
                   parser_accept_directive(parser, ".maxclusterrank")) {
            if (!parser_expect_integer(parser, 0, UINT32_MAX, &ignored))
                return false;
        } else if (parser_accept_directive(parser, ".pragma")) {
            parser_advance(parser);
            if (!parser_expect_sign(parser, ';'))
                return false;
        } else if (!parser_accept_directive(parser, ".noreturn")) {
            return parser_fail(parser, "this attribute of a function is not known");
        }
    }
    return true;
}

static bool parse_function(struct parser *parser, bool is_entry) {
    struct ptx_module *module = parser->module;
    if (module->function_count == PTX_MAX_DECLARATIONS)
        return parser_fail(parser, "more than %d functions", PTX_MAX_DECLARATIONS);
    struct ptx_function *function =
        mem_push(&module->functions, &module->function_count, &module->function_capacity);
    function->is_entry = is_entry;
    parser->function = function;
    parser->location = -1;
    parser->depth = 1;
    bool parsed = true;
    if (!is_entry && parser_at_sign(parser, '('))
        parsed = parse_parameter_list(parser, &function->results, &function->result_count,
                                      &function->result_capacity);
    parsed = parsed && parser_expect_name(parser, &function->name);
    if (parsed && parser_at_sign(parser, '('))
        parsed = parse_parameter_list(parser, &function->params, &function->param_count,
                                      &function->param_capacity);
    parsed = parsed && parse_function_attributes(parser);
    if (parsed && !parser_accept_sign(parser, ';')) {
        function->has_body = true;
        parsed = parse_body(parser);
    }
    parser_leave_scope(parser, 0);
    parser->depth = 0;
    parser->function = NULL;
    return parsed;
}

static bool parse_target(struct parser *parser) {
    do {
        struct ptx_span name = {0};
        if (!parser_expect_name(parser, &name))
            return false;
        if (name.length > 3 && strncmp(name.start, "sm_", 3) == 0)
            for (uint32_t i = 3; i < name.length && name.start[i] >= '0' && name.start[i] <= '9';
                 i++)
                parser->module->target =
                    parser->module->target % 10000 * 10 + (unsigned)(name.start[i] - '0');
    } while (parser_accept_sign(parser, ','));
    return true;
}

static bool parse_version(struct parser *parser) {
    if (parser->token.kind != TOKEN_F64)
        return parser_fail(parser, "a version like 9.0 is expected here");
    struct ptx_span span = parser->token.span;
    const char *dot = memchr(span.start, '.', span.length);
    for (const char *c = span.start; c < span.start + span.length; c++) {
        unsigned *part =
            dot && c > dot ? &parser->module->version_minor : &parser->module->version_major;
        if (*c >= '0' && *c <= '9')
            *part = *part % 10000 * 10 + (unsigned)(*c - '0');
    }
    parser_advance(parser);
    return true;
}

/* True where they say .managed. */
static bool parse_variable_attributes(struct parser *parser) {
    bool is_managed = false;
    if (!parser_accept_directive(parser, ".attribute") || !parser_accept_sign(parser, '('))
        return false;
    while (!parser->failed && !parser_accept_sign(parser, ')') && parser->token.kind != TOKEN_END) {
        is_managed |= ptx_span_is(parser->token.span, ".managed");
        parser_advance(parser);
    }
    return is_managed;
}

static bool parse_top_level(struct parser *parser) {
    enum ptx_space space;
    int32_t index;
    int64_t bits;
    if (parser_accept_directive(parser, ".version"))
        return parse_version(parser);
    if (parser_accept_directive(parser, ".target"))
        return parse_target(parser);
    if (parser_accept_directive(parser, ".address_size")) {
        bool parsed = parser_expect_integer(parser, 32, 64, &bits);
        parser->module->address_bits = (unsigned)bits;
        return parsed;
    }
    if (parser_accept_directive(parser, ".file"))
        return parse_file(parser);
    if (parser_accept_directive(parser, ".section")) {
        parser_advance(parser);
        return parser_at_sign(parser, '{') ? skip_braces(parser)
                                           : parser_fail(parser, "'{' is expected here");
    }
    if (parser_accept_directive(parser, ".pragma")) {
        parser_advance(parser);
        return parser_expect_sign(parser, ';');
    }
    bool is_extern = false;
    for (;;) {
        if (parser_accept_directive(parser, ".extern"))
            is_extern = true;
        else if (!parser_accept_directive(parser, ".visible") &&
                 !parser_accept_directive(parser, ".weak") &&
                 !parser_accept_directive(parser, ".common"))
            break;
    }
    if (parser_accept_directive(parser, ".entry"))
        return parse_function(parser, true);
    if (parser_accept_directive(parser, ".func"))
        return parse_function(parser, false);
    if (parser_space_directive(parser, &space)) {
        bool is_managed = parse_variable_attributes(parser);
        if (!parser_variable(parser, space, is_extern, false, &index))
            return false;
        parser->module->variables[index].is_managed = is_managed;
        return true;
    }
    return parser_accept_sign(parser, ';') || parser_fail(parser, "a declaration is expected here");
}

enum status ptx_parse(const char *text, size_t length, struct ptx_module **module,
                      struct error *error) {
    if (length > PTX_MAX_BYTES)
        return error_set(error, STATUS_INVALID, "the PTX text has %zu bytes, at most %d", length,
                         PTX_MAX_BYTES);
    struct error scratch;
    struct parser parser = {.lexer = {text, text + length, 1},
                            .module = mem_zalloc(sizeof *parser.module),
                            .error = error ? error : &scratch,
                            .location = -1};
    parser_advance(&parser);
    while (!parser.failed && parser.token.kind != TOKEN_END)
        parse_top_level(&parser);
    if (!parser.failed && parser.module->version_major == 0)
        parser_fail(&parser, "there is no .version: this is not PTX");
    parser.depth = 0;
    for (struct symbol *symbol = parser.declared; symbol; symbol = parser.declared) {
        symbol->depth = 1;
        parser_leave_scope(&parser, 0);
    }
    if (parser.failed) {
        ptx_module_free(parser.module);
        return STATUS_INVALID;
    }
    parser.module->text = (struct ptx_span){text, (uint32_t)length};
    *module = parser.module;
    return STATUS_OK;
}
