/* The door of the simulated GPU: prepare a module once, launch its kernels many times.
 *
 * In: PTX text, and for each launch a kernel's name, sizes, arguments, buffers, a seed and, where
 * time is to be modelled, a device (struct engine_launch). Out: the buffers as the launch leaves
 * them, hazards, counters and a profile (struct engine_result).
 *
 * Ownership. A module borrows its text, which must stay as it is until sim_module_free(). A launch
 * borrows the request and all that it points to until it returns; buffers are read from
 * launch->data and written back to it or to launch->results, unless keeps_data says otherwise. A
 * result is the caller's: it need not be initialised, and engine_result_free() frees it.
 *
 * Errors. No call fails. Text that is no PTX, a kernel that the module does not have and a launch
 * that cannot be made are reported by each launch: result->end is ENGINE_REFUSED with a message, or
 * there is a hazard. Otherwise it is ENGINE_COMPLETED, or ENGINE_TIME_LIMIT where the request has
 * a limit. The PTX is hostile: whatever it says, a launch returns. A module keeps a small number of
 * decoded kernels, and frees older ones first (KEPT_KERNELS and KEPT_BYTES in module.c).
 *
 * Threads. A module is used by one thread at a time; different modules are independent of each
 * other. A launch starts threads of its own, as many as the request says, and ends them before it
 * returns. Results do not depend on their number, on the process, or on what the module launched
 * before. It touches no file and starts no process. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_LAUNCH_SIMGPU_H
#define WARPGRADE_SANDBOX_SIMGPU_LAUNCH_SIMGPU_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/state/limits.h"

struct sim_module;

/* Parses the text. Never NULL: where the text is not valid, each launch says why. */
struct sim_module *sim_prepare(const char *ptx, size_t ptx_length);
void sim_module_free(struct sim_module *module); /* or NULL */

/* What the host of a whole program asks of a module, by the names that the PTX has. */
struct sim_variable {
    char name[64];           /* as messages call it */
    uint64_t bytes, address; /* address 0: not placed */
    bool is_constant, is_managed;
};
/* The variable with that number; false where it is none that the host can place: it is shared or
 * declared elsewhere. */
bool sim_module_variable(const struct sim_module *module, size_t number,
                         struct sim_variable *variable);
/* By its name; SIZE_MAX: there is none. */
size_t sim_module_find_variable(const struct sim_module *module, const char *name);
/* Before the first launch: each launch has it at this address, in a block of engine_memory. */
void sim_module_place_variable(struct sim_module *module, size_t number, uint64_t address);
/* What variables hold before the first launch, when all of them are placed; by number, NULL: not
 * asked for. Bytes that the PTX does not give stay as they are. */
void sim_module_initialise(const struct sim_module *module, unsigned char *const *bytes);
struct sim_parameter {
    uint32_t offset, bytes; /* in the kernel's parameter block */
};
enum { SIM_MAX_PARAMETERS = 1024, SIM_MAX_PARAMETER_BYTES = 32764 };
/* At most SIM_MAX_PARAMETERS; false where there is no such kernel, or it has more. */
bool sim_module_parameters(const struct sim_module *module, const char *kernel,
                           struct sim_parameter *parameters, size_t *count);
/* What a kernel takes, whatever it is launched with. */
struct sim_function {
    uint64_t static_shared_bytes, constant_bytes, local_bytes;
    unsigned most_threads; /* of a block */
    unsigned registers;    /* a thread, about: see register_pressure.c */
    unsigned ptx_version;  /* 80: compute_80 */
    uint32_t cluster[3];   /* blocks; 0: no cluster */
};
/* False, with the reason, where there is no such kernel, or it cannot be decoded. */
bool sim_module_function(struct sim_module *module, const char *kernel, const char *file_name,
                         struct sim_function *facts, struct error *error);
/* Is a file of that base name one of the toolkit's C++ libraries (Thrust, CUB)? */
bool sim_module_is_library(const struct sim_module *module, const char *file_name);
size_t sim_module_variable_count(const struct sim_module *module);
/* False, with the reason, where the text is not valid. */
bool sim_module_is_valid(const struct sim_module *module, struct error *error);
/* The address of a block of engine_memory, and back; SIZE_MAX: it lies in none. */
uint64_t sim_block_address(size_t block);
size_t sim_block_of(uint64_t address, uint64_t *offset);
/* For what the host has written: marks bytes of a block as such, or all as unwritten. */
void sim_block_mark(struct engine_block *block, uint64_t offset, uint64_t bytes, bool written);

/* Launches a kernel of the module: launch->ptx is not looked at. */
void sim_launch(struct sim_module *module, const struct engine_launch *launch,
                struct engine_result *result);

/* sim_launch() with other limits, none of them above the default. */
void sim_launch_limited(struct sim_module *module, const struct engine_launch *launch,
                        const struct sim_limits *limits, struct engine_result *result);

/* A single launch: prepares launch->ptx, launches and frees. */
void sim_run(const struct engine_launch *launch, struct engine_result *result);
void sim_run_limited(const struct engine_launch *launch, const struct sim_limits *limits,
                     struct engine_result *result);

#endif
