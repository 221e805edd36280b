/* What a source shows that its PTX does not: the order of its tokens, for what does not compile,
 * and the words and habits of who wrote it. Private to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_SOURCE_H
#define WARPGRADE_GRADER_SIMILARITY_SOURCE_H

#include "grader/similarity/feature.h"

enum { SOURCE_RUN = 6 }; /* tokens of a run */

/* Runs of tokens, names of the author's all alike; comments, spaces and #include are not seen. */
void source_runs(const char *text, size_t length, struct feature_set *set);
/* Names of the author's, comments, strings, and lines with unusual spaces. Each feature says where
 * in the source it stands. */
void source_words(const char *text, size_t length, struct feature_set *set);

#endif
