/* PTX as a graph of values: what an instruction computes from what, without the names of registers
 * and labels, without the order of what is independent, and without what the compiler spells in
 * more than one way. Private to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_GRAPH_H
#define WARPGRADE_GRADER_SIMILARITY_GRAPH_H

#include "sandbox/base/error.h"

#include <stdint.h>

enum { GRAPH_MAX_NODES = 16384, GRAPH_MAX_DEFINITIONS = 8 };

struct graph_operand {
    bool is_value;  /* `value` says all of it; else it is made by nodes */
    uint64_t value; /* of a constant, a parameter, a special register, an address */
    uint32_t definition_start, definition_count; /* in graph.definitions */
};

struct graph_node {
    uint64_t operation; /* of the normalised mnemonic */
    bool is_leaf;       /* only names a value for others: moves and loads of parameters */
    uint8_t commutes;   /* the first operands of this number may be swapped */
    uint32_t line;      /* of the submission; 0: none */
    uint32_t operand_start, operand_count;
};

struct graph {
    struct graph_node *nodes;
    size_t node_count, node_capacity;
    struct graph_operand *operands;
    size_t operand_count, operand_capacity;
    uint32_t *definitions; /* nodes */
    size_t definition_count, definition_capacity;
};

/* The kernel `lowered` and the functions that it reaches; every kernel where it is NULL. `file` is
 * the submission's name in the line table. `ptx` is hostile: STATUS_INVALID says what is wrong. */
enum status graph_read(const char *ptx, size_t length, const char *lowered, const char *file,
                       struct graph *graph, struct error *error);
void graph_free(struct graph *graph);

#endif
