/* Nodes as programs add and change them. */
#include "sandbox/runtime/graph/graph.h"

#include <stdlib.h>

static cudaError_t add(struct graph_node **added, struct graph *handle,
                       struct graph_node *const *before, size_t count, cudaError_t error,
                       struct node_work work) {
    struct graph *graph = graph_find(handle);
    if (error != cudaSuccess)
        return remember(error);
    bool sound = added && graph && (!count || before);
    for (size_t i = 0; i < count && sound; i++) {
        const struct graph_node *node = node_find(before[i]);
        sound = node && node->graph == graph;
    }
    if (sound)
        return remember(graph_add(graph, before, count, work, added));
    work_free(&work);
    return remember(cudaErrorInvalidValue);
}

/* Another of the same type takes a node's work's place. */
static cudaError_t replace(struct graph_node *node, enum node_type type, cudaError_t error,
                           struct node_work work) {
    if (error != cudaSuccess)
        return remember(error);
    if (!node || node->work.type != type) {
        work_free(&work);
        return remember(cudaErrorInvalidValue);
    }
    work_free(&node->work);
    node->work = work;
    return cudaSuccess;
}

static const struct node_work *find(struct graph_node *handle, enum node_type type) {
    const struct graph_node *node = node_find(handle);
    return node && node->work.type == type ? &node->work : NULL;
}

struct graph_exec;
/* graph_exec.c: the executable graph's copy of a node. */
struct graph_node *exec_node(struct graph_exec *exec, struct graph_node *handle);

/* ---- kernels ----------------------------------------------------------------------------------
 */

static cudaError_t take_kernel(const struct cudaKernelNodeParams *params, struct node_work *work) {
    return params ? work_of_kernel(params, false, work) : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphAddKernelNode(struct graph_node **node, struct graph *graph,
                                       struct graph_node *const *before, size_t count,
                                       const struct cudaKernelNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_kernel(params, &work);
    return add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphKernelNodeGetParams(struct graph_node *node,
                                             struct cudaKernelNodeParams *params) {
    const struct node_work *work = find(node, NODE_KERNEL);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->kernel.params;
    return cudaSuccess;
}

API cudaError_t cudaGraphKernelNodeSetParams(struct graph_node *node,
                                             const struct cudaKernelNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_kernel(params, &work);
    return replace(node_find(node), NODE_KERNEL, error, work);
}

API cudaError_t cudaGraphExecKernelNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                                 const struct cudaKernelNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_kernel(params, &work);
    return replace(exec_node(exec, node), NODE_KERNEL, error, work);
}

/* ---- copies -----------------------------------------------------------------------------------
 */

static cudaError_t take_copy(const struct cudaMemcpy3DParms *params, struct node_work *work) {
    if (!params)
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_COPY, .copy = *params};
    return cudaSuccess;
}

API cudaError_t cudaGraphAddMemcpyNode(struct graph_node **node, struct graph *graph,
                                       struct graph_node *const *before, size_t count,
                                       const struct cudaMemcpy3DParms *params) {
    struct node_work work;
    cudaError_t error = take_copy(params, &work);
    return add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemcpyNodeGetParams(struct graph_node *node,
                                             struct cudaMemcpy3DParms *params) {
    const struct node_work *work = find(node, NODE_COPY);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->copy;
    return cudaSuccess;
}

API cudaError_t cudaGraphMemcpyNodeSetParams(struct graph_node *node,
                                             const struct cudaMemcpy3DParms *params) {
    struct node_work work;
    cudaError_t error = take_copy(params, &work);
    return replace(node_find(node), NODE_COPY, error, work);
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                                 const struct cudaMemcpy3DParms *params) {
    struct node_work work;
    cudaError_t error = take_copy(params, &work);
    return replace(exec_node(exec, node), NODE_COPY, error, work);
}

static cudaError_t row_error(const void *to, const void *from) {
    return to && from ? cudaSuccess : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **node, struct graph *graph,
                                         struct graph_node *const *before, size_t count, void *to,
                                         const void *from, size_t bytes, int kind) {
    return add(node, graph, before, count, row_error(to, from), work_of_row(to, from, bytes, kind));
}

API cudaError_t cudaGraphMemcpyNodeSetParams1D(struct graph_node *node, void *to, const void *from,
                                               size_t bytes, int kind) {
    return replace(node_find(node), NODE_COPY, row_error(to, from),
                   work_of_row(to, from, bytes, kind));
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct graph_exec *exec, struct graph_node *node,
                                                   void *to, const void *from, size_t bytes,
                                                   int kind) {
    return replace(exec_node(exec, node), NODE_COPY, row_error(to, from),
                   work_of_row(to, from, bytes, kind));
}

API cudaError_t cudaGraphAddMemcpyNodeToSymbol(struct graph_node **node, struct graph *graph,
                                               struct graph_node *const *before, size_t count,
                                               const void *symbol, const void *from, size_t bytes,
                                               size_t offset, int kind) {
    char *at = NULL;
    cudaError_t error = symbol_find(symbol, bytes, offset, &at);
    return add(node, graph, before, count, error, work_of_row(at, from, bytes, kind));
}

API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(struct graph_node **node, struct graph *graph,
                                                 struct graph_node *const *before, size_t count,
                                                 void *to, const void *symbol, size_t bytes,
                                                 size_t offset, int kind) {
    char *at = NULL;
    cudaError_t error = symbol_find(symbol, bytes, offset, &at);
    return add(node, graph, before, count, error, work_of_row(to, at, bytes, kind));
}

/* ---- memsets ----------------------------------------------------------------------------------
 */

static cudaError_t take_fill(const struct cudaMemsetParams *params, struct node_work *work) {
    return params ? work_of_fill(params, work) : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphAddMemsetNode(struct graph_node **node, struct graph *graph,
                                       struct graph_node *const *before, size_t count,
                                       const struct cudaMemsetParams *params) {
    struct node_work work;
    cudaError_t error = take_fill(params, &work);
    return add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemsetNodeGetParams(struct graph_node *node,
                                             struct cudaMemsetParams *params) {
    const struct node_work *work = find(node, NODE_FILL);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->fill;
    return cudaSuccess;
}

API cudaError_t cudaGraphMemsetNodeSetParams(struct graph_node *node,
                                             const struct cudaMemsetParams *params) {
    struct node_work work;
    cudaError_t error = take_fill(params, &work);
    return replace(node_find(node), NODE_FILL, error, work);
}

API cudaError_t cudaGraphExecMemsetNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                                 const struct cudaMemsetParams *params) {
    struct node_work work;
    cudaError_t error = take_fill(params, &work);
    return replace(exec_node(exec, node), NODE_FILL, error, work);
}

/* ---- functions of the host, events, graphs, nothing -------------------------------------------
 */

static cudaError_t take_host(const struct cudaHostNodeParams *params, struct node_work *work) {
    if (!params || !params->fn)
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_HOST, .host = *params};
    return cudaSuccess;
}

API cudaError_t cudaGraphAddHostNode(struct graph_node **node, struct graph *graph,
                                     struct graph_node *const *before, size_t count,
                                     const struct cudaHostNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_host(params, &work);
    return add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphHostNodeGetParams(struct graph_node *node,
                                           struct cudaHostNodeParams *params) {
    const struct node_work *work = find(node, NODE_HOST);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->host;
    return cudaSuccess;
}

API cudaError_t cudaGraphHostNodeSetParams(struct graph_node *node,
                                           const struct cudaHostNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_host(params, &work);
    return replace(node_find(node), NODE_HOST, error, work);
}

API cudaError_t cudaGraphExecHostNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                               const struct cudaHostNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_host(params, &work);
    return replace(exec_node(exec, node), NODE_HOST, error, work);
}

API cudaError_t cudaGraphAddEmptyNode(struct graph_node **node, struct graph *graph,
                                      struct graph_node *const *before, size_t count) {
    return add(node, graph, before, count, cudaSuccess, (struct node_work){.type = NODE_EMPTY});
}

API cudaError_t cudaGraphAddEventRecordNode(struct graph_node **node, struct graph *graph,
                                            struct graph_node *const *before, size_t count,
                                            cudaEvent_t event) {
    return add(node, graph, before, count, event ? cudaSuccess : cudaErrorInvalidValue,
               (struct node_work){.type = NODE_RECORD_EVENT, .event = event});
}

API cudaError_t cudaGraphAddEventWaitNode(struct graph_node **node, struct graph *graph,
                                          struct graph_node *const *before, size_t count,
                                          cudaEvent_t event) {
    return add(node, graph, before, count, event ? cudaSuccess : cudaErrorInvalidValue,
               (struct node_work){.type = NODE_WAIT_EVENT, .event = event});
}

/* The child is copied: it may be changed or destroyed afterwards. */
static cudaError_t take_child(struct graph *handle, struct node_work *work) {
    const struct graph *child = graph_find(handle);
    if (!child)
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_GRAPH, .child = graph_copy(child)};
    return work->child ? cudaSuccess : cudaErrorMemoryAllocation;
}

API cudaError_t cudaGraphAddChildGraphNode(struct graph_node **node, struct graph *graph,
                                           struct graph_node *const *before, size_t count,
                                           struct graph *child) {
    struct node_work work;
    cudaError_t error = take_child(child, &work);
    return add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphChildGraphNodeGetGraph(struct graph_node *node, struct graph **child) {
    const struct node_work *work = find(node, NODE_GRAPH);
    if (!work || !child)
        return remember(cudaErrorInvalidValue);
    *child = work->child;
    return cudaSuccess;
}

API cudaError_t cudaGraphExecChildGraphNodeSetParams(struct graph_exec *exec,
                                                     struct graph_node *node, struct graph *child) {
    struct node_work work;
    cudaError_t error = take_child(child, &work);
    return replace(exec_node(exec, node), NODE_GRAPH, error, work);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* cudaMemAllocNodeParams; its first part is cudaMemPoolProps. */
struct allocate_params {
    unsigned char pool[88];
    const void *access;
    size_t access_count, bytes;
    void *memory;
};

API cudaError_t cudaGraphAddMemAllocNode(struct graph_node **node, struct graph *graph,
                                         struct graph_node *const *before, size_t count,
                                         struct allocate_params *params) {
    struct node_work work = {.type = NODE_ALLOCATE};
    cudaError_t error =
        params ? memory_allocate(&work.memory, params->bytes) : cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        params->memory = work.memory;
        work_use_memory(&work, 1);
    }
    return add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemAllocNodeGetParams(struct graph_node *node,
                                               struct allocate_params *params) {
    const struct node_work *work = find(node, NODE_ALLOCATE);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = (struct allocate_params){.memory = work->memory};
    return cudaSuccess;
}

API cudaError_t cudaGraphAddMemFreeNode(struct graph_node **node, struct graph *graph,
                                        struct graph_node *const *before, size_t count,
                                        void *memory) {
    const struct node_work work = {.type = NODE_FREE, .memory = memory};
    if (memory)
        work_use_memory(&work, 1);
    return add(node, graph, before, count, memory ? cudaSuccess : cudaErrorInvalidValue, work);
}

API cudaError_t cudaGraphMemFreeNodeGetParams(struct graph_node *node, void *memory) {
    const struct node_work *work = find(node, NODE_FREE);
    if (!work || !memory)
        return remember(cudaErrorInvalidValue);
    *(void **)memory = work->memory;
    return cudaSuccess;
}
