/* The ten kernels: how each is launched, on what, and what must come out.
 *
 * Sizes are chosen so that each executes tens of millions of thread instructions, enough for the
 * hot loops to decide, and --quick ones so that all of it takes a second. Inputs come from a small
 * generator with a fixed seed; results are compared with plain C. */
#include "bench.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- building a launch -------------------------------------------------------------------------
 */

static void add_scalar(struct bench_launch *launch, const char *name, int value) {
    struct engine_argument *argument = &launch->arguments[launch->argument_count++];
    argument->type = ELEMENT_i32;
    argument->scalar = (uint32_t)value;
    strcpy(argument->name, name);
}

enum buffer_role { BUFFER_IN, BUFFER_OUT, BUFFER_INOUT };

static void add_buffer(struct bench_launch *launch, const char *name, enum element_type type,
                       uint64_t count, enum buffer_role role) {
    struct engine_argument *argument = &launch->arguments[launch->argument_count++];
    argument->is_buffer = true;
    argument->type = type;
    argument->count = argument->shape[0] = count;
    argument->rank = 1;
    argument->read_only = role == BUFFER_IN;
    argument->uninitialized = role == BUFFER_OUT;
    argument->data_offset = launch->data_length;
    strcpy(argument->name, name);
    uint64_t bytes = count * element_infos[type].bytes;
    launch->touched_bytes += bytes;
    launch->data_length += (bytes + 255) / 256 * 256;
}

static void *buffer(const struct bench_launch *launch, unsigned index) {
    return launch->data + launch->arguments[index].data_offset;
}

static int scalar(const struct bench_launch *launch, unsigned index) {
    return (int)launch->arguments[index].scalar;
}

static unsigned ceil_div(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

static void fill_inputs(struct bench_launch *launch) {
    uint32_t state = 1; /* Numerical Recipes' linear congruential generator */
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct engine_argument *argument = &launch->arguments[i];
        if (!argument->is_buffer || !argument->read_only)
            continue;
        for (uint64_t j = 0; j < argument->count; j++) {
            state = state * 1664525 + 1013904223;
            double value = argument->type == ELEMENT_f32   ? (double)(state >> 8) / (1 << 23) - 1
                           : argument->type == ELEMENT_i32 ? (double)(state >> 22)
                                                           : (double)state;
            if (argument->type == ELEMENT_u8)
                value = (double)(state >> 24);
            element_from_double(argument->type, launch->data + argument->data_offset, j, value);
        }
    }
}

void bench_launch_make(struct bench_launch *launch, const struct bench_kernel *kernel, bool quick) {
    *launch = (struct bench_launch){0};
    kernel->describe(launch, quick);
    launch->data = mem_zalloc(launch->data_length);
    fill_inputs(launch);
    launch->pristine = mem_dup(launch->data, launch->data_length);
}

void bench_launch_free(struct bench_launch *launch) {
    free(launch->data);
    free(launch->pristine);
}

/* ---- the kernels -------------------------------------------------------------------------------
 */

static bool near(float value, double expected, double magnitude, unsigned terms) {
    return fabs((double)value - expected) <= magnitude * terms * 0x1p-23;
}

static void describe_matmul(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 48 : 256;
    add_buffer(launch, "a", ELEMENT_f32, n * n, BUFFER_IN);
    add_buffer(launch, "b", ELEMENT_f32, n * n, BUFFER_IN);
    add_buffer(launch, "c", ELEMENT_f32, n * n, BUFFER_OUT);
    add_scalar(launch, "n", (int)n);
    launch->block = (struct dim3){16, 16, 1};
    launch->grid = (struct dim3){ceil_div(n, 16), ceil_div(n, 16), 1};
}

static bool check_matmul(const struct bench_launch *launch) {
    const float *a = buffer(launch, 0), *b = buffer(launch, 1), *c = buffer(launch, 2);
    int n = scalar(launch, 3);
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < n; k++) {
                double product = (double)a[row * n + k] * (double)b[k * n + column];
                sum += product;
                magnitude += fabs(product);
            }
            if (!near(c[row * n + column], sum, magnitude, (unsigned)n))
                return false;
        }
    return true;
}

static void describe_gemv(struct bench_launch *launch, bool quick) {
    unsigned rows = quick ? 300 : 2048, columns = quick ? 40 : 2048;
    add_buffer(launch, "a", ELEMENT_f32, (uint64_t)rows * columns, BUFFER_IN);
    add_buffer(launch, "x", ELEMENT_f32, columns, BUFFER_IN);
    add_buffer(launch, "y", ELEMENT_f32, rows, BUFFER_OUT);
    add_scalar(launch, "rows", (int)rows);
    add_scalar(launch, "columns", (int)columns);
    launch->block = (struct dim3){128, 1, 1};
    launch->grid = (struct dim3){ceil_div(rows, 128), 1, 1};
}

static bool check_gemv(const struct bench_launch *launch, int row_stride, int column_stride) {
    const float *a = buffer(launch, 0), *x = buffer(launch, 1), *y = buffer(launch, 2);
    int rows = scalar(launch, 3), columns = scalar(launch, 4);
    for (int row = 0; row < rows; row++) {
        double sum = 0, magnitude = 0;
        for (int j = 0; j < columns; j++) {
            double product = (double)a[row * row_stride + j * column_stride] * (double)x[j];
            sum += product;
            magnitude += fabs(product);
        }
        if (!near(y[row], sum, magnitude, (unsigned)columns))
            return false;
    }
    return true;
}

static bool check_gemv_row(const struct bench_launch *launch) {
    return check_gemv(launch, scalar(launch, 4), 1);
}

static bool check_gemv_column(const struct bench_launch *launch) {
    return check_gemv(launch, 1, scalar(launch, 3));
}

static void describe_histogram(struct bench_launch *launch, bool quick) {
    unsigned words = quick ? 5000 : 1 << 20;
    add_buffer(launch, "data", ELEMENT_u32, words, BUFFER_IN);
    add_buffer(launch, "bins", ELEMENT_u32, 256, BUFFER_INOUT);
    add_scalar(launch, "words", (int)words);
    launch->block = (struct dim3){256, 1, 1};
    launch->grid = (struct dim3){quick ? 2 : 64, 1, 1};
}

static bool check_histogram(const struct bench_launch *launch) {
    const unsigned char *bytes = buffer(launch, 0);
    const uint32_t *bins = buffer(launch, 1);
    uint32_t expected[256] = {0};
    for (size_t i = 0; i < 4 * (size_t)scalar(launch, 2); i++)
        expected[bytes[i]]++;
    return memcmp(bins, expected, sizeof expected) == 0;
}

static void describe_reduce(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 3000 : 1 << 20;
    launch->block = (struct dim3){256, 1, 1};
    launch->grid = (struct dim3){ceil_div(n, 256), 1, 1};
    add_buffer(launch, "in", ELEMENT_f32, n, BUFFER_IN);
    add_buffer(launch, "out", ELEMENT_f32, launch->grid.x, BUFFER_OUT);
    add_scalar(launch, "n", (int)n);
}

static bool check_reduce(const struct bench_launch *launch) {
    const float *in = buffer(launch, 0), *out = buffer(launch, 1);
    unsigned n = (unsigned)scalar(launch, 2);
    for (unsigned block = 0; block < launch->grid.x; block++) {
        double sum = 0, magnitude = 0;
        for (unsigned i = 256 * block; i < 256 * block + 256 && i < n; i++) {
            sum += (double)in[i];
            magnitude += fabs((double)in[i]);
        }
        if (!near(out[block], sum, magnitude, 10))
            return false;
    }
    return true;
}

static void describe_transpose(struct bench_launch *launch, bool quick) {
    unsigned width = quick ? 100 : 2048, height = quick ? 70 : 1024;
    add_buffer(launch, "in", ELEMENT_f32, (uint64_t)width * height, BUFFER_IN);
    add_buffer(launch, "out", ELEMENT_f32, (uint64_t)width * height, BUFFER_OUT);
    add_scalar(launch, "width", (int)width);
    add_scalar(launch, "height", (int)height);
    launch->block = (struct dim3){32, 8, 1};
    launch->grid = (struct dim3){ceil_div(width, 32), ceil_div(height, 32), 1};
}

static bool check_transpose(const struct bench_launch *launch) {
    const float *in = buffer(launch, 0), *out = buffer(launch, 1);
    int width = scalar(launch, 2), height = scalar(launch, 3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (memcmp(&out[x * height + y], &in[y * width + x], sizeof *in) != 0)
                return false;
    return true;
}

static void describe_blur(struct bench_launch *launch, bool quick) {
    unsigned width = quick ? 70 : 1024, height = quick ? 50 : 768;
    add_buffer(launch, "in", ELEMENT_u8, width * height, BUFFER_IN);
    add_buffer(launch, "out", ELEMENT_u8, width * height, BUFFER_OUT);
    add_scalar(launch, "width", (int)width);
    add_scalar(launch, "height", (int)height);
    launch->block = (struct dim3){32, 8, 1};
    launch->grid = (struct dim3){ceil_div(width, 32), ceil_div(height, 8), 1};
}

static bool check_blur(const struct bench_launch *launch) {
    const unsigned char *in = buffer(launch, 0), *out = buffer(launch, 1);
    int width = scalar(launch, 2), height = scalar(launch, 3);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0, count = 0;
            for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
                for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++, count++)
                    sum += in[v * width + u];
            if (out[y * width + x] != sum / count)
                return false;
        }
    return true;
}

static void describe_scan(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 3000 : 1 << 19;
    add_buffer(launch, "in", ELEMENT_i32, n, BUFFER_IN);
    add_buffer(launch, "out", ELEMENT_i32, n, BUFFER_OUT);
    add_scalar(launch, "n", (int)n);
    launch->block = (struct dim3){256, 1, 1};
    launch->grid = (struct dim3){ceil_div(n, 256), 1, 1};
}

static bool check_scan(const struct bench_launch *launch) {
    const int32_t *in = buffer(launch, 0), *out = buffer(launch, 1);
    int32_t sum = 0;
    for (int i = 0; i < scalar(launch, 2); i++) {
        sum = i % 256 ? sum + in[i] : in[i];
        if (out[i] != sum)
            return false;
    }
    return true;
}

static void describe_in_place(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 1 << 16 : 1 << 24;
    add_buffer(launch, "data", ELEMENT_u8, n, BUFFER_INOUT);
    add_scalar(launch, "n", (int)n);
    launch->block = (struct dim3){256, 1, 1};
    launch->grid = (struct dim3){ceil_div(n, 256), 1, 1};
}

static bool check_in_place(const struct bench_launch *launch) {
    const unsigned char *data = buffer(launch, 0);
    for (int i = 0; i < scalar(launch, 1); i++)
        if (data[i] != 1)
            return false;
    return true;
}

static void describe_blocks(struct bench_launch *launch, unsigned n) {
    launch->block = (struct dim3){256, 1, 1};
    launch->grid = (struct dim3){n / 256, 1, 1};
    add_scalar(launch, "n", (int)n);
}

static void describe_exchange(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 1 << 16 : 1 << 22;
    add_buffer(launch, "out", ELEMENT_u8, n, BUFFER_OUT);
    add_buffer(launch, "result", ELEMENT_u8, n, BUFFER_OUT);
    describe_blocks(launch, n);
}

static bool check_exchange(const struct bench_launch *launch) {
    const unsigned char *result = buffer(launch, 1);
    for (unsigned i = 0; i < (unsigned)scalar(launch, 2); i++)
        if (result[i] != (unsigned char)(i / 256 * 256 + 255 - i % 256 + 1))
            return false;
    return true;
}

static void describe_halves(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 1 << 16 : 1 << 23;
    add_buffer(launch, "data", ELEMENT_u16, n, BUFFER_INOUT);
    describe_blocks(launch, n);
}

static bool check_halves(const struct bench_launch *launch) {
    const uint16_t *data = buffer(launch, 0);
    for (int i = 0; i < scalar(launch, 1); i++)
        if (data[i] != 1)
            return false;
    return true;
}

static void describe_widths(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 1 << 14 : 1 << 20;
    add_buffer(launch, "data", ELEMENT_u32, n, BUFFER_OUT);
    add_buffer(launch, "sums", ELEMENT_u32, n, BUFFER_OUT);
    describe_blocks(launch, n);
}

static bool check_widths(const struct bench_launch *launch) {
    const unsigned char *bytes = buffer(launch, 0);
    const uint32_t *sums = buffer(launch, 1);
    for (unsigned i = 0; i < (unsigned)scalar(launch, 2); i++) {
        const unsigned char *block = bytes + i / 256 * 1024;
        unsigned sum = 0, half = (2 * (i % 256) + 101) % 512 * 2;
        for (unsigned k = 0; k < 4; k++)
            sum += block[(i % 256 + 320 * k) % 1024];
        if (sums[i] != sum + block[half] + 256u * block[half + 1])
            return false;
    }
    return true;
}

static void describe_scatter(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 1 << 16 : 1 << 22;
    add_buffer(launch, "out", ELEMENT_u8, n, BUFFER_OUT);
    describe_blocks(launch, n);
}

static bool check_scatter(const struct bench_launch *launch) {
    const unsigned char *out = buffer(launch, 0);
    unsigned n = (unsigned)scalar(launch, 1);
    for (unsigned i = 0; i < n; i++)
        if (out[(i * 2654435761u + 12345u) & (n - 1)] != (unsigned char)(i >> 3))
            return false;
    return true;
}

static bool check_shuffled(const struct bench_launch *launch) {
    const unsigned char *out = buffer(launch, 0), *result = buffer(launch, 1);
    for (unsigned i = 0; i < (unsigned)scalar(launch, 2); i++) {
        unsigned first = i / 256 * 256, lane = i % 256;
        if (out[first + ((lane * 37 + 11) & 255)] != (unsigned char)lane ||
            result[i] != (unsigned char)(out[first + ((lane * 101 + 7) & 255)] + 1))
            return false;
    }
    return true;
}

static void describe_stencil(struct bench_launch *launch, bool quick) {
    unsigned n = quick ? 1 << 14 : 1 << 21;
    add_buffer(launch, "data", ELEMENT_i32, n, BUFFER_INOUT);
    describe_blocks(launch, n);
}

static bool check_stencil(const struct bench_launch *launch) {
    const int32_t *data = buffer(launch, 0);
    for (int i = 0; i < scalar(launch, 1); i++)
        if (data[i] != 1)
            return false;
    return true;
}

enum { KNOWN_WORDS = 1 << 19, KNOWN_TURNS = 2 };

/* Buffers of n counters, each of which every thread of n adds 1 to several times. */
static void describe_known(struct bench_launch *launch, bool quick, unsigned buffers) {
    unsigned n = quick ? 1 << 12 : KNOWN_WORDS;
    for (unsigned i = 0; i < buffers; i++)
        add_buffer(launch, i ? "data" : "first", ELEMENT_i32, n, BUFFER_INOUT);
    add_scalar(launch, "n", (int)n);
    add_scalar(launch, "turns", KNOWN_TURNS);
    launch->block = (struct dim3){256, 1, 1};
    launch->grid = (struct dim3){n / 256, 1, 1};
}

static void describe_locks(struct bench_launch *launch, bool quick) {
    describe_known(launch, quick, 2);
}

static void describe_fenced(struct bench_launch *launch, bool quick) {
    describe_known(launch, quick, 1);
}

static bool are_all(const struct bench_launch *launch, unsigned argument, int32_t expected) {
    const int32_t *values = buffer(launch, argument);
    for (uint64_t i = 0; i < launch->arguments[argument].count; i++)
        if (values[i] != expected)
            return false;
    return true;
}

static bool check_locks(const struct bench_launch *launch) {
    return are_all(launch, 0, 0) && are_all(launch, 1, KNOWN_TURNS);
}

static bool check_fenced(const struct bench_launch *launch) {
    return are_all(launch, 0, KNOWN_TURNS);
}

static void describe_tiny(struct bench_launch *launch, bool quick) {
    (void)quick;
    add_buffer(launch, "x", ELEMENT_f32, 64, BUFFER_IN);
    add_buffer(launch, "y", ELEMENT_f32, 64, BUFFER_OUT);
    add_scalar(launch, "n", 64);
    launch->block = (struct dim3){64, 1, 1};
    launch->grid = (struct dim3){1, 1, 1};
}

static bool check_tiny(const struct bench_launch *launch) {
    const float *x = buffer(launch, 0), *y = buffer(launch, 1);
    for (unsigned i = 0; i < 64; i++)
        if (!near(y[i], 2 * (double)x[i], 0, 1))
            return false;
    return true;
}

const struct bench_kernel bench_kernels[] = {
    {"matmul_naive", "matrix product, a thread an element", describe_matmul, check_matmul},
    {"matmul_tiled", "matrix product, 16 x 16 tiles", describe_matmul, check_matmul},
    {"gemv_row", "matrix by vector, uncoalesced", describe_gemv, check_gemv_row},
    {"gemv_column", "matrix by vector, coalesced", describe_gemv, check_gemv_column},
    {"histogram_global", "bytes, global atomics", describe_histogram, check_histogram},
    {"histogram_shared", "bytes, shared atomics", describe_histogram, check_histogram},
    {"reduce_shuffle", "block sums by shuffles", describe_reduce, check_reduce},
    {"transpose", "through a padded tile", describe_transpose, check_transpose},
    {"blur", "3 x 3 box of bytes", describe_blur, check_blur},
    {"scan", "prefix sums, double-buffered", describe_scan, check_scan},
};
const size_t bench_kernel_count = ARRAY_LENGTH(bench_kernels);
const struct bench_kernel bench_memory_kernels[] = {
    {"bytes_in_place", "read and write single bytes", describe_in_place, check_in_place},
    {"halves_in_place", "read and write half words", describe_halves, check_halves},
    {"bytes_exchange", "bytes written and read by two threads", describe_exchange, check_exchange},
    {"bytes_shuffled", "the same in two wild orders", describe_exchange, check_shuffled},
    {"mixed_widths", "words read as bytes and halves", describe_widths, check_widths},
    {"bytes_scatter", "bytes written in no order", describe_scatter, check_scatter},
    {"words_stencil", "words read by three threads", describe_stencil, check_stencil},
    {"words_fenced", "the same in a kernel with fences", describe_stencil, check_stencil},
    {"locks", "a lock an element", describe_locks, check_locks},
    {"atomics_fenced", "a fence before each atomic", describe_fenced, check_fenced},
};
const size_t bench_memory_kernel_count = ARRAY_LENGTH(bench_memory_kernels);
const struct bench_kernel bench_tiny = {"tiny", "two warps", describe_tiny, check_tiny};
