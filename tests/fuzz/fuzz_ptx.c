/* Bytes as PTX text: the parser, and the decoder for every kernel that it found. */
#include "fuzz.h"

#include "sandbox/simgpu/program/program.h"

#include <stdlib.h>

enum { MAX_KERNELS = 4, DYNAMIC_SHARED_BYTES = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptx_module *module;
    struct error error;
    if (ptx_parse((const char *)data, size, &module, &error) != STATUS_OK)
        return 0;
    unsigned decoded = 0;
    for (size_t i = 0; i < module->function_count && decoded < MAX_KERNELS; i++) {
        const struct ptx_function *function = &module->functions[i];
        struct program *program;
        if (!function->is_entry || !function->has_body)
            continue;
        if (program_decode(module, function, "kernel.cu", DYNAMIC_SHARED_BYTES, &program, &error) ==
            STATUS_OK)
            program_free(program);
        decoded++;
    }
    ptx_module_free(module);
    return 0;
}
