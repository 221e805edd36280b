/* One launch on the card, from its buffers' places to what it left in them.
 *
 * Between two runs the arena holds poison and nothing else, and no module is loaded but those that
 * cuBLAS brings: a kernel finds neither data nor variables of the run before. Guard bands are read
 * back and looked at here on the CPU, where nothing that ran on the card can have changed the
 * looking. All work goes to the default stream, so that events around the launch time the launch.
 * A small launch comes back whole, buffers, bands and gaps in one copy: each copy waits for the
 * card, and where many workers share one, for all of them.
 *
 * The kernel's end is polled for, because a synchronising call would wait for a kernel that never
 * ends as long as that takes. */
#include "sandbox/cuda/gpu.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"
#include "sandbox/cuda/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PARAMETER_BYTES = 4096, /* of all parameters together (32764 from sm_70 on is rare) */
    SPIN_MS = 5,            /* then the processor is given away between two looks */
    FLUSH_FACTOR = 3,       /* of the L2 cache's bytes */
    WHOLE_MAX = 4 << 20,    /* bytes of a launch that comes back in one copy */
};

struct turn {
    struct gpu *gpu;
    const struct cuda_launch *launch;
    unsigned char *data;
    struct buffer_span places[ENGINE_MAX_ARGUMENTS];
    gpu_address addresses[ENGINE_MAX_ARGUMENTS];
    void *module, *function;
    struct wire_outcome *outcome;
    unsigned char *whole; /* what the arena held after the launch; NULL: read it piece by piece */
    bool lost;            /* the context, or a kernel that still runs in it */
};

/* Notes the first failure; true where there is none. */
static bool did(struct turn *turn, enum wire_stage stage, int code) {
    if (code == DRIVER_OK)
        return true;
    turn->outcome->failure.stage = stage;
    turn->outcome->failure.code = code;
    return false;
}

/* ---- before ---------------------------------------------------------------------------------- */

static int set_poison(const struct gpu *gpu) {
    return gpu->driver.cuMemsetD8Async(gpu->arena, PLACE_POISON, gpu->arena_bytes, NULL);
}

/* Kept between runs where it is large enough: large allocations take milliseconds. */
static int provide_arena(struct gpu *gpu, uint64_t bytes) {
    if (gpu->arena && gpu->arena_bytes >= bytes)
        return DRIVER_OK;
    gpu_wipe(gpu);
    int code = gpu->driver.cuMemAlloc_v2(&gpu->arena, bytes);
    gpu->arena_bytes = code == DRIVER_OK ? bytes : 0;
    gpu->arena = code == DRIVER_OK ? gpu->arena : 0;
    return code == DRIVER_OK ? set_poison(gpu) : code;
}

static bool provide_memory(struct turn *turn) {
    uint64_t bytes;
    const struct cuda_launch *launch = turn->launch;
    if (!place_buffers(launch->arguments, launch->argument_count, launch->placement, turn->places,
                       &bytes))
        return did(turn, WIRE_STAGE_MEMORY, DRIVER_INVALID_VALUE);
    if (!did(turn, WIRE_STAGE_MEMORY, provide_arena(turn->gpu, bytes)))
        return false;
    for (size_t i = 0; i < launch->argument_count; i++)
        turn->addresses[i] = turn->gpu->arena + turn->places[i].offset;
    return true;
}

static bool fill_buffers(struct turn *turn) {
    const struct gpu *gpu = turn->gpu;
    for (size_t i = 0; i < turn->launch->argument_count; i++) {
        const struct engine_argument *argument = &turn->launch->arguments[i];
        int code = DRIVER_OK;
        if (!argument->is_buffer || turn->places[i].bytes == 0)
            continue;
        if (argument->fill.kind == ENGINE_FILL_DATA)
            code = gpu->driver.cuMemcpyHtoD_v2(
                turn->addresses[i], turn->data + argument->data_offset, turn->places[i].bytes);
        else
            code = gpu_fill(gpu, argument, turn->addresses[i]);
        if (!did(turn, WIRE_STAGE_FILL, code))
            return false;
    }
    return true;
}

/* The driver would copy as many bytes as the kernel wants from wherever they are not. */
static bool check_parameters(struct turn *turn) {
    const struct driver *driver = &turn->gpu->driver;
    const struct cuda_launch *launch = turn->launch;
    size_t offset, bytes, index = 0;
    if (!driver->cuFuncGetParamInfo)
        return true;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct engine_argument *argument = &launch->arguments[i];
        size_t wanted =
            argument->is_buffer ? sizeof(gpu_address) : element_infos[argument->type].bytes;
        if (argument->constant)
            continue;
        if (driver->cuFuncGetParamInfo(turn->function, index++, &offset, &bytes) != DRIVER_OK ||
            bytes != wanted)
            return did(turn, WIRE_STAGE_PARAMETERS, DRIVER_INVALID_VALUE);
    }
    if (driver->cuFuncGetParamInfo(turn->function, index, &offset, &bytes) == DRIVER_OK)
        return did(turn, WIRE_STAGE_PARAMETERS, DRIVER_INVALID_VALUE);
    return true;
}

/* "x", or "_ZL1x" where the source says static. */
static bool find_variable(const struct turn *turn, const char *name, gpu_address *at,
                          size_t *bytes) {
    char local[sizeof turn->launch->arguments->name + 24];
    snprintf(local, sizeof local, "_ZL%zu%s", strlen(name), name);
    return turn->gpu->driver.cuModuleGetGlobal_v2(at, bytes, turn->module, name) == DRIVER_OK ||
           turn->gpu->driver.cuModuleGetGlobal_v2(at, bytes, turn->module, local) == DRIVER_OK;
}

/* The arguments that are contents of variables, from their places in the arena. A kernel that does
 * not use the variable may have none. */
static bool fill_constants(struct turn *turn) {
    const struct cuda_launch *launch = turn->launch;
    for (size_t i = 0; i < launch->argument_count; i++) {
        gpu_address at;
        size_t room;
        if (!launch->arguments[i].constant || turn->places[i].bytes == 0 ||
            !find_variable(turn, launch->arguments[i].name, &at, &room))
            continue;
        if (room < turn->places[i].bytes)
            return did(turn, WIRE_STAGE_CONSTANTS, DRIVER_INVALID_VALUE);
        if (!did(turn, WIRE_STAGE_FILL,
                 turn->gpu->driver.cuMemcpyDtoDAsync_v2(at, turn->addresses[i],
                                                        turn->places[i].bytes, NULL)))
            return false;
    }
    return true;
}

static bool load_kernel(struct turn *turn, const void *image) {
    const struct driver *driver = &turn->gpu->driver;
    const struct cuda_launch *launch = turn->launch;
    if (launch->blas)
        return true;
    if (!did(turn, WIRE_STAGE_MODULE, driver->cuModuleLoadData(&turn->module, image)) ||
        !did(turn, WIRE_STAGE_MODULE,
             driver->cuModuleGetFunction(&turn->function, turn->module, launch->kernel)))
        return false;
    if (driver->cuFuncLoad && !did(turn, WIRE_STAGE_MODULE, driver->cuFuncLoad(turn->function)))
        return false;
    return check_parameters(turn) && fill_constants(turn) &&
           (launch->shared_bytes == 0 ||
            did(turn, WIRE_STAGE_LAUNCH,
                driver->cuFuncSetAttribute(
                    turn->function, FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
                    launch->shared_bytes <= INT32_MAX ? (int)launch->shared_bytes : INT32_MAX)));
}

/* ---- the launch ------------------------------------------------------------------------------ */

/* Lines that a kernel asked to be kept are released, and everything else is pushed out. The card is
 * busy with it while the launch is enqueued, so that the events hold no launch overhead. */
static bool flush_cache(struct turn *turn) {
    struct gpu *gpu = turn->gpu;
    const struct driver *driver = &gpu->driver;
    if (!turn->launch->flush_l2)
        return true;
    if (!gpu->flush) {
        gpu->flush_bytes = FLUSH_FACTOR * (gpu->l2_bytes ? gpu->l2_bytes : (uint64_t)64 << 20);
        if (!did(turn, WIRE_STAGE_MEMORY, driver->cuMemAlloc_v2(&gpu->flush, gpu->flush_bytes))) {
            gpu->flush = 0;
            return false;
        }
    }
    if (driver->cuCtxResetPersistingL2Cache)
        driver->cuCtxResetPersistingL2Cache(); /* cards without such lines refuse it */
    return did(turn, WIRE_STAGE_FILL,
               driver->cuMemsetD8Async(gpu->flush, (unsigned char)turn->launch->placement,
                                       gpu->flush_bytes, NULL));
}

static int start_kernel(struct turn *turn) {
    const struct cuda_launch *launch = turn->launch;
    /* What stands after the last one is for drivers that cannot say how many a kernel takes. */
    static const unsigned char nothing[PARAMETER_BYTES];
    uint64_t values[ENGINE_MAX_ARGUMENTS];
    void *parameters[2 * ENGINE_MAX_ARGUMENTS];
    for (size_t i = 0; i < ARRAY_LENGTH(parameters); i++)
        parameters[i] = (void *)(uintptr_t)nothing;
    for (size_t i = 0, index = 0; i < launch->argument_count; i++) {
        if (launch->arguments[i].constant)
            continue;
        values[i] =
            launch->arguments[i].is_buffer ? turn->addresses[i] : launch->arguments[i].scalar;
        parameters[index++] = &values[i];
    }
    return turn->gpu->driver.cuLaunchKernel(
        turn->function, launch->grid.x, launch->grid.y, launch->grid.z, launch->block.x,
        launch->block.y, launch->block.z, (unsigned)launch->shared_bytes, NULL, parameters, NULL);
}

/* Until the event has happened; DRIVER_NOT_READY where it has not by then. */
static int await_event(const struct driver *driver, void *event, double until_ms) {
    double spin_until = clock_ms() + SPIN_MS;
    for (;;) {
        int code = driver->cuEventQuery(event);
        double now = clock_ms();
        if (code != DRIVER_NOT_READY || now > until_ms)
            return code;
        if (now > spin_until)
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
}

/* The kernel's own failures show here, each of them the end of the context. */
static bool await_end(struct turn *turn) {
    const struct driver *driver = &turn->gpu->driver;
    double until = clock_ms() + turn->launch->wall_seconds * 1e3;
    int code = await_event(driver, turn->gpu->started, until);
    double started = clock_ms();
    if (code == DRIVER_OK)
        code = await_event(driver, turn->gpu->ended, until);
    turn->outcome->host_ms = clock_ms() - started;
    if (code == DRIVER_OK) /* whatever else it may have started */
        code = driver->cuCtxSynchronize();
    turn->lost = code != DRIVER_OK;
    return did(turn, code == DRIVER_NOT_READY ? WIRE_STAGE_HUNG : WIRE_STAGE_KERNEL, code);
}

static bool launch_and_wait(struct turn *turn) {
    struct gpu *gpu = turn->gpu;
    const struct driver *driver = &gpu->driver;
    if (!did(turn, WIRE_STAGE_FILL, driver->cuCtxSynchronize()) || !flush_cache(turn) ||
        !did(turn, WIRE_STAGE_FILL, driver->cuEventRecord(gpu->started, NULL)))
        return false;
    const struct cuda_launch *launch = turn->launch;
    bool started = launch->blas ? did(turn, WIRE_STAGE_BLAS,
                                      blas_call(&gpu->blas, launch->blas, launch->arguments,
                                                launch->argument_count, turn->addresses))
                                : did(turn, WIRE_STAGE_LAUNCH, start_kernel(turn));
    float ms = 0;
    if (!started || !did(turn, WIRE_STAGE_KERNEL, driver->cuEventRecord(gpu->ended, NULL)) ||
        !await_end(turn) ||
        (launch->time &&
         !did(turn, WIRE_STAGE_KERNEL, driver->cuEventElapsedTime(&ms, gpu->started, gpu->ended))))
        return false;
    turn->outcome->event_ms = ms > 0 ? (double)ms : 0;
    return true;
}

/* ---- after ----------------------------------------------------------------------------------- */

static void note(struct wire_finding *findings, size_t *count, struct wire_finding finding) {
    if (finding.count && *count < WIRE_MAX_FINDINGS)
        findings[(*count)++] = finding;
}

/* The arena up to the last band, where that is little. */
static bool read_whole_launch(struct turn *turn) {
    uint64_t end = 0;
    for (size_t i = 0; i < turn->launch->argument_count; i++)
        if (turn->launch->arguments[i].is_buffer && turn->places[i].guard_end > end)
            end = turn->places[i].guard_end;
    if (end == 0 || end > WHOLE_MAX)
        return true;
    turn->whole = mem_alloc(end);
    return did(turn, WIRE_STAGE_READ,
               turn->gpu->driver.cuMemcpyDtoH_v2(turn->whole, turn->gpu->arena, end));
}

static int read_back(const struct turn *turn, void *to, gpu_address at, uint64_t bytes) {
    if (!turn->whole)
        return turn->gpu->driver.cuMemcpyDtoH_v2(to, at, bytes);
    memcpy(to, turn->whole + (at - turn->gpu->arena), bytes);
    return DRIVER_OK;
}

/* One band of `bytes`; `first` counts away from the buffer. */
static bool check_band(struct turn *turn, size_t index, bool behind, gpu_address at,
                       uint64_t bytes) {
    cleanup_free unsigned char *band = mem_alloc(bytes);
    if (!did(turn, WIRE_STAGE_READ, read_back(turn, band, at, bytes)))
        return false;
    struct wire_finding finding = {.argument = (unsigned)index, .behind = behind};
    for (uint64_t i = 0; i < bytes; i++)
        if (band[behind ? i : bytes - 1 - i] != PLACE_POISON && finding.count++ == 0)
            finding.first = i;
    note(turn->outcome->guards, &turn->outcome->guard_count, finding);
    return true;
}

static bool check_guards(struct turn *turn) {
    for (size_t i = 0; i < turn->launch->argument_count; i++) {
        const struct buffer_span *place = &turn->places[i];
        gpu_address at = turn->addresses[i], end = at + place->bytes;
        if (turn->launch->arguments[i].is_buffer &&
            (!check_band(turn, i, false, at - PLACE_GUARD_BYTES, PLACE_GUARD_BYTES) ||
             !check_band(turn, i, true, end, turn->gpu->arena + place->guard_end - end)))
            return false;
    }
    return true;
}

static bool read_buffers(struct turn *turn) {
    for (size_t i = 0; i < turn->launch->argument_count; i++) {
        const struct engine_argument *argument = &turn->launch->arguments[i];
        struct wire_finding finding = {.argument = (unsigned)i};
        int code = DRIVER_OK;
        bool is_data = argument->fill.kind == ENGINE_FILL_DATA;
        bool is_left = !is_data && !argument->read_only && turn->launch->leave_outputs;
        if (!argument->is_buffer || turn->places[i].bytes == 0 || is_left)
            continue;
        if (is_data || !argument->read_only)
            code = read_back(turn, turn->data + argument->data_offset, turn->addresses[i],
                             turn->places[i].bytes);
        else
            code = gpu_compare(turn->gpu, argument, turn->addresses[i], &finding.count,
                               &finding.first);
        if (!did(turn, WIRE_STAGE_READ, code))
            return false;
        note(turn->outcome->inputs, &turn->outcome->input_count, finding);
    }
    return true;
}

bool gpu_run(struct gpu *gpu, const struct cuda_launch *launch, const void *image,
             unsigned char *data, struct wire_outcome *outcome) {
    struct turn turn = {.gpu = gpu, .launch = launch, .data = data, .outcome = outcome};
    *outcome = (struct wire_outcome){0};
    if (provide_memory(&turn) && fill_buffers(&turn) && load_kernel(&turn, image) &&
        launch_and_wait(&turn) && read_whole_launch(&turn) && check_guards(&turn))
        read_buffers(&turn);
    free(turn.whole);
    if (turn.lost)
        return false;
    /* A context that is lost without our having noticed shows here. */
    bool left = (!turn.module || gpu->driver.cuModuleUnload(turn.module) == DRIVER_OK) &&
                (!gpu->arena || set_poison(gpu) == DRIVER_OK) &&
                gpu->driver.cuCtxSynchronize() == DRIVER_OK;
    return left;
}

void gpu_wipe(struct gpu *gpu) {
    if (!gpu->arena)
        return;
    gpu->driver.cuMemsetD8Async(gpu->arena, 0, gpu->arena_bytes, NULL);
    gpu->driver.cuCtxSynchronize();
    gpu->driver.cuMemFree_v2(gpu->arena);
    gpu->arena = 0;
    gpu->arena_bytes = 0;
}
