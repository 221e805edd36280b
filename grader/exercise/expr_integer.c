/* Expressions in 64-bit integers: sizes, launches, extents. Every operation is checked; nothing
 * wraps. */
#include "grader/exercise/expr_parts.h"

#include <string.h>

struct integer_evaluation {
    const struct expr *expr;
    const struct expr_name *names;
    size_t name_count;
    struct error *error;
};

static enum status fail(const struct integer_evaluation *evaluation, const struct expr_node *node,
                        const char *what) {
    error_set(evaluation->error, STATUS_INVALID, "%s: %s", evaluation->expr->text, what);
    if (evaluation->error)
        evaluation->error->column = node->column;
    return STATUS_INVALID;
}

static enum status look_up(const struct integer_evaluation *evaluation,
                           const struct expr_node *node, int64_t *value) {
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
static enum status apply(const struct integer_evaluation *evaluation, const struct expr_node *node,
                         int64_t a, int64_t b, int64_t *value) {
    bool overflow = false;
    switch (node->operation) {
    case EXPR_NEGATE:
        overflow = __builtin_sub_overflow((int64_t)0, a, value);
        break;
    case EXPR_ADD:
        overflow = __builtin_add_overflow(a, b, value);
        break;
    case EXPR_SUBTRACT:
        overflow = __builtin_sub_overflow(a, b, value);
        break;
    case EXPR_MULTIPLY:
        overflow = __builtin_mul_overflow(a, b, value);
        break;
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
        if (b == 0)
            return fail(evaluation, node, "division by zero");
        overflow = a == INT64_MIN && b == -1;
        if (!overflow)
            *value = node->operation == EXPR_DIVIDE ? a / b : a % b;
        break;
    case EXPR_CEIL_DIV:
        if (b <= 0)
            return fail(evaluation, node, "ceil_div needs a divisor of at least 1");
        *value = ceil_div(a, b);
        break;
    case EXPR_ROUND_UP:
        if (b <= 0)
            return fail(evaluation, node, "round_up needs a multiple of at least 1");
        overflow = __builtin_mul_overflow(ceil_div(a, b), b, value);
        break;
    case EXPR_MIN:
        *value = a < b ? a : b;
        break;
    case EXPR_MAX:
        *value = a > b ? a : b;
        break;
    case EXPR_POW2_CEIL:
        overflow = !pow2_ceil(a, value);
        break;
    default: /* literals, names, and what the parser takes in real expressions only */
        break;
    }
    return overflow ? fail(evaluation, node, "the value does not fit in 64 bits") : STATUS_OK;
}

static enum status evaluate(const struct integer_evaluation *evaluation, size_t index,
                            int64_t *value) {
    const struct expr_node *node = &evaluation->expr->nodes[index];
    if (node->operation == EXPR_LITERAL) {
        *value = node->literal;
        return STATUS_OK;
    }
    if (node->operation == EXPR_NAME)
        return look_up(evaluation, node, value);
    int64_t left = 0, right = 0;
    enum status status = evaluate(evaluation, node->left, &left);
    if (status == STATUS_OK && node->right != node->left)
        status = evaluate(evaluation, node->right, &right);
    return status == STATUS_OK ? apply(evaluation, node, left, right, value) : status;
}

enum status expr_evaluate(const struct expr *expression, const struct expr_name *names,
                          size_t name_count, int64_t *value, struct error *error) {
    struct integer_evaluation evaluation = {expression, names, name_count, error};
    return evaluate(&evaluation, expression->root, value);
}
