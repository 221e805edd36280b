/* Before the first instruction: is the launch valid, and where does its memory lie?
 *
 * Limits are those of compute capability 8.0 and above (CUDA C Programming Guide, table of
 * technical specifications); a launch beyond them is the hazard invalid-launch, because a GPU would
 * refuse it as well. Buffers that a kernel may write to are copied into allocations of the
 * simulated GPU (contents.c). */
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/exec/heap.h"
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/launch/module.h"
#include "sandbox/simgpu/launch/outliving.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/lazy_buffer.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/occupancy.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    MAX_STATIC_SHARED = 48 << 10,
    MAX_SHARED = 227 << 10,
    STACK_BYTES = 64 << 10,     /* of a thread, where calls may recurse */
    MAX_STACK_BYTES = 1 << 19,  /* ... where they do not */
    MAX_VARIABLES = 1536 << 20, /* of the module */
    BUFFER_SLACK = 64,          /* bytes after a buffer: vectors may be read whole */
};

static bool refuse(struct engine_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct engine_result *result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->message, sizeof result->message, format, arguments);
    va_end(arguments);
    result->end = ENGINE_REFUSED;
    return false;
}

static bool invalid(struct engine_result *result, enum hazard_fix fix, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool invalid(struct engine_result *result, enum hazard_fix fix, const char *format, ...) {
    result->end = ENGINE_COMPLETED;
    result->hazards = mem_zalloc(sizeof *result->hazards);
    result->hazard_count = 1;
    result->hazards[0].kind = HAZARD_INVALID_LAUNCH;
    result->hazards[0].count = 1;
    result->hazards[0].fix = fix;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->hazards[0].message, sizeof result->hazards[0].message, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_sizes(const struct launch *launch, struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    struct dim3 grid = request->grid, block = request->block;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (!grid.x || !grid.y || !grid.z || !threads)
        return invalid(result, FIX_EXTENTS,
                       "grid (%u, %u, %u) and block (%u, %u, %u): no extent may be 0", grid.x,
                       grid.y, grid.z, block.x, block.y, block.z);
    if (block.x > MAX_THREADS || block.y > MAX_THREADS || block.z > MAX_BLOCK_Z ||
        threads > MAX_THREADS)
        return invalid(result, FIX_OF_PAGE,
                       "block (%u, %u, %u) has %llu threads: a block has at most 1024, and at most "
                       "64 in z",
                       block.x, block.y, block.z, (unsigned long long)threads);
    if (grid.x > INT32_MAX || grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ)
        return invalid(result, FIX_EXTENTS, "grid (%u, %u, %u): y and z are at most 65535", grid.x,
                       grid.y, grid.z);
    const uint32_t *most = launch->kernel->max_threads, *exact = launch->kernel->required_threads;
    if (most[0] && threads > (uint64_t)most[0] * most[1] * most[2])
        return invalid(result, FIX_LAUNCH_BOUNDS,
                       "block of %llu threads, but __launch_bounds__ allows %u",
                       (unsigned long long)threads, most[0] * most[1] * most[2]);
    if (exact[0] && (block.x != exact[0] || block.y != exact[1] || block.z != exact[2]))
        return invalid(result, FIX_LAUNCH_BOUNDS,
                       "block (%u, %u, %u), but the kernel requires (%u, %u, %u)", block.x, block.y,
                       block.z, exact[0], exact[1], exact[2]);
    uint64_t registers = occupancy_block_registers(threads, request->registers);
    if (registers > OCCUPANCY_BLOCK_REGISTERS && !request->device)
        return invalid(result, FIX_REGISTERS,
                       "block of %llu threads with %u registers each: a block has at most %d "
                       "registers, and the launch fails",
                       (unsigned long long)threads, request->registers, OCCUPANCY_BLOCK_REGISTERS);
    return true;
}

/* What the launch says counts, or else what the kernel does; where both do, they must agree. */
static bool check_cluster(struct launch *launch, struct engine_result *result) {
    struct dim3 grid = launch->request->grid, size = launch->request->cluster;
    const uint32_t *own = launch->kernel->cluster_blocks;
    if (size.x && own[0] && (size.x != own[0] || size.y != own[1] || size.z != own[2]))
        return invalid(result, FIX_CLUSTER,
                       "a launch in clusters of (%u, %u, %u) blocks, but the kernel is made for "
                       "clusters of (%u, %u, %u)",
                       size.x, size.y, size.z, own[0], own[1], own[2]);
    if (!size.x)
        size = own[0] ? (struct dim3){own[0], own[1], own[2]} : (struct dim3){1, 1, 1};
    bool some = size.x && size.y && size.z,
         few = size.x <= grid.x && size.y <= grid.y && size.z <= grid.z;
    uint64_t count = few ? (uint64_t)size.x * size.y * size.z : UINT64_MAX;
    if (!some)
        return invalid(result, FIX_CLUSTER, "clusters of (%u, %u, %u) blocks: no extent may be 0",
                       size.x, size.y, size.z);
    if (few && count > MAX_CLUSTER_BLOCKS)
        return invalid(result, FIX_CLUSTER,
                       "clusters of (%u, %u, %u) blocks: a cluster has at most %d", size.x, size.y,
                       size.z, MAX_CLUSTER_BLOCKS);
    if (grid.x % size.x || grid.y % size.y || grid.z % size.z)
        return invalid(result, FIX_CLUSTER,
                       "grid (%u, %u, %u), but clusters of (%u, %u, %u) blocks: each extent of the "
                       "grid must be a multiple of the cluster's",
                       grid.x, grid.y, grid.z, size.x, size.y, size.z);
    launch->cluster = size;
    launch->cluster_size = (uint32_t)count;
    return true;
}

static bool check_shared(const struct launch *launch, struct engine_result *result) {
    uint64_t fixed = launch->program->static_shared_bytes;
    if (fixed > MAX_STATIC_SHARED)
        return invalid(result, FIX_OF_PAGE,
                       "%llu bytes of __shared__ variables: at most 49152 may be static",
                       (unsigned long long)fixed);
    if (fixed + launch->request->shared_bytes > MAX_SHARED)
        return invalid(result, FIX_OF_PAGE,
                       "%llu bytes of shared memory a block: no GPU has more than %d",
                       (unsigned long long)(fixed + launch->request->shared_bytes), MAX_SHARED);
    return true;
}

/* Arguments that are parameters; the others are the contents of variables. */
static size_t count_passed(const struct engine_launch *request) {
    size_t count = 0;
    for (size_t i = 0; i < request->argument_count; i++)
        count += !request->arguments[i].constant;
    return count;
}

static const char *structure_advice(const struct ptx_variable *param) {
    return param->bytes > 8 ? ": a structure is given as bytes=@FILE" : "";
}

/* Names the first parameter that has no argument. */
static bool refuse_count(const struct ptx_function *kernel, size_t passed,
                         struct engine_result *result) {
    struct ptx_span name = ptx_plain_name(kernel->name);
    refuse(result, "the kernel %.*s takes %zu argument%s, %zu %s given", (int)name.length,
           name.start, kernel->param_count, text_plural(kernel->param_count), passed,
           passed == 1 ? "was" : "were");
    if (passed >= kernel->param_count)
        return false;
    const struct ptx_variable *param = &kernel->variables[kernel->params[passed]];
    size_t used = strlen(result->message);
    snprintf(result->message + used, sizeof result->message - used,
             "; parameter %zu has %llu bytes%s", passed + 1, (unsigned long long)param->bytes,
             structure_advice(param));
    return false;
}

/* Where the buffer that the argument names lies, and in it, the place that it points to. */
static bool find_alias(const struct launch *launch, const struct engine_argument *argument,
                       uint64_t *value) {
    const struct engine_launch *request = launch->request;
    uint64_t window = WINDOW_FIRST_VARIABLE + launch->program->variable_count;
    if (argument->alias > request->argument_count || argument->scalar > OFFSET_MASK)
        return false;
    const struct engine_argument *buffer = &request->arguments[argument->alias - 1];
    for (const struct engine_argument *other = request->arguments; other < buffer; other++)
        window += other->is_buffer && !other->constant;
    *value = ADDRESS_OF(window) + argument->scalar;
    return buffer->is_buffer && !buffer->constant;
}

/* The parameter block: the arguments at the offsets that the kernel's parameters have. */
static bool fill_params(struct launch *launch, struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    const struct ptx_function *kernel = launch->kernel;
    size_t passed = count_passed(request);
    if (kernel->param_count != passed)
        return refuse_count(kernel, passed, result);
    uint64_t window = WINDOW_FIRST_VARIABLE + launch->program->variable_count, offset = 0;
    launch->params = mem_zalloc(64 << 10);
    const struct engine_argument *argument = request->arguments;
    for (size_t i = 0; i < kernel->param_count; i++, argument++) {
        const struct ptx_variable *param = &kernel->variables[kernel->params[i]];
        while (argument->constant)
            argument++;
        uint64_t alignment = param->alignment ? param->alignment : 1;
        offset = (offset + alignment - 1) / alignment * alignment;
        uint64_t bytes = argument->is_buffer || argument->alias ? 8
                         : argument->by_value                   ? argument->count
                                              : element_infos[argument->type].bytes;
        uint64_t value = argument->is_buffer ? ADDRESS_OF(window++) : argument->scalar;
        if (param->bytes != bytes)
            return refuse(result,
                          "argument %zu (%s) has %llu bytes, the kernel's parameter %zu has %llu%s",
                          i + 1, argument->name, (unsigned long long)bytes, i + 1,
                          (unsigned long long)param->bytes, structure_advice(param));
        if (argument->alias && !find_alias(launch, argument, &value))
            return refuse(result, "argument %zu is no alias of a buffer", i + 1);
        if (argument->by_value)
            memcpy(launch->params + offset, (const char *)request->data + argument->data_offset,
                   bytes);
        else
            memcpy(launch->params + offset, &value, bytes);
        offset += bytes;
    }
    struct allocation *params = &launch->allocations[WINDOW_PARAM];
    *params = (struct allocation){
        .bytes = launch->params, .length = offset, .read_only = true, .is_const = true};
    return true;
}

static void track_races(const struct launch *launch, struct allocation *allocation) {
    if (!launch->checks)
        return;
    cells_make(&allocation->writes, allocation->length);
    cells_make(&allocation->reads, allocation->length);
}

/* Sparse memory, of which only what is touched is made: see lazy_buffer.c. */
static bool place_filled(const struct launch *launch, const struct engine_argument *argument,
                         struct allocation *allocation, struct engine_result *result) {
    uint64_t length;
    bool on_one_thread = launch->request->device || launch->request->probe_count;
    if (!on_one_thread || launch->checks ||
        __builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, &length) ||
        length > OFFSET_MASK)
        return refuse(result, "the buffer %s cannot be made on demand", argument->name);
    *allocation = (struct allocation){.bytes = mem_sparse(length + BUFFER_SLACK, 1),
                                      .length = length,
                                      .read_only = argument->read_only,
                                      .filled = mem_calloc(lazy_buffer_bitmap_words(length), 8),
                                      .argument = argument};
    return true;
}

/* Nothing writes to a read-only buffer, and vectors may be read beyond its end. */
static bool stays_in_place(const struct engine_launch *request,
                           const struct engine_argument *argument, uint64_t length) {
    enum { ALIGNMENT = 16 }; /* malloc()'s */
    return argument->read_only && length + BUFFER_SLACK <= request->data_length &&
           argument->data_offset <= request->data_length - length - BUFFER_SLACK &&
           ((uintptr_t)request->data + argument->data_offset) % ALIGNMENT == 0;
}

static bool place_buffers(struct launch *launch, struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    uint32_t window = WINDOW_FIRST_VARIABLE + (uint32_t)launch->program->variable_count;
    for (size_t i = 0; i < request->argument_count; i++) {
        const struct engine_argument *argument = &request->arguments[i];
        if (!argument->is_buffer || argument->constant)
            continue;
        uint64_t length;
        if (argument->fill.kind != ENGINE_FILL_DATA) {
            if (!place_filled(launch, argument, &launch->allocations[window++], result))
                return false;
            continue;
        }
        if (__builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, &length) ||
            length > request->data_length || argument->data_offset > request->data_length - length)
            return refuse(result, "the buffer %s does not lie inside the launch's data",
                          argument->name);
        struct allocation *allocation = &launch->allocations[window++];
        *allocation = (struct allocation){.in_place = stays_in_place(request, argument, length),
                                          .length = length,
                                          .read_only = argument->read_only,
                                          .argument = argument};
        allocation->bytes = allocation->in_place
                                ? (unsigned char *)request->data + argument->data_offset
                                : mem_alloc(length + BUFFER_SLACK);
        if (!allocation->in_place)
            mem_expect_use(allocation->bytes, length);
        if (argument->uninitialized && launch->checks)
            allocation->shadow = mem_alloc(length + BUFFER_SLACK);
        if (!argument->read_only)
            track_races(launch, allocation);
    }
    return true;
}

/* What the variables take, with the race detector's cells. */
static bool check_variables(const struct launch *launch, struct engine_result *result) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < launch->program->variable_count; i++)
        if (launch->program->variables[i].space != SPACE_SHARED)
            bytes += launch->program->variables[i].bytes;
    uint64_t cells = launch->checks ? 4 * bytes : 0;
    if (bytes + cells > MAX_VARIABLES)
        return refuse(result,
                      "the kernel's variables take %llu MiB, and %llu MiB to check them: at most "
                      "%d MiB together",
                      (unsigned long long)bytes >> 20, (unsigned long long)cells >> 20,
                      MAX_VARIABLES >> 20);
    return true;
}

static void place_module_variables(struct launch *launch) {
    for (size_t i = 0; i < launch->program->variable_count; i++) {
        const struct placed_variable *placed = &launch->program->variables[i];
        if (placed->space == SPACE_SHARED || outliving_has(launch, placed))
            continue;
        struct allocation *allocation = &launch->allocations[WINDOW_FIRST_VARIABLE + i];
        *allocation = (struct allocation){.bytes = mem_sparse(placed->bytes + BUFFER_SLACK, 1),
                                          .length = placed->bytes,
                                          .read_only = placed->space == SPACE_CONST,
                                          .is_const = placed->space == SPACE_CONST,
                                          .variable = placed};
        if (placed->space != SPACE_CONST)
            track_races(launch, allocation);
    }
}

/* "x", or "_ZL1x" where the source says static. */
static bool is_called(struct ptx_span symbol, const char *name) {
    char local[96];
    size_t length = strlen(name);
    int mangled = snprintf(local, sizeof local, "_ZL%zu%s", length, name);
    return (symbol.length == length && memcmp(symbol.start, name, length) == 0) ||
           (symbol.length == (size_t)mangled && memcmp(symbol.start, local, symbol.length) == 0);
}

static bool place_contents(struct launch *launch, const struct engine_argument *argument,
                           struct engine_result *result) {
    const struct engine_launch *request = launch->request;
    uint64_t length;
    bool found = false;
    if (argument->fill.kind != ENGINE_FILL_DATA ||
        __builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, &length) ||
        length > request->data_length || argument->data_offset > request->data_length - length)
        return refuse(result, "the contents of %s do not lie inside the launch's data",
                      argument->name);
    for (size_t i = 0; i < launch->program->variable_count; i++) {
        const struct placed_variable *placed = &launch->program->variables[i];
        if (placed->space == SPACE_SHARED ||
            !is_called(launch->module->variables[placed->packed_offset].name, argument->name))
            continue;
        if (placed->space != SPACE_CONST && !argument->symbol)
            return invalid(result, FIX_CONSTANT_MEMORY,
                           "the variable %s is in global memory, not in constant memory",
                           argument->name);
        if (placed->bytes < length)
            return invalid(
                result, FIX_CONSTANT_MEMORY,
                "the __constant__ variable %s has %llu bytes, but the launch copies %llu "
                "into it",
                argument->name, (unsigned long long)placed->bytes, (unsigned long long)length);
        found = true;
        launch->allocations[WINDOW_FIRST_VARIABLE + i].contents = argument;
    }
    if (argument->symbol && !found)
        return refuse(result, "the kernel uses no variable named %s", argument->name);
    return true;
}

/* What the host would write with cudaMemcpyToSymbol. A kernel that does not use the variable has
 * none. */
static bool fill_constants(struct launch *launch, struct engine_result *result) {
    for (size_t i = 0; i < launch->request->argument_count; i++)
        if (launch->request->arguments[i].constant &&
            !place_contents(launch, &launch->request->arguments[i], result))
            return false;
    return true;
}

uint64_t launch_block_bytes(const struct launch *launch) {
    struct dim3 size = launch->request->block;
    uint64_t warps = ((uint64_t)size.x * size.y * size.z + WARP_LANES - 1) / WARP_LANES;
    return warps * (launch->program->functions[0].register_bytes +
                    2 * WARP_LANES * ((uint64_t)launch->local_bytes + 16)) +
           2 * launch->program->shared_window_bytes;
}

static bool check_block_bytes(const struct launch *launch, struct engine_result *result) {
    uint64_t bytes = launch_block_bytes(launch);
    if (bytes * launch->cluster_size > MAX_HOST_BYTES)
        return refuse(
            result,
            "the registers and local variables of a block take %llu MiB here (%u bytes of "
            "local variables a thread); at most %d MiB",
            (unsigned long long)bytes >> 20, launch->local_bytes, MAX_HOST_BYTES >> 20);
    return true;
}

static uint32_t function_end(const struct program *program, size_t index) {
    return index + 1 < program->function_count ? program->functions[index + 1].entry_pc
                                               : (uint32_t)program->length;
}

/* Where the function with the largest frame first uses local memory or, as with -G, where it
 * begins. */
static void set_local_place(struct engine_result *result, const struct program *program) {
    size_t largest = 0;
    for (size_t i = 1; i < program->function_count; i++)
        if (program->functions[i].local_bytes > program->functions[largest].local_bytes)
            largest = i;
    uint32_t at = program->functions[largest].entry_pc, end = function_end(program, largest);
    for (uint32_t pc = at; pc < end; pc++)
        if (program->code[pc].space == SPACE_LOCAL && program->origins[pc].line) {
            at = pc;
            break;
        }
    while (at + 1 < end && !program->origins[at].line)
        at++;
    hazard_set_place(&result->hazards[0], program, at);
}

/* Where calls may recurse: what the program has asked for with cudaDeviceSetLimit(), if more. */
static uint32_t recursive_stack(const struct engine_launch *request) {
    uint64_t asked = request->memory ? request->memory->stack_bytes : 0;
    return asked > MAX_STACK_BYTES ? MAX_STACK_BYTES
           : asked > STACK_BYTES   ? (uint32_t)asked
                                   : STACK_BYTES;
}

/* The kernel, with this launch's dynamic shared memory. */
static bool take_program(struct launch *launch, struct sim_module *module,
                         struct engine_result *result) {
    struct error error = {0};
    const struct engine_launch *request = launch->request;
    enum program_clusters clusters = launch->cluster_size > 1 ? CLUSTERS_OF_SEVERAL
                                     : request->cluster.x     ? CLUSTERS_OF_ONE
                                                              : CLUSTERS_NONE;
    const struct prepared_kernel *prepared =
        module_kernel(module, launch->kernel, request, clusters, &error);
    if (!prepared || program_lay_out(prepared->program, launch->module, request->shared_bytes,
                                     &launch->laid_out, &error) != STATUS_OK)
        return refuse(result, "%s", error.message);
    launch->program = &launch->laid_out;
    launch->laid_out.cooperative &= !request->is_plain;
    launch->precise = prepared->precise;
    uint32_t stack = prepared->stack_bytes;
    launch->local_bytes =
        stack == STACK_RECURSES || stack > MAX_STACK_BYTES ? recursive_stack(request) : stack + 16;
    result->static_shared_bytes = launch->program->static_shared_bytes;
    if (!check_shared(launch, result))
        return false;
    if (launch->program->function_count > MAX_FUNCTIONS)
        return refuse(result, "the kernel calls more than %d functions", MAX_FUNCTIONS);
    /* where calls recurse or go through pointers, the kernel's own frame must fit all the same */
    const struct program_function *kernel = &launch->program->functions[0];
    uint64_t frame = (uint64_t)kernel->local_bytes + kernel->param_area_bytes;
    bool fits =
        frame <= launch->local_bytes && (stack == STACK_RECURSES || stack <= MAX_STACK_BYTES);
    if (!fits && stack == STACK_RECURSES)
        invalid(result, FIX_LOCAL_MEMORY,
                "the kernel keeps %llu bytes of local variables a thread, and calls that recurse "
                "leave it %u KiB",
                (unsigned long long)frame, launch->local_bytes >> 10);
    else if (!fits)
        invalid(result, FIX_LOCAL_MEMORY,
                "the local variables of a thread need more than %d KiB, and no GPU gives it more",
                MAX_STACK_BYTES >> 10);
    if (!fits)
        set_local_place(result, launch->program);
    return fits;
}

bool launch_open(struct launch *launch, struct sim_module *module, struct engine_result *result) {
    struct error error = {0};
    const struct engine_launch *request = launch->request;
    launch->module = module_syntax(module, &error);
    if (!launch->module ||
        ptx_find_kernel(launch->module, request->kernel, &launch->kernel, &error) != STATUS_OK)
        return refuse(result, "%s", error.message);
    if (!check_sizes(launch, result) || !check_cluster(launch, result) ||
        !take_program(launch, module, result))
        return false;
    launch->block_count = (uint64_t)request->grid.x * request->grid.y * request->grid.z;
    launch->allocation_count = (uint32_t)(WINDOW_FIRST_VARIABLE + launch->program->variable_count +
                                          request->argument_count);
    if (request->memory && !outliving_count(launch, result))
        return false;
    launch->allocations = mem_calloc(launch->allocation_count, sizeof *launch->allocations);
    if (!check_block_bytes(launch, result) || !check_variables(launch, result))
        return false;
    place_module_variables(launch);
    launch->allocations[WINDOW_GRID] = (struct allocation){
        .bytes = (unsigned char *)launch->grid_workspace, .length = sizeof launch->grid_workspace};
    if (launch->program->cooperative && launch->block_count > launch_resident_limit(launch))
        return invalid(result, FIX_OF_PAGE,
                       "a grid of %llu blocks with a grid-wide barrier: all of them must run at "
                       "once, and at most %zu of this size can",
                       (unsigned long long)launch->block_count, launch_resident_limit(launch));
    if (request->memory)
        return outliving_place(launch, result);
    return place_buffers(launch, result) && fill_constants(launch, result) &&
           fill_params(launch, result);
}

static void free_bytes(struct allocation *allocation) {
    if (!allocation->bytes || allocation->in_place)
        return;
    if (allocation->filled || allocation->variable)
        mem_sparse_free(allocation->bytes, allocation->length + BUFFER_SLACK, 1);
    else
        free(allocation->bytes);
}

void launch_close(struct launch *launch) {
    heap_free(launch);
    outliving_give_back(launch);
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++) {
        free_bytes(&launch->allocations[i]);
        free(launch->allocations[i].shadow);
        free(launch->allocations[i].filled);
        cells_free(&launch->allocations[i].writes);
        cells_free(&launch->allocations[i].reads);
    }
    free(launch->allocations);
    free(launch->params);
    program_lay_out_free(&launch->laid_out);
}
