/* A kernel of any file, launched as options say: what `sim` and `profile` share. From options to a
 * launch that is ready for the engine: source, compiler, arguments, data area. */
#ifndef WARPGRADE_GRADER_CLI_KERNEL_LAUNCH_H
#define WARPGRADE_GRADER_CLI_KERNEL_LAUNCH_H

#include "grader/cli/command.h"
#include "grader/cli/kernel_headers.h"
#include "sandbox/build/build.h"
#include "sandbox/engine/engine.h"

#include <argp.h>

enum { KERNEL_MAX_DEFINES = 64, KERNEL_MAX_SYMBOLS = 16, KERNEL_MAX_FOLDERS = 16 };

struct kernel_launch {
    /* the options */
    const char *file; /* set by the command, whose argument it is */
    const char *kernel, *architecture;
    const char *specs[ENGINE_MAX_ARGUMENTS]; /* --arg */
    size_t spec_count;
    const char *defines[KERNEL_MAX_DEFINES];
    size_t define_count;
    const char *folders[KERNEL_MAX_FOLDERS]; /* -I */
    size_t folder_count;
    const char *symbols[KERNEL_MAX_SYMBOLS];        /* --symbol */
    const char *dumped_symbols[KERNEL_MAX_SYMBOLS]; /* read back under these names */
    size_t symbol_count, dumped_symbol_count;
    struct dim3 grid, block, cluster;
    bool has_grid, has_block, device_debug;
    uint64_t shared_bytes, seed, budget;
    unsigned threads;
    double time_limit_seconds;   /* 0: 60 */
    uint64_t memory_limit_bytes; /* 0: 4 GiB */
    enum color_choice color;
    enum language language;
    bool on_demand; /* buffers are made as far as they are touched; for samples */
    /* what kernel_launch_prepare makes of them; freed by kernel_launch_free */
    char *source;
    size_t source_length;
    struct kernel_headers headers;
    struct build_result build;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS]; /* symbols come last */
    void *data;
    struct engine_launch engine; /* borrows from all of the above */
    struct worker_limits limits;
};

/* The options as a child parser; its input is a struct kernel_launch *. */
extern const struct argp kernel_launch_argp;

/* ARGP_KEY_ARG of both commands: the one file. */
void kernel_launch_take_file(struct kernel_launch *launch, struct argp_state *state,
                             const char *file);
/* The value of --sample: thread instructions. */
uint64_t kernel_launch_sample_option(struct argp_state *state, const char *argument);

/* Compiles, prints the compiler's messages to standard error, and fills data and engine. */
enum status kernel_launch_prepare(struct kernel_launch *launch, struct error *error);
/* The prepared launch of a .cu file with a build that is not optimised (-G), which says what the
 * optimised one does not: where local variables lie. Its data are the caller's. Not STATUS_OK where
 * there is none; the caller frees *build in any case. */
enum status kernel_launch_unoptimised(const struct kernel_launch *launch,
                                      struct build_result *build, struct engine_launch *engine,
                                      struct error *error);
void kernel_launch_free(struct kernel_launch *launch);
/* The kernel's plain name. */
const char *kernel_launch_name(const struct kernel_launch *launch);
/* A device's compute capability as compilers are asked for it: those of devices that are too old
 * for them give about the same registers as the oldest that they know. */
unsigned kernel_launch_capability(const struct device_profile *device);
/* Launches the prepared kernel on the device, of a sample of this many thread instructions where
 * `sample` is not 0. */
void kernel_launch_on_device(struct kernel_launch *launch, const struct device_profile *device,
                             uint64_t sample);
/* Asks ptxas what a thread gets on sm_`capability`, for launches from now on: registers, and
 * whether arrays are among them. 0 registers and an error where that is not known. */
enum status kernel_launch_assemble(struct kernel_launch *launch, unsigned capability,
                                   struct error *error);

#endif
