/* Expressions in double precision: the two sides of a threshold.
 *
 * Names are counters, metrics, sizes and constants, which the caller looks up; one may have no
 * value in this run (registers without ptxas), and then neither has the expression. Nothing here is
 * an error: what could be wrong with a text was found when it was parsed, and quotients without a
 * denominator are defined in expr.h. */
#include "grader/expr_parts.h"

#include <math.h>

struct evaluation {
    const struct expr *expr;
    expr_look_up *look_up;
    const void *context;
    const char **missing;
};

static double quotient(double a, double b) {
    return a == 0 ? 0 : b == 0 ? copysign(INFINITY, a) : a / b;
}

static double remainder_of(double a, double b) {
    return b == 0 || !isfinite(a) ? 0 : fmod(a, b);
}

static double round_up(double a, double multiple) {
    return multiple > 0 ? ceil(a / multiple) * multiple : a;
}

static double pow2_ceil(double a) {
    if (a <= 1 || !isfinite(a))
        return a <= 1 ? 1 : a;
    int exponent;
    double fraction = frexp(a, &exponent); /* in [0.5, 1) */
    return ldexp(1, fraction == 0.5 ? exponent - 1 : exponent);
}

static double apply(enum expr_operation operation, double a, double b) {
    switch (operation) {
    case EXPR_NEGATE:
        return -a;
    case EXPR_ADD:
        return a + b;
    case EXPR_SUBTRACT:
        return a - b;
    case EXPR_MULTIPLY:
        return a == 0 || b == 0 ? 0 : a * b;
    case EXPR_DIVIDE:
        return quotient(a, b);
    case EXPR_REMAINDER:
        return remainder_of(a, b);
    case EXPR_CEIL_DIV:
        return ceil(quotient(a, b));
    case EXPR_ROUND_UP:
        return round_up(a, b);
    case EXPR_MIN:
        return fmin(a, b);
    case EXPR_MAX:
        return fmax(a, b);
    case EXPR_POW2_CEIL:
        return pow2_ceil(a);
    case EXPR_LITERAL:
    case EXPR_NAME:
        break;
    }
    return 0;
}

static bool evaluate(const struct evaluation *evaluation, size_t index, double *value) {
    const struct expr_node *node = &evaluation->expr->nodes[index];
    if (node->operation == EXPR_LITERAL) {
        *value = node->real;
        return true;
    }
    if (node->operation == EXPR_NAME) {
        if (evaluation->look_up(evaluation->context, node->name, value) && !isnan(*value))
            return true;
        *evaluation->missing = node->name;
        return false;
    }
    double left = 0, right = 0;
    if (!evaluate(evaluation, node->left, &left) ||
        (node->right != node->left && !evaluate(evaluation, node->right, &right)))
        return false;
    *value = apply(node->operation, left, right);
    /* infinity minus infinity */
    if (isnan(*value))
        *value = 0;
    return true;
}

bool expr_evaluate_real(const struct expr *expression, expr_look_up *look_up, const void *context,
                        double *value, const char **missing) {
    const char *unused;
    struct evaluation evaluation = {expression, look_up, context, missing ? missing : &unused};
    return evaluate(&evaluation, expression->root, value);
}
