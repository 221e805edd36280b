/* What the assembler would make of the program, near enough to know its time: regions of
 * instructions in the order in which a warp issues them. For the cost model. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_SASS_MODEL_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_SASS_MODEL_H

#include "sandbox/simgpu/program/program.h"

enum cost_pipe {
    PIPE_NONE,
    PIPE_CONSTANT, /* its rate never limits */
    PIPE_FP32,
    PIPE_MULTIPLY,
    PIPE_INTEGER,
    PIPE_EITHER, /* multiply or integer */
    PIPE_WIDE,   /* multiply, which holds up the integer pipe: sums of 64 bits with a product */
    PIPE_FP16,
    PIPE_FP64,
    PIPE_SPECIAL,
    PIPE_CONVERT,
    PIPE_MATRIX,
    PIPE_SHUFFLE,
    PIPE_COUNT
};

enum operation_kind {
    OPERATION_NAME,    /* no work: its result is its source */
    OPERATION_COMPUTE, /* on a pipe */
    OPERATION_LOAD,
    OPERATION_STORE,
    OPERATION_ATOMIC,
    OPERATION_BARRIER,
    OPERATION_BRANCH,
    OPERATION_WAIT,  /* for asynchronous copies */
    OPERATION_OTHER, /* takes its latency and its place in the order */
};

enum { OPERATION_SOURCES = 12, OPERATION_DESTINATIONS = 4, NO_VALUE = UINT16_MAX };

struct operation {
    uint32_t pc;
    uint8_t kind; /* enum operation_kind */
    uint8_t pipe; /* enum cost_pipe */
    uint8_t space;
    uint8_t issue; /* see instruction_cost.def */
    float passes, special;
    uint8_t alu, fp64;
    uint16_t extra;
    uint8_t inputs; /* of a sum or a logic instruction into which others melted; 0: its own */
    uint8_t merged; /* shared loads that this one stands for; 0: another one stands for it */
    bool conditional;
    bool predicate;  /* its result is a predicate, of which there are few */
    bool serial;     /* the warp issues nothing else until its result is there */
    bool parameter;  /* its result is loaded where it is read */
    bool asked;      /* of an atomic: a later instruction reads the old value */
    bool handed;     /* ... until a shuffle can hand it round: of an atomic that is joined */
    uint16_t guard;  /* the predicate of the small if in which it stands, or NO_VALUE */
    uint32_t branch; /* ... and pc of that if's branch */
    uint16_t sources[OPERATION_SOURCES], destinations[OPERATION_DESTINATIONS]; /* NO_VALUE ends */
};

static inline bool operation_is_memory(const struct operation *operation) {
    return operation->kind == OPERATION_LOAD || operation->kind == OPERATION_STORE ||
           operation->kind == OPERATION_ATOMIC;
}

/* Instructions first..last that run one after the other; a path may enter and leave in between. */
struct region {
    uint32_t first, last;
    struct operation *operations; /* in issue order */
    size_t count, capacity;
    struct operation *unrolled; /* `factor` turns of a loop; NULL: it is none that is unrolled */
    size_t unrolled_count;
    unsigned factor;
};

struct sass_model {
    const struct program *program;
    unsigned registers; /* a thread's; 0: unknown */
    unsigned value_count;
    uint16_t *values; /* by function and register offset */
    uint32_t *value_start;
    uint16_t *uses;          /* times that a value is read */
    uint8_t *merges;         /* by pc: see atomic_aggregation.h */
    bool *wide;              /* values that take two registers */
    bool *low_half;          /* ... of which only the lower halves are needed */
    bool *fixed;             /* values that are but names of a constant */
    bool *reconverges;       /* by pc: branches that lanes leave apart, and meet again after */
    uint32_t *if_end;        /* by pc: of a branch that is predicated, where its if ends; 0 */
    uint32_t *region_first;  /* by pc: first pc of its region */
    struct region **regions; /* by first pc; NULL: not needed yet */
};

/* For the request's device and registers. */
struct sass_model *sass_model_create(const struct program *program,
                                     const struct engine_launch *request);
const struct region *sass_model_region(struct sass_model *code, uint32_t pc);
void sass_model_free(struct sass_model *code); /* or NULL */
/* By pc: the first pc of its region. Caller frees. */
uint32_t *sass_model_regions(const struct program *program);

/* list_scheduler.c: puts operations into the order in which a list scheduler would. */
void list_scheduler_order(const struct sass_model *code, struct operation *operations,
                          size_t count);

#endif
