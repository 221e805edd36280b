/* `author new`: the folders of an exercise, from a kernel that works. */
#ifndef WARPGRADE_GRADER_AUTHOR_NEW_H
#define WARPGRADE_GRADER_AUTHOR_NEW_H

#include "grader/author/draft.h"
#include "grader/grade/grade.h"

struct new_mutants {
    size_t made, not_compiled, equal, warned, survived, kept;
};

/* Writes <folder>/exercises/<id> and <folder>/reference/<id>, which must not be there, with the
 * mutants that fail: at most two of an operator. What is left to do is in draft->notes. */
enum status new_exercise(struct grade_session *session, struct draft *draft, const char *folder,
                         struct new_mutants *mutants, struct error *error);

#endif
