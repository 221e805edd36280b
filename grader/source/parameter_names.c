/* Names of parameters are in no PTX, and mangled names hold only types: they are read from the
 * source. This is no parser of C++: it finds the kernel's name before a parenthesis in a
 * declaration with __global__, and takes the last word of each parameter. Where anything does not
 * look like that, it says so, and the caller has numbers for names. */
#include "grader/source/parameter_names.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <string.h>

/* The source without comments, literals and directives, each of which gives way to a space. */
static void append_code(struct text *out, const char *at) {
    bool line_start = true;
    char last = ' '; /* 1'000 is no character */
    while (*at) {
        const char *end = NULL;
        if (strncmp(at, "//", 2) == 0)
            end = strchrnul(at, '\n');
        else if (strncmp(at, "/*", 2) == 0) {
            end = strstr(at + 2, "*/");
            end = end ? end + 2 : at + strlen(at);
        } else if (*at == '#' && line_start) {
            for (end = strchrnul(at, '\n'); *end && end[-1] == '\\';)
                end = strchrnul(end + 1, '\n');
        } else if (*at == '"' || (*at == '\'' && !text_is_symbol_character(last))) {
            for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
                end += *end == '\\' && end[1];
            end += *end == *at;
        }
        if (end) {
            text_append_char(out, ' ');
            at = end;
            continue;
        }
        last = *at;
        line_start = *at == '\n' || (line_start && isspace((unsigned char)*at));
        text_append_char(out, *at++);
    }
}

/* "ns::scale<float, 4>" is declared as "scale". */
static size_t plain_name(const char *kernel, const char **start) {
    size_t length = strcspn(kernel, "<(");
    *start = kernel;
    for (size_t i = 0; i < length; i++)
        if (kernel[i] == ':')
            *start = kernel + i + 1;
    return length - (size_t)(*start - kernel);
}

static bool is_global(const char *code, const char *name) {
    static const char word[] = "__global__";
    const char *start = name;
    while (start > code && !strchr(";{}", start[-1]))
        start--;
    return memmem(start, (size_t)(name - start), word, strlen(word)) != NULL;
}

static bool is_type_word(const char *word, size_t length) {
    static const char *const words[] = {"void",     "bool",     "char",   "short", "int",
                                        "long",     "float",    "double", "const", "signed",
                                        "volatile", "unsigned", "auto"};
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return length > 1 && word[0] == '_' && word[1] == '_';
}

/* The words as they stand there, with one space where there are several or a new line. */
static void take_declaration(const char *at, const char *end,
                             char declared[PARAMETER_DECLARED_BYTES]) {
    size_t length = 0;
    for (; at < end && length + 1 < PARAMETER_DECLARED_BYTES; at++)
        if (!isspace((unsigned char)*at))
            declared[length++] = *at;
        else if (length && declared[length - 1] != ' ')
            declared[length++] = ' ';
    length -= length && declared[length - 1] == ' ';
    declared[length] = '\0';
}

/* The last word of `type name[8] = value`, which is not its only one. */
static bool take_name(const char *start, const char *end, struct parameter_source *parameter) {
    const char *value = memchr(start, '=', (size_t)(end - start));
    end = value ? value : end;
    take_declaration(start, end, parameter->declared);
    while (end > start && (isspace((unsigned char)end[-1]) || end[-1] == ']'))
        if (*--end == ']')
            while (end > start && *end != '[')
                end--;
    const char *word = end, *before;
    while (word > start && text_is_symbol_character(word[-1]))
        word--;
    for (before = start; before < word && isspace((unsigned char)*before);)
        before++;
    size_t length = (size_t)(end - word);
    if (before == word || !length || length >= PARAMETER_NAME_BYTES ||
        isdigit((unsigned char)*word) || is_type_word(word, length) || word[-1] == ':')
        return false;
    memcpy(parameter->name, word, length);
    parameter->name[length] = '\0';
    return true;
}

/* From after the opening parenthesis. */
static bool take_names(const char *at, size_t count, struct parameter_source *parameters) {
    const char *start = at;
    size_t found = 0;
    for (unsigned depth = 0; *at; at++) {
        bool ends = depth == 0 && (*at == ',' || *at == ')');
        if (ends && (found == count || !take_name(start, at, &parameters[found++])))
            return false;
        if (ends && *at == ')')
            return found == count;
        if (ends)
            start = at + 1;
        else if (strchr("([{<", *at))
            depth++;
        else if (strchr(")]}>", *at) && depth-- == 0)
            return false;
    }
    return false;
}

static bool are_named_alike(const struct parameter_source *one,
                            const struct parameter_source *other, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(one[i].name, other[i].name) != 0)
            return false;
    return true;
}

bool parameter_names_find(const char *source, const char *kernel, size_t count,
                          struct parameter_source *parameters) {
    cleanup_text struct text code = {0};
    const char *name;
    size_t length = plain_name(kernel, &name);
    cleanup_free char *word = mem_printf("%.*s", (int)length, name);
    append_code(&code, source);
    cleanup_free struct parameter_source *other = mem_zalloc((count + 1) * sizeof *other);
    bool known = false;
    const char *text = text_string(&code);
    for (const char *at = text; length && (at = strstr(at, word)) != NULL; at += length) {
        const char *after = at + length;
        if (text_is_symbol_character(*after) || (at > text && text_is_symbol_character(at[-1])))
            continue;
        while (isspace((unsigned char)*after))
            after++;
        if (*after != '(' || !is_global(text, at))
            continue;
        if (!take_names(after + 1, count, other) ||
            (known && !are_named_alike(parameters, other, count)))
            return false;
        memcpy(parameters, other, count * sizeof *other);
        known = true;
    }
    return known;
}
