/* cuBLAS as a table of functions, opened in trusted workers only. Private to the room. */
#ifndef WARPGRADE_SANDBOX_CUDA_BLAS_H
#define WARPGRADE_SANDBOX_CUDA_BLAS_H

#include "sandbox/cuda/driver.h"
#include "sandbox/cuda/session.h"
#include "sandbox/cuda/wire.h"

struct blas {
    void *handle; /* NULL: there is none */
#define FUNCTION(name, symbol, arguments) int(*name) arguments;
#include "sandbox/cuda/blas.def"
#undef FUNCTION
};

/* For the current context. TF32 is off. */
bool blas_open(struct blas *blas, const char *path, struct wire_failure *failure);
/* Enqueues the routine; addresses[i] is that of argument i. cuBLAS's status: 0 where it is well. */
int blas_call(const struct blas *blas, const struct cuda_blas_call *call,
              const struct engine_argument *arguments, size_t argument_count,
              const gpu_address *addresses);

#endif
