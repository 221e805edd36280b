/* Hints one step at a time, from what the exercise has and what the last attempt failed at. */
#ifndef WARPGRADE_GRADER_LEARN_HINT_H
#define WARPGRADE_GRADER_LEARN_HINT_H

#include "grader/exercise/exercise.h"
#include "grader/learn/record.h"

struct learn_hint {
    char *key; /* by which the record knows that it was shown */
    char *why; /* "out-of-bounds", "wrong-answer", a threshold's name; NULL: in general */
    char *text;
    bool is_shown;
};

struct learn_hints {
    struct learn_hint *items;
    size_t count, capacity;
};

/* In their order: the exercise's hints for what the last attempt failed at, its general ones, and
 * what the pages of `explain` say to do. Before the first attempt the general ones come first, then
 * the others. Never the solution. Free with learn_hints_free(). */
void learn_hints_of(const struct exercise *exercise, const struct learn_record *record,
                    enum language language, struct learn_hints *hints);
void learn_hints_free(struct learn_hints *hints);

#endif
