/* Blocks that wait for words of other blocks: chains, look-back, locks and meetings by hand, and
 * what is no wait. Each kernel waits for a number of its own: the buffer keeps what others left. */
#include "tests/support/model.h"

#include <time.h>

enum { LINKS = 256 };

/* One thread of each block goes on; %x is the block's own word. */
#define ONE_THREAD                                                                                 \
    "setp.ne.u32 %p, %l, 0;\n@%p bra DONE;\nmul.wide.u32 %x, %b, 4;\nadd.s64 %x, %x, %a;\n"
#define NOT_THE_FIRST "setp.eq.u32 %q, %b, 0;\n@%q bra SHOW;\n"

static void is_between(double clocks, double least, double most) {
    if (!(clocks >= least && clocks <= most))
        fail_msg("%.0f clocks, not %.0f to %.0f", clocks, least, most);
}

static void each_block_of_a_chain_waits_for_the_one_before(void **state) {
    (void)state;
    double clocks = clocks_on(&h200,
                              ONE_THREAD NOT_THE_FIRST
                              "LOOK:\nld.volatile.global.u32 %r1, [%x+-4];\n"
                              "setp.ne.u32 %p, %r1, 7;\n@%p bra LOOK;\n"
                              "SHOW:\nmov.u32 %r2, 7;\nst.volatile.global.u32 [%x], %r2;\nDONE:\n",
                              LINKS, 64);
    is_between(clocks, LINKS * h200.seen_cycles, 1.15 * LINKS * h200.seen_cycles);
}

static void a_chain_is_bound_by_other_blocks(void **state) {
    (void)state;
    struct engine_result result =
        profile_on(&h200,
                   ONE_THREAD NOT_THE_FIRST
                   "LOOK:\nld.volatile.global.u32 %r1, [%x+-4];\n"
                   "setp.ne.u32 %p, %r1, 5;\n@%p bra LOOK;\n"
                   "SHOW:\nmov.u32 %r2, 5;\nst.volatile.global.u32 [%x], %r2;\nDONE:\n",
                   LINKS, 64);
    assert_int_equal(result.profile.estimate.limiter, PART_blocks);
    assert_true(result.profile.estimate.part_ms[PART_blocks] > 0.8 * result.profile.estimate.ms);
    engine_result_free(&result);
}

/* The word of the block before says something at once, and all of it later: it is not known that
 * the first would not have done. */
static void what_a_block_shows_first_is_waited_for(void **state) {
    (void)state;
    double clocks =
        clocks_on(&h200,
                  ONE_THREAD "mov.u32 %r2, 8;\nst.volatile.global.u32 [%x], %r2;\n" NOT_THE_FIRST
                             "LOOK:\nld.volatile.global.u32 %r1, [%x+-4];\n"
                             "setp.lt.u32 %p, %r1, 8;\n@%p bra LOOK;\n"
                             "SHOW:\nmov.u32 %r2, 9;\nst.volatile.global.u32 [%x], %r2;\nDONE:\n",
                  LINKS, 64);
    is_between(clocks, h200.seen_cycles, 8 * h200.seen_cycles);
}

/* Who finds only the first of two words has to look further back, and all blocks start together:
 * the farthest look goes back by the root of twice their number, where each looks at one word at a
 * time.
 */
static void blocks_that_start_together_look_far_back(void **state) {
    (void)state;
    double clocks[2];
    for (unsigned i = 0; i < 2; i++) {
        struct text body = {0};
        text_append(&body, ONE_THREAD);
        text_printf(&body,
                    "mov.u32 %%r2, %u;\nst.volatile.global.u32 [%%x], %%r2;\n"
                    "setp.eq.u32 %%q, %%b, 0;\n@%%q bra SHOW;\nmov.u64 %%y, %%x;\n"
                    "BACK:\nadd.s64 %%y, %%y, -4;\n"
                    "LOOK:\nld.volatile.global.u32 %%r1, [%%y];\n"
                    "setp.lt.u32 %%p, %%r1, %u;\n@%%p bra LOOK;\n"
                    "setp.eq.u32 %%p, %%r1, %u;\n@%%p bra BACK;\n"
                    "SHOW:\nmov.u32 %%r2, %u;\nst.volatile.global.u32 [%%x], %%r2;\nDONE:\n",
                    10 + 2 * i, 10 + 2 * i, 10 + 2 * i, 11 + 2 * i);
        clocks[i] = clocks_on(&h200, text_string(&body), i ? 4 * LINKS : LINKS, 64);
        text_free(&body);
    }
    double looks = sqrt(2.0 * LINKS);
    is_between(clocks[0], looks * h200.l2_cycles, 2 * looks * h200.l2_cycles);
    is_between(clocks[1] / clocks[0], 1.7, 2.3);
}

/* A lock goes from one block to the next, and each adds to a word while it has it. */
static void a_lock_goes_from_block_to_block(void **state) {
    (void)state;
    double clocks =
        clocks_on(&h200,
                  ONE_THREAD "mov.u32 %r3, 0;\nmov.u32 %r4, 1;\n"
                             "LOOK:\natom.global.cas.b32 %r1, [%a+8192], %r3, %r4;\n"
                             "setp.ne.u32 %p, %r1, 0;\n@%p bra LOOK;\n"
                             "ld.volatile.global.u32 %r2, [%a+12288];\nadd.u32 %r2, %r2, 1;\n"
                             "st.volatile.global.u32 [%a+12288], %r2;\n"
                             "atom.global.exch.b32 %r5, [%a+8192], 0;\nDONE:\n",
                  LINKS, 64);
    double link = h200.seen_cycles + h200.l2_cycles;
    is_between(clocks, LINKS * link, 1.4 * LINKS * link);
}

/* All blocks count up a word and wait until all have, several times over. The last to come goes on
 * at once and counts for the next time, which those who still wait for this time do not wait for.
 */
static void blocks_that_meet_wait_for_the_last_one(void **state) {
    (void)state;
    enum { ROUNDS = 8 };
    double clocks = clocks_on(&h200,
                              ONE_THREAD "mov.u32 %r3, 0;\nmov.u32 %r4, 0;\n"
                                         "AGAIN:\nadd.u32 %r3, %r3, 256;\nadd.u32 %r4, %r4, 1;\n"
                                         "atom.global.add.u32 %r5, [%a+16384], 1;\n"
                                         "LOOK:\nld.volatile.global.u32 %r1, [%a+16384];\n"
                                         "setp.lt.u32 %p, %r1, %r3;\n@%p bra LOOK;\n"
                                         "setp.lt.u32 %p, %r4, 8;\n@%p bra AGAIN;\nDONE:\n",
                              LINKS, 32);
    is_between(clocks, ROUNDS * h200.seen_cycles, 4 * ROUNDS * h200.seen_cycles);
}

/* An atomic finds what others have left, and goes on with whatever that is. */
static void a_number_that_is_drawn_is_no_wait(void **state) {
    (void)state;
    double clocks = clocks_on(&h200,
                              ONE_THREAD "atom.global.add.u32 %r1, [%a+20480], 1;\n"
                                         "mul.wide.u32 %y, %r1, 4;\nadd.s64 %y, %y, %a;\n"
                                         "st.volatile.global.u32 [%y+24576], %r1;\n"
                                         "LOOK:\nld.volatile.global.u32 %r2, [%y+24576];\n"
                                         "setp.ne.u32 %p, %r1, %r2;\n@%p bra LOOK;\nDONE:\n",
                              LINKS, 64);
    is_between(clocks, h200.l2_cycles, 8 * h200.l2_cycles);
}

/* A chain again, but the blocks store to more words than can be remembered of who waits for whom.
 */
static void who_stores_too_much_is_not_remembered(void **state) {
    (void)state;
    double clocks = clocks_on(
        &h200,
        "mul.wide.u32 %x, %b, 16384;\nadd.s64 %x, %x, %a;\nmul.wide.u32 %y, %l, 4;\n"
        "add.s64 %y, %y, %x;\nmov.u32 %r2, 11;\nst.volatile.global.u32 [%y+4096], %r2;\n"
        "st.volatile.global.u32 [%y+8192], %r2;\nst.volatile.global.u32 [%y+12288], %r2;\n"
        "setp.ne.u32 %p, %l, 0;\n@%p bra SHOW;\n" NOT_THE_FIRST
        "LOOK:\nld.volatile.global.u32 %r1, [%x+-16384];\n"
        "setp.ne.u32 %p, %r1, 11;\n@%p bra LOOK;\n"
        "SHOW:\nst.volatile.global.u32 [%y], %r2;\n",
        MODEL_ELEMENTS / 4096, 1024);
    is_between(clocks, h200.l2_cycles, LINKS / 4 * h200.seen_cycles);
}

/* Each look was once followed through each loop around it, from its beginning to its end. */
static void looks_in_loops_are_soon_seen_through(void **state) {
    (void)state;
    enum { LOOKS = 5000, LOOPS = 200, SECONDS = 10 };
    struct text body = {0};
    text_append(&body, "setp.ne.u32 %p, %l, %l;\nLOOP:\n");
    for (int i = 0; i < LOOKS; i++)
        text_printf(&body, "ld.volatile.global.u32 %%r1, [%%a+%d];\n", 4 * i);
    for (int i = 0; i < LOOPS; i++)
        text_append(&body, "@%p bra LOOP;\n");
    clock_t begin = clock();
    clocks_on(&h200, text_string(&body), 1, 32);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    text_free(&body);
    if (seconds > SECONDS)
        fail_msg("%g seconds", seconds);
}

/* One look at each of some words that were loaded, as a search in a graph does before it claims a
 * neighbour: no way leads back to the same word, so that no block waits for the one before. */
static void a_load_that_never_repeats_is_no_wait(void **state) {
    (void)state;
    double clocks = clocks_on(&h200,
                              ONE_THREAD "mov.u32 %r3, 4;\n" NOT_THE_FIRST
                                         "LOOK:\nmul.wide.u32 %y, %r3, 4;\nadd.s64 %y, %y, %x;\n"
                                         "ld.global.u32 %r4, [%y+65536];\nand.b32 %r4, %r4, 3;\n"
                                         "mul.wide.u32 %y, %r4, 4;\nadd.s64 %y, %y, %x;\n"
                                         "ld.volatile.global.u32 %r1, [%y+-4];\n"
                                         "setp.eq.u32 %p, %r1, 77;\n@%p bra SHOW;\n"
                                         "sub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p, %r3, 0;\n"
                                         "@%p bra LOOK;\n"
                                         "SHOW:\nmov.u32 %r2, 75;\n"
                                         "st.volatile.global.u32 [%x], %r2;\nDONE:\n",
                              LINKS, 64);
    is_between(clocks, h200.seen_cycles, 16 * h200.seen_cycles);
}

/* The same in a loop that the compiler has unrolled: `look` at words that were loaded, each behind
 * a branch, so that there are more ways through one turn than can be followed one by one. */
static void is_no_wait_unrolled(const char *look) {
    enum { COPIES = 6 };
    struct text body = {0};
    text_append(&body, ONE_THREAD "mov.u32 %r3, 2;\n" NOT_THE_FIRST "LOOK:\n");
    for (int i = 0; i < COPIES; i++) {
        text_append(&body, "mul.wide.u32 %y, %r3, 4;\nadd.s64 %y, %y, %x;\n");
        text_printf(&body, "ld.global.u32 %%r4, [%%y+%d];\n", 65536 + 4 * i);
        text_printf(&body, "setp.eq.u32 %%p, %%r4, 99;\n@%%p bra NEXT%d;\n", i);
        text_append(&body, "and.b32 %r4, %r4, 3;\nmul.wide.u32 %y, %r4, 4;\n"
                           "add.s64 %y, %y, %x;\n");
        text_append(&body, look);
        text_printf(&body, "setp.eq.u32 %%p, %%r1, 77;\n@%%p bra NEXT%d;\n", i);
        text_printf(&body, "add.u32 %%r2, %%r2, 1;\nNEXT%d:\n", i);
    }
    text_append(&body, "sub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p, %r3, 0;\n@%p bra LOOK;\n"
                       "SHOW:\nst.volatile.global.u32 [%x], %r2;\nDONE:\n");
    double clocks = clocks_on(&h200, text_string(&body), LINKS, 64);
    text_free(&body);
    is_between(clocks, h200.seen_cycles, LINKS / 2 * h200.seen_cycles);
}

static void a_look_in_an_unrolled_loop_is_no_wait(void **state) {
    (void)state;
    is_no_wait_unrolled("ld.volatile.global.u32 %r1, [%y+-4];\n");
}

static void an_atomic_that_asks_once_is_no_wait(void **state) {
    (void)state;
    is_no_wait_unrolled("atom.global.or.b32 %r1, [%y+-4], 0;\n");
    is_no_wait_unrolled("atom.global.cas.b32 %r1, [%y+-4], 71, 72;\n");
}

/* A loop that changes the address of its look, as look-back does, and comes to the same word again:
 * the first look is void then, and what followed it was once noted under its pc, past all arrays.
 */
static void a_walk_that_stays_where_it_is_ends(void **state) {
    (void)state;
    double clocks = clocks_on(&few,
                              ONE_THREAD "mov.u32 %r3, 0;\n" NOT_THE_FIRST
                                         "LOOK:\nmul.wide.u32 %y, %r3, 0;\nadd.s64 %y, %y, %a;\n"
                                         "ld.volatile.global.u32 %r1, [%y];\n"
                                         "setp.eq.u32 %p, %r1, 77;\n@%p bra SHOW;\n"
                                         "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p, %r3, 8;\n"
                                         "@%p bra LOOK;\n"
                                         "SHOW:\nmov.u32 %r2, 76;\n"
                                         "st.volatile.global.u32 [%x], %r2;\nDONE:\n",
                              8, 64);
    assert_true(clocks > 0 && isfinite(clocks));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_of_a_chain_waits_for_the_one_before),
        cmocka_unit_test(a_chain_is_bound_by_other_blocks),
        cmocka_unit_test(what_a_block_shows_first_is_waited_for),
        cmocka_unit_test(blocks_that_start_together_look_far_back),
        cmocka_unit_test(a_lock_goes_from_block_to_block),
        cmocka_unit_test(blocks_that_meet_wait_for_the_last_one),
        cmocka_unit_test(a_number_that_is_drawn_is_no_wait),
        cmocka_unit_test(looks_in_loops_are_soon_seen_through),
        cmocka_unit_test(a_load_that_never_repeats_is_no_wait),
        cmocka_unit_test(a_look_in_an_unrolled_loop_is_no_wait),
        cmocka_unit_test(an_atomic_that_asks_once_is_no_wait),
        cmocka_unit_test(a_walk_that_stays_where_it_is_ends),
        cmocka_unit_test(who_stores_too_much_is_not_remembered), /* fills the buffer */
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}
