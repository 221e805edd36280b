/* Programs that were compiled with --default-stream per-thread call functions by other names: with
 * _ptsz (a stream is an argument) or _ptds (the default one is meant). No stream means the thread's
 * own default stream there. */
#include "sandbox/runtime/batch.h"
#include "sandbox/runtime/graph/graph.h"

#define FORWARD(name, suffix, parameters, arguments)                                               \
    cudaError_t name parameters;                                                                   \
    API cudaError_t name##suffix parameters;                                                       \
    API cudaError_t name##suffix parameters {                                                      \
        bool before = default_is_per_thread;                                                       \
        default_is_per_thread = true;                                                              \
        cudaError_t error = name arguments;                                                        \
        default_is_per_thread = before;                                                            \
        return error;                                                                              \
    }
#define STREAM(name, parameters, arguments)  FORWARD(name, _ptsz, parameters, arguments)
#define DEFAULT(name, parameters, arguments) FORWARD(name, _ptds, parameters, arguments)

struct graph_exec;
struct instantiate_params;
struct pool;

/* ---- launches ---------------------------------------------------------------------------------
 */

STREAM(__cudaLaunchKernel,
       (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
        cudaStream_t stream),
       (kernel, grid, block, arguments, shared, stream))
STREAM(cudaLaunchKernel,
       (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
        cudaStream_t stream),
       (function, grid, block, arguments, shared, stream))
STREAM(cudaLaunchCooperativeKernel,
       (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
        cudaStream_t stream),
       (function, grid, block, arguments, shared, stream))
STREAM(cudaLaunchKernelExC,
       (const struct launch_config *config, const void *function, void **arguments),
       (config, function, arguments))
STREAM(cudaLaunchHostFunc, (cudaStream_t stream, void (*function)(void *), void *data),
       (stream, function, data))
STREAM(cudaStreamAddCallback,
       (cudaStream_t stream, void (*function)(cudaStream_t, cudaError_t, void *), void *data,
        unsigned flags),
       (stream, function, data, flags))

/* ---- memory -----------------------------------------------------------------------------------
 */

DEFAULT(cudaMemcpy, (void *to, const void *from, size_t bytes, int kind), (to, from, bytes, kind))
STREAM(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, cudaStream_t stream),
       (to, from, bytes, kind, stream))
DEFAULT(cudaMemcpy2D,
        (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
         size_t height, int kind),
        (to, to_pitch, from, from_pitch, width, height, kind))
STREAM(cudaMemcpy2DAsync,
       (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
        int kind, cudaStream_t stream),
       (to, to_pitch, from, from_pitch, width, height, kind, stream))
DEFAULT(cudaMemcpy3D, (const struct cudaMemcpy3DParms *copy), (copy))
STREAM(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *copy, cudaStream_t stream),
       (copy, stream))
DEFAULT(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *copy), (copy))
STREAM(cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream),
       (copy, stream))
DEFAULT(cudaMemcpyToSymbol,
        (const void *symbol, const void *from, size_t bytes, size_t offset, int kind),
        (symbol, from, bytes, offset, kind))
STREAM(cudaMemcpyToSymbolAsync,
       (const void *symbol, const void *from, size_t bytes, size_t offset, int kind,
        cudaStream_t stream),
       (symbol, from, bytes, offset, kind, stream))
DEFAULT(cudaMemcpyFromSymbol, (void *to, const void *symbol, size_t bytes, size_t offset, int kind),
        (to, symbol, bytes, offset, kind))
STREAM(cudaMemcpyFromSymbolAsync,
       (void *to, const void *symbol, size_t bytes, size_t offset, int kind, cudaStream_t stream),
       (to, symbol, bytes, offset, kind, stream))
DEFAULT(cudaMemset, (void *to, int value, size_t bytes), (to, value, bytes))
STREAM(cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
       (to, value, bytes, stream))
DEFAULT(cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height),
        (to, pitch, value, width, height))
STREAM(cudaMemset2DAsync,
       (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
       (to, pitch, value, width, height, stream))
DEFAULT(cudaMemset3D, (struct cudaPitchedPtr memory, int value, struct cudaExtent extent),
        (memory, value, extent))
STREAM(cudaMemset3DAsync,
       (struct cudaPitchedPtr memory, int value, struct cudaExtent extent, cudaStream_t stream),
       (memory, value, extent, stream))
STREAM(cudaMallocAsync, (void **pointer, size_t bytes, cudaStream_t stream),
       (pointer, bytes, stream))
STREAM(cudaMallocFromPoolAsync,
       (void **pointer, size_t bytes, struct pool *pool, cudaStream_t stream),
       (pointer, bytes, pool, stream))
STREAM(cudaFreeAsync, (void *pointer, cudaStream_t stream), (pointer, stream))
STREAM(cudaMemPrefetchAsync,
       (const void *pointer, size_t bytes, struct location location, unsigned flags,
        cudaStream_t stream),
       (pointer, bytes, location, flags, stream))
STREAM(cudaMemPrefetchBatchAsync,
       (void **pointers, size_t *sizes, size_t count, struct location *locations, size_t *starts,
        size_t location_count, unsigned long long flags, cudaStream_t stream),
       (pointers, sizes, count, locations, starts, location_count, flags, stream))
STREAM(cudaMemDiscardBatchAsync,
       (void **pointers, size_t *sizes, size_t count, unsigned long long flags,
        cudaStream_t stream),
       (pointers, sizes, count, flags, stream))
STREAM(cudaMemDiscardAndPrefetchBatchAsync,
       (void **pointers, size_t *sizes, size_t count, struct location *locations, size_t *starts,
        size_t location_count, unsigned long long flags, cudaStream_t stream),
       (pointers, sizes, count, locations, starts, location_count, flags, stream))
STREAM(cudaMemcpyBatchAsync,
       (void *const *to, const void *const *from, const size_t *sizes, size_t count,
        struct copy_attributes *attributes, size_t *starts, size_t attribute_count,
        cudaStream_t stream),
       (to, from, sizes, count, attributes, starts, attribute_count, stream))
STREAM(cudaMemcpy3DBatchAsync,
       (size_t count, struct copy_operation *operations, unsigned long long flags,
        cudaStream_t stream),
       (count, operations, flags, stream))
STREAM(cudaStreamAttachMemAsync, (cudaStream_t stream, void *pointer, size_t bytes, unsigned flags),
       (stream, pointer, bytes, flags))

/* ---- arrays -----------------------------------------------------------------------------------
 */

DEFAULT(cudaMemcpyToArray,
        (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, int kind),
        (to, x, y, from, bytes, kind))
STREAM(cudaMemcpyToArrayAsync,
       (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, int kind,
        cudaStream_t stream),
       (to, x, y, from, bytes, kind, stream))
DEFAULT(cudaMemcpyFromArray,
        (void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, int kind),
        (to, from, x, y, bytes, kind))
STREAM(cudaMemcpyFromArrayAsync,
       (void *to, cudaArray_t from, size_t x, size_t y, size_t bytes, int kind,
        cudaStream_t stream),
       (to, from, x, y, bytes, kind, stream))
DEFAULT(cudaMemcpyArrayToArray,
        (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x, size_t from_y,
         size_t bytes, int kind),
        (to, to_x, to_y, from, from_x, from_y, bytes, kind))
DEFAULT(cudaMemcpy2DToArray,
        (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
         size_t height, int kind),
        (to, x, y, from, pitch, width, height, kind))
STREAM(cudaMemcpy2DToArrayAsync,
       (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
        size_t height, int kind, cudaStream_t stream),
       (to, x, y, from, pitch, width, height, kind, stream))
DEFAULT(cudaMemcpy2DFromArray,
        (void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
         int kind),
        (to, pitch, from, x, y, width, height, kind))
STREAM(cudaMemcpy2DFromArrayAsync,
       (void *to, size_t pitch, cudaArray_t from, size_t x, size_t y, size_t width, size_t height,
        int kind, cudaStream_t stream),
       (to, pitch, from, x, y, width, height, kind, stream))
DEFAULT(cudaMemcpy2DArrayToArray,
        (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from, size_t from_x, size_t from_y,
         size_t width, size_t height, int kind),
        (to, to_x, to_y, from, from_x, from_y, width, height, kind))

/* ---- streams and events -----------------------------------------------------------------------
 */

STREAM(cudaStreamQuery, (cudaStream_t stream), (stream))
STREAM(cudaStreamSynchronize, (cudaStream_t stream), (stream))
STREAM(cudaStreamGetDevice, (cudaStream_t stream, int *device), (stream, device))
STREAM(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), (stream, flags))
STREAM(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id), (stream, id))
STREAM(cudaStreamSetAttribute, (cudaStream_t stream, int id, const union launch_value *value),
       (stream, id, value))
STREAM(cudaStreamGetAttribute, (cudaStream_t stream, int id, union launch_value *value),
       (stream, id, value))
STREAM(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), (to, from))
STREAM(cudaStreamGetPriority, (cudaStream_t stream, int *priority), (stream, priority))
STREAM(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
       (stream, event, flags))
STREAM(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
STREAM(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
       (event, stream, flags))

/* ---- graphs -----------------------------------------------------------------------------------
 */

STREAM(cudaStreamBeginCapture, (cudaStream_t stream, int mode), (stream, mode))
STREAM(cudaStreamBeginCaptureToGraph,
       (cudaStream_t stream, struct graph *graph, struct graph_node *const *after, const void *data,
        size_t count, int mode),
       (stream, graph, after, data, count, mode))
STREAM(cudaStreamEndCapture, (cudaStream_t stream, struct graph **graph), (stream, graph))
STREAM(cudaStreamIsCapturing, (cudaStream_t stream, int *status), (stream, status))
STREAM(cudaStreamGetCaptureInfo,
       (cudaStream_t stream, int *status, unsigned long long *id, struct graph **graph,
        struct graph_node *const **after, const void **data, size_t *count),
       (stream, status, id, graph, after, data, count))
STREAM(cudaStreamUpdateCaptureDependencies,
       (cudaStream_t stream, struct graph_node **nodes, const void *data, size_t count,
        unsigned flags),
       (stream, nodes, data, count, flags))
STREAM(cudaGraphInstantiateWithParams,
       (struct graph_exec * *exec, struct graph *graph, struct instantiate_params *params),
       (exec, graph, params))
STREAM(cudaGraphUpload, (struct graph_exec * exec, cudaStream_t stream), (exec, stream))
STREAM(cudaGraphLaunch, (struct graph_exec * exec, cudaStream_t stream), (exec, stream))

/* ---- the driver -------------------------------------------------------------------------------
 */

STREAM(cudaGetDriverEntryPoint,
       (const char *name, void **function, unsigned long long flags, int *result),
       (name, function, flags, result))
STREAM(cudaGetDriverEntryPointByVersion,
       (const char *name, void **function, unsigned version, unsigned long long flags, int *result),
       (name, function, version, flags, result))
