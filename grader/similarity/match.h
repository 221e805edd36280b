/* Of one pair, what it is that they share: lines and words. Private to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_MATCH_H
#define WARPGRADE_GRADER_SIMILARITY_MATCH_H

#include "grader/similarity/index.h"
#include "grader/similarity/similarity.h"

/* Fills pair->lines: lines that have features of some weight in common. */
void match_lines(const struct index *index, const struct feature_set *left,
                 const struct feature_set *right, struct similarity_pair *pair);
/* Fills the words of the pair; `text` is the left source. */
void match_words(const struct index *index, const char *text, const struct feature_set *left,
                 const struct feature_set *right, struct similarity_pair *pair);

#endif
