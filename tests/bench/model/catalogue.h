/* Kernels as data: which file, which launch, which arguments. kernels*.def list those that the cost
 * model is judged by, tests/gpu/micro/micro.def the microbenchmarks that it is calibrated with. The
 * same launch is made for the simulated GPU and for a real one. */
#ifndef WARPGRADE_TESTS_BENCH_MODEL_CATALOGUE_H
#define WARPGRADE_TESTS_BENCH_MODEL_CATALOGUE_H

#include "sandbox/base/error.h"
#include "sandbox/engine/engine.h"

enum model_size { MODEL_SMALL, MODEL_LARGE, MODEL_SIZES };
extern const char *const model_size_names[MODEL_SIZES];

/* What a kernel is to the cost model: it was in view when the model's rules were made; it was held
 * out then, but led to a rule since (the fresh ones later than the seen ones); it is an exercise's
 * and was held out until it was measured; it is of the table that the course shows its students; it
 * is an exercise's of no other set, chosen without a look at what the model says of it; it is a
 * program that is no exercise and was written for this without such a look (projects later than
 * programs, homework later than projects). */
enum model_set {
    MODEL_JUDGED,
    MODEL_SEEN,
    MODEL_FRESH,
    MODEL_CATALOGUE,
    MODEL_COURSE,
    MODEL_BLIND,
    MODEL_PROGRAM,
    MODEL_PROJECT,
    MODEL_HOMEWORK,
    MODEL_SETS
};

struct model_kernel {
    const char *family, *variant;
    const char *file;    /* from the root of the tree */
    const char *defines; /* macros for the compiler, separated by '|'; NULL: none */
    const char *kernel;  /* plain name */
    const char *grid, *block, *shared;
    const char *sizes[MODEL_SIZES]; /* "n=1024"; NULL: there is no launch of that size */
    const char *arguments;
    const char *work, *unit; /* microbenchmarks: operations of a launch, and what they are */
    enum model_set set;
};
extern const struct model_kernel model_kernels[], micro_kernels[];
extern const size_t model_kernel_count, micro_kernel_count;

/* A launch with every expression evaluated. Arguments stay specifications of `warpgrade sim --arg`,
 * which sim_argument_parse() turns into bytes: buffers can be large. */
struct model_launch {
    struct dim3 grid, block;
    uint64_t shared_bytes;
    char *specs[ENGINE_MAX_ARGUMENTS];
    size_t spec_count;
    double work; /* 0 where the kernel states none */
};
enum status model_launch_make(const struct model_kernel *kernel, enum model_size size,
                              struct model_launch *launch, struct error *error);
void model_launch_free(struct model_launch *launch);

/* Its file, below WARPGRADE_HOME where that is set: programs also run where they were not built. */
char *model_source_path(const struct model_kernel *kernel);
/* The kernel's PTX for compute_80, the same text for both engines, and the name of its entry.
 * `folder`, where not NULL, is looked into first (FAMILY-VARIANT.ptx): a machine with a GPU needs
 * no compiler. Caller frees both. */
enum status model_compile(const struct model_kernel *kernel, const char *folder, char **ptx,
                          char **entry, struct error *error);
/* Compiles it and writes FAMILY-VARIANT.ptx into an existing folder. */
enum status model_write_ptx(const struct model_kernel *kernel, const char *folder,
                            struct error *error);

#endif
