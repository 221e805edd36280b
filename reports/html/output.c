/* A wrong output as a picture: a square for each element or, of a large output, for each group of
 * them. One glance tells the last column from noise; where that can be said, it is said in words.
 */
#include "reports/html/html.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_BLOCK_LINES = 64,
    WIDEST = 340, /* pixels of a picture, and of a small one */
    TILE = 132,
};

/* ---- what is wrong, in words ----------------------------------------------------------------- */

/* The cells that are wrong: the rectangle around them, and whether it is full of them. */
struct extent {
    unsigned top, left, bottom, right;
    bool any, full;
};

static bool is_wrong(char cell) {
    return cell != report_cell_letters[REPORT_CELL_RIGHT] &&
           cell != report_cell_letters[REPORT_CELL_NONE];
}

static struct extent find_extent(const struct report_grid *grid) {
    struct extent e = {.top = UINT32_MAX, .left = UINT32_MAX};
    for (unsigned y = 0; y < grid->height; y++)
        for (unsigned x = 0; x < grid->width; x++) {
            if (!is_wrong(grid->cells[y * grid->width + x]))
                continue;
            e.any = true;
            e.top = y < e.top ? y : e.top;
            e.left = x < e.left ? x : e.left;
            e.bottom = y > e.bottom ? y : e.bottom;
            e.right = x > e.right ? x : e.right;
        }
    e.full = e.any;
    for (unsigned y = e.top; e.any && y <= e.bottom; y++)
        for (unsigned x = e.left; x <= e.right; x++)
            e.full &= is_wrong(grid->cells[y * grid->width + x]);
    return e;
}

static bool shows_all(const struct report_difference *d, const struct report_grid *grid) {
    return grid->cells && grid->rows == d->rows && grid->columns == d->columns &&
           grid->height == d->rows && grid->width == d->columns;
}

static void say_last(const struct html *h, uint64_t count, enum html_string one,
                     enum html_string many, struct text *out) {
    html_fill(h, out, count == 1 ? one : many, html_number(count).text, NULL);
}

static void describe_vector(const struct html *h, const struct report_difference *d,
                            struct text *out) {
    const struct report_grid *grid = &d->window;
    uint64_t shown = d->total < (uint64_t)grid->height * grid->width
                         ? d->total
                         : (uint64_t)grid->height * grid->width;
    uint64_t first = 0;
    while (first < shown && !is_wrong(grid->cells[first]))
        first++;
    for (uint64_t i = first; i < shown; i++)
        if (!is_wrong(grid->cells[i]))
            return;
    if (first && first < shown)
        say_last(h, shown - first, SAY_HEAD_LAST_ELEMENT, SAY_HEAD_LAST_ELEMENTS, out);
}

/* Only of an output that the window shows element by element: nothing is guessed. Of a larger one
 * a last column can be told where the number of wrong elements says that there are no others. */
void html_describe_wrong(const struct html *h, const struct report_difference *d,
                         struct text *out) {
    const struct report_grid *grid = d->map.cells ? &d->map : &d->window;
    if (!d->columns || !grid->cells)
        return;
    if (d->wrapped) {
        if (shows_all(d, &d->window))
            describe_vector(h, d, out);
        return;
    }
    struct extent e = find_extent(grid);
    bool all_rows = e.top == 0 && e.bottom + 1 == grid->height;
    bool all_columns = e.left == 0 && e.right + 1 == grid->width;
    uint64_t columns = d->rows ? d->differing / d->rows : 0;
    uint64_t rows = d->columns ? d->differing / d->columns : 0;
    bool whole_columns = columns && columns * d->rows == d->differing && e.full && all_rows;
    bool whole_rows = rows && rows * d->columns == d->differing && e.full && all_columns;
    if (whole_columns && e.right + 1 == grid->width && e.left)
        say_last(h, columns, SAY_HEAD_LAST_COLUMN, SAY_HEAD_LAST_COLUMNS, out);
    else if (whole_rows && e.bottom + 1 == grid->height && e.top)
        say_last(h, rows, SAY_HEAD_LAST_ROW, SAY_HEAD_LAST_ROWS, out);
    else if (whole_columns && columns == 1 && e.left == 0)
        html_fill(h, out, SAY_HEAD_FIRST_COLUMN, NULL);
    else if (whole_rows && rows == 1 && e.top == 0)
        html_fill(h, out, SAY_HEAD_FIRST_ROW, NULL);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static enum report_cell cell_of(char letter) {
    const char *found = memchr(report_cell_letters, letter, REPORT_CELL_COUNT);
    return found ? (enum report_cell)(found - report_cell_letters) : REPORT_CELL_NONE;
}

/* One path for each kind of cell; neighbours of one kind in a row are one stroke of it. */
static void draw_kind(struct html *h, const struct report_grid *grid, enum report_cell cell) {
    const char letter = report_cell_letters[cell];
    html_printf(h, "<path class=\"k%u\" d=\"", (unsigned)cell);
    for (unsigned y = 0; y < grid->height; y++)
        for (unsigned x = 0, end; x < grid->width; x = end) {
            const char *row = grid->cells + (size_t)y * grid->width;
            end = x + 1;
            if (row[x] != letter)
                continue;
            while (end < grid->width && row[end] == letter)
                end++;
            html_printf(h, "M%u %uh%uv1h-%uz", x, y, end - x, end - x);
        }
    html_raw(h, "\"/>");
}

static void draw_cells(struct html *h, const struct report_grid *grid, bool *seen) {
    bool present[REPORT_CELL_COUNT] = {false};
    for (size_t i = 0; i < (size_t)grid->height * grid->width; i++)
        present[cell_of(grid->cells[i])] = true;
    for (unsigned i = REPORT_CELL_RIGHT; i < REPORT_CELL_COUNT; i++) {
        if (present[i])
            draw_kind(h, grid, (enum report_cell)i);
        seen[i] |= present[i];
    }
}

/* Lines between blocks, where a cell is an element. */
static bool draw_blocks(struct html *h, const struct report_grid *grid, struct dim3 block) {
    if (grid->height != grid->rows || grid->width != grid->columns || block.x < 2 ||
        grid->columns / block.x > MOST_BLOCK_LINES ||
        (block.x >= grid->columns && block.y >= grid->rows))
        return false;
    html_raw(h, "<path class=\"grid\" d=\"");
    for (uint64_t x = block.x - grid->column % block.x; x < grid->columns; x += block.x)
        html_printf(h, "M%" PRIu64 " 0v%u", x, grid->height);
    for (uint64_t y = block.y > 1 ? block.y - grid->row % block.y : grid->rows; y < grid->rows;
         y += block.y)
        html_printf(h, "M0 %" PRIu64 "h%u", y, grid->width);
    html_raw(h, "\"/>");
    return true;
}

/* Squares that get no larger than a fingertip, and a strip that is not a hair. */
static void draw_grid(struct html *h, const struct report_case *item,
                      const struct report_grid *grid, unsigned widest, bool *seen, bool *blocks) {
    enum { CELL_PIXELS = 14 };
    const struct report_difference *d = &item->difference;
    unsigned pixels = grid->width * CELL_PIXELS < widest ? grid->width * CELL_PIXELS : widest;
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_WINDOW_ALT, html_number(grid->rows).text,
              html_number(grid->columns).text, d->output ? d->output : "",
              html_number(d->differing).text, html_number(d->total).text, NULL);
    html_printf(h, "<div class=\"map\" style=\"max-width:%upx\">", pixels);
    html_svg(h, "cells", grid->width, grid->height, text_string(&label));
    draw_cells(h, grid, seen);
    *blocks |= !d->wrapped && draw_blocks(h, grid, item->block);
    html_raw(h, "</svg></div>");
}

static void write_range(struct html *h, const struct report_difference *d,
                        const struct report_grid *grid, bool is_map) {
    struct html_number rows = html_number(grid->rows), columns = html_number(grid->columns);
    html_raw(h, "<p class=\"soft\">");
    if (is_map)
        html_say(h, d->wrapped ? SAY_MAP_VECTOR : SAY_MAP_ALL,
                 d->wrapped ? html_number(d->total).text : rows.text, columns.text, NULL);
    else if (d->wrapped)
        html_say(h, SAY_WINDOW_VECTOR, html_number(grid->row * d->columns).text,
                 html_number(number_min((grid->row + grid->rows) * d->columns, d->total) - 1).text,
                 NULL);
    else if (grid->rows == d->rows && grid->columns == d->columns)
        html_say(h, SAY_WINDOW_ALL, rows.text, columns.text, NULL);
    else
        html_say(h, SAY_WINDOW_ROWS, html_number(grid->row).text,
                 html_number(grid->row + grid->rows - 1).text, html_number(grid->column).text,
                 html_number(grid->column + grid->columns - 1).text, NULL);
    html_raw(h, "</p>");
}

static void write_legend(struct html *h, const bool *seen) {
    static const enum html_string names[REPORT_CELL_COUNT] = {
        SAY_CELL_RIGHT,   SAY_CELL_RIGHT, SAY_CELL_UNWRITTEN, SAY_CELL_ZERO,
        SAY_CELL_SPECIAL, SAY_CELL_CLOSE, SAY_CELL_NEAR,      SAY_CELL_FAR};
    html_raw(h, "<ul class=\"key\">");
    for (unsigned i = REPORT_CELL_RIGHT; i < REPORT_CELL_COUNT; i++)
        if (seen[i]) {
            html_printf(h, "<li><i class=\"k%u\"></i>", i);
            html_say(h, names[i], NULL);
            html_raw(h, "</li>");
        }
    html_raw(h, "</ul>");
}

bool html_has_output(const struct report_case *item) {
    return item->difference.window.cells && item->difference.total > 1;
}

void html_output(struct html *h, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    bool seen[REPORT_CELL_COUNT] = {false}, blocks = false;
    if (!html_has_output(item))
        return;
    html_printf(h, "<figure class=\"output\"><div class=\"maps%s\">", d->map.cells ? " two" : "");
    if (d->map.cells) {
        html_raw(h, "<div>");
        draw_grid(h, item, &d->map, WIDEST, seen, &blocks);
        write_range(h, d, &d->map, true);
        html_raw(h, "</div>");
    }
    html_raw(h, "<div>");
    draw_grid(h, item, &d->window, WIDEST, seen, &blocks);
    write_range(h, d, &d->window, false);
    html_raw(h, "</div></div>");
    write_legend(h, seen);
    if (blocks) {
        html_raw(h, "<figcaption>");
        html_say(h, SAY_BLOCK_LINES, html_number(item->block.x).text,
                 html_number(item->block.y).text, NULL);
        html_raw(h, "</figcaption>");
    }
    html_raw(h, "</figure>");
}

void html_small_output(struct html *h, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    bool seen[REPORT_CELL_COUNT] = {false}, blocks = false;
    if (html_has_output(item))
        draw_grid(h, item, d->map.cells ? &d->map : &d->window, TILE, seen, &blocks);
}
