/* Nodes of whichever type by one structure, and what kernel nodes have besides their work. */
#include "sandbox/runtime/graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* cudaGraphNodeParams; what is not read of it has no name. */
struct any_params {
    int type, reserved[3];
    union {
        long long room[29];
        struct cudaKernelNodeParams kernel;
        struct {
            int flags, reserved[3];
            struct cudaMemcpy3DParms params;
        } copy;
        struct cudaMemsetParams fill;
        struct cudaHostNodeParams host;
        struct {
            struct graph *graph;
            int ownership;
        } child;
        cudaEvent_t event;
        struct conditional_params conditional;
        struct allocate_params allocate;
        void *memory;
    };
    long long reserved_too;
};
_Static_assert(sizeof(struct any_params) == 256 && sizeof(struct allocate_params) == 120,
               "as in CUDA 13.0's driver_types.h");

enum { CHILD_IS_CLONED, CHILD_IS_MOVED };

/* The graph itself becomes the node's: its handle stays, as the child's. */
static cudaError_t take_moved(struct graph *handle, struct node_work *work) {
    if (!graph_withdraw(handle))
        return cudaErrorInvalidValue;
    *work = (struct node_work){.type = NODE_GRAPH, .child = handle};
    return cudaSuccess;
}

static cudaError_t take_event(enum node_type type, cudaEvent_t event, struct node_work *work) {
    *work = (struct node_work){.type = type, .event = event};
    return event ? cudaSuccess : cudaErrorInvalidValue;
}

/* Semaphores need handles, and there are none. */
static cudaError_t take(struct any_params *params, struct node_work *work) {
    switch (params->type) {
    case NODE_KERNEL:
        return take_kernel(&params->kernel, work);
    case NODE_COPY:
        return params->copy.flags ? cudaErrorInvalidValue : take_copy(&params->copy.params, work);
    case NODE_FILL:
        return take_fill(&params->fill, work);
    case NODE_HOST:
        return take_host(&params->host, work);
    case NODE_GRAPH:
        return params->child.ownership == CHILD_IS_MOVED ? take_moved(params->child.graph, work)
                                                         : take_child(params->child.graph, work);
    case NODE_EMPTY:
        *work = (struct node_work){.type = NODE_EMPTY};
        return cudaSuccess;
    case NODE_WAIT_EVENT:
    case NODE_RECORD_EVENT:
        return take_event((enum node_type)params->type, params->event, work);
    case NODE_ALLOCATE:
        return take_allocate(&params->allocate, work);
    case NODE_FREE:
        return take_free(params->memory, work);
    case NODE_CONDITIONAL:
        return take_conditional(&params->conditional, work);
    default:
        return cudaErrorInvalidValue;
    }
}

/* Edges with data of their own order a part of a node only; here they order all of it. */
API cudaError_t cudaGraphAddNode(struct graph_node **node, struct graph *graph,
                                 struct graph_node *const *before, const void *edges, size_t count,
                                 struct any_params *params) {
    struct node_work work;
    (void)edges;
    cudaError_t error = params ? take(params, &work) : cudaErrorInvalidValue;
    return node_add(node, graph, before, count, error, work);
}

/* What memory is allocated or freed stays as it is, and what is done on a condition. */
static cudaError_t change(struct graph_node *node, struct any_params *params) {
    struct node_work work;
    bool fixed = params && (params->type == NODE_ALLOCATE || params->type == NODE_FREE ||
                            params->type == NODE_CONDITIONAL);
    bool sound = node && params && !fixed && (int)node->work.type == params->type;
    cudaError_t error = sound ? take(params, &work) : cudaErrorInvalidValue;
    return node_replace(node, sound ? (enum node_type)params->type : NODE_EMPTY, error, work);
}

API cudaError_t cudaGraphNodeSetParams(struct graph_node *node, struct any_params *params) {
    return change(node_find(node), params);
}

API cudaError_t cudaGraphExecNodeSetParams(struct graph_exec *exec, struct graph_node *node,
                                           struct any_params *params) {
    return change(exec_node(exec, node), params);
}

/* ---- events -----------------------------------------------------------------------------------
 */

static cudaError_t get_event(struct graph_node *node, enum node_type type, cudaEvent_t *event) {
    const struct node_work *work = node_work(node, type);
    if (!work || !event)
        return remember(cudaErrorInvalidValue);
    *event = work->event;
    return cudaSuccess;
}

static cudaError_t set_event(struct graph_node *node, enum node_type type, cudaEvent_t event) {
    struct node_work work;
    cudaError_t error = take_event(type, event, &work);
    return node_replace(node, type, error, work);
}

API cudaError_t cudaGraphEventRecordNodeGetEvent(struct graph_node *node, cudaEvent_t *event) {
    return get_event(node, NODE_RECORD_EVENT, event);
}

API cudaError_t cudaGraphEventRecordNodeSetEvent(struct graph_node *node, cudaEvent_t event) {
    return set_event(node_find(node), NODE_RECORD_EVENT, event);
}

API cudaError_t cudaGraphExecEventRecordNodeSetEvent(struct graph_exec *exec,
                                                     struct graph_node *node, cudaEvent_t event) {
    return set_event(exec_node(exec, node), NODE_RECORD_EVENT, event);
}

API cudaError_t cudaGraphEventWaitNodeGetEvent(struct graph_node *node, cudaEvent_t *event) {
    return get_event(node, NODE_WAIT_EVENT, event);
}

API cudaError_t cudaGraphEventWaitNodeSetEvent(struct graph_node *node, cudaEvent_t event) {
    return set_event(node_find(node), NODE_WAIT_EVENT, event);
}

API cudaError_t cudaGraphExecEventWaitNodeSetEvent(struct graph_exec *exec, struct graph_node *node,
                                                   cudaEvent_t event) {
    return set_event(exec_node(exec, node), NODE_WAIT_EVENT, event);
}

/* ---- attributes of kernel nodes ---------------------------------------------------------------
 */

static struct node_kernel *find_kernel_node(struct graph_node *handle) {
    struct graph_node *node = node_find(handle);
    return node && node->work.type == NODE_KERNEL ? &node->work.kernel : NULL;
}

API cudaError_t cudaGraphKernelNodeSetAttribute(struct graph_node *handle, int id,
                                                const union launch_value *value) {
    struct node_kernel *node = find_kernel_node(handle);
    if (!node)
        return remember(cudaErrorInvalidValue);
    if (id == ATTRIBUTE_CLUSTER && value && !launch_is_cluster(value->extents))
        return remember(cudaErrorInvalidValue);
    if (!node->attributes)
        node->attributes = calloc(1, sizeof *node->attributes);
    if (!node->attributes)
        return remember(cudaErrorMemoryAllocation);
    cudaError_t error = attribute_set(node->attributes, ATTRIBUTES_OF_NODES, id, value);
    if (error == cudaSuccess && id == ATTRIBUTE_COOPERATIVE)
        node->launch->head.cooperative = value->number != 0;
    if (error == cudaSuccess && id == ATTRIBUTE_CLUSTER)
        memcpy(node->launch->head.cluster, value->extents, sizeof node->launch->head.cluster);
    return remember(error);
}

API cudaError_t cudaGraphKernelNodeGetAttribute(struct graph_node *handle, int id,
                                                union launch_value *value) {
    static const struct launch_attributes none;
    const struct node_kernel *node = find_kernel_node(handle);
    if (!node)
        return remember(cudaErrorInvalidValue);
    cudaError_t error =
        attribute_get(node->attributes ? node->attributes : &none, ATTRIBUTES_OF_NODES, id, value);
    if (error == cudaSuccess && id == ATTRIBUTE_COOPERATIVE)
        value->number = node->launch->head.cooperative != 0;
    if (error == cudaSuccess && id == ATTRIBUTE_CLUSTER)
        memcpy(value->extents, node->launch->head.cluster, sizeof node->launch->head.cluster);
    return remember(error);
}

API cudaError_t cudaGraphKernelNodeCopyAttributes(struct graph_node *to_handle,
                                                  struct graph_node *from_handle) {
    struct node_kernel *to = find_kernel_node(to_handle);
    const struct node_kernel *from = find_kernel_node(from_handle);
    if (!to || !from)
        return remember(cudaErrorInvalidValue);
    to->launch->head.cooperative = from->launch->head.cooperative;
    memcpy(to->launch->head.cluster, from->launch->head.cluster, sizeof to->launch->head.cluster);
    return remember(to == from ? cudaSuccess : attributes_copy(from, to));
}
