/* An exercise drafted from a kernel that works: what can be read from its code and seen when it
 * runs.
 *
 * The signature is the compiler's; which buffers are written, which are read before that, how large
 * each has to be and how many blocks the kernel needs is seen on the simulated GPU, with buffers
 * that are too large at first and then as small as an expression of the sizes allows. What neither
 * says (what the kernel is for, a reference that does not repeat its mistakes, thresholds of speed)
 * is left to the author, by name. */
#ifndef WARPGRADE_GRADER_AUTHOR_DRAFT_H
#define WARPGRADE_GRADER_AUTHOR_DRAFT_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/error.h"
#include "sandbox/base/text.h"
#include "sandbox/base/types.h"
#include "sandbox/build/build.h"

enum { DRAFT_MAX_PARAMS = 32, DRAFT_MAX_SIZES = 4, DRAFT_MAX_AXES = 2, DRAFT_SHAPE_BYTES = 96 };

struct draft_param {
    char name[64];
    char declared[128]; /* "const float *x", as the source has it */
    enum element_type type;
    enum exercise_role role;
    bool is_sum;                   /* inout: the kernel adds to it by atomics, so it starts at 0 */
    char shape[DRAFT_SHAPE_BYTES]; /* "n", "rows, cols"; empty: no expression fits */
};

struct draft {
    const char *id;
    const char *file;   /* of the kernel */
    const char *source; /* borrowed, as is what follows */
    size_t length;
    struct build_result build;
    const struct build_kernel *kernel;
    struct draft_param params[DRAFT_MAX_PARAMS];
    size_t param_count;
    size_t sizes[DRAFT_MAX_SIZES]; /* the parameters of role size */
    size_t size_count;
    unsigned axes;                   /* of the grid: 1 or 2 */
    bool is_flat;                    /* two axes, and blocks of one row: no threadIdx.y */
    bool by_block[2];                /* blockIdx is itself an index of the data, as of a row */
    char grid[2][DRAFT_SHAPE_BYTES]; /* expressions */
    unsigned block[2];
    unsigned shared_unit;  /* bytes of an element of `extern __shared__`; 0: there is none */
    unsigned shared_bytes; /* ... of dynamic shared memory that a launch needs */
    bool has_constants;    /* __constant__ variables without a value */
    bool adds_up;          /* floats, in an order of the kernel's own */
    bool has_reference;    /* a draft of it compiles */
    struct text notes;     /* what the author has still to do, a line each */
};

/* Compiles, and reads the signature of the kernel of that name (NULL: the only one). The error is a
 * question with its answer where there are several, a template or a parameter that no exercise has.
 * To be freed in any case. */
enum status draft_read(struct draft *draft, const char *kernel, struct error *error);
void draft_free(struct draft *draft);
/* The hint of an error: what to write in place of a parameter of a type that no exercise has. */
void draft_advise_type(const struct draft *draft, const struct draft_param *param, const char *type,
                       struct error *error);

/* Launches the kernel to find roles, shapes, the grid and its dynamic shared memory. block and
 * shared_bytes: given by the author; 0: found. */
enum status draft_probe(struct draft *draft, unsigned block, unsigned shared_bytes,
                        struct error *error);

/* The files; appended. */
void draft_write_yaml(const struct draft *draft, const char *mutants, struct text *out);
void draft_write_statement(const struct draft *draft, struct text *out);
void draft_write_skeleton(const struct draft *draft, struct text *out);
/* The kernel in double where that compiles, else an empty one; see draft_reference.c. */
enum status draft_write_reference(struct draft *draft, struct text *out, struct error *error);

#endif
