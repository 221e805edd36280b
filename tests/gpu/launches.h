/* Whole launches, data included, as both engines take them: PTX, grid, arguments and one data area
 * in which every buffer stands on a multiple of 256 bytes. */
#ifndef WARPGRADE_TESTS_GPU_LAUNCHES_H
#define WARPGRADE_TESTS_GPU_LAUNCHES_H

#include "sandbox/engine/engine.h"
#include "tests/bench/model/catalogue.h"

enum { GPU_SOURCE_DIGITS = 16 };

struct gpu_launch {
    const char *family, *variant,
        *size; /* an exercise's id, its kernel and its case, for instance */
    char source[GPU_SOURCE_DIGITS + 1]; /* of an exercise: digits of its source's SHA-256 */
    char *ptx, *entry;                  /* text of the module and name of the kernel in it */
    struct dim3 grid, block;
    uint64_t shared_bytes;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    size_t argument_count;
    void *data;
    size_t data_length;
};

/* A row of the catalogue; on_demand: for a simulated device, which makes the buffers' words where
 * they are touched. Free it with gpu_launch_free(). */
enum status gpu_launch_of_model(const struct model_kernel *kernel, enum model_size size,
                                const char *ptx_folder, bool on_demand, struct gpu_launch *launch,
                                struct error *error);
void gpu_launch_free(struct gpu_launch *launch);

/* Every exercise's reference, tuned kernel and mutants with the sizes and inputs of every case of
 * the exercise, but for mutants that do not end. `visit` sees each launch, which lives as long as
 * the call, and returns false to stop. As for models, PTX is looked for in ptx_folder (where not
 * NULL) under EXERCISE-VARIANT.ptx. */
typedef bool gpu_launch_visitor(struct gpu_launch *launch, void *context);
/* Which of them are compiled and visited; NULL: all. */
typedef bool gpu_variant_filter(const char *family, const char *variant, const char *source,
                                void *context);
enum status gpu_launches_of_exercises(const char *ptx_folder, gpu_variant_filter *wanted,
                                      gpu_launch_visitor *visit, void *context,
                                      struct error *error);
/* Compiles all of them into a folder. */
enum status gpu_launches_write_ptx(const char *folder, struct error *error);

#endif
