/* The last error, a thread's own: any call that fails leaves one, cudaGetLastError() takes it away.
 * Errors that a kernel has caused stay, because the card answers every later call with them. */
#include "sandbox/runtime/runtime.h"

static _Thread_local cudaError_t last;

static const struct {
    cudaError_t code;
    const char *name, *text;
} errors[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "sandbox/runtime/error.def"
#undef ERROR
};

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady)
        last = error;
    return error;
}

API cudaError_t cudaGetLastError(void) {
    cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError(void) {
    return last;
}

static const char unknown[] = "unrecognized error code";

API const char *cudaGetErrorName(cudaError_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error)
            return errors[i].name;
    return unknown;
}

API const char *cudaGetErrorString(cudaError_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error)
            return errors[i].text;
    return unknown;
}
