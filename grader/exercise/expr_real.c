/* Expressions in double precision: the two sides of a threshold, and data made by a formula.
 *
 * A threshold has one value and its names may have none in this run (registers without ptxas), and
 * then neither has the expression. A formula has a value for each of millions of elements: it is
 * evaluated for a strip of them at a time, an operation for the whole strip, so that walking the
 * tree costs little. Nothing here is an error: what could be wrong with a text was found when it
 * was parsed, and quotients without a denominator are defined in expr.h. */
#include "grader/exercise/expr_parts.h"

#include <math.h>
#include <string.h>

/* Elements of a strip. Each level of the tree has one strip on the stack, and a tree has at most
 * 256 nodes. */
enum { STRIP = 128 };

static double product(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static double quotient(double a, double b) {
    return a == 0 ? 0 : b == 0 ? copysign(INFINITY, a) : a / b;
}

static double remainder_of(double a, double b) {
    return b == 0 || !isfinite(a) ? 0 : fmod(a, b);
}

static double round_up(double a, double multiple) {
    return multiple > 0 ? ceil(a / multiple) * multiple : a;
}

static double floored_remainder(double a, double b) {
    double rest = remainder_of(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static double pow2_ceil(double a) {
    if (a <= 1 || !isfinite(a))
        return a <= 1 ? 1 : a;
    int exponent;
    double fraction = frexp(a, &exponent); /* in [0.5, 1) */
    return ldexp(1, fraction == 0.5 ? exponent - 1 : exponent);
}

/* a[i] = operation(a[i], b[i]); a unary operation finds its operand in a. */
static void apply(enum expr_operation operation, double *a, const double *b, size_t count) {
#define EACH(value)                                                                                \
    for (size_t i = 0; i < count; i++)                                                             \
        a[i] = value;                                                                              \
    return
    switch (operation) {
    case EXPR_NEGATE:
        EACH(-a[i]);
    case EXPR_ADD:
        EACH(a[i] + b[i]);
    case EXPR_SUBTRACT:
        EACH(a[i] - b[i]);
    case EXPR_MULTIPLY:
        EACH(product(a[i], b[i]));
    case EXPR_DIVIDE:
        EACH(quotient(a[i], b[i]));
    case EXPR_REMAINDER:
        EACH(remainder_of(a[i], b[i]));
    case EXPR_CEIL_DIV:
        EACH(ceil(quotient(a[i], b[i])));
    case EXPR_ROUND_UP:
        EACH(round_up(a[i], b[i]));
    case EXPR_MIN:
        EACH(fmin(a[i], b[i]));
    case EXPR_MAX:
        EACH(fmax(a[i], b[i]));
    case EXPR_POW2_CEIL:
        EACH(pow2_ceil(a[i]));
    case EXPR_SQRT:
        EACH(sqrt(a[i]));
    case EXPR_LOG:
        EACH(log(a[i]));
    case EXPR_EXP:
        EACH(exp(a[i]));
    case EXPR_ABS:
        EACH(fabs(a[i]));
    case EXPR_FLOOR:
        EACH(floor(a[i]));
    case EXPR_MOD:
        EACH(floored_remainder(a[i], b[i]));
    case EXPR_LITERAL:
    case EXPR_NAME:
        return;
    }
#undef EACH
}

/* ---- one value ------------------------------------------------------------------------------- */

struct real_evaluation {
    const struct expr *expr;
    expr_look_up *look_up;
    const void *context;
    const char **missing;
};

static bool evaluate(const struct real_evaluation *evaluation, size_t index, double *value) {
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
    double right = 0;
    if (!evaluate(evaluation, node->left, value) ||
        (node->right != node->left && !evaluate(evaluation, node->right, &right)))
        return false;
    apply(node->operation, value, &right, 1);
    /* infinity minus infinity, the root of a negative number */
    if (isnan(*value))
        *value = 0;
    return true;
}

bool expr_evaluate_real(const struct expr *expression, expr_look_up *look_up, const void *context,
                        double *value, const char **missing) {
    const char *unused;
    struct real_evaluation evaluation = {expression, look_up, context, missing ? missing : &unused};
    double result = 0;
    if (!evaluate(&evaluation, expression->root, &result))
        return false;
    *value = result;
    return true;
}

/* ---- many values ----------------------------------------------------------------------------- */

struct columns {
    const struct expr *expr;
    const struct expr_column *columns;
    size_t count;
};

static void set_all(double *out, double value, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = value;
}

static void take_column(const struct columns *columns, const char *name, size_t first, double *out,
                        size_t count) {
    for (size_t i = 0; i < columns->count; i++) {
        const struct expr_column *column = &columns->columns[i];
        if (strcmp(column->name, name) != 0)
            continue;
        if (column->values)
            memcpy(out, column->values + first, count * sizeof *out);
        else
            set_all(out, column->same, count);
        return;
    }
    set_all(out, NAN, count);
}

static void evaluate_strip(const struct columns *columns, size_t index, size_t first, double *out,
                           size_t count) {
    const struct expr_node *node = &columns->expr->nodes[index];
    if (node->operation == EXPR_LITERAL) {
        set_all(out, node->real, count);
    } else if (node->operation == EXPR_NAME) {
        take_column(columns, node->name, first, out, count);
    } else {
        double right[STRIP];
        evaluate_strip(columns, node->left, first, out, count);
        if (node->right != node->left)
            evaluate_strip(columns, node->right, first, right, count);
        apply(node->operation, out, right, count);
    }
}

void expr_evaluate_columns(const struct expr *expression, const struct expr_column *columns,
                           size_t column_count, double *out, size_t count) {
    const struct columns all = {expression, columns, column_count};
    for (size_t first = 0; first < count; first += STRIP) {
        size_t strip = count - first < STRIP ? count - first : STRIP;
        evaluate_strip(&all, expression->root, first, out + first, strip);
    }
}
