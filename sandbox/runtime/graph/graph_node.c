/* Nodes as programs add and change them. */
#include "sandbox/runtime/graph/graph.h"

#include <stdlib.h>
#include <string.h>

cudaError_t node_add(struct graph_node **added, struct graph *handle,
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
cudaError_t node_replace(struct graph_node *node, enum node_type type, cudaError_t error,
                         struct node_work work) {
    if (error != cudaSuccess)
        return remember(error);
    if (!node || node->work.type != type) {
        work_free(&work);
        return remember(cudaErrorInvalidValue);
    }
    if (type == NODE_KERNEL) { /* what the node has been given besides stays */
        work.kernel.attributes = node->work.kernel.attributes;
        node->work.kernel.attributes = NULL;
        const struct wire_launch *before = &node->work.kernel.launch->head;
        work.kernel.launch->head.cooperative = before->cooperative;
        memcpy(work.kernel.launch->head.cluster, before->cluster, sizeof before->cluster);
    }
    work_free(&node->work);
    node->work = work;
    return cudaSuccess;
}

const struct node_work *node_work(struct graph_node *handle, enum node_type type) {
    const struct graph_node *node = node_find(handle);
    return node && node->work.type == type ? &node->work : NULL;
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

cudaError_t take_kernel(const struct cudaKernelNodeParams *params, struct node_work *work) {
    return params ? work_of_kernel(params, NULL, work) : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphAddKernelNode(struct graph_node **node, struct graph *graph,
                                       struct graph_node *const *before, size_t count,
                                       const struct cudaKernelNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_kernel(params, &work);
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphKernelNodeGetParams(struct graph_node *node,
                                             struct cudaKernelNodeParams *params) {
    const struct node_work *work = node_work(node, NODE_KERNEL);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->kernel.params;
    return cudaSuccess;
}

API cudaError_t cudaGraphKernelNodeSetParams(struct graph_node *node,
                                             const struct cudaKernelNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_kernel(params, &work);
    return node_replace(node_find(node), NODE_KERNEL, error, work);
}

API cudaError_t cudaGraphExecKernelNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                                 const struct cudaKernelNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_kernel(params, &work);
    return node_replace(exec_node(exec, node), NODE_KERNEL, error, work);
}

/* ---- copies -----------------------------------------------------------------------------------
 */

cudaError_t take_copy(const struct cudaMemcpy3DParms *params, struct node_work *work) {
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
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemcpyNodeGetParams(struct graph_node *node,
                                             struct cudaMemcpy3DParms *params) {
    const struct node_work *work = node_work(node, NODE_COPY);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->copy;
    return cudaSuccess;
}

API cudaError_t cudaGraphMemcpyNodeSetParams(struct graph_node *node,
                                             const struct cudaMemcpy3DParms *params) {
    struct node_work work;
    cudaError_t error = take_copy(params, &work);
    return node_replace(node_find(node), NODE_COPY, error, work);
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                                 const struct cudaMemcpy3DParms *params) {
    struct node_work work;
    cudaError_t error = take_copy(params, &work);
    return node_replace(exec_node(exec, node), NODE_COPY, error, work);
}

static cudaError_t row_error(const void *to, const void *from) {
    return to && from ? cudaSuccess : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **node, struct graph *graph,
                                         struct graph_node *const *before, size_t count, void *to,
                                         const void *from, size_t bytes, int kind) {
    return node_add(node, graph, before, count, row_error(to, from),
                    work_of_row(to, from, bytes, kind));
}

API cudaError_t cudaGraphMemcpyNodeSetParams1D(struct graph_node *node, void *to, const void *from,
                                               size_t bytes, int kind) {
    return node_replace(node_find(node), NODE_COPY, row_error(to, from),
                        work_of_row(to, from, bytes, kind));
}

API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct graph_exec *exec, struct graph_node *node,
                                                   void *to, const void *from, size_t bytes,
                                                   int kind) {
    return node_replace(exec_node(exec, node), NODE_COPY, row_error(to, from),
                        work_of_row(to, from, bytes, kind));
}

API cudaError_t cudaGraphAddMemcpyNodeToSymbol(struct graph_node **node, struct graph *graph,
                                               struct graph_node *const *before, size_t count,
                                               const void *symbol, const void *from, size_t bytes,
                                               size_t offset, int kind) {
    char *at = NULL;
    cudaError_t error = symbol_find(symbol, bytes, offset, &at);
    return node_add(node, graph, before, count, error, work_of_row(at, from, bytes, kind));
}

API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(struct graph_node **node, struct graph *graph,
                                                 struct graph_node *const *before, size_t count,
                                                 void *to, const void *symbol, size_t bytes,
                                                 size_t offset, int kind) {
    char *at = NULL;
    cudaError_t error = symbol_find(symbol, bytes, offset, &at);
    return node_add(node, graph, before, count, error, work_of_row(to, at, bytes, kind));
}

/* Copies to and from variables, in a node that is there. */
static cudaError_t set_symbol(struct graph_node *node, const void *symbol, const void *other,
                              size_t bytes, size_t offset, int kind, bool is_to) {
    char *at = NULL;
    cudaError_t error = symbol_find(symbol, bytes, offset, &at);
    if (error == cudaSuccess && !other)
        error = cudaErrorInvalidValue;
    return node_replace(node, NODE_COPY, error,
                        is_to ? work_of_row(at, other, bytes, kind)
                              : work_of_row((void *)(uintptr_t)other, at, bytes, kind));
}

API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(struct graph_node *node, const void *symbol,
                                                     const void *from, size_t bytes, size_t offset,
                                                     int kind) {
    return set_symbol(node_find(node), symbol, from, bytes, offset, kind, true);
}

API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(struct graph_node *node, void *to,
                                                       const void *symbol, size_t bytes,
                                                       size_t offset, int kind) {
    return set_symbol(node_find(node), symbol, to, bytes, offset, kind, false);
}

API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(struct graph_exec *exec,
                                                         struct graph_node *node,
                                                         const void *symbol, const void *from,
                                                         size_t bytes, size_t offset, int kind) {
    return set_symbol(exec_node(exec, node), symbol, from, bytes, offset, kind, true);
}

API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(struct graph_exec *exec,
                                                           struct graph_node *node, void *to,
                                                           const void *symbol, size_t bytes,
                                                           size_t offset, int kind) {
    return set_symbol(exec_node(exec, node), symbol, to, bytes, offset, kind, false);
}

/* ---- memsets ----------------------------------------------------------------------------------
 */

cudaError_t take_fill(const struct cudaMemsetParams *params, struct node_work *work) {
    return params ? work_of_fill(params, work) : cudaErrorInvalidValue;
}

API cudaError_t cudaGraphAddMemsetNode(struct graph_node **node, struct graph *graph,
                                       struct graph_node *const *before, size_t count,
                                       const struct cudaMemsetParams *params) {
    struct node_work work;
    cudaError_t error = take_fill(params, &work);
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemsetNodeGetParams(struct graph_node *node,
                                             struct cudaMemsetParams *params) {
    const struct node_work *work = node_work(node, NODE_FILL);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->fill;
    return cudaSuccess;
}

API cudaError_t cudaGraphMemsetNodeSetParams(struct graph_node *node,
                                             const struct cudaMemsetParams *params) {
    struct node_work work;
    cudaError_t error = take_fill(params, &work);
    return node_replace(node_find(node), NODE_FILL, error, work);
}

API cudaError_t cudaGraphExecMemsetNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                                 const struct cudaMemsetParams *params) {
    struct node_work work;
    cudaError_t error = take_fill(params, &work);
    return node_replace(exec_node(exec, node), NODE_FILL, error, work);
}

/* ---- functions of the host, events, graphs, nothing -------------------------------------------
 */

cudaError_t take_host(const struct cudaHostNodeParams *params, struct node_work *work) {
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
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphHostNodeGetParams(struct graph_node *node,
                                           struct cudaHostNodeParams *params) {
    const struct node_work *work = node_work(node, NODE_HOST);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = work->host;
    return cudaSuccess;
}

API cudaError_t cudaGraphHostNodeSetParams(struct graph_node *node,
                                           const struct cudaHostNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_host(params, &work);
    return node_replace(node_find(node), NODE_HOST, error, work);
}

API cudaError_t cudaGraphExecHostNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                               const struct cudaHostNodeParams *params) {
    struct node_work work;
    cudaError_t error = take_host(params, &work);
    return node_replace(exec_node(exec, node), NODE_HOST, error, work);
}

API cudaError_t cudaGraphAddEmptyNode(struct graph_node **node, struct graph *graph,
                                      struct graph_node *const *before, size_t count) {
    return node_add(node, graph, before, count, cudaSuccess,
                    (struct node_work){.type = NODE_EMPTY});
}

API cudaError_t cudaGraphAddEventRecordNode(struct graph_node **node, struct graph *graph,
                                            struct graph_node *const *before, size_t count,
                                            cudaEvent_t event) {
    return node_add(node, graph, before, count, event ? cudaSuccess : cudaErrorInvalidValue,
                    (struct node_work){.type = NODE_RECORD_EVENT, .event = event});
}

API cudaError_t cudaGraphAddEventWaitNode(struct graph_node **node, struct graph *graph,
                                          struct graph_node *const *before, size_t count,
                                          cudaEvent_t event) {
    return node_add(node, graph, before, count, event ? cudaSuccess : cudaErrorInvalidValue,
                    (struct node_work){.type = NODE_WAIT_EVENT, .event = event});
}

/* The child is copied: it may be changed or destroyed afterwards. */
cudaError_t take_child(struct graph *handle, struct node_work *work) {
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
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphChildGraphNodeGetGraph(struct graph_node *node, struct graph **child) {
    const struct node_work *work = node_work(node, NODE_GRAPH);
    if (!work || !child)
        return remember(cudaErrorInvalidValue);
    *child = work->child;
    return cudaSuccess;
}

API cudaError_t cudaGraphExecChildGraphNodeSetParams(struct graph_exec *exec,
                                                     struct graph_node *node, struct graph *child) {
    struct node_work work;
    cudaError_t error = take_child(child, &work);
    return node_replace(exec_node(exec, node), NODE_GRAPH, error, work);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

cudaError_t take_allocate(struct allocate_params *params, struct node_work *work) {
    *work = (struct node_work){.type = NODE_ALLOCATE};
    cudaError_t error =
        params ? pool_allocate_for_graph(&work->memory, params->bytes) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    params->memory = work->memory;
    work_use_memory(work, 1);
    return cudaSuccess;
}

API cudaError_t cudaGraphAddMemAllocNode(struct graph_node **node, struct graph *graph,
                                         struct graph_node *const *before, size_t count,
                                         struct allocate_params *params) {
    struct node_work work;
    cudaError_t error = take_allocate(params, &work);
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemAllocNodeGetParams(struct graph_node *node,
                                               struct allocate_params *params) {
    const struct node_work *work = node_work(node, NODE_ALLOCATE);
    if (!work || !params)
        return remember(cudaErrorInvalidValue);
    *params = (struct allocate_params){.memory = work->memory};
    return cudaSuccess;
}

cudaError_t take_free(void *memory, struct node_work *work) {
    *work = (struct node_work){.type = NODE_FREE, .memory = memory};
    if (!memory)
        return cudaErrorInvalidValue;
    work_use_memory(work, 1);
    return cudaSuccess;
}

API cudaError_t cudaGraphAddMemFreeNode(struct graph_node **node, struct graph *graph,
                                        struct graph_node *const *before, size_t count,
                                        void *memory) {
    struct node_work work;
    cudaError_t error = take_free(memory, &work);
    return node_add(node, graph, before, count, error, work);
}

API cudaError_t cudaGraphMemFreeNodeGetParams(struct graph_node *node, void *memory) {
    const struct node_work *work = node_work(node, NODE_FREE);
    if (!work || !memory)
        return remember(cudaErrorInvalidValue);
    *(void **)memory = work->memory;
    return cudaSuccess;
}
