/* Reports with all that pictures are made of: other fixtures, with pictures added. */
#include "tests/golden/fixtures.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- outputs --------------------------------------------------------------------------------- */

/* A square of right elements whose column `wrong` is 0. */
static struct report_grid draw_square(unsigned cells, uint64_t elements, unsigned wrong) {
    struct report_grid grid = {.rows = elements,
                               .columns = elements,
                               .height = cells,
                               .width = cells,
                               .cells = mem_zalloc((size_t)cells * cells + 1)};
    memset(grid.cells, '.', (size_t)cells * cells);
    for (unsigned i = 0; i < cells; i++)
        grid.cells[i * cells + wrong] = 'z';
    return grid;
}

static void set_launch(struct report_case *item, unsigned blocks, unsigned threads) {
    item->grid = (struct dim3){blocks, blocks, 1};
    item->block = (struct dim3){threads, threads, 1};
}

/* The last column of a matrix is 0; of a larger one, the second case's, too; of a vector, the third
 * case's, the end is never written. */
struct report *fixture_last_column(void) {
    struct report *report = fixture_find("wrong")->make();
    struct report_difference *small = &report->cases[1].difference;
    struct report_difference *large = &report->cases[2].difference;
    struct report_difference *vector = &report->cases[4].difference;
    report->constants = mem_calloc(1, sizeof *report->constants);
    report->constants[0] = (struct report_size){mem_strdup("TILE_WIDTH"), 16};
    report->constant_count = 1;
    small->rows = small->columns = 33;
    small->differing = 33;
    small->total = (uint64_t)33 * 33;
    small->window = draw_square(33, 33, 32);
    set_launch(&report->cases[1], 3, 16);
    large->rows = large->columns = 100;
    large->differing = 100;
    large->total = (uint64_t)100 * 100;
    large->window = draw_square(48, 48, 47);
    large->window.row = 0;
    large->window.column = 52;
    large->map = draw_square(34, 100, 33);
    set_launch(&report->cases[2], 7, 16);
    *vector = (struct report_difference){.present = true,
                                         .output = vector->output,
                                         .index = vector->index,
                                         .expected = 7,
                                         .never_written = true,
                                         .is_integer = true,
                                         .flat_index = 96,
                                         .differing = 4,
                                         .total = 100,
                                         .rows = 4,
                                         .columns = 32,
                                         .wrapped = true};
    vector->window = (struct report_grid){
        .rows = 4,
        .columns = 32,
        .height = 4,
        .width = 32,
        .cells =
            mem_printf("%.32s%.32s%.32suuuu%28s", "................................",
                       "................................", "................................", "")};
    return report;
}

/* ---- hazards --------------------------------------------------------------------------------- */

/* Of each kind that has a picture one, in a case of its own. */
struct report *fixture_pictured_hazards(void) {
    struct report *report = fixture_find("hazards")->make();
    for (size_t i = 1; i <= 4; i++) {
        struct hazard_scene *scene = &report->cases[i].hazards[0].scene;
        report->cases[i].grid = (struct dim3){(uint32_t)i, 1, 1};
        report->cases[i].block = (struct dim3){256, 1, 1};
        scene->block_threads = 256;
        for (unsigned w = 0; w < 4; w++)
            scene->waiting[w] = UINT32_MAX;
        scene->elsewhere[4] = 0xffff;
    }
    struct hazard *outside = &report->cases[3].hazards[1];
    outside->scene = (struct hazard_scene){.access = SCENE_READ, .element = 1024, .elements = 1024};
    struct hazard *race = &report->cases[5].hazards[0];
    race->kind = HAZARD_SHARED_RACE;
    race->other_line = 13;
    race->thread_count = 2;
    race->threads[1].thread.x = 37;
    race->scene = (struct hazard_scene){.access = SCENE_WRITE, .other_access = SCENE_READ};
    snprintf(race->other_file, sizeof race->other_file, "dot.cu");
    snprintf(race->variable, sizeof race->variable, "s[5]");
    return report;
}

/* ---- speed ----------------------------------------------------------------------------------- */

static void add_line(struct report_speed *speed, unsigned number, double ms,
                     struct counters counters) {
    speed->lines = mem_realloc(speed->lines, speed->line_count + 1, sizeof *speed->lines);
    struct line_counters *line = &speed->lines[speed->line_count++];
    *line = (struct line_counters){.line = number, .modelled_ms = ms, .counters = counters};
    snprintf(line->file, sizeof line->file, "slow.cu");
}

static struct warp_access make_access(unsigned line, bool is_shared, uint32_t stride) {
    struct warp_access access = {
        .line = line, .is_shared = is_shared, .bytes = 4, .lanes = 0x7fffffff};
    for (uint32_t lane = 0; lane < 31; lane++)
        access.offsets[lane] = lane * stride;
    snprintf(access.file, sizeof access.file, "slow.cu");
    return access;
}

struct report *fixture_pictured_speed(void) {
    struct report *report = fixture_find("measured")->make();
    struct report_case *item = &report->cases[report->case_count - 1];
    struct report_speed *speed = &item->speed;
    item->grid = (struct dim3){4096, 1, 1};
    item->block = (struct dim3){256, 1, 1};
    speed->part_ms[PART_dram] = 1.15;
    speed->part_ms[PART_l2] = 0.5;
    speed->part_ms[PART_latency] = 0.001;
    add_line(speed, 7, 0.4,
             (struct counters){.warp_instructions = 262144,
                               .thread_instructions = 8388608,
                               .global_load_requests = 65536,
                               .global_load_sectors = 262144,
                               .global_load_ideal_sectors = 262144});
    add_line(speed, 11, 0.85,
             (struct counters){.warp_instructions = 1572864,
                               .thread_instructions = 25165824,
                               .global_load_requests = 65536,
                               .global_load_sectors = 2097152,
                               .global_load_ideal_sectors = 262144,
                               .shared_load_requests = 131072,
                               .shared_load_wavefronts = 524288,
                               .shared_bank_conflicts = 393216,
                               .divergent_branches = 5,
                               .inactive_lanes = 25165824});
    speed->accesses[0] = make_access(11, false, 128);
    speed->accesses[1] = make_access(11, true, 16);
    speed->access_count = 2;
    speed->roofline = (struct report_roofline){.present = true,
                                               .precision = mem_strdup("FP32"),
                                               .peak_gflops = 66908.16,
                                               .peak_gbps = 4460,
                                               .submission = {true, true, 6.7e7, 1.07e9, 1.25},
                                               .tuned = {true, false, 6.7e7, 2.7e8, 0.25},
                                               .baseline = {true, true, 6.7e7, 2.68e8, 0.234}};
    return report;
}
