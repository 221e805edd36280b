/* Links PTX texts, as a device linker does with what it is compiled to: declarations find their
 * definitions in other texts, of several weak definitions one stays, and what is local to a text
 * gets another name where that name is taken.
 *
 * The result is a text again, so that nothing after it knows of linking: head, files, variables,
 * declarations of what is defined nowhere (vprintf, malloc), prototypes, variables, functions.
 * Variables come before functions because the parser wants them before their use, and prototypes
 * before both because ptxas wants them before a call or a table, which may stand before the body.
 * The numbers of files in .loc are those of the joined list. Sections of debug information are left
 * out: their labels and offsets are those of one text. */
#include "sandbox/simgpu/ptx/link_texts.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/ptx/lex.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum item_kind { ITEM_FILE, ITEM_VARIABLE, ITEM_FUNCTION };
enum linkage { LINKAGE_LOCAL, LINKAGE_WEAK, LINKAGE_STRONG };

struct item {
    enum item_kind kind;
    enum linkage linkage;
    bool is_extern, is_defined, is_shared;
    size_t unit;          /* the text it stands in */
    struct ptx_span name; /* of a variable or a function */
    const char *start, *end;
    const char *prototype_end; /* of a .func with a body; NULL: of anything else */
};

/* What a name means in all texts; the definition that stays, or the first declaration. */
struct global {
    struct ptx_span name;
    const struct item *item;
    UT_hash_handle hh;
};
/* A local name that another text has, too. */
struct renamed {
    struct ptx_span name;
    UT_hash_handle hh;
};

struct unit {
    struct ptx_span text;
    size_t first_file; /* what its file 0 would be */
    struct renamed *renamed;
};

struct linker {
    struct unit *units;
    size_t unit_count;
    struct item *items;
    size_t item_count, item_capacity;
    struct global *globals; /* visible to other texts */
    struct global *locals;  /* the first one of each name */
    struct ptx_span target;
    unsigned target_number;
    struct ptx_span version;
    double version_number;
    struct text *out;
    struct error *error;
};

/* ---- reading: the top level of a text -----------------------------------------------------------
 */

struct reader {
    struct lexer lexer;
    struct token token;
    const char *before; /* where the token's text begins, with a string's quote */
};

static void advance(struct reader *reader) {
    reader->token = lex_next(&reader->lexer);
    reader->before = reader->token.span.start - (reader->token.kind == TOKEN_STRING);
}

static bool is_sign(const struct reader *reader, char sign) {
    return reader->token.kind == TOKEN_SIGN && reader->token.sign == sign;
}

static bool accept(struct reader *reader, const char *directive) {
    if (reader->token.kind != TOKEN_DIRECTIVE || !ptx_span_is(reader->token.span, directive))
        return false;
    advance(reader);
    return true;
}

static bool at_end(const struct reader *reader) {
    return reader->token.kind == TOKEN_END || reader->token.kind == TOKEN_BAD;
}

/* From an opening bracket to after the closing one. */
static void skip_brackets(struct reader *reader, char open, char close) {
    size_t depth = 0;
    do {
        depth += is_sign(reader, open);
        depth -= is_sign(reader, close);
        advance(reader);
    } while (depth && !at_end(reader));
}

static void read_version(struct linker *linker, struct reader *reader) {
    double number = 0;
    if (reader->token.kind == TOKEN_F64)
        memcpy(&number, &reader->token.bits, sizeof number);
    if (number > linker->version_number) {
        linker->version_number = number;
        linker->version = reader->token.span;
    }
    advance(reader);
}

/* "sm_80, debug": the newest one, as a card would have to be. */
static void read_target(struct linker *linker, struct reader *reader) {
    struct ptx_span name = reader->token.span;
    unsigned number = 0;
    if (name.length > 3 && memcmp(name.start, "sm_", 3) == 0)
        for (uint32_t i = 3; i < name.length && name.start[i] >= '0' && name.start[i] <= '9'; i++)
            number = number % 10000 * 10 + (unsigned)(name.start[i] - '0');
    if (number > linker->target_number) {
        linker->target_number = number;
        linker->target = name;
    }
    advance(reader);
    while (is_sign(reader, ',')) {
        advance(reader);
        advance(reader);
    }
}

static struct item *add_item(struct linker *linker, enum item_kind kind, size_t unit,
                             const char *start) {
    struct item *item = mem_push(&linker->items, &linker->item_count, &linker->item_capacity);
    *item = (struct item){.kind = kind, .unit = unit, .start = start};
    return item;
}

static void end_item(const struct reader *reader, struct item *item) {
    item->end = reader->before;
}

/* .file 1 "path", 0, 0 */
static void read_file(struct linker *linker, struct reader *reader, size_t unit) {
    struct item *item = add_item(linker, ITEM_FILE, unit, reader->before);
    if (reader->token.kind == TOKEN_INTEGER)
        advance(reader);
    if (reader->token.kind == TOKEN_STRING)
        advance(reader);
    while (is_sign(reader, ',')) {
        advance(reader);
        advance(reader);
    }
    end_item(reader, item);
}

/* After .func or .entry: up to the ";" of a declaration or after the body. */
static void read_function(struct reader *reader, bool is_entry, struct item *item) {
    const char *head_end = NULL;
    if (is_sign(reader, '('))
        skip_brackets(reader, '(', ')');
    item->name = reader->token.span;
    while (!at_end(reader) && !is_sign(reader, ';') && !is_sign(reader, '{')) {
        const char *at = reader->before;
        if (accept(reader, ".pragma")) {
            head_end = head_end ? head_end : at;
            advance(reader); /* its string */
            if (is_sign(reader, ';'))
                advance(reader);
        } else {
            advance(reader);
        }
    }
    item->is_defined = is_sign(reader, '{');
    if (item->is_defined && !is_entry)
        item->prototype_end = head_end ? head_end : reader->before;
    if (item->is_defined)
        skip_brackets(reader, '{', '}');
    else
        advance(reader);
}

/* After the linkage: the name is the first one outside of parentheses. */
static void read_variable(struct reader *reader, struct item *item) {
    item->is_shared = ptx_span_is(reader->token.span, ".shared");
    item->is_defined = !item->is_extern;
    while (!at_end(reader) && !is_sign(reader, ';')) {
        if (is_sign(reader, '(')) {
            skip_brackets(reader, '(', ')');
            continue;
        }
        if (reader->token.kind == TOKEN_NAME && !item->name.length)
            item->name = reader->token.span;
        advance(reader);
    }
    advance(reader);
}

static void read_declaration(struct linker *linker, struct reader *reader, size_t unit) {
    struct item *item = add_item(linker, ITEM_VARIABLE, unit, reader->before);
    for (;;) {
        if (accept(reader, ".extern"))
            item->is_extern = true;
        else if (accept(reader, ".visible"))
            item->linkage = LINKAGE_STRONG;
        else if (accept(reader, ".weak") || accept(reader, ".common"))
            item->linkage = LINKAGE_WEAK;
        else
            break;
    }
    bool is_entry = accept(reader, ".entry");
    if (is_entry || accept(reader, ".func")) {
        item->kind = ITEM_FUNCTION;
        read_function(reader, is_entry, item);
    } else {
        read_variable(reader, item);
    }
    if (item->is_extern && item->linkage == LINKAGE_LOCAL)
        item->linkage = LINKAGE_STRONG;
    end_item(reader, item);
}

static void read_unit(struct linker *linker, size_t number) {
    struct ptx_span text = linker->units[number].text;
    struct reader reader = {.lexer = {text.start, text.start + text.length, 1}};
    advance(&reader);
    while (!at_end(&reader)) {
        if (accept(&reader, ".version"))
            read_version(linker, &reader);
        else if (accept(&reader, ".target"))
            read_target(linker, &reader);
        else if (accept(&reader, ".address_size") || is_sign(&reader, ';'))
            advance(&reader);
        else if (accept(&reader, ".file"))
            read_file(linker, &reader, number);
        else if (accept(&reader, ".section")) {
            advance(&reader);
            skip_brackets(&reader, '{', '}');
        } else {
            read_declaration(linker, &reader, number);
        }
    }
}

/* ---- names --------------------------------------------------------------------------------------
 */

static struct global *find_name(struct global *names, struct ptx_span name) {
    struct global *found;
    HASH_FIND(hh, names, name.start, name.length, found);
    return found;
}

static void add_name(struct global **names, const struct item *item) {
    struct global *global = mem_zalloc(sizeof *global);
    global->name = item->name;
    global->item = item;
    HASH_ADD_KEYPTR(hh, *names, global->name.start, global->name.length, global);
}

static bool is_named(const struct item *item) {
    return item->kind != ITEM_FILE && item->name.length;
}

/* A definition is better than a declaration, a strong one better than a weak one. */
static enum status add_global(struct linker *linker, const struct item *item) {
    struct global *global = find_name(linker->globals, item->name);
    if (!global) {
        add_name(&linker->globals, item);
        return STATUS_OK;
    }
    const struct item *before = global->item;
    if (item->is_defined && before->is_defined && item->linkage == LINKAGE_STRONG &&
        before->linkage == LINKAGE_STRONG)
        return error_set(linker->error, STATUS_INVALID,
                         "%.*s is defined in two of the program's modules", (int)item->name.length,
                         item->name.start);
    if (item->is_defined && (!before->is_defined || item->linkage > before->linkage))
        global->item = item;
    return STATUS_OK;
}

static void add_local(struct linker *linker, const struct item *item) {
    struct unit *unit = &linker->units[item->unit];
    const struct global *first = find_name(linker->locals, item->name);
    bool taken =
        find_name(linker->globals, item->name) || (first && first->item->unit != item->unit);
    struct renamed *renamed;
    if (!first && !taken)
        add_name(&linker->locals, item);
    HASH_FIND(hh, unit->renamed, item->name.start, item->name.length, renamed);
    if (!taken || renamed)
        return;
    renamed = mem_zalloc(sizeof *renamed);
    renamed->name = item->name;
    HASH_ADD_KEYPTR(hh, unit->renamed, renamed->name.start, renamed->name.length, renamed);
}

static enum status resolve(struct linker *linker) {
    enum status status = STATUS_OK;
    for (size_t i = 0; i < linker->item_count && status == STATUS_OK; i++)
        if (is_named(&linker->items[i]) && linker->items[i].linkage != LINKAGE_LOCAL)
            status = add_global(linker, &linker->items[i]);
    for (size_t i = 0; i < linker->item_count && status == STATUS_OK; i++) {
        const struct item *item = &linker->items[i];
        if (!is_named(item))
            continue;
        if (item->linkage == LINKAGE_LOCAL) {
            add_local(linker, item);
        } else if (item->kind == ITEM_VARIABLE && !item->is_shared &&
                   !find_name(linker->globals, item->name)->item->is_defined) {
            status =
                error_set(linker->error, STATUS_INVALID,
                          "%.*s is declared in one of the program's modules and defined in none",
                          (int)item->name.length, item->name.start);
        }
    }
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void put_token(struct linker *linker, struct unit *unit, const struct token *token,
                      bool is_file) {
    struct renamed *renamed = NULL;
    if (is_file && token->kind == TOKEN_INTEGER) {
        text_printf(linker->out, "%llu", (unsigned long long)(token->bits + unit->first_file));
        return;
    }
    text_append_bytes(linker->out, token->span.start, token->span.length);
    if (token->kind == TOKEN_NAME)
        HASH_FIND(hh, unit->renamed, token->span.start, token->span.length, renamed);
    if (renamed)
        text_printf(linker->out, "$unit%zu", (size_t)(unit - linker->units));
}

/* As it stands up to its end or before, but for names and the numbers of files. */
static void put_part(struct linker *linker, const struct item *item, const char *end) {
    struct unit *unit = &linker->units[item->unit];
    struct lexer lexer = {item->start, end, 1};
    const char *done = item->start;
    bool is_file = item->kind == ITEM_FILE;
    if (is_file)
        text_append(linker->out, ".file ");
    for (;;) {
        struct token token = lex_next(&lexer);
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD)
            break;
        text_append_bytes(linker->out, done, (size_t)(token.span.start - done));
        put_token(linker, unit, &token, is_file);
        done = token.span.start + token.span.length;
        is_file = (token.kind == TOKEN_DIRECTIVE && ptx_span_is(token.span, ".loc")) ||
                  (token.kind == TOKEN_NAME && ptx_span_is(token.span, "inlined_at"));
    }
    text_append_bytes(linker->out, done, (size_t)(end - done));
}

static void put_item(struct linker *linker, const struct item *item) {
    put_part(linker, item, item->end);
    text_append_char(linker->out, '\n');
}

/* Is this the item that its name stands for? */
static bool stays(const struct linker *linker, const struct item *item) {
    return item->kind == ITEM_FILE || !item->name.length || item->linkage == LINKAGE_LOCAL ||
           find_name(linker->globals, item->name)->item == item;
}

static void put_all(struct linker *linker, enum item_kind kind, bool defined) {
    for (size_t i = 0; i < linker->item_count; i++) {
        const struct item *item = &linker->items[i];
        if (item->kind == kind && item->is_defined == defined && stays(linker, item))
            put_item(linker, item);
    }
}

/* Of what other texts may call. */
static void put_prototypes(struct linker *linker) {
    for (size_t i = 0; i < linker->item_count; i++) {
        const struct item *item = &linker->items[i];
        if (!item->prototype_end || item->linkage == LINKAGE_LOCAL || !stays(linker, item))
            continue;
        put_part(linker, item, item->prototype_end);
        text_append(linker->out, ";\n");
    }
}

static void put_text(struct linker *linker) {
    text_printf(linker->out, ".version %.*s\n.target %.*s\n.address_size 64\n",
                (int)linker->version.length, linker->version.start, (int)linker->target.length,
                linker->target.start);
    put_all(linker, ITEM_FILE, false);
    put_all(linker, ITEM_VARIABLE, false);
    put_all(linker, ITEM_FUNCTION, false);
    put_prototypes(linker); /* a table of functions names them, too */
    put_all(linker, ITEM_VARIABLE, true);
    put_all(linker, ITEM_FUNCTION, true);
}

/* A text's own numbers begin anywhere: the next text's come after the highest. */
static void number_files(struct linker *linker) {
    size_t next = 0;
    for (size_t unit = 0, i = 0; unit < linker->unit_count; unit++) {
        size_t count = 0;
        for (; i < linker->item_count && linker->items[i].unit == unit; i++) {
            struct lexer lexer = {linker->items[i].start, linker->items[i].end, 1};
            struct token token = lex_next(&lexer);
            if (linker->items[i].kind == ITEM_FILE && token.kind == TOKEN_INTEGER &&
                token.bits > count && token.bits < UINT32_MAX / 2)
                count = token.bits;
        }
        linker->units[unit].first_file = next;
        next += count;
    }
}

static void free_names(struct global **names) {
    struct global *global, *next;
    HASH_ITER(hh, *names, global, next) {
        HASH_DEL(*names, global);
        free(global);
    }
}

static void linker_free(struct linker *linker) {
    for (size_t i = 0; i < linker->unit_count; i++) {
        struct renamed *renamed, *next;
        HASH_ITER(hh, linker->units[i].renamed, renamed, next) {
            HASH_DEL(linker->units[i].renamed, renamed);
            free(renamed);
        }
    }
    free_names(&linker->globals);
    free_names(&linker->locals);
    free(linker->units);
    free(linker->items);
}

enum status ptx_link_texts(const struct ptx_span *texts, size_t count, struct text *linked,
                           struct error *error) {
    struct linker linker = {.units = mem_calloc(count + 1, sizeof *linker.units),
                            .unit_count = count,
                            .out = linked,
                            .error = error};
    for (size_t i = 0; i < count; i++) {
        linker.units[i].text = texts[i];
        read_unit(&linker, i);
    }
    number_files(&linker);
    enum status status = linker.version.length && linker.target.length
                             ? resolve(&linker)
                             : error_set(error, STATUS_INVALID, "the modules are not PTX");
    if (status == STATUS_OK)
        put_text(&linker);
    linker_free(&linker);
    return status;
}
