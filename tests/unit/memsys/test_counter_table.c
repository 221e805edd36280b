/* Counters and metrics against numbers worked out by hand: a table of kernels' bodies with what
 * each must count. The last test ensures that no counter is without a row that would notice. */
#include "tests/support/launch.h"

struct row {
    const char *name, *body;
    unsigned blocks, threads;
    const char *expected; /* "counter=value ...": of counters and metrics */
};

/* %a is the buffer, %l the thread's number; each body has 3 instructions beside its own: a load of
 * the parameter, a move of the thread's number, the return. */
static const struct row rows[] = {
    {"nothing", "", 1, 32,
     "warp_instructions=3 thread_instructions=96 move_instructions=2 control_instructions=1 "
     "memory_instructions=0 flops=0 branches=0 inactive_lanes=0 warp_efficiency=1"},
    {"a block of 40 threads", "", 1, 40,
     "warp_instructions=6 thread_instructions=120 inactive_lanes=72 warp_efficiency=0.625"},
    {"single precision",
     "cvt.rn.f32.u32 %f1, %l;\nadd.f32 %f2, %f1, %f1;\nfma.rn.f32 %f2, %f1, %f1, %f1;\n"
     "div.rn.f32 %f3, %f1, %f2;",
     1, 32,
     "conversion_instructions=1 fp32_instructions=3 flops=128 flops_single=128 flops_double=0 "
     "integer_instructions=0"},
    {"comparisons and signs are no operations",
     "cvt.rn.f32.u32 %f1, %l;\nmin.f32 %f2, %f1, %f1;\nneg.f32 %f2, %f1;\n"
     "setp.lt.f32 %p, %f1, %f2;\nset.lt.u32.f32 %r1, %f1, %f2;",
     1, 32, "fp32_instructions=4 integer_instructions=0 flops=0"},
    {"double precision", ".reg .f64 d<3>;\ncvt.f64.u32 d1, %l;\nfma.rn.f64 d2, d1, d1, d1;", 1, 32,
     "fp64_instructions=1 flops_double=64 flops=64 flops_single=0"},
    {"pairs of halves",
     ".reg .b32 h<3>;\nmov.b32 h1, %l;\nadd.f16x2 h2, h1, h1;\nfma.rn.f16x2 h2, h1, h1, h1;\n"
     "ex2.approx.f16x2 h2, h1;",
     1, 32, "fp16_instructions=2 special_instructions=1 flops_half=256 flops=256"},
    {"special functions",
     "cvt.rn.f32.u32 %f1, %l;\nsqrt.approx.f32 %f2, %f1;\nsin.approx.f32 %f2, %f1;", 1, 32,
     "special_instructions=2 flops_single=64"},
    {"a guard switches lanes off",
     "cvt.rn.f32.u32 %f1, %l;\nsetp.lt.u32 %p, %l, 10;\n@%p add.f32 %f2, %f1, %f1;", 1, 32,
     "fp32_instructions=1 integer_instructions=1 flops=10 thread_instructions=192"},
    {"a matrix product",
     ".reg .b32 a<3>, b<2>, c<5>;\nmov.b32 a1, 0;\nmov.b32 a2, 0;\nmov.b32 b1, 0;\n"
     "mov.b32 c1, 0;\nmov.b32 c2, 0;\nmov.b32 c3, 0;\nmov.b32 c4, 0;\n"
     "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {c1,c2,c3,c4}, {a1,a2}, {b1}, "
     "{c1,c2,c3,c4};",
     1, 32, "matrix_instructions=1 flops_matrix=2048 flops=2048 flops_half=0"},
    {"rows of B in device memory come a unit a request, as columns do",
     ".reg .b32 b<8>;\nwmma.load.b.sync.aligned.row.m16n16k16.global.f16 "
     "{b0,b1,b2,b3,b4,b5,b6,b7}, [%a], 64;",
     1, 32, "global_load_requests=4 global_load_sectors=32 global_load_bytes=512"},
    {"a fragment in shared memory comes in one request, of four matrices whose rows share banks",
     ".shared .align 128 .b8 s[4096];\n.reg .b32 b<8>;\nmov.u32 %r1, s;\n"
     "wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 {b0,b1,b2,b3,b4,b5,b6,b7}, [%r1], 64;",
     1, 32, "shared_load_requests=1 shared_load_wavefronts=32"},
    {"... or lie apart",
     ".shared .align 128 .b8 s[4096];\n.reg .b32 b<8>;\nmov.u32 %r1, s;\n"
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {b0,b1,b2,b3,b4,b5,b6,b7}, [%r1], 72;",
     1, 32, "shared_load_requests=1 shared_load_wavefronts=4"},
    {"results of 16 bits, by column, are stored a unit a request",
     ".reg .b32 b<4>;\nmov.b32 b0, 0;\nmov.b32 b1, 0;\nmov.b32 b2, 0;\nmov.b32 b3, 0;\n"
     "wmma.store.d.sync.aligned.col.m16n16k16.global.f16 [%a], {b0,b1,b2,b3}, 64;",
     1, 32, "global_store_requests=4 global_store_sectors=32 global_store_bytes=512"},
    {"words side by side",
     "mad.wide.u32 %x, %l, 4, %a;\nld.global.u32 %r1, [%x];\nst.global.u32 [%x], %r1;", 2, 64,
     "global_load_requests=4 global_load_sectors=16 global_load_ideal_sectors=16 "
     "global_load_bytes=512 global_store_requests=4 global_store_sectors=16 "
     "global_store_ideal_sectors=16 global_store_bytes=512 memory_instructions=8 "
     "global_load_sectors_per_request=4 global_load_efficiency=1 global_bytes=1024"},
    {"a column",
     "mad.wide.u32 %x, %l, 512, %a;\nld.global.u32 %r1, [%x];\nst.global.u32 [%x], %r1;", 1, 32,
     "global_load_sectors=32 global_load_ideal_sectors=4 global_load_bytes=128 "
     "global_store_sectors=32 global_store_ideal_sectors=4 global_load_efficiency=0.125 "
     "global_store_sectors_per_request=32 global_sectors=64"},
    {"one word for all", "ld.global.u32 %r1, [%a];", 1, 32,
     "global_load_sectors=1 global_load_ideal_sectors=1 global_load_bytes=128"},
    {"pairs of lanes read one 16-byte element",
     "shr.u32 %r9, %l, 1;\nmad.wide.u32 %x, %r9, 16, %a;\n"
     "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%x];",
     1, 32, "global_load_sectors=8 global_load_ideal_sectors=8 global_load_bytes=512"},
    {"every second word, seven lanes",
     "mad.wide.u32 %x, %l, 8, %a;\nsetp.lt.u32 %p, %l, 7;\n@%p ld.global.u32 %r1, [%x];", 1, 32,
     "global_load_requests=1 global_load_sectors=2 global_load_ideal_sectors=1 "
     "global_load_bytes=28"},
    {"no lane", "setp.lt.u32 %p, %l, 0;\n@%p ld.global.u32 %r1, [%a];", 1, 32,
     "global_load_requests=0 global_load_sectors=0 global_load_ideal_sectors=0 "
     "memory_instructions=1 global_load_sectors_per_request=0 global_load_efficiency=1"},
    {"generic addresses in two memories",
     ".shared .align 4 .b32 s[32];\nmov.u64 %x, s;\ncvta.shared.u64 %x, %x;\n"
     "mad.wide.u32 %x, %l, 4, %x;\nst.u32 [%x], %l;\nmad.wide.u32 %y, %l, 4, %a;\n"
     "setp.lt.u32 %p, %l, 16;\nselp.b64 %x, %x, %y, %p;\nld.u32 %r1, [%x];\n",
     1, 32,
     "shared_store_requests=1 shared_load_requests=1 shared_load_wavefronts=1 "
     "global_load_requests=1 global_load_sectors=2 global_load_bytes=64"},
    {"a generic load that changes its memory",
     ".shared .align 4 .b32 s[32];\nmov.u64 %x, s;\ncvta.shared.u64 %x, %x;\n"
     "mad.wide.u32 %x, %l, 4, %x;\nst.u32 [%x], %l;\nmad.wide.u32 %y, %l, 4, %a;\n"
     "mov.u32 %r2, 0;\nagain:\nld.u32 %r1, [%x];\nmov.u64 %x, %y;\nadd.u32 %r2, %r2, 1;\n"
     "setp.lt.u32 %p, %r2, 3;\n@%p bra again;",
     1, 32,
     "shared_load_requests=1 shared_load_wavefronts=1 global_load_requests=2 "
     "global_load_sectors=8 branches=3 divergent_branches=0 branch_uniformity=1"},
    {"conflicts in shared memory",
     ".shared .align 128 .b8 s[4096];\nmov.u64 %x, s;\nmad.wide.u32 %x, %l, 64, %x;\n"
     "st.shared.u32 [%x], %l;\nld.shared.u32 %r1, [%x];\nld.shared.u32 %r1, [s];",
     1, 32,
     "shared_store_requests=1 shared_store_wavefronts=16 shared_load_requests=2 "
     "shared_load_wavefronts=17 shared_bank_conflicts=30 shared_bank_conflicts_per_request=10 "
     "shared_requests=3 shared_wavefronts=33 shared_wavefronts_per_request=11"},
    {"bytes whose words depend on where they begin",
     ".shared .align 128 .b8 s[8192];\nmov.u64 %x, s;\nmad.wide.u32 %x, %l, 130, %x;\n"
     "mov.u32 %r2, 0;\nagain:\nst.shared.u8 [%x], %l;\nadd.u64 %x, %x, 2;\n"
     "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, 2;\n@%p bra again;",
     1, 32, "shared_store_requests=2 shared_store_wavefronts=4 shared_bank_conflicts=2"},
    {"constants",
     ".reg .u64 c;\nmov.u64 c, table;\nld.const.u32 %r1, [table];\n"
     "mad.wide.u32 c, %l, 4, c;\nld.const.u32 %r1, [c];\nshr.u32 %r9, %l, 4;\n"
     "mov.u64 c, table;\nmad.wide.u32 c, %r9, 4, c;\nld.const.u32 %r1, [c];",
     1, 32,
     "constant_requests=3 constant_replays=32 global_load_requests=0 "
     "constant_replays_per_request=10.666666666666666"},
    {"a local array, one index for all",
     ".local .align 16 .b8 t[64];\n.reg .u64 t1;\nmov.u64 t1, t;\nst.local.u32 [t1+8], %l;\n"
     "ld.local.u32 %r1, [t1+8];",
     1, 32,
     "local_store_requests=1 local_store_sectors=4 local_load_requests=1 local_load_sectors=4 "
     "local_bytes=256 global_load_requests=0"},
    {"a local array, an index for each lane",
     ".local .align 16 .b8 t[128];\n.reg .u64 t1;\nmov.u64 t1, t;\nmad.wide.u32 t1, %l, 4, t1;\n"
     "st.local.u32 [t1], %l;\nld.local.u32 %r1, [t1];",
     1, 32, "local_store_sectors=32 local_load_sectors=32"},
    {"a local array, 16 bytes",
     ".local .align 16 .b8 t[64];\nmov.u32 %r1, 0;\nst.local.v4.u32 [t], {%r1, %r1, %r1, %r1};\n"
     "setp.lt.u32 %p, %l, 8;\n@%p ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [t];",
     1, 32, "local_store_sectors=16 local_load_sectors=4"},
    {"atomics in both memories",
     ".shared .align 4 .b32 s[32];\nmov.u64 %x, s;\nmad.wide.u32 %x, %l, 4, %x;\n"
     "st.shared.u32 [%x], 0;\natom.shared.add.u32 %r1, [%x], 1;\n"
     "setp.lt.u32 %p, %l, 9;\n@%p red.global.add.u32 [%a], 1;\nred.global.add.u32 [%a+4], 1;",
     1, 32,
     "atomic_requests=3 global_atomic_requests=2 global_atomic_lanes=41 "
     "shared_atomic_requests=1 shared_atomic_lanes=32 atomic_lanes=73 global_load_requests=0 "
     "global_store_requests=0"},
    {"a generic atomic in both memories",
     ".shared .align 4 .b32 s[32];\nmov.u64 %x, s;\ncvta.shared.u64 %x, %x;\n"
     "mad.wide.u32 %x, %l, 4, %x;\nst.u32 [%x], 0;\nsetp.lt.u32 %p, %l, 12;\n"
     "selp.b64 %x, %x, %a, %p;\natom.add.u32 %r1, [%x], 1;",
     1, 32,
     "global_atomic_requests=1 global_atomic_lanes=20 shared_atomic_requests=1 "
     "shared_atomic_lanes=12"},
    {"half of the warp branches",
     "setp.lt.u32 %p, %l, 16;\n@%p bra there;\nadd.u32 %r1, %l, 1;\nthere:\nadd.u32 %r1, %l, 2;", 1,
     32,
     "branches=1 divergent_branches=1 branch_uniformity=0 inactive_lanes=16 "
     "control_instructions=2"},
    {"a branch that all take and one without a condition",
     "setp.lt.u32 %p, %l, 64;\n@%p bra there;\nthere:\nbra on;\non:", 1, 64,
     "branches=2 divergent_branches=0 control_instructions=6"},
    {"barriers", "bar.sync 0;\nsetp.gt.u32 %p, %l, 100;\n@%p bar.sync 0;", 1, 64,
     "barriers=2 control_instructions=6"},
    {"shuffles", "shfl.sync.down.b32 %r1, %l, 1, 31, -1;\nvote.sync.any.pred %q, %p, -1;", 1, 32,
     "exchange_instructions=2"},
    {"an asynchronous copy",
     ".shared .align 128 .b8 s[1024];\nmov.u64 %x, s;\nmad.wide.u32 %x, %l, 16, %x;\n"
     "mad.wide.u32 %y, %l, 16, %a;\ncp.async.ca.shared.global [%x], [%y], 16;\n"
     "cp.async.wait_all;",
     1, 32,
     "global_load_requests=1 global_load_sectors=16 global_load_bytes=512 "
     "shared_store_requests=1 shared_store_wavefronts=4 shared_bank_conflicts=0 "
     "global_store_requests=0 memory_instructions=1"},
    {"a texture and a surface: a sector is 16 bytes of each of two rows",
     ".reg .b64 h;\nmov.u64 h, 1;\nmov.u32 %r5, 0;\nmul.lo.u32 %r6, %l, 8;\n"
     "tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [h, {%l, %r5}];\nmov.u64 h, 2;\n"
     "suld.b.2d.b32.trap %r1, [h, {%r6, %r5}];\nsust.b.2d.b32.trap [h, {%r6, %r5}], %r1;",
     1, 32,
     "texture_requests=1 texture_sectors=8 surface_requests=2 surface_sectors=32 "
     "memory_instructions=3 global_load_requests=0"},
};

static struct engine_result run_row(const struct row *row) {
    struct text ptx = {0};
    text_printf(&ptx,
                PTX_HEAD ".const .align 4 .b8 table[256];\n"
                         ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%x, %%y;\n"
                         ".reg .u32 %%l, %%r<10>;\n.reg .f32 %%f<4>;\n.reg .pred %%p, %%q;\n"
                         "ld.param.u64 %%a, [p];\nmov.u32 %%l, %%tid.x;\n%s\nret;\n}\n",
                row->body);
    struct engine_result result = launch_text(text_string(&ptx), row->blocks, row->threads, NULL);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s: %s", row->name, result.message);
    text_free(&ptx);
    return result;
}

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct engine_result result = run_row(&rows[i]);
        cleanup_free char *expected = mem_strdup(rows[i].expected);
        char *rest = expected;
        for (char *pair = strtok_r(rest, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
            char *equals = strchr(pair, '=');
            double value;
            *equals = '\0';
            if (!metric_evaluate(&result.counters, pair, &value))
                fail_msg("%s: there is no %s", rows[i].name, pair);
            if (value != strtod(equals + 1, NULL))
                fail_msg("%s: %s is %.17g, not %s", rows[i].name, pair, value, equals + 1);
        }
        engine_result_free(&result);
    }
}

/* Each warp instruction belongs to one class. */
static void test_classes_add_up(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct engine_result result = run_row(&rows[i]);
        const struct counters *c = &result.counters;
        uint64_t sum = 0;
        for (size_t j = COUNTER_INDEX_fp16_instructions; j <= COUNTER_INDEX_control_instructions;
             j++)
            sum += counter_value(c, j);
        if (sum != c->warp_instructions)
            fail_msg("%s: the classes have %llu instructions", rows[i].name,
                     (unsigned long long)sum);
        assert_int_equal(c->flops,
                         c->flops_half + c->flops_single + c->flops_double + c->flops_matrix);
        engine_result_free(&result);
    }
}

static bool is_expected(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        for (const char *at = rows[i].expected; (at = strstr(at, name)); at += length)
            if ((at == rows[i].expected || at[-1] == ' ') && at[length] == '=' &&
                at[length + 1] != '0')
                return true;
    return false;
}

static void test_every_counter_has_a_row(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        if (!counter_infos[i].needs_device && !is_expected(counter_infos[i].name))
            fail_msg("no row expects a number of %s", counter_infos[i].name);
}

/* What needs a device profile is 0 without one, and says so. */
static void test_device_counters(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct engine_result result = run_row(&rows[i]);
        for (size_t j = 0; j < COUNTER_COUNT; j++)
            if (counter_infos[j].needs_device)
                assert_int_equal(counter_value(&result.counters, j), 0);
        engine_result_free(&result);
    }
    assert_true(metric_needs_device("dram_bytes"));
    assert_true(metric_needs_device("l1_hits"));
    assert_false(metric_needs_device("flops"));
    assert_false(metric_needs_device("global_load_efficiency"));
    assert_false(metric_needs_device("no such thing"));
}

static void test_metrics_of_device_counters(void **state) {
    (void)state;
    struct counters c = {.flops = 3000,
                         .ideal_bytes = 1000,
                         .dram_read_sectors = 100,
                         .dram_write_sectors = 25,
                         .l1_sectors = 400,
                         .l1_hits = 100,
                         .l2_sectors = 300,
                         .l2_hits = 200,
                         .global_atomic_lanes = 64,
                         .global_atomic_conflicts = 48,
                         .shared_atomic_lanes = 32,
                         .shared_atomic_conflicts = 16};
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"arithmetic_intensity", 3},
                  {"dram_bytes", 4000},
                  {"dram_read_bytes", 3200},
                  {"dram_write_bytes", 800},
                  {"dram_excess", 4},
                  {"dram_intensity", 0.75},
                  {"l1_hit_rate", 0.25},
                  {"l2_hit_rate", 200.0 / 300},
                  {"global_atomic_lanes_per_address", 4},
                  {"shared_atomic_lanes_per_address", 2},
                  {"atomic_lanes_per_address", 3},
                  {"atomic_conflicts", 64},
                  {"ideal_bytes", 1000}};
    for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
        double value;
        assert_true(metric_evaluate(&c, wanted[i].name, &value));
        if (value != wanted[i].value)
            fail_msg("%s is %.17g", wanted[i].name, value);
    }
    double value = 17;
    assert_false(metric_evaluate(&c, "l1_hit", &value));
    c = (struct counters){0};
    assert_true(metric_evaluate(&c, "l1_hit_rate", &value) && value == 1);
    assert_true(metric_evaluate(&c, "dram_excess", &value) && value == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_classes_add_up),
        cmocka_unit_test(test_every_counter_has_a_row),
        cmocka_unit_test(test_device_counters),
        cmocka_unit_test(test_metrics_of_device_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
