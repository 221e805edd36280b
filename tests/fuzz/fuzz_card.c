/* Bytes as a dialog with the simulated card of a whole program: requests in any order, with handles
 * that were answered before and with others, and what stands in the window meanwhile.
 *
 * A request is a byte that says which call (one more than there are: bytes go into the window),
 * then its stream, its call site, four arguments and inline bytes. An argument's first byte says
 * what it is: nothing, 1, 4 or 8 bytes, or one of the values answered last. The card begins with a
 * module of one kernel and one variable, so that a launch is a few bytes away. */
#include "fuzz.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/device.h"
#include "sandbox/base/memory.h"
#include "sandbox/card/card_private.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA = 1 << 20, CAPACITY = 1 << 20, ANSWERS = 8, REQUESTS_MAX = 256, BUDGET = 20000 };

static const char module_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 calls = 3;\n"
    ".visible .entry k(.param .u64 x, .param .u32 n) {\n"
    ".reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<2>;\n"
    "ld.param.u64 %d1, [x]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
    "setp.ge.u32 %p1, %r2, %r1; @%p1 ret; mul.wide.u32 %d2, %r2, 4; add.s64 %d3, %d1, %d2;\n"
    "ld.global.u32 %r3, [%d3]; atom.global.add.u32 %r3, [calls], %r3;\n"
    "st.global.u32 [%d3], %r3; ret; }\n";

static enum card_error (*const acts[])(struct card *, const struct card_request *,
                                       struct card_reply *) = {
#define CALL(id, what) card_do_##id,
#include "sandbox/runtime/call.def"
#undef CALL
};

struct input {
    const uint8_t *at;
    size_t left;
};

static uint64_t take(struct input *input, size_t bytes) {
    uint64_t value = 0;
    size_t have = bytes < input->left ? bytes : input->left;
    memcpy(&value, input->at, have);
    input->at += have;
    input->left -= have;
    return value;
}

static uint64_t take_argument(struct input *input, const uint64_t *answers) {
    uint64_t kind = take(input, 1);
    switch (kind & 7) {
    case 0:
        return 0;
    case 1:
        return take(input, 1);
    case 2:
        return take(input, 4);
    case 3:
        return take(input, 8);
    default:
        return answers[kind >> 3 & (ANSWERS - 1)] + (kind & 7) - 4;
    }
}

static void act(struct card *card, uint32_t call, struct card_request *request, uint64_t *answers) {
    struct card_reply reply = {0};
    request->head.call = call;
    card->site = request->head.site <= card->site_count ? request->head.site : 0;
    if (!card->fault || call == WIRE_SYNCHRONIZE)
        acts[call](card, request, &reply);
    memmove(answers + 1, answers, (ANSWERS - 1) * sizeof *answers);
    answers[0] = reply.head.value[0];
    text_free(&reply.bytes);
}

static void open_module(struct card *card, uint64_t *answers) {
    struct card_request request = {.bytes = ""};
    memcpy(card->window, module_text, sizeof module_text - 1);
    request.head.argument[0] = sizeof module_text - 1;
    act(card, WIRE_TEXT, &request, answers);
    act(card, WIRE_MODULE, &request, answers);
    request = (struct card_request){.head = {.inline_bytes = 1}, .bytes = "k"};
    act(card, WIRE_KERNEL, &request, answers);
}

static void take_request(struct card *card, struct input *input, uint64_t *answers) {
    uint32_t call = (uint32_t)(take(input, 1) % (WIRE_CALL_COUNT + 1));
    struct card_request request = {0};
    request.head.stream = take(input, 1);
    request.head.site = (uint32_t)take(input, 1);
    for (size_t i = 0; i < WIRE_ARGUMENTS; i++)
        request.head.argument[i] = take_argument(input, answers);
    size_t length = take(input, 2);
    length = length < input->left ? length : input->left;
    length = length < WIRE_INLINE_MAX ? length : WIRE_INLINE_MAX;
    char *bytes = mem_zalloc(length + 1); /* to the byte, for the sanitizer */
    memcpy(bytes, input->at, length);
    input->at += length;
    input->left -= length;
    request.head.inline_bytes = (uint32_t)length;
    request.bytes = bytes;
    if (call == WIRE_CALL_COUNT)
        memcpy(card->window + request.head.argument[0] % (WIRE_WINDOW - WIRE_INLINE_MAX), bytes,
               length);
    else
        act(card, call, &request, answers);
    free(bytes);
}

/* Like a profile that loads: every number is one that it may be. */
static struct device_profile small_device(void) {
    struct device_profile device = {.name = "card"};
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++) {
        double least = device_numbers[i].low > 1 ? device_numbers[i].low : 1;
        memcpy((char *)&device + device_numbers[i].offset, &least, sizeof least);
    }
    device.compute_capability = 90;
    device.registers_per_sm = 65536;
    device.warps_per_sm = 64;
    device.blocks_per_sm = 32;
    device.shared_bytes_per_block = device.shared_bytes_per_sm = 232448;
    return device;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned char *window;
    if (!window)
        window = mem_map(WIRE_WINDOW + ARENA);
    static struct device_profile device;
    if (!device.clock_mhz)
        device = small_device();
    const struct engine_launch common = {
        .kernel = "", .file_name = "", .threads = 1, .budget = BUDGET, .device = &device};
    struct card *card = mem_zalloc(sizeof *card);
    *card = (struct card){.common = &common,
                          .capacity_bytes = CAPACITY,
                          .window = window,
                          .arena_bytes = ARENA,
                          .ends_ms = clock_ms() + 2000};
    uint64_t answers[ANSWERS] = {0};
    struct input input = {data, size};
    open_module(card, answers);
    for (int i = 0; i < REQUESTS_MAX && input.left; i++)
        take_request(card, &input, answers);
    card_clear(card);
    free(card);
    return 0;
}
