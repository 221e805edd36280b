/* The last error, a thread's own: any call that fails leaves one, cudaGetLastError() takes it away.
 * Errors that a kernel has caused stay, because the card answers every later call with them. */
#include "sandbox/runtime/host/report.h"
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

static _Thread_local uint32_t launch_site;

void remember_launch(uint32_t site) {
    launch_site = site;
}

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        last = error;
        report_failure(error, launch_site, launch_site != 0);
    }
    return error;
}

API cudaError_t cudaGetLastError(void) {
    cudaError_t error = last;
    report_look(cudaSuccess);
    last = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError(void) {
    report_look(cudaSuccess);
    return last;
}

static const char unknown[] = "unrecognized error code";

API const char *cudaGetErrorName(cudaError_t error) {
    report_look(error);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error)
            return errors[i].name;
    return unknown;
}

API const char *cudaGetErrorString(cudaError_t error) {
    report_look(error);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error)
            return errors[i].text;
    return unknown;
}
