/* Runs a PTX text on the simulated GPU with one buffer, for the tests of this folder. */
#ifndef WARPGRADE_TESTS_SUPPORT_LAUNCH_H
#define WARPGRADE_TESTS_SUPPORT_LAUNCH_H

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/texture_image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LAUNCH_BYTES = 1 << 16 };
#define PTX_HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

/* The kernel `k(buffer)`; the result is the caller's to free. Of a kernel without variables the
 * buffer is also a texture, handle 1, and a surface, handle 2, of 64 by 16 numbers of 32 bits. */
static inline struct engine_result launch_text(const char *ptx, unsigned blocks, unsigned threads,
                                               unsigned char *data) {
    static unsigned char scratch[LAUNCH_BYTES];
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = LAUNCH_BYTES / 4};
    const struct texture_image image = {{1, 32, TEXEL_UNSIGNED}, {64, 16, 1, 1}, 2, 1, .pitch = 0};
    const struct engine_texture textures[2] = {
        {true, false, ADDRESS_OF(WINDOW_FIRST_VARIABLE), image, {{0}}},
        {true, true, ADDRESS_OF(WINDOW_FIRST_VARIABLE), image, {{0}}}};
    struct engine_launch launch = {.ptx = ptx,
                                   .ptx_length = strlen(ptx),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {blocks, 1, 1},
                                   .block = {threads, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = strstr(ptx, "k()") ? 0 : 1,
                                   .data = data ? data : scratch,
                                   .data_length = LAUNCH_BYTES,
                                   .budget = 10000000,
                                   .threads = 1,
                                   .textures = textures,
                                   .texture_count = 2};
    struct engine_result result;
    sim_run(&launch, &result);
    return result;
}

/* A kernel of which only the body matters: %a is the buffer, %l the thread's number. */
static inline struct engine_result launch_body(const char *body, unsigned blocks,
                                               unsigned threads) {
    struct text ptx = {0};
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%a, %%x, %%y;\n"
                         ".reg .u32 %%l, %%r<10>;\n.reg .u64 %%w<6>;\n.reg .f32 %%f<4>;\n"
                         ".reg .pred %%p, %%q;\nld.param.u64 %%a, [p];\nmov.u32 %%l, %%tid.x;\n"
                         "%s\nret;\n}\n",
                body);
    struct engine_result result = launch_text(text_string(&ptx), blocks, threads, NULL);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    text_free(&ptx);
    return result;
}

#endif
