/* Experiments: what would a right kernel give if a mistake had been made? The reference is launched
 * on data that are changed as the mistake would change them (the elements after the last whole tile
 * become 0, say), and where it then gives what the submission gave, the mistake explains it.
 *
 * A mistake that is in what a kernel reads is found so whatever the kernel computes. Pure: who
 * launches the reference is grader/grade. */
#ifndef WARPGRADE_GRADER_DIAGNOSE_EXPERIMENT_H
#define WARPGRADE_GRADER_DIAGNOSE_EXPERIMENT_H

#include "grader/diagnose/view.h"
#include "sandbox/base/text.h"

enum experiment_change {
    CHANGE_ZERO,         /* all elements, or a scalar, are 0 */
    CHANGE_ONES,         /* ... are 1 */
    CHANGE_HALF,         /* ... are rounded to half precision */
    CHANGE_WHOLE,        /* ... lose their fractions */
    CHANGE_NEGATE,       /* ... change their sign */
    CHANGE_DOUBLE,       /* ... count twice */
    CHANGE_SWAP,         /* two inputs of the same shape, or two scalars, change places */
    CHANGE_STRIDE,       /* a matrix is read in rows of another length, which is a size */
    CHANGE_TRANSPOSE,    /* a matrix is read as if it were stored by columns */
    CHANGE_REVERSE,      /* all elements in reversed order */
    CHANGE_REVERSE_AXIS, /* ... along the axis */
    CHANGE_NEXT,         /* each element is the next one's, and the last stays ... */
    CHANGE_BEFORE,       /* ... or the one's before it */
    CHANGE_LAST,         /* the last element along the axis becomes 0 */
    CHANGE_FIRST_ONE,    /* the first one */
    CHANGE_SIZE_LESS,    /* a size is one less, for the kernel alone */
    CHANGE_SIZE_WHOLE,   /* ... is rounded down to a multiple of the piece */
    CHANGE_SIZE_FIRST,   /* ... is a piece at most */
    CHANGE_TAIL,         /* elements from the last multiple of the piece on become 0 */
    CHANGE_LAST_PIECE,   /* the last piece, whole or not */
    CHANGE_FIRST,        /* all but the first piece */
    CHANGE_END,          /* all but the last piece, whole or not */
    CHANGE_LOW,          /* the upper half of each piece */
    CHANGE_HIGH,         /* the lower half of each piece */
    CHANGE_ONE,          /* all but the first of each piece */
    CHANGE_WARP,         /* all but the first 32 of each piece */
    CHANGE_REPEAT,       /* the first piece stands everywhere */
    CHANGE_TILES,        /* each square tile of a matrix is transposed */
    CHANGE_COUNT
};

struct experiment {
    enum experiment_change change;
    /* `other`: of CHANGE_SWAP and CHANGE_STRIDE; CHANGE_HALF of all inputs: EXPERIMENT_ALL */
    size_t param, other;
    unsigned axis;
    enum view_piece piece; /* where it has one */
};
#define EXPERIMENT_ALL SIZE_MAX

/* Every experiment that the exercise's parameters allow; caller frees. */
struct experiment *experiment_list(const struct exercise *exercise, size_t *count);
enum cause experiment_cause(const struct exercise *exercise, const struct experiment *experiment);
/* Changes a launch of the reference: its arguments and the data area. False where nothing is
 * changed. */
bool experiment_apply(const struct exercise *exercise, const struct experiment *experiment,
                      const int64_t pieces[PIECE_COUNT], struct engine_argument *arguments,
                      void *data);
/* Whether something is left of what is changed: where a piece is larger than all there is, that the
 * rest is left out cannot be told from an input that is ignored. */
bool experiment_is_telling(const struct experiment *experiment, const int64_t pieces[PIECE_COUNT],
                           const struct engine_argument *arguments);
/* Whether the mistake is that something is left out. */
bool experiment_leaves_out(const struct experiment *experiment);
/* "a right kernel gives the same where the last column of A is 0" */
void experiment_describe(const struct exercise *exercise, const struct experiment *experiment,
                         const int64_t pieces[PIECE_COUNT], enum language language,
                         struct text *out);

#endif
