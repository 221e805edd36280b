/* Lines of the host's source: which of the places that an address stands for a finding names, and
 * what becomes of the numbers in findings. Every string here comes from a stranger's program. */
#include "sandbox/card/card_lines.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 100000000, MOST_PLACES = 16 };

static const char mark = '\001';

uint32_t site_mark_next(const char **at) {
    const char *start = strchr(*at, mark);
    if (!start)
        return 0;
    char *end;
    unsigned long number = strtoul(start + 1, &end, 10);
    *at = end;
    if (*end != mark || number > UINT32_MAX)
        return site_mark_next(at);
    ++*at;
    return (uint32_t)number;
}

/* ---- what addr2line has written ---------------------------------------------------------------
 *
 * For each address: "0x0000000000001149", and for each function, the innermost first, a line with
 * its name and one with "FILE:LINE", perhaps " (discriminator N)" after it; "??" where unknown. */

static size_t line_length(const char *text, const char *end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    return newline ? (size_t)(newline - text) : (size_t)(end - text);
}

static void copy(char *buffer, size_t size, const char *text, size_t length) {
    snprintf(buffer, size, "%.*s", (int)(length < size ? length : size - 1), text);
}

static struct line_place read_place(const char *name, size_t name_length, const char *place,
                                    size_t length) {
    struct line_place read = {.line = 0};
    const char *colon = memrchr(place, ':', length);
    copy(read.function, sizeof read.function, name, name_length);
    if (!colon)
        return read;
    copy(read.path, sizeof read.path, place, (size_t)(colon - place));
    uint64_t line = 0;
    for (const char *digit = colon + 1; digit < place + length && isdigit((unsigned char)*digit);
         digit++)
        line = line < MOST_LINES ? line * 10 + (uint64_t)(*digit - '0') : MOST_LINES;
    read.line = line < MOST_LINES ? (unsigned)line : 0;
    return read;
}

void lines_parse(const char *text, size_t length, struct line_frame *frames, size_t count) {
    const char *end = text + length;
    struct line_frame *frame = NULL;
    for (size_t next = 0; text < end;) {
        size_t first = line_length(text, end);
        if (first > 2 && memcmp(text, "0x", 2) == 0) {
            frame = next < count ? &frames[next++] : NULL;
            text += first < (size_t)(end - text) ? first + 1 : first;
            continue;
        }
        const char *second = text + first < end ? text + first + 1 : end;
        size_t second_length = line_length(second, end);
        if (frame && frame->count < MOST_PLACES) {
            frame->places = mem_realloc(frame->places, frame->count + 1, sizeof *frame->places);
            frame->places[frame->count++] = read_place(text, first, second, second_length);
        }
        text = second + second_length < end ? second + second_length + 1 : end;
    }
}

/* ---- which of them ----------------------------------------------------------------------------
 */

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Headers hold wrappers, and cudafe's own files what nvcc makes of a launch. */
static bool is_source(const struct line_place *place) {
    static const char *const ends[] = {".cu", ".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
    if (!place->line || strstr(place->path, ".cudafe1."))
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(ends); i++)
        if (ends_with(place->path, ends[i]))
            return true;
    return false;
}

static bool is_own_header(const struct line_place *place) {
    return place->line && !strstr(place->path, ".cudafe1.") &&
           strncmp(place->path, "/usr/", 5) != 0 && !strstr(place->path, "/include/");
}

static const struct line_place *next_place(const struct line_frame *frames, size_t count,
                                           size_t *frame, size_t *place) {
    while (*frame < count && *place >= frames[*frame].count) {
        ++*frame;
        *place = 0;
    }
    return *frame < count ? &frames[*frame].places[(*place)++] : NULL;
}

const struct line_place *lines_choose(const struct line_frame *frames, size_t count,
                                      const struct line_place **caller) {
    const struct line_place *chosen = NULL, *header = NULL, *place;
    size_t frame = 0, number = 0;
    *caller = NULL;
    while ((place = next_place(frames, count, &frame, &number))) {
        if (chosen && is_source(place)) {
            if (strcmp(chosen->function, "main") != 0)
                *caller = place;
            return chosen;
        }
        if (is_source(place))
            chosen = place;
        else if (!header && is_own_header(place))
            header = place;
    }
    return chosen ? chosen : header;
}

/* ---- into the findings ------------------------------------------------------------------------
 */

struct lines {
    const struct named_site *sites;
    const struct line_frame *frames; /* WIRE_SITE_FRAMES of each site */
    size_t count;
};

static const struct line_place *find(const struct lines *lines, uint32_t number,
                                     const struct line_place **caller) {
    *caller = NULL;
    for (size_t i = 0; i < lines->count; i++)
        if (lines->sites[i].number == number)
            return lines_choose(&lines->frames[i * WIRE_SITE_FRAMES], lines->sites[i].count,
                                caller);
    return NULL;
}

static void name_line(const struct line_place *place, const char *file, struct text *out) {
    const char *name = file_base_name(place->path);
    if (strcmp(name, file) == 0)
        text_printf(out, "line %u", place->line);
    else
        text_printf(out, "%s:%u", name, place->line);
}

/* Of a hazard's message; who has called its own site's function is said once, after all of it. */
static void describe(const struct lines *lines, const struct hazard *hazard, uint32_t number,
                     struct text *out) {
    const char *file = hazard->file;
    const struct line_place *own = NULL;
    if (hazard->site)
        find(lines, hazard->site, &own);
    const struct line_place *caller, *place = find(lines, number, &caller);
    if (!place) {
        text_append(out, "an unknown line");
        return;
    }
    name_line(place, file, out);
    bool is_said =
        caller && own && caller->line == own->line && strcmp(caller->path, own->path) == 0;
    if (caller && !is_said) {
        text_append(out, " (called from ");
        name_line(caller, file, out);
        text_append(out, ")");
    }
}

static void fill_message(const struct lines *lines, struct hazard *hazard) {
    cleanup_text struct text message = {0};
    const char *at = hazard->message, *start;
    while ((start = strchr(at, mark))) {
        char *end;
        unsigned long number = strtoul(start + 1, &end, 10);
        text_append_bytes(&message, at, (size_t)(start - at));
        if (*end == mark)
            describe(lines, hazard, number > UINT32_MAX ? 0 : (uint32_t)number, &message);
        at = end + (*end == mark);
    }
    text_append(&message, at);
    snprintf(hazard->message, sizeof hazard->message, "%s", text_string(&message));
}

static void add_caller(const struct lines *lines, struct hazard *hazard) {
    const struct line_place *caller = NULL;
    cleanup_text struct text message = {0};
    if (!hazard->site || !find(lines, hazard->site, &caller) || !caller)
        return;
    text_printf(&message, "%s; called from ", hazard->message);
    name_line(caller, hazard->file, &message);
    snprintf(hazard->message, sizeof hazard->message, "%s", text_string(&message));
}

static void fill_place(const struct lines *lines, uint32_t site, char *file, size_t size,
                       unsigned *line) {
    const struct line_place *caller, *place = site ? find(lines, site, &caller) : NULL;
    if (place) {
        snprintf(file, size, "%s", file_base_name(place->path));
        *line = place->line;
    }
}

void lines_fill(const struct named_site *sites, const struct line_frame *frames, size_t site_count,
                struct hazard *hazards, size_t hazard_count) {
    const struct lines lines = {sites, frames, site_count};
    for (size_t i = 0; i < hazard_count; i++) {
        struct hazard *hazard = &hazards[i];
        fill_place(&lines, hazard->site, hazard->file, sizeof hazard->file, &hazard->line);
        fill_place(&lines, hazard->other_site, hazard->other_file, sizeof hazard->other_file,
                   &hazard->other_line);
        fill_message(&lines, hazard);
        add_caller(&lines, hazard);
    }
}
