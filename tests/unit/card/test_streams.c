/* What streams, events and the host order, and who races: the card's functions by themselves, one
 * line a program. */
#include "sandbox/card/card_private.h"

#include "grader/exercise/device.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* copy(int *to, int *from, int n): to[i] = from[i]; other kernels touch even or odd elements, or
 * one by atomic addition. */
static const char module_text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry copy(.param .u64 to, .param .u64 from) {\n"
    ".reg .b32 %r<3>; .reg .b64 %d<6>;\n"
    "ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r2, [%d4];\n"
    "add.s64 %d5, %d1, %d3; st.global.u32 [%d5], %r2; ret; }\n"
    ".visible .entry even(.param .u64 to, .param .u64 from) {\n"
    ".reg .b32 %r<3>; .reg .b64 %d<4>; .reg .pred %p;\n"
    "ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; setp.gt.u32 %p, %r1, 7; @%p ret;\n"
    "shl.b32 %r1, %r1, 1;\n"
    "mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], 7; ret; }\n"
    ".visible .entry odd(.param .u64 to, .param .u64 from) {\n"
    ".reg .b32 %r<3>; .reg .b64 %d<4>; .reg .pred %p;\n"
    "ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x; setp.gt.u32 %p, %r1, 7; @%p ret;\n"
    "shl.b32 %r1, %r1, 1; add.u32 %r1, %r1, 1;\n"
    "mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], 7; ret; }\n"
    ".visible .entry count(.param .u64 to, .param .u64 from) {\n"
    ".reg .b64 %d<2>;\n"
    "ld.param.u64 %d1, [to]; red.global.add.u32 [%d1], 1; ret; }\n";

enum { BYTES = 64, STREAMS = 4, BUFFERS = 3, EVENTS = 2, KERNELS = 4 };

struct fixture {
    struct card card;
    struct device_profile device;
    struct engine_launch common;
    unsigned char window[WIRE_WINDOW];
    uint64_t streams[STREAMS], buffers[BUFFERS], events[EVENTS], kernels[KERNELS];
    uint64_t guard; /* of the last copy to or from pinned memory */
};

static uint64_t value; /* the first of the last answer */

static enum card_error ask(struct fixture *fixture, enum wire_call call, uint64_t stream,
                           uint64_t a, uint64_t b, uint64_t c, const void *bytes, size_t length) {
    static enum card_error (*const acts[])(struct card *, const struct card_request *,
                                           struct card_reply *) = {
#define CALL(id, what) card_do_##id,
#include "sandbox/runtime/call.def"
#undef CALL
    };
    char *inline_bytes = mem_zalloc(length + 1);
    if (length)
        memcpy(inline_bytes, bytes, length);
    struct card_request request = {.head = {.call = call,
                                            .inline_bytes = (uint32_t)length,
                                            .argument = {a, b, c},
                                            .stream = stream},
                                   .bytes = inline_bytes};
    struct card_reply reply = {0};
    enum card_error error = acts[call](&fixture->card, &request, &reply);
    value = reply.head.value[0];
    text_free(&reply.bytes);
    free(inline_bytes);
    return error;
}

static uint64_t make(struct fixture *fixture, enum wire_call call, uint64_t a) {
    assert_int_equal(ask(fixture, call, 0, a, 0, 0, NULL, 0), CARD_OK);
    return value;
}

/* Streams: d the default one, a and b blocking ones, n one that is not. */
static void open_card(struct fixture *fixture) {
    static const char *const kernels[KERNELS] = {"copy", "even", "odd", "count"};
    assert_int_equal(device_load("h100", &fixture->device, NULL), STATUS_OK);
    fixture->common = (struct engine_launch){
        .kernel = "", .file_name = "", .threads = 1, .device = &fixture->device};
    fixture->card = (struct card){.common = &fixture->common,
                                  .capacity_bytes = 1 << 20,
                                  .window = fixture->window,
                                  .ends_ms = clock_ms() + 60e3};
    memcpy(fixture->window, module_text, sizeof module_text - 1);
    make(fixture, WIRE_TEXT, sizeof module_text - 1);
    uint64_t module = make(fixture, WIRE_MODULE, 0);
    for (size_t i = 0; i < KERNELS; i++) {
        assert_int_equal(ask(fixture, WIRE_KERNEL, 0, module, 0, 0, kernels[i], strlen(kernels[i])),
                         CARD_OK);
        fixture->kernels[i] = value;
    }
    for (size_t i = 0; i < EVENTS; i++)
        fixture->events[i] = make(fixture, WIRE_EVENT, 0);
    for (size_t i = 1; i < STREAMS; i++)
        fixture->streams[i] = make(fixture, WIRE_STREAM, i == STREAMS - 1);
    for (size_t i = 0; i < BUFFERS; i++) {
        fixture->buffers[i] = make(fixture, WIRE_ALLOCATE, BYTES);
        assert_int_equal(ask(fixture, WIRE_FILL, 0, fixture->buffers[i], 0, BYTES, NULL, 0),
                         CARD_OK);
    }
    assert_int_equal(ask(fixture, WIRE_SYNCHRONIZE, 0, WIRE_WAIT_ALL, 0, 0, NULL, 0), CARD_OK);
}

static void launch(struct fixture *fixture, uint64_t stream, uint64_t kernel, uint64_t to,
                   uint64_t from) {
    struct {
        struct wire_launch head;
        uint64_t to, from;
    } sent = {.head = {.kernel = kernel,
                       .grid = {1, 1, 1},
                       .block = {BYTES / 4, 1, 1},
                       .parameter_bytes = 16},
              .to = to,
              .from = from};
    assert_int_equal(ask(fixture, WIRE_LAUNCH, stream, 0, 0, 0, &sent, sizeof sent), CARD_OK);
}

/* One step of a program: a letter for what is done, one for the stream, and what it needs:
 *     k a 01   copy buffer 1 to buffer 0       e a 0, o a 0, c a 0   even, odd, count
 *     m a 0    memset     w a 0, r a 0   copy from, to pageable memory
 *     R a 0    copy to pinned memory, W a 0 from it    < read it, > write it, by the host
 *     E a 0    record event 0      V a 0    wait for it
 *     S a      the host waits for the stream, T 0 for event 0, D for all
 *     f 0      free the buffer (which waits for all)    X a  destroy the stream */
static const char *step(struct fixture *fixture, const char *at) {
    static const char names[STREAMS + 1] = "dabn";
    char what = *at++;
    uint64_t stream = 0, first = 0, second = 0;
    if (*at && strchr(names, *at))
        stream = fixture->streams[strchr(names, *at++) - names];
    if (isdigit((unsigned char)*at))
        first = (uint64_t)(*at++ - '0');
    if (isdigit((unsigned char)*at))
        second = (uint64_t)(*at++ - '0');
    uint64_t buffer = fixture->buffers[first < BUFFERS ? first : 0],
             event = fixture->events[first < EVENTS ? first : 0];
    enum card_error error = CARD_OK;
    switch (what) {
    case 'k':
        launch(fixture, stream, fixture->kernels[0], buffer, fixture->buffers[second]);
        break;
    case 'e':
    case 'o':
    case 'c':
        launch(fixture, stream,
               fixture->kernels[what == 'e'   ? 1
                                : what == 'o' ? 2
                                              : 3],
               buffer, buffer);
        break;
    case 'm':
        error = ask(fixture, WIRE_FILL, stream, buffer, 0, BYTES, NULL, 0);
        break;
    case 'w':
    case 'W':
        error = ask(fixture, WIRE_WRITE, stream, buffer, BYTES, 0, NULL, 0);
        break;
    case 'r':
    case 'R':
        error = ask(fixture, WIRE_READ, stream, buffer, BYTES, 0, NULL, 0);
        break;
    case 'E':
        error = ask(fixture, WIRE_RECORD, stream, event, 0, 0, NULL, 0);
        break;
    case 'V':
        error = ask(fixture, WIRE_WAIT, stream, event, 0, 0, NULL, 0);
        break;
    case 'S':
        error = ask(fixture, WIRE_SYNCHRONIZE, stream, WIRE_WAIT_STREAM, 0, 0, NULL, 0);
        break;
    case 'T':
        error = ask(fixture, WIRE_SYNCHRONIZE, 0, WIRE_WAIT_EVENT, event, 0, NULL, 0);
        break;
    case 'f':
    case 'D':
        error = ask(fixture, WIRE_SYNCHRONIZE, 0, WIRE_WAIT_ALL, 0, 0, NULL, 0);
        if (what == 'f')
            error = ask(fixture, WIRE_FREE, 0, buffer, 0, 0, NULL, 0);
        break;
    case 'X':
        error = ask(fixture, WIRE_STREAM_END, stream, 0, 0, 0, NULL, 0);
        break;
    case '<':
    case '>': /* the library looks whether it has a guard; the card says whether it ended */
        ask(fixture, WIRE_HOST_ACCESS, 0, fixture->guard, what == '>', 0, NULL, 0);
        break;
    default:
        fail_msg("no step: %c", what);
    }
    if (what == 'W' || what == 'R') {
        assert_int_equal(
            ask(fixture, WIRE_PINNED, stream, 0x10000 + 4096 * second, BYTES, what == 'R', NULL, 0),
            CARD_OK);
        fixture->guard = value;
    }
    assert_int_equal(error, CARD_OK);
    return at + strspn(at, " ");
}

/* The hazards that a program has: "stream-race", "host-race", both, or "". */
static void run(const char *program, char found[64]) {
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    open_card(fixture);
    for (const char *at = program; *at;)
        at = step(fixture, at);
    const struct engine_result *result = &fixture->card.result.found;
    found[0] = '\0';
    for (size_t i = 0; i < result->hazard_count; i++) {
        const char *name = hazard_infos[result->hazards[i].kind].name;
        if (!strstr(found, name))
            snprintf(found + strlen(found), 64 - strlen(found), "%s%s", *found ? " " : "", name);
    }
    card_clear(&fixture->card);
    free(fixture);
}

struct row {
    const char *program, *found;
};

static void check(const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char found[64];
        run(rows[i].program, found);
        if (strcmp(found, rows[i].found) != 0)
            fail_msg("\"%s\": found \"%s\", not \"%s\"", rows[i].program, found, rows[i].found);
    }
}

static void races_of_streams(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"ka01 kb01", "stream-race"},         /* both write */
        {"ka01 kb20", "stream-race"},         /* one writes what the other reads */
        {"kb20 ka01", "stream-race"},         /* ... and the other way round */
        {"ma0 kb10", "stream-race"},          /* a memset */
        {"md0 kn10", "stream-race"},          /* the default stream does not wait for these */
        {"kn01 kd20", "stream-race"},         /* ... nor they for it */
        {"wa0 kb10", "stream-race"},          /* a copy from the host */
        {"ka01 Ra1 Rb0", "stream-race"},      /* a copy to the host of what is being written */
        {"Ea0 ka01 Vb0 kb20", "stream-race"}, /* the event was recorded too early */
        {"ka01 Ea0 kb20 Vb0", "stream-race"}, /* ... waited for too late */
        {"Vb0 ka01 Ea0 kb20", "stream-race"}, /* ... waited for before it was recorded */
        {"ka01 Sb kb20", "stream-race"},      /* the host waits for the wrong stream */
        {"ka01 Ea0 mn2 T0 Vb1 mb2", "stream-race"},
        {"ca0 kb10", "stream-race"},      /* atomic addition, and a plain read */
        {"ea0 eb0", "stream-race"},       /* the same elements */
        {"Ra0 Rb1", "stream-race"},       /* both into the same memory of the host */
        {"ka01 Xa kn20", "stream-race"},  /* a destroyed stream's work goes on */
        {"ka01 mb2 kb20", "stream-race"}, /* work between them is no order */
    };
    check(rows, ARRAY_LENGTH(rows));
}

static void order_of_streams(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"ka01 ka20 ma0 ra0", ""},         /* one stream */
        {"ka01 kb21", ""},                 /* both read the same */
        {"ka01 kd20", ""},                 /* the default stream waits for blocking ones */
        {"kd01 kb20", ""},                 /* ... and they for it */
        {"ka01 md2 kb10", ""},             /* ... so that it orders them */
        {"ka01 Ea0 Vb0 kb20", ""},         /* an event */
        {"ka01 Ea0 Vb0 Eb1 Vn1 kn20", ""}, /* ... passed on */
        {"ka01 Ea0 ma2 Vb0 kb10", ""},     /* work after it does not matter */
        {"ka01 Sa kb20", ""},              /* the host waits */
        {"ka01 Ea0 T0 kn20", ""},          /* ... for an event */
        {"ka01 D kb20", ""},               /* ... for all */
        {"ka01 f2 kb10", ""},              /* ... in cudaFree() */
        {"ea0 ob0", ""},                   /* elements in turn */
        {"ca0 cb0", ""},                   /* atomic additions */
        {"Wa0 Wb1", ""},                   /* both from the same memory of the host */
        {"Ra0 Rb11", ""},                  /* into different ones */
        {"ka01 Xa kd20", ""},              /* the default stream waits for it all the same */
        {"kn01 En0 Vd0 kd20 kb20", ""},
        {"wd0 Sd kn10", ""}, /* cudaMemcpy() */
    };
    check(rows, ARRAY_LENGTH(rows));
}

static void races_of_the_host(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"ka01 Ra0 <", "host-race"},    /* read before it is there */
        {"ka01 Ra0 >", "host-race"},    /* overwritten by the copy */
        {"Wa0 >", "host-race"},         /* used again too early */
        {"Rd0 <", "host-race"},         /* the default stream, asynchronously */
        {"Ra0 Sb <", "host-race"},      /* waited for the wrong stream */
        {"Ea0 Ra0 T0 <", "host-race"},  /* ... for an event before it */
        {"Ra0 Ea0 Vb0 <", "host-race"}, /* another stream waits, not the host */
        {"Rn0 Sd <", "host-race"},      /* the default stream does not wait for that one */
        {"Ra0 T1 <", "host-race"},      /* the event was never recorded */
    };
    check(rows, ARRAY_LENGTH(rows));
}

static void order_of_the_host(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"ka01 Ra0 Sa <", ""},    {"Wa0 Sa >", ""},
        {"Ra0 Ea0 T0 <", ""},     {"Ra0 D <", ""},
        {"Ra0 f1 <", ""},         {"Ra0 Sd <", ""}, /* the default stream waits for it */
        {"Ra0 Ea0 Vb0 Sb <", ""}, {"Ra0 Ea0 Vn0 kn12 Sn <", ""},
        {"Ra0 Eb0 Sa T0 <", ""},
    };
    check(rows, ARRAY_LENGTH(rows));
}

/* ---- the timeline -----------------------------------------------------------------------------
 */

static void overlaps_what_may_overlap(void **state) {
    (void)state;
    struct order *order = order_create();
    uint64_t a, b;
    assert_true(order_add_stream(order, ORDER_BLOCKING, &a));
    assert_true(order_add_stream(order, ORDER_BLOCKING, &b));
    order_begin(order, a);
    assert_true(order_spend(order, a, WORK_TO_CARD, 100, 0) == 100);
    order_begin(order, b); /* one engine for each direction */
    assert_true(order_spend(order, b, WORK_TO_CARD, 100, 0) == 200);
    order_begin(order, a);
    assert_true(order_spend(order, a, WORK_KERNEL, 50, 1) == 150);
    order_begin(order, a);
    assert_true(order_spend(order, a, WORK_FROM_CARD, 100, 0) == 250);
    order_begin(order, b);
    assert_true(order_spend(order, b, WORK_KERNEL, 50, 0.5) == 250);
    assert_true(order->sum_ns == 400 && order->end_ns == 250);
    order_begin(order, a); /* half of the card each */
    assert_true(order_spend(order, a, WORK_KERNEL, 100, 0.5) == 350);
    order_begin(order, b);
    assert_true(order_spend(order, b, WORK_KERNEL, 100, 0.5) == 350);
    order_begin(order, b);
    assert_true(order_spend(order, b, WORK_KERNEL, 10, 1) == 360);
    order_begin(order, 0);
    assert_true(order_spend(order, 0, WORK_KERNEL, 10, 0.1) == 370);
    order_host_waits_for_all(order);
    order_begin(order, a);
    assert_true(order_spend(order, a, WORK_TO_CARD, 10, 0) == 380);
    order_free(order);
}

static void refuses_numbers_that_are_none(void **state) {
    (void)state;
    struct fixture *fixture = mem_zalloc(sizeof *fixture);
    open_card(fixture);
    static const enum wire_call calls[] = {WIRE_EVENT_END, WIRE_RECORD, WIRE_WAIT};
    for (size_t i = 0; i < ARRAY_LENGTH(calls); i++) {
        assert_int_equal(ask(fixture, calls[i], 0, 99, 0, 0, NULL, 0), CARD_INVALID_HANDLE);
        assert_int_equal(ask(fixture, calls[i], 0, UINT64_MAX, 0, 0, NULL, 0), CARD_INVALID_HANDLE);
    }
    assert_int_equal(ask(fixture, WIRE_RECORD, 99, fixture->events[0], 0, 0, NULL, 0),
                     CARD_INVALID_HANDLE);
    assert_int_equal(ask(fixture, WIRE_STREAM_END, 0, 0, 0, 0, NULL, 0), CARD_INVALID_HANDLE);
    assert_int_equal(ask(fixture, WIRE_STREAM_END, UINT64_MAX, 0, 0, 0, NULL, 0),
                     CARD_INVALID_HANDLE);
    assert_int_equal(ask(fixture, WIRE_FILL, 77, fixture->buffers[0], 0, 1, NULL, 0),
                     CARD_INVALID_HANDLE);
    assert_int_equal(ask(fixture, WIRE_SYNCHRONIZE, 0, 3, 0, 0, NULL, 0), CARD_INVALID_HANDLE);
    assert_int_equal(ask(fixture, WIRE_SYNCHRONIZE, 99, WIRE_WAIT_STREAM, 0, 0, NULL, 0),
                     CARD_INVALID_HANDLE);
    assert_int_equal(ask(fixture, WIRE_PINNED, 0, UINT64_MAX, 2, 0, NULL, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_HOST_ACCESS, 0, 0, 0, 0, NULL, 0), CARD_INVALID_VALUE);
    assert_int_equal(ask(fixture, WIRE_HOST_ACCESS, 0, 5, 0, 0, NULL, 0), CARD_INVALID_VALUE);
    for (int i = 0; i < 1000; i++) { /* more than there are slots */
        uint64_t stream = make(fixture, WIRE_STREAM, 1);
        assert_int_equal(ask(fixture, WIRE_FILL, stream, fixture->buffers[0], 0, 1, NULL, 0),
                         CARD_OK);
        if (i % 2)
            assert_int_equal(ask(fixture, WIRE_STREAM_END, stream, 0, 0, 0, NULL, 0), CARD_OK);
    }
    card_clear(&fixture->card);
    free(fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races_of_streams),
        cmocka_unit_test(order_of_streams),
        cmocka_unit_test(races_of_the_host),
        cmocka_unit_test(order_of_the_host),
        cmocka_unit_test(overlaps_what_may_overlap),
        cmocka_unit_test(refuses_numbers_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
