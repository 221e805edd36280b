/* Launches. `kernel<<<grid, block, shared, stream>>>(...)` becomes a push of the configuration, and
 * a call of the kernel's function on the host, which pops it and gives us the addresses of the
 * arguments; which bytes of them are meant, the PTX says. */
#include "sandbox/runtime/graph/graph.h"
#include "sandbox/runtime/host/site.h"
#include "sandbox/runtime/pinned.h"
#include "sandbox/runtime/shared.h"

#include <string.h>

/* event.c */
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);

enum {
    MOST_PUSHED = 16,         /* launches inside of the arguments of launches */
    PLAIN_DYNAMIC = 48 << 10, /* bytes of dynamic shared memory without asking for more */
};

static _Thread_local struct {
    struct {
        dim3 grid, block;
        size_t shared_bytes;
        cudaStream_t stream;
        uint32_t site; /* of <<<...>>>: what calls us next is the compiler's code */
    } pushed[MOST_PUSHED];
    unsigned count;
    uint32_t popped_site; /* of the launch that comes next; 0: it is a plain call */
} configurations;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         cudaStream_t stream) {
    if (configurations.count == MOST_PUSHED)
        return (unsigned)remember(cudaErrorMissingConfiguration);
    unsigned at = configurations.count++;
    configurations.pushed[at].grid = grid;
    configurations.pushed[at].block = block;
    configurations.pushed[at].shared_bytes = shared_bytes;
    configurations.pushed[at].stream = stream;
    configurations.pushed[at].site = site_here();
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                           void *stream) {
    if (!configurations.count)
        return remember(cudaErrorMissingConfiguration);
    unsigned at = --configurations.count;
    *grid = configurations.pushed[at].grid;
    *block = configurations.pushed[at].block;
    *shared_bytes = configurations.pushed[at].shared_bytes;
    *(cudaStream_t *)stream = configurations.pushed[at].stream;
    configurations.popped_site = configurations.pushed[at].site;
    return cudaSuccess;
}

/* The launch that begins is of that line, and so is its error. */
static uint32_t take_site(void) {
    uint32_t site = configurations.popped_site;
    configurations.popped_site = 0;
    remember_launch(site);
    return site;
}

static cudaError_t end_launch(cudaError_t error) {
    remember_launch(0);
    return error;
}

/* A pointer to registered memory of the host is another one for kernels. */
static void translate(unsigned char *parameter) {
    uint64_t word;
    memcpy(&word, parameter, sizeof word);
    word = shared_translate(word);
    memcpy(parameter, &word, sizeof word);
}

cudaError_t launch_pack(struct kernel *kernel, const struct launch_shape *shape, void **arguments,
                        struct launch *launch) {
    cudaError_t error = kernel_load(kernel);
    if (error != cudaSuccess)
        return error;
    if (shape->shared_bytes > PLAIN_DYNAMIC && shape->shared_bytes > kernel->most_dynamic)
        return cudaErrorInvalidValue;
    launch->head = (struct wire_launch){.kernel = kernel->number,
                                        .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
                                        .block = {shape->block.x, shape->block.y, shape->block.z},
                                        .shared_bytes = shape->shared_bytes,
                                        .cooperative = shape->cooperative,
                                        .large_cluster = kernel->large_cluster};
    memcpy(launch->head.cluster, shape->cluster, sizeof launch->head.cluster);
    size_t end = 0;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct wire_parameter *parameter = &kernel->parameters[i];
        memset(launch->parameters + end, 0, parameter->offset - end);
        memcpy(launch->parameters + parameter->offset, arguments[i], parameter->bytes);
        if (parameter->bytes == sizeof(uint64_t))
            translate(launch->parameters + parameter->offset);
        end = parameter->offset + parameter->bytes;
    }
    launch->head.parameter_bytes = (uint32_t)end;
    return cudaSuccess;
}

size_t launch_bytes(const struct launch *launch) {
    return sizeof launch->head + launch->head.parameter_bytes;
}

cudaError_t launch_send(const struct launch *launch, uint32_t site) {
    struct wire_guard guards[WIRE_GUARDS_MAX];
    struct link_call call = {.call = WIRE_LAUNCH,
                             .site = site,
                             .sent = launch,
                             .sent_bytes = launch_bytes(launch),
                             .received = guards,
                             .received_max = sizeof guards};
    cudaError_t error = link_do(&call);
    for (size_t i = 0; i < call.received_bytes / sizeof *guards; i++)
        guard_close(&guards[i]);
    return error;
}

static cudaError_t launch_in(cudaStream_t handle, struct kernel *kernel,
                             const struct launch_shape *shape, void **arguments) {
    struct stream *stream;
    struct node_work work;
    struct launch launch;
    uint32_t site = take_site();
    cudaError_t error = work_begin_any(handle, &stream);
    if (error == cudaSuccess && stream->capture) {
        const struct cudaKernelNodeParams params = {
            (void *)(uintptr_t)kernel->host, shape->grid, shape->block,
            (unsigned)shape->shared_bytes,   arguments,   NULL};
        error = work_of_kernel(&params, shape, &work);
        if (error == cudaSuccess)
            capture_takes(stream, &error, work);
        return end_launch(work_end(error));
    }
    if (error == cudaSuccess)
        error = launch_pack(kernel, shape, arguments, &launch);
    if (error == cudaSuccess)
        error = launch_send(&launch, site);
    return end_launch(work_end(error));
}

API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                   size_t shared_bytes, cudaStream_t stream) {
    if (!kernel)
        return remember(cudaErrorInvalidDeviceFunction);
    const struct launch_shape shape = {.grid = grid, .block = block, .shared_bytes = shared_bytes};
    return launch_in(stream, kernel, &shape, arguments);
}

static cudaError_t launch_function(const void *function, const struct launch_shape *shape,
                                   void **arguments, cudaStream_t stream) {
    struct kernel *kernel;
    cudaError_t error = kernel_find(function, &kernel);
    if (error == cudaSuccess)
        return launch_in(stream, kernel, shape, arguments);
    take_site();
    return end_launch(remember(error));
}

API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_bytes, cudaStream_t stream) {
    const struct launch_shape shape = {.grid = grid, .block = block, .shared_bytes = shared_bytes};
    return launch_function(function, &shape, arguments, stream);
}

API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                            void **arguments, size_t shared_bytes,
                                            cudaStream_t stream) {
    const struct launch_shape shape = {
        .grid = grid, .block = block, .shared_bytes = shared_bytes, .cooperative = true};
    return launch_function(function, &shape, arguments, stream);
}

bool launch_is_cluster(const unsigned *blocks) {
    return blocks[0] && blocks[1] && blocks[2];
}

/* Most attributes are hints. An event is recorded when the kernel has ended: it may be late. */
cudaError_t launch_read_attributes(const struct launch_config *config,
                                   struct launch_extras *extras) {
    const struct launch_attribute *attributes = config->attributes;
    *extras = (struct launch_extras){0};
    if (config->attribute_count && !attributes)
        return cudaErrorInvalidValue;
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const struct launch_attribute *attribute = &attributes[i];
        if (attribute->id < 0 || attribute->id >= ATTRIBUTE_COUNT)
            return cudaErrorInvalidValue;
        if (attribute->id == ATTRIBUTE_COOPERATIVE)
            extras->cooperative = attribute->value.number;
        if (attribute->id == ATTRIBUTE_EVENT || attribute->id == ATTRIBUTE_COMPLETION_EVENT)
            extras->event = attribute->value.event;
        if (attribute->id == ATTRIBUTE_CLUSTER && !launch_is_cluster(attribute->value.extents))
            return cudaErrorInvalidValue;
        if (attribute->id == ATTRIBUTE_CLUSTER)
            memcpy(extras->cluster, attribute->value.extents, sizeof extras->cluster);
    }
    return cudaSuccess;
}

API cudaError_t cudaLaunchKernelExC(const struct launch_config *config, const void *function,
                                    void **arguments) {
    struct launch_extras extras = {0};
    cudaError_t error = config ? launch_read_attributes(config, &extras) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return remember(error);
    struct launch_shape shape = {
        config->grid, config->block, config->shared_bytes, extras.cooperative, {0}};
    memcpy(shape.cluster, extras.cluster, sizeof shape.cluster);
    error = launch_function(function, &shape, arguments, config->stream);
    return error == cudaSuccess && extras.event ? cudaEventRecord(extras.event, config->stream)
                                                : error;
}
