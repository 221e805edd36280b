/* One walk over the characters, one small function a format that says what a character becomes.
 *
 * The walk decodes hostile bytes into characters, with U+FFFD for what is none, so that no format
 * ever sees a broken sequence. A format's function appends the character's escaped form; what it
 * does not know how to escape goes through unchanged. The attacks that this stands against:
 * terminal escape sequences (also 8-bit C1 ones), "Trojan source" bidirectional controls, markup
 * injection, characters that make an XML file unreadable, and spreadsheet formulas. */
#include "reports/escape.h"

#include "reports/utf8.h"

#include <string.h>

typedef void (*escape_function)(struct text *out, uint32_t code);

static void append_code(struct text *out, uint32_t code) {
    char bytes[4];
    unsigned length = utf8_encode(code, bytes);
    text_append_bytes(out, bytes, length);
}

static void walk(struct text *out, const char *string, size_t length, escape_function escape) {
    for (size_t i = 0; i < length;) {
        struct utf8_char character = utf8_decode(string + i, length - i);
        escape(out, character.code);
        i += character.length;
    }
}

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

/* Bidirectional controls reorder what is shown; the others are not shown at all, or end a line for
 * some programs only. U+200C and U+200D stay: scripts and emoji need them. */
static bool is_deceptive(uint32_t code) {
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0x200e || code == 0x200f || code == 0x061c || code == 0x00ad || code == 0x200b ||
           code == 0x2028 || code == 0x2029 || (code >= 0x2060 && code <= 0x2065) ||
           (code >= 0x206a && code <= 0x206f) || code == 0xfeff ||
           (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe007f);
}

/* Appends \x1b, \u202e or \U000e0041 where the character must not be shown as it is. */
static bool append_visible(struct text *out, uint32_t code) {
    if (is_control(code) && code < 0x80)
        text_printf(out, "\\x%02x", code);
    else if ((is_control(code) || is_deceptive(code)) && code < 0x10000)
        text_printf(out, "\\u%04x", code);
    else if (is_deceptive(code))
        text_printf(out, "\\U%08x", code);
    else
        return false;
    return true;
}

static void terminal_character(struct text *out, uint32_t code) {
    if (code == '\n' || code == '\t' || !append_visible(out, code))
        append_code(out, code);
}

static void terminal_line_character(struct text *out, uint32_t code) {
    if (code == '\n')
        text_append(out, "\\n");
    else
        terminal_character(out, code);
}

void escape_terminal(struct text *out, const char *string, size_t length, bool one_line) {
    walk(out, string, length, one_line ? terminal_line_character : terminal_character);
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

/* XML 1.0, production 2 (Char). */
static bool xml_allows(uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xd7ff) ||
           (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
}

static void xml_allowed_character(struct text *out, uint32_t code) {
    append_code(out, xml_allows(code) ? code : 0xfffd);
}

static void xml_character(struct text *out, uint32_t code) {
    if (code == '\r')
        text_append(out, "&#13;"); /* a parser turns the raw one into a newline */
    else if (!append_entity(out, code))
        xml_allowed_character(out, code);
}

void escape_xml(struct text *out, const char *string, size_t length) {
    walk(out, string, length, xml_character);
}

void escape_xml_characters(struct text *out, const char *string, size_t length) {
    walk(out, string, length, xml_allowed_character);
}

static void html_character(struct text *out, uint32_t code) {
    if (!append_entity(out, code))
        terminal_character(out, code);
}

void escape_html(struct text *out, const char *string, size_t length) {
    walk(out, string, length, html_character);
}

/* What a spreadsheet takes for the start of a formula, the full-width forms that East Asian
 * editions take for one too, and the characters that import filters drop before they look. */
static bool starts_formula(uint32_t code) {
    return code == '=' || code == '+' || code == '-' || code == '@' || code == '\t' ||
           code == '\r' || code == '\n' || code == 0xff1d || code == 0xff0b || code == 0xff0d ||
           code == 0xff20;
}

static void csv_character(struct text *out, uint32_t code) {
    if (code == '"')
        text_append(out, "\"\"");
    else if (is_control(code) && code != '\n' && code != '\r' && code != '\t')
        append_code(out, 0xfffd);
    else
        append_code(out, code);
}

void escape_csv(struct text *out, const char *string, size_t length) {
    text_append_char(out, '"');
    size_t start = 0;
    while (start < length && (string[start] == ' ' || string[start] == '\0'))
        start++; /* import filters trim */
    if (start < length && starts_formula(utf8_decode(string + start, length - start).code))
        text_append_char(out, '\'');
    walk(out, string, length, csv_character);
    text_append_char(out, '"');
}

void escape_utf8(struct text *out, const char *string, size_t length) {
    walk(out, string, length, append_code);
}

static void markdown_character(struct text *out, uint32_t code) {
    if (code == '@')
        text_append(out, "@&#8203;"); /* else a name would be notified of every report */
    else if (code < 0x80 && code && strchr("\\`*_{}[]()#+-.!|~:$", (int)code))
        text_printf(out, "\\%c", (char)code);
    else
        html_character(out, code);
}

void escape_markdown(struct text *out, const char *string, size_t length) {
    walk(out, string, length, markdown_character);
}
