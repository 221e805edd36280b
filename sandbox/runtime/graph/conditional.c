/* Conditional nodes: a graph that is done or not, once or again and again, as kernels say.
 *
 * A handle is the address of a number on the card: cudaGraphSetConditional() writes there, by a
 * function that goes to the card with each module that calls it (module.c). What decides is read
 * when the node's turn comes. It is there as long as the handle's graph or a node that uses it. The
 * bodies of a node are the children of one graph of its own. */
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

/* memory.c */
cudaError_t cudaFree(void *pointer);

enum { ASSIGN_DEFAULT = 1, KIND_IF = 0, KIND_WHILE = 1, KIND_SWITCH = 2, MOST_BODIES = 4096 };

struct condition {
    struct condition *next;
    void *number; /* on the card */
    unsigned value, flags;
    const struct graph *graph; /* NULL: destroyed */
    size_t users;              /* nodes, and the graph */
};

static struct {
    pthread_mutex_t mutex;
    struct condition *first;
} conditions = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct condition *find(const void *number) {
    pthread_mutex_lock(&conditions.mutex);
    struct condition *condition = conditions.first;
    while (condition && condition->number != number)
        condition = condition->next;
    pthread_mutex_unlock(&conditions.mutex);
    return condition;
}

void condition_use(const void *number, int users) {
    void *unused = NULL;
    pthread_mutex_lock(&conditions.mutex);
    struct condition **at = &conditions.first;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct condition *condition = *at;
    if (condition)
        condition->users += (size_t)users;
    if (condition && !condition->users) {
        *at = condition->next;
        unused = condition->number;
        free(condition);
    }
    pthread_mutex_unlock(&conditions.mutex);
    if (unused)
        cudaFree(unused);
}

void condition_forget_graph(const struct graph *graph) {
    for (;;) {
        pthread_mutex_lock(&conditions.mutex);
        struct condition *condition = conditions.first;
        while (condition && condition->graph != graph)
            condition = condition->next;
        const void *number = condition ? condition->number : NULL;
        if (condition)
            condition->graph = NULL;
        pthread_mutex_unlock(&conditions.mutex);
        if (!number)
            return;
        condition_use(number, -1);
    }
}

void condition_each(void (*act)(size_t word, void *data), void *data) {
    pthread_mutex_lock(&conditions.mutex);
    for (struct condition *condition = conditions.first; condition; condition = condition->next)
        act((uintptr_t)condition->number, data);
    pthread_mutex_unlock(&conditions.mutex);
}

/* Also while a stream is captured, which is how programs come by such a graph: it is no work of the
 * default stream, which would have to wait for the others. */
static cudaError_t make_number(struct condition *condition) {
    cudaError_t error = memory_allocate(&condition->number, sizeof condition->value);
    if (error != cudaSuccess)
        return error;
    error = memory_copy(condition->number, &condition->value, sizeof condition->value,
                        cudaMemcpyHostToDevice);
    if (error != cudaSuccess)
        link_ask(WIRE_FREE, (uintptr_t)condition->number, 0, 0, NULL);
    return remember(error);
}

API cudaError_t cudaGraphConditionalHandleCreate(uint64_t *handle, struct graph *graph_handle,
                                                 unsigned value, unsigned flags) {
    const struct graph *graph = graph_find(graph_handle);
    if (!handle || !graph || flags > ASSIGN_DEFAULT)
        return remember(cudaErrorInvalidValue);
    struct condition *condition = calloc(1, sizeof *condition);
    if (!condition)
        return remember(cudaErrorMemoryAllocation);
    *condition = (struct condition){.value = value, .flags = flags, .graph = graph, .users = 1};
    cudaError_t error = make_number(condition);
    if (error != cudaSuccess) {
        free(condition);
        return error;
    }
    pthread_mutex_lock(&conditions.mutex);
    condition->next = conditions.first;
    conditions.first = condition;
    pthread_mutex_unlock(&conditions.mutex);
    *handle = (uintptr_t)condition->number;
    return cudaSuccess;
}

/* ---- nodes --------------------------------------------------------------------------------------
 */

static bool is_sound(const struct conditional_params *params) {
    return find((const void *)(uintptr_t)params->handle) &&
           (params->kind == KIND_WHILE    ? params->count == 1
            : params->kind == KIND_IF     ? params->count == 1 || params->count == 2
            : params->kind == KIND_SWITCH ? params->count > 0 && params->count <= MOST_BODIES
                                          : false);
}

cudaError_t take_conditional(struct conditional_params *params, struct node_work *work) {
    if (!is_sound(params))
        return cudaErrorInvalidValue;
    struct graph *bodies = graph_create();
    struct graph **out = calloc(params->count, sizeof(struct graph *));
    cudaError_t error = bodies && out ? cudaSuccess : cudaErrorMemoryAllocation;
    for (unsigned i = 0; i < params->count && error == cudaSuccess; i++) {
        struct node_work body = {.type = NODE_GRAPH, .child = graph_create()};
        struct graph_node *node;
        error = body.child ? graph_add(bodies, NULL, 0, body, &node) : cudaErrorMemoryAllocation;
        if (error == cudaSuccess)
            out[i] = node->work.child;
    }
    if (error != cudaSuccess) {
        graph_free(bodies);
        free(out);
        return error;
    }
    *work = (struct node_work){.type = NODE_CONDITIONAL,
                               .conditional = {.bodies = bodies,
                                               .number = (void *)(uintptr_t)params->handle,
                                               .kind = params->kind,
                                               .out = out}};
    condition_use(work->conditional.number, 1);
    params->out = out;
    return cudaSuccess;
}

/* By the stream of work_begin(). */
static cudaError_t read_number(const struct node_work *work, unsigned *value) {
    return memory_copy(value, work->conditional.number, sizeof *value, cudaMemcpyDeviceToHost);
}

cudaError_t conditional_do(const struct node_work *work, struct stream *stream,
                           cudaError_t (*act)(struct graph *body, struct stream *stream)) {
    struct graph_node **bodies = work->conditional.bodies->nodes;
    size_t count = work->conditional.bodies->count;
    unsigned value;
    cudaError_t error = read_number(work, &value);
    if (work->conditional.kind == KIND_IF)
        value = !value;
    if (work->conditional.kind != KIND_WHILE)
        return error == cudaSuccess && value < count ? act(bodies[value]->work.child, stream)
                                                     : error;
    while (error == cudaSuccess && value) {
        error = act(bodies[0]->work.child, stream);
        link_set_stream(stream->number);
        if (error == cudaSuccess)
            error = read_number(work, &value);
    }
    return error;
}

cudaError_t conditional_begin(const struct graph *graph) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < graph->count && error == cudaSuccess; i++) {
        const struct node_work *work = &graph->nodes[i]->work;
        const struct condition *condition =
            work->type == NODE_CONDITIONAL ? find(work->conditional.number) : NULL;
        if (condition && condition->flags & ASSIGN_DEFAULT)
            error = memory_copy(condition->number, &condition->value, sizeof condition->value,
                                cudaMemcpyHostToDevice);
        if (error == cudaSuccess && node_holds_graph(work))
            error = conditional_begin(work->child);
    }
    return error;
}
