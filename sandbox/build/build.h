/* The door of the build room: CUDA C source goes in, PTX or diagnostics come out.
 *
 * NVRTC runs in a worker process, because the preprocessor and the compiler read whatever a
 * submission tells them to. What comes back is checked like everything a worker says. Results are
 * cached by the hash of everything that they depend on. */
#ifndef WARPGRADE_SANDBOX_BUILD_BUILD_H
#define WARPGRADE_SANDBOX_BUILD_BUILD_H

#include "sandbox/base/diagnostic.h"
#include "sandbox/base/error.h"
#include "sandbox/base/source_header.h"
#include "sandbox/base/types.h"
#include "sandbox/worker/worker.h"

enum { BUILD_MAX_HEADERS = 64 };

/* Programs' headers in folders above the program's are found here: as many folders deep as they may
 * lead up. Each of its parts is as long as another. */
#define BUILD_HEADER_ROOT "up/up/up/up/"
enum { BUILD_HEADER_CLIMBS = 4 };

/* What the host's compiler is given, so that findings name lines of the host. In version 5's tables
 * addr2line takes the wrong file for members that are defined in their class. */
#define BUILD_HOST_LINES "-gdwarf-4,-g1"

/* A name that leads nowhere but below the folder in which it is looked up. */
bool build_header_name_is_sound(const char *name);

struct build_request {
    const char *file_name; /* how the file is called in messages; no directory */
    const char *source;
    size_t source_length;
    const char *kernel;           /* plain name of the kernel that must be there; NULL: any */
    bool kernel_chosen;           /* ... by an option, so that the file need not change */
    const char *const *constants; /* names whose integer values the compiled code is asked for */
    size_t constant_count;
    const char *const *defines; /* "NAME" or "NAME=VALUE" */
    size_t define_count;
    const char *const *options; /* nvcc's own, of whole programs: "-std=c++20", "-lm" */
    size_t option_count;
    const struct source_header *headers; /* of BUILD_SOURCE_MAX bytes at most */
    size_t header_count;
    const char *architecture; /* NULL: "compute_80"; a real one, "sm_90", gives a cubin as well */
    bool device_debug;        /* -G: keeps what the optimiser would remove */
    bool no_signature;        /* the kernel's parameters are not asked for: of a program that was
                                 compiled before. Without constants, -G then takes one pass */
    bool no_shapes; /* nor the types of variables, by which hazards name elements: a pass less */
    const char
        *program_runtime; /* a whole program, host code included, linked with the CUDA runtime
                             of this folder: the result's ptx is an ELF file; else NULL */
    bool no_cache;
};

struct build_kernel {
    char name[256];    /* plain name, as in the source */
    char lowered[512]; /* name of the .entry in the PTX */
    char **parameters; /* C types as the compiler prints them: "const float *" */
    size_t parameter_count;
    bool types_known; /* false: only PTX widths are known ("64-bit", "32-bit") */
};

struct build_constant {
    char name[64];
    bool known; /* false: the submission does not define it as a constant */
    int64_t value;
};

struct build_result {
    bool compiled; /* PTX is there and, where one was asked for, the kernel too */
    char *ptx;
    size_t ptx_length;
    char *cubin; /* where the architecture was a real one ("sm_90") */
    size_t cubin_length;
    struct build_diagnostic *diagnostics; /* in the compiler's order; at most 200 */
    size_t diagnostic_count;
    struct build_kernel *kernels; /* every __global__ function found, in source order of the PTX */
    size_t kernel_count;
    size_t kernel_index;              /* the one asked for, where compiled and kernel != NULL */
    struct build_constant *constants; /* one for each name asked for, in that order */
    size_t constant_count;
    /* Not compiled: one sentence that a student understands ("dot.cu has 2 errors", "no kernel
     * named dot: found dto(const float *, float *, int)"), and what to do. */
    char message[1024];
    char hint[512];
    enum build_end {
        BUILD_DONE,
        BUILD_CRASHED,
        BUILD_TIME_LIMIT,
        BUILD_MEMORY_LIMIT,
        BUILD_OUTPUT_LIMIT
    } end;
    bool from_cache;
    bool used_nvcc; /* the file carries host code and nvcc took its device part */
    double elapsed_ms;
    char compiler[64]; /* "NVRTC 13.0" */
};

/* STATUS_OK whenever *result is filled, also where the source does not compile;
 * STATUS_ENVIRONMENT where there is no NVRTC or no worker could be started. */
enum status build_compile(const struct build_request *request, const struct worker_limits *limits,
                          struct build_result *result, struct error *error);
void build_result_free(struct build_result *result);

/* The kernels of a PTX text that was compiled elsewhere, into result->kernels; their parameters are
 * known by width. `ptx` ends with NUL; the text is searched, not understood. */
void build_list_kernels(const char *ptx, struct build_result *result);

/* The largest source that is compiled at all. */
enum { BUILD_SOURCE_MAX = 4 << 20 };

/* Does a parameter of the type `spelled` (see build_kernel) take a buffer of the elements `type`
 * (pointer) or a scalar of it? Knows the spellings of a type (unsigned, uint32_t; long, long long),
 * ignores __restrict__ and volatile; a pointer to const fits read-only buffers only. Where only
 * widths are known ("64-bit"), these are compared. */
bool build_parameter_matches(const char *spelled, enum element_type type, bool pointer,
                             bool read_only);
/* "dot(const float *, const float *, int)"; appended. */
struct text;
void build_kernel_describe(const struct build_kernel *kernel, struct text *out);

/* What `ptxas -v` says of one kernel: what the hardware really allocates. Without ptxas
 * STATUS_ENVIRONMENT. `architecture` is a real one, "sm_80". Cached like a build. */
struct build_resources {
    unsigned registers_per_thread;
    uint64_t static_shared_bytes;
    uint64_t spill_store_bytes, spill_load_bytes;
    uint64_t stack_bytes; /* of the kernel and, together, of the functions that it calls */
    bool gave_up;         /* with STATUS_INVALID: not refused, but more than its limits allow */
};
/* Nothing of the kernel lies in local memory: arrays of its threads are registers. False where
 * ptxas has not been asked: then they are taken to lie where PTX has them. */
bool build_arrays_in_registers(const struct build_resources *resources);
enum status build_resources(const char *ptx, size_t ptx_length, const char *lowered_kernel,
                            const char *architecture, const struct worker_limits *limits,
                            struct build_resources *resources, struct error *error);

/* Machine code for a card ("sm_90") of a module's PTX, which ends with NUL; appended to cubin.
 * Cached. STATUS_INVALID where ptxas refuses it, STATUS_ENVIRONMENT where there is no ptxas. */
enum status build_assemble(const char *ptx, size_t ptx_length, const char *architecture,
                           const struct worker_limits *limits, struct text *cubin,
                           struct error *error);

/* Where NVRTC, its headers, nvcc and ptxas stand on this machine ($CUDA_HOME, /usr/local/cuda*, the
 * private prefix that `bootstrap` made, the loader's path). Empty strings: not found. */
struct build_toolchain {
    char nvrtc_library[512];
    char include_directory[512];
    char nvcc[512];
    char ptxas[512];
    unsigned version_major, version_minor;
};
enum status build_toolchain_find(struct build_toolchain *toolchain, struct error *error);
/* STATUS_ENVIRONMENT: there is no nvcc, or no ptxas, and what to do. */
enum status build_need_nvcc(struct error *error);
enum status build_need_ptxas(struct error *error);
/* STATUS_ENVIRONMENT: there is no g++ in these folders (as of $PATH, or NULL), and what to do. */
enum status build_need_host_compiler(const char *path, struct error *error);
/* How to get what is missing of it, on this machine and for this program. Caller frees. */
char *build_toolchain_advice(void);

/* The workers' side. */
extern const struct worker_role build_role;       /* NVRTC */
extern const struct worker_role build_tools_role; /* nvcc and ptxas */

#endif
