/* One output of one case as the patterns see it: numbers, and which of them are wrong. Pure. */
#ifndef WARPGRADE_GRADER_DIAGNOSE_VIEW_H
#define WARPGRADE_GRADER_DIAGNOSE_VIEW_H

#include "grader/cases/plan.h"
#include "sandbox/base/language.h"

/* Larger outputs are not looked at. */
enum { VIEW_MAX_ELEMENTS = 1 << 18 };

/* Sizes of the pieces in which a kernel may go through its data, each in a place of its own, so
 * that "a block" is the same hypothesis in two cases. 0: there is none. */
enum { VIEW_CONSTANTS = 3 };
enum view_piece {
    PIECE_BLOCK_X,
    PIECE_THREADS, /* of a block */
    PIECE_CONSTANT,
    PIECE_PRODUCT = PIECE_CONSTANT + VIEW_CONSTANTS, /* of the first constants */
    PIECE_BLOCK_Y = PIECE_PRODUCT + VIEW_CONSTANTS,
    PIECE_TWICE, /* the threads of a block, twice, ... */
    PIECE_FOUR,  /* ... four times ... */
    PIECE_EIGHT, /* ... and eight times */
    PIECE_GRID,  /* threads of the grid */
    PIECE_2,
    PIECE_32 = PIECE_2 + 4,
    PIECE_1024 = PIECE_2 + 9, /* the powers of two up to there */
    PIECE_COUNT
};

enum view_state {
    VIEW_RIGHT,
    VIEW_WRONG,     /* another value than the expected one */
    VIEW_UNTOUCHED, /* wrong, and still what the element held before the launch */
};

/* An input, or what is expected of another output. */
struct view_input {
    const char *name;
    double *values;
    uint64_t count;
};

struct view {
    const char *name; /* of the buffer */
    enum element_type type;
    unsigned rank; /* 1 .. 3 */
    uint64_t shape[3], count;
    double *expected, *actual; /* the expected one is rounded to the type */
    double *magnitude;         /* sum|a*b|, else NULL */
    double *initial;           /* of an inout, else NULL */
    unsigned char *state;      /* enum view_state, by element */
    uint64_t wrong, untouched; /* elements; the untouched ones are wrong, too */
    int64_t terms;             /* of the sum; 0: it is none */
    struct dim3 grid, block;
    struct view_input *inputs;
    size_t input_count;
    struct view_input *others; /* outputs of the same type and size */
    size_t other_count;
    bool has_host_code;
    double scale;                /* the largest expected size */
    int64_t pieces[PIECE_COUNT]; /* see enum view_piece */
    bool depends_on_order;       /* another order of blocks and warps gives another result */
    enum language language;      /* of what patterns say */
};

/* What a launch got and gave, beside what the reference gave. */
struct view_evidence {
    const struct exercise *exercise;
    const struct plan_launch *launch;
    const void *before, *after;
    const struct plan_launch *reference_launch;
    const void *expected;
    const struct expr_name *constants; /* of the submission */
    size_t constant_count;
    bool depends_on_order;
    enum language language; /* of what is said about it */
};

/* A view of the first output with a wrong element; false where there is none, or it is too large.
 * Free in any case. */
bool view_make(const struct view_evidence *evidence, struct view *view);
void view_free(struct view *view);

/* Whether every output that is compared is, within the exercise's tolerance, what the reference
 * gave in another launch; an element that it left unwritten must be unwritten. */
bool view_is_explained(const struct view_evidence *evidence, const void *reference_after);
/* Whether another kernel's launch went wrong in the same elements of every output, and gave there
 * what this one gave: the same bits, or less than a sixteenth of the error away. */
bool view_is_the_same(const struct view_evidence *evidence, const struct plan_launch *other,
                      const void *other_after);

void view_pieces(const struct plan_launch *launch, const struct expr_name *constants,
                 size_t constant_count, int64_t pieces[PIECE_COUNT]);

/* Element `flat`'s coordinate along an axis. */
static inline uint64_t view_coordinate(const struct view *view, uint64_t flat, unsigned axis) {
    for (unsigned i = view->rank; i-- > axis + 1;)
        flat /= view->shape[i];
    return axis ? flat % view->shape[axis] : flat;
}
/* Whether the element may have been left alone, right or wrong. */
static inline bool view_may_be_untouched(const struct view *view, uint64_t i) {
    return view->state[i] == VIEW_UNTOUCHED ||
           (view->initial && view->actual[i] == view->initial[i]);
}
static inline bool view_is_wrong(const struct view *view, uint64_t i) {
    return view->state[i] != VIEW_RIGHT;
}

#endif
