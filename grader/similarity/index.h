/* Which feature is in which document, and what it is worth as evidence. Private to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_INDEX_H
#define WARPGRADE_GRADER_SIMILARITY_INDEX_H

#include "grader/similarity/feature.h"

enum index_role {
    INDEX_OF_CLASS,    /* a submission, of this course or of an earlier one */
    INDEX_OF_EXERCISE, /* a kernel of the exercise's own: tuned, reference, mutants */
    INDEX_SKELETON,    /* what it has is given to everyone */
};

struct index_document {
    const struct feature_set *set; /* NULL: not in this index */
    enum index_role role;
    uint32_t group; /* submissions of one team are one: a number below the count of documents */
};

struct index_key {
    uint64_t key;
    double bits;   /* -log2 of the share of independent submissions that have it */
    double weight; /* bits that it adds to what it contains */
    size_t posting_start, posting_count;
};

struct index {
    struct index_key *keys; /* ascending */
    size_t key_count;
    uint32_t *postings; /* documents, ascending for each key */
    double *totals;     /* of a document: the weight of all that it has */
    double most_bits;   /* of a feature that no other submission has */
    size_t group_count; /* of the class */
};

/* `unit` scales weights where features overlap. */
void index_build(const struct index_document *documents, size_t count, double unit,
                 struct index *index);
const struct index_key *index_find(const struct index *index, uint64_t key);
void index_free(struct index *index);

#endif
