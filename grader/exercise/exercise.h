/* An exercise as the program sees it: exercises/<id>/exercise.yaml, parsed and checked.
 *
 * exercise_load() accepts only what it fully understands; every mistake is one struct error with
 * file, line, column, the source line and what was expected. A loaded exercise is consistent: every
 * name an expression uses exists, every file it names is there, every case has every size. */
#ifndef WARPGRADE_GRADER_EXERCISE_EXERCISE_H
#define WARPGRADE_GRADER_EXERCISE_EXERCISE_H

#include "grader/exercise/cause.h"
#include "grader/exercise/expr.h"
#include "sandbox/base/error.h"
#include "sandbox/base/language.h"
#include "sandbox/base/source_header.h"
#include "sandbox/base/types.h"
#include "sandbox/base/verdict.h"

/* What a student writes. */
enum exercise_kind {
    EXERCISE_KERNEL,  /* a kernel, which is launched here */
    EXERCISE_HOST,    /* a function that launches kernels */
    EXERCISE_PROGRAM, /* a program with main() */
    EXERCISE_KIND_COUNT
};

enum exercise_role {
    ROLE_IN,     /* buffer, filled before, must be unchanged afterwards (const T * in CUDA) */
    ROLE_OUT,    /* buffer, poisoned before, uninitialised for the kernel, compared afterwards */
    ROLE_INOUT,  /* buffer, filled before, compared afterwards */
    ROLE_SIZE,   /* integer scalar with the value of the size of the same name */
    ROLE_SCALAR, /* scalar with a value drawn or given by fill */
};

enum fill_kind {
    FILL_ZERO,
    FILL_CONSTANT,    /* low */
    FILL_IOTA,        /* 0, 1, 2, ... */
    FILL_UNIFORM,     /* floats in [low, high), integers in [low, high] */
    FILL_INTEGERS,    /* whole numbers in [low, high], of any type (exact sums in floating point) */
    FILL_FORMULA,     /* of the element's indices and the sizes */
    FILL_SORTED,      /* uniform in [low, high], ascending */
    FILL_OFFSETS,     /* ascending whole numbers, the first 0, the last high */
    FILL_PERMUTATION, /* 0, 1, 2, ... shuffled */
};

/* Bounds may depend on the case's sizes; grader/cases/fill.h gives them their values. The
 * expressions belong to the exercise, so that fills can be copied. */
struct exercise_fill {
    enum fill_kind kind;
    double low, high; /* default: -1, 1 for floats; the exercise's YAML gives both for integers */
    const struct expr *low_expr, *high_expr; /* NULL: the numbers above */
    const struct expr *formula;              /* FORMULA */
};

enum tolerance_kind {
    TOLERANCE_EXACT, /* bit for bit, but +0 = -0 and any NaN = any NaN where one is expected */
    TOLERANCE_ULP,   /* at most ulp units in the last place from the double result rounded to T */
    TOLERANCE_DOT,   /* |y - r| <= factor * length * eps(T) * sum|a_i b_i| */
    TOLERANCE_NEAR,  /* |y - r| <= absolute + relative * |r| */
    TOLERANCE_NONE,  /* scratch space (ROLE_INOUT): never compared */
};

struct exercise_tolerance {
    enum tolerance_kind kind;
    double ulp;
    struct expr *length;       /* DOT: the number of terms k */
    double factor;             /* DOT: c, default 1 */
    double relative, absolute; /* NEAR; one of them may be 0 */
};

struct exercise_param {
    char *name;
    enum element_type type;
    enum exercise_role role;
    struct expr *shape[3]; /* buffers: extents, slowest first */
    unsigned rank;
    bool constant_memory; /* ROLE_IN: in the submission's __constant__ array of that name */
    struct exercise_fill fill;
    struct exercise_tolerance tolerance; /* ROLE_OUT, ROLE_INOUT */
    bool computed_by_host;               /* host code may write it */
    bool read_partly;                    /* kernels may leave out more than half of it */
};

static inline bool exercise_param_is_output(const struct exercise_param *param) {
    return param->role == ROLE_OUT || param->role == ROLE_INOUT;
}
static inline bool exercise_param_is_buffer(const struct exercise_param *param) {
    return param->role == ROLE_IN || exercise_param_is_output(param);
}

/* A compile-time constant the student may choose, read from the compiled submission. */
struct exercise_constant {
    char *name;
    int64_t minimum, maximum;
    int64_t fallback; /* value for the reference's launch and for `show` */
    bool power_of_two;
};

struct exercise_launch {
    struct expr *grid[3], *block[3]; /* all three set; missing ones are the literal 1 */
    struct expr *shared;             /* bytes */
};

/* Its limits are those that every device from sm_70 on has (CUDA C++ Programming Guide,
 * "Technical Specifications per Compute Capability"); dynamic shared memory goes up to the 99 KiB
 * that a block may opt in to on the smallest of sm_80 .. sm_90. */
enum {
    EXERCISE_MAX_BLOCK_THREADS = 1024,
    EXERCISE_MAX_BLOCK_X = 1024,
    EXERCISE_MAX_BLOCK_Y = 1024,
    EXERCISE_MAX_BLOCK_Z = 64,
    EXERCISE_MAX_GRID_X = 2147483647,
    EXERCISE_MAX_GRID_YZ = 65535,
    EXERCISE_MAX_SHARED_BYTES = 99 << 10,
    EXERCISE_MAX_CONSTANT_BYTES = 64 << 10,
};

/* How a kernel of ours is launched: its own launch where the YAML gives one. */
struct exercise_kernel {
    char *file;   /* absolute or relative to the working directory */
    char *kernel; /* its kernel's name; default "reference" / the exercise's */
    struct exercise_launch launch;
};

enum case_group { GROUP_CORRECTNESS, GROUP_BOUNDARY, GROUP_GENERATED, GROUP_SPEED, GROUP_COUNT };
extern const char *const case_group_names[GROUP_COUNT];

struct exercise_size {
    char *name;
    int64_t value;
};

struct exercise_case {
    char *name;
    enum case_group group;
    struct exercise_size *sizes; /* one for each size parameter, in their order */
    size_t size_count;
    struct exercise_fill *fills; /* one for each param: the case's own fill or the param's */
    bool essential;              /* shows what the exercise teaches */
};

/* `generated:` cases: count cases with each size drawn uniformly from [low, high]. */
struct exercise_range {
    char *name;
    int64_t low, high;
};

enum check_level { CHECK_ERROR, CHECK_WARNING, CHECK_IGNORE };

enum threshold_engine { THRESHOLD_ANY, THRESHOLD_SIM, THRESHOLD_CUDA };

struct exercise_tier {
    struct expr *bound;
    double points;
};

/* One thing that is looked at in the speed case: a metric, and what it may be. */
struct exercise_threshold {
    char *name[LANGUAGE_COUNT]; /* how reports call it; the metric's text where it has no name */
    struct expr *metric;
    bool at_least;               /* met when metric >= bound, else when <= */
    struct exercise_tier *tiers; /* points rise; one tier for a plain bound */
    size_t tier_count;
    enum threshold_engine engine;
    char *hint[LANGUAGE_COUNT]; /* NULL where it has none */
};
/* The points of its best tier. */
static inline double exercise_threshold_points(const struct exercise_threshold *threshold) {
    return threshold->tier_count ? threshold->tiers[threshold->tier_count - 1].points : 0;
}

/* A routine of BLAS in single precision that computes what the exercise asks for. */
enum baseline_routine {
    BASELINE_NONE,
    BASELINE_SGEMM, /* c = a * b */
    BASELINE_SGEMV, /* c = a * b, b and c vectors */
    BASELINE_SDOT,  /* c[0] = a * b, all vectors */
    BASELINE_SAXPY, /* c = alpha * a + c */
    BASELINE_SGEAM, /* c = a transposed */
    BASELINE_COUNT
};
extern const char *const baseline_names[BASELINE_COUNT]; /* "cublas:sgemm"; NULL for none */

struct exercise_baseline {
    enum baseline_routine routine;
    bool column_major;
    size_t a, b, c, alpha; /* params; SIZE_MAX where the routine has none */
};

/* What a GPU is asked in the speed case. */
struct exercise_measured {
    struct exercise_size *sizes; /* those of the speed case where the file gives no others */
    size_t size_count;
    struct expr *bytes, *flops; /* NULL: all buffers, and no bound */
    struct exercise_baseline baseline;
};

/* When a gate applies: not every case of a group passes (the first GROUP_COUNT values are those of
 * enum case_group), not every essential case passes, some case is wrong, or any case has the
 * verdict hazard. */
enum gate_condition {
    GATE_GROUPS = GROUP_COUNT,
    GATE_ESSENTIAL = GATE_GROUPS,
    GATE_RIGHT, /* a speed case may be too slow, or undecided */
    GATE_HAZARD,
};

struct exercise_gate {
    enum gate_condition condition;
    double cap_percent; /* the total is then at most this share of max_score */
};

struct exercise_mutant {
    char *file;           /* path of mutants/<name>.cu */
    char *name;           /* "no-boundary-check" */
    char *description;    /* the mistake, in a sentence */
    enum verdict verdict; /* what grading it must end with (the worst case verdict) */
    bool has_hazard;
    enum hazard_kind hazard; /* and the hazard that must be among those reported */
    enum cause cause;        /* of a wrong answer; CAUSE_NONE: no name fits */
};

struct exercise_hint {
    enum verdict verdict; /* shown when a case ends so ... */
    bool has_hazard;
    enum hazard_kind hazard; /* ... with this hazard */
    char *text[LANGUAGE_COUNT];
};

/* EXERCISE_PROGRAM: what it is given and what it prints. */
struct exercise_program {
    char **arguments; /* "{n}" stands for a parameter's value */
    size_t argument_count;
    size_t *inputs, *outputs; /* numbers of parameters */
    size_t input_count, output_count;
};

struct exercise {
    char *directory;
    char *id;
    char *title[LANGUAGE_COUNT]; /* zh falls back to en */
    char **topics;
    size_t topic_count;
    char *source; /* where the exercise comes from */
    enum exercise_kind kind;
    bool host_pointers;              /* EXERCISE_HOST: the function is given those */
    struct exercise_program program; /* EXERCISE_PROGRAM */
    char *kernel;                    /* name of the student's kernel or function, or "main" */
    char *statement[LANGUAGE_COUNT]; /* text of statement.md and statement.zh.md */
    char *skeleton;                  /* path */
    struct exercise_param *params;
    size_t param_count;
    struct expr **fill_exprs; /* what fills point to */
    size_t fill_expr_count, fill_expr_capacity;
    struct exercise_constant *constants;
    size_t constant_count;
    struct source_header *headers; /* that every kernel of the exercise may include */
    size_t header_count;
    struct exercise_launch launch;    /* of another kind than a kernel: the reference's */
    struct exercise_kernel reference; /* reference/<id>/reference.cu: see below */
    bool has_reference;               /* its folder is on this machine: see exercise_load() */
    bool hides_solution;              /* `show --solution` never shows the tuned kernel */
    struct exercise_kernel tuned;     /* reference/<id>/tuned.cu: the student's signature */
    struct exercise_case *cases;      /* correctness and boundary, in file order */
    size_t case_count;
    unsigned generated_count;
    struct exercise_range *generated; /* one for each size parameter */
    size_t generated_range_count;
    enum check_level checks[HAZARD_COUNT];
    enum check_level same_value_race; /* of writes that all write the same value */
    struct exercise_threshold *thresholds;
    size_t threshold_count;
    struct exercise_size
        *speed_sizes; /* of the speed case, which there is where there are thresholds */
    size_t speed_size_count;
    struct exercise_size *modelled_sizes; /* those at which times are modelled */
    size_t modelled_size_count;
    struct exercise_fill *speed_fills; /* one for each param */
    char *device;                      /* id of the speed case's device profile */
    uint64_t speed_sample;             /* thread instructions to execute; 0: all */
    struct exercise_measured measured;
    double points[GROUP_COUNT];
    double max_score; /* sum of points */
    double pass_mark_percent;
    struct exercise_gate *gates; /* those that the file leaves to the default stand last */
    size_t gate_count;
    struct exercise_mutant *mutants;
    size_t mutant_count;
    bool has_untouched;               /* the YAML says what the untouched skeleton must end with: */
    struct exercise_mutant untouched; /* verdict and hazard only */
    struct exercise_hint *hints;
    size_t hint_count;
    double time_limit_seconds;   /* a case's wall clock, default 10 */
    uint64_t memory_limit_bytes; /* default 2 GiB */
    /* Thread instructions of a case, the speed case excepted; 0: the engine's default. */
    uint64_t budget;
};

/* Host code is a part of what a student writes. */
static inline bool exercise_has_host_code(const struct exercise *exercise) {
    return exercise->kind != EXERCISE_KERNEL;
}
bool exercise_has_essential_case(const struct exercise *exercise);

/* The reference kernel's signature: the exercise's params in order, but every floating-point
 * out/inout buffer is `double *`; after them one `double *` for each out/inout with tolerance dot,
 * in order, which receives sum|a_i b_i| for each element. */

/* `directory` is exercises/<id>, `reference_directory` is reference/<id>, NULL where a course keeps
 * that to itself: then reference.file and tuned.file are not there. home.h finds both by the id. */
enum status exercise_load(const char *directory, const char *reference_directory,
                          struct exercise **exercise, struct error *error);
void exercise_free(struct exercise *exercise);
/* STATUS_ENVIRONMENT where the exercise has no reference here: of what cannot be done without. */
enum status exercise_require_reference(const struct exercise *exercise, struct error *error);

/* Loads exercises/<id> from the first home that has it; an unknown id gives "did you mean". */
enum status exercise_find(const char *id, struct exercise **exercise, struct error *error);
/* The ids of all exercises of all homes, sorted; caller frees each and the array. */
enum status exercise_ids(char ***ids, size_t *count, struct error *error);
/* The id named in the first comment of a submission ("warpgrade: matmul-boundary"), else NULL. */
char *exercise_id_from_source(const char *source, size_t length);
/* The same, else the file's name without its ending. Caller frees. */
char *exercise_id_from_submission(const char *path, const char *source, size_t length);

#endif
