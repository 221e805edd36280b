/* The part of the driver without a card that whole programs need: streams, in which everything is
 * done when it is asked for, registered memory, and what kernels are asked for. A kernel of C++
 * takes what its name says (see run_unknown() in fake_card.c), one of fake_card.c's own what that
 * says. */
#include "fake_card.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID_VALUE = 1, INVALID_HANDLE = 400, NOT_READY = 600, MAX_STREAMS = 64 };
enum { ALL_MEMORY = 1 << 30, USED_MEMORY = 1 << 20, TOO_MUCH = 1 << 30 };

static struct stream { bool live; } streams[MAX_STREAMS];

/* ---- memory ---------------------------------------------------------------------------------- */

int cuMemGetInfo_v2(size_t *available, size_t *total) {
    *total = ALL_MEMORY;
    *available = ALL_MEMORY - USED_MEMORY;
    return fake_state.broken;
}

/* A worker that asks for another range than one of a block's has believed its program: it ends. */
static void expect_inside(gpu_address address, size_t bytes) {
    if (!fake_is_inside(address, bytes))
        abort();
}

int cuMemcpyAsync(gpu_address to, gpu_address from, size_t bytes, void *stream) {
    expect_inside(to, bytes);
    expect_inside(from, bytes);
    if (!fake_has_stream(stream))
        return INVALID_VALUE;
    memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return fake_state.broken;
}

int cuMemcpyHtoDAsync_v2(gpu_address to, const void *from, size_t bytes, void *stream) {
    expect_inside(to, bytes);
    if (!fake_has_stream(stream))
        return INVALID_VALUE;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return fake_state.broken;
}

int cuMemcpyDtoHAsync_v2(void *to, gpu_address from, size_t bytes, void *stream) {
    expect_inside(from, bytes);
    if (!fake_has_stream(stream))
        return INVALID_VALUE;
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return fake_state.broken;
}

int cuMemHostRegister_v2(void *start, size_t bytes, unsigned flags) {
    if ((uintptr_t)start % 4096 || !(flags & 2) || bytes >= TOO_MUCH)
        return INVALID_VALUE;
    for (int i = 0; i < FAKE_BLOCKS; i++)
        if (!fake_state.blocks[i].bytes) {
            fake_state.blocks[i].bytes = start;
            fake_state.blocks[i].length = bytes;
            fake_state.blocks[i].is_hosts = true;
            return fake_state.broken;
        }
    return 2;
}

int cuMemHostUnregister(void *start) {
    for (int i = 0; i < FAKE_BLOCKS; i++)
        if (fake_state.blocks[i].bytes == start && fake_state.blocks[i].is_hosts) {
            fake_state.blocks[i].bytes = NULL;
            fake_state.blocks[i].is_hosts = false;
            return fake_state.broken;
        }
    return INVALID_VALUE;
}

int cuMemHostGetDevicePointer_v2(gpu_address *address, void *start, unsigned flags) {
    *address = (gpu_address)(uintptr_t)start;
    return flags || !fake_is_inside(*address, 1) ? INVALID_VALUE : fake_state.broken;
}

/* ---- streams and events ---------------------------------------------------------------------- */

bool fake_has_stream(const void *stream) {
    for (int i = 0; i < MAX_STREAMS; i++)
        if (stream == &streams[i])
            return streams[i].live;
    return stream == NULL;
}

int cuStreamCreate(void **stream, unsigned flags) {
    for (int i = 0; i < MAX_STREAMS; i++)
        if (!streams[i].live && flags <= 1) {
            streams[i].live = true;
            *stream = &streams[i];
            return fake_state.broken;
        }
    return 2;
}

int cuStreamDestroy_v2(void *stream) {
    if (!stream || !fake_has_stream(stream))
        return INVALID_HANDLE;
    ((struct stream *)stream)->live = false;
    return fake_state.broken;
}

int cuStreamQuery(void *stream) {
    if (!fake_has_stream(stream))
        return INVALID_HANDLE;
    return fake_state.broken ? fake_state.broken : fake_state.hangs ? NOT_READY : OK;
}

int cuStreamSynchronize(void *stream) {
    fake_print();
    return cuStreamQuery(stream);
}

int cuEventSynchronize(void *event) {
    fake_print();
    return event ? fake_state.broken : INVALID_HANDLE;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    return !fake_has_stream(stream) || !event || flags ? INVALID_HANDLE : fake_state.broken;
}

int cuEventDestroy_v2(void *event) {
    free(event);
    return fake_state.broken;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static size_t width_of(char type) {
    return strchr("lmdxyP", type) ? 8 : strchr("ijfw", type) ? 4 : strchr("st", type) ? 2 : 1;
}

/* Bytes of the parameter, of which the name of C++ says the types; 0: it has none of that number.
 */
static size_t width_in_name(const char *name, size_t index) {
    char *types;
    long length = strtol(name + 2, &types, 10);
    if (length <= 0 || (size_t)length >= strlen(types))
        return 0;
    for (types += length; *types && *types != 'v'; index--) {
        bool is_pointer = *types == 'P' || *types == 'S';
        types += *types == 'S' ? strcspn(types, "_") : strspn(types, "PK");
        if (index == 0)
            return is_pointer ? sizeof(gpu_address) : width_of(*types);
        types += *types != '\0';
    }
    return 0;
}

static size_t width_in_list(const char *types, size_t index) {
    return index < strlen(types) ? width_of(types[index]) : 0;
}

static size_t width(const char *name, size_t index) {
    return strncmp(name, "_Z", 2) == 0      ? width_in_name(name, index)
           : strcmp(name, "constants") == 0 ? width_in_list("Pi", index)
           : strcmp(name, "as_sums") == 0   ? width_in_list("PPiP", index)
                                            : width_in_list("PPi", index);
}

int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes) {
    const char *name = fake_name_of(function);
    *bytes = width(name, index);
    *offset = 0;
    for (size_t i = 0; i <= index && *bytes; i++) {
        size_t each = width(name, i);
        *offset = (*offset + each - 1) / each * each + (i < index ? each : 0);
    }
    return *bytes ? OK : INVALID_VALUE;
}

int cuFuncGetAttribute(int *value, int attribute, void *function) {
    static const int values[] = {1024, 16, 4, 8, 20, 80, 90};
    if (!function || attribute < 0 || attribute > 6)
        return INVALID_VALUE;
    *value = values[attribute];
    return fake_state.broken;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared_bytes) {
    *blocks = threads > 0 && shared_bytes < 1 << 16 ? 2048 / threads : 0;
    return function ? fake_state.broken : INVALID_VALUE;
}

int cuCtxSetLimit(int limit, size_t value) {
    return (limit != 0 && limit != 2) || value >= TOO_MUCH ? INVALID_VALUE : fake_state.broken;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **parameters, void **extra);

/* As many blocks as run at once. */
int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z,
                              unsigned shared_bytes, void *stream, void **parameters) {
    enum { AT_ONCE = 64, TOO_LARGE = 720 };
    return grid_x * grid_y * grid_z > AT_ONCE
               ? TOO_LARGE
               : cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                shared_bytes, stream, parameters, NULL);
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* CUlaunchConfig, of which one attribute is looked at: the cluster's extents. */
struct launch {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
    const struct attribute {
        int id, unused;
        unsigned extents[16];
    } * attributes;
    unsigned attribute_count;
};

static unsigned cluster_of(const struct launch *launch) {
    enum { CLUSTER = 4 };
    for (unsigned i = 0; i < launch->attribute_count; i++)
        if (launch->attributes[i].id == CLUSTER)
            return launch->attributes[i].extents[0] * launch->attributes[i].extents[1] *
                   launch->attributes[i].extents[2];
    return 0;
}

int cuLaunchKernelEx(const struct launch *launch, void *function, void **parameters, void **extra) {
    enum { MISCONFIGURED = 912 };
    const unsigned *grid = launch->grid, *block = launch->block;
    unsigned blocks = cluster_of(launch);
    if (!blocks || blocks > 8 || grid[0] % blocks)
        return MISCONFIGURED;
    return cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                          launch->shared_bytes, launch->stream, parameters, extra);
}

int cuOccupancyMaxActiveClusters(int *clusters, void *function, const struct launch *launch) {
    unsigned blocks = cluster_of(launch);
    *clusters = blocks ? (int)(64 / blocks) : 0;
    return function && blocks ? fake_state.broken : INVALID_VALUE;
}

int cuOccupancyMaxPotentialClusterSize(int *blocks, void *function, const struct launch *launch) {
    *blocks = launch->shared_bytes ? 4 : 8;
    return function ? fake_state.broken : INVALID_VALUE;
}
