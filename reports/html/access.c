/* One request of a warp as a picture: which sectors of global memory its lanes touch, and how much
 * of each they use; which banks of shared memory, and how many words each bank has to give. */
#include "reports/html/html.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    SECTOR_BYTES = 32,
    WORD_BYTES = 4,
    BANKS = 32,
    MOST_SECTORS = 2 * WARP_LANES, /* of lanes that begin inside of one */
    WIDTH = 640,
    FLOOR = 170, /* where the lines end that begin at the lanes */
};

static void say_title(struct html *h, const struct warp_access *access) {
    static const enum html_string titles[2][2] = {
        {SAY_ACCESS_GLOBAL_READ, SAY_ACCESS_GLOBAL_WRITE},
        {SAY_ACCESS_SHARED_READ, SAY_ACCESS_SHARED_WRITE}};
    html_raw(h, "<h3>");
    html_say(h, titles[access->is_shared][access->is_store], html_number(access->line).text, NULL);
    html_raw(h, "</h3>");
}

static double lane_x(unsigned lane) {
    return (lane + 0.5) * WIDTH / WARP_LANES;
}

static void draw_lanes(struct html *h, lane_mask lanes, unsigned y) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        html_printf(h, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"16\" height=\"14\" rx=\"2\"/>",
                    lanes >> lane & 1 ? "lane" : "idle", lane * WIDTH / WARP_LANES + 2, y);
}

/* ---- global memory --------------------------------------------------------------------------- */

struct sectors {
    uint32_t numbers[MOST_SECTORS]; /* from the first, rising */
    uint32_t used[MOST_SECTORS];    /* its bytes, a bit each */
    unsigned count;
};

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static unsigned find_sector(const struct sectors *sectors, uint32_t number) {
    unsigned at = 0;
    while (at < sectors->count && sectors->numbers[at] != number)
        at++;
    return at;
}

static void collect_sectors(const struct warp_access *access, struct sectors *out) {
    *out = (struct sectors){.count = 0};
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            for (uint64_t i = 0; access->lanes >> lane & 1 && i < access->bytes; i++) {
                uint64_t byte = access->offsets[lane] + i;
                unsigned at = find_sector(out, (uint32_t)(byte / SECTOR_BYTES));
                if (pass)
                    out->used[at] |= (uint32_t)1 << byte % SECTOR_BYTES;
                else if (at == out->count && at < MOST_SECTORS)
                    out->numbers[out->count++] = (uint32_t)(byte / SECTOR_BYTES);
            }
        if (!pass)
            qsort(out->numbers, out->count, sizeof out->numbers[0], compare_numbers);
    }
}

/* Where a sector is drawn: all in one row, with a gap where memory between them is left out. */
struct strip {
    double width, x[MOST_SECTORS];
};

static struct strip lay_out(const struct sectors *sectors) {
    enum { WIDEST = 40 };
    struct strip strip = {0};
    unsigned gaps = 0;
    for (unsigned i = 1; i < sectors->count; i++)
        gaps += sectors->numbers[i] != sectors->numbers[i - 1] + 1;
    double unit = (double)WIDTH / (sectors->count + 0.35 * gaps);
    unit = unit < WIDEST ? unit : WIDEST;
    double x = (WIDTH - unit * (sectors->count + 0.35 * gaps)) / 2;
    for (unsigned i = 0; i < sectors->count; i++) {
        if (i && sectors->numbers[i] != sectors->numbers[i - 1] + 1)
            x += 0.35 * unit;
        strip.x[i] = x;
        x += unit;
    }
    strip.width = unit;
    return strip;
}

/* Eight words, of which those that are used are filled. */
static void draw_sector(struct html *h, double x, double width, uint32_t used) {
    enum { TOP = FLOOR + 1, WORDS = SECTOR_BYTES / WORD_BYTES, HEIGHT = 6 * WORDS };
    html_printf(h,
                "<rect class=\"sector\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
                "rx=\"2\"/>",
                x + 1, TOP, width - 2, HEIGHT);
    for (unsigned word = 0; word < WORDS; word++)
        if (used >> (word * WORD_BYTES) & 0xf)
            html_printf(h, "<rect class=\"used\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"6\"/>",
                        x + 1, TOP + word * 6, width - 2);
}

static unsigned count_bytes(const struct sectors *sectors) {
    unsigned bytes = 0;
    for (unsigned i = 0; i < sectors->count; i++)
        bytes += (unsigned)__builtin_popcount(sectors->used[i]);
    return bytes;
}

static void draw_global(struct html *h, const struct warp_access *access) {
    struct sectors sectors;
    collect_sectors(access, &sectors);
    struct strip strip = lay_out(&sectors);
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_ACCESS_ALT, NULL);
    html_raw(h, "<p class=\"top\">");
    html_say(h, SAY_LANES, NULL);
    html_raw(h, "</p>");
    html_svg(h, "access", WIDTH, FLOOR + 51, text_string(&label));
    draw_lanes(h, access->lanes, 2);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned at = find_sector(&sectors, access->offsets[lane] / SECTOR_BYTES);
        if (access->lanes >> lane & 1 && at < sectors.count)
            html_printf(h, "<path class=\"ray\" d=\"M%.1f 17L%.1f %d\"/>", lane_x(lane),
                        strip.x[at] + strip.width / 2, FLOOR);
    }
    for (unsigned i = 0; i < sectors.count; i++)
        draw_sector(h, strip.x[i], strip.width, sectors.used[i]);
    html_raw(h, "</svg><p class=\"bottom\">");
    html_say(h, SAY_SECTORS, html_number(sectors.count).text, NULL);
    html_raw(h, "</p><figcaption>");
    unsigned bytes = count_bytes(&sectors), enough = (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    html_say(h,
             sectors.count <= enough ? SAY_SECTORS_PERFECT
             : enough == 1           ? SAY_SECTORS_CAPTION_ONE
                                     : SAY_SECTORS_CAPTION,
             html_number((uint64_t)__builtin_popcount(access->lanes)).text, html_number(bytes).text,
             html_number((uint64_t)sectors.count * SECTOR_BYTES).text, html_number(enough).text,
             NULL);
    html_raw(h, "</figcaption>");
}

/* ---- shared memory --------------------------------------------------------------------------- */

enum { MOST_WORDS = WARP_LANES * 4 + WARP_LANES };

struct words {
    uint32_t numbers[MOST_WORDS]; /* distinct, in the order of the lanes */
    unsigned levels[MOST_WORDS];  /* how many words its bank had before */
    unsigned count, tallest, in_bank[BANKS];
};

static unsigned find_word(const struct words *words, uint32_t number) {
    unsigned at = 0;
    while (at < words->count && words->numbers[at] != number)
        at++;
    return at;
}

static void collect_words(const struct warp_access *access, struct words *out) {
    *out = (struct words){.count = 0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; access->lanes >> lane & 1 && i < access->bytes; i += WORD_BYTES) {
            uint32_t number = (uint32_t)(((uint64_t)access->offsets[lane] + i) / WORD_BYTES);
            unsigned at = find_word(out, number);
            if (at < out->count || at == MOST_WORDS)
                continue;
            unsigned level = out->in_bank[number % BANKS]++;
            out->numbers[at] = number;
            out->levels[at] = level;
            out->tallest = level + 1 > out->tallest ? level + 1 : out->tallest;
            out->count++;
        }
}

/* Wide accesses are served in groups of lanes; the tallest stack is what all of them take. */
static unsigned least_passes(const struct words *words) {
    return (words->count + BANKS - 1) / BANKS;
}

static void draw_shared(struct html *h, const struct warp_access *access) {
    struct words words;
    collect_words(access, &words);
    unsigned height = words.tallest < 8 ? 16 : 128 / words.tallest, top = 110;
    height = height < 3 ? 3 : height;
    unsigned bottom = top + height * (words.tallest ? words.tallest : 1);
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_ACCESS_ALT, NULL);
    html_raw(h, "<p class=\"top\">");
    html_say(h, SAY_LANES, NULL);
    html_raw(h, "</p>");
    html_svg(h, "access", WIDTH, bottom + 6, text_string(&label));
    draw_lanes(h, access->lanes, 2);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access->lanes >> lane & 1)
            html_printf(h, "<path class=\"ray\" d=\"M%.1f 17L%.1f %u\"/>", lane_x(lane),
                        lane_x(access->offsets[lane] / WORD_BYTES % BANKS), top - 1);
    for (unsigned i = 0; i < words.count; i++)
        html_printf(h, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"16\" height=\"%u\" rx=\"1\"/>",
                    words.levels[i] >= least_passes(&words) ? "excess" : "used",
                    words.numbers[i] % BANKS * (WIDTH / BANKS) + 2, top + words.levels[i] * height,
                    height - 1);
    html_printf(h, "<path class=\"floor\" d=\"M0 %uh%d\"/></svg><p class=\"bottom\">", bottom + 3,
                WIDTH);
    html_say(h, SAY_BANKS, NULL);
    html_raw(h, "</p><figcaption>");
    html_say(h, words.tallest > least_passes(&words) ? SAY_BANKS_CAPTION : SAY_BANKS_PERFECT,
             html_number(words.tallest).text, html_number(least_passes(&words)).text, NULL);
    html_raw(h, "</figcaption>");
}

void html_access(struct html *h, const struct warp_access *access) {
    if (!access->lanes || !access->bytes)
        return;
    html_raw(h, "<figure class=\"request\">");
    say_title(h, access);
    if (access->is_shared)
        draw_shared(h, access);
    else
        draw_global(h, access);
    html_raw(h, "</figure>\n");
}
