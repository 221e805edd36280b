/* The source, a line each, with what the line costs beside it: lines that take much of the modelled
 * time are shaded, figures that could be smaller are marked. Of a wrong kernel only the lines, with
 * those marked that something was found at. */
#include "reports/html/html.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"

#include <string.h>

enum { MOST_LINES = 600, SHADES = 4 };

static const struct report_speed *find_speed(const struct report *report) {
    for (size_t i = 0; i < report->case_count && html_speed_counts(report); i++)
        if (report->cases[i].speed.present && report->cases[i].speed.line_count)
            return &report->cases[i].speed;
    return NULL;
}

static const struct line_counters *find_line(const struct report_speed *speed, unsigned number) {
    for (size_t i = 0; speed && i < speed->line_count; i++)
        if (speed->lines[i].line == number)
            return &speed->lines[i];
    return NULL;
}

static double total_of(const struct report_speed *speed) {
    double total = 0;
    for (size_t i = 0; speed && i < speed->line_count; i++)
        total += speed->lines[i].modelled_ms > 0 ? speed->lines[i].modelled_ms : 0;
    return total;
}

/* "bad" where an error was found at the line, "warn" where a warning or the second place. */
static const char *found_at(const struct html *h, unsigned number) {
    const struct report *report = h->report;
    const char *found = "";
    for (size_t i = 0; i < report->case_count; i++)
        for (size_t j = 0; j < report->cases[i].hazard_count; j++) {
            const struct hazard *hazard = &report->cases[i].hazards[j];
            bool here = hazard->line == number && html_own_file(h, hazard->file);
            if (here && hazard->severity == SEVERITY_ERROR)
                return "bad";
            if (here || (hazard->other_line == number && html_own_file(h, hazard->other_file)))
                found = "warn";
        }
    for (size_t i = 0; i < report->diagnostic_count; i++)
        if (report->diagnostics[i].line == number &&
            html_own_file(h, report->diagnostics[i].file)) {
            if (report->diagnostics[i].severity == BUILD_ERROR)
                return "bad";
            found = "warn";
        }
    return found;
}

/* ---- figures --------------------------------------------------------------------------------- */

static void write_count(struct html *h, uint64_t count) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P"};
    double value = (double)count;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < ARRAY_LENGTH(units); unit++)
        value /= 1000;
    html_printf(h, "<td>%s%s</td>", decimal(value, 3).text, units[unit]);
}

static void write_figure(struct html *h, bool present, bool wasteful, double value) {
    if (present)
        html_printf(h, "<td%s>%s</td>", wasteful ? " class=\"warn\"" : "", decimal(value, 3).text);
    else
        html_raw(h, "<td></td>");
}

static bool is_more(uint64_t found, uint64_t enough) {
    return (double)found > 1.5 * (double)enough; /* as advice_waste() sees it */
}

static void write_figures(struct html *h, const struct line_counters *line, double share) {
    const struct counters *c = &line->counters;
    uint64_t shared = c->shared_load_requests + c->shared_store_requests;
    double conflicts = number_ratio(c->shared_bank_conflicts, shared);
    double lanes = WARP_LANES - number_ratio(c->inactive_lanes, c->warp_instructions);
    html_printf(h, "<td class=\"time\"><span><i style=\"width:%.1f%%\"></i></span>%s</td>",
                100 * share, share >= 0.0005 ? decimal(100 * share, share < 0.1 ? 2 : 3).text : "");
    write_count(h, c->warp_instructions);
    write_figure(h, c->global_load_requests,
                 is_more(c->global_load_sectors, c->global_load_ideal_sectors),
                 number_ratio(c->global_load_sectors, c->global_load_requests));
    write_figure(h, c->global_store_requests,
                 is_more(c->global_store_sectors, c->global_store_ideal_sectors),
                 number_ratio(c->global_store_sectors, c->global_store_requests));
    write_figure(h, shared, conflicts > 0.05, conflicts);
    write_figure(h, c->warp_instructions, lanes < 0.75 * WARP_LANES, lanes);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void write_columns(struct html *h) {
    static const enum html_string figures[] = {SAY_COLUMN_TIME,  SAY_COLUMN_INSTRUCTIONS,
                                               SAY_COLUMN_LOADS, SAY_COLUMN_STORES,
                                               SAY_COLUMN_BANKS, SAY_COLUMN_LANES};
    html_raw(h, "<thead><tr><th scope=\"col\">");
    html_say(h, SAY_COLUMN_LINE, NULL);
    html_raw(h, "</th><th scope=\"col\">");
    html_say(h, SAY_COLUMN_CODE, NULL);
    html_raw(h, "</th>");
    for (size_t i = 0; i < ARRAY_LENGTH(figures); i++) {
        html_raw(h, "<th scope=\"col\">");
        html_say(h, figures[i], NULL);
        html_raw(h, i ? "</th>" : " %</th>");
    }
    html_raw(h, "</tr></thead>");
}

static unsigned shade_of(double share) {
    return share >= 0.4 ? SHADES : share >= 0.2 ? 3 : share >= 0.1 ? 2 : share >= 0.03;
}

static void write_line(struct html *h, unsigned number, const struct html_line *line,
                       const struct report_speed *speed, double total) {
    const struct line_counters *counters = find_line(speed, number);
    double share =
        counters && total > 0 && counters->modelled_ms > 0 ? counters->modelled_ms / total : 0;
    html_printf(h, "<tr class=\"h%u %s\"><th scope=\"row\">%u</th><td><code>", shade_of(share),
                found_at(h, number), number);
    html_code(h, line);
    html_raw(h, "</code></td>");
    if (counters)
        write_figures(h, counters, share);
    else if (speed)
        html_raw(h, "<td colspan=\"6\"></td>");
    html_raw(h, "</tr>\n");
}

static void write_table(struct html *h, const struct report_speed *speed) {
    struct html_line line;
    size_t offset = 0;
    unsigned number = 1, left = 0;
    double total = total_of(speed);
    html_printf(h, "<div class=\"scroll\" tabindex=\"0\"><table class=\"source%s\">",
                speed ? " counted" : "");
    if (speed)
        write_columns(h);
    html_raw(h, "<tbody>");
    for (; html_next_line(h->report, &offset, &line); number++) {
        if (number <= MOST_LINES)
            write_line(h, number, &line, speed, total);
        else
            left++;
    }
    html_raw(h, "</tbody></table></div>\n");
    if (left) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_SOURCE_CUT, html_number(left).text, NULL);
        html_raw(h, "</p>");
    }
    if (speed) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_SOURCE_CAPTION, NULL);
        html_raw(h, "</p>\n");
    }
}

void html_source(struct html *h) {
    const struct report *report = h->report;
    const struct report_speed *speed = find_speed(report);
    if (!report->source || !report->source_length)
        return;
    html_printf(h, "<section id=\"r%zusource\" tabindex=\"-1\"><h2>", h->number);
    html_say(h, speed ? SAY_SOURCE_COUNTED : SAY_SOURCE, NULL);
    html_raw(h, "</h2>\n");
    if (!speed) {
        html_raw(h, "<details><summary>");
        html_foreign(h, html_file_name(h));
        html_raw(h, "</summary>\n");
    }
    write_table(h, speed);
    html_raw(h, speed ? "</section>\n" : "</details></section>\n");
}
