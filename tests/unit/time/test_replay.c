/* What happens on one multiprocessor of the model: which warp issues next, how requests queue for
 * the units that serve them, and what the assembler makes one load of. */
#include "tests/support/model.h"

/* ---- which warp issues next ------------------------------------------------------------------ */

enum { CHAIN_TURNS = 1000, OTHERS = 7 /* warps of a scheduler */ };

/* One of 32 warps has a chain of dependent operations, which needs a turn every few clocks; the
 * others of its scheduler could issue every clock, this many turns of three operations each. */
static double clocks_with_chain_in(unsigned warp, unsigned turns) {
    struct text body = {0};
    text_printf(&body,
                "mov.f32 %%f1, 0f3f800000;\nmov.f32 %%f2, %%f1;\nmov.f32 %%f3, %%f1;\n"
                "mov.u32 %%r1, 0;\nshr.u32 %%r2, %%l, 5;\nsetp.ne.u32 %%q, %%r2, %u;\n"
                "@%%q bra FILLER;\n"
                "CHAIN:\n"
                "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\nfma.rn.f32 %%f1, %%f1, %%f1, %%f1;\n"
                "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\nfma.rn.f32 %%f1, %%f1, %%f1, %%f1;\n"
                "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n@%%p bra CHAIN;\n"
                "bra DONE;\n"
                "FILLER:\n"
                "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\nfma.rn.f32 %%f2, %%f2, %%f2, %%f2;\n"
                "fma.rn.f32 %%f3, %%f3, %%f3, %%f3;\n"
                "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %u;\n@%%p bra FILLER;\n"
                "DONE:\n"
                "add.f32 %%f1, %%f1, %%f2;\nadd.f32 %%f1, %%f1, %%f3;\nst.global.f32 [%%a], %%f1;",
                warp, CHAIN_TURNS, turns);
    double clocks = clocks_on(&h200, text_string(&body), 1, 1024);
    text_free(&body);
    return clocks;
}

/* Of the warps that can, the oldest is issued: a chain in the first warp goes on beside the others'
 * work, and one in the last waits until that is done. */
static void the_oldest_warp_goes_first(void **state) {
    (void)state;
    double chain = CHAIN_TURNS * 4 * h200.alu_cycles;
    unsigned turns = (unsigned)(0.7 * chain / (3 * OTHERS));
    double filler = 3.0 * OTHERS * turns;
    double oldest = clocks_with_chain_in(0, turns), youngest = clocks_with_chain_in(31, turns);
    if (oldest > 1.4 * chain) /* its loop's branch is no part of the chain */
        fail_msg("%g clocks for a chain of %g in the oldest warp", oldest, chain);
    if (youngest < 0.95 * (chain + filler) || youngest > 1.25 * (chain + filler))
        fail_msg("%g clocks for a chain of %g after %g others", youngest, chain, filler);
}

/* A block's last warp starts so much later than its first: what one has to do that does nothing. */
static void warps_of_a_block_start_one_after_the_other(void **state) {
    (void)state;
    struct device_profile together = h200, apart = h200;
    together.warp_start_cycles = 0;
    apart.warp_start_cycles = 100;
    double expected = 31 * apart.warp_start_cycles;
    double found = clocks_on(&apart, "", 1, 1024) - clocks_on(&together, "", 1, 1024);
    if (found < 0.9 * expected || found > expected)
        fail_msg("a block of 32 warps takes %g clocks more, not %g", found, expected);
    found = clocks_on(&apart, "", 1, 32) - clocks_on(&together, "", 1, 32);
    if (found != 0)
        fail_msg("a block of one warp takes %g clocks more", found);
}

/* ---- requests queue -------------------------------------------------------------------------- */

/* This many loads, none of which waits for another; each takes `step` bytes further. */
static double clocks_of_loads(const struct device_profile *device, const char *load, unsigned count,
                              unsigned lane_bytes, unsigned step, unsigned blocks) {
    struct text body = {0};
    text_printf(&body,
                ".shared .align 16 .b8 s[8192];\nmov.u32 %%r9, s;\n"
                "mad.lo.u32 %%r9, %%l, %u, %%r9;\nmul.lo.u32 %%r1, %%b, %u;\n"
                "mad.lo.u32 %%r1, %%l, %u, %%r1;\ncvt.u64.u32 %%x, %%r1;\nadd.s64 %%x, %%x, %%a;\n",
                lane_bytes, count * step, lane_bytes);
    for (unsigned i = 0; i < count; i++)
        text_printf(&body, "%s+%u];\n", load, i * step);
    double clocks = clocks_on(device, text_string(&body), blocks, 32);
    text_free(&body);
    return clocks;
}

/* Clocks that each further load takes, from 64 on. */
static double clocks_a_load(const struct device_profile *device, const char *load,
                            unsigned lane_bytes, unsigned step, unsigned blocks) {
    double few_loads = clocks_of_loads(device, load, 64, lane_bytes, step, blocks);
    double more_loads = clocks_of_loads(device, load, 192, lane_bytes, step, blocks);
    return (more_loads - few_loads) / 128;
}

static void expect_clocks(const char *what, double found, double expected) {
    if (fabs(found - expected) > 0.1 * expected)
        fail_msg("%s: %g clocks a request, not %g", what, found, expected);
}

/* Requests of one warp that are on their way together still pass each unit one after the other, at
 * the rate of that unit. */
static void requests_queue_for_each_unit(void **state) {
    (void)state;
    /* one word of the same bank for each lane */
    expect_clocks("shared memory", clocks_a_load(&h200, "ld.shared.u32 %r2, [%r9", 128, 0, 1),
                  32 / h200.shared_wavefronts);
    /* the same lines, again and again */
    expect_clocks("L1", clocks_a_load(&h200, "ld.global.u32 %r2, [%x", 128, 0, 1), 32);
    struct device_profile slow = h200;
    slow.l2_sm_bytes = 8;
    slow.l2_line_sectors = 0;
    expect_clocks("L2", clocks_a_load(&slow, "ld.global.cg.u32 %r2, [%x", 4, 0, 1), 128 / 8.0);
    slow = h200;
    slow.dram_gbps = 20;
    slow.dram_line_sectors = 0;
    expect_clocks("device memory", clocks_a_load(&slow, "ld.global.u32 %r2, [%x", 4, 128, 1),
                  128 / (slow.dram_gbps / slow.clock_mhz * 1000));
}

/* What all SMs have in common each gets its part of. */
static void bandwidth_is_shared(void **state) {
    (void)state;
    static const char load[] = "ld.global.u32 %r2, [%x", past[] = "ld.global.cg.u32 %r2, [%x";
    struct device_profile slow = few;
    slow.dram_gbps = 20;
    slow.dram_line_sectors = 0;
    double bytes_a_clock = slow.dram_gbps / slow.clock_mhz * 1000;
    expect_clocks("device memory, one SM", clocks_a_load(&slow, load, 4, 128, 1),
                  128 / bytes_a_clock);
    expect_clocks("device memory, all SMs", clocks_a_load(&slow, load, 4, 128, FEW_SMS),
                  FEW_SMS * 128 / bytes_a_clock);
    slow = few;
    slow.l2_gbps = 20;
    slow.l2_line_sectors = 0;
    expect_clocks("L2, one SM", clocks_a_load(&slow, past, 4, 0, 1), 128 / bytes_a_clock);
    expect_clocks("L2, all SMs", clocks_a_load(&slow, past, 4, 0, FEW_SMS),
                  FEW_SMS * 128 / bytes_a_clock);
    /* one SM has a block more: alone with it, it gets no more than it can take, half of all */
    slow.l2_sm_bytes = bytes_a_clock / 2;
    expect_clocks("L2, a block more", clocks_a_load(&slow, past, 4, 0, FEW_SMS + 1),
                  (FEW_SMS + 2) * 128 / bytes_a_clock);
}

/* An SM keeps track of a limited number of sectors that are on their way: with a latency, that
 * bounds its bandwidth by Little's law. */
static void requests_on_their_way_are_limited(void **state) {
    (void)state;
    struct device_profile narrow = h200;
    narrow.l1_pending_sectors = 16; /* four requests of four */
    narrow.l2_spread_cycles = 0;
    expect_clocks("four at a time", clocks_a_load(&narrow, "ld.global.cg.u32 %r2, [%x", 4, 0, 1),
                  narrow.l2_cycles / 4);
    /* answers come in any order, and each gives its room back: none waits for one that is late */
    narrow.l2_spread_cycles = 0.9 * narrow.l2_cycles;
    expect_clocks("in any order", clocks_a_load(&narrow, "ld.global.cg.u32 %r2, [%x", 4, 0, 1),
                  narrow.l2_cycles / 4);
}

/* ---- waiting together ------------------------------------------------------------------------ */

/* Each load's address needs the one before; all warps read the same lines. */
static const char common_chain[] =
    "mov.u32 %r1, 0;\nLOOP:\nld.global.u32 %r2, [%a];\nand.b32 %r2, %r2, 0;\nmul.wide.u32 %x, %r2, "
    "4;\n"
    "add.s64 %a, %a, %x;\nadd.s64 %a, %a, 128;\n"
    "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p, %r1, 200;\n@%p bra LOOP;\n"
    "st.global.u32 [%a], %r2;";

/* Warps that read the same in the same order wait for each line as long as one that is alone:
 * the first one has just asked for it. */
static void warps_wait_for_what_one_fetches(void **state) {
    (void)state;
    double alone = clocks_on(&h200, common_chain, 1, 32);
    double together = clocks_on(&h200, common_chain, 1, 256);
    if (alone < 200 * h200.dram_cycles)
        fail_msg("%g clocks alone", alone);
    if (together < 0.9 * alone || together > 1.3 * alone)
        fail_msg("%g clocks for eight warps, %g for one", together, alone);
}

/* ... and such a request takes more turns of the L1 than one that finds what has been there. */
static void waiting_requests_take_turns(void **state) {
    (void)state;
    static const char loads[] = "mul.wide.u32 %x, %b, 256;\nadd.s64 %x, %x, %a;\n"
                                "ld.global.u32 %r2, [%x];\nld.global.u32 %r3, [%x+4];\n"
                                "ld.global.u32 %r4, [%x+8];\nld.global.u32 %r5, [%x+12];\n"
                                "ld.global.u32 %r6, [%x+16];\nld.global.u32 %r7, [%x+20];";
    struct device_profile patient = few;
    patient.l1_waiting_cycles = 3;
    enum { BLOCKS = 32, WARPS = 8, WAITING = 5 };
    double less = busy_clocks(&few, PART_l1, loads, FEW_SMS * BLOCKS, 32 * WARPS);
    double more = busy_clocks(&patient, PART_l1, loads, FEW_SMS * BLOCKS, 32 * WARPS);
    double each = (more - less) / (BLOCKS * WARPS * WAITING);
    if (each < 0.5 * (3 - few.l1_waiting_cycles) || each > 1.3 * (3 - few.l1_waiting_cycles))
        fail_msg("%g clocks more a request, of %g (%g, %g)", each, 3 - few.l1_waiting_cycles, less,
                 more);
}

/* ... on top of its passes through the banks (measured: access/stride8, eight passes a request). */
static void waiting_comes_on_top_of_passes(void **state) {
    (void)state;
    static const char loads[] = /* the first words of four lines: four passes */
        "and.b32 %r1, %l, 3;\nmul.lo.u32 %r1, %r1, 128;\nmad.lo.u32 %r1, %b, 512, %r1;\n"
        "cvt.u64.u32 %x, %r1;\nadd.s64 %x, %x, %a;\n"
        "ld.global.u32 %r2, [%x];\nld.global.u32 %r3, [%x+4];\n"
        "ld.global.u32 %r4, [%x+8];\nld.global.u32 %r5, [%x+12];\n"
        "ld.global.u32 %r6, [%x+16];\nld.global.u32 %r7, [%x+20];";
    struct device_profile patient = few;
    patient.l1_waiting_cycles = 3;
    enum { BLOCKS = 32, WARPS = 8, WAITING = 5 };
    double less = busy_clocks(&few, PART_l1, loads, FEW_SMS * BLOCKS, 32 * WARPS);
    double more = busy_clocks(&patient, PART_l1, loads, FEW_SMS * BLOCKS, 32 * WARPS);
    double each = (more - less) / (BLOCKS * WARPS * WAITING);
    if (each < 0.5 * (3 - few.l1_waiting_cycles) || each > 1.3 * (3 - few.l1_waiting_cycles))
        fail_msg("%g clocks more a request, of %g", each, 3 - few.l1_waiting_cycles);
}

/* ... and so does one that finds what the same load has asked for some passes of a loop before,
 * where the assembler makes one piece of these: of the four words of a pass and the next one's, in
 * one sector, all but the first find it on its way. */
static void passes_that_are_unrolled_wait_together(void **state) {
    (void)state;
    enum { BLOCKS = 16, PASSES = 64, LOADS = 4 };
    struct text body = {0};
    text_printf(&body,
                "mul.wide.u32 %%x, %%b, %d;\nadd.s64 %%x, %%x, %%a;\nmov.u32 %%r1, 0;\n"
                "mov.u32 %%r2, 0;\nLOOP:\n",
                PASSES * LOADS * 4);
    for (unsigned i = 0; i < LOADS; i++)
        text_printf(&body, "ld.global.u32 %%r%u, [%%x+%u];\n", 3 + i, 4 * i);
    for (unsigned i = 0; i < LOADS; i++)
        text_printf(&body, "add.s32 %%r2, %%r2, %%r%u;\n", 3 + i);
    text_printf(&body,
                "add.s64 %%x, %%x, %d;\nadd.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n"
                "@%%p bra LOOP;\nst.global.u32 [%%a], %%r2;",
                LOADS * 4, PASSES);
    struct device_profile patient = few;
    patient.l1_waiting_cycles += 1;
    double less = busy_clocks(&few, PART_l1, text_string(&body), FEW_SMS * BLOCKS, 32);
    double more = busy_clocks(&patient, PART_l1, text_string(&body), FEW_SMS * BLOCKS, 32);
    double waiting = (more - less) / (BLOCKS * PASSES * LOADS);
    text_free(&body);
    if (waiting < 0.7 || waiting > 7 / 8.0)
        fail_msg("%g of the loads wait", waiting);
}

/* ---- what holds a warp ----------------------------------------------------------------------- */

static double clocks_of_quotients(const char *division) {
    struct text body = {0};
    text_printf(&body,
                "add.u32 %%r1, %%l, 1;\ncvt.rn.f32.u32 %%f1, %%r1;\nmov.f32 %%f2, %%f1;\n"
                "mov.f32 %%f3, %%f1;\nmov.f32 %%f4, %%f1;\nmov.f32 %%f5, 0f3F800000;\n"
                "mov.u32 %%r1, 0;\nLOOP:\n"
                "%s %%f1, %%f1, %%f5;\n%s %%f2, %%f2, %%f5;\n%s %%f3, %%f3, %%f5;\n"
                "%s %%f4, %%f4, %%f5;\nadd.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, 200;\n"
                "@%%p bra LOOP;\nadd.f32 %%f1, %%f1, %%f2;\nadd.f32 %%f3, %%f3, %%f4;\n"
                "add.f32 %%f1, %%f1, %%f3;\nst.global.f32 [%%a], %%f1;",
                division, division, division, division);
    double clocks = clocks_on(&h200, text_string(&body), 1, 32);
    text_free(&body);
    return clocks / 800;
}

/* A quotient that is rounded right has a branch for rare operands, around which nothing is moved:
 * four that do not need each other take four times as long as one. */
static void rounded_quotients_come_one_by_one(void **state) {
    (void)state;
    double rounded = clocks_of_quotients("div.rn.f32");
    double latency = 9 * h200.alu_cycles + 22; /* instruction_cost.def */
    if (rounded < latency || rounded > 1.3 * latency)
        fail_msg("%g clocks a quotient of a latency of %g", rounded, latency);
    assert_true(clocks_of_quotients("div.full.f32") < 0.5 * latency);
}

static double clocks_of_conversions(const char *beside) {
    struct text body = {0};
    text_printf(&body, "mov.u32 %%r1, 0;\nmov.u32 %%r2, %%l;\nmov.u32 %%r3, %%l;\n"
                       "mov.u32 %%r4, %%l;\nmov.u32 %%r5, %%l;\nLOOP:\n.pragma \"nounroll\";\n");
    for (unsigned i = 0; i < 16; i++)
        text_printf(&body, "cvt.rn.f32.u32 %%f1, %%r%u;\nmov.b32 %%r%u, %%f1;\n%s %%r%u, %%r%u%s",
                    2 + i % 2, 2 + i % 2, beside, 4 + i % 2, 4 + i % 2,
                    strcmp(beside, "xor.b32") == 0 ? ", %d;\n" : ", %d, %d;\n");
    text_printf(&body, "add.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, 100;\n@%%p bra LOOP;\n"
                       "add.u32 %%r2, %%r2, %%r3;\nadd.u32 %%r4, %%r4, %%r5;\n"
                       "add.u32 %%r2, %%r2, %%r4;\nst.global.u32 [%%a], %%r2;");
    double clocks = clocks_on(&h200, text_string(&body), 1, 1024);
    text_free(&body);
    return clocks / 1600 / 8;
}

/* Integers become floating-point numbers in the pipe that adds them, half a warp at a time, beside
 * products and after logic; a card that has a slower unit for that does it there. */
static void conversions_take_the_integer_pipe(void **state) {
    (void)state;
    double beside = clocks_of_conversions("mad.lo.u32"), behind = clocks_of_conversions("xor.b32");
    if (beside > 2.9 || fabs(behind - 4.2) > 0.4)
        fail_msg("%g clocks of a scheduler with a product, %g with logic", beside, behind);
}

/* A path that is too long to be replayed is cut, and stands for all of it; a loop that the
 * assembler unrolls is cut no later than others. */
static void unrolled_loops_are_cut_like_others(void **state) {
    (void)state;
    double clocks[2];
    for (unsigned i = 0; i < 2; i++) {
        struct text body = {0};
        text_printf(&body,
                    "mov.u32 %%r1, 0;\nmov.f32 %%f1, 0f3f800000;\nLOOP:\n"
                    "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;\nadd.s32 %%r1, %%r1, 1;\n"
                    "setp.lt.s32 %%p, %%r1, %u;\n@%%p bra LOOP;\nst.global.f32 [%%a], %%f1;",
                    i ? 1000000 : 100000);
        clocks[i] = clocks_on(&h200, text_string(&body), 1, 32);
        text_free(&body);
    }
    expect_clocks("ten times the loop", clocks[1] / clocks[0], 10);
}

/* ---- merged loads ---------------------------------------------------------------------------- */

enum { ROUNDS = 400 };

/* Clocks that four loads of shared memory keep it busy, at these offsets of an address that is
 * `lane_bytes` further in each lane, of this many lanes, which the others repeat; with `between`
 * after each load. */
static double busy_with_lanes(unsigned lane_bytes, unsigned lanes, const unsigned offsets[4],
                              const char *between) {
    struct text body = {0};
    text_printf(&body,
                ".shared .align 16 .b8 s[8192];\nmov.u32 %%r8, s;\nmov.u32 %%r9, 0;\n"
                "and.b32 %%r7, %%l, %u;\nmad.lo.u32 %%r8, %%r7, %u, %%r8;\n"
                "mov.f32 %%f5, 0f00000000;\nLOOP:\n",
                lanes - 1, lane_bytes);
    for (unsigned i = 0; i < 4; i++)
        text_printf(&body, "ld.shared.f32 %%f%u, [%%r8+%u];\n%s", i + 1, offsets[i], between);
    text_printf(&body,
                "add.f32 %%f1, %%f1, %%f2;\nadd.f32 %%f3, %%f3, %%f4;\nadd.f32 %%f5, %%f5, %%f1;\n"
                "add.f32 %%f5, %%f5, %%f3;\nadd.s32 %%r9, %%r9, 1;\n"
                "setp.lt.s32 %%p, %%r9, %d;\n@%%p bra LOOP;\nst.global.f32 [%%a], %%f5;",
                ROUNDS);
    double clocks = busy_clocks(&h200, PART_shared, text_string(&body), 1, 32);
    text_free(&body);
    return clocks / ROUNDS;
}

static double busy_with_loads(unsigned lane_bytes, const unsigned offsets[4], const char *between) {
    return busy_with_lanes(lane_bytes, 32, offsets, between);
}

static void neighbouring_loads_become_one(void **state) {
    (void)state;
    static const unsigned side_by_side[4] = {0, 4, 8, 12}, apart[4] = {0, 20, 40, 60},
                          pairs[4] = {0, 4, 72, 76};
    /* sixteen bytes a lane are four wavefronts, however they are asked for; by words, each lane's
     * fourth neighbour has the same bank, and each word takes four */
    expect_clocks("16 bytes a lane", busy_with_loads(16, side_by_side, ""), 4);
    expect_clocks("four words apart", busy_with_loads(16, apart, ""), 16);
    /* two words and two: four wavefronts each, because lanes still lie 16 bytes apart */
    expect_clocks("two pairs", busy_with_loads(16, pairs, ""), 8);
    /* all lanes read the same: two wavefronts for four words, where single words take one each */
    expect_clocks("one address for all", busy_with_loads(0, side_by_side, ""), 2);
    expect_clocks("words apart of it", busy_with_loads(0, apart, ""), 4);
    /* the halves of the warp read the same: eight lanes at a time all the same, four wavefronts */
    expect_clocks("both halves the same", busy_with_lanes(16, 16, side_by_side, ""), 4);
}

static void loads_do_not_merge_across_stores_or_unaligned(void **state) {
    (void)state;
    static const unsigned side_by_side[4] = {0, 4, 8, 12}, behind[4] = {4, 8, 12, 16};
    double store = 4; /* its own wavefronts: lanes lie 16 bytes apart */
    expect_clocks("a store between",
                  busy_with_loads(16, side_by_side, "st.shared.f32 [%r8], %f5;\n"),
                  4 * (4 + store));
    /* an odd multiple of a word: only the two in the middle make an aligned pair */
    expect_clocks("from the second word on", busy_with_loads(16, behind, ""), 3 * 4);
    /* lanes 20 bytes apart: no width is certain to be aligned; no conflicts either */
    expect_clocks("lanes 20 bytes apart", busy_with_loads(20, side_by_side, ""), 4);
}

/* ---- what the assembler makes of it ---------------------------------------------------------- */

/* Instructions of a warp a turn of a loop around these. */
static double issued_a_turn(const char *turn, const char *after) {
    struct text body = {0};
    text_printf(&body,
                ".shared .align 16 .b8 s[8192];\nmov.u32 %%r1, 0;\nmov.u32 %%r2, 1;\n"
                "setp.lt.u32 %%q, %%l, 7;\nLOOP:\n%s\nadd.s32 %%r1, %%r1, 1;\n"
                "setp.lt.s32 %%p, %%r1, %d;\n@%%p bra LOOP;\nst.global.u32 [%%a], %%r2;\n%s",
                turn, ROUNDS, after);
    double clocks = busy_clocks(&h200, PART_issue, text_string(&body), 1, 32);
    text_free(&body);
    return clocks * h200.schedulers_per_sm / ROUNDS;
}

/* A minimum or a maximum, as a predicate says, is one of the two and then perhaps the other. */
static void choices_of_minimum_and_maximum_are_predicates(void **state) {
    (void)state;
    static const char both[] = "min.u32 %r4, %r2, %r1;\nmax.u32 %r5, %r2, %r1;\n";
    struct text chosen = {0}, mixed = {0};
    text_printf(&chosen, "%sselp.b32 %%r2, %%r4, %%r5, %%q;", both);
    text_printf(&mixed, "%sshf.l.wrap.b32 %%r2, %%r4, %%r5, 3;", both);
    double one = issued_a_turn(text_string(&chosen), "");
    double three = issued_a_turn(text_string(&mixed), "");
    text_free(&chosen);
    text_free(&mixed);
    if (fabs(three - one - 1) > 0.1)
        fail_msg("%g instructions with a choice, %g with another one", one, three);
}

/* ---- the order of loads ---------------------------------------------------------------------- */

enum { GLOBAL_LOADS = 16, LOAD_TURNS = 200 };

/* A turn of sixteen loads of device memory, whose addresses come from each other, each times a
 * word of shared memory, or without that. */
static double clocks_of_products(bool with_shared) {
    struct text body = {0};
    text_printf(&body, ".reg .f32 %%g<17>, %%s<17>;\n.reg .u64 %%z<18>;\n"
                       ".shared .align 16 .b8 s[64];\nmov.u32 %%r9, s;\nmov.u32 %%r1, 0;\n"
                       "mul.wide.u32 %%y, %%d, 4;\nmul.wide.u32 %%x, %%l, 4;\n"
                       "add.s64 %%z0, %%a, %%x;\nmov.f32 %%f1, 0f00000000;\nLOOP:\n");
    for (unsigned i = 0; with_shared && i < GLOBAL_LOADS; i += 4)
        text_printf(&body, "ld.shared.v4.f32 {%%s%u, %%s%u, %%s%u, %%s%u}, [%%r9+%u];\n", i, i + 1,
                    i + 2, i + 3, 4 * i);
    for (unsigned i = 0; i < GLOBAL_LOADS; i++)
        text_printf(&body,
                    "ld.global.f32 %%g%u, [%%z%u];\nadd.s64 %%z%u, %%z%u, %%y;\n"
                    "fma.rn.f32 %%f1, %%g%u, %%%c%u, %%f1;\n",
                    i, i, i + 1, i, i, with_shared ? 's' : 'g', i);
    text_printf(&body,
                "mov.u64 %%z0, %%z16;\nadd.s32 %%r1, %%r1, 1;\nsetp.lt.s32 %%p, %%r1, %d;\n"
                "@%%p bra LOOP;\nst.global.f32 [%%a], %%f1;",
                LOAD_TURNS);
    double clocks = clocks_on(&h200, text_string(&body), 1, 32);
    text_free(&body);
    return clocks / LOAD_TURNS;
}

/* Registers are for the loads that take longest: words of shared memory, whose addresses are there
 * earlier, come when there is room for them, and take no longer than the loads that they wait for.
 */
static void loads_of_device_memory_get_registers_first(void **state) {
    (void)state;
    double alone = clocks_of_products(false), both = clocks_of_products(true);
    if (both > 1.25 * alone)
        fail_msg("%g clocks a turn, %g without shared memory", both, alone);
}

/* ---- turns of warps in the caches ------------------------------------------------------------ */

/* The share of sectors that hit the L1 where each of 2048 threads of an SM goes along 128 bytes of
 * its own, word by word, and stores each: as straight code, or as a loop. */
static double hits_of_walks(bool is_loop) {
    enum { WORDS = 32 };
    struct text body = {0};
    text_printf(&body, "mad.lo.u32 %%r1, %%b, %%d, %%l;\nmul.wide.u32 %%x, %%r1, 128;\n"
                       "add.s64 %%x, %%x, %%a;\nadd.s64 %%y, %%x, 1048576;\nmov.u32 %%r2, 0;\n"
                       "mov.u32 %%r3, 0;\nLOOP:\n");
    for (unsigned i = 0; i < (is_loop ? 1 : WORDS); i++)
        text_printf(&body,
                    "ld.global.u32 %%r4, [%%x+%u];\nadd.s32 %%r3, %%r3, %%r4;\n"
                    "st.global.u32 [%%y+%u], %%r3;\n",
                    4 * i, 4 * i);
    for (unsigned i = 0; i < (is_loop ? 12 : 0); i++) /* so that each pass is a turn */
        text_printf(&body, "add.s32 %%r3, %%r3, %%r2;\n");
    text_printf(&body,
                "add.s64 %%x, %%x, 4;\nadd.s64 %%y, %%y, 4;\nadd.s32 %%r2, %%r2, 1;\n"
                "setp.lt.s32 %%p, %%r2, %d;\n@%%p bra LOOP;",
                is_loop ? WORDS : 1);
    struct engine_result result = profile_on(&few, text_string(&body), FEW_SMS * 2, 1024);
    double hits = (double)result.counters.l1_hits / (double)result.counters.l1_sectors;
    engine_result_free(&result);
    text_free(&body);
    return hits;
}

/* Warps come in between where a load waits after a store, in straight code as in a loop: together
 * they walk over twice what the L1 holds. */
static void straight_walks_push_one_another_out(void **state) {
    (void)state;
    double loop = hits_of_walks(true), straight = hits_of_walks(false);
    if (straight > loop + 0.1 || straight < loop - 0.1)
        fail_msg("%g of straight code, %g of a loop", straight, loop);
}

/* Probe quotients: what a quotient takes longer where a lane cannot go the quick way, of a
 * warp alone. */
static void slow_quotients_take_longer(void **state) {
    (void)state;
    enum { TURNS = 200 };
    static const struct {
        const char *name, *dividend, *divisor;
        double more;
    } rows[] = {
        {"small, but not too small", "0f0C800000" /* 2^-102 */, "0f40400000", 0},
        {"nothing", "0f00000000", "0f40400000", 207},
        {"smaller", "0f0C000000", "0f40400000", 237},
        {"far below the divisor", "0f0C800000", "0f4B800000", 237},
        {"subnormal", "0f000116C2", "0f40400000", 463},
    };
    double quick = 0;
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text body = {0};
        text_printf(&body,
                    "setp.eq.u32 %%q, %%l, 7;\nmov.f32 %%f2, %s;\nmov.f32 %%f3, 0f3F800000;\n"
                    "selp.f32 %%f1, %s, %%f3, %%q;\nselp.f32 %%f2, %%f2, %%f3, %%q;\n"
                    "mov.u32 %%r1, 0;\nLOOP:\ndiv.rn.f32 %%f4, %%f1, %%f2;\n"
                    "add.f32 %%f5, %%f5, %%f4;\nadd.u32 %%r1, %%r1, 1;\n"
                    "setp.lt.u32 %%p, %%r1, %d;\n@%%p bra LOOP;\nst.global.f32 [%%a], %%f5;",
                    rows[i].divisor, rows[i].dividend, TURNS);
        double clocks = clocks_on(&h200, text_string(&body), 1, 32) / TURNS;
        text_free(&body);
        quick = i ? quick : clocks;
        if (fabs(clocks - quick - rows[i].more) > 0.25 * rows[i].more + 1)
            fail_msg("%s: %g clocks more, %g measured", rows[i].name, clocks - quick, rows[i].more);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_quotients_take_longer),
        cmocka_unit_test(the_oldest_warp_goes_first),
        cmocka_unit_test(warps_of_a_block_start_one_after_the_other),
        cmocka_unit_test(requests_queue_for_each_unit),
        cmocka_unit_test(bandwidth_is_shared),
        cmocka_unit_test(requests_on_their_way_are_limited),
        cmocka_unit_test(warps_wait_for_what_one_fetches),
        cmocka_unit_test(waiting_requests_take_turns),
        cmocka_unit_test(waiting_comes_on_top_of_passes),
        cmocka_unit_test(passes_that_are_unrolled_wait_together),
        cmocka_unit_test(rounded_quotients_come_one_by_one),
        cmocka_unit_test(conversions_take_the_integer_pipe),
        cmocka_unit_test(unrolled_loops_are_cut_like_others),
        cmocka_unit_test(neighbouring_loads_become_one),
        cmocka_unit_test(loads_do_not_merge_across_stores_or_unaligned),
        cmocka_unit_test(choices_of_minimum_and_maximum_are_predicates),
        cmocka_unit_test(loads_of_device_memory_get_registers_first),
        cmocka_unit_test(straight_walks_push_one_another_out),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}
