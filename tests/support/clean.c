/* The bytes are read once, character by character, with a decoder of its own. */
#include "tests/support/clean.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Bytes of the character at `data`, 0 where it is none: overlong, a surrogate, past the end. */
static size_t decode(const unsigned char *data, size_t length, uint32_t *code) {
    static const struct {
        unsigned char mask, lead, size;
        uint32_t first;
    } forms[] = {{0x80, 0x00, 1, 0},
                 {0xe0, 0xc0, 2, 0x80},
                 {0xf0, 0xe0, 3, 0x800},
                 {0xf8, 0xf0, 4, 0x10000}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if ((data[0] & forms[i].mask) != forms[i].lead)
            continue;
        if (forms[i].size > length)
            return 0;
        *code = data[0] & (unsigned char)~forms[i].mask;
        for (size_t k = 1; k < forms[i].size; k++) {
            if ((data[k] & 0xc0) != 0x80)
                return 0;
            *code = *code << 6 | (data[k] & 0x3f);
        }
        bool valid =
            *code >= forms[i].first && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
        return valid ? forms[i].size : 0;
    }
    return 0;
}

static const char *bad_character(uint32_t code, unsigned char next) {
    if (code == '\r')
        return next == '\n' ? NULL : "a carriage return";
    if ((code < 0x20 && code != '\n' && code != '\t') || code == 0x7f)
        return "a control character";
    if (code >= 0x80 && code < 0xa0)
        return "a C1 control character";
    if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
        code == 0x200e || code == 0x200f || code == 0x061c)
        return "a bidirectional control";
    if (code == 0x200b || code == 0xfeff || (code >= 0x2060 && code <= 0x2064) || code == 0x00ad ||
        code == 0x2028 || code == 0x2029 || (code >= 0xe0000 && code < 0xe0200))
        return "an invisible character";
    if (code >= 0xfffe && (code & 0xfffe) == 0xfffe)
        return "a noncharacter";
    return NULL;
}

static const char *ci_command(const char *at, size_t length, bool line_start) {
    static const char *const anywhere[] = {"##[", "##vso[", "##teamcity["};
    static const char *const first[] = {"::error",    "::warning",    "::notice",        "::debug",
                                        "::group",    "::add-mask",   "::stop-commands", "::set-",
                                        "::add-path", "::save-state", "::echo"};
    if (*at != '#' && *at != ':') /* all begin so, and there are many bytes */
        return NULL;
    for (size_t i = 0; i < sizeof anywhere / sizeof anywhere[0]; i++)
        if (length >= strlen(anywhere[i]) && strncasecmp(at, anywhere[i], strlen(anywhere[i])) == 0)
            return "a command to a CI runner";
    for (size_t i = 0; line_start && i < sizeof first / sizeof first[0]; i++)
        if (length >= strlen(first[i]) && strncasecmp(at, first[i], strlen(first[i])) == 0)
            return "a workflow command at a line's start";
    return NULL;
}

bool clean_output(const char *data, size_t length, char problem[CLEAN_PROBLEM_BYTES]) {
    unsigned line = 1;
    bool line_start = true; /* only white space so far */
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        size_t size = decode((const unsigned char *)data + i, length - i, &code);
        const char *what =
            size == 0 ? "a byte that is no UTF-8"
                      : bad_character(code, i + size < length ? (unsigned char)data[i + size] : 0);
        if (!what)
            what = ci_command(data + i, length - i, line_start);
        if (what) {
            snprintf(problem, CLEAN_PROBLEM_BYTES, "line %u, byte %zu: %s (%02x)", line, i, what,
                     (unsigned char)data[i]);
            return false;
        }
        line += code == '\n';
        line_start = code == '\n' || (line_start && (code == ' ' || code == '\t'));
        i += size;
    }
    return true;
}

static bool begins_formula(const char *at, size_t length) {
    static const char *const starts[] = {
        "=", "+", "-", "@", "\t", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    while (length && (*at == ' ' || *at == '"')) {
        at++;
        length--;
    }
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (length >= strlen(starts[i]) && memcmp(at, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* Numbers stand without quotes; a negative one would be right, and there is none. */
bool clean_csv(const char *data, size_t length, char problem[CLEAN_PROBLEM_BYTES]) {
    if (!clean_output(data, length, problem))
        return false;
    bool quoted = false;
    unsigned line = 1;
    for (size_t i = 0; i < length; i++) {
        bool next_row = data[i] == '\n';
        bool starts = i == 0 || data[i] == ';' || (!quoted && (data[i] == ',' || next_row));
        size_t cell = i == 0 ? 0 : i + 1;
        quoted ^= data[i] == '"';
        line += next_row;
        if (quoted && next_row) {
            snprintf(problem, CLEAN_PROBLEM_BYTES, "line %u: a field holds a newline", line);
            return false;
        }
        if (starts && cell < length && begins_formula(data + cell, length - cell)) {
            snprintf(problem, CLEAN_PROBLEM_BYTES, "line %u: a formula: %.60s", line, data + cell);
            return false;
        }
    }
    return true;
}
