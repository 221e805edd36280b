/* Size expressions of the YAML: `ceil_div(width, TILE_WIDTH) * 4`.
 *
 * Signed 64-bit integers; + - * / % (truncating), unary minus, parentheses, decimal literals with
 * optional _ between digits, names, and the functions ceil_div(a, b), round_up(a, multiple),
 * min(a, ...), max(a, ...), pow2_ceil(a). Overflow, division by zero and unknown names are errors
 * that name the column; evaluation never wraps. */
#ifndef WARPGRADE_GRADER_EXPR_H
#define WARPGRADE_GRADER_EXPR_H

#include "grader/base/error.h"

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
const char *expr_text(const struct expr *expression);
/* Calls visit for every name the expression uses (duplicates included). */
void expr_visit_names(const struct expr *expression,
                      void (*visit)(const char *name, unsigned column, void *context),
                      void *context);
void expr_free(struct expr *expression);

#endif
