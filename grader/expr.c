/* Size expressions: a recursive-descent parser into a dense array of nodes, and an evaluator that
 * checks every operation.
 *
 * Expressions come from YAML files, so length, number of nodes and nesting are capped: the
 * number of nodes also bounds the recursion of the evaluator. Every node keeps its column, so that
 * an error at evaluation ("division by zero") points into the text as one at parsing does. */
#include "grader/expr.h"

#include "grader/base/memory.h"
#include "grader/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 512, MAX_NODES = 256, MAX_DEPTH = 32, MAX_NAME = 63 };

enum operation {
    OP_LITERAL,
    OP_NAME,
    OP_NEGATE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_CEIL_DIV,
    OP_ROUND_UP,
    OP_MIN,
    OP_MAX,
    OP_POW2_CEIL,
};

/* Arguments of min and max form a chain of two-argument nodes. */
struct node {
    enum operation operation;
    unsigned column;
    int64_t literal;
    char *name;
    size_t left, right;
};

struct expr {
    char *text;
    struct node *nodes;
    size_t count, capacity;
    size_t root;
};

struct function {
    const char *name;
    enum operation operation;
    unsigned minimum, maximum; /* arguments */
};

static const struct function functions[] = {
    {"ceil_div", OP_CEIL_DIV, 2, 2}, {"round_up", OP_ROUND_UP, 2, 2},   {"min", OP_MIN, 1, 16},
    {"max", OP_MAX, 1, 16},          {"pow2_ceil", OP_POW2_CEIL, 1, 1},
};

struct parser {
    struct expr *expr;
    const char *text;
    size_t at;
    unsigned depth;
    struct error *error;
};

static enum status refuse(struct parser *parser, size_t at) {
    if (parser->error)
        parser->error->column = (unsigned)at + 1;
    return STATUS_INVALID;
}

#define REFUSE(parser, at, ...)                                                                    \
    (error_set((parser)->error, STATUS_INVALID, __VA_ARGS__), refuse(parser, at))

static void skip_blanks(struct parser *parser) {
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

static enum status add_node(struct parser *parser, enum operation operation, size_t at, size_t left,
                            size_t right, size_t *index) {
    struct expr *expr = parser->expr;
    if (expr->count >= MAX_NODES)
        return REFUSE(parser, at, "the expression has too many parts");
    struct node *node = mem_push(&expr->nodes, &expr->count, &expr->capacity);
    *node = (struct node){
        .operation = operation, .column = (unsigned)at + 1, .left = left, .right = right};
    *index = expr->count - 1;
    return STATUS_OK;
}

static enum status parse_sum(struct parser *parser, size_t *index);

static enum status parse_literal(struct parser *parser, size_t *index) {
    size_t start = parser->at;
    int64_t value = 0;
    for (;; parser->at++) {
        char c = parser->text[parser->at];
        if (c == '_' && is_digit(parser->text[parser->at + 1]))
            continue;
        if (!is_digit(c))
            break;
        if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_add_overflow(value, (int64_t)(c - '0'), &value))
            return REFUSE(parser, start, "the number does not fit in 64 bits");
    }
    if (is_name(parser->text[parser->at]))
        return REFUSE(parser, parser->at, "expected an operator, found \"%c\"",
                      parser->text[parser->at]);
    enum status status = add_node(parser, OP_LITERAL, start, 0, 0, index);
    if (status == STATUS_OK)
        parser->expr->nodes[*index].literal = value;
    return status;
}

static enum status find_function(struct parser *parser, const char *name, size_t start,
                                 const struct function **function) {
    const char *names[ARRAY_LENGTH(functions)];
    for (size_t i = 0; i < ARRAY_LENGTH(functions); i++) {
        names[i] = functions[i].name;
        if (strcmp(name, names[i]) == 0) {
            *function = &functions[i];
            return STATUS_OK;
        }
    }
    enum status status = REFUSE(parser, start, "unknown function %s", name);
    const char *closest = text_closest(name, names, ARRAY_LENGTH(names));
    if (closest)
        error_hint(parser->error, "did you mean %s?", closest);
    else
        error_hint(parser->error,
                   "functions: ceil_div(a, b), round_up(a, multiple), min(a, ...), max(a, ...), "
                   "pow2_ceil(a)");
    return status;
}

static enum status parse_call(struct parser *parser, const char *name, size_t start,
                              size_t *index) {
    const struct function *function = NULL;
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
                          function->maximum == 1 ? "" : "s");
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
    if (function->operation == OP_POW2_CEIL)
        return add_node(parser, OP_POW2_CEIL, start, left, left, index);
    *index = left;
    return STATUS_OK;
}

static enum status parse_name(struct parser *parser, size_t *index) {
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
    enum status status = add_node(parser, OP_NAME, start, 0, 0, index);
    if (status == STATUS_OK)
        parser->expr->nodes[*index].name = steal_pointer(&name);
    return status;
}

static enum status parse_primary(struct parser *parser, size_t *index) {
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
            status = add_node(parser, OP_NEGATE, start, *index, *index, index);
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
                      (unsigned char)c < 0x80 ? 1 : 4, parser->text + start);
    }
    if (status == STATUS_OK)
        skip_blanks(parser);
    return status;
}

static enum status parse_product(struct parser *parser, size_t *index) {
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
                              c == '*'   ? OP_MULTIPLY
                              : c == '/' ? OP_DIVIDE
                                         : OP_REMAINDER,
                              at, *index, right, index);
    }
    return status;
}

static enum status parse_sum(struct parser *parser, size_t *index) {
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
            status = add_node(parser, c == '+' ? OP_ADD : OP_SUBTRACT, at, *index, right, index);
    }
    parser->depth--;
    return status;
}

enum status expr_parse(const char *text, struct expr **expression, struct error *error) {
    struct parser parser = {.text = text, .error = error};
    if (strlen(text) > MAX_LENGTH)
        return REFUSE(&parser, MAX_LENGTH, "the expression is longer than %d characters",
                      MAX_LENGTH);
    parser.expr = mem_zalloc(sizeof *parser.expr);
    parser.expr->text = mem_strdup(text);
    enum status status = parse_sum(&parser, &parser.expr->root);
    if (status == STATUS_OK && text[parser.at] != '\0')
        status = REFUSE(&parser, parser.at, "expected an operator or the end, found \"%.*s\"",
                        (unsigned char)text[parser.at] < 0x80 ? 1 : 4, text + parser.at);
    if (status != STATUS_OK) {
        expr_free(parser.expr);
        return status;
    }
    *expression = parser.expr;
    return STATUS_OK;
}

struct evaluation {
    const struct expr *expr;
    const struct expr_name *names;
    size_t name_count;
    struct error *error;
};

static enum status fail(const struct evaluation *evaluation, const struct node *node,
                        const char *what) {
    error_set(evaluation->error, STATUS_INVALID, "%s: %s", evaluation->expr->text, what);
    if (evaluation->error)
        evaluation->error->column = node->column;
    return STATUS_INVALID;
}

static enum status look_up(const struct evaluation *evaluation, const struct node *node,
                           int64_t *value) {
    for (size_t i = 0; i < evaluation->name_count; i++)
        if (strcmp(evaluation->names[i].name, node->name) == 0) {
            *value = evaluation->names[i].value;
            return STATUS_OK;
        }
    error_set(evaluation->error, STATUS_INVALID, "%s: unknown name %s", evaluation->expr->text,
              node->name);
    if (evaluation->error)
        evaluation->error->column = node->column;
    return STATUS_INVALID;
}

static int64_t ceil_div(int64_t a, int64_t b) {
    return a / b + (a % b > 0); /* b > 0; truncation already rounds a negative a up */
}

static bool pow2_ceil(int64_t a, int64_t *value) {
    int64_t power = 1;
    while (power < a)
        if (__builtin_mul_overflow(power, (int64_t)2, &power))
            return false;
    *value = power;
    return true;
}

/* Both operands are known; a unary operation finds its operand in a. */
static enum status apply(const struct evaluation *evaluation, const struct node *node, int64_t a,
                         int64_t b, int64_t *value) {
    bool overflow = false;
    switch (node->operation) {
    case OP_NEGATE:
        overflow = __builtin_sub_overflow((int64_t)0, a, value);
        break;
    case OP_ADD:
        overflow = __builtin_add_overflow(a, b, value);
        break;
    case OP_SUBTRACT:
        overflow = __builtin_sub_overflow(a, b, value);
        break;
    case OP_MULTIPLY:
        overflow = __builtin_mul_overflow(a, b, value);
        break;
    case OP_DIVIDE:
    case OP_REMAINDER:
        if (b == 0)
            return fail(evaluation, node, "division by zero");
        overflow = a == INT64_MIN && b == -1;
        if (!overflow)
            *value = node->operation == OP_DIVIDE ? a / b : a % b;
        break;
    case OP_CEIL_DIV:
        if (b <= 0)
            return fail(evaluation, node, "ceil_div needs a divisor of at least 1");
        *value = ceil_div(a, b);
        break;
    case OP_ROUND_UP:
        if (b <= 0)
            return fail(evaluation, node, "round_up needs a multiple of at least 1");
        overflow = __builtin_mul_overflow(ceil_div(a, b), b, value);
        break;
    case OP_MIN:
        *value = a < b ? a : b;
        break;
    case OP_MAX:
        *value = a > b ? a : b;
        break;
    case OP_POW2_CEIL:
        overflow = !pow2_ceil(a, value);
        break;
    case OP_LITERAL:
    case OP_NAME:
        break;
    }
    return overflow ? fail(evaluation, node, "the value does not fit in 64 bits") : STATUS_OK;
}

static enum status evaluate(const struct evaluation *evaluation, size_t index, int64_t *value) {
    const struct node *node = &evaluation->expr->nodes[index];
    if (node->operation == OP_LITERAL) {
        *value = node->literal;
        return STATUS_OK;
    }
    if (node->operation == OP_NAME)
        return look_up(evaluation, node, value);
    int64_t left = 0, right = 0;
    enum status status = evaluate(evaluation, node->left, &left);
    if (status == STATUS_OK && node->right != node->left)
        status = evaluate(evaluation, node->right, &right);
    return status == STATUS_OK ? apply(evaluation, node, left, right, value) : status;
}

enum status expr_evaluate(const struct expr *expression, const struct expr_name *names,
                          size_t name_count, int64_t *value, struct error *error) {
    struct evaluation evaluation = {expression, names, name_count, error};
    return evaluate(&evaluation, expression->root, value);
}

const char *expr_text(const struct expr *expression) {
    return expression->text;
}

void expr_visit_names(const struct expr *expression,
                      void (*visit)(const char *name, unsigned column, void *context),
                      void *context) {
    for (size_t i = 0; i < expression->count; i++)
        if (expression->nodes[i].operation == OP_NAME)
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
