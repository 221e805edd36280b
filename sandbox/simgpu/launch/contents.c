/* What memory holds before the first instruction, and what of it goes back to the caller.
 *
 * A launch may be repeated (launch.c): what it may write to is brought back for that. Read-only
 * buffers are the request's own bytes and need neither. */
#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/exec/heap.h"
#include "sandbox/simgpu/launch/launch.h"
#include "sandbox/simgpu/launch/module.h"
#include "sandbox/simgpu/launch/outliving.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"

#include <string.h>

static uint64_t symbol_address(const struct launch *launch, struct ptx_span name) {
    const struct program *program = launch->program;
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct placed_variable *placed = &program->variables[i];
        if (placed->space == SPACE_SHARED)
            continue;
        struct ptx_span other = launch->module->variables[placed->packed_offset].name;
        if (other.length == name.length && memcmp(other.start, name.start, name.length) == 0)
            return placed->address;
    }
    for (size_t i = 0; i < program->function_count; i++)
        if (program->functions[i].name.length == name.length &&
            memcmp(program->functions[i].name.start, name.start, name.length) == 0)
            return ADDRESS_OF(WINDOW_FUNCTION) + 16 * i;
    return 0;
}

static void fill_variable(struct launch *launch, struct allocation *allocation) {
    const struct ptx_variable *source =
        &launch->module->variables[allocation->variable->packed_offset];
    const unsigned char *left =
        launch->left ? launch->left[allocation - launch->allocations] : NULL;
    if (left) {
        memcpy(allocation->bytes, left, allocation->length);
        return;
    }
    if (source->initial)
        memcpy(allocation->bytes, source->initial, allocation->length);
    else if (launch->repeated)
        memset(allocation->bytes, 0, allocation->length);
    for (size_t i = 0; i < source->relocation_count; i++) {
        uint64_t address = symbol_address(launch, source->relocations[i].name) +
                           (uint64_t)source->relocations[i].addend;
        if ((uint64_t)source->relocations[i].offset + 8 <= allocation->length)
            memcpy(allocation->bytes + source->relocations[i].offset, &address, 8);
    }
}

void launch_fill_memory(struct launch *launch) {
    heap_free(launch);
    heap_open(launch);
    memset(launch->grid_workspace, 0, sizeof launch->grid_workspace);
    if (launch->request->memory)
        outliving_fill(launch);
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++) {
        struct allocation *allocation = &launch->allocations[i];
        if (allocation->variable && !outliving_has(launch, allocation->variable))
            fill_variable(launch, allocation);
        if (allocation->contents && !allocation->contents->uninitialized)
            memcpy(allocation->bytes,
                   (const char *)launch->request->data + allocation->contents->data_offset,
                   allocation->contents->count * element_infos[allocation->contents->type].bytes);
        if (!allocation->argument || !allocation->length || allocation->filled ||
            launch->request->memory)
            continue;
        if (!allocation->in_place)
            memcpy(allocation->bytes,
                   (const char *)launch->request->data + allocation->argument->data_offset,
                   allocation->length);
        if (allocation->shadow)
            memset(allocation->shadow, SHADOW_UNINITIALIZED, allocation->length);
    }
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count && launch->repeated;
         i++) {
        struct allocation *allocation = &launch->allocations[i];
        if (!allocation->writes.words)
            continue;
        cells_forget(&allocation->writes);
        cells_forget(&allocation->reads);
    }
}

void launch_read_back(struct launch *launch) {
    if (launch->request->memory) { /* all else has been done in place */
        heap_keep(launch);
        return;
    }
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        if (allocation->argument && allocation->length && !allocation->filled &&
            !allocation->in_place)
            memcpy((char *)launch->request->data + allocation->argument->data_offset,
                   allocation->bytes, allocation->length);
        const struct engine_argument *symbol = allocation->contents;
        if (symbol && symbol->symbol)
            memcpy((char *)launch->request->data + symbol->data_offset, allocation->bytes,
                   symbol->count * element_infos[symbol->type].bytes);
    }
}
