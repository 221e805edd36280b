/* What pictures of a stored report are made of: json_pictures.c, backwards. A picture is drawn from
 * every number here, so that each has its bounds. */
#include "reports/stored/parts.h"

#include "reports/json_pictures.h"
#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* Up to `most` words of 32 bits; how many there are. null where `holes` is given is a hole there.
 */
static size_t read_words(struct member_reader *reader, const json_t *object, const char *key,
                         enum member_need need, uint32_t *words, size_t most, lane_mask *holes) {
    size_t count;
    const json_t *list = member_list(reader, object, key, need, most, &count);
    for (size_t i = 0; list && i < count; i++) {
        const json_t *value = json_array_get(list, i);
        if (holes && json_is_null(value))
            *holes |= (lane_mask)1 << i;
        else if (!json_is_integer(value) || json_integer_value(value) < 0 ||
                 json_integer_value(value) > UINT32_MAX)
            member_fail(reader, key, "must be whole numbers of 32 bits");
        else
            words[i] = (uint32_t)json_integer_value(value);
    }
    return count;
}

struct dim3 stored_read_dim3(struct member_reader *reader, const json_t *object, const char *key) {
    uint32_t extents[3] = {0};
    if (read_words(reader, object, key, MEMBER_REQUIRED, extents, 3, NULL) != 3)
        member_fail(reader, key, "must be three whole numbers");
    return (struct dim3){extents[0], extents[1], extents[2]};
}

void stored_read_launch(struct member_reader *reader, const json_t *object,
                        struct report_case *item) {
    object = member_object(reader, object, "launch", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "launch");
    item->grid = stored_read_dim3(reader, object, "grid");
    item->block = stored_read_dim3(reader, object, "block");
    member_leave(reader, mark);
}

/* ---- hazards --------------------------------------------------------------------------------- */

static enum scene_access read_access(struct member_reader *reader, const json_t *object,
                                     const char *key) {
    size_t access = member_choice(reader, object, key, MEMBER_OPTIONAL, json_access_names + 1,
                                  SCENE_ACCESS_COUNT - 1, "access");
    return access < SCENE_ACCESS_COUNT - 1 ? (enum scene_access)(access + 1) : SCENE_UNKNOWN;
}

void stored_read_scene(struct member_reader *reader, const json_t *object,
                       struct hazard_scene *scene) {
    object = member_object(reader, object, "scene", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "scene");
    scene->access = read_access(reader, object, "access");
    scene->other_access = read_access(reader, object, "other_access");
    scene->block_threads = (uint32_t)member_integer(
        reader, object, "block_threads", MEMBER_OPTIONAL, 1, ENGINE_BLOCK_WARPS * WARP_LANES);
    read_words(reader, object, "waiting", MEMBER_OPTIONAL, scene->waiting, ENGINE_BLOCK_WARPS,
               NULL);
    read_words(reader, object, "elsewhere", MEMBER_OPTIONAL, scene->elsewhere, ENGINE_BLOCK_WARPS,
               NULL);
    scene->element =
        member_integer(reader, object, "element", MEMBER_OPTIONAL, INT64_MIN, INT64_MAX);
    scene->elements = member_unsigned(reader, object, "elements", MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

/* ---- outputs --------------------------------------------------------------------------------- */

static bool is_row(const json_t *value, size_t width) {
    return json_is_string(value) && json_string_length(value) == width &&
           strspn(json_string_value(value), report_cell_letters) == width;
}

/* Letters that no row of report_cell.def has would be drawn as nothing. */
static void read_cells(struct member_reader *reader, const json_t *object,
                       struct report_grid *grid) {
    size_t height;
    const json_t *list =
        member_list(reader, object, "cells", MEMBER_REQUIRED, REPORT_GRID_MOST, &height);
    size_t width = json_string_length(json_array_get(list, 0));
    if (!list)
        return;
    bool right =
        width > 0 && width <= REPORT_GRID_MOST && width <= grid->columns && height <= grid->rows;
    for (size_t i = 0; i < height; i++)
        right &= is_row(json_array_get(list, i), width);
    if (!right) {
        member_fail(reader, "cells",
                    "must be texts of one length, 1 to %d of the letters \"%s\", and no more than "
                    "there are elements",
                    REPORT_GRID_MOST, report_cell_letters);
        return;
    }
    grid->height = (unsigned)height;
    grid->width = (unsigned)width;
    grid->cells = mem_zalloc(height * width + 1);
    for (size_t i = 0; i < height; i++)
        memcpy(grid->cells + i * width, json_string_value(json_array_get(list, i)), width);
}

static void read_grid(struct member_reader *reader, const json_t *object, const char *key,
                      struct report_grid *grid) {
    object = member_object(reader, object, key, MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, key);
    grid->row = member_unsigned(reader, object, "row", MEMBER_REQUIRED);
    grid->column = member_unsigned(reader, object, "column", MEMBER_REQUIRED);
    grid->rows = member_unsigned(reader, object, "rows", MEMBER_REQUIRED);
    grid->columns = member_unsigned(reader, object, "columns", MEMBER_REQUIRED);
    read_cells(reader, object, grid);
    member_leave(reader, mark);
}

void stored_read_grids(struct member_reader *reader, const json_t *object,
                       struct report_difference *difference) {
    size_t count;
    const json_t *extents = member_list(reader, object, "extents", MEMBER_OPTIONAL, 2, &count);
    if (!extents)
        return;
    json_int_t rows = json_integer_value(json_array_get(extents, 0));
    json_int_t columns = json_integer_value(json_array_get(extents, 1));
    if (rows <= 0 || columns <= 0) {
        member_fail(reader, "extents", "must be two whole numbers above 0");
        return;
    }
    difference->rows = (uint64_t)rows;
    difference->columns = (uint64_t)columns;
    difference->wrapped = member_bool(reader, object, "wrapped", MEMBER_OPTIONAL);
    read_grid(reader, object, "window", &difference->window);
    read_grid(reader, object, "map", &difference->map);
}

/* ---- costs ----------------------------------------------------------------------------------- */

static void read_parts(struct member_reader *reader, const json_t *object,
                       struct report_speed *speed) {
    object = member_object(reader, object, "parts_ms", MEMBER_OPTIONAL);
    size_t mark = member_enter(reader, "parts_ms");
    for (size_t i = 0; i < COST_PART_COUNT; i++)
        speed->part_ms[i] = member_real(reader, object, json_part_ids[i], MEMBER_OPTIONAL);
    member_leave(reader, mark);
}

static void read_lines(struct member_reader *reader, const json_t *object,
                       struct report_speed *speed) {
    size_t count;
    const json_t *list =
        member_list(reader, object, "lines", MEMBER_OPTIONAL, REPORT_MAX_LINES, &count);
    size_t mark = member_enter(reader, "lines");
    speed->lines = mem_calloc(count + 1, sizeof *speed->lines);
    for (size_t i = 0; i < count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        const json_t *item = member_element(reader, list, i);
        struct line_counters *line = &speed->lines[speed->line_count++];
        line->line = (unsigned)member_integer(reader, item, "line", MEMBER_REQUIRED, 1, UINT_MAX);
        line->modelled_ms = member_real(reader, item, "modelled_ms", MEMBER_REQUIRED);
        stored_read_counters(reader, member_object(reader, item, "counters", MEMBER_REQUIRED),
                             &line->counters);
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static void read_warp_access(struct member_reader *reader, const json_t *object,
                             struct warp_access *access) {
    static const char *const spaces[] = {"global", "shared"};
    enum { WIDEST_LANE = 16 };
    lane_mask holes = 0;
    member_buffer(reader, object, "file", MEMBER_REQUIRED, access->file, sizeof access->file);
    access->line = (unsigned)member_integer(reader, object, "line", MEMBER_OPTIONAL, 1, UINT_MAX);
    access->is_shared = member_choice(reader, object, "space", MEMBER_REQUIRED, spaces,
                                      ARRAY_LENGTH(spaces), "memory") == 1;
    access->is_store = read_access(reader, object, "access") == SCENE_WRITE;
    access->bytes =
        (unsigned)member_integer(reader, object, "bytes", MEMBER_REQUIRED, 1, WIDEST_LANE);
    if (read_words(reader, object, "offsets", MEMBER_REQUIRED, access->offsets, WARP_LANES,
                   &holes) != WARP_LANES)
        member_fail(reader, "offsets", "must have %d elements", WARP_LANES);
    access->lanes = ~holes;
}

static void read_accesses(struct member_reader *reader, const json_t *object,
                          struct report_speed *speed) {
    const json_t *list = member_list(reader, object, "accesses", MEMBER_OPTIONAL,
                                     ENGINE_MAX_ACCESSES, &speed->access_count);
    size_t mark = member_enter(reader, "accesses");
    for (size_t i = 0; i < speed->access_count && !reader->failed; i++) {
        size_t element = member_enter_element(reader, i);
        read_warp_access(reader, member_element(reader, list, i), &speed->accesses[i]);
        member_leave(reader, element);
    }
    member_leave(reader, mark);
}

static void read_point(struct member_reader *reader, const json_t *object, const char *key,
                       struct report_point *point) {
    static const char *const kinds[] = {"modelled", "measured"};
    object = member_object(reader, object, key, MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, key);
    point->present = true;
    point->measured = member_choice(reader, object, "kind", MEMBER_REQUIRED, kinds,
                                    ARRAY_LENGTH(kinds), "kind of time") == 1;
    point->flops = member_real(reader, object, "flops", MEMBER_REQUIRED);
    point->dram_bytes = member_real(reader, object, "dram_bytes", MEMBER_REQUIRED);
    point->ms = member_real(reader, object, "ms", MEMBER_REQUIRED);
    member_leave(reader, mark);
}

static void read_roofline(struct member_reader *reader, const json_t *object,
                          struct report_roofline *roofline) {
    object = member_object(reader, object, "roofline", MEMBER_OPTIONAL);
    if (!object)
        return;
    size_t mark = member_enter(reader, "roofline");
    roofline->present = true;
    roofline->precision = member_text(reader, object, "precision", MEMBER_REQUIRED);
    roofline->peak_gflops = member_real(reader, object, "peak_gflops", MEMBER_REQUIRED);
    roofline->peak_gbps = member_real(reader, object, "peak_gbps", MEMBER_REQUIRED);
    read_point(reader, object, "submission", &roofline->submission);
    read_point(reader, object, "tuned", &roofline->tuned);
    read_point(reader, object, "baseline", &roofline->baseline);
    member_leave(reader, mark);
}

void stored_read_costs(struct member_reader *reader, const json_t *object,
                       struct report_speed *speed) {
    read_parts(reader, object, speed);
    read_lines(reader, object, speed);
    read_accesses(reader, object, speed);
    read_roofline(reader, object, &speed->roofline);
}
