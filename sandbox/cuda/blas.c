/* cuBLAS: the baselines. libcublas opens libcublasLt by its bare name, so the one beside it is
 * opened first. Results stay on the card: for a dot product the pointer mode is the device's, for
 * the rest alpha and beta are the host's. */
#include "sandbox/cuda/blas.h"

#include "sandbox/base/memory.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* cublasMath_t and cublasPointerMode_t; statuses of cublasStatus_t. */
enum { PEDANTIC_MATH = 2, POINTERS_OF_HOST = 0, POINTERS_OF_DEVICE = 1, INVALID_VALUE = 7 };

static void open_light(const char *path) {
    const char *slash = strrchr(path, '/');
    cleanup_free char *pattern =
        mem_printf("%.*s/libcublasLt.so.*", slash ? (int)(slash - path) : 0, path);
    glob_t found = {0};
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            dlopen(found.gl_pathv[i], RTLD_LAZY | RTLD_LOCAL);
    globfree(&found);
}

bool blas_open(struct blas *blas, const char *path, struct wire_failure *failure) {
    *blas = (struct blas){0};
    *failure = (struct wire_failure){.stage = WIRE_STAGE_BLAS};
    open_light(path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(failure->trouble, sizeof failure->trouble, "%s", reason ? reason : path);
        return false;
    }
#define FUNCTION(name, symbol, arguments)                                                          \
    if (!driver_symbol(library, #symbol, &blas->name)) {                                           \
        snprintf(failure->trouble, sizeof failure->trouble, "%.400s has no " #symbol, path);       \
        return false;                                                                              \
    }
#include "sandbox/cuda/blas.def"
#undef FUNCTION
    failure->code = blas->create(&blas->handle);
    if (failure->code == 0)
        failure->code = blas->set_math_mode(blas->handle, PEDANTIC_MATH);
    if (failure->code != 0)
        blas->handle = NULL;
    return blas->handle != NULL;
}

static bool is_vector_of_floats(const struct engine_argument *arguments, size_t count,
                                unsigned index) {
    return index < count && arguments[index].is_buffer && arguments[index].type == ELEMENT_f32;
}

int blas_call(const struct blas *blas, const struct cuda_blas_call *call,
              const struct engine_argument *arguments, size_t argument_count,
              const gpu_address *addresses) {
    uint64_t sizes[] = {call->m, call->n, call->k, call->lda, call->ldb, call->ldc};
    for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
        if (sizes[i] > INT_MAX)
            return INVALID_VALUE;
    bool has_b = call->routine != CUDA_BLAS_SAXPY;
    if (!is_vector_of_floats(arguments, argument_count, call->a) ||
        !is_vector_of_floats(arguments, argument_count, call->c) ||
        (has_b && !is_vector_of_floats(arguments, argument_count, call->b)))
        return INVALID_VALUE;
    gpu_address a = addresses[call->a], b = has_b ? addresses[call->b] : 0, c = addresses[call->c];
    float alpha = (float)call->alpha, beta = (float)call->beta;
    int m = (int)call->m, n = (int)call->n, k = (int)call->k;
    int lda = (int)call->lda, ldb = (int)call->ldb, ldc = (int)call->ldc;
    bool is_dot = call->routine == CUDA_BLAS_SDOT;
    int code = blas->set_pointer_mode(blas->handle, is_dot ? POINTERS_OF_DEVICE : POINTERS_OF_HOST);
    if (code != 0)
        return code;
    switch (call->routine) {
    case CUDA_BLAS_SGEMM:
        return blas->sgemm(blas->handle, call->transpose_a, call->transpose_b, m, n, k, &alpha, a,
                           lda, b, ldb, &beta, c, ldc);
    case CUDA_BLAS_SGEMV:
        return blas->sgemv(blas->handle, call->transpose_a, m, n, &alpha, a, lda, b, 1, &beta, c,
                           1);
    case CUDA_BLAS_SDOT:
        return blas->sdot(blas->handle, n, a, 1, b, 1, c);
    case CUDA_BLAS_SAXPY:
        return blas->saxpy(blas->handle, n, &alpha, a, 1, c, 1);
    case CUDA_BLAS_SGEAM:
        return blas->sgeam(blas->handle, call->transpose_a, call->transpose_b, m, n, &alpha, a, lda,
                           &beta, b, ldb, c, ldc);
    case CUDA_BLAS_COUNT:
        break;
    }
    return INVALID_VALUE;
}
