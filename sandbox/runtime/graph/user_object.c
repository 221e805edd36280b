/* User objects: what a program wants to have destroyed when no graph uses it any more. Graphs count
 * their references, copies of graphs have their own. The function is called where the last one
 * goes. */
#include "sandbox/runtime/graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

enum { NO_DESTRUCTOR_SYNC = 1, MOVE = 1 };

struct user_object {
    struct user_object *next;
    void *data;
    void (*destroy)(void *);
    size_t references;
};

static struct {
    pthread_mutex_t mutex;
    struct user_object *first;
} objects = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Adds references, or takes some away; false: there is no such object, or it has fewer. */
static bool count(struct user_object *handle, size_t more, size_t less) {
    struct user_object *ended = NULL;
    pthread_mutex_lock(&objects.mutex);
    struct user_object **at = &objects.first;
    while (*at && *at != handle)
        at = &(*at)->next;
    struct user_object *object = *at;
    bool sound = object && object->references >= less;
    if (sound) {
        object->references += more - less;
        if (!object->references) {
            *at = object->next;
            ended = object;
        }
    }
    pthread_mutex_unlock(&objects.mutex);
    if (ended)
        ended->destroy(ended->data);
    free(ended);
    return sound;
}

API cudaError_t cudaUserObjectCreate(struct user_object **handle, void *data,
                                     void (*destroy)(void *), unsigned references, unsigned flags) {
    if (!handle || !destroy || !references || flags != NO_DESTRUCTOR_SYNC)
        return remember(cudaErrorInvalidValue);
    struct user_object *object = malloc(sizeof *object);
    if (!object)
        return remember(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&objects.mutex);
    *object = (struct user_object){objects.first, data, destroy, references};
    objects.first = object;
    pthread_mutex_unlock(&objects.mutex);
    *handle = object;
    return cudaSuccess;
}

API cudaError_t cudaUserObjectRetain(struct user_object *object, unsigned references) {
    return remember(references && count(object, references, 0) ? cudaSuccess
                                                               : cudaErrorInvalidValue);
}

API cudaError_t cudaUserObjectRelease(struct user_object *object, unsigned references) {
    return remember(references && count(object, 0, references) ? cudaSuccess
                                                               : cudaErrorInvalidValue);
}

/* ---- graphs' references -----------------------------------------------------------------------
 */

static struct graph_object *find_in(struct graph *graph, const struct user_object *object) {
    for (size_t i = 0; i < graph->object_count; i++)
        if (graph->objects[i].object == object)
            return &graph->objects[i];
    return NULL;
}

static cudaError_t keep(struct graph *graph, struct user_object *object, size_t references) {
    struct graph_object *kept = find_in(graph, object);
    if (!kept) {
        struct graph_object *larger =
            realloc(graph->objects, (graph->object_count + 1) * sizeof *larger);
        if (!larger)
            return cudaErrorMemoryAllocation;
        graph->objects = larger;
        kept = &larger[graph->object_count++];
        *kept = (struct graph_object){object, 0};
    }
    kept->references += references;
    return cudaSuccess;
}

cudaError_t user_objects_copy(const struct graph *from, struct graph *to) {
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < from->object_count && error == cudaSuccess; i++) {
        error = keep(to, from->objects[i].object, from->objects[i].references);
        if (error == cudaSuccess)
            count(from->objects[i].object, from->objects[i].references, 0);
    }
    return error;
}

void user_objects_free(struct graph *graph) {
    for (size_t i = 0; i < graph->object_count; i++)
        count(graph->objects[i].object, 0, graph->objects[i].references);
    free(graph->objects);
}

API cudaError_t cudaGraphRetainUserObject(struct graph *handle, struct user_object *object,
                                          unsigned references, unsigned flags) {
    struct graph *graph = graph_find(handle);
    bool sound = graph && references && flags <= MOVE && count(object, flags ? 0 : references, 0);
    return remember(sound ? keep(graph, object, references) : cudaErrorInvalidValue);
}

API cudaError_t cudaGraphReleaseUserObject(struct graph *handle, struct user_object *object,
                                           unsigned references) {
    struct graph *graph = graph_find(handle);
    struct graph_object *kept = graph ? find_in(graph, object) : NULL;
    if (!kept || !references || kept->references < references)
        return remember(cudaErrorInvalidValue);
    kept->references -= references;
    if (!kept->references)
        *kept = graph->objects[--graph->object_count];
    count(object, 0, references);
    return cudaSuccess;
}
