/* Times one kernel with events, and reads what the driver knows of it.
 *
 * Everything of a row is queued at once, so that the host's own time lies between no two events:
 * buffers that the kernel writes are restored from a copy on the device, the second-level cache is
 * filled with clean lines of no use (writing would leave dirty lines, which the kernel would then
 * pay for), and the launch stands between two events. What an empty kernel takes so is launch
 * overhead and is among the figures. Times are medians; the card's clocks are left as they are. */
#include "measure.h"

#include "grader/cli/sim_argument.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CYCLES = 4096, GUARD_BYTES = 1 << 20 };
static const size_t KEPT_BYTES = (size_t)24 << 30;

#define CHECK(measure, what, call)                                                                 \
    do {                                                                                           \
        int code_ = (measure)->driver.call;                                                        \
        if (code_) {                                                                               \
            fprintf(stderr, "gpu_bench: %s: %s: %s\n", what, #call,                                \
                    driver_error_name(&(measure)->driver, code_));                                 \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

/* ---- buffers --------------------------------------------------------------------------------- */

void measure_forget_buffers(struct measure *measure) {
    for (size_t i = 0; i < measure->buffer_count; i++) {
        measure->driver.cuMemFree_v2(measure->buffers[i].pristine);
        if (measure->buffers[i].working)
            measure->driver.cuMemFree_v2(measure->buffers[i].working);
        free(measure->buffers[i].spec);
    }
    measure->buffer_count = 0;
    measure->buffer_bytes = 0;
}

static bool upload(struct measure *measure, const char *name, const struct sim_argument *argument,
                   struct measure_buffer *buffer) {
    size_t bytes = argument->byte_count ? argument->byte_count : 1;
    buffer->bytes = argument->byte_count;
    buffer->read_only = argument->engine.read_only;
    CHECK(measure, name, cuMemAlloc_v2(&buffer->pristine, bytes));
    if (!buffer->read_only)
        CHECK(measure, name, cuMemAlloc_v2(&buffer->working, bytes));
    CHECK(measure, name, cuMemcpyHtoD_v2(buffer->pristine, argument->bytes, argument->byte_count));
    return true;
}

/* The argument's buffer, from those kept or new; NULL with a message. */
static struct measure_buffer *find_buffer(struct measure *measure, const char *name,
                                          const char *spec, unsigned index) {
    cleanup_free char *key = mem_printf("%u %s", index, spec);
    for (size_t i = 0; i < measure->buffer_count; i++)
        if (strcmp(measure->buffers[i].spec, key) == 0)
            return &measure->buffers[i];
    struct sim_argument argument;
    struct error error = {0};
    if (sim_argument_parse(spec, index, 1, &argument, &error) != STATUS_OK) {
        fprintf(stderr, "gpu_bench: %s: %s\n", name, error.message);
        return NULL;
    }
    struct measure_buffer *buffer = &measure->buffers[measure->buffer_count];
    *buffer = (struct measure_buffer){.spec = steal_pointer(&key)};
    measure->buffer_count++;
    measure->buffer_bytes += 2 * argument.byte_count;
    bool right = upload(measure, name, &argument, buffer);
    free(argument.bytes);
    return right ? buffer : NULL;
}

/* ---- a launch -------------------------------------------------------------------------------- */

struct prepared {
    char name[128];
    struct model_launch shape;
    void *module, *function;
    struct measure_buffer *buffers[ENGINE_MAX_ARGUMENTS]; /* NULL: a scalar */
    uint64_t values[ENGINE_MAX_ARGUMENTS];
    void *parameters[ENGINE_MAX_ARGUMENTS];
};

static bool prepare_arguments(struct measure *measure, struct prepared *prepared) {
    const struct model_launch *shape = &prepared->shape;
    if (measure->buffer_bytes > KEPT_BYTES ||
        measure->buffer_count + shape->spec_count > MEASURE_BUFFERS)
        measure_forget_buffers(measure);
    for (unsigned i = 0; i < shape->spec_count; i++) {
        prepared->parameters[i] = &prepared->values[i];
        const char *star = strchr(shape->specs[i], '*'), *equals = strchr(shape->specs[i], '=');
        if (star && star < equals) {
            struct measure_buffer *buffer =
                find_buffer(measure, prepared->name, shape->specs[i], i);
            if (!buffer)
                return false;
            prepared->buffers[i] = buffer;
            prepared->values[i] = buffer->read_only ? buffer->pristine : buffer->working;
            continue;
        }
        struct sim_argument argument;
        struct error error = {0};
        if (sim_argument_parse(shape->specs[i], i, 1, &argument, &error) != STATUS_OK) {
            fprintf(stderr, "gpu_bench: %s: %s\n", prepared->name, error.message);
            return false;
        }
        prepared->values[i] = argument.engine.scalar;
    }
    return true;
}

static bool prepare_module(struct measure *measure, const struct model_kernel *kernel,
                           struct prepared *prepared) {
    cleanup_free char *ptx = NULL, *entry = NULL;
    struct error error = {0};
    if (model_compile(kernel, measure->ptx_folder, &ptx, &entry, &error) != STATUS_OK) {
        fprintf(stderr, "gpu_bench: %s: %s\n", prepared->name, error.message);
        return false;
    }
    if (driver_load_module(&measure->driver, ptx, prepared->name, &prepared->module))
        return false;
    CHECK(measure, prepared->name,
          cuModuleGetFunction(&prepared->function, prepared->module, entry));
    if (prepared->shape.shared_bytes)
        CHECK(measure, prepared->name,
              cuFuncSetAttribute(prepared->function, FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
                                 (int)prepared->shape.shared_bytes));
    return true;
}

static bool prepare(struct measure *measure, const struct model_kernel *kernel,
                    enum model_size size, struct prepared *prepared) {
    struct error error = {0};
    *prepared = (struct prepared){0};
    snprintf(prepared->name, sizeof prepared->name, "%s/%s", kernel->family, kernel->variant);
    if (model_launch_make(kernel, size, &prepared->shape, &error) != STATUS_OK) {
        fprintf(stderr, "gpu_bench: %s: %s\n", prepared->name, error.message);
        return false;
    }
    return prepare_module(measure, kernel, prepared) && prepare_arguments(measure, prepared);
}

static void release(struct measure *measure, struct prepared *prepared) {
    if (prepared->module)
        measure->driver.cuModuleUnload(prepared->module);
    model_launch_free(&prepared->shape);
}

static bool restore_buffers(struct measure *measure, const struct prepared *prepared) {
    for (size_t i = 0; i < prepared->shape.spec_count; i++) {
        const struct measure_buffer *buffer = prepared->buffers[i];
        if (buffer && buffer->working)
            CHECK(measure, prepared->name,
                  cuMemcpyDtoDAsync_v2(buffer->working, buffer->pristine, buffer->bytes, NULL));
    }
    return true;
}

static bool launch(struct measure *measure, struct prepared *prepared) {
    struct dim3 grid = prepared->shape.grid, block = prepared->shape.block;
    CHECK(measure, prepared->name,
          cuLaunchKernel(prepared->function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                         (unsigned)prepared->shape.shared_bytes, NULL, prepared->parameters, NULL));
    return true;
}

static bool flush_cache(struct measure *measure) {
    if (!measure->flush)
        return true;
    void *parameters[] = {&measure->flush_buffer, &measure->flush_out, &measure->flush_rounds};
    struct dim3 grid = measure->flush_launch.grid, block = measure->flush_launch.block;
    CHECK(measure, "flush",
          cuLaunchKernel(measure->flush, grid.x, 1, 1, block.x, 1, 1, 0, NULL, parameters, NULL));
    return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool time_launches(struct measure *measure, struct prepared *prepared, json_t *row) {
    enum { ALL = MEASURE_WARM_UPS + MEASURE_LAUNCHES };
    void *events[ALL][2];
    double times[ALL];
    for (unsigned i = 0; i < ALL; i++)
        for (unsigned j = 0; j < 2; j++)
            CHECK(measure, prepared->name, cuEventCreate(&events[i][j], 0));
    for (unsigned i = 0; i < ALL; i++) {
        if (!restore_buffers(measure, prepared) || !flush_cache(measure))
            return false;
        CHECK(measure, prepared->name, cuEventRecord(events[i][0], NULL));
        if (!launch(measure, prepared))
            return false;
        CHECK(measure, prepared->name, cuEventRecord(events[i][1], NULL));
    }
    CHECK(measure, prepared->name, cuCtxSynchronize());
    for (unsigned i = 0; i < ALL; i++) {
        float milliseconds;
        CHECK(measure, prepared->name,
              cuEventElapsedTime(&milliseconds, events[i][0], events[i][1]));
        times[i] = (double)milliseconds * 1000;
        for (unsigned j = 0; j < 2; j++)
            measure->driver.cuEventDestroy_v2(events[i][j]);
    }
    double *timed = times + MEASURE_WARM_UPS;
    qsort(timed, MEASURE_LAUNCHES, sizeof *timed, compare_doubles);
    json_object_set_new(row, "time_us",
                        json_pack("{s:f,s:f,s:f,s:f,s:f}", "min", timed[0], "q1",
                                  timed[MEASURE_LAUNCHES / 4], "median",
                                  timed[MEASURE_LAUNCHES / 2], "q3",
                                  timed[MEASURE_LAUNCHES - 1 - MEASURE_LAUNCHES / 4], "max",
                                  timed[MEASURE_LAUNCHES - 1]));
    return true;
}

static bool launch_once(struct measure *measure, struct prepared *prepared) {
    if (!restore_buffers(measure, prepared))
        return false;
    CHECK(measure, prepared->name, cuCtxSynchronize());
    CHECK(measure, prepared->name, cuProfilerStart());
    if (!launch(measure, prepared))
        return false;
    CHECK(measure, prepared->name, cuCtxSynchronize());
    CHECK(measure, prepared->name, cuProfilerStop());
    return true;
}

/* Microbenchmarks count cycles in their buffer of 64-bit words, a word a block. */
static bool read_cycles(struct measure *measure, const struct prepared *prepared, json_t *row) {
    for (size_t i = prepared->shape.spec_count; i-- > 0;) {
        const struct measure_buffer *buffer = prepared->buffers[i];
        if (!buffer || !buffer->working || strncmp(prepared->shape.specs[i], "u64*", 4) != 0)
            continue;
        size_t count = buffer->bytes / 8 < MAX_CYCLES ? buffer->bytes / 8 : MAX_CYCLES;
        uint64_t words[MAX_CYCLES];
        double values[MAX_CYCLES];
        CHECK(measure, prepared->name, cuMemcpyDtoH_v2(words, buffer->working, count * 8));
        for (size_t j = 0; j < count; j++)
            values[j] = (double)words[j];
        qsort(values, count, sizeof *values, compare_doubles);
        json_object_set_new(row, "cycles",
                            json_pack("{s:f,s:f,s:f}", "min", values[0], "median",
                                      values[count / 2], "max", values[count - 1]));
        return true;
    }
    return true;
}

static bool read_function(struct measure *measure, const struct prepared *prepared, json_t *row) {
    static const struct {
        const char *name;
        int attribute;
    } attributes[] = {
        {"registers", FUNCTION_REGISTERS},
        {"local_bytes", FUNCTION_LOCAL_BYTES},
        {"static_shared_bytes", FUNCTION_STATIC_SHARED_BYTES},
        {"ptx_version", FUNCTION_PTX_VERSION},
        {"binary_version", FUNCTION_BINARY_VERSION},
    };
    int value;
    for (size_t i = 0; i < ARRAY_LENGTH(attributes); i++) {
        CHECK(measure, prepared->name,
              cuFuncGetAttribute(&value, attributes[i].attribute, prepared->function));
        json_object_set_new(row, attributes[i].name, json_integer(value));
    }
    struct dim3 block = prepared->shape.block;
    CHECK(measure, prepared->name,
          cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, prepared->function,
                                                      (int)(block.x * block.y * block.z),
                                                      (size_t)prepared->shape.shared_bytes));
    json_object_set_new(row, "blocks_per_sm", json_integer(value));
    return true;
}

static json_t *describe(const struct model_kernel *kernel, enum model_size size,
                        const struct prepared *prepared) {
    struct dim3 grid = prepared->shape.grid, block = prepared->shape.block;
    json_t *row = json_pack("{s:s,s:s,s:s,s:s,s:[i,i,i],s:[i,i,i],s:I}", "family", kernel->family,
                            "variant", kernel->variant, "size", model_size_names[size], "sizes",
                            kernel->sizes[size], "grid", (int)grid.x, (int)grid.y, (int)grid.z,
                            "block", (int)block.x, (int)block.y, (int)block.z,
                            "dynamic_shared_bytes", (json_int_t)prepared->shape.shared_bytes);
    if (kernel->work) {
        json_object_set_new(row, "work", json_real(prepared->shape.work));
        json_object_set_new(row, "unit", json_string(kernel->unit));
    }
    return row;
}

json_t *measure_kernel(struct measure *measure, const struct model_kernel *kernel,
                       enum model_size size, enum measure_mode mode) {
    struct prepared prepared;
    json_t *row = NULL;
    bool right = prepare(measure, kernel, size, &prepared);
    if (right) {
        row = describe(kernel, size, &prepared);
        right = mode == MEASURE_ONCE ? launch_once(measure, &prepared)
                                     : time_launches(measure, &prepared, row) &&
                                           (!kernel->work || read_cycles(measure, &prepared, row));
        right = right && read_function(measure, &prepared, row);
    }
    release(measure, &prepared);
    if (right)
        return row;
    json_decref(row);
    return NULL;
}

/* ---- launches with their data ---------------------------------------------------------------- */

/* Codes with which the driver refuses a launch: a block that no multiprocessor has room for, sizes
 * that no GPU takes. The context lives on. */
static bool is_refusal(int code) {
    return code == DRIVER_INVALID_VALUE || code == DRIVER_OUT_OF_RESOURCES;
}

/* The kernel's end. */
struct launch_end {
    int fault;    /* 0, or the driver's code */
    bool refused; /* it has not begun */
};

/* Copies the data in and launches the kernel. */
static bool run_launch(struct measure *measure, const struct gpu_launch *launch, gpu_pointer data,
                       void *function, struct launch_end *end) {
    uint64_t values[ENGINE_MAX_ARGUMENTS];
    void *parameters[ENGINE_MAX_ARGUMENTS];
    struct dim3 grid = launch->grid, block = launch->block;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct engine_argument *argument = &launch->arguments[i];
        values[i] = argument->is_buffer ? data + argument->data_offset : argument->scalar;
        parameters[i] = &values[i];
    }
    CHECK(measure, launch->variant, cuMemcpyHtoD_v2(data, launch->data, launch->data_length));
    CHECK(measure, launch->variant, cuCtxSynchronize());
    CHECK(measure, launch->variant, cuProfilerStart());
    end->fault =
        measure->driver.cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                       (unsigned)launch->shared_bytes, NULL, parameters, NULL);
    end->refused = is_refusal(end->fault);
    if (end->fault && !end->refused) {
        fprintf(stderr, "gpu_bench: %s: the launch: %s\n", launch->variant,
                driver_error_name(&measure->driver, end->fault));
        return false;
    }
    if (!end->refused)
        end->fault = measure->driver.cuCtxSynchronize();
    if (!end->fault || end->refused)
        CHECK(measure, launch->variant, cuProfilerStop());
    return true;
}

static bool load_launch(struct measure *measure, const struct gpu_launch *launch, void **module,
                        void **function, int *registers) {
    if (driver_load_module(&measure->driver, launch->ptx, launch->variant, module))
        return false;
    CHECK(measure, launch->variant, cuModuleGetFunction(function, *module, launch->entry));
    CHECK(measure, launch->variant,
          cuFuncSetAttribute(*function, FUNCTION_MAX_DYNAMIC_SHARED_BYTES,
                             (int)launch->shared_bytes));
    CHECK(measure, launch->variant, cuFuncGetAttribute(registers, FUNCTION_REGISTERS, *function));
    return true;
}

json_t *measure_launch(struct measure *measure, struct gpu_launch *launch, bool *broken) {
    void *module = NULL, *function;
    gpu_pointer area = 0;
    int registers = 0;
    struct launch_end end = {0};
    bool ran = load_launch(measure, launch, &module, &function, &registers) &&
               measure->driver.cuMemAlloc_v2(&area, launch->data_length + 2 * GUARD_BYTES) == 0 &&
               run_launch(measure, launch, area + GUARD_BYTES, function, &end);
    *broken = !ran || (end.fault && !end.refused);
    if (area && !*broken)
        measure->driver.cuMemFree_v2(area);
    if (module && !*broken)
        measure->driver.cuModuleUnload(module);
    if (!ran)
        return NULL;
    struct dim3 grid = launch->grid, block = launch->block;
    json_t *row =
        json_pack("{s:s,s:s,s:s,s:s,s:I,s:[i,i,i],s:[i,i,i]}", "family", launch->family, "variant",
                  launch->variant, "size", launch->size, "source", launch->source, "bytes",
                  (json_int_t)launch->data_length, "grid", (int)grid.x, (int)grid.y, (int)grid.z,
                  "block", (int)block.x, (int)block.y, (int)block.z);
    if (end.fault)
        json_object_set_new(row, "fault",
                            json_string(driver_error_name(&measure->driver, end.fault)));
    if (end.refused) /* what it was refused for, nearly always */
        json_object_set_new(row, "registers", json_integer(registers));
    return row;
}

/* ---- the device ------------------------------------------------------------------------------ */

static const struct model_kernel *flush_kernel(void) {
    for (size_t i = 0; i < micro_kernel_count; i++)
        if (strcmp(micro_kernels[i].family, "helper") == 0)
            return &micro_kernels[i];
    return NULL;
}

static bool prepare_flush(struct measure *measure) {
    struct prepared prepared;
    if (!prepare(measure, flush_kernel(), MODEL_SMALL, &prepared))
        return false;
    measure->flush_module = prepared.module;
    measure->flush = prepared.function;
    measure->flush_launch = prepared.shape;
    measure->flush_buffer = prepared.buffers[0]->pristine;
    measure->flush_out = prepared.buffers[1]->working;
    measure->flush_rounds = (unsigned)prepared.values[2];
    for (size_t i = 0; i < measure->buffer_count; i++)
        free(measure->buffers[i].spec); /* kept for good, not among those that rows share */
    measure->buffer_count = 0;
    measure->buffer_bytes = 0;
    return true;
}

bool measure_open(struct measure *measure, const char *ptx_folder, enum measure_mode mode,
                  bool *missing) {
    int device;
    *measure = (struct measure){.ptx_folder = ptx_folder};
    *missing = !driver_load(&measure->driver, &device);
    if (*missing)
        return false;
    CHECK(measure, "the device", cuCtxCreate_v2(&measure->context, 0, device));
    return mode == MEASURE_ONCE || prepare_flush(measure);
}

void measure_close(struct measure *measure) {
    measure_forget_buffers(measure);
    model_launch_free(&measure->flush_launch);
    if (measure->context)
        measure->driver.cuCtxDestroy_v2(measure->context);
}

json_t *measure_device(const struct measure *measure) {
    static const struct {
        const char *name;
        int attribute;
    } attributes[] = {
        {"clock_khz", DEVICE_CLOCK_KHZ},
        {"memory_clock_khz", DEVICE_MEMORY_CLOCK_KHZ},
        {"multiprocessors", DEVICE_MULTIPROCESSORS},
        {"l2_bytes", DEVICE_L2_BYTES},
        {"capability_major", DEVICE_CAPABILITY_MAJOR},
        {"capability_minor", DEVICE_CAPABILITY_MINOR},
    };
    char name[128] = "";
    int value = 0;
    json_t *device = json_object();
    measure->driver.cuDeviceGetName(name, sizeof name, 0);
    json_object_set_new(device, "name", json_string(name));
    measure->driver.cuDriverGetVersion(&value);
    json_object_set_new(device, "driver_version", json_integer(value));
    for (size_t i = 0; i < ARRAY_LENGTH(attributes); i++) {
        measure->driver.cuDeviceGetAttribute(&value, attributes[i].attribute, 0);
        json_object_set_new(device, attributes[i].name, json_integer(value));
    }
    return device;
}
