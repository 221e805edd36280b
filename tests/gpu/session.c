/* Sessions on a real card, in the real jail: what kernels do wrong is said, what they leave is
 * gone, rules give the simulated GPU's values bit for bit, and cuBLAS computes what it should.
 *
 * Without a card it says why and is skipped (77). No test library: it also runs where only what
 * warpgrade needs was carried. */
#include "sandbox/cuda/session.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/simgpu/state/lazy_buffer.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned checks, failures;
static struct error error;

__attribute__((format(printf, 2, 3))) static bool check(bool holds, const char *format, ...) {
    checks++;
    if (holds)
        return true;
    failures++;
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    return false;
}

static const char kernels[] =
    "#include <stdio.h>\n"
    "#define KERNEL(name) extern \"C\" __global__ void name(const float *in, float *out, int n)\n"
    "#define EACH int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)\n"
    "__device__ int runs;\n"
    "KERNEL(copy) { EACH out[i] = in[i]; }\n"
    "KERNEL(count) { EACH out[i] = atomicAdd(&runs, 1); }\n"
    "KERNEL(past_end) { EACH out[i + 1] = in[i]; }\n"
    "KERNEL(before) { EACH out[i - 1] = in[i]; }\n"
    "KERNEL(write_input) { EACH { out[i] = in[i]; if (i == 7) ((float *)in)[i] = -5; } }\n"
    "KERNEL(far) { EACH out[i + (1ll << 40)] = in[i]; }\n"
    "KERNEL(null) { EACH ((float *)((size_t)n << 4))[i] = in[i]; }\n"
    "KERNEL(misaligned) { EACH *(double *)((char *)out + 4) = in[i]; }\n"
    "KERNEL(trap) { EACH __trap(); }\n"
    "KERNEL(shared) { __shared__ float s[32]; EACH { s[(i + n) << 20] = in[i]; out[i] = s[i % 32]; "
    "} }\n"
    "__device__ __noinline__ int deep(int n, volatile int *at) { volatile int a[256]; a[n & 255] = "
    "n;\n"
    "    return n < 0 ? a[0] : deep(n + 1, a) + at[n & 255]; }\n"
    "KERNEL(stack) { volatile int a[256]; EACH out[i] = deep(1, a); }\n"
    "KERNEL(hang) { EACH while (*(volatile const float *)in >= 0) ; }\n"
    "KERNEL(print) { if (blockIdx.x == 0 && threadIdx.x < 2) printf(\"thread %d\\n\", "
    "threadIdx.x); }\n"
    "extern \"C\" __global__ void __launch_bounds__(64) bounded(const float *in, float *out, int "
    "n)\n"
    "{ EACH out[i] = in[i]; }\n"
    "KERNEL(heap) { EACH { int *p = (int *)malloc(16); p[0] = i; out[i] = p[0]; free(p); } }\n";

static struct build_result built;

static bool build(const struct cuda_card *card) {
    char architecture[32];
    cuda_card_architecture(card, architecture, sizeof architecture);
    struct build_request request = {.file_name = "kernels.cu",
                                    .source = kernels,
                                    .source_length = sizeof kernels - 1,
                                    .architecture = architecture};
    if (build_compile(&request, NULL, &built, &error) != STATUS_OK)
        return check(false, "%s", error.message);
    return check(built.compiled && built.cubin_length, "the kernels do not compile: %s %s",
                 built.message, built.diagnostic_count ? built.diagnostics[0].text : "");
}

/* ---- one launch ------------------------------------------------------------------------------ */

enum { ELEMENTS = 1000, OUT_OFFSET = 4096, DATA_BYTES = 8192 };

struct try_launch {
    struct engine_argument arguments[3];
    float data[DATA_BYTES / sizeof(float)];
    struct cuda_launch launch;
    struct cuda_result result;
};

static void try_fill(struct try_launch *try, const char *kernel) {
    *try =
        (struct try_launch){.arguments = {{.is_buffer = true,
                                           .type = ELEMENT_f32,
                                           .name = "in",
                                           .count = ELEMENTS,
                                           .read_only = true},
                                          {.is_buffer = true,
                                           .type = ELEMENT_f32,
                                           .name = "out",
                                           .count = ELEMENTS,
                                           .data_offset = OUT_OFFSET},
                                          {.type = ELEMENT_i32, .name = "n", .scalar = ELEMENTS}},
                            .launch = {.image = built.cubin,
                                       .image_length = built.cubin_length,
                                       .kernel = kernel,
                                       .grid = {8, 1, 1},
                                       .block = {128, 1, 1},
                                       .argument_count = 3,
                                       .data_length = DATA_BYTES,
                                       .wall_seconds = 1}};
    for (size_t i = 0; i < ELEMENTS; i++)
        try->data[i] = (float)i + 1;
    try->launch.arguments = try->arguments;
    try->launch.data = try->data;
}

static bool try_run(struct cuda_session *session, struct try_launch *try) {
    if (cuda_session_run(session, &try->launch, &try->result, &error) == STATUS_OK)
        return true;
    return check(false, "%s: %s", try->launch.kernel, error.message);
}

static struct cuda_session *open_session(const struct cuda_card *card, bool trusted) {
    struct cuda_session *session;
    double start = clock_ms();
    if (cuda_session_open(card, trusted ? CUDA_TRUSTED_BLAS : CUDA_UNTRUSTED, &session, &error) ==
        STATUS_OK) {
        printf("  session opened in %.0f ms%s\n", clock_ms() - start, trusted ? ", trusted" : "");
        return session;
    }
    check(false, "no session: %s (%s)", error.message, error.hint);
    return NULL;
}

/* ---- the tests ------------------------------------------------------------------------------- */

struct expectation {
    const char *kernel;
    enum cuda_end end;
    int hazard, other; /* kinds; -1: none */
    unsigned block;
    uint64_t shared_bytes;
};
static const struct expectation expectations[] = {
    {"copy", CUDA_COMPLETED, -1, -1, 128, 0},
    {"count", CUDA_COMPLETED, -1, -1, 128, 0},
    {"heap", CUDA_COMPLETED, -1, -1, 128, 0},
    {"print", CUDA_COMPLETED, -1, -1, 128, 0},
    {"past_end", CUDA_COMPLETED, HAZARD_OUT_OF_BOUNDS, -1, 128, 0},
    {"before", CUDA_COMPLETED, HAZARD_OUT_OF_BOUNDS, -1, 128, 0},
    {"write_input", CUDA_COMPLETED, HAZARD_WRITE_TO_INPUT, -1, 128, 0},
    {"bounded", CUDA_REFUSED, HAZARD_INVALID_LAUNCH, -1, 1024, 0},
    {"copy", CUDA_REFUSED, HAZARD_INVALID_LAUNCH, -1, 2048, 0},
    {"copy", CUDA_REFUSED, HAZARD_INVALID_LAUNCH, -1, 128, 1 << 20},
    {"copy", CUDA_COMPLETED, -1, -1, 128, 96 << 10},
    {"far", CUDA_FAULT, HAZARD_OUT_OF_BOUNDS, -1, 128, 0},
    {"null", CUDA_FAULT, HAZARD_OUT_OF_BOUNDS, -1, 128, 0},
    {"misaligned", CUDA_FAULT, HAZARD_MISALIGNED, -1, 128, 0},
    {"trap", CUDA_FAULT, HAZARD_TRAP, -1, 128, 0},
    {"shared", CUDA_FAULT, HAZARD_TRAP, HAZARD_OUT_OF_BOUNDS, 128, 0},
    {"stack", CUDA_FAULT, HAZARD_STACK_OVERFLOW, HAZARD_OUT_OF_BOUNDS, 128, 0},
    {"hang", CUDA_HUNG, -1, -1, 128, 0},
    {"copy", CUDA_COMPLETED, -1, -1, 128, 0},
};

static void test_ends(const struct cuda_card *card) {
    struct cuda_session *session = open_session(card, false);
    for (size_t i = 0; i < ARRAY_LENGTH(expectations) && session; i++) {
        const struct expectation *row = &expectations[i];
        struct try_launch try;
        double start = clock_ms();
        try_fill(&try, row->kernel);
        try.launch.placement = i;
        try.launch.block.x = row->block;
        try.launch.shared_bytes = row->shared_bytes;
        if (!try_run(session, &try))
            break;
        int hazard = try.result.hazard_count ? (int)try.result.hazards[0].kind : -1;
        printf("  %-12s %7.1f ms  %s%s\n", row->kernel, clock_ms() - start, try.result.message,
               hazard >= 0 && try.result.end == CUDA_COMPLETED ? try.result.hazards[0].message
                                                               : "");
        check(try.result.end == row->end, "%s: end %d, not %d: %s", row->kernel,
              (int)try.result.end, (int)row->end, try.result.message);
        check(hazard == row->hazard || (row->other >= 0 && hazard == row->other), "%s: hazard %d",
              row->kernel, hazard);
        if (strcmp(row->kernel, "copy") == 0 && row->end == CUDA_COMPLETED)
            check(memcmp(try.data, try.data + OUT_OFFSET / 4, sizeof(float) * ELEMENTS) == 0,
                  "copy does not copy");
        if (strcmp(row->kernel, "print") == 0)
            check(strstr(text_string(&try.result.printed), "thread 1\n") != NULL, "printf: %s",
                  text_string(&try.result.printed));
        cuda_result_free(&try.result);
        if (!cuda_session_is_alive(session)) {
            start = clock_ms();
            cuda_session_close(session);
            printf("  closed in %.0f ms\n", clock_ms() - start);
            session = open_session(card, false);
        }
    }
    cuda_session_close(session);
}

/* A module's variables start again. */
static void test_state(const struct cuda_card *card) {
    struct cuda_session *session = open_session(card, false);
    for (int run = 0; run < 3 && session; run++) {
        struct try_launch try;
        float most = 0;
        try_fill(&try, "count");
        if (!try_run(session, &try))
            break;
        for (size_t i = 0; i < ELEMENTS; i++)
            most = fmaxf(most, try.data[OUT_OFFSET / 4 + i]);
        check(most == ELEMENTS - 1, "a variable has seen %g launches' threads", (double)most);
    }
    cuda_session_close(session);
}

/* Each rule, read by a kernel of the submission's and compared with simgpu/state/lazy_buffer.c. */
static void test_rules(struct cuda_session *session) {
    enum { COUNT = 300000 };
    static const struct engine_fill fills[] = {
        {.kind = ENGINE_FILL_ZERO},
        {.kind = ENGINE_FILL_IOTA},
        {.kind = ENGINE_FILL_CONSTANT, .low = -3.7},
        {.kind = ENGINE_FILL_UNIFORM, .seed = 7, .low = -1, .high = 1},
        {.kind = ENGINE_FILL_UNIFORM,
         .seed = 8,
         .low = -1,
         .high = 1,
         .is_drawn = true,
         .drawn = ELEMENT_f16},
        {.kind = ENGINE_FILL_INTEGERS, .seed = 1234567890123, .low = -100, .high = 155},
        {.kind = ENGINE_FILL_WORDS, .seed = 3},
        {.kind = ENGINE_FILL_SORTED, .seed = 4, .low = -1, .high = 1},
        {.kind = ENGINE_FILL_OFFSETS, .seed = 5, .high = 1e6},
    };
    size_t bytes = COUNT * sizeof(float);
    cleanup_free unsigned char *data = mem_zalloc(bytes), *expected = mem_zalloc(bytes);
    for (size_t i = 0; i < ARRAY_LENGTH(fills); i++)
        for (int output = 0; output < 2; output++) {
            struct try_launch try;
            uint64_t filled[COUNT / 128 / 64 + 1] = {0};
            try_fill(&try, "copy");
            try.arguments[0].count = try.arguments[1].count = COUNT;
            try.arguments[0].fill = fills[i];
            try.arguments[1].data_offset = 0;
            if (output) /* the rule is the output's, which the kernel does not touch */
                try.arguments[1].fill = fills[i];
            try.arguments[2].scalar = output ? 0 : COUNT;
            try.launch.grid.x = COUNT / 128 + 1;
            try.launch.data = data;
            try.launch.data_length = bytes;
            struct allocation allocation = {.argument = &try.arguments[0],
                                            .bytes = expected,
                                            .length = bytes,
                                            .filled = filled};
            memset(expected, 0, bytes);
            memset(data, 0xee, bytes);
            lazy_buffer_touch(&allocation, 0, bytes);
            if (!try_run(session, &try))
                return;
            check(try.result.end == CUDA_COMPLETED && try.result.hazard_count == 0,
                  "rule %zu: %s%s", i, try.result.message,
                  try.result.hazard_count ? try.result.hazards[0].message : "");
            check(memcmp(data, expected, bytes) == 0, "rule %zu gives other values on the card", i);
        }
    struct try_launch try;
    try_fill(&try, "write_input");
    try.arguments[0].fill = fills[3];
    if (try_run(session, &try))
        check(try.result.hazard_count == 1 && strcmp(try.result.hazards[0].variable, "in[7]") == 0,
              "a changed input with a rule is not seen");
}

/* Column-major, as cuBLAS has it; expected in double on the host. */
static void test_blas(struct cuda_session *session) {
    enum { M = 48, N = 64, K = 32, A = 0, B = 16384, C = 32768, BYTES = 49152 };
    const char *why;
    bool has_blas = cuda_session_has_blas(session, &why);
    if (!check(has_blas, "%s", why))
        return;
    for (unsigned routine = 0; routine < CUDA_BLAS_COUNT; routine++) {
        static float data[BYTES / 4];
        for (size_t i = 0; i < BYTES / 4; i++)
            data[i] = (float)((i * 7919) % 17) - 8;
        struct engine_argument arguments[3] = {
            {.is_buffer = true, .type = ELEMENT_f32, .name = "a", .count = 4096, .read_only = true},
            {.is_buffer = true,
             .type = ELEMENT_f32,
             .name = "b",
             .count = 4096,
             .data_offset = B,
             .read_only = true},
            {.is_buffer = true, .type = ELEMENT_f32, .name = "c", .count = 4096, .data_offset = C}};
        struct cuda_blas_call call = {.routine = (enum cuda_blas_routine)routine,
                                      .m = M,
                                      .n = N,
                                      .k = K,
                                      .lda = M,
                                      .ldb = K,
                                      .ldc = M,
                                      .alpha = 1,
                                      .beta = 0,
                                      .a = 0,
                                      .b = 1,
                                      .c = 2};
        if (routine == CUDA_BLAS_SGEAM)
            call.transpose_a = true, call.lda = N, call.ldb = M;
        struct cuda_launch launch = {.blas = &call,
                                     .arguments = arguments,
                                     .argument_count = 3,
                                     .data = data,
                                     .data_length = BYTES,
                                     .time = true,
                                     .flush_l2 = true};
        struct cuda_result result;
        float old = data[C / 4 + 3];
        if (cuda_session_run(session, &launch, &result, &error) != STATUS_OK) {
            check(false, "cuBLAS: %s", error.message);
            return;
        }
        const float *a = data + A / 4, *b = data + B / 4, *c = data + C / 4;
        double expected = 0, actual = c[3];
        for (size_t k = 0; k < K && routine == CUDA_BLAS_SGEMM; k++)
            expected += (double)a[3 + k * M] * (double)b[k];
        for (size_t k = 0; k < N && routine == CUDA_BLAS_SGEMV; k++)
            expected += (double)a[3 + k * M] * (double)b[k];
        for (size_t k = 0; k < N && routine == CUDA_BLAS_SDOT; k++)
            expected += (double)a[k] * (double)b[k];
        if (routine == CUDA_BLAS_SDOT)
            actual = c[0];
        if (routine == CUDA_BLAS_SAXPY)
            expected = (double)old + (double)a[3];
        if (routine == CUDA_BLAS_SGEAM)
            expected = a[3 * N];
        printf("  blas routine %u: %.4f ms by events, %.4f ms by the clock\n", routine,
               result.event_ms, result.host_ms);
        check(result.end == CUDA_COMPLETED && result.hazard_count == 0, "blas %u: %s", routine,
              result.message);
        check(actual == expected, "blas %u: %g, not %g", routine, actual, expected);
        cuda_result_free(&result);
    }
}

static void test_times(struct cuda_session *session) {
    struct cuda_clocks clocks;
    double rate = 0;
    check(cuda_session_copy_ceiling(session, (uint64_t)1 << 30, &rate, &error) == STATUS_OK &&
              rate > 1e10,
          "copy ceiling: %g", rate);
    check(cuda_session_clocks(session, &clocks, &error) == STATUS_OK, "clocks: %s", error.message);
    printf("  copies: %.0f GB/s; clocks %s: SM %u of %u MHz, memory %u MHz, throttled by \"%s\"\n",
           rate / 1e9, clocks.available ? "known" : "unknown", clocks.sm_mhz, clocks.max_sm_mhz,
           clocks.memory_mhz, clocks.reasons);
    for (int flush = 0; flush < 2; flush++)
        for (int i = 0; i < 4; i++) {
            struct try_launch try;
            try_fill(&try, "copy");
            try.launch.time = true;
            try.launch.flush_l2 = flush;
            try.launch.placement = (uint64_t)i;
            if (!try_run(session, &try))
                return;
            check(try.result.event_ms > 0 && try.result.event_ms < 1, "event_ms %g",
                  try.result.event_ms);
            printf("  copy%s: %.4f ms by events, %.4f ms by the clock, %.2f ms in all\n",
                   flush ? ", flushed" : "", try.result.event_ms, try.result.host_ms,
                   try.result.dialog_ms);
        }
}

static void *run_many(void *argument) {
    struct cuda_session *session = argument;
    for (int i = 0; i < 50; i++) {
        struct try_launch try;
        try_fill(&try, "copy");
        if (cuda_session_run(session, &try.launch, &try.result, NULL) != STATUS_OK ||
            try.result.end != CUDA_COMPLETED || try.result.hazard_count)
            return argument;
    }
    return NULL;
}

/* Correctness cases share a card. */
static void test_together(const struct cuda_card *card) {
    pthread_t threads[3];
    struct cuda_session *sessions[3];
    for (size_t i = 0; i < 3; i++)
        if (!(sessions[i] = open_session(card, false)))
            return;
    for (size_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run_many, sessions[i]);
    for (size_t i = 0; i < 3; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        check(!failed, "a session beside others failed");
        cuda_session_close(sessions[i]);
    }
}

int main(int argc, char **argv) {
    int code;
    struct cuda_card *cards;
    size_t count;
    if (worker_main(argc, argv, &code))
        return code;
    if (cuda_cards(&cards, &count, &error) != STATUS_OK) {
        printf("skipped: %s\n", error.message);
        return 77;
    }
    for (size_t i = 0; i < count; i++)
        printf("card %zu: %s, %s, sm_%u%u, %u SMs, %.1f GB, L2 %.0f MB, CUDA %u, %s\n", i,
               cards[i].name, cards[i].uuid, cards[i].major, cards[i].minor, cards[i].sms,
               (double)cards[i].memory_bytes / 1e9, (double)cards[i].l2_bytes / 1e6,
               cards[i].driver_version, cards[i].exclusive ? "exclusive" : "shared");
    if (build(&cards[0])) {
        test_ends(&cards[0]);
        test_state(&cards[0]);
        test_together(&cards[0]);
        struct cuda_session *session = open_session(&cards[count - 1], true);
        if (session) {
            test_rules(session);
            test_blas(session);
            test_times(session);
        }
        cuda_session_close(session);
        build_result_free(&built);
    }
    free(cards);
    printf("%u checks, %u failed\n", checks, failures);
    return failures ? 1 : 0;
}
