/* Graphs: work that is described first and done when it is launched. Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_GRAPH_GRAPH_H
#define WARPGRADE_SANDBOX_RUNTIME_GRAPH_GRAPH_H

#include "sandbox/runtime/launch.h"
#include "sandbox/runtime/launch_attribute.h"
#include "sandbox/runtime/stream.h"

/* cudaGraphNodeType */
enum node_type {
    NODE_KERNEL,
    NODE_COPY,
    NODE_FILL,
    NODE_HOST,
    NODE_GRAPH,
    NODE_EMPTY,
    NODE_WAIT_EVENT,
    NODE_RECORD_EVENT,
    NODE_ALLOCATE = 10,
    NODE_FREE = 11,
    NODE_CONDITIONAL = 13,
};

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    void (*fn)(void *);
    void *userData;
};
_Static_assert(sizeof(struct cudaKernelNodeParams) == 56 && sizeof(struct cudaMemsetParams) == 40,
               "as in CUDA 13.0's driver_types.h");

struct node_kernel {
    struct cudaKernelNodeParams params;   /* kernelParams: into the bytes of `launch` */
    struct launch *launch;                /* owned */
    struct launch_attributes *attributes; /* owned; NULL: none has been set */
};
/* `bodies`: a graph whose nodes are the graphs that may be done. */
struct node_conditional {
    struct graph *bodies;
    void *number; /* on the card, that decides */
    int kind;
    struct graph **out; /* owned: what the program has been given; NULL: of a copy */
};
/* What a node does, by its type. Owns what it points to, but for the program's own memory. */
struct node_work {
    enum node_type type;
    union {
        struct node_kernel kernel;
        struct cudaMemcpy3DParms copy;
        struct cudaMemsetParams fill;
        struct cudaHostNodeParams host;
        struct graph *child; /* of a conditional node, too: its bodies */
        struct node_conditional conditional;
        cudaEvent_t event;
        void *memory;
    };
};
static inline bool node_holds_graph(const struct node_work *work) {
    return work->type == NODE_GRAPH || work->type == NODE_CONDITIONAL;
}

struct graph_node {
    struct graph *graph;
    struct node_work work;
    struct node_set before;            /* it depends on them */
    const struct graph_node *original; /* of which it is a copy */
    size_t at;                         /* in the graph */
    bool disabled;
};
struct graph_object {
    struct user_object *object;
    size_t references;
};
struct graph {
    struct graph *next; /* of all that the program has handles of; children of nodes are none */
    struct graph_node **nodes;
    size_t count, capacity;
    struct graph_object *objects;
    size_t object_count;
};
/* cudaMemAllocNodeParams; its first part is cudaMemPoolProps. */
struct allocate_params {
    unsigned char pool[88];
    const void *access;
    size_t access_count, bytes;
    void *memory;
};

/* graph.c */
struct graph *graph_create(void);
void graph_free(struct graph *graph);
/* NULL: it is none, or not any more. */
struct graph *graph_find(struct graph *handle);
/* It is no longer the program's to destroy; false: it was not. */
bool graph_withdraw(struct graph *handle);
struct graph_node *node_find(struct graph_node *handle);
/* Takes the work over, also where it fails. */
cudaError_t graph_add(struct graph *graph, struct graph_node *const *before, size_t count,
                      struct node_work work, struct graph_node **node);
struct graph *graph_copy(const struct graph *graph);
cudaError_t set_add(struct node_set *set, struct graph_node *node); /* once */
void set_free(struct node_set *set);
/* Does `node` come after `before`, by whichever way, or is it the same? */
bool node_follows(const struct graph_node *node, const struct graph_node *before);

/* graph_node.c: the work that a program describes; it is the caller's where there is no error. */
cudaError_t take_kernel(const struct cudaKernelNodeParams *params, struct node_work *work);
cudaError_t take_copy(const struct cudaMemcpy3DParms *params, struct node_work *work);
cudaError_t take_fill(const struct cudaMemsetParams *params, struct node_work *work);
cudaError_t take_host(const struct cudaHostNodeParams *params, struct node_work *work);
cudaError_t take_child(struct graph *handle, struct node_work *work);
cudaError_t take_allocate(struct allocate_params *params, struct node_work *work);
cudaError_t take_free(void *memory, struct node_work *work);
/* Where `error` says that there is work: a new node for it, or it takes another's place, which has
 * to be of that type. Remember the error. */
cudaError_t node_add(struct graph_node **added, struct graph *handle,
                     struct graph_node *const *before, size_t count, cudaError_t error,
                     struct node_work work);
cudaError_t node_replace(struct graph_node *node, enum node_type type, cudaError_t error,
                         struct node_work work);
/* NULL: it is no such node. */
const struct node_work *node_work(struct graph_node *handle, enum node_type type);

/* conditional.c */
struct conditional_params { /* cudaConditionalNodeParams */
    uint64_t handle;
    int kind;
    unsigned count;
    struct graph **out;
};
cudaError_t take_conditional(struct conditional_params *params, struct node_work *work);
/* One more node whose turn the number decides on, or one less; the graph of handles is gone. */
void condition_use(const void *number, int users);
void condition_forget_graph(const struct graph *graph);
/* By the stream of work_begin(): the bodies by `act`; when a graph is launched. */
cudaError_t conditional_do(const struct node_work *work, struct stream *stream,
                           cudaError_t (*act)(struct graph *body, struct stream *stream));
cudaError_t conditional_begin(const struct graph *graph);

/* graph_exec.c: the executable graph's copy of a node */
struct graph_exec;
struct graph_node *exec_node(struct graph_exec *exec, struct graph_node *handle);

/* user_object.c */
cudaError_t user_objects_copy(const struct graph *from, struct graph *to);
void user_objects_free(struct graph *graph);

/* event.c: by the stream of work_begin(); not while that is captured */
cudaError_t event_record(cudaEvent_t handle);
cudaError_t event_delay(cudaEvent_t handle);

/* graph_work.c: what nodes do */
cudaError_t work_of_kernel(const struct cudaKernelNodeParams *params,
                           const struct launch_shape *how, struct node_work *work);
cudaError_t work_of_fill(const struct cudaMemsetParams *params, struct node_work *work);
struct node_work work_of_row(void *to, const void *from, size_t bytes, int kind);
cudaError_t work_copy(const struct node_work *from, struct node_work *to);
cudaError_t attributes_copy(const struct node_kernel *from, struct node_kernel *to);
void work_free(struct node_work *work);
/* One more node that allocates or frees it, or one less. */
void work_use_memory(const struct node_work *work, int users);
/* By the stream of work_begin(). */
cudaError_t work_do(const struct node_work *work, struct stream *stream);

/* capture.c: true where the stream is captured; then *error says what came of it, and the work
 * has been taken over. To be called after work_begin_any(). */
bool capture_takes(struct stream *stream, cudaError_t *error, struct node_work work);
/* A stream whose capture has become invalid: cudaErrorStreamCaptureInvalidated. */
cudaError_t capture_error(const struct stream *stream);
/* Such a call is not allowed while streams are captured: the error, and they become invalid. */
cudaError_t capture_forbids(void);
cudaError_t capture_forbids_default(void);
void capture_invalidate(struct stream *stream);
/* Events between streams that are captured. */
struct captured_event {
    uint64_t capture;
    struct node_set after;
};
/* The host may not wait for one. */
void capture_invalidate_of(const struct captured_event *event);
bool capture_records(struct stream *stream, struct captured_event *event);
bool capture_waits(struct stream *stream, const struct captured_event *event, cudaError_t *error);
void capture_forget(struct stream *stream); /* it is destroyed */

#endif
