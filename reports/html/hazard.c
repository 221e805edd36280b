/* Hazards as pictures: who waits at a barrier and who does not, which two threads touch one element
 * in no order, which element beyond the end is meant.
 *
 * Words and numbers are HTML beside or between the drawings, so that they keep their size when a
 * drawing gets narrower. */
#include "reports/html/html.h"

#include "reports/translate.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool is_race(const struct hazard *hazard) {
    return hazard_infos[hazard->kind].counted == COUNTED_RACES && hazard->thread_count > 1 &&
           hazard->scene.access != SCENE_UNKNOWN;
}

static bool is_outside(const struct hazard *hazard) {
    const struct hazard_scene *scene = &hazard->scene;
    return hazard->kind == HAZARD_OUT_OF_BOUNDS && scene->elements &&
           (scene->element < 0 || (uint64_t)scene->element >= scene->elements);
}

bool html_has_picture(const struct hazard *hazard) {
    return hazard->scene.block_threads || is_race(hazard) || is_outside(hazard);
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* What a row of the drawing shows: neighbouring warps that do the same. */
struct warp_run {
    uint32_t first, last;
    lane_mask present, waiting, elsewhere;
};

static lane_mask present_lanes(const struct hazard_scene *scene, uint32_t warp) {
    uint32_t left = scene->block_threads - warp * WARP_LANES;
    return left >= WARP_LANES ? UINT32_MAX : ((lane_mask)1 << left) - 1;
}

static size_t make_runs(const struct hazard_scene *scene, struct warp_run *runs) {
    size_t count = 0;
    for (uint32_t w = 0; w < ENGINE_BLOCK_WARPS && w * WARP_LANES < scene->block_threads; w++) {
        lane_mask present = present_lanes(scene, w);
        struct warp_run run = {w, w, present, scene->waiting[w] & present,
                               scene->elsewhere[w] & present & ~scene->waiting[w]};
        struct warp_run *last = count ? &runs[count - 1] : NULL;
        if (last && last->present == run.present && last->waiting == run.waiting &&
            last->elsewhere == run.elsewhere)
            last->last = w;
        else
            runs[count++] = run;
    }
    return count;
}

/* Runs of lanes are one rectangle each, with gaps drawn over them. */
static void draw_lanes(struct html *h, lane_mask lanes, const char *css_class) {
    enum { PITCH = 10 };
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1)
            html_printf(h, "<rect class=\"%s\" x=\"%u\" y=\"1\" width=\"8\" height=\"10\"/>",
                        css_class, lane * PITCH + 1);
}

static void draw_run(struct html *h, const struct warp_run *run) {
    html_raw(h, "<li><span>");
    if (run->first == run->last)
        html_say(h, SAY_WARP, html_number(run->first).text, NULL);
    else
        html_say(h, SAY_WARPS, html_number(run->first).text, html_number(run->last).text, NULL);
    html_raw(h, "</span><svg viewBox=\"0 0 320 12\" aria-hidden=\"true\">");
    draw_lanes(h, run->waiting, "wait");
    draw_lanes(h, run->elsewhere, "else");
    draw_lanes(h, run->present & ~run->waiting & ~run->elsewhere, "gone");
    html_raw(h, "</svg></li>");
}

static uint32_t lanes_of(const struct warp_run *run, lane_mask lanes) {
    return (run->last - run->first + 1) * (uint32_t)__builtin_popcount(lanes);
}

struct barrier_counts {
    uint32_t waiting, elsewhere, gone;
};

static void write_key(struct html *h, const char *css_class, uint32_t count,
                      enum html_string with_line, enum html_string without, unsigned line) {
    if (!count)
        return;
    html_printf(h, "<li><i class=\"%s\"></i>", css_class);
    html_say(h, line ? with_line : without, html_number(count).text, html_number(line).text, NULL);
    html_raw(h, "</li>");
}

static struct barrier_counts count_threads(const struct warp_run *runs, size_t count) {
    struct barrier_counts all = {0};
    for (size_t i = 0; i < count; i++) {
        lane_mask gone = runs[i].present & ~runs[i].waiting & ~runs[i].elsewhere;
        all.waiting += lanes_of(&runs[i], runs[i].waiting);
        all.elsewhere += lanes_of(&runs[i], runs[i].elsewhere);
        all.gone += lanes_of(&runs[i], gone);
    }
    return all;
}

static void describe_barrier(const struct html *h, const struct hazard *hazard, struct text *out) {
    struct warp_run runs[ENGINE_BLOCK_WARPS];
    struct barrier_counts all = count_threads(runs, make_runs(&hazard->scene, runs));
    html_fill(h, out, SAY_BARRIER_ALT, html_number(all.waiting).text,
              html_number(hazard->scene.block_threads).text, html_number(hazard->line).text,
              html_number(all.elsewhere).text, html_number(all.gone).text, NULL);
}

static void draw_barrier(struct html *h, const struct hazard *hazard) {
    struct warp_run runs[ENGINE_BLOCK_WARPS];
    size_t count = make_runs(&hazard->scene, runs);
    struct barrier_counts all = count_threads(runs, count);
    cleanup_text struct text label = {0};
    describe_barrier(h, hazard, &label);
    html_tagged(h, "<figure class=\"barrier\"><div role=\"img\" aria-label=\"", text_string(&label),
                "\"><ul class=\"warps\">");
    for (size_t i = 0; i < count; i++)
        draw_run(h, &runs[i]);
    html_raw(h, "</ul></div><ul class=\"key\">");
    unsigned other = hazard->other_line;
    write_key(h, "wait", all.waiting, SAY_BARRIER_WAITING, SAY_BARRIER_WAITING, hazard->line);
    write_key(h, "else", all.elsewhere, SAY_BARRIER_ELSEWHERE, SAY_BARRIER_ELSEWHERE_SOMEWHERE,
              other);
    write_key(h, "gone", all.gone, SAY_BARRIER_LEFT, SAY_BARRIER_LEFT_SOMEWHERE,
              all.elsewhere ? 0 : other);
    html_raw(h, "</ul><figcaption>");
    html_say(h, SAY_BARRIER_CAPTION, NULL);
    html_raw(h, "</figcaption></figure>\n");
}

/* ---- races ----------------------------------------------------------------------------------- */

static void describe_thread(const struct html *h, const struct hazard *hazard, size_t index,
                            struct text *out) {
    html_fill(h, out, SAY_THREAD, html_thread(hazard->threads[index].thread).text, NULL);
}

static void draw_thread(struct html *h, const struct hazard *hazard, size_t index,
                        enum scene_access access, unsigned line) {
    cleanup_text struct text name = {0};
    describe_thread(h, hazard, index, &name);
    html_printf(h, "<div class=\"actor %s\"><b>", access == SCENE_READ ? "reads" : "writes");
    html_foreign(h, text_string(&name));
    html_raw(h, "</b><span>");
    html_say(h, SAY_BLOCK, html_thread(hazard->threads[index].block).text, NULL);
    html_raw(h, "</span><strong>");
    html_say(h, html_access_string(access), NULL);
    html_raw(h, "</strong>");
    if (line) {
        html_raw(h, "<span>");
        html_say(h, SAY_AT_LINE, html_number(line).text, NULL);
        html_raw(h, "</span>");
    }
    html_raw(h, "</div>");
}

/* A value flows from the thread into the element, or out of it. */
static void draw_arrow(struct html *h, enum scene_access access, bool from_left) {
    const char *line = from_left ? "M80 2 Q80 34 146 44" : "M240 2 Q240 34 174 44";
    const char *in = from_left ? "M150 45l-10 -6l1 9z" : "M170 45l10 -6l-1 9z";
    const char *out = from_left ? "M80 0l-5 10h10z" : "M240 0l-5 10h10z";
    bool reads = access == SCENE_READ;
    html_printf(h, "<path class=\"wire %s\" d=\"%s\"/><path class=\"tip %s\" d=\"%s\"/>",
                reads ? "reads" : "writes", line, reads ? "reads" : "writes", reads ? out : in);
}

static void describe_race(const struct html *h, const struct hazard *hazard, struct text *out) {
    const struct hazard_scene *scene = &hazard->scene;
    cleanup_text struct text first = {0}, second = {0}, does = {0}, other = {0};
    cleanup_free char *variable = translate_string(h->language, hazard->variable);
    describe_thread(h, hazard, 0, &first);
    describe_thread(h, hazard, 1, &second);
    html_fill(h, &does, html_access_string(scene->access), NULL);
    html_fill(h, &other, html_access_string(scene->other_access), NULL);
    html_fill(h, out, SAY_RACE_ALT, text_string(&first), text_string(&does), text_string(&second),
              text_string(&other), variable, NULL);
}

static void draw_race(struct html *h, const struct hazard *hazard) {
    const struct hazard_scene *scene = &hazard->scene;
    cleanup_text struct text label = {0};
    cleanup_free char *variable = translate_string(h->language, hazard->variable);
    describe_race(h, hazard, &label);
    html_tagged(h, "<figure class=\"race\"><div role=\"img\" aria-label=\"", text_string(&label),
                "\"><div class=\"actors\">");
    draw_thread(h, hazard, 0, scene->access, hazard->line);
    html_raw(h, "<em>");
    html_say(h, SAY_RACE_NO_ORDER, NULL);
    html_raw(h, "</em>");
    draw_thread(h, hazard, 1, scene->other_access, hazard->other_line);
    html_raw(h, "</div><svg viewBox=\"0 0 320 52\" aria-hidden=\"true\">");
    draw_arrow(h, scene->access, true);
    draw_arrow(h, scene->other_access, false);
    html_raw(h, "</svg><div class=\"memory\"><i></i><i></i>");
    html_tagged(h, "<b>", *variable ? variable : "?", "</b>");
    html_raw(h, "<i></i><i></i></div></div><figcaption>");
    html_say(h, SAY_RACE_CAPTION, NULL);
    html_raw(h, "</figcaption></figure>\n");
}

/* ---- out of bounds --------------------------------------------------------------------------- */

static void draw_element(struct html *h, const char *css_class, int64_t index) {
    html_printf(h, "<span class=\"%s\">%" PRId64 "</span>", css_class, index);
}

static void draw_past(struct html *h, const struct hazard_scene *scene) {
    int64_t count = (int64_t)scene->elements;
    int64_t first = count > 3 ? count - 3 : 0;
    if (first)
        html_raw(h, "<span class=\"more\">\u2026</span>");
    for (int64_t i = first; i < count; i++)
        draw_element(h, "own", i);
    html_raw(h, "<span class=\"wall\"></span>");
    if (scene->element > count + 1)
        html_raw(h, "<span class=\"more\">\u2026</span>");
    else if (scene->element == count + 1)
        draw_element(h, "none", count);
    draw_element(h, "hit", scene->element);
}

static void draw_before(struct html *h, const struct hazard_scene *scene) {
    int64_t shown = scene->elements < 3 ? (int64_t)scene->elements : 3;
    draw_element(h, "hit", scene->element);
    if (scene->element < -2)
        html_raw(h, "<span class=\"more\">\u2026</span>");
    else if (scene->element == -2)
        draw_element(h, "none", -1);
    html_raw(h, "<span class=\"wall\"></span>");
    for (int64_t i = 0; i < shown; i++)
        draw_element(h, "own", i);
    if ((uint64_t)shown < scene->elements)
        html_raw(h, "<span class=\"more\">\u2026</span>");
}

static uint64_t distance_of(const struct hazard_scene *scene) {
    return scene->element < 0 ? (uint64_t)0 - (uint64_t)scene->element
                              : (uint64_t)scene->element - scene->elements + 1;
}

static void draw_outside(struct html *h, const struct hazard *hazard) {
    const struct hazard_scene *scene = &hazard->scene;
    bool huge = scene->elements > INT64_MAX;
    struct html_number element = html_integer(scene->element), count = html_number(scene->elements);
    cleanup_text struct text label = {0};
    cleanup_free char *variable = translate_string(h->language, hazard->variable);
    html_fill(h, &label, SAY_BOUNDS_ALT, element.text, count.text, NULL);
    html_tagged(h, "<figure class=\"bounds\"><div role=\"img\" aria-label=\"", text_string(&label),
                "\"><p>");
    html_foreign(h, variable);
    html_raw(h, "</p><div class=\"strip\">");
    if (scene->element < 0)
        draw_before(h, scene);
    else if (!huge)
        draw_past(h, scene);
    html_printf(h, "</div><p class=\"bad %s\">", scene->element < 0 ? "start" : "end");
    html_say(h, scene->element < 0 ? SAY_BOUNDS_BEFORE : SAY_BOUNDS_PAST,
             html_number(distance_of(scene)).text, NULL);
    html_raw(h, "</p></div><figcaption>");
    html_say(h, scene->elements == 1 ? SAY_BOUNDS_CAPTION_ONE : SAY_BOUNDS_CAPTION, count.text,
             html_number(scene->elements - 1).text, element.text, NULL);
    html_raw(h, "</figcaption></figure>\n");
}

/* The finding in a sentence of the page's language, as far as a picture shows it. */
void html_describe_hazard(const struct html *h, const struct hazard *hazard, struct text *out) {
    if (hazard->scene.block_threads)
        describe_barrier(h, hazard, out);
    else if (is_race(hazard))
        describe_race(h, hazard, out);
    else if (is_outside(hazard))
        html_fill(h, out, hazard->scene.elements == 1 ? SAY_BOUNDS_CAPTION_ONE : SAY_BOUNDS_CAPTION,
                  html_number(hazard->scene.elements).text,
                  html_number(hazard->scene.elements - 1).text,
                  html_integer(hazard->scene.element).text, NULL);
}

void html_hazard_picture(struct html *h, const struct hazard *hazard) {
    if (hazard->scene.block_threads)
        draw_barrier(h, hazard);
    else if (is_race(hazard))
        draw_race(h, hazard);
    else if (is_outside(hazard))
        draw_outside(h, hazard);
}
