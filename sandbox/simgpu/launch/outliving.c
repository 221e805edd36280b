/* A launch in memory that outlives it: a whole program's blocks, at addresses that they keep.
 *
 * The kernel works on the blocks in place, and their shadow says what any launch or copy has ever
 * written. A launch may run several times (launch.c), so that what it changes is copied before it
 * does (state/saved_chunks.c) and brought back before each other run. What races are found in is
 * the launch's own: kernels of one stream are ordered.
 *
 * Variables of the module are blocks, too, which the host has placed. In a launch that has no such
 * memory and is followed by a second one, they are all that outlives it. */
#include "sandbox/simgpu/launch/outliving.h"
#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/saved_chunks.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETER_ROOM = 64 << 10 };

bool outliving_count(struct launch *launch, struct engine_result *result) {
    const struct engine_memory *memory = launch->request->memory;
    if (launch->program->variable_count < WINDOW_FIRST_BLOCK - WINDOW_FIRST_VARIABLE &&
        memory->block_count <= ENGINE_MAX_BLOCKS) {
        launch->allocation_count = WINDOW_FIRST_BLOCK + (uint32_t)memory->block_count;
        return true;
    }
    snprintf(result->message, sizeof result->message,
             "the kernel uses %zu variables, at most %d; the program has %zu blocks of memory, at "
             "most %d",
             launch->program->variable_count, WINDOW_FIRST_BLOCK - WINDOW_FIRST_VARIABLE,
             memory->block_count, ENGINE_MAX_BLOCKS);
    result->end = ENGINE_REFUSED;
    return false;
}

bool outliving_has(const struct launch *launch, const struct placed_variable *variable) {
    return launch->request->memory && variable->address >> ADDRESS_SHIFT >= WINDOW_FIRST_BLOCK;
}

static void place_block(struct launch *launch, const struct engine_block *block, size_t number) {
    struct allocation *allocation = &launch->allocations[WINDOW_FIRST_BLOCK + number];
    bool is_constant = block->kind == ENGINE_BLOCK_CONSTANT;
    *allocation = (struct allocation){.bytes = block->bytes,
                                      .shadow = launch->checks ? block->shadow : NULL,
                                      .length = block->about.count,
                                      .read_only = is_constant,
                                      .is_const = is_constant,
                                      .argument = &block->about};
    if (!is_constant)
        allocation->saved =
            saved_chunks_create(allocation->bytes, allocation->shadow, allocation->length);
    if (launch->checks && !is_constant) {
        cells_make(&allocation->writes, allocation->length);
        cells_make(&allocation->reads, allocation->length);
    }
}

/* Messages call a variable of this kernel as the source does, with its type. */
static void name_variables(struct launch *launch) {
    for (size_t i = 0; i < launch->program->variable_count; i++) {
        const struct placed_variable *placed = &launch->program->variables[i];
        uint64_t window = placed->address >> ADDRESS_SHIFT;
        if (placed->space == SPACE_SHARED || !outliving_has(launch, placed) ||
            window >= launch->allocation_count)
            continue;
        launch->allocations[window].variable = placed;
        launch->allocations[window].argument = NULL;
    }
}

bool outliving_place(struct launch *launch, struct engine_result *result) {
    const struct engine_memory *memory = launch->request->memory;
    struct sim_parameter parameters[SIM_MAX_PARAMETERS];
    size_t count = 0, needed = 0;
    for (size_t i = 0; i < memory->block_count; i++)
        if (memory->blocks[i].bytes)
            place_block(launch, &memory->blocks[i], i);
    name_variables(launch);
    if (launch_parameters(launch->kernel, parameters, &count) && count)
        needed = parameters[count - 1].offset + parameters[count - 1].bytes;
    if (needed > memory->parameter_bytes || memory->parameter_bytes > PARAMETER_ROOM) {
        snprintf(result->message, sizeof result->message,
                 "the kernel's parameters take %zu bytes, %zu were given", needed,
                 memory->parameter_bytes);
        result->end = ENGINE_REFUSED;
        return false;
    }
    launch->params = mem_zalloc(PARAMETER_ROOM);
    memcpy(launch->params, memory->parameters, needed);
    launch->allocations[WINDOW_PARAM] = (struct allocation){
        .bytes = launch->params, .length = needed, .read_only = true, .is_const = true};
    return true;
}

void outliving_fill(struct launch *launch) {
    for (uint32_t i = WINDOW_FIRST_BLOCK; i < launch->allocation_count; i++)
        if (launch->repeated && launch->allocations[i].saved)
            saved_chunks_restore(launch->allocations[i].saved);
}

void outliving_give_back(struct launch *launch) {
    if (!launch->request->memory)
        return;
    for (uint32_t i = WINDOW_FIRST_BLOCK; i < launch->allocation_count; i++) {
        struct allocation *allocation = &launch->allocations[i];
        saved_chunks_free(allocation->saved);
        allocation->saved = NULL;
        allocation->bytes = allocation->shadow = NULL;
    }
}

/* ---- variables alone, for the next launch of a module ---- */

uint64_t launch_variable_bytes(const struct launch *launch) {
    uint64_t bytes = 0;
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++)
        bytes += launch->allocations[i].variable ? launch->allocations[i].length : 0;
    return bytes;
}

unsigned char **launch_variables(const struct launch *launch) {
    unsigned char **variables = mem_calloc(launch->allocation_count + 1, sizeof *variables);
    for (uint32_t i = WINDOW_FIRST_VARIABLE; i < launch->allocation_count; i++)
        if (launch->allocations[i].variable && launch->allocations[i].length)
            variables[i] = mem_dup(launch->allocations[i].bytes, launch->allocations[i].length);
    return variables;
}

void launch_variables_free(unsigned char **variables, uint32_t count) {
    for (uint32_t i = 0; variables && i < count; i++)
        free(variables[i]);
    free(variables);
}
