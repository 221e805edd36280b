/* Functions that every kernel may call without bringing them: vprintf and __assertfail (malloc and
 * free: heap.c).
 *
 * vprintf gets a format and the address of a packed argument block, as the compiler lays it out:
 * each argument at its natural alignment, floats widened to double. Formatting is our own, because
 * the host's printf must never see a format that a submission wrote. Each block may print up to the
 * limit of the launch, so that which output is kept does not depend on timing. */
#include "sandbox/simgpu/exec/print.h"
#include "sandbox/simgpu/check/hazard.h"
#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/exec/heap.h"
#include "sandbox/simgpu/exec/spin_deadlock.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/host_thread.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/special.h"
#include "sandbox/simgpu/state/warp.h"

#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The block's text, new or old. NULL where the blocks before it have printed all that is kept: what
 * it prints will not be seen. Blocks that printed nothing make room for others. */
static struct text *block_text(struct warp *warp) {
    struct host_thread *host_thread = warp->host_thread;
    uint64_t index = warp->block->index, before = 0;
    for (size_t i = host_thread->printed_count; i-- > 0;) {
        struct printed_block *block = &host_thread->printed[i];
        if (block->block_index == index)
            return &block->text;
        if (block->text.length == 0) {
            text_free(&block->text);
            *block = host_thread->printed[--host_thread->printed_count];
            continue;
        }
        before += block->block_index < index ? block->text.length : 0;
        if (before > PRINTED_LIMIT) /* one byte more shows that something was cut */
            return NULL;
    }
    struct printed_block *added = mem_push(&host_thread->printed, &host_thread->printed_count,
                                           &host_thread->printed_capacity);
    added->block_index = index;
    return &added->text;
}

struct print_arguments {
    struct warp *warp;
    const struct insn *insn;
    unsigned lane;
    device_address next;
};

static uint64_t next_argument(struct print_arguments *arguments, unsigned bytes) {
    arguments->next = (arguments->next + bytes - 1) / bytes * bytes;
    const unsigned char *from =
        memory_peek(arguments->warp, arguments->lane, arguments->next, bytes);
    uint64_t bits = 0;
    if (from) {
        memcpy(&bits, from, bytes);
        undef_print(arguments->warp, arguments->insn, arguments->lane, arguments->next, bytes);
    }
    arguments->next += bytes;
    return bits;
}

struct conversion {
    char flags[8];
    int width, precision; /* -1: none */
    bool is_long;         /* l, ll, z, j, t: 64 bits on the GPU */
    char letter;
};

/* Reads the conversion after a '%'; the end of it, or NULL where it is none. */
static const char *parse_conversion(const char *at, struct conversion *conversion,
                                    struct print_arguments *arguments) {
    *conversion = (struct conversion){.width = -1, .precision = -1};
    size_t flags = 0;
    while (*at && strchr("-+ #0", *at)) {
        if (flags + 1 < sizeof conversion->flags && !strchr(conversion->flags, *at))
            conversion->flags[flags++] = *at;
        at++;
    }
    int *numbers[2] = {&conversion->width, &conversion->precision};
    for (unsigned i = 0; i < 2; i++) {
        if (i == 1) {
            if (*at != '.')
                break;
            at++;
            *numbers[i] = 0;
        }
        if (*at == '*') {
            *numbers[i] = (int)(int32_t)next_argument(arguments, 4);
            at++;
        }
        for (; *at >= '0' && *at <= '9'; at++) {
            int so_far = *numbers[i] < 0 ? 0 : *numbers[i];
            *numbers[i] = so_far > 1000 ? 1000 : so_far * 10 + (*at - '0');
        }
        if (*numbers[i] > 1000)
            *numbers[i] = 1000;
    }
    while (*at && strchr("hlLqjzt", *at)) {
        conversion->is_long |= strchr("lLqjzt", *at) != NULL;
        at++;
    }
    conversion->letter = *at;
    return *at && strchr("diouxXcsfFeEgGaAp%", *at) ? at + 1 : NULL;
}

/* Where `out` is NULL no one will see it: arguments are read and counted, and nothing is kept. */
static void append_seen(struct text *out, const char *bytes, size_t length) {
    if (out)
        text_append_bytes(out, bytes, length);
}

static void append_conversion(struct text *out, const struct conversion *conversion,
                              struct print_arguments *arguments) {
    char format[32], width[16] = "", precision[16] = "";
    if (conversion->width >= 0)
        snprintf(width, sizeof width, "%d", conversion->width);
    if (conversion->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", conversion->precision);
    char string[1024];
    uint64_t bits;
    double number;
    switch (conversion->letter) {
    case '%':
        append_seen(out, "%", 1);
        return;
    case 'd':
    case 'i':
        bits = next_argument(arguments, conversion->is_long ? 8 : 4);
        snprintf(format, sizeof format, "%%%s%s%s%s", conversion->flags, width, precision, PRId64);
        snprintf(string, sizeof string, format,
                 conversion->is_long ? (int64_t)bits : (int64_t)(int32_t)bits);
        break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        bits = next_argument(arguments, conversion->is_long ? 8 : 4);
        snprintf(format, sizeof format, "%%%s%s%s%s", conversion->flags, width, precision,
                 conversion->letter == 'o'   ? PRIo64
                 : conversion->letter == 'u' ? PRIu64
                 : conversion->letter == 'x' ? PRIx64
                                             : PRIX64);
        snprintf(string, sizeof string, format, bits);
        break;
    case 'c':
        snprintf(format, sizeof format, "%%%s%sc", conversion->flags, width);
        snprintf(string, sizeof string, format, (int)next_argument(arguments, 4));
        break;
    case 's': {
        char value[512];
        memory_string(arguments->warp, arguments->lane, next_argument(arguments, 8), value,
                      sizeof value);
        snprintf(format, sizeof format, "%%%s%s%ss", conversion->flags, width, precision);
        snprintf(string, sizeof string, format, value);
        break;
    }
    case 'p':
        snprintf(format, sizeof format, "%%%s%ss", conversion->flags, width);
        char pointer[32];
        bits = next_argument(arguments, 8);
        snprintf(pointer, sizeof pointer, "0x%" PRIx64, bits);
        if (!bits) /* the host formats what a GPU prints, and its library prints this */
            snprintf(pointer, sizeof pointer, "(nil)");
        snprintf(string, sizeof string, format, pointer);
        break;
    default:
        bits = next_argument(arguments, 8);
        memcpy(&number, &bits, sizeof number);
        snprintf(format, sizeof format, "%%%s%s%s%c", conversion->flags, width, precision,
                 conversion->letter);
        snprintf(string, sizeof string, format, number);
        break;
    }
    append_seen(out, string, strlen(string));
}

/* The number of arguments that the format took, as printf() returns it on a GPU (programming guide,
 * "Formatted Output"). */
static uint32_t print_lane(struct warp *warp, const struct insn *insn, unsigned lane,
                           device_address format_address, device_address arguments_address,
                           struct text *out) {
    uint32_t taken = 0;
    char format[4096];
    memory_string(warp, lane, format_address, format, sizeof format);
    struct print_arguments arguments = {warp, insn, lane, arguments_address};
    for (const char *at = format; *at;) {
        size_t plain = strcspn(at, "%");
        append_seen(out, at, plain);
        at += plain;
        if (!*at)
            break;
        struct conversion conversion;
        const char *end = parse_conversion(at + 1, &conversion, &arguments);
        if (!end) {
            append_seen(out, at++, 1);
            continue;
        }
        append_conversion(out, &conversion, &arguments);
        taken += conversion.letter != '%';
        at = end;
    }
    return taken;
}

static uint64_t call_argument(const struct warp *warp, const struct call_site *call, unsigned index,
                              unsigned lane) {
    uint64_t bits = 0;
    if (index < call->argument_count)
        memcpy(&bits, lane_local(warp, lane) + warp->frame->param_base + call->arguments[index],
               call->argument_bytes[index] < 8 ? call->argument_bytes[index] : 8);
    return bits;
}

static void fail_assertion(struct warp *warp, const struct insn *insn, const struct call_site *call,
                           lane_mask lanes) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    char condition[256], function[128];
    memory_string(warp, lane, call_argument(warp, call, 0, lane), condition, sizeof condition);
    memory_string(warp, lane, call_argument(warp, call, 3, lane), function, sizeof function);
    struct dim3 thread = special_thread_index(warp, lane), block = warp->block->id;
    hazard_report(warp, insn_pc(warp, insn), PC_NONE, HAZARD_TRAP, SEVERITY_ERROR, lanes,
                  "assertion failed: `%s` in %s, line %u, by thread (%u, %u, %u) of block "
                  "(%u, %u, %u)",
                  condition, function, (unsigned)call_argument(warp, call, 2, lane), thread.x,
                  thread.y, thread.z, block.x, block.y, block.z);
    warp->host_thread->stop = true;
}

void builtin_call(struct warp *warp, const struct insn *insn, const struct call_site *call,
                  lane_mask lanes) {
    spin_deadlock_note_change(warp);
    if (call->builtin == BUILTIN_ASSERTFAIL) {
        fail_assertion(warp, insn, call, lanes);
        return;
    }
    if (call->builtin != BUILTIN_VPRINTF) {
        heap_call(warp, insn, call, lanes);
        return;
    }
    struct text *out = block_text(warp);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        bool has_room = out && out->length <= PRINTED_LIMIT;
        uint32_t printed = print_lane(warp, insn, lane, call_argument(warp, call, 0, lane),
                                      call_argument(warp, call, 1, lane), has_room ? out : NULL);
        if (call->has_result)
            memcpy(lane_local(warp, lane) + warp->frame->param_base + call->result, &printed, 4);
    }
}
