/* One walk over the characters, one small function a format that says what a character becomes.
 *
 * The walk decodes hostile bytes into characters, with U+FFFD for what is none, so that no format
 * ever sees a broken sequence, and marks those that are hidden: that must not be passed on as they
 * are. A format's function appends the character's escaped form. The attacks that it stops:
 * terminal escape sequences (also 8-bit C1 ones), "Trojan source" bidirectional controls, invisible
 * characters, markup injection, characters that make an XML file unreadable, spreadsheet formulas,
 * forged lines, and commands to the CI runner whose log the text ends up in. */
#include "reports/escape.h"

#include "reports/utf8.h"
#include "sandbox/base/memory.h"

#include <string.h>
#include <strings.h>

struct character {
    uint32_t code;
    bool hidden;
};

typedef void (*escape_function)(struct text *out, const struct character *character);

static void append_code(struct text *out, uint32_t code) {
    char bytes[4];
    unsigned length = utf8_encode(code, bytes);
    text_append_bytes(out, bytes, length);
}

/* ---- what is hidden -------------------------------------------------------------------------- */

/* Characters that reorder what is shown, that are not shown at all, that end a line for some
 * programs only, or that are none (U+FFFE and its like are dealt with in code). Sorted. */
static const struct escape_range {
    uint32_t first, last;
} deceptive[] = {
    {0x00ad, 0x00ad},   /* soft hyphen */
    {0x034f, 0x034f},   /* combining grapheme joiner */
    {0x061c, 0x061c},   /* Arabic letter mark */
    {0x115f, 0x1160},   /* Hangul fillers */
    {0x17b4, 0x17b5},   /* Khmer inherent vowels */
    {0x180b, 0x180f},   /* Mongolian selectors and vowel separator */
    {0x200b, 0x200b},   /* zero width space */
    {0x200e, 0x200f},   /* left-to-right, right-to-left mark */
    {0x2028, 0x202e},   /* line and paragraph separator, embeddings and overrides */
    {0x2060, 0x206f},   /* word joiner, invisible operators, isolates, deprecated controls */
    {0x3164, 0x3164},   /* Hangul filler */
    {0xfdd0, 0xfdef},   /* noncharacters */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xffa0, 0xffa0},   /* half-width Hangul filler */
    {0xfff0, 0xfffb},   /* unassigned, interlinear annotation */
    {0x1d173, 0x1d17a}, /* musical controls */
    {0xe0000, 0xe0fff}, /* tags, variation selectors that can carry a hidden message */
};

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

static bool is_deceptive(uint32_t code) {
    if ((code & 0xfffe) == 0xfffe)
        return true;
    for (size_t i = 0; i < ARRAY_LENGTH(deceptive) && deceptive[i].first <= code; i++)
        if (code <= deceptive[i].last)
            return true;
    return false;
}

/* What makes a CI runner act on a line of its log. GitHub looks for ::NAME after white space at a
 * line's start, and wrapping can bring any word there; the forms with ## count anywhere in a line.
 * Upper and lower case are the same to all of them. */
static const struct ci_command {
    const char *start;
    bool is_word; /* counts only where no name continues after it */
} ci_commands[] = {
    /* Actions, Azure (which knows ##[error] too), TeamCity */
    {"##[", false},       {"##vso[", false},          {"##teamcity[", false},
    {"::add-mask", true}, {"::add-matcher", true},    {"::add-path", true},
    {"::debug", true},    {"::echo", true},           {"::endgroup", true},
    {"::error", true},    {"::group", true},          {"::internal-set-repo-path", true},
    {"::notice", true},   {"::remove-matcher", true}, {"::save-state", true},
    {"::set-env", true},  {"::set-output", true},     {"::stop-commands", true},
    {"::warning", true},
};

static bool starts_ci_command(const char *string, size_t length) {
    if (length < 2 || string[0] != string[1] || (string[0] != ':' && string[0] != '#'))
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(ci_commands); i++) {
        size_t start = strlen(ci_commands[i].start);
        if (length < start || strncasecmp(string, ci_commands[i].start, start) != 0)
            continue;
        if (!ci_commands[i].is_word || length == start || string[start] == ':' ||
            (unsigned char)string[start] <= ' ')
            return true;
    }
    return false;
}

static bool is_joiner(uint32_t code) {
    return code == 0x200c || code == 0x200d;
}

/* Scripts and emoji need joiners; between ASCII characters they only make two names look alike. */
static bool joins(uint32_t previous, const char *rest, size_t length) {
    uint32_t next = length ? utf8_decode(rest, length).code : 0;
    return previous >= 0x80 && !is_joiner(previous) && next >= 0x80 && !is_joiner(next);
}

static void walk(struct text *out, const char *string, size_t length, escape_function escape) {
    uint32_t previous = 0;
    for (size_t i = 0; i < length;) {
        struct utf8_char c = utf8_decode(string + i, length - i);
        size_t next = i + c.length;
        const struct character character = {
            .code = c.code,
            .hidden = is_control(c.code) || is_deceptive(c.code) ||
                      starts_ci_command(string + i, length - i) ||
                      (is_joiner(c.code) && !joins(previous, string + next, length - next)),
        };
        escape(out, &character);
        previous = c.code;
        i = next;
    }
}

/* ---- the formats ----------------------------------------------------------------------------- */

/* \x1b, \u202e or \U000e0041 where the character must not be shown as it is. */
static void visible_character(struct text *out, const struct character *c) {
    if (!c->hidden)
        append_code(out, c->code);
    else
        text_printf(out,
                    c->code < 0x80      ? "\\x%02x"
                    : c->code < 0x10000 ? "\\u%04x"
                                        : "\\U%08x",
                    c->code);
}

static void terminal_character(struct text *out, const struct character *c) {
    if (c->code == '\n' || c->code == '\t')
        append_code(out, c->code);
    else
        visible_character(out, c);
}

static void terminal_line_character(struct text *out, const struct character *c) {
    if (c->code == '\n')
        text_append(out, "\\n");
    else
        terminal_character(out, c);
}

void escape_terminal(struct text *out, const char *string, size_t length, bool one_line) {
    walk(out, string, length, one_line ? terminal_line_character : terminal_character);
}

/* What XML 1.0, production 2, does not allow is hidden: C0, surrogates (no character for the walk)
 * and the noncharacters. */
void escape_xml(struct text *out, const char *string, size_t length) {
    walk(out, string, length, terminal_character);
}

static bool append_entity(struct text *out, uint32_t code) {
    const char *entity = code == '&'    ? "&amp;"
                         : code == '<'  ? "&lt;"
                         : code == '>'  ? "&gt;"
                         : code == '"'  ? "&quot;"
                         : code == '\'' ? "&#39;"
                                        : NULL;
    if (entity)
        text_append(out, entity);
    return entity != NULL;
}

static void html_character(struct text *out, const struct character *c) {
    if (!append_entity(out, c->code))
        terminal_character(out, c);
}

void escape_html(struct text *out, const char *string, size_t length) {
    walk(out, string, length, html_character);
}

/* What a spreadsheet takes for the start of a formula, with the full-width and small forms that
 * East Asian editions take for one too. */
static bool starts_formula(uint32_t code) {
    static const uint32_t starts[] = {'=',    '+',    '-',    '@',    0xfe62, 0xfe63,
                                      0xfe66, 0xfe6b, 0xff0b, 0xff0d, 0xff1d, 0xff20};
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++)
        if (code == starts[i])
            return true;
    return false;
}

/* What a program drops before it looks at a cell's first character: what import filters trim, and
 * quotes, because ""=1 is =1 where a cell begins with its first quote. */
static bool is_dropped(uint32_t code) {
    return code == ' ' || code == '"' || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f || code == 0x3000;
}

static void csv_character(struct text *out, const struct character *c) {
    if (c->code == '"')
        text_append(out, "\"\"");
    else if (c->code == '\n' || c->code == '\r' || c->code == '\t')
        text_printf(out, "\\%c", c->code == '\n' ? 'n' : c->code == '\r' ? 'r' : 't');
    else
        visible_character(out, c);
}

/* The field in pieces, each of which a spreadsheet may take for a cell: a piece ends after a
 * semicolon. */
void escape_csv(struct text *out, const char *string, size_t length) {
    text_append_char(out, '"');
    for (size_t start = 0; start < length;) {
        const char *semicolon = memchr(string + start, ';', length - start);
        size_t end = semicolon ? (size_t)(semicolon - string) + 1 : length;
        size_t first = start;
        struct utf8_char c = utf8_decode(string + first, end - first);
        while (is_dropped(c.code) && first + c.length < end) {
            first += c.length;
            c = utf8_decode(string + first, end - first);
        }
        if (starts_formula(c.code))
            text_append_char(out, '\'');
        walk(out, string + start, end - start, csv_character);
        start = end;
    }
    text_append_char(out, '"');
}

static void utf8_character(struct text *out, const struct character *c) {
    append_code(out, c->code);
}

void escape_utf8(struct text *out, const char *string, size_t length) {
    walk(out, string, length, utf8_character);
}

static void json_character(struct text *out, const struct character *c) {
    if (!c->hidden || c->code == '\n')
        append_code(out, c->code);
    else if (c->code < 0x10000)
        text_printf(out, "\\u%04X", c->code);
    else
        text_printf(out, "\\u%04X\\u%04X", 0xd800 + ((c->code - 0x10000) >> 10),
                    0xdc00 + ((c->code - 0x10000) & 0x3ff));
}

void escape_json(struct text *out, const char *document, size_t length) {
    walk(out, document, length, json_character);
}

static void markdown_character(struct text *out, const struct character *c) {
    if (c->code == '@')
        text_append(out, "@&#8203;"); /* else a name would be notified of every report */
    else if (c->code < 0x80 && c->code && !c->hidden &&
             strchr("\\`*_{}[]()#+-.!|~:$", (int)c->code))
        text_printf(out, "\\%c", (char)c->code);
    else
        html_character(out, c);
}

void escape_markdown(struct text *out, const char *string, size_t length) {
    walk(out, string, length, markdown_character);
}
