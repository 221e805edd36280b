/* A CUDA driver with memory and without a card: sessions are tried against it where there is none.
 *
 * Named libcuda.so.1 and found first. The card's memory is this process's, so copies, fills and
 * guard bands are real. A kernel is known by its name and does what that says, all of them take
 * (const float *in, float *out, int n):
 *
 * - copy: out[i] = in[i]; the others do so, too, and then
 * - count: out[0] = times this module ran
 * - past_end: writes out[n]; before: out[-1]
 * - write_input: changes in[1]; write_last: in[n - 1]
 * - rounded: adds 100 * 2^-24 to each
 * - search: only out[0] = 1 where SECRET is found in all the memory around out
 * - scribble: leaves SECRET after its output
 * - fault_N: has result code N, now and ever; refuse_N: the launch has it
 * - hang: does not end; die: ends the process; slow: takes 200 ms
 * - long_event: claims an hour; print: calls printf()
 *
 * texel and paint take a texture and a surface in place of `in`: fake_array.c.
 * as_sums takes (const float *in, double *out, int n, double *magnitude): copies, and writes 1.
 * constants takes (float *out, int n) and copies the module's __constant__ float x[64].
 *
 * Kernels of exercises (_Z...) add 1 to an element of their output, references do nothing.
 *
 * A module is any bytes; the kernels of the room's own tools are known too, with values of their
 * own (every byte 0x11). CUDA_VISIBLE_DEVICES says how many cards there are: as many as it has
 * parts, two where it is not set; "none" is none, "broken" a driver that does not start, "old" one
 * card that no compiler knows any more. */
#include "fake_card.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    OK = 0,
    INVALID_VALUE = 1,
    NO_DEVICE = 100,
    NOT_READY = 600,
    ASSERTED = 710,
    UNKNOWN = 999,
};
enum { FILLED = 0x11 };
static const uint64_t secret = 0x5ec2e75ec2e75ec2;

struct fake_state fake_state;
#define state fake_state

struct module {
    unsigned runs;
    unsigned long long x; /* its __constant__ variable, once it was asked for */
    struct function {
        struct module *module;
        char name[FAKE_NAME];
    } functions[FAKE_FUNCTIONS];
};

struct event {
    double ms;
};

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* ---- devices --------------------------------------------------------------------------------- */

int cuInit(unsigned flags) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible && strcmp(visible, "broken") == 0)
        return UNKNOWN;
    return flags ? INVALID_VALUE : visible && strcmp(visible, "none") == 0 ? NO_DEVICE : OK;
}

int cuDriverGetVersion(int *version) {
    *version = 13000;
    return OK;
}

int cuDeviceGetCount(int *count) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    *count = visible ? 1 : 2;
    for (; visible && *visible; visible++)
        *count += *visible == ',';
    return OK;
}

int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return OK;
}

int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, (size_t)size, "fake card %d", device);
    return OK;
}

int cuDeviceGetUuid(void *uuid, int device) {
    memset(uuid, 0xf0 + device, 16);
    return OK;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    *bytes = (size_t)(device + 1) << 30;
    return OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    bool old = visible && strcmp(visible, "old") == 0;
    *value = attribute == 75                      ? old ? 2 : 9
             : attribute == 76 || attribute == 20 ? 0
             : attribute == 38                    ? 1 << 20
                                                  : 7;
    return OK;
}

/* "slow": as on a card at which many others open contexts, too. */
int cuDevicePrimaryCtxRetain(void **context, int device) {
    (void)device;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible && strcmp(visible, "slow") == 0)
        nanosleep(&(struct timespec){.tv_sec = 6, .tv_nsec = 500000000}, NULL);
    *context = &state;
    return state.broken;
}

int cuCtxSetCurrent(void *context) {
    return context == &state ? state.broken : INVALID_VALUE;
}

/* What kernels have printed comes when the host waits, not before. */
void fake_print(void) {
    fputs(state.printed, stdout);
    state.printed[0] = '\0';
}

int cuCtxSynchronize(void) {
    fake_print();
    return state.broken;
}

/* ---- memory ---------------------------------------------------------------------------------- */

int cuMemAlloc_v2(gpu_address *address, size_t bytes) {
    for (int i = 0; i < FAKE_BLOCKS; i++)
        if (!state.blocks[i].bytes) {
            state.blocks[i].bytes = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
            state.blocks[i].length = bytes;
            *address = (gpu_address)(uintptr_t)state.blocks[i].bytes;
            return state.blocks[i].bytes ? state.broken : 2;
        }
    return 2;
}

int cuMemFree_v2(gpu_address address) {
    for (int i = 0; i < FAKE_BLOCKS; i++)
        if (state.blocks[i].bytes && !state.blocks[i].is_hosts &&
            (gpu_address)(uintptr_t)state.blocks[i].bytes == address) {
            free(state.blocks[i].bytes);
            state.blocks[i].bytes = NULL;
            return state.broken;
        }
    return INVALID_VALUE;
}

static int block_of(gpu_address address) {
    for (int i = 0; i < FAKE_BLOCKS; i++) {
        gpu_address start = (gpu_address)(uintptr_t)state.blocks[i].bytes;
        if (start && address >= start && address < start + state.blocks[i].length)
            return i;
    }
    return -1;
}

bool fake_is_inside(gpu_address address, size_t bytes) {
    int block = block_of(address);
    return block >= 0 &&
           bytes <= state.blocks[block].length -
                        (size_t)(address - (gpu_address)(uintptr_t)state.blocks[block].bytes);
}

static void *host(gpu_address address) {
    return (void *)(uintptr_t)address;
}

int cuMemcpyHtoD_v2(gpu_address to, const void *from, size_t bytes) {
    if (!fake_is_inside(to, bytes))
        return INVALID_VALUE;
    memcpy(host(to), from, bytes);
    return state.broken;
}

int cuMemcpyDtoH_v2(void *to, gpu_address from, size_t bytes) {
    if (!fake_is_inside(from, bytes))
        return INVALID_VALUE;
    memcpy(to, host(from), bytes);
    return state.broken;
}

int cuMemcpyDtoDAsync_v2(gpu_address to, gpu_address from, size_t bytes, void *stream) {
    if (!fake_has_stream(stream) || !fake_is_inside(to, bytes) || !fake_is_inside(from, bytes))
        return INVALID_VALUE;
    memmove(host(to), host(from), bytes);
    return state.broken;
}

int cuMemsetD8Async(gpu_address to, unsigned char value, size_t bytes, void *stream) {
    if (!fake_has_stream(stream) || !fake_is_inside(to, bytes))
        return INVALID_VALUE;
    memset(host(to), value, bytes);
    return state.broken;
}

/* ---- events ---------------------------------------------------------------------------------- */

int cuEventCreate(void **event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof(struct event));
    return *event ? state.broken : 2;
}

int cuEventRecord(void *event, void *stream) {
    ((struct event *)event)->ms = now_ms();
    return fake_has_stream(stream) ? state.broken : INVALID_VALUE;
}

int cuEventQuery(void *event) {
    return state.broken ? state.broken : event && state.hangs ? NOT_READY : OK;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    *milliseconds = (float)(((struct event *)end)->ms - ((struct event *)start)->ms);
    if (state.long_event)
        *milliseconds = 3.6e6f;
    return state.broken;
}

/* ---- modules and kernels --------------------------------------------------------------------- */

int cuModuleLoadData(void **module, const void *image) {
    *module = calloc(1, sizeof(struct module));
    return memcmp(image, "not code", 8) == 0 ? 200 : *module ? state.broken : 2;
}

int cuModuleUnload(void *module) {
    if (((struct module *)module)->x)
        cuMemFree_v2(((struct module *)module)->x);
    free(module);
    return state.broken;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    struct module *owner = module;
    struct function *made = owner->functions;
    while (made < owner->functions + FAKE_FUNCTIONS - 1 && made->module &&
           strcmp(made->name, name) != 0)
        made++;
    made->module = owner;
    snprintf(made->name, sizeof made->name, "%s", name);
    *function = made;
    return strcmp(name, "missing") == 0 ? 500 : state.broken;
}

/* y is another one of the same size, which begins with 0.5, 1.5 and so on. */
int cuModuleGetGlobal_v2(gpu_address *address, size_t *bytes, void *module, const char *name) {
    struct module *owner = module;
    bool is_y = strcmp(name, "y") == 0;
    if (strcmp(name, "x") != 0 && !is_y)
        return 500;
    *bytes = 64 * sizeof(float);
    int code = owner->x ? OK : cuMemAlloc_v2(&owner->x, *bytes);
    *address = owner->x;
    for (int i = 0; i < 64 && is_y && code == OK; i++)
        ((float *)host(*address))[i] = (float)i + 0.5f;
    return code;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
    return function && attribute == 8 && value <= 227 << 10 ? state.broken : INVALID_VALUE;
}

/* (at, count, kind, bytes, is_float, drawn, seed, low, high, found) */
static void run_tool(bool compares, void **parameters) {
    unsigned char *at = host(*(gpu_address *)parameters[0]);
    unsigned long long count = *(unsigned long long *)parameters[1], *found;
    size_t bytes = (size_t) * (int *)parameters[3];
    if (!compares) {
        memset(at, FILLED, count * bytes);
        return;
    }
    found = host(*(gpu_address *)parameters[9]);
    for (unsigned long long i = 0; i < count; i++)
        for (size_t j = 0; j < bytes; j++)
            if (at[i * bytes + j] != FILLED) {
                found[1] = found[0]++ ? found[1] : i;
                break;
            }
}

static bool has_secret(gpu_address around) {
    int block = block_of(around);
    for (size_t i = 0; i + sizeof secret <= state.blocks[block].length; i++)
        if (memcmp(state.blocks[block].bytes + i, &secret, sizeof secret) == 0)
            return true;
    return false;
}

static int number_of(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? atoi(name + length) : 0;
}

/* A kernel of C++, of an exercise for instance: adds 1 to the first float after its last pointer;
 * one in double, as references are, computes nothing. The name tells the parameters: P, PK and S_
 * stand for pointers, all else is one letter. */
static void run_unknown(const char *name, void **parameters) {
    char *types;
    long length = strtol(name + 2, &types, 10);
    float *last = NULL;
    if (length <= 0 || (size_t)length >= strlen(types) || strchr(types += length, 'd'))
        return;
    for (size_t i = 0; *types; i++) {
        bool is_pointer = *types == 'P' || *types == 'S';
        types += *types == 'S' ? strcspn(types, "_") : strspn(types, "PK");
        types += *types != '\0';
        if (is_pointer)
            last = host(*(gpu_address *)parameters[i]);
    }
    if (last)
        *last += 1;
}

static void run_kernel(struct function *function, void **parameters) {
    if (strncmp(function->name, "_Z", 2) == 0) {
        run_unknown(function->name, parameters);
        return;
    }
    if (strcmp(function->name, "constants") == 0) {
        memcpy(host(*(gpu_address *)parameters[0]), host(function->module->x),
               (size_t) * (int *)parameters[1] * sizeof(float));
        return;
    }
    if (strcmp(function->name, "as_sums") == 0) {
        const float *terms = host(*(gpu_address *)parameters[0]);
        double *sums = host(*(gpu_address *)parameters[1]);
        double *magnitudes = host(*(gpu_address *)parameters[3]);
        for (int i = 0; i < *(int *)parameters[2]; i++) {
            sums[i] = (double)terms[i];
            magnitudes[i] = 1;
        }
        return;
    }
    gpu_address in = *(gpu_address *)parameters[0], out = *(gpu_address *)parameters[1];
    int count = *(int *)parameters[2];
    const char *name = function->name;
    float *result = host(out);
    if (strcmp(name, "texel") == 0) {
        fake_run_texel(in, result, count);
        return;
    }
    if (strcmp(name, "paint") == 0) {
        fake_run_paint(in, count);
        return;
    }
    if (strcmp(name, "search") == 0) {
        result[0] = has_secret(out) ? 1 : 0;
        return;
    }
    memmove(result, host(in), (size_t)count * sizeof *result);
    function->module->runs++;
    if (strcmp(name, "count") == 0)
        result[0] = (float)function->module->runs;
    else if (strcmp(name, "rounded") == 0)
        for (int i = 0; i < count; i++)
            result[i] += 100 * 0x1p-24f;
    else if (strcmp(name, "past_end") == 0)
        result[count] = 1;
    else if (strcmp(name, "before") == 0)
        result[-1] = 1;
    else if (strcmp(name, "write_input") == 0)
        ((float *)host(in))[1] += 1;
    else if (strcmp(name, "write_last") == 0)
        ((float *)host(in))[count - 1] += 1;
    else if (strcmp(name, "scribble") == 0)
        memcpy(result + count, &secret, sizeof secret);
    else if (strcmp(name, "slow") == 0)
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    else if (strcmp(name, "print") == 0)
        snprintf(state.printed, sizeof state.printed, "value %d\n", count);
    else if (strcmp(name, "die") == 0)
        abort();
    state.hangs = strcmp(name, "hang") == 0;
    state.long_event = strcmp(name, "long_event") == 0;
    state.broken = number_of(name, "fault_");
    if (state.broken == ASSERTED)
        fputs("card.cu:7: void check(int): block: [0,0,0], thread: [3,0,0] Assertion `n` failed.\n",
              stderr);
}

const char *fake_name_of(const void *function) {
    return ((const struct function *)function)->name;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **parameters, void **extra) {
    struct function *kernel = function;
    (void)shared_bytes, (void)extra;
    if (!grid_x || !grid_y || !grid_z || !block_x || !block_y || !block_z || block_x > 1024 ||
        !fake_has_stream(stream))
        return INVALID_VALUE;
    if (number_of(kernel->name, "refuse_"))
        return number_of(kernel->name, "refuse_");
    if (strncmp(kernel->name, "warpgrade_", 10) == 0)
        run_tool(strcmp(kernel->name, "warpgrade_compare") == 0, parameters);
    else
        run_kernel(kernel, parameters);
    return OK;
}
