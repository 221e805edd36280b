/* Bytes as PTX text: the first kernel runs, two blocks of two warps, on arguments that fit it.
 *
 * Nothing the text says may crash the process, run on beyond its budget or take much memory. One
 * input in eight runs a second time on two host threads: the report must be the same. All of them
 * run on a device, too, those of an odd length as if ptxas kept their arrays in registers: what it
 * makes of the text is found out for the model of its time. */
#include "fuzz.h"
#include "fuzz_result.h"

#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1024, MAX_BUFFERS = 8, BUDGET = 200000, BLOCK = 48 };

struct run {
    unsigned char data[MAX_BUFFERS * BUFFER_BYTES];
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    char kernel[256];
    size_t argument_count;
};

static const struct ptx_function *first_kernel(const struct ptx_module *module) {
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_entry && module->functions[i].has_body)
            return &module->functions[i];
    return NULL;
}

static enum element_type scalar_of(uint64_t bytes) {
    return bytes == 1   ? ELEMENT_u8
           : bytes == 2 ? ELEMENT_f16
           : bytes == 8 ? ELEMENT_u64
                        : ELEMENT_i32;
}

/* Buffers for what may be a pointer, the number 50 for all else. */
static bool choose_arguments(const uint8_t *data, size_t size, struct run *run) {
    struct ptx_module *module;
    struct error error;
    if (ptx_parse((const char *)data, size, &module, &error) != STATUS_OK)
        return false;
    const struct ptx_function *kernel = first_kernel(module);
    unsigned buffers = 0;
    if (kernel)
        snprintf(run->kernel, sizeof run->kernel, "%.*s", (int)kernel->name.length,
                 kernel->name.start);
    for (size_t i = 0; kernel && i < kernel->param_count && i < ENGINE_MAX_ARGUMENTS; i++) {
        const struct ptx_variable *param = &kernel->variables[kernel->params[i]];
        struct engine_argument *argument = &run->arguments[run->argument_count++];
        *argument = (struct engine_argument){.type = scalar_of(param->bytes), .scalar = 50};
        snprintf(argument->name, sizeof argument->name, "p%zu", i);
        if (param->bytes != 8 || buffers == MAX_BUFFERS)
            continue;
        argument->is_buffer = true;
        argument->type = buffers % 3 == 2 ? ELEMENT_u8 : ELEMENT_f32;
        argument->count = BUFFER_BYTES / element_infos[argument->type].bytes;
        argument->shape[0] = argument->count;
        argument->rank = 1;
        argument->read_only = buffers == 0;
        argument->uninitialized = buffers == 3;
        argument->data_offset = (size_t)buffers++ * BUFFER_BYTES;
    }
    ptx_module_free(module);
    return kernel != NULL;
}

static void execute(const uint8_t *data, size_t size, struct run *run, unsigned threads,
                    const struct device_profile *device, struct engine_result *result) {
    for (size_t i = 0; i < sizeof run->data; i++)
        run->data[i] = (unsigned char)(i * 37);
    struct engine_launch launch = {.ptx = (const char *)data,
                                   .ptx_length = size,
                                   .kernel = run->kernel,
                                   .file_name = "kernel.cu",
                                   .grid = {2, 1, 1},
                                   .block = {BLOCK, 1, 1},
                                   .shared_bytes = 256,
                                   .arguments = run->arguments,
                                   .argument_count = run->argument_count,
                                   .data = run->data,
                                   .data_length = sizeof run->data,
                                   .budget = BUDGET,
                                   .threads = threads,
                                   .no_checks = device || size % 8 == 1,
                                   .device = device,
                                   .registers = device ? 32 : 0,
                                   .arrays_in_registers = device && size % 2};
    sim_run(&launch, result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct run run;
    run.argument_count = 0;
    if (!choose_arguments(data, size, &run))
        return 0;
    struct engine_result once, again;
    execute(data, size, &run, 1, fuzz_device(0), &once);
    fuzz_check(&once, BUDGET);
    engine_result_free(&once);
    execute(data, size, &run, 1, NULL, &once);
    fuzz_check(&once, BUDGET);
    if (size % 8 == 0) {
        execute(data, size, &run, 2, NULL, &again);
        fuzz_compare(&once, &again);
        engine_result_free(&again);
    }
    engine_result_free(&once);
    return 0;
}
