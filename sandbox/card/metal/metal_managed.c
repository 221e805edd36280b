/* __managed__ variables on a real card. The driver's managed memory would be other pages than the
 * program's, so that such a variable lies where all managed memory does: in a block of the shared
 * file, at one address for the program, this worker and the card.
 *
 * The module is told so before it is assembled. In each function a register has the address, and
 * stands for the variable's name; initialisers have the number. The variable itself stays, without
 * its attribute: the driver then knows its first value, which the block is given. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/ptx/lex.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define REGISTER "%%warpgrade_managed" /* in a format */

/* Of this module, while its text is read. */
struct variable {
    struct ptx_span name;
    size_t number; /* of its register */
    struct metal_managed made;
    UT_hash_handle hh;
};

/* What a declaration has said until now; it ends with a semicolon. */
struct declaration {
    const char *start;
    bool is_function, is_section, is_managed, is_linked, is_extern, has_value;
    uint64_t element_bytes, count; /* 0: not known */
    struct ptx_span name;
};

struct reader {
    struct card *card;
    struct lexer lexer;
    struct token token;
    const char *before; /* where the token's text begins */
    const char *copied; /* the text until here is in *out */
    size_t depth;       /* of braces */
    bool in_body;
    struct declaration declaration;
    struct variable *variables;
    struct text *out;
    enum card_error error;
};

static void advance(struct reader *reader) {
    reader->token = lex_next(&reader->lexer);
    reader->before = reader->token.span.start - (reader->token.kind == TOKEN_STRING);
}

static bool is_sign(const struct reader *reader, char sign) {
    return reader->token.kind == TOKEN_SIGN && reader->token.sign == sign;
}

static bool at_end(const struct reader *reader) {
    return reader->token.kind == TOKEN_END || reader->token.kind == TOKEN_BAD;
}

static const char *after_token(const struct reader *reader) {
    return reader->token.span.start + reader->token.span.length;
}

static void copy_until(struct reader *reader, const char *end) {
    text_append_bytes(reader->out, reader->copied, (size_t)(end - reader->copied));
    reader->copied = end;
}

/* The token goes, and this stands in its place. */
static void replace(struct reader *reader, const char *start, const char *end, const char *text) {
    copy_until(reader, start);
    text_append(reader->out, text);
    reader->copied = end;
}

static const struct variable *find(const struct reader *reader) {
    struct variable *found = NULL;
    if (reader->token.kind == TOKEN_NAME && reader->variables)
        HASH_FIND(hh, reader->variables, reader->token.span.start, reader->token.span.length,
                  found);
    return found;
}

/* ---- declarations ------------------------------------------------------------------------------
 */

/* .attribute(.managed): up to the parenthesis that closes it. */
static void read_attribute(struct reader *reader) {
    struct declaration *declaration = &reader->declaration;
    const char *start = reader->before;
    bool is_managed = false;
    size_t depth = 0;
    do {
        advance(reader);
        depth += is_sign(reader, '(');
        depth -= depth && is_sign(reader, ')');
        is_managed |=
            reader->token.kind == TOKEN_DIRECTIVE && ptx_span_is(reader->token.span, ".managed");
    } while (depth && !at_end(reader));
    if (!is_managed || declaration->is_extern || declaration->has_value || !declaration->start ||
        at_end(reader))
        return;
    declaration->is_managed = true;
    if (!declaration->is_linked) /* or it could be left out, as nobody uses it */
        replace(reader, declaration->start, declaration->start, ".visible ");
    declaration->is_linked = true;
    replace(reader, start, after_token(reader), "");
}

/* .align and its number, .v4, .f32: the first kind of a type says how many, the last of what. */
static void read_type(struct reader *reader) {
    struct declaration *declaration = &reader->declaration;
    struct ptx_span span = reader->token.span;
    if (ptx_span_is(span, ".align")) {
        advance(reader);
        return;
    }
    if (span.length < 3 || span.length > 5)
        return;
    uint64_t number = 0;
    for (uint32_t i = 2; i < span.length; i++) {
        if (span.start[i] < '0' || span.start[i] > '9')
            return;
        number = number * 10 + (uint64_t)(span.start[i] - '0');
    }
    if (span.start[1] == 'v')
        declaration->count = number;
    else if (strchr("busf", span.start[1]))
        declaration->element_bytes = number / 8;
}

/* [4000] after the name. */
static void read_extent(struct reader *reader) {
    struct declaration *declaration = &reader->declaration;
    advance(reader);
    uint64_t extent = reader->token.kind == TOKEN_INTEGER ? reader->token.bits : 0;
    if (__builtin_mul_overflow(declaration->count, extent, &declaration->count))
        declaration->count = 0;
}

static void add_variable(struct reader *reader) {
    struct card *card = reader->card;
    const struct declaration *declaration = &reader->declaration;
    uint64_t bytes;
    size_t number;
    if (__builtin_mul_overflow(declaration->count, declaration->element_bytes, &bytes) || !bytes) {
        reader->error = CARD_INVALID_PTX;
        return;
    }
    reader->error = metal_share(card, bytes, ENGINE_BLOCK_VARIABLE, &number);
    if (reader->error != CARD_OK)
        return;
    char *name = mem_strndup(declaration->name.start, declaration->name.length);
    snprintf(card->blocks[number].about.name, sizeof card->blocks[number].about.name, "%.60s",
             name);
    struct variable *variable = mem_zalloc(sizeof *variable);
    variable->name = declaration->name;
    variable->number = HASH_COUNT(reader->variables);
    variable->made = (struct metal_managed){.module = card->module_count,
                                            .name = name,
                                            .address = card_address_of(card, number),
                                            .bytes = bytes};
    HASH_ADD_KEYPTR(hh, reader->variables, variable->name.start, variable->name.length, variable);
    struct metal *metal = card->metal;
    *mem_push(&metal->managed, &metal->managed_count, &metal->managed_capacity) = variable->made;
}

static void end_declaration(struct reader *reader) {
    if (reader->declaration.is_managed && reader->declaration.name.length)
        add_variable(reader);
    reader->declaration = (struct declaration){0};
}

/* Of another variable that is given an address: "generic(name)" or "name". */
static void read_value(struct reader *reader) {
    char number[32];
    const char *start = reader->before;
    const struct variable *variable = find(reader);
    bool is_generic = ptx_span_is(reader->token.span, "generic");
    if (is_generic) {
        advance(reader);
        if (is_sign(reader, '('))
            advance(reader);
        variable = find(reader);
        if (variable)
            advance(reader);
    }
    if (!variable)
        return;
    snprintf(number, sizeof number, "%" PRIu64, variable->made.address);
    replace(reader, start, after_token(reader), number);
}

static void read_directive(struct reader *reader) {
    struct declaration *declaration = &reader->declaration;
    struct ptx_span span = reader->token.span;
    declaration->is_function |= ptx_span_is(span, ".entry") || ptx_span_is(span, ".func");
    declaration->is_section |= ptx_span_is(span, ".section");
    declaration->is_extern |= ptx_span_is(span, ".extern");
    declaration->is_linked |=
        ptx_span_is(span, ".visible") || ptx_span_is(span, ".weak") || ptx_span_is(span, ".common");
    if (ptx_span_is(span, ".attribute") && !declaration->is_function)
        read_attribute(reader);
    else
        read_type(reader);
}

/* ---- the text ----------------------------------------------------------------------------------
 */

/* What comes before a declaration ends without a semicolon. */
static bool starts_declaration(const struct reader *reader) {
    static const char *const first[] = {".visible", ".weak",  ".common", ".extern",
                                        ".global",  ".const", ".entry",  ".func"};
    for (size_t i = 0; i < ARRAY_LENGTH(first); i++)
        if (reader->token.kind == TOKEN_DIRECTIVE && ptx_span_is(reader->token.span, first[i]))
            return true;
    return false;
}

/* Each variable that was declared has a register. */
static void begin_body(struct reader *reader) {
    size_t count = HASH_COUNT(reader->variables);
    reader->in_body = true;
    if (!count)
        return;
    copy_until(reader, after_token(reader));
    text_printf(reader->out, "\n.reg .b64 " REGISTER "<%zu>;\n", count);
    for (const struct variable *each = reader->variables; each; each = each->hh.next)
        text_printf(reader->out, "mov.b64 " REGISTER "%zu, %" PRIu64 ";\n", each->number,
                    each->made.address);
}

static void read_in_body(struct reader *reader) {
    char name[64];
    const struct variable *variable = find(reader);
    if (!variable)
        return;
    snprintf(name, sizeof name, REGISTER "%zu", variable->number);
    replace(reader, reader->before, after_token(reader), name);
}

static void read_outside(struct reader *reader) {
    struct declaration *declaration = &reader->declaration;
    if (!declaration->start && starts_declaration(reader))
        *declaration = (struct declaration){.start = reader->before, .count = 1};
    if (is_sign(reader, ';'))
        end_declaration(reader);
    else if (is_sign(reader, '='))
        declaration->has_value = true;
    else if (declaration->is_section || declaration->is_function)
        return;
    else if (reader->token.kind == TOKEN_DIRECTIVE)
        read_directive(reader);
    else if (declaration->has_value && reader->token.kind == TOKEN_NAME)
        read_value(reader);
    else if (reader->token.kind == TOKEN_NAME && !declaration->name.length)
        declaration->name = reader->token.span;
    else if (is_sign(reader, '[') && !declaration->has_value)
        read_extent(reader);
}

static void read_token(struct reader *reader) {
    struct declaration *declaration = &reader->declaration;
    if (is_sign(reader, '{') && reader->depth++ == 0 && declaration->is_function)
        begin_body(reader);
    if (is_sign(reader, '}') && reader->depth && --reader->depth == 0 && !declaration->has_value) {
        reader->in_body = false;
        *declaration = (struct declaration){0};
    }
    if (reader->in_body)
        read_in_body(reader);
    else
        read_outside(reader);
}

static void forget(struct reader *reader) {
    struct variable *each, *next;
    HASH_ITER(hh, reader->variables, each, next) {
        HASH_DEL(reader->variables, each);
        free(each);
    }
}

enum card_error metal_managed_place(struct card *card, const struct text *ptx,
                                    struct text *placed) {
    const char *text = text_string(ptx);
    struct reader reader = {.card = card,
                            .lexer = {.next = text, .end = text + ptx->length, .line = 1},
                            .copied = text,
                            .out = placed};
    for (advance(&reader); !at_end(&reader) && reader.error == CARD_OK; advance(&reader))
        read_token(&reader);
    copy_until(&reader, text + ptx->length);
    forget(&reader);
    return reader.error;
}

/* ---- variables ---------------------------------------------------------------------------------
 */

enum card_error metal_managed_fill(struct card *card, void *module) {
    const struct metal *metal = card->metal;
    enum card_error error = CARD_OK;
    for (size_t i = 0; i < metal->managed_count && error == CARD_OK; i++) {
        const struct metal_managed *variable = &metal->managed[i];
        gpu_address first = 0;
        size_t bytes = 0;
        if (variable->module != card->module_count)
            continue;
        int code = metal->driver.cuModuleGetGlobal_v2(&first, &bytes, module, variable->name);
        if (code != DRIVER_OK || bytes != variable->bytes)
            return code != DRIVER_OK ? metal_result(card, code) : CARD_INVALID_PTX;
        error = metal_real.read(card, 0, (void *)(uintptr_t)variable->address, first, bytes);
    }
    return error;
}

const struct metal_managed *metal_managed_find(const struct card *card, size_t module,
                                               const char *name) {
    const struct metal *metal = card->metal;
    for (size_t i = 0; i < metal->managed_count; i++)
        if (metal->managed[i].module == module && strcmp(metal->managed[i].name, name) == 0)
            return &metal->managed[i];
    return NULL;
}
