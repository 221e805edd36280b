/* What the pictures of a report are made of, as JSON: so that a stored report can become HTML, and
 * other programs can draw their own. Every member came later in schema 2 and is left out where
 * there is nothing of it. Lines have the counters that are not 0: most are, in most lines. */
#include "reports/json_pictures.h"

#include "reports/json_parts.h"

#include <string.h>

/* ---- outputs --------------------------------------------------------------------------------- */

static void set_grid(json_t *object, const char *name, const struct report_grid *grid) {
    if (!grid->columns || !grid->cells)
        return;
    json_t *cells = json_array();
    for (unsigned i = 0; i < grid->height; i++)
        json_array_append_new(cells,
                              json_text_bytes(grid->cells + (size_t)i * grid->width, grid->width));
    json_object_set_new(object, name,
                        json_pack("{so so so so so}", "row", json_unsigned(grid->row), "column",
                                  json_unsigned(grid->column), "rows", json_unsigned(grid->rows),
                                  "columns", json_unsigned(grid->columns), "cells", cells));
}

void json_set_grids(json_t *object, const struct report_difference *difference) {
    if (!difference->columns)
        return;
    json_object_set_new(
        object, "extents",
        json_pack("[oo]", json_unsigned(difference->rows), json_unsigned(difference->columns)));
    if (difference->wrapped)
        json_object_set_new(object, "wrapped", json_true());
    set_grid(object, "window", &difference->window);
    set_grid(object, "map", &difference->map);
}

/* ---- hazards --------------------------------------------------------------------------------- */

const char *const json_access_names[SCENE_ACCESS_COUNT] = {NULL, "read", "write", "atomic"};

static void set_access(json_t *object, const char *name, enum scene_access access) {
    if (access != SCENE_UNKNOWN)
        json_object_set_new(object, name, json_string(json_access_names[access]));
}

static json_t *masks_json(const lane_mask masks[ENGINE_BLOCK_WARPS], uint32_t threads) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < ENGINE_BLOCK_WARPS && i * WARP_LANES < threads; i++)
        json_array_append_new(list, json_integer(masks[i]));
    return list;
}

void json_set_scene(json_t *object, const struct hazard_scene *scene) {
    json_t *item = json_object();
    set_access(item, "access", scene->access);
    set_access(item, "other_access", scene->other_access);
    if (scene->block_threads) {
        json_object_set_new(item, "block_threads", json_integer(scene->block_threads));
        json_object_set_new(item, "waiting", masks_json(scene->waiting, scene->block_threads));
        json_object_set_new(item, "elsewhere", masks_json(scene->elsewhere, scene->block_threads));
    }
    if (scene->elements) {
        json_object_set_new(item, "element", json_integer(scene->element));
        json_object_set_new(item, "elements", json_unsigned(scene->elements));
    }
    if (json_object_size(item))
        json_object_set(object, "scene", item);
    json_decref(item);
}

/* ---- launches -------------------------------------------------------------------------------- */

void json_set_launch(json_t *object, struct dim3 grid, struct dim3 block) {
    if (grid.x && block.x)
        json_object_set_new(
            object, "launch",
            json_pack("{so so}", "grid", json_dim3(grid), "block", json_dim3(block)));
}

const char *const json_part_ids[COST_PART_COUNT] = {
#define COST_PART(id, label, summary) #id,
#include "sandbox/base/cost_part.def"
#undef COST_PART
};

static void set_parts(json_t *object, const struct report_speed *speed) {
    json_t *parts = json_object();
    for (size_t i = 0; i < COST_PART_COUNT; i++)
        if (speed->part_ms[i] > 0)
            json_object_set_new(parts, json_part_ids[i], json_double(speed->part_ms[i]));
    if (json_object_size(parts))
        json_object_set(object, "parts_ms", parts);
    json_decref(parts);
}

static json_t *line_json(const struct line_counters *line) {
    json_t *counters = json_object();
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        if (counter_value(&line->counters, i))
            json_object_set_new(counters, counter_infos[i].name,
                                json_unsigned(counter_value(&line->counters, i)));
    return json_pack("{so so so}", "line", json_integer(line->line), "modelled_ms",
                     json_double(line->modelled_ms), "counters", counters);
}

static json_t *access_json(const struct warp_access *access) {
    json_t *offsets = json_array();
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        json_array_append_new(
            offsets, access->lanes >> lane & 1 ? json_integer(access->offsets[lane]) : json_null());
    return json_pack("{so so ss ss si so}", "file", json_text(access->file), "line",
                     access->line ? json_integer(access->line) : json_null(), "space",
                     access->is_shared ? "shared" : "global", "access",
                     access->is_store ? "write" : "read", "bytes", (int)access->bytes, "offsets",
                     offsets);
}

static void set_point(json_t *object, const char *name, const struct report_point *point) {
    if (point->present)
        json_object_set_new(
            object, name,
            json_pack("{ss so so so}", "kind", point->measured ? "measured" : "modelled", "flops",
                      json_double(point->flops), "dram_bytes", json_double(point->dram_bytes), "ms",
                      json_double(point->ms)));
}

static void set_roofline(json_t *object, const struct report_roofline *roofline) {
    if (!roofline->present)
        return;
    json_t *item = json_pack("{so so so}", "precision", json_text(roofline->precision),
                             "peak_gflops", json_double(roofline->peak_gflops), "peak_gbps",
                             json_double(roofline->peak_gbps));
    set_point(item, "submission", &roofline->submission);
    set_point(item, "tuned", &roofline->tuned);
    set_point(item, "baseline", &roofline->baseline);
    json_object_set_new(object, "roofline", item);
}

void json_set_costs(json_t *object, const struct report_speed *speed) {
    json_t *lines = json_array(), *accesses = json_array();
    for (size_t i = 0; i < speed->line_count; i++)
        json_array_append_new(lines, line_json(&speed->lines[i]));
    for (size_t i = 0; i < speed->access_count; i++)
        json_array_append_new(accesses, access_json(&speed->accesses[i]));
    set_parts(object, speed);
    if (speed->line_count)
        json_object_set(object, "lines", lines);
    if (speed->access_count)
        json_object_set(object, "accesses", accesses);
    set_roofline(object, &speed->roofline);
    json_decref(lines);
    json_decref(accesses);
}
