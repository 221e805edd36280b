/* A launch of one of fake_card.c's kernels, for the tests of this folder. */
#ifndef WARPGRADE_TESTS_UNIT_CUDA_CARD_H
#define WARPGRADE_TESTS_UNIT_CUDA_CARD_H

#include "sandbox/base/memory.h"
#include "sandbox/cuda/session_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ELEMENTS = 100, OUT_OFFSET = 512, DATA_BYTES = 1024 };

static struct error error;

struct try_launch {
    struct engine_argument arguments[3];
    float data[DATA_BYTES / sizeof(float)];
    struct cuda_launch launch;
    struct cuda_result result;
};

static inline void try_fill(struct try_launch *try, const char *kernel) {
    static const char image[] = "any bytes are a module";
    *try =
        (struct try_launch){.arguments = {{.is_buffer = true,
                                           .type = ELEMENT_f32,
                                           .name = "in",
                                           .count = ELEMENTS,
                                           .read_only = true},
                                          {.is_buffer = true,
                                           .type = ELEMENT_f32,
                                           .name = "out",
                                           .count = ELEMENTS,
                                           .data_offset = OUT_OFFSET},
                                          {.type = ELEMENT_i32, .name = "n", .scalar = ELEMENTS}},
                            .launch = {.image = image,
                                       .image_length = sizeof image,
                                       .kernel = kernel,
                                       .grid = {1, 1, 1},
                                       .block = {128, 1, 1},
                                       .argument_count = 3,
                                       .data_length = DATA_BYTES,
                                       .wall_seconds = 2}};
    for (size_t i = 0; i < ELEMENTS; i++)
        try->data[i] = (float)i + 1;
    try->launch.arguments = try->arguments;
    try->launch.data = try->data;
}

static inline struct cuda_session *open_session(size_t which, enum cuda_trust trust) {
    struct cuda_card *cards;
    struct cuda_session *session;
    size_t count;
    if (cuda_cards(&cards, &count, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_true(which < count);
    if (cuda_session_open(&cards[which], trust, &session, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    free(cards);
    return session;
}

static inline void try_run(struct cuda_session *session, struct try_launch *try) {
    if (cuda_session_run(session, &try->launch, &try->result, &error) != STATUS_OK)
        fail_msg("%s", error.message);
}

/* Where no one looks at what was printed. */
static inline void try_quietly(struct cuda_session *session, struct try_launch *try) {
    try_run(session, try);
    cuda_result_free(&try->result);
}

#endif
