/* Graphs as the library keeps them: nodes in the order in which they were added, each with those
 * that it depends on. Handles are looked for before they are used. */
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t mutex; /* of the list; a graph is used by one thread at a time */
    struct graph *first;
} graphs = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* ---- sets -------------------------------------------------------------------------------------
 */

static cudaError_t grow(void **array, size_t count, size_t *capacity, size_t element) {
    if (count < *capacity)
        return cudaSuccess;
    void *larger = realloc(*array, 2 * (count + 4) * element);
    if (!larger)
        return cudaErrorMemoryAllocation;
    *array = larger;
    *capacity = 2 * (count + 4);
    return cudaSuccess;
}

static bool set_has(const struct node_set *set, const struct graph_node *node) {
    for (size_t i = 0; i < set->count; i++)
        if (set->nodes[i] == node)
            return true;
    return false;
}

cudaError_t set_add(struct node_set *set, struct graph_node *node) {
    if (set_has(set, node))
        return cudaSuccess;
    struct graph_node **larger =
        realloc(set->nodes, (set->count + 1) * sizeof(struct graph_node *));
    if (!larger)
        return cudaErrorMemoryAllocation;
    set->nodes = larger;
    set->nodes[set->count++] = node;
    return cudaSuccess;
}

static void set_remove(struct node_set *set, const struct graph_node *node) {
    for (size_t i = 0; i < set->count; i++)
        if (set->nodes[i] == node)
            memmove(&set->nodes[i], &set->nodes[i + 1],
                    (--set->count - i) * sizeof(struct graph_node *));
}

void set_free(struct node_set *set) {
    free(set->nodes);
    *set = (struct node_set){0};
}

/* ---- graphs and nodes -------------------------------------------------------------------------
 */

struct graph *graph_create(void) {
    return calloc(1, sizeof(struct graph));
}

static void node_free(struct graph_node *node) {
    work_free(&node->work);
    set_free(&node->before);
    free(node);
}

void graph_free(struct graph *graph) {
    for (size_t i = 0; graph && i < graph->count; i++)
        node_free(graph->nodes[i]);
    if (graph) {
        condition_forget_graph(graph);
        user_objects_free(graph);
        free(graph->nodes);
    }
    free(graph);
}

static void publish(struct graph *graph) {
    pthread_mutex_lock(&graphs.mutex);
    graph->next = graphs.first;
    graphs.first = graph;
    pthread_mutex_unlock(&graphs.mutex);
}

static bool has_child(const struct graph *graph, const struct graph *child) {
    for (size_t i = 0; i < graph->count; i++)
        if (node_holds_graph(&graph->nodes[i]->work) &&
            (graph->nodes[i]->work.child == child || has_child(graph->nodes[i]->work.child, child)))
            return true;
    return false;
}

struct graph *graph_find(struct graph *handle) {
    pthread_mutex_lock(&graphs.mutex);
    struct graph *graph = graphs.first;
    while (handle && graph && graph != handle && !has_child(graph, handle))
        graph = graph->next;
    pthread_mutex_unlock(&graphs.mutex);
    return graph ? handle : NULL;
}

static struct graph_node *find_in(const struct graph *graph, const struct graph_node *handle) {
    for (size_t i = 0; i < graph->count; i++) {
        struct graph_node *node = graph->nodes[i];
        if (node != handle && node_holds_graph(&node->work))
            node = find_in(node->work.child, handle);
        if (node == handle)
            return node;
    }
    return NULL;
}

struct graph_node *node_find(struct graph_node *handle) {
    struct graph_node *node = NULL;
    pthread_mutex_lock(&graphs.mutex);
    for (struct graph *graph = graphs.first; handle && graph && !node; graph = graph->next)
        node = find_in(graph, handle);
    pthread_mutex_unlock(&graphs.mutex);
    return node;
}

bool node_follows(const struct graph_node *node, const struct graph_node *before) {
    if (node == before)
        return true;
    for (size_t i = 0; i < node->before.count; i++)
        if (node_follows(node->before.nodes[i], before))
            return true;
    return false;
}

cudaError_t graph_add(struct graph *graph, struct graph_node *const *before, size_t count,
                      struct node_work work, struct graph_node **added) {
    struct graph_node *node = calloc(1, sizeof *node);
    cudaError_t error = node ? grow((void **)&graph->nodes, graph->count, &graph->capacity,
                                    sizeof(struct graph_node *))
                             : cudaErrorMemoryAllocation;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = set_add(&node->before, before[i]);
    if (error != cudaSuccess) {
        work_free(&work);
        if (node)
            set_free(&node->before);
        free(node);
        return error;
    }
    node->graph = graph;
    node->work = work;
    node->at = graph->count;
    graph->nodes[graph->count++] = node;
    *added = node;
    return cudaSuccess;
}

static void copy_edges(struct graph *copy, const struct graph *graph, cudaError_t *error) {
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->before.count && *error == cudaSuccess; k++)
            *error =
                set_add(&copy->nodes[i]->before, copy->nodes[graph->nodes[i]->before.nodes[k]->at]);
}

struct graph *graph_copy(const struct graph *graph) {
    struct graph *copy = graph_create();
    cudaError_t error = copy ? cudaSuccess : cudaErrorMemoryAllocation;
    for (size_t i = 0; i < graph->count && error == cudaSuccess; i++) {
        struct node_work work;
        struct graph_node *node;
        error = work_copy(&graph->nodes[i]->work, &work);
        if (error == cudaSuccess)
            error = graph_add(copy, NULL, 0, work, &node);
        if (error == cudaSuccess) {
            node->original = graph->nodes[i];
            node->disabled = graph->nodes[i]->disabled;
        }
    }
    if (error == cudaSuccess)
        copy_edges(copy, graph, &error);
    if (error == cudaSuccess)
        error = user_objects_copy(graph, copy);
    if (error == cudaSuccess)
        return copy;
    graph_free(copy);
    return NULL;
}

/* ---- what programs call -----------------------------------------------------------------------
 */

API cudaError_t cudaGraphCreate(struct graph **graph, unsigned flags) {
    if (!graph || flags)
        return remember(cudaErrorInvalidValue);
    *graph = graph_create();
    if (!*graph)
        return remember(cudaErrorMemoryAllocation);
    publish(*graph);
    return cudaSuccess;
}

bool graph_withdraw(struct graph *handle) {
    pthread_mutex_lock(&graphs.mutex);
    struct graph **at = &graphs.first;
    while (*at && *at != handle)
        at = &(*at)->next;
    struct graph *graph = *at;
    if (graph)
        *at = graph->next;
    pthread_mutex_unlock(&graphs.mutex);
    return graph;
}

API cudaError_t cudaGraphDestroy(struct graph *handle) {
    if (!graph_withdraw(handle))
        return remember(cudaErrorInvalidValue);
    graph_free(handle);
    return cudaSuccess;
}

API cudaError_t cudaGraphClone(struct graph **clone, struct graph *handle) {
    const struct graph *graph = graph_find(handle);
    if (!clone || !graph)
        return remember(cudaErrorInvalidValue);
    *clone = graph_copy(graph);
    if (!*clone)
        return remember(cudaErrorMemoryAllocation);
    publish(*clone);
    return cudaSuccess;
}

API cudaError_t cudaGraphNodeFindInClone(struct graph_node **found, struct graph_node *original,
                                         struct graph *handle) {
    const struct graph *clone = graph_find(handle);
    if (!found || !clone)
        return remember(cudaErrorInvalidValue);
    for (size_t i = 0; i < clone->count; i++)
        if (clone->nodes[i]->original == original) {
            *found = clone->nodes[i];
            return cudaSuccess;
        }
    return remember(cudaErrorInvalidValue);
}

API cudaError_t cudaGraphNodeGetType(struct graph_node *handle, int *type) {
    const struct graph_node *node = node_find(handle);
    if (!node || !type)
        return remember(cudaErrorInvalidValue);
    *type = (int)node->work.type;
    return cudaSuccess;
}

/* The lists that are asked for: first how many there are, then, of those, as many as fit. */
struct list {
    struct graph_node **nodes, **others;
    size_t room, count;
};

static void list_add(struct list *list, struct graph_node *node, struct graph_node *other) {
    if (list->count < list->room) {
        if (list->nodes)
            list->nodes[list->count] = node;
        if (list->others)
            list->others[list->count] = other;
    }
    list->count++;
}

static cudaError_t list_end(const struct list *list, size_t *count) {
    for (size_t i = list->count; i < list->room && list->nodes; i++)
        list->nodes[i] = NULL;
    *count = list->nodes && list->count > list->room ? list->room : list->count;
    return cudaSuccess;
}

API cudaError_t cudaGraphGetNodes(struct graph *handle, struct graph_node **nodes, size_t *count) {
    const struct graph *graph = graph_find(handle);
    if (!graph || !count)
        return remember(cudaErrorInvalidValue);
    struct list list = {nodes, NULL, *count, 0};
    for (size_t i = 0; i < graph->count; i++)
        list_add(&list, graph->nodes[i], NULL);
    return list_end(&list, count);
}

API cudaError_t cudaGraphGetRootNodes(struct graph *handle, struct graph_node **nodes,
                                      size_t *count) {
    const struct graph *graph = graph_find(handle);
    if (!graph || !count)
        return remember(cudaErrorInvalidValue);
    struct list list = {nodes, NULL, *count, 0};
    for (size_t i = 0; i < graph->count; i++)
        if (!graph->nodes[i]->before.count)
            list_add(&list, graph->nodes[i], NULL);
    return list_end(&list, count);
}

/* Edges have no data of their own: all are full dependencies, which is what zeros mean. */
enum { EDGE_DATA = 8 };

static void no_data(void *data, size_t count) {
    if (data)
        memset(data, 0, count * EDGE_DATA);
}

API cudaError_t cudaGraphGetEdges(struct graph *handle, struct graph_node **from,
                                  struct graph_node **to, void *data, size_t *count) {
    const struct graph *graph = graph_find(handle);
    if (!graph || !count || !from != !to)
        return remember(cudaErrorInvalidValue);
    struct list list = {from, to, *count, 0};
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->before.count; k++)
            list_add(&list, graph->nodes[i]->before.nodes[k], graph->nodes[i]);
    no_data(data, list.count < list.room ? list.count : list.room);
    return list_end(&list, count);
}

API cudaError_t cudaGraphNodeGetDependencies(struct graph_node *handle, struct graph_node **nodes,
                                             void *data, size_t *count) {
    const struct graph_node *node = node_find(handle);
    if (!node || !count)
        return remember(cudaErrorInvalidValue);
    struct list list = {nodes, NULL, *count, 0};
    for (size_t i = 0; i < node->before.count; i++)
        list_add(&list, node->before.nodes[i], NULL);
    no_data(data, list.count < list.room ? list.count : list.room);
    return list_end(&list, count);
}

API cudaError_t cudaGraphNodeGetDependentNodes(struct graph_node *handle, struct graph_node **nodes,
                                               void *data, size_t *count) {
    const struct graph_node *node = node_find(handle);
    if (!node || !count)
        return remember(cudaErrorInvalidValue);
    struct list list = {nodes, NULL, *count, 0};
    for (size_t i = 0; i < node->graph->count; i++)
        if (set_has(&node->graph->nodes[i]->before, node))
            list_add(&list, node->graph->nodes[i], NULL);
    no_data(data, list.count < list.room ? list.count : list.room);
    return list_end(&list, count);
}

static bool is_in(const struct graph *graph, const struct graph_node *node) {
    return find_in(graph, node) && node->graph == graph;
}

API cudaError_t cudaGraphAddDependencies(struct graph *handle, struct graph_node *const *from,
                                         struct graph_node *const *to, const void *data,
                                         size_t count) {
    const struct graph *graph = graph_find(handle);
    cudaError_t error = graph && (!count || (from && to)) ? cudaSuccess : cudaErrorInvalidValue;
    (void)data;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = !is_in(graph, from[i]) || !is_in(graph, to[i]) || from[i] == to[i] ||
                        set_has(&to[i]->before, from[i])
                    ? cudaErrorInvalidValue
                    : set_add(&to[i]->before, from[i]);
    return remember(error);
}

API cudaError_t cudaGraphRemoveDependencies(struct graph *handle, struct graph_node *const *from,
                                            struct graph_node *const *to, const void *data,
                                            size_t count) {
    const struct graph *graph = graph_find(handle);
    (void)data;
    if (!graph || (count && (!from || !to)))
        return remember(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        if (!is_in(graph, from[i]) || !is_in(graph, to[i]) || !set_has(&to[i]->before, from[i]))
            return remember(cudaErrorInvalidValue);
        set_remove(&to[i]->before, from[i]);
    }
    return cudaSuccess;
}

API cudaError_t cudaGraphDestroyNode(struct graph_node *handle) {
    struct graph_node *node = node_find(handle);
    if (!node)
        return remember(cudaErrorInvalidValue);
    struct graph *graph = node->graph;
    for (size_t i = 0; i < graph->count; i++)
        set_remove(&graph->nodes[i]->before, node);
    memmove(&graph->nodes[node->at], &graph->nodes[node->at + 1],
            (--graph->count - node->at) * sizeof(struct graph_node *));
    for (size_t i = node->at; i < graph->count; i++)
        graph->nodes[i]->at = i;
    node_free(node);
    return cudaSuccess;
}

API cudaError_t cudaGraphDebugDotPrint(struct graph *handle, const char *path, unsigned flags) {
    static const char *const names[] = {"KERNEL", "MEMCPY", "MEMSET",     "HOST",
                                        "GRAPH",  "EMPTY",  "EVENT_WAIT", "EVENT_RECORD",
                                        "",       "",       "MEM_ALLOC",  "MEM_FREE"};
    const struct graph *graph = graph_find(handle);
    FILE *file = graph && path ? fopen(path, "w") : NULL;
    (void)flags;
    if (!file)
        return remember(graph && path ? cudaErrorOperatingSystem : cudaErrorInvalidValue);
    fputs("digraph dot {\n", file);
    for (size_t i = 0; i < graph->count; i++) {
        const struct graph_node *node = graph->nodes[i];
        struct kernel *kernel;
        bool named = node->work.type == NODE_KERNEL &&
                     kernel_find(node->work.kernel.params.func, &kernel) == cudaSuccess;
        fprintf(file, "\"graph_1_node_%zu\"[shape=\"record\" label=\"{%s|%zu%s%s}\"];\n", i,
                names[node->work.type], i, named ? "|" : "", named ? kernel->name : "");
        for (size_t k = 0; k < node->before.count; k++)
            fprintf(file, "\"graph_1_node_%zu\" -> \"graph_1_node_%zu\";\n",
                    node->before.nodes[k]->at, i);
    }
    fputs("}\n", file);
    return remember(fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}
