/* Reads the log of an EDG front end (NVRTC, nvcc) and, for nvcc's preprocessor, of gcc:
 *
 *  | dot.cu(2): error: identifier "foo" is undefined       FILE(LINE): SEVERITY [#NUMBER-D]: TEXT
 *  |             argument types are: (int, int)            more of the text, indented
 *  |   a[0] = foo;                                         the source line after two spaces
 *  |          ^                                            the column, in bytes
 *  |           detected during instantiation of ...        more of the text
 *
 * "At end of source: error: ..." has no line; it is given the file's last one. gcc writes
 * FILE:LINE:COLUMN: SEVERITY: TEXT and an echo that starts with "NN |". The linker of a program
 * writes FILE:LINE: undefined reference to `NAME', or a section in place of the line. Totals and
 * advice about options are dropped. Paths become base names. */
#include "sandbox/build/diagnostics.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARSED = 5000 };

/* The log line by line; a line's newline is not part of it. */
struct diagnostic_line {
    const char *text;
    size_t length;
};

static bool next_line(const char **log, struct diagnostic_line *line) {
    if (!**log)
        return false;
    line->text = *log;
    line->length = strcspn(*log, "\n");
    *log += line->length + ((*log)[line->length] == '\n');
    if (line->length && line->text[line->length - 1] == '\r')
        line->length--;
    return true;
}

static bool starts_with(struct diagnostic_line line, const char *prefix) {
    size_t length = strlen(prefix);
    return line.length >= length && memcmp(line.text, prefix, length) == 0;
}

static struct diagnostic_line skip(struct diagnostic_line line, size_t count) {
    return (struct diagnostic_line){line.text + count, line.length - count};
}

static struct diagnostic_line trim(struct diagnostic_line line) {
    while (line.length && isspace((unsigned char)*line.text))
        line = skip(line, 1);
    while (line.length && isspace((unsigned char)line.text[line.length - 1]))
        line.length--;
    return line;
}

static bool is_noise(struct diagnostic_line line) {
    static const char *const noise[] = {"Remark: The warnings can be suppressed",
                                        "Compilation terminated.", "compilation terminated.",
                                        "Error limit reached."};
    for (size_t i = 0; i < ARRAY_LENGTH(noise); i++)
        if (starts_with(line, noise[i]))
            return true;
    if (starts_with(line, "collect2: error: ld returned") ||
        memmem(line.text, line.length, ": in function `", 15))
        return true;
    size_t digits = 0;
    while (digits < line.length && isdigit((unsigned char)line.text[digits]))
        digits++;
    return digits && memmem(line.text, line.length, "detected in the compilation", 27);
}

/* "error: text", "warning #177-D: text". */
static bool parse_severity(struct diagnostic_line line, enum build_severity *severity,
                           struct diagnostic_line *text) {
    static const struct {
        const char *word;
        enum build_severity severity;
    } words[] = {
        {"catastrophic error", BUILD_ERROR},
        {"internal error", BUILD_ERROR},
        {"fatal error", BUILD_ERROR},
        {"error", BUILD_ERROR},
        {"fatal", BUILD_ERROR},
        {"warning", BUILD_WARNING},
        {"Warning", BUILD_WARNING}, /* of the optimiser, which has a location as well */
        {"remark", BUILD_NOTE},
        {"note", BUILD_NOTE},
        {"info", BUILD_NOTE},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
        if (!starts_with(line, words[i].word))
            continue;
        struct diagnostic_line rest = skip(line, strlen(words[i].word));
        while (rest.length && *rest.text == ' ')
            rest = skip(rest, 1);
        if (rest.length && *rest.text == '#') { /* the number means nothing to a reader */
            while (rest.length && *rest.text != ':')
                rest = skip(rest, 1);
        }
        if (!rest.length || *rest.text != ':')
            return false;
        *severity = words[i].severity;
        *text = trim(skip(rest, 1));
        return true;
    }
    return false;
}

static void set_file(struct build_diagnostic *diagnostic, const char *path, size_t length) {
    char copy[1024];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1),
             path);
    snprintf(diagnostic->file, sizeof diagnostic->file, "%.255s", file_base_name(copy));
}

static bool parse_number(const char **at, const char *end, unsigned *number) {
    unsigned long value = 0;
    const char *start = *at;
    while (*at < end && isdigit((unsigned char)**at) && value < 100000000)
        value = value * 10 + (unsigned long)(*(*at)++ - '0');
    *number = (unsigned)value;
    return *at > start;
}

/* FILE(LINE): or FILE:LINE:COLUMN: in front of a severity. */
static bool parse_place(struct diagnostic_line line, struct build_diagnostic *diagnostic,
                        struct diagnostic_line *text) {
    const char *end = line.text + line.length;
    for (const char *at = line.text + 1; at < end; at++) {
        if (*at != '(' && *at != ':')
            continue;
        const char *next = at + 1;
        unsigned number, column = 0;
        if (!parse_number(&next, end, &number))
            continue;
        if (*at == ':' && next < end && *next == ':') {
            next++;
            if (!parse_number(&next, end, &column))
                continue;
        } else if (*at == '(' && next < end && *next == ')') {
            next++;
        } else {
            continue;
        }
        if (end - next < 2 || memcmp(next, ": ", 2) != 0 ||
            !parse_severity((struct diagnostic_line){next + 2, (size_t)(end - next - 2)},
                            &diagnostic->severity, text))
            continue;
        set_file(diagnostic, line.text, (size_t)(at - line.text));
        diagnostic->line = number;
        diagnostic->column = column;
        return true;
    }
    return false;
}

/* Without debug information a section stands where the line would. */
static bool parse_undefined(struct diagnostic_line line, struct build_diagnostic *diagnostic,
                            struct diagnostic_line *text) {
    static const char sign[] = ": undefined reference to `";
    const char *found = memmem(line.text, line.length, sign, sizeof sign - 1);
    if (!found)
        return false;
    *text = skip(line, (size_t)(found - line.text) + 2);
    diagnostic->severity = BUILD_ERROR;
    const char *colon = memrchr(line.text, ':', (size_t)(found - line.text));
    const char *at = colon ? colon + 1 : found;
    unsigned number;
    if (parse_number(&at, found, &number) && at == found) {
        set_file(diagnostic, line.text, (size_t)(colon - line.text));
        diagnostic->line = number;
    }
    return true;
}

static unsigned count_lines(const char *source) {
    unsigned lines = 0;
    while (*source) {
        lines++;
        source += strcspn(source, "\n");
        source += *source == '\n';
    }
    return lines;
}

static bool parse_header(struct diagnostic_line line, const char *file_name, const char *source,
                         struct build_diagnostic *diagnostic, struct diagnostic_line *text) {
    static const char at_end[] = "At end of source: ";
    static const char *const tools[] = {"nvrtc: ", "nvcc ", "ptxas "};
    *diagnostic = (struct build_diagnostic){0};
    if (!line.length || isspace((unsigned char)*line.text))
        return false;
    if (starts_with(line, at_end)) {
        snprintf(diagnostic->file, sizeof diagnostic->file, "%s", file_name);
        diagnostic->line = count_lines(source);
        return parse_severity(skip(line, sizeof at_end - 1), &diagnostic->severity, text);
    }
    static const char optimiser[] = "warning: "; /* "warning: FILE(LINE): Warning: TEXT" */
    struct diagnostic_line rest = line;
    if (starts_with(line, optimiser))
        rest = skip(line, sizeof optimiser - 1);
    if (parse_place(rest, diagnostic, text) || parse_severity(line, &diagnostic->severity, text) ||
        parse_undefined(line, diagnostic, text))
        return true;
    for (size_t i = 0; i < ARRAY_LENGTH(tools); i++)
        if (starts_with(line, tools[i]) &&
            parse_severity(skip(line, strlen(tools[i])), &diagnostic->severity, text))
            return true;
    return false;
}

static void append_text(struct build_diagnostic *diagnostic, struct diagnostic_line more) {
    more = trim(more);
    size_t used = strlen(diagnostic->text);
    snprintf(diagnostic->text + used, sizeof diagnostic->text - used, "%s%.*s",
             used && more.length ? " " : "", (int)more.length, more.text);
}

static bool is_caret(struct diagnostic_line line, size_t *position) {
    *position = 0;
    while (*position < line.length && isspace((unsigned char)line.text[*position]))
        (*position)++;
    return *position + 1 == line.length && line.text[*position] == '^';
}

static bool is_gcc_echo(struct diagnostic_line line) {
    struct diagnostic_line rest = trim(line);
    while (rest.length && isdigit((unsigned char)*rest.text))
        rest = skip(rest, 1);
    rest = trim(rest);
    return line.length && isspace((unsigned char)*line.text) && rest.length && *rest.text == '|';
}

static bool same_as_source(struct diagnostic_line echo, const char *source, unsigned number) {
    for (unsigned i = 1; i < number && *source; i++) {
        source += strcspn(source, "\n");
        source += *source == '\n';
    }
    size_t length = strcspn(source, "\r\n");
    return echo.length >= 2 && echo.length - 2 == length &&
           memcmp(echo.text + 2, source, length) == 0;
}

/* The lines after a header up to the next header or empty line. */
static void parse_body(const char **log, const char *file_name, const char *source,
                       struct build_diagnostic *diagnostic) {
    struct diagnostic_line held = {0}, line;
    for (;;) {
        const char *before = *log;
        struct build_diagnostic next;
        struct diagnostic_line text;
        size_t caret;
        if (!next_line(log, &line))
            break;
        if (line.length == 0 || parse_header(line, file_name, source, &next, &text)) {
            *log = line.length ? before : *log;
            break;
        }
        if (is_noise(line) || is_gcc_echo(line))
            continue;
        if (is_caret(line, &caret)) {
            bool own = strcmp(diagnostic->file, file_name) == 0;
            if (caret >= 2 && (!own || same_as_source(held, source, diagnostic->line)))
                diagnostic->column = (unsigned)caret - 1; /* two spaces in front; 1-based */
            held = (struct diagnostic_line){0};
            continue;
        }
        append_text(diagnostic, held);
        held = line;
    }
    append_text(diagnostic, held);
}

void diagnostics_parse(const char *log, const char *file_name, const char *source,
                       struct diagnostic_list *list) {
    struct diagnostic_line line, text;
    struct build_diagnostic diagnostic;
    while (list->count < MAX_PARSED && next_line(&log, &line)) {
        if (is_noise(line) || !parse_header(line, file_name, source, &diagnostic, &text))
            continue;
        append_text(&diagnostic, text);
        parse_body(&log, file_name, source, &diagnostic);
        *mem_push(&list->items, &list->count, &list->capacity) = diagnostic;
    }
}

/* `attribute "__global__" does not apply here`, `incomplete type "void" is not allowed`: the
 * declaration is taken for a variable's, because what stands in its parentheses is no type. */
static bool is_consequence_before(const struct build_diagnostic *diagnostic) {
    return strstr(diagnostic->text, "does not apply here") ||
           strstr(diagnostic->text, "incomplete type \"void\" is not allowed");
}

static bool is_undefined(const struct build_diagnostic *diagnostic) {
    return strncmp(diagnostic->text, "identifier \"", 12) == 0 &&
           strstr(diagnostic->text, "\" is undefined");
}

static bool is_consequence_after(const struct build_diagnostic *diagnostic) {
    return strcmp(diagnostic->text, "type name is not allowed") == 0 ||
           strcmp(diagnostic->text, "expected a \")\"") == 0 || is_undefined(diagnostic);
}

/* How many diagnostics from `at` on are about one such declaration, and which of them is the cause;
 * 0: none. */
static size_t misread_declaration(const struct diagnostic_list *list, size_t at, size_t *cause) {
    size_t i = at;
    if (!strstr(list->items[at].text, "attribute \"__") ||
        !strstr(list->items[at].text, "does not apply here"))
        return 0;
    while (i < list->count && is_consequence_before(&list->items[i]))
        i++;
    *cause = i;
    while (*cause < list->count && is_consequence_after(&list->items[*cause]) &&
           !is_undefined(&list->items[*cause]))
        ++*cause;
    if (*cause == list->count || !is_undefined(&list->items[*cause]))
        return 0;
    while (i < list->count && is_consequence_after(&list->items[i]))
        i++;
    bool ended = i < list->count && strcmp(list->items[i].text, "expected a \";\"") == 0;
    return i - at + ended;
}

void diagnostics_drop_consequences(struct diagnostic_list *list) {
    size_t count = 0, cause = 0;
    for (size_t i = 0; i < list->count;) {
        size_t length = misread_declaration(list, i, &cause);
        list->items[count++] = list->items[length ? cause : i];
        i += length ? length : 1;
    }
    list->count = count;
}

void diagnostics_cap(struct diagnostic_list *list, size_t max) {
    if (list->count <= max)
        return;
    cleanup_free bool *keep = mem_calloc(list->count, sizeof *keep);
    size_t kept = 0;
    for (int round = 0; round < 2; round++) {
        bool wanted = false;
        for (size_t i = 0; i < list->count && kept < max; i++) {
            if (list->items[i].severity != BUILD_NOTE)
                wanted = round == 1 || list->items[i].severity == BUILD_ERROR;
            if (wanted && !keep[i]) {
                keep[i] = true;
                kept++;
            }
        }
    }
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (keep[i])
            list->items[count++] = list->items[i];
    list->count = count;
}
