/* Mutants: copies of a kernel with one mistake each, made by operators on its tokens. */
#ifndef WARPGRADE_GRADER_AUTHOR_MUTATE_H
#define WARPGRADE_GRADER_AUTHOR_MUTATE_H

#include <stdbool.h>
#include <stddef.h>

enum mutation_operator {
#define OPERATOR(id, name, description) OPERATOR_##id,
#include "grader/author/operator.def"
#undef OPERATOR
    OPERATOR_COUNT
};

struct mutation_operator_info {
    const char *name, *description;
};
extern const struct mutation_operator_info mutation_operators[OPERATOR_COUNT];

struct mutation {
    enum mutation_operator made_by;
    unsigned line;
    char *change; /* "__syncthreads(); is left out", one line */
    char *text;   /* the whole source with the mistake */
};

struct mutations {
    struct mutation *items;
    size_t count, capacity;
};

/* Of the kernel of that name, NULL: of all kernels, and of the other functions, in the order of the
 * operators, and of places for each. The text need not compile, and what is made of it need not
 * either. */
void mutate(const char *source, size_t length, const char *kernel, struct mutations *mutations);
void mutations_free(struct mutations *mutations);

/* What is left of PTX without places in the source, comments and names that only debuggers read:
 * two kernels of which it is the same are the same program. Caller frees. */
char *mutate_plain_ptx(const char *ptx);

#endif
