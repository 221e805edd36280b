/* Registers that share a place: a launch on a device, whose registers do, leaves what a launch with
 * a place for each does, whatever the program's loops and branches are; and few places are enough
 * for a long kernel. */
#include "grader/exercise/device.h"
#include "sandbox/base/mix.h"
#include "sandbox/simgpu/launch/register_slots.h"
#include "tests/support/launch.h"

enum { PROGRAMS = 150, REGISTERS = 24, DEPTH = 3, THREADS = 64, BLOCKS = 2 };

static struct device_profile device;

/* Handles: a texture and a surface that nobody writes, and a surface that nobody reads. */
static void run(const char *ptx, bool on_device, uint32_t *data) {
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = LAUNCH_BYTES / 4};
    const uint64_t address = ADDRESS_OF(WINDOW_FIRST_VARIABLE) + LAUNCH_BYTES / 2;
    const struct texture_image image = {{1, 32, TEXEL_UNSIGNED}, {16, 16, 1, 1}, 2, 1, .pitch = 0};
    const struct engine_texture textures[3] = {{true, false, address, image, {{0}}},
                                               {true, true, address, image, {{0}}},
                                               {true, true, address + 1024, image, {{0}}}};
    struct engine_launch launch = {.ptx = ptx,
                                   .ptx_length = strlen(ptx),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {BLOCKS, 1, 1},
                                   .block = {THREADS, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = LAUNCH_BYTES,
                                   .budget = 10000000,
                                   .textures = textures,
                                   .texture_count = 3,
                                   .threads = 1,
                                   .no_checks = true,
                                   .registers = on_device ? 32 : 0,
                                   .device = on_device ? &device : NULL};
    struct engine_result result;
    for (unsigned i = 0; i < LAUNCH_BYTES / 4; i++)
        data[i] = i < LAUNCH_BYTES / 8 ? 0 : i * 37;
    sim_run(&launch, &result);
    if (result.end != ENGINE_COMPLETED || result.hazard_count)
        fail_msg("%s\n%s", result.hazard_count ? result.hazards[0].message : result.message, ptx);
    engine_result_free(&result);
}

static void compare(const char *ptx) {
    static uint32_t own[LAUNCH_BYTES / 4], shared[LAUNCH_BYTES / 4];
    run(ptx, false, own);
    run(ptx, true, shared);
    for (size_t i = 0; i < LAUNCH_BYTES / 4; i++)
        if (own[i] != shared[i])
            fail_msg("thread %zu leaves %u, and %u where registers share\n%s", i, own[i], shared[i],
                     ptx);
}

/* ---- programs that chance has written ---------------------------------------------------------
 */

struct writer {
    struct text *out;
    uint64_t seed, count;
    unsigned labels;
    bool textures;
};

static unsigned draw(struct writer *writer, unsigned below) {
    return (unsigned)(mix_word(writer->seed, ++writer->count) % below);
}

/* Their operands are not in the code. Each thread writes a texel of its own. */
static void write_texture(struct writer *writer) {
    unsigned x = draw(writer, REGISTERS), to = draw(writer, REGISTERS - 4);
    switch (draw(writer, 4)) {
    case 0:
        text_printf(writer->out,
                    "tex.2d.v4.u32.s32 {%%r%u, %%r%u, %%r%u, %%r%u}|%%q, [%%s0, {%%r%u, %%r%u}];\n",
                    to, to + 2, to + 1, to + 4, x, draw(writer, REGISTERS));
        break;
    case 1:
        text_printf(writer->out, "txq.width.b32 %%r%u, [%%s0];\n", to);
        break;
    case 2:
        text_printf(writer->out,
                    "shl.b32 %%r%u, %%r%u, 3;\n"
                    "suld.b.2d.v2.b32.zero {%%r%u, %%r%u}, [%%s1, {%%r%u, %%r%u}];\n",
                    to + 2, x, to, to + 1, to + 2, draw(writer, REGISTERS));
        break;
    default:
        text_printf(writer->out,
                    "and.b32 %%r%u, %%t, 15;\nshl.b32 %%r%u, %%r%u, 2;\nshr.u32 %%r%u, %%t, 4;\n"
                    "sust.b.2d.b32.trap [%%s2, {%%r%u, %%r%u}], %%r%u;\n",
                    to, to, to, to + 1, to, to + 1, x);
    }
}

static void write_line(struct writer *writer) {
    static const char *const operations[] = {"add.u32", "xor.b32", "mul.lo.u32", "sub.u32"};
    if (writer->textures && draw(writer, 4) == 0) {
        write_texture(writer);
        return;
    }
    unsigned kind = draw(writer, 8), to = draw(writer, REGISTERS), from = draw(writer, REGISTERS);
    if (kind == 0)
        text_printf(writer->out, "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n", draw(writer, 3), to, from);
    else if (kind == 1)
        text_printf(writer->out, "cvt.u64.u32 %%d%u, %%r%u;\n", draw(writer, 6), from);
    else if (kind == 2)
        text_printf(writer->out, "cvt.u32.u64 %%r%u, %%d%u;\n", to, draw(writer, 6));
    else if (kind == 3)
        text_printf(writer->out, "mov.b64 {%%r%u, %%r%u}, %%d%u;\n", to, (to + 1) % REGISTERS,
                    draw(writer, 6));
    else
        text_printf(writer->out, "%s%s %%r%u, %%r%u, %%r%u;\n", draw(writer, 4) ? "" : "@%p0 ",
                    operations[draw(writer, 4)], to, from, draw(writer, REGISTERS));
}

static void write_lines(struct writer *writer, unsigned depth) {
    for (unsigned lines = 2 + draw(writer, 6); lines; lines--) {
        unsigned kind = depth ? draw(writer, 6) : 5, label = writer->labels;
        if (kind > 1) {
            write_line(writer);
            continue;
        }
        writer->labels++;
        if (kind == 0) /* a loop of two to four turns, which some lanes leave earlier */
            text_printf(writer->out, "mov.u32 %%c%u, 0;\n$l%u:\n", depth, label);
        else
            text_printf(writer->out, "@%%p%u bra $l%u;\n", draw(writer, 3), label);
        write_lines(writer, depth - 1);
        if (kind == 0)
            text_printf(writer->out,
                        "@%%p%u bra $e%u;\nadd.u32 %%c%u, %%c%u, 1;\nsetp.lt.u32 %%q, %%c%u, %u;\n"
                        "@%%q bra $l%u;\n$e%u:\n",
                        draw(writer, 3), label, depth, depth, depth, 2 + draw(writer, 3), label,
                        label);
        else
            text_printf(writer->out, "$l%u:\n", label);
    }
}

static void write_program(uint64_t seed, struct text *out) {
    struct writer writer = {.out = out, .seed = seed, .textures = seed % 2};
    text_printf(out, PTX_HEAD
                ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%x, %%d<6>, %%s<3>;\n"
                ".reg .u32 %%t, %%b, %%r<24>, %%c<4>;\n.reg .pred %%q, %%p<3>;\n"
                "ld.param.u64 %%a, [p];\nmov.u32 %%t, %%tid.x;\nmov.u32 %%b, %%ctaid.x;\n"
                "mov.u64 %%s0, 1;\nmov.u64 %%s1, 2;\nmov.u64 %%s2, 3;\n"
                "mad.lo.u32 %%t, %%b, 64, %%t;\nsetp.lt.u32 %%p0, %%t, 9;\n"
                "setp.lt.u32 %%p1, %%t, 70;\nsetp.lt.u32 %%p2, %%b, 1;\n");
    for (unsigned i = draw(&writer, 4); i < REGISTERS; i += 1 + draw(&writer, 3))
        text_printf(out, "add.u32 %%r%u, %%t, %u;\n", i, 3 + 7 * i);
    write_lines(&writer, DEPTH);
    write_lines(&writer, DEPTH);
    text_append(out, "mad.wide.u32 %x, %t, 64, %a;\n");
    for (unsigned i = 0; i < 8; i++)
        text_printf(out, "st.global.u32 [%%x+%u], %%r%u;\n", 4 * i, draw(&writer, REGISTERS));
    text_append(out, "ret;\n}\n");
}

static void leaves_what_a_place_for_each_leaves(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        cleanup_text struct text ptx = {0};
        write_program(seed, &ptx);
        compare(text_string(&ptx));
    }
}

/* ---- how many places --------------------------------------------------------------------------
 */

#define KERNEL(registers, body)                                                                    \
    PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %a;\n.reg .u32 " registers            \
             ";\n.reg .pred %p;\nld.param.u64 %a, [p];\n" body "ret;\n}\n"

/* Bytes of a warp's registers before and after; 0 where nothing is shared. */
static uint32_t share(const char *ptx, uint32_t *before) {
    struct ptx_module *module;
    struct program *program;
    assert_int_equal(ptx_parse(ptx, strlen(ptx), &module, NULL), STATUS_OK);
    assert_int_equal(program_decode(module, &module->functions[0], "k.cu", 0, &program, NULL),
                     STATUS_OK);
    struct register_slots slots;
    *before = program->functions[0].register_bytes;
    register_slots_share(program, &slots);
    uint32_t after = slots.shared ? program->functions[0].register_bytes : 0;
    register_slots_restore(program, &slots);
    assert_int_equal(program->functions[0].register_bytes, *before);
    program_free(program);
    ptx_module_free(module);
    return after;
}

static void a_chain_takes_two_places(void **state) {
    (void)state;
    cleanup_text struct text ptx = {0};
    text_append(&ptx, PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %a;\n"
                               ".reg .u32 %r<202>;\nld.param.u64 %a, [p];\nmov.u32 %r0, 5;\n");
    for (unsigned i = 0; i < 200; i++)
        text_printf(&ptx, "add.u32 %%r%u, %%r%u, %u;\n", i + 1, i, i);
    text_append(&ptx, "st.global.u32 [%a], %r200;\nret;\n}\n");
    uint32_t before, after = share(text_string(&ptx), &before);
    assert_int_equal(before - after, (202 - 2) * 4 * 32);
    compare(text_string(&ptx));
}

/* A value that is written at a loop's end and read at its beginning is there in all of it. */
static void a_value_of_a_loop_keeps_its_place(void **state) {
    (void)state;
    compare(KERNEL("%r<9>", "mov.u32 %r0, 1;\nmov.u32 %r1, 0;\n$l:\nadd.u32 %r2, %r0, 3;\n"
                            "st.global.u32 [%a], %r2;\nadd.u32 %r0, %r2, 1;\n"
                            "add.u32 %r4, %r1, 7;\nsub.u32 %r1, %r4, 6;\n"
                            "setp.lt.u32 %p, %r1, 5;\n@%p bra $l;\n"));
}

static int load_device(void **state) {
    (void)state;
    return device_load("h200", &device, NULL) != STATUS_OK;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_what_a_place_for_each_leaves),
        cmocka_unit_test(a_chain_takes_two_places),
        cmocka_unit_test(a_value_of_a_loop_keeps_its_place),
    };
    return cmocka_run_group_tests(tests, load_device, NULL);
}
