/* The door of the similarity room: the submissions of one exercise go in, pairs that have much in
 * common come out, with what they have in common.
 *
 * What is compared is what the compiler makes of a submission, so that names, order, comments and
 * layout do not matter; what the skeleton gives and what most of the class has counts for nothing.
 * README.md has the formula. A result is evidence for a person to look at, and says nothing of how
 * it came about. */
#ifndef WARPGRADE_GRADER_SIMILARITY_SIMILARITY_H
#define WARPGRADE_GRADER_SIMILARITY_SIMILARITY_H

#include "sandbox/base/error.h"
#include "sandbox/base/source_header.h"
#include "sandbox/base/text.h"

#include <stdint.h>

enum {
    SIMILARITY_MAX_SOURCE = 1 << 20, /* bytes of a submission */
    SIMILARITY_MAX_ITEMS = 20000,    /* of a class */
    SIMILARITY_MAX_WORDS = 8,        /* shown of a pair */
};
#define SIMILARITY_DEFAULT_THRESHOLD 0.5

enum similarity_role {
    SIMILARITY_SUBMISSION,
    SIMILARITY_EARLIER,  /* of another course: compared with submissions, not with its like */
    SIMILARITY_OWN,      /* the exercise's tuned kernel, reference and mutants */
    SIMILARITY_SKELETON, /* given to everyone */
};

struct similarity_item {
    char *student; /* who handed it in; two of one student are not compared */
    char *team;    /* nor two of one team; NULL: none */
    char *origin;  /* the book or folder that it comes from */
    char *file;
    char *text;
    size_t length;
    enum similarity_role role;
    bool any_kernel; /* its kernel may have any name: the reference */
};

/* One exercise's submissions, of this course and earlier ones, and the exercise's own kernels. */
struct similarity_class {
    char *exercise;     /* "" where it is not known */
    const char *kernel; /* NULL: any */
    const struct source_header *headers;
    size_t header_count;
    struct similarity_item *items;
    size_t item_count, item_capacity;
};

struct similarity_word { /* that few use and both have */
    char text[128];
    uint32_t left_line, right_line;
};

struct similarity_lines { /* of the left source and of the right one, which say the same */
    uint32_t left, right;
};

struct similarity_pair {
    size_t left, right; /* items; left is a submission */
    double score;       /* 0 .. 1: share * rarity * (1 - 2^(-bits / 16)) */
    double share;       /* of what sets the one apart that has less: in both */
    double rarity;      /* of what they share: 1 where no one else has any of it */
    double bits;        /* that what they share adds up to */
    bool by_tokens;     /* one does not compile */
    bool same_bytes;
    double word_bits;              /* the weaker evidence of names, comments and spaces */
    struct similarity_word *words; /* a few of them */
    size_t word_count, words_shared;
    struct similarity_lines *lines; /* ascending in left */
    size_t line_count;
    size_t cluster; /* from 1; 0: below the threshold */
};

struct similarity_options {
    double threshold; /* pairs of at least this score count as found */
    size_t limit;     /* pairs kept at most; 0: all */
    bool keep_all;    /* also those far below the threshold */
    unsigned jobs;    /* 0: one a processor */
};

struct similarity_result {
    struct similarity_pair *pairs; /* best first */
    size_t pair_count, pair_capacity;
    size_t found;     /* of all, at or above the threshold */
    size_t compared;  /* pairs that were looked at */
    size_t *clusters; /* of each item: its cluster, from 1; 0: in none */
    size_t cluster_count;
    char **problems; /* of each item: why it was compared by its tokens; NULL: it was not */
    size_t submissions, students;
    double typical_bits; /* what sets the median submission apart from the others */
    bool too_small;      /* it is so little that no pair can be told from honest ones */
};

/* STATUS_ENVIRONMENT where nothing can be compiled here, STATUS_INVALID where there is too much. */
enum status similarity_compare(const struct similarity_class *class,
                               const struct similarity_options *options,
                               struct similarity_result *result, struct error *error);
void similarity_result_free(const struct similarity_class *class, struct similarity_result *result);

/* Adds the exercise's own kernels and its skeleton, and takes over its kernel's name and headers,
 * which stay the exercise's. */
struct exercise;
enum status similarity_add_exercise(struct similarity_class *class, const struct exercise *exercise,
                                    struct error *error);
struct similarity_item *similarity_add(struct similarity_class *class);
void similarity_class_free(struct similarity_class *class); /* its items; headers are borrowed */

#endif
