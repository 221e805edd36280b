/* What a build worker is asked and what it answers, and the JSON of both. Private to the room.
 *
 * The request's bulk part is the source (nvrtc, nvcc) or PTX (ptxas); the response's is the PTX
 * (nvrtc, nvcc) or what ptxas wrote. */
#ifndef WARPGRADE_SANDBOX_BUILD_ANSWER_H
#define WARPGRADE_SANDBOX_BUILD_ANSWER_H

#include "sandbox/build/build.h"
#include "sandbox/worker/protocol.h"

enum {
    BUILD_MAX_DIAGNOSTICS = 200,
    BUILD_MAX_KERNELS = 256,
    BUILD_MAX_PARAMETERS = 1024, /* 4 KiB of parameters are at most 4096 one-byte ones */
    BUILD_MAX_CONSTANTS = 64,
    BUILD_MAX_DEFINES = 64,
    BUILD_MAX_OPTIONS = 64,
};

enum build_method { METHOD_NVRTC, METHOD_NVCC, METHOD_PTXAS, METHOD_PROGRAM, METHOD_COUNT };

/* A request as the worker sees it; strings are owned by the decoded message. */
struct build_job {
    enum build_method method;
    const char *file_name; /* safe inside #include "..." and on a command line */
    const char *source;    /* NUL-terminated */
    size_t source_length;
    const char *kernel; /* "": any */
    const char *constants[BUILD_MAX_CONSTANTS];
    size_t constant_count;
    const char *defines[BUILD_MAX_DEFINES];
    size_t define_count;
    const char *options[BUILD_MAX_OPTIONS];
    size_t option_count;
    const char *header_names[BUILD_MAX_HEADERS];
    const char *header_texts[BUILD_MAX_HEADERS];
    size_t header_count;
    const char *architecture;
    bool device_debug, no_signature, no_shapes;
    const char *library; /* NVRTC's; of a whole program the folder of our CUDA runtime */
    const char *include_directory;
    const char *tool; /* nvcc or ptxas */
    const char *path; /* PATH for nvcc, which looks for the host compiler there */
};
json_t *build_job_encode(const struct build_job *job);
bool build_job_decode(const struct protocol_message *message, struct build_job *job);

enum build_outcome {
    OUTCOME_COMPILED,    /* PTX is there; the kernel perhaps not: see kernel_state */
    OUTCOME_ERRORS,      /* diagnostics say why */
    OUTCOME_HOST_CODE,   /* diagnostics say why; host_name and host_line name the function */
    OUTCOME_TOOL_FAILED, /* trouble says why: the tool is at fault, not the source */
    OUTCOME_COUNT
};

enum build_kernel_state {
    KERNEL_FOUND,
    KERNEL_MISSING,
    KERNEL_TEMPLATE,   /* a template that is never instantiated */
    KERNEL_OVERLOADED, /* several functions of that name */
    KERNEL_NOT_GLOBAL, /* a function, but no __global__ one */
    KERNEL_STATE_COUNT
};

struct build_answer {
    enum build_outcome outcome;
    struct build_diagnostic *diagnostics;
    size_t diagnostic_count, diagnostic_capacity;
    struct build_kernel *kernels;
    size_t kernel_count, kernel_capacity;
    enum build_kernel_state kernel_state;
    size_t kernel_index;
    struct {
        bool known;
        int64_t value;
    } constants[BUILD_MAX_CONSTANTS];
    size_t constant_count;
    char host_name[128]; /* "main"; empty where only a header is to blame */
    unsigned host_line;
    char trouble[512];
    char compiler[64];
    struct text output; /* the bulk part ... */
    struct text cubin;  /* ... and what follows it: machine code for a real architecture */
};
void build_answer_frame(const struct build_answer *answer, struct text *frame);
/* "sm_90", not "compute_90" */
bool build_is_real(const char *architecture);
/* Hostile input; *answer is zeroed first. On failure *culprit names the member. */
bool build_answer_decode(const struct protocol_message *message, struct build_answer *answer,
                         const char **culprit);
void build_answer_free(struct build_answer *answer);
void build_kernel_clear(struct build_kernel *kernel); /* frees what it owns */

#endif
