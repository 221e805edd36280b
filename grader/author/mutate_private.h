/* What the mutate*.c share. */
#ifndef WARPGRADE_GRADER_AUTHOR_MUTATE_PRIVATE_H
#define WARPGRADE_GRADER_AUTHOR_MUTATE_PRIVATE_H

#include "grader/author/mutate.h"
#include "grader/source/code.h"

struct mutator {
    const struct code *code;
    struct mutations *mutations;
    enum mutation_operator made_by;
};

/* Tokens first .. last, both included, give way to the text. */
void mutator_replace(const struct mutator *mutator, size_t first, size_t last, const char *text);
/* The same with a header in front of the whole source, where it is not included yet. */
void mutator_replace_with(const struct mutator *mutator, size_t first, size_t last,
                          const char *text, const char *header);
/* The tokens' text as it stands in the source; caller frees. */
char *mutator_words(const struct mutator *mutator, size_t first, size_t last);

#define OPERATOR(id, name, description) void mutate_##id(const struct mutator *mutator);
#include "grader/author/operator.def"
#undef OPERATOR

#endif
