/* What a module keeps between launches, between the files of this room. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_MODULE_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_MODULE_H

#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/program/program.h"

#define STACK_RECURSES UINT32_MAX /* kernel->stack_bytes where calls may recurse */

/* A kernel that is ready to be launched. Launches read it, and change nothing. */
struct prepared_kernel {
    const struct ptx_function *function;
    char *file_name;
    enum program_clusters clusters;
    struct program *program; /* linked; laid out for the first launch's dynamic shared memory */
    uint32_t stack_bytes;    /* of the deepest chain of calls; 0 with more than MAX_FUNCTIONS */
    bool precise;            /* see struct launch */
    size_t bytes;
    uint64_t used; /* number of the last launch */
};

/* NULL with an error where the text is not valid. */
const struct ptx_module *module_syntax(const struct sim_module *module, struct error *error);
/* The kernel `function`, decoded and linked, or NULL with an error. Valid until the next call. */
const struct prepared_kernel *module_kernel(struct sim_module *module,
                                            const struct ptx_function *function,
                                            const struct engine_launch *launch,
                                            enum program_clusters clusters, struct error *error);
/* register_pressure.c: how many registers a thread needs, about; see there. */
unsigned register_pressure(const struct program *program);

#endif
