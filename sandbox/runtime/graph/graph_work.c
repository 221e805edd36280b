/* What nodes do: taking it from the program, copying it, doing it. */
#include "sandbox/runtime/graph/graph.h"
#include "sandbox/runtime/pinned.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Memory that a graph allocates: there from the first, so that its address is known. Once the graph
 * frees it itself it is the graph's, and is given back with the last copy of the node. */
struct memory {
    void *start;
    unsigned users;
    bool is_graphs;
    struct memory *next;
};
static struct {
    pthread_mutex_t mutex;
    struct memory *first;
} memories = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void work_use_memory(const struct node_work *work, int users) {
    pthread_mutex_lock(&memories.mutex);
    struct memory **at = &memories.first;
    while (*at && (*at)->start != work->memory)
        at = &(*at)->next;
    if (!*at && users > 0)
        *at = calloc(1, sizeof **at);
    struct memory *memory = *at, *ended = NULL;
    if (memory) {
        memory->start = work->memory;
        memory->is_graphs |= work->type == NODE_FREE;
        memory->users += (unsigned)users;
        if (!memory->users) {
            *at = memory->next;
            ended = memory;
        }
    }
    pthread_mutex_unlock(&memories.mutex);
    if (ended && ended->is_graphs)
        link_ask(WIRE_FREE, (uintptr_t)ended->start, 0, 0, NULL);
    if (ended && ended->is_graphs)
        pool_forget(ended->start);
    free(ended);
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* The arguments' addresses, in the node's own copy. */
static cudaError_t point_to_arguments(struct node_kernel *node) {
    struct kernel *kernel;
    cudaError_t error = kernel_find(node->params.func, &kernel);
    if (error != cudaSuccess)
        return error;
    node->params.kernelParams = malloc((kernel->parameter_count + 1) * sizeof(void *));
    node->params.extra = NULL;
    for (size_t i = 0; node->params.kernelParams && i < kernel->parameter_count; i++)
        node->params.kernelParams[i] = node->launch->parameters + kernel->parameters[i].offset;
    return node->params.kernelParams ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t keep_launch(struct node_kernel *node, const struct launch *launch) {
    node->launch = malloc(launch_bytes(launch) + 1);
    if (!node->launch)
        return cudaErrorMemoryAllocation;
    memcpy(node->launch, launch, launch_bytes(launch));
    cudaError_t error = point_to_arguments(node);
    if (error != cudaSuccess)
        free(node->launch);
    return error;
}

cudaError_t work_of_kernel(const struct cudaKernelNodeParams *params,
                           const struct launch_shape *how, struct node_work *work) {
    struct kernel *kernel;
    struct launch launch;
    struct launch_shape shape = how ? *how : (struct launch_shape){0};
    shape.grid = params->gridDim;
    shape.block = params->blockDim;
    shape.shared_bytes = params->sharedMemBytes;
    cudaError_t error = kernel_find(params->func, &kernel);
    if (error == cudaSuccess && (params->extra || !params->gridDim.x || !params->blockDim.x))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = kernel_load(kernel);
    if (error == cudaSuccess && kernel->parameter_count && !params->kernelParams)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = launch_pack(kernel, &shape, params->kernelParams, &launch);
    if (error != cudaSuccess)
        return error;
    *work = (struct node_work){.type = NODE_KERNEL, .kernel.params = *params};
    return keep_launch(&work->kernel, &launch);
}

/* ---- copies and memsets -----------------------------------------------------------------------
 */

struct node_work work_of_row(void *to, const void *from, size_t bytes, int kind) {
    return (struct node_work){.type = NODE_COPY,
                              .copy = {.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                       .dstPtr = {to, bytes, bytes, 1},
                                       .extent = {bytes, 1, 1},
                                       .kind = kind}};
}

static cudaError_t do_copy(const struct cudaMemcpy3DParms *params) {
    cudaError_t error = volume_copy(params);
    bool plain = params->extent.height == 1 && params->extent.depth == 1;
    const void *to = params->dstPtr.ptr, *from = params->srcPtr.ptr;
    if (error != cudaSuccess || !plain || is_device_address(to) == is_device_address(from))
        return error;
    bool writes = is_device_address(from);
    char *host =
        (char *)(uintptr_t)(writes ? to : from) + (writes ? params->dstPos.x : params->srcPos.x);
    return pinned_contains(host, params->extent.width)
               ? guard_add(host, params->extent.width, writes)
               : cudaSuccess;
}

cudaError_t work_of_fill(const struct cudaMemsetParams *params, struct node_work *work) {
    unsigned size = params->elementSize;
    if (!params->dst || (size != 1 && size != 2 && size != 4) ||
        (params->height > 1 && params->width * size > params->pitch))
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_FILL, .fill = *params};
    return cudaSuccess;
}

/* Elements of several bytes that differ are written as a copy. */
static cudaError_t do_fill(const struct cudaMemsetParams *fill) {
    size_t bytes = fill->width * fill->elementSize;
    unsigned char element[4];
    bool same = true;
    memcpy(element, &fill->value, sizeof element);
    for (unsigned i = 1; i < fill->elementSize; i++)
        same &= element[i] == element[0];
    if (same)
        return plane_fill(fill->dst, fill->height > 1 ? fill->pitch : bytes, element[0], bytes,
                          fill->height);
    unsigned char *row = malloc(bytes + 1);
    if (!row)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < bytes; i++)
        row[i] = element[i % fill->elementSize];
    cudaError_t error = cudaSuccess;
    for (size_t y = 0; y < fill->height && error == cudaSuccess; y++)
        error =
            memory_copy((char *)fill->dst + y * fill->pitch, row, bytes, cudaMemcpyHostToDevice);
    free(row);
    return error;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

cudaError_t attributes_copy(const struct node_kernel *from, struct node_kernel *to) {
    struct launch_attributes *copy = from->attributes ? malloc(sizeof *copy) : NULL;
    if (from->attributes && !copy)
        return cudaErrorMemoryAllocation;
    if (copy)
        *copy = *from->attributes;
    free(to->attributes);
    to->attributes = copy;
    return cudaSuccess;
}

cudaError_t work_copy(const struct node_work *from, struct node_work *to) {
    *to = *from;
    switch (from->type) {
    case NODE_KERNEL:
        to->kernel.attributes = NULL;
        return keep_launch(&to->kernel, from->kernel.launch) == cudaSuccess
                   ? attributes_copy(&from->kernel, &to->kernel)
                   : cudaErrorMemoryAllocation;
    case NODE_GRAPH:
        to->child = graph_copy(from->child);
        return to->child ? cudaSuccess : cudaErrorMemoryAllocation;
    case NODE_CONDITIONAL:
        to->conditional.out = NULL;
        to->conditional.bodies = graph_copy(from->conditional.bodies);
        if (!to->conditional.bodies)
            return cudaErrorMemoryAllocation;
        condition_use(to->conditional.number, 1);
        return cudaSuccess;
    case NODE_ALLOCATE:
    case NODE_FREE:
        work_use_memory(to, 1);
        return cudaSuccess;
    default:
        return cudaSuccess;
    }
}

void work_free(struct node_work *work) {
    if (work->type == NODE_KERNEL) {
        free(work->kernel.params.kernelParams);
        free(work->kernel.launch);
        free(work->kernel.attributes);
    } else if (work->type == NODE_GRAPH) {
        graph_free(work->child);
    } else if (work->type == NODE_CONDITIONAL) {
        graph_free(work->conditional.bodies);
        free(work->conditional.out);
        condition_use(work->conditional.number, -1);
    } else if (work->type == NODE_ALLOCATE || work->type == NODE_FREE) {
        work_use_memory(work, -1);
    }
}

cudaError_t work_do(const struct node_work *work, struct stream *stream) {
    cudaError_t error;
    switch (work->type) {
    case NODE_KERNEL:
        return launch_send(work->kernel.launch, 0);
    case NODE_COPY:
        return do_copy(&work->copy);
    case NODE_FILL:
        return do_fill(&work->fill);
    case NODE_HOST: /* it comes after what it depends on, and the host's memory is its own then */
        error = stream_wait(stream);
        return error == cudaSuccess ? callback_add(work->host.fn, work->host.userData) : error;
    default: /* graphs and events are graph_exec.c's; memory is there all the time */
        return cudaSuccess;
    }
}
