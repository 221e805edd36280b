/* Expressions: a recursive-descent parser into a dense array of nodes, for both evaluators
 * (expr_integer.c, expr_real.c).
 *
 * Expressions come from YAML files, so length, number of nodes and nesting are capped: the
 * number of nodes also bounds the recursion of the evaluators. Every node keeps its column, so that
 * an error at evaluation ("division by zero") points into the text as one at parsing does. */
#include "grader/exercise/expr_parts.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 512, MAX_NODES = 256, MAX_DEPTH = 32, MAX_NAME = 63 };

struct expr_function {
    const char *name;
    enum expr_operation operation;
    unsigned minimum, maximum; /* arguments */
    bool real;                 /* not for whole numbers */
};

static const struct expr_function functions[] = {
    {"ceil_div", EXPR_CEIL_DIV, 2, 2, false},
    {"round_up", EXPR_ROUND_UP, 2, 2, false},
    {"min", EXPR_MIN, 1, 16, false},
    {"max", EXPR_MAX, 1, 16, false},
    {"pow2_ceil", EXPR_POW2_CEIL, 1, 1, false},
    {"sqrt", EXPR_SQRT, 1, 1, true},
    {"log", EXPR_LOG, 1, 1, true},
    {"exp", EXPR_EXP, 1, 1, true},
    {"abs", EXPR_ABS, 1, 1, true},
    {"floor", EXPR_FLOOR, 1, 1, true},
    {"mod", EXPR_MOD, 2, 2, true},
};

struct expr_parser {
    struct expr *expr;
    bool real; /* literals may have a fraction and an exponent */
    const char *text;
    size_t at;
    unsigned depth;
    struct error *error;
};

static enum status refuse(struct expr_parser *parser, size_t at) {
    if (parser->error)
        parser->error->column = (unsigned)at + 1;
    return STATUS_INVALID;
}

#define REFUSE(parser, at, ...)                                                                    \
    (error_set((parser)->error, STATUS_INVALID, __VA_ARGS__), refuse(parser, at))

static void skip_blanks(struct expr_parser *parser) {
    while (parser->text[parser->at] == ' ' || parser->text[parser->at] == '\t' ||
           parser->text[parser->at] == '\n')
        parser->at++;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* Bytes of the UTF-8 character that begins with c; YAML files hold no others. */
static int character_bytes(char c) {
    unsigned char first = (unsigned char)c;
    return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static enum status add_node(struct expr_parser *parser, enum expr_operation operation, size_t at,
                            size_t left, size_t right, size_t *index) {
    struct expr *expr = parser->expr;
    if (expr->count >= MAX_NODES)
        return REFUSE(parser, at, "the expression has too many parts");
    struct expr_node *node = mem_push(&expr->nodes, &expr->count, &expr->capacity);
    *node = (struct expr_node){
        .operation = operation, .column = (unsigned)at + 1, .left = left, .right = right};
    *index = expr->count - 1;
    return STATUS_OK;
}

static enum status parse_sum(struct expr_parser *parser, size_t *index);

/* Digits with single _ between them, which are left out of `digits`. */
static void take_digits(struct expr_parser *parser, struct text *digits) {
    for (;; parser->at++) {
        char c = parser->text[parser->at];
        if (c == '_' && is_digit(parser->text[parser->at + 1]))
            continue;
        if (!is_digit(c))
            return;
        text_append_char(digits, c);
    }
}

/* ".25", "e-3": what a literal of a real expression may have after its digits. */
static void take_fraction(struct expr_parser *parser, struct text *digits) {
    const char *text = parser->text;
    if (text[parser->at] == '.' && is_digit(text[parser->at + 1])) {
        text_append_char(digits, '.');
        parser->at++;
        take_digits(parser, digits);
    }
    if (text[parser->at] != 'e' && text[parser->at] != 'E')
        return;
    size_t sign = text[parser->at + 1] == '+' || text[parser->at + 1] == '-';
    if (is_digit(text[parser->at + 1 + sign])) {
        text_append_bytes(digits, text + parser->at, 1 + sign);
        parser->at += 1 + sign;
        take_digits(parser, digits);
    }
}

static enum status literal_value(struct expr_parser *parser, size_t start, const char *digits,
                                 struct expr_node *node) {
    if (parser->real) {
        node->real = strtod(digits, NULL);
        return isfinite(node->real)
                   ? STATUS_OK
                   : REFUSE(parser, start, "the number is larger than a double can be");
    }
    for (; *digits; digits++)
        if (__builtin_mul_overflow(node->literal, (int64_t)10, &node->literal) ||
            __builtin_add_overflow(node->literal, (int64_t)(*digits - '0'), &node->literal))
            return REFUSE(parser, start, "the number does not fit in 64 bits");
    return STATUS_OK;
}

static enum status parse_literal(struct expr_parser *parser, size_t *index) {
    size_t start = parser->at;
    cleanup_text struct text digits = {0};
    take_digits(parser, &digits);
    if (parser->real)
        take_fraction(parser, &digits);
    else if (parser->text[parser->at] == '.' && is_digit(parser->text[parser->at + 1]))
        return REFUSE(parser, start, "expected a whole number here");
    struct expr_node literal = {0};
    enum status status = literal_value(parser, start, text_string(&digits), &literal);
    if (status != STATUS_OK)
        return status;
    if (is_name(parser->text[parser->at]))
        return REFUSE(parser, parser->at, "expected an operator, found \"%c\"",
                      parser->text[parser->at]);
    status = add_node(parser, EXPR_LITERAL, start, 0, 0, index);
    if (status == STATUS_OK) {
        parser->expr->nodes[*index].literal = literal.literal;
        parser->expr->nodes[*index].real = literal.real;
    }
    return status;
}

static enum status find_function(struct expr_parser *parser, const char *name, size_t start,
                                 const struct expr_function **function) {
    const char *names[ARRAY_LENGTH(functions)];
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(functions); i++) {
        bool known = strcmp(name, functions[i].name) == 0;
        if (known && functions[i].real && !parser->real)
            return REFUSE(parser, start, "%s has no whole number as its value", name);
        if (known) {
            *function = &functions[i];
            return STATUS_OK;
        }
        if (parser->real || !functions[i].real)
            names[count++] = functions[i].name;
    }
    enum status status = REFUSE(parser, start, "unknown function %s", name);
    const char *closest = text_closest(name, names, count);
    if (closest)
        error_hint(parser->error, "did you mean %s?", closest);
    else
        error_hint(parser->error,
                   "functions: ceil_div(a, b), round_up(a, multiple), min(a, ...), max(a, ...), "
                   "pow2_ceil(a)%s",
                   parser->real ? ", sqrt(a), log(a), exp(a), abs(a), floor(a), mod(a, b)" : "");
    return status;
}

static enum status parse_call(struct expr_parser *parser, const char *name, size_t start,
                              size_t *index) {
    const struct expr_function *function = NULL;
    enum status status = find_function(parser, name, start, &function);
    unsigned count = 0;
    size_t left = 0;
    while (status == STATUS_OK) {
        parser->at++; /* the parenthesis or the comma */
        size_t argument;
        status = parse_sum(parser, &argument);
        if (status != STATUS_OK)
            return status;
        count++;
        if (count > function->maximum)
            return REFUSE(parser, start, "%s takes %u argument%s", name, function->maximum,
                          text_plural(function->maximum));
        if (count == 1)
            left = argument;
        else
            status = add_node(parser, function->operation, start, left, argument, &left);
        if (parser->text[parser->at] != ',')
            break;
    }
    if (status != STATUS_OK)
        return status;
    if (parser->text[parser->at] != ')')
        return REFUSE(parser, parser->at, "expected \",\" or \")\" here");
    parser->at++;
    if (count < function->minimum)
        return REFUSE(parser, start, "%s takes %u arguments, here is %u", name, function->minimum,
                      count);
    if (function->maximum == 1)
        return add_node(parser, function->operation, start, left, left, index);
    *index = left;
    return STATUS_OK;
}

static enum status parse_name(struct expr_parser *parser, size_t *index) {
    size_t start = parser->at;
    while (is_name(parser->text[parser->at]))
        parser->at++;
    size_t length = parser->at - start;
    if (length > MAX_NAME)
        return REFUSE(parser, start, "the name is longer than %d characters", MAX_NAME);
    cleanup_free char *name = mem_strndup(parser->text + start, length);
    skip_blanks(parser);
    if (parser->text[parser->at] == '(')
        return parse_call(parser, name, start, index);
    enum status status = add_node(parser, EXPR_NAME, start, 0, 0, index);
    if (status == STATUS_OK)
        parser->expr->nodes[*index].name = steal_pointer(&name);
    return status;
}

static enum status parse_primary(struct expr_parser *parser, size_t *index) {
    skip_blanks(parser);
    size_t start = parser->at;
    char c = parser->text[start];
    enum status status;
    if (c == '-') {
        parser->at++;
        if (++parser->depth > MAX_DEPTH)
            return REFUSE(parser, start, "the nesting is too deep");
        status = parse_primary(parser, index);
        parser->depth--;
        if (status == STATUS_OK)
            status = add_node(parser, EXPR_NEGATE, start, *index, *index, index);
    } else if (c == '(') {
        parser->at++;
        status = parse_sum(parser, index);
        if (status == STATUS_OK && parser->text[parser->at] != ')')
            return REFUSE(parser, parser->at, "expected \")\" here");
        parser->at++;
    } else if (is_digit(c)) {
        status = parse_literal(parser, index);
    } else if (is_name(c)) {
        status = parse_name(parser, index);
    } else if (c == '\0') {
        return REFUSE(parser, start,
                      "the expression ends too early: a number or a name is missing");
    } else {
        return REFUSE(parser, start, "expected a number, a name or \"(\", found \"%.*s\"",
                      character_bytes(c), parser->text + start);
    }
    if (status == STATUS_OK)
        skip_blanks(parser);
    return status;
}

static enum status parse_product(struct expr_parser *parser, size_t *index) {
    enum status status = parse_primary(parser, index);
    while (status == STATUS_OK) {
        size_t at = parser->at, right;
        char c = parser->text[at];
        if (c != '*' && c != '/' && c != '%')
            break;
        parser->at++;
        status = parse_primary(parser, &right);
        if (status == STATUS_OK)
            status = add_node(parser,
                              c == '*'   ? EXPR_MULTIPLY
                              : c == '/' ? EXPR_DIVIDE
                                         : EXPR_REMAINDER,
                              at, *index, right, index);
    }
    return status;
}

static enum status parse_sum(struct expr_parser *parser, size_t *index) {
    if (++parser->depth > MAX_DEPTH)
        return REFUSE(parser, parser->at, "the nesting is too deep");
    enum status status = parse_product(parser, index);
    while (status == STATUS_OK) {
        size_t at = parser->at, right;
        char c = parser->text[at];
        if (c != '+' && c != '-')
            break;
        parser->at++;
        status = parse_product(parser, &right);
        if (status == STATUS_OK)
            status =
                add_node(parser, c == '+' ? EXPR_ADD : EXPR_SUBTRACT, at, *index, right, index);
    }
    parser->depth--;
    return status;
}

static enum status parse(const char *text, bool real, struct expr **expression,
                         struct error *error) {
    struct expr_parser parser = {.text = text, .real = real, .error = error};
    if (strlen(text) > MAX_LENGTH)
        return REFUSE(&parser, MAX_LENGTH, "the expression is longer than %d characters",
                      MAX_LENGTH);
    parser.expr = mem_zalloc(sizeof *parser.expr);
    parser.expr->text = mem_strdup(text);
    enum status status = parse_sum(&parser, &parser.expr->root);
    if (status == STATUS_OK && text[parser.at] != '\0')
        status = REFUSE(&parser, parser.at, "expected an operator or the end, found \"%.*s\"",
                        character_bytes(text[parser.at]), text + parser.at);
    if (status != STATUS_OK) {
        expr_free(parser.expr);
        return status;
    }
    *expression = parser.expr;
    return STATUS_OK;
}

enum status expr_parse(const char *text, struct expr **expression, struct error *error) {
    return parse(text, false, expression, error);
}

enum status expr_parse_real(const char *text, struct expr **expression, struct error *error) {
    return parse(text, true, expression, error);
}

const char *expr_text(const struct expr *expression) {
    return expression->text;
}

void expr_visit_names(const struct expr *expression,
                      void (*visit)(const char *name, unsigned column, void *context),
                      void *context) {
    for (size_t i = 0; i < expression->count; i++)
        if (expression->nodes[i].operation == EXPR_NAME)
            visit(expression->nodes[i].name, expression->nodes[i].column, context);
}

void expr_free(struct expr *expression) {
    if (!expression)
        return;
    for (size_t i = 0; i < expression->count; i++)
        free(expression->nodes[i].name);
    free(expression->nodes);
    free(expression->text);
    free(expression);
}
