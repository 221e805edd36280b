/* What a submission is made of, as a set of numbers that others can have in common with it. Private
 * to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_FEATURE_H
#define WARPGRADE_GRADER_SIMILARITY_FEATURE_H

#include "grader/similarity/graph.h"

enum { FEATURE_MAX_EQUAL = 4 }; /* of one kind: an unrolled loop repeats itself */

struct feature {
    uint64_t key;
    uint64_t before;                 /* of the second of a kind: the first; else 0 */
    uint32_t line;                   /* of the submission; 0: none */
    uint32_t from_start, from_count; /* in feature_set.from */
    uint32_t offset, length;         /* of words: where they stand in the source */
};

/* Sorted by key, each once. `from` are the keys of what a feature contains: what they say already,
 * it does not say again. */
struct feature_set {
    struct feature *items;
    size_t count, capacity;
    uint64_t *from;
    size_t from_count, from_capacity;
};

/* The neighbourhoods of every instruction, of zero to three steps towards what it is computed from:
 * Weisfeiler-Lehman labels (Shervashidze et al., 2011). */
void feature_of_graph(const struct graph *graph, struct feature_set *set);

/* Sorts and numbers equal keys: the second of a kind is another feature than the first; no more of
 * a kind than this are kept. */
void feature_set_finish(struct feature_set *set, size_t most_equal);
bool feature_set_has(const struct feature_set *set, uint64_t key);
void feature_set_free(struct feature_set *set);
/* For qsort() of keys. */
int feature_compare_keys(const void *left, const void *right);

#endif
