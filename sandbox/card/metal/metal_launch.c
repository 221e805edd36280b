/* Launches: given to the driver in the stream that was asked for; the call returns before they end,
 * as on a card in the program's own process. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LIMIT_STACK = 0, LIMIT_HEAP = 2, PLAIN_SHARED = 48 << 10 };

static bool is_whole(const struct card_kernel *kernel, uint32_t bytes) {
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (kernel->parameters[i].offset > bytes ||
            kernel->parameters[i].bytes > bytes - kernel->parameters[i].offset)
            return false;
    return true;
}

void metal_clustered(const struct wire_launch *asked, void *stream,
                     struct driver_attribute attributes[2], struct driver_launch *launch) {
    unsigned count = 0;
    memset(attributes, 0, 2 * sizeof *attributes);
    if (asked->cluster[0]) {
        attributes[count].id = ATTRIBUTE_OF_CLUSTER;
        memcpy(attributes[count++].value.extents, asked->cluster, sizeof asked->cluster);
    }
    if (asked->cooperative) {
        attributes[count].id = ATTRIBUTE_OF_COOPERATIVE;
        attributes[count++].value.number = 1;
    }
    *launch = (struct driver_launch){.shared_bytes = (unsigned)asked->shared_bytes,
                                     .stream = stream,
                                     .attributes = attributes,
                                     .attribute_count = count};
    memcpy(launch->grid, asked->grid, sizeof launch->grid);
    memcpy(launch->block, asked->block, sizeof launch->block);
}

static int launch(struct card *card, const struct wire_launch *asked, uint64_t stream,
                  unsigned char *bytes) {
    const struct driver *driver = &card->metal->driver;
    const struct card_kernel *kernel = &card->kernels[asked->kernel];
    void *function = metal_get(&card->metal->functions, asked->kernel);
    void *handle = metal_stream_of(card, stream);
    void *parameters[SIM_MAX_PARAMETERS + 1] = {NULL};
    for (size_t i = 0; i < kernel->parameter_count; i++)
        parameters[i] = bytes + kernel->parameters[i].offset;
    if (asked->shared_bytes > INT32_MAX)
        return DRIVER_INVALID_VALUE;
    if (asked->shared_bytes > PLAIN_SHARED) {
        int code = driver->cuFuncSetAttribute(function, FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
                                              (int)asked->shared_bytes);
        if (code != DRIVER_OK)
            return code;
    }
    if (asked->large_cluster) {
        int code = driver->cuFuncSetAttribute(function, FUNCTION_LARGE_CLUSTER, 1);
        if (code != DRIVER_OK)
            return code;
    }
    const uint32_t *grid = asked->grid, *block = asked->block;
    struct driver_attribute attributes[2];
    struct driver_launch clustered;
    if (asked->cluster[0]) {
        if (!driver->cuLaunchKernelEx)
            return CARD_NOT_SUPPORTED;
        metal_clustered(asked, handle, attributes, &clustered);
    }
    metal_work_begins(card, stream);
    int code = asked->cluster[0] ? driver->cuLaunchKernelEx(&clustered, function, parameters, NULL)
               : asked->cooperative
                   ? driver->cuLaunchCooperativeKernel(
                         function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                         (unsigned)asked->shared_bytes, handle, parameters)
                   : driver->cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1],
                                            block[2], (unsigned)asked->shared_bytes, handle,
                                            parameters, NULL);
    metal_work_ends(card, stream);
    return code;
}

enum card_error metal_do_LAUNCH(struct card *card, const struct card_request *request,
                                struct card_reply *reply) {
    (void)reply;
    struct wire_launch asked;
    struct touch_work work;
    if (request->head.inline_bytes < sizeof asked)
        return CARD_INVALID_VALUE;
    memcpy(&asked, request->bytes, sizeof asked);
    if (asked.kernel >= card->kernel_count ||
        asked.parameter_bytes != request->head.inline_bytes - sizeof asked)
        return CARD_INVALID_DEVICE_FUNCTION;
    const struct card_kernel *kernel = &card->kernels[asked.kernel];
    if (!is_whole(kernel, asked.parameter_bytes))
        return CARD_INVALID_VALUE;
    if (!card_begin(card, request, "a kernel", &work))
        return CARD_INVALID_HANDLE;
    cleanup_free unsigned char *parameters =
        mem_dup(request->bytes + sizeof asked, asked.parameter_bytes + 1);
    card_task_passed(card, parameters, asked.parameter_bytes);
    metal_note_launch(card, parameters, asked.parameter_bytes);
    checks_arguments(card, &(struct card_launched){kernel, parameters});
    card_plain_name(kernel->name, card->metal->kernel, sizeof card->metal->kernel);
    card->metal->kernel_site = card->site;
    enum card_error error =
        metal_launched(card, launch(card, &asked, request->head.stream, parameters));
    card->result.launches += error == CARD_OK;
    return error;
}

enum card_error metal_do_LIMIT(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    (void)reply;
    return metal_result(
        card, card->metal->driver.cuCtxSetLimit(
                  request->head.argument[0] ? LIMIT_STACK : LIMIT_HEAP, request->head.argument[1]));
}

enum card_error metal_do_CLOCK(struct card *card, const struct card_request *request,
                               struct card_reply *reply) {
    (void)request;
    struct timespec now;
    size_t available = 0, total = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    enum card_error error =
        metal_result(card, card->metal->driver.cuMemGetInfo_v2(&available, &total));
    reply->head.value[0] = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    reply->head.value[1] = card->capacity_bytes > available ? card->capacity_bytes - available : 0;
    return error;
}

/* What was asked for and not waited for belongs to the task. */
enum card_error metal_do_TASK_END(struct card *card, const struct card_request *request,
                                  struct card_reply *reply) {
    enum card_error error = metal_await_all(card);
    metal_printed_take(card);
    return error == CARD_OK ? card_do_TASK_END(card, request, reply) : error;
}
