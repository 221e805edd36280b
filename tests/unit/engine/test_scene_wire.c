/* Scenes of hazards and examples of accesses on the wire: what is sent arrives, and what a worker
 * may not say is refused. */
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"
#include "sandbox/engine/scene_wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct hazard_scene scene = {.access = SCENE_ATOMIC,
                                          .other_access = SCENE_WRITE,
                                          .block_threads = 64,
                                          .waiting = {UINT32_MAX, 1},
                                          .elsewhere = {0, 2},
                                          .element = -3,
                                          .elements = UINT64_MAX};

static json_t *encode(void) {
    static struct hazard hazards[1] = {{.kind = HAZARD_OUT_OF_BOUNDS, .count = 1}};
    hazards[0].scene = scene;
    const struct engine_result result = {.end = ENGINE_COMPLETED,
                                         .hazards = hazards,
                                         .hazard_count = 1,
                                         .accesses = {{.file = "dot.cu",
                                                       .line = 7,
                                                       .is_shared = true,
                                                       .bytes = 16,
                                                       .lanes = 3,
                                                       .offsets = {4, UINT32_MAX}}},
                                         .access_count = 1};
    return engine_wire_encode_result(&result);
}

static void what_is_sent_arrives(void **state) {
    (void)state;
    json_t *control = encode();
    struct engine_result result;
    const char *culprit;
    assert_true(engine_wire_decode_result(control, &result, &culprit));
    const struct hazard_scene *found = &result.hazards[0].scene;
    assert_true(found->access == SCENE_ATOMIC && found->other_access == SCENE_WRITE &&
                found->block_threads == 64 && found->element == -3 &&
                found->elements == UINT64_MAX);
    assert_memory_equal(found->waiting, scene.waiting, sizeof scene.waiting);
    assert_memory_equal(found->elsewhere, scene.elsewhere, sizeof scene.elsewhere);
    const struct warp_access *access = &result.accesses[0];
    assert_int_equal(result.access_count, 1);
    assert_string_equal(access->file, "dot.cu");
    assert_true(access->line == 7 && access->is_shared && !access->is_store &&
                access->bytes == 16 && access->lanes == 3 && access->offsets[0] == 4 &&
                access->offsets[1] == UINT32_MAX);
    engine_result_free(&result);
    json_decref(control);
}

static void what_may_not_be_said_is_refused(void **state) {
    (void)state;
    static const struct {
        bool is_scene; /* else of the access */
        const char *member, *value;
    } rows[] = {
        {true, "access", "4"},
        {true, "other_access", "-1"},
        {true, "block_threads", "1025"},
        {true, "waiting", "[4294967296]"},
        {true, "waiting", "[true]"},
        {true, "elsewhere", "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]"},
        {true, "element", "5"},
        {true, "extra", "1"},
        {false, "line", "-1"},
        {false, "bytes", "17"},
        {false, "bytes", "0"},
        {false, "lanes", "0"},
        {false, "offsets", "[-1]"},
        {false, "extra", "1"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        json_t *control = encode();
        json_t *hazard = json_array_get(json_object_get(control, "hazards"), 0);
        json_t *object = rows[i].is_scene ? json_object_get(hazard, "scene")
                                          : json_array_get(json_object_get(control, "accesses"), 0);
        json_object_set_new(object, rows[i].member,
                            json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
        struct engine_result result;
        const char *culprit = NULL;
        if (engine_wire_decode_result(control, &result, &culprit))
            fail_msg("%s = %s was accepted", rows[i].member, rows[i].value);
        json_decref(control);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_arrives),
        cmocka_unit_test(what_may_not_be_said_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
