/* Expressions of the YAML: sizes like `ceil_div(width, TILE_WIDTH) * 4`, and below thresholds.
 *
 * Signed 64-bit integers; + - * / % (truncating), unary minus, parentheses, decimal literals with
 * optional _ between digits, names, and the functions ceil_div(a, b), round_up(a, multiple),
 * min(a, ...), max(a, ...), pow2_ceil(a). Overflow, division by zero and unknown names are errors
 * that name the column; evaluation never wraps. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXPR_H
#define WARPGRADE_GRADER_EXERCISE_EXPR_H

#include "sandbox/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr; /* parsed form; free with expr_free */

struct expr_name {
    const char *name;
    int64_t value;
};

/* On an error, error->column is the 1-based column inside `text`. */
enum status expr_parse(const char *text, struct expr **expression, struct error *error);
enum status expr_evaluate(const struct expr *expression, const struct expr_name *names,
                          size_t name_count, int64_t *value, struct error *error);

/* The same grammar in double precision, for thresholds and data: `1.2 * ideal_bytes`, fractions and
 * exponents in literals, and with sqrt(a), log(a), exp(a), abs(a), floor(a) and mod(a, b), which
 * has the sign of b. Dividing nothing by nothing gives 0, because a metric of what a kernel does
 * not do is 0; dividing something by nothing gives infinity. */
enum status expr_parse_real(const char *text, struct expr **expression, struct error *error);
/* False where a name has no value in this run. */
typedef bool expr_look_up(const void *context, const char *name, double *value);
/* False where a name has no value; *missing is then that name. The value is never NaN. */
bool expr_evaluate_real(const struct expr *expression, expr_look_up *look_up, const void *context,
                        double *value, const char **missing);

/* A name with a value of its own in each of several evaluations, or the same in all of them. */
struct expr_column {
    const char *name;
    const double *values; /* NULL: the same */
    double same;
};
/* A real expression `count` times at once, for data made of indices. Every name has a column. What
 * has no value (the logarithm of -1) is NaN here. */
void expr_evaluate_columns(const struct expr *expression, const struct expr_column *columns,
                           size_t column_count, double *out, size_t count);

const char *expr_text(const struct expr *expression);
/* Calls visit for every name the expression uses (duplicates included). */
void expr_visit_names(const struct expr *expression,
                      void (*visit)(const char *name, unsigned column, void *context),
                      void *context);
void expr_free(struct expr *expression);

#endif
