/* Frames, the strict reader, and both directions of the sim role's messages. What a worker sends is
 * hostile: each mutation of a valid message must be refused, and nothing may be read past its end.
 */
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/engine/probe_wire.h"
#include "sandbox/worker/protocol.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool parses(const void *data, size_t length) {
    /* An allocation of exactly the length lets ASan see every step beyond it. */
    cleanup_free char *copy = mem_dup(data, length);
    struct protocol_message message;
    bool parsed = protocol_parse(copy, length, &message);
    protocol_message_free(&message);
    return parsed;
}

static void test_frame(void **state) {
    (void)state;
    cleanup_text struct text frame = {0};
    protocol_frame(&frame, json_pack("{s:i}", "a", 1), "bulk\0x", 6);
    struct protocol_message message;
    assert_true(protocol_parse(frame.data, frame.length, &message));
    assert_int_equal(message.bulk_length, 6);
    assert_memory_equal(message.bulk, "bulk\0x", 6);
    assert_int_equal(json_integer_value(json_object_get(message.control, "a")), 1);
    protocol_message_free(&message);
    for (size_t length = 0; length < frame.length; length++)
        assert_false(parses(frame.data, length));
    text_append_char(&frame, 'x');
    assert_false(parses(frame.data, frame.length));
}

static void set_frame(struct text *frame, const char *json) {
    text_clear(frame);
    size_t length = strlen(json);
    char header[16] = "WGF1";
    memcpy(header + 4, &length, 4);
    text_append_bytes(frame, header, sizeof header);
    text_append(frame, json);
}

static void test_hostile_frames(void **state) {
    (void)state;
    static const char *const bad[] = {
        "", "[]", "1", "{", "{\"a\":1,\"a\":2}", "{\"a\":\"\xff\"}", "{} {}"};
    cleanup_text struct text frame = {0};
    set_frame(&frame, "{}");
    assert_true(parses(frame.data, frame.length));
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        set_frame(&frame, bad[i]);
        assert_false(parses(frame.data, frame.length));
    }
    set_frame(&frame, "{}");
    memset(frame.data + 4, 0xff, 4); /* control part of 4 GiB */
    assert_false(parses(frame.data, frame.length));
    set_frame(&frame, "{}");
    memset(frame.data + 8, 0xff, 8); /* bulk part that wraps around */
    assert_false(parses(frame.data, frame.length));
    set_frame(&frame, "{}");
    frame.data[0] = 'X';
    assert_false(parses(frame.data, frame.length));
    cleanup_free char *deep = mem_alloc(200001);
    memset(deep, '[', 200000);
    deep[200000] = '\0';
    set_frame(&frame, deep);
    assert_false(parses(frame.data, frame.length));
}

static void test_strings_become_utf8(void **state) {
    (void)state;
    static const struct {
        const char *raw, *encoded;
    } cases[] = {
        {"plain", "plain"},
        {"\xe7\x9f\xa9\xe9\x98\xb5.cu", "\xe7\x9f\xa9\xe9\x98\xb5.cu"},
        {"a\xff"
         "b\xe7\x9f",
         "a?b??"},
        {"\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80", "?????????"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        json_t *string = protocol_string(cases[i].raw);
        assert_string_equal(json_string_value(string), cases[i].encoded);
        json_decref(string);
    }
}

static void test_reader(void **state) {
    (void)state;
    json_t *object = json_loads("{\"n\":5,\"s\":\"abc\",\"h\":\"ffffffffffffffff\",\"b\":true,"
                                "\"a\":[1,2],\"x\":1}",
                                0, NULL);
    struct protocol_reader reader = protocol_read(object);
    char text[4];
    assert_int_equal(protocol_unsigned(&reader, "n", 5), 5);
    protocol_text(&reader, "s", text, sizeof text);
    assert_string_equal(text, "abc");
    assert_true(protocol_hex(&reader, "h") == UINT64_MAX);
    assert_true(protocol_bool(&reader, "b"));
    assert_non_null(protocol_array(&reader, "a", 2));
    assert_false(protocol_end(&reader)); /* "x" was not asked for */
    struct {
        const char *member;
        int kind;
    } wrong[] = {{"n", 0}, {"s", 1}, {"a", 2}, {"s", 3}, {"missing", 1}, {"n", 4}, {"b", 5}};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        reader = protocol_read(object);
        char small[3];
        switch (wrong[i].kind) {
        case 0:
            protocol_unsigned(&reader, wrong[i].member, 4);
            break;
        case 1:
            protocol_text(&reader, wrong[i].member, small, sizeof small);
            break;
        case 2:
            protocol_array(&reader, wrong[i].member, 1);
            break;
        case 3:
            protocol_hex(&reader, wrong[i].member); /* "abc" is hexadecimal ... */
            protocol_unsigned(&reader, wrong[i].member, 9);
            break;
        case 4:
            protocol_bool(&reader, wrong[i].member);
            break;
        default:
            protocol_unsigned(&reader, wrong[i].member, 9);
        }
        assert_true(reader.failed);
        assert_string_equal(reader.culprit, wrong[i].member);
    }
    json_decref(object);
}

static void test_launch_round_trip(void **state) {
    (void)state;
    struct engine_argument arguments[2] = {
        {.is_buffer = true,
         .type = ELEMENT_f32,
         .name = "P",
         .count = 85,
         .shape = {17, 5},
         .rank = 2,
         .read_only = true,
         .data_offset = 256},
        {.type = ELEMENT_u64, .name = "n", .scalar = UINT64_MAX, .uninitialized = true},
    };
    struct engine_launch launch = {
        .kernel = "dot",
        .file_name = "dot.cu",
        .grid = {UINT32_MAX, 2, 3},
        .block = {4, 5, 6},
        .shared_bytes = 1ULL << 40,
        .arguments = arguments,
        .argument_count = 2,
        .seed = UINT64_MAX - 1,
        .budget = 7,
        .threads = 8,
        .no_checks = true,
        .is_second = true,
        .is_plain = true,
        .cluster = {2, 4, 1},
    };
    json_t *control = engine_wire_encode_launch(&launch);
    struct engine_argument decoded_arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch decoded;
    assert_true(
        engine_wire_decode_launch(control, 256 + 85 * 4, decoded_arguments, &device, &decoded));
    assert_string_equal(decoded.kernel, "dot");
    assert_string_equal(decoded.file_name, "dot.cu");
    assert_memory_equal(&decoded.grid, &launch.grid, sizeof launch.grid);
    assert_memory_equal(&decoded.block, &launch.block, sizeof launch.block);
    assert_true(decoded.shared_bytes == launch.shared_bytes && decoded.seed == launch.seed &&
                decoded.budget == 7 && decoded.threads == 8 && decoded.no_checks &&
                decoded.is_second && decoded.is_plain);
    assert_memory_equal(&decoded.cluster, &launch.cluster, sizeof decoded.cluster);
    assert_null(decoded.device);
    assert_int_equal(decoded.argument_count, 2);
    assert_memory_equal(decoded_arguments, arguments, sizeof arguments);
    /* One byte too few for the buffer. */
    assert_false(
        engine_wire_decode_launch(control, 256 + 85 * 4 - 1, decoded_arguments, &device, &decoded));
    json_decref(control);
    arguments[0].count = 1ULL << 62; /* times 4 wraps to 0 */
    control = engine_wire_encode_launch(&launch);
    assert_false(engine_wire_decode_launch(control, 4096, decoded_arguments, &device, &decoded));
    json_decref(control);
}

/* A buffer that a rule fills has no bytes in the data, and is not boundless for that. */
static void test_filled_buffer_round_trip(void **state) {
    (void)state;
    struct engine_argument argument = {.is_buffer = true,
                                       .type = ELEMENT_f32,
                                       .name = "a",
                                       .count = 1 << 28,
                                       .fill = {ENGINE_FILL_UNIFORM, UINT64_MAX - 5, -1.5, 0.1}};
    struct engine_argument decoded_arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    struct engine_launch decoded,
        launch = {
            .kernel = "gemv", .file_name = "gemv.cu", .arguments = &argument, .argument_count = 1};
    json_t *control = engine_wire_encode_launch(&launch);
    assert_true(engine_wire_decode_launch(control, 0, decoded_arguments, &device, &decoded));
    assert_memory_equal(decoded_arguments, &argument, sizeof argument);
    json_decref(control);
    const struct engine_fill wrong[] = {{ENGINE_FILL_COUNT, 0, 0, 0},
                                        {ENGINE_FILL_UNIFORM, 0, -INFINITY, 1},
                                        {ENGINE_FILL_DATA, 0, 0, 0}};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        argument.fill = wrong[i];
        control = engine_wire_encode_launch(&launch);
        assert_false(engine_wire_decode_launch(control, 0, decoded_arguments, &device, &decoded));
        json_decref(control);
    }
    argument = (struct engine_argument){.is_buffer = true,
                                        .type = ELEMENT_f32,
                                        .count = (uint64_t)1 << 34,
                                        .fill = {.kind = ENGINE_FILL_ZERO}};
    control = engine_wire_encode_launch(&launch);
    assert_false(engine_wire_decode_launch(control, 0, decoded_arguments, &device, &decoded));
    json_decref(control);
}

static void test_probes_round_trip(void **state) {
    (void)state;
    const struct engine_probe probes[] = {{3, INT64_MAX, 4, {1, 2, 3, INT64_MAX}}, {63, 0, 0, {0}}};
    struct engine_launch decoded, launch = {.kernel = "k",
                                            .file_name = "k.cu",
                                            .wanted_elements = ENGINE_MAX_ELEMENTS,
                                            .probes = probes,
                                            .probe_count = ARRAY_LENGTH(probes),
                                            .probe_budget = UINT64_MAX};
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct device_profile device;
    cleanup_free struct engine_probe *read = mem_calloc(ENGINE_MAX_ELEMENTS, sizeof *read);
    json_t *control = engine_wire_encode_launch(&launch);
    assert_true(engine_wire_decode_launch(control, 0, arguments, &device, &decoded));
    assert_true(probe_wire_decode_probes(control, read));
    assert_true(decoded.wanted_elements == ENGINE_MAX_ELEMENTS && decoded.probe_count == 2 &&
                decoded.probe_budget == UINT64_MAX);
    assert_memory_equal(read, probes, sizeof probes);
    static const char *const wrong[] = {
        "5",         "[]",       "[1]",           "[1, -1]",
        "[64, 1]",   "[1, 2.0]", "[1, 2, \"3\"]", "[1, 2, 3, 4, 5, 6, 7]",
        "[1, 2, -1]"};
    for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
        json_array_set_new(json_object_get(control, "probes"), 1,
                           json_loads(wrong[i], JSON_DECODE_ANY, NULL));
        if (probe_wire_decode_probes(control, read))
            fail_msg("accepted the probe %s", wrong[i]);
    }
    while (json_array_size(json_object_get(control, "probes")) <= ENGINE_MAX_ELEMENTS)
        json_array_append_new(json_object_get(control, "probes"), json_pack("[i, i]", 1, 2));
    assert_false(engine_wire_decode_launch(control, 0, arguments, &device, &decoded));
    assert_false(probe_wire_decode_probes(control, read));
    json_decref(control);
}

/* A worker may answer only with elements that it was asked for. */
static void test_elements_are_wanted(void **state) {
    (void)state;
    const struct engine_argument arguments[] = {
        {.is_buffer = true, .count = 8, .fill = {.kind = ENGINE_FILL_ZERO}},
        {.is_buffer = true, .count = 8, .fill = {.kind = ENGINE_FILL_ZERO}, .read_only = true},
        {.is_buffer = true, .count = 8},
        {.count = 8}};
    const struct engine_probe probe = {0, 7, 0, {0}};
    struct engine_launch launch = {.arguments = arguments, .argument_count = 4};
    struct engine_element elements[2] = {{.argument = 0, .index = 7}, {.argument = 0, .index = 0}};
    struct engine_result result = {.elements = elements};
    assert_true(probe_wire_are_wanted(&launch, &result));
    result.element_count = 2;
    assert_false(probe_wire_are_wanted(&launch, &result)); /* nothing was asked for */
    launch.wanted_elements = 2;
    assert_true(probe_wire_are_wanted(&launch, &result));
    elements[1].index = 8;
    assert_false(probe_wire_are_wanted(&launch, &result));
    for (unsigned argument = 1; argument <= 4; argument++) {
        elements[1] = (struct engine_element){.argument = argument};
        assert_false(probe_wire_are_wanted(&launch, &result));
    }
    launch.probes = &probe;
    launch.probe_count = 1;
    assert_false(probe_wire_are_wanted(&launch, &result)); /* one too many */
    result.element_count = 1;
    assert_true(probe_wire_are_wanted(&launch, &result));
    elements[0].index = 6;
    assert_false(probe_wire_are_wanted(&launch, &result));
}

/* Every field gets a number of its own inside its range. */
static struct device_profile sample_device(void) {
    struct device_profile device = {.id = "h200", .name = "NVIDIA H200"};
    double share = 0;
#define DEVICE_FIELD(name, role, unit, low, high, summary)                                         \
    share += 1 / 256.0;                                                                            \
    device.name = low + share * ((high) - (low));
#include "sandbox/base/device.def"
#undef DEVICE_FIELD
    return device;
}

static void test_device_round_trip(void **state) {
    (void)state;
    struct device_profile device = sample_device(), decoded_device;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct engine_launch decoded, launch = {.kernel = "dot",
                                            .file_name = "dot.cu",
                                            .device = &device,
                                            .registers = 255,
                                            .arrays_in_registers = true,
                                            .sample_budget = UINT64_MAX,
                                            .wall_seconds = 2.5,
                                            .most_seconds = 7.25};
    json_t *control = engine_wire_encode_launch(&launch);
    assert_true(engine_wire_decode_launch(control, 0, arguments, &decoded_device, &decoded));
    assert_ptr_equal(decoded.device, &decoded_device);
    assert_memory_equal(&decoded_device, &device, sizeof device);
    assert_true(decoded.registers == 255 && decoded.arrays_in_registers &&
                decoded.sample_budget == UINT64_MAX && decoded.wall_seconds == 2.5 &&
                decoded.most_seconds == 7.25);
    json_t *numbers =
        json_object_get(json_array_get(json_object_get(control, "device"), 0), "numbers");
    json_array_set_new(numbers, 1, json_real(0));
    assert_false(engine_wire_decode_launch(control, 0, arguments, &decoded_device, &decoded));
    json_array_remove(numbers, 1);
    assert_false(engine_wire_decode_launch(control, 0, arguments, &decoded_device, &decoded));
    json_decref(control);
}

static json_t *sample_result(void) {
    static struct hazard hazards[1] = {{
        .kind = HAZARD_OUT_OF_BOUNDS,
        .severity = SEVERITY_WARNING,
        .file = "dot.cu",
        .line = 7,
        .column = 3,
        .count = UINT64_MAX,
        .message = "thread 3 reads P[17, 3]",
        .threads = {{{1, 2, 3}, {4, 5, 6}}},
        .thread_count = 1,
        .other_file = "b.cu",
        .other_line = 9,
        .variable = "P[17, 3]",
        .fix = FIX_NULL_POINTER,
    }};
    static struct line_counters lines[1] = {{.file = "dot.cu", .line = 7}};
    lines[0].counters.flops = 12;
    lines[0].modelled_ms = 0.25;
    static struct engine_element elements[2] = {{1, INT64_MAX, UINT64_MAX, true}, {2, 0, 0, false}};
    struct engine_result result = {
        .end = ENGINE_COMPLETED,
        .elements = elements,
        .element_count = 2,
        .message = "",
        .hazards = hazards,
        .hazard_count = 1,
        .lines = lines,
        .line_count = 1,
        .printed_cut = true,
        .elapsed_ms = 1.5,
        .static_shared_bytes = 64,
        .host_threads = 2,
        .order_sensitive = true,
        .profile = {.present = true,
                    .blocks = 1ULL << 40,
                    .blocks_simulated = 12,
                    .sampling = SAMPLING_sampled,
                    .errors = {[SAMPLED_dram_bytes] = 0.125, [SAMPLED_l2_sectors] = 0.0625},
                    .occupancy = {3, 24, 0.375, LIMIT_SHARED, {8, 32, 5, 3}},
                    .estimate = {.ms = 1.75, .limiter = PART_dram}},
    };
    result.profile.estimate.part_ms[PART_launch] = 0.5;
    result.counters.barriers = 5;
    return engine_wire_encode_result(&result);
}

static void test_result_round_trip(void **state) {
    (void)state;
    json_t *control = sample_result();
    struct engine_result result;
    const char *culprit;
    assert_true(engine_wire_decode_result(control, &result, &culprit));
    assert_int_equal(result.end, ENGINE_COMPLETED);
    assert_int_equal(result.hazard_count, 1);
    const struct hazard *hazard = &result.hazards[0];
    assert_int_equal(hazard->kind, HAZARD_OUT_OF_BOUNDS);
    assert_int_equal(hazard->severity, SEVERITY_WARNING);
    assert_true(hazard->count == UINT64_MAX && hazard->line == 7 && hazard->column == 3 &&
                hazard->other_line == 9 && hazard->thread_count == 1);
    assert_int_equal(hazard->threads[0].thread.z, 6);
    assert_string_equal(hazard->variable, "P[17, 3]");
    assert_int_equal(hazard->fix, FIX_NULL_POINTER);
    assert_string_equal(hazard->other_file, "b.cu");
    assert_true(result.counters.barriers == 5 && result.lines[0].counters.flops == 12);
    assert_true(result.printed_cut && result.elapsed_ms > 1.4 && result.host_threads == 2 &&
                result.order_sensitive);
    const struct launch_profile *profile = &result.profile;
    assert_true(profile->present && profile->blocks == 1ULL << 40 &&
                profile->blocks_simulated == 12 && profile->sampling == SAMPLING_sampled &&
                profile_largest_error(profile->errors) == 0.125 &&
                profile_least_certain(profile->errors) == SAMPLED_dram_bytes &&
                profile->errors[SAMPLED_l2_sectors] == 0.0625);
    assert_true(profile->occupancy.blocks_per_sm == 3 && profile->occupancy.warps_per_sm == 24 &&
                profile->occupancy.theoretical == 0.375 &&
                profile->occupancy.limit == LIMIT_SHARED && profile->occupancy.limits[1] == 32);
    assert_true(profile->estimate.ms == 1.75 && profile->estimate.limiter == PART_dram &&
                profile->estimate.part_ms[PART_launch] == 0.5);
    assert_true(result.lines[0].modelled_ms == 0.25);
    assert_int_equal(result.element_count, 2);
    assert_true(result.elements[0].argument == 1 && result.elements[0].index == INT64_MAX &&
                result.elements[0].bits == UINT64_MAX && result.elements[0].written &&
                result.elements[1].argument == 2 && !result.elements[1].written);
    engine_result_free(&result);
    json_decref(control);
}

/* Replaces, drops or adds one member at a path of a valid message. */
struct mutation {
    const char *path;  /* "hazards.0.kind"; a member of an object at the end */
    const char *value; /* JSON; NULL drops the member */
};

static void mutate(json_t *root, const struct mutation *mutation) {
    cleanup_free char *path = mem_strdup(mutation->path);
    char *rest = NULL, *name = strtok_r(path, ".", &rest);
    json_t *at = root;
    for (char *next; (next = strtok_r(NULL, ".", &rest)); name = next)
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(name)) : json_object_get(at, name);
    json_t *value = mutation->value
                        ? json_loads(mutation->value, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL)
                        : NULL;
    assert_true(!mutation->value || value);
    if (!value)
        assert_int_equal(json_object_del(at, name), 0);
    else if (json_is_array(at))
        json_array_set_new(at, (size_t)atoi(name), value);
    else
        json_object_set_new(at, name, value);
}

static void test_hostile_results(void **state) {
    (void)state;
    static const struct mutation mutations[] = {
        {"completed", "1"},
        {"completed", NULL},
        {"time_over", "1"},
        {"time_over", NULL},
        {"extra", "1"},
        {"message", "5"},
        {"message", "\"a\\u0000b\""},
        {"line", "-1"},
        {"line", "4294967296"},
        {"line", "1.0"},
        {"hazards", "{}"},
        {"hazards.0", "7"},
        {"hazards.0.kind", "99"},
        {"hazards.0.kind", "-1"},
        {"hazards.0.severity", "2"},
        {"hazards.0.count", "\"xyz\""},
        {"hazards.0.count", "\"\""},
        {"hazards.0.count", "\"11112222333344445\""},
        {"hazards.0.count", "5"},
        {"hazards.0.threads", "[{},{},{},{},{}]"},
        {"hazards.0.threads.0", "{}"},
        {"hazards.0.threads.0.block", "[1,2]"},
        {"hazards.0.threads.0.block", "[1,2,-3]"},
        {"hazards.0.threads.0.block", "[1,2,3,4]"},
        {"hazards.0.threads.0.thread", "[1,2,\"3\"]"},
        {"hazards.0.threads.0.more", "1"},
        {"hazards.0.variable", NULL},
        {"counters", "0"},
        {"counters", "[1]"},
        {"counters", "[1,0]"},
        {"counters", "[2,7,1,7]"},
        {"counters", "[1,7,1,7]"},
        {"counters", "[-1,7]"},
        {"counters", "[4096,7]"},
        {"counters.0", "\"1\""},
        {"counters.1", "-5"},
        {"counters.1", "\"5\""},
        {"counters.1", "18446744073709551616.0"},
        {"lines.0.line", "\"7\""},
        {"lines.0.counters", "[1]"},
        {"elapsed_ms", "-1.0"},
        {"elapsed_ms", "1e300"},
        {"host_threads", "65537"},
        {"static_shared_bytes", "null"},
        {"lines.0.modelled_ms", "-1.0"},
        {"profile", "null"},
        {"profile", "[1]"},
        {"profile.0.ms", "-0.5"},
        {"profile.0.ms", "1e10"},
        {"profile.0.ms", "\"1\""},
        {"profile.0.limiter", "13"},
        {"profile.0.parts", "[1.0]"},
        {"profile.0.parts.3", "-1.0"},
        {"profile.0.parts.3", "1e300"},
        {"profile.0.blocks_simulated", "\"ffffffffffffffff\""},
        {"profile.0.sampling", "99"},
        {"profile.0.sampling", "-1"},
        {"profile.0.sampling", "3"}, /* no sample, but fewer blocks than there are */
        {"profile.0.errors", "[0.5]"},
        {"profile.0.errors.7", "-1"},
        {"profile.0.errors.7", "1e7"},
        {"profile.0.errors.7", "\"1\""},
        {"profile.0.occupancy.theoretical", "1.5"},
        {"profile.0.occupancy.limit", "4"},
        {"profile.0.occupancy.limits", "[]"},
        {"profile.0.occupancy.limits.2", "-1"},
        {"profile.0.occupancy.more", "1"},
        {"written_elements", NULL},
        {"written_elements", "-1.0"},
        {"written_elements", "1e300"},
        {"elements", NULL},
        {"elements", "{}"},
        {"elements.0", "7"},
        {"elements.0", "[1, 2, \"3\"]"},
        {"elements.0", "[1, 2, \"3\", true, 5]"},
        {"elements.0", "[64, 2, \"3\", true]"},
        {"elements.0", "[-1, 2, \"3\", true]"},
        {"elements.1", "[1, -2, \"3\", true]"},
        {"elements.1", "[1, 2.0, \"3\", true]"},
        {"elements.1", "[1, 2, 3, true]"},
        {"elements.1", "[1, 2, \"\", true]"},
        {"elements.1", "[1, 2, \"-3\", true]"},
        {"elements.1", "[1, 2, \"11112222333344445\", true]"},
        {"elements.1", "[1, 2, \"3\", 1]"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(mutations); i++) {
        json_t *control = sample_result();
        mutate(control, &mutations[i]);
        struct engine_result result;
        const char *culprit = NULL;
        if (engine_wire_decode_result(control, &result, &culprit))
            fail_msg("accepted %s = %s", mutations[i].path,
                     mutations[i].value ? mutations[i].value : "(dropped)");
        assert_non_null(culprit);
        json_decref(control);
    }
}

static void test_counts_are_capped(void **state) {
    (void)state;
    json_t *control = sample_result();
    json_t *hazards = json_object_get(control, "hazards");
    json_t *first = json_array_get(hazards, 0);
    while (json_array_size(hazards) < ENGINE_MAX_HAZARDS)
        json_array_append(hazards, first);
    struct engine_result result;
    const char *culprit;
    assert_true(engine_wire_decode_result(control, &result, &culprit));
    engine_result_free(&result);
    json_array_append(hazards, first);
    assert_false(engine_wire_decode_result(control, &result, &culprit));
    assert_string_equal(culprit, "hazards");
    json_decref(control);
    control = sample_result();
    cleanup_free char *long_name = mem_alloc(300);
    memset(long_name, 'a', 299);
    long_name[299] = '\0';
    json_object_set_new(json_array_get(json_object_get(control, "hazards"), 0), "file",
                        json_string(long_name));
    assert_false(engine_wire_decode_result(control, &result, &culprit));
    json_decref(control);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_hostile_frames),
        cmocka_unit_test(test_strings_become_utf8),
        cmocka_unit_test(test_reader),
        cmocka_unit_test(test_launch_round_trip),
        cmocka_unit_test(test_filled_buffer_round_trip),
        cmocka_unit_test(test_probes_round_trip),
        cmocka_unit_test(test_elements_are_wanted),
        cmocka_unit_test(test_device_round_trip),
        cmocka_unit_test(test_result_round_trip),
        cmocka_unit_test(test_hostile_results),
        cmocka_unit_test(test_counts_are_capped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
