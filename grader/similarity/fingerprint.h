/* What is compared of one submission. Private to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_FINGERPRINT_H
#define WARPGRADE_GRADER_SIMILARITY_FINGERPRINT_H

#include "grader/similarity/feature.h"
#include "grader/similarity/similarity.h"

struct fingerprint {
    bool has_graph;           /* it compiles: `graph` is there */
    struct feature_set graph; /* of its PTX */
    struct feature_set runs;  /* of its tokens */
    struct feature_set words;
    char *problem; /* why there is no graph; NULL where there is one */
};

/* Compiles in the jail. STATUS_ENVIRONMENT where nothing can be compiled here; what is wrong with
 * the submission is no error but `problem`. */
enum status fingerprint_make(const struct similarity_class *class,
                             const struct similarity_item *item, struct fingerprint *fingerprint,
                             struct error *error);
void fingerprint_free(struct fingerprint *fingerprint);

/* Those of all items of a class, by several threads; equal sources are compiled once. */
enum status fingerprint_class(const struct similarity_class *class, unsigned jobs,
                              struct fingerprint *fingerprints, struct error *error);

#endif
