/* What the host of a whole program asks of a module: its variables, its kernels' parameters, and
 * which block an address lies in. */
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/launch/module.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/program/decoder.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"

#include <string.h>

enum { MOST_THREADS = 1024, REGISTERS_OF_BLOCK = 65536 };

bool sim_module_is_valid(const struct sim_module *module, struct error *error) {
    return module_syntax(module, error) != NULL;
}

size_t sim_module_variable_count(const struct sim_module *module) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    return syntax ? syntax->variable_count : 0;
}

/* They lie in include/cccl of a toolkit, or where a program has brought its own. */
static bool is_library_path(struct ptx_span path) {
    static const char *const parts[] = {"/cccl/", "/cub/cub/", "/thrust/thrust/"};
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        if (memmem(path.start, path.length, parts[i], strlen(parts[i])))
            return true;
    return false;
}

bool sim_module_is_library(const struct sim_module *module, const char *file_name) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    size_t length = strlen(file_name);
    bool found = false;
    for (size_t i = 0; syntax && length && i < syntax->file_count; i++) {
        struct ptx_span path = syntax->files[i].path;
        if (path.length <= length || path.start[path.length - length - 1] != '/' ||
            memcmp(path.start + path.length - length, file_name, length) != 0)
            continue;
        if (!is_library_path(path))
            return false;
        found = true;
    }
    return found;
}

static bool is_placeable(const struct ptx_variable *variable) {
    return variable->space != SPACE_SHARED && !variable->is_extern;
}

static bool is_named(struct ptx_span name, struct ptx_span other) {
    return name.length == other.length && memcmp(name.start, other.start, name.length) == 0;
}

static const struct ptx_variable *find_variable(const struct ptx_module *syntax,
                                                struct ptx_span name) {
    for (size_t i = 0; syntax && i < syntax->variable_count; i++)
        if (is_placeable(&syntax->variables[i]) && is_named(syntax->variables[i].name, name))
            return &syntax->variables[i];
    return NULL;
}

bool sim_module_variable(const struct sim_module *module, size_t number,
                         struct sim_variable *variable) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    if (!syntax || number >= syntax->variable_count || !is_placeable(&syntax->variables[number]))
        return false;
    const struct ptx_variable *found = &syntax->variables[number];
    *variable = (struct sim_variable){.bytes = found->bytes,
                                      .address = found->address,
                                      .is_constant = found->space == SPACE_CONST,
                                      .is_managed = found->is_managed};
    variable_layout_display_name(found->name, variable->name, sizeof variable->name);
    return true;
}

size_t sim_module_find_variable(const struct sim_module *module, const char *name) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    const struct ptx_variable *found =
        find_variable(syntax, (struct ptx_span){name, (uint32_t)strlen(name)});
    return found ? (size_t)(found - syntax->variables) : SIZE_MAX;
}

void sim_module_place_variable(struct sim_module *module, size_t number, uint64_t address) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    if (syntax && number < syntax->variable_count)
        syntax->variables[number].address = address;
}

/* Functions in initialisers come first after the kernel in every program of the module, in their
 * order: see program/call_graph.c. By function: its number there, or 0. */
static uint32_t *number_functions(const struct ptx_module *syntax) {
    uint32_t *numbers = mem_calloc(syntax->function_count + 1, sizeof *numbers), count = 0;
    for (size_t i = 0; i < syntax->variable_count; i++)
        for (size_t j = 0; j < syntax->variables[i].relocation_count; j++) {
            const struct ptx_function *function =
                ptx_find_function(syntax, syntax->variables[i].relocations[j].name);
            if (function && function->has_body && !numbers[function - syntax->functions])
                numbers[function - syntax->functions] = ++count;
        }
    return numbers;
}

static uint64_t symbol_address(const struct ptx_module *syntax, const uint32_t *numbers,
                               struct ptx_span name) {
    const struct ptx_variable *variable = find_variable(syntax, name);
    const struct ptx_function *function = variable ? NULL : ptx_find_function(syntax, name);
    if (variable)
        return variable->address;
    return function && function->has_body
               ? ADDRESS_OF(WINDOW_FUNCTION) + 16 * (uint64_t)numbers[function - syntax->functions]
               : 0;
}

void sim_module_initialise(const struct sim_module *module, unsigned char *const *bytes) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    if (!syntax)
        return;
    cleanup_free uint32_t *numbers = number_functions(syntax);
    for (size_t i = 0; i < syntax->variable_count; i++) {
        const struct ptx_variable *variable = &syntax->variables[i];
        if (bytes[i] && variable->initial)
            memcpy(bytes[i], variable->initial, variable->bytes);
        for (size_t j = 0; j < variable->relocation_count && bytes[i]; j++) {
            const struct ptx_relocation *relocation = &variable->relocations[j];
            uint64_t address =
                symbol_address(syntax, numbers, relocation->name) + (uint64_t)relocation->addend;
            if ((uint64_t)relocation->offset + sizeof address <= variable->bytes)
                memcpy(bytes[i] + relocation->offset, &address, sizeof address);
        }
    }
}

bool launch_parameters(const struct ptx_function *kernel, struct sim_parameter *parameters,
                       size_t *count) {
    uint64_t offset = 0;
    *count = 0;
    if (kernel->param_count > SIM_MAX_PARAMETERS)
        return false;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct ptx_variable *param = &kernel->variables[kernel->params[i]];
        offset = number_round_up(offset, param->alignment ? param->alignment : 1);
        if (param->bytes > SIM_MAX_PARAMETER_BYTES ||
            offset + param->bytes > SIM_MAX_PARAMETER_BYTES)
            return false;
        parameters[(*count)++] = (struct sim_parameter){(uint32_t)offset, (uint32_t)param->bytes};
        offset += param->bytes;
    }
    return true;
}

bool sim_module_parameters(const struct sim_module *module, const char *kernel,
                           struct sim_parameter *parameters, size_t *count) {
    struct error error;
    const struct ptx_module *syntax = module_syntax(module, &error);
    const struct ptx_function *function;
    return syntax && ptx_find_kernel(syntax, kernel, &function, &error) == STATUS_OK &&
           launch_parameters(function, parameters, count);
}

/* As ptxas does it: no more than launch bounds leave. */
static unsigned fit_registers(unsigned registers, unsigned threads) {
    unsigned most = threads ? REGISTERS_OF_BLOCK / threads / 8 * 8 : registers;
    return registers < most ? registers : most;
}

static unsigned product(const uint32_t extents[3]) {
    return extents[0] * extents[1] * extents[2];
}

bool sim_module_function(struct sim_module *module, const char *kernel, const char *file_name,
                         struct sim_function *facts, struct error *error) {
    const struct engine_launch launch = {.kernel = kernel, .file_name = file_name};
    const struct ptx_module *syntax = module_syntax(module, error);
    const struct ptx_function *function;
    const struct prepared_kernel *prepared =
        syntax && ptx_find_kernel(syntax, kernel, &function, error) == STATUS_OK
            ? module_kernel(module, function, &launch, CLUSTERS_NONE, error)
            : NULL;
    if (!prepared)
        return false;
    const struct program *program = prepared->program;
    unsigned bound =
        product(function->max_threads[0] ? function->max_threads : function->required_threads);
    bool is_bound = bound && bound < MOST_THREADS;
    *facts = (struct sim_function){
        .static_shared_bytes = program->static_shared_bytes,
        .most_threads = is_bound ? bound : MOST_THREADS,
        .registers = fit_registers(register_pressure(program), is_bound ? bound : MOST_THREADS),
        .ptx_version = syntax->target};
    for (size_t i = 0; i < program->function_count; i++)
        facts->local_bytes += program->functions[i].local_bytes;
    for (size_t i = 0; i < program->variable_count; i++)
        if (program->variables[i].space == SPACE_CONST)
            facts->constant_bytes += program->variables[i].bytes;
    memcpy(facts->cluster, function->cluster_blocks, sizeof facts->cluster);
    return true;
}

uint64_t sim_block_address(size_t block) {
    return ADDRESS_OF(WINDOW_FIRST_BLOCK + block);
}

size_t sim_block_of(uint64_t address, uint64_t *offset) {
    uint64_t window = address >> ADDRESS_SHIFT;
    *offset = address & OFFSET_MASK;
    return window < WINDOW_FIRST_BLOCK || window >= WINDOW_FIRST_BLOCK + ENGINE_MAX_BLOCKS
               ? SIZE_MAX
               : (size_t)(window - WINDOW_FIRST_BLOCK);
}

void sim_block_mark(struct engine_block *block, uint64_t offset, uint64_t bytes, bool written) {
    memset(block->shadow + offset, written ? SHADOW_INITIALIZED : SHADOW_UNINITIALIZED, bytes);
}
