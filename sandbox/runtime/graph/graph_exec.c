/* Executable graphs. Instantiating copies the graph and puts its nodes in an order in which they
 * can be done. Branches become streams of the card's, which events order as the edges say; the
 * first branch is the stream that the graph is launched in. */
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_BRANCHES = 16, INSTANTIATE_FLAGS = 15 }; /* more branches share streams */

struct step {
    struct graph_node *node;
    unsigned branch;  /* 0: the launch's stream */
    bool told;        /* others wait for it: */
    uint64_t event;   /* ... the card's */
    bool ends_branch; /* nothing of its branch follows */
};
struct graph_exec {
    struct graph_exec *next;
    struct graph *graph;
    struct step *steps; /* in the order in which they are done */
    size_t count;
    struct stream branches[MOST_BRANCHES];
    unsigned branch_count;
    uint64_t begun, ended; /* events */
    unsigned long long flags;
};

static struct {
    pthread_mutex_t mutex;
    struct graph_exec *first;
} execs = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct graph_exec *find(struct graph_exec *handle) {
    pthread_mutex_lock(&execs.mutex);
    struct graph_exec *exec = execs.first;
    while (exec && exec != handle)
        exec = exec->next;
    pthread_mutex_unlock(&execs.mutex);
    return exec;
}

static struct graph_node *find_copy(const struct graph *graph, const struct graph_node *original) {
    for (size_t i = 0; i < graph->count; i++) {
        struct graph_node *node = graph->nodes[i];
        if (node->original != original && node_holds_graph(&node->work))
            node = find_copy(node->work.child, original);
        if (node && node->original == original)
            return node;
    }
    return NULL;
}

struct graph_node *exec_node(struct graph_exec *handle, struct graph_node *original) {
    const struct graph_exec *exec = find(handle);
    return exec && node_find(original) ? find_copy(exec->graph, original) : NULL;
}

/* ---- instantiating ----------------------------------------------------------------------------
 */

static struct step *step_of(struct graph_exec *exec, const struct graph_node *node) {
    for (size_t i = 0; i < exec->count; i++)
        if (exec->steps[i].node == node)
            return &exec->steps[i];
    return NULL;
}

/* The earliest node that has not been taken, after all that it depends on; false: a circle. */
static bool take_next(struct graph_exec *exec, bool *taken) {
    const struct graph *graph = exec->graph;
    for (size_t i = 0; i < graph->count; i++) {
        struct graph_node *node = graph->nodes[i];
        bool ready = !taken[i];
        for (size_t k = 0; k < node->before.count && ready; k++)
            ready = taken[node->before.nodes[k]->at];
        if (!ready)
            continue;
        taken[i] = true;
        exec->steps[exec->count++] = (struct step){.node = node};
        return true;
    }
    return false;
}

/* A node goes on with the branch of one before it that nothing else has gone on with. */
static void choose_branch(struct graph_exec *exec, size_t at) {
    struct step *step = &exec->steps[at];
    step->ends_branch = true;
    bool found = at == 0;
    for (size_t i = 0; i < step->node->before.count && !found; i++) {
        struct step *before = step_of(exec, step->node->before.nodes[i]);
        if (before->ends_branch) {
            before->ends_branch = false;
            step->branch = before->branch;
            found = true;
        }
    }
    if (!found) {
        step->branch = 1 + exec->branch_count % (MOST_BRANCHES - 1);
        exec->branch_count++;
        for (size_t i = 0; i < at; i++)
            if (exec->steps[i].branch == step->branch)
                exec->steps[i].ends_branch = false;
    }
    for (size_t i = 0; i < step->node->before.count; i++) {
        struct step *before = step_of(exec, step->node->before.nodes[i]);
        before->told |= before->branch != step->branch;
    }
}

static cudaError_t plan(struct graph_exec *exec) {
    size_t count = exec->graph->count;
    bool *taken = calloc(count + 1, sizeof *taken);
    exec->steps = calloc(count + 1, sizeof *exec->steps);
    cudaError_t error = taken && exec->steps ? cudaSuccess : cudaErrorMemoryAllocation;
    while (error == cudaSuccess && exec->count < count)
        if (!take_next(exec, taken))
            error = cudaErrorInvalidValue;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        choose_branch(exec, i);
    free(taken);
    return error;
}

static cudaError_t make_handles(struct graph_exec *exec) {
    cudaError_t error = link_ask(WIRE_EVENT, 0, 0, 0, &exec->begun);
    if (error == cudaSuccess)
        error = link_ask(WIRE_EVENT, 0, 0, 0, &exec->ended);
    exec->branch_count =
        exec->branch_count < MOST_BRANCHES ? exec->branch_count : MOST_BRANCHES - 1;
    for (unsigned i = 1; i <= exec->branch_count && error == cudaSuccess; i++)
        error = link_ask(WIRE_STREAM, 1, 0, 0, &exec->branches[i].number);
    for (size_t i = 0; i < exec->count && error == cudaSuccess; i++) {
        struct step *step = &exec->steps[i];
        step->told |= step->branch && step->ends_branch; /* the launch's stream waits for it */
        if (step->told)
            error = link_ask(WIRE_EVENT, 0, 0, 0, &step->event);
    }
    return error;
}

API cudaError_t cudaGraphInstantiateWithFlags(struct graph_exec **handle,
                                              struct graph *graph_handle,
                                              unsigned long long flags) {
    const struct graph *graph = graph_find(graph_handle);
    if (!handle || !graph || flags > INSTANTIATE_FLAGS)
        return remember(cudaErrorInvalidValue);
    struct graph_exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return remember(cudaErrorMemoryAllocation);
    exec->graph = graph_copy(graph);
    exec->flags = flags;
    cudaError_t error = exec->graph ? plan(exec) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = make_handles(exec);
    if (error != cudaSuccess) {
        graph_free(exec->graph);
        free(exec->steps);
        free(exec);
        return remember(error);
    }
    pthread_mutex_lock(&execs.mutex);
    exec->next = execs.first;
    execs.first = exec;
    pthread_mutex_unlock(&execs.mutex);
    *handle = exec;
    return cudaSuccess;
}

API cudaError_t cudaGraphInstantiate(struct graph_exec **exec, struct graph *graph,
                                     unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

struct instantiate_params {
    unsigned long long flags;
    cudaStream_t upload;
    struct graph_node *error_node;
    int result;
};
API cudaError_t cudaGraphInstantiateWithParams(struct graph_exec **exec, struct graph *graph,
                                               struct instantiate_params *params) {
    if (!params)
        return remember(cudaErrorInvalidValue);
    cudaError_t error = cudaGraphInstantiateWithFlags(exec, graph, params->flags);
    params->error_node = NULL;
    params->result = error != cudaSuccess; /* cudaGraphInstantiateError */
    return error;
}

API cudaError_t cudaGraphExecGetFlags(struct graph_exec *handle, unsigned long long *flags) {
    const struct graph_exec *exec = find(handle);
    if (!exec || !flags)
        return remember(cudaErrorInvalidValue);
    *flags = exec->flags;
    return cudaSuccess;
}

API cudaError_t cudaGraphExecDestroy(struct graph_exec *handle) {
    pthread_mutex_lock(&execs.mutex);
    struct graph_exec **at = &execs.first;
    while (*at && *at != handle)
        at = &(*at)->next;
    struct graph_exec *exec = *at;
    if (exec)
        *at = exec->next;
    pthread_mutex_unlock(&execs.mutex);
    if (!exec)
        return remember(cudaErrorInvalidValue);
    callback_wait();
    for (size_t i = 0; i < exec->count; i++)
        if (exec->steps[i].told)
            link_ask(WIRE_EVENT_END, exec->steps[i].event, 0, 0, NULL);
    link_ask(WIRE_EVENT_END, exec->begun, 0, 0, NULL);
    link_ask(WIRE_EVENT_END, exec->ended, 0, 0, NULL);
    for (unsigned i = 1; i <= exec->branch_count; i++) {
        link_set_stream(exec->branches[i].number);
        link_ask(WIRE_STREAM_END, 0, 0, 0, NULL);
    }
    graph_free(exec->graph);
    free(exec->steps);
    free(exec);
    return work_end(cudaSuccess);
}

/* ---- launching --------------------------------------------------------------------------------
 */

static cudaError_t ask_in(const struct stream *stream, enum wire_call call, uint64_t event) {
    link_set_stream(stream->number);
    return link_ask(call, event, 0, 0, NULL);
}

/* A child's nodes one after the other: the card sees more order than there is. */
static cudaError_t do_child(struct graph *child, struct stream *stream);

static cudaError_t do_node(struct graph_node *node, struct stream *stream) {
    if (node->disabled)
        return cudaSuccess;
    callback_wait();
    link_set_stream(stream->number);
    switch (node->work.type) {
    case NODE_GRAPH:
        return do_child(node->work.child, stream);
    case NODE_CONDITIONAL:
        return conditional_do(&node->work, stream, do_child);
    case NODE_RECORD_EVENT:
        return event_record(node->work.event);
    case NODE_WAIT_EVENT:
        return event_delay(node->work.event);
    default:
        return work_do(&node->work, stream);
    }
}

static cudaError_t do_child(struct graph *child, struct stream *stream) {
    struct graph_exec order = {.graph = child};
    cudaError_t error = plan(&order);
    for (size_t i = 0; i < order.count && error == cudaSuccess; i++)
        error = do_node(order.steps[i].node, stream);
    free(order.steps);
    return error;
}

static cudaError_t do_step(struct graph_exec *exec, struct step *step, struct stream *launch) {
    struct stream *stream = step->branch ? &exec->branches[step->branch] : launch;
    const struct node_set *before = &step->node->before;
    cudaError_t error = cudaSuccess;
    if (!before->count && step->branch)
        error = ask_in(stream, WIRE_WAIT, exec->begun);
    for (size_t i = 0; i < before->count && error == cudaSuccess; i++) {
        const struct step *other = step_of(exec, before->nodes[i]);
        if (other->branch != step->branch)
            error = ask_in(stream, WIRE_WAIT, other->event);
    }
    if (error == cudaSuccess)
        error = do_node(step->node, stream);
    if (error == cudaSuccess && step->told)
        error = ask_in(stream, WIRE_RECORD, step->event);
    return error;
}

/* Launches of one executable graph follow each other, in whichever streams. */
static cudaError_t launch(struct graph_exec *exec, struct stream *stream) {
    cudaError_t error = ask_in(stream, WIRE_WAIT, exec->ended);
    if (error == cudaSuccess)
        error = conditional_begin(exec->graph);
    if (error == cudaSuccess)
        error = ask_in(stream, WIRE_RECORD, exec->begun);
    for (size_t i = 0; i < exec->count && error == cudaSuccess; i++)
        error = do_step(exec, &exec->steps[i], stream);
    for (size_t i = 0; i < exec->count && error == cudaSuccess; i++)
        if (exec->steps[i].branch && exec->steps[i].ends_branch)
            error = ask_in(stream, WIRE_WAIT, exec->steps[i].event);
    return error == cudaSuccess ? ask_in(stream, WIRE_RECORD, exec->ended) : error;
}

API cudaError_t cudaGraphLaunch(struct graph_exec *handle, cudaStream_t stream_handle) {
    struct graph_exec *exec = find(handle);
    struct stream *stream;
    cudaError_t error = exec ? work_begin_any(stream_handle, &stream) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return work_end(error);
    if (stream->capture) {
        struct node_work work = {.type = NODE_GRAPH, .child = graph_copy(exec->graph)};
        error = work.child ? cudaSuccess : cudaErrorMemoryAllocation;
        if (error == cudaSuccess)
            capture_takes(stream, &error, work);
        return work_end(error);
    }
    return work_end(launch(exec, stream));
}

/* There is nothing to be prepared. */
API cudaError_t cudaGraphUpload(struct graph_exec *handle, cudaStream_t stream_handle) {
    struct stream *stream;
    return remember(find(handle) ? stream_find(stream_handle, &stream) : cudaErrorInvalidValue);
}

/* ---- changing ---------------------------------------------------------------------------------
 */

API cudaError_t cudaGraphNodeSetEnabled(struct graph_exec *handle, struct graph_node *original,
                                        unsigned enabled) {
    struct graph_node *node = exec_node(handle, original);
    if (!node || node->work.type > NODE_FILL)
        return remember(cudaErrorInvalidValue);
    node->disabled = !enabled;
    return cudaSuccess;
}

API cudaError_t cudaGraphNodeGetEnabled(struct graph_exec *handle, struct graph_node *original,
                                        unsigned *enabled) {
    const struct graph_node *node = exec_node(handle, original);
    if (!node || !enabled)
        return remember(cudaErrorInvalidValue);
    *enabled = !node->disabled;
    return cudaSuccess;
}

struct update_info {
    int result;
    struct graph_node *node, *from;
};
enum { UPDATE_TOPOLOGY = 2, UPDATE_TYPE = 3 };

/* Nodes correspond by the order in which they were added. */
static int compare(const struct graph *graph, const struct graph *other,
                   struct graph_node **culprit) {
    *culprit = NULL;
    if (graph->count != other->count)
        return UPDATE_TOPOLOGY;
    for (size_t i = 0; i < graph->count; i++) {
        const struct graph_node *a = graph->nodes[i], *b = other->nodes[i];
        *culprit = other->nodes[i];
        if (a->work.type != b->work.type)
            return UPDATE_TYPE;
        if (a->before.count != b->before.count)
            return UPDATE_TOPOLOGY;
        for (size_t k = 0; k < a->before.count; k++) {
            bool found = false;
            for (size_t m = 0; m < b->before.count; m++)
                found |= b->before.nodes[m]->at == a->before.nodes[k]->at;
            if (!found)
                return UPDATE_TOPOLOGY;
        }
        int inside =
            node_holds_graph(&a->work) ? compare(a->work.child, b->work.child, culprit) : 0;
        if (inside)
            return inside;
    }
    *culprit = NULL;
    return 0;
}

API cudaError_t cudaGraphExecUpdate(struct graph_exec *handle, struct graph *graph_handle,
                                    struct update_info *info) {
    struct graph_exec *exec = find(handle);
    const struct graph *graph = graph_find(graph_handle);
    struct graph_node *culprit;
    if (!exec || !graph)
        return remember(cudaErrorInvalidValue);
    int result = compare(exec->graph, graph, &culprit);
    if (info)
        *info = (struct update_info){result, culprit, NULL};
    if (result)
        return remember(cudaErrorGraphExecUpdateFailure);
    for (size_t i = 0; i < graph->count; i++) {
        struct graph_node *node = exec->graph->nodes[i];
        struct node_work work;
        cudaError_t error = work_copy(&graph->nodes[i]->work, &work);
        if (error != cudaSuccess)
            return remember(error);
        work_free(&node->work);
        node->work = work;
    }
    return cudaSuccess;
}
