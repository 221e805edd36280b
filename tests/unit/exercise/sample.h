/* A small exercise in a folder of its own, which every key stands in that a test changes. */
#ifndef WARPGRADE_TESTS_UNIT_EXERCISE_SAMPLE_H
#define WARPGRADE_TESTS_UNIT_EXERCISE_SAMPLE_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char good[] =
    "id: sample\n"
    "title: {en: A sample}\n"
    "topics: [tests]\n"
    "kernel: scale\n"
    "params:\n"
    "  - {name: y, type: f32, role: out, shape: [n, 2], tolerance: {dot: {length: n}}}\n"
    "  - {name: x, type: f32, role: in, shape: [\"n * 2\"]}\n"
    "  - {name: k, type: i32, role: in, shape: [n], fill: {integers: [0, 9]}}\n"
    "  - {name: s, type: f32, role: scalar, fill: {constant: 2.5}}\n"
    "  - {name: n, type: i32, role: size}\n"
    "constants:\n"
    "  - {name: BLOCK, min: 32, max: 1024, default: 256, power_of_two: true}\n"
    "launch: {grid: [\"ceil_div(n, BLOCK)\"], block: [BLOCK], shared: BLOCK * 4}\n"
    "reference: {launch: {grid: [1], block: [1]}}\n"
    "cases:\n"
    "  correctness:\n"
    "    - {name: small, sizes: {n: 256}}\n"
    "    - {name: ints, sizes: {n: 512}, fill: {x: {integers: [-3, 3]}, s: {constant: 1}}}\n"
    "  boundary:\n"
    "    - {name: one, sizes: {n: 1}, essential: true}\n"
    "  generated: {count: 3, sizes: {n: [1, 99]}}\n"
    "checks: {misaligned: warning}\n"
    "speed:\n"
    "  sizes: {n: 4096}\n"
    "  device: t4\n"
    "  thresholds:\n"
    "    - {metric: ratio_to_tuned, name: {en: Time}, tiers: [{at_most: 4, points: 3}, {at_most: "
    "1.5, points: 6}]}\n"
    "    - {metric: dram_bytes, at_most: 1.2 * ideal_bytes + n, points: 4, engine: sim}\n"
    "    - {metric: warp_efficiency, at_least: 0.9, hint: {en: Look}}\n"
    "scoring:\n"
    "  groups: {correctness: 40, boundary: 30, generated: 20, speed: 10}\n"
    "  gates: [{unless: correctness, cap: 50}, {when: hazard, cap: 60}]\n"
    "skeleton: {verdict: too-slow}\n"
    "mutants:\n"
    "  - {file: mutants/bad.cu, description: It is bad, verdict: hazard, hazard: out-of-bounds}\n"
    "hints:\n"
    "  - {verdict: wrong-answer, text: {en: Look again, zh: "
    "\xe5\x86\x8d\xe7\x9c\x8b\xe7\x9c\x8b}}\n"
    "limits: {time: 2.5, memory_mb: 512, budget: 1_000_000}\n";

static char root[] = "/tmp/warpgrade-exercise-XXXXXX";

static inline void put(const char *name, const char *text) {
    cleanup_free char *path = file_join(root, name);
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

static inline int set_up(void **state) {
    (void)state;
    if (!mkdtemp(root))
        return -1;
    static const char *const folders[] = {"exercises/sample/mutants", "reference/sample"};
    for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
        cleanup_free char *path = file_join(root, folders[i]);
        if (file_make_directories(path, NULL) != STATUS_OK)
            return -1;
    }
    put("exercises/sample/statement.md", "# A sample\n");
    put("exercises/sample/skeleton.cu", "// warpgrade: sample\n");
    put("exercises/sample/mutants/bad.cu", "//\n");
    put("reference/sample/reference.cu", "//\n");
    put("reference/sample/tuned.cu", "//\n");
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    cleanup_free char *command = mem_printf("rm -r %s", root);
    return system(command);
}

static inline enum status load(const char *yaml, struct exercise **exercise, struct error *error) {
    put("exercises/sample/exercise.yaml", yaml);
    cleanup_free char *directory = file_join(root, "exercises/sample");
    cleanup_free char *reference = file_join(root, "reference/sample");
    *exercise = NULL;
    return exercise_load(directory, reference, exercise, error);
}

/* The good file with another text for its first `old`. */
static inline char *with_piece(const char *old, const char *piece) {
    const char *at = strstr(good, old);
    assert_non_null(at);
    return mem_printf("%.*s%s%s", (int)(at - good), good, piece, at + strlen(old));
}

static inline struct exercise *load_well(const char *yaml) {
    struct exercise *exercise;
    struct error error = {0};
    if (load(yaml, &exercise, &error) != STATUS_OK)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return exercise;
}

#endif
