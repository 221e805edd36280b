/* The JSON of what pictures are made of. Private to reports/. What is not known is left out. */
#ifndef WARPGRADE_REPORTS_JSON_PICTURES_H
#define WARPGRADE_REPORTS_JSON_PICTURES_H

#include "reports/report.h"

#include <jansson.h>

extern const char *const json_access_names[SCENE_ACCESS_COUNT]; /* NULL, "read" ... */
extern const char *const json_part_ids[COST_PART_COUNT];        /* "issue" ... */
/* Sets "extents", "window" and "map" of a difference. */
void json_set_grids(json_t *object, const struct report_difference *difference);
/* Sets "scene" of a hazard. */
void json_set_scene(json_t *object, const struct hazard_scene *scene);
/* Sets "launch" of a case. */
void json_set_launch(json_t *object, struct dim3 grid, struct dim3 block);
/* Sets "parts_ms", "lines", "accesses" and "roofline" of the speed case. */
void json_set_costs(json_t *object, const struct report_speed *speed);

#endif
