/* A wrong output as a picture: a window around the first wrong element, and a map of all of it.
 *
 * A matrix is taken as it is, and a vector in rows of a warp's width: a tail that is missing is the
 * last row then, and what every other thread does wrong is a column. Of an output of three
 * dimensions the first two are rows. */
#include "grader/judge/output_grid.h"

#include "sandbox/base/memory.h"

#include <math.h>

enum { MOST_ELEMENTS = 1 << 22 }; /* a larger output has no map: each element takes some 20 ns */

/* The output, its elements counted by rows. */
struct output {
    const struct compare_request *request;
    uint64_t rows, columns;
};

static double expected_value(const struct compare_request *request, uint64_t index) {
    return element_infos[request->type].is_float
               ? ((const double *)request->expected)[index]
               : element_to_double(request->type, request->expected, index);
}

static enum report_cell wrong_cell(const struct compare_request *request, uint64_t index) {
    double expected = expected_value(request, index);
    double actual = element_to_double(request->type, request->actual, index);
    if (!isfinite(expected) || !isfinite(actual))
        return REPORT_CELL_SPECIAL;
    if (actual == 0)
        return REPORT_CELL_ZERO;
    double off = fabs(actual - expected), size = fabs(expected);
    return off < 1e-3 * size   ? REPORT_CELL_CLOSE
           : off < 1e-1 * size ? REPORT_CELL_NEAR
                               : REPORT_CELL_FAR;
}

static enum report_cell element_cell(const struct output *output, uint64_t row, uint64_t column) {
    uint64_t index = row * output->columns + column;
    bool unwritten;
    if (index >= output->request->count)
        return REPORT_CELL_NONE;
    if (compare_is_right(output->request, index, &unwritten))
        return REPORT_CELL_RIGHT;
    return unwritten ? REPORT_CELL_UNWRITTEN : wrong_cell(output->request, index);
}

/* Of a rectangle of elements that ends with the grid. */
static enum report_cell summary_cell(const struct output *output, const struct report_grid *grid,
                                     uint64_t row, uint64_t column, uint64_t step_rows,
                                     uint64_t step_columns) {
    uint64_t counts[REPORT_CELL_COUNT] = {0};
    uint64_t last_row = grid->row + grid->rows, last_column = grid->column + grid->columns;
    for (uint64_t r = row; r < row + step_rows && r < last_row; r++)
        for (uint64_t c = column; c < column + step_columns && c < last_column; c++)
            counts[element_cell(output, r, c)]++;
    enum report_cell most = counts[REPORT_CELL_RIGHT] ? REPORT_CELL_RIGHT : REPORT_CELL_NONE;
    uint64_t found = 0;
    for (unsigned i = REPORT_CELL_RIGHT + 1; i < REPORT_CELL_COUNT; i++)
        if (counts[i] > found) {
            found = counts[i];
            most = (enum report_cell)i;
        }
    return most;
}

static uint64_t step_of(uint64_t extent) {
    return (extent + REPORT_GRID_MOST - 1) / REPORT_GRID_MOST;
}

static void draw(const struct output *output, struct report_grid *grid) {
    uint64_t rows = step_of(grid->rows), columns = step_of(grid->columns);
    grid->height = (unsigned)((grid->rows + rows - 1) / rows);
    grid->width = (unsigned)((grid->columns + columns - 1) / columns);
    grid->cells = mem_zalloc((size_t)grid->height * grid->width + 1);
    char *cell = grid->cells;
    for (unsigned y = 0; y < grid->height; y++)
        for (unsigned x = 0; x < grid->width; x++)
            *cell++ = report_cell_letters[summary_cell(output, grid, grid->row + y * rows,
                                                       grid->column + x * columns, rows, columns)];
}

/* Where a stretch of REPORT_GRID_MOST begins that has `at` in its middle. */
static uint64_t window_start(uint64_t at, uint64_t extent) {
    uint64_t start = at > REPORT_GRID_MOST / 2 ? at - REPORT_GRID_MOST / 2 : 0;
    if (extent <= REPORT_GRID_MOST)
        return 0;
    return start < extent - REPORT_GRID_MOST ? start : extent - REPORT_GRID_MOST;
}

static uint64_t at_most(uint64_t extent) {
    return extent < REPORT_GRID_MOST ? extent : REPORT_GRID_MOST;
}

void output_grids(const struct compare_request *request, const struct engine_argument *argument,
                  uint64_t first, struct report_difference *difference) {
    bool matrix = argument->rank > 1 && argument->shape[argument->rank - 1] > 0;
    uint64_t columns = matrix ? argument->shape[argument->rank - 1] : WARP_LANES;
    if (!matrix && request->count < columns)
        columns = request->count;
    if (!columns)
        return;
    const struct output output = {request, (request->count + columns - 1) / columns, columns};
    difference->rows = output.rows;
    difference->columns = columns;
    difference->wrapped = !matrix;
    difference->window = (struct report_grid){.row = window_start(first / columns, output.rows),
                                              .column = window_start(first % columns, columns),
                                              .rows = at_most(output.rows),
                                              .columns = at_most(columns)};
    draw(&output, &difference->window);
    if ((output.rows <= REPORT_GRID_MOST && columns <= REPORT_GRID_MOST) ||
        request->count > MOST_ELEMENTS)
        return;
    difference->map = (struct report_grid){.rows = output.rows, .columns = columns};
    draw(&output, &difference->map);
}
