/* What stands for what: which blocks stand for the others of their part of the grid, which of the
 * instructions that read the same in several blocks fetches it, and what the L2 has of it. */
#include "tests/support/model.h"

#include "sandbox/simgpu/memsys/inflight_sharing.h"

/* ---- blocks ---------------------------------------------------------------------------------- */

enum { BLOCKS = 1024, WORDS = MODEL_ELEMENTS / BLOCKS }; /* of a block */

/* All but one block in 32 read their part of the buffer; that one counts instead, and executes
 * several times as many instructions. */
static void few_heavy_blocks_do_not_stand_for_the_others(void **state) {
    (void)state;
    struct text body = {0};
    text_printf(&body,
                "and.b32 %%r5, %%b, 31;\nsetp.eq.u32 %%q, %%r5, 9;\nmov.u32 %%r1, 0;\n"
                "mov.u32 %%r2, 0;\n@%%q bra COUNT;\n"
                "mad.lo.u32 %%r3, %%b, %d, %%l;\nmad.wide.u32 %%x, %%r3, 4, %%a;\n",
                WORDS);
    for (unsigned i = 0; i < WORDS / 128; i++)
        text_printf(&body, "ld.global.u32 %%r4, [%%x+%u];\nadd.u32 %%r2, %%r2, %%r4;\n", i * 512);
    text_printf(&body, "bra DONE;\nCOUNT:\nadd.u32 %%r2, %%r2, %%r1;\nadd.s32 %%r1, %%r1, 1;\n"
                       "setp.lt.s32 %%p, %%r1, 30;\n@%%p bra COUNT;\nDONE:\n"
                       "setp.ne.u32 %%p, %%r2, 12345;\n@%%p ret;\nst.global.u32 [%%a], %%r2;");
    double clocks = busy_clocks(&few, PART_dram, text_string(&body), BLOCKS, 128);
    text_free(&body);
    double expected = MODEL_ELEMENTS * 4.0 * 31 / 32 / few.dram_gbps * few.clock_mhz / 1000;
    if (fabs(clocks - expected) > 0.15 * expected)
        fail_msg("device memory is busy for %g clocks, not %g", clocks, expected);
}

/* A few blocks in the middle of the grid execute three hundred times as much as the others. A
 * sample that took them for all would have twenty blocks. */
static void dear_blocks_in_the_middle_do_not_shrink_the_sample(void **state) {
    (void)state;
    struct engine_result result = profile_sample(
        &h200,
        "mov.u32 %r1, 0;\nsub.u32 %r2, %b, 2000;\nsetp.ge.u32 %p, %r2, 100;\n@%p bra DONE;\n"
        "L:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 1000;\n@%p bra L;\n"
        "DONE:\nst.global.u32 [%a], %r1;",
        4096, 32, 20 * 32 * 3000);
    uint64_t simulated = result.profile.blocks_simulated;
    engine_result_free(&result);
    if (simulated < 100)
        fail_msg("%llu blocks are simulated", (unsigned long long)simulated);
}

/* Sixteen blocks at a time, those of a wave walk along a row of their own, 32 lines of which each
 * has to be there before the next one's address is known. */
static double row_clocks(unsigned waves) {
    return clocks_on(&few,
                     "shr.u32 %r1, %b, 4;\nand.b32 %r2, %l, 31;\nmad.lo.u32 %r2, %r1, 1024, %r2;\n"
                     "mad.wide.u32 %x, %r2, 4, %a;\nmov.u32 %r3, 0;\nL:\n"
                     "ld.global.u32 %r4, [%x];\nmad.wide.u32 %y, %r4, 4, %x;\n"
                     "add.s64 %x, %y, 128;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p, %r3, 32;\n"
                     "@%p bra L;\nst.global.u32 [%a], %r4;",
                     16 * waves, 512);
}

/* Blocks that start together wait together for what they read. When others have ended before, they
 * do not start together, and all but the first find what they read in the L2. */
static void later_blocks_do_not_wait_together(void **state) {
    (void)state;
    double first = row_clocks(1), all = row_clocks(8);
    if (first < 32 * few.dram_cycles || all > 0.75 * 8 * first)
        fail_msg("%g clocks the first wave, %g eight", first, all);
}

/* What is left of a fetch of 700 clocks when the next block comes 70 later: nearly all of it where
 * two share it, nothing for most of 40, and all where they start together. */
static void the_more_share_it_the_fewer_wait(void **state) {
    (void)state;
    struct inflight_sharing inflight_sharing = {0};
    inflight_sharing_note(&inflight_sharing, 0, 0, 1, 700);
    struct block_pace pace = {.together = 0, .clocks = 70};
    double two = inflight_sharing_time_left(&inflight_sharing, 1, 2, &pace),
           many = inflight_sharing_time_left(&inflight_sharing, 1, 40, &pace);
    pace.together = 1;
    double together = inflight_sharing_time_left(&inflight_sharing, 1, 40, &pace);
    if (fabs(two - 0.9) > 0.01 || many > 0.01 || together != 1)
        fail_msg("%g of two, %g of many, %g together", two, many, together);
}

/* ---- who fetches ----------------------------------------------------------------------------- */

/* A sampled launch of blocks of one warp. %x is where its block's KiB begins, %y that of every
 * other block; `code` names source lines, of which there are at most eight: what they read of
 * device memory. */
static void sectors_by_line(const char *code, double sectors[9]) {
    static uint32_t data[MODEL_ELEMENTS];
    struct text ptx = {0};
    text_printf(
        &ptx,
        PTX_HEAD
        ".visible .entry k(.param .u64 p)\n{\n.reg .u64 a, x, y;\n.reg .u32 l, b, i, n, r, s;\n"
        ".reg .pred q;\n.loc 1 3 5\nld.param.u64 a, [p];\nmov.u32 l, %%tid.x;\n"
        "mov.u32 b, %%ctaid.x;\nmad.lo.u32 i, b, 1024, l;\nmul.wide.u32 x, i, 4;\n"
        "add.s64 x, x, a;\nshr.u32 i, b, 1;\nmad.lo.u32 i, i, 2048, l;\n"
        "mul.wide.u32 y, i, 4;\nadd.s64 y, y, a;\nmov.u32 n, 0;\n%s"
        ".loc 1 7 9\nst.global.u32 [x+128], r;\n"
        ".loc 1 8 1\nret;\n}\n.file 1 \"/tmp/k.cu\"\n",
        code);
    struct engine_argument buffer = {
        .is_buffer = true, .type = ELEMENT_u32, .name = "a", .count = MODEL_ELEMENTS};
    struct engine_launch launch = {.ptx = text_string(&ptx),
                                   .ptx_length = strlen(text_string(&ptx)),
                                   .kernel = "k",
                                   .file_name = "k.cu",
                                   .grid = {BLOCKS - 1, 1, 1},
                                   .block = {32, 1, 1},
                                   .arguments = &buffer,
                                   .argument_count = 1,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .budget = 100000000,
                                   .no_checks = true,
                                   .device = &h200,
                                   .registers = 32,
                                   .threads = 1,
                                   .sample_budget = 1};
    struct engine_result result;
    sim_run(&launch, &result); /* what a block costs */
    launch.sample_budget = 200 * result.counters.thread_instructions / (BLOCKS - 1);
    engine_result_free(&result);
    sim_run(&launch, &result);
    if (result.end != ENGINE_COMPLETED)
        fail_msg("%s", result.message);
    for (size_t i = 0; i < result.line_count; i++)
        if (result.lines[i].line < 9)
            sectors[result.lines[i].line] = (double)result.lines[i].counters.dram_read_sectors;
    assert_int_equal(result.profile.sampling, SAMPLING_sampled);
    engine_result_free(&result);
    text_free(&ptx);
}

/* Each block reads its line (source line 4) and later, when it has executed much or waited for
 * that, the next block's (line 6), which has read it by then. Of a sample, in which few blocks have
 * their neighbour, both read what no block has read; of the whole grid, line 4 does. */
static void who_comes_first_fetches(void **state) {
    (void)state;
    static const char *const between[] = {
        "L:\nadd.u32 n, n, l;\nadd.u32 s, n, 1;\nadd.u32 n, s, 1;\nsetp.lt.u32 q, n, 400;\n"
        "@q bra L;\n",
        "setp.eq.u32 q, r, 77777;\n@q ret;\n"};
    for (size_t i = 0; i < ARRAY_LENGTH(between); i++) {
        struct text code = {0};
        double sectors[9] = {0};
        text_printf(&code,
                    ".loc 1 4 9\nld.global.u32 r, [x];\n.loc 1 5 9\n%s"
                    ".loc 1 6 9\nld.global.u32 s, [x+4096];\nadd.u32 r, r, s;\n",
                    between[i]);
        sectors_by_line(text_string(&code), sectors);
        text_free(&code);
        double all = 4.0 * BLOCKS; /* the sample guesses how much of it blocks share */
        if (fabs(sectors[4] - all) > 0.05 * all || sectors[6] > 0.15 * sectors[4])
            fail_msg("%zu: %g sectors by those who come first, %g by the others, of %g", i,
                     sectors[4], sectors[6], all);
    }
}

/* Line 4 reads what no other block does, line 6 what two blocks do: the first of them fetches it.
 */
static void what_nobody_shares_is_fetched_by_its_reader(void **state) {
    (void)state;
    double sectors[9] = {0}, all = 4.0 * BLOCKS;
    sectors_by_line(".loc 1 4 9\nld.global.u32 r, [x+256];\n"
                    ".loc 1 6 9\nld.global.u32 s, [y];\nadd.u32 r, r, s;\n",
                    sectors);
    if (fabs(sectors[4] - all) > 0.05 * all || fabs(sectors[6] - all / 2) > 0.15 * all)
        fail_msg("%g sectors that one block reads, %g that two read, of %g and %g", sectors[4],
                 sectors[6], all, all / 2);
}

/* Eight warps read a sector each, step by step. Device memory gives a pair of them at a time: the
 * warp that asks for the second one waits as long as the one that asks for the first. */
static void the_other_half_of_a_pair_is_on_its_way(void **state) {
    (void)state;
    enum { STEPS = 100 };
    struct device_profile device = h200;
    device.dram_spread_cycles = device.l2_spread_cycles = 0;
    double clocks = clocks_on(&device,
                              "shr.u32 %r1, %l, 5;\nmul.wide.u32 %x, %r1, 32;\n"
                              "add.s64 %x, %x, %a;\nmov.u32 %r1, 0;\nL:\n"
                              "ld.global.u32 %r2, [%x];\nand.b32 %r2, %r2, 0;\n"
                              "mul.wide.u32 %y, %r2, 4;\nadd.s64 %x, %x, %y;\n"
                              "add.s64 %x, %x, 4096;\nadd.u32 %r1, %r1, 1;\n"
                              "setp.lt.u32 %p, %r1, 100;\n@%p bra L;\nst.global.u32 [%a], %r2;",
                              1, 256);
    if (clocks < STEPS * h200.dram_cycles)
        fail_msg("%g clocks a step", clocks / STEPS);
}

/* Two blocks store a sector each of 64 bytes. Of a sample, in which few of them meet, the grid's
 * sectors are as many all the same: a block shares none of its own. */
static void sectors_of_one_block_are_stored_once_each(void **state) {
    (void)state;
    enum { STORING = MODEL_ELEMENTS / 8, SAMPLED = 2000, INSTRUCTIONS = 12 };
    struct device_profile device = few;
    device.l2_bytes = 1 << 16;
    struct engine_result result =
        profile_sample(&device,
                       "mad.lo.u32 %r1, %b, 8, %l;\nmul.wide.u32 %x, %r1, 4;\n"
                       "add.s64 %x, %x, %a;\nst.global.u32 [%x], %l;",
                       STORING, 8, SAMPLED * 8 * INSTRUCTIONS);
    assert_int_equal(result.profile.sampling, SAMPLING_sampled);
    double written = (double)result.counters.dram_write_sectors;
    engine_result_free(&result);
    if (fabs(written - STORING) > 0.1 * STORING)
        fail_msg("%g sectors are written, not %d", written, STORING);
}

/* A block a column of a matrix, of which 16 share each pair of sectors. In a small sample a few
 * blocks meet there by chance, which says little about the pairs; the words are one block's each,
 * so that all of the matrix is read, and comes from device memory, for the caches are cold. */
static void what_is_read_comes_from_device_memory(void **state) {
    (void)state;
    enum { SIDE = 1024 };
    _Static_assert(SIDE * SIDE == MODEL_ELEMENTS, "the matrix is the buffer");
    static const unsigned samples[] = {12, 20, 30, 40, 60, 90};
    for (unsigned i = 0; i < ARRAY_LENGTH(samples); i++) {
        struct engine_result result = profile_sample(
            &h200,
            "mad.lo.u32 %r1, %l, 1024, %b;\nmad.wide.u32 %x, %r1, 4, %a;\nmov.u32 %r3, 0;\nL:\n"
            "ld.global.u32 %r2, [%x];\nadd.u32 %r4, %r4, %r2;\nadd.s64 %x, %x, 131072;\n"
            "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p, %r3, 32;\n@%p bra L;\n"
            "setp.ne.u32 %p, %r4, 12345;\n@%p ret;\nst.global.u32 [%a], %r4;",
            SIDE, 32, samples[i] * UINT64_C(32) * 32 * 6);
        assert_int_equal(result.profile.sampling, SAMPLING_sampled);
        double read = 32.0 * (double)result.counters.dram_read_sectors;
        double error = result.profile.errors[SAMPLED_dram_bytes];
        engine_result_free(&result);
        if (fabs(read - 4.0 * MODEL_ELEMENTS) > 0.02 * 4.0 * MODEL_ELEMENTS || error > 0.05)
            fail_msg("of %u blocks: %g bytes of device memory, standard error %g", samples[i], read,
                     error);
    }
}

/* ---- two partitions -------------------------------------------------------------------------- */

static double l2_clocks(double far_factor, const char *access) {
    struct device_profile device = few;
    device.l2_far_factor = far_factor;
    device.l2_packet_sectors = device.l2_fabric_sectors = 0;
    struct text body = {0};
    text_printf(&body, "mad.lo.u32 %%r3, %%b, %%d, %%l;\nmad.wide.u32 %%x, %%r3, 4, %%a;\n%s",
                access);
    double clocks = busy_clocks(&device, PART_l2, text_string(&body), MODEL_ELEMENTS / 256, 256);
    text_free(&body);
    return clocks;
}

/* Stores, and what comes from device memory, cost the L2 as much more as its partitions say; what
 * it has already does not. */
static void far_partitions_cost_stores_and_fetches(void **state) {
    (void)state;
    static const struct {
        const char *name, *access;
        double times;
    } rows[] = {
        {"stores", "st.global.u32 [%x], %l;", 1.5},
        {"fetches",
         "ld.global.cg.u32 %r2, [%x];\nsetp.ne.u32 %p, %r2, 77777;\n@%p ret;\n"
         "st.global.u32 [%a], %r2;",
         1.5},
        {"one line for all",
         "ld.global.cg.u32 %r2, [%a];\nsetp.ne.u32 %p, %r2, 77777;\n@%p ret;\n"
         "st.global.u32 [%a], %r2;",
         1},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        double times = l2_clocks(1.5, rows[i].access) / l2_clocks(1, rows[i].access);
        if (fabs(times - rows[i].times) > 0.05)
            fail_msg("%s: %g times the clocks, not %g", rows[i].name, times, rows[i].times);
    }
}

/* What is stored comes to the L2 in packets, one for each sector and one more for a line whose
 * sectors are changed in parts; how much of a sector that is makes no difference. */
static void stores_come_in_packets(void **state) {
    (void)state;
    static const struct {
        const char *name, *access;
        double packets; /* a request */
    } rows[] = {
        {"a whole line", "st.global.u32 [%x], %l;", 4},
        {"a byte of each sector of eight lines", "st.global.u8 [%y], %l;", 8 * 5},
        {"half of each sector of eight lines", "st.global.v4.u32 [%y], {%l,%l,%l,%l};", 8 * 5},
    };
    struct device_profile device = few;
    device.l2_far_factor = 1;
    device.l2_line_sectors = 0;
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text body = {0};
        text_printf(&body,
                    "mad.lo.u32 %%r3, %%b, %%d, %%l;\nmad.wide.u32 %%x, %%r3, 4, %%a;\n"
                    "and.b32 %%r3, %%r3, %d;\nmad.wide.u32 %%y, %%r3, 32, %%a;\n%s",
                    MODEL_ELEMENTS / 8 - 1, rows[i].access);
        double clocks =
            busy_clocks(&device, PART_l2, text_string(&body), MODEL_ELEMENTS / 256, 256);
        text_free(&body);
        double packets = MODEL_ELEMENTS / 32.0 * rows[i].packets * device.l2_packet_sectors;
        double expected = packets / (device.l2_gbps / device.clock_mhz * 1000 / 32);
        if (fabs(clocks - expected) > 0.05 * expected)
            fail_msg("%s: the L2 is busy for %g clocks, not %g", rows[i].name, clocks, expected);
    }
}

/* What is stored and what comes from device memory cross between the L2's partitions; what both
 * have does not. */
static void what_crosses_the_l2_takes_turns(void **state) {
    (void)state;
    static const struct {
        const char *name, *access;
        double sectors; /* that cross, a warp */
    } rows[] = {
        {"stored", "st.global.u32 [%x], %l;", 4},
        {"from device memory", "ld.global.u32 %r2, [%x];", 4},
        {"both", "ld.global.u32 %r2, [%x];\nst.global.u32 [%x], %r2;", 8},
        {"once from device memory",
         "ld.global.cg.u32 %r2, [%x];\nadd.u32 %r3, %r2, 1;\nld.global.cg.u32 %r2, [%x];", 4},
    };
    struct device_profile device = few;
    device.l2_line_sectors = device.l2_packet_sectors = 0;
    device.l2_fabric_sectors = 20; /* far more than all else */
    double sector = device.l2_fabric_sectors / (device.l2_gbps / device.clock_mhz * 1000 / 32);
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text body = {0};
        text_printf(&body, "mad.lo.u32 %%r3, %%b, %%d, %%l;\nmad.wide.u32 %%x, %%r3, 4, %%a;\n%s",
                    rows[i].access);
        double clocks =
            busy_clocks(&device, PART_l2, text_string(&body), MODEL_ELEMENTS / 256, 256);
        text_free(&body);
        double expected = MODEL_ELEMENTS / 32.0 * rows[i].sectors * sector;
        if (fabs(clocks - expected) > 0.05 * expected)
            fail_msg("%s: the L2 is busy for %g clocks, not %g", rows[i].name, clocks, expected);
    }
}

/* Packets of a warp that stores the eight words of each lane's own sector one after the other, with
 * this many dependent additions in between. */
static double packets_of_words(unsigned additions, unsigned blocks, unsigned threads) {
    struct device_profile device = few;
    device.l2_far_factor = 1;
    device.l2_line_sectors = 0;
    struct text body = {0};
    text_printf(&body,
                "mad.lo.u32 %%r3, %%b, %%d, %%l;\nand.b32 %%r3, %%r3, %d;\n"
                "mad.wide.u32 %%y, %%r3, 32, %%a;\nmov.u32 %%r4, %%l;\n",
                MODEL_ELEMENTS / 8 - 1);
    for (unsigned word = 0; word < 8; word++) {
        for (unsigned i = 0; i < additions; i++)
            text_printf(&body, "mul.lo.u32 %%r4, %%r4, %%r4;\n");
        text_printf(&body, "st.global.u32 [%%y+%u], %%r4;\n", 4 * word);
    }
    double clocks = busy_clocks(&device, PART_l2, text_string(&body), blocks, threads);
    text_free(&body);
    return clocks * (device.l2_gbps / device.clock_mhz * 1000 / 32) / device.l2_packet_sectors /
           (blocks * threads / 32);
}

/* Stores to the same sectors find each other on their way out where the warp has its next turn
 * soon: not if others take many in between, nor if arithmetic takes its time. */
static void stores_find_each_other_for_a_while(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned additions, blocks, threads;
        double least, most;
    } rows[] = {
        {"a warp an SM", 0, FEW_SMS, 32, 32, 33},
        {"a warp that computes for longer", 40, FEW_SMS, 32, 32 + 7 * 40, 32 + 7 * 40},
        {"many warps", 0, FEW_SMS * 8, 1024, 0.75 * 8 * 40, 8 * 40},
    };
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        double packets = packets_of_words(rows[i].additions, rows[i].blocks, rows[i].threads);
        if (packets < 0.99 * rows[i].least || packets > 1.01 * rows[i].most)
            fail_msg("%s: %g packets", rows[i].name, packets);
    }
}

/* probe lines: what a store takes of an SM's unit beside loads of 32 passes each, a word of
 * each lane this many bytes from the next one's: measured. */
static void a_store_takes_a_turn_for_each_line(void **state) {
    (void)state;
    enum { TURNS = 32 };
    static const struct {
        unsigned pitch;
        double clocks;
    } rows[] = {{16, 6.5}, {32, 14}, {36, 10.6}, {64, 30}, {68, 21}, {128, 61}, {132, 51.5}};
    static const char code[] =
        "mov.u32 %%r4, %%l;\nmul.wide.u32 %%y, %%l, 128;\nadd.s64 %%y, %%y, %%a;\n"
        "mad.lo.u32 %%r3, %%b, %%d, %%l;\nmul.wide.u32 %%x, %%r3, %u;\nadd.s64 %%x, %%x, %%a;\n"
        "mov.u32 %%r1, 0;\nLOOP:\nld.global.u32 %%r2, [%%y];\nld.global.u32 %%r3, [%%y+4];\n"
        "ld.global.u32 %%r5, [%%y+8];\nadd.u32 %%r2, %%r2, %%r3;\nadd.u32 %%r4, %%r5, %%r2;\n"
        "%s\nadd.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p, %%r1, %u;\n@%%p bra LOOP;\n"
        "st.global.u32 [%%x], %%r4;\n";
    for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
        double clocks[2];
        for (unsigned stores = 0; stores < 2; stores++) {
            struct text body = {0};
            text_printf(&body, code, rows[i].pitch, stores ? "st.global.u32 [%x], %r4;" : "",
                        (unsigned)TURNS);
            clocks[stores] =
                busy_clocks(&few, PART_l1, text_string(&body), FEW_SMS, 512) / (TURNS * 16);
            text_free(&body);
        }
        double own = clocks[1] - clocks[0];
        if (fabs(own - rows[i].clocks) > 0.25 * rows[i].clocks)
            fail_msg("%u bytes apart: %g clocks, %g measured", rows[i].pitch, own, rows[i].clocks);
    }
}

/* Stores that cannot leave the SM hold up what comes after them, in shared memory, too. */
static void a_full_way_out_holds_up_the_unit(void **state) {
    (void)state;
    enum { STORES = 100, LOADS = 1000 };
    struct device_profile device = few;
    device.l2_gbps = 0.1 * 32 * device.clock_mhz / 1000 * device.l2_packet_sectors;
    struct text stores = {0}, loads = {0}, both = {0};
    text_printf(&stores, ".shared .u32 s;\nmov.u32 %%r2, s;\nst.shared.u32 [%%r2], %%r2;\n"
                         "mul.wide.u32 %%x, %%l, 128;\nadd.s64 %%x, %%x, %%a;\n");
    text_printf(&both, "%s", text_string(&stores));
    text_printf(&loads, "%s", text_string(&stores));
    for (unsigned i = 0; i < STORES; i++) {
        text_printf(&stores, "st.global.u32 [%%x+%u], %%l;\n", 4096 * i);
        text_printf(&both, "st.global.u32 [%%x+%u], %%l;\n", 4096 * i);
    }
    for (unsigned i = 0; i < LOADS; i++) {
        text_printf(&loads, "ld.shared.u32 %%r2, [%%r2];\n");
        text_printf(&both, "ld.shared.u32 %%r2, [%%r2];\n");
    }
    double alone = clocks_on(&device, text_string(&stores), 1, 32);
    double unhindered = clocks_on(&device, text_string(&loads), 1, 32);
    double together = clocks_on(&device, text_string(&both), 1, 32);
    text_free(&stores);
    text_free(&loads);
    text_free(&both);
    if (together < 0.8 * (alone + unhindered))
        fail_msg("%g clocks, %g of stores and %g of loads", together, alone, unhindered);
}

/* Clocks of the L2 where each warp reads this many words of a line of its own, a lane or more each.
 */
static double clocks_of_words(unsigned words) {
    struct text load = {0};
    text_printf(&load,
                "and.b32 %%r4, %%r3, -32;\nand.b32 %%r5, %%l, %u;\nadd.u32 %%r4, %%r4, %%r5;\n"
                "mad.wide.u32 %%x, %%r4, 4, %%a;\nld.global.cg.u32 %%r2, [%%x];\n"
                "setp.ne.u32 %%p, %%r2, 77777;\n@%%p ret;\nst.global.u32 [%%a], %%r2;",
                words - 1);
    double clocks = l2_clocks(1, text_string(&load));
    text_free(&load);
    return clocks;
}

/* Sectors of a line cost the L2 what they are, but no line less than a line does. */
static void a_line_costs_the_l2_its_sectors_or_more(void **state) {
    (void)state;
    double line = clocks_of_words(32) / 4, half = clocks_of_words(16) / line,
           sector = clocks_of_words(8) / line;
    if (fabs(half - 2) > 0.05 || fabs(sector - h200.l2_line_sectors) > 0.05)
        fail_msg("half a line costs %g sectors, one sector %g", half, sector);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_heavy_blocks_do_not_stand_for_the_others),
        cmocka_unit_test(dear_blocks_in_the_middle_do_not_shrink_the_sample),
        cmocka_unit_test(later_blocks_do_not_wait_together),
        cmocka_unit_test(the_more_share_it_the_fewer_wait),
        cmocka_unit_test(who_comes_first_fetches),
        cmocka_unit_test(what_nobody_shares_is_fetched_by_its_reader),
        cmocka_unit_test(the_other_half_of_a_pair_is_on_its_way),
        cmocka_unit_test(sectors_of_one_block_are_stored_once_each),
        cmocka_unit_test(what_is_read_comes_from_device_memory),
        cmocka_unit_test(far_partitions_cost_stores_and_fetches),
        cmocka_unit_test(stores_come_in_packets),
        cmocka_unit_test(stores_find_each_other_for_a_while),
        cmocka_unit_test(what_crosses_the_l2_takes_turns),
        cmocka_unit_test(a_store_takes_a_turn_for_each_line),
        cmocka_unit_test(a_full_way_out_holds_up_the_unit),
        cmocka_unit_test(a_line_costs_the_l2_its_sectors_or_more),
    };
    return cmocka_run_group_tests(tests, load_devices, NULL);
}
