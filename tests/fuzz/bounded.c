/* What a hostile kernel can make a launch allocate: each case runs in a process of its own, whose
 * peak of memory must stay below a bound, and must end with the reason given.
 *
 * These are texts that a fuzzer rarely finds: their size, or that of their launch, is the attack.
 * The processes may use what a worker may by default, so that a bound is also a promise that the
 * verdict is a message and not memory-limit. */
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/launch/simgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ADDRESS_SPACE_MB = 2048, SECONDS = 60 };

struct bounded_case {
    const char *name;
    void (*write)(struct text *ptx);
    struct dim3 grid, block;
    uint64_t budget;
    unsigned threads;
    const char *expected; /* in the refusal or the first hazard; NULL: an ordinary end */
    unsigned peak_mb;
};

static void write_head(struct text *ptx) {
    text_append(ptx, ".version 8.0\n.target sm_80\n.address_size 64\n");
}

static void write_giant_globals(struct text *ptx) {
    write_head(ptx);
    for (unsigned i = 0; i < 16; i++)
        text_printf(ptx, ".global .b8 g%u[1073741824];\n", i);
    text_append(ptx, ".entry k()\n{\n.reg .b64 %a;\n.reg .b32 %r;\n");
    for (unsigned i = 0; i < 16; i++)
        text_printf(ptx, "mov.u64 %%a, g%u;\nst.global.u32 [%%a], 1;\n", i);
    text_append(ptx, "ret;\n}\n");
}

/* Declared and initialised, used by nothing: only the parser sees them. */
static void write_giant_initialisers(struct text *ptx) {
    write_head(ptx);
    for (unsigned i = 0; i < 64; i++)
        text_printf(ptx, ".global .b8 g%u[1073741824] = {1};\n", i);
    text_append(ptx, ".entry k()\n{\nret;\n}\n");
}

static void write_many_registers(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".entry k()\n{\n.reg .b64 %a<262144>;\nmov.u64 %a5, 1;\nret;\n}\n");
}

static void write_recursion_on_registers(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".func f()\n{\n.reg .b64 %a<100000>;\ncall f;\nret;\n}\n"
                     ".entry k()\n{\ncall f;\nret;\n}\n");
}

static void write_giant_local(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".entry k()\n{\n.local .b8 l[500000];\n.reg .b64 %a;\nmov.u64 %a, l;\n"
                     "st.local.u32 [%a], 1;\nret;\n}\n");
}

static void write_empty_shared(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".entry k()\n{\n");
    for (unsigned i = 0; i < 20000; i++)
        text_printf(ptx, ".shared .b8 s%u[0];\n", i);
    text_append(ptx, "ret;\n}\n");
}

static void write_printf_flood(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                     ".global .b8 text[1001] = {");
    for (unsigned i = 0; i < 1000; i++)
        text_append(ptx, "97, ");
    text_append(ptx, "0};\n.entry k()\n{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 r0;\n"
                     ".reg .b64 %a;\nmov.u64 %a, text;\ncvta.global.u64 %a, %a;\n"
                     "st.param.b64 [p0], %a;\nst.param.b64 [p1], 0;\n"
                     "call (r0), vprintf, (p0, p1);\nret;\n}\n");
}

/* Prints nothing, in every block. */
static void write_empty_printf(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                     ".global .b8 text[1];\n.entry k()\n{\n.param .b64 p0;\n.param .b64 p1;\n"
                     ".param .b32 r0;\n.reg .b64 %a;\nmov.u64 %a, text;\n"
                     "cvta.global.u64 %a, %a;\nst.param.b64 [p0], %a;\nst.param.b64 [p1], 0;\n"
                     "call (r0), vprintf, (p0, p1);\nret;\n}\n");
}

static void write_empty_kernel(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".entry k()\n{\nret;\n}\n");
}

static void write_many_instructions(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".entry k()\n{\n");
    for (unsigned i = 0; i < 12000000; i++)
        text_append(ptx, "ret;");
    text_append(ptx, "\n}\n");
}

/* Each thread publishes at addresses of its own: what they know must not pile up. */
static void write_many_sync_objects(struct text *ptx) {
    write_head(ptx);
    text_append(ptx,
                ".global .b32 g[16777216];\n.entry k()\n{\n.reg .b64 %a<3>;\n.reg .b32 %r<5>;\n"
                ".reg .pred %p;\nmov.u64 %a0, g;\nmov.u32 %r0, %tid.x;\nmov.u32 %r2, 0;\n"
                "LOOP:\nmul.wide.u32 %a1, %r0, 4;\nadd.u64 %a2, %a0, %a1;\nmembar.gl;\n"
                "st.volatile.global.u32 [%a2], 1;\nadd.u32 %r0, %r0, 1024;\n"
                "and.b32 %r0, %r0, 16777215;\nadd.u32 %r2, %r2, 1;\n"
                "setp.lt.u32 %p, %r2, 2048;\n@%p bra LOOP;\nret;\n}\n");
}

/* A branch to a label of its own, thousands of times: decoding must not be quadratic. */
static void write_many_labels(struct text *ptx) {
    write_head(ptx);
    text_append(ptx, ".entry k()\n{\n");
    for (unsigned i = 0; i < 60000; i++)
        text_printf(ptx, "bra L%u;\nL%u:\n", i, i);
    text_append(ptx, "ret;\n}\n");
}

static const struct bounded_case cases[] = {
    {"giant globals", write_giant_globals, {1, 1, 1}, {32, 1, 1}, 0, 1, "MiB", 100},
    {"giant initialisers", write_giant_initialisers, {1, 1, 1}, {32, 1, 1}, 0, 1, "MiB", 100},
    {"many registers", write_many_registers, {4, 1, 1}, {1024, 1, 1}, 0, 2, "registers", 200},
    {"recursion on registers",
     write_recursion_on_registers,
     {1, 1, 1},
     {1024, 1, 1},
     0,
     1,
     "calls nest",
     1200},
    {"giant local", write_giant_local, {4, 1, 1}, {1024, 1, 1}, 0, 64, NULL, 1300},
    {"empty shared variables", write_empty_shared, {4, 1, 1}, {32, 1, 1}, 0, 2, "shared", 400},
    {"printf flood", write_printf_flood, {100000, 1, 1}, {32, 1, 1}, 0, 2, NULL, 100},
    {"empty printf", write_empty_printf, {1000000, 1, 1}, {1, 1, 1}, 0, 2, NULL, 60},
    {"giant grid",
     write_empty_kernel,
     {INT32_MAX, 65535, 65535},
     {1024, 1, 1},
     100000000,
     2,
     "budget",
     60},
    {"many instructions",
     write_many_instructions,
     {1, 1, 1},
     {32, 1, 1},
     0,
     64,
     "instructions",
     800},
    {"many sync objects", write_many_sync_objects, {1, 1, 1}, {1024, 1, 1}, 0, 1, NULL, 2000},
    {"many labels", write_many_labels, {1, 1, 1}, {32, 1, 1}, 0, 1, NULL, 300},
};

static int run_in_child(const struct bounded_case *test) {
    struct rlimit space = {(rlim_t)ADDRESS_SPACE_MB << 20, (rlim_t)ADDRESS_SPACE_MB << 20};
#ifndef __SANITIZE_ADDRESS__
    setrlimit(RLIMIT_DATA, &space);
#else
    (void)space;
#endif
    alarm(SECONDS);
    struct text ptx = {0};
    test->write(&ptx);
    struct engine_launch launch = {.ptx = text_string(&ptx),
                                   .ptx_length = ptx.length,
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = test->grid,
                                   .block = test->block,
                                   .threads = test->threads,
                                   .budget = test->budget};
    struct engine_result result;
    sim_run(&launch, &result);
    const char *reason = result.end == ENGINE_REFUSED ? result.message
                         : result.hazard_count        ? result.hazards[0].message
                                                      : NULL;
    bool right = test->expected ? reason && strstr(reason, test->expected) : !reason;
    if (!right)
        fprintf(stderr, "%s: expected \"%s\", got \"%s\"\n", test->name,
                test->expected ? test->expected : "", reason ? reason : "");
    engine_result_free(&result);
    text_free(&ptx);
    return right ? 0 : 1;
}

static bool run_case(const struct bounded_case *test) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0)
        _exit(run_in_child(test));
    int status = 0;
    struct rusage usage = {0};
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &end);
    long peak_mb = usage.ru_maxrss / 1024;
    bool right = status == 0 && peak_mb <= (long)test->peak_mb;
    printf("%-24s %5ld MB of at most %4u, %5.2f s  %s\n", test->name, peak_mb, test->peak_mb,
           (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9,
           right ? "ok" : "FAILED");
    if (WIFSIGNALED(status))
        fprintf(stderr, "%s: signal %d\n", test->name, WTERMSIG(status));
    fflush(stdout);
    return right;
}

int main(int argc, char **argv) {
    bool right = true;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
        if (argc < 2 || strcmp(argv[1], cases[i].name) == 0)
            right &= run_case(&cases[i]);
    return right ? 0 : 1;
}
