/* The roofline (Williams, Waterman and Patterson, CACM 52(4), 2009): operations a second over
 * operations a byte of device memory, both on logarithmic scales; the roof is what the device can
 * do. A kernel without floating-point operations has no place in it and gets its throughput. */
#include "reports/html/html.h"

#include "sandbox/base/memory.h"

#include <math.h>

enum { POINTS = 3, WIDTH = 480, HEIGHT = 300 };

struct plotted {
    const struct report_point *point;
    enum html_string name;
    const char *css_class;
    int radius; /* of points at one place all are seen */
};

static bool is_positive(double value) {
    return isfinite(value) && value > 0;
}

static bool is_known(const struct report_point *point) {
    return point->present && is_positive(point->ms) && point->flops >= 0 &&
           isfinite(point->flops) && isfinite(point->dram_bytes) && point->dram_bytes >= 0;
}

static size_t collect(const struct report_roofline *roofline, struct plotted *out) {
    const struct plotted all[POINTS] = {{&roofline->baseline, SAY_REFERENCE, "base", 12},
                                        {&roofline->tuned, SAY_TUNED, "tuned", 10},
                                        {&roofline->submission, SAY_YOURS, "own", 7}};
    size_t count = 0;
    for (size_t i = 0; i < POINTS; i++)
        if (is_known(all[i].point))
            out[count++] = all[i];
    return count;
}

static double gflops_of(const struct report_point *point) {
    return point->flops / point->ms / 1e6;
}

static double gbps_of(const struct report_point *point) {
    return point->dram_bytes / point->ms / 1e6;
}

/* ---- the plot -------------------------------------------------------------------------------- */

/* The decades that are shown. */
struct axes {
    double left, right, bottom, top;
};

static double intensity_of(const struct report_point *point) {
    return point->dram_bytes > 0 ? point->flops / point->dram_bytes : HUGE_VAL;
}

static struct axes choose_axes(const struct report_roofline *roofline, const struct plotted *points,
                               size_t count) {
    double ridge = log10(roofline->peak_gflops / roofline->peak_gbps);
    struct axes axes = {ridge - 1.5, ridge + 1, log10(roofline->peak_gflops) - 1.7,
                        log10(roofline->peak_gflops) + 0.25};
    for (size_t i = 0; i < count; i++) {
        double x = log10(intensity_of(points[i].point)), y = log10(gflops_of(points[i].point));
        axes.left = isfinite(x) && x - 0.4 < axes.left ? x - 0.4 : axes.left;
        axes.right = isfinite(x) && x + 0.4 > axes.right ? x + 0.4 : axes.right;
        axes.bottom = isfinite(y) && y - 0.4 < axes.bottom ? y - 0.4 : axes.bottom;
    }
    axes.left = fmax(axes.left, ridge - 6);
    axes.right = fmin(axes.right, ridge + 6);
    axes.bottom = fmax(axes.bottom, axes.top - 8);
    return axes;
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static double x_of(const struct axes *axes, double intensity) {
    double at = (log10(intensity) - axes->left) / (axes->right - axes->left);
    return clamp(at, 0, 1) * WIDTH;
}

static double y_of(const struct axes *axes, double gflops) {
    double at = (log10(gflops) - axes->bottom) / (axes->top - axes->bottom);
    return (1 - clamp(at, 0, 1)) * HEIGHT;
}

static void draw_decades(struct html *h, const struct axes *axes) {
    html_raw(h, "<path class=\"decades\" d=\"");
    for (double x = ceil(axes->left); x <= axes->right; x++)
        html_printf(h, "M%.1f 0v%d", x_of(axes, pow(10, x)), HEIGHT);
    for (double y = ceil(axes->bottom); y <= axes->top; y++)
        html_printf(h, "M0 %.1fh%d", y_of(axes, pow(10, y)), WIDTH);
    html_raw(h, "\"/>");
}

static void draw_roof(struct html *h, const struct report_roofline *roofline,
                      const struct axes *axes) {
    double ridge = roofline->peak_gflops / roofline->peak_gbps;
    double left = pow(10, axes->left), low = left * roofline->peak_gbps;
    double bottom = pow(10, axes->bottom);
    double start = low >= bottom ? left : bottom / roofline->peak_gbps;
    html_printf(h,
                "<path class=\"under\" d=\"M%.1f %.1fL%.1f %.1fH%dV%dH0z\"/><path class=\"roof\" "
                "d=\"M%.1f %.1fL%.1f %.1fH%d\"/>",
                x_of(axes, start), y_of(axes, start * roofline->peak_gbps), x_of(axes, ridge),
                y_of(axes, roofline->peak_gflops), WIDTH, HEIGHT, x_of(axes, start),
                y_of(axes, start * roofline->peak_gbps), x_of(axes, ridge),
                y_of(axes, roofline->peak_gflops), WIDTH);
}

/* A line from the point to the roof above it: what is left to gain. */
static void draw_point(struct html *h, const struct report_roofline *roofline,
                       const struct axes *axes, const struct plotted *plotted) {
    double intensity = intensity_of(plotted->point), gflops = gflops_of(plotted->point);
    double roof = fmin(roofline->peak_gflops, intensity * roofline->peak_gbps);
    double x = x_of(axes, intensity), y = y_of(axes, gflops);
    html_printf(h, "<g class=\"%s\">", plotted->css_class);
    if (plotted->css_class[0] == 'o' && gflops < roof)
        html_printf(h, "<path class=\"drop\" d=\"M%.1f %.1fV%.1f\"/>", x, y, y_of(axes, roof));
    html_printf(h, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/></g>", x, y, plotted->radius);
}

/* HTML on top of the drawing, so that it keeps its size. */
static void write_label(struct html *h, const char *css_class, double x, double y,
                        enum html_string string, const char *first, const char *second) {
    html_printf(h, "<span class=\"%s\" style=\"left:%.1f%%;top:%.1f%%\">", css_class,
                100 * x / WIDTH, 100 * y / HEIGHT);
    html_say(h, string, first, second, NULL);
    html_raw(h, "</span>");
}

/* Whether the roof's slope goes through a label at the left end of the decade at height y. */
static bool is_crossed(const struct report_roofline *roofline, const struct axes *axes, double y) {
    const double wide = 0.3, high = 30; /* a label on a phone: of the width; of HEIGHT */
    double right = axes->left + wide * (axes->right - axes->left);
    double lowest = y_of(axes, pow(10, axes->left) * roofline->peak_gbps);
    double highest = y_of(axes, fmin(pow(10, right) * roofline->peak_gbps, roofline->peak_gflops));
    return lowest >= y - high / 3 && highest <= y + high;
}

static void write_rates(struct html *h, const struct report_roofline *roofline,
                        const struct axes *axes) {
    for (double decade = ceil(axes->bottom); decade < axes->top - 0.5; decade++) {
        double y = y_of(axes, pow(10, decade));
        bool crossed = is_crossed(roofline, axes, y);
        write_label(h, crossed ? "rate end" : "rate", crossed ? WIDTH : 0, y, SAY_ROOF_COMPUTE,
                    html_rate(pow(10, decade), "FLOP/s").text, "");
    }
}

static void write_labels(struct html *h, const struct report_roofline *roofline,
                         const struct axes *axes) {
    double ridge = roofline->peak_gflops / roofline->peak_gbps;
    double middle = pow(10, (axes->left + log10(ridge)) / 2);
    write_label(h, "slope", x_of(axes, middle), y_of(axes, middle * roofline->peak_gbps),
                SAY_ROOF_MEMORY, html_rate(roofline->peak_gbps, "B/s").text, NULL);
    write_label(h, "flat", WIDTH, y_of(axes, roofline->peak_gflops), SAY_ROOF_COMPUTE,
                roofline->precision ? roofline->precision : "",
                html_rate(roofline->peak_gflops, "FLOP/s").text);
    write_rates(h, roofline, axes);
    for (double x = ceil(axes->left); x <= axes->right; x++)
        write_label(h, "tick", x_of(axes, pow(10, x)), HEIGHT, SAY_ROOF_COMPUTE,
                    decimal(pow(10, x), 3).text, "");
}

static void write_key(struct html *h, const struct report_speed *speed,
                      const struct plotted *points, size_t count) {
    const struct report_measured *measured = &speed->measured;
    html_raw(h, "<ul class=\"key\">");
    for (size_t i = count; i-- > 0;) {
        const struct report_point *point = points[i].point;
        html_printf(h, "<li><i class=\"dot %s\"></i>", points[i].css_class);
        if (point == &speed->roofline.baseline && measured->baseline)
            html_foreign(h, measured->baseline);
        else
            html_say(h, points[i].name, NULL);
        html_printf(h, " <b>%s</b> ", html_rate(gflops_of(point), "FLOP/s").text);
        html_say(h, point->measured ? SAY_MEASURED : SAY_MODELLED, NULL);
        if (point->dram_bytes > 0) {
            html_printf(h, ", %s ", decimal(intensity_of(point), 3).text);
            html_say(h, SAY_AXIS_INTENSITY, NULL);
        }
        html_raw(h, "</li>");
    }
    html_raw(h, "</ul>");
}

static void draw_plot(struct html *h, const struct report_speed *speed,
                      const struct plotted *points, size_t count) {
    const struct report_roofline *roofline = &speed->roofline;
    struct axes axes = choose_axes(roofline, points, count);
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_ROOFLINE_ALT, NULL);
    html_raw(h, "<figure class=\"roofline\"><h3>");
    html_say(h, SAY_ROOFLINE, NULL);
    html_raw(h, "</h3><div class=\"plot\">");
    html_svg(h, "area", WIDTH, HEIGHT, text_string(&label));
    draw_decades(h, &axes);
    draw_roof(h, roofline, &axes);
    for (size_t i = 0; i < count; i++)
        draw_point(h, roofline, &axes, &points[i]);
    html_raw(h, "</svg>");
    write_labels(h, roofline, &axes);
    html_raw(h, "</div><p class=\"axis soft\">");
    html_say(h, SAY_AXIS_INTENSITY, NULL);
    html_raw(h, "</p>");
    write_key(h, speed, points, count);
    html_raw(h, "<figcaption>");
    html_say(h, SAY_ROOFLINE_CAPTION, speed->device_name ? speed->device_name : "", NULL);
    html_raw(h, "</figcaption></figure>\n");
}

/* ---- throughput ------------------------------------------------------------------------------ */

static void write_bar(struct html *h, const char *css_class, double share, enum html_string name,
                      const char *figure, const char *kind) {
    html_printf(h, "<li class=\"%s\"><span>", css_class);
    html_say(h, name, NULL);
    html_printf(h, "</span><span class=\"bar\"><i style=\"width:%.1f%%\"></i></span><b>%s",
                100 * clamp(share, 0, 1), figure);
    html_tagged(h, " <small>", kind, "</small></b></li>");
}

static void draw_bars(struct html *h, const struct report_roofline *roofline,
                      const struct plotted *points, size_t count) {
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_BANDWIDTH_ALT, NULL);
    html_raw(h, "<figure class=\"throughput\"><h3>");
    html_say(h, SAY_BANDWIDTH, NULL);
    html_tagged(h, "</h3><ul class=\"bars\" aria-label=\"", text_string(&label), "\">");
    for (size_t i = count; i-- > 0;) {
        double gbps = gbps_of(points[i].point);
        cleanup_text struct text kind = {0};
        html_fill(h, &kind, points[i].point->measured ? SAY_MEASURED : SAY_MODELLED, NULL);
        write_bar(h, points[i].css_class, gbps / roofline->peak_gbps, points[i].name,
                  html_rate(gbps, "B/s").text, text_string(&kind));
    }
    write_bar(h, "roof", 1, SAY_ROOF, html_rate(roofline->peak_gbps, "B/s").text, "");
    html_raw(h, "</ul></figure>\n");
}

void html_roofline(struct html *h, const struct report_speed *speed) {
    const struct report_roofline *roofline = &speed->roofline;
    struct plotted points[POINTS];
    size_t count = collect(roofline, points);
    if (!roofline->present || !count || !is_positive(roofline->peak_gbps) ||
        !is_positive(roofline->peak_gflops))
        return;
    if (points[count - 1].point->flops > 0)
        draw_plot(h, speed, points, count);
    else
        draw_bars(h, roofline, points, count);
}
