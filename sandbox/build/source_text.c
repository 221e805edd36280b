/* Finds host functions by a walk over tokens: declarations end at ';' and '}', a brace after
 * parameters opens a body, one after `namespace`, `struct` or `extern "C"` a scope of declarations,
 * any other an initialiser. That is not C++, but nothing is concluded from it alone: what is found
 * here is asked of a compiler (execution_space.c). */
#include "sandbox/build/source_text.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_raw_string(const char *at) {
    size_t length = strcspn(at + 2, "(");
    if (length > 16 || !at[2 + length])
        return at;
    char end[20] = ")";
    memcpy(end + 1, at + 2, length);
    end[1 + length] = '"';
    end[2 + length] = '\0';
    const char *found = strstr(at + 2 + length, end);
    return found ? found + length + 2 : at + strlen(at);
}

const char *source_skip_no_code(const char *at) {
    const char *end;
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == 'R' && at[1] == '"')
        return skip_raw_string(at);
    if (*at != '"' && *at != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        if (*end == '\\' && end[1])
            end++;
    return *end == *at ? end + 1 : end;
}

/* static, const or constexpr: it gives a name of a namespace internal linkage. */
struct linkage_word {
    const char *at;
    size_t length;
    bool is_static;
};

/* One declaration as far as it has been read. */
struct declaration {
    const char *start; /* NULL: nothing yet */
    const char *word;  /* the last identifier */
    size_t word_length;
    const char *name;
    size_t name_length;
    const char *mark;
    struct linkage_word internal[4];
    size_t internal_count;
    bool has_device, is_constexpr, has_value, has_parameters, in_initialisers, is_scope;
    bool is_class, is_no_variable, is_constant, is_array, is_static, is_qualified, is_inline;
    struct source_word class_name, variable;
    bool has_class_name; /* what follows are its arguments or bases */
};

enum { SCOPE_DEPTH = 64 };

struct walk {
    const char *source, *at;
    struct declaration declaration;
    struct host_functions *list;
    const char *counted; /* lines are counted up to here */
    unsigned line;
    unsigned depth;             /* of open scopes */
    bool in_class[SCOPE_DEPTH]; /* deeper ones count as classes, in which nothing is static */
    struct source_word class_names[SCOPE_DEPTH];
};

const char *source_skip_blank(const char *at) {
    for (;;) {
        const char *end = *at == '"' || *at == '\'' || *at == 'R' ? at : source_skip_no_code(at);
        if (end == at && isspace((unsigned char)*at))
            end = at + 1;
        if (end == at)
            return at;
        at = end;
    }
}

/* After the bracket that closes the one at `at`; the end of the text where none does. */
static const char *skip_group(const char *at, char open, char close) {
    unsigned depth = 0;
    while (*at) {
        const char *end = source_skip_no_code(at);
        if (end != at) {
            at = end;
            continue;
        }
        depth += *at == open;
        if (*at == close && --depth == 0)
            return at + 1;
        at++;
    }
    return at;
}

static const char *skip_directive(const char *at) {
    for (; *at && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return at;
}

static bool is_word(const struct declaration *declaration, const char *word) {
    return declaration->word && strlen(word) == declaration->word_length &&
           memcmp(declaration->word, word, declaration->word_length) == 0;
}

static bool is_one_of(const struct declaration *declaration, const char *const *words,
                      size_t count) {
    for (size_t i = 0; i < count; i++)
        if (is_word(declaration, words[i]))
            return true;
    return false;
}

/* What stands in front of parentheses and is no function's name. */
static bool is_attribute(const struct declaration *declaration) {
    static const char *const words[] = {
        "__attribute__",    "__launch_bounds__", "alignas",     "__align__", "decltype",
        "noexcept",         "static_assert",     "__declspec",  "requires",  "explicit",
        "__cluster_dims__", "__block_size__",    "__maxnreg__", "_Pragma",   "asm",
        "__grid_constant__"};
    return is_one_of(declaration, words, ARRAY_LENGTH(words));
}

static unsigned line_at(struct walk *walk, const char *at) {
    for (; walk->counted < at; walk->counted++)
        walk->line += *walk->counted == '\n';
    return walk->line;
}

static bool is_in_namespace(const struct walk *walk) {
    unsigned depth = walk->depth;
    return depth == 0 || (depth < SCOPE_DEPTH && !walk->in_class[depth - 1]);
}

static void add_function(struct walk *walk, const char *body, const char *end) {
    const struct declaration *declaration = &walk->declaration;
    struct host_function *function =
        mem_push(&walk->list->items, &walk->list->count, &walk->list->capacity);
    *function = (struct host_function){
        .start = (size_t)(declaration->start - walk->source),
        .name = (size_t)(declaration->name - walk->source),
        .name_length = declaration->name_length,
        .body = (size_t)(body - walk->source),
        .end = (size_t)(end - walk->source),
        .mark = declaration->mark ? (size_t)(declaration->mark - walk->source) : 0,
        .is_marked = declaration->mark != NULL,
        .is_constexpr = declaration->is_constexpr,
        .is_member = !is_in_namespace(walk),
    };
    function->first_line = line_at(walk, declaration->start);
    function->body_line = line_at(walk, body);
    function->last_line = line_at(walk, end);
}

static void add_edit(struct walk *walk, const char *at, size_t erased, const char *text) {
    struct host_functions *list = walk->list;
    *mem_push(&list->edits, &list->edit_count, &list->edit_capacity) =
        (struct source_edit){(size_t)(at - walk->source), erased, text};
}

/* Of a namespace and the host's. A constant that is no array counts as none: device code may use
 * its value. */
static bool is_variable(const struct walk *walk) {
    const struct declaration *declaration = &walk->declaration;
    return declaration->word && !declaration->has_device && !declaration->has_parameters &&
           !declaration->is_no_variable && (!declaration->is_constant || declaration->is_array) &&
           !declaration->is_scope && is_in_namespace(walk);
}

/* Of a class, which ends in `;`. */
static void note_static_member(struct walk *walk) {
    const struct declaration *declaration = &walk->declaration;
    struct host_functions *list = walk->list;
    bool is_member = walk->depth && walk->depth <= SCOPE_DEPTH && !is_in_namespace(walk) &&
                     declaration->is_static && !declaration->has_parameters &&
                     !declaration->is_no_variable;
    if (is_member)
        *mem_push(&list->classes, &list->class_count, &list->class_capacity) =
            walk->class_names[walk->depth - 1];
}

static void note_inline_variable(struct walk *walk) {
    struct host_functions *list = walk->list;
    if (walk->declaration.is_inline && is_variable(walk))
        *mem_push(&list->inlines, &list->inline_count, &list->inline_capacity) =
            walk->declaration.variable;
}

/* Makes the name external: a function or variable without `static`, an array also without its
 * const, unless a class has declared it with one. */
static void make_external(struct walk *walk) {
    const struct declaration *declaration = &walk->declaration;
    bool loses_const = is_variable(walk) && declaration->is_array && !declaration->is_qualified;
    for (size_t i = 0; i < declaration->internal_count; i++) {
        const struct linkage_word *word = &declaration->internal[i];
        if (word->is_static || loses_const)
            add_edit(walk, word->at, word->length, "");
    }
}

/* A declaration ends, or its body begins. */
static void end_declaration(struct walk *walk) {
    if (!walk->declaration.has_device && is_in_namespace(walk))
        make_external(walk);
    walk->declaration = (struct declaration){0};
}

static void open_scope(struct walk *walk) {
    const struct declaration *declaration = &walk->declaration;
    if (is_word(declaration, "namespace")) { /* without a name */
        add_edit(walk, declaration->word, 0, "inline ");
        add_edit(walk, walk->at, 0, " __warpgrade_unnamed ");
    }
    if (walk->depth < SCOPE_DEPTH) {
        walk->in_class[walk->depth] = declaration->is_class;
        walk->class_names[walk->depth] = declaration->class_name;
    }
    walk->depth++;
    walk->at++;
    walk->declaration = (struct declaration){0};
}

static void take_word(struct walk *walk) {
    struct declaration *declaration = &walk->declaration;
    const char *end = walk->at;
    while (isalnum((unsigned char)*end) || *end == '_')
        end++;
    declaration->word = walk->at;
    declaration->word_length = (size_t)(end - walk->at);
    static const char *const sides[] = {"__device__", "__global__", "__constant__", "__shared__",
                                        "__managed__"};
    static const char *const others[] = {"using",    "typedef",       "enum",
                                         "template", "static_assert", "friend"};
    static const char *const internal[] = {"static", "const", "constexpr"};
    declaration->has_device |= is_one_of(declaration, sides, ARRAY_LENGTH(sides));
    declaration->is_no_variable |= is_one_of(declaration, others, ARRAY_LENGTH(others));
    declaration->is_constexpr |= is_word(declaration, "constexpr");
    declaration->is_static |= is_word(declaration, "static");
    declaration->is_inline |= is_word(declaration, "inline");
    if (!declaration->has_value && !declaration->is_array)
        declaration->variable =
            (struct source_word){(size_t)(walk->at - walk->source), declaration->word_length};
    declaration->is_constant |= is_word(declaration, "const") || is_word(declaration, "constexpr");
    if (is_one_of(declaration, internal, ARRAY_LENGTH(internal)) && !declaration->has_value &&
        declaration->internal_count < ARRAY_LENGTH(declaration->internal))
        declaration->internal[declaration->internal_count++] = (struct linkage_word){
            walk->at, declaration->word_length, is_word(declaration, "static")};
    if (is_word(declaration, "__host__"))
        declaration->mark = walk->at;
    else if (is_word(declaration, "namespace"))
        declaration->is_scope = true;
    else if (is_word(declaration, "struct") || is_word(declaration, "class") ||
             is_word(declaration, "union"))
        declaration->is_scope = declaration->is_class = true;
    else if (is_word(declaration, "enum"))
        declaration->has_value = true;
    else if (declaration->is_class && !declaration->has_class_name &&
             !is_word(declaration, "final"))
        declaration->class_name =
            (struct source_word){(size_t)(walk->at - walk->source), declaration->word_length};
    walk->at = end;
    if (is_word(declaration, "template") && *(end = source_skip_blank(end)) == '<')
        walk->at = skip_group(end, '<', '>');
    else if (is_word(declaration, "extern") && *(end = source_skip_blank(end)) == '"') {
        walk->at = source_skip_no_code(end);
        declaration->is_scope = *source_skip_blank(walk->at) == '{';
    }
}

static void take_parentheses(struct walk *walk) {
    struct declaration *declaration = &walk->declaration;
    const char *end = skip_group(walk->at, '(', ')');
    bool call_operator = is_word(declaration, "operator") && *source_skip_blank(end) == '(';
    if (!declaration->in_initialisers && !declaration->has_value && !call_operator &&
        declaration->word && !is_attribute(declaration)) {
        declaration->has_parameters = true;
        declaration->name = declaration->word;
        declaration->name_length = declaration->word_length;
    }
    walk->at = end;
}

/* Is the brace the body after a constructor's initialisers, and not one of them? */
static bool follows_initialiser(const struct walk *walk) {
    const char *at = walk->at;
    while (at > walk->source && isspace((unsigned char)at[-1]))
        at--;
    return at > walk->source && (at[-1] == ')' || at[-1] == '}');
}

static void take_brace(struct walk *walk) {
    struct declaration *declaration = &walk->declaration;
    const char *body = walk->at;
    if (declaration->in_initialisers && !follows_initialiser(walk)) {
        walk->at = skip_group(body, '{', '}');
    } else if (declaration->has_parameters && !declaration->has_value) {
        walk->at = skip_group(body, '{', '}');
        if (!declaration->has_device)
            add_function(walk, body, walk->at);
        end_declaration(walk);
    } else if (declaration->is_scope && !declaration->has_value) {
        open_scope(walk);
    } else {
        walk->at = skip_group(body, '{', '}');
    }
}

/* const in front of a '*' says nothing of the variable. */
static void forget_pointee(struct declaration *declaration) {
    size_t kept = 0;
    for (size_t i = 0; i < declaration->internal_count; i++)
        if (declaration->internal[i].length != strlen("const"))
            declaration->internal[kept++] = declaration->internal[i];
    declaration->internal_count = kept;
}

static void take_punctuation(struct walk *walk) {
    struct declaration *declaration = &walk->declaration;
    char c = *walk->at++;
    if (c == ';') {
        walk->list->has_variables |= is_variable(walk);
        note_static_member(walk);
        note_inline_variable(walk);
        end_declaration(walk);
    } else if (c == '}') {
        walk->depth -= walk->depth > 0;
        *declaration = (struct declaration){0};
    } else if (c == ':' && *walk->at == ':') {
        walk->at++;
    } else if (c == ':') {
        if (declaration->has_parameters)
            declaration->in_initialisers = true;
        else if (!declaration->is_scope) /* public: */
            *declaration = (struct declaration){0};
        declaration->has_class_name = true;
    } else if (c == '=' && !is_word(declaration, "operator")) {
        declaration->has_value = true;
    } else if (c == '*' && !declaration->has_value) {
        forget_pointee(declaration);
    } else if (c == '<') {
        declaration->has_class_name |= declaration->class_name.length != 0;
    }
}

static bool follows_colons(const struct walk *walk, const char *at) {
    while (at > walk->source && isspace((unsigned char)at[-1]))
        at--;
    return at > walk->source + 1 && at[-1] == ':' && at[-2] == ':';
}

static void take_brackets(struct walk *walk) {
    struct declaration *declaration = &walk->declaration;
    bool is_array = declaration->word && !declaration->has_value && walk->at[1] != '[';
    if (is_array && !declaration->is_array)
        declaration->is_qualified = follows_colons(walk, declaration->word);
    declaration->is_array |= is_array;
    walk->at = skip_group(walk->at, '[', ']');
}

void source_find_host_functions(const char *source, struct host_functions *list) {
    struct walk walk = {.source = source, .at = source, .list = list, .counted = source, .line = 1};
    *list = (struct host_functions){0};
    while (*(walk.at = source_skip_blank(walk.at))) {
        char c = *walk.at;
        const char *end = source_skip_no_code(walk.at);
        if (c == '#') {
            walk.at = skip_directive(walk.at);
            continue;
        }
        if (!walk.declaration.start && c != '}' && c != ';')
            walk.declaration.start = walk.at;
        if (end != walk.at)
            walk.at = end;
        else if (isalpha((unsigned char)c) || c == '_')
            take_word(&walk);
        else if (isdigit((unsigned char)c))
            while (isalnum((unsigned char)*walk.at) || *walk.at == '.')
                walk.at++;
        else if (c == '(')
            take_parentheses(&walk);
        else if (c == '[')
            take_brackets(&walk);
        else if (c == '{')
            take_brace(&walk);
        else
            take_punctuation(&walk);
    }
}

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The end of the identifier or number at `at`; `at` itself where there is none. */
static const char *skip_name(const char *at) {
    while (is_name_character(*at))
        at++;
    return at;
}

/* Called without its name: through an object, by the compiler, or by a header's template. */
static bool is_called_unnamed(const char *source, const struct host_function *function) {
    static const char *const names[] = {"operator", "begin", "end", "swap", "get"};
    if (function->is_member)
        return true;
    for (const char *at = source + function->start; at < source + function->body;) {
        const char *end = skip_name(at);
        for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
            if (strlen(names[i]) == (size_t)(end - at) &&
                memcmp(names[i], at, (size_t)(end - at)) == 0)
                return true;
        at = end > at ? end : at + 1;
    }
    return false;
}

static bool names_one(const char *source, const struct host_functions *list, const char *at,
                      size_t length) {
    bool inside = false, named = false;
    size_t offset = (size_t)(at - source);
    for (size_t i = 0; i < list->count; i++) {
        const struct host_function *function = &list->items[i];
        inside |= offset >= function->start && offset < function->end;
        named |=
            function->name_length == length && memcmp(source + function->name, at, length) == 0;
    }
    return named && !inside;
}

bool source_may_call(const char *source, const struct host_functions *list) {
    for (size_t i = 0; i < list->count; i++)
        if (is_called_unnamed(source, &list->items[i]))
            return true;
    for (const char *at = source; *at;) {
        const char *end = source_skip_no_code(at);
        if (end == at) {
            end = skip_name(at);
            bool joined = *at == '#' && at[1] == '#'; /* a macro may make any name */
            bool spliced = end > at && *end == '\\' && (end[1] == '\n' || end[1] == '\r');
            if (joined || spliced || (end > at && names_one(source, list, at, (size_t)(end - at))))
                return true;
        }
        at = end > at ? end : at + 1;
    }
    return false;
}

static bool has_word(const char *source, const struct source_word *words, size_t count,
                     const char *start, const char *end) {
    for (size_t i = 0; i < count; i++)
        if (words[i].length == (size_t)(end - start) &&
            memcmp(source + words[i].at, start, words[i].length) == 0)
            return true;
    return false;
}

bool source_is_inline_variable(const char *source, const struct host_functions *list,
                               const char *plain) {
    const char *last = plain;
    for (const char *at = plain; (at = strstr(at, "::")); last = at)
        at += 2;
    return has_word(source, list->inlines, list->inline_count, last, plain + strlen(plain));
}

bool source_is_static_member(const char *source, const struct host_functions *list,
                             const char *plain) {
    const char *start = plain, *end = NULL; /* of the last part but one */
    for (const char *at = plain; (at = strstr(at, "::")); at += 2) {
        start = end ? end + 2 : plain;
        end = at;
    }
    return end && has_word(source, list->classes, list->class_count, start, end);
}

void source_free_host_functions(struct host_functions *list) {
    free(list->items);
    free(list->edits);
    free(list->classes);
    free(list->inlines);
    *list = (struct host_functions){0};
}

void source_apply_edits(const char *source, const struct source_edit *edits, size_t count,
                        struct text *out) {
    size_t from = 0;
    for (size_t i = 0; i < count; i++) {
        text_append_bytes(out, source + from, edits[i].at - from);
        text_append(out, edits[i].text);
        from = edits[i].at + edits[i].erased;
    }
    text_append(out, source + from);
}
