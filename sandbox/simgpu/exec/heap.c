/* The device's heap: malloc and free inside kernels (CUDA C++ Programming Guide, "Dynamic Global
 * Memory Allocation"). 8 MiB, the default of cudaLimitMallocHeapSize, unless the program has set
 * it; NULL when it is used up.
 *
 * Every block is an allocation of its own after those of the launch, with its own window of
 * addresses: running off its end, using it after free and freeing it twice are found as such.
 * Windows of freed blocks are not used again before many others have been. Kernels that call malloc
 * run on one host thread, because the table of allocations grows. */
#include "sandbox/simgpu/exec/heap.h"

#include "sandbox/simgpu/check/describe.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/race_budget.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAP_BYTES = 8 << 20,
    HEAP_ALIGNMENT = 16,
    HEAP_SLACK = 64,       /* bytes after a block: vectors may be read whole */
    HEAP_HEADER = 16,      /* what a block costs besides its bytes */
    KEPT_WINDOWS = 4096,   /* of freed blocks, so that who uses one later is told what it was */
    HEAP_WINDOWS = 1 << 18 /* from then on, windows of blocks long freed are used again */
};

struct heap {
    uint32_t first; /* window of the first block */
    uint32_t outer; /* windows before the heap was opened */
    uint64_t used_bytes;
    uint32_t capacity; /* of launch->allocations */
    uint32_t *freed;   /* windows, oldest first */
    size_t freed_count, freed_capacity, reused;
};

static bool keeps_heap(const struct launch *launch) {
    return launch->request->memory && launch->request->memory->heap;
}

static struct heap *heap_of(struct launch *launch) {
    if (launch->heap)
        return launch->heap;
    struct heap *heap = launch->heap = mem_zalloc(sizeof *launch->heap);
    heap->outer = heap->first = launch->allocation_count;
    if (keeps_heap(launch)) /* what stays must have addresses that stay */
        heap->first = WINDOW_FIRST_BLOCK + ENGINE_MAX_BLOCKS;
    launch->allocations =
        mem_realloc(launch->allocations, heap->first + 1, sizeof *launch->allocations);
    memset(launch->allocations + heap->outer, 0,
           (heap->first - heap->outer) * sizeof *launch->allocations);
    launch->allocation_count = heap->first;
    heap->capacity = heap->first + 1;
    return heap;
}

static uint32_t new_window(struct launch *launch) {
    struct heap *heap = launch->heap;
    if (launch->allocation_count - heap->first >= HEAP_WINDOWS && heap->reused < heap->freed_count)
        return heap->freed[heap->reused++];
    if (launch->allocation_count == heap->capacity) {
        heap->capacity = 2 * heap->capacity + 64;
        launch->allocations =
            mem_realloc(launch->allocations, heap->capacity, sizeof *launch->allocations);
    }
    return launch->allocation_count++;
}

static uint64_t heap_bytes(const struct launch *launch) {
    const struct engine_memory *memory = launch->request->memory;
    return memory && memory->heap_bytes ? memory->heap_bytes : HEAP_BYTES;
}

static uint64_t cost_of(uint64_t bytes) {
    return (bytes + HEAP_ALIGNMENT - 1) / HEAP_ALIGNMENT * HEAP_ALIGNMENT + HEAP_HEADER;
}

static device_address allocate(struct launch *launch, uint64_t bytes, uint32_t pc) {
    struct heap *heap = heap_of(launch);
    uint64_t most = heap_bytes(launch);
    if (bytes > most || heap->used_bytes + cost_of(bytes) > most)
        return 0;
    heap->used_bytes += cost_of(bytes);
    uint32_t window = new_window(launch);
    struct allocation *allocation = &launch->allocations[window];
    *allocation = (struct allocation){
        .bytes = mem_zalloc(bytes + HEAP_SLACK), .length = bytes, .on_heap = true, .malloc_pc = pc};
    memset(allocation->bytes, 0xcd, bytes); /* old contents must not look like an answer */
    if (launch->checks) {
        allocation->shadow = mem_zalloc(bytes + HEAP_SLACK);
        memset(allocation->shadow, SHADOW_UNINITIALIZED, bytes);
        cells_make(&allocation->writes, bytes);
        cells_make(&allocation->reads, bytes);
    }
    return ADDRESS_OF(window);
}

static void release(struct allocation *allocation) {
    free(allocation->bytes);
    free(allocation->shadow);
    cells_free(&allocation->writes);
    cells_free(&allocation->reads);
    allocation->bytes = allocation->shadow = NULL;
}

static void deallocate(struct warp *warp, uint32_t pc, unsigned lane, device_address address) {
    struct launch *launch = warp->block->launch;
    uint64_t window = address >> ADDRESS_SHIFT;
    struct heap *heap = heap_of(launch);
    if (!address)
        return;
    struct allocation *allocation = window >= heap->first && window < launch->allocation_count
                                        ? &launch->allocations[window]
                                        : NULL;
    if (allocation && allocation->bytes && !(address & OFFSET_MASK)) {
        heap->used_bytes -= cost_of(allocation->length);
        release(allocation);
        allocation->free_pc = pc;
        *mem_push(&heap->freed, &heap->freed_count, &heap->freed_capacity) = (uint32_t)window;
        return;
    }
    char made[LINE_TEXT], freed[LINE_TEXT];
    lane_mask bit = (lane_mask)1 << lane;
    if (!allocation)
        hazard_suggest(hazard_report(warp, pc, PC_NONE, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, bit,
                                     "free of 0x%llx, which malloc did not return",
                                     (unsigned long long)address),
                       FIX_FREED_POINTER);
    else if (!allocation->bytes)
        hazard_suggest(hazard_report(warp, pc, allocation->free_pc, HAZARD_OUT_OF_BOUNDS,
                                     SEVERITY_ERROR, bit,
                                     "free of memory from malloc (%s) that has been freed before "
                                     "(%s)",
                                     describe_line(launch->program, allocation->malloc_pc, made),
                                     describe_line(launch->program, allocation->free_pc, freed)),
                       FIX_USE_AFTER_FREE);
    else
        hazard_suggest(hazard_report(warp, pc, PC_NONE, HAZARD_OUT_OF_BOUNDS, SEVERITY_ERROR, bit,
                                     "free of a pointer into the middle of memory from malloc "
                                     "(%s), %llu bytes after its start",
                                     describe_line(launch->program, allocation->malloc_pc, made),
                                     (unsigned long long)(address & OFFSET_MASK)),
                       FIX_FREED_POINTER);
}

void heap_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
               lane_mask lanes) {
    uint32_t pc = insn_pc(warp, insn);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char *area = lane_local(warp, lane) + warp->frame->param_base;
        uint64_t argument = 0;
        if (call->argument_count)
            memcpy(&argument, area + call->arguments[0],
                   call->argument_bytes[0] < 8 ? call->argument_bytes[0] : 8);
        if (call->builtin == BUILTIN_FREE) {
            deallocate(warp, pc, lane, argument);
            continue;
        }
        device_address address = allocate(warp->block->launch, argument, pc);
        if (call->has_result)
            memcpy(area + call->result, &address, call->result_bytes < 8 ? call->result_bytes : 8);
    }
}

void heap_free(struct launch *launch) {
    struct heap *heap = launch->heap;
    if (!heap)
        return;
    for (uint32_t i = heap->first; i < launch->allocation_count; i++)
        release(&launch->allocations[i]);
    launch->allocation_count = heap->outer;
    free(heap->freed);
    free(heap);
    launch->heap = NULL;
}

/* ---- from launch to launch ---- */

void heap_open(struct launch *launch) {
    if (!keeps_heap(launch) || !launch->request->memory->heap->count)
        return;
    const struct engine_heap *kept = launch->request->memory->heap;
    struct heap *heap = heap_of(launch);
    for (size_t i = 0; i < kept->count; i++) {
        const struct engine_heap_piece *piece = &kept->pieces[i];
        uint32_t window = new_window(launch);
        struct allocation *allocation = &launch->allocations[window];
        *allocation = (struct allocation){
            .length = piece->count, .on_heap = true, .malloc_pc = PC_NONE, .free_pc = PC_NONE};
        if (!piece->bytes)
            continue;
        heap->used_bytes += cost_of(piece->count);
        allocation->bytes = mem_dup(piece->bytes, piece->count + HEAP_SLACK);
        if (!launch->checks || !piece->shadow)
            continue;
        allocation->shadow = mem_dup(piece->shadow, piece->count + HEAP_SLACK);
        cells_make(&allocation->writes, piece->count);
        cells_make(&allocation->reads, piece->count);
    }
}

static void forget_pieces(struct engine_heap *kept) {
    for (size_t i = 0; i < kept->count; i++) {
        free(kept->pieces[i].bytes);
        free(kept->pieces[i].shadow);
    }
    kept->count = 0;
}

void heap_keep(struct launch *launch) {
    if (!keeps_heap(launch) || !launch->heap)
        return;
    struct engine_heap *kept = launch->request->memory->heap;
    uint32_t first = launch->heap->first, end = launch->allocation_count;
    while (end - first > KEPT_WINDOWS && !launch->allocations[end - 1].bytes)
        end--;
    forget_pieces(kept);
    for (uint32_t window = first; window < end; window++) {
        struct allocation *allocation = &launch->allocations[window];
        *mem_push(&kept->pieces, &kept->count, &kept->capacity) =
            (struct engine_heap_piece){allocation->bytes, allocation->shadow, allocation->length};
        allocation->bytes = allocation->shadow = NULL;
    }
}
