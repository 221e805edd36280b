/* Copies that do not look like ones: what a source becomes when someone changes all but the
 * algorithm. For tests of the similarity room. */
#ifndef WARPGRADE_TESTS_SIMILARITY_DISGUISE_H
#define WARPGRADE_TESTS_SIMILARITY_DISGUISE_H

#include <stddef.h>

enum disguise {
    DISGUISE_NONE, /* the same bytes */
    DISGUISE_RENAME,
    DISGUISE_REORDER,
    DISGUISE_COMMENTS,
    DISGUISE_FORMAT,
    DISGUISE_MACRO,
    DISGUISE_LOOPS,
    DISGUISE_HELPER,
    DISGUISE_DEAD_CODE,
    DISGUISE_CONSTANTS,
    DISGUISE_OPERANDS,
    DISGUISE_SPLIT,
    DISGUISE_ALL,
    DISGUISE_PLAIN_COUNT, /* those above change nothing that the compiler would not */
    DISGUISE_SIZES = DISGUISE_PLAIN_COUNT, /* another size of block, other elements a thread */
    DISGUISE_WIDTHS,                       /* 64 bits in place of 32 */
    DISGUISE_COUNT
};
extern const char *const disguise_names[DISGUISE_COUNT];

/* The source in this disguise; caller frees. It computes what it did. */
char *disguise_apply(enum disguise disguise, const char *source);

#endif
