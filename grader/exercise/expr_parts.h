/* The parsed form of an expression, for the parser and the two evaluators. Private to expr*.c. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXPR_PARTS_H
#define WARPGRADE_GRADER_EXERCISE_EXPR_PARTS_H

#include "grader/exercise/expr.h"

#include <stddef.h>

enum expr_operation {
    EXPR_LITERAL,
    EXPR_NAME,
    EXPR_NEGATE,
    EXPR_ADD,
    EXPR_SUBTRACT,
    EXPR_MULTIPLY,
    EXPR_DIVIDE,
    EXPR_REMAINDER,
    EXPR_CEIL_DIV,
    EXPR_ROUND_UP,
    EXPR_MIN,
    EXPR_MAX,
    EXPR_POW2_CEIL,
    EXPR_SQRT, /* from here on in double precision only */
    EXPR_LOG,
    EXPR_EXP,
    EXPR_ABS,
    EXPR_FLOOR,
    EXPR_MOD,
};

/* Arguments of min and max form a chain of two-argument nodes. */
struct expr_node {
    enum expr_operation operation;
    unsigned column;
    int64_t literal;
    double real; /* the literal of a real expression */
    char *name;
    size_t left, right;
};

struct expr {
    char *text;
    struct expr_node *nodes;
    size_t count, capacity;
    size_t root;
};

#endif
