/* What a module's text becomes on a real card where it has __managed__ variables. The driver is one
 * that lets the host's memory be used, and nothing else. */
#include "sandbox/card/metal/metal.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARENA = 1 << 20 };

struct fixture {
    struct card card;
    struct metal metal;
    struct engine_launch common;
};

static int register_memory(void *start, size_t bytes, unsigned flags) {
    (void)start, (void)bytes, (void)flags;
    return DRIVER_OK;
}

static int unregister_memory(void *start) {
    (void)start;
    return DRIVER_OK;
}

static int same_address(gpu_address *address, void *start, unsigned flags) {
    (void)flags;
    *address = (gpu_address)(uintptr_t)start;
    return DRIVER_OK;
}

/* The file that both sides share has the number that the jail gives it. */
static int open_card(void **state) {
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    int file = memfd_create("shared", 0);
    assert_true(file >= 0 && ftruncate(file, WIRE_WINDOW + ARENA) == 0);
    if (file != WIRE_SHARED) {
        assert_int_equal(dup2(file, WIRE_SHARED), WIRE_SHARED);
        close(file);
    }
    fixture->metal.driver.cuMemHostRegister_v2 = register_memory;
    fixture->metal.driver.cuMemHostUnregister = unregister_memory;
    fixture->metal.driver.cuMemHostGetDevicePointer_v2 = same_address;
    fixture->card = (struct card){.common = &fixture->common,
                                  .real = &metal_real,
                                  .metal = &fixture->metal,
                                  .capacity_bytes = 1 << 30,
                                  .arena_bytes = ARENA};
    fixture->card.window =
        mmap(NULL, WIRE_WINDOW + ARENA, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED, 0);
    assert_ptr_not_equal(fixture->card.window, MAP_FAILED);
    *state = fixture;
    return 0;
}

static int close_card(void **state) {
    struct fixture *fixture = *state;
    for (size_t i = 0; i < fixture->metal.managed_count; i++)
        munmap((void *)(uintptr_t)fixture->metal.managed[i].address,
               (fixture->metal.managed[i].bytes + 4095) / 4096 * 4096);
    munmap(fixture->card.window, WIRE_WINDOW + ARENA);
    close(WIRE_SHARED);
    free(fixture->metal.managed);
    free(fixture);
    return 0;
}

static enum card_error place(struct fixture *fixture, const char *text, struct text *placed) {
    cleanup_text struct text ptx = {0};
    text_append(&ptx, text);
    return metal_managed_place(&fixture->card, &ptx, placed);
}

/* In `expected`, A and B stand for the addresses of a and b. */
static void expect(struct fixture *fixture, const char *text, const char *expected) {
    cleanup_text struct text placed = {0}, filled = {0};
    assert_int_equal(place(fixture, text, &placed), CARD_OK);
    for (; *expected; expected++) {
        if (*expected != 'A' && *expected != 'B') {
            text_append_bytes(&filled, expected, 1);
            continue;
        }
        const struct metal_managed *found =
            metal_managed_find(&fixture->card, 0, *expected == 'A' ? "a" : "b");
        assert_non_null(found);
        text_printf(&filled, "%" PRIu64, found->address);
    }
    assert_string_equal(text_string(&placed), text_string(&filled));
}

static void gives_each_function_the_addresses(void **state) {
    struct fixture *fixture = *state;
    expect(fixture,
           ".version 8.0\n.target sm_80, debug\n.address_size 64\n"
           ".global .attribute(.managed) .align 4 .u32 a = 7;\n"
           ".visible .global .align 8 .attribute( .managed ) .b8 b[10][3];\n"
           ".global .align 8 .u64 p[3] = {generic(a), generic(b)+4, generic(p)};\n"
           ".const .u64 q = b;\n"
           ".func  (.param .b32 r) f(.param .b64 a_0)\n;\n"
           ".visible .entry k(.param .u32 k_param_0)\n.maxntid 32, 1, 1\n{\n"
           "mov.u64 %rd1, a;\n{ ld.global.u32 %r1, [b+12]; }\n"
           "@%p1 atom.global.add.u32 %r4, [a], 3;\n// a b\nret;\n}\n"
           ".section .debug_info\n{\n.b64 a\n}\n"
           ".func g()\n{ ret; }\n",
           ".version 8.0\n.target sm_80, debug\n.address_size 64\n"
           ".visible .global  .align 4 .u32 a = 7;\n"
           ".visible .global .align 8  .b8 b[10][3];\n"
           ".global .align 8 .u64 p[3] = {A, B+4, generic(p)};\n"
           ".const .u64 q = B;\n"
           ".func  (.param .b32 r) f(.param .b64 a_0)\n;\n"
           ".visible .entry k(.param .u32 k_param_0)\n.maxntid 32, 1, 1\n{\n"
           ".reg .b64 %warpgrade_managed<2>;\n"
           "mov.b64 %warpgrade_managed0, A;\nmov.b64 %warpgrade_managed1, B;\n\n"
           "mov.u64 %rd1, %warpgrade_managed0;\n"
           "{ ld.global.u32 %r1, [%warpgrade_managed1+12]; }\n"
           "@%p1 atom.global.add.u32 %r4, [%warpgrade_managed0], 3;\n// a b\nret;\n}\n"
           ".section .debug_info\n{\n.b64 a\n}\n"
           ".func g()\n{\n.reg .b64 %warpgrade_managed<2>;\n"
           "mov.b64 %warpgrade_managed0, A;\nmov.b64 %warpgrade_managed1, B;\n ret; }\n");
    assert_int_equal(metal_managed_find(&fixture->card, 0, "a")->bytes, 4);
    assert_int_equal(metal_managed_find(&fixture->card, 0, "b")->bytes, 30);
    assert_null(metal_managed_find(&fixture->card, 1, "a"));
    assert_null(metal_managed_find(&fixture->card, 0, "p"));
}

static void counts_vectors_and_numbers(void **state) {
    struct fixture *fixture = *state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {{".global .attribute(.managed) .align 16 .v4 .f32 c1[5];", 80},
                 {".weak .global .attribute(.managed) .align 8 .f64 c2;", 8},
                 {".global .attribute(.unified(1, 2), .managed) .align 1 .b8 c3[4000];", 4000}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char name[] = {'c', (char)('1' + i), '\0'};
        cleanup_text struct text placed = {0};
        assert_int_equal(place(fixture, cases[i].text, &placed), CARD_OK);
        const struct metal_managed *found = metal_managed_find(&fixture->card, 0, name);
        if (!found || found->bytes != cases[i].bytes)
            fail_msg("%s", cases[i].text);
    }
}

static void leaves_other_variables_alone(void **state) {
    struct fixture *fixture = *state;
    expect(fixture,
           ".extern .global .attribute(.managed) .u32 a;\n.global .u32 managed = 4;\n"
           ".entry k() { ld.global.u32 %r1, [a]; }\n",
           ".extern .global .attribute(.managed) .u32 a;\n.global .u32 managed = 4;\n"
           ".entry k() { ld.global.u32 %r1, [a]; }\n");
    assert_int_equal(fixture->metal.managed_count, 0);
}

static void refuses_what_has_no_size(void **state) {
    struct fixture *fixture = *state;
    static const char *const texts[] = {
        ".global .attribute(.managed) .u32 a[];",
        ".global .attribute(.managed) a;",
        ".global .attribute(.managed) .u32 a[0];",
        ".global .attribute(.managed) .u64 a[0x2000000000000001];",
        ".global .attribute(.managed) .u64 a[0xffffffff][0xffffffff][0xffffffff];",
        ".global .attribute(.managed) .b8 a[0x200000];"};
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        cleanup_text struct text placed = {0};
        if (place(fixture, texts[i], &placed) == CARD_OK)
            fail_msg("%s", texts[i]);
    }
}

static void ends_where_the_text_does(void **state) {
    struct fixture *fixture = *state;
    static const char *const texts[] = {".global .attribute(",
                                        ".global .attribute(.managed",
                                        ".global .attribute(.managed) .u32",
                                        ".global .attribute(.managed) .u32 d; .u64 p = generic(",
                                        ".global .u64 p = generic",
                                        "} } .entry k() { [",
                                        ".global .align",
                                        ".attribute(.managed) .u32 e;",
                                        ".global .attribute(.managed) .attribute(.managed) .u32 f;",
                                        ".global .attribute ; .attribute(.managed) .u32 g;",
                                        ".global .attribute(.managed) .u32 h;"
                                        ".global .u64 p = h .attribute(.managed) .u32 i;",
                                        "\"never ends"};
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        cleanup_text struct text placed = {0};
        place(fixture, texts[i], &placed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_each_function_the_addresses, open_card, close_card),
        cmocka_unit_test_setup_teardown(counts_vectors_and_numbers, open_card, close_card),
        cmocka_unit_test_setup_teardown(leaves_other_variables_alone, open_card, close_card),
        cmocka_unit_test_setup_teardown(refuses_what_has_no_size, open_card, close_card),
        cmocka_unit_test_setup_teardown(ends_where_the_text_does, open_card, close_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
