/* A card in the hands of a worker: what worker.c opens and run.c uses. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CUDA_GPU_H
#define WARPGRADE_SANDBOX_CUDA_GPU_H

#include "sandbox/cuda/blas.h"
#include "sandbox/cuda/driver.h"
#include "sandbox/cuda/nvml.h"
#include "sandbox/cuda/wire.h"

struct gpu {
    struct driver driver;
    struct blas blas;
    struct nvml nvml;
    int device;
    uint64_t l2_bytes;
    void *tools_image;     /* a cubin; its module is loaded again for each use */
    void *started, *ended; /* events around a launch */
    gpu_address arena;     /* all buffers of a run with their guards; poison between runs */
    uint64_t arena_bytes;
    gpu_address flush; /* more than twice the L2, made when it is first needed */
    uint64_t flush_bytes;
    int printed; /* a memory file that is descriptor 1 */
};

/* One launch. `image` is the submission's machine code, `data` the shared bytes. Fills what the
 * answer says. False where the context is lost: the worker may answer and then has to end. */
bool gpu_run(struct gpu *gpu, const struct cuda_launch *launch, const void *image,
             unsigned char *data, struct wire_outcome *outcome);

/* A use of tools.cu: its module is loaded for it and unloaded after it, so that nothing that ran
 * before could have changed its code. */
int gpu_fill(const struct gpu *gpu, const struct engine_argument *argument, gpu_address at);
int gpu_compare(const struct gpu *gpu, const struct engine_argument *argument, gpu_address at,
                uint64_t *differing, uint64_t *first);

void gpu_copy_ceiling(struct gpu *gpu, uint64_t bytes, struct wire_copied *copied);
/* Overwrites what is left of the submission. */
void gpu_wipe(struct gpu *gpu);

#endif
